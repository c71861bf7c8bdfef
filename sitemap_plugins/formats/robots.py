"""robots.txt (RFC 9309): read its rules, and append a block with our sitemaps to the author's content."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import msgspec

from sitemap_plugins.model import Site
from sitemap_plugins.values.urls import normalize_url, root_of

BEGIN: Final = b"# begin of sitemap-plugins"
END: Final = b"# end of sitemap-plugins"

MOST_READ: Final = 512_000
"""Bytes of a robots.txt that crawlers read (RFC 9309, section 2.5; RB-03)."""

_SITEMAP: Final = re.compile(rb"(?im)(?:^|\r)(?:\xef\xbb\xbf)?[ \t]*sitemap[ \t]*:[ \t]*(\S+)")
_NEXT_URL: Final = re.compile(r"[\s,]+(?=https?://)", re.IGNORECASE)
_EVERYTHING: Final = frozenset({"/", "/*", "*"})
_SEARCH_ENGINES: Final = ("Googlebot", "Bingbot")
# Google, "Google's common crawlers": if no group names them, they follow the group of another crawler.
_FOLLOWS: Final = {"googlebot-image": "googlebot", "googlebot-video": "googlebot"}
MOST_WILDCARDS: Final = 1000
"""The most rules with wildcards that count in a file for crawlers: each of them is compared with each URL."""

# Compiled only if there is a robots.txt.
_PRODUCT: Final = r"[A-Za-z_-]*"
_ESCAPE: Final = r"%[0-9A-Fa-f]{2}"
_UNRESERVED: Final = r"%(?:4[1-9A-Fa-f]|5[0-9Aa]|6[1-9A-Fa-f]|7[0-9Aa]|3[0-9]|2[DdEe]|5[Ff]|7[Ee])"
_KEPT: Final = "/%?:@!$&'()*+,;=~#[]"


class NotUTF8Error(ValueError):
    """Raised if robots.txt has another encoding, so that text cannot be appended to it."""


def merge_robots(existing: bytes | None, sitemaps: Sequence[str], removed: Collection[str] = ()) -> bytes | None:
    """Add lines for these sitemaps to a robots.txt; None if no file is needed. Merging again changes nothing.

    Lines for ``removed`` sitemaps go. A sitemap that the author announces is not announced twice (RB-04). Sitemap lines
    belong to no group, so a block at the end changes no rule (RB-09). Raises `NotUTF8Error` if the existing file is not
    UTF-8.
    """
    if existing is not None and not _is_utf8(existing):
        raise NotUTF8Error
    authors = _without_blocks(existing or b"")
    if removed:
        lines = authors.splitlines(keepends=True)
        named = [{url for url, _ in read_sitemap_lines(line)} for line in lines]
        authors = b"".join(line for line, urls in zip(lines, named, strict=True) if not urls or urls - {*removed})
    announced = read_announced(authors)
    lines = [b"Sitemap: " + url.encode() for url in sitemaps if url not in announced]
    if not lines:
        return existing if authors == (existing or b"") else authors or None
    newline = b"\r\n" if b"\r\n" in authors else b"\n"
    # A blank line, so that the block does not look like a part of the author's last group.
    if authors and not authors.endswith(b"\n"):
        authors += newline
    newline = b"\r\n" if b"\r\n" in authors else b"\n"
    if authors and not authors.endswith((b"\n\n", b"\n\r\n")):
        authors += newline
    return authors + newline.join([BEGIN, *lines, END, b""])


def read_announced(content: bytes) -> list[str]:
    """The URLs of the sitemaps that the author announces in a robots.txt, in their normal form."""
    urls = (url.split(b"#")[0] for url in _SITEMAP.findall(_without_blocks(content)))
    return [normalize_url(url.decode(errors="replace")) for url in urls]


def read_sitemap_lines(content: bytes) -> list[tuple[str, int]]:
    """The URLs of all sitemaps that a robots.txt announces, in our block too, each with the number of its line.

    A line may have only one, but some authors write several, with commas.
    """
    return [
        (normalize_url(url), at)
        for at, line in enumerate(content.splitlines(), 1)
        if _SITEMAP.match(line)
        for part in _NEXT_URL.split(line.partition(b":")[2].split(b"#")[0].decode(errors="replace"))
        for url in part.split()[:1]
    ]


def _without_blocks(content: bytes) -> bytes:
    """The author's lines, which end with CR, LF or both (RFC 9309, section 2.2).

    The begin of a block without its end is kept, because lines of the author may follow it.
    """
    kept: list[bytes] = []
    begun: list[int] = []
    for line in content.splitlines(keepends=True):
        mark = line.rstrip(b"\r\n")
        if mark == END and begun:
            del kept[begun.pop() :]
            continue
        if mark == BEGIN:
            begun.append(len(kept))
        kept.append(line)
    return b"".join(kept)


def is_served(site: Site) -> bool:
    """Whether a robots.txt beside the sitemap is served at the root of the host: by its place or by its owner."""
    return site.base_url == root_of(site.base_url) or site.robots_owner is not None


class RobotsTxt:
    """The rules of a robots.txt, as RFC 9309 and Google's parser interpret them.

    Groups for the same crawler count as one (section 2.2.1). The longest rule that matches wins; of two with the same
    length, the one that allows (section 2.2.2). Other lines are ignored and do not end a group. Never raises.
    ``ignored`` is the number of rules with wildcards after the first thousand, which are not read.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        # The groups by the crawlers that they name. A group may name very many crawlers, which share its rules.
        self._groups: dict[str, list[_Group]] = {}
        group: _Group | None = None
        wildcards = 0
        in_rules = False
        for line in content.decode("utf-8-sig", errors="replace").splitlines():
            name, _, value = (part.strip() for part in line.partition("#")[0].partition(":"))
            if (field := name.lower()) == "user-agent":
                if in_rules or group is None:
                    group, in_rules = _Group(), False
                groups = self._groups.setdefault(_product(value), [])
                if not groups or groups[-1] is not group:
                    groups.append(group)
            elif field in {"allow", "disallow"} and group is not None:
                in_rules = True
                if value:
                    wildcards += group.add(_rule(name, value), is_full=wildcards >= MOST_WILDCARDS)
        self.ignored = max(0, wildcards - MOST_WILDCARDS)

    @property
    def disallows_all(self) -> bool:
        """Whether ``Disallow: /`` applies to all crawlers and each named one, and no rule allows anything (RB-14)."""
        if "*" not in self._groups:
            return False
        every = {id(group): group for groups in self._groups.values() for group in groups}
        disallowing = {key for key, group in every.items() if not _EVERYTHING.isdisjoint(group.rules)}
        allowing = {key for key, group in every.items() if any(rule.allows for rule in group.rules.values())}
        return not allowing and all(not disallowing.isdisjoint(map(id, groups)) for groups in self._groups.values())

    def disallows(self, url: str) -> bool:
        """Whether no search engine may fetch the URL. Those without a group of their own follow the rules of ``*``."""
        return all(self.disallow_line(url, crawler) for crawler in _SEARCH_ENGINES)

    def disallow_line(self, url: str, crawler: str) -> str | None:
        """The line that blocks the URL for a crawler, or None if the crawler may fetch it.

        If no group names ``Googlebot-Image`` or ``Googlebot-Video``, they follow the rules for ``Googlebot``.
        """
        parts = urlsplit(url)
        path = _normalize(f"{parts.path or '/'}{'?' * bool(parts.query)}{parts.query}")
        name = crawler.lower()
        names = (name, _FOLLOWS.get(name, name), "*")
        groups: list[_Group] = next((self._groups[each] for each in names if each in self._groups), [])
        matching = [rule for group in groups for rule in group.matching(path)]
        decisive = max(matching, key=_weight, default=None)
        return None if decisive is None or decisive.allows else decisive.line


class _Rule(msgspec.Struct, frozen=True):
    """One line of a group: whether it allows, the path with ``*`` and ``$``, its length and the line as written.

    ``parts`` is the text between the wildcards. Several ``*`` in a row are one in ``pattern``, but count in the length.
    """

    allows: bool
    pattern: str
    length: int
    line: str
    parts: tuple[str, ...]
    is_whole: bool

    def matches(self, path: str) -> bool:
        """Whether a path begins with the pattern, or is the whole path if that ends with ``$``."""
        first, *middle, last = self.parts
        if not path.startswith(first):
            return False
        at = len(first)
        for part in middle:
            if (found := path.find(part, at)) < 0:
                return False
            at = found + len(part)
        return path.endswith(last) and len(path) - len(last) >= at if self.is_whole else path.find(last, at) >= 0


class _Group:
    """The rules of a group by their patterns. Rules without ``*`` are looked up, all others compared with the path."""

    def __init__(self) -> None:
        self.rules: dict[str, _Rule] = {}
        self._with_wildcards: list[str] = []
        self._lengths: set[int] = set()

    def add(self, rule: _Rule, *, is_full: bool) -> bool:
        """Add a rule, unless it needs a comparison and the list of these ``is_full``; returns whether it needs one.

        Of two rules with the same pattern, only the one that decides is kept.
        """
        known = self.rules.get(rule.pattern)
        is_wild = known is None and len(rule.parts) > 1
        if is_wild and is_full:
            return True
        if is_wild:
            self._with_wildcards.append(rule.pattern)
        elif known is None:
            self._lengths.add(len(rule.pattern))
        if known is None or _weight(rule) > _weight(known):
            self.rules[rule.pattern] = rule
        return is_wild

    def matching(self, path: str) -> Iterator[_Rule]:
        """The rules that match a path."""
        whole = f"{path}$"
        for pattern in (*(path[:length] for length in self._lengths if length <= len(path)), whole):
            if (rule := self.rules.get(pattern)) and len(rule.parts) == 1 and (not rule.is_whole or pattern is whole):
                yield rule
        yield from (rule for pattern in self._with_wildcards if (rule := self.rules[pattern]).matches(path))


def _weight(rule: _Rule) -> tuple[int, bool]:
    return rule.length, rule.allows


def _rule(name: str, value: str) -> _Rule:
    written = _normalize(value)
    pattern = re.sub(r"\*+", "*", written)
    parts = tuple(pattern.removesuffix("$").split("*"))
    line = f"{name}: {value:.200}"
    return _Rule(name.lower() == "allow", pattern, len(written), line, parts, pattern.endswith("$"))


def _product(value: str) -> str:
    """The product token of a ``User-agent`` line. As Google reads it, it ends before the first other character."""
    return "*" if value.split(maxsplit=1)[:1] == ["*"] else re.match(_PRODUCT, value)[0].lower()  # type: ignore[index]  # it may be empty, and so always matches


def _normalize(path: str) -> str:
    """The normal form of a path, to compare paths: percent-encoded UTF-8, without needless escapes (section 2.2.2)."""
    plain = re.sub(_UNRESERVED, lambda escape: unquote(escape[0]), path)
    return re.sub(_ESCAPE, lambda escape: escape[0].upper(), quote(plain, safe=_KEPT))


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return content.count(0) * 3 <= len(content)  # in UTF-16 every other byte is NUL
