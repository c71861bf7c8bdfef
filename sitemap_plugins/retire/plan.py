"""Which pages are restored and which are retired, and where those lead."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

import msgspec

from sitemap_plugins.published.tree import Tree
from sitemap_plugins.versions.goals import Goals, Roles, is_error_page, pages_in
from sitemap_plugins.versions.kept import VersionPlace


class PlannedFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder with ``pages`` of the version at ``place``, as by `pages_in`, and why some are left alone, by path.

    If the version is kept, its pages are restored; otherwise they lead where the ``goals`` say.
    """

    place: VersionPlace
    folder: str
    is_kept: bool
    goals: Goals
    pages: Mapping[str, str]
    left: Mapping[str, str]

    def editable(self) -> Iterator[tuple[str, str]]:
        """The path, below the folder and below the root, of each page that may change."""
        return ((below, path) for below, path in self.pages.items() if path not in self.left)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The folders of one language, those of kept versions first, and where the pages of old ones lead.

    ``pages`` maps each folder to the pages below it, as by `pages_in`.
    """

    roles: Roles
    pages: Mapping[str, Mapping[str, str]]
    goals: Goals
    folders: Sequence[PlannedFolder]


def make_plan(roles: Roles, tree: Tree, versions: Container[str], *, only_kept: bool) -> Plan:
    """The plan for one language, without pages in the folders of other ``versions``. Raises OSError if one cannot be
    listed.
    """
    places = (*roles.kept, *roles.old)
    folders = dict.fromkeys(folder for place in places for folder in (place.folder, *place.version.folders))
    pages = {folder: pages_in(folder, tree.pages(folder, versions)) for folder in folders}
    goals = Goals(roles, pages, tree.built_markup, only_kept=only_kept)
    planned = [
        PlannedFolder(
            place=place,
            folder=folder,
            is_kept=place in roles.kept,
            goals=goals,
            pages=pages[folder],
            left=dict(_left(pages[folder], tree, is_old=place in roles.old)),
        )
        for place in places
        for folder in place.version.folders
    ]
    return Plan(roles=roles, pages=pages, goals=goals, folders=planned)


def _left(pages: Mapping[str, str], tree: Tree, *, is_old: bool) -> Iterator[tuple[str, str]]:
    """The pages to leave alone, and why: a kept version is restored with its error pages."""
    for below, path in pages.items():
        if is_old and is_error_page(below):
            yield path, "is an error page"
        elif tree.is_link(path):
            yield path, "is a link to another file"
