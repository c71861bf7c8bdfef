"""The manual as a site, built by both hosts with our own plugins."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from mkdocs.config import load_config
from mkdocs.structure.files import get_files, set_exclusions

from tests.manual_search import Search

ROOT = Path(__file__).parent.parent
# What readers type into the search, and the page or section that answers it.
QUESTIONS = {
    "404": "left-out/",
    "IndexNow key": "live/#the-key",
    "Read the Docs": "read-the-docs/",
    "Search Console error": "troubleshooting/#search-console-reports-an-error",
    "autodoc": "sphinx/#autodoc",
    "bing": "search-engines/",
    "blog post date": "dates/#what-is-not-a-date",
    "canonical": "versions/#which-version-is-canonical",
    "changefreq": "front-matter/#all-values",
    "dates missing github actions": "troubleshooting/#dates-are-missing-in-github-actions",
    "disable locally": "mkdocs/",
    "docusaurus": "generators/",
    "drafts": "left-out/",
    "exclude a folder": "options/#exclude",
    "fail the build when a page disappears": "diff/#fail-the-build-when-a-page-disappears",
    "fetch-depth": "ci/#fetch-the-whole-history",
    "github pages": "ci/#github-pages",
    "gitlab": "ci/#gitlab-pages",
    "google news": "sitemaps/#news",
    "hreflang links missing": "troubleshooting/#hreflang-links-are-missing",
    "hugo": "generators/#dates",
    "image sitemap": "media/#images",
    "instant navigation": "mkdocs/#material-for-mkdocs",
    "lastmod": "options/#lastmod",
    "leave out a page": "left-out/",
    "lost urls": "diff/",
    "macros": "zensical/#plugins-that-zensical-runs-itself",
    "migrate from sphinx-sitemap": "moving/#from-sphinx-sitemap",
    "mike": "mike/",
    "mkdocstrings": "dates/#what-a-page-is-made-of",
    "monorepo": "mkdocs/#mkdocs-monorepo-techdocs-mkdocs-multirepo",
    "multiple domains": "options/#cross_submit",
    "multiple languages": "languages/",
    "netlify": "ci/#netlify",
    "noindex": "old-versions/#canonical-link-or-noindex",
    "old versions": "old-versions/",
    "one date on all pages": "troubleshooting/#the-date-is-wrong-or-the-same-on-all-pages",
    "page has no date": "troubleshooting/#a-page-has-no-date",
    "page of all pages": "page-list/",
    "ping": "search-engines/#submitting",
    "priority": "search-engines/#priority-and-change-frequency",
    "pull request preview": "ci/#previews-of-pull-requests",
    "redirects": "diff/#redirects-that-count",
    "robots.txt": "troubleshooting/#robotstxt-is-ignored-or-was-not-written",
    "rss feed": "media/#feeds",
    "set priority": "front-matter/",
    "shallow clone": "dates/#incomplete-clones",
    "sitemap too large": "sitemaps/#when-it-does-not-fit-into-one-file",
    "stale dates": "ci/#find-pages-with-stale-dates",
    "strict": "troubleshooting/#strict-builds-fail",
    "translations": "languages/",
    "upgrade": "changelog/",
    "validate": "troubleshooting/#validate-the-sitemap",
    "video": "media/#videos",
    "zensical": "zensical/",
    "zensical dates": "zensical/#dates-in-the-pages",
}


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def sites(once: Callable[..., Path]) -> tuple[Path, Path]:
    folder = once("manual", build_sites)
    return folder / "mkdocs", folder / "sphinx"


def build_sites(folder: Path) -> None:
    """Build each strictly: a link or an anchor that leads nowhere ends the build."""
    mkdocs, sphinx, doctrees = (str(folder / name) for name in ("mkdocs", "sphinx", "doctrees"))
    run("mkdocs", "build", "--strict", "--quiet", "--site-dir", mkdocs)
    run("sphinx", "-W", "--keep-going", "-q", "-b", "dirhtml", "-d", doctrees, "docs", sphinx)


def test_both_hosts_write_the_same_sitemap(sites: tuple[Path, Path]) -> None:
    mkdocs, sphinx = sites
    assert (mkdocs / "sitemap.xml").read_bytes() == (sphinx / "sitemap.xml").read_bytes()


def test_every_page_is_listed_and_in_the_navigation(sites: tuple[Path, Path]) -> None:
    content = (sites[0] / "sitemap.xml").read_text(encoding="utf-8")
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = [page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if f"{'' if page == 'index' else f'/{page}/'}</loc>" not in content] == []
    unlinked = [page for page in pages if f": {page}.md\n" not in navigation]
    assert [page for page in unlinked if not page.startswith("check-rules/")] == []  # a page of its own lists the rules


@pytest.mark.parametrize("host", [0, 1], ids=["mkdocs", "sphinx"])
def test_texts_from_above_the_manual_are_included(sites: tuple[Path, Path], host: int) -> None:
    """The first page has the beginning and the tables of the README, and the changelog has its entries."""
    home, changelog = (read_html(sites[host] / page) for page in ("index.html", "changelog/index.html"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    proof, table, tasks = (
        readme.partition(f"[start:{name}] -->")[2].partition("<!--")[0] for name in ("proof", "benefits", "tasks")
    )
    rows = [[cell.strip() for cell in row.split(" | ")] for row in table.replace("`", "").strip().splitlines()[2:]]
    shown = [[" ".join(cell.text_content().split()) for cell in row] for row in home.xpath("//tr[count(td)=5]")]
    assert shown == [[cell.replace("*", "").strip("| ") for cell in row] for row in rows]
    assert proof.strip().strip("`").removeprefix("text\n") in home.text_content()
    assert len(home.xpath("//table[last()]//tr[count(td)=2]")) == tasks.count("\n| ") - 2 == 6
    assert len(changelog.xpath("//li")) >= (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").count("\n- ") > 1


def test_mkdocs_shows_configuration_files_and_tools_in_tabs(sites: tuple[Path, Path]) -> None:
    labels = read_html(sites[0] / "options/index.html").xpath("//label[text()='conf.py']")
    assert len(labels) == (ROOT / "docs/options.md").read_text(encoding="utf-8").count("In `conf.py`:") > 10
    tools = read_html(sites[0] / "index.html").xpath("//div[@class='tabbed-labels']/label/text()")
    assert tools == ["MkDocs", "Sphinx", "Zensical", "Any other tool"]


@pytest.fixture(scope="module")
def search(sites: tuple[Path, Path]) -> Search:
    return Search(sites[0])


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_leads_to_its_answer(search: Search, question: str) -> None:
    """The page is one of the first three that the search shows, and the section one of its first three."""
    pages, answer = search(question), QUESTIONS[question]
    page = answer.partition("#")[0]
    assert page in [*pages][:3]
    assert answer == page or answer in pages[page][:3]


def test_compiled_modules_are_no_part_of_the_manual(sites: tuple[Path, Path], tmp_path: Path) -> None:
    """Python writes them beside the hook and the other programs, if nothing forbids that, so they are written here."""
    copied = shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (copied / "__pycache__").mkdir(exist_ok=True)
    (copied / "__pycache__" / "mkdocs_hooks.cpython-313.pyc").write_bytes(b"compiled")
    config = load_config(str(ROOT / "mkdocs.yml"), docs_dir=str(copied))
    files = get_files(config)
    set_exclusions(files, config)
    published = {file.src_uri for file in files if file.inclusion.is_included()}
    assert {"index.md", "extra.css", "images/favicon.svg"} < published
    assert {Path(uri).suffix for uri in published} == {".md", ".css", ".js", ".svg"}
    assert [file for site in sites for file in site.rglob("*.py*")] == []


def read_html(page: Path) -> Any:
    return html.fromstring(page.read_text(encoding="utf-8"))
