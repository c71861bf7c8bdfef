"""The translations in a gettext catalogue (a ``.po`` file), whatever tools do to the rest of it.

The header, references, other comments, line wrapping, the order of messages and untranslated messages change whenever a
tool rewrites the file. Readers see none of that. They see translations that are neither fuzzy nor obsolete, and fuzzy
ones if the site shows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

Message: TypeAlias = tuple[bytes | None, bytes, bytes | None]
"""The key of a translation: msgctxt, msgid and msgid_plural."""

_Fields: TypeAlias = dict[bytes, list[bytes]]  # the pieces of each keyword's text, in file order

_BOM: Final = b"\xef\xbb\xbf"
# The escapes that Babel replaces; it leaves all others as they are.
_ESCAPE: Final = re.compile(rb'\\[\\"nrt]')
_ESCAPED: Final = {rb"\\": b"\\", rb"\"": b'"', rb"\n": b"\n", rb"\r": b"\r", rb"\t": b"\t"}
_REFERENCE: Final = re.compile(rb"\n#:[^\r\n]*+")
_FIRST: Final = (b"msgctxt", b"msgid")
_SOURCE: Final = frozenset((*_FIRST, b"msgid_plural"))
# The keywords that may follow each keyword in a message. Plural forms are counted instead.
_NEXT: Final[Mapping[bytes, tuple[bytes, ...]]] = {
    b"": _FIRST,
    b"msgctxt": (b"msgid",),
    b"msgid": (b"msgid_plural", b"msgstr"),
    b"msgid_plural": (b"msgstr[0]",),
    b"msgstr": _FIRST,
}


class CatalogueError(ValueError):
    """The file is not a catalogue; the message says what is wrong, and in which line."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")


def shown_messages(content: bytes, *, fuzzy: bool = False) -> Mapping[Message, tuple[bytes, ...]]:
    """The messages of a catalogue, each with all msgstr that readers see: none if it is untranslated, many for plurals.

    Fuzzy messages count as untranslated unless ``fuzzy`` is set. The header and obsolete messages are left out. Texts
    are bytes in the encoding of the catalogue. If a message is there twice, the first one counts, as in Babel. Raises
    `CatalogueError`.
    """
    messages: dict[Message, tuple[bytes, ...]] = {}
    for fields, is_fuzzy in _entries(content):
        texts = {keyword: _unescaped(b"".join(pieces)) for keyword, pieces in fields.items()}
        message = (texts.pop(b"msgctxt", None), texts.pop(b"msgid"), texts.pop(b"msgid_plural", None))
        is_shown = any(texts.values()) and (fuzzy or not is_fuzzy)
        messages.setdefault(message, tuple(texts.values()) if is_shown else ())
    return {message: texts for message, texts in messages.items() if message[1]}


def is_visible_change(before: bytes, after: bytes, *, fuzzy: bool = False) -> bool:
    """Whether readers see a difference between two versions of a catalogue, in fuzzy messages too if ``fuzzy`` is set.

    They do not if a message is gone, because tools remove it only after the documents have lost it. All changes count
    if the parts that differ cannot be read.
    """
    # Apart from references, most changes concern a few messages, so reading only these is several times faster.
    first, second = ((_REFERENCE.sub(b"", content) + b"\n").split(b'"\n\n') for content in (before, after))
    try:
        old, new = (
            shown_messages(b"".join(part + b'"\n' for part in parts if part not in others) + end, fuzzy=fuzzy)
            for (*parts, end), others in ((first, {*second}), (second, {*first}))
        )
    except CatalogueError:
        return True
    return any(texts != old.get(message, ()) for message, texts in new.items())


def _entries(content: bytes) -> Iterator[tuple[_Fields, bool]]:
    """The texts of each message that is not obsolete, and whether it is fuzzy."""
    fields: _Fields = {}
    last = b""
    is_fuzzy = False
    # A comment ends the message before it; the comment added here ends the last message.
    for number, line in enumerate([*map(bytes.strip, content.removeprefix(_BOM).splitlines()), b"#"], 1):
        if line.startswith(b"#"):
            if fields:
                if not last.startswith(b"msgstr"):
                    raise CatalogueError(number, "the message before it has no msgstr")
                yield fields, is_fuzzy
                fields, last, is_fuzzy = {}, b"", False
            is_fuzzy = _is_fuzzy(line, before=is_fuzzy)
        elif line:
            keyword, text = _keyword_and_text(number, line)
            if keyword in _FIRST and last.startswith(b"msgstr"):
                yield fields, is_fuzzy
                fields, last, is_fuzzy = {}, b"", False
            if keyword:
                if keyword not in (_NEXT.get(last) or (_next_form(fields),)):
                    raise CatalogueError(number, f"{_quoted(keyword)} does not belong here")
                last = keyword
                fields[last] = [text]
            elif last:
                fields[last].append(text)
            else:
                raise CatalogueError(number, "a text without a keyword")


def _keyword_and_text(number: int, line: bytes) -> tuple[bytes, bytes]:
    """The text before the first quote of a line, and the text in quotes."""
    keyword, _, text = line.partition(b'"')
    # Unescaped quotes within a text do no harm, neither here nor in Babel.
    if text.endswith(b'"') and (len(text) - len(text[:-1].rstrip(b"\\"))) % 2:
        return keyword.rstrip(), text[:-1]
    raise CatalogueError(number, f"neither a comment nor a whole text in double quotes: {_quoted(line)}")


def _is_fuzzy(comment: bytes, *, before: bool) -> bool:
    """Whether the message after a comment is fuzzy. The flags of an obsolete message apply only to itself."""
    if comment.startswith(b"#,"):
        return before or b"fuzzy" in map(bytes.strip, comment[2:].split(b","))
    return before and not comment.startswith(b"#~")


def _next_form(fields: _Fields) -> bytes:
    """The keyword of the plural form that follows the existing ones."""
    return b"msgstr[%d]" % (len(fields) - len(fields.keys() & _SOURCE))


def _quoted(line: bytes) -> str:
    return repr(line[:60].decode(errors="replace"))


def _unescaped(text: bytes) -> bytes:
    return _ESCAPE.sub(lambda match: _ESCAPED[match[0]], text) if b"\\" in text else text
