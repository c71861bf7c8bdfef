"""Each mistake that the benchmark seeds into a site is one finding, and the site without any has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import load_program
from tests.check.sites import find

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
