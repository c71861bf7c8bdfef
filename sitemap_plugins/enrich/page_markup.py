"""What the head of a rendered page says to crawlers, parsed as a browser would (lexbor), compared by tokens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemap_plugins.model import Markup

_CRAWLERS: Final = frozenset({"robots", "googlebot"})
_UNAVAILABLE: Final = re.compile(r"unavailable_after\s*:\s*(?P<date>.+)", re.IGNORECASE)
_REFRESH: Final = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=)?\s*(?P<url>\S.*?)\s*", re.IGNORECASE | re.DOTALL)
_OPENING: Final = re.compile(r"<!--|<script\b", re.IGNORECASE)
_HEAD_END: Final = re.compile(r"</head\s*>|<body[\s>]", re.IGNORECASE)


def read_markup(html: str) -> Markup:
    """The robots directives, canonical links and refresh redirect of a page.

    Only the head is parsed: that is enough, and a hundred times less than the page. What stands in ``noscript`` or
    ``template`` is for nobody here.
    """
    robots: set[str] = set()
    unavailable: list[str] = []
    canonicals: list[str] = []
    refresh: str | None = None
    document = LexborHTMLParser(head_of(html))
    for node in document.tags("meta"):
        attributes = node.attributes
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").strip().lower() in _CRAWLERS and not _is_inert(node):
            date = _UNAVAILABLE.search(content)
            unavailable += [date["date"].strip()] if date else []
            robots.update(token.strip().lower() for token in content[: date.start() if date else None].split(","))
        elif "http-equiv" in attributes and refresh is None and _is_refresh(attributes) and not _is_inert(node):
            target = _REFRESH.fullmatch(content)
            refresh = target["url"].strip("\"'") if target else None
    for node in document.tags("link"):
        attributes = node.attributes
        if "canonical" in (attributes.get("rel") or "").lower().split() and not _is_inert(node):
            canonicals.append((attributes.get("href") or "").strip())
    return Markup(
        robots=frozenset(robots - {""}),
        unavailable_after=tuple(unavailable),
        canonicals=tuple(href for href in canonicals if href),
        refresh=refresh,
    )


def _is_refresh(attributes: Mapping[str, str | None]) -> bool:
    return (attributes["http-equiv"] or "").strip().lower() == "refresh"


def _is_inert(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in {"noscript", "template"}:
            return True
        parent = parent.parent
    return False


def head_of(html: str) -> str:
    """The page up to the end of its head; all of it where no end is found.

    A ``</head>`` inside a comment or a script is not the end.
    """
    position = 0
    while end := _HEAD_END.search(html, position):
        opening = _last_open(html, position, end.start())
        if opening is None:
            return html[: end.start()]
        closing = html.lower().find("-->" if opening == "<!--" else "</script", end.start())
        if closing < 0:
            break
        position = closing
    return html


def _last_open(html: str, start: int, end: int) -> str | None:
    """The comment or script that begins before ``end`` and is still open there."""
    position = start
    while opening := _OPENING.search(html, position, end):
        mark = opening[0].lower()
        closing = re.compile("-->" if mark == "<!--" else "</script", re.IGNORECASE).search(html, opening.end(), end)
        if closing is None:
            return mark
        position = closing.end()
    return None
