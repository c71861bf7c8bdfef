"""Every rule of the manual's table has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROW = re.compile(r"^\| (?P<rule>[A-Z]+(?:-[A-Z]+)?-\d\d) \| (?P<what>.+?) \| (?P<files>`.+`) \|$", re.MULTILINE)
TABLE = (TESTS.parent / "docs/rules.md").read_text(encoding="utf-8")
RULES = [(match["rule"], re.findall(r"`([^`]+)`", match["files"])) for match in ROW.finditer(TABLE)]


def test_every_line_of_the_table_is_a_rule_once() -> None:
    lines = [line for line in TABLE.splitlines() if line.startswith("|") and not line.startswith(("| rule", "| ---"))]
    assert len(lines) == len(RULES) == len({rule for rule, _ in RULES})


@pytest.mark.parametrize(("rule", "files"), RULES, ids=[rule for rule, _ in RULES])
def test_the_tests_that_prove_it_name_it(rule: str, files: list[str]) -> None:
    for file in files:
        text = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"(?<![\w-]){rule}(?!\d)", text), f"{file} does not name {rule}"
