"""Links to a page's translations and to feeds in its own head: one marked block, replaced when it is written again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html.head import FEED_TYPES, parse_head, read_markup
from sitemap_plugins.model import Alternate, FeedLink
from sitemap_plugins.values.text import escape

_BEGIN: Final = "<!-- links: sitemap-plugins -->"
_END: Final = "<!-- end of links -->"
_BLOCK: Final = re.compile(f"{re.escape(_BEGIN)}[^<]*(?:<link [^<]*)*{re.escape(_END)}\n?")


class OwnLinksError(ValueError):
    """The page has hreflang links of its own, of a theme or another tool, and two sets would contradict each other."""


def insert_links(page: bytes, alternates: Iterable[Alternate], feeds: Collection[FeedLink] = ()) -> bytes:
    """The page with these links before the end of its head; without any link, and without a head, with none.

    A feed that the page links itself, by whatever URL, is not linked again. Every other byte stays as it is, whatever
    the encoding, as long as ASCII is a part of it. Raises `OwnLinksError`.
    """
    # One character for each byte: what is looked for is ASCII.
    html = _BLOCK.sub("", page.decode("latin-1"))
    links = [f'<link rel="alternate" hreflang="{each.hreflang}" href="{escape(each.href)}">' for each in alternates]
    if links and read_markup(html).hreflang:
        raise OwnLinksError
    document, end, _ = parse_head(html)
    own = _linked_feeds(document) if feeds else ()
    links += [
        f'<link rel="alternate" type="{each.media_type}" title="{_ascii(each.title)}" href="{escape(each.href)}">'
        for each in feeds
        if _file_name(each.href) not in own
    ]
    if links and end < len(html):
        html = "\n".join((html[:end] + _BEGIN, *links, _END, html[end:]))
    return html.encode("latin-1")


def _linked_feeds(document: LexborHTMLParser) -> set[str]:
    """The names of the files of the feeds that a page links."""
    links = [node.attributes for node in document.tags("link")]
    feeds = [each for each in links if (each.get("type") or "").strip().lower() in FEED_TYPES]
    return {_file_name((each.get("href") or "").strip()) for each in feeds}


def _file_name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _ascii(text: str) -> str:
    """Text for an attribute that is the same in every encoding."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")
