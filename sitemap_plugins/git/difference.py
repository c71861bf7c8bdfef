"""Which files differ between two commits of a repository, and which of them were renamed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

import msgspec

from sitemap_plugins.git.branches import BranchError, explain, query
from sitemap_plugins.git.walk import split_at_nul

_COMPARE: Final = ("diff-tree", "-r", "-z", "--name-status")
# The limit is git's default today: it compares at most so many added files with as many removed ones.
_SIMILAR: Final = ("-M50%", "-l1000")
_SAME: Final = ("-M100%",)


class Difference(msgspec.Struct, frozen=True):
    """The difference between two commits, as paths from the top of the repository.

    ``renamed`` maps old names to new ones, according to git. ``changed`` are all files that differ, by both names.
    """

    renamed: Mapping[str, str]
    changed: frozenset[str]


def read_difference(directory: str, old: str, new: str) -> Difference:
    """Compare two commits. Raises `BranchError` if the clone does not have them.

    If the clone lacks contents, only files with the same content are renamed.
    """
    for renames in (_SIMILAR, _SAME):
        printed = query(directory, *_COMPARE, *renames, "--end-of-options", old, new)
        if not printed.error:
            break
    else:
        raise BranchError(explain(printed.error, directory))
    renamed: dict[str, str] = {}
    changed: set[str] = set()
    tokens = split_at_nul([printed.stdout])
    for status in tokens:
        path = os.fsdecode(next(tokens))
        changed.add(path)
        if status.startswith(b"R"):
            renamed[path] = os.fsdecode(next(tokens))
    return Difference(renamed, frozenset({*changed, *renamed.values()}))
