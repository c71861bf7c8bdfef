"""Text for people, for XML and for terminals: control characters, escapes, and the wording of messages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Final

_SHOWN: Final = 200
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})

CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no text in XML may hold, or nobody means: control characters, halves of pairs, non-characters (SM-XML-05)."""


def one_line(text: str, length: int = 2048) -> str:
    """The text on one line, without control characters (SM-XML-05), and cut after a word where it is too long."""
    words = (CONTROL.sub("", word) for word in text.split())
    line = " ".join(filter(None, words))
    return line if len(line) <= length else line[: length + 1].rsplit(" ", 1)[0][:length]


def printable(text: str) -> str:
    """The text with escapes for what the terminal or pipe cannot show, or would obey, such as odd names of files."""
    if text.isascii() and text.isprintable():  # as nearly always
        return text
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text
    )
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def escape(text: str) -> str:
    """Text as it is written into XML (SM-XML-04)."""
    # Most text needs no escape, and to look for one is much cheaper than to translate.
    if "&" in text or "'" in text or "<" in text or ">" in text or '"' in text:
        return text.translate(_ESCAPES)
    return text


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that nobody knows: the one that was probably meant, else all that exist."""
    known = list(known)
    close = closest(name, known)
    return f"; did you mean '{close}'?" if close else f"; the names are {join_words(known)}"


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant."""
    import difflib

    return next(iter(difflib.get_close_matches(name, sorted(known), n=1)), None)


def short_repr(value: object) -> str:
    """What was written, as it can be shown: shortened, and whatever it is."""
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than Python turns into text
        return "a huge number"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def join_words(words: Iterable[object], last: str = "and") -> str:
    """``a, b and c``."""
    *most, end = [str(word) for word in words]
    return f"{', '.join(most)} {last} {end}" if most else end


def and_more_pages(number: int) -> str:
    """The end of a sentence on one page that is true of so many others."""
    return f" (and so {number} more page{'s' if number > 1 else ''})" if number else ""
