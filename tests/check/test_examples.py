"""Each example and each seeded mistake breaks its rule and no other, and what is right breaks none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.findings.catalogue import explain
from tests.builders import load_program
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


CHECKERS = load_program(Path(__file__).parents[2] / "benchmarks" / "checkers.py")


def problems_of(files: dict[str, str], folder: Path) -> list[str]:
    found = find(folder, {path: content.encode() for path, content in files.items()}, with_project=False)
    return [each.rule for each in found if each.level != "info"]


def test_the_clean_site_has_no_errors_and_no_warnings(tmp_path: Path) -> None:
    assert problems_of(CHECKERS.clean(), tmp_path) == []


@pytest.mark.parametrize("mistake", [*CHECKERS.LITERATURE, *CHECKERS.SITES])
def test_each_mistake_is_one_finding(mistake: str, tmp_path: Path) -> None:
    files = CHECKERS.clean()
    {**CHECKERS.LITERATURE, **CHECKERS.SITES}[mistake](files)
    assert len(problems_of(files, tmp_path)) == 1
