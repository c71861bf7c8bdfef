"""Write links to translations and feeds into a page's head, as one marked block that later runs replace."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html.head import FEED_TYPES, markup_of, parse_head
from sitemap_plugins.model import Alternate, FeedLink
from sitemap_plugins.values.text import escape, replace_parts

_BEGIN: Final = b"<!-- links: sitemap-plugins -->"
_END: Final = b"<!-- end of links -->"
_NO_LINK: Final = re.compile(rb"<(?!link )")


class OwnLinksError(ValueError):
    """The page has hreflang links from a theme or another tool, and two sets would contradict each other."""


def remove_links(page: bytes) -> bytes:
    """The page without the blocks of earlier runs: two comments with only ``link`` elements between them."""
    blocks: list[tuple[int, int, bytes]] = []
    begin, end = page.find(_BEGIN), -1
    while begin >= 0:
        after = begin + len(_BEGIN)
        end = end if end >= after else page.find(_END, after)
        if end < 0:
            break
        if not _NO_LINK.search(page, after, end):
            after = end + len(_END)
            after += page[after : after + 1] == b"\n"
            blocks.append((begin, after, b""))
        begin = page.find(_BEGIN, after)
    return replace_parts(page, blocks) if blocks else page


def insert_links(page: bytes, alternates: Iterable[Alternate], feeds: Collection[FeedLink] = ()) -> bytes:
    """The page with these links before the end of its head; a page without a head gets none.

    A block from an earlier run is removed. A feed that the page links to itself, by any URL, is not linked again. Every
    other byte stays as it is, in any encoding that contains ASCII. Raises `OwnLinksError`.
    """
    # One character per byte is enough, because only ASCII is searched for.
    html = remove_links(page).decode("latin-1")
    links = [f'<link rel="alternate" hreflang="{each.hreflang}" href="{escape(each.href)}">' for each in alternates]
    document, end, _ = parse_head(html)
    if links and markup_of(document, html).hreflang:
        raise OwnLinksError
    own = _linked_feeds(document) if feeds else ()
    links += [
        f'<link rel="alternate" type="{each.media_type}" title="{_ascii(each.title)}" href="{escape(each.href)}">'
        for each in feeds
        if _file_name(each.href) not in own
    ]
    if links and end < len(html):
        html = "\n".join((html[:end] + _BEGIN.decode(), *links, _END.decode(), html[end:]))
    return html.encode("latin-1")


def _linked_feeds(document: LexborHTMLParser) -> set[str]:
    links = [node.attributes for node in document.tags("link")]
    feeds = [each for each in links if (each.get("type") or "").strip().lower() in FEED_TYPES]
    return {_file_name((each.get("href") or "").strip()) for each in feeds}


def _file_name(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[2]


def _ascii(text: str) -> str:
    """Text for an attribute, encoded so that it is the same in every encoding."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")
