"""The characters that no text for people has, and XML cannot hold."""

from __future__ import annotations

import re
from typing import Final

CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no text in XML may hold, or nobody means: control characters, halves of pairs, non-characters (SM-XML-05)."""


def one_line(text: str, length: int = 2048) -> str:
    """The text on one line, without control characters (SM-XML-05), and cut after a word where it is too long."""
    words = (CONTROL.sub("", word) for word in text.split())
    line = " ".join(filter(None, words))
    return line if len(line) <= length else line[: length + 1].rsplit(" ", 1)[0][:length]
