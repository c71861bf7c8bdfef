"""The text sitemap: UTF-8, one URL per line, no other content (SM-TXT-01, SM-TXT-02)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.sitemap_xml import render_text
from sitemap_plugins.model import Alternate, Entry

LOC = "https://example.org/"

paths = st.text(st.sampled_from("abc019-._~%20/?&=+'()!*,;:@"))


def test_the_whole_file() -> None:
    """SM-TXT-01, SM-TXT-02: every line is an unescaped URL and ends with a line feed."""
    listed = [
        Entry(loc=LOC, lastmod=date(2026, 3, 1), priority=0.5, alternates=(Alternate(hreflang="en", href=LOC),)),
        Entry(loc=f"{LOC}a?b=1&c='2'"),
        Entry(loc=f"{LOC}%C3%BC/"),
    ]
    assert b"".join(render_text(listed)) == (
        b"https://example.org/\nhttps://example.org/a?b=1&c='2'\nhttps://example.org/%C3%BC/\n"
    )


@pytest.mark.parametrize(("number", "chunks"), [(0, 0), (1000, 1), (1001, 2)])
def test_pieces_contain_whole_lines(number: int, chunks: int) -> None:
    listed = [Entry(loc=f"{LOC}{each}/") for each in range(number)]
    pieces = [*render_text(iter(listed))]
    assert len(pieces) == chunks
    assert [piece for piece in pieces if not piece.endswith(b"\n")] == []
    assert b"".join(pieces).decode("ascii").splitlines() == [entry.loc for entry in listed]


@given(st.lists(paths.map(LOC.__add__), max_size=20))
def test_output_is_read_back_unchanged(locs: list[str]) -> None:
    """SM-TXT-01, SM-TXT-02: no byte order mark, no header, no empty line, the given order."""
    text = b"".join(render_text(Entry(loc=loc) for loc in locs)).decode("utf-8")
    assert text.split("\n") == [*locs, ""]
