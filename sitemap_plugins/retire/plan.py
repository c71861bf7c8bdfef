"""Which pages are restored and which are retired, and where those lead."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

import msgspec

from sitemap_plugins.published.tree import Tree
from sitemap_plugins.versions import Goals, Pages, Place, Roles, is_error_page


class PlannedFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder with pages of the version at ``place``, and why some of them are left alone, by their paths below it."""

    place: Place
    folder: str
    pages: Pages
    left: Mapping[str, str]

    def editable(self) -> Iterator[tuple[str, str]]:
        """The path, below the folder and below the root, of each page that may change."""
        return ((path, full_path) for path, full_path in self.pages.both() if path not in self.left)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The kept and old folders of one language, and where the pages of the old ones lead.

    ``pages`` maps each folder to the paths of the pages below it.
    """

    roles: Roles
    pages: Mapping[str, Pages]
    goals: Goals
    kept: Sequence[PlannedFolder]
    old: Sequence[PlannedFolder]


def make_plan(roles: Roles, tree: Tree, versions: Container[str], *, only_kept: bool) -> Plan:
    """The plan for one language, without pages in the folders of other ``versions``. Raises OSError if one cannot be
    listed.
    """
    everything = (*roles.kept, *roles.old)
    folders = dict.fromkeys(folder for each in everything for folder in (each.folder, *each.folders))
    pages = {folder: Pages(folder, tree.pages(folder, versions)) for folder in folders}
    planned = {
        each: [
            PlannedFolder(
                place=each,
                folder=folder,
                pages=pages[folder],
                left=dict(_left(pages[folder], tree, is_old=each in roles.old)),
            )
            for folder in each.folders
        ]
        for each in everything
    }
    return Plan(
        roles=roles,
        pages=pages,
        goals=Goals(roles, pages, tree.built_markup, only_kept=only_kept),
        kept=[folder for each in roles.kept for folder in planned[each]],
        old=[folder for each in roles.old for folder in planned[each]],
    )


def _left(pages: Pages, tree: Tree, *, is_old: bool) -> Iterator[tuple[str, str]]:
    """The pages to leave alone, and why: a kept version is restored with its error pages."""
    for path, full_path in pages.both():
        if is_old and is_error_page(path):
            yield path, "is an error page"
        elif tree.is_link(full_path):
            yield path, "is a link to another file"
