"""Sites built with lines that redirect lost URLs; benchmarks/redirect_lines.py does the same in all forms and places."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest

from sitemap_plugins.diff.redirect_tools import TOOLS, Move, RedirectTool, ToolKind
from sitemap_plugins.diff.redirecting import LineWriter, RedirectLine, find_tool, tool_of_stub
from sitemap_plugins.folder.configuration import read_configuration
from sitemap_plugins.published.snapshot import Snapshot, SnapshotPage

BASE = "https://example.org/docs/"
MOVES = {"old": "guide/new", "guide/old": "index", "it's: ü": "größe/x y"}
COMMANDS = {
    "mkdocs": ("mkdocs", "build", "--strict", "--quiet"),
    "zensical": ("zensical", "build", "--strict", "--clean"),
    "sphinx": ("sphinx", "-W", "-q", "-b", "html", "docs", "site"),
}
RESULTS = Path(__file__).parents[2] / "benchmarks" / "redirect_lines.md"


def build(folder: Path, command: Iterable[str]) -> None:
    environment = os.environ | {"DISABLE_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def write_documents(folder: Path, suffix: str) -> None:
    for name in {"index", *MOVES.values()}:
        file = folder / f"{name}{suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        title = f"Page {name}"
        file.write_text(f"# {title}\n" if suffix == ".md" else f":orphan:\n\n{title}\n{'=' * 20}\n", encoding="utf-8")


def configure(folder: Path, kind: ToolKind, lines: list[RedirectLine]) -> None:
    """Write the configuration of a project that uses a tool, with lines."""
    text = "".join(f"        {line.text}\n" for line in lines)
    if kind.plugin:
        plugins = f"plugins:\n  - {kind.plugin}:\n      {kind.option}:\n{text}"
        (folder / "mkdocs.yml").write_text(f"site_name: x\nsite_url: {BASE}\n{plugins}", encoding="utf-8")
        return
    value = f"{{\n{text}}}"
    if kind.syntax != "python":
        (folder / "docs" / "moved.txt").write_text("".join(f"{line.text}\n" for line in lines), encoding="utf-8")
        value = "'moved.txt'"
    settings = f"extensions = ['{kind.extension}']\n{kind.option} = {value}\n"
    (folder / "docs" / "conf.py").write_text(settings, encoding="utf-8")


def lines_of(tool: RedirectTool, url_of: dict[str, str]) -> list[RedirectLine]:
    """The lines for all moves."""
    suffix = tool.kind.naming.suffixes[0]
    pages = {url_of[name]: SnapshotPage(path=url_of[name]) for name in {"index", *MOVES.values()}}
    writer = LineWriter(tool, Snapshot(name="new", base_url=BASE, pages=pages))
    found = [
        writer.line_for(
            Move(
                old=url_of[old],
                new=url_of[new],
                old_document=f"docs/{old}{suffix}",
                new_document=f"docs/{new}{suffix}",
            )
        )
        for old, new in MOVES.items()
    ]
    assert [each for each in found if not isinstance(each, RedirectLine)] == [], found
    return found  # type: ignore[return-value]


def landing(page: str, path: str) -> str:
    """The path where the redirect of a page at a path leads."""
    (target,) = re.findall(r"""http-equiv="refresh" content="0; url=([^"]*)\"""", page)
    return unquote(urljoin(f"{BASE}{path}", html.unescape(target)).removeprefix(BASE)).removesuffix("index.html")


@pytest.mark.parametrize("name", [kind.name for kind in TOOLS.values() if kind.generator])
def test_each_tool_is_recognized_and_follows_its_lines(name: str, tmp_path: Path) -> None:
    kind = TOOLS[name]
    ending = ".html" if kind.generator == "sphinx" else "/"
    urls = {document: f"{document}{ending}" for document in (*MOVES, *MOVES.values())} | {"index": ""}
    lines = lines_of(RedirectTool(name=name, syntax=kind.syntax, version="99"), urls)
    write_documents(tmp_path / "docs", kind.naming.suffixes[0])
    configure(tmp_path, kind, lines)
    build(tmp_path, COMMANDS[kind.generator])
    stubs = [tmp_path / "site" / urls[old] / ("" if ending == ".html" else "index.html") for old in MOVES]
    pages = [stub.read_text(encoding="utf-8") for stub in stubs]
    assert [landing(page, urls[old]) for page, old in zip(pages, MOVES, strict=True)] == [
        urls[new] for new in MOVES.values()
    ]
    assert kind.stub is None or {found.name for found in map(tool_of_stub, pages) if found} == {name}
    home = tmp_path / "site" / "index.html"
    site = Snapshot(
        name="new",
        base_url=BASE,
        pages={"": SnapshotPage(path="", file="index.html")},
        read_file=lambda _: home.read_bytes(),
    )
    found = find_tool(read_configuration(str(tmp_path)), site)
    assert found is not None
    assert (found.name, found.redirects) == (name, {line.source: line.target for line in lines})


@pytest.mark.parametrize("name", TOOLS)
def test_the_benchmark_has_built_sites_with_each_tool(name: str) -> None:
    """All lines were right, also those that a hosting service reads, whose programs the tests do not have."""
    row = re.compile(rf"^\| {name}(?: \([^|]*\))? \|.*\| (\d+) \| (\d+) \| \d+ \|$", re.MULTILINE)
    numbers = row.findall(RESULTS.read_text(encoding="utf-8"))
    assert numbers, f"add the rows that benchmarks/redirect_lines.py --tool {name} prints to {RESULTS.name}"
    assert [(lines, right) for lines, right in numbers if lines != right] == []
