"""Read the links of a feed that is announced as a sitemap (RSS 2.0, Atom 1.0 and 0.3), and check its dates, too."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from xml.parsers.expat import XMLParserType

from sitemap_plugins.formats.feeds import ATOM, rfc_822
from sitemap_plugins.formats.problems import Fault, Located, OnProblem, Problem, date_fault, url_faults
from sitemap_plugins.formats.sitemap_reading import (
    SEPARATOR,
    WHITE_SPACE,
    SitemapError,
    check_depth,
    check_number,
    create_parser,
    parse,
)
from sitemap_plugins.model import Entry
from sitemap_plugins.values.dates import parse_lastmod

_ATOM: Final = frozenset((ATOM, "http://purl.org/atom/ns#"))
_BASE: Final = f"http://www.w3.org/XML/1998/namespace{SEPARATOR}base"
_EXAMPLE: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)
_DATES: Final = frozenset(("pubDate", "updated", "modified"))


def check_feed(content: bytes, on_problem: OnProblem) -> tuple[Located, ...]:
    """The pages that a feed links to, without dates. ``on_problem`` is called with each problem.

    Raises `SitemapError`, after the problem, if it is not XML, or links to more pages than a sitemap may list.
    Nothing is said about feeds of other formats, nor about relative links if the feed says what they are relative to.
    """
    parser = create_parser()
    reader = _Reader(parser, on_problem)
    try:
        parse(parser, content)
    except SitemapError as error:
        place = max((parser.ErrorLineNumber, parser.ErrorColumnNumber + 1), (1, 1))
        on_problem(Problem(kind=error.kind, line=place[0], column=place[1], why=str(error)))
        raise
    return tuple(reader.links)


class _Reader:
    """The handlers of the parser."""

    def __init__(self, parser: XMLParserType, on_problem: OnProblem) -> None:
        self._parser = parser
        self._on_problem = on_problem
        self._path: list[str] = []
        self._text: list[str] = []
        self.links: list[Located] = []
        self._has_base = self._has_link = self._is_permalink = False
        self._place = self._item_place = (0, 0)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        namespace, _, local = name.rpartition(SEPARATOR)
        self._path.append(local if not namespace or namespace in _ATOM else "")
        check_depth(len(self._path))
        self._text.clear()
        self._place = (self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)
        self._has_base = self._has_base or _BASE in attributes
        self._is_permalink = attributes.get("isPermaLink", "true") == "true"
        if local in {"item", "entry"}:
            self._item_place, self._has_link = self._place, False
        is_page = attributes.get("rel", "alternate") == "alternate"
        if namespace in _ATOM and self._path[-2:] == ["entry", "link"] and is_page:
            self._check_link(attributes.get("href", ""))

    def _end(self, _: str) -> None:
        text = "".join(self._text).strip(WHITE_SPACE)
        parent, name = self._path[-2:] if len(self._path) > 1 else ("", self._path[-1])
        if (parent, name) == ("item", "link"):
            self._check_link(text)
        elif (parent, name) == ("item", "guid") and not self._has_link:
            self._add(text if self._is_permalink else "")
        elif parent in {"item", "entry"} and name in _DATES and not _is_date(name, text):
            why = "is not in the form that the feed needs"
            self._report(Fault("invalid-date", why, expected=_in_form(name, text)), text)
        elif name == "item" and not self._has_link:
            self._report(Fault("invalid-url", "has no link", "no URL"), "item", self._item_place)
        self._text.clear()
        self._path.pop()

    def _check_link(self, url: str) -> None:
        self._add(url.strip(WHITE_SPACE))
        for fault in url_faults(url.strip(WHITE_SPACE)):
            # A feed may link to a place in a page, and its reader knows what a relative link means if it says so.
            if fault.kind in {"invalid-url", "preview-host"} and not (self._has_base and fault.cause == "not absolute"):
                self._report(fault, url)

    def _add(self, url: str) -> None:
        self._has_link = True
        if url:
            self.links.append(Located(Entry(loc=url), *self._place))
            check_number(self.links)

    def _report(self, fault: Fault, text: str, place: tuple[int, int] | None = None) -> None:
        self._on_problem(fault.at(place or self._place, text, text if "://" in text else ""))


def _in_form(name: str, text: str) -> str:
    """A date in the form that the feed needs; an example if it cannot be read, or empty."""
    if name != "pubDate":
        return ""
    try:
        return rfc_822(parse_lastmod(text))
    except ValueError:
        return rfc_822(_EXAMPLE)


def _is_date(name: str, text: str) -> bool:
    """Whether this is a date as in RFC 822, for RSS, or else as in RFC 3339."""
    if name != "pubDate":
        fault = date_fault(text)
        return fault is None or fault.kind == "schema-only"
    try:
        return parsedate_to_datetime(text) is not None
    except (TypeError, ValueError, OverflowError):
        return False
