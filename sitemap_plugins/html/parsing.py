"""Parse HTML as browsers do (lexbor), but stop before the time grows with the square of the page's length.

By the rules that all browsers share, a tag may be compared with every open element, and each paragraph gets a copy of
all formatting elements that were never closed: 35 kB of HTML can fill a gigabyte, and 700 kB can take a minute. So
pages that might do this are scanned first, and parsed only up to the tag where it begins. Ordinary pages are parsed
directly.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser

NESTING: Final = 512
"""The maximum depth of elements: Chrome nests no deeper, and documentation is 10 to 40 deep."""

NAMES: Final = 1000
"""The maximum number of names of tags and attributes: the parser searches all of them. Real pages have 50."""

# The limits for a page to be parsed directly, which takes a tenth of a second at worst.
_SHORT: Final = 1 << 15  # characters
_FEW: Final = 500  # tags
_LONG: Final = 1 << 17  # characters, without elements that are certainly closed
_LONG_TAG: Final = r"<[a-zA-Z][^>]{4000}"
_BRACKET_IN_VALUE: Final = r"""=\s*+(?:"[^"<>]*+[<>]|'[^'<>]*+[<>])"""
_WAITING: Final = 16_000_000  # tags, times the elements that each is compared with
# Copies of formatting elements, at 360 bytes each. A page with a font that is never closed has one for each tag.
_COPIES: Final = 400_000
_COPIES_OF_A_TAG: Final = 2
_FONT: Final = r"(?i)<[bcefinstu](?:ig|ode|m|ont|obr|mall|trike|trong|t|)[\s/>]"

# Most elements have these names and only these attributes, and leave nothing open.
_INLINE: Final = "a|abbr|b|br|code|em|i|kbd|small|span|strong|sub|sup|tt|var"
_BLOCK: Final = f"{_INLINE}|button|cite|dd|dt|h[1-6]|label|li|option|p|pre|td|th|time"
_NAMES: Final = "alt|aria-hidden|aria-label|class|colspan|href|id|name|rel|rowspan|src|style|target|title|type"
_PLAIN: Final = rf'(?: (?:{_NAMES})="[^"<>]*+")*+'


def _closed(names: str, inside: str = "") -> str:
    """The pattern of an element with one of these names that contains only text and elements like ``inside``."""
    level = f"level{inside.count('level') // 2}"
    return rf"<(?P<{level}>{names}){_PLAIN}>[^<]*+(?:{inside}[^<]*+)*+</(?P={level})>"


_CLOSED: Final = _closed(_BLOCK, _closed(_INLINE, _closed(_INLINE, "(?!)")))

# HTML, "Tokenization": a quote, a slash or an equals sign has a meaning only where it is expected.
_SPACE: Final = r"\t\n\f\r "
_NAME: Final = rf"[^{_SPACE}/>][^{_SPACE}/>=]*+"
_VALUE: Final = rf"""[{_SPACE}]*+=[{_SPACE}]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^{_SPACE}>"'][^{_SPACE}>]*+)?+"""
_ATTRIBUTE: Final = rf"({_NAME})(?:{_VALUE})?+"
_ATTRIBUTES: Final = rf"(?:[{_SPACE}]++|/(?!>)|{_NAME}(?:{_VALUE})?+)*+"
_RAW: Final = "iframe|noembed|noframes|script|style|textarea|title|xmp"
_TOKEN: Final = (
    rf"(?P<closed>(?:{_CLOSED}[^<]*+)++)"
    rf"|<(?:(?=[instxINSTX])(?i:(?P<raw>{_RAW})(?=[{_SPACE}/>])(?P<raw_attributes>{_ATTRIBUTES})(?P<raw_end>/?+)(?:>|\Z)"
    rf"(?P<text>(?:[^<]++|<(?!/(?P=raw)[{_SPACE}/>]))*+))"
    rf"|(?P<end>/?+)(?P<tag>[a-zA-Z][^{_SPACE}/>]*+){_PLAIN}(?P<attributes>{_ATTRIBUTES})(?P<tag_end>/?+)(?:>|\Z)"
    r"|!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>|\Z))"
    r"|(?P<other>[!?/][^>]*+)(?:>|\Z))"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VOID: Final = _words("area base basefont bgsound br col embed hr img input keygen link meta param source track wbr")
# A second one of these joins or ends the first.
_NEVER_NESTED: Final = _VOID | _words("a body head html")
# Start tags that lead out of svg and math, and elements in svg and math in which HTML begins again.
_HTML_ONLY: Final = _words(
    """
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr
    ol p pre ruby s small span strong strike sub sup table tt u ul var font
    annotation-xml desc foreignobject mi mn mo ms mtext title
    """
)
_FORMATTING: Final = _words("b big code em font i nobr s small strike strong tt u")
_FOREIGN: Final = _words("math svg")
_OTHER_RULES: Final = _FOREIGN | _words("frameset select")
_PARTS: Final = _words("caption colgroup tbody td tfoot th thead tr")
# Authors may leave out the end tags of these. The end tag of a form may belong to another form.
_OPTIONAL: Final = _words("dd dt form li option p") | _PARTS
_BLOCKS: Final = _words(
    """
    address article aside blockquote center details dir div dl fieldset figcaption figure footer header listing main
    menu nav ol pre section ul
    """
)
_CONTAINERS: Final = _BLOCKS | _words("button dd dt li select table") | _PARTS
# The start tags that end the innermost element, and which elements they end.
_ENDED_BY: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(_BLOCKS | _words("form h1 h2 h3 h4 h5 h6 p table"), _words("p")),
    **dict.fromkeys(("dd", "dt"), _words("dd dt p")),
    **dict.fromkeys(("td", "th"), _words("td th")),
    **dict.fromkeys(("tbody", "tfoot", "thead"), _PARTS),
    "li": _words("li p"),
    "option": _words("option"),
    "tr": _words("td th tr"),
}


class Parsed(NamedTuple):
    """A page, and what was parsed if not all: "up to character 1,234 only, because …"; else empty."""

    document: LexborHTMLParser
    cut: str


def parse(html: str) -> Parsed:
    """Parse a page, or as much of it as can be parsed in a time proportional to its length."""
    end, why = (len(html), "") if _is_ordinary(html) else _parsable_length(html)
    # The parser takes a byte order mark for text, which ends the head.
    return Parsed(
        LexborHTMLParser(html[:end].removeprefix("\ufeff")),
        f"up to character {end:,} only, because {why}" if why else "",
    )


def _is_ordinary(html: str) -> bool:
    """Whether a page, like nearly all, certainly parses fast: it leaves few elements open and has no odd tags."""
    tags = html.count("<")
    if len(html) <= _SHORT and tags <= _FEW:
        return True
    # What looks like an element may be in an attribute's value, which then contains a bracket.
    rest = re.sub(_CLOSED, ">", html)
    elements = rest.count("<") - rest.count("</")
    return (
        len(rest) <= _LONG
        and not re.search(_BRACKET_IN_VALUE, rest)
        and tags * elements <= _WAITING
        and tags * len(re.findall(_FONT, rest)) <= _COPIES
        and not re.search(_LONG_TAG, rest)
    )


def _parsable_length(html: str) -> tuple[int, str]:
    """How many characters of a page can be parsed, and why no more; the reason is empty for the whole page."""
    elements = _OpenElements()
    names: set[str] = set()
    copies = -_COPIES
    for token in re.finditer(_TOKEN, html):
        why = ""
        if closed := token["closed"]:
            elements.skip_closed()
            copies += (elements.formatting - _COPIES_OF_A_TAG) * closed.count("</")
            why = _exceeded_limit(elements, names, copies)
        elif token["end"]:
            elements.end(token["tag"].lower())
        elif token["tag"]:
            name = token["tag"].lower()
            names.add(name)
            if attributes := token["attributes"]:
                names.update(re.findall(_ATTRIBUTE, attributes))
            elements.start(name, is_closed=bool(token["tag_end"]))
            copies += elements.formatting - _COPIES_OF_A_TAG
            why = _exceeded_limit(elements, names, copies)
        elif token["raw"]:
            names.update(re.findall(_ATTRIBUTE, token["raw_attributes"]))
            why = _exceeded_limit(elements, names, copies) or elements.ambiguity_in(
                token["raw"].lower(), token["text"], is_closed=bool(token["raw_end"])
            )
        elif elements.other_rules and (other := token["other"] or "")[:8].upper() == "![CDATA[" and other[-2:] != "]]":
            why = "a CDATA section there contains >"
        if why:
            return token.start(), why
    return len(html), ""


def _exceeded_limit(elements: _OpenElements, names: set[str], copies: int) -> str:
    if len(elements.names) > NESTING:
        return f"elements there are nested more than {NESTING} deep"
    if len(names) > NAMES:
        return f"there are more than {NAMES:,} different names of tags and attributes"
    return "too many formatting elements are left open" if copies > 0 else ""


class _OpenElements:
    """The elements that are open at a place; at least those that are open in the parser.

    An end tag counts only if it certainly closes an element, by the least favourable reading of the rules. ``names``
    begins with the outermost element. ``formatting`` is how many of them the parser may copy, and ``other_rules``
    how many have rules of their own.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.formatting = 0
        self.other_rules = 0
        self._foreign = 0  # the number of elements up to svg or math, if certainly inside

    def start(self, name: str, *, is_closed: bool) -> None:
        """Handle a start tag. It can close itself only in svg and math."""
        if name in _HTML_ONLY:
            self._foreign = 0
        if name in _NEVER_NESTED and (not self.other_rules or name in _HTML_ONLY):
            return
        if is_closed and (self._foreign or name in _FOREIGN):
            return
        if name in _ENDED_BY and not self.other_rules:
            ended = _ENDED_BY[name]
            while self.names and self.names[-1] in ended:
                self.names.pop()
        self.names.append(name)
        if name in _FORMATTING:
            self.formatting += 1
        elif name in _OTHER_RULES:
            self.other_rules += 1
            if name in _FOREIGN and not self._foreign:
                self._foreign = len(self.names)

    def skip_closed(self) -> None:
        """Skip elements that leave nothing open. They may lead out of svg and math."""
        self._foreign = 0

    def end(self, name: str) -> None:
        """Handle an end tag. It counts for the innermost element, or for one in which only end tags are left out."""
        last = len(self.names) - 1
        if name in _CONTAINERS:
            while last >= 0 and self.names[last] != name and self.names[last] in _OPTIONAL:
                last -= 1
        if last < 0 or self.names[last] != name or name == "form":
            self._foreign = 0
            return
        del self.names[last:]
        if name in _FORMATTING:
            self.formatting -= 1
        elif name in _OTHER_RULES:
            self.other_rules -= 1
        if last < self._foreign:
            self._foreign = 0

    def ambiguity_in(self, name: str, text: str, *, is_closed: bool) -> str:
        """Why it is uncertain where a raw text element with this ``text`` ends; empty if it is not."""
        if name == "script" and "<!--" in text and "<script" in text.lower():
            return "a script there contains a script"
        return (
            f"a {name} element there is inside svg, math or select"
            if self.other_rules and ("<" in text or is_closed)
            else ""
        )
