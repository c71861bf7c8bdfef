"""What files beside the pages keep from crawlers: robots.txt, and the _headers and _redirects of hosting services."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote, urljoin, urlsplit

from protego import Protego

from sitemap_plugins.enrich.page_markup import FORBIDDING

Refuse: TypeAlias = Callable[[str], tuple[str, str] | None]
"""From an encoded URL to the reason and detail for which it is not to be listed; None where there is none."""

HEADERS: Final = "_headers"
REDIRECTS: Final = "_redirects"

_CRAWLERS: Final = ("Googlebot", "Bingbot")  # for those that no group names, that of all others counts
_FIRST_REDIRECT, _LAST_REDIRECT = 300, 399
_PLACEHOLDER: Final = re.compile(r"(?<=/):[A-Za-z]\w*(?=/|\Z)")
_WITH_VALUE: Final = re.compile(r"(?:max-[a-z-]+|unavailable_after)\s*:[^,]*")
_FOR_ONE: Final = re.compile(r"[^,\s:]+\s*:")  # "otherbot: noindex"
_HOST_PLACEHOLDER: Final = re.compile(r":[A-Za-z]\w*")
_DIRECTIVES: Final = re.compile(r"[,\s]+")


def refused_by_robots(robots_txt: bytes) -> Refuse:
    """Which pages robots.txt keeps from the crawlers of search engines (CAN-06, RFC 9309 section 2.2.2).

    A page that one of them may read is not kept from all.
    """
    rules = Protego.parse(robots_txt.decode("utf-8-sig", errors="replace"))

    def refuse(url: str) -> tuple[str, str] | None:
        if any(rules.can_fetch(url, crawler) for crawler in _CRAWLERS):
            return None
        return "disallowed by robots.txt", urlsplit(url).path

    return refuse


def refused_by_host(files: Mapping[str, bytes]) -> Refuse:
    """Which pages have a header that says ``noindex`` (CAN-11), or are redirected (CAN-12).

    ``files`` are the ``_headers`` and ``_redirects`` of Netlify and Cloudflare Pages, by name, where they are there. A
    rule with a wildcard redirects a page that exists only where it is forced (``301!``); one for a page by its name is
    meant.
    """
    headers = [*_closed_places(_lines(files.get(HEADERS, b"")))]
    exact, wide = _redirects(_lines(files.get(REDIRECTS, b"")))

    def refuse(url: str) -> tuple[str, str] | None:
        parts = urlsplit(url)
        path = _normal(unquote(parts.path))
        for written, hosts, paths in headers:
            if hosts.fullmatch(parts.netloc) and paths.fullmatch(path):
                return "noindex", f"by {HEADERS}, {written}"
        leading = [(rule.written, rule.target) for rule in exact.get(path, ())]
        leading += [(rule.written, rule.lead(match)) for rule in wide if (match := rule.paths.fullmatch(path))]
        for written, target in leading:
            if not _is_same_page(target, url):
                return "redirect", f"by {REDIRECTS}, {written}"
        return None

    return refuse


class _Redirect(NamedTuple):
    """A rule as it is written, where it leads, and for which paths it is."""

    written: str
    target: str
    paths: re.Pattern[str]

    def lead(self, match: re.Match[str]) -> str:
        """The target for a path, with what stood for the wildcards in it."""
        names = [*_PLACEHOLDER.findall(self.written), ":splat"]
        found = dict(zip(names, (group or "" for group in match.groups()), strict=False))
        return _HOST_PLACEHOLDER.sub(lambda name: found.get(name[0], name[0]), self.target)


def _lines(content: bytes) -> Sequence[str]:
    return content.decode("utf-8-sig", errors="replace").splitlines()


def _closed_places(lines: Sequence[str]) -> Iterator[tuple[str, re.Pattern[str], re.Pattern[str]]]:
    """The hosts and paths for which a ``X-Robots-Tag`` says ``noindex``; its lines are indented below their path.

    A rule for a host, such as that of all previews, is for no other.
    """
    written = ""
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            written = line.strip()
            continue
        name, _, value = line.partition(":")
        if name.strip().lower() == "x-robots-tag" and not FORBIDDING.isdisjoint(_directives(value)):
            host, slash, path = written.partition("://")[2].partition("/") if "://" in written else ("", "/", written)
            hosts = _HOST_PLACEHOLDER.sub("[^.]+", re.escape(host)).replace(r"\*", ".*") if host else ".*"
            yield written, re.compile(hosts, re.IGNORECASE), _pattern(f"{slash}{path.removeprefix('/')}" or "/")


def _directives(value: str) -> set[str]:
    """The directives of a header that are for all crawlers: those before the first that has a name before it."""
    for_all, _, _ = _FOR_ONE.sub("\0", _WITH_VALUE.sub("", value.lower())).partition("\0")
    return {*_DIRECTIVES.split(for_all)}


def _redirects(lines: Sequence[str]) -> tuple[dict[str, list[_Redirect]], list[_Redirect]]:
    """The rules for one page each, by its path, and the forced ones for many."""
    exact: dict[str, list[_Redirect]] = {}
    wide: list[_Redirect] = []
    for line in lines:
        written, target, *rest = (*line.partition("#")[0].split(), "", "")
        status = next((word for word in rest if word.rstrip("!").isdigit()), "301")
        is_redirect = _FIRST_REDIRECT <= int(status.rstrip("!")) <= _LAST_REDIRECT
        # Conditions ("Country=de", "q=:q") are for some visitors only.
        has_conditions = any("=" in word and "/" not in word for word in (target, *rest))
        if not written.startswith("/") or not target or not is_redirect or has_conditions:
            continue
        rule = _Redirect(written, target, _pattern(written))
        if "*" not in written and not _PLACEHOLDER.search(written):
            exact.setdefault(_normal(written), []).append(rule)
        elif status.endswith("!"):
            wide.append(rule)
    return exact, wide


def _is_same_page(target: str, url: str) -> bool:
    """Whether a redirect only leads to the form of its address that the page has."""
    try:
        there, here = urlsplit(urljoin(url, target)), urlsplit(url)
    except ValueError:
        return False
    return there.netloc.lower() == here.netloc and _normal(unquote(there.path)) == _normal(unquote(here.path))


def _pattern(written: str) -> re.Pattern[str]:
    """A path of these files: the first ``*`` stands for anything, ``:name`` for one part, each in a group."""
    if "*" not in written and not _PLACEHOLDER.search(written):
        return re.compile(re.escape(_normal(written)))
    # The services know one "*" in a path; of more of them a pattern would take for ever.
    before, star, after = (written.rstrip("/") or "/").partition("*")
    if not star:
        return re.compile(_literal(before))
    rest = "(?:/(.*))?" if before.endswith("/") else "(.*)"
    return re.compile(_literal(before.removesuffix("/")) + rest + _literal(after))


def _literal(text: str) -> str:
    """The pattern for text in which placeholders stand for one part of a path."""
    return "([^/]+)".join(re.escape(part) for part in _PLACEHOLDER.split(text))


def _normal(path: str) -> str:
    """One form for the addresses of a page that differ in a slash at their end, or the name of its file."""
    return path.removesuffix("index.html").rstrip("/") or "/"
