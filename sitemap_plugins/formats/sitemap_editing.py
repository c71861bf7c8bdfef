"""Replace the hreflang links in the bytes of a sitemap; the rest of the file stays as its author wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias
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
from sitemap_plugins.values.text import replace_parts
from sitemap_plugins.values.urls import cut_url

# Exact for everything that the parser accepts: inside a tag, ">" occurs only in quoted values.
_START_TAG: Final = re.compile(rb"<[^\"'>]*+(?:(?:\"[^\"]*+\"|'[^']*+')[^\"'>]*+)*+>")
_OWN_LINE: Final = re.compile(rb"(?:\r\n|\n|\r)[ \t]*\Z")
_UNWRITABLE: Final = re.compile(r"[\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_WHITE_BYTES: Final = WHITE_SPACE.encode()


class _Element(msgspec.Struct, frozen=True):
    """An element: the byte offsets of its start and of its end tag, if there is one, as the parser reports them."""

    start: int
    closing: int


class _ChangedLinks(msgspec.Struct, frozen=True):
    """One ``url`` whose ``links`` are replaced by ``alternates``, after the last of its ``fields``."""

    fields: list[_Element]
    links: list[_Element]
    alternates: tuple[Alternate, ...]


_Edit: TypeAlias = tuple[int, int, bytes]
"""The start and end of a part of the file, and the bytes in its place."""


def replace_alternates(content: bytes, alternates: Mapping[str, tuple[Alternate, ...]]) -> bytes:
    """The file with exactly these hreflang links in every ``url`` whose loc is a key; an empty tuple removes all links.

    They follow loc, lastmod, changefreq and priority (SM-XML-06), each on a separate line if those are. A ``url`` that
    already has these links is not changed, wherever they are; so replacing again changes nothing.
    Raises `SitemapError` if the file is not a sitemap or not UTF-8, or if XML does not allow the characters of a link.
    """
    encoding = encoding_of(content)
    if encoding != "UTF-8":
        raise SitemapError(f"is encoded as {encoding}; save it as UTF-8")
    parser = create_parser()
    scanner = _Scanner(parser, alternates)
    parse(parser, content)
    return replace_parts(content, _edits(content, scanner))


class _Scanner:
    """The handlers of the parser, which find the necessary changes. They work with offsets, not with the bytes."""

    def __init__(self, parser: XMLParserType, alternates: Mapping[str, tuple[Alternate, ...]]) -> None:
        self.changes: list[_ChangedLinks] = []
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
        """Handle a namespace declaration, before the element that has it. The default namespace has no prefix."""
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
                    self._loc = cut_url("".join(self._text).strip(WHITE_SPACE))
            elif self._in_link:
                self._links.append(_Element(self._start, self._parser.CurrentByteIndex))
                self._in_link = False
        elif self._depth == CHILD_DEPTH - 1 and self._in_url:
            wanted = self._wanted.get(self._loc) if self._loc else None
            if wanted is not None and self._pairs != [_pair(alternate) for alternate in wanted]:
                self.changes.append(_ChangedLinks(self._fields, self._links, wanted))
        self._depth -= 1


def _pair(alternate: Alternate) -> tuple[str, str]:
    """The code and URL of the alternate, in the form in which they are read back."""
    return alternate.hreflang.strip(WHITE_SPACE), alternate.href.strip(WHITE_SPACE)


def _prefix(root: Mapping[str, str | None], rebound: set[str]) -> tuple[str, bytes]:
    """The prefix for new links, with its colon, and its declaration if the root element does not have it.

    A prefix that an inner element binds to another namespace cannot be used.
    """
    for prefix in sorted(root, reverse=True):
        if root[prefix] == XHTML and prefix not in rebound:
            return f"{prefix}:" if prefix else "", b""
    taken = rebound | root.keys()
    names = (f"xhtml{number or ''}" for number in range(len(taken) + 1))
    free = next(name for name in names if name not in taken)
    return f"{free}:", f' xmlns:{free}="{XHTML}"'.encode()


def _edits(content: bytes, found: _Scanner) -> Iterator[_Edit]:
    """The edits for the changes found, in the order of the file."""
    prefix, declaration = _prefix(found.root_prefixes, found.rebound)
    if declaration and any(change.alternates for change in found.changes):
        end = found.root + len(_start_tag(content, found.root).rstrip(b"/>" + _WHITE_BYTES))
        yield end, end, declaration
    rendered: dict[tuple[int, bytes], bytes] = {}  # all pages of a cluster share their alternates
    for change in found.changes:
        edits = [(_before(content, link.start), _after(content, link), b"") for link in change.links]
        if change.alternates:
            end = _after(content, change.fields[-1])
            separator = _indentation(content, change)
            key = id(change.alternates), separator
            if key not in rendered:
                rendered[key] = b"".join(separator + _render(each, prefix) for each in change.alternates)
            edits.append((end, end, rendered[key]))
        yield from sorted(edits)


def _indentation(content: bytes, change: _ChangedLinks) -> bytes:
    """The line break and indent of the last field or, failing that, the first link that starts a line, or empty."""
    for element in (*reversed(change.fields), *change.links[:1]):
        if own_line := _OWN_LINE.search(content[_before(content, element.start) : element.start]):
            return own_line[0]
    return b""


def _render(alternate: Alternate, prefix: str) -> bytes:
    code, href = _pair(alternate)
    if _UNWRITABLE.search(code + href):
        raise SitemapError(f"cannot list the alternate {code!r} {href!r}: it has characters that XML does not allow")
    return render_alternate(Alternate(hreflang=code, href=href), prefix).encode()


def _before(content: bytes, start: int) -> int:
    """The start of the white space before an element, which is removed with it."""
    while content[start - 1] in _WHITE_BYTES:
        start -= 1
    return start


def _after(content: bytes, element: _Element) -> int:
    tag = _start_tag(content, element.start)
    return element.start + len(tag) if tag.endswith(b"/>") else content.index(b">", element.closing) + 1


def _start_tag(content: bytes, start: int) -> bytes:
    return _START_TAG.match(content, start)[0]  # type: ignore[index]  # the parser saw one there
