"""What was done with each page, or would be."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from sitemap_plugins.versions.kept import Choice

End: TypeAlias = Literal["to kept", "to newest", "to itself", "noindex"]
"""Where a page leads: to a kept version, the newest with the page or nowhere else, or it has a noindex."""

ENDS: Final[tuple[End, ...]] = get_args(End)


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
