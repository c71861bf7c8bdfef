"""What the head of a rendered page tells crawlers, parsed as browsers do (lexbor) and compared by tokens."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec import Struct, structs
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemap_plugins.html.parsing import Inherited, Parsed, parse
from sitemap_plugins.model import Markup
from sitemap_plugins.values.text import escape
from sitemap_plugins.values.urls import LOC_LENGTH, absolute_url, cut_url, spelling_key

FORBIDDING: Final = frozenset({"noindex", "none"})
"""The directives that keep a page out of every index (CAN-01)."""

CRAWLERS: Final = frozenset({"robots", "googlebot"})
"""The names, in lower case, for which directives count: all crawlers, and that of Google."""

FEED_TYPES: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})
"""The media types of links to feeds."""

_UNAVAILABLE: Final = re.compile(r"unavailable_after\s*:\s*(?P<date>.+)", re.IGNORECASE)
_REFRESH: Final = re.compile(
    r"\s*+[\d.]++(?:\s*+[;,]|\s)\s*+(?:url\s*+=\s*+)?+(?P<url>\S.*)", re.IGNORECASE | re.DOTALL
)
# The parser also moves head elements that follow the head into it, even after a few short comments or repeated start
# tags. Before 3.11.5, Python has no possessive repetition of patterns that may fail halfway, such as a comment.
_HEAD_END: Final = re.compile(
    r"</head\s*>(?!(?>(?:\s+|<!--.{0,200}?-->|<(?:!doctype|html|head)(?:\s[^<>]*)?>){0,8})"
    r"<(?:base|link|meta|noscript|script|style|template|title)[\s>])|<body[\s>]",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_HEAD_END_IN_BYTES: Final = re.compile(_HEAD_END.pattern.encode(), re.IGNORECASE | re.DOTALL)
_BODY: Final = re.compile(rb"(?:</head\s*>\s*)?<body[\s>]", re.IGNORECASE)
# Compiled if a page may be a redirect.
_RELOCATION: Final = r"\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:assign|replace)\s*\("
_RELOCATED_TO: Final = (
    r"""\blocation(?:\.href)?\s*=\s*(["'])([^"'\n]+)\1|\blocation\.(?:assign|replace)\(\s*(["'])([^"'\n]+)\3"""
)
# Google, "How to specify a canonical URL": a link with one of these attributes has another purpose.
_NO_CANONICAL: Final = frozenset({"hreflang", "lang", "media", "type"})
_IN_HEADER: Final = r'(?i)<([^<>]*)>[^<>]*;\s*+rel\s*+=\s*+"?+[^<>",;]*(?<![\w-])canonical(?![\w-])'
_RELEVANT: Final = re.compile("canonical|alternate", re.IGNORECASE)
_MOST_LINKS: Final = 2000  # there are fewer languages
_ABSOLUTE: Final = ("http://", "https://")
_TEXT: Final = re.compile(
    r".*(?:Page|Article|Posting)|(?:.*[/:#])?(?:APIReference|CreativeWork|HowTo|Recipe|Report)", re.DOTALL
)
_SEPARATOR: Final = re.compile(r"[,\s]+")
_SENTINEL: Final = "end of the head"
_CANDIDATES: Final = 4
# What a head consists of; any other element ends it. Real heads have up to 63. A million fill gigabytes.
_OF_HEADS: Final = r"(?i)<(?:base|link|meta|noscript|script|style|template|title)[\s/>]"
_MOST_OF_HEADS: Final = 20_000
_AROUND_URLS: Final = "".join(map(chr, range(0x21)))  # https://url.spec.whatwg.org/#c0-control-or-space
_ASKED_FOR: Final = frozenset({"head", "noscript", "template"})


def read_markup(page: str | bytes) -> Markup:
    """What the head of a page says: robots directives, canonical links, a refresh redirect, its dates and languages.

    Bytes are decoded as UTF-8; invalid bytes are replaced. Only the head is parsed: that is enough, and a hundred times
    faster than parsing the page. The contents of ``noscript`` and ``template`` are ignored, except a refresh in
    ``noscript`` if a script of the page redirects too (CAN-05). A canonical link counts only in the head, which any
    element that does not belong there ends (CAN-03).
    """
    document, _, cut = parse_head(page)
    return markup_of(document, page, cut)


def read_markup_of_beginning(beginning: bytes) -> Markup | None:
    """The same for a page of which this is the beginning; None if the rest of the page may make a difference.

    It makes none if the body surely begins here, and the page is no redirect: those may have scripts in their bodies.
    """
    if b"<body" not in beginning:
        return None
    document, end, cut = parse_head(beginning)
    is_whole = not cut and _BODY.match(beginning, end) and b"refresh" not in beginning[:end].lower()
    return markup_of(document, beginning) if is_whole else None


def markup_of(document: LexborHTMLParser, page: str | bytes, cut: str = "") -> Markup:
    """The result of `read_markup` for a page whose head is parsed already."""
    base = _base_of(document)
    around: Inherited[frozenset[str]] = Inherited(
        frozenset(), lambda above, node: above | {node.tag} if node.tag in _ASKED_FOR else above
    )
    metas, scripts = (
        [_Tag(node, node.attributes, around) for node in document.tags(name)] for name in ("meta", "script")
    )
    named = [(meta.value("name").lower(), meta) for meta in metas if "name" in meta.attributes]
    links = [*islice(_typed_links(document, around), _MOST_LINKS)]
    robots, unavailable = _directives_of(meta for name, meta in named if name in CRAWLERS)
    canonicals = tuple(_join(base, link.url) for link in links if _is_canonical(link))
    return Markup(
        robots=robots,
        unavailable_after=unavailable,
        canonicals=canonicals,
        refresh=_refresh_of(metas, base, page),
        modified=(*_meta_dates(metas), *_structured_dates(scripts, canonicals)),
        language=_language_of(document),
        hreflang=tuple((link.value("hreflang"), _join(base, link.url)) for link in links if _is_translation(link)),
        generators=tuple(text for name, meta in named if name == "generator" and (text := meta.value("content"))),
        cut=cut,
    )


def _decoded(page: str | bytes) -> str:
    return page if isinstance(page, str) else page.decode(errors="replace")


class _Tag(Struct, frozen=True):
    """An element, its attributes (which are slow to read), and which of `_ASKED_FOR` are around elements."""

    node: LexborNode
    attributes: Mapping[str, str | None]
    around: Inherited[frozenset[str]]

    def value(self, name: str) -> str:
        """The value of an attribute; empty if there is none."""
        return (self.attributes.get(name) or "").strip()

    @property
    def url(self) -> str:
        """The URL that a link leads to, see `cut_url`. Unlike a space, a no-break space at its end belongs to it."""
        return cut_url((self.attributes.get("href") or "").strip(_AROUND_URLS))

    def is_within(self, *tags: str) -> bool:
        """Whether the element is in one with one of these tags."""
        return not self.around.of(self.node).isdisjoint(tags)

    @property
    def is_inert(self) -> bool:
        """Whether browsers that run scripts ignore the element."""
        return self.is_within("noscript", "template")


def _directives_of(metas: Iterable[_Tag]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The directives in the tags for search engines, and the dates from which the page is unavailable."""
    robots: set[str] = set()
    unavailable: list[str] = []
    for meta in metas:
        if not meta.is_inert:
            content = meta.value("content")
            date = _UNAVAILABLE.search(content)
            unavailable += [date["date"].strip()] if date else []
            robots |= _tokens(content[: date.start() if date else None])
            # A date may contain commas and words, so only these two count as directives after it.
            robots |= _tokens(date["date"]) & FORBIDDING if date else set()
    return frozenset(robots - {""}), tuple(unavailable)


def _refresh_of(metas: Iterable[_Tag], base: str, page: str | bytes) -> str | None:
    """The target of the first refresh that has one, for readers with scripts, else for those without."""
    without_scripts: list[str] = []
    for meta in metas:
        if "http-equiv" in meta.attributes and meta.value("http-equiv").lower() == "refresh":
            target = _REFRESH.fullmatch(meta.value("content"))
            if target and not meta.is_within("template"):
                url = _join(base, cut_url(target["url"].strip().strip("\"'")))
                if not meta.is_inert:
                    return url
                without_scripts.append(url)
    return without_scripts[0] if without_scripts and _has_relocating_script(page) else None


def _meta_dates(metas: Iterable[_Tag]) -> Iterator[str]:
    for meta in metas:
        if meta.attributes.get("property") == "article:modified_time" and not meta.is_inert:
            yield meta.attributes.get("content") or ""


def _base_of(document: LexborHTMLParser) -> str:
    """The URL to which the page's links are relative, which may itself be relative to the page; usually empty.

    A base that is longer than any URL in a sitemap is ignored, because every link of the page would be as long.
    """
    hrefs = (node.attributes.get("href") for node in document.tags("base"))
    base = next((href.strip() for href in hrefs if href is not None), "")
    return base if len(base) <= LOC_LENGTH else ""


def _join(base: str, href: str) -> str:
    return (absolute_url(base, href) if base and href else None) or href


def _is_canonical(link: _Tag) -> bool:
    """Whether search engines accept the link as the page's canonical link."""
    if "canonical" not in _relations(link) or not _NO_CANONICAL.isdisjoint(link.attributes):
        return False
    href = link.value("href").lower()
    return bool(href) and not href.startswith("javascript:") and not link.is_inert and link.is_within("head")


def _is_translation(link: _Tag) -> bool:
    """Whether the link leads to the page in a language; feeds and links that browsers ignore do not count."""
    if not link.attributes.get("hreflang") or "alternate" not in (relations := _relations(link)):
        return False
    return "canonical" not in relations and link.value("type").lower() not in FEED_TYPES and not link.is_inert


def _typed_links(document: LexborHTMLParser, around: Inherited[frozenset[str]]) -> Iterator[_Tag]:
    """The links that may be canonical or lead to translations. The attributes of all links could fill the memory."""
    links = (_Tag(node, node.attributes, around) for node in document.tags("link"))
    return (link for link in links if _RELEVANT.search(link.attributes.get("rel") or ""))


def _relations(link: _Tag) -> list[str]:
    return (link.attributes.get("rel") or "").lower().split()


def _has_relocating_script(page: str | bytes) -> bool:
    """Whether a script of the page redirects readers. Only checked for pages that also do so without scripts."""
    return any(re.search(_RELOCATION, node.text()) for node in _parse(_decoded(page)).document.tags("script"))


def read_relocations(page: str | bytes) -> list[str]:
    """The URLs, as written, that the scripts of a page lead readers to."""
    scripts = (node.text() for node in _parse(_decoded(page)).document.tags("script"))
    return [found[2] or found[4] for script in scripts for found in re.finditer(_RELOCATED_TO, script)]


def _structured_dates(scripts: Iterable[_Tag], canonicals: Iterable[str]) -> Iterator[str]:
    """The ``dateModified`` of the page and its text in its JSON-LD, which has items about the site and others, too."""
    own = {_path_key(url) for url in canonicals if url.startswith(_ABSOLUTE)}
    for script in scripts:
        if script.value("type").lower() == "application/ld+json" and not script.is_inert:
            try:
                data = json.loads(script.node.text())
            except (ValueError, RecursionError):
                continue
            items = _items_in(data)
            items += [inner for each in items for inner in _items_in(each.get("@graph"))]
            items += [inner for each in items for inner in _items_in(each.get("mainEntity"))]
            for item in items:
                is_wanted = _is_text(item.get("@type")) and not (own and _paths_of(item) - own)
                if isinstance(when := item.get("dateModified"), str) and is_wanted:
                    yield when


def _items_in(data: object) -> list[dict[str, Any]]:
    return [each for each in (data if isinstance(data, list) else [data]) if isinstance(each, dict)]


def _is_text(types: object) -> bool:
    """Whether an item with these types, or without one, is a page or a text: software and data have other dates."""
    several = types if isinstance(types, list) else [types]
    return not types or any(isinstance(each, str) and _TEXT.fullmatch(each) for each in several)


def _paths_of(item: Mapping[str, Any]) -> set[str]:
    values = [item.get(name) for name in ("url", "@id", "mainEntityOfPage")]
    urls = [each.get("@id") if isinstance(each, dict) else each for each in values]
    return {_path_key(url) for url in urls if isinstance(url, str) and url.startswith(_ABSOLUTE) and "#" not in url}


def _path_key(url: str) -> str:
    """A key that is equal for all spellings of the path in a URL, on whatever host."""
    return spelling_key(url).partition("?")[0].partition("/")[2]


def _language_of(document: LexborHTMLParser) -> str:
    root = document.root
    return ((root.attributes.get("lang") if root else None) or "").strip()


def write_canonicals(header: str, loc: str) -> bytes:
    """The canonical links in the header ``Link`` (RFC 8288) of the page at ``loc``, as elements for its head."""
    urls = filter(None, (absolute_url(loc, target) for target in re.findall(_IN_HEADER, header)[:_MOST_LINKS]))
    return "".join(f'<link rel="canonical" href="{escape(url)}">' for url in urls).encode("latin-1")  # as it was sent


def relocate(markup: Markup, own: Collection[str], loc: str) -> Markup:
    """The markup of a page published at ``loc``, with canonical links to its host's URLs ``own`` changed to ``loc``."""
    return structs.replace(markup, canonicals=tuple(loc if href in own else href for href in markup.canonicals))


def _tokens(content: str) -> set[str]:
    """The directives of a robots meta tag; the commas between them may be missing."""
    return set(_SEPARATOR.split(content.lower()))


class Head(NamedTuple):
    """A page parsed up to the end of its head, the position of this end, and what `parse` did not read of the page.

    The position is in characters, or in bytes if the page was bytes.
    """

    document: LexborHTMLParser
    end: int
    cut: str


def head_of(page: bytes) -> bytes:
    """The page up to its body, unless it may be a redirect, whose scripts may be in the body."""
    _, end, cut = parse_head(page)
    body = b"<body>" if page[end : end + 5].lower() == b"<body" else b""
    return page if cut or b"refresh" in page[:end].lower() else page[:end] + body


def parse_head(html: str | bytes) -> Head:
    """Parse a page up to the end of its head, or all of it if the end is missing or was not read.

    What looks like the end may be part of a comment, a script, a title or an attribute, and only the parser can tell.
    So a sentinel is put there: if it becomes an element, this is the end. After a few failed candidates, or if there
    are none, the whole page is parsed. Only what is parsed is decoded, because most pages are much longer than heads.
    """
    ends = _HEAD_END.finditer(html) if isinstance(html, str) else _HEAD_END_IN_BYTES.finditer(html)
    for end in islice((each.start() for each in ends), _CANDIDATES):
        document, cut = _parse(f'{_decoded(html[:end])}<meta name="{_SENTINEL}">')
        metas = document.tags("meta")
        if cut:
            return Head(document, len(html), cut)
        if metas and metas[-1].attributes.get("name") == _SENTINEL:
            return Head(document, end, "")
    document, cut = _parse(_decoded(html))
    return Head(document, len(html), cut)


def _parse(html: str) -> Parsed:
    """Parse a page as `parse` does, but only its beginning if it has too many of the elements that are read here."""
    is_long = html.count("<") > _MOST_OF_HEADS and len(re.findall(_OF_HEADS, html)) > _MOST_OF_HEADS
    return parse(html, f"it has more than {_MOST_OF_HEADS:,} elements such as meta and script" if is_long else "")
