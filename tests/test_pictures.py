"""The pictures of the manual show what the programs print."""

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


def test_every_picture_is_made_by_the_script_or_drawn_by_hand() -> None:
    drawn = {"favicon.svg", "how-it-works.svg"}
    assert {path.name for path in (DOCS / "images").iterdir()} == set(PICTURES.PICTURES) | drawn
