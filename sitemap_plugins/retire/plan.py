"""Which pages are restored and which are retired, and where those lead."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions import Folders, Goals, Place, Roles, is_error_page


class Pages(Collection[str]):
    """The paths of the pages below a folder, relative to it.

    There may be hundreds of thousands, so only the paths below the root are kept, which outcomes share.
    """

    def __init__(self, folder: str, paths: Iterable[str]) -> None:
        self._folder = folder
        self._start = len(folder) + 1 if folder else 0
        self._full_paths = dict.fromkeys(path_in(folder, path) for path in paths)

    def __len__(self) -> int:
        return len(self._full_paths)

    def __iter__(self) -> Iterator[str]:
        return (path[self._start :] for path in self._full_paths)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path_in(self._folder, path) in self._full_paths

    def both(self) -> Iterator[tuple[str, str]]:
        """Each path relative to the folder, and below the root."""
        return ((path[self._start :], path) for path in self._full_paths)


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


def make_plan(roles: Roles, files: Folders, *, only_kept: bool) -> Plan:
    """The plan for one language. Raises OSError if a folder cannot be listed."""
    everything = (*roles.kept, *roles.old)
    folders = dict.fromkeys(folder for each in everything for folder in (each.place.folder, *each.folders))
    pages = {folder: Pages(folder, files.pages(folder)) for folder in folders}
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
