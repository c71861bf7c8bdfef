"""The examples of the manual: each bad one breaks its rule and no other, each good one breaks none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.findings.catalogue import explain
from tests.check.examples import complete
from tests.check.sites import IN_FOLDERS, SNAPSHOT, find, report_examples


@pytest.mark.parametrize("rule", IN_FOLDERS)
def test_the_bad_example_of_a_rule_breaks_this_rule_only(tmp_path: Path, rule: str) -> None:
    findings = find(tmp_path, complete(explain(rule).bad))
    assert rule in [each.rule for each in findings]
    assert {each.rule for each in findings if each.level != "info"} <= {rule}


@pytest.mark.parametrize("rule", IN_FOLDERS)
def test_the_good_example_of_a_rule_breaks_none(tmp_path: Path, rule: str) -> None:
    findings = find(tmp_path, complete(explain(rule).good))
    assert [each for each in findings if each.level != "info" or each.rule == rule] == []


def test_the_reports_about_the_bad_examples_stay_the_same() -> None:
    assert report_examples() == SNAPSHOT.read_text(encoding="utf-8"), (
        "if the change is intended, run python -m tests.check.sites and read the diff"
    )
