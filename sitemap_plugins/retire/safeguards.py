"""Stops a run that would harm the kept version, or that search engines would never see, before a page changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.pages.crawl_rules import ignored_rules
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ROBOTS_TXT, RefusedError
from sitemap_plugins.retire.canonicals import ADVICE, Failure
from sitemap_plugins.retire.outcome import PageOutcome
from sitemap_plugins.retire.plan import Plan, PlannedFolder
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import and_more_pages, count_of
from sitemap_plugins.values.urls import path_in, root_of
from sitemap_plugins.versions.goals import Roles, is_error_page, plain_url

_SHOWN: Final = 3


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
            f"neither: {links}{and_more_pages(len(astray) - len(found))}. Build {name} {ADVICE}, or "
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
