"""No level of a note changes unnoticed (a warning fails a strict build), and every rule has a test that names it."""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import sitemap_plugins
from sitemap_plugins.pages.omit import REASONS
from sitemap_plugins.rules import KINDS, explain, level_of

WARNINGS = {
    *("option", "front-matter", "future-date", "duplicate-url", "invalid-url", "depends-on"),
    *("hook", "base-url", "lost-pages", "alternates", "language-code", "x-default"),
    *("language-pages", "canonical-version", "catalogue", "limit", "unread", "page-list"),
    *("unwritable", "robots-blocks-sitemap", "robots-encoding"),
}


MODULES = Path(sitemap_plugins.__file__).parent.rglob("*.py")
NODES = [node for module in MODULES for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))]


def texts_in_the_source() -> Iterator[str]:
    """Every string in the package, with an ellipsis for each inserted value."""
    for node in NODES:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


TEXTS = [*texts_in_the_source()]


def test_each_kind_of_note_has_its_level() -> None:
    assert {kind for kind in KINDS if level_of(kind, {}) == "warning"} == WARNINGS
    assert {kind for kind in KINDS if level_of(kind, {}) == "ignore"} == {"undated"}


def test_used_kinds_are_declared_and_declared_kinds_are_used() -> None:
    notes = [node for node in NODES if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note"]
    kinds = [keyword.value for note in notes for keyword in note.keywords if keyword.arg == "kind"]
    used = {getattr(kind, "value", None) for kind in kinds if getattr(kind, "id", "") != "NO_PROBLEM"}
    assert used == set(KINDS)  # None is not a literal


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_explained_in_one_sentence(kind: str) -> None:
    assert KINDS[kind].meaning[0].isupper() or KINDS[kind].meaning.startswith("git")
    assert KINDS[kind].meaning.endswith(".")


def test_all_kinds_are_explained_in_the_same_order() -> None:
    assert [*tomllib.loads(files("sitemap_plugins").joinpath("rules.toml").read_text(encoding="utf-8"))] == [*KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_the_manual_says_why_a_kind_matters_and_how_to_fix_it(kind: str) -> None:
    explained = explain(kind)
    for text in (explained.why, explained.fix):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith(".")
        assert text.count("`") % 2 == 0
    assert explained.log


@pytest.mark.parametrize("kind", KINDS)
def test_the_search_words_of_a_kind_occur_in_a_message(kind: str) -> None:
    for words in explain(kind).log:
        pattern = re.compile(".*".join(re.escape(part.strip()) for part in words.split("…")))
        assert any(pattern.search(text) for text in TEXTS), f"no message has {words!r}: correct it in rules.toml"


@pytest.mark.parametrize("level", ["ignore", "info", "warning"])
def test_the_author_sets_the_level(level: str) -> None:
    assert level_of("shallow", {"shallow": level}) == level
    assert level_of("no-git", {"shallow": level}) == "info"


TESTS = Path(__file__).parent
ROW = re.compile(r"^\| (?P<rule>[A-Z]+(?:-[A-Z]+)?-\d\d) \| (?P<what>.+?) \| (?P<files>`.+`) \|$", re.MULTILINE)
TABLE = (TESTS.parent / "docs/rules.md").read_text(encoding="utf-8")
RULES = [(match["rule"], re.findall(r"`([^`]+)`", match["files"])) for match in ROW.finditer(TABLE)]
KNOWN = {rule for rule, _ in RULES}
MENTION = re.compile(r"(?<![\w-])(?:SM-[A-Z]+|HL|CAN|RB|VER|PRE)-\d\d(?!\d)")
SOURCE = TESTS.parent / "sitemap_plugins"


def test_each_line_of_the_table_is_a_different_rule() -> None:
    lines = [line for line in TABLE.splitlines() if line.startswith("|") and not line.startswith(("| rule", "| ---"))]
    assert len(lines) == len(RULES) == len({rule for rule, _ in RULES})


@pytest.mark.parametrize(("rule", "files"), RULES, ids=[rule for rule, _ in RULES])
def test_the_tests_of_a_rule_name_it(rule: str, files: list[str]) -> None:
    for file in files:
        text = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"(?<![\w-]){rule}(?!\d)", text), f"{file} does not name {rule}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_note_implements_rules_in_the_table(kind: str) -> None:
    rules = KINDS[kind].rules
    assert set(rules) <= KNOWN
    assert len(rules) == len(set(rules))


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_to_leave_a_page_out_implements_rules_in_the_table(reason: str) -> None:
    rules = REASONS[reason].rules
    assert set(rules) <= KNOWN
    assert len(rules) == len(set(rules))


def test_every_rule_that_the_source_names_is_in_the_table() -> None:
    modules = SOURCE.rglob("*.py")
    named = {rule: file.name for file in modules for rule in MENTION.findall(file.read_text(encoding="utf-8"))}
    assert "SM-LOC-03" in named
    assert {rule: file for rule, file in named.items() if rule not in KNOWN} == {}
