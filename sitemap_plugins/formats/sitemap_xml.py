"""The XML sitemap (sitemaps.org protocol 0.9), one line for each URL: a changed page is a changed line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice, repeat
from operator import add, attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from sitemap_plugins.model import Alternate, Entry, LastMod
from sitemap_plugins.w3c_date import format_lastmod

Form: TypeAlias = Literal["datetime", "date"]

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML: Final = "http://www.w3.org/1999/xhtml"
"""The namespace of the links to the alternates (Google, "Tell Google about localized versions of your page")."""

AUTHOR: Final = "written by sitemap-plugins"
MARK: Final = f"<!-- {AUTHOR} -->"
"""By this a file of ours is told from an author's, whatever its name."""

DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'

IMAGE: Final = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO: Final = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS: Final = "http://www.google.com/schemas/sitemap-news/0.9"

# In the order in which they are declared: the field of an entry, the prefix, the namespace.
_EXTENSIONS: Final = (
    ("alternates", "xhtml", XHTML),
    ("images", "image", IMAGE),
    ("videos", "video", VIDEO),
    ("news", "news", NEWS),
)
_XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
_SCHEMAS: Final = {"urlset": f"{NAMESPACE}/sitemap.xsd", "sitemapindex": f"{NAMESPACE}/siteindex.xsd"}
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})
_EXTENDED: Final = frozenset({"images", "videos", "news"})
_RARE: Final = frozenset({"changefreq", "priority", "alternates", *_EXTENDED})
_TAIL: Final = b"</urlset>\n"
# URLs that are written at once: some 60 kB. What is asked of the system each time, or does not fit beside the entries
# into the processor's cache, takes longer.
_LARGE_PIECE: Final = 500
_MANY_DATES: Final = 10_000
_PIECE: Final = 50  # with the alternates of many languages


class Traits(NamedTuple):
    """What is known of all pages of a site, so that nobody looks for it in a million of them each time.

    ``fields`` are those besides ``loc`` and ``lastmod`` that any page may have. ``all_utc`` says that every page has a
    moment in UTC as its date, ``all_literal`` that no ``loc`` has a character that XML escapes.
    """

    fields: frozenset[str] = _RARE
    all_utc: bool = False
    all_literal: bool = False


class Style(NamedTuple):
    """How sitemaps are written: the form of dates, the spaces an element is further in than its parent, the schemas.

    ``traits`` are those of the pages; where they are not known, they are looked for.
    """

    lastmod_format: Form = "datetime"
    indent: int = 0
    schema_location: bool = False
    traits: Traits = Traits()


PLAIN: Final = Style()


def render_sitemap(
    entries: Sequence[Entry], style: Style = PLAIN, dates: dict[datetime, str] | None = None
) -> Iterator[bytes]:
    """The whole file piece by piece, UTF-8 without a byte order mark (SM-XML-01 to SM-XML-09).

    Every URL has a line of its own; with an indent, every element has one. ``dates`` remembers the text of dates for
    the next file in this very style, its traits included.
    """
    fields = _find_fields(entries, style.traits.fields)
    texts = _Texts(style, {} if dates is None else dates)
    yield _head(fields, style)
    size = _PIECE if "alternates" in fields else _LARGE_PIECE
    for start in range(0, len(entries), size):
        columns = _columns(entries[start : start + size], fields, texts)
        yield "".join(_interleave(columns, texts.start)).encode()
    yield _TAIL


def frame_size(entries: Sequence[Entry], style: Style = PLAIN) -> int:
    """The bytes of the file besides those of the entries; only the namespaces that these use are declared."""
    return len(_head(_find_fields(entries, style.traits.fields), style)) + len(_TAIL)


def entry_sizes(entries: Iterable[Entry], style: Style = PLAIN) -> Iterator[int]:
    """The bytes that each entry takes; no more than some hundreds of entries are asked for in advance."""
    texts = _Texts(style, {})
    for piece in _pieces(entries):
        fields = _find_fields(piece, style.traits.fields)
        columns = _columns(piece, fields - {"alternates"}, texts)
        sizes = map(sum, zip(*map(_lengths, columns), strict=False))  # those of constants go on for ever
        if "alternates" in fields:
            sizes = map(add, sizes, [texts.links_size(entry.alternates) for entry in piece])
        yield from sizes


def find_traits(entries: Iterable[Entry]) -> Traits:
    """What is true of all these entries."""
    fields: frozenset[str] = frozenset()
    all_utc = all_literal = True
    for piece in _pieces(entries):
        fields |= _find_fields(piece, _RARE - fields)
        all_utc = all_utc and _are_utc([entry.lastmod for entry in piece])
        all_literal = all_literal and not _needs_escape("".join([entry.loc for entry in piece]))
    return Traits(fields, all_utc, all_literal)


def _pieces(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    iterator = iter(entries)
    while piece := [*islice(iterator, _LARGE_PIECE)]:
        yield piece


def render_head(root: str, namespaces: Iterable[tuple[str, str]], style: Style) -> str:
    """What stands before the first child of the root element."""
    declared = "".join(f' xmlns:{prefix}="{namespace}"' for prefix, namespace in namespaces)
    if style.schema_location:
        declared += f' xmlns:xsi="{_XSI}" xsi:schemaLocation="{NAMESPACE} {_SCHEMAS[root]}"'
    start = f'<{root} xmlns="{NAMESPACE}"{declared}>\n'
    before = " " * style.indent
    return f"{DECLARATION}{start}{before}{MARK}\n" if style.indent else f"{DECLARATION}{MARK}\n{start}"


def _head(fields: Collection[str], style: Style) -> bytes:
    declared = [(prefix, namespace) for name, prefix, namespace in _EXTENSIONS if name in fields]
    return render_head("urlset", declared, style).encode()


def _find_fields(entries: Sequence[Entry], among: Iterable[str]) -> frozenset[str]:
    """Those of the fields that any of the entries has; a priority of 0 is one."""
    return frozenset(name for name in among if _is_used(map(attrgetter(name), entries), name))


def _is_used(values: Iterable[object], name: str) -> bool:
    return any(value is not None for value in values) if name == "priority" else any(values)


class _Texts:
    """What is written for every entry, and for the values that many share: their dates, the alternates of a cluster.

    ``start`` begins an entry, and ``seam`` is what stands between the values of two.
    """

    def __init__(self, style: Style, dates: dict[datetime, str]) -> None:
        before = " " * style.indent
        self.between = "\n" + before * 2 if style.indent else ""
        self.start = f"{before}<url>{self.between}<loc>"
        self.seam = (f"\n{before}" if before else "") + f"</url>\n{self.start}"
        self.traits = style.traits
        self._after_date = "" if style.traits.fields else self.seam
        self._form = style.lastmod_format
        self._dates = dates
        if len(dates) > _MANY_DATES:
            dates.clear()
        self._links: dict[int, str] = {}
        self._sizes: dict[int, int] = {}
        self._sized: list[Iterable[Alternate]] = []  # while they exist, no others are known by the same number

    def dates(self, values: Sequence[LastMod | None]) -> Sequence[str]:
        """For each date its element, with the ends of a row before and after it that `_columns` tells of.

        Equal ones in different time zones are not written alike.
        """
        if not (self.traits.all_utc or _are_utc(values)):
            return [*map(self._date, values)]
        moments = cast("Sequence[datetime]", values)
        try:
            return [*map(self._dates.__getitem__, moments)]
        except KeyError:  # looking for those that are new takes longer than to have none
            self._dates.update((each, self._date(each)) for each in {*moments}.difference(self._dates))
            return [*map(self._dates.__getitem__, moments)]

    def _date(self, value: LastMod | None) -> str:
        element = "" if value is None else f"{self.between}<lastmod>{format_lastmod(value, self._form)}</lastmod>"
        return f"</loc>{element}{self._after_date}"

    def links(self, alternates: Iterable[Alternate]) -> str:
        """By far the longest part of an entry."""
        if (text := self._links.get(id(alternates))) is None:
            text = self._links[id(alternates)] = self._render(alternates)
        return text

    def links_size(self, alternates: Iterable[Alternate]) -> int:
        """The bytes that they take. The links themselves are not kept: those of all clusters are most of a site."""
        if (size := self._sizes.get(id(alternates))) is None:
            size = self._sizes[id(alternates)] = len(self._render(alternates).encode())
            self._sized.append(alternates)
        return size

    def _render(self, alternates: Iterable[Alternate]) -> str:
        return self.between.join(("", *map(render_alternate, alternates)))


def _are_utc(values: Iterable[LastMod | None]) -> bool:
    try:
        return {*map(attrgetter("tzinfo"), values)} == {UTC}
    except AttributeError:  # a day, or no date at all
        return False


def _columns(entries: Sequence[Entry], fields: Collection[str], texts: _Texts) -> Iterator[str | Sequence[str]]:
    """What to write for each entry, part by part: there may be a million, and whole columns are made much faster.

    The children are in the order of the schema: loc, lastmod, changefreq, priority, extensions (SM-XML-06). What is the
    same for all entries is text, and a value that none of them has is no column. A row goes from one ``loc`` to the
    next, so that its last part begins the entry after it. The date is one text with the end of the ``loc``, and with
    that last part where no page has more than a date: fewer parts are put together faster.
    """
    between = texts.between
    locs = [entry.loc for entry in entries]
    yield locs if texts.traits.all_literal or not _needs_escape("".join(locs)) else [*map(escape, locs)]
    yield texts.dates([entry.lastmod for entry in entries])
    if "changefreq" in fields:
        words = map(attrgetter("changefreq"), entries)
        yield ["" if word is None else f"{between}<changefreq>{word}</changefreq>" for word in words]
    if "priority" in fields:
        numbers = map(attrgetter("priority"), entries)
        yield ["" if number is None else f"{between}<priority>{decimal(number)}</priority>" for number in numbers]
    if "alternates" in fields:
        yield [*map(texts.links, map(attrgetter("alternates"), entries))]
    if not _EXTENDED.isdisjoint(fields):
        from sitemap_plugins.formats.extension_xml import render_extensions  # noqa: PLC0415  # few sites have any

        yield [between.join(("", *render_extensions(entry))) for entry in entries]
    if texts.traits.fields:
        yield texts.seam


def _interleave(columns: Iterable[str | Sequence[str]], start: str) -> list[str]:
    """Row by row what was made column by column; each row ends with the ``start`` of the next, the last does not."""
    columns = [*columns]
    parts = [*(column if isinstance(column, str) else "" for column in columns)] * len(columns[0])
    for place, column in enumerate(columns):
        if not isinstance(column, str):
            parts[place :: len(columns)] = column
    parts[0] = start + parts[0]
    parts[-1] = parts[-1].removesuffix(start)
    return parts


def _lengths(column: str | Sequence[str]) -> Iterable[int]:
    if isinstance(column, str):
        return repeat(len(column.encode()))
    return map(len, column if "".join(column).isascii() else map(str.encode, column))


def render_alternate(alternate: Alternate, prefix: str = "xhtml:") -> str:
    """One link to a page in a language (HL-01)."""
    return f'<{prefix}link rel="alternate" hreflang="{escape(alternate.hreflang)}" href="{escape(alternate.href)}"/>'


def escape(text: str) -> str:
    """Text as it is written into XML (SM-XML-04)."""
    return text.translate(_ESCAPES) if _needs_escape(text) else text


def _needs_escape(text: str) -> bool:
    """Whether anything in it has to be; most text has nothing, and looking is the cheapest."""
    return "&" in text or "'" in text or "<" in text or ">" in text or '"' in text


def decimal(number: float) -> str:
    """Never in scientific notation, which the schema's decimal does not know; four places at most, one at least."""
    text = f"{number:.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
