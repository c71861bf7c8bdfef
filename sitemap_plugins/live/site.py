"""Copies what a server sends of a site into a folder: robots.txt, the sitemaps, and the heads of the listed pages.

The folder is a published tree like any other, except that it has only the files that were asked for.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.formats.paths import ROBOTS, page_ending
from sitemap_plugins.formats.robots import RobotsTxt, read_sitemap_lines
from sitemap_plugins.html.head import parse_head
from sitemap_plugins.live.crawling import Crawler, target_of
from sitemap_plugins.live.fetching import FOUND, Answer, Wanted, is_temporary
from sitemap_plugins.model import Entry
from sitemap_plugins.pages.crawl_rules import Served
from sitemap_plugins.published.sitemap_files import SITEMAPS, SitemapFile, read_sitemap
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ROBOTS_TXT, SERVED_PAGE, SITEMAP
from sitemap_plugins.values.errors import ExplainedError
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.urls import InvalidURLError, encode_url, file_path, is_inside, normalize_url, root_of

_DEPTH: Final = 2  # of indexes in indexes, which are a mistake; a program could make them without end
_HTML: Final = ("text/html", "application/xhtml+xml")
_FILES: Final = (".xml", ".txt", ".gz", ".html")
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})


class LiveError(ExplainedError):
    """A site cannot be read from its server, or an engine cannot be told. The message says why, and what to do.

    If it ``is_temporary``, trying again later may help.
    """

    def __init__(self, message: str, *, is_temporary: bool = False) -> None:
        super().__init__(message)
        self.is_temporary = is_temporary


class LiveSite(msgspec.Struct, frozen=True, kw_only=True):
    """A site as its server sends it, with its files in ``folder``.

    ``base_url`` ends in a slash. ``served`` are the answers by URL in its normal form. ``sitemaps`` are those that were
    sent, by path below the base URL, and ``unread`` are the URLs of the others, each with the reason.
    """

    base_url: str
    folder: str
    sitemaps: Mapping[str, SitemapFile]
    unread: Mapping[str, Served]
    served: Mapping[str, Served]

    @property
    def entries(self) -> Iterator[Entry]:
        """The entries of all sitemaps for URLs below the base URL."""
        for sitemap in self.sitemaps.values():
            for each in sitemap.entries:
                if file_path(self.base_url, each.entry.loc) is not None:
                    yield each.entry


def parse_live_url(url: str) -> str:
    """The URL of a site on a server, in its normal form and with a slash at its end. Local ones are allowed.

    Raises `LiveError`.
    """
    try:
        parts = urlsplit(url.strip())
        has_password = parts.username is not None or parts.password is not None
        encoded = "" if has_password else encode_url(url.strip())
    except InvalidURLError as error:
        raise LiveError(f"the URL {error}") from None
    except ValueError:
        raise LiveError("it is not a URL") from None
    if has_password:
        raise LiveError("the URL has a user name or a password in it; a site that needs one cannot be checked")
    if parts.query or parts.fragment:
        raise LiveError("the URL has a query or a fragment in it")
    if parts.path.lower().endswith(_FILES):
        folder = encoded[: encoded.rindex("/") + 1]
        raise LiveError(f"{encoded} is a file: give the URL of the site, such as {folder}")
    return encoded if encoded.endswith("/") else f"{encoded}/"


def read_sitemaps(base_url: str, folder: str, crawler: Crawler) -> LiveSite:
    """Copy robots.txt and the sitemaps into an empty folder: those that robots.txt announces below the base URL.

    If it announces none there, the sitemap is looked for below the base URL. Raises `LiveError` if there is none, or if
    robots.txt has no answer that tells what crawlers may do (RFC 9309, section 2.3.1).
    """
    announced = _read_robots(base_url, folder, crawler)
    below = [url for url in announced if file_path(base_url, url)]
    queue = [(url, 0) for url in below or [f"{base_url}{SITEMAPS[0]}"]]
    tree = Tree(folder)
    sitemaps: dict[str, SitemapFile] = {}
    served: dict[str, Served] = {}
    unread: dict[str, Served] = {}
    for written, depth in queue:
        url = normalize_url(written)
        path = file_path(base_url, url)
        if not path or url in served or depth > _DEPTH:
            continue
        answer = crawler.follow(url, SITEMAP)
        served[url] = _served(answer)
        if answer.status == FOUND and _store(folder, path, answer.content):
            sitemaps[path] = read_sitemap(tree, path, ROBOTS)
            queue += [(child.loc, depth + 1) for child in sitemaps[path].children]
        else:
            unread[url] = served[url]
    if not sitemaps:
        raise LiveError(
            _no_sitemap(base_url, announced, served),
            is_temporary=any(is_temporary(each.status) for each in served.values()),
        )
    return LiveSite(base_url=base_url, folder=folder, sitemaps=sitemaps, unread=unread, served=served)


def _read_robots(base_url: str, folder: str, crawler: Crawler) -> list[str]:
    """Copy robots.txt, and return the URLs of the sitemaps that it announces. Raises `LiveError`."""
    url = f"{root_of(base_url)}{ROBOTS}"
    answer = crawler.follow(url, ROBOTS_TXT)
    if (target := target_of(answer)) and not crawler.server.has(target):
        there = root_of(target) + base_url.removeprefix(root_of(base_url))
        raise LiveError(f"{url} redirects to {target}; use the URL of the site there: {there}")
    if answer.status == FOUND:
        _store(folder, ROBOTS, answer.content)
        return [line for line, _ in read_sitemap_lines(answer.content)]
    if is_temporary(answer.status):  # RFC 9309, section 2.3.1.4
        without = "without it, crawlers do not fetch anything from this server"
        hint = without if answer.status else "open it in a browser to see whether the URL is right"
        raise LiveError(f"{url}: {answer.problem}; {hint}", is_temporary=True)
    return []


def _no_sitemap(base_url: str, announced: Iterable[str], served: Mapping[str, Served]) -> str:
    """Why no sitemap was read, and what to do."""
    tried = ", ".join(f"{url} ({each.problem or each.status})" for url, each in served.items())
    elsewhere = next(iter(announced), None)
    if elsewhere and not any(file_path(base_url, url) for url in announced):
        tried += f"; {ROBOTS} announces {elsewhere}, which is not below {base_url}: give the URL of the whole site"
    elif all(each.is_gone for each in served.values()):
        tried += f"; if it is at another URL, announce that URL in {ROBOTS}"
    return f"there is no sitemap of {base_url}: {tried}"


def fetch_pages(site: LiveSite, crawler: Crawler, *, most: int | None = None, track: Track = untracked) -> LiveSite:
    """Copy the heads of the listed pages and their translations, at most so many, if robots.txt does not block them."""
    robots = RobotsTxt(Tree(site.folder).robots or b"")
    links = (url for each in site.entries for url in (each.loc, *(link.href for link in each.alternates)))
    locs = (loc for loc in dict.fromkeys(map(normalize_url, links)) if file_path(site.base_url, loc) is not None)
    wanted = [loc for loc in locs if loc not in site.served and not robots.disallows(loc)]
    served = {loc: Served(problem="over --limit") for loc in wanted[most:]} if most is not None else {}
    answers = crawler.fetch(Wanted(url=loc, limit=SERVED_PAGE, is_beginning=True) for loc in wanted[:most])
    for answer in track(answers, "fetching pages", len(wanted[:most])):
        served[answer.url] = _served(answer)
        path = file_path(site.base_url, answer.url)
        if answer.status == FOUND and path is not None and "?" not in answer.url:
            _store(site.folder, *_file_of(path, answer))
    return msgspec.structs.replace(site, served={**site.served, **served})


def _file_of(path: str, answer: Answer) -> tuple[str, bytes]:
    """The file for an answer: its path, with the ending of a page if it is one, and the head of a page."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _HTML and not (not kind and answer.content.lstrip().startswith(b"<")):
        return path, b""
    if not path or path.endswith("/"):
        path += "index.html"
    elif page_ending(path) is None:
        path += ".html"
    return path, _head_of(answer.content)


def _head_of(page: bytes) -> bytes:
    """The page up to its body, unless it may be a redirect, whose scripts may be in the body."""
    _, end, cut = parse_head(page)
    body = b"<body>" if page[end : end + 5].lower() == b"<body" else b""
    return page if cut or b"refresh" in page[:end].lower() else page[:end] + body


def _store(folder: str, path: str, content: bytes) -> bool:
    """Write a file into the folder; False if the disk cannot have one with this name. Raises OSError if it fails."""
    if not is_inside(path):
        return False
    place = os.path.join(folder, *path.split("/"))
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "xb") as file:
            file.write(content)
    except OSError as error:
        if error.errno in _FULL:
            raise
        return False
    return True


def _served(answer: Answer) -> Served:
    robots, age = (answer.headers.get(name, "") for name in ("x-robots-tag", "age"))
    served = Served(answer.status, target_of(answer) or "", robots, age)
    tells = served.is_sent or served.is_gone or served.target
    return served if tells else msgspec.structs.replace(served, problem=answer.problem)
