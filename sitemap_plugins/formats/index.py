"""The sitemap index (sitemaps.org protocol 0.9, "Using Sitemap index files"): all sitemaps with their dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sitemap_plugins.formats.sitemap_xml import PLAIN, Style, render_head
from sitemap_plugins.model import Sitemap
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.text import escape

_TAIL: Final = "</sitemapindex>\n"


class IndexWriter:
    """Writes indexes in one style, and measures the bytes of each sitemap in them."""

    def __init__(self, style: Style = PLAIN) -> None:
        self._style = style
        before = " " * style.indent
        self._between = "\n" + before * 2 if style.indent else ""
        self._start = f"{before}<sitemap>{self._between}<loc>"
        self._end = (f"\n{before}" if before else "") + "</sitemap>\n"

    def render(self, sitemaps: Sequence[Sitemap]) -> Iterator[bytes]:
        """Render the file, in pieces: each sitemap with its URL and its newest date (SM-IDX-03, SM-IDX-04)."""
        yield render_head("sitemapindex", (), self._style).encode()
        for sitemap in sitemaps:
            yield self._line(sitemap).encode()
        yield _TAIL.encode()

    def sizes(self, sitemaps: Iterable[Sitemap]) -> list[int]:
        """The bytes that each sitemap takes in an index."""
        return [len(self._line(sitemap).encode()) for sitemap in sitemaps]

    def frame_size(self, sitemaps: Sequence[Sitemap] = ()) -> int:  # noqa: ARG002  # as `SitemapWriter.frame_size`
        """The bytes of an index around its sitemaps, which do not depend on these."""
        return len(render_head("sitemapindex", (), self._style)) + len(_TAIL)

    def _line(self, sitemap: Sitemap) -> str:
        text = f"{self._start}{escape(sitemap.url)}</loc>"
        if sitemap.newest is not None:
            newest = format_lastmod(sitemap.newest, self._style.lastmod_format)
            text += f"{self._between}<lastmod>{newest}</lastmod>"
        return text + self._end
