"""Retire a page of an old version by one canonical link or one noindex in its head, and undo this."""

from __future__ import annotations

import binascii
import codecs
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, structs
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html.head import CRAWLERS, FORBIDDING, markup_of, parse_head, read_markup
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.model import Markup
from sitemap_plugins.values.text import escape, replace_parts
from sitemap_plugins.values.urls import absolute_url, page_key

_NAME: Final = "sitemap-plugins:retired"
_MARK: Final = _NAME.encode()
# The original is kept in Base64: it cannot be read as tags, and cannot end an attribute or a comment.
_CONTENT: Final = re.compile(r"(canonical|noindex|removed)(?: ([A-Za-z0-9+/]++={0,2}))?")
# HTML, "Prescan a byte stream to determine its encoding": browsers look for its name in this many bytes.
_PRESCAN: Final = 1024

_ESCAPE: Final = b"\x1b"
# Real heads have a few dozen link and meta tags. Each is checked many times.
_TAGS: Final = 1000

_TAG: Final = re.compile(rb"<(?i:html|head|link|meta)(?=[\t\n\f\r />])")
# HTML, "Tokenization": a quote has a meaning only after an equals sign.
_WHOLE_TAG: Final = re.compile(
    rb"""<[a-zA-Z]++(?:[\t\n\f\r /]++|[^\t\n\f\r />][^\t\n\f\r />=]*+(?:
    [\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+|(?=>))
    |(?![\t\n\f\r ]*+=)))*+>""",
    re.VERBOSE,
)
_NOSCRIPT: Final = re.compile(rb"(</?)noscript(?=[\t\n\f\r />])", re.IGNORECASE)
# HTML, "The 'after head' insertion mode": these tags do not begin the body there, and neither do comments.
_CANDIDATES: Final = 2
_BODY: Final = re.compile(
    rb"""<(?i:body[\t\n\f\r >]|/head[\t\n\f\r ]*+>(?:[\t\n\f\r ]|<!--(?!-?>)(?:[^-]|-(?!-))*+-->)*+<(?!(?:
    base|basefont|bgsound|head|html|link|meta|noframes|noscript|script|style|template|title)[\t\n\f\r />])[a-z])""",
    re.VERBOSE,
)


class LeftAloneError(ValueError):
    """A page must not be changed. The message says why and completes the sentence "it …"."""


class UneditableError(ValueError):
    """A page cannot be changed safely. The message says why and completes the sentence "it …"."""


def set_canonical(page: bytes, url: str) -> bytes:
    """The page with a single canonical link, to this absolute URL, in place of all that count (CAN-03).

    Only the link is added, and a mark from which `restore` can undo the change. They replace the first such link, or go
    before the end of the head. All other bytes stay as they are, in any encoding that contains ASCII. An earlier change
    of this kind is undone first. A page that already has just this canonical link is returned as it is.

    Raises `LeftAloneError` for a redirect, a page with a noindex and a fragment without a head, and `UneditableError`.
    """
    return _retire(page, url, "")


def set_noindex(page: bytes, loc: str) -> bytes:
    """The page with a noindex, and without canonical links that lead elsewhere than to ``loc``, its own absolute URL.

    Like `set_canonical`, this leaves some pages as they are and raises the same errors.
    """
    return _retire(page, None, loc)


def restore(page: bytes) -> bytes:
    """The page as it was before any `set_canonical` and `set_noindex`; any other page as it is."""
    return _undo(page, _marks_in(page, _read_head(page))) if _MARK in page else page


class _PlacedTag(Struct, frozen=True):
    """A link or meta tag that a browser finds in the head, and the position in bytes where it begins."""

    start: int
    name: str
    attributes: Mapping[str, str | None]

    def value(self, name: str) -> str:
        return (self.attributes.get(name) or "").strip()

    def end(self, page: bytes) -> int:
        found = _WHOLE_TAG.match(page, self.start)
        if found is None:
            raise UneditableError("has a tag in its head whose end is unclear")
        return found.end()


class _EditedHead(Struct, frozen=True):
    """The head of a page, which is in its first ``length`` bytes, and its link and meta tags in order.

    ``document`` is what was parsed; None if that may be more than the head. ``place`` is where a tag can be added, if
    that is clear. ``written`` is how many heads the page has; 0 for a fragment, to which browsers add a head.
    """

    length: int
    document: LexborHTMLParser | None
    tags: Sequence[_PlacedTag]
    place: int | None
    written: int


class _Mark(Struct, frozen=True):
    """A changed place, its original bytes, what replaces them, and the URL of a canonical link."""

    start: int
    end: int
    original: bytes
    kind: str
    canonical: str | None = None


def _retire(page: bytes, canonical: str | None, loc: str) -> bytes:
    """The page without earlier changes, with this canonical link, or with a noindex if it is None."""
    if page.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")):
        raise UneditableError("is encoded in UTF-16")
    head = _read_head(page)
    if marks := _marks_in(page, head):
        # Most runs change nothing, but another tool may have added a link or a noindex since.
        is_as_wanted = canonical is not None and _targets(marks) == [canonical]
        has_robots = any(tag.name == "meta" and tag.value("name").lower() in CRAWLERS for tag in head.tags)
        if is_as_wanted and sum(map(_is_canonical, head.tags)) == 1 and not has_robots:
            return page
        page = _undo(page, marks)
        head = _read_head(page)
    if len(head.tags) > _TAGS or head.written > 1:
        raise UneditableError("has two heads" if head.written > 1 else f"has more than {_TAGS:,} link and meta tags")
    original, body = page[: head.length], page[head.length :]
    markup = _markup_of(page, head)
    _check(original, head, markup)
    if markup.canonicals == (canonical,):
        return page
    canonicals = _canonicals_in(original, head, len(markup.canonicals))
    if canonical is None:
        pairs = zip(canonicals, markup.canonicals, strict=True)
        # What is not a URL does not lead to the page itself.
        canonicals = [tag for tag, href in pairs if page_key(absolute_url(loc, href) or "") != page_key(loc)]
    edited = _edit(original, canonicals, head.place, canonical)
    _verify(edited, original, canonical, markup, kept=len(markup.canonicals) - len(canonicals))
    return edited + body


def _check(page: bytes, head: _EditedHead, markup: Markup) -> None:
    """Raise an error for a page that must not be changed, or whose bytes may not mean what they mean in ASCII."""
    if not head.written:
        raise LeftAloneError("has no head")
    if markup.refresh is not None:
        raise LeftAloneError("is a redirect")
    if not FORBIDDING.isdisjoint(markup.robots):
        raise LeftAloneError("has a noindex of its own")
    if markup.cut:
        raise UneditableError(f"could be read {markup.cut}")
    if _ESCAPE in page:
        raise UneditableError("is encoded in ISO-2022-JP, or has control characters in its head")


def _edit(page: bytes, replaced: Sequence[_PlacedTag], place: int | None, canonical: str | None) -> bytes:
    """The page with these tags removed and ours in place of the first one, or at ``place`` if there are none."""
    if not replaced and place is None:
        raise UneditableError("has a head whose end is unclear")
    # Written as XML, because some pages are XHTML.
    if canonical is None:
        kind, tag = "noindex", '<meta name="robots" content="noindex" />'
    else:
        kind, tag = "canonical", f'<link rel="canonical" href="{escape(canonical)}" />'
    edits: list[tuple[int, int, bytes]] = []
    for start, end in [(each.start, each.end(page)) for each in replaced] or [(place or 0, place or 0)]:
        content = f"{kind} {b64encode(page[start:end]).decode()}".rstrip()
        added = f'{tag}<meta name="{_NAME}" content="{content}" />'
        edits.append((start, end, added.encode("ascii", "xmlcharrefreplace")))
        kind, tag = "removed", ""
    return replace_parts(page, edits)


def _verify(edited: bytes, original: bytes, canonical: str | None, markup: Markup, *, kept: int) -> None:
    """Read the changed page again: it must say what is wanted and all that it said before, and can be restored."""
    head = _read_head(edited)
    marks = _marks_in(edited, head)
    after = _markup_of(edited, head)
    is_noindex = canonical is None
    expected = structs.replace(
        markup, canonicals=after.canonicals, robots=markup.robots | {"noindex"} if is_noindex else markup.robots
    )
    if (
        after != expected
        or len(after.canonicals) != (kept if is_noindex else 1)
        or _targets(marks) != [canonical]
        or _undo(edited, marks) != original
    ):
        raise UneditableError("has a head that would be parsed differently after the change")
    # With scripts, the contents of noscript are text. Without them, they can be tags and even end the head.
    if b"<noscript" in edited.lower():
        scripted = read_markup(_NOSCRIPT.sub(rb"\1noframes", edited))
        if (scripted.canonicals, scripted.robots) != (after.canonicals, after.robots):
            raise UneditableError("has a noscript in its head, after which tags count for some readers only")
    encoding = next((tag.end(edited) for tag in head.tags if _names_encoding(tag)), 0)
    if encoding > _PRESCAN >= encoding - (len(edited) - len(original)):
        raise UneditableError("names its encoding so late that browsers would not find it after the change")


def _undo(page: bytes, marks: Sequence[_Mark]) -> bytes:
    return replace_parts(page, ((mark.start, mark.end, mark.original) for mark in marks))


def _targets(marks: Sequence[_Mark]) -> list[str | None]:
    """The URLs of the canonical links in these places, with None for a noindex."""
    return [mark.canonical for mark in marks if mark.kind != "removed"]


def _marks_in(page: bytes, head: _EditedHead) -> list[_Mark]:
    """The changes in a head. A mark that lost its tag, or that another tool changed, is treated like other tags."""
    if page.find(_MARK, 0, head.length) < 0:
        return []
    marks: list[_Mark] = []
    for before, tag in zip((None, *head.tags), head.tags, strict=False):
        found = _CONTENT.fullmatch(tag.value("content")) if tag.value("name") == _NAME else None
        if not found:
            continue
        kind, was = found.groups(default="")
        try:
            original = b64decode(was)
        except binascii.Error:
            continue
        if kind == "removed":
            marks.append(_Mark(tag.start, tag.end(page), original, kind))
        elif before and not page[before.end(page) : tag.start].strip():
            canonical = before.attributes.get("href") if kind == "canonical" else None
            marks.append(_Mark(before.start, tag.end(page), original, kind, canonical))
    return marks


def _canonicals_in(page: bytes, head: _EditedHead, number: int) -> list[_PlacedTag]:
    """The canonical links in a head that `read_markup` counts; only it can tell which of them count."""
    links = [tag for tag in head.tags if _is_canonical(tag)]
    if len(links) != number:
        links = [tag for tag in links if read_markup(page[tag.start : tag.end(page)]).canonicals]
    if len(links) != number:
        raise UneditableError("has a canonical link that may not belong to the head")
    return links


def _is_canonical(tag: _PlacedTag) -> bool:
    return tag.name == "link" and "canonical" in tag.value("rel").lower()


def _names_encoding(tag: _PlacedTag) -> bool:
    return "charset" in tag.attributes or tag.value("http-equiv").lower() == "content-type"


def _markup_of(page: bytes, head: _EditedHead) -> Markup:
    """The result of `read_markup` for a page, usually without parsing it again."""
    return markup_of(head.document, page) if head.document else read_markup(page)


def _read_head(page: bytes) -> _EditedHead:
    """The head of a page. The parser finds its tags, but does not say at which positions.

    So everything that looks like such a tag gets its position as its first attribute. That changes no other tag: in a
    comment, a script or a quoted value it is text, and elsewhere it is one more attribute of a tag that began before.
    """
    if page.startswith(codecs.BOM_UTF8):
        page = b"   " + page[3:]  # the parser takes it for text, which ends the head
    for body, _ in zip(_BODY.finditer(page), range(_CANDIDATES), strict=False):
        marked = _with_positions(page[: body.start()])
        document, end, _ = parse_head(marked + body[0].decode(errors="replace"))
        if end == len(marked):
            return _EditedHead(body.end(), document, *_find_tags(page, document, body.start()))
    # The body does not begin at the end of the head, or not with a tag, so more links may follow.
    end = parse_head(page.decode("latin-1")).end  # one character per byte
    sentinel = "<meta>" if end < len(page) else ""
    document = parse(_with_positions(page[:end]) + sentinel + _with_positions(page[end:], end)).document
    return _EditedHead(len(page), None, *_find_tags(page, document, end))


def _with_positions(page: bytes, offset: int = 0) -> str:
    """A part of a page with the positions of its tags added. A head tag becomes a tag that the parser keeps."""

    def with_position(tag: re.Match[bytes]) -> bytes:
        name = b"<meta" if tag[0].lower() == b"<head" else tag[0]
        return b"%b position=%d " % (name, tag.start() + offset)

    return _TAG.sub(with_position, page).decode(errors="replace")


def _find_tags(page: bytes, document: LexborHTMLParser, end: int) -> tuple[list[_PlacedTag], int | None, int]:
    """The last three values of `_EditedHead`, from a document whose tags have positions.

    A meta tag without a position marks the end of the head, which is at ``end`` in the page. Tags that stand for a head
    are removed from the document, because its attributes mean nothing.
    """
    tags: list[_PlacedTag] = []
    place = None
    heads = 0
    has_title = False
    for node in [*document.head.iter()] if document.head else ():
        name = node.tag
        if name in {"link", "meta"}:
            attributes = node.attributes
            position = attributes.get("position")
            if position is None:
                place = end
            elif page[int(position) + 1] in b"hH":
                heads += 1
                node.decompose()
            else:
                tags.append(_PlacedTag(int(position), name, attributes))
        has_title = has_title or name == "title"
    tags.sort(key=lambda tag: tag.start)
    if place is None and tags:
        place = tags[-1].end(page)
    is_written = (
        has_title
        or any(tag.name == "meta" for tag in tags)
        or (document.root is not None and bool(document.root.attributes))
    )
    return tags, place, heads or int(is_written)
