"""The XML sitemap (sitemaps.org protocol 0.9), one line for each URL: a changed page is a changed line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from sitemap_plugins.model import Alternate, Entry, Sitemap
from sitemap_plugins.w3c_date import format_lastmod

SIZE_LIMIT: Final = 52_428_800
"""The most bytes a sitemap may have, uncompressed, closing tag included (sitemaps.org protocol; SM-LIM-02)."""

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML: Final = "http://www.w3.org/1999/xhtml"
"""The namespace of the links to the alternates (Google, "Tell Google about localized versions of your page")."""

AUTHOR: Final = "written by sitemap-plugins"
MARK: Final = f"<!-- {AUTHOR} -->"
"""By this a file of ours is told from an author's, whatever its name."""

_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_START: Final = f'<urlset xmlns="{NAMESPACE}"'
_TAIL: Final = "</urlset>\n"
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&apos;", '"': "&quot;"})


def render_sitemap(
    sitemap: Sitemap, lastmod_format: Literal["datetime", "date"] = "datetime", indent: int = 0
) -> bytes:
    """The whole file, UTF-8 without a byte order mark (SM-XML-01 to SM-XML-09).

    Every URL has a line of its own; with ``indent``, every element has one, and is that many spaces further in than its
    parent.
    """
    before, between = (" " * indent, "\n" + " " * 2 * indent) if indent else ("", "")
    after = f"\n{before}" if indent else ""
    # All pages of a cluster share their alternates, which are by far the longest part of an entry.
    links: dict[int, str] = {}
    lines = []
    for entry in sitemap.entries:
        elements = between.join(("", *_elements(entry, lastmod_format)))
        if entry.alternates:
            key = id(entry.alternates)
            if key not in links:
                links[key] = between.join(("", *map(render_alternate, entry.alternates)))
            elements += links[key]
        lines.append(f"{before}<url>{elements}{after}</url>\n")
    namespaces = f' xmlns:xhtml="{XHTML}"' if links else ""
    mark = f"{before}{MARK}\n"
    head = (
        (_DECLARATION, _START, namespaces, ">\n", mark) if indent else (_DECLARATION, mark, _START, namespaces, ">\n")
    )
    return "".join((*head, *lines, _TAIL)).encode()


def _elements(entry: Entry, lastmod_format: Literal["datetime", "date"]) -> Iterator[str]:
    """The children in the order of the schema: loc, lastmod, changefreq, priority (SM-XML-06)."""
    yield f"<loc>{escape(entry.loc)}</loc>"
    if entry.lastmod is not None:
        yield f"<lastmod>{format_lastmod(entry.lastmod, lastmod_format)}</lastmod>"
    if entry.changefreq is not None:
        yield f"<changefreq>{entry.changefreq}</changefreq>"
    if entry.priority is not None:
        yield f"<priority>{_decimal(entry.priority)}</priority>"


def render_alternate(alternate: Alternate, prefix: str = "xhtml:") -> str:
    """One link to a page in a language (HL-01)."""
    return f'<{prefix}link rel="alternate" hreflang="{escape(alternate.hreflang)}" href="{escape(alternate.href)}"/>'


def escape(text: str) -> str:
    """Text as it is written into XML (SM-XML-04)."""
    return text.translate(_ESCAPES)


def _decimal(number: float) -> str:
    """Never in scientific notation, which the schema's decimal does not know; four places at most, one at least."""
    text = f"{number:.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
