"""Lines are added to the files of a project only where the file then says what it said, and the lines."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.changes import redirect_files
from sitemap_plugins.changes.redirect_files import add_lines
from sitemap_plugins.changes.redirect_lines import RedirectLine, RedirectTool, Syntax, format_line

NOT_YAML = (
    "mkdocs.yml, line 2: it cannot be read as YAML: while parsing a flow node, did not find expected node content"
)
MKDOCS = """\
site_name: Größe
plugins:
  - search
  - redirects:
      redirect_maps:
        'a.md': 'b.md'  # moved in 2024
        # 'c.md': 'd.md'
  - tags
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
extra:
  key: !ENV [KEY, none]
"""


def add(file: Path, syntax: Syntax, *pairs: tuple[str, str]) -> list[str]:
    """Add lines, and return the reasons of those that were refused, without the folder."""
    lines = [RedirectLine(text=format_line(syntax, *pair), source=pair[0], target=pair[1]) for pair in pairs]
    names = {"yaml": "mkdocs-redirects", "rediraffe": "rediraffe", "_redirects": "_redirects"}
    tool = RedirectTool(name=names.get(syntax, "zensical"), syntax=syntax, file=str(file))  # type: ignore[arg-type]
    found = add_lines(tool, lines)
    assert [*found.added, *(line for line, _ in found.refused)] == sorted(
        lines, key=lambda line: line not in found.added
    )
    return [reason.replace(f"{file.parent}{os.sep}", "") for _, reason in found.refused]


@pytest.fixture
def mkdocs_yml(tmp_path: Path) -> Path:
    return tmp_path / "mkdocs.yml"


def test_a_line_comes_below_the_last_one_in_its_style(mkdocs_yml: Path) -> None:
    mkdocs_yml.write_text(MKDOCS, encoding="utf-8")
    assert add(mkdocs_yml, "yaml", ("x.md", "y.md#it's"), ("ü.md", "b.md")) == []
    after = "        'a.md': 'b.md'  # moved in 2024\n"
    new = "        'x.md': 'y.md#it''s'\n        'ü.md': 'b.md'\n"
    assert mkdocs_yml.read_text(encoding="utf-8") == MKDOCS.replace(after, after + new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{0}redirects:\n      redirect_maps:\n        a.md: b.md", "\n        x.md: y.md\n"),
        ("{0}redirects: {{}}\n  - redirects:\n      redirect_maps:\n        a.md: b.md\n", "        x.md: y.md\n"),
        ('{0}redirects:\n      redirect_maps:\n        "a.md": "b.md"\n', '        "x.md": "y.md"\n'),
        ("{0}redirects:\n      redirect_maps:\n", "        x.md: y.md\n"),
        ("{0}redirects:\n      redirect_maps:  # none yet\n", "        x.md: y.md\n"),
        ("{0}redirects:\n      redirect_maps:\n        a.md: >-\n          b.md\n", "        x.md: y.md\n"),
        ("plugins:\n redirects:\n  redirect_maps:\n   a.md: b.md\n", "   x.md: y.md\n"),
    ],
)
def test_blocks_are_written_in_many_ways(mkdocs_yml: Path, before: str, after: str) -> None:
    for end, mark in (("\n", b""), ("\r\n", b""), ("\r", b""), ("\n", b"\xef\xbb\xbf")):
        text = before.format("plugins:\n  - ").replace("\n", end)
        mkdocs_yml.write_bytes(mark + text.encode())
        assert add(mkdocs_yml, "yaml", ("x.md", "y.md")) == []
        assert mkdocs_yml.read_bytes() == mark + text.encode() + after.replace("\n", end).encode()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("site_name: x\n", "mkdocs.yml has no settings redirect_maps of the plugin redirects, not one"),
        ("", "mkdocs.yml has no settings redirect_maps of the plugin redirects, not one"),
        (
            "plugins:\n  - redirects: &x\n      redirect_maps:\n        a.md: b.md\n  - redirects: *x\n",
            "mkdocs.yml has 2 settings redirect_maps of the plugin redirects, not one",
        ),
        (
            "plugins:\n  - redirects:\n      redirect_maps: {a.md: b.md}\n",
            "redirect_maps in mkdocs.yml is not a block with one redirect a line",
        ),
        (
            "plugins:\n  - redirects:\n      redirect_maps: !include redirects.yml\n",
            "redirect_maps in mkdocs.yml is not a block with one redirect a line",
        ),
        (
            "plugins:\n  - redirects:\n      redirect_maps:\n        a.md: [b.md]\n",
            "redirect_maps in mkdocs.yml has more than names of documents and URLs",
        ),
        (
            "maps: &maps\n  a.md: b.md\nplugins:\n  - redirects:\n      redirect_maps: *maps\nextra: *maps\n",
            "a line below redirect_maps in mkdocs.yml would change more than this redirect",
        ),
        (
            "plugins:\n  - redirects:\n      redirect_maps:\n        ? a.md\n        : b.md\n",
            "a line below redirect_maps in mkdocs.yml would change more than this redirect",
        ),
        ("plugins: [\n", NOT_YAML),
    ],
)  # fmt: skip
def test_a_file_that_would_say_something_else_stays(mkdocs_yml: Path, text: str, reason: str) -> None:
    mkdocs_yml.write_text(text, encoding="utf-8")
    assert add(mkdocs_yml, "yaml", ("x.md", "y.md")) == [reason]
    assert mkdocs_yml.read_text(encoding="utf-8") == text


def test_an_existing_redirect_is_never_changed(mkdocs_yml: Path) -> None:
    """Neither under its own name nor under another one for the same page."""
    mkdocs_yml.write_text(MKDOCS, encoding="utf-8")
    pairs = (("a.md", "z.md"), ("x.md", "y.md"), ("x.md", "z.md"), ("a/index.md", "z.md"), ("a.md#part", "z.md"))
    assert add(mkdocs_yml, "yaml", *pairs) == [
        "mkdocs.yml already redirects a.md to b.md",
        "mkdocs.yml already redirects x.md to y.md",
        "mkdocs.yml already redirects a.md to b.md",
    ]
    block = "        'a.md': 'b.md'  # moved in 2024\n        'x.md': 'y.md'\n        'a.md#part': 'z.md'\n"
    assert block in mkdocs_yml.read_text(encoding="utf-8")


@given(st.dictionaries(st.text(min_size=1), st.text(), min_size=1), st.sampled_from(["'", '"', None]), st.booleans())
def test_random_blocks_get_exactly_the_line_or_stay(maps: dict[str, str], style: str | None, is_last: bool) -> None:
    data = {"plugins": [{"redirects": {"redirect_maps": maps}}, *([] if is_last else ["tags"])]}
    text = yaml.safe_dump(data, default_style=style, allow_unicode=True, sort_keys=False)
    line = RedirectLine(text="", source="old page.md", target="new.md")
    try:
        after, refused = redirect_files._add_keys(text, [line], "mkdocs.yml")
    except redirect_files._RefusedError:
        return
    expected = yaml.safe_load(text)  # PyYAML does not write all text so that it reads it back
    if not refused:
        expected["plugins"][0]["redirects"]["redirect_maps"]["old page.md"] = "new.md"
    assert yaml.safe_load(after) == expected


def test_rules_are_appended_if_they_are_the_first_to_apply(tmp_path: Path) -> None:
    file = tmp_path / "_redirects"
    text = "# moved\r\n/a/ /b/ 301\r\n/shop/* /:splat 301\r\n/app/* /app.html 200"
    file.write_bytes(text.encode())
    pairs = (
        ("/old/", "/new/#part"),
        ("/a/", "/c/"),
        ("/a", "/b/"),
        ("/shop/x/", "/c/"),
        ("/app/x/", "/c/"),
        ("/ü%20x/", "/c/"),
    )
    assert add(file, "_redirects", *pairs) == [
        "an earlier rule of _redirects applies to /a/; write the line above it",
        "_redirects has this redirect already",
        "an earlier rule of _redirects applies to /shop/x/; write the line above it",
        "an earlier rule of _redirects applies to /app/x/; write the line above it",
    ]
    assert file.read_bytes() == f"{text}\r\n/old/ /new/#part 301\r\n/ü%20x/ /c/ 301\r\n".encode()


def test_rediraffe_gets_pairs_without_a_circle(tmp_path: Path) -> None:
    file = tmp_path / "redirects.txt"
    text = '# moved\n"a.rst" "b.rst"\nc.rst\td.rst\n'
    file.write_text(text, encoding="utf-8")
    pairs = (("x y.rst", "a.rst"), ("b.rst", "x y"), ("a", "z.rst"), ("d.rst", "c.rst"))
    assert add(file, "rediraffe", *pairs) == [
        "redirects.txt redirects a.rst to b.rst; remove that line, or it is a circle",
        "redirects.txt already redirects a to b.rst",
        "redirects.txt redirects c.rst to d.rst; remove that line, or it is a circle",
    ]
    assert file.read_text(encoding="utf-8") == f'{text}"x y.rst" a.rst\n'


def test_an_empty_file_gets_its_first_line(tmp_path: Path) -> None:
    for name, syntax in (("redirects.txt", "rediraffe"), ("_redirects", "_redirects")):
        file = tmp_path / name
        file.write_bytes(b"")
        assert add(file, syntax, ("/old", "/new")) == []  # type: ignore[arg-type]
        assert file.read_text(encoding="utf-8").startswith("/old /new")


def test_only_some_files_can_be_edited(tmp_path: Path) -> None:
    for name, syntax in (("conf.py", "python"), ("zensical.toml", "toml")):
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
        reasons = add(tmp_path / name, syntax, ("old", "new"))  # type: ignore[arg-type]
        assert reasons == [f"{name} cannot be edited safely; add the lines yourself"]


def test_a_file_that_cannot_be_changed_stays(mkdocs_yml: Path) -> None:
    line = ("x.md", "y.md")
    assert add(mkdocs_yml, "yaml", line) == ["mkdocs.yml cannot be read: No such file or directory"]
    mkdocs_yml.write_bytes(b"site_name: \xff\n")
    assert add(mkdocs_yml, "yaml", line) == ["mkdocs.yml is not text in UTF-8"]
    mkdocs_yml.write_text(MKDOCS, encoding="utf-8")
    mkdocs_yml.chmod(stat.S_IRUSR)
    assert add(mkdocs_yml, "yaml", line) == ["mkdocs.yml is read-only"]
    assert mkdocs_yml.read_text(encoding="utf-8") == MKDOCS
    mkdocs_yml.chmod(stat.S_IRUSR | stat.S_IWUSR)
    mkdocs_yml.unlink()
    mkdocs_yml.mkdir()
    assert add(mkdocs_yml, "yaml", line) == ["mkdocs.yml cannot be read: it is a folder"]


def test_a_change_by_another_program_is_kept(mkdocs_yml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mkdocs_yml.write_text(MKDOCS, encoding="utf-8")
    edit = redirect_files._EDITS["yaml"]

    def edit_late(*arguments: object) -> object:
        mkdocs_yml.write_text(f"{MKDOCS}# edited\n", encoding="utf-8")
        return edit(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(redirect_files, "_EDITS", {"yaml": edit_late})
    assert add(mkdocs_yml, "yaml", ("x.md", "y.md")) == ["mkdocs.yml has changed meanwhile; run the command again"]
    assert mkdocs_yml.read_text(encoding="utf-8") == f"{MKDOCS}# edited\n"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_stays_a_link_and_a_file_keeps_its_mode(tmp_path: Path) -> None:
    real, link = tmp_path / "config" / "mkdocs.yml", tmp_path / "mkdocs.yml"
    real.parent.mkdir()
    real.write_text(MKDOCS, encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    assert add(link, "yaml", ("x.md", "y.md")) == []
    assert link.is_symlink()
    assert "'x.md'" in real.read_text(encoding="utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert [*real.parent.iterdir()] == [real]
