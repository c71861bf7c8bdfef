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
from sitemap_plugins.changes.redirect_files import add_lines, plan_lines
from sitemap_plugins.changes.redirect_lines import RedirectLine, RedirectTool, Syntax, format_line

NOT_YAML = (
    "mkdocs.yml, line 2: it cannot be read as YAML: while parsing a flow node, did not find expected node content"
)
ELSEWHERE = "does not name the plugin redirects; add the lines to the file that does"
NO_MAPS = "has no redirect_maps; add `redirect_maps:` below `redirects:`, and try again"
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


def add(file: Path, syntax: Syntax, *pairs: tuple[str, str], documents: tuple[str, ...] = ()) -> list[str]:
    """Add lines, and return the reasons of those that were refused, without the folder.

    ``documents`` are the names of those of the project, without suffix; none if they are not known.
    """
    lines = [RedirectLine(text=format_line(syntax, *pair), source=pair[0], target=pair[1]) for pair in pairs]
    names = {"yaml": "mkdocs-redirects", "rediraffe": "rediraffe", "_redirects": "_redirects"}
    tool = RedirectTool(
        name=names.get(syntax, "zensical"),  # type: ignore[arg-type]
        syntax=syntax,
        file=str(file),
    )
    found = add_lines(tool, lines, {name: name for name in documents}.get)
    places = (found.added, found.changed, [line for line, _ in found.refused])
    assert [line for place in places for line in place] == [line for place in places for line in lines if line in place]
    assert sum(map(len, places)) == len(lines)
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
    ("before", "after"),
    [(" {}", ""), ("  {} # none", "   # none"), (" {}\n  - tags", "\n  - tags"), ("\n        {}", "\n")],
)
def test_an_empty_mapping_makes_room_for_lines(mkdocs_yml: Path, before: str, after: str) -> None:
    start = "plugins:\n  - redirects:\n      redirect_maps:"
    mkdocs_yml.write_text(f"{start}{before}\n", encoding="utf-8")
    assert add(mkdocs_yml, "yaml", ("x.md", "y.md")) == []
    first, *rest = f"{after}\n".splitlines(keepends=True)
    assert mkdocs_yml.read_text(encoding="utf-8") == f"{start}{first}        x.md: y.md\n{''.join(rest)}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("site_name: x\n", f"mkdocs.yml {ELSEWHERE}"),
        ("", f"mkdocs.yml {ELSEWHERE}"),
        ("plugins: [redirects]\n", f"mkdocs.yml {NO_MAPS}"),
        ("plugins: {redirects: {}}\n", f"mkdocs.yml {NO_MAPS}"),
        (
            "plugins:\n  - redirects: &x\n      redirect_maps:\n        a.md: b.md\n  - redirects: *x\n",
            "mkdocs.yml has 2 redirect_maps; add the lines to one of them",
        ),
        *(
            (
                f"plugins:\n  - redirects:{maps}\n",
                "redirect_maps in mkdocs.yml does not have one redirect on each line; add the lines yourself",
            )
            for maps in (
                "\n      redirect_maps: {a.md: b.md}",
                "\n      redirect_maps: !include redirects.yml",
                " {redirect_maps: {}}",
            )
        ),
        (
            "plugins:\n  - redirects:\n      redirect_maps:\n        a.md: [b.md]\n",
            "redirect_maps in mkdocs.yml has nested values; add the lines yourself",
        ),
        (
            "maps: &maps\n  a.md: b.md\nplugins:\n  - redirects:\n      redirect_maps: *maps\nextra: *maps\n",
            "adding a line below redirect_maps would change more in mkdocs.yml; add the lines yourself",
        ),
        (
            "plugins:\n  - redirects:\n      redirect_maps:\n        ? a.md\n        : b.md\n",
            "adding a line below redirect_maps would change more in mkdocs.yml; add the lines yourself",
        ),
        ("plugins: [\n", NOT_YAML),
    ],
)  # fmt: skip
def test_a_file_that_would_say_something_else_stays(mkdocs_yml: Path, text: str, reason: str) -> None:
    mkdocs_yml.write_text(text, encoding="utf-8")
    assert add(mkdocs_yml, "yaml", ("x.md", "y.md")) == [reason]
    assert mkdocs_yml.read_text(encoding="utf-8") == text


def test_an_existing_redirect_to_a_page_stays(mkdocs_yml: Path) -> None:
    """Neither under its own name nor under another one for the same page is there a second line for it."""
    mkdocs_yml.write_text(MKDOCS, encoding="utf-8")
    pairs = (
        *(("a.md", "z.md"), ("a.md", "b.md"), ("x.md", "y.md"), ("x.md", "z.md"), ("a/index.md", "z.md")),
        ("a.md#part", "z.md"),
    )
    is_there = "mkdocs.yml redirects a.md to b.md; change that target to z.md"
    for documents in ((), ("other",), ("index", "b", "y")):
        mkdocs_yml.write_text(MKDOCS, encoding="utf-8")
        assert add(mkdocs_yml, "yaml", *pairs, documents=documents) == [
            is_there,
            "mkdocs.yml already has this redirect; build the site again",
            "mkdocs.yml redirects x.md to y.md; change that target to z.md",
            is_there,
        ]
        block = "        'a.md': 'b.md'  # moved in 2024\n        'x.md': 'y.md'\n        'a.md#part': 'z.md'\n"
        assert block in mkdocs_yml.read_text(encoding="utf-8")
    files = f"use_directory_urls: false\n{MKDOCS}"
    mkdocs_yml.write_text(files, encoding="utf-8")
    assert add(mkdocs_yml, "yaml", ("a/index.md", "z.md"), ("a/README.md", "y.md")) == [
        "mkdocs.yml redirects a/index.md to z.md; change that target to y.md"
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("'b.md'  # moved in 2024", "'z.md'  # moved in 2024"),
        ('"b.md#part"', '"z.md#part"'),
        ("b.md", "z.md"),
        (">-\n          b.md", None),
        ("&x b.md", "z.md"),
        ("&x b.md\n        c.md: *x", None),
        ("https://example.org/b/", None),
    ],
)
def test_a_redirect_to_a_document_that_is_gone_gets_the_new_target(
    mkdocs_yml: Path, before: str, after: str | None
) -> None:
    text = f"plugins:\n  - redirects:\n      redirect_maps:\n        a.md: {before}\nextra: [b.md]\n"
    mkdocs_yml.write_text(text, encoding="utf-8")
    refused = add(mkdocs_yml, "yaml", ("a.md", "z.md"), documents=("index",))
    assert mkdocs_yml.read_text(encoding="utf-8") == (text if after is None else text.replace(before, after, 1))
    target = "https://example.org/b/" if "https" in before else "b.md"
    reason = f"mkdocs.yml redirects a.md to {target}; change that target to z.md"
    assert refused == ([] if after else [reason])


def test_the_target_keeps_its_fragment_if_the_new_one_has_none(mkdocs_yml: Path) -> None:
    text = "plugins:\n  - redirects:\n      redirect_maps:\n        a.md: b.md#part\n"
    for new, target in (("z.md", "z.md#part"), ("z.md#other", "z.md#other")):
        mkdocs_yml.write_text(text, encoding="utf-8")
        reason = f"mkdocs.yml redirects a.md to b.md#part; change that target to {target}"
        assert add(mkdocs_yml, "yaml", ("a.md", new)) == [reason]
        assert add(mkdocs_yml, "yaml", ("a.md", new), documents=("index",)) == []
        assert mkdocs_yml.read_text(encoding="utf-8") == text.replace("b.md#part", target)
    assert add(mkdocs_yml, "yaml", ("a.md", "z.md"), documents=("index", "z")) == [
        "mkdocs.yml already has this redirect; build the site again"
    ]


def test_a_plan_names_the_redirects_that_exist_and_writes_nothing(tmp_path: Path) -> None:
    """A second line for the same page would break the build with Sphinx, and be ignored in YAML."""
    texts: dict[Syntax, str] = {
        "yaml": "plugins:\n  - redirects:\n      redirect_maps:\n        old.md: gone.md\n        c.md: d.md\n",
        "rediraffe": "old.md gone.md\nc.md d.md\n",
        "_redirects": "/old.md gone.md 301\n",
    }
    for syntax, text in texts.items():
        file = tmp_path / syntax
        file.write_text(text, encoding="utf-8")
        file.chmod(stat.S_IRUSR)
        start = "/" if syntax == "_redirects" else ""
        tool = RedirectTool(name="rediraffe", syntax=syntax, file=str(file))
        lines = [
            RedirectLine(text=format_line(syntax, source, target), source=source, target=target)
            for source, target in ((f"{start}old.md", "new.md"), (f"{start}x.md", "y.md"), (f"{start}x.md", "z.md"))
        ]
        for documents in ({}, {"index": "index.md"}):
            plan = plan_lines(tool, lines, documents.get)
            assert plan.existing == (
                (lines[0], f"{file} redirects {start}old.md to gone.md; change that target to new.md"),
            )
            assert lines[1] in plan.added
        assert file.read_text(encoding="utf-8") == text


@given(
    st.dictionaries(st.text(min_size=1), st.text(), min_size=1),
    st.sampled_from(["'", '"', None]),
    st.booleans(),
    st.none() | st.text(),
)
def test_random_blocks_get_exactly_the_line_or_stay(
    maps: dict[str, str], style: str | None, is_last: bool, known: str | None
) -> None:
    if known is not None:
        maps = {"old page.md": known, **maps}
    data = {"plugins": [{"redirects": {"redirect_maps": maps}}, *([] if is_last else ["tags"])]}
    text = yaml.safe_dump(data, default_style=style, allow_unicode=True, sort_keys=False)
    line = RedirectLine(text="", source="old page.md", target="new.md")
    try:
        after, changed, existing, _ = redirect_files._add_keys(text, [line], "mkdocs.yml", lambda _: True)
    except redirect_files._RefusedError:
        return
    expected = yaml.safe_load(text)  # PyYAML does not write all text so that it reads it back
    if changed or not existing:
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
        "_redirects redirects /a/ to /b/; change that target to /c/",
        "_redirects already has this redirect; build the site again",
        "an earlier rule of _redirects applies to /shop/x/; write the line above it",
        "an earlier rule of _redirects applies to /app/x/; write the line above it",
    ]
    assert file.read_bytes() == f"{text}\r\n/old/ /new/#part 301\r\n/ü%20x/ /c/ 301\r\n".encode()


def test_rediraffe_gets_pairs_without_a_loop(tmp_path: Path) -> None:
    file = tmp_path / "redirects.txt"
    text = '# moved\n"a.rst" "b.rst"\nc.rst\td.rst\n\nodd\nv1.1 d.rst\n'
    file.write_text(text, encoding="utf-8")
    pairs = (("x y.rst", "a.rst"), ("b.rst", "x y"), ("a", "z.rst"), ("d.rst", "c.rst"), ("v1.0", "d.rst"))
    assert add(file, "rediraffe", *pairs) == [
        "redirects.txt redirects a.rst to b.rst, which makes a loop; remove that line",
        "redirects.txt redirects a.rst to b.rst; change that target to z.rst",
        "redirects.txt redirects c.rst to d.rst, which makes a loop; remove that line",
    ]
    assert file.read_text(encoding="utf-8") == f'{text}"x y.rst" a.rst\nv1.0 d.rst\n'


def test_rediraffe_gets_the_new_target_of_a_document_that_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "redirects.txt"
    file.write_bytes(b'# "a b" b.rst\r\n "a b.rst"   "b.rst"\r\nc.rst d.rst\r\ne d\r\n')
    pairs = (("a b.rst", "x y.rst"), ("c.rst", "z.rst"), ("e.rst", "a b.rst"), ("d.rst", "c.rst"))
    assert add(file, "rediraffe", *pairs, documents=("index", "d")) == [
        "redirects.txt redirects c.rst to d.rst; change that target to z.rst",
        "redirects.txt redirects e to d; change that target to a b.rst",
        "redirects.txt redirects c.rst to d.rst, which makes a loop; remove that line",
    ]
    assert file.read_bytes() == b'# "a b" b.rst\r\n "a b.rst" "x y.rst"\r\nc.rst d.rst\r\ne d\r\n'


def test_an_empty_file_and_one_of_one_line_get_a_line(tmp_path: Path) -> None:
    for name, syntax in (("redirects.txt", "rediraffe"), ("_redirects", "_redirects")):
        file = tmp_path / name
        file.write_bytes(b"")
        assert add(file, syntax, ("/old", "/new")) == []  # type: ignore[arg-type]
        assert file.read_text(encoding="utf-8").startswith("/old /new")
        file.write_bytes(b"# one line\r\n")
        assert add(file, syntax, ("/old", "/new")) == []  # type: ignore[arg-type]
        assert file.read_bytes().startswith(b"# one line\r\n/old /new")


def test_equal_lines_are_added_once(tmp_path: Path) -> None:
    """Two languages that are built on their own may need the same line."""
    file = tmp_path / "redirects.txt"
    file.write_bytes(b"")
    lines = [RedirectLine(text="a b", source="a", target="b", condition=condition) for condition in ("", "for fr/")]
    found = add_lines(RedirectTool(name="rediraffe", syntax="rediraffe", file=str(file)), lines)
    assert (len(found.added), found.refused, file.read_bytes()) == (1, (), b"a b\n")


def test_only_some_files_can_be_edited(tmp_path: Path) -> None:
    for name, syntax in (("conf.py", "python"), ("zensical.toml", "toml")):
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
        reasons = add(tmp_path / name, syntax, ("old", "new"))  # type: ignore[arg-type]
        assert reasons == [f"--write does not change {name}; add the lines yourself"]


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
    assert add(mkdocs_yml, "yaml", ("x.md", "y.md")) == [
        "mkdocs.yml was changed in the meantime; run the command again"
    ]
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
