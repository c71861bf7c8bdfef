"""Builds the sitemap at the root of a versioned site: the pages of the canonical version, and of others on request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import msgspec

from sitemap_plugins.formats.paths import companions
from sitemap_plugins.formats.robots import RobotsTxt, read_announced
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.merge.reading import MergeError, Published, PublishedSitemap
from sitemap_plugins.model import Alternate, Candidate, Omitted, OutputFile, Page, Policy, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Filename
from sitemap_plugins.output.ownership import ForeignFiles, is_ours
from sitemap_plugins.output.pages import read_host_files, read_robots
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.omit import count_omitted, explain
from sitemap_plugins.pages.selection import select
from sitemap_plugins.published.samples import lists_versions
from sitemap_plugins.published.sitemaps import read_listed, read_parts
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.sitemaps.announcing import announce
from sitemap_plugins.sitemaps.arranging import arrange, render
from sitemap_plugins.values.text import count_of, one_line
from sitemap_plugins.values.urls import file_path, normalize_url, page_key, path_in, preview_at, quote_path
from sitemap_plugins.versions.goals import Goals
from sitemap_plugins.versions.kept import Choice, VersionPlace
from sitemap_plugins.versions.version import Version, Versions

FLAT: Final = Filename("sitemap.xml")
"""The file name of the root's sitemap if no build has its own sitemap there."""

_BESIDE: Final = Filename("sitemap-versions.xml")  # if a build at the root itself has its own
_MIN_ALTERNATES: Final = 2
_SHOWN: Final = 200  # characters of a URL in a message


class MergedVersions(msgspec.Struct, frozen=True, kw_only=True):
    """What the sitemap at the root of versions lists, and what it does not list.

    ``files`` are to be written at the root. ``listed`` counts the listed pages by the folder of their version, and
    ``absent`` those that a version's own sitemap lists but that do not exist. ``omitted`` are the pages that are left
    out. ``others`` maps each version that is not announced to the number of pages in its own sitemap, and how many of
    these do not exist. ``notes`` and ``problems`` are sentences for the user.
    """

    choice: Choice
    places: tuple[VersionPlace, ...]
    files: tuple[OutputFile, ...]
    listed: Mapping[str, int]
    absent: int
    omitted: tuple[Omitted, ...]
    notes: tuple[str, ...]
    problems: tuple[str, ...]
    others: Mapping[Version, tuple[int, int]] = {}


def list_at_root(
    tree: Tree,
    choice: Choice,
    root_url: str,
    places: Sequence[VersionPlace],
    published: Published,
    alternates: Mapping[str, tuple[Alternate, ...]],
    goals_of: Callable[[VersionPlace], Goals],
    building: str,
) -> MergedVersions:
    """List the pages of these versions at the root, each below the URL of its place.

    ``published`` holds the sitemaps in the folders of the places, and the pages that they list. Pages that the site's
    own sitemap at the root lists are not listed again; ``building`` is the command that writes that one anew.
    ``alternates`` maps the URL of a page in ``published`` to its translations. ``goals_of`` returns where the pages of
    a place lead: places with ``only_removed`` list only those that lead to no other page. Only pages that exist and may
    be indexed are listed (CAN-01, CAN-03). Raises `MergeError`.
    """
    filename, beside = _root_sitemap(tree, choice.versions)
    own = [*_listed_by(tree, beside)]
    choice = _with_danger(choice, own, root_url, places, building)
    at_root = {page_key(loc) for loc in own}
    robots_txt, unusable_robots = read_robots(tree.root)
    host_files, unusable_files = read_host_files(tree.root)
    site = Site(base_url=root_url, policy=Policy(preview=preview_at(root_url)))
    settings = Settings(filename=filename, gzip=True, robots=not unusable_robots)
    settings = settings if site.policy.is_announced else settings.unannounced()
    listing = _ListedPages(published, alternates, goals_of)
    # Pages at the root itself are in the sitemap there.
    found = [each for place in places for each in listing.candidates(place) if place.folder]
    candidates = [each for each in found if page_key(each.page.loc) not in at_root]
    robots = RobotsTxt(robots_txt) if robots_txt is not None else None
    rules = CrawlRules.at(site, robots, host_files)
    listed, omitted, notes = select(site, candidates, settings, crawl_rules=rules)
    linked = [*listing.linked(listed, omitted)]
    arrangement, about_files = arrange(site, linked, settings)
    announced = (*(root_url + name for name in beside), *arrangement.announced)
    robots_files, about_robots = announce(site, announced, settings, robots) if announced else ([], [])
    # The home page of most roots is only a redirect.
    notes = [note for note in notes if note.kind != "home-left-out"]
    problems = [note.message for note in (*unusable_robots, *unusable_files)]
    if not listed and not beside:
        problems.append(f"every page is left out of the sitemap at the root{explain_omitted(omitted)}")
    files = (*render(arrangement, settings), *robots_files)
    return MergedVersions(
        choice=choice,
        places=tuple(places),
        files=(*_removals(tree, filename, files, is_needed=not beside), *files),
        listed=Counter(
            listing.place_of[each.page.name].folder
            for each in (*listed, *(each for each in found if page_key(each.page.loc) in at_root))
        ),
        absent=listing.absent,
        omitted=tuple(omitted),
        notes=(
            *(note.message for note in (*notes, *rules.notes(), *about_files, *about_robots)),
            *_announced_elsewhere(robots_txt or b"", choice.versions, root_url, announced),
        ),
        problems=tuple(problems),
    )


class _ListedPages(msgspec.Struct):
    """The pages of the places, under the URLs that the root's sitemap gives them.

    ``place_of`` are the places by the paths of their pages, ``url_of`` the URLs by those in the versions' own sitemaps.
    ``absent`` is the number of listed pages that do not exist.
    """

    published: Published
    alternates: Mapping[str, tuple[Alternate, ...]]
    goals_of: Callable[[VersionPlace], Goals]
    place_of: dict[str, VersionPlace] = {}
    url_of: dict[str, str] = {}
    absent: int = 0

    def candidates(self, place: VersionPlace) -> Iterator[Candidate]:
        """The pages of one place, except those already listed, with links to the URLs of their own sitemaps."""
        for sitemap in self.published.sitemaps:
            if not place.holds(sitemap.folder):
                continue
            base_url = _version_url(sitemap, place)
            for entry in sitemap.entries:
                page = self.published.pages.get(entry.loc)
                if page is None:
                    self.absent += 1
                    continue
                if page.path in self.place_of:
                    continue
                if place.only_removed and self.goals_of(place).leads_away(place, place.below(page.path)):
                    continue
                self.place_of[page.path] = place
                url = normalize_url(entry.loc)
                is_below = base_url is not None and url.startswith(base_url)
                loc = place.base_url + url[len(base_url or "") :] if is_below else entry.loc
                self.url_of[entry.loc] = loc
                yield Candidate(
                    page=Page(loc=loc, name=page.path, output=page.path, markup=page.markup),
                    path=place.below(page.path),
                    entry=replace(entry, loc=loc, alternates=self.alternates.get(entry.loc, ())),
                )

    def linked(self, listed: Sequence[Candidate], omitted: Sequence[Omitted]) -> Iterator[Candidate]:
        """The listed pages, with links to their translations at the root. Omitted translations are not linked."""
        left_out = {each.page.loc for each in omitted}
        for candidate in listed:
            links = [
                msgspec.structs.replace(link, href=self.url_of.get(link.href, link.href))
                for link in candidate.entry.alternates
            ]
            links = [link for link in links if link.href not in left_out]
            if len({link.href for link in links}) < _MIN_ALTERNATES:
                links = []
            entry = replace(candidate.entry, alternates=tuple(links))
            yield msgspec.structs.replace(candidate, entry=entry)


def _version_url(sitemap: PublishedSitemap, place: VersionPlace) -> str | None:
    """The URL of the version, derived from one of its sitemaps, which may lie in a subfolder; None if unclear."""
    tail = quote_path(path_in(place.below(sitemap.folder), ""))
    return sitemap.base_url.removesuffix(tail) if sitemap.base_url.endswith(tail) else None


def _root_sitemap(tree: Tree, versions: Versions) -> tuple[Filename, list[Filename]]:
    """The name of the sitemap at the root, and the names of other sitemaps there to announce with it."""
    flat, beside = (Path(tree.root, name) for name in (FLAT, _BESIDE))
    is_material = versions.root_site is not None and versions.root_site.is_material
    names = {name for folder in versions.folders.difference(versions.previews) for name in folder.split("/") if name}
    if not is_material and (not flat.exists() or lists_versions(tree, names)):
        return FLAT, []
    if beside.exists() and not is_ours(beside):
        raise MergeError(f"{flat} and {beside} already exist and were not written by this command: rename one")
    return _BESIDE, [FLAT] if flat.exists() else []


def _listed_by(tree: Tree, names: Iterable[str]) -> Iterator[str]:
    """The URLs in sitemaps at the root; none if they cannot be read."""
    for name in names:
        with suppress(SitemapError, OSError):
            yield from (entry.loc for entry in read_listed(tree, name))


def _with_danger(
    choice: Choice, listed: Iterable[str], root_url: str, places: Iterable[VersionPlace], building: str
) -> Choice:
    """The choice, with a warning if the site's own sitemap at the root lists pages of versions that are not kept."""
    kept = {place.version for place in places}
    by_folder = choice.versions.by_folder
    others = tuple(f"{folder}/" for folder, (version, _) in by_folder.items() if folder and version not in kept)
    found = [loc for loc in listed if (file_path(root_url, loc) or "").startswith(others)]
    if not found:
        return choice
    warning = (
        f"{FLAT} lists {count_of(len(found), 'page')} of versions that are not kept, such as "
        f"{one_line(found[0], _SHOWN)}: run {building}"
    )
    return msgspec.structs.replace(choice, warnings=(*choice.warnings, warning))


def _removals(tree: Tree, sitemap: str, files: Sequence[OutputFile], *, is_needed: bool) -> list[OutputFile]:
    """Removals of the parts of a sitemap that an earlier run wrote and this run does not, and of one not needed."""
    is_written = any(file.path == sitemap for file in files)
    if is_needed and not is_written:
        return []  # the existing index stays and refers to them
    parts = [part for part in read_parts(tree, sitemap) if "/" not in part] + [sitemap] * (not is_written)
    earlier = [each for part in parts for each in (part, *companions(part))]
    return ForeignFiles(tree.root).removals(earlier, files)


def _announced_elsewhere(
    robots_txt: bytes, versions: Versions, root_url: str, announced: Sequence[str]
) -> Iterator[str]:
    """A note on each sitemap of one version that the author announces in robots.txt."""
    for url in read_announced(robots_txt):
        path = unquote(url.removeprefix(root_url))
        is_of_version = any(path.startswith(f"{folder}/") for folder in versions.folders if folder)
        if is_of_version and url.startswith(root_url) and url not in announced:
            yield f"robots.txt announces {url}, the sitemap of one version: remove that line"


def explain_omitted(omitted: Sequence[Omitted]) -> str:
    """The end of a sentence on pages that are left out: how many for each reason, and the first one as an example."""
    return f" ({count_omitted(omitted)}), such as {explain(omitted[0])}" if omitted else ""
