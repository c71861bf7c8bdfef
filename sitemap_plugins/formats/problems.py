"""What is wrong in a sitemap, with its place: the checks of single values, which all formats of sitemaps share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.model import X_DEFAULT, Entry
from sitemap_plugins.values.dates import parse_lastmod
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language, probably_meant
from sitemap_plugins.values.text import CONTROL
from sitemap_plugins.values.urls import (
    LOC_LENGTH,
    InvalidURLError,
    encode_url,
    is_local,
    normalize_url,
    preview_at,
    tracking_parameter,
)

_SHOWN: Final = 300
_LONG: Final = 1024
_MOST: Final = 50_000  # as many as a sitemap may have URLs
_SCHEME: Final = len("https://")

# Nothing can be wrong with most URLs of documentation.
_PLAIN: Final = re.compile(r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/[A-Za-z0-9._~/-]*")
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_TWICE_ENCODED: Final = re.compile(r"%25[0-9A-Fa-f]{2}")
_TWICE_ESCAPED: Final = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
# RFC 3986, appendix A: these may not occur in a URL. Square brackets may not either, but all programs accept them.
_UNENCODED: Final = re.compile(r"[^\x00-\x7f]|[\"<>\\^`{|}]")

# W3C Datetime, as the protocol requires it. The schemas require a day, and seconds if there is a time.
_W3C: Final = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-\d\d(?P<time>T\d\d:\d\d(?P<seconds>:\d\d(?:\.\d{1,30})?)?"
    r"(?:Z|[+-]\d\d:\d\d))?)?)?",
    re.ASCII,
)
_WITHOUT_ZONE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,30})?)?", re.ASCII)
_COMPLETE: Final = len("2026-03-01")


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a sitemap that breaks the protocol or that its author probably did not mean.

    ``kind`` is the id of a rule of `check`. ``line`` and ``column`` count from 1. ``text`` is what is there, as
    written, cut if it is long, ``why`` completes the sentence "TEXT …", and ``expected`` is what was probably meant.
    ``cause`` is what it has in common with other problems of the kind in the file, so that one change fixes them all;
    empty if all of them have one cause. ``url`` is the URL that the entry lists, if it is known at this place. ``more``
    is the number of further problems of the same kind and cause that `Problems` did not keep.
    """

    kind: str
    line: int
    column: int
    text: str = ""
    why: str = ""
    expected: str = ""
    cause: str = ""
    url: str = ""
    more: int = 0


OnProblem: TypeAlias = Callable[[Problem], None]
"""A function that is called with each problem while a file is read."""


class Problems:
    """The problems of a file that are kept: so many, then only the first one of each kind and cause.

    A file may have a million. ``add`` is called with each of them.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: list[Problem] = []
        self._last: dict[tuple[str, str], int] = {}
        self._more: Counter[int] = Counter()

    def add(self, problem: Problem) -> None:
        """Keep the problem, or only count it."""
        key = problem.kind, problem.cause
        if len(self._kept) < self._most or key not in self._last:
            self._last[key] = len(self._kept)
            self._kept.append(problem)
        else:
            self._more[self._last[key]] += 1

    @property
    def kept(self) -> tuple[Problem, ...]:
        """Those that were kept, in the order of the file. The last of each kind and cause has the number of others."""
        return tuple(
            msgspec.structs.replace(each, more=self._more[at]) if at in self._more else each
            for at, each in enumerate(self._kept)
        )


class Located(NamedTuple):
    """An entry, and the place of its loc in the file, counted from 1."""

    entry: Entry
    line: int
    column: int

    @property
    def loc(self) -> str:
        """The URL in its normal form."""
        return normalize_url(self.entry.loc)


class Fault(NamedTuple):
    """What is wrong with a value, without its place. The fields are those of `Problem`."""

    kind: str
    why: str
    cause: str = ""
    expected: str = ""

    def at(self, place: tuple[int, int], text: str, url: str = "") -> Problem:
        """The problem with this value at a line and column."""
        return Problem(
            kind=self.kind,
            line=place[0],
            column=place[1],
            text=shorten(text),
            why=self.why,
            expected=self.expected,
            cause=shorten(self.cause),
            url=shorten(url),
        )


def shorten(text: str) -> str:
    """Text from a file, cut if it is too long for a message."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def url_faults(url: str) -> Iterator[Fault]:
    """What is wrong with the URL of a page as written in a sitemap (SM-LOC-01 to SM-LOC-07, SM-LOC-12, SM-XML-04)."""
    if _is_plain(url):
        yield from _host_faults(url)
        return
    if fault := next(_reasons_against(url), None):
        yield fault
        return
    if _TWICE_ESCAPED.search(url):
        yield Fault("double-escaping", "has a character that is escaped twice")
    if _TWICE_ENCODED.search(url):
        yield Fault("double-encoding", "has a character that is percent-encoded twice")
    if found := _UNENCODED.search(url):
        yield Fault("unencoded-url", f"has {found[0]!r}, which must be percent-encoded")
    if len(url) > _LONG:
        yield Fault("long-url", f"has {len(url):,} characters")
    if "#" in url:
        yield Fault("url-fragment", "has a fragment (#), which search engines ignore")
    yield from _host_faults(url)


def _is_plain(url: str) -> bool:
    """Whether a URL has no fault but that of its host, as nearly all."""
    return len(url) <= _LONG and bool(_PLAIN.fullmatch(url))


def _reasons_against(url: str) -> Iterator[Fault]:
    """What makes a URL unusable; only the first reason counts, since each assumes that those before do not apply."""
    if not url:
        yield Fault("invalid-url", "has no URL", "no URL")
    if len(url) > LOC_LENGTH:
        yield Fault("invalid-url", f"is longer than {LOC_LENGTH:,} characters", "too long")
    if CONTROL.search(url):
        yield Fault("invalid-url", "has a control character in it", "a control character")
    if url.split() != [url]:
        yield Fault("invalid-url", "has white space in it", "white space")
    if _STRAY_PERCENT.search(url):
        yield Fault("invalid-url", "has a % that is not followed by two hexadecimal digits", "a stray %")
    try:
        encoded = encode_url(url)
    except InvalidURLError as error:
        is_absolute = "://" in url[:_SCHEME]
        yield Fault("invalid-url", str(error), "the scheme or host" if is_absolute else "not absolute")
        return
    if len(encoded) > LOC_LENGTH:
        yield Fault("invalid-url", f"is {len(encoded):,} characters long when encoded", "too long")
    if parameter := tracking_parameter(encoded):
        yield Fault("invalid-url", f"has the parameter {parameter}, which identifies visitors", parameter)


def _host_faults(url: str) -> Iterator[Fault]:
    if is_local(url):
        yield Fault("preview-host", "is local to one machine or network", urlsplit(url).netloc)
    elif service := preview_at(url):
        yield Fault("preview-host", f"is the address of a preview at {service}", urlsplit(url).netloc)


def absolute_url_fault(url: str) -> str:
    """Why a URL is no absolute URL that can be fetched, to complete the sentence "URL …"; empty if it is one.

    This is for links to other files, such as images: they may be on any host and have any spelling.
    """
    if _is_plain(url):
        return ""
    fault = next(_reasons_against(url), None)
    return fault.why if fault and not fault.why.startswith("has the parameter") else ""


def date_fault(text: str) -> Fault | None:
    """What is wrong with a date, or None (SM-MOD-01).

    A valid W3C Datetime without a day or without seconds is a fault only by the schemas.
    """
    match = _W3C.fullmatch(text)
    if match is None:
        return Fault("invalid-date", _why_not_a_date(text))
    with suppress(ValueError):
        parse_lastmod(f"{text}-01-01"[:_COMPLETE] if len(text) < _COMPLETE else text)
        if len(text) >= _COMPLETE and (not match["time"] or match["seconds"]):
            return None
        return Fault("schema-only", "is a valid date that the schema of the protocol rejects", "dates")
    return Fault("invalid-date", "is not a date that exists")


def _why_not_a_date(text: str) -> str:
    if not text:
        return "is empty"
    if _WITHOUT_ZONE.fullmatch(text):
        return "has a time without a time zone"
    return "is not in the form of W3C Datetime, such as 2026-03-01"


def language_fault(code: str) -> Fault | None:
    """What is wrong with the code of an hreflang link, or None (HL-06, HL-07)."""
    if code.lower() == X_DEFAULT:
        return None
    try:
        parsed = parse_language(code)
    except InvalidLanguageError as error:
        return Fault("language-code", str(error).partition("; did you mean")[0], code, error.suggestion or "")
    if parsed.lower() != code.lower():
        return Fault("language-code", "is not in the form of hreflang", code, parsed)
    if meant := probably_meant(parsed):
        return Fault("language-code", f"is valid, but probably {meant!r} is meant", code, meant)
    if len(parsed.partition("-")[0]) > 2:
        return Fault("rare-language-code", "is a three-letter code, which not all search engines know", code)
    return None
