"""Find the images in the content of a rendered page, and their URLs; no badges, icons, avatars or formulas."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urljoin, urlsplit

from selectolax.lexbor import LexborNode

from sitemap_plugins.html.parsing import Once, around
from sitemap_plugins.values.text import CONTROL

Attributes: TypeAlias = Mapping[str, str | None]

IMAGES: Final = 10_000
"""The maximum number of images to read from a page: more than any sitemap lists for one."""

# Scripts for lazy loading keep the URL of an image in these; its src is then only a placeholder.
_LAZY: Final = ("data-src", "data-original", "data-lazy-src")
_SRCSETS: Final = ("data-srcset", "srcset")
_PLACEHOLDER: Final = re.compile(
    r"(?:^|[/._-])(?:placeholder|spacer|blank|transparent|pixel|1x1|loading|loader)\.(?:gif|png|svg)$"
)
_DESCRIPTOR: Final = re.compile(r"(?P<size>\d{1,9}(?:\.\d{1,9})?)[wx]")
_LENGTH: Final = re.compile(r"\s*(?P<pixels>\d{1,9})(?:\.\d*)?(?:px)?\s*")
_STYLE: Final = re.compile(
    r"(?:^|[;\s])(?P<name>width|height)\s?:\s?(?P<length>\d{1,9}(?:\.\d{1,9})?px)", re.IGNORECASE
)
_NOT_DISPLAYED: Final = re.compile(r"(?:^|[;\s])display\s?:\s?none(?![\w-])", re.IGNORECASE)
_STYLE_LENGTH: Final = 1000
# Enough for every honest page; on hostile ones, each image could have the same endless list.
_SRCSET_WORDS: Final = 100
_ADDRESS_SIGNS: Final = frozenset("./")
_TINY: Final = 32
_PIXEL: Final = 1

_BADGE_HOSTS: Final = (
    "shields.io",
    "badgen.net",
    "badge.fury.io",
    "codecov.io",
    "coveralls.io",
    "travis-ci.org",
    "travis-ci.com",
    "ci.appveyor.com",
    "circleci.com",
    "cirrus-ci.com",
    "pepy.tech",
    "mybinder.org",
    "bestpractices.dev",
    "deepwiki.com",
)
_AVATAR_HOSTS: Final = ("gravatar.com", "avatars.githubusercontent.com")
_TRACKER_HOSTS: Final = ("static.scarf.sh", "facebook.com", "google-analytics.com", "doubleclick.net", "hits.sh")
_FORMULA_HOSTS: Final = ("latex.codecogs.com",)
_HOSTS: Final = frozenset((*_BADGE_HOSTS, *_AVATAR_HOSTS, *_TRACKER_HOSTS, *_FORMULA_HOSTS))
_BADGE: Final = re.compile(r"(?:^|[/._-])(?:project_)?badges?(?:[/._-]|$)")
# On the site itself, an image may really show a badge, such as one of a component library.
_OWN_BADGE: Final = re.compile(r"(?:^|[/._-])badge\.svg$")
_PIPELINE: Final = re.compile(r"/_apis/build/status|/workflows/[^/]+/status")
_NO_PICTURE: Final = re.compile(
    r"(?:/favicon[^/]*|\.ico|\.mp4|\.m4v|\.webm|\.ogv|\.mov|\.html?|/matomo\.php|/piwik\.php)$"
)
_GITHUB_AVATAR: Final = re.compile(r"/[^/]+\.png")
# A template engine should have replaced these; no URL contains them.
_TEMPLATE: Final = re.compile(r"\{\{|\{%")

_CLASSES: Final = frozenset(
    [
        "emoji",
        "emojione",
        "gemoji",
        "twemoji",
        "icon",
        "icons",
        "inline-icon",
        "octicon",
        "md-icon",
        "sd-octicon",
        "toggler",
        "badge",
        "math",
        "mermaid",
    ]
)
_CLASSES_AROUND: Final = frozenset({"math", "mermaid", "badge", "badges"})
_AVATAR_CLASS: Final = re.compile(r"avatar|md-author", re.IGNORECASE)
_EMOJI: Final = re.compile(r":[\w+-]+:")
_AROUND: Final = 3
_SIBLINGS: Final = 100


def absolute_url(base: str, href: str | None) -> str | None:
    """The http(s) URL that ``href`` means on a page at ``base``, without a fragment; None if it means none.

    As in browsers, white space around it and line breaks in it are ignored, and a backslash in a path is a slash.
    """
    if not href:
        return None
    text = href.strip().replace("\n", "").replace("\r", "").replace("\t", "").partition("#")[0]
    if not text or CONTROL.search(text) or _TEMPLATE.search(text):
        return None
    path, mark, query = text.partition("?")
    try:
        parts = urlsplit(urljoin(base, path.replace("\\", "/") + mark + query))
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return None
    return parts.geturl() if usable else None


def read_images(nodes: Sequence[LexborNode], base: str, captioned: Container[int]) -> tuple[str, ...]:
    """The URLs of a content's ``img`` elements, each once, in order; ``captioned`` are its figures with a caption."""
    host = urlsplit(base).hostname
    found: dict[str, None] = {}
    addresses = _Addresses(base)
    marks_icons = Once(_marks_icons)
    for node in nodes:
        attributes = node.attributes
        outer = around(node, _AROUND)
        if _is_icon(attributes) or any(map(marks_icons, outer)) or _is_decoration(attributes, outer, captioned):
            continue
        url = None if addresses.is_spare(outer) else addresses.of(node, attributes)
        if url is not None and url not in found and not _is_foreign(urlsplit(url), host) and not _is_page(url, base):
            found[url] = None
            if len(found) == IMAGES:
                break
    return tuple(found)


def has_no_address(node: LexborNode) -> bool:
    """Whether an image has no URL at all, not even one for a script or in the ``picture`` around it."""
    parent = node.parent
    attributes = node.attributes
    return not any(attributes.get(name) for name in ("src", *_LAZY, *_SRCSETS)) and (
        parent is None or parent.tag != "picture"
    )


def _is_page(url: str, base: str) -> bool:
    """Whether the URL is that of the page itself or of the home page: ``src="./"`` is not the URL of an image."""
    there, here = urlsplit(url), urlsplit(base)
    return there.netloc == here.netloc and there.path in {here.path, "/", ""}


def children(node: LexborNode, tag: str) -> Iterator[LexborNode]:
    """The first few children of ``node`` with this tag. More make no sense, and hostile pages could have very many."""
    child = node.child
    for _ in range(_SIBLINGS):
        if child is None:
            break
        if child.tag == tag:
            yield child
        child = child.next


class _Addresses:
    """Finds the URLs of images. It reads each element that several images share only once."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._source = Once(lambda node: self._largest([each.attributes for each in children(node, "source")]))
        self._shows = Once(self._has_address)
        self._is_blank = Once(lambda node: not (node.text_content or "").strip())

    def of(self, node: LexborNode, attributes: Attributes) -> str | None:
        """The URL of an image: for lazy loading, else its src, else the largest candidate of it or its ``picture``."""
        for name in _LAZY:
            written = attributes.get(name) or ""
            # For some scripts this is only a switch: data-src="true".
            if not _ADDRESS_SIGNS.isdisjoint(written) and (url := absolute_url(self._base, written)) is not None:
                return url
        url = absolute_url(self._base, attributes.get("src"))
        if url is not None and not _PLACEHOLDER.search(urlsplit(url).path.lower()):
            return url
        if (best := self._largest([attributes])) is not None:
            return best
        parent = node.parent
        return self._source(parent) if parent is not None and parent.tag == "picture" else None

    def is_spare(self, outer: Sequence[LexborNode]) -> bool:
        """Whether an image for browsers without scripts repeats a lazily loaded one directly beside it."""
        noscript = next((each for each in outer if each.tag == "noscript"), None)
        return noscript is not None and any(self._shows(beside) for beside in self._beside(noscript))

    def _beside(self, node: LexborNode) -> Iterator[LexborNode]:
        for name in ("prev", "next"):
            beside: LexborNode | None = getattr(node, name)
            if beside is not None and beside.is_text_node and self._is_blank(beside):
                beside = getattr(beside, name)
            if beside is not None:
                yield beside

    def _has_address(self, node: LexborNode) -> bool:
        images = children(node, "img") if node.tag == "picture" else iter([node] if node.tag == "img" else [])
        return any(
            not _is_hidden(attributes) and self.of(image, attributes) is not None
            for image in images
            for attributes in [image.attributes]
        )

    def _largest(self, holders: Sequence[Attributes]) -> str | None:
        """The largest candidate of all srcset attributes; the first one if several are equally large."""
        best, most = None, -1.0
        for holder in holders:
            for name in _SRCSETS:
                for href, size in _candidates(holder.get(name) or ""):
                    if size > most and (url := absolute_url(self._base, href)) is not None:
                        best, most = url, size
        return best


def _candidates(srcset: str) -> Iterator[tuple[str, float]]:
    """The URLs of a srcset with their widths or densities (HTML, "Parsing a srcset attribute").

    A comma is part of a URL unless it ends one: ``a,b.png 2x`` is one candidate, and so is a data: URI.
    """
    href = ""
    size = 1.0
    for word in srcset.split(maxsplit=_SRCSET_WORDS)[:_SRCSET_WORDS]:
        if not href:
            href = word.lstrip(",")
            ended, following = href.endswith(","), ""
            href = href.rstrip(",")
        else:
            descriptor, comma, following = word.partition(",")
            match = _DESCRIPTOR.fullmatch(descriptor)
            size = float(match["size"]) if match else size
            ended = bool(comma)
        if ended:
            yield href, size
            href, size = following.strip(","), 1.0
    if href:
        yield href, size


def _is_icon(attributes: Attributes) -> bool:
    """Whether the class or alt text marks an icon, an emoji, an avatar, a formula or a diagram drawn by a script."""
    classes = attributes.get("class") or ""
    if not _CLASSES.isdisjoint(classes.split()) or _AVATAR_CLASS.search(classes):
        return True
    return bool(_EMOJI.fullmatch(attributes.get("alt") or ""))


def _marks_icons(outer: LexborNode) -> bool:
    """Whether the class of an element marks the images in it as such icons."""
    classes = outer.attributes.get("class") or ""
    return bool(classes) and (not _CLASSES_AROUND.isdisjoint(classes.split()) or bool(_AVATAR_CLASS.search(classes)))


def _is_decoration(attributes: Attributes, outer: Sequence[LexborNode], captioned: Container[int]) -> bool:
    """Whether an image is decorative or counts visitors, and shows nothing that readers might search for.

    In HTML, an empty alt means this, but ``![](x.png)`` gives one too, and many authors write only that. So it counts
    only if the image is also small in one dimension, has no caption, and no link opens it in full size.
    """
    if (attributes.get("role") or "").strip().lower() in {"presentation", "none"} or _is_hidden(attributes):
        return True
    if (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return True
    sizes = _dimensions(attributes)
    if any(size <= _PIXEL for size in sizes) or (len(sizes) > 1 and max(sizes) <= _TINY):
        return True
    if "alt" in attributes and not attributes["alt"] and any(size <= _TINY for size in sizes):
        return not any(each.mem_id in captioned or each.tag == "a" for each in outer)
    return False


def _is_hidden(attributes: Attributes) -> bool:
    return "hidden" in attributes or bool(_NOT_DISPLAYED.search((attributes.get("style") or "")[:_STYLE_LENGTH]))


def _dimensions(attributes: Attributes) -> list[int]:
    """Width and height in pixels, if given: as attributes, or in the style as Sphinx writes them."""
    style = attributes.get("style")
    styled = {m["name"].lower(): m["length"] for m in _STYLE.finditer(style[:_STYLE_LENGTH])} if style else {}
    lengths = (_LENGTH.fullmatch(styled.get(name) or attributes.get(name) or "") for name in ("width", "height"))
    return [int(length["pixels"]) for length in lengths if length]


def _is_foreign(parts: SplitResult, host: str | None) -> bool:
    """Whether the URL is that of a badge, an avatar, a counter or a formula, or is not an image at all."""
    there = parts.hostname or ""
    path = parts.path.lower()
    if _NO_PICTURE.search(path) or _PIPELINE.search(path):
        return True
    if there == host:
        return bool(_OWN_BADGE.search(path))
    labels = there.split(".")
    if any(".".join(labels[start:]) in _HOSTS for start in range(max(0, len(labels) - 3), len(labels))):
        return True
    if there == "github.com" and _GITHUB_AVATAR.fullmatch(path):
        return True
    return bool(_BADGE.search(there) or _BADGE.search(path))
