"""Sitemaps as XML with Google's extensions, one line for each URL, indexes of them, and text (sitemaps.org 0.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Self, TypeVar

import msgspec

from sitemap_plugins.model import Alternate, Entry, LastMod, Sitemap
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.values.dates import DateStyle, format_lastmod
from sitemap_plugins.values.text import escape

if TYPE_CHECKING:
    from sitemap_plugins.media import Image, News, Restriction, Video

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML: Final = "http://www.w3.org/1999/xhtml"
"""The namespace of the links to alternates (Google, "Tell Google about localized versions of your page")."""

AUTHOR: Final = "written by sitemap-plugins"
MARK: Final = f"<!-- {AUTHOR} -->"
"""The comment that tells our files from an author's, whatever their names."""

GENERATOR: Final = "sitemap-plugins"
"""What a page names as its generator that is ours as a whole."""

DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'

IMAGE: Final = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO: Final = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS: Final = "http://www.google.com/schemas/sitemap-news/0.9"

# The field of an entry, the prefix and the namespace, in the order of the declarations.
_EXTENSIONS: Final = (
    ("alternates", "xhtml", XHTML),
    ("images", "image", IMAGE),
    ("videos", "video", VIDEO),
    ("news", "news", NEWS),
)
_XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
_SCHEMAS: Final = {"urlset": f"{NAMESPACE}/sitemap.xsd", "sitemapindex": f"{NAMESPACE}/siteindex.xsd"}
_PIECE: Final = 200  # URLs that are encoded and written at once: about 20 kB, or 400 kB with links to many languages

_T = TypeVar("_T")

_CHUNK: Final = 1000  # URLs, about 100 kB


class Style(msgspec.Struct, frozen=True):
    """The style of sitemaps: the form of dates, the indent in spaces, and whether they name their schemas."""

    lastmod_format: DateStyle = "datetime"
    indent: int = 0
    schema_location: bool = False

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The style that the options set."""
        return cls(settings.lastmod_format, settings.indent, settings.schema_location)


PLAIN: Final = Style()


class SitemapWriter:
    """Writes entries in one style, and measures the bytes of each.

    Each URL is on a separate line; with an indent, each element is. The children are in the order of the schema:
    loc, lastmod, changefreq, priority, extensions (SM-XML-06). The text of the links of a cluster is cached, because
    its entries share it. ``root`` and ``child`` are the names of the elements of the file and of an entry.
    """

    def __init__(self, style: Style = PLAIN, *, root: str = "urlset", child: str = "url") -> None:
        self._style = style
        self._root = root
        # What is before the URL of a child of the root element, between the elements in the child, and after them.
        before = " " * style.indent
        line = f"\n{before}" if style.indent else ""
        self._start, self._between, self._end = (
            f"{before}<{child}>{line}{before}<loc>",
            line + before,
            f"{line}</{child}>\n",
        )
        self._links: dict[int, tuple[Sequence[Alternate], str]] = {}

    def render(self, entries: Sequence[Entry]) -> Iterator[bytes]:
        """Render the file, in pieces, as UTF-8 without a byte order mark (SM-XML-01 to SM-XML-09)."""
        yield self._head(entries).encode()
        lines = self._lines(entries)
        while piece := "".join(islice(lines, _PIECE)):
            yield piece.encode()
        yield self._tail.encode()
        self._links.clear()  # files share no cluster

    def sizes(self, entries: Iterable[Entry]) -> list[int]:
        """The bytes of each entry, which do not depend on the others in the file."""
        return [len(line) if line.isascii() else len(line.encode()) for line in self._lines(entries)]

    def frame_size(self, entries: Sequence[Entry]) -> int:
        """The bytes of a file around these entries; it declares only the namespaces that they use."""
        return len(self._head(entries)) + len(self._tail)

    @property
    def _tail(self) -> str:
        return f"</{self._root}>\n"

    def _head(self, entries: Sequence[Entry]) -> str:
        """The beginning of a file, up to the first child of the root element."""
        extended = [entry for entry in entries if entry.alternates or entry.images or entry.videos or entry.news]
        used = [each for each in _EXTENSIONS if any(map(attrgetter(each[0]), extended))]
        declared = "".join(f' xmlns:{prefix}="{namespace}"' for _, prefix, namespace in used)
        if self._style.schema_location:
            declared += f' xmlns:xsi="{_XSI}" xsi:schemaLocation="{NAMESPACE} {_SCHEMAS[self._root]}"'
        start = f'<{self._root} xmlns="{NAMESPACE}"{declared}>\n'
        before = " " * self._style.indent
        return f"{DECLARATION}{start}{before}{MARK}\n" if before else f"{DECLARATION}{MARK}\n{start}"

    def _lines(self, entries: Iterable[Entry]) -> Iterator[str]:
        start, between, end = self._start, self._between, self._end
        for entry in entries:
            line = f"{start}{escape(entry.loc)}</loc>"
            if entry.lastmod is not None:
                line += f"{between}<lastmod>{format_lastmod(entry.lastmod, self._style.lastmod_format)}</lastmod>"
            if entry.changefreq is not None:
                line += f"{between}<changefreq>{entry.changefreq}</changefreq>"
            if entry.priority is not None:
                line += f"{between}<priority>{decimal(entry.priority)}</priority>"
            if entry.alternates:
                line += self._links_of(entry.alternates)
            if entry.images or entry.videos or entry.news:
                line += "".join(between + element for element in _render_extensions(entry))
            yield line + end

    def _links_of(self, alternates: Sequence[Alternate]) -> str:
        """The links to all languages, by far the longest part of an entry; the pages of a cluster share one tuple."""
        known = self._links.get(id(alternates))
        if known is None:
            # The tuple is kept too: while it exists, no other object has its id.
            known = alternates, "".join(self._between + render_alternate(each) for each in alternates)
            self._links[id(alternates)] = known
        return known[1]


class IndexWriter:
    """Writes indexes: each sitemap with its URL and its newest date (SM-IDX-03, SM-IDX-04), as `SitemapWriter` does."""

    def __init__(self, style: Style = PLAIN) -> None:
        self._writer = SitemapWriter(style, root="sitemapindex", child="sitemap")

    def render(self, sitemaps: Iterable[Sitemap]) -> Iterator[bytes]:
        """Render the file, in pieces."""
        return self._writer.render([Entry(loc=sitemap.url, lastmod=sitemap.newest) for sitemap in sitemaps])

    def sizes(self, sitemaps: Iterable[Sitemap]) -> list[int]:
        """The bytes that each sitemap takes in an index."""
        return self._writer.sizes(Entry(loc=sitemap.url, lastmod=sitemap.newest) for sitemap in sitemaps)

    def frame_size(self, _: Sequence[Sitemap] = ()) -> int:
        """The bytes of an index around its sitemaps, which do not depend on these."""
        return self._writer.frame_size(())


def render_alternate(alternate: Alternate, prefix: str = "xhtml:") -> str:
    """One link to a page in a language (HL-01)."""
    return f'<{prefix}link rel="alternate" hreflang="{escape(alternate.hreflang)}" href="{escape(alternate.href)}"/>'


def decimal(number: float) -> str:
    """The number with one to four decimal places, never in scientific notation, which the schema does not allow.

    A zero has no sign.
    """
    text = f"{number:z.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _render_extensions(entry: Entry) -> Iterator[str]:
    """The elements of all extensions except the links to alternates, in order."""
    yield from render_images(entry.images)
    yield from map(render_video, entry.videos)
    if entry.news:
        yield render_news(entry.news)


def render_images(images: Iterable[Image]) -> Iterator[str]:
    """The element of each image (Google, "Image sitemaps"). Everything except the URL is retired and never written."""
    for image in images:
        yield f"<image:image>{_element('image:loc', image.loc)}</image:image>"


def render_video(video: Video) -> str:
    """The element of a video (Google, "Video sitemaps"), with its children in the order of the schema (SM-XML-06).

    The retired elements category, gallery_loc, price, tvshow and content_segment_loc are never written.
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
    """The news element of a page (Google, "News sitemaps"), without retired elements such as keywords and genres."""
    publication = _element("news:name", news.name) + _element("news:language", news.language)
    return (
        f"<news:news><news:publication>{publication}</news:publication>"
        f"<news:publication_date>{_date(news.publication_date)}</news:publication_date>"
        f"{_element('news:title', news.title)}</news:news>"
    )


def _element(name: str, text: str) -> str:
    return _optional(name, text, escape)


def _optional(name: str, value: _T | None, form: Callable[[_T], str], **attributes: str) -> str:
    if value is None:
        return ""
    written = "".join(f' {attribute}="{escape(text)}"' for attribute, text in attributes.items())
    return f"<{name}{written}>{form(value)}</{name}>"


def _restriction(name: str, restriction: Restriction | None) -> str:
    if restriction is None:
        return ""
    return _optional(name, " ".join(restriction.values), escape, relationship=restriction.relationship)


def _date(moment: LastMod) -> str:
    return format_lastmod(moment, "datetime")


def _yes_or_no(value: bool) -> str:  # noqa: FBT001  # the value to write
    return "yes" if value else "no"


def render_text(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Render the file, in pieces: UTF-8, one absolute URL per line, no header (SM-TXT-01, SM-TXT-02)."""
    lines = (f"{entry.loc}\n" for entry in entries)
    while chunk := "".join(islice(lines, _CHUNK)):
        yield chunk.encode()
