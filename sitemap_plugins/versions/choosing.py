"""Recognizes the versions in a published folder and chooses the canonical ones, or says that there are none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.versions.kept import Choice, choose_kept
from sitemap_plugins.versions.recognizing import recognize
from sitemap_plugins.versions.tree import VersionTree


class NoVersionsError(Exception):
    """A folder has no versions. The message says what to do."""

    def __init__(self, root: Path) -> None:
        super().__init__(
            f"no versions were found below {root}: run the command on the folder above them, or set --layout"
        )


class Versions(NamedTuple):
    """The versions below a root, and which of them are kept."""

    tree: VersionTree
    choice: Choice


def read_versions(root: Path, layout: str | None = None, keep: Sequence[str] = ()) -> Versions:
    """The versions below ``root``, see `recognize` and `choose_kept`.

    Raises `NoVersionsError`, `PatternError`, `UnknownVersionError` and OSError.
    """
    tree = recognize(root, layout)
    if not tree.versions:
        raise NoVersionsError(root)
    return Versions(tree, choose_kept(tree, keep))
