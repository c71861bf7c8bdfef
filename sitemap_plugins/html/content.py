"""What the main content of a rendered page is, in any theme, and what it holds: title, summary, images, videos."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import islice
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sitemap_plugins.html.ancestors import Inherited
from sitemap_plugins.html.images import absolute_url, has_no_address, read_images
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.html.videos import EMBEDS, HEADINGS, TEXT_LENGTH, plain_text, read_videos, single_spaced
from sitemap_plugins.model import Content
from sitemap_plugins.values.text import CONTROL
from sitemap_plugins.values.urls import LOC_LENGTH

SUMMARY_LENGTH: Final = 300
"""The most characters of a summary."""

# Where themes have their content, the surest first: the attribute and the word in it, or the tag.
_PLACES: Final = (
    ("class", "md-content__inner"),  # Material for MkDocs; its main has the sidebars as well
    ("id", "furo-main-content"),  # furo
    ("class", "bd-article"),  # pydata-sphinx-theme and sphinx-book-theme; main has the toolbars as well
    ("itemprop", "articleBody"),  # readthedocs of MkDocs, sphinx_rtd_theme; role=main has the footer as well
    ("role", "main"),  # mkdocs of MkDocs, alabaster, all themes that come with Sphinx
    ("tag", "main"),
    ("tag", "article"),
)
_PLACES_QUERY: Final = ".md-content__inner, #furo-main-content, .bd-article, [itemprop], [role], main, article"
_QUERY: Final = ", ".join(("h1, h2, h3, h4, h5, h6, p, img, figcaption", *sorted(EMBEDS)))

_CHROME_TAGS: Final = frozenset({"nav", "aside", "footer"})
_CHROME_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_CHROME_CLASSES: Final = frozenset(
    {
        "headerlink",
        "md-content__button",  # "edit this page"
        "md-feedback",
        "md-post__meta",
        "md-sidebar",
        "md-source-file",  # dates and authors
        "sphinxsidebar",
    }
)
# docutils writes the directives topic and sidebar so, right in a section; they are the author's.
_DOCUTILS_ASIDES: Final = frozenset({"topic", "sidebar", "admonition"})
_BESIDE_TAGS: Final = frozenset({"blockquote", "details", "figure", "table", "li", "dl", "aside", "noscript"})
_BESIDE_CLASSES: Final = frozenset(
    {
        "admonition",
        "admonition-title",
        "caption",
        "deprecated",
        "rubric",
        "sidebar",
        "topic",
        "toctree-wrapper",
        "versionadded",
        "versionchanged",
        "versionremoved",
    }
)
# What begins the markup of an extension that the site does not use; Markdown makes a paragraph of it.
_LEFT_OVER: Final = ("///", ":::", "!!!", "???", "{%", "{{", "{*", "--8<--")
_LEAD_IN: Final = 40
_ATTEMPTS: Final = 100
_LEAST_KEPT: Final = 200


class _Zone(IntEnum):
    """What a part of the content is for; parts within it are no better."""

    BODY = 0
    BESIDE = 1
    """A note, a quotation, a table: the author's, but not what the page begins with."""
    CHROME = 2
    """Navigation and what else the theme adds."""


_Zones: TypeAlias = Inherited[_Zone]


def _zones(top: LexborNode | None, *, with_header: bool) -> _Zones:
    """In which zone the elements below ``top`` are."""

    def combine(around: _Zone, node: LexborNode) -> _Zone:
        return max(around, _own_zone(node, with_header=with_header)) if node.is_element_node else around

    return Inherited(_Zone.BODY, combine, top)


def _own_zone(node: LexborNode, *, with_header: bool) -> _Zone:
    tag = node.tag
    attributes = node.attributes
    classes = (attributes.get("class") or "").split()
    if tag == "aside" and not _DOCUTILS_ASIDES.isdisjoint(classes):
        parent = node.parent
        return _Zone.BESIDE if parent is not None and parent.tag == "section" else _Zone.CHROME
    # The header of an article has its title; only that of a page whose content nobody knows is the site's.
    if (
        tag in _CHROME_TAGS
        or (tag == "header" and not with_header)
        or (attributes.get("role") or "").strip().lower() in _CHROME_ROLES
        or not _CHROME_CLASSES.isdisjoint(classes)
    ):
        return _Zone.CHROME
    if tag in _BESIDE_TAGS or not _BESIDE_CLASSES.isdisjoint(classes):
        return _Zone.BESIDE
    return _Zone.BODY


_SHOWN: Final = frozenset({"title", "description", "summary"})


def read_content(html: str, url: str, selector: str | None = None) -> Content:
    """What the page at ``url`` holds: its title, description and summary, its pictures and videos.

    ``selector`` is the CSS selector of the content, of which the first match counts; where it is None, not valid or
    matches nothing, the place is found that the known themes have for it.
    """
    document, cut = parse(html)
    head = document.head
    head_nodes = head.css("title, meta, base") if head is not None else []
    base = _base_of(head_nodes, url)
    content = _find_content(document, selector)
    if content is None:
        nodes, zones = [], _zones(None, with_header=True)
    else:
        nodes, zones = content.css(_QUERY), _zones(content, with_header=content.tag not in {"html", "body"})
    captions = _captions(nodes)
    texts = {
        "title": _title_of(nodes, zones),
        "head_title": _text_of_head(head_nodes, "title"),
        "description": _text_of_head(head_nodes, "description"),
        "summary": _summary_of(nodes, zones),
    }
    clean = {name: single_spaced(CONTROL.sub("", text)) for name, text in texts.items()}
    if clean["description"] == "None":
        clean["description"] = ""  # as MkDocs' own themes write it where there is none
    images = [node for node in nodes if node.tag == "img" and zones.of(node) is not _Zone.CHROME]
    return Content(
        title=clean["title"],
        head_title=clean["head_title"],
        description=clean["description"],
        summary=_shortened(clean["summary"]),
        damaged=tuple(name for name, text in texts.items() if name in _SHOWN and CONTROL.search(text)),
        images=read_images(images, base, captions),
        images_without_address=sum(map(has_no_address, images)),
        videos=read_videos(
            _played(nodes, zones),
            base,
            captions,
            # Searching the text is faster than the tree, and few pages have any.
            document.css('script[type="application/ld+json" i]') if "VideoObject" in html else (),
        ),
        cut=cut,
    )


def read_words(html: str) -> frozenset[str]:
    """The words in the main content of a page, in lower case."""
    content = _find_content(parse(html).document, None)
    return frozenset(re.findall(r"\w+", content.text(separator=" ").lower())) if content else frozenset()


def _base_of(head: Iterable[LexborNode], url: str) -> str:
    """What relative addresses on the page are relative to: the first base that can be one, or else the page."""
    bases = (node.attributes.get("href") for node in head if node.tag == "base")
    base = absolute_url(url, next((href for href in bases if href is not None), None))
    return base if base and len(base) <= LOC_LENGTH else url


def _find_content(document: LexborHTMLParser, selector: str | None) -> LexborNode | None:
    """The main content: what the author selects, what a theme has for it, the body of any other page."""
    if selector is not None:
        try:
            chosen = document.css_first(str(selector))  # a subclass is none to lexbor
        except (SelectolaxError, UnicodeEncodeError):
            chosen = None
        if chosen is not None:
            return chosen
    zones = _zones(None, with_header=True)
    places: dict[tuple[str, str], list[LexborNode]] = {}
    for node in document.css(_PLACES_QUERY):
        attributes = node.attributes
        for name, word in _PLACES:
            if node.tag == word if name == "tag" else word in (attributes.get(name) or "").split():
                if zones.of(node) is not _Zone.CHROME:
                    places.setdefault((name, word), []).append(node)
                break
    for place in _PLACES:
        found = places.get(place)
        # Several articles are a list of what is elsewhere, or of what is all on this page: none is the content.
        if found and (place != ("tag", "article") or len(found) == 1):
            return found[0]
    return document.body


def _captions(nodes: Iterable[LexborNode]) -> dict[int, LexborNode]:
    """The captions by the identity of their figures."""
    captions: dict[int, LexborNode] = {}
    for node in nodes:
        if node.tag == "figcaption" and (figure := node.parent) is not None and figure.tag == "figure":
            captions.setdefault(figure.mem_id, node)
    return captions


def _title_of(nodes: Iterable[LexborNode], zones: _Zones) -> str:
    """The first heading of the content that has any text; that of many a home page is its logo."""
    headings = (node for node in nodes if node.tag == "h1" and zones.of(node) is not _Zone.CHROME)
    return next(filter(None, map(plain_text, islice(headings, _ATTEMPTS))), "")


def _text_of_head(head: Iterable[LexborNode], name: str) -> str:
    """The text of the title, or of the meta tag of that name."""
    for node in head:
        if node.tag == name:
            text = plain_text(node)
        elif node.tag == "meta" and (node.attributes.get("name") or "").strip().lower() == name:
            text = single_spaced((node.attributes.get("content") or "")[:TEXT_LENGTH])
        else:
            continue
        if text:
            return text
    return ""


def _summary_of(nodes: Iterable[LexborNode], zones: _Zones) -> str:
    """The first paragraph of the running text; where there is none, the first of a note, a list or a table."""
    beside = ""
    paragraphs = ((node, zones.of(node)) for node in nodes if node.tag == "p")
    for node, zone in islice(((node, zone) for node, zone in paragraphs if zone is not _Zone.CHROME), _ATTEMPTS):
        if zone is _Zone.BODY or not beside:
            text = plain_text(node)
            if any(map(str.isalnum, text)) and not text.startswith(_LEFT_OVER):
                # "As used by:" says nothing without what follows.
                if zone is _Zone.BODY and not (len(text) < _LEAD_IN and text.endswith((":", "\uff1a"))):
                    return text
                beside = beside or text
    return beside


def _shortened(text: str) -> str:
    """The text, cut at the end of a word where it is too long; some scripts have no spaces between words."""
    if len(text) <= SUMMARY_LENGTH:
        return text
    cut = text[:SUMMARY_LENGTH]
    end = cut.rfind(" ")
    return cut[: end if end >= _LEAST_KEPT else SUMMARY_LENGTH - 1].rstrip(" ,;:") + "…"


def _played(nodes: Iterable[LexborNode], zones: _Zones) -> Iterator[LexborNode]:
    """The headings and embeds of the content; headings are nothing without one."""
    wanted = [node for node in nodes if node.tag in HEADINGS or node.tag in EMBEDS]
    if all(node.tag in HEADINGS for node in wanted):
        return
    yield from (node for node in wanted if zones.of(node) is not _Zone.CHROME)
