"""What a run plans for the pages of each version, and what it did with each, or would do."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec import Meta

from sitemap_plugins.published.tree import Tree
from sitemap_plugins.versions.goals import Goals, Roles, is_error_page, pages_in
from sitemap_plugins.versions.kept import Choice, VersionPlace

End: TypeAlias = Literal["to kept", "to newest", "to itself", "noindex"]
"""Where a page leads: to a kept version, the newest with the page or nowhere else, or it has a noindex."""

ENDS: Final[tuple[End, ...]] = get_args(End)


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


class PageOutcome(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A page of an old version, or one that was restored. ``path`` is relative to the root, with forward slashes.

    ``end`` is None if the page is not retired: if it was restored, ``left`` alone or could not be edited, and why. If
    it leads to another page, ``goal`` is the path of that page, and ``url`` its URL.
    """

    path: str
    end: End | None = None
    url: str = ""
    goal: str = ""
    left: str = ""
    uneditable: str = ""
    is_changed: bool = False


class PageEdit(NamedTuple):
    """What is to be done with a page, and its content before and after that."""

    outcome: PageOutcome
    before: bytes
    after: bytes


class PageChange(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How a page would change."""

    path: Annotated[str, Meta(description="Its path.")]
    change: Annotated[
        Literal[End, "restored"],
        Meta(description="Where it would lead, or that it would get its original content back."),
    ]
    old_canonical: Annotated[str | None, Meta(description="Its canonical link.")]
    new_canonical: Annotated[str | None, Meta(description="Its canonical link after the run.")]
    likeness: Annotated[
        float | None,
        Meta(description="The share of words, from 0 to 1, that it has in common with the page that it would lead to."),
    ] = None


class Counts(msgspec.Struct, frozen=True):
    """A number before and after a run."""

    before: Annotated[int, Meta(description="Before the run.")]
    after: Annotated[int, Meta(description="After it.")]


class FolderOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The pages in the folder of a version: their number, and what was done with them."""

    folder: str
    number: int
    pages: tuple[PageOutcome, ...]


class Retired(msgspec.Struct, frozen=True, kw_only=True):
    """What `retire` did in each folder, the kept ones first, per language.

    ``counts`` are the pages with canonical links to missing pages; None if the URL of the root is unknown. ``dangers``
    are sentences about kept versions with such links, ``different`` about pages that share few words with the page that
    they lead to (only in a dry run, as ``changes``), ``problems`` about what could not be read.
    """

    choice: Choice
    folders: tuple[FolderOutcome, ...]
    counts: Counts | None = None
    dangers: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    changes: tuple[PageChange, ...] = ()
    problems: tuple[str, ...] = ()


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What `restore_all` did: the number of pages, the paths of those that were restored, and ``problems``.

    Only a dry run returns ``changes``.
    """

    number: int
    paths: tuple[str, ...]
    changes: tuple[PageChange, ...] = ()
    problems: tuple[str, ...]
