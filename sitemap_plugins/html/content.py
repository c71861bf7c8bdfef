"""Find the main content of a page in any theme, its images and videos, and the words that describe the page."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from enum import IntEnum
from itertools import islice
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sitemap_plugins.html.images import absolute_url, has_no_address, read_images
from sitemap_plugins.html.parsing import Inherited, parse
from sitemap_plugins.html.videos import EMBEDS, HEADINGS, TEXT_LENGTH, plain_text, read_videos, single_spaced
from sitemap_plugins.model import Content, Page
from sitemap_plugins.values.text import CONTROL, one_line
from sitemap_plugins.values.urls import LOC_LENGTH

SUMMARY_LENGTH: Final = 300
"""The maximum length of a summary, in characters."""

# Where themes put their content, most reliable first: an attribute and a word in it, or a tag.
_PLACES: Final = (
    ("class", "md-content__inner"),  # Material for MkDocs; its main has the sidebars as well
    ("id", "furo-main-content"),  # furo
    ("class", "theme-doc-markdown"),  # Docusaurus; its article has the name of the version as well
    ("class", "bd-article"),  # pydata-sphinx-theme and sphinx-book-theme; main has the toolbars as well
    ("itemprop", "articleBody"),  # readthedocs of MkDocs, sphinx_rtd_theme; role=main has the footer as well
    ("role", "main"),  # mkdocs of MkDocs, alabaster, all themes that come with Sphinx
    ("tag", "main"),
    ("tag", "article"),
)
_PLACES_QUERY: Final = (
    ".md-content__inner, #furo-main-content, .theme-doc-markdown, .bd-article, [itemprop], [role], main, article"
)
_QUERY: Final = ", ".join(("h1, h2, h3, h4, h5, h6, p, img, figcaption", *sorted(EMBEDS)))

_CHROME_TAGS: Final = frozenset({"nav", "aside", "footer"})
_CHROME_ROLES: Final = frozenset({"navigation", "banner", "contentinfo", "complementary", "search"})
_CHROME_CLASSES: Final = frozenset(
    {
        "hash-link",  # the sign after each heading, in Docusaurus, VitePress, and MkDocs and Sphinx
        "header-anchor",
        "headerlink",
        "md-content__button",  # "edit this page"
        "md-feedback",
        "md-post__meta",
        "md-sidebar",
        "md-source-file",  # dates and authors
        "sphinxsidebar",
    }
)
_UNSHOWN: Final = frozenset({"noscript", "script", "style", "template"})
_REMOVED_QUERY: Final = ", ".join(
    (*sorted(_CHROME_TAGS | _UNSHOWN), "header", "[role]", *(f".{name}" for name in sorted(_CHROME_CLASSES)))
)
# docutils writes the author's topics and sidebars like this, directly in a section.
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
# The beginnings of markup for an extension that the site does not use; Markdown turns it into a paragraph.
_LEFT_OVER: Final = ("///", ":::", "!!!", "???", "{%", "{{", "{*", "--8<--")
_LEAD_IN: Final = 40
_ATTEMPTS: Final = 100
_MIN_KEPT: Final = 200


class _Zone(IntEnum):
    """What a part of the content is for. A part inside another one never has a lower value."""

    BODY = 0
    BESIDE = 1
    """A note, a quotation or a table: the author's, but not what the page begins with."""
    CHROME = 2
    """Navigation and other parts that the theme adds."""


_Zones: TypeAlias = Inherited[_Zone]


def _zones(top: LexborNode | None, *, with_header: bool) -> _Zones:

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
    # A header inside the content holds its title. If the content was not found, the header is the site's.
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


def remove_chrome(content: LexborNode) -> None:
    """Remove what the theme adds, and what browsers do not show, from the main content; each leaves a space."""
    with_header = content.tag not in {"html", "body"}
    found = {node.mem_id: node for node in content.css(_REMOVED_QUERY) if node.mem_id != content.mem_id}
    for node in reversed(found.values()):  # from the inside out
        if node.tag in _UNSHOWN or _own_zone(node, with_header=with_header) is _Zone.CHROME:
            node.replace_with(" ")


_SHOWN: Final = frozenset({"title", "description", "summary"})


def read_content(html: str, url: str, selector: str | None = None) -> Content:
    """The content of the page at ``url``: its title, description and summary, its images and videos.

    ``selector`` is a CSS selector, whose first match is the main content. If it is None, invalid or matches nothing,
    the content is where the known themes put it.
    """
    document, cut = parse(html)
    head = document.head
    head_nodes = head.css("title, meta, base") if head is not None else []
    base = _base_of(head_nodes, url)
    content = find_content(document, selector)
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
        clean["description"] = ""  # as the themes of MkDocs write it if there is none
    clean["summary"] = _shortened(clean["summary"])
    images = [node for node in nodes if node.tag == "img" and zones.of(node) is not _Zone.CHROME]
    return Content(
        **clean,
        damaged=tuple(name for name, text in texts.items() if name in _SHOWN and CONTROL.search(text)),
        images=read_images(images, base, captions),
        images_without_address=sum(map(has_no_address, images)),
        videos=read_videos(
            _headings_and_embeds(nodes, zones),
            base,
            captions,
            # Searching the text is faster than searching the tree, and few pages have such scripts.
            document.css('script[type="application/ld+json" i]') if "VideoObject" in html else (),
        ),
        cut=cut,
    )


def _base_of(head: Iterable[LexborNode], url: str) -> str:
    """The URL to which relative URLs on the page refer: the first usable base, else the page's own."""
    bases = (node.attributes.get("href") for node in head if node.tag == "base")
    base = absolute_url(url, next((href for href in bases if href is not None), None))
    return base if base and len(base) <= LOC_LENGTH else url


def find_content(document: LexborHTMLParser, selector: str | None = None) -> LexborNode | None:
    """The main content: the author's selection, the place that a theme has for it, or the body."""
    if selector is not None:
        with suppress(SelectolaxError, UnicodeEncodeError):
            if (chosen := document.css_first(str(selector))) is not None:  # lexbor rejects subclasses of str
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
        # Several articles are a list, either of other pages or of parts of this one: no single one is the content,
        # unless all others are in it, such as the docstrings in the article of Documenter.
        if found and (place != ("tag", "article") or _is_around(found[0], found[1:])):
            return found[0]
    return document.body


def _is_around(article: LexborNode, others: Iterable[LexborNode]) -> bool:
    inside = {node.mem_id for node in article.css("article")}
    return all(node.mem_id in inside for node in others)


def _captions(nodes: Iterable[LexborNode]) -> dict[int, LexborNode]:
    captions: dict[int, LexborNode] = {}
    for node in nodes:
        if node.tag == "figcaption" and (figure := node.parent) is not None and figure.tag == "figure":
            captions.setdefault(figure.mem_id, node)
    return captions


def _title_of(nodes: Iterable[LexborNode], zones: _Zones) -> str:
    """The first heading of the content that has text; many home pages have a logo as their first heading."""
    headings = (node for node in nodes if node.tag == "h1" and zones.of(node) is not _Zone.CHROME)
    return next(filter(None, map(plain_text, islice(headings, _ATTEMPTS))), "")


def _text_of_head(head: Iterable[LexborNode], name: str) -> str:
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
    """The first paragraph of the running text, else the first one of a note, a list or a table."""
    beside = ""
    paragraphs = ((node, zones.of(node)) for node in nodes if node.tag == "p")
    for node, zone in islice(((node, zone) for node, zone in paragraphs if zone is not _Zone.CHROME), _ATTEMPTS):
        if zone is _Zone.BODY or not beside:
            text = plain_text(node)
            if any(map(str.isalnum, text)) and not text.startswith(_LEFT_OVER):
                # "As used by:" means nothing without the text after it.
                if zone is _Zone.BODY and not (len(text) < _LEAD_IN and text.endswith((":", "\uff1a"))):
                    return text
                beside = beside or text
    return beside


def _shortened(text: str) -> str:
    """The text, cut at the end of a word if it is too long, or anywhere in scripts without spaces between words."""
    if len(text) <= SUMMARY_LENGTH:
        return text
    cut = text[:SUMMARY_LENGTH]
    end = cut.rfind(" ")
    return cut[: end if end >= _MIN_KEPT else SUMMARY_LENGTH - 1].rstrip(" ,;:") + "…"


def _headings_and_embeds(nodes: Iterable[LexborNode], zones: _Zones) -> Iterator[LexborNode]:
    """The headings and embeds of the content; nothing if it has no embeds."""
    wanted = [node for node in nodes if node.tag in HEADINGS or node.tag in EMBEDS]
    if all(node.tag in HEADINGS for node in wanted):
        return
    yield from (node for node in wanted if zones.of(node) is not _Zone.CHROME)


def title_of(page: Page) -> str:
    """The page's main heading, else its title from the host, else the title in its head."""
    shown, in_head = (page.content.title, page.content.head_title) if page.content else ("", "")
    return one_line(shown) or one_line(page.title) or one_line(in_head)


def description_of(page: Page, shared: Container[str] = ()) -> str:
    """The author's description, else the one in the page's head, else the beginning of its text.

    ``shared`` are descriptions that several pages have. They describe the site, so they are skipped.
    """
    written = page.front_matter.get("description")
    if isinstance(written, str) and (text := one_line(written)):
        return text
    if page.content is None:
        return ""
    own = "" if page.content.description in shared else one_line(page.content.description)
    return own or one_line(page.content.summary)
