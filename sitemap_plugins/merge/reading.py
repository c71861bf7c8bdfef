"""Reads the sitemaps to merge, or says why there is nothing to merge."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from sitemap_plugins.published.sitemaps import Published, read_published
from sitemap_plugins.values.progress import Track, untracked


class MergeError(Exception):
    """A folder cannot be merged: the message says why, and ``problems`` are sentences on what may be the cause."""

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = problems


def read_sitemaps(
    root: str,
    pattern: str,
    folders: Sequence[str] = ("",),
    without: Collection[str] = (),
    url_of: Mapping[str, str] | None = None,
    track: Track = untracked,
) -> Published:
    """The sitemaps below a root, see `read_published`. Raises `MergeError` if none can be used, and OSError."""
    published = read_published(Path(root), pattern, folders, without, url_of, track)
    if not published.sitemaps:
        raise MergeError(
            f"there is no usable sitemap in {root} (files {pattern}): build the site with a sitemap first",
            published.problems,
        )
    return published
