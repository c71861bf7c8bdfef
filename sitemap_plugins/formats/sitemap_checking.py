"""Read XML sitemaps as `sitemap_reading` does, and text sitemaps, and report all that is wrong in them, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias
from xml.parsers.expat import ExpatError, XMLParserType, errors

import msgspec

from sitemap_plugins.formats.problems import (
    Fault,
    Located,
    OnProblem,
    Problem,
    absolute_url_fault,
    date_fault,
    language_fault,
    url_faults,
)
from sitemap_plugins.formats.sitemap_reading import (
    BOM,
    CHANGEFREQ,
    CHILD_DEPTH,
    COUNTRY,
    DESCRIPTION_LENGTH,
    FIELDS,
    FREQUENCIES,
    LASTMOD,
    LINK,
    LOC,
    LONGEST,
    NEWS_LANGUAGE,
    NOTHING,
    PLATFORM,
    PRIORITY,
    SEPARATOR,
    SITEMAP_CHILD,
    TAGS,
    TITLE_LENGTH,
    UPLOADER_LENGTH,
    WHITE_SPACE,
    Reader,
    SitemapError,
    Value,
    bool_or_none,
    check_root,
    create_parser,
    encoding_of,
    number_or_none,
    parse,
    priority_or_none,
    rating_or_none,
    restriction_or_none,
)
from sitemap_plugins.formats.sitemap_xml import IMAGE, NAMESPACE, NEWS, VIDEO, XHTML
from sitemap_plugins.model import Entry
from sitemap_plugins.reading import SITEMAP
from sitemap_plugins.values.urls import cut_url

_IN_INDEX: Final = (LOC, LASTMOD)
_MOBILE: Final = "http://www.google.com/schemas/sitemap-mobile/1.0"
_PREFIXES: Final[Mapping[str, str]] = {NAMESPACE: "", XHTML: "xhtml:", IMAGE: "image:", VIDEO: "video:", NEWS: "news:"}
_MOST_IMAGES: Final = 1000
_MOST_NEWS: Final = 1000
_MANY: Final = 100_000
_MOST_CAUSES: Final = 1000
_OTHERS: Final = "others"
_UNFINISHED_ENTITY: Final = re.compile(rb"&[#\w.-]{0,40}\Z")
_TAG: Final = re.compile(rb"[<\s/]*+([^\s/>]*+)")
_ENTITY: Final = re.compile(rb"(&[^;]*+;)")
_BEFORE: Final = 50


class Checked(NamedTuple):
    """A sitemap that lists pages, or an index, which lists sitemaps."""

    kind: Literal["urlset", "index"]
    listed: tuple[Located, ...]


def read_checked(content: bytes, on_problem: OnProblem) -> Checked:
    """Read a sitemap or an index, and call ``on_problem`` with each problem, in the order of the file.

    A ``url`` is read as by `read_sitemap`, an index as by `read_index`. Raises `SitemapError`, after the problem that
    makes the file unusable.
    """
    parser = create_parser()
    reader = _CheckingReader(parser, on_problem)
    if content.startswith(BOM):
        on_problem(Problem(kind="byte-order-mark", line=1, column=1))
    if (encoding := encoding_of(content)) != "UTF-8" and not content.isascii():
        on_problem(Problem(kind="not-utf8", line=1, column=1, text=encoding, why="is not UTF-8"))
    try:
        parse(parser, content)
    except SitemapError as error:
        kind, text = _fatal(error, content, parser)
        line, column = max((parser.ErrorLineNumber, parser.ErrorColumnNumber + 1), (1, 1))
        if kind == "wrong-namespace":
            line, column = reader.root_place
        expected = NAMESPACE if kind == "wrong-namespace" else ""
        on_problem(Problem(kind=kind, line=line, column=column, text=text, why=str(error), expected=expected))
        raise
    reader.finish()
    return Checked("index" if reader.is_index else "urlset", tuple(reader.listed))


def _fatal(error: SitemapError, content: bytes, parser: XMLParserType) -> tuple[str, str]:
    """The kind of the problem that makes a file unusable, and the text in the file."""
    cause = error.__context__
    if error.kind != "unreadable" or not isinstance(cause, ExpatError):
        return error.kind, ""
    at = parser.ErrorByteIndex
    if cause.code == errors.codes[errors.XML_ERROR_UNBOUND_PREFIX]:
        return "undeclared-namespace", _first(_TAG, content[at:])
    if cause.code == errors.codes[errors.XML_ERROR_UNDEFINED_ENTITY]:
        return "unescaped-ampersand", _first(_ENTITY, content[at:])
    found = _UNFINISHED_ENTITY.search(content[max(0, at - _BEFORE) : at])
    if found and encoding_of(content) == "UTF-8":
        return "unescaped-ampersand", found[0].decode(errors="replace")
    return "not-utf8" if _is_in_another_encoding(content, at) else "unreadable", ""


def _is_in_another_encoding(content: bytes, at: int) -> bool:
    """Whether a file that should be UTF-8 has a byte at this offset that is not. All other encodings were decoded."""
    if content[at : at + 1].isascii() or encoding_of(content) != "UTF-8":
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return True
    return False


def _first(pattern: re.Pattern[bytes], content: bytes) -> str:
    found = pattern.match(content[:_BEFORE])
    return found[1].decode(errors="replace") if found else ""


class _Field(msgspec.Struct, frozen=True):
    """A child of an extension: its name without the namespace, its value, and its place."""

    name: str
    value: Value
    place: tuple[int, int]


class _CheckingReader(Reader):
    """The handlers of the parser, which also report what is wrong, and what `Reader` drops."""

    def __init__(self, parser: XMLParserType, on_problem: OnProblem) -> None:
        super().__init__(check_root)
        self.listed: list[Located] = []
        self.root_place = (1, 1)
        self._parser = parser
        self._on_problem = on_problem
        self._wrong_namespaces: set[str] = set()
        self._causes: set[str] = set()
        # All pages of a cluster have the same links.
        self._fault_of_code = lru_cache(_MANY)(language_fault)
        self._fault_of_href = lru_cache(_MANY)(absolute_url_fault)
        self._fields: tuple[str, ...] = FIELDS
        self._number = self._number_of_news = 0
        self._begin_entry()
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.text.append

    def _begin_entry(self) -> None:
        self._place = self._loc_place = self._child_place = self._extension_place = (0, 0)
        self._last = self._images = 0
        self._repeats = False  # whether the entry had such a child before
        self._hrefs: dict[str, str] = {}
        self._inside = ""  # the name of the extension's element
        self._found: list[_Field] = []
        self._attributes: Mapping[str, str] = {}

    @property
    def is_index(self) -> bool:
        """Whether the file lists sitemaps."""
        return self.entry == SITEMAP_CHILD

    @property
    def _here(self) -> tuple[int, int]:
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def _report(self, fault: Fault, text: str, place: tuple[int, int]) -> None:
        if fault.cause and fault.cause not in self._causes:
            # A file with a million different mistakes has one cause.
            if len(self._causes) < _MOST_CAUSES:
                self._causes.add(fault.cause)
            else:
                fault = fault._replace(cause=_OTHERS)
        url = self._values.get(LOC, "") if self._in_entry else ""
        self._on_problem(fault.at(place, text, url))

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        if is_root := not self._depth:
            self.root_place = self._here
        super().start(name, attributes)
        if is_root and self.is_index:
            self._fields = _IN_INDEX
        if name.partition(SEPARATOR)[0] not in _PREFIXES:
            self._check_namespace(name)
        if self._depth == CHILD_DEPTH - 1:
            self._begin_entry()
            self._place = self._here
            if name in _EXTENSIONS or name == LINK:
                self._report(_OUTSIDE, _prefixed(name), self._here)
            elif not self._in_entry:
                self._check_unknown(name)
        elif self._in_entry and self._depth == CHILD_DEPTH:
            self._start_child(name, attributes)
        elif self._in_entry and self._depth > CHILD_DEPTH:
            self._start_grandchild(name, attributes)

    def _start_child(self, name: str, attributes: dict[str, str]) -> None:
        self._child_place = self._here
        self._inside = ""
        if name in self._fields:
            rank = self._fields.index(name)
            self._repeats = name in self._values
            if self._repeats:
                kind = "two-locs" if name == LOC else "duplicate-element"
                self._report(Fault(kind, "occurs twice in one entry"), _prefixed(name), self._child_place)
                return
            if name == LOC:
                self._loc_place = self._child_place
        else:
            rank = len(FIELDS)
            self._check_unknown(name)
            if name == LINK and not self.is_index:
                self._check_link(attributes)
            elif name in _EXTENSIONS and not self.is_index:
                self._inside = name
                self._extension_place = self._child_place
                self._found = []
        if rank < self._last:
            self._report(_ORDER, _prefixed(name), self._child_place)
        self._last = max(self._last, rank)

    def _start_grandchild(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(SEPARATOR)
        if not self._inside:
            if namespace == NAMESPACE:
                self._report(_MISPLACED, _prefixed(name), self._here)
        elif self._depth == CHILD_DEPTH + 1:
            self.text.clear()
            self._child_place = self._here
            self._attributes = attributes
            extension = _EXTENSIONS[self._inside]
            if namespace == extension.namespace and local not in extension.children:
                self._report(_RETIRED if local in extension.retired else _UNKNOWN, _prefixed(name), self._here)

    def end(self, name: str) -> None:
        """Handle the end of an element."""
        depth = self._depth
        super().end(name)
        if len(self.entries) > len(self.listed):
            self.listed.append(Located(self.entries[-1], *self._loc_place))
        if not self._in_entry:
            return
        if depth == CHILD_DEPTH - 1:
            self._end_entry()
        elif depth == CHILD_DEPTH and name in self._fields:
            if not self._repeats:
                self._check_field(name, self._values[name])
        elif depth == CHILD_DEPTH and self._inside:
            self._check_extension()
        elif self._inside and depth in {CHILD_DEPTH + 1, CHILD_DEPTH + 2}:
            namespace, _, local = name.rpartition(SEPARATOR)
            if namespace == _EXTENSIONS[self._inside].namespace and local != "publication":
                attributes = self._attributes if depth == CHILD_DEPTH + 1 else {}
                text = "".join(self.text).strip(WHITE_SPACE)
                self._found.append(_Field(local, Value(text, attributes), self._child_place))

    def _end_entry(self) -> None:
        self._number += 1
        if LOC not in self._values:
            self._report(Fault("invalid-url", "has no loc", "no URL"), _prefixed(self.entry), self._place)
        if self._images > _MOST_IMAGES:
            fault = Fault("image-field", f"has {self._images:,} images; search engines read {_MOST_IMAGES:,}")
            self._report(fault, self._values.get(LOC, ""), self._place)

    def finish(self) -> None:
        """Check the file as a whole."""
        self._in_entry = False
        if not self._number:
            self._report(Fault("empty-sitemap", "lists nothing"), "the sitemap", self.root_place)
        if self._number_of_news > _MOST_NEWS:
            why = f"has {self._number_of_news:,} pages with news; a sitemap may have {_MOST_NEWS:,}"
            self._report(Fault("news-field", why, "number"), "the sitemap", self.root_place)

    def _check_field(self, name: str, text: str) -> None:
        if name == LOC:
            for each in url_faults(text):
                self._report(each, text, self._child_place)
            return
        fault: Fault | None = None
        if name == LASTMOD:
            fault = date_fault(text)
        elif name == CHANGEFREQ and text not in FREQUENCIES:
            fault = Fault("invalid-changefreq", f"is not one of {', '.join(FREQUENCIES)}")
        elif name == PRIORITY and priority_or_none(text) is None:
            fault = Fault("invalid-priority", "is not a number from 0.0 to 1.0")
        if fault:
            self._report(fault, text, self._child_place)

    def _check_link(self, attributes: Mapping[str, str]) -> None:
        """Check an ``xhtml:link``; one without hreflang is for phones, and no search engine reads it any more."""
        if "hreflang" not in attributes:
            return
        code = attributes["hreflang"].strip(WHITE_SPACE)
        href = attributes.get("href", "").strip(WHITE_SPACE)
        place = self._child_place
        if "alternate" not in attributes.get("rel", "").lower().split():
            self._report(Fault("alternate-link", 'has no rel="alternate"', "rel"), code, place)
            return
        if why := self._fault_of_href(href):
            self._report(Fault("alternate-link", why, "href"), href or code, place)
        if fault := self._fault_of_code(code):
            self._report(fault, code, place)
        key = code.lower()
        if key in self._hrefs:
            what = "is linked twice" if self._hrefs[key] == href else "is linked with two URLs"
            self._report(Fault("language-code", what, f"{code} twice"), code, place)
        self._hrefs.setdefault(key, href)

    def _check_extension(self) -> None:
        extension = _EXTENSIONS[self._inside]
        self._images += extension.namespace == IMAGE
        self._number_of_news += extension.namespace == NEWS
        prefix = _PREFIXES[extension.namespace]
        for name, fault in extension.check(self._found):
            places = [each.place for each in self._found if each.name == name]
            text = next((each.value.text for each in self._found if each.name == name), "")
            what = f"{prefix}{name} {text}".rstrip()
            self._report(Fault(extension.rule, fault, name), what, places[0] if places else self._extension_place)
        order = [*extension.children]
        ranks = [order.index(each.name) for each in self._found if each.name in order]
        if ranks != sorted(ranks):
            self._report(_ORDER, _prefixed(self._inside), self._extension_place)
        self._inside = ""

    def _check_namespace(self, name: str) -> None:
        """Report a namespace that is a misspelled one of the protocol or its extensions, once."""
        namespace, separator, _ = name.partition(SEPARATOR)
        if not separator or namespace in self._wrong_namespaces:
            return
        meant = _MEANT.get(_namespace_key(namespace))
        if meant:
            self._wrong_namespaces.add(namespace)
            self._report(Fault("wrong-namespace", "is misspelled", namespace, meant), namespace, self._here)

    def _check_unknown(self, name: str) -> None:
        """Report an element of the protocol's namespaces that does not exist there; others may have any elements."""
        namespace, _, _ = name.rpartition(SEPARATOR)
        if namespace == _MOBILE:
            self._report(_RETIRED, "mobile:mobile", self._here)
        elif (namespace in _PREFIXES or not namespace) and name not in _EXTENSIONS and name != LINK:
            self._report(_UNKNOWN, _prefixed(name), self._here)


_ORDER: Final = Fault("schema-only", "comes later or earlier than the schema of the protocol allows", "order")
_MISPLACED: Final = Fault("unknown-element", "is in an element that has only text", "place")
_OUTSIDE: Final = Fault("unknown-element", "is not in the url element of a page", "outside")
_RETIRED: Final = Fault("retired-tag", "is a tag that search engines no longer read")
_UNKNOWN: Final = Fault("unknown-element", "is not an element of the protocol or its extensions")


def _prefixed(name: str) -> str:
    namespace, _, local = name.rpartition(SEPARATOR)
    return f"{_PREFIXES.get(namespace, '')}{local}"


def _namespace_key(namespace: str) -> str:
    """A key that is the same for a namespace and its usual misspellings."""
    key = namespace.strip().lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
    # Without the version, which may be missing or wrong. A pattern for it would take quadratic time.
    return key.replace("shemas", "schemas").replace("schema/", "schemas/").rstrip("0123456789.").rstrip("/-")


_MEANT: Final = {_namespace_key(namespace): namespace for namespace in _PREFIXES}


# Extensions. A check returns what is wrong with a value that is not empty; empty if nothing is.

_Check: TypeAlias = Callable[[Value], str]


class _Extension(msgspec.Struct, frozen=True):
    """An extension: its children in the order of the schema, with their checks, and those that have to be there."""

    namespace: str
    rule: str
    children: Mapping[str, _Check]
    required: tuple[str, ...]
    retired: frozenset[str]

    def check(self, found: Sequence[_Field]) -> Iterator[tuple[str, str]]:
        """The name of each child with a fault, and what is wrong with it."""
        first: dict[str, Value] = {}
        for each in found:
            if each.name in first and each.name in self.children and each.name != "tag":
                yield each.name, "occurs twice"
            first.setdefault(each.name, each.value)
        for name in self.required:
            if not first.get(name, NOTHING).text:
                yield name, "is missing"
        if self.namespace == VIDEO and not any(first.get(name, NOTHING).text for name in ("content_loc", "player_loc")):
            yield "content_loc", "is missing, and so is player_loc; one of them is required"
        if sum(each.name == "tag" for each in found) > TAGS:
            yield "tag", f"occurs more than {TAGS} times"
        for name, value in first.items():
            if value.text and (why := self.children.get(name, _any)(value)):
                yield name, why


def _any(_: Value) -> str:
    return ""


def _url(value: Value) -> str:
    is_data = value.text.startswith("data:")
    return "is a data: URL, which search engines do not fetch" if is_data else absolute_url_fault(value.text)


def _date(value: Value) -> str:
    fault = date_fault(value.text)
    return fault.why if fault and fault.kind == "invalid-date" else ""


def _unless(is_valid: Callable[[str], object], why: str) -> _Check:
    return lambda value: "" if is_valid(value.text) else why


def _at_most(length: int) -> _Check:
    def check(value: Value) -> str:
        number = len(value.text)
        return "" if number <= length else f"is {number:,} characters long; at most {length:,} are allowed"

    return check


def _restricted(word: re.Pattern[str], what: str) -> _Check:
    def check(value: Value) -> str:
        if restriction_or_none(value, word):
            return ""
        is_clear = value.attributes.get("relationship", "").strip(WHITE_SPACE) in {"allow", "deny"}
        return f"has a word that is not {what}" if is_clear else 'needs the attribute relationship="allow" or "deny"'

    return check


_YES_OR_NO: Final = _unless(lambda text: bool_or_none(text) is not None, "is neither yes nor no")
_EXTENSIONS: Final[Mapping[str, _Extension]] = {
    f"{IMAGE}{SEPARATOR}image": _Extension(
        IMAGE, "image-field", {"loc": _url}, ("loc",), frozenset(("caption", "geo_location", "title", "license"))
    ),
    f"{VIDEO}{SEPARATOR}video": _Extension(
        VIDEO,
        "video-field",
        {
            "thumbnail_loc": _url,
            "title": _at_most(TITLE_LENGTH),
            "description": _at_most(DESCRIPTION_LENGTH),
            "content_loc": _url,
            "player_loc": _url,
            "duration": _unless(
                lambda text: 0 < (number_or_none(text) or 0) <= LONGEST,
                f"is not a number of seconds from 1 to {LONGEST:,}",
            ),
            "expiration_date": _date,
            "rating": _unless(lambda text: rating_or_none(text) is not None, "is not a number from 0.0 to 5.0"),
            "view_count": _unless(lambda text: number_or_none(text) is not None, "is not a number"),
            "publication_date": _date,
            "tag": _any,
            "family_friendly": _YES_OR_NO,
            "restriction": _restricted(COUNTRY, "a country code"),
            "requires_subscription": _YES_OR_NO,
            "uploader": _at_most(UPLOADER_LENGTH),
            "platform": _restricted(PLATFORM, "web, mobile or tv"),
            "live": _YES_OR_NO,
        },
        ("thumbnail_loc", "title", "description"),
        frozenset(("category", "content_segment_loc", "gallery_loc", "id", "price", "tvshow")),
    ),
    f"{NEWS}{SEPARATOR}news": _Extension(
        NEWS,
        "news-field",
        {
            "publication": _any,
            "name": _any,
            "language": _unless(
                NEWS_LANGUAGE.fullmatch, "is not a language code of two or three letters, zh-cn or zh-tw"
            ),
            "publication_date": _date,
            "title": _any,
        },
        ("name", "language", "publication_date", "title"),
        frozenset(("access", "genres", "geo_locations", "keywords", "stock_tickers")),
    ),
}


def read_text(content: bytes, on_problem: OnProblem) -> list[Located]:
    """The URLs of a text sitemap as entries, with their places; ``on_problem`` is called with each problem.

    Empty lines are ignored. Raises `SitemapError`, after the problem that makes the file unusable.
    """
    if content.startswith(BOM):
        on_problem(Problem(kind="byte-order-mark", line=1, column=1))
    try:
        lines = content.removeprefix(BOM).decode().splitlines()
    except UnicodeDecodeError as error:
        place = content.count(b"\n", 0, error.start) + 1
        raise _refused(SitemapError("is not UTF-8", "not-utf8"), place, on_problem) from None
    found: list[Located] = []
    for number, line in enumerate(lines, 1):
        if not (url := line.strip()):
            continue
        if len(found) == SITEMAP.entries:
            what = f"lists more than {SITEMAP.entries:,} URLs, the limit for {SITEMAP.what}"
            raise _refused(SitemapError(what, "too-large"), number, on_problem)
        for fault in url_faults(url):
            on_problem(fault.at((number, 1), url, url))
        found.append(Located(Entry(loc=cut_url(url)), number, 1))
    if not found:
        on_problem(Problem(kind="empty-sitemap", line=1, column=1, why="lists nothing"))
    return found


def _refused(error: SitemapError, line: int, on_problem: OnProblem) -> SitemapError:
    on_problem(Problem(kind=error.kind, line=line, column=1, why=str(error)))
    return error
