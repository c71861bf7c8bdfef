"""Sphinx: configuration → the exact list of ``loc``. The lists are fixed; no change may alter them by accident."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

BASE = "https://docs.example.org/"
OTHER = "https://other.example/"
PAGES = ("index.rst", "guide/index.rst", "é b.rst")
FILES = ["%C3%A9%20b.html", "guide/index.html", "index.html"]
DIRECTORIES = ["", "%C3%A9%20b/", "guide/"]
FANCY_BUILDER = """\
from sphinx.builders.html import StandaloneHTMLBuilder

class FancyBuilder(StandaloneHTMLBuilder):
    name = "fancy"

    def get_target_uri(self, docname, typ=None):
        return super().get_target_uri(docname, typ).replace(".html", "~")

def setup(app):
    app.add_builder(FancyBuilder)
    return {"parallel_read_safe": True}
"""
FANCY = {"extensions": ["sitemap_plugins.sphinx", "fancy"]}


def below(base: str, paths: list[str]) -> list[str]:
    return [base + path for path in paths]


@pytest.mark.parametrize(
    ("builder", "config", "options", "environment", "expected"),
    [
        pytest.param("html", {"html_baseurl": BASE}, {}, {}, below(BASE, FILES), id="with a slash"),
        pytest.param("html", {"html_baseurl": BASE[:-1]}, {}, {}, below(BASE, FILES), id="without a slash"),
        pytest.param("html", {"html_baseurl": BASE + "a/b/"}, {}, {}, below(BASE + "a/b/", FILES), id="below a path"),
        pytest.param("dirhtml", {}, {}, {}, below(BASE, DIRECTORIES), id="dirhtml"),
        pytest.param(
            "html", {"html_baseurl": BASE + "/"}, {"notes": {"base-url": "info"}}, {}, below(BASE, FILES),
            id="an empty folder",
        ),
        pytest.param(
            "html", {"html_link_suffix": ""}, {}, {}, below(BASE, ["%C3%A9%20b", "guide/index", "index"]), id="no link suffix",
        ),
        pytest.param(
            "html", {"html_file_suffix": ".xhtml"}, {}, {},
            below(BASE, ["%C3%A9%20b.xhtml", "guide/index.xhtml", "index.xhtml"]), id="file suffix",
        ),
        pytest.param(
            "html", {"html_file_suffix": ".x", "html_link_suffix": ".htm"}, {}, {},
            below(BASE, ["%C3%A9%20b.htm", "guide/index.htm", "index.htm"]), id="file and link suffix",
        ),
        pytest.param("html", {"root_doc": "guide/index"}, {}, {}, below(BASE, FILES), id="another root document"),
        pytest.param("fancy", FANCY, {}, {}, below(BASE, ["%C3%A9%20b~", "guide/index~", "index~"]), id="builder subclass"),
        pytest.param(
            "html",
            {},
            {"base_url": OTHER + "x", "notes": {"base-url": "info"}},
            {},
            below(OTHER + "x/", FILES),
            id="base_url",
        ),
        pytest.param("html", {"html_baseurl": ""}, {"base_url": OTHER}, {}, below(OTHER, FILES), id="base_url alone"),
        pytest.param(
            "dirhtml", {"html_baseurl": ""}, {}, {"READTHEDOCS_CANONICAL_URL": BASE + "en/stable"},
            below(BASE + "en/stable/", DIRECTORIES), id="Read the Docs",
        ),
        pytest.param(
            "html", {"html_baseurl": "/"}, {}, {"READTHEDOCS_CANONICAL_URL": BASE + "en/stable/"},
            below(BASE + "en/stable/", FILES), id="Read the Docs, a slash in conf.py",
        ),
    ],
)  # fmt: skip
def test_configuration_gives_exact_loc(
    sphinx_site: Any,
    monkeypatch: pytest.MonkeyPatch,
    builder: str,
    config: Mapping[str, object],
    options: Mapping[str, object],
    environment: Mapping[str, str],
    expected: list[str],
) -> None:
    """SM-LOC-08, SM-LOC-13."""
    sphinx_site.pages(*PAGES)
    sphinx_site.write("docs/fancy.py", FANCY_BUILDER)
    sphinx_site.code = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))"
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    config = {"extensions": sphinx_site.extensions} | config
    built = sphinx_site.build(options, builder=builder, **config)
    assert [text for text in built.warnings if "toctree" not in text] == []
    assert built.has("sitemap.xml"), built.said("sitemap: ")
    assert built.locs == expected


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "the site has no URL: set html_baseurl in conf.py"),
        ("/", "the site has no URL: set html_baseurl in conf.py"),
        (None, "the site has no URL: set html_baseurl in conf.py"),
        ("docs/", "html_baseurl in conf.py 'docs/' is not an absolute"),
    ],
)
def test_without_a_usable_base_there_is_one_line_and_no_file(sphinx_site: Any, url: str | None, message: str) -> None:
    """SM-LOC-02."""
    sphinx_site.pages("index.rst")
    built = sphinx_site.build(html_baseurl=url, suppress_warnings=["config"])
    assert [text for text in built.warnings if "sitemap" in text] == []
    (line,) = built.said("sitemap: ", level="info")
    assert line.startswith(f"sitemap: no sitemap was written, because {message}")
    assert not built.has("sitemap.xml")
    assert not built.has("robots.txt")


@pytest.mark.parametrize(("root", "expected"), [("index", ["", "index.html"]), ("contents", ["contents.html"])])
def test_a_site_of_one_page_is_listed_at_the_url_of_its_file(sphinx_site: Any, root: str, expected: list[str]) -> None:
    sphinx_site.pages(f"{root}.rst", "guide.rst")
    built = sphinx_site.build(builder="singlehtml", root_doc=root)
    (path,) = built.paths
    assert path in expected  # the form depends on the version of Sphinx
    assert built.has(path or "index.html")


@pytest.mark.parametrize("suffix", [".php", ""])
def test_pages_with_another_ending_are_read(sphinx_site: Any, suffix: str) -> None:
    sphinx_site.pages("index.rst", "a.rst", "404.rst")
    sphinx_site.write("docs/b.rst", ":orphan:\n\n.. meta::\n   :robots: noindex\n\nB\n=\n")
    built = sphinx_site.build(html_file_suffix=suffix)
    assert built.paths == [f"a{suffix}", f"index{suffix}"]


@pytest.mark.parametrize("suffix", [".html", ".php", ""])
def test_pages_with_another_ending_link_to_feeds(sphinx_site: Any, repository: Any, suffix: str) -> None:
    site = sphinx_site.at(repository.path)
    site.pages("index.rst", "a.rst")
    repository.commit("2026-03-01T00:00:00+00:00")
    options = {"feeds": {"atom": "changes.atom", "head_links": True}}
    built = site.build(options, html_file_suffix=suffix)
    pages = [built.read(f"{name}{suffix}") for name in ("index", "a")]
    assert [page.count(b"changes.atom") for page in pages] == [1, 1]


# Like the theme of python/peps, and hooks that strip ".html".
OTHER_URLS = """
def setup(app):
    def change(app, pagename, templatename, context, doctree):
        path = pagename.removesuffix("index")
        context["pageurl"] = PREFIX + path + SUFFIX * (path == pagename)
    app.connect("html-page-context", change)
"""


class TestAThemeThatSpellsURLsDifferently:
    """CAN-02: another spelling of the same page leaves no page out."""

    @staticmethod
    def build(site: Any, suffix: str, prefix: str = "https://docs.example.org/", **options: object) -> Any:
        site.pages("index.rst", *(f"{name}.rst" for name in "abcd"), "e/index.rst")
        site.code = f"PREFIX, SUFFIX = {prefix!r}, {suffix!r}\n{OTHER_URLS}"
        return site.build(options, strict=True)

    @pytest.mark.parametrize("suffix", ["/", ""])
    def test_is_reported_in_one_line(self, sphinx_site: Any, suffix: str) -> None:
        built = self.build(sphinx_site, suffix)
        assert not built.failed, built.warnings
        # The folders are certain to have a page.
        assert built.paths == ["", "a.html", "b.html", "c.html", "d.html", "e/"]
        (line,) = built.said("sitemap: ", "spells its URL", level="info")
        assert f"https://docs.example.org/a{suffix}" in line

    def test_is_a_warning_if_its_links_lead_nowhere_and_the_sitemap_stays(self, sphinx_site: Any) -> None:
        before = self.build(sphinx_site, ".html")
        files = {name: before.read(name) for name in ("sitemap.xml", "robots.txt")}
        sphinx_site.write("docs/a.rst", "Changed\n=======\n")
        built = self.build(sphinx_site, "/", "https://docs.example.org/stable/")
        assert built.failed
        assert built.said("6 of 6 pages are left out because their canonical links lead to URLs", level="warning")
        assert {name: built.read(name) for name in files} == files
