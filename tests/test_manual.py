"""The manual as a site, built by both hosts with our own plugins."""

from __future__ import annotations

import json
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

ROOT = Path(__file__).parent.parent
# What readers type into the search, and the page that answers it.
QUESTIONS = {
    "leave out a page": "options",
    "page of all pages": "page-list",
    "no date": "troubleshooting",
    "one date on all pages": "troubleshooting",
    "mike": "versions",
    "Read the Docs": "ci",
    "robots.txt": "troubleshooting",
    "Search Console error": "troubleshooting",
    "upgrade": "changelog",
    "404": "left-out",
    "ping": "search-engines",
    "IndexNow key": "live",
    "validate": "troubleshooting",
    "exclude a folder": "options",
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
    pages = [page.stem for page in (ROOT / "docs").glob("*.md")]
    assert [page for page in pages if f"{'' if page == 'index' else f'{page}/'}</loc>" not in content] == []
    assert [page for page in pages if f": {page}.md\n" not in f"{navigation}\n"] == []


@pytest.mark.parametrize("host", [0, 1], ids=["mkdocs", "sphinx"])
def test_texts_from_above_the_manual_are_included(sites: tuple[Path, Path], host: int) -> None:
    """The first page has the tagline and the table of the README, and the changelog has its entries."""
    home, changelog = (read_html(sites[host] / page) for page in ("index.html", "changelog/index.html"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    tagline, table = (
        readme.partition(f"[start:{name}] -->")[2].partition("<!--")[0] for name in ("tagline", "benefits")
    )
    rows = [[cell.strip() for cell in row.split(" | ")] for row in table.replace("`", "").strip().splitlines()[2:]]
    shown = [[" ".join(cell.text_content().split()) for cell in row] for row in home.xpath("//tr[count(td)=5]")]
    assert shown == [[cell.replace("*", "").strip("| ") for cell in row] for row in rows]
    assert "".join(tagline.replace("*", "").split()) in "".join(home.text_content().split())
    assert len(changelog.xpath("//li")) >= (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").count("\n- ") > 1


def test_mkdocs_shows_each_pair_of_configuration_files_in_tabs(sites: tuple[Path, Path]) -> None:
    labels = read_html(sites[0] / "options/index.html").xpath("//label[text()='conf.py']")
    assert len(labels) == (ROOT / "docs/options.md").read_text(encoding="utf-8").count("In `conf.py`:") > 10


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_section_of_the_right_page_has_all_words_of_a_question(sites: tuple[Path, Path], question: str) -> None:
    sections = [each for each in search_index(sites[0]) if each["location"].startswith(f"{QUESTIONS[question]}/")]
    texts = [f"{each['title']} {each['text']}".lower() for each in sections]
    assert any(all(word in text for word in question.lower().split()) for text in texts)


def test_the_search_shows_pages_for_tasks_before_those_for_experts(sites: tuple[Path, Path]) -> None:
    boosts = {each["location"].partition("/")[0]: each.get("boost", 1) for each in search_index(sites[0])}
    tasks, experts = ("troubleshooting", "options", "versions", "ci"), ("api", "changelog", "git-history", "rules")
    assert min(boosts[page] for page in tasks) > 1 > max(boosts[page] for page in experts)


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


def search_index(site: Path) -> list[dict[str, Any]]:
    docs: list[dict[str, Any]] = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    return docs
