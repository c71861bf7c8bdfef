"""Sites built with lines that redirect lost URLs; benchmarks/redirect_lines.py does the same in all forms and places."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urljoin

from sitemap_plugins.changes.redirect_lines import LineWriter, RedirectLine
from sitemap_plugins.changes.redirect_tools import Move, RedirectTool, tool_of_sphinx
from sitemap_plugins.changes.snapshot import Snapshot, SnapshotPage

BASE = "https://example.org/docs/"
MOVES = {"old": "guide/new", "guide/old": "index", "it's: ü": "größe/x y"}


def build(folder: Path, *command: str) -> None:
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


def lines_of(tool: RedirectTool, url_of: dict[str, str]) -> list[RedirectLine]:
    """The lines for all moves."""
    suffix = ".md" if tool.name == "mkdocs-redirects" else ".rst"
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
    assert all(isinstance(each, RedirectLine) for each in found), found
    return found  # type: ignore[return-value]


def landing(site: Path, path: str) -> str:
    """The path where the redirect at a path leads."""
    text = file_at(site, path).read_text(encoding="utf-8")
    (target,) = re.findall(r'http-equiv="refresh" content="0; url=([^"]*)"', text)
    return unquote(urljoin(f"{BASE}{path}", html.unescape(target)).removeprefix(BASE)).removesuffix("index.html")


def file_at(site: Path, path: str) -> Path:
    return site / path / "index.html" if not path or path.endswith("/") else site / path


def test_mkdocs_redirects_follows_the_lines(tmp_path: Path) -> None:
    write_documents(tmp_path / "docs", ".md")
    urls = {name: "" if name == "index" else f"{name}/" for name in ("index", *MOVES, *MOVES.values())}
    lines = lines_of(RedirectTool(name="mkdocs-redirects", syntax="yaml"), urls)
    maps = "".join(f"        {line.text}\n" for line in lines)
    settings = f"site_name: x\nsite_url: {BASE}\nplugins:\n  - redirects:\n      redirect_maps:\n{maps}"
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    build(tmp_path, "mkdocs", "build", "--strict", "--quiet")
    assert [landing(tmp_path / "site", urls[old]) for old in MOVES] == [urls[new] for new in MOVES.values()]


def test_the_extensions_of_sphinx_follow_the_lines(tmp_path: Path) -> None:
    write_documents(tmp_path / "docs", ".rst")
    urls = {name: f"{name}.html" for name in (*MOVES, *MOVES.values())} | {"index": ""}
    conf = tmp_path / "docs" / "conf.py"
    text = "extensions = ['sphinxext.rediraffe', 'sphinx_reredirects']\nrediraffe_redirects = 'moved.txt'\n"
    conf.write_text(text, encoding="utf-8")
    tool = tool_of_sphinx(str(tmp_path / "docs"))
    assert tool is not None
    Path(tool.file).write_text("".join(f"{line.text}\n" for line in lines_of(tool, urls)), encoding="utf-8")
    # The other extension redirects the same pages, from a folder above.
    other = RedirectTool(name="sphinx-reredirects", syntax="python")
    shifted = {name: f"more/{url}" if name in MOVES else url for name, url in urls.items()}
    entries = "\n".join(line.text for line in lines_of(other, shifted))
    conf.write_text(f"{text}redirects = {{{entries}}}\n", encoding="utf-8")
    build(tmp_path, "sphinx", "-W", "-q", "-b", "html", "docs", "site")
    expected = [urls[new] for new in MOVES.values()]
    assert [landing(tmp_path / "site", urls[old]) for old in MOVES] == expected
    assert [landing(tmp_path / "site", shifted[old]) for old in MOVES] == expected
