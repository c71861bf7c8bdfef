"""The manual says what the code does."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sitemap_plugins.diff.redirect_tools import TOOLS, ToolKind
from sitemap_plugins.options.settings import PageValues, Settings
from tests.builders import load_program

DOCS = Path(__file__).parent.parent / "docs"
GENERATOR = load_program(DOCS / "generate.py")


def test_each_option_has_a_section() -> None:
    lines = (DOCS / "options.md").read_text(encoding="utf-8").splitlines()
    sections = [line.removeprefix("### ").strip("`") for line in lines if line.startswith("### ")]
    assert sorted(sections) == sorted(field.name for field in msgspec.structs.fields(Settings))


def test_the_pages_that_are_made_from_the_source_are_up_to_date() -> None:
    pages = GENERATOR.pages()
    stale = [page for page, text in pages.items() if (DOCS / page).read_text(encoding="utf-8") != text]
    stale += {file.relative_to(DOCS).as_posix() for file in DOCS.glob("*/*.md")} - {*pages}
    assert stale == [], "run python -m nox -s reference"


@pytest.mark.parametrize("name", PageValues.__struct_fields__)
def test_every_value_of_front_matter_is_explained(name: str) -> None:
    assert f"\n| `{name}` | " in (DOCS / "front-matter.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", TOOLS.values(), ids=TOOLS)
def test_every_redirect_tool_is_in_the_manual(kind: ToolKind) -> None:
    rows = [line.split(" | ") for line in (DOCS / "diff.md").read_text(encoding="utf-8").splitlines()]
    found = [row[1] for row in rows if row[0].strip("| `").lower() == kind.name]
    assert [f"`{kind.plugin or kind.extension or kind.name}`" in place for place in found] == [True]


def test_every_link_of_the_manual_leads_somewhere() -> None:
    root = DOCS.parent
    for page in [*root.glob("*.md"), *DOCS.rglob("*.md")]:
        for target in _relative_links(page.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            assert file.exists(), f"{page.name} links to {target}"
            if anchor:
                assert anchor in GENERATOR.headings(file.read_text(encoding="utf-8")), f"{page.name} links to {target}"


def _relative_links(text: str) -> list[str]:
    targets = [part.partition(")")[0] for part in text.split("](")[1:]]
    return [target for target in targets if not target.startswith("http")]
