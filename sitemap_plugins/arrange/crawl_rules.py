"""What files beside the pages keep from crawlers: robots.txt, and the _headers and _redirects of hosting services."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import unquote, urlsplit

from protego import Protego

from sitemap_plugins.enrich.page_markup import FORBIDDING

Refuse: TypeAlias = Callable[[str], tuple[str, str] | None]
"""From an encoded URL to the reason and detail for which it is not to be listed; None where there is none."""

HEADERS: Final = "_headers"
REDIRECTS: Final = "_redirects"

_CRAWLERS: Final = ("Googlebot", "Bingbot")  # for those that no group names, that of all others counts
_FIRST_REDIRECT, _LAST_REDIRECT = 300, 399
_PLACEHOLDER: Final = re.compile(r"(?<=/):[A-Za-z]\w*(?=/|\Z)")
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
    headers = [*_closed_paths(_lines(files.get(HEADERS, b"")))]
    redirects = [*_redirected_paths(_lines(files.get(REDIRECTS, b"")))]

    def refuse(url: str) -> tuple[str, str] | None:
        path = _normal(unquote(urlsplit(url).path))
        if rule := next((written for written, matches in headers if matches.fullmatch(path)), None):
            return "noindex", f"by {HEADERS}, {rule}"
        if rule := next((written for written, matches in redirects if matches.fullmatch(path)), None):
            return "redirect", f"by {REDIRECTS}, {rule}"
        return None

    return refuse


def _lines(content: bytes) -> Sequence[str]:
    return content.decode("utf-8-sig", errors="replace").splitlines()


def _closed_paths(lines: Sequence[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The paths for which a ``X-Robots-Tag`` of the file says ``noindex``; its lines are indented below their path."""
    written = ""
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not line[0].isspace():
            written = line.strip()
            continue
        name, _, value = line.partition(":")
        directives = {*_DIRECTIVES.split(value.lower())}
        # With a name before it ("otherbot: noindex") it is for one crawler.
        if name.strip().lower() == "x-robots-tag" and ":" not in value and not FORBIDDING.isdisjoint(directives):
            yield written, _pattern(written)


def _redirected_paths(lines: Sequence[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
    for line in lines:
        written, *rest = line.partition("#")[0].split() or [""]
        status = next((word for word in rest[1:] if word.rstrip("!").isdigit()), "301")
        is_redirect = _FIRST_REDIRECT <= int(status.rstrip("!")) <= _LAST_REDIRECT
        is_meant = status.endswith("!") or ("*" not in written and not _PLACEHOLDER.search(written))
        # Conditions ("Country=de", "q=:q") are for some visitors only.
        has_conditions = any("=" in word and "/" not in word for word in rest)
        if written.startswith("/") and rest and is_redirect and is_meant and not has_conditions:
            yield written, _pattern(written)


def _pattern(written: str) -> re.Pattern[str]:
    """A path of these files: the first ``*`` stands for anything, ``:name`` for one part."""
    path = written if written.startswith("/") else unquote(urlsplit(written).path)
    # The services know one "*" in a path; of more of them a pattern would take for ever.
    before, star, after = _normal(path).partition("*")
    rest = "(?:/.*)?" if before.endswith("/") else ".*"
    return re.compile(_literal(before.removesuffix("/") if star else before) + (rest + _literal(after) if star else ""))


def _literal(text: str) -> str:
    """The pattern for text in which placeholders stand for one part of a path."""
    return "[^/]+".join(re.escape(part) for part in _PLACEHOLDER.split(text))


def _normal(path: str) -> str:
    """One form for all addresses of a page: the services make no difference between them."""
    return path.removesuffix("index.html").removesuffix(".html").rstrip("/") or "/"
