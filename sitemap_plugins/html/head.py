"""What the head of a rendered page says to crawlers, parsed as a browser would (lexbor), compared by tokens."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from msgspec import structs
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemap_plugins.model import Markup

FORBIDDING: Final = frozenset({"noindex", "none"})
"""The directives that keep a page out of every index (CAN-01)."""

FEED_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
"""The media types by which links lead to feeds."""

_CRAWLERS: Final = frozenset({"robots", "googlebot"})
_UNAVAILABLE: Final = re.compile(r"unavailable_after\s*:\s*(?P<date>.+)", re.IGNORECASE)
_REFRESH: Final = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?+(?P<url>\S.*?)\s*", re.IGNORECASE | re.DOTALL)
_HEAD_END: Final = re.compile(r"</head\s*>|<body[\s>]", re.IGNORECASE)
_SEPARATOR: Final = re.compile(r"[,\s]+")
_SENTINEL: Final = "end of the head"
_CANDIDATES: Final = 4


def read_markup(page: str | bytes) -> Markup:
    """What the head of a page says: robots directives, canonical links, a refresh redirect, its dates and languages.

    Bytes are read as UTF-8; what is not UTF-8 in them is replaced.
    Only the head is parsed: that is enough, and a hundred times less than the page. What stands in ``noscript`` or
    ``template`` is for nobody here.
    """
    robots: set[str] = set()
    unavailable: list[str] = []
    canonicals: list[str] = []
    hreflang: list[tuple[str, str]] = []
    refresh: str | None = None
    modified: list[str] = []
    document, _ = parse_head(page if isinstance(page, str) else page.decode(errors="replace"))
    for node in document.tags("meta"):
        attributes = node.attributes
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").strip().lower() in _CRAWLERS and not _is_inert(node):
            date = _UNAVAILABLE.search(content)
            unavailable += [date["date"].strip()] if date else []
            robots |= _tokens(content[: date.start() if date else None])
            # A date may have commas and words of its own, so that only these two are directives behind one.
            robots |= _tokens(date["date"]) & FORBIDDING if date else set()
        elif "http-equiv" in attributes and refresh is None and _is_refresh(attributes) and not _is_inert(node):
            target = _REFRESH.fullmatch(content)
            refresh = target["url"].strip("\"'") if target else None
        elif attributes.get("property") == "article:modified_time" and not _is_inert(node):
            modified.append(content)
    for node in document.tags("link"):
        attributes = node.attributes
        relations = (attributes.get("rel") or "").lower().split()
        if "canonical" in relations and not _is_inert(node):
            canonicals.append((attributes.get("href") or "").strip())
        elif "alternate" in relations and (code := attributes.get("hreflang")) and not _is_apart(node):
            hreflang.append((code.strip(), (attributes.get("href") or "").strip()))
    return Markup(
        robots=frozenset(robots - {""}),
        unavailable_after=tuple(unavailable),
        canonicals=tuple(href for href in canonicals if href),
        refresh=refresh,
        modified=(*modified, *_structured_dates(document)),
        language=_language_of(document),
        hreflang=tuple(hreflang),
    )


def _structured_dates(document: LexborHTMLParser) -> Iterator[str]:
    """``dateModified`` of the page in its JSON-LD, whether that is one thing or a list of them."""
    for node in document.tags("script"):
        if (node.attributes.get("type") or "").strip().lower() == "application/ld+json" and not _is_inert(node):
            try:
                data = json.loads(node.text())
            except (ValueError, RecursionError):
                continue
            things = data.get("@graph", data) if isinstance(data, dict) else data
            for thing in things if isinstance(things, list) else [things]:
                if isinstance(thing, dict) and isinstance(when := thing.get("dateModified"), str):
                    yield when


def _language_of(document: LexborHTMLParser) -> str:
    """What the page calls its own language."""
    root = document.root
    return ((root.attributes.get("lang") if root else None) or "").strip()


def relocate(markup: Markup, own: Collection[str | None], loc: str) -> Markup:
    """The markup of a page that is published at ``loc``, whose host calls it by one of the URLs ``own``."""
    if own == {loc}:
        return markup
    return structs.replace(markup, canonicals=tuple(loc if href in own else href for href in markup.canonicals))


def _tokens(content: str) -> set[str]:
    """The directives of a robots meta tag; some authors forget the comma between them."""
    return set(_SEPARATOR.split(content.lower()))


def _is_refresh(attributes: Mapping[str, str | None]) -> bool:
    return (attributes["http-equiv"] or "").strip().lower() == "refresh"


def _is_apart(node: LexborNode) -> bool:
    """Whether a link to an alternate is no translation of the page: a feed, or one that no browser sees."""
    return (node.attributes.get("type") or "").strip().lower() in FEED_TYPES or _is_inert(node)


def _is_inert(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in {"noscript", "template"}:
            return True
        parent = parent.parent
    return False


def parse_head(html: str) -> tuple[LexborHTMLParser, int]:
    """The page up to the end of its head, parsed, and where that is.

    What looks like the end may be a part of a comment, a script, a title or an attribute. Only the parser knows: a
    sentinel put there is an element, or it is swallowed and the end is yet to come. After a few of those, and where
    there is no end, the whole page is parsed.
    """
    for end, _ in zip(_HEAD_END.finditer(html), range(_CANDIDATES), strict=False):
        document = LexborHTMLParser(f'{html[: end.start()]}<meta name="{_SENTINEL}">')
        metas = document.tags("meta")
        if metas and metas[-1].attributes.get("name") == _SENTINEL:
            return document, end.start()
    return LexborHTMLParser(html), len(html)
