"""Every rule in the manual's table has a test that names it, and every rule that the source names is in the table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sitemap_plugins.pages.omit import REASONS
from sitemap_plugins.rules import KINDS

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
