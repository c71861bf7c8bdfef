"""Parses HTML as browsers do (lexbor), and computes values of its elements, in linear time even for hostile pages.

By the HTML standard, a tag may be compared with every open element, an attribute with all others of its tag, and each
paragraph gets a copy of all formatting elements that were never closed: 35 kB of HTML can fill a gigabyte, and 700 kB
can take a minute. So only the beginning of such pages is parsed. Others may have 100,000 elements inside the same 500.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from selectolax.lexbor import LexborHTMLParser, LexborNode

# Of any page, this much is parsed. It takes half a second at worst.
_TAGS: Final = 1500
_LONG: Final = 1 << 17  # characters

# Pages up to both limits are not examined.
_SHORT: Final = 1 << 15  # characters
_FEW: Final = 500  # tags

_WAITING: Final = 16_000_000  # tags, times the elements with which each is compared
# Copies of formatting elements, at 360 bytes each. An element that is never closed may be copied for each tag.
_COPIES: Final = 400_000
_EQUAL: Final = 3  # equal elements, at most, that are copied (HTML, "Noah's Ark clause")
_FONTS: Final = frozenset({"b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"})
_FONT: Final = r"(?i)<[bcefinstu](?:ig|ode|m|ont|obr|mall|trike|trong|t|)[\s/>]"
# The parser searches all different names of tags and attributes. A manual of 8 MB on one page has 16,000.
_NAMES: Final = 30_000

# A tag, an element with nothing but text, a comment without tags, or any other text from a "<" to the next one. Only
# compiled if a page is long.
_SPACE: Final = r"\t\n\f\r "
_TAG: Final = r"[a-z][a-z0-9_:-]*+"
_VALUE: Final = rf"""=(?:"[^"]*+"|'[^']*+'|[^{_SPACE}"'<>=`]++)"""
_ATTRIBUTES: Final = rf"""(?:[{_SPACE}]++[^{_SPACE}"'<>/=]++(?:{_VALUE})?+){{0,250}}+[{_SPACE}]*+"""
_TOKEN: Final = (
    rf"<(?:/(?P<end>{_TAG})[{_SPACE}]*+>|(?P<start>{_TAG})(?P<attributes>{_ATTRIBUTES})"
    rf"(?:(?P<slash>/)>|>(?:[^<]*+(?P<leaf></)(?P=start)[{_SPACE}]*+>)?+)|!--[^<]*?-->|(?P<other>[^<]*+))"
)
# What looks like a tag, with a value that may hide what follows.
_NAME: Final = rf"""[^{_SPACE}"'<>/=]++"""
_UNCLEAR: Final = r"""<[a-z][^<>]*=\s*+(?:"[^"<>]*+[<>]|'[^'<>]*+[<>])"""

# In these, only text is certain: what looks like a tag is one in svg, and may hide the end tag elsewhere.
_RAW: Final = frozenset({"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"})
# These have no end tag. Some also end svg and math; in these, the others stay open until svg or math ends.
_EMPTY: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_LEAVING: Final = frozenset({"br", "embed", "hr", "img", "meta"})
_FOREIGN: Final = frozenset({"math", "svg"})
# Authors may leave out the end tags of these. The next item ends them, or the end of a list, a table or a block.
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


_Token: TypeAlias = tuple[str, str, str, str, str, str]
"""The groups of the pattern: the name of an end tag; that of a start tag, its attributes, the slash after them, and a
mark if the element has nothing but text; other text."""

T = TypeVar("T")


class Parsed(NamedTuple):
    """A parsed page. ``cut`` is "up to character 1,234 only, because …", empty if the whole page was parsed."""

    document: LexborHTMLParser
    cut: str


def parse(html: str, why: str = "") -> Parsed:
    """Parse a page, or only its beginning if the whole could take more than linear time, or for the reason ``why``."""
    cut = ""
    if (why := why or _why_cut(html)) and (end := _beginning(html)) < len(html):
        html, cut = html[:end], f"up to character {end:,} only, because {why}"
    # The parser reads a byte order mark as text, which ends the head.
    return Parsed(LexborHTMLParser(html.removeprefix("\ufeff")), cut)


def _beginning(html: str) -> int:
    """The length of the beginning of a page that is parsed in any case."""
    return len("<".join(html[:_LONG].split("<", _TAGS + 1)[: _TAGS + 1]))


def _why_cut(html: str) -> str:
    """Why it may take too long to parse a page; empty for nearly all pages, because they leave few elements open."""
    tags = html.count("<")
    if len(html) <= _SHORT and tags <= _FEW:
        return ""
    if len(html) <= _LONG:
        elements = tags - html.count("</")
        if tags * elements <= _WAITING and tags * len(re.findall(_FONT, html)) <= _COPIES:
            return ""
    # Names of tags are not case-sensitive in ASCII letters.
    examined = [_examine(html.encode("ascii", "replace").lower().decode("ascii"))]
    for each in examined:
        # An attribute may hold the code of an example, for a button that copies it. If it is not one, this is markup.
        examined += (_examine(attributes) for attributes in each.attributes if "<" in attributes)
    left = [token for each in examined for token in each.left]
    # Where no tag begins, there is only text, or a comment, which has no attributes.
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
    """The number of different names in the attributes of tags, or the number of all words if that is small."""
    words = len(text.split())
    return words if words <= _NAMES // 2 else len(set(re.findall(_NAME, text)))


class _Examined(NamedTuple):
    """The tags of a page: the names of its elements, their attributes, and the tokens that are ``left`` open."""

    names: frozenset[str]
    attributes: Sequence[str]
    left: Sequence[_Token]


def _examine(html: str) -> _Examined:
    """Find the elements that are not certainly closed, in HTML or in svg.

    An element is certainly closed if everything between its tags is. Anything unusual may hide an end tag, so all
    elements that are open at this place count as left open.
    """
    left: list[_Token] = []
    stack: list[_Token] = []
    foreign = 0
    tokens: list[_Token] = re.findall(_TOKEN, html)
    for token in tokens:
        end, start, _, _, leaf, other = token
        if (not _close(stack, end)) if end else other or (start and stack and stack[-1][1] in _RAW):
            left += stack
            stack.clear()
        elif end in _FOREIGN:
            foreign -= 1
        if start in _ITEMS:
            _close(stack, start)
        if start in _EMPTY:
            if foreign and start not in _LEAVING:
                left.append(token)
        elif start and not leaf:
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
    """Close the last open element if it has this name, together with those in it that end with it."""
    at = len(stack)
    if ended_with := _ENDED_WITH.get(name):
        while at and (stack[at - 1][1] + stack[at - 1][3]) in ended_with:
            at -= 1
    is_open = at > 0 and stack[at - 1][1] == name and not stack[at - 1][3]
    if is_open:
        del stack[at - 1 :]
    return is_open


def around(node: LexborNode, most: int) -> list[LexborNode]:
    """The innermost elements around a node, at most so many, from the inside out."""
    found: list[LexborNode] = []
    outer = node.parent
    while outer is not None and len(found) < most:
        found.append(outer)
        outer = outer.parent
    return found


class Once(Generic[T]):
    """A function of an element that is called only once per element, even if thousands of others need its value."""

    def __init__(self, function: Callable[[LexborNode], T]) -> None:
        self._function = function
        self._known: dict[int, T] = {}

    def __call__(self, node: LexborNode) -> T:
        """The value of an element."""
        key = node.mem_id
        if key not in self._known:
            self._known[key] = self._function(node)
        return self._known[key]


class Inherited(Generic[T]):
    """A value that nodes inherit from the elements around them, computed once for each element.

    ``combine`` makes the value of a node from that of its parent. ``top`` is the value of ``root``, or of the document
    if there is no root.
    """

    def __init__(self, top: T, combine: Callable[[T, LexborNode], T], root: LexborNode | None = None) -> None:
        self._known = {} if root is None else {root.mem_id: top}
        self._top = top
        self._combine = combine

    def of(self, node: LexborNode) -> T:
        """The value of a node."""
        path: list[LexborNode] = []
        current: LexborNode | None = node
        while current is not None and current.mem_id not in self._known:
            path.append(current)
            current = current.parent
        value = self._top if current is None else self._known[current.mem_id]
        for inner in reversed(path):
            value = self._combine(value, inner)
            self._known[inner.mem_id] = value
        return value
