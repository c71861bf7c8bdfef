"""The pictures of the manual, and the dates at the top of the README, are what the programs print and write."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.builders import load_program

DOCS = Path(__file__).parent.parent / "docs"


PICTURES = load_program(DOCS / "pictures.py")


def characters(text: str) -> str:
    """The text without spaces, because lines are broken in the pictures."""
    return "".join(text.split())


@pytest.mark.parametrize("name", PICTURES.PICTURES)
def test_a_picture_shows_what_is_printed(name: str, tmp_path: Path) -> None:
    printed = PICTURES.PICTURES[name](tmp_path.resolve())
    root = ET.parse(DOCS / "images" / name).getroot()  # noqa: S314  # our own file
    drawn = "".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
    assert characters(drawn) == characters(printed), f"docs/images/{name} is stale: run python -m nox -s pictures"


def test_the_readme_has_the_dates_of_both_builds(tmp_path: Path) -> None:
    shown = PICTURES.PROOF.search(PICTURES.README.read_text(encoding="utf-8"))[0]
    assert shown == PICTURES.proof(tmp_path.resolve()), "README.md is stale: run python -m nox -s pictures"
    assert max(map(len, shown.splitlines())) <= 42, "on a phone, longer lines are cut"


def test_every_picture_is_made_by_the_script_or_drawn_by_hand() -> None:
    drawn = {"favicon.svg", "how-it-works.svg"}
    assert {path.name for path in (DOCS / "images").iterdir()} == set(PICTURES.PICTURES) | drawn
