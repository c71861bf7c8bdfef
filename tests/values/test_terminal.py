"""What is printed can be shown by every terminal and pipe."""

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.values.text import printable


def stdout(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


@pytest.mark.parametrize(
    ("encoding", "text", "shown"),
    [
        ("utf-8", "docs/a b.md: é 文", "docs/a b.md: é 文"),
        ("ascii", "docs/é.md", r"docs/\xe9.md"),
        ("latin-1", "é 文", r"é \u6587"),
        ("utf-8", "a\nb\tc\r", r"a\nb\tc\r"),
        ("utf-8", "\x1b[31mred", r"\x1b[31mred"),
        ("utf-8", "a\udcffb", r"a\udcffb"),
        ("utf-8", "\u202egpj.md", r"\u202egpj.md"),
        ("utf-8", "a\u2028b\x85", r"a\u2028b\x85"),
    ],
)
def test_what_cannot_be_shown_or_would_be_obeyed_is_escaped(
    monkeypatch: pytest.MonkeyPatch, encoding: str, text: str, shown: str
) -> None:
    monkeypatch.setattr(sys, "stdout", stdout(encoding))
    assert printable(text) == shown


def test_where_no_encoding_is_known_it_is_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert printable("é") == r"\xe9"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
@given(st.text())
def test_any_text_is_one_line_that_can_be_printed(monkeypatch: pytest.MonkeyPatch, encoding: str, text: str) -> None:
    monkeypatch.setattr(sys, "stdout", stdout(encoding))
    shown = printable(text)
    assert shown.encode(encoding).decode(encoding) == shown
    assert shown.isprintable()
    assert len(shown.splitlines()) <= 1
