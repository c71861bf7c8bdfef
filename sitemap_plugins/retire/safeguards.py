"""Follows the canonical links of pages to files, and stops a run that would do harm before a page changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.html.head import FORBIDDING, read_markup
from sitemap_plugins.model import Markup
from sitemap_plugins.pages.crawl_rules import ignored_rules
from sitemap_plugins.published.addresses import served
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ROBOTS_TXT, RefusedError
from sitemap_plugins.retire.plan import Counts, PageEdit, PageOutcome, Plan, PlannedFolder
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import and_more_pages, count_of
from sitemap_plugins.values.urls import file_path, path_in, root_of
from sitemap_plugins.versions.goals import Roles, is_error_page, join_url, plain_url
from sitemap_plugins.versions.kept import VersionPlace

_ADVICE: Final = (
    "with canonical links to itself (in Sphinx, set html_baseurl to its URL; with mike, set canonical_version to its "
    "name or one of its aliases)"
)
"""How to build a version that is kept; follows "build 1.0"."""

_SHOWN: Final = 3


class Failure(NamedTuple):
    """A canonical link that must not be written, as the end of the sentence "the link … "."""

    outcome: PageOutcome
    why: str


class Canonicals:
    """Follows the canonical links of pages below a root to files; URLs of other sites are not followed."""

    def __init__(self, tree: Tree, root_url: str | None, places: Iterable[VersionPlace]) -> None:
        self._tree = tree
        # Versions may have hosts of their own.
        self._bases = {root_url: ""} if root_url else {}
        for each in places:
            if each.base_url and not self._base(each.base_url):
                self._bases[each.base_url] = each.folder
        self._before = self._after = 0
        self._misled: defaultdict[str, list[str]] = defaultdict(list)

    @property
    def counts(self) -> Counts:
        """The pages counted so far."""
        return Counts(self._before, self._after)

    @property
    def dangers(self) -> Iterator[str]:
        """Sentences on the kept versions counted so far with links to pages that do not exist or redirect."""
        for name, found in self._misled.items():
            yield (
                f"{found[0]}, which does not exist or redirects{and_more_pages(len(found) - 1)}, so search engines may "
                f"show neither: build {name} {_ADVICE}"
            )

    def count(self, edit: PageEdit, place: VersionPlace, below: str, *, is_kept: bool) -> None:
        """Count a page whose path below ``place`` is given. What the run itself writes is not counted, but checked."""
        outcome = edit.outcome
        if outcome.url and not outcome.is_changed:
            return
        markup = read_markup(edit.before)
        links = self._links(markup, place, below)
        self._before += None in links.values()
        if outcome.url:
            return
        if outcome.is_changed:
            markup = read_markup(edit.after)
            links = self._links(markup, place, below)
        self._after += None in links.values()
        if is_kept and FORBIDDING.isdisjoint(markup.robots):
            misled = (url for url, path in links.items() if path is None or self._redirects(path, outcome.path))
            if url := next(misled, None):
                self._misled[place.version.label].append(f"{outcome.path} has a canonical link to {url:.200}")

    def failures(self, outcomes: Collection[PageOutcome]) -> Iterator[Failure]:
        """The links that would lead to no file, to a redirect, or to a page that names another URL as its own."""
        written = {each.path: each.url for each in outcomes if each.url}
        why_not: dict[str, str] = {}
        for each in outcomes:
            if not each.url:
                continue
            why = why_not.get(each.url)
            if why is None:
                why = self._why_not(each, written)
                if each.goal != each.path:  # most pages share their target with pages of other versions
                    why_not[each.url] = why
            if why:
                yield Failure(each, why)

    def _why_not(self, outcome: PageOutcome, written: Mapping[str, str]) -> str:
        if (path := self._path_at(outcome.url)) is None or not self._is_same(path, outcome.goal):
            return "does not exist"
        if outcome.path == outcome.goal:
            return ""
        if own := written.get(outcome.goal):
            return "" if own == outcome.url else f"would get a canonical link to {own}"
        markup = self._tree.built_markup(outcome.goal)
        if markup is None or markup.refresh:
            return "cannot be read" if markup is None else "redirects"
        others = (join_url(outcome.url, href) for href in markup.canonicals)
        other = next((each for each in others if each and each != outcome.url and not self._leads_to(each, path)), None)
        return f"has a canonical link to {other}" if other else ""

    def _redirects(self, path: str, but: str) -> bool:
        markup = self._tree.built_markup(path) if path != but else None
        return markup is not None and markup.refresh is not None

    def _links(self, markup: Markup, place: VersionPlace, below: str) -> Mapping[str, str | None]:
        """The canonical links of a page that lead below the root, each with the path of the file behind it, if any."""
        own = plain_url(place, below, markup.canonicals)
        urls = (join_url(own, href) for href in markup.canonicals if not markup.refresh)
        return {url: self._path_at(url) for url in urls if url and self._base(url)}

    def _base(self, url: str) -> str | None:
        return next((base for base in self._bases if url.startswith(base)), None)

    def _path_at(self, url: str) -> str | None:
        """The path of the file that is `served` for a URL; None if there is none."""
        if (base := self._base(url)) is None:
            return None
        folder, below = self._bases[base], file_path(base, url)
        return None if below is None else served(path_in(folder, below), self._tree.is_file)

    def _leads_to(self, url: str, path: str) -> bool:
        there = self._path_at(url)
        return there is not None and self._is_same(there, path)

    def _is_same(self, path: str, other: str) -> bool:
        return path == other or self._tree.real_path(path) == self._tree.real_path(other)


class RetireError(ExplainedError):
    """Versions cannot be retired; the message says why and what to do. Nothing was changed."""


def refuse_circles(roles: Roles) -> None:
    """Raise `RetireError` if a kept version has canonical links to an old one, whose pages would then lead back."""
    old = {place.base_url: place for place in roles.old if place.base_url}
    for place in roles.kept:
        url = place.version.declared_url
        if other := old.get(url or ""):
            name = other.version.name
            raise RetireError(
                f"the pages of {place.version.label} have canonical links to {url}, which is {name}: if those led "
                f"back, search engines could show either. Keep {name} (--keep), or build {place.version.name} with "
                "canonical links to itself (site_url, html_baseurl, canonical_version)"
            )


def refuse_few_pages(plan: Plan) -> None:
    """Raise `RetireError` if the kept version has so few pages that it is probably incomplete, or the wrong one."""
    kept, newest = plan.roles.kept[0], plan.roles.newest_old
    if newest is None:
        return
    number, number_there = len(plan.pages[kept.folder]), len(plan.pages[newest.folder])
    if number * 2 < number_there:
        name = newest.version.name
        raise RetireError(
            f"{kept.version.label} is kept and has {count_of(number, 'page')}, but {name} has "
            f"{number_there:,}: is it complete? Use --keep {name}, or --force to continue anyway"
        )


def refuse_astray_pages(plan: Plan, tree: Tree) -> None:
    """Raise `RetireError` if most pages of the kept version name URLs elsewhere, so that no page could lead there."""
    place = plan.roles.kept[0]
    pages = plan.pages[place.folder]
    astray = [path for path in pages if not is_error_page(path) and plan.goals.is_astray(place, path)]
    if len(astray) * 2 > len(pages):
        name = place.version.label
        paths = [path_in(place.folder, path) for path in astray[:_SHOWN]]
        found = [(path, tree.built_markup(path)) for path in paths]
        links = "; ".join(f"{path} to {', '.join(markup.canonicals)}" for path, markup in found if markup)
        raise RetireError(
            f"most pages of {name} have canonical links that lead to no page of it, so search engines may show "
            f"neither: {links}{and_more_pages(len(astray) - len(found))}. Build {name} {_ADVICE}, or "
            "correct --base-url"
        )


def refuse_failures(failures: Sequence[Failure]) -> None:
    """Raise `RetireError` if the run would write canonical links that search engines cannot follow to a page."""
    if failures:
        shown = "; ".join(f"{page.path} to {page.url}, which {why}" for page, why in failures[:_SHOWN])
        raise RetireError(
            f"nothing was written, because canonical links would lead to missing pages or on to others: {shown}"
            f"{and_more_pages(len(failures) - len(failures[:_SHOWN]))}"
        )


def refuse_many_changes(outcomes: Iterable[PageOutcome], most: int) -> None:
    """Raise `RetireError` if more pages would change than the author allows."""
    number = sum(page.is_changed for page in outcomes)
    if number > most:
        raise RetireError(f"{count_of(number, 'page')} would change, which is more than --max-changes {most}")


def refuse_shared_files(tree: Tree, versions: Container[str], folders: Sequence[PlannedFolder]) -> None:
    """Raise `RetireError` if a page that would change is, through a link, also a page of a kept version."""
    reached = _reached(tree, versions, [each.folder for each in folders if each.is_kept])
    changing = (path for each in folders if not each.is_kept for _, path in each.editable())
    shared = [(path, reached[real]) for path in changing if (real := tree.real_path(path)) in reached]
    if shared:
        path, other = shared[0]
        raise RetireError(
            f"{path} is the same file as {other}, by a link, so the kept version would change as well"
            f"{and_more_pages(len(shared) - 1)}: keep both versions (--keep), or replace the link with a copy"
        )


def _reached(tree: Tree, versions: Container[str], folders: Iterable[str]) -> Mapping[str, str]:
    """The pages that a server finds below these folders, through any links: one path of each, by its real path."""
    reached: dict[str, str] = {}
    waiting = [*folders]
    seen: set[str] = set()
    for folder in waiting:
        real = tree.real_folder(folder)
        if real is None or real in seen:
            continue
        seen.add(real)
        listing = tree.listing(real)
        inside = (path_in(folder, name) for name in {*listing.folders, *listing.links} if not name.startswith("."))
        waiting += sorted(path for path in inside if path not in versions)
        pages = (path_in(folder, name) for name, is_there in listing.files.items() if is_there)
        reached |= {tree.real_path(path): path for path in pages if tree.is_page(path)} | reached
    return reached


def refuse_blocked_pages(tree: Tree, root_url: str | None, folders: Iterable[PlannedFolder]) -> list[str]:
    """Raise `RetireError` if robots.txt keeps search engines from old pages only: they would not see the change.

    Returns sentences on rules of robots.txt that were not read.
    """
    if root_url is None or root_url != root_of(root_url):
        return []  # crawlers read only the robots.txt at the root of a host
    try:
        content = tree.read(ROBOTS, ROBOTS_TXT)
    except (PermissionError, RefusedError) as error:
        raise RetireError(f"{ROBOTS} cannot be read: {error.strerror or error}") from None
    if content is None:
        return []
    robots = RobotsTxt(content)
    blocked: defaultdict[str, list[str]] = defaultdict(list)
    for folder in folders:
        for below, _ in () if folder.is_kept else folder.editable():
            url = plain_url(folder.place, below)
            if not robots.disallows(url):
                continue
            goal = folder.goals.find(folder.place, below)
            is_goal_open = goal is None or not robots.disallows(goal.url)
            if is_goal_open and (line := robots.disallow_line(url, "Googlebot")):
                blocked[line].append(url)
    if blocked:
        urls = [*chain.from_iterable(blocked.values())]
        lines = "; ".join(f'"{line}"' for line in blocked)
        raise RetireError(
            f"{ROBOTS} keeps search engines from {urls[0]}{and_more_pages(len(urls) - 1)}, so they would never see the "
            f"change: remove {lines}"
        )
    unread = ignored_rules(ROBOTS, robots.ignored)
    return [f"{unread}, so search engines may never see the change of pages that they block"] if unread else []
