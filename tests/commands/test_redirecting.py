"""The tool that makes the redirects of a site, where its lines belong, and for what there are lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.changes import Redirect, Snapshot, SnapshotPage, compare, find_replacements
from sitemap_plugins.changes.redirect_lines import RedirectLine, RedirectTool, ToolName
from sitemap_plugins.commands.redirecting import describe_place, find_tool, tool_of_state, write_lines
from sitemap_plugins.folder.configuration import Configuration, read_configuration
from sitemap_plugins.html.main_part import Anchor, MainPart

REDIRAFFE_STUB = b"<p>You should have been redirected.</p>\n<a href="
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
    assert tool_of_state(state) == RedirectTool(name="rediraffe", syntax="rediraffe")
    assert tool_of_state(SITE) is None


@pytest.mark.parametrize(
    ("name", "syntax", "place"),
    [
        ("mkdocs-redirects", "yaml", "mkdocs.yml, redirect_maps of the plugin redirects"),
        ("sphinx-reredirects", "python", "conf.py, the dict of redirects"),
        ("rediraffe", "rediraffe", "the file of rediraffe_redirects"),
    ],
)
def test_where_lines_belong(
    name: ToolName, syntax: object, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = RedirectTool(name=name, syntax=syntax)  # type: ignore[arg-type]
    assert describe_place(tool) == place
    monkeypatch.chdir(tmp_path)
    for file, shown in ((tmp_path / "a" / "b", "a/b"), (tmp_path.parent / "b", str(tmp_path.parent / "b"))):
        described = describe_place(RedirectTool(name=name, syntax=syntax, file=str(file)))  # type: ignore[arg-type]
        assert described == ", ".join([shown, *place.split(", ")[1:]])
    assert describe_place(None) == ""


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
