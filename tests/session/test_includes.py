"""The files that a source includes, in the syntaxes of the tools used with Markdown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.session.includes import (
    FindNeeded,
    Include,
    Included,
    find_in_asciidoc,
    find_in_mdbook,
    find_in_myst,
    find_included,
    find_names,
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('--8<-- "a.md"', ["a.md"]),
        ("  -8<- 'a b.md:1:3'", ["a b.md:1:3"]),
        ("--8<--\na.md\n\n'b.md'\n--8<--\n", ["a.md", "b.md"]),
        ('\n```py\n--8<-- "x.py:part"\n```', ["x.py:part"]),
        (';--8<-- "a.md"', []),
        ('text --8<-- "a.md"', []),
        ("--8<--\na.md\n", []),
        ("{! docs/a.md !}", ["docs/a.md"]),
        ("{!> a.py[ln:1-3] !}", ["a.py"]),
        ("{! a.md", []),
        ("{!+a.md!} {!->b.py!}", ["a.md", "b.py"]),
        ("{!a.md!lines=1 3-4}", ["a.md"]),
        ("\\{!a.md!}", []),
        ("{{ read_csv('a.csv') }} {{read_raw( \"b c.md\", encoding='x' ) }}", ["a.csv", "b c.md"]),
        ("{{ pd_read_excel('a.xls', sheet_name='b') | f }}", ["a.xls"]),
        ("{{ f(pd_read_csv(filepath_or_buffer='a.csv', dtype={'a': 'b'})) }}", ["a.csv"]),
        ("read_csv('a.csv') {{ x }} {{ read('a.csv') }} {{ read_csv(name) }} {% set x = read_csv('a.csv') %}", []),
        ('{% include-markdown "../a.md" start="x" %}', ["../a.md"]),
        ("{%- include 'a.html' -%}", ["a.html"]),
        ("{% includes 'a.html' %}", []),
        ("<!--@include: ../parts/x.md#part{1,5} -->", ["../parts/x.md"]),
        ("<!-- @include: @/x.md-->", ["@/x.md"]),
        ("<<< ../x.js{2}", ["../x.js"]),
        ("<<< @/x.js#region", ["@/x.js"]),
        ("a <<< b", []),
        ("import Note from './_note.mdx'", ["./_note.mdx"]),
        ("import {A, B} from '@site/src/x'", ["@site/src/x"]),
        ("import React from 'react'", []),
        ("What you import from './x'", []),
    ],
)
def test_names_of_files_in_a_text(text: str, names: list[str]) -> None:
    assert [each.name for each in find_names(text, None)] == names


@pytest.mark.parametrize(
    ("extension", "text"),
    [
        ("pymdownx.snippets", '--8<-- "a.md"'),
        ("pymdownx.snippets", "--8<--\na.md\n--8<--"),
        ("mdx_include", "{! a.md !}"),
        ("markdown_include.include", "{!a.md!}"),
        ("table-reader", "{{ read_raw('a.md') }}"),
        ("markdown_include_variants", "{* a.md *}"),
    ],
)
def test_syntax_of_an_extension_counts_if_it_is_enabled(extension: str, text: str) -> None:
    assert [*find_names(text, {})] == []
    assert "a.md" in [each.name for each in find_names(text, {extension})]
    assert "a.md" in [each.name for each in find_names(text, None)]


@pytest.mark.parametrize(
    ("find", "text", "names"),
    [
        (find_in_mdbook, "{{#include a.md}} {{ #rustdoc_include ../b.rs:main }}", ["a.md", "../b.rs"]),
        (find_in_mdbook, "```rust\n{{#playground c.rs editable}}\n```\n    {{#playpen d.rs}}", ["c.rs", "d.rs"]),
        (find_in_mdbook, "\\{{#include a.md}} {{#include b.md}}\n{{#include c.md}}", ["c.md"]),
        (find_in_mdbook, "{{#title A}} {{#include }} {{include a.md}} {{#includes a.md}}", []),
        (
            find_in_asciidoc,
            "include::a.adoc[]\n----\ninclude::partial$b c.rb[tag=x,lines=1..2] \n----",
            ["a.adoc", "partial$b c.rb"],
        ),
        (find_in_asciidoc, "\\include::a.adoc[]\n include::b.adoc[]\ninclude:c.adoc[]\ninclude::d.adoc", []),
        (find_in_asciidoc, "include::a.adoc[opts=optional]\ninclude::b.adoc[leveloffset=+1]", ["b.adoc"]),
        (find_in_myst, "```{include} a.md\n```\n:::{literalinclude} ../b.py\n:lines: 1\n:::", ["a.md", "../b.py"]),
        (
            find_in_myst,
            "::::{note}\n- ```{include} a b.md\n  ```\n::::\n> ~~~{include} c.md\n> ~~~",
            ["a b.md", "c.md"],
        ),
        (find_in_myst, "````markdown\n```{include} a.md\n```\n````\n```{include} b.md\n```", ["b.md"]),
        (find_in_myst, "````{code-block} md\n```{include} a.md\n```\n````\n~~~\n:::{include} b.md\n:::\n~~~", []),
        (find_in_myst, "See `{include}` and {myst:directive}`include`.\n```{includes} a.md\n```", []),
    ],
)
def test_files_that_a_generator_includes(find: FindNeeded, text: str, names: list[str]) -> None:
    assert [each.name for each in find(text)] == names


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("src/x.py", ["src/x_an_py310.py", "src/x_py39.py", "src_an/x.py"]),
        ("src/x_py39.py", ["src/x_an.py", "src/x.py"]),
        ("src_an_py39/x.py", ["src/x.py", "src_py310/x.py"]),
        ("_an/_an", ["_an/_an_py39"]),
        ("x/..", []),
    ],
)
def test_variants_for_other_python_versions_are_included(name: str, shown: list[str]) -> None:
    found = {each.name for each in find_names(f"{{* ../../{name} hl[1:3] *}}", None)}
    assert {f"../../{each}" for each in [name, *shown]} <= found


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def taken_in(root: Path, source: str, names: Mapping[str, list[str]], *bases: str) -> list[str]:
    """The files that a source includes, given the names in each file."""
    here = str(root)

    def includes_in(file: str) -> list[Include]:
        return [*map(Include, names.get(Path(file).relative_to(root).as_posix(), []))]

    folders = [os.path.join(here, *base.split("/")) for base in bases]
    found = find_included(os.path.join(here, *source.split("/")), includes_in, folders, here)
    return [Path(file).relative_to(root).as_posix() for file in found.files]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("part.md", "docs/guide/part.md"),
        ("./part.md", "docs/guide/part.md"),
        ("../other.md", "docs/other.md"),
        ("other.md", "docs/other.md"),
        ("docs/other.md", "docs/other.md"),
        ("part.md:1:3", "docs/guide/part.md"),
        ("@/other.md", "docs/other.md"),
        ("@site/src/x.js", "src/x.js"),
        ("snippet.md", "snippets/snippet.md"),
    ],
)
def test_where_a_file_is_looked_for(name: str, file: str, tmp_path: Path) -> None:
    write(tmp_path, {"docs/guide/a.md": "", file: ""})
    assert taken_in(tmp_path, "docs/guide/a.md", {"docs/guide/a.md": [name]}, "snippets") == [file]


def test_a_base_takes_precedence_over_the_folder_of_the_page(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(["docs/a.md", "docs/x.md", "base/x.md"], ""))
    assert taken_in(tmp_path, "docs/a.md", {"docs/a.md": ["x.md"]}, "base") == ["base/x.md"]
    assert taken_in(tmp_path, "docs/a.md", {"docs/a.md": ["x.md"]}) == ["docs/x.md"]


def test_included_files_can_include_others(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(["a.md", "parts/b.md", "parts/c.md", "d.md"], ""))
    names = {"a.md": ["parts/b.md"], "parts/b.md": ["c.md", "../a.md"], "parts/c.md": ["b.md", "c.md"]}
    assert taken_in(tmp_path, "a.md", names) == ["parts/b.md", "parts/c.md"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("part.md", "modules/a/pages/part.md"),
        ("../../../../out.rs", "../out.rs"),  # above the project
        ("/part.md", "part.md"),
        ("partial$x.adoc", "modules/a/partials/x.adoc"),
        ("b:example$x.rb", "modules/b/examples/x.rb"),
        ("other.md", None),  # it is in a folder above
        ("other:a:partial$x.adoc", None),  # of another component
        ("https://x.example/a.md", None),
        ("a\0b", None),
    ],
)
def test_where_a_generator_looks_for_a_file(name: str, file: str | None, tmp_path: Path) -> None:
    project = tmp_path / "project"
    write(project, {"modules/a/pages/a.md": "", "modules/a/other.md": "", **({file: ""} if file else {})})
    source = str(project / "modules/a/pages/a.md")
    found = find_included(
        source, lambda _: [Include(name, is_needed=True, is_text=False)], [str(project)], str(project)
    )
    expected = Included((os.path.normpath(project / file),)) if file else Included((), name)
    assert found == expected


def test_a_file_that_an_included_text_needs_is_missing_but_code_only_shows_examples(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(["a.md", "b.md", "c.md"], ""))
    needed = {
        "a.md": [Include("b.md", is_needed=True), Include("c.md", is_needed=True, is_text=False)],
        "c.md": [Include("example.md", is_needed=True)],
    }

    def includes_in(file: str) -> list[Include]:
        return needed.get(os.path.basename(file), [])

    files = (str(tmp_path / "b.md"), str(tmp_path / "c.md"))
    assert find_included(str(tmp_path / "a.md"), includes_in, [], str(tmp_path)) == Included(files)
    needed["b.md"] = [Include("gone.md", is_needed=True)]
    found = find_included(str(tmp_path / "a.md"), includes_in, [], str(tmp_path))
    assert found == Included(files, "gone.md")


def test_a_long_chain_ends(tmp_path: Path) -> None:
    write(tmp_path, {f"{number}.md": "" for number in range(50)})
    found = taken_in(tmp_path, "0.md", {f"{number}.md": [f"{number + 1}.md"] for number in range(49)})
    assert 5 <= len(found) < 20


@pytest.mark.parametrize(
    "name",
    ["../out.md", "docs/../../out.md", "/etc/passwd", "https://x.example/a.md", "a\0b.md", "gone.md", "", ".", "docs"],
)
def test_files_outside_the_project_are_not_included(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"out.md": "", "project/docs/a.md": ""})
    assert taken_in(tmp_path / "project", "docs/a.md", {"docs/a.md": [name]}, "docs") == []
