"""Parse HTML as browsers do (lexbor), but stop before the time grows with the square of the page's length.

By the rules that all browsers share, a tag may be compared with every open element, an attribute with all others of its
tag, and each paragraph gets a copy of all formatting elements that were never closed: 35 kB of HTML can fill a
gigabyte, and 700 kB can take a minute. Of a page that might do this, only the beginning is parsed.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

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
_FONT: Final = r"(?i)<[bcefinstu](?:ig|ode|m|ont|obr|mall|trike|trong|t|)[\s/>]"

_SPACE: Final = r"\t\n\f\r "
# The parser searches all names of tags and attributes. A manual of 8 MB on a single page has 16,000 words.
_WORDS: Final = 30_000
_WORD: Final = rf"""[<{_SPACE}]([^{_SPACE}"'<>/=]++)"""

# Elements that are certainly closed, in HTML as in svg, are removed from the inside out. The mark in their place must
# not be in a tag, a comment or a script: then they were no elements. Compiled if a page is long.
_LEVELS: Final = 30
_REMOVED: Final = "\0"
_NAME: Final = rf"""[{_SPACE}]++[^{_SPACE}"'<>/=\0]++"""
_VALUE: Final = rf"""=(?:"[^"<\0]*+"|'[^'<\0]*+'|[^{_SPACE}"'<>=`\0]++)"""
_ATTRIBUTES: Final = rf"(?:{_NAME}(?:{_VALUE})?+)*+[{_SPACE}]*+"
_EMPTY: Final = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
_VOID: Final = rf"<(?i:{_EMPTY}){_ATTRIBUTES}/?>"
# Authors may leave out the end tags of these. The end tag of a list, a table or a block ends them, or the next item.
_OPTIONAL: Final = rf"<(?i:caption|colgroup|dd|dt|li|p|tbody|td|tfoot|th|thead|tr){_ATTRIBUTES}>"
_ITEM: Final = "dd|dt|li|p"
_SHAPE: Final = rf"<(?:circle|ellipse|line|path|polygon|polyline|rect|stop|use){_ATTRIBUTES}/>"
_RAW: Final = "iframe|noembed|noframes|script|style|textarea|title|xmp"
_CLOSED: Final = (
    rf"<(?:(?P<raw>{_RAW}){_ATTRIBUTES}>[^<\0]*+</(?P=raw)>"
    rf"|(?P<block>(?i:blockquote|div|dl|ol|table|ul)){_ATTRIBUTES}>[^<]*+(?:(?:{_VOID}|{_OPTIONAL})[^<]*+)*+</(?P=block)>"
    rf"|(?P<drawing>clipPath|defs|g|mask|svg|symbol){_ATTRIBUTES}>[^<]*+(?:{_SHAPE}[^<]*+)*+</(?P=drawing)>"
    rf"|(?P<item>{_ITEM}){_ATTRIBUTES}>[^<]*+(?:{_VOID}[^<]*+)*+(?:</(?P=item)>|(?=<(?P=item)[{_SPACE}>]))"
    rf"|(?!(?i:{_RAW}|{_EMPTY}|{_ITEM})[{_SPACE}>])(?P<name>[a-zA-Z][\w:-]*+){_ATTRIBUTES}>[^<]*+(?:{_VOID}[^<]*+)*+</(?P=name)>"
    r"|!--[^<\0]*?-->)"
)
# The code of an example may stand in an attribute, for a button that copies it.
_WITH_CODE: Final = rf"""(<[a-zA-Z][\w:-]*+(?:{_NAME}(?:{_VALUE})?+)*?{_NAME}=)("[^"<]*+<[^"]*+"|'[^'<]*+<[^']*+')"""
_UNCLEAR: Final = r"""<[a-zA-Z][^<>\0]*=\s*+(?:"[^"<>\0]*+[<>\0]|'[^'<>\0]*+[<>\0])"""


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
    if (len(html) <= _SHORT and tags <= _FEW) or (len(html) <= _LONG and _leaves_few_open(html, tags)):
        return ""
    if len(set(re.findall(_WORD, html))) > _WORDS:
        return f"it has more than {_WORDS:,} different words"
    codes: list[str] = []

    def without_code(tag: re.Match[str]) -> str:
        codes.append(tag[2])
        return f'{tag[1]}""'

    # Where it is no attribute, the code may be elements.
    rest = re.sub(_WITH_CODE, without_code, html) + "</>".join(["", *codes])
    for _ in range(_LEVELS):
        rest, removed = re.subn(_CLOSED, _REMOVED, rest)
        if len(rest) <= _LONG and _leaves_few_open(rest, tags) and not re.search(_UNCLEAR, rest):
            return ""
        if not removed:
            break
    return "too many of its tags are unusual or not closed"


def _leaves_few_open(html: str, tags: int) -> bool:
    """Whether elements that are left open cost little, even if all of these are and the page has so many tags."""
    elements = html.count("<") - html.count("</")
    return tags * elements <= _WAITING and tags * len(re.findall(_FONT, html)) <= _COPIES
