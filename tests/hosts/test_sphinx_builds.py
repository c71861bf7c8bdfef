"""Sphinx: builders, options, other extensions, the author's own files, and the command as a program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

MARK = b"written by sitemap-plugins"
OWN = "<urlset><!-- my own --></urlset>\n"
BLOCK = b"# begin of sitemap-plugins\nSitemap: https://docs.example.org/sitemap.xml\n# end of sitemap-plugins\n"
FOLDER_ON_PATH = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n"
NO_SPARE_WARNINGS = {"version": "1", "release": "1", "copyright": "2026", "author": "A Writer"}


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python program in a separate process, with all its output in one stream."""
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


@pytest.mark.filterwarnings("ignore:'sphinxcontrib[.].*[.]app' is deprecated")  # used by these builders
@pytest.mark.filterwarnings("ignore:'tags' will become a required keyword argument")  # the same
@pytest.mark.parametrize(
    "builder",
    ["latex", "epub", "json", "pickle", "text", "man", "texinfo", "gettext", "xml", "dummy", "htmlhelp", "qthelp"],
)
def test_other_builders_get_no_messages(sphinx_site: Any, builder: str) -> None:
    sphinx_site.pages("index.rst")
    options = {"filename": 7, "no_such_option": 1, "adjust": "nowhere_at_all:function"}
    built = sphinx_site.build_strictly(options, builder=builder, **NO_SPARE_WARNINGS)
    assert built.said("sitemap: ") == []
    assert not list(built.output.rglob("sitemap.xml*"))
    assert not built.has("robots.txt")


def test_an_older_sphinx_says_which_one_is_needed(sphinx_site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from sphinx.errors import VersionRequirementError

    sphinx_site.pages("index.rst")
    monkeypatch.setattr("sphinx.version_info", (7, 1, 2, "final", 0))
    with pytest.raises(VersionRequirementError, match=r"sitemap_plugins\.sphinx .* at least Sphinx v7\.2;"):
        sphinx_site.build()


MISTAKES = {
    "filename": "folder/sitemap.xml",
    "gzipp": True,
    "lastmod": ["gti"],
    "pages": [{"match": "a", "priority": 2}],
}
WARNINGS = [
    "WARNING: sitemap: sitemap_options: filename: ",
    "WARNING: sitemap: sitemap_options: gzipp: unknown key; did you mean 'gzip'?",
    "WARNING: sitemap: sitemap_options: lastmod[0]: ",
    "WARNING: sitemap: sitemap_options: pages[0].priority: ",
]


def test_each_mistake_is_one_warning_and_the_default_is_used(
    sphinx_site: Any, shown_type: Callable[[str], str]
) -> None:
    sphinx_site.pages("index.rst")
    built = sphinx_site.build(MISTAKES)
    assert len(built.warnings) == len(WARNINGS)
    assert [start for start in WARNINGS if not built.said(start, shown_type("option"), level="warning")] == []
    assert built.paths == ["index.html"]
    assert sphinx_site.build(MISTAKES, strict=True).failed


@pytest.mark.parametrize("name", ["sitemap", "sitemap.option", "sitemap.*"])
def test_the_warnings_can_be_suppressed(sphinx_site: Any, name: str) -> None:
    sphinx_site.pages("index.rst")
    built = sphinx_site.build(MISTAKES, suppress_warnings=[name], strict=True)
    assert built.warnings == []
    assert not built.failed


@pytest.mark.parametrize("options", [["filename"], "sitemap.xml", 7, False])
def test_options_that_are_not_a_mapping_are_a_warning_and_no_crash(sphinx_site: Any, options: object) -> None:
    sphinx_site.pages("index.rst")
    built = sphinx_site.build(options)
    assert len(built.said("sitemap_options", level="warning")) == len(built.warnings) > 0
    assert built.paths == ["index.html"]


THEME_EXTENSION = """\
def setup(app):
    app.setup_extension("sphinx_sitemap")
    return {"parallel_read_safe": True}
"""
PEER_FIRST = ["sphinx_sitemap", "sitemap_plugins.sphinx"]


@pytest.mark.filterwarnings("ignore:'sphinx.*.app' is deprecated")  # used by sphinx-sitemap
@pytest.mark.parametrize("extensions", [PEER_FIRST, PEER_FIRST[::-1], ["sitemap_plugins.sphinx", "theme_extension"]])
def test_with_sphinx_sitemap_loaded_this_extension_writes_no_sitemap(sphinx_site: Any, extensions: list[str]) -> None:
    pytest.importorskip("sphinx_sitemap")
    sphinx_site.pages("index.rst")
    sphinx_site.write("docs/theme_extension.py", THEME_EXTENSION)
    sphinx_site.code = FOLDER_ON_PATH
    built = sphinx_site.build_strictly(extensions=extensions, language="en", sitemap_indent=10)  # its own to check
    assert built.has("sitemap.xml")
    assert MARK not in built.read()
    assert not built.has("robots.txt")
    assert [text for text in built.said("sitemap: ") if text.startswith("sitemap: ")] == [
        "sitemap: sphinx_sitemap is loaded too and writes the sitemap, so this extension writes nothing: remove one of them from extensions"
    ]


@pytest.mark.parametrize(
    ("extra", "file", "options", "name"),
    [
        ("extra", "extra/sitemap.xml", {}, "sitemap.xml"),
        ("sitemap.xml", "sitemap.xml", {}, "sitemap.xml"),
        ("deep/sitemap.xml", "deep/sitemap.xml", {}, "sitemap.xml"),
        ("extra", "extra/pages.xml", {"filename": "pages.xml"}, "pages.xml"),
    ],
)
def test_the_author_s_own_sitemap_is_left_alone(
    sphinx_site: Any, extra: str, file: str, options: Mapping[str, object], name: str
) -> None:
    sphinx_site.pages("index.rst")
    sphinx_site.write(f"docs/{file}", OWN)
    built = sphinx_site.build_strictly(options, html_extra_path=[extra])
    assert built.read(name).decode() == OWN
    assert built.said(f"sitemap: {name} is your own file, so it was left alone", level="info")
    assert not built.has("robots.txt")


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        (b"User-agent: *\r\nAllow: /", b"User-agent: *\r\nAllow: /\r\n\r\n" + BLOCK.replace(b"\n", b"\r\n")),
        (b"Sitemap: https://docs.example.org/sitemap.xml\n", b"Sitemap: https://docs.example.org/sitemap.xml\n"),
    ],
)
def test_robots_txt_keeps_every_byte_of_the_author_s_in_every_build(
    sphinx_site: Any, authors: bytes, expected: bytes
) -> None:
    sphinx_site.pages("index.rst")
    sphinx_site.write("docs/extra/robots.txt", authors)
    for number in range(3):
        sphinx_site.write("docs/changing.rst", f":orphan:\n\nTitle\n=====\n\n{number}\n")
        built = sphinx_site.build(html_extra_path=["extra"], strict=True)
        assert built.warnings == []
        assert built.read("robots.txt") == expected


def test_our_robots_txt_goes_when_the_base_url_gains_a_path(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    assert sphinx_site.build().read("robots.txt") == BLOCK
    assert not sphinx_site.build(html_baseurl="https://docs.example.org/app/").has("robots.txt")


FAILING = """
def setup(app):
    app.connect("{event}", fail)

def fail(app, *arguments):
    raise ValueError("x")
"""


@pytest.mark.parametrize("event", ["env-updated", "html-page-context", "build-finished"])
def test_a_failed_build_leaves_the_earlier_sitemap_untouched(
    sphinx_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    from sitemap_plugins.git.history import HistoryReader

    site = sphinx_site.at(repository.path)
    site.pages("index.rst")
    repository.commit("2026-01-01T00:00:00+00:00")
    first = site.build()
    before = first.read()
    readers: list[HistoryReader] = []
    begin = HistoryReader.__init__
    monkeypatch.setattr(
        HistoryReader, "__init__", lambda self, *given, **named: (readers.append(self), begin(self, *given, **named))[1]
    )
    site.pages("a.rst")
    site.code = FAILING.format(event=event)
    with pytest.raises(Exception, match="x"):  # Sphinx's own error, caused by ours
        site.build()
    assert first.read() == before
    if event != "build-finished":  # there an earlier listener fails, so ours is never called
        (reader,) = readers
        assert not reader._thread.is_alive()
    site.code = ""
    assert site.build().paths == ["a.html", "index.html"]


def test_a_build_that_never_started_git_fails_in_the_same_way(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    sphinx_site.code = FAILING.format(event="env-updated")
    with pytest.raises(Exception, match="exception: x"):
        sphinx_site.build({"lastmod": ["front_matter"]})
    assert not (sphinx_site.root / "output/html/sitemap.xml").exists()


@pytest.mark.parametrize(("builder", "known"), [("html", {"blog/2026": ["a"]}), ("dirhtml", {})])
def test_pages_are_remembered_for_each_builder(tmp_path: Path, builder: str, known: dict[str, list[str]]) -> None:
    from sitemap_plugins.sphinx.extension import SphinxHost

    def app(name: str) -> Any:
        return SimpleNamespace(builder=SimpleNamespace(name=name), doctreedir=tmp_path)

    before, after = SphinxHost(), SphinxHost()
    before._without_source["blog/2026"] = ["a"]
    before._remember(app("html"))
    after._remember(app(builder))
    assert after._without_source == known


@pytest.mark.parametrize("content", ['["genindex"]', "{", "\xff"])
def test_an_unreadable_record_of_earlier_pages_is_ignored(sphinx_site: Any, content: str) -> None:
    sphinx_site.pages("index.rst")
    sphinx_site.write("doctrees/sitemap-pages-html.json", content.encode("latin-1"))
    assert sphinx_site.build(strict=True).paths == ["index.html"]


def write_program_site(site: Any, code: str = "") -> Path:
    """Write a site for the command itself, with its conf.py, and return the folder to run in."""
    site.pages("index.rst", "a.rst")
    lines = ["extensions = ['sitemap_plugins.sphinx']", "html_baseurl = 'https://docs.example.org/'"]
    site.write("docs/conf.py", "\n".join([*lines, code]))
    site.refer_to_all()
    return site.root


DEPRECATIONS = ("-W", "error::DeprecationWarning", "-W", "error::PendingDeprecationWarning")


# A fork while a thread runs is deprecated too. In the builds of other tests, which do not fork, any warning is an error.
def test_nothing_deprecated_is_used(sphinx_site: Any) -> None:
    root = write_program_site(sphinx_site)
    sphinx_site.pages(*(f"page{number}.rst" for number in range(12)))
    done = run(*DEPRECATIONS, "-m", "sphinx", "-W", "-j", "4", "docs", "output", cwd=root)
    assert done.returncode == 0, done.stdout
    assert "sitemap: sitemap.xml: 14 URLs, 0 with a date; left out: 1 generated, 1 search page" in done.stdout


def test_a_remaining_sitemap_of_an_earlier_build_is_mentioned(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    before = sphinx_site.build().read()
    built = sphinx_site.build(html_baseurl="")
    assert built.said("no sitemap was written", "; the one from an earlier build is still there", level="info")
    assert built.read() == before
