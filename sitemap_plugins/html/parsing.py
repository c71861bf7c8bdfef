"""Parse HTML as browsers do (lexbor), but stop before the time grows with the square of the page's length.

By the rules that all browsers share, a tag may be compared with every open element, an attribute with all others of its
tag, and each paragraph gets a copy of all formatting elements that were never closed: 35 kB of HTML can fill a
gigabyte, and 700 kB can take a minute. Of a page that might do this, only the beginning is parsed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from selectolax.lexbor import LexborHTMLParser

# Up to these limits, any page is parsed. That takes half a second at worst.
_TAGS: Final = 1500
_LONG: Final = 1 << 17  # characters

# Pages up to these limits are not examined.
_SHORT: Final = 1 << 15  # characters
_FEW: Final = 500  # tags

_WAITING: Final = 16_000_000  # tags, times the elements that each is compared with
# Copies of formatting elements, at 360 bytes each. A page with a font that is never closed has one for each tag.
_COPIES: Final = 400_000
_EQUAL: Final = 3  # elements with the same name and attributes of which there are copies (HTML, "Noah's Ark clause")
_FONTS: Final = frozenset({"b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"})
_FONT: Final = r"(?i)<[bcefinstu](?:ig|ode|m|ont|obr|mall|trike|trong|t|)[\s/>]"
# The parser searches all names of tags and attributes. A manual of 8 MB on a single page has 16,000.
_NAMES: Final = 30_000

# A tag, a comment without tags, or anything else that begins with "<", up to the next one. Compiled if a page is long.
_SPACE: Final = r"\t\n\f\r "
_TAG: Final = r"[a-z][a-z0-9_:-]*+"
_VALUE: Final = rf"""=(?:"[^"]*+"|'[^']*+'|[^{_SPACE}"'<>=`]++)"""
_ATTRIBUTES: Final = rf"""(?:[{_SPACE}]++[^{_SPACE}"'<>/=]++(?:{_VALUE})?+){{0,250}}+[{_SPACE}]*+"""
_TOKEN: Final = (
    rf"<(?:/(?P<end>{_TAG})[{_SPACE}]*+>|(?P<start>{_TAG})(?P<attributes>{_ATTRIBUTES})(?P<slash>/?+)>"
    r"|!--[^<]*?-->|(?P<other>[^<]*+))"
)
# A tag that is none, with a value that may hide what follows.
_NAME: Final = rf"""[^{_SPACE}"'<>/=]++"""
_UNCLEAR: Final = r"""<[a-z][^<>]*=\s*+(?:"[^"<>]*+[<>]|'[^'<>]*+[<>])"""

# Nothing but text is certain to be in these: what looks like a tag is one in svg, and else may hide the end tag.
_RAW: Final = frozenset({"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"})
# These have no end tag. Some end svg and math, too; the others would be open in these until they end.
_EMPTY: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_LEAVING: Final = frozenset({"br", "embed", "hr", "img", "meta"})
_FOREIGN: Final = frozenset({"math", "svg"})
# Authors may leave out the end tags of these. The end tag of a list, a table or a block ends them, or the next item.
_OPTIONAL: Final = frozenset(
    {"caption", "colgroup", "dd", "dt", "li", "p", "tbody", "td", "tfoot", "th", "thead", "tr"}
)
_ITEMS: Final = frozenset({"dd", "dt", "li", "p"})
_SHAPES: Final = frozenset({"circle/", "ellipse/", "line/", "path/", "polygon/", "polyline/", "rect/", "stop/", "use/"})
_DRAWINGS: Final = frozenset({"clippath", "defs", "g", "mask", "svg", "symbol"})
_ENDED_WITH: Final = {
    **dict.fromkeys(["blockquote", "div", "dl", "ol", "table", "ul"], _OPTIONAL),
    **dict.fromkeys(_DRAWINGS, _SHAPES),
}


_Token: TypeAlias = tuple[str, str, str, str, str]
"""The groups of the pattern: the name of an end tag or a start tag, attributes, a slash at their end, or other text."""


class Parsed(NamedTuple):
    """A page, and what was parsed if not all: "up to character 1,234 only, because …"; else empty."""

    document: LexborHTMLParser
    cut: str


def parse(html: str) -> Parsed:
    """Parse a page, or as much of it as can be parsed in a time proportional to its length."""
    cut = ""
    if (why := _obstacle(html)) and (end := _beginning(html)) < len(html):
        html, cut = html[:end], f"up to character {end:,} only, because {why}"
    # The parser takes a byte order mark for text, which ends the head.
    return Parsed(LexborHTMLParser(html.removeprefix("\ufeff")), cut)


def _beginning(html: str) -> int:
    """The length of the beginning of a page that is parsed in any case."""
    return len("<".join(html[:_LONG].split("<", _TAGS + 1)[: _TAGS + 1]))


def _obstacle(html: str) -> str:
    """Why it may take too long to parse a page; empty for nearly all pages, which leave few elements open."""
    tags = html.count("<")
    if len(html) <= _SHORT and tags <= _FEW:
        return ""
    if len(html) <= _LONG:
        elements = tags - html.count("</")
        if tags * elements <= _WAITING and tags * len(re.findall(_FONT, html)) <= _COPIES:
            return ""
    # Names of tags are compared without regard to the case of ASCII letters.
    examined = [_examine(html.encode("ascii", "replace").lower().decode("ascii"))]
    for each in examined:
        # The code of an example may stand in an attribute, for a button that copies it. Where it is none, it is markup.
        examined += (_examine(attributes) for attributes in each.attributes if "<" in attributes)
    left = [token for each in examined for token in each.left]
    # Where no tag begins, there is text, or a comment without attributes.
    unusual = "<".join(["", *(other for *_, other in left if other[:1] == "/" or other[:1].isalpha()), ""])
    attributes = " ".join(chain.from_iterable(each.attributes for each in examined))
    if _count_names(f"{unusual} {attributes}") + len(frozenset().union(*(each.names for each in examined))) > _NAMES:
        return f"it has more than {_NAMES:,} different words"
    fonts = Counter((start, attributes) for _, start, attributes, *_ in left if start in _FONTS)
    copies = sum(min(number, _EQUAL) for number in fonts.values()) + len(re.findall(_FONT, unusual))
    is_clear = len(unusual) <= _LONG and not re.search(_UNCLEAR, unusual)
    if is_clear and tags * len(left) <= _WAITING and tags * copies <= _COPIES:
        return ""
    return "too many of its tags are unusual or not closed"


def _count_names(text: str) -> int:
    """The number of different names in the attributes of tags; no more than there are words, if these are few."""
    words = len(text.split())
    return words if words <= _NAMES // 2 else len(set(re.findall(_NAME, text)))


class _Examined(NamedTuple):
    """The tags of a page: the names of its elements, their attributes, and the tokens that are ``left`` open."""

    names: frozenset[str]
    attributes: Sequence[str]
    left: Sequence[_Token]


def _examine(html: str) -> _Examined:
    """Find the elements that are not certainly closed, in HTML as in svg.

    An element is certainly closed if everything between its tags is. Whatever is unusual may hide an end tag, so all
    elements that are open there are left open.
    """
    left: list[_Token] = []
    stack: list[_Token] = []
    foreign = 0
    tokens: list[_Token] = re.findall(_TOKEN, html)
    for token in tokens:
        end, start, _, _, other = token
        if (not _close(stack, end)) if end else other or (start and stack and stack[-1][1] in _RAW):
            left += stack
            stack.clear()
        elif end in _FOREIGN:
            foreign -= 1
        if start in _EMPTY:
            if foreign and start not in _LEAVING:
                left.append(token)
        elif start:
            if start in _ITEMS:
                _close(stack, start)
            foreign += start in _FOREIGN
            stack.append(token)
        elif other:
            left.append(token)
    return _Examined(
        names=frozenset(token[1] for token in tokens),
        attributes=[token[2] for token in tokens if token[2]],
        left=left + stack,
    )


def _close(stack: list[_Token], name: str) -> bool:
    """Close the last open element, if it has this name, and those after it that end with it."""
    at = len(stack)
    if ended_with := _ENDED_WITH.get(name):
        while at and (stack[at - 1][1] + stack[at - 1][3]) in ended_with:
            at -= 1
    is_open = at > 0 and stack[at - 1][1] == name and not stack[at - 1][3]
    if is_open:
        del stack[at - 1 :]
    return is_open
