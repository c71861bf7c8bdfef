"""Decide which URLs of a site robots.txt, ``_headers`` and ``_redirects`` block, hide or redirect."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Self
from urllib.parse import unquote, urljoin, urlsplit

import msgspec

from sitemap_plugins.formats.paths import HEADERS, REDIRECTS, ROBOTS
from sitemap_plugins.formats.robots import MOST_WILDCARDS, RobotsTxt, is_served
from sitemap_plugins.html.head import CRAWLERS, FORBIDDING
from sitemap_plugins.model import Markup, Note, Site
from sitemap_plugins.values.urls import root_of

_STATUS: Final = r"[0-9]{3}!?"
_REDIRECTS: Final = frozenset({"301", "302", "303", "307", "308"})
_GONE: Final = frozenset({"404", "410"})
_COMMENT: Final = r"(?<!\S)#"  # targets may have a fragment
# Few sites have these files, so the patterns are compiled only if there are some.
_PLACEHOLDER: Final = r"(?<=/):[A-Za-z]\w*(?=/|\Z)"
_HOST_PLACEHOLDER: Final = r":[A-Za-z]\w*"
_VALUED: Final = r"(?<![\w-])(?:max-[\w-]*|unavailable_after)\s*:[^,]*"
_CRAWLER: Final = r"(?<![\w-])([a-z][\w-]*)\s*:"  # "otherbot: noindex"


class Served(msgspec.Struct, frozen=True):
    """What a server answered for a URL: the status, where a redirect leads, and two headers.

    They are ``X-Robots-Tag``, each on a line, and ``Age``, empty if they are missing. The status is 0 if there was no
    answer. ``problem`` says why this does not tell whether the URL works; it is empty if it does. ``target`` is as
    written if it is no URL, which is a problem. ``markup`` is that of what was sent, unless that is kept as a page.
    """

    status: int = 0
    target: str = ""
    robots: str = ""
    age: str = ""
    problem: str = ""
    markup: Markup | None = None

    @property
    def is_sent(self) -> bool:
        """Whether the server sent a file for the URL."""
        return self.status == 200

    @property
    def is_gone(self) -> bool:
        """Whether the server said that there is nothing at the URL."""
        return self.status in {404, 410}


class CrawlRules:
    """The rules of robots.txt, ``_headers`` and ``_redirects``; each method returns the rule for a URL, or None.

    ``robots`` is None if robots.txt has no effect. ``host_files`` has only files that the host reads. ``served`` has
    the answers of the server, by URLs in their normal form, if it was asked; they count like rules for single URLs.
    """

    def __init__(
        self,
        robots: RobotsTxt | None = None,
        host_files: Mapping[str, bytes] | None = None,
        served: Mapping[str, Served] | None = None,
    ) -> None:
        files = host_files or {}
        self._robots = robots
        self._served = served or {}
        self._noindex = _read_noindex_rules(_lines(files.get(HEADERS, b"")))
        self._redirects = _Rules()
        for number, path, target, status, is_forced in redirect_lines(files.get(REDIRECTS, b"")):
            if status in _REDIRECTS and (is_forced or not _has_wildcard(path)):
                self._redirects.add(number, path, path, target=target)

    @classmethod
    def at(cls, site: Site, robots: RobotsTxt | None, host_files: Mapping[str, bytes] | None) -> Self:
        """The rules of the files in the output of a site, as far as crawlers and servers read these files there.

        They read them at the root of the host; a hosting service may also serve the robots.txt of a version there. If
        robots.txt blocks the whole site, the site is a draft, and robots.txt is no reason to leave its pages out.
        """
        is_read = robots is not None and is_served(site) and not robots.disallows_all
        return cls(robots if is_read else None, host_files if site.base_url == root_of(site.base_url) else None)

    def notes(self) -> list[Note]:
        """A note on each file with more rules than are compared with the pages."""
        ignored = {
            ROBOTS: self._robots.ignored if self._robots else 0,
            HEADERS: self._noindex.ignored,
            REDIRECTS: self._redirects.ignored,
        }
        return [
            Note(kind="unread", message=f"{unread}, so pages that they keep from crawlers may be listed")
            for name, number in ignored.items()
            if (unread := ignored_rules(name, number))
        ]

    def disallowed(self, url: str) -> str | None:
        """The path of the URL if robots.txt blocks it for search engines (CAN-06)."""
        return urlsplit(url).path if self._robots and self._robots.disallows(url) else None

    def disallow_line(self, url: str, crawler: str) -> str | None:
        """The line of robots.txt that blocks the URL for this crawler."""
        return self._robots.disallow_line(url, crawler) if self._robots else None

    def noindex(self, url: str) -> str | None:
        """The rule of ``_headers``, or the header, that sets ``noindex`` for the URL (CAN-11)."""
        for line in self._served.get(url, Served()).robots.split("\n"):
            if _forbids(line):
                return f"by the server, X-Robots-Tag: {line}"
        host = urlsplit(url).netloc
        rules = [rule for rule in self._noindex.matching(url) if rule.hosts is None or rule.hosts.fullmatch(host)]
        first = min(rules, key=lambda rule: rule.number, default=None)
        return None if first is None else f"by {HEADERS}, {first.written}"

    def redirected(self, url: str) -> str | None:
        """The rule of ``_redirects`` that redirects the URL to another page (CAN-12).

        A rule with a wildcard redirects an existing page only if it is forced (``301!``); a rule for a single page
        always does.
        """
        if (answer := self._served.get(url)) and answer.target and not answer.problem:
            return f"by the server, {answer.status} to {answer.target}"
        rules = self._redirects.matching(url)
        first = next((rule for rule in rules if not _leads_to_itself(rule.resolve(url), url)), None)
        return None if first is None else f"by {REDIRECTS}, {first.written}"


def ignored_rules(name: str, number: int) -> str:
    """The beginning of a sentence on so many rules of a file that were not read; empty if there are none."""
    unread = f"{number:,} after the first {MOST_WILDCARDS:,} were not read"
    return f"{name} has too many rules with wildcards: {unread}" if number else ""


class _PathRule(msgspec.Struct, frozen=True):
    """A rule of ``_headers`` or ``_redirects``: its line number, its path as written, and its target.

    ``path`` is the path without a host. ``paths`` is None if it is for a single path, ``hosts`` if it is for all hosts.
    The ``status`` is that of `redirect_lines`.
    """

    number: int
    written: str
    path: str
    paths: re.Pattern[str] | None
    hosts: re.Pattern[str] | None = None
    target: str = ""
    status: str = ""

    def resolve(self, url: str) -> str:
        """The target for a URL, with the parts that the wildcards matched."""
        match = self.paths.fullmatch(_path_of(url)) if self.paths else None
        if match is None:
            return self.target
        names = [*re.findall(_PLACEHOLDER, self.path), ":splat"]
        found = dict(zip(names, (group or "" for group in match.groups()), strict=False))
        return re.sub(_HOST_PLACEHOLDER, lambda name: found.get(name[0], name[0]), self.target)


class _Rules:
    """The rules of a file. Equal rules count once, and of those for several paths only the first thousand are read."""

    def __init__(self) -> None:
        self.ignored = 0
        self._single: dict[str, list[_PathRule]] = {}
        self._several: list[_PathRule] = []
        self._seen: set[tuple[str, str, str]] = set()

    def add(self, number: int, written: str, path: str, *, host: str = "", target: str = "", status: str = "") -> None:
        """Add a rule. ``host`` is a pattern, empty for all hosts."""
        if (written, target, status) in self._seen:
            return
        self._seen.add((written, target, status))
        has_wildcard = _has_wildcard(path)
        if has_wildcard and len(self._several) == MOST_WILDCARDS:
            self.ignored += 1
            return
        paths = _pattern(path) if has_wildcard else None
        hosts = re.compile(host, re.IGNORECASE) if host else None
        rule = _PathRule(number, f"{written:.200}", path, paths, hosts, target, status)
        (self._several if has_wildcard else self._single.setdefault(_normalize(unquote(path)), [])).append(rule)

    def matching(self, url: str) -> list[_PathRule]:
        """The rules for the path of a URL, those for this path alone first."""
        if not self._single and not self._several:
            return []
        path = _path_of(url)
        several = (rule for rule in self._several if rule.paths and rule.paths.fullmatch(path))
        return [*self._single.get(path, ()), *several]


def _lines(content: bytes) -> Sequence[str]:
    """The lines of a file, split as the services do: bytes, because text has more kinds of line ends."""
    return [line.decode(errors="replace") for line in content.removeprefix(BOM_UTF8).splitlines()]


def _read_noindex_rules(lines: Sequence[str]) -> _Rules:
    """The rules of ``_headers`` that set ``noindex`` in ``X-Robots-Tag``.

    Headers are indented below the path. A rule with a host, such as the host of previews, applies only there.
    """
    rules = _Rules()
    written = ""
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            written = line.strip()
            continue
        name, _, value = line.partition(":")
        if name.strip().lower() == "x-robots-tag" and _forbids(value):
            host, slash, path = written.partition("://")[2].partition("/") if "://" in written else ("", "/", written)
            # The services allow one "*", and one name in a label; a pattern with more of them would take forever.
            if host.count("*") > 1 or any(len(re.findall(_HOST_PLACEHOLDER, label)) > 1 for label in host.split(".")):
                continue
            hosts = re.sub(_HOST_PLACEHOLDER, "[^.]+", re.escape(host)).replace(r"\*", ".*")
            rules.add(number, written, f"{slash}{path.removeprefix('/')}" or "/", host=hosts)
    return rules


def _forbids(value: str) -> bool:
    """Whether a header keeps pages out of every index: a directive does that is for all crawlers, or for Google's."""
    for_all, *named = re.split(_CRAWLER, re.sub(_VALUED, "", value.lower()))
    lists = [for_all, *(words for name, words in zip(named[::2], named[1::2], strict=True) if name in CRAWLERS)]
    return not FORBIDDING.isdisjoint(re.split(r"[,\s]+", ",".join(lists)))


def redirect_lines(content: bytes) -> Iterator[tuple[int, str, str, str, bool]]:
    """The rules of ``_redirects``: line number, path, target, status, and whether it is forced (``301!``).

    The status is empty if the rule applies only to some visitors.
    """
    for number, line in enumerate(_lines(content), 1):
        words: list[str] = re.split(_COMMENT, line, maxsplit=1)[0].split()
        path, target, *rest = (*words, "", "")
        status = next((word for word in rest if re.fullmatch(_STATUS, word)), "301")
        # A rule with conditions ("Country=de", "q=:q") applies only to some visitors.
        has_conditions = any("=" in word and "/" not in word for word in (target, *rest))
        if path.startswith("/") and target:
            yield number, path, target, "" if has_conditions else status.removesuffix("!"), status.endswith("!")


class RedirectRules:
    """The rules of ``_redirects`` for URLs that have no page: of those that match, the first counts.

    ``paths`` are those of the rules for a single path, and ``ignored`` is the number of rules that were not read.
    """

    def __init__(self, content: bytes = b"") -> None:
        self._rules = _Rules()
        self.paths: list[str] = []
        for number, path, target, status, _ in redirect_lines(content):
            self._rules.add(number, path, path, target=target, status=status)
            if status in _REDIRECTS and not _has_wildcard(path):
                self.paths.append(path)
        self.ignored = self._rules.ignored

    def target_of(self, url: str) -> str | None:
        """The target for a URL as written, with what wildcards matched; None if it is not redirected.

        A rule that serves another page instead (200), or an error page (404, 410), is no redirect.
        """
        first = self._first(url, for_all=True)
        return first.resolve(url) if first is not None and first.status in _REDIRECTS else None

    def may_answer(self, url: str) -> bool:
        """Whether the URL may have a page by a rule that serves one, or that applies only to some visitors."""
        first = self._first(url)
        return first is not None and first.status not in _REDIRECTS | _GONE

    def _first(self, url: str, *, for_all: bool = False) -> _PathRule | None:
        """The first rule that matches, perhaps of those ``for_all`` visitors. Services ignore rules for themselves."""
        rules = (rule for rule in self._rules.matching(url) if rule.status or not for_all)
        others = (rule for rule in rules if not _leads_to_itself(rule.resolve(url), url))
        return min(others, key=lambda rule: rule.number, default=None)


def _has_wildcard(path: str) -> bool:
    return "*" in path or re.search(_PLACEHOLDER, path) is not None


def _leads_to_itself(target: str, url: str) -> bool:
    """Whether a redirect leads to the page itself, at most with another form of its URL."""
    try:
        there = urljoin(url, target)
        is_here = urlsplit(there).netloc.lower() == urlsplit(url).netloc
    except ValueError:
        return False
    return is_here and _path_of(there) == _path_of(url)


def _pattern(written: str) -> re.Pattern[str]:
    """The pattern of a path with wildcards: the first ``*`` matches anything, ``:name`` one part, each in a group."""
    # The services allow one "*" in a path; a pattern with more of them would take forever.
    before, star, after = (written.rstrip("/") or "/").partition("*")
    if not star:
        return re.compile(_literal(before))
    rest = "(?:/(.*))?" if before.endswith("/") else "(.*)"
    return re.compile(_literal(before.removesuffix("/")) + rest + _literal(after))


def _literal(text: str) -> str:
    """The pattern of a text in which each placeholder matches one part of a path."""
    return "([^/]+)".join(re.escape(part) for part in re.split(_PLACEHOLDER, text))


def _path_of(url: str) -> str:
    return _normalize(unquote(urlsplit(url).path))


def _normalize(path: str) -> str:
    """The path without ``index.html`` and trailing slash, so that all forms of a page's path are equal."""
    return path.removesuffix("index.html").rstrip("/") or "/"
