"""Lets a page of an old version step back: one canonical link or one noindex in its head, which can be undone."""

from __future__ import annotations

import binascii
import codecs
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import urljoin

from msgspec import Struct, structs
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html.head import FORBIDDING, markup_of, parse_head, read_markup
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.model import Markup
from sitemap_plugins.values.text import escape
from sitemap_plugins.values.urls import page_key

_NAME: Final = "sitemap-plugins:retired"
_MARK: Final = _NAME.encode()
# What stood there is in Base64: no reader can take it for tags, and nothing in it ends an attribute or a comment.
_CONTENT: Final = re.compile(r"(canonical|noindex|removed)(?: ([A-Za-z0-9+/]++={0,2}))?")
# HTML, "Prescan a byte stream to determine its encoding": browsers look for its name in so many bytes.
_PRESCAN: Final = 1024

_ESCAPE: Final = b"\x1b"
# Real heads have some dozens of link and meta tags. Each is looked at many times.
_TAGS: Final = 1000

_TAG: Final = re.compile(rb"<(?i:html|head|link|meta)(?=[\t\n\f\r />])")
# HTML, "Tokenization": a quote means something only behind an equals sign.
_WHOLE_TAG: Final = re.compile(
    rb"""<[a-zA-Z]++(?:[\t\n\f\r /]++|[^\t\n\f\r />][^\t\n\f\r />=]*+(?:
    [\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+|(?=>))
    |(?![\t\n\f\r ]*+=)))*+>""",
    re.VERBOSE,
)
_NOSCRIPT: Final = re.compile(rb"(</?)noscript(?=[\t\n\f\r />])", re.IGNORECASE)
# HTML, "The 'after head' insertion mode": which tags do not begin the body there; and neither do comments.
_CANDIDATES: Final = 2
_BODY: Final = re.compile(
    rb"""<(?i:body[\t\n\f\r >]|/head[\t\n\f\r ]*+>(?:[\t\n\f\r ]|<!--(?!-?>)(?:[^-]|-(?!-))*+-->)*+<(?!(?:
    base|basefont|bgsound|head|html|link|meta|noframes|noscript|script|style|template|title)[\t\n\f\r />])[a-z])""",
    re.VERBOSE,
)


class LeftAloneError(ValueError):
    """A page that is not to be changed. The message says why and completes the sentence "it …"."""


class UneditableError(ValueError):
    """A page that cannot be changed safely. The message says why and completes the sentence "it …"."""


class Retirement(NamedTuple):
    """How a page steps back: by a canonical link to this URL, or by a noindex if that is None."""

    canonical: str | None


def set_canonical(page: bytes, url: str) -> bytes:
    """The page with one canonical link, which leads to this absolute URL and replaces all that count (CAN-03).

    Nothing is added but the link and a mark from which `restore` makes the page again: in the place of the first link
    that is replaced, else before the end of the head. All other bytes stay as they are, whatever the encoding, as long
    as ASCII is a part of it. An earlier change of this kind is undone first. A page that has just this canonical link
    by itself is returned as it is.

    Raises `LeftAloneError` for a redirect, a page with a noindex and a fragment without a head, and `UneditableError`.
    """
    return _retire(page, Retirement(url), "")


def set_noindex(page: bytes, loc: str) -> bytes:
    """The page with a noindex, and without the canonical links that lead elsewhere than ``loc``, its own absolute URL.

    It is changed, left alone or refused as `set_canonical` does.
    """
    return _retire(page, Retirement(None), loc)


def restore(page: bytes) -> bytes:
    """The page as it was before `set_canonical` or `set_noindex`, however often; any other page as it is."""
    return _undo(page, _marks_in(page, _read_head(page))) if _MARK in page else page


def read_retirement(page: bytes) -> Retirement | None:
    """How `set_canonical` or `set_noindex` lets the page step back; None if neither changed it."""
    return _retirement_of(_marks_in(page, _read_head(page))) if _MARK in page else None


class _Tag(Struct, frozen=True):
    """A link or meta tag that a browser finds in the head, and where it begins in the bytes of the page."""

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


class _Head(NamedTuple):
    """The head of a page, which is in its first ``length`` bytes, and its link and meta tags in their order.

    ``document`` is what was parsed of it; None if that may be more than the head. ``place`` is where another tag can be
    added, if that is clear. ``written`` is how many heads the page has, and 0 for a fragment, to which a browser adds
    one.
    """

    length: int
    document: LexborHTMLParser | None
    tags: Sequence[_Tag]
    place: int | None
    written: int


class _Mark(NamedTuple):
    """A place that was changed, what stood there, and how the page steps back by what stands there now, if it does."""

    start: int
    end: int
    original: bytes
    retirement: Retirement | None


def _retire(page: bytes, wanted: Retirement, loc: str) -> bytes:
    """The page without what was changed before, and changed as is wanted now."""
    if page.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"<\0", b"\0<")):
        raise UneditableError("is encoded in UTF-16")
    head = _read_head(page)
    if marks := _marks_in(page, head):
        # Most runs change nothing. Another tool may have added a link or a noindex since.
        is_as_wanted = bool(wanted.canonical) and _retirement_of(marks) == wanted
        if is_as_wanted and sum(map(_is_canonical, head.tags)) == 1 and not any(map(_is_for_robots, head.tags)):
            return page
        page = _undo(page, marks)
        head = _read_head(page)
    if len(head.tags) > _TAGS or head.written > 1:
        raise UneditableError("has two heads" if head.written > 1 else f"has more than {_TAGS:,} link and meta tags")
    original, body = page[: head.length], page[head.length :]
    markup = _markup_of(page, head)
    _check(original, head, markup)
    if markup.canonicals == (wanted.canonical,):
        return page
    canonicals = _canonicals_in(original, head, len(markup.canonicals))
    if wanted.canonical is None:
        hrefs = zip(canonicals, markup.canonicals, strict=True)
        canonicals = [tag for tag, href in hrefs if _leads_elsewhere(href, loc)]
    edited = _edit(original, canonicals, head.place, wanted)
    _verify(edited, original, wanted, markup, kept=len(markup.canonicals) - len(canonicals))
    return edited + body


def _leads_elsewhere(href: str, loc: str) -> bool:
    try:
        return page_key(urljoin(loc, href)) != page_key(loc)
    except ValueError:  # it leads nowhere
        return True


def _check(page: bytes, head: _Head, markup: Markup) -> None:
    """Raise an error for a page that is not to be changed, or whose bytes may mean something else than ASCII does."""
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


def _edit(page: bytes, replaced: Sequence[_Tag], place: int | None, wanted: Retirement) -> bytes:
    """The page with these tags replaced, the first one by ours; with ours at this place if there is none."""
    if not replaced and place is None:
        raise UneditableError("has a head whose end is unclear")
    # Written as XML, which some pages are too.
    if wanted.canonical is None:
        kind, tag = "noindex", '<meta name="robots" content="noindex" />'
    else:
        kind, tag = "canonical", f'<link rel="canonical" href="{escape(wanted.canonical)}" />'
    pieces: list[bytes] = []
    last = 0
    for start, end in [(each.start, each.end(page)) for each in replaced] or [(place or 0, place or 0)]:
        content = f"{kind} {b64encode(page[start:end]).decode()}".rstrip()
        added = f'{tag}<meta name="{_NAME}" content="{content}" />'
        pieces += [page[last:start], added.encode("ascii", "xmlcharrefreplace")]
        kind, tag, last = "removed", "", end
    return b"".join((*pieces, page[last:]))


def _verify(edited: bytes, original: bytes, wanted: Retirement, markup: Markup, *, kept: int) -> None:
    """Read the changed page again: it says what is wanted and all else that it said before, and can be restored."""
    head = _read_head(edited)
    marks = _marks_in(edited, head)
    after = _markup_of(edited, head)
    is_noindex = wanted.canonical is None
    expected = structs.replace(
        markup, canonicals=after.canonicals, robots=markup.robots | {"noindex"} if is_noindex else markup.robots
    )
    if (
        after != expected
        or len(after.canonicals) != (kept if is_noindex else 1)
        or _retirement_of(marks) != wanted
        or _undo(edited, marks) != original
    ):
        raise UneditableError("has a head that would be read in another way after the change")
    # With scripts, what is in noscript is text. Without them it can be tags, and can even end the head.
    if b"<noscript" in edited.lower():
        scripted = read_markup(_NOSCRIPT.sub(rb"\1noframes", edited))
        if (scripted.canonicals, scripted.robots) != (after.canonicals, after.robots):
            raise UneditableError("has a noscript in its head behind which tags count for some readers only")
    encoding = next((tag.end(edited) for tag in head.tags if _names_encoding(tag)), 0)
    if encoding > _PRESCAN >= encoding - (len(edited) - len(original)):
        raise UneditableError("names its encoding so late that browsers would not find it after the change")


def _undo(page: bytes, marks: Sequence[_Mark]) -> bytes:
    pieces: list[bytes] = []
    last = 0
    for mark in marks:
        pieces += [page[last : mark.start], mark.original]
        last = mark.end
    return b"".join((*pieces, page[last:]))


def _retirement_of(marks: Sequence[_Mark]) -> Retirement | None:
    return next((mark.retirement for mark in marks if mark.retirement), None)


def _marks_in(page: bytes, head: _Head) -> list[_Mark]:
    """What was changed in a head. A mark that has lost its tag, or that another tool changed, is like any other tag."""
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
            marks.append(_Mark(tag.start, tag.end(page), original, None))
        elif before and not page[before.end(page) : tag.start].strip():
            retirement = Retirement(before.attributes.get("href") if kind == "canonical" else None)
            marks.append(_Mark(before.start, tag.end(page), original, retirement))
    return marks


def _canonicals_in(page: bytes, head: _Head, number: int) -> list[_Tag]:
    """The canonical links in a head, of which `read_markup` counts so many. It alone knows which ones count."""
    links = [tag for tag in head.tags if _is_canonical(tag)]
    if len(links) != number:
        links = [tag for tag in links if read_markup(page[tag.start : tag.end(page)]).canonicals]
    if len(links) != number:
        raise UneditableError("has a canonical link of which it is unclear whether it belongs to the head")
    return links


def _is_for_robots(tag: _Tag) -> bool:
    return tag.name == "meta" and tag.value("name").lower() in {"robots", "googlebot"}


def _is_canonical(tag: _Tag) -> bool:
    """Whether a tag may be a canonical link."""
    return tag.name == "link" and "canonical" in tag.value("rel").lower()


def _names_encoding(tag: _Tag) -> bool:
    return "charset" in tag.attributes or tag.value("http-equiv").lower() == "content-type"


def _markup_of(page: bytes, head: _Head) -> Markup:
    """What `read_markup` finds in a page, mostly without parsing it again."""
    return markup_of(head.document, page) if head.document else read_markup(page)


def _read_head(page: bytes) -> _Head:
    """The head of a page. The parser finds its tags, but does not say where they stand.

    So everything that looks like one is given its position as its first attribute. That changes no other tag: in a
    comment, a script or a quoted value it is text, and elsewhere one more attribute of a tag that has begun before.
    """
    if page.startswith(codecs.BOM_UTF8):
        page = b"   " + page[3:]  # to the parser it is text, and text ends the head
    for body, _ in zip(_BODY.finditer(page), range(_CANDIDATES), strict=False):
        marked = _with_positions(page[: body.start()])
        document, end, _ = parse_head(marked + body[0].decode(errors="replace"))
        if end == len(marked):
            return _Head(body.end(), document, *_find_tags(page, document, body.start()))
    # The body does not begin where the head ends, or it does not begin with a tag. So links may come later.
    end = parse_head(page.decode("latin-1")).end  # of which each byte is a character
    sentinel = "<meta>" if end < len(page) else ""
    document = parse(_with_positions(page[:end]) + sentinel + _with_positions(page[end:], end)).document
    return _Head(len(page), None, *_find_tags(page, document, end))


def _with_positions(page: bytes, offset: int = 0) -> str:
    """A part of a page, in which tags have their positions. A tag of a head becomes one that the parser keeps."""

    def with_position(tag: re.Match[bytes]) -> bytes:
        name = b"<meta" if tag[0].lower() == b"<head" else tag[0]
        return b"%b position=%d " % (name, tag.start() + offset)

    return _TAG.sub(with_position, page).decode(errors="replace")


def _find_tags(page: bytes, document: LexborHTMLParser, end: int) -> tuple[list[_Tag], int | None, int]:
    """The last three values of `_Head`, from a document in which tags have positions.

    Where the head ends, which is at ``end`` in the page, it has a meta tag without one. Those that stand for a head are
    taken out of the document: its attributes say nothing.
    """
    tags: list[_Tag] = []
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
                tags.append(_Tag(int(position), name, attributes))
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
