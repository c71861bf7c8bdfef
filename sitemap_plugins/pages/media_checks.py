"""Leave out the images and videos of listed pages that search engines cannot fetch or show."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import structs

from sitemap_plugins.model import Candidate, Note, Site
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.values.dates import age_of, format_lastmod
from sitemap_plugins.values.urls import is_inside, path_below, root_of

if TYPE_CHECKING:
    from sitemap_plugins.media import Video

_NO_FILE: Final = "no such file"
# The crawler that fetches each URL of a video.
_CRAWLERS: Final[Mapping[str, str]] = {
    "thumbnail_loc": "Googlebot-Image",
    "content_loc": "Googlebot-Video",
    "player_loc": "Googlebot-Video",
}
_Fault: TypeAlias = tuple[str, str]
"""Why a URL is left out: the wording that the log counts, and a detail for the example in the log."""


def check_media(
    site: Site, listed: Iterable[Candidate], crawl_rules: CrawlRules, files: Container[str] | None = None
) -> tuple[list[Candidate], list[Note]]:
    """Return the candidates without the images and videos that search engines cannot fetch or show, and notes on those.

    Images and videos that hooks added are checked too. ``files`` are the paths of `paths_of_media` that have a file in
    the output directory; if it is None, files do not matter.
    """
    checks = _Checks(site, crawl_rules, files)
    checked = [checks.check(each) if each.entry.images or each.entry.videos else each for each in listed]
    return checked, [*checks.about_named, *checks.counted()]


def paths_of_media(site: Site, candidate: Candidate) -> Iterator[str]:
    """The paths in the output directory that may have the files of a page's images and videos."""
    if not _is_at_base(candidate):
        return
    for image in candidate.entry.images:
        yield from _paths_of(site, image.loc)
    for video in candidate.entry.videos:
        for name in _CRAWLERS:
            if url := getattr(video, name):
                yield from _paths_of(site, url, is_player=name == "player_loc")


def _paths_of(site: Site, url: str, *, is_player: bool = False) -> tuple[str, ...]:
    """The paths that may have the file of a URL; none if this build does not publish it."""
    # Languages below the site's own URL that other builds publish.
    urls = (each.base_url for each in site.languages if each.base_url.startswith(site.base_url))
    elsewhere = tuple(base for base in urls if base != site.base_url)
    path = path_below(site.base_url, url)
    if path is None or url.startswith(elsewhere):
        return ()
    path = posixpath.normpath(path.lstrip("/"))
    if not is_inside(path):
        return ()
    # Servers answer short URLs of pages.
    return (path, f"{path}.html", f"{path}/index.html") if is_player else (path,)


class _Checks:
    """The checks of one build, and what they found so far."""

    def __init__(self, site: Site, crawl_rules: CrawlRules, files: Container[str] | None) -> None:
        self._site = site
        self._root = root_of(site.base_url)
        self._crawl_rules = crawl_rules
        self._files = files
        self._left_out: dict[tuple[str, str], dict[str, str]] = {}
        self.about_named: list[Note] = []

    def check(self, candidate: Candidate) -> Candidate:
        """The candidate without the images and videos that have a fault."""
        entry = candidate.entry
        images = tuple(each for each in entry.images if not self._is_faulty(candidate, each.loc))
        videos = tuple(filter(None, (self._checked(candidate, each) for each in entry.videos)))
        if images == entry.images and videos == entry.videos:
            return candidate
        return structs.replace(candidate, entry=replace(entry, images=images, videos=videos))

    def counted(self) -> Iterator[Note]:
        """One note for the images, and one for the videos, that share a reason to be left out."""
        for (kind, wording), examples in self._left_out.items():
            first = next(iter(examples.values()))
            message = f"1 {kind} is left out ({wording}): {first}"
            if len(examples) > 1:
                message = f"{len(examples):,} {kind}s are left out ({wording}), for example {first}"
            yield Note(kind="image", message=message) if kind == "image" else Note(kind="video", message=message)

    def _is_faulty(self, candidate: Candidate, url: str) -> bool:
        markup = candidate.page.markup
        is_forbidden = markup is not None and "noimageindex" in markup.robots
        fault = ("noimageindex", "robots meta tag") if is_forbidden else self._fault(candidate, url, "Googlebot-Image")
        if fault:
            self._leave_out("image", candidate, url, fault)
        return fault is not None

    def _checked(self, candidate: Candidate, video: Video) -> Video | None:
        """The video without the URLs that have a fault, or None if the others are not enough to list it."""
        expires, as_of = video.expiration_date, self._site.as_of
        if expires is not None and as_of is not None and age_of(expires, as_of) > timedelta():
            expired = ("expired", format_lastmod(expires, "date"))
            self._leave_out("video", candidate, video.content_loc or video.player_loc or "", expired)
            return None
        faults = {
            name: fault
            for name, crawler in _CRAWLERS.items()
            if (url := getattr(video, name))
            and (fault := self._fault(candidate, url, crawler, is_player=name == "player_loc"))
        }
        content = None if "content_loc" in faults else video.content_loc
        player = None if "player_loc" in faults else video.player_loc
        if "thumbnail_loc" not in faults and (content or player):
            return replace(video, content_loc=content, player_loc=player)
        name, fault = next(iter(faults.items()))
        self._leave_out("video", candidate, getattr(video, name), fault)
        return None

    def _fault(self, candidate: Candidate, url: str, crawler: str, *, is_player: bool = False) -> _Fault | None:
        """What is wrong with a URL on this site's host; URLs on other hosts are not checked."""
        if root_of(url) != self._root:
            return None
        if _is_at_base(candidate) and self._is_missing(url, is_player=is_player):
            return _NO_FILE, ""
        if (line := self._crawl_rules.disallow_line(url, crawler)) is not None:
            return "disallowed by robots.txt", line
        # A player is a page, and Google shows videos even if their player page is not indexed.
        rule = None if is_player else self._crawl_rules.noindex(url)
        return None if rule is None else ("noindex", rule)

    def _is_missing(self, url: str, *, is_player: bool) -> bool:
        if self._files is None:
            return False
        paths = _paths_of(self._site, url, is_player=is_player)
        return bool(paths) and not any(path in self._files for path in paths)

    def _leave_out(self, kind: str, candidate: Candidate, url: str, fault: _Fault) -> None:
        page = candidate.page.name
        wording, detail = fault
        if wording == _NO_FILE and url in candidate.named_media:
            message = f"{kind}s: {url} is left out, because the build wrote no such file"
            self.about_named.append(Note(kind="front-matter", page=page, message=message))
        else:
            example = f"{url} on {page}" + (f" ({detail})" if detail else "")
            self._left_out.setdefault((kind, wording), {}).setdefault(url, example)


def _is_at_base(candidate: Candidate) -> bool:
    """Whether the output is published at the base URL: the page's file must be at the path of its URL.

    If URLs have a language or version before the path, the files are not at the paths of their URLs.
    """
    path, output = candidate.path, candidate.page.output
    return output is None or output in {path, f"{path}.html", f"{path}index.html", f"{path}/index.html"}
