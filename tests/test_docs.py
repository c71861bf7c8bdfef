"""The manual says what the code does."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sitemap_plugins.options import PageValues, Settings
from sitemap_plugins.rules import KINDS

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("option", [field.name for field in msgspec.structs.fields(Settings)])
def test_every_option_has_a_section(option: str) -> None:
    assert f"\n## `{option}`\n" in (DOCS / "options.md").read_text(encoding="utf-8")


def test_no_section_is_about_an_option_that_does_not_exist() -> None:
    lines = (DOCS / "options.md").read_text(encoding="utf-8").splitlines()
    sections = [line.removeprefix("## ").strip("`") for line in lines if line.startswith("## ")]
    assert sections == [field.name for field in msgspec.structs.fields(Settings)]


def test_the_table_of_messages_is_the_table_of_kinds() -> None:
    rows = [line for line in (DOCS / "messages.md").read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert rows == [f"| `{name}` | {kind.level} | {kind.meaning} |" for name, kind in KINDS.items()]


@pytest.mark.parametrize("name", PageValues.__struct_fields__)
def test_every_value_of_front_matter_is_explained(name: str) -> None:
    assert f"\n| `{name}` | " in (DOCS / "front-matter.md").read_text(encoding="utf-8")


def test_every_link_of_the_manual_leads_somewhere() -> None:
    root = DOCS.parent
    for page in [root / "README.md", root / "CONTRIBUTING.md", *DOCS.glob("*.md")]:
        for target in _relative_links(page.read_text(encoding="utf-8")):
            assert (page.parent / target.partition("#")[0]).exists(), f"{page.name} links to {target}"


def _relative_links(text: str) -> list[str]:
    targets = [part.partition(")")[0] for part in text.split("](")[1:]]
    return [target for target in targets if not target.startswith(("http", "#"))]
