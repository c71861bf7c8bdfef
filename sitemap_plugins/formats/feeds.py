"""Feeds of the pages that changed last, as RSS 2.0 and Atom 1.0, with one line for each page (SM-FEED-01).

A feed has at least one item. Its only dates are those of its items, so that the same pages give the same bytes.
"""

from __future__ import annotations

from datetime import UTC
from email.utils import format_datetime
from typing import TYPE_CHECKING, Final

from sitemap_plugins.formats.sitemap_xml import DECLARATION, MARK
from sitemap_plugins.values.dates import format_lastmod, moment_of
from sitemap_plugins.values.text import escape

if TYPE_CHECKING:
    from sitemap_plugins.model import Feed, FeedItem, LastMod

ATOM: Final = "http://www.w3.org/2005/Atom"

_START: Final = f"{DECLARATION}{MARK}\n"
_HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_PLAIN: Final = str.maketrans({"&": "&#x26;", "<": "&#x3C;", ">": "&#x3E;"})


def is_our_feed(content: bytes) -> bool:
    """Whether this is a feed that `render_rss` or `render_atom` wrote."""
    return content.startswith((f"{_START}<rss ".encode(), f"{_START}<feed ".encode()))


def render_rss(feed: Feed) -> bytes:
    """The feed as RSS 2.0 (RSS Advisory Board, "RSS 2.0 Specification"), with a link to itself, as its profile advises.

    A channel must have a description: it is the title, which is in the language of the site.
    """
    title = _plain(feed.title)
    return (
        f'{_START}<rss version="2.0" xmlns:atom="{ATOM}">\n<channel>\n'
        f"<title>{title}</title>\n"
        f"<link>{escape(feed.home)}</link>\n"
        f"<description>{title}</description>\n"
        f'<atom:link rel="self" type="application/rss+xml" href="{escape(feed.url)}"/>\n'
        f"<lastBuildDate>{rfc_822(_newest(feed))}</lastBuildDate>\n"
        f"{''.join(map(_rss_item, feed.items))}</channel>\n</rss>\n"
    ).encode()


def _rss_item(item: FeedItem) -> str:
    loc = escape(item.loc)
    # Readers interpret only the description as HTML.
    about = f"<description>{escape(item.description.translate(_HTML))}</description>" if item.description else ""
    return (
        f"<item><title>{_plain(item.title)}</title><link>{loc}</link>{about}"
        f'<pubDate>{rfc_822(item.updated)}</pubDate><guid isPermaLink="true">{loc}</guid></item>\n'
    )


def render_atom(feed: Feed) -> bytes:
    """The feed as Atom 1.0 (RFC 4287). Its id is its own URL: the URL of the site may be the id of the home page."""
    title, url = escape(feed.title), escape(feed.url)
    return (
        f'{_START}<feed xmlns="{ATOM}">\n'
        f"<id>{url}</id>\n"
        f"<title>{title}</title>\n"
        f"<updated>{_rfc_3339(_newest(feed))}</updated>\n"
        f"<author><name>{title}</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href="{url}"/>\n'
        f'<link rel="alternate" type="text/html" href="{escape(feed.home)}"/>\n'
        f"{''.join(map(_atom_entry, feed.items))}</feed>\n"
    ).encode()


def _atom_entry(item: FeedItem) -> str:
    loc = escape(item.loc)
    about = f'<summary type="text">{escape(item.description)}</summary>' if item.description else ""
    return (
        f"<entry><id>{loc}</id><title>{escape(item.title)}</title><updated>{_rfc_3339(item.updated)}</updated>"
        f'<link rel="alternate" type="text/html" href="{loc}"/>{about}</entry>\n'
    )


def _newest(feed: Feed) -> LastMod:
    return max((item.updated for item in feed.items), key=moment_of)


def rfc_822(value: LastMod) -> str:
    """The date as ``Sun, 01 Mar 2026 09:00:00 GMT``, in every locale."""
    moment = moment_of(value)
    try:
        return format_datetime(moment.astimezone(UTC), usegmt=True)
    except OverflowError:  # at the minimum or maximum of datetime
        return format_datetime(moment.replace(tzinfo=UTC), usegmt=True)


def _rfc_3339(value: LastMod) -> str:
    """The date as in the sitemap, but always with a time."""
    return format_lastmod(moment_of(value), "datetime")


def _plain(text: str) -> str:
    """Escape plain text so that most RSS readers show it ("RSS Best Practices Profile", Character Data)."""
    return text.translate(_PLAIN)
