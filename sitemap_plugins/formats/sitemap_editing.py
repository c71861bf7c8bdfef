"""A sitemap's hreflang links replaced in its bytes: whatever else is in the file stays as its author wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from xml.parsers.expat import XMLParserType

import msgspec

from sitemap_plugins.formats.sitemap_reading import (
    CHILD_DEPTH,
    FIELDS,
    LINK,
    LOC,
    URL,
    WHITE_SPACE,
    SitemapError,
    check_urlset,
    create_parser,
    encoding_of,
    hreflang_link,
    parse,
)
from sitemap_plugins.formats.sitemap_xml import XHTML, render_alternate
from sitemap_plugins.model import Alternate

# Exact in what the parser has accepted: a quoted value may have ">", and nothing else may.
_START_TAG: Final = re.compile(rb"<[^\"'>]*+(?:(?:\"[^\"]*+\"|'[^']*+')[^\"'>]*+)*+>")
_OWN_LINE: Final = re.compile(rb"(?:\r\n|\n|\r)[ \t]*\Z")
_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_WHITE_BYTES: Final = WHITE_SPACE.encode()


class _Element(msgspec.Struct, frozen=True):
    """Where an element begins, and where the parser was when it ended: before its end tag, where it has one."""

    start: int
    closing: int


class _Change(msgspec.Struct, frozen=True):
    """One ``url`` whose links are to be others; they are to follow the last of ``fields``."""

    fields: list[_Element]
    links: list[_Element]
    alternates: tuple[Alternate, ...]


class _Edit(NamedTuple):
    start: int
    end: int
    replacement: bytes


def replace_alternates(content: bytes, alternates: Mapping[str, tuple[Alternate, ...]]) -> bytes:
    """The file with exactly these hreflang links in every ``url`` whose loc is a key, and none for an empty tuple.

    They follow loc, lastmod, changefreq and priority (SM-XML-06), each on a line of its own where those have one. A
    ``url`` that has these links already stays as it is, wherever they are; so replacing again changes nothing.
    Raises `SitemapError`, also where the file is not UTF-8 or XML has no way to write a link.
    """
    encoding = encoding_of(content)
    if encoding != "UTF-8":
        raise SitemapError(f"is encoded as {encoding}; save it as UTF-8")
    parser = create_parser()
    scanner = _Scanner(parser, alternates)
    parse(parser, content)
    editor = _Editor(content, *_prefix(scanner.root_prefixes, scanner.rebound))
    return b"".join(_apply(content, editor.edits(scanner.root, scanner.changes)))


class _Scanner:
    """What the parser calls, to find the changes that are to be made. It knows offsets and never sees the bytes."""

    def __init__(self, parser: XMLParserType, alternates: Mapping[str, tuple[Alternate, ...]]) -> None:
        self.changes: list[_Change] = []
        self.root = 0
        self.root_prefixes: dict[str, str | None] = {}
        self.rebound: set[str] = set()
        self._parser = parser
        self._wanted = alternates
        self._depth = 0
        self._text: list[str] = []
        self._start = 0
        self._forget(in_url=False)
        parser.StartNamespaceDeclHandler = self._bind
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append

    def _forget(self, *, in_url: bool) -> None:
        self._in_url = in_url
        self._loc: str | None = None
        self._fields: list[_Element] = []
        self._pairs: list[tuple[str, str | None]] = []
        self._links: list[_Element] = []
        self._in_link = False

    def _bind(self, prefix: str | None, namespace: str | None) -> None:
        """Is called before the element that binds the prefix; the default namespace has none."""
        if self._depth == 0:
            self.root_prefixes[prefix or ""] = namespace
        elif namespace != XHTML:
            self.rebound.add(prefix or "")

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == CHILD_DEPTH:
            self._start = self._parser.CurrentByteIndex
            if name in FIELDS:
                self._text.clear()
            elif name == LINK:
                code, href = hreflang_link(attributes)
                self._in_link = code is not None
                if code is not None:
                    self._pairs.append((code, href))
        elif self._depth == CHILD_DEPTH - 1:
            self._forget(in_url=name == URL)
        elif self._depth == 1:
            check_urlset(name)
            self.root = self._parser.CurrentByteIndex

    def _end(self, name: str) -> None:
        if self._depth == CHILD_DEPTH:
            if name in FIELDS:
                self._fields.append(_Element(self._start, self._parser.CurrentByteIndex))
                if name == LOC and self._loc is None:
                    self._loc = "".join(self._text).strip(WHITE_SPACE)
            elif self._in_link:
                self._links.append(_Element(self._start, self._parser.CurrentByteIndex))
                self._in_link = False
        elif self._depth == CHILD_DEPTH - 1 and self._in_url:
            self._compare()
        self._depth -= 1

    def _compare(self) -> None:
        wanted = self._wanted.get(self._loc) if self._loc else None
        if wanted is not None and self._pairs != [_pair(alternate) for alternate in wanted]:
            self.changes.append(_Change(self._fields, self._links, wanted))


def _pair(alternate: Alternate) -> tuple[str, str]:
    """The alternate as it is read back."""
    return alternate.hreflang.strip(WHITE_SPACE), alternate.href.strip(WHITE_SPACE)


def _prefix(root: Mapping[str, str | None], rebound: set[str]) -> tuple[str, bytes]:
    """The prefix for new links, with its colon, and what the root element's start tag lacks for it.

    A prefix that means something else further down is of no use.
    """
    for prefix in sorted(root, reverse=True):
        if root[prefix] == XHTML and prefix not in rebound:
            return f"{prefix}:" if prefix else "", b""
    taken = rebound | root.keys()
    names = (f"xhtml{number or ''}" for number in range(len(taken) + 1))
    free = next(name for name in names if name not in taken)
    return f"{free}:", f' xmlns:{free}="{XHTML}"'.encode()


class _Editor:
    """What makes edits of changes, which takes the bytes."""

    def __init__(self, content: bytes, prefix: str, declaration: bytes) -> None:
        self._content = content
        self._prefix = prefix
        self._declaration = declaration
        # All pages of a cluster share their alternates.
        self._rendered: dict[tuple[int, bytes], bytes] = {}

    def edits(self, root: int, changes: list[_Change]) -> Iterator[_Edit]:
        """In the order of the file, ready to be applied."""
        if self._declaration and any(change.alternates for change in changes):
            end = root + len(_start_tag(self._content, root).rstrip(b"/>" + _WHITE_BYTES))
            yield _Edit(end, end, self._declaration)
        for change in changes:
            yield from sorted(self._edits(change))

    def _edits(self, change: _Change) -> Iterator[_Edit]:
        if change.alternates:
            end = _after(self._content, change.fields[-1])
            yield _Edit(end, end, self._links(change.alternates, self._indentation(change)))
        for link in change.links:
            yield _Edit(_before(self._content, link.start), _after(self._content, link), b"")

    def _indentation(self, change: _Change) -> bytes:
        """The line break and the white space before the nearest field on a line of its own; empty where none is."""
        for element in (*reversed(change.fields), *change.links[:1]):
            before = self._content[_before(self._content, element.start) : element.start]
            if own_line := _OWN_LINE.search(before):
                return own_line[0]
        return b""

    def _links(self, alternates: tuple[Alternate, ...], separator: bytes) -> bytes:
        key = id(alternates), separator
        if key not in self._rendered:
            self._rendered[key] = b"".join(separator + self._link(*_pair(alternate)) for alternate in alternates)
        return self._rendered[key]

    def _link(self, code: str, href: str) -> bytes:
        if _UNWRITABLE.search(code + href):
            raise SitemapError(f"cannot list the alternate {code!r} {href!r}: it has characters that XML cannot carry")
        return render_alternate(Alternate(hreflang=code, href=href), self._prefix).encode()


def _before(content: bytes, start: int) -> int:
    """Where the white space before an element begins, which goes with it."""
    while content[start - 1] in _WHITE_BYTES:
        start -= 1
    return start


def _after(content: bytes, element: _Element) -> int:
    """Where an element has ended, its end tag included."""
    tag = _start_tag(content, element.start)
    return element.start + len(tag) if tag.endswith(b"/>") else content.index(b">", element.closing) + 1


def _start_tag(content: bytes, start: int) -> bytes:
    return _START_TAG.match(content, start)[0]  # type: ignore[index]  # the parser saw one there


def _apply(content: bytes, edits: Iterable[_Edit]) -> Iterator[bytes]:
    done = 0
    for edit in edits:
        yield content[done : edit.start]
        yield edit.replacement
        done = edit.end
    yield content[done:]
