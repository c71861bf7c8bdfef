"""The tool that makes the redirects of a site, where its lines belong, and for what there are lines."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.diff.comparing import compare, find_replacements
from sitemap_plugins.diff.redirect_tools import RedirectTool, Syntax
from sitemap_plugins.diff.redirecting import (
    RedirectLine,
    advise_project,
    document_finder,
    find_tool,
    tool_of_snapshots,
    tool_of_stub,
    write_lines,
)
from sitemap_plugins.folder.configuration import Configuration, ConfigurationError, read_configuration
from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.published.snapshot import Redirect, Snapshot, SnapshotPage

REDIRAFFE_STUB = b"<p>You should have been redirected.</p>\n<a href="
ZENSICAL = "Zensical makes redirects with redirect_maps of its plugin redirects"
RULES = RedirectTool(name="_redirects", syntax="_redirects")
SITE = Snapshot(name="site", base_url="https://example.org/", pages={})


def tool_of(folder: Path, site: Snapshot = SITE) -> RedirectTool | None:
    """The tool of the project in a folder."""
    return find_tool(read_configuration(str(folder)), site)


def generated_by(generator: str) -> Snapshot:
    """A site with one page, which names its generator."""
    home = f'<head><meta name="generator" content="{generator}"></head>'.encode()
    pages = {"1.0/": SnapshotPage(path="1.0/", file="1.0/index.html")}
    return Snapshot(name="site", base_url=None, pages=pages, read_file={"1.0/index.html": home}.get)


def test_the_generator_tells_mkdocs_and_zensical_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    maps = "redirect_maps: {a.md: b.md, c.md: [d.md], 1: e.md}"
    Path("mkdocs.yml").write_text(f"plugins: [redirects: {{{maps}}}, redirects]\n", encoding="ascii")
    facts: dict[str, Any] = {"redirects": {"a.md": "b.md"}, "documents": str(tmp_path / "docs")}
    assert tool_of(tmp_path, generated_by("mkdocs-1.6.1, mkdocs-material-9.8.1")) == RedirectTool(
        name="mkdocs-redirects", syntax="yaml", file="mkdocs.yml", **facts
    )
    assert tool_of(tmp_path, generated_by("zensical-0.0.61")) == RedirectTool(
        name="zensical", syntax="yaml", file="mkdocs.yml", version="0.0.61", **facts
    )
    Path("zensical.toml").write_text('[plugins.redirects.redirect_maps]\n"a.md" = "b.md"\n', encoding="ascii")
    assert tool_of(tmp_path) == RedirectTool(
        name="zensical", syntax="toml", file="zensical.toml", version=version("zensical"), **facts
    )


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
    tool = tool_of(tmp_path)
    assert (tool and tool.name) == name
    assert tool is None or Path(tool.file) == tmp_path / folder / file


def test_the_stubs_of_a_state_tell_its_tool() -> None:
    files = {"a.html": b"\xff", "b.html": REDIRAFFE_STUB}
    redirects = {file: Redirect(path=file, target="", by=file) for file in ("a.html", "b.html", "gone.html")}
    state = Snapshot(name="old", base_url=None, pages={}, redirects=redirects, read_file=files.get)
    rules = Snapshot(name="new", base_url=None, pages={}, files=frozenset({"_redirects"}))
    assert tool_of_snapshots(SITE, state) == RedirectTool(name="rediraffe", syntax="rediraffe")
    assert tool_of_snapshots(rules, state) == RedirectTool(name="rediraffe", syntax="rediraffe")
    assert tool_of_snapshots(SITE, rules) == RULES
    assert tool_of_snapshots(SITE, SITE) is None


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
            found = tool_of(project)
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
        ("docs/conf.py", "", "", "Sphinx makes redirects with the extension sphinx-reredirects or sphinxext-rediraffe"),
        ("index.html", "", "", ""),
    ],
)
def test_without_a_tool_the_one_for_the_generator_is_named(
    file: str, text: str, generator: str, advice: str, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / file).write_text(text, encoding="ascii")
    assert advise_project(read_configuration(str(tmp_path)), generated_by(generator)) == advice


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


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<html><head><title>Guide</title></head><body>You should have been redirected.</body></html>",
        # sphinx-reredirects before 1.0, or anyone
        '<html><head><meta http-equiv="refresh" content="0; url=new.html"></head></html>',
        # mike and Docusaurus
        '<title>Redirecting</title><noscript><meta http-equiv="refresh" content="1; url=1.0/" /></noscript>',
        '<!DOCTYPE html><html><head><meta charset="UTF-8"><meta http-equiv="refresh" content="0; url=/new/"></head></html>',
    ],
)
def test_other_stubs_show_nothing(page: str) -> None:
    assert tool_of_stub(page) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extensions = ['sphinx_reredirects']", ("sphinx-reredirects", "python", "conf.py")),
        ('extensions = ["myst_parser"]\nextensions += ["sphinxext.rediraffe"]', ("rediraffe", "python", "conf.py")),
        ("extensions: list[str] = []\nif True:\n    extensions.append('sphinx_reredirects')\nraise SystemExit",
         ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = 'meta/moved.txt'",
         ("rediraffe", "rediraffe", "meta/moved.txt")),
        ("extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = {'a.rst': 'b.rst'}",
         ("rediraffe", "python", "conf.py")),
        ("extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = '../../moved.txt'", ("rediraffe", "rediraffe", "")),
        ("extensions = ['sphinxext.rediraffe', 'sphinx_reredirects']\nredirects = {}",
         ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = ['sphinx_reredirects', 'sphinxext.rediraffe']\nrediraffe_redirects = read()",
         ("rediraffe", "python", "conf.py")),
        ("a.b = c[0], d = 1, 2\nextensions = ['sphinx_reredirects']", ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = []\nextensions.extend(['sphinx_reredirects'])", ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = []\nextensions.insert(0, 'sphinx_reredirects')", ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = []\nothers = ['sphinx_reredirects']", None),
        ("extensions = []\napp.config.append('sphinx_reredirects')\nextensions.remove('sphinxext.rediraffe')", None),
        (r"extensions = ['sphinx.ext.autodoc']; path = '\d'; 'sphinx_reredirects'", None),
    ],
)  # fmt: skip
def test_conf_py_is_read_and_not_run(tmp_path: Path, text: str, expected: tuple[str, str, str] | None) -> None:
    (tmp_path / "conf.py").write_text(text, encoding="utf-8")
    found = tool_of(tmp_path)
    if expected is None:
        assert found is None
    else:
        name, syntax, file = expected
        assert found is not None
        assert (found.name, found.syntax, Path(found.file)) == (name, syntax, tmp_path / file if file else Path())
        assert found.documents == str(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sphinx_reredirects", {"old": "new.html"}),
        ("sphinxext.rediraffe", {"a b.rst": "b.rst", "c.rst": "d e", "v1.1": "d.rst"}),
    ],
)
def test_the_redirects_that_a_project_has_are_read(text: str, expected: dict[str, str], tmp_path: Path) -> None:
    redirects = 'redirects = {"old": "new.html", "odd": name, **others}\nrediraffe_redirects = "moved.txt"\n'
    (tmp_path / "conf.py").write_text(f"extensions = ['{text}']\n{redirects}", encoding="utf-8")
    moved = b'# x y\r\n "a b.rst"  "b.rst"\nc.rst\t\'d e\'\n\nodd\nv1.1 d.rst\n\xff\n'
    (tmp_path / "moved.txt").write_bytes(moved)
    found = tool_of(tmp_path)
    assert found is not None
    assert found.redirects == expected
    (tmp_path / "moved.txt").unlink()
    found = tool_of(tmp_path)
    assert found is not None
    assert found.redirects == (expected if "old" in expected else {})


@pytest.mark.parametrize(
    "content", [b"extensions = [", b"x = '\0'", b"x = " + b"(" * 5000, b"x = " + b"-" * 100_000 + b"1", b"\xff"]
)
def test_a_hostile_conf_py_is_one_message(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "conf.py").write_bytes(content)
    with pytest.raises(ConfigurationError) as caught:
        tool_of(tmp_path)
    assert re.fullmatch(
        r".*conf\.py(, line 1)?: (it is not (Python|text in UTF-8)|it cannot be read as Python).*", str(caught.value)
    )


def test_a_folder_without_these_files_has_no_tool(tmp_path: Path) -> None:
    assert tool_of(tmp_path) is None
    (tmp_path / "_redirects").touch()
    assert tool_of(tmp_path) == RedirectTool(name="_redirects", syntax="_redirects", file=str(tmp_path / "_redirects"))
    (tmp_path / "_redirects").write_text("/a/ /b/ 301\n/x/* /y/ 301\n/x/a /z/\n/c /d 200\n", encoding="ascii")
    rules = tool_of(tmp_path)
    assert rules is not None
    assert rules.redirects == {"/a/": "/b/", "/x/a": "/y/"}
    (tmp_path / "index.html").touch()  # a built site
    assert tool_of(tmp_path) is None
