"""Front matter of source files is read as the generators read it; an invalid block has no values and a reason; pages inherit it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import example, given
from hypothesis import strategies as st
from mkdocs.utils.meta import get_data

from sitemap_plugins.folder.configuration import ConfigurationError, read_configuration
from sitemap_plugins.folder.generators.source import FrontMatter, read_fields, read_front_matter, read_meta_files
from sitemap_plugins.formats.data_reading import Opaque

TITLE = FrontMatter({"title": "Guide"})
NONE = FrontMatter()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("---\ntitle: Guide\n---\n# Guide\n", TITLE),
        ("---\ntitle: Guide\n...\n# Guide\n", TITLE),
        ("\ufeff---  \r\ntitle: Guide\r\n---\t\r\n# Guide\r\n", TITLE),
        ("---\ntitle: Guide\n---", TITLE),
        ("+++\ntitle = 'Guide'\n+++\n# Guide\n", TITLE),
        ('{\n  "title": "Guide"\n}\n# Guide\n', TITLE),
        ('{"title": "Guide"} {', TITLE),
        ("---\ndate: 2026-01-31\n---\n", FrontMatter({"date": dt.date(2026, 1, 31)})),
        ("+++\ndate = 2026-01-31\n+++\n", FrontMatter({"date": dt.date(2026, 1, 31)})),
        ("---\nicon: !!python/name:os.sep\nkey: !ENV HOME\n---\n",
         FrontMatter({"icon": Opaque("tag:yaml.org,2002:python/name:os.sep"), "key": Opaque("!ENV", "HOME")})),
        ("---\n2024: x\ntitle: Guide\n---\n", TITLE),
        ("---\n---\n", NONE),
        ("---\n# a comment\n---\n", NONE),
        ("\n---\ntitle: Guide\n---\n", NONE),
        ("----\ntitle: Guide\n----\n", NONE),
        ("---\ntitle: Guide\n", NONE),
        (" ---\ntitle: Guide\n---\n", NONE),
        ("# Guide\n", NONE),
        ("title: Guide\n\n# Guide\n", NONE),
        ("{% include 'a' %}\n", NONE),
        ("{props.title}\n", NONE),
        ("", NONE),
    ],
)  # fmt: skip
def test_blocks(text: str, found: FrontMatter) -> None:
    assert read_front_matter(text) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\na: b\nc: [\n---\n", "line 4 of the page: it cannot be read as YAML: "),
        ("---\ndate: 2024-13-45\n---\n", "line 2 of the page: it cannot be read as YAML: 2024-13-45 is not"),
        ("---\n- title: Guide\n---\n", "it is not a mapping such as title: Guide"),
        ("---\na: \0\n---\n", "line 2 of the page: it cannot be read as YAML: "),
        ("---\n" + "[" * 100_000 + "\n---\n", "line 2 of the page: it cannot be read as YAML: its values are nested"),
        ("+++\na = \n+++\n", "it is not TOML: Invalid value (at line 2, column 5)"),
        ('{"a":}', "line 1 of the page: it is not JSON: Expecting value"),
        ('{"a":' + "[" * 100_000, "its values are nested too deeply"),
    ],
)
def test_an_invalid_block_has_no_values_and_a_reason(text: str, said: str) -> None:
    found = read_front_matter(text)
    assert found.values == {}
    assert found.problem.startswith(f"the front matter cannot be used: {said}")


@pytest.mark.parametrize(
    "text",
    [
        "Title: Guide\nauthors: A\n    B\n\tC\nauthors: D\n\n# Guide\n",
        "title: Guide\n# Guide\n",
        "   title:Guide\n",
        "    title: Guide\n",
        "title:\n\nmore: x\n",
        "http://x.org/\n",
        "no key\n",
    ],
)
def test_mkdocs_reads_lines_without_a_block(text: str) -> None:
    assert read_front_matter(text, multimarkdown=True) == FrontMatter(get_data(text)[1])


FIELDS = [
    ":sitemap_exclude: true\n\nOld\n===\n",
    "\n.. a comment\n   of two lines\n\n.. _label:\n\n:orphan:\n:sitemap: false\n\nOld\n===\n",
    ".. meta::\n   :description: x\n\n:sitemap: false\n\nOld\n===\n",
    ".. |x| replace:: y\n\n:sitemap: false\n\nOld\n===\n",
    ".. A comment with colons:: x\n\n:sitemap: false\n",
    "..\n   x\n\n:sitemap: false\n",
    ':sitemap_alternates: {"de":\n   "x"}\n:sitemap_priority: 0.8\n\n:x y: z\n\ntext :a: b\n',
    ":sitemap:\n  false\n\n  more\ntext\n",
    "Old\n===\n\n:sitemap: false\n",
    "text\n:sitemap: false\n",
    ".. note:: x\n\n:sitemap: false\n\nOld\n===\n",
    ":a: b\n\n.. a comment\n\n:sitemap: false\n",
    ":a:b\n\n:sitemap: false\n",
    ":title:`x` is\n\n:sitemap: false\n",
]


@pytest.mark.parametrize("text", FIELDS)
def test_the_field_list_of_docutils(text: str) -> None:
    document = publish_doctree(text, settings_overrides={"doctitle_xform": False, "report_level": 5})
    fields = (each for each in document.findall(nodes.field) if isinstance(each.parent, nodes.docinfo))
    assert read_fields(text) == {each[0].astext(): " ".join(each[1].astext().split()) for each in fields}


def test_field_lists_are_as_their_author_wrote_them() -> None:
    assert read_fields(':sitemap_images: {"a": "b\\_c -- d"}\n') == {"sitemap_images": '{"a": "b_c -- d"}'}


BLOCK = st.text("ab:-[]{}#&*'\" \n\t01.~é")
MARK = st.sampled_from(["---\n", "--- \t\n", "...\n", "----\n", "---", "\n---\n"])


@given(MARK, BLOCK, MARK, BLOCK)
@example("---\n", "", "---\n", "a: b\n---\n")
def test_values_are_the_same_as_in_mkdocs(first: str, block: str, last: str, rest: str) -> None:
    text = f"{first}{block}{last}{rest}\n"
    expected = {name: value for name, value in get_data(text)[1].items() if isinstance(name, str)}
    found = read_front_matter(text, multimarkdown=True)
    assert found.values == expected or "contains itself" in found.problem


@given(st.text())
def test_no_text_stops_a_build(text: str) -> None:
    for start in ("---\n", "+++\n", '{"a":', ""):
        found = read_front_matter(f"{start}{text}\n{start}")
        assert not (found.values and found.problem)
    read_fields(text)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs/deep").mkdir(parents=True)
    (tmp_path / "docs/.meta.yml").write_text("tags: [a]\nsitemap: {priority: 0.3, section: x}\ntitle: All\n", "utf-8")
    (tmp_path / "docs/deep/.meta.yml").write_text("sitemap: {priority: 0.4}\n", "utf-8")
    (tmp_path / ".meta.yml").write_text("outside: true\n", "utf-8")
    return tmp_path / "docs"


def extend(docs: Path, name: str, plugins: str = "[meta]", **own: object) -> FrontMatter:
    (docs.parent / "mkdocs.yml").write_text(f"plugins: {plugins}\n", "utf-8")
    found = read_meta_files(read_configuration(str(docs.parent)))
    assert found
    return found.extend(str(docs / name), FrontMatter(own))


def test_nearer_files_take_precedence_and_the_page_itself_over_all(docs: Path) -> None:
    assert extend(docs, "a.md", tags=["b"]) == FrontMatter(
        {"tags": ["a", "b"], "sitemap": {"priority": 0.3, "section": "x"}, "title": "All"}
    )
    assert extend(docs, "deep/a.md", title="Mine", sitemap={"exclude": True}) == FrontMatter(
        {"tags": ["a"], "sitemap": {"priority": 0.4, "section": "x", "exclude": True}, "title": "Mine"}
    )
    assert extend(docs, "deep/none/a.md", sitemap=False).values["sitemap"] is False


def test_files_can_have_another_name(docs: Path) -> None:
    (docs / "deep/all.yml").write_text("sitemap: false\n", "utf-8")
    assert extend(docs, "deep/a.md", "[{meta: {meta_file: all.yml}}]") == FrontMatter({"sitemap": False})


@pytest.mark.parametrize("name", ['"a\\0"', "3", "[a]"])
def test_an_invalid_file_name_is_refused(docs: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^mkdocs\.yml: meta_file must be the name of a file, not "):
        extend(docs, "a.md", f"[{{meta: {{meta_file: {name}}}}}]")


def test_a_file_outside_inherits_nothing(docs: Path) -> None:
    assert extend(docs, f"{docs.parent}/a.md", title="Mine") == FrontMatter({"title": "Mine"})


def test_a_file_that_is_not_yaml_is_a_problem_of_its_pages(docs: Path) -> None:
    (docs / "deep/.meta.yml").write_text("a: [\n", "utf-8")
    found = extend(docs, "deep/a.md", title="Mine")
    assert found.values["title"] == "Mine"
    assert found.problem.startswith(f"{Path('deep/.meta.yml')} cannot be used: it cannot be read as YAML")
    assert not extend(docs, "a.md").problem


@pytest.mark.parametrize("plugins", ["[search]", "[]", "[[meta]]", "[{meta: {enabled: false}}]"])
def test_without_the_plugin_nothing_is_inherited(docs: Path, plugins: str) -> None:
    (docs.parent / "mkdocs.yml").write_text(f"plugins: {plugins}\n", "utf-8")
    assert read_meta_files(read_configuration(str(docs.parent))) is None
