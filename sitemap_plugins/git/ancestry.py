"""Another commit, such as that of an earlier build: its files, and how it is related to HEAD."""

from __future__ import annotations

import os
import re
from typing import Final

from sitemap_plugins.git.process import run_git

_PARENT: Final = rb"(?m)^parent ([0-9a-f]+)$"


def is_in_history(directory: str, commit: str) -> bool:
    """Whether HEAD is this commit or comes after it. A shallow clone knows it only of its own commits and parents."""
    if not run_git(directory, "merge-base", "--is-ancestor", commit, "HEAD").error:
        return True
    # Where a clone is cut, the parents are only in the object itself; a blank line ends its headers.
    headers = run_git(directory, "cat-file", "commit", "HEAD").stdout.partition(b"\n\n")[0]
    return commit.encode() in re.findall(_PARENT, headers)


def find_merge_base(directory: str, commit: str) -> str | None:
    """The last commit in the history of both HEAD and another commit; None if the clone does not reach it."""
    printed = run_git(directory, "merge-base", "HEAD", commit)
    return os.fsdecode(printed.stdout).split("\n")[0] or None


def read_files(directory: str, commit: str) -> frozenset[str]:
    """The paths of all files of a commit from the top; none if the clone does not have it."""
    lines = run_git(directory, "ls-tree", "-r", "-z", "--full-tree", "--name-only", commit).stdout.split(b"\0")
    return frozenset(map(os.fsdecode, filter(None, lines)))
