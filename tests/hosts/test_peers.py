"""The table in README.md: this project beside the sitemaps of MkDocs, mkdocs-static-i18n and sphinx-sitemap.

Each of them builds the same site. If a test about another project fails with a new version of it, change the table.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import sphinx

from tests.builders import long_text

BASE = "https://docs.example.org/"
BUILD_DAY = "2026-06-30"
# The dates of the last change of each page's content.
CHANGES = {"index": "2026-02-05", "guide": "2026-02-01", "brewing": "2026-01-10"}
MERGED = "2026-02-10"
RENAMED = "2026-03-01"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
LINK = "{http://www.w3.org/1999/xhtml}link"

INDEX = "# Tea\n\n```{toctree}\n:glob:\n*\n```\n"
GUIDE = "# Guide\n\nWarm the pot.\n"
# Pages that search engines must not list. Both hosts read the front matter.
HIDDEN = {
    "noindex": "---\ntemplate: noindex.html\nmyst:\n  html_meta:\n    robots: noindex\n---\n# Thank you\n",
    "copy": "---\ntemplate: copy.html\n---\n# A copy of another page\n",
    "moved": "---\ntemplate: moved.html\nmyst:\n  html_meta:\n    http-equiv=refresh: 0; url=guide.html\n---\n# Moved\n",
}
BLOCKS = {
    "noindex": '{% block extrahead %}<meta name="robots" content="noindex">{% endblock %}',
    "copy": '{% block site_meta %}<link rel="canonical" href="https://elsewhere.example/">{% endblock %}',
    "moved": '{% block extrahead %}<meta http-equiv="refresh" content="0; url=../guide/">{% endblock %}',
}
# The same canonical link in Sphinx.
SPHINX_CODE = """
def name_the_original(app, pagename, templatename, context, doctree):
    if pagename == "copy":
        context["pageurl"] = "https://elsewhere.example/"

def setup(app):
    app.connect("html-page-context", name_the_original)
"""
CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Guide"\nmsgstr "Guia"\n'
LANGUAGES = [
    {"locale": "en", "name": "English", "default": True},
    {"locale": "pt_BR", "name": "Português"},
]
OFF = {"enabled": False}
I18N: dict[str, Any] = {"i18n": {"docs_structure": "suffix", "languages": LANGUAGES}}
MKDOCS: dict[str, Any] = {"theme": {"name": "mkdocs", "custom_dir": "theme"}, "exclude_docs": "conf.py\nlocales/\n"}
SPHINX: dict[str, Any] = {"language": "en", "locale_dirs": ["locales"], "exclude_patterns": ["*.pt_BR.md"]}

# In a separate process, because sphinx-sitemap starts processes that it does not end.
SPHINX_SITEMAP = """
import pathlib, shutil, sys
from sphinx.cmd.build import main

def build(output, *arguments):
    if main(["-q", "-d", output + "-trees", *arguments, "docs", output]):
        sys.exit(1)

build("en", "-D", "sitemap_show_lastmod=1")
shutil.copy("en/sitemap.xml", "whole.xml")
guide = pathlib.Path("docs/guide.md")
guide.write_text(guide.read_text() + "Wait.")
build("en", "-D", "sitemap_show_lastmod=1")
build("pt_BR", "-D", "language=pt_BR", "-D", "sitemap_locales=en,pt_BR")
"""


class Sitemap:
    """What a sitemap contains for each page of the site."""

    def __init__(self, file: Path) -> None:
        self.folder = file.parent
        urls = ET.parse(file).getroot()  # noqa: S314  # our own file
        self.urls = {path_of(url.findtext(f"{NAMESPACE}loc") or ""): url for url in urls}

    @property
    def days(self) -> dict[str, str]:
        """The day of each page's lastmod; empty if it has none."""
        return {path: (url.findtext(f"{NAMESPACE}lastmod") or "")[:10] for path, url in self.urls.items()}

    @property
    def links(self) -> dict[str, dict[str, str]]:
        """The alternates of each page, by language code."""
        return {
            path: {link.get("hreflang", ""): path_of(link.get("href", "")) for link in url.iter(LINK)}
            for path, url in self.urls.items()
        }


def path_of(url: str) -> str:
    """A page by the name of its source, for any form of its URL."""
    path = re.sub(r"(\.html|/)$", "", url.removeprefix(BASE)).removeprefix("en/")
    return re.sub(r"^(pt_BR)?$", r"\1/index", path).removeprefix("/")


class Builds:
    """The site as built by each program, on first use."""

    def __init__(self, repository: Any, mkdocs_site: Any, sphinx_site: Any) -> None:
        self.repository = repository
        self._mkdocs_site = mkdocs_site
        self._sphinx_site = sphinx_site
        write_history(repository)

    @cached_property
    def mkdocs(self) -> dict[str, Sitemap]:
        """MkDocs' own sitemaps of the pages in English: of a full build, and of the next one with ``--dirty``."""
        english = {"exclude_docs": MKDOCS["exclude_docs"] + "*.pt_BR.md\n"}
        site = self._copy("mkdocs")
        whole = self._with_mkdocs(site, OFF, **english)
        site.write("docs/guide.md", GUIDE + "Wait.\n")
        return {"whole": whole, "incremental": self._with_mkdocs(site, OFF, dirty=True, **english)}

    @cached_property
    def static_i18n(self) -> dict[str, Sitemap]:
        """The sitemaps of mkdocs-static-i18n: with its copies of untranslated pages, and without."""
        site = self._copy("static-i18n")
        no_copies = {"i18n": I18N["i18n"] | {"fallback_to_default": False}}
        return {
            "whole": self._with_mkdocs(site, OFF, plugins=[I18N]),
            "no copies": self._with_mkdocs(site, OFF, plugins=[no_copies]),
        }

    @cached_property
    def ours_with_mkdocs(self) -> dict[str, Sitemap]:
        """The sitemap of this project, in place of both."""
        return {"whole": self._with_mkdocs(self._copy("ours-with-mkdocs"), None, plugins=[I18N])}

    @cached_property
    def sphinx_sitemap(self) -> dict[str, Sitemap]:
        """The sitemaps of sphinx-sitemap: of a full build in English, of the next one, and of one in Portuguese."""
        if sphinx.version_info < (8,):
            pytest.skip("sphinx-sitemap 2.9.0 fails if sitemap_show_lastmod is set")
        root = self._copy("sphinx-sitemap").root
        config = SPHINX | {"extensions": ["myst_parser", "sphinx_sitemap"], "html_theme": "basic"}
        config |= {"html_baseurl": BASE, "sitemap_url_scheme": "{lang}{link}"}
        lines = [f"{name} = {value!r}" for name, value in config.items()]
        (root / "docs" / "conf.py").write_text("\n".join([*lines, SPHINX_CODE]))
        done = subprocess.run([sys.executable, "-c", SPHINX_SITEMAP], cwd=root, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        files = {"whole": "whole.xml", "incremental": "en/sitemap.xml", "pt_BR": "pt_BR/sitemap.xml"}
        return {name: Sitemap(root / file) for name, file in files.items()}

    @cached_property
    def ours_with_sphinx(self) -> dict[str, Sitemap]:
        """The sitemaps of this project: of a full build in English, and of the next one."""
        site = self._copy("ours-with-sphinx", sphinx=True)
        site.code = SPHINX_CODE
        config = SPHINX | {"extensions": ["myst_parser", "sitemap_plugins.sphinx"]}
        built = site.build(**config)
        whole = Sitemap(built.output / "sitemap.xml")
        site.write("docs/guide.md", GUIDE + "Wait.\n")
        site.build(**config)
        return {"whole": whole, "incremental": Sitemap(built.output / "sitemap.xml")}

    def _copy(self, name: str, *, sphinx: bool = False) -> Any:
        root = self.repository.path.parent / "copies" / name
        shutil.copytree(self.repository.path, root)
        return (self._sphinx_site if sphinx else self._mkdocs_site).at(root)

    def _with_mkdocs(self, site: Any, options: object, **config: Any) -> Sitemap:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(
                "SOURCE_DATE_EPOCH", str(int(datetime.fromisoformat(BUILD_DAY).replace(tzinfo=UTC).timestamp()))
            )
            built = site.build(options, **MKDOCS | config)
        assert not built.failed, built.warnings
        return Sitemap(built.output / "sitemap.xml")


def write_history(repository: Any) -> None:
    """Write the site and its history, with changes on two merged branches, and a renamed page."""
    files = {f"docs/{name}.md": text for name, text in HIDDEN.items()}
    files |= {f"theme/{name}.html": '{% extends "main.html" %}' + block for name, block in BLOCKS.items()}
    files |= {"docs/index.md": "# Tea\n", "docs/index.pt_BR.md": "# Chá\n", "docs/guide.md": "# Guide\n"}
    files |= {"docs/guide.pt_BR.md": "# Guia\n", "docs/steeping.md": f"# Brewing\n\n{long_text('tea')}"}
    files |= {"docs/locales/pt_BR/LC_MESSAGES/guide.po": CATALOGUE}
    for name, text in files.items():
        repository.write(name, text)
    repository.commit(f"{CHANGES['brewing']}T10:00:00+00:00")
    repository.git("switch", "--quiet", "--create", "branch")
    repository.write("docs/guide.md", GUIDE)
    repository.commit(f"{CHANGES['guide']}T10:00:00+00:00")
    repository.git("switch", "--quiet", "main")
    repository.write("docs/index.md", INDEX)
    repository.commit(f"{CHANGES['index']}T10:00:00+00:00")
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "branch", when=f"{MERGED}T10:00:00+00:00")
    repository.git("mv", "docs/steeping.md", "docs/brewing.md")
    repository.commit(f"{RENAMED}T10:00:00+00:00")


@pytest.fixture(scope="module")
def first() -> dict[str, Builds]:
    """The builds of the first test, shared by all other tests."""
    return {}


@pytest.fixture
def builds(first: dict[str, Builds], repository: Any, mkdocs_site: Any, sphinx_site: Any) -> Builds:
    """The site as built by each program."""
    if not first:
        first["builds"] = Builds(repository, mkdocs_site, sphinx_site)
    return first["builds"]


@pytest.mark.parametrize("peer", ["mkdocs", "static_i18n"])
def test_mkdocs_and_static_i18n_date_every_page_with_the_day_of_the_build(builds: Builds, peer: str) -> None:
    assert {*getattr(builds, peer)["whole"].days.values()} == {BUILD_DAY}


def test_sphinx_sitemap_writes_dates_only_with_sitemap_show_lastmod(builds: Builds) -> None:
    assert {*builds.sphinx_sitemap["pt_BR"].days.values()} == {""}  # built without it


def test_sphinx_sitemap_takes_dates_from_git_and_counts_merges_and_renames(builds: Builds) -> None:
    days = builds.sphinx_sitemap["whole"].days
    assert {page: days[page] for page in CHANGES} == {"index": MERGED, "guide": MERGED, "brewing": RENAMED}


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
def test_this_project_dates_every_page_with_its_last_change(builds: Builds, host: str) -> None:
    days = getattr(builds, f"ours_with_{host}")["whole"].days
    assert {page: days[page] for page in CHANGES} == CHANGES


@pytest.mark.parametrize("peer", ["mkdocs", "static_i18n", "sphinx_sitemap"])
def test_peers_list_pages_with_noindex_redirects_and_canonical_links_elsewhere(builds: Builds, peer: str) -> None:
    assert {*HIDDEN} <= {*getattr(builds, peer)["whole"].urls}


def test_sphinx_sitemap_lists_the_search_page_and_the_index(builds: Builds) -> None:
    assert {*builds.sphinx_sitemap["whole"].urls} - {*CHANGES, *HIDDEN} == {"genindex", "search"}


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
def test_this_project_leaves_out_pages_that_search_engines_must_not_list(builds: Builds, host: str) -> None:
    listed = {*getattr(builds, f"ours_with_{host}")["whole"].urls}
    assert {page for page in listed if not page.startswith("pt_BR/")} == {*CHANGES}


def test_mkdocs_lists_every_page_in_a_dirty_build(builds: Builds) -> None:
    assert builds.mkdocs["incremental"].urls.keys() == builds.mkdocs["whole"].urls.keys()


def test_sphinx_sitemap_lists_only_the_pages_that_an_incremental_build_wrote(builds: Builds) -> None:
    assert {*builds.sphinx_sitemap["incremental"].urls} == {"guide", "index", "genindex", "search"}


def test_this_project_lists_every_page_in_an_incremental_build(builds: Builds) -> None:
    assert builds.ours_with_sphinx["incremental"].days == builds.ours_with_sphinx["whole"].days == CHANGES


def test_static_i18n_lists_and_links_copies_of_untranslated_pages(builds: Builds) -> None:
    links = builds.static_i18n["whole"].links
    assert links["brewing"] == links["pt_BR/brewing"] == {"en": "brewing", "pt_BR": "pt_BR/brewing"}


def test_static_i18n_without_copies_links_translations_in_both_directions(builds: Builds) -> None:
    links = builds.static_i18n["no copies"].links
    assert links["guide"] == links["pt_BR/guide"] == {"en": "guide", "pt_BR": "pt_BR/guide"}
    assert links["brewing"] == {"en": "brewing"}
    assert "pt_BR/brewing" not in links


def test_static_i18n_writes_a_locale_as_the_code_of_its_language(builds: Builds) -> None:
    assert {*builds.static_i18n["whole"].links["guide"]} == {"en", "pt_BR"}  # instead of pt-BR


def test_sphinx_sitemap_links_to_the_languages_in_locale_dirs_even_if_a_page_is_not_translated(
    builds: Builds,
) -> None:
    sitemap = builds.sphinx_sitemap["whole"]
    assert sitemap.links == {path: {"pt-BR": f"pt_BR/{path}"} for path in sitemap.urls}


def test_sphinx_sitemap_links_back_with_sitemap_locales(builds: Builds) -> None:
    sitemap = builds.sphinx_sitemap["pt_BR"]
    assert sitemap.links == {path: {"en": path.removeprefix("pt_BR/"), "pt-BR": path} for path in sitemap.urls}


def test_sphinx_sitemap_lists_untranslated_pages_in_every_language(builds: Builds) -> None:
    assert "pt_BR/brewing" in builds.sphinx_sitemap["pt_BR"].urls


def test_this_project_lists_and_links_only_real_translations_in_both_directions(builds: Builds) -> None:
    sitemap = builds.ours_with_mkdocs["whole"]
    index = {"en": "index", "pt-BR": "pt_BR/index", "x-default": "index"}
    guide = {"en": "guide", "pt-BR": "pt_BR/guide", "x-default": "guide"}
    assert sitemap.links == {
        "index": index,
        "guide": guide,
        "brewing": {},
        "pt_BR/index": index,
        "pt_BR/guide": guide,
    }


@pytest.mark.parametrize("peer", ["mkdocs", "static_i18n", "sphinx_sitemap"])
def test_peers_write_no_robots_txt(builds: Builds, peer: str) -> None:
    for sitemap in getattr(builds, peer).values():
        assert not (sitemap.folder / "robots.txt").exists()


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
def test_this_project_announces_its_sitemap_in_robots_txt(builds: Builds, host: str) -> None:
    folder = getattr(builds, f"ours_with_{host}")["whole"].folder
    assert f"Sitemap: {BASE}sitemap.xml\n" in (folder / "robots.txt").read_text()


def test_the_table_has_the_lines_of_code_with_two_digits_and_the_packages() -> None:
    """Of MkDocs, the lines of its template. sphinx-sitemap needs sphinx-last-updated-by-git."""
    table = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").replace("*", "")
    compared = [f"{name} {version(name)}" for name in ("MkDocs", "sphinx-sitemap", "mkdocs-static-i18n")]
    if not all(f" {each} " in table for each in compared):
        pytest.skip(f"README compares other releases than {', '.join(compared)}")
    dated = lines_of("sphinx_sitemap") + lines_of("sphinx_last_updated_by_git")
    lines = (lines_of("sitemap_plugins"), lines_of("mkdocs", "templates/sitemap.xml"), dated)
    shown = (f"{float(f'{number:.2g}'):,.0f}" for number in (*lines, lines_of("mkdocs_static_i18n")))
    assert f"\n| lines of code | {' | '.join(shown)} |\n" in table
    names = ("sitemap-plugins", "sphinx-sitemap", "mkdocs-static-i18n")
    needs = [[each for each in requires(name) or () if not re.search("extra ==|^mkdocs>", each)] for name in names]
    assert [*map(len, needs)] == [6, 1, 0]
    assert "\n| packages that it needs besides MkDocs or Sphinx | 6 | none | 1 | none |\n" in table


def lines_of(program: str, pattern: str = "*.py") -> int:
    """The lines of a module, or of the files of a package."""
    spec: Any = find_spec(program)
    files = Path(spec.origin).parent.rglob(pattern) if spec.submodule_search_locations else [Path(spec.origin)]
    return sum(len(each.read_bytes().splitlines()) for each in files)
