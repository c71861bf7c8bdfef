"""The XML sitemap (sitemaps.org protocol 0.9), one line for each URL: a changed page is a changed line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from sitemap_plugins.model import Entry, Sitemap
from sitemap_plugins.w3c_date import format_lastmod

SIZE_LIMIT: Final = 52_428_800
"""The most bytes a sitemap may have, uncompressed, closing tag included (sitemaps.org protocol; SM-LIM-02)."""

MARK: Final = "<!-- written by sitemap-plugins -->"
"""By this a file of ours is told from an author's, whatever its name."""

_HEAD: Final = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n{MARK}\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)
_TAIL: Final = "</urlset>\n"
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})


def render_sitemap(sitemap: Sitemap, lastmod_format: Literal["datetime", "date"] = "datetime") -> bytes:
    """The whole file, UTF-8 without a byte order mark (SM-XML-01 to SM-XML-09)."""
    lines = (_render_entry(entry, lastmod_format) for entry in sitemap.entries)
    return "".join((_HEAD, *lines, _TAIL)).encode()


def _render_entry(entry: Entry, lastmod_format: Literal["datetime", "date"]) -> str:
    return f"<url>{''.join(_elements(entry, lastmod_format))}</url>\n"


def _elements(entry: Entry, lastmod_format: Literal["datetime", "date"]) -> Iterator[str]:
    """The children in the order of the schema: loc, lastmod, changefreq, priority (SM-XML-06)."""
    yield f"<loc>{entry.loc.translate(_ESCAPES)}</loc>"
    if entry.lastmod is not None:
        yield f"<lastmod>{format_lastmod(entry.lastmod, lastmod_format)}</lastmod>"
    if entry.changefreq is not None:
        yield f"<changefreq>{entry.changefreq}</changefreq>"
    if entry.priority is not None:
        yield f"<priority>{_decimal(entry.priority)}</priority>"


def _decimal(number: float) -> str:
    """Never in scientific notation, which the schema's decimal does not know; four places at most, one at least."""
    text = f"{number:.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
