"""Copies what a server sends of a site into a folder: robots.txt, the sitemaps, and the heads of the listed pages.

The folder is a published tree like any other, except that it has only the files that were asked for.
"""

from __future__ import annotations

import errno
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from sitemap_plugins.formats.paths import ROBOTS, page_ending
from sitemap_plugins.formats.robots import RobotsTxt, read_sitemap_lines
from sitemap_plugins.html.head import head_of, read_markup, write_canonicals
from sitemap_plugins.live.fetching import TEMPORARY, Answer, Server
from sitemap_plugins.model import Entry
from sitemap_plugins.pages.crawl_rules import Served
from sitemap_plugins.published.addresses import base_of_sitemap
from sitemap_plugins.published.sitemaps import SITEMAPS, SitemapFile, read_sitemap_file
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ROBOTS_TXT, SERVED_PAGE, SITEMAP
from sitemap_plugins.values.tasks import ExplainedError, Track, untracked
from sitemap_plugins.values.urls import InvalidURLError, file_path, is_inside, normalize_url, parse_base_url, root_of

_DEPTH: Final = 2  # of indexes in indexes, which are a mistake; a program could make them without end
_TOO_DEEP: Final = "was not read: three indexes lead to it, each in the one before; announce it in robots.txt"


class LiveError(ExplainedError):
    """A site cannot be read from its server, or an engine cannot be told. The message says why, and what to do."""


class LaterError(LiveError):
    """The same, but it may work later."""

    is_temporary = True


class LiveSite(msgspec.Struct, frozen=True, kw_only=True):
    """A site as its server sends it, with its files in ``folder``.

    ``base_url`` ends in a slash. ``served`` are the answers by URL in its normal form: of sitemaps, then of pages.
    ``sitemaps`` are those that were sent, by path below the base URL; those in too many indexes are unusable.
    ``not_asked`` are URLs of pages over the limit.
    """

    base_url: str
    folder: str
    sitemaps: Mapping[str, SitemapFile]
    served: Mapping[str, Served]
    asked: int = 0
    not_asked: frozenset[str] = frozenset()

    @property
    def has_feed(self) -> bool:
        """Whether robots.txt announces a feed."""
        return any(sitemap.kind == "feed" for sitemap in self.sitemaps.values())

    @property
    def entries(self) -> Iterator[Entry]:
        """The entries of all sitemaps, and the links of feeds, for URLs below the base URL."""
        listed = (each.entry for sitemap in self.sitemaps.values() for each in (*sitemap.entries, *sitemap.links))
        return (each for each in listed if file_path(self.base_url, each.loc) is not None)


def parse_site_url(url: str) -> str:
    """The URL of a site in its normal form and with a slash at its end. Local ones are allowed. Raises `LiveError`."""
    try:
        return parse_base_url(url, is_written=False, is_live=True)
    except InvalidURLError as error:
        raise LiveError(f"the address {error}") from None


def read_sitemaps(base_url: str, folder: str, server: Server) -> LiveSite:
    """Copy robots.txt and the sitemaps into an empty folder: those that robots.txt announces below the base URL.

    If it announces none there, the sitemap is looked for below the base URL. Raises `LiveError` if there is none, or if
    robots.txt has no answer that tells what crawlers may do (RFC 9309, section 2.3.1).
    """
    announced = _read_robots(base_url, folder, server)
    below = [url for url in announced if file_path(base_url, url)]
    queue = [(url, 0) for url in below or [f"{base_url}{SITEMAPS[0]}"]]
    sitemaps: dict[str, SitemapFile] = {}
    served: dict[str, Served] = {}
    for written, depth in queue:
        url = normalize_url(written)
        path = file_path(base_url, url)
        if not path or url in served:
            continue
        if depth > _DEPTH:
            sitemaps[path] = SitemapFile(path=path, kind="unusable", error=_TOO_DEEP)
            continue
        answer = server.follow(url, SITEMAP)
        served[url] = _served(answer)
        if served[url].is_sent and not _store(folder, path, answer.content):
            served[url] = Served(answer.status, problem="another sitemap has its path, or no file can have it")
        elif served[url].is_sent:
            sitemaps[path] = read_sitemap_file(Tree(folder), path, ROBOTS)
            queue += [(child.loc, depth + 1) for child in sitemaps[path].children]
        elif answer.target:
            served[url] = Served(answer.status, problem=f"it redirects to {answer.target}")
    if not sitemaps:
        raise _no_sitemap(base_url, [] if below else announced, served)
    return LiveSite(base_url=base_url, folder=folder, sitemaps=sitemaps, served=served)


def _read_robots(base_url: str, folder: str, server: Server) -> list[str]:
    """Copy robots.txt, and return the URLs of the sitemaps that it announces. Raises `LiveError`."""
    url = f"{server.root}{ROBOTS}"
    answer = server.follow(url, ROBOTS_TXT)
    if answer.target and not answer.target.startswith(server.root):
        there = root_of(answer.target) + base_url.removeprefix(server.root)
        raise LiveError(f"{url} redirects to {answer.target}; use the URL of the site there: {there}")
    if answer.status in TEMPORARY:  # RFC 9309, section 2.3.1.4
        without = "without it, crawlers do not fetch anything from this server"
        hint = without if answer.status else "open it in a browser to see whether the URL is right"
        raise LaterError(f"{url}: {answer.problem}; {hint}")
    if not _served(answer).is_sent:
        return []
    _store(folder, ROBOTS, answer.content)
    return [line for line, _ in read_sitemap_lines(answer.content)]


def _no_sitemap(base_url: str, elsewhere: Sequence[str], served: Mapping[str, Served]) -> LiveError:
    """The error that says why no sitemap was read, and what to do. ``elsewhere`` are URLs, if all are elsewhere."""
    tried = ", ".join(f"{url} ({each.problem or each.status})" for url, each in served.items())
    if elsewhere:
        tried += f"; {ROBOTS} announces {elsewhere[0]}, which is not below {base_url}: give the URL of the whole site"
    elif all(each.is_gone for each in served.values()):
        tried += f"; if it is at another URL, announce that URL in {ROBOTS}"
    kind = LaterError if any(each.status in TEMPORARY for each in served.values()) else LiveError
    return kind(f"there is no sitemap for {base_url}: {tried}")


def _refuse_elsewhere(site: LiveSite) -> None:
    """Raise `LiveError` with the address of the site whose pages or sitemaps are listed, or if all are empty feeds."""
    sitemaps = site.sitemaps.values()
    locs = {each.loc for sitemap in sitemaps for each in (*sitemap.entries, *sitemap.links, *sitemap.children)}
    elsewhere = [loc for loc in locs if file_path(site.base_url, loc) is None]
    nothing = f"the sitemaps list no URL below {site.base_url}"
    if there := base_of_sitemap(elsewhere):
        number = sum(loc.startswith(there) for loc in elsewhere)
        found = f"{number:,} {'are' if number > 1 else 'is'} below {there}"
        cure = f"to check this copy, build it with its own URL, or check its folder with --base-url {there}"
        raise LiveError(f"{nothing}; {found}: check that address; {cure}")
    if all(sitemap.kind == "feed" and not sitemap.problems for sitemap in sitemaps):
        raise LiveError(nothing)


def fetch_pages(site: LiveSite, server: Server, *, most: int | None = None, track: Track = untracked) -> LiveSite:
    """Copy the heads of the listed pages and their translations, at most so many, if robots.txt does not block them.

    Raises `LiveError` if pages are wanted, and all that are listed are elsewhere, or only empty feeds are there.
    """
    if most != 0 and not any(site.entries):
        _refuse_elsewhere(site)
    robots = RobotsTxt(Tree(site.folder).robots or b"")
    links = (url for each in site.entries for url in (each.loc, *(link.href for link in each.alternates)))
    locs = (loc for loc in dict.fromkeys(map(normalize_url, links)) if file_path(site.base_url, loc) is not None)
    wanted = [loc for loc in locs if loc not in site.served and not robots.disallows(loc)]
    asked, served = wanted[:most], {**site.served}
    for answer in track(server.fetch(asked, SERVED_PAGE), "fetching pages", len(asked)):
        served[answer.url] = kept = _served(answer)
        if kept.is_sent:
            path, content = _file_of(file_path(site.base_url, answer.url) or "", answer)
            is_kept = "?" not in answer.url and _store(site.folder, path, content)
            if not (is_kept and page_ending(path)):
                served[answer.url] = msgspec.structs.replace(kept, markup=read_markup(content))
    return msgspec.structs.replace(site, served=served, asked=len(asked), not_asked=frozenset(wanted[len(asked) :]))


def _file_of(path: str, answer: Answer) -> tuple[str, bytes]:
    """The file for an answer. A page has the ending of one, and its head as content, after the links in its headers."""
    links = write_canonicals(answer.headers.get("link", ""), answer.url)
    kind = answer.headers.get("content-type") or ("text/html" if answer.content.lstrip()[:1] == b"<" else "")
    if kind.partition(";")[0].strip().lower() not in {"text/html", "application/xhtml+xml"}:
        return path, links
    if not path or path.endswith("/"):
        path += "index.html"
    return path if page_ending(path) else f"{path}.html", links + head_of(answer.content.removeprefix(BOM_UTF8))


def _store(folder: str, path: str, content: bytes) -> bool:
    """Write a file into the folder; False if the disk cannot have one with this name. Raises OSError if it fails."""
    if not is_inside(path):
        return False
    place = Path(folder, path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            file.write(content)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EIO}:
            raise
        return False
    return True


def _served(answer: Answer) -> Served:
    robots, age = (answer.headers.get(name, "") for name in ("x-robots-tag", "age"))
    target = answer.target or (answer.problem and answer.headers.get("location", ""))
    return Served(answer.status, target, robots, age, answer.problem)
