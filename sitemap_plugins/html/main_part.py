"""What readers see of a page without its theme, to compare pages: text, images, anchors, and prose without code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final, Literal, TypeAlias

import msgspec
from selectolax.lexbor import LexborNode

from sitemap_plugins.html.content import find_content, remove_chrome
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.html.videos import HEADINGS

AnchorKind: TypeAlias = Literal["heading", "label", "object"]
"""What an anchor is on: a heading, another place with a name of its own, or the description of an API object."""

_DIGEST_SIZE: Final = 8  # bytes; it is only compared with that of another build of the page
_NAME_LENGTH: Final = 500  # characters of an anchor, or of the name of an image
# Themes add buttons, such as those that copy code. Tools write the others anew in every build: line numbers, how long
# an example of Sphinx-Gallery took, the last commit (Docsy), and in any order, the labels of mkdocstrings and the
# places of ablog.
_UNSTABLE: Final = (
    "button, .linenos, .linenodiv, .sphx-glr-timing, .td-page-meta__lastmod, .text-muted.border-top, .doc-labels, "
    '[id^="ablog-sidebar-item"]'
)
# In examples that were run, objects show their places in memory.
_ADDRESS: Final = r"0x[0-9a-fA-F]{11,16}(?![0-9a-fA-F])"
# Build tools put a hash into the name of an image, or make it its name. Some repeat it as the alternative text.
_FINGERPRINT: Final = re.compile(
    r"(?:(?<=[._-])|^)(?:(?=[a-f]*\d)[0-9a-f]{8,}|(?=[\w-]{0,7}\d)(?=[\w-]{0,7}[a-z])(?=[\w-]{0,7}[A-Z])[\w-]{8})"
    r"(?=\.\w+\Z|\Z)"
)

# The ids of these are for scripts and labels. Those in them are, too, or are numbers of lines.
_FIELDS: Final = "button, form, input, label, map, math, pre, select, svg, [role=tabpanel]"
_NOT_LINKED: Final = f'{_FIELDS}, pre *, svg *, math *, [id^="__"], [name^="__"]'
_ANCHORS: Final = f"[id]:not({_NOT_LINKED}), a[name]:not({_NOT_LINKED})"
# Layouts have divs with ids; authors have these.
_LINKED_DIVS: Final = re.compile(r"\b(?:section|admonition|citation|figure|math|topic|highlight-\S+)(?!\S)")
_OBJECT_CLASSES: Final = frozenset({"sig", "doc-heading", "doc-section-item", "docstring-binding", "detail"})
# The descriptions of objects may have headings and targets, too (mkdocstrings, Sphinx).
_IN_OBJECTS: Final = ", ".join(
    f"{inside} {place}" for inside in (".doc-object", "dt.sig", "dt.sig + dd") for place in ("[id]", "a[name]")
)
# docutils and Python-Markdown number equal headings, and the names of notes are numbers.
_NUMBERED: Final = re.compile(
    r"id\d+|.*_\d+|td-block-\d+|fn(?:ref)?(?:\d+|\d*:.*)|user-content-fn(?:ref)?-.*|(?:.*-)?[0-9a-f]{12,}"
)
# Scripts number their elements, Sphinx the entries of its index, and highlighters lines.
_NUMBERED_LABEL: Final = re.compile(
    r"\d+|[A-Za-z]{1,2}[:-]?\d+(?:-\d+)*|(?:cell|codecell|index|line|mermaid|tab|toc-entry)-?\d+(?:-\d+)*"
    r"|(?:footnote|citation|fn|fr|fnref)-.*|(?=[a-f]*\d)[0-9a-f]{8}(?:-[0-9a-f-]{27})?|T_[0-9a-f]{5}.*"
)

Prose: TypeAlias = Counter[str]
"""The pieces of text on a page with their numbers; empty if there are too few to compare."""

TRANSLATION: Final = 0.5
"""A translation shares less of its text, names and examples, with the original."""

_FEW: Final = 30  # words; a heading and a list of names look the same in every language
_BETWEEN: Final = "\x1f"  # a control character that no page needs
# Code, mathematics and API objects are not translated. Generators translate the titles of admonitions by themselves.
_LEFT_OUT: Final = (
    "code, kbd, math, pre, samp, svg, .highlight, .math, .sig, .sig + dd, .doc-object, .docstring, .admonition-title, "
    "[class*=admonitionHeading], .starlight-aside__title, .custom-block-title, .markdown-alert-title, .alert-heading, "
    ".admonition-heading, .versionmodified, .caption-number"
)
# Some scripts have no spaces between words, so each of their characters counts.
_WORD: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]+")


class Anchor(msgspec.Struct, frozen=True, order=True):
    """A place on a page that links may lead to: ``name`` is the fragment, without ``#`` and decoded."""

    name: str
    kind: AnchorKind


class MainPart(msgspec.Struct, frozen=True, kw_only=True):
    """The main part of a page: a digest of its text and images, and its anchors in order.

    ``words`` are its words in lower case, to find pages that resemble each other; None if they are not known.
    """

    digest: str
    anchors: tuple[Anchor, ...]
    words: frozenset[str] | None = None


def read_main_part(html: str) -> MainPart:
    """The main part of a page.

    The digest does not change with the markup, white space, the theme, numbers of lines, or hashes in the names
    of images.
    """
    content = _main_content(html)
    if content is None:
        return MainPart(digest="", anchors=(), words=frozenset())
    text = content.text(separator=" ")
    # Highlighters divide code in different ways into elements, and minifiers remove the space between elements.
    shown = re.sub(_ADDRESS, "", text) if "0x" in text else text
    seen = ["".join(shown.split()), *(_named(each) for node in content.css("img") for each in _image(node))]
    return MainPart(
        digest=blake2b("\n".join(seen).encode(errors="replace"), digest_size=_DIGEST_SIZE).hexdigest(),
        anchors=tuple(Anchor(name, kind) for name, kind in _anchors(content).items()),
        words=_words(text),
    )


def read_words(html: str) -> frozenset[str]:
    """The words in the main part of a page, in lower case."""
    content = _main_content(html)
    return frozenset() if content is None else _words(content.text(separator=" "))


def _main_content(html: str) -> LexborNode | None:
    """The element with the main part of a page, without what a theme adds or a tool writes anew in every build."""
    content = find_content(parse(html).document)
    if content is not None:
        remove_chrome(content)
        for node in content.css(_UNSTABLE):
            node.replace_with(" ")
    return content


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


def _image(node: LexborNode) -> Iterator[str]:
    """What readers see of an image: the name of its file, and its alternative text."""
    attributes = node.attributes
    source = (attributes.get("src") or "").strip()
    is_data = source[:5].lower() == "data:"
    yield "data:" if is_data else re.split(r"[?#]", source, maxsplit=1)[0].rstrip("/").rpartition("/")[2]
    yield "".join((attributes.get("alt") or "").split())


def _named(text: str) -> str:
    return _FINGERPRINT.sub("", text) if len(text) <= _NAME_LENGTH else text


def _anchors(content: LexborNode) -> dict[str, AnchorKind]:
    """The anchors of the content by name, in order; of equal names, the first counts, as in browsers."""
    in_objects = {node.mem_id for node in content.css(_IN_OBJECTS)}
    found: dict[str, AnchorKind] = {}
    for node in content.css(_ANCHORS):
        attributes = node.attributes
        name = attributes.get("id") or attributes.get("name") or ""
        if not name or name in found or len(name) > _NAME_LENGTH or node.mem_id == content.mem_id:
            continue
        kind = _kind(node.tag, attributes.get("class") or "", name)
        if kind and (kind == "object" or not _NUMBERED.fullmatch(name)):
            found[name] = "object" if node.mem_id in in_objects else kind
    return found


def _kind(tag: str | None, classes: str, name: str) -> AnchorKind | None:
    """The kind of an anchor; None if no link should lead there."""
    if (classes and not _OBJECT_CLASSES.isdisjoint(classes.split())) or name.startswith("module-"):
        return "object"
    if tag in HEADINGS or tag == "section":
        return "heading"
    if tag == "div":
        if not _LINKED_DIVS.search(classes):
            return None
        if "section" in classes.split():
            return "heading"
    return None if _NUMBERED_LABEL.fullmatch(name) else "label"


def read_prose(html: str) -> Prose:
    """The prose of a page, without numbers and punctuation that stand alone; empty below thirty words."""
    content = _main_content(html)
    for node in content.css(_LEFT_OUT) if content else ():
        node.replace_with(_BETWEEN)
    texts = content.text(separator=_BETWEEN).split(_BETWEEN) if content else ()
    words = [len(_WORD.findall(text)) for text in texts]
    pieces = (" ".join(text.split()) for text, number in zip(texts, words, strict=True) if number)
    return Counter(pieces if sum(words) >= _FEW else ())


def shared_prose(one: Prose, other: Prose) -> float | None:
    """The share of the longer page's characters, from 0.0 to 1.0, in pieces of text that both pages have.

    About 1.0 means a copy, and less than `TRANSLATION` a translation. None if either page has too little text to
    tell. This takes linear time.
    """
    both, *pages = (sum(map(len, each.elements())) for each in (one & other, one, other))
    return both / max(pages) if all(pages) else None
