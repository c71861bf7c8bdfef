"""What robots.txt, ``_headers`` and ``_redirects`` keep from crawlers, for the URLs of a site."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

import msgspec

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.html.head import FORBIDDING

HEADERS: Final = "_headers"
REDIRECTS: Final = "_redirects"
HOST_FILES: Final = (HEADERS, REDIRECTS)
"""The files by which Netlify and Cloudflare Pages know headers and redirects, at the root of the host."""

_STATUS: Final = r"[0-9]{3}!?"
_FIRST_REDIRECT, _LAST_REDIRECT = 300, 399
# Few sites have these files: the patterns are compiled for those that do.
_PLACEHOLDER: Final = r"(?<=/):[A-Za-z]\w*(?=/|\Z)"
_HOST_PLACEHOLDER: Final = r":[A-Za-z]\w*"


class CrawlRules:
    """What the files beside the pages say of a URL; each method gives the detail of it, or None.

    ``robots`` is None where robots.txt has no effect, and ``host_files`` has no file that the host does not read.
    """

    def __init__(self, robots: RobotsTxt | None = None, host_files: Mapping[str, bytes] | None = None) -> None:
        files = host_files or {}
        self._robots = robots
        self._closed, self._closed_wide = _closed_places(_lines(files.get(HEADERS, b"")))
        self._exact, self._wide = _redirects(_lines(files.get(REDIRECTS, b"")))

    def disallowed(self, url: str) -> str | None:
        """The path of the URL, if robots.txt keeps it from search engines (CAN-06)."""
        return urlsplit(url).path if self._robots and self._robots.keeps_out(url) else None

    def disallowed_to(self, url: str, crawler: str) -> str | None:
        """The line of robots.txt that keeps this crawler from the URL."""
        return self._robots.disallowing(url, crawler) if self._robots else None

    def noindex(self, url: str) -> str | None:
        """The rule of ``_headers`` that says ``noindex`` for the URL (CAN-11)."""
        if not self._closed and not self._closed_wide:
            return None
        parts = urlsplit(url)
        path = _normal(unquote(parts.path))
        places = [*self._closed.get(path, ()), *(place for place in self._closed_wide if place.paths.fullmatch(path))]
        here = [place for place in places if place.hosts is None or place.hosts.fullmatch(parts.netloc)]
        first = min(here, key=lambda place: place.number, default=None)
        return None if first is None else f"by {HEADERS}, {first.written}"

    def redirected(self, url: str) -> str | None:
        """The rule of ``_redirects`` that leads the URL elsewhere (CAN-12).

        A rule with a wildcard redirects an existing page only if it is forced (``301!``); one for a single page always
        does.
        """
        if not self._exact and not self._wide:
            return None
        path = _normal(unquote(urlsplit(url).path))
        leading = [*self._exact.get(path, ())]
        leading += [(rule.written, rule.lead(match)) for rule in self._wide if (match := rule.paths.fullmatch(path))]
        rule = next((written for written, target in leading if not _leads_to_itself(target, url)), None)
        return None if rule is None else f"by {REDIRECTS}, {rule}"


class _Closed(msgspec.Struct, frozen=True):
    """A rule that closes a page, as it is written, its place among others, and its host, where it is not for all."""

    number: int
    written: str
    hosts: re.Pattern[str] | None


class _ClosedWide(_Closed, frozen=True):
    """One that is for several paths."""

    paths: re.Pattern[str]


class _Redirect(msgspec.Struct, frozen=True):
    """A rule for several paths as it is written, where it leads, and for which paths it is."""

    written: str
    target: str
    paths: re.Pattern[str]

    def lead(self, match: re.Match[str]) -> str:
        """The target for a path, with what stood for the wildcards in it."""
        names = [*re.findall(_PLACEHOLDER, self.written), ":splat"]
        found = dict(zip(names, (group or "" for group in match.groups()), strict=False))
        return re.sub(_HOST_PLACEHOLDER, lambda name: found.get(name[0], name[0]), self.target)


def _lines(content: bytes) -> Sequence[str]:
    """The lines, as the services cut them: text knows more line ends than bytes do."""
    return [line.decode(errors="replace") for line in content.removeprefix(BOM_UTF8).splitlines()]


def _closed_places(lines: Sequence[str]) -> tuple[dict[str, list[_Closed]], list[_ClosedWide]]:
    """The rules by which a ``X-Robots-Tag`` says ``noindex``, for one path by that, and for several.

    Its lines are indented below the path. A rule for a host, such as that of all previews, is for no other.
    """
    exact: dict[str, list[_Closed]] = {}
    wide: list[_ClosedWide] = []
    written = ""
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            written = line.strip()
            continue
        name, _, value = line.partition(":")
        if name.strip().lower() == "x-robots-tag" and not FORBIDDING.isdisjoint(_directives(value)):
            host, slash, path = written.partition("://")[2].partition("/") if "://" in written else ("", "/", written)
            # The services know one "*", and one name in a label; of more of them a pattern would take for ever.
            if host.count("*") > 1 or any(len(re.findall(_HOST_PLACEHOLDER, label)) > 1 for label in host.split(".")):
                continue
            hosts = re.sub(_HOST_PLACEHOLDER, "[^.]+", re.escape(host)).replace(r"\*", ".*")
            is_for = re.compile(hosts, re.IGNORECASE) if host else None
            path = f"{slash}{path.removeprefix('/')}" or "/"
            if _is_wide(path):
                wide.append(_ClosedWide(number, written, is_for, _pattern(path)))
            else:
                exact.setdefault(_normal(path), []).append(_Closed(number, written, is_for))
    return exact, wide


def _directives(value: str) -> set[str]:
    """The directives of a header that are for all crawlers: those before the first name of a crawler."""
    found: set[str] = set()
    for part in value.lower().split(","):
        words, colon, _ = part.partition(":")
        *before, last = words.split() or [""]
        found.update(before)
        if not colon:
            found.add(last)
        elif not last.startswith("max-") and last != "unavailable_after":  # "otherbot: noindex"
            break
    return found


def _redirects(lines: Sequence[str]) -> tuple[dict[str, list[tuple[str, str]]], list[_Redirect]]:
    """The rules for one page each, by its path, with where they lead; and the forced ones for many."""
    exact: dict[str, list[tuple[str, str]]] = {}
    wide: list[_Redirect] = []
    for line in lines:
        written, target, *rest = (*line.partition("#")[0].split(), "", "")
        status = next((word for word in rest if re.fullmatch(_STATUS, word)), "301")
        is_redirect = _FIRST_REDIRECT <= int(status.rstrip("!")) <= _LAST_REDIRECT
        # Conditions ("Country=de", "q=:q") are for some visitors only.
        has_conditions = any("=" in word and "/" not in word for word in (target, *rest))
        if not written.startswith("/") or not target or not is_redirect or has_conditions:
            continue
        if not _is_wide(written):
            exact.setdefault(_normal(written), []).append((written, target))
        elif status.endswith("!"):
            wide.append(_Redirect(written, target, _pattern(written)))
    return exact, wide


def _is_wide(path: str) -> bool:
    """Whether a path of these files stands for several."""
    return "*" in path or re.search(_PLACEHOLDER, path) is not None


def _leads_to_itself(target: str, url: str) -> bool:
    """Whether a redirect only leads to the form of its address that the page has."""
    try:
        there, here = urlsplit(urljoin(url, target)), urlsplit(url)
    except ValueError:
        return False
    return there.netloc.lower() == here.netloc and _normal(unquote(there.path)) == _normal(unquote(here.path))


def _pattern(written: str) -> re.Pattern[str]:
    """A wide path of these files: the first ``*`` stands for anything, ``:name`` for one part, each in a group."""
    # The services know one "*" in a path; of more of them a pattern would take for ever.
    before, star, after = (written.rstrip("/") or "/").partition("*")
    if not star:
        return re.compile(_literal(before))
    rest = "(?:/(.*))?" if before.endswith("/") else "(.*)"
    return re.compile(_literal(before.removesuffix("/")) + rest + _literal(after))


def _literal(text: str) -> str:
    """The pattern for text in which placeholders stand for one part of a path."""
    return "([^/]+)".join(re.escape(part) for part in re.split(_PLACEHOLDER, text))


def _normal(path: str) -> str:
    """One form for the addresses of a page that differ in a slash at their end, or the name of its file."""
    return path.removesuffix("index.html").rstrip("/") or "/"
