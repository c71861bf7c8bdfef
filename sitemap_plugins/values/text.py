"""Text for people, for XML and for logs: what steers a reader instead of being read, escapes, and words of messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

_SHOWN: Final = 200
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})

CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no text in XML may hold, or nobody means: control characters, halves of pairs, non-characters (SM-XML-05)."""

# Patterns for text that is not plain are compiled where there is some.
# Control characters and ends of lines, embeddings and overrides of the direction (UAX #9), deprecated marks of format,
# annotations, halves of pairs, non-characters, and invisible tags, but for those that make the flag of a region.
_STEERING: Final = (
    "(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)|(?P<isolate>[\u2066-\u2069])|"
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u206a-\u206f\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e00ff]"
)
# GitHub Actions obeys "::" where a line begins, and MkDocs wraps long lines, so that any word may begin one. GitHub and
# Azure Pipelines obey "##[" anywhere in a line, Azure "##vso[" besides, and TeamCity "##teamcity[". They compare by the
# rules of a language, which pass over invisible characters; these are among those that are no letters and not ASCII.
_IGNORED: Final = r"[^\w\s\x00-\x7f]"
_COMMAND: Final = rf"(?<![\w\x21-\x7e]):(?={_IGNORED}*+:)|#(?={_IGNORED}*+#(?:\w|{_IGNORED})*+\[)"


def one_line(text: str, length: int = 2048) -> str:
    """The text on one line, without what steers a reader (SM-XML-05), and cut after a word where it is too long."""
    line = _unsteered(text)
    if len(line) <= length:
        return line
    return _unsteered(line[: length + 1].rsplit(" ", 1)[0][:length])


def _unsteered(text: str) -> str:
    """The words of the text with a space between two, without control characters and all else that steers."""
    return " ".join(_steer(" ".join(text.split()), lambda _: "").split())


def printable(text: str) -> str:
    """The text as one line of a log or a terminal, in which nothing is obeyed by what shows it.

    Control characters and ends of lines, characters that change the direction of what follows, and the first character
    of what a CI service takes for a command become escapes. Letters, joiners, marks of right-to-left languages and
    emoji stay. Making it printable again changes nothing.
    """
    shown = _steer(text, _escaped)
    if "::" in shown or "##" in shown or not shown.isascii():
        return re.sub(_COMMAND, lambda found: f"\\x{ord(found[0]):x}", shown)
    return shown


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode()


def _steer(text: str, instead: Callable[[str], str]) -> str:
    """The text with something else instead of every character that would steer a reader; isolates stay in pairs."""
    if text.isascii() and text.isprintable():
        return text
    lone = _lone_isolates(text)

    def replace(found: re.Match[str]) -> str:
        is_kept = found.lastgroup == "flag" or (found.lastgroup == "isolate" and found.start() not in lone)
        return found[0] if is_kept else instead(found[0])

    return re.sub(_STEERING, replace, text)


def _lone_isolates(text: str) -> set[int]:
    """Where a part with a direction of its own begins and does not end, or ends and has not begun (UAX #9, BD9)."""
    begun: list[int] = []
    lone: set[int] = set()
    for found in re.finditer("[\u2066-\u2069]", text):
        if found[0] != "\u2069":
            begun.append(found.start())
        elif begun:
            begun.pop()
        else:
            lone.add(found.start())
    return lone.union(begun)


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
    return f"; did you mean '{close}'?" if close else f"; valid names are {join_words(known)}"


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
    return f" (and {number} more page{'s' if number > 1 else ''})" if number else ""
