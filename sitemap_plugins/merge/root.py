"""Builds the sitemap at the root of a versioned site: the pages of the canonical version, and of others on request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import quote

import msgspec

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.merge.reading import Published, PublishedSitemap
from sitemap_plugins.model import Alternate, Candidate, Note, Omitted, OutputFile, Page, Policy, Site
from sitemap_plugins.options import Filename, Settings
from sitemap_plugins.pages import CrawlRules, explain, select
from sitemap_plugins.sitemaps import announce, arrange, render
from sitemap_plugins.values.text import count_reasons
from sitemap_plugins.values.urls import preview_at
from sitemap_plugins.versions import Place, Version, VersionTree

FLAT: Final = Filename("sitemap.xml")
"""The file name of the root's sitemap if no build has its own sitemap there."""

BESIDE: Final = Filename("sitemap-versions.xml")
"""The file name of the root's sitemap if a build at the root itself has its own."""

_MIN_ALTERNATES: Final = 2


class RootFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The files of the root, and a summary of what they list.

    ``listed`` counts the listed pages by the folder of their version, and ``absent`` the pages that the version's own
    sitemaps list but that do not exist. ``omitted`` are the pages that are left out. ``announced`` are the URLs of the
    sitemaps for search engines, even if robots.txt cannot announce them here.
    """

    files: tuple[OutputFile, ...]
    announced: tuple[str, ...]
    listed: Mapping[str, int]
    absent: Mapping[str, int]
    omitted: tuple[Omitted, ...]
    notes: tuple[Note, ...]


def merge_root(
    root_url: str,
    places: Sequence[Place],
    published: Published,
    alternates: Mapping[str, tuple[Alternate, ...]],
    *,
    filename: Filename,
    leads_away: Callable[[Place, str], bool],
    beside: Sequence[str] = (),
    robots_txt: bytes | None = None,
    may_announce: bool = True,
    host_files: Mapping[str, bytes] | None = None,
) -> RootFiles:
    """List the pages of these versions at the root, each below the URL of its place.

    ``published`` holds the sitemaps in the folders of the places, and the pages that they list. A version at the root
    itself already has a sitemap there, so its pages are not listed again. ``alternates`` maps the URL of a page in
    ``published`` to its translations. ``leads_away`` tells whether search engines should show another page instead of
    the one at a path below a place: places with ``only_removed`` do not list it. ``beside`` are the URLs of other
    sitemaps to announce, ``robots_txt`` and ``host_files`` are files at the root, and ``may_announce`` allows writing
    robots.txt. Only pages that exist and may be indexed are listed (CAN-01, CAN-03).
    """
    site = Site(base_url=root_url, policy=Policy(preview=preview_at(root_url)))
    settings = Settings(filename=filename, gzip=True, robots=may_announce)
    settings = settings if site.policy.is_announced else settings.unannounced()
    listing = _Listing(published, leads_away)
    candidates: list[Candidate] = []
    for place in places:
        found = [*listing.candidates(place)]
        candidates += found if place.folder else []  # pages at the root itself are in the sitemap there
    robots = RobotsTxt(robots_txt) if robots_txt is not None else None
    rules = CrawlRules.at(site, robots, host_files)
    listed, omitted, notes = select(site, candidates, settings, crawl_rules=rules)
    linked = [*listing.linked(listed, omitted, alternates)]
    arrangement, about_files = arrange(site, linked, settings)
    announced = (*beside, *arrangement.announced)
    robots_files, about_robots = announce(site, announced, settings, robots) if announced else ([], [])
    return RootFiles(
        files=(*render(arrangement, settings), *robots_files),
        announced=announced,
        listed=Counter(listing.place_of[each.page.name].folder for each in listed),
        absent=listing.absent,
        omitted=tuple(omitted),
        # The home page of most roots is only a redirect.
        notes=(
            *(note for note in notes if note.kind != "home-left-out"),
            *rules.notes(),
            *about_files,
            *about_robots,
        ),
    )


class _Listing:
    """The pages of the places, under the URLs that the root's sitemap gives them."""

    def __init__(self, published: Published, leads_away: Callable[[Place, str], bool]) -> None:
        self.place_of: dict[str, Place] = {}
        """The place of each page, by the path of the page."""
        self.absent: Counter[str] = Counter()
        self._published = published
        self._leads_away = leads_away
        self._url_of: dict[str, str] = {}  # by the URL in the version's own sitemap
        self._own_url: dict[str, str] = {}

    def candidates(self, place: Place) -> Iterator[Candidate]:
        """The pages of one place, except those already listed."""
        for sitemap in self._published.sitemaps:
            if not _is_within(sitemap.folder, place.folder):
                continue
            base_url = _version_url(sitemap, place)
            for entry in sitemap.entries:
                page = self._published.pages.get(entry.loc)
                if page is None:
                    self.absent[place.folder] += 1
                    continue
                if page.path in self.place_of:
                    continue
                if place.only_removed and self._leads_away(place, place.below(page.path)):
                    continue
                self.place_of[page.path] = place
                is_below = base_url is not None and entry.loc.startswith(base_url)
                loc = place.base_url + entry.loc[len(base_url or "") :] if is_below else entry.loc
                self._url_of[entry.loc] = loc
                self._own_url[page.path] = entry.loc
                yield Candidate(
                    page=Page(loc=loc, name=page.path, output=page.path, markup=page.markup),
                    path=place.below(page.path),
                    entry=replace(entry, loc=loc, alternates=()),
                )

    def linked(
        self,
        listed: Sequence[Candidate],
        omitted: Sequence[Omitted],
        alternates: Mapping[str, tuple[Alternate, ...]],
    ) -> Iterator[Candidate]:
        """The listed pages, with links to their translations at the root. Omitted translations are not linked."""
        left_out = {each.page.loc for each in omitted}
        for candidate in listed:
            links = [
                msgspec.structs.replace(link, href=self._url_of.get(link.href, link.href))
                for link in alternates.get(self._own_url[candidate.page.name], ())
            ]
            links = [link for link in links if link.href not in left_out]
            if len({link.href for link in links}) < _MIN_ALTERNATES:
                links = []
            entry = replace(candidate.entry, alternates=tuple(links))
            yield msgspec.structs.replace(candidate, entry=entry)


def _is_within(folder: str, other: str) -> bool:
    return not other or folder == other or folder.startswith(f"{other}/")


def _version_url(sitemap: PublishedSitemap, place: Place) -> str | None:
    """The URL of the version, derived from one of its sitemaps, which may lie in a subfolder; None if unclear."""
    below = place.below(sitemap.folder)
    tail = quote(f"{below}/") if below else ""
    return sitemap.base_url.removesuffix(tail) if sitemap.base_url.endswith(tail) else None


def explain_omitted(omitted: Sequence[Omitted]) -> str:
    """The end of a sentence on pages that are left out: how many for each reason, and the first one as an example."""
    reasons = ", ".join(count_reasons(each.reason for each in omitted))
    return f" ({reasons}), such as {explain(omitted[0])}" if omitted else ""


def other_versions(tree: VersionTree, places: Collection[Place]) -> list[Version]:
    """The versions that are not announced."""
    announced = {place.version.folder for place in places if not place.only_removed}
    return [version for version in tree.versions if version.folder not in announced]
