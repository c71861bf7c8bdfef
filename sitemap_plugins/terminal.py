"""What the commands print, so that every terminal and pipe can show it."""

from __future__ import annotations

import sys


def printable(text: str) -> str:
    """The text with escapes for what the terminal or pipe cannot show, or would obey, such as odd names of files."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode() for char in text
    )
    return shown.encode(encoding, "backslashreplace").decode(encoding)
