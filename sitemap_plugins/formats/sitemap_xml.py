"""The XML sitemap (sitemaps.org protocol 0.9) with Google's extensions, one line for each URL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, Self, TypeAlias, TypeVar

import msgspec

from sitemap_plugins.model import Alternate, Entry, LastMod
from sitemap_plugins.options import Settings
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.text import escape

if TYPE_CHECKING:
    from sitemap_plugins.extensions import Image, News, Restriction, Video

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
_TAIL: Final = "</urlset>\n"
_PIECE: Final = 200  # URLs that are encoded and written at once: some 20 kB, with the links of many languages 400 kB

_T = TypeVar("_T")


class Style(msgspec.Struct, frozen=True):
    """How sitemaps are written: the form of dates, the spaces an element is further in than its parent, the schemas."""

    lastmod_format: Form = "datetime"
    indent: int = 0
    schema_location: bool = False

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The style that the options ask for."""
        return cls(settings.lastmod_format, settings.indent, settings.schema_location)


PLAIN: Final = Style()


class SitemapWriter:
    """Writes entries in one style, and tells how many bytes each of them takes.

    Every URL has a line of its own; with an indent, every element has one. The children are in the order of the schema:
    loc, lastmod, changefreq, priority, extensions (SM-XML-06). The texts of dates and of the links of a cluster are
    remembered, because many entries share them.
    """

    def __init__(self, style: Style = PLAIN) -> None:
        self._style = style
        before = " " * style.indent
        self._between = "\n" + before * 2 if style.indent else ""
        self._start = f"{before}<url>{self._between}<loc>"
        self._end = (f"\n{before}" if before else "") + "</url>\n"
        self._dates: dict[LastMod, str] = {}
        self._links: dict[int, tuple[Sequence[Alternate], str]] = {}

    def render(self, entries: Sequence[Entry]) -> Iterator[bytes]:
        """The whole file piece by piece, UTF-8 without a byte order mark (SM-XML-01 to SM-XML-09)."""
        yield self._head(entries).encode()
        lines = self._lines(entries)
        while piece := "".join(islice(lines, _PIECE)):
            yield piece.encode()
        yield _TAIL.encode()
        # Files have few dates and no cluster in common.
        self._dates.clear()
        self._links.clear()

    def sizes(self, entries: Iterable[Entry]) -> list[int]:
        """The bytes that each entry takes, whichever others are in the file."""
        return [len(line) if line.isascii() else len(line.encode()) for line in self._lines(entries)]

    def frame_size(self, entries: Sequence[Entry]) -> int:
        """The bytes of the file besides those of the entries; only the namespaces that these use are declared."""
        return len(self._head(entries)) + len(_TAIL)

    def _head(self, entries: Sequence[Entry]) -> str:
        extended = [entry for entry in entries if entry.alternates or entry.images or entry.videos or entry.news]
        namespaces = [
            (prefix, namespace) for name, prefix, namespace in _EXTENSIONS if any(map(attrgetter(name), extended))
        ]
        return render_head("urlset", namespaces, self._style)

    def _lines(self, entries: Iterable[Entry]) -> Iterator[str]:
        start, between, end, dates = self._start, self._between, self._end, self._dates
        for entry in entries:
            line = f"{start}{escape(entry.loc)}</loc>"
            if (lastmod := entry.lastmod) is not None:
                # Equal moments in other time zones are not written alike, so only those in UTC are remembered.
                if getattr(lastmod, "tzinfo", None) is not UTC:
                    line += self._render_date(lastmod)
                else:
                    line += dates.get(lastmod) or dates.setdefault(lastmod, self._render_date(lastmod))
            if entry.changefreq is not None:
                line += f"{between}<changefreq>{entry.changefreq}</changefreq>"
            if entry.priority is not None:
                line += f"{between}<priority>{decimal(entry.priority)}</priority>"
            if entry.alternates:
                line += self._links_of(entry.alternates)
            if entry.images or entry.videos or entry.news:
                line += "".join(between + element for element in _render_extensions(entry))
            yield line + end

    def _render_date(self, lastmod: LastMod) -> str:
        return f"{self._between}<lastmod>{format_lastmod(lastmod, self._style.lastmod_format)}</lastmod>"

    def _links_of(self, alternates: Sequence[Alternate]) -> str:
        """The links to all languages, by far the longest part of an entry; the pages of a cluster share one tuple."""
        known = self._links.get(id(alternates))
        if known is None:
            # The tuple is kept too: while it exists, no other has its id.
            known = alternates, "".join(self._between + render_alternate(each) for each in alternates)
            self._links[id(alternates)] = known
        return known[1]


def render_head(root: str, namespaces: Iterable[tuple[str, str]], style: Style) -> str:
    """What stands before the first child of the root element."""
    declared = "".join(f' xmlns:{prefix}="{namespace}"' for prefix, namespace in namespaces)
    if style.schema_location:
        declared += f' xmlns:xsi="{_XSI}" xsi:schemaLocation="{NAMESPACE} {_SCHEMAS[root]}"'
    start = f'<{root} xmlns="{NAMESPACE}"{declared}>\n'
    before = " " * style.indent
    return f"{DECLARATION}{start}{before}{MARK}\n" if style.indent else f"{DECLARATION}{MARK}\n{start}"


def render_alternate(alternate: Alternate, prefix: str = "xhtml:") -> str:
    """One link to a page in a language (HL-01)."""
    return f'<{prefix}link rel="alternate" hreflang="{escape(alternate.hreflang)}" href="{escape(alternate.href)}"/>'


def decimal(number: float) -> str:
    """Never in scientific notation, which the schema's decimal does not know; four places at most, one at least.

    A zero has no sign.
    """
    text = f"{number:z.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _render_extensions(entry: Entry) -> Iterator[str]:
    """The elements of all extensions but the links to alternates, in order."""
    yield from render_images(entry.images)
    yield from map(render_video, entry.videos)
    if entry.news:
        yield render_news(entry.news)


def render_images(images: Iterable[Image]) -> Iterator[str]:
    """Each image as an element of its own (Google, "Image sitemaps"); all but its URL is retired, and never written."""
    for image in images:
        yield f"<image:image>{_element('image:loc', image.loc)}</image:image>"


def render_video(video: Video) -> str:
    """One video (Google, "Video sitemaps"), its children in the order of the schema, which is a sequence (SM-XML-06).

    Retired, and never written, are category, gallery_loc, price, tvshow and content_segment_loc.
    """
    return f"<video:video>{''.join(_video_elements(video))}</video:video>"


def _video_elements(video: Video) -> Iterator[str]:
    yield _element("video:thumbnail_loc", video.thumbnail_loc)
    yield _element("video:title", video.title)
    yield _element("video:description", video.description)
    yield _optional("video:content_loc", video.content_loc, escape)
    yield _optional("video:player_loc", video.player_loc, escape)
    yield _optional("video:duration", video.duration, str)
    yield _optional("video:expiration_date", video.expiration_date, _date)
    yield _optional("video:rating", video.rating, "{:z.1f}".format)
    yield _optional("video:view_count", video.view_count, str)
    yield _optional("video:publication_date", video.publication_date, _date)
    for tag in video.tags:
        yield _element("video:tag", tag)
    yield _optional("video:family_friendly", video.family_friendly, _yes_or_no)
    yield _restriction("video:restriction", video.restriction)
    yield _optional("video:requires_subscription", video.requires_subscription, _yes_or_no)
    info = {"info": video.uploader_info} if video.uploader_info else {}
    yield _optional("video:uploader", video.uploader, escape, **info)
    yield _restriction("video:platform", video.platform)
    yield _optional("video:live", video.live, _yes_or_no)


def render_news(news: News) -> str:
    """The news of a page (Google, "News sitemaps"); retired, and never written, are keywords, genres and the like."""
    publication = _element("news:name", news.name) + _element("news:language", news.language)
    return (
        f"<news:news><news:publication>{publication}</news:publication>"
        f"<news:publication_date>{_date(news.publication_date)}</news:publication_date>"
        f"{_element('news:title', news.title)}</news:news>"
    )


def _element(name: str, text: str) -> str:
    return _optional(name, text, escape)


def _optional(name: str, value: _T | None, form: Callable[[_T], str], **attributes: str) -> str:
    """The element with the value in its form, or nothing where the value is not known."""
    if value is None:
        return ""
    written = "".join(f' {attribute}="{escape(text)}"' for attribute, text in attributes.items())
    return f"<{name}{written}>{form(value)}</{name}>"


def _restriction(name: str, restriction: Restriction | None) -> str:
    """Countries or platforms, with a space between two."""
    if restriction is None:
        return ""
    return _optional(name, " ".join(restriction.values), escape, relationship=restriction.relationship)


def _date(moment: LastMod) -> str:
    return format_lastmod(moment, "datetime")


def _yes_or_no(value: bool) -> str:  # noqa: FBT001  # it is the value that is written
    return "yes" if value else "no"
