"""Text for people, XML and logs: characters that control how it is shown, escaping, and words of messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Final

_SHOWN: Final = 200
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})

CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML forbids or no text needs: control characters, lone surrogates, noncharacters (SM-XML-05)."""

# The following patterns are compiled only where they are needed.
# Control characters and line ends, embeddings and overrides of the direction (UAX #9), deprecated format characters,
# annotations, lone surrogates, noncharacters, and invisible tags except those in the flag of a region.
_DISPLAY_CONTROLS: Final = (
    "(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)|(?P<isolate>[\u2066-\u2069])|"
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u206a-\u206f\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e00ff]"
)
# GitHub Actions obeys "::" at the beginning of a line, and MkDocs wraps long lines, so any word may be there. GitHub
# and Azure Pipelines obey "##[" anywhere in a line, Azure also "##vso[", and TeamCity "##teamcity[". They compare text
# by the rules of a language, which ignore invisible characters. All of those are neither letters nor ASCII.
_IGNORED: Final = r"[^\w\s\x00-\x7f]"
_COMMAND: Final = rf"(?<![\w\x21-\x7e]):(?={_IGNORED}*+:)|#(?={_IGNORED}*+#(?:\w|{_IGNORED})*+\[)"


def one_line(text: str, length: int = 2048) -> str:
    """The text on one line, without characters that control its display (SM-XML-05), cut after a word if too long."""
    line = _without_display_controls(text)
    if len(line) <= length:
        return line
    return _without_display_controls(line[: length + 1].rsplit(" ", 1)[0][:length])


def _without_display_controls(text: str) -> str:
    """The words of the text with single spaces, without characters that control how it is shown."""
    return " ".join(_replace_display_controls(" ".join(text.split()), lambda _: "").split())


def printable(text: str) -> str:
    """The text as one line for a log or a terminal, without anything that would act as a command there.

    Control characters, line ends, characters that change the direction of the text after them, and the first character
    of a command for a CI service are escaped. Letters, joiners, marks of right-to-left languages and emoji stay.
    Applying this again changes nothing.
    """
    shown = _replace_display_controls(text, lambda char: char.encode("unicode_escape", "surrogatepass").decode())
    if "::" in shown or "##" in shown or not shown.isascii():
        return re.sub(_COMMAND, lambda found: f"\\x{ord(found[0]):x}", shown)
    return shown


def _replace_display_controls(text: str, instead: Callable[[str], str]) -> str:
    """Replace every character that controls how the text is shown; isolates stay if they are in pairs."""
    if text.isascii() and text.isprintable():
        return text
    lone = _lone_isolates(text)

    def replace(found: re.Match[str]) -> str:
        is_kept = found.lastgroup == "flag" or (found.lastgroup == "isolate" and found.start() not in lone)
        return found[0] if is_kept else instead(found[0])

    return re.sub(_DISPLAY_CONTROLS, replace, text)


def _lone_isolates(text: str) -> set[int]:
    """The positions of directional isolates that begin but do not end, or end but did not begin (UAX #9, BD9)."""
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
    """Escape text for XML (SM-XML-04)."""
    # Most text needs no escaping, and checking this is much faster than `translate`.
    if "&" in text or "'" in text or "<" in text or ">" in text or '"' in text:
        return text.translate(_ESCAPES)
    return text


def replace_parts(content: bytes, parts: Iterable[tuple[int, int, bytes]]) -> bytes:
    """The content with other bytes in place of parts of it; each part has its start and end, in order."""
    pieces: list[bytes] = []
    done = 0
    for start, end, replacement in parts:
        pieces += [content[done:start], replacement]
        done = end
    return b"".join([*pieces, content[done:]])


def most_common(counts: Counter[str]) -> str:
    """The text that is counted most; empty if none is. A tie goes to the first in the alphabet."""
    return max(sorted(counts), key=lambda each: counts[each], default="")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the name that was probably meant, else all valid names, if any."""
    if not (known := list(known)):
        return ""
    close = closest(name, known)
    return f"; did you mean '{close}'?" if close else f"; valid names are {join_words(known)}"


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; None if none is similar."""
    import difflib

    return next(iter(difflib.get_close_matches(name, sorted(known), n=1)), None)


def short_repr(value: object) -> str:
    """The ``repr`` of any value, shortened for a message."""
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than Python converts to text
        return "a huge number"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def join_words(words: Iterable[object], last: str = "and") -> str:
    """Join words as in ``a, b and c``."""
    *most, end = [str(word) for word in words]
    return f"{', '.join(most)} {last} {end}" if most else end


def join_first(words: Sequence[object], number: int, noun: str = "") -> str:
    """Join the first words and how many more there are, as in ``a, b and 3 more``; ``noun`` is what the others are."""
    others = len(words) - number
    return join_words([*words[:number], *([f"{others:,} more {plural(others, noun)}".rstrip()] if others > 0 else [])])


def plural(number: int, noun: str) -> str:
    """The noun, if there is one, as it follows this number."""
    return f"{noun}s" if noun and number != 1 else noun


def count_of(number: int, noun: str) -> str:
    """The number with its noun, as in ``1,200 pages``."""
    return f"{number:,} {plural(number, noun)}"


def first_of(sentences: Sequence[str], number: int, total: int | None = None) -> list[str]:
    """The first sentences, and how many more there are; ``total`` is the number of all, if these are not all."""
    shown = sentences[:number]
    more = (len(sentences) if total is None else total) - len(shown)
    return [*shown, *([f"  and {more:,} more"] if more > 0 else [])]


def and_more_pages(number: int) -> str:
    """The end of a sentence about one page that is also true of ``number`` others."""
    return f" (and {number:,} more {plural(number, 'page')})" if number else ""


def count_reasons(reasons: Iterable[str], nouns: Container[str] = ()) -> list[str]:
    """How many times each reason occurs, as in ``2 drafts`` or ``2 excluded``, in alphabetical order."""
    counted = sorted(Counter(reasons).items())
    return [f"{number:,} {plural(number, each) if each in nouns else each}" for each, number in counted]


def table(
    rows: Sequence[Sequence[str]], words: int, *, width: int | None = None, has_headings: bool = False
) -> list[str]:
    """A line for each row, with aligned columns: the first ``words`` columns are text, the others are numbers.

    If a line is wider than ``width``, each row is a block of lines, with the headings if the first row has them.
    """
    from rich.cells import cell_len  # 2 ms, which `sitemap-plugins --help` need not wait

    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*shown, strict=True)]
    lines = []
    for row in shown:
        blanks = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        left = [cell + blank for cell, blank in zip(row[:words], blanks, strict=False)]
        right = [blank + cell for cell, blank in zip(row[words:], blanks[words:], strict=True)]
        lines.append("  ".join(left + right).rstrip())
    is_wide = width is not None and any(cell_len(line) > width for line in lines)
    return [*_blocks(shown, has_headings=has_headings)] if is_wide else lines


def _blocks(rows: Sequence[Sequence[str]], *, has_headings: bool) -> Iterator[str]:
    """The cells below each other, all but the first one indented; without headings, only the last one is below."""
    for row in rows[has_headings:]:
        named = [f"{heading}: {cell}" for heading, cell in zip(rows[0], row, strict=True) if cell]
        first, *others = named if has_headings else ["  ".join(row[:-1]), row[-1]]
        yield first.rstrip()
        yield from (f"  {each}" for each in others if each)
