"""Read XML sitemaps of any tool as entries. The content is not trusted: no entity is expanded, no URL fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sized
from typing import TYPE_CHECKING, Any, Final, Literal, get_args
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate, XMLParserType, errors

import msgspec

from sitemap_plugins.formats.gzip import is_packed
from sitemap_plugins.formats.sitemap_xml import IMAGE, NAMESPACE, NEWS, VIDEO, XHTML
from sitemap_plugins.model import Alternate, ChangeFrequency, Entry
from sitemap_plugins.reading import SITEMAP
from sitemap_plugins.values.dates import lastmod_or_none
from sitemap_plugins.values.urls import cut_url

if TYPE_CHECKING:
    from sitemap_plugins.media import Image, News, Restriction, Video

SEPARATOR: Final = "\n"
"""Separates namespace and local name in the names from the parser; namespaces of real files do not contain it."""

URL: Final = f"{NAMESPACE}{SEPARATOR}url"
LOC: Final = f"{NAMESPACE}{SEPARATOR}loc"
SITEMAP_CHILD: Final = f"{NAMESPACE}{SEPARATOR}sitemap"
LINK: Final = f"{XHTML}{SEPARATOR}link"
LASTMOD, CHANGEFREQ, PRIORITY = (f"{NAMESPACE}{SEPARATOR}{name}" for name in ("lastmod", "changefreq", "priority"))
FIELDS: Final = (LOC, LASTMOD, CHANGEFREQ, PRIORITY)
"""The children of a ``url`` that are not extensions, and precede those (SM-XML-06), in the order of the schema."""

CHILD_DEPTH: Final = 3
"""The depth of the children of a ``url``; elements with the same names elsewhere are ignored."""

WHITE_SPACE: Final = " \t\r\n"

FREQUENCIES: Final[Mapping[str, ChangeFrequency]] = {word: word for word in get_args(ChangeFrequency)}
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)")

BOM: Final = b"\xef\xbb\xbf"
_DECLARED: Final = re.compile(rb"<\?xml\s[^>]*?\sencoding\s*=\s*[\"'](?P<name>[A-Za-z][A-Za-z0-9._-]*)[\"']")
_KNOWN_ENCODING: Final = re.compile(r"US-ASCII|ISO-8859-[0-9]{1,2}|WINDOWS-[0-9]{3,4}|KOI8-[RU]")
_UTF16: Final[Mapping[bytes, str]] = {
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
_HTML_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+)?html[\s>]", re.IGNORECASE)
_HTML_PAGE: Final = "is not a sitemap but an HTML page"
_ENDED: Final = frozenset(
    (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_PARTIAL_CHAR,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)
_SHOWN: Final = 100


class SitemapError(ValueError):
    """Raised if a file is not a usable sitemap; the message completes the sentence "FILE …".

    ``kind`` is the id of the rule of ``check`` that the file breaks.
    """

    def __init__(self, message: str, kind: str = "unreadable") -> None:
        super().__init__(message)
        self.kind = kind


def read_sitemap(content: bytes) -> tuple[Entry, ...]:
    """The entries of a ``urlset``, in order. Unknown elements are ignored, and so is a ``url`` without a loc.

    An invalid value (a date, a word, a number out of range) is None. If an element occurs several times, the first one
    counts. Alternates and the URLs of images and videos are as written; too long URLs of pages are cut, see `cut_url`.
    Images, videos and news without a value that search engines require are ignored. Raises `SitemapError` for other
    files, among them a sitemap index, and for more pages or deeper elements than the limit of a sitemap allows.
    """
    return tuple(_read(content, Reader(check_urlset)))


class _NoIndexError(Exception):
    """Raised to stop the parser at the root element of a sitemap that lists pages."""


def read_index(content: bytes) -> tuple[str, ...] | None:
    """The locs of the sitemaps in a ``sitemapindex``, in order; None if the file is a ``urlset``.

    Raises `SitemapError` if the file is not usable; of a ``urlset``, only the content up to the first tag is checked.
    """
    try:
        return tuple(entry.loc for entry in _read(content, Reader(_check_index)))
    except _NoIndexError:
        return None


def _read(content: bytes, reader: Reader) -> list[Entry]:
    parser = create_parser()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text.append
    parse(parser, content)
    return reader.entries


class Reader:
    """The handlers of the parser. A file may have a million links, so it is not read as a tree.

    The sitemaps in an index are read as entries, too. ``check`` gets the root element, and returns its name; it raises
    an error for others than those wanted.
    """

    def __init__(self, check: Callable[[str], str]) -> None:
        self._check_root = check
        self.entry = URL
        self.entries: list[Entry] = []
        self.text: list[str] = []
        self._depth = 0
        self._in_entry = False
        self._values: dict[str, str] = {}
        self._links: list[tuple[str, str]] = []
        self._extension: _Extension | None = None
        self._media: dict[str, list[Any]] = {}
        # All pages of a cluster have the same alternates, so they share one tuple.
        self._clusters: dict[tuple[tuple[str, str], ...], tuple[Alternate, ...]] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        self._depth += 1
        if self._depth == CHILD_DEPTH:
            if name in FIELDS:
                self.text.clear()
            elif name == LINK and self._in_entry:
                code, href = hreflang_link(attributes)
                if code is not None and href is not None:
                    self._links.append((code, href))
            elif name in _CHILDREN and self._in_entry:
                self._extension = _Extension(name, self.text)
        elif self._depth == CHILD_DEPTH - 1:
            self._in_entry = name == self.entry
            self._values = {}
            self._links = []
            self._media = {}
        elif self._depth == 1:
            self.entry = SITEMAP_CHILD if self._check_root(name) == "sitemapindex" else URL
        else:
            check_depth(self._depth)
            if self._extension:
                self._extension.start(self._depth - CHILD_DEPTH, name, attributes)

    def end(self, name: str) -> None:
        """Handle the end of an element."""
        if self._depth == CHILD_DEPTH:
            if name in FIELDS:
                self._values.setdefault(name, "".join(self.text).strip(WHITE_SPACE))
            elif self._extension:
                kind, found = self._extension.read()
                self._media.setdefault(kind, []).extend(found)
                self._extension = None
        elif self._depth == CHILD_DEPTH - 1 and self._in_entry and self._values.get(LOC):
            self.entries.append(self._read_entry())
            check_number(self.entries)
        elif self._extension:
            self._extension.end(self._depth - CHILD_DEPTH, name)
        self._depth -= 1

    def _read_entry(self) -> Entry:
        values, media = self._values, self._media
        return Entry(
            loc=cut_url(values[LOC]),
            lastmod=lastmod_or_none(values.get(LASTMOD)),
            changefreq=FREQUENCIES.get(values.get(CHANGEFREQ, "")),
            priority=priority_or_none(values.get(PRIORITY, "")),
            alternates=self._alternates(),
            images=tuple(media.get(IMAGE, ())),
            videos=tuple(media.get(VIDEO, ())),
            news=next(iter(media.get(NEWS, ())), None),
        )

    def _alternates(self) -> tuple[Alternate, ...]:
        links = tuple(self._links)
        cluster = self._clusters.get(links)
        if cluster is None:
            cluster = self._clusters[links] = tuple(Alternate(hreflang=code, href=href) for code, href in links)
        return cluster


def check_number(listed: Sized) -> None:
    """Raise `SitemapError` if a sitemap or an index lists more than the protocol allows (SM-LIM-01, SM-IDX-01)."""
    if len(listed) > SITEMAP.entries:
        raise SitemapError(f"lists more than {SITEMAP.entries:,} URLs, the limit for {SITEMAP.what}", "too-large")


def check_depth(depth: int) -> None:
    """Limit the depth: the parser keeps the names of open elements, so a file of start tags could fill the memory."""
    if depth > SITEMAP.depth:
        raise SitemapError(f"has elements nested more than {SITEMAP.depth} deep, the limit for {SITEMAP.what}")


def priority_or_none(text: str) -> float | None:
    """The priority from a decimal as in the schema (also ``.5`` and ``1.``, but no exponent), or None."""
    number = float(text) if _DECIMAL.fullmatch(text) else -1
    return abs(number) if 0 <= number <= 1 else None


def hreflang_link(attributes: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The language and URL of an ``xhtml:link``, stripped, or None for both if it is not an hreflang link."""
    code, href = attributes.get("hreflang"), attributes.get("href")
    if code is None or "alternate" not in attributes.get("rel", "").lower().split():
        return None, None
    return code.strip(WHITE_SPACE), None if href is None else cut_url(href.strip(WHITE_SPACE))


def check_urlset(name: str) -> str:
    """Return the root element. Raises `SitemapError` if it is not that of a sitemap that lists pages."""
    if (root := check_root(name)) == "sitemapindex":
        raise SitemapError("is a sitemap index, which lists sitemaps instead of pages")
    return root


def _check_index(name: str) -> str:
    if (root := check_root(name)) != "sitemapindex":
        raise _NoIndexError
    return root


def check_root(name: str) -> str:
    """Return the root element, ``urlset`` or ``sitemapindex``. Raises `SitemapError` for all others (SM-XML-03)."""
    namespace, _, local = name.rpartition(SEPARATOR)
    if local not in {"urlset", "sitemapindex"}:
        raise SitemapError(f"is not a sitemap: its root element is <{_in_one_line(local)}>", "not-a-sitemap")
    if namespace != NAMESPACE:
        kind = "a sitemap" if local == "urlset" else "a sitemap index"
        where = f"in the namespace {_in_one_line(namespace)}" if namespace else "in no namespace"
        raise SitemapError(f"is {kind} {where}, not in {NAMESPACE}", "wrong-namespace")
    return local


def create_parser() -> XMLParserType:
    """A parser for UTF-8 that reports namespaces and refuses a DOCTYPE before any entity is declared."""
    parser = ParserCreate("UTF-8", SEPARATOR)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(name: str, *_: object) -> None:
    """Raise `SitemapError`, which stops the parser immediately."""
    if name.lower() == "html":
        raise SitemapError(_HTML_PAGE, "not-a-sitemap")
    raise SitemapError("has a DOCTYPE, which is not allowed in a sitemap", "doctype")


def parse(parser: XMLParserType, content: bytes) -> None:
    """Parse the content. If it is UTF-8, the parser's offsets apply to it. Raises `SitemapError` if it is not XML."""
    if is_packed(content):
        raise SitemapError("is compressed with gzip; unpack it first")
    try:
        parser.Parse(_to_utf8(content), True)  # noqa: FBT003  # expat accepts it only by position: this is the whole content
    except ExpatError as error:
        text = _explanation(error, content)
        raise SitemapError(text, "not-a-sitemap" if text == _HTML_PAGE else "unreadable") from None


def _explanation(error: ExpatError, content: bytes) -> str:
    if not content.removeprefix(BOM).strip():
        return "is empty"
    if _HTML_START.match(content):
        return _HTML_PAGE
    reason = ErrorString(error.code)
    reason = "it ends too early" if reason in _ENDED else reason
    return f"is not well-formed XML (line {error.lineno}, column {error.offset + 1}: {reason})"


def encoding_of(content: bytes) -> str:
    """The encoding by the first bytes, or else by the XML declaration; ``UTF-8`` if neither names one."""
    if content[:2] in _UTF16:
        return "UTF-16"
    declared = _DECLARED.match(content, len(BOM) if content.startswith(BOM) else 0)
    name = declared["name"].decode().upper() if declared else "UTF-8"
    return "UTF-8" if name == "UTF8" else name


def _to_utf8(content: bytes) -> bytes:
    """Convert the content to UTF-8 for the parser, so that a file can use only these codecs of Python."""
    encoding = encoding_of(content)
    if encoding == "UTF-8":
        return content
    is_utf16 = encoding.startswith("UTF-16")
    if not is_utf16 and not _KNOWN_ENCODING.fullmatch(encoding):
        raise SitemapError(_unknown(encoding))
    try:
        codec = _UTF16[content[:2]] if is_utf16 else encoding
        return content.removeprefix(BOM).decode(codec).encode()
    except (UnicodeError, KeyError):
        raise SitemapError(f"declares the encoding {encoding}, but has another one") from None
    except LookupError:
        raise SitemapError(_unknown(encoding)) from None


def _unknown(encoding: str) -> str:
    return f"is encoded as {encoding}, which is not supported; save it as UTF-8"


def _in_one_line(text: str) -> str:
    line = "".join(character if character.isprintable() else "\ufffd" for character in text[: _SHOWN + 1])
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


TAGS: Final = 32
TITLE_LENGTH: Final = 100
DESCRIPTION_LENGTH: Final = 2048
UPLOADER_LENGTH: Final = 255
LONGEST: Final = 28_800  # seconds
_BEST: Final = 5  # stars

_PUBLICATION: Final = f"{NEWS}{SEPARATOR}publication"
_OF_VIDEO: Final = (
    "thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date", "rating",
    "view_count", "publication_date", "tag", "family_friendly", "restriction", "requires_subscription", "uploader",
    "platform", "live",
)  # fmt: skip
# The children that count, by the name of the extension's element, and the children of the publication of news.
_CHILDREN: Final[Mapping[str, frozenset[str]]] = {
    f"{namespace}{SEPARATOR}{root}": frozenset(f"{namespace}{SEPARATOR}{name}" for name in names)
    for namespace, root, names in (
        (IMAGE, "image", ("loc",)),
        (VIDEO, "video", _OF_VIDEO),
        (NEWS, "news", ("publication_date", "title")),
    )
}
_OF_PUBLICATION: Final = frozenset(f"{NEWS}{SEPARATOR}{name}" for name in ("name", "language"))

# Python does not convert text with thousands of digits to a number, and no schema needs so many.
_NUMBER: Final = re.compile(r"\+?0*(?P<digits>[0-9]{1,18})")
_RATING: Final = re.compile(r"[+-]?(?:[0-9]{1,300}\.?[0-9]{0,300}|\.[0-9]{1,300})")
COUNTRY: Final = re.compile(r"[A-Z]{2}")
PLATFORM: Final = re.compile(r"web|mobile|tv")
NEWS_LANGUAGE: Final = re.compile(r"zh-cn|zh-tw|[a-z]{2,3}")
_YES_OR_NO: Final = {"yes": True, "no": False}
_RELATIONSHIPS: Final[Mapping[str, Literal["allow", "deny"]]] = {"allow": "allow", "deny": "deny"}


class Value(msgspec.Struct, frozen=True):
    """The text of an element, stripped, and its attributes."""

    text: str
    attributes: Mapping[str, str]


NOTHING: Final = Value("", {})


class _Extension:
    """An image, a video or news of a ``url``, collected while the parser reads it.

    Depths are relative to the element of the extension. The parser appends text to ``text``.
    """

    def __init__(self, root: str, text: list[str]) -> None:
        self._text = text
        self._root = root
        self._parent = ""
        self._attributes: Mapping[str, str] = {}
        self._found: dict[str, list[Value]] = {}

    def start(self, depth: int, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element inside it."""
        if depth == 1:
            self._parent = name
        if self._counts(depth, name):
            self._text.clear()
            self._attributes = attributes

    def end(self, depth: int, name: str) -> None:
        """Handle the end of an element inside it."""
        if self._counts(depth, name) and len(values := self._found.setdefault(name, [])) < TAGS:
            values.append(Value("".join(self._text).strip(WHITE_SPACE), self._attributes))

    def read(self) -> tuple[str, list[Image | Video | News]]:
        """Its namespace, and the image, video or news; nothing without a required value."""
        namespace = self._root.partition(SEPARATOR)[0]
        values = {name.rpartition(SEPARATOR)[2]: values for name, values in self._found.items()}
        found = _READERS[namespace](values)
        return namespace, [found] if found else []

    def _counts(self, depth: int, name: str) -> bool:
        if depth == 1:
            return name in _CHILDREN[self._root]
        return depth == 2 and self._parent == _PUBLICATION and name in _OF_PUBLICATION


def _image(values: Mapping[str, list[Value]]) -> Image | None:
    from sitemap_plugins.media import Image

    return next((Image(loc=value.text) for value in values.get("loc", ())[:1] if value.text), None)


def _video(values: Mapping[str, list[Value]]) -> Video | None:
    """The video, or None without a required value: thumbnail, title, description, and the URL of content or player."""
    first = {name: found[0] for name, found in values.items()}
    texts = {name: value.text or None for name, value in first.items()}
    title = _unless_longer(texts.get("title"), TITLE_LENGTH)
    description = _unless_longer(texts.get("description"), DESCRIPTION_LENGTH)
    thumbnail_loc, content_loc, player_loc = map(texts.get, ("thumbnail_loc", "content_loc", "player_loc"))
    if not (title and description and thumbnail_loc and (content_loc or player_loc)):
        return None
    from sitemap_plugins.media import Video

    uploader = _unless_longer(texts.get("uploader"), UPLOADER_LENGTH)
    info = first.get("uploader", NOTHING).attributes.get("info", "").strip(WHITE_SPACE)
    duration = number_or_none(texts.get("duration"))
    return Video(
        thumbnail_loc=thumbnail_loc,
        title=title,
        description=description,
        content_loc=content_loc,
        player_loc=player_loc,
        duration=duration if duration and duration <= LONGEST else None,
        expiration_date=lastmod_or_none(texts.get("expiration_date")),
        rating=rating_or_none(texts.get("rating")),
        view_count=number_or_none(texts.get("view_count")),
        publication_date=lastmod_or_none(texts.get("publication_date")),
        tags=tuple(value.text for value in values.get("tag", ()) if value.text),
        family_friendly=bool_or_none(texts.get("family_friendly")),
        restriction=restriction_or_none(first.get("restriction", NOTHING), COUNTRY),
        requires_subscription=bool_or_none(texts.get("requires_subscription")),
        uploader=uploader,
        uploader_info=(info or None) if uploader else None,
        platform=restriction_or_none(first.get("platform", NOTHING), PLATFORM),
        live=bool_or_none(texts.get("live")),
    )


def _news(values: Mapping[str, list[Value]]) -> News | None:
    """The news, or None without any of its four values, which are all required."""
    texts = {name: found[0].text for name, found in values.items()}
    moment = lastmod_or_none(texts.get("publication_date"))
    name, language, title = (texts.get(each, "") for each in ("name", "language", "title"))
    if moment is None or not name or not title or not NEWS_LANGUAGE.fullmatch(language):
        return None
    from sitemap_plugins.media import News

    return News(name=name, language=language, publication_date=moment, title=title)


_READERS: Final[Mapping[str, Callable[[Mapping[str, list[Value]]], Image | Video | News | None]]] = {
    IMAGE: _image,
    VIDEO: _video,
    NEWS: _news,
}


def _unless_longer(text: str | None, length: int) -> str | None:
    return text if text is not None and len(text) <= length else None


def number_or_none(text: str | None) -> int | None:
    """The number of a non-negative integer as in the schema, or None."""
    match = _NUMBER.fullmatch(text or "")
    return int(match["digits"]) if match else None


def rating_or_none(text: str | None) -> float | None:
    """The rating of a video from 0.0 to 5.0, or None."""
    number = float(text) if text and _RATING.fullmatch(text) else -1
    return abs(number) if 0 <= number <= _BEST else None


def bool_or_none(text: str | None) -> bool | None:
    """The boolean for yes or no, which the schema allows in three spellings, or None."""
    return _YES_OR_NO.get((text or "").lower())


def restriction_or_none(value: Value, word: re.Pattern[str]) -> Restriction | None:
    """The countries or platforms, or None if any of them is invalid, because then the rest may be misleading."""
    relationship = _RELATIONSHIPS.get(value.attributes.get("relationship", "").strip(WHITE_SPACE))
    words = tuple(value.text.split())
    if relationship is None or not words or not all(map(word.fullmatch, words)):
        return None
    from sitemap_plugins.media import Restriction

    return Restriction(relationship=relationship, values=words)
