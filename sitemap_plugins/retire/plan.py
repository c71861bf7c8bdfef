"""Which pages are restored and which are retired, and where those lead."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions import Folders, Goals, Place, Roles, is_error_page


class PlannedFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder with pages of the version at ``place``, and why some of them are left alone, by their paths below it."""

    place: Place
    folder: str
    pages: Collection[str]
    left: Mapping[str, str]

    def editable(self) -> Iterator[tuple[str, str]]:
        """The path, below the folder and below the root, of each page that may change."""
        return ((path, path_in(self.folder, path)) for path in self.pages if path not in self.left)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The kept and old folders of one language, and where the pages of the old ones lead.

    ``pages`` maps each folder to the paths of the pages below it.
    """

    roles: Roles
    pages: Mapping[str, Collection[str]]
    goals: Goals
    kept: Sequence[PlannedFolder]
    old: Sequence[PlannedFolder]


def make_plan(roles: Roles, files: Folders, *, only_kept: bool) -> Plan:
    """The plan for one language. Raises OSError if a folder cannot be listed."""
    everything = (*roles.kept, *roles.old)
    folders = dict.fromkeys(folder for each in everything for folder in (each.place.folder, *each.folders))
    # In the order of the files, and quick to look up.
    pages = {folder: dict.fromkeys(files.pages(folder)) for folder in folders}
    planned = {
        each: [
            PlannedFolder(
                place=each.place,
                folder=folder,
                pages=pages[folder],
                left=dict(_left(folder, pages[folder], files, is_old=each in roles.old)),
            )
            for folder in each.folders
        ]
        for each in everything
    }
    return Plan(
        roles=roles,
        pages=pages,
        goals=Goals(roles, pages, files.markup, only_kept=only_kept),
        kept=[folder for each in roles.kept for folder in planned[each]],
        old=[folder for each in roles.old for folder in planned[each]],
    )


def _left(folder: str, pages: Collection[str], files: Folders, *, is_old: bool) -> Iterator[tuple[str, str]]:
    """The pages to leave alone, and why: a kept version is restored with its error pages."""
    for path in pages:
        if is_old and is_error_page(path):
            yield path, "is an error page"
        elif files.is_link(path_in(folder, path)):
            yield path, "is a link to another file"
