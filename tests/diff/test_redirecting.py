"""The tool that makes the redirects of a site, where its lines belong, and for what there are lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.diff.comparing import compare
from sitemap_plugins.diff.redirect_lines import RedirectLine
from sitemap_plugins.diff.redirect_tools import RedirectTool, Syntax
from sitemap_plugins.diff.redirecting import (
    advise_project,
    document_finder,
    find_tool,
    tool_of_states,
    write_lines,
)
from sitemap_plugins.diff.targets import find_replacements
from sitemap_plugins.folder.configuration import Configuration, read_configuration
from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.published.snapshot import Redirect, Snapshot, SnapshotPage

REDIRAFFE_STUB = b"<p>You should have been redirected.</p>\n<a href="
ZENSICAL = "Zensical makes redirects with redirect_maps of its plugin redirects"
RULES = RedirectTool(name="_redirects", syntax="_redirects")
SITE = Snapshot(name="site", base_url="https://example.org/", pages={})


@pytest.mark.parametrize(
    ("folder", "file", "name"),
    [
        *((folder, "conf.py", "rediraffe") for folder in (".", "docs", "doc", "docs/source", "source", "doc/source")),
        *((folder, "_redirects", "_redirects") for folder in (".", "docs", "public", "static")),
        ("elsewhere", "conf.py", None),
    ],
)
def test_the_files_of_a_project_tell_its_tool(tmp_path: Path, folder: str, file: str, name: str | None) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\nplugins: [search]\n", encoding="ascii")
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / folder / file).write_text("extensions = ['sphinxext.rediraffe']", encoding="ascii")
    tool = find_tool(read_configuration(str(tmp_path)), SITE)
    assert (tool and tool.name) == name
    assert tool is None or Path(tool.file) == tmp_path / folder / file


def test_the_stubs_of_a_state_tell_its_tool() -> None:
    files = {"a.html": b"\xff", "b.html": REDIRAFFE_STUB}
    redirects = {file: Redirect(path=file, target="", by=file) for file in ("a.html", "b.html", "gone.html")}
    state = Snapshot(name="old", base_url=None, pages={}, redirects=redirects, read_file=files.get)
    rules = Snapshot(name="new", base_url=None, pages={}, files=frozenset({"_redirects"}))
    assert tool_of_states(SITE, state) == RedirectTool(name="rediraffe", syntax="rediraffe")
    assert tool_of_states(rules, state) == RedirectTool(name="rediraffe", syntax="rediraffe")
    assert tool_of_states(SITE, rules) == RULES
    assert tool_of_states(SITE, SITE) is None


@pytest.mark.parametrize(
    ("name", "syntax", "place"),
    [
        ("mkdocs-redirects", "yaml", "redirect_maps in mkdocs.yml"),
        ("sphinx-reredirects", "python", "redirects in conf.py"),
        ("rediraffe", "python", "rediraffe_redirects in conf.py"),
        ("rediraffe", "rediraffe", "the file of rediraffe_redirects"),
        ("_redirects", "_redirects", "_redirects"),
    ],
)
def test_where_lines_belong(name: str, syntax: Syntax, place: str) -> None:
    assert RedirectTool(name=name, syntax=syntax).place == place
    option = place.rpartition(" in ")[0]
    expected = f"{option} in a/b" if syntax in {"yaml", "python"} else "a/b"
    assert RedirectTool(name=name, syntax=syntax, file="a/b").place == expected


def test_paths_in_the_current_folder_are_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "conf.py").write_text("extensions = ['sphinx_reredirects']", encoding="ascii")
    for current, file, documents in ((tmp_path, "docs/conf.py", "docs"), (tmp_path / "docs", "conf.py", ".")):
        monkeypatch.chdir(current)
        for project in (tmp_path, tmp_path / "docs"):
            found = find_tool(read_configuration(str(project)), SITE)
            assert found is not None
            assert (found.file, found.documents) == (file, documents)


def test_documents_are_found_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for file in ("a/b.rst", "c.md", "c.txt"):
        (tmp_path / file).touch()
    found = document_finder(RedirectTool(name="rediraffe", syntax="rediraffe", documents=str(tmp_path)))
    assert [*map(found, ("a/b", "c", "a", "d"))] == ["a/b.rst", "c.md", None, None]
    found = document_finder(RedirectTool(name="mkdocs-redirects", syntax="yaml", documents=str(tmp_path)))
    assert [*map(found, ("a/b", "c"))] == [None, "c.md"]
    assert document_finder(None)("c") is document_finder(RULES)("c") is None


@pytest.mark.parametrize(
    ("file", "text", "generator", "advice"),
    [
        ("mkdocs.yml", "site_name: x", "mkdocs-1.6.1", "MkDocs makes redirects with the plugin mkdocs-redirects"),
        ("mkdocs.yml", "site_name: x", "zensical-0.0.73", ZENSICAL),
        ("zensical.toml", '[project]\nsite_name = "x"', "", ZENSICAL),
        (
            "docs/conf.py",
            "",
            "",
            "Sphinx makes redirects with the extension sphinx-reredirects or sphinxext-rediraffe",
        ),
        ("index.html", "", "", ""),
    ],
)
def test_without_a_tool_the_one_for_the_generator_is_named(
    file: str, text: str, generator: str, advice: str, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / file).write_text(text, encoding="ascii")
    home = f'<head><meta name="generator" content="{generator}"></head>'.encode()
    pages = {"1.0/": SnapshotPage(path="1.0/", file="1.0/index.html")}
    site = Snapshot(name="site", base_url=None, pages=pages, read_file={"1.0/index.html": home}.get)
    assert advise_project(read_configuration(str(tmp_path)), site) == advice


def test_a_lost_redirect_to_another_site_has_its_line_back_and_anchors_have_none() -> None:
    parts = [MainPart(digest="", anchors=(Anchor(name, "heading"),)) for name in ("a", "b")]
    old, new = (
        Snapshot(
            name="", base_url=SITE.base_url, pages={"": SnapshotPage(path="")}, redirects=redirects, read_content=read
        )
        for redirects, read in (
            ({"out/": Redirect(path="out/", target="https://other.example/")}, {"": parts[0]}.get),
            ({}, {"": parts[1]}.get),
        )
    )
    found = compare(old, new)
    assert found.lost_anchors[0].renamed == {"a": "b"}
    for tool, text in ((RULES, "/out/ https://other.example/ 301"), (None, "/out/ → https://other.example/")):
        lines = write_lines(found, find_replacements(found, old, new, {}), new, tool, Configuration(root="."))
        assert [line.text for line in lines.values() if isinstance(line, RedirectLine)] == [text]
        assert [*lines] == ["out/"]


def test_lines_name_the_documents_of_pages() -> None:
    documents = {"old/": "docs/old/index.md", "new/": "docs/new/index.md", "guide/": "docs/guide/README.md"}
    old, new = (
        Snapshot(
            name="",
            base_url=SITE.base_url,
            pages={path: SnapshotPage(path=path, document=documents[path]) for path in paths},
            read_content={"guide/": MainPart(digest="", anchors=(Anchor(anchor, "heading"),))}.get,
        )
        for paths, anchor in ((("old/", "guide/"), "a"), (("new/", "guide/"), "b"))
    )
    found = compare(old, new)
    replacements = find_replacements(found, old, new, {documents["old/"]: documents["new/"]})
    tool = RedirectTool(name="zensical", syntax="yaml", version="0.0.73")
    for plugins, new_page, guide in (
        ([], "new/index.md", "guide/README.md"),
        (["i18n"], "https://example.org/new/", "https://example.org/guide/"),
    ):
        lines = write_lines(found, replacements, new, tool, Configuration(root=".", project={"plugins": plugins}))
        assert [line.text for line in lines.values() if isinstance(line, RedirectLine)] == [
            f"old/index.md: {new_page}",
            f"guide/README.md#a: {guide}#b",
        ]
