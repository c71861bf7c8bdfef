"""The page for troubleshooting quotes messages as the build log has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sitemap_plugins.rules import explain

PAGE = Path(__file__).parent.parent / "docs" / "troubleshooting.md"


def quoting_blocks() -> list[str]:
    """The paragraphs, bullets and rows that quote the log and link to a kind of message."""
    text = re.sub(r"^```.*?^```", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    blocks = [re.sub(r"\s+", " ", block) for block in re.split(r"\n(?=\n|\| |\* )", text)]
    return [block for block in blocks if "](messages.md#" in block and '"' in block]


@pytest.mark.parametrize("block", quoting_blocks())
def test_the_words_are_those_of_a_message_of_that_kind(block: str) -> None:
    quotes = re.findall(r'"([^"]+)"', block)
    words = [words for kind in re.findall(r"\]\(messages\.md#([\w-]+)\)", block) for words in explain(kind).log]
    patterns = [".*".join(map(re.escape, each.split("…"))) for each in words]
    assert any(re.search(pattern, quote) for pattern in patterns for quote in quotes), words


def test_there_are_many_of_them() -> None:
    assert len(quoting_blocks()) > 25
