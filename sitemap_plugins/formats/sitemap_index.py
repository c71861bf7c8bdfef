"""The sitemap index (sitemaps.org protocol 0.9, "Using Sitemap index files"): which sitemaps there are, and how new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sitemap_plugins.formats.sitemap_xml import PLAIN, Style, escape, render_head
from sitemap_plugins.output import Sitemap, SitemapIndex
from sitemap_plugins.w3c_date import format_lastmod

_TAIL: Final = "</sitemapindex>\n"


def render_index(index: SitemapIndex, style: Style = PLAIN) -> Iterator[bytes]:
    """The whole file piece by piece: for each sitemap its address, and how new its newest entry is (SM-IDX-03/04)."""
    for piece in (render_head("sitemapindex", (), style), *_lines(index.sitemaps, style), _TAIL):
        yield piece.encode()


def index_frame_size(style: Style = PLAIN) -> int:
    """The bytes of an index besides those of the sitemaps that it lists."""
    return len(render_head("sitemapindex", (), style)) + len(_TAIL)


def index_sizes(sitemaps: Iterable[Sitemap], style: Style = PLAIN) -> Iterator[int]:
    """The bytes that each sitemap takes in an index."""
    return (len(line.encode()) for line in _lines(sitemaps, style))


def _lines(sitemaps: Iterable[Sitemap], style: Style) -> Iterator[str]:
    before, between = (" " * style.indent, "\n" + " " * 2 * style.indent) if style.indent else ("", "")
    after = f"\n{before}" if style.indent else ""
    for sitemap in sitemaps:
        line = f"{before}<sitemap>{between}<loc>{escape(sitemap.url)}</loc>"
        if sitemap.newest is not None:
            line += f"{between}<lastmod>{format_lastmod(sitemap.newest, style.lastmod_format)}</lastmod>"
        yield f"{line}{after}</sitemap>\n"
