"""Which commit a deployment was built from, and which files differ between two commits."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

import msgspec

from sitemap_plugins.git.branches import BranchError, ask, explain, query
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.git.walk import split_at_nul

_DEPLOYED: Final = re.compile(
    r"(?:Deployed (?=[0-9a-f]{7,64}(?: to .+)? with (?:MkDocs|ProperDocs|Zensical)\b)"  # gh-deploy and mike
    r"|deploy: (?:[^\s@]+@)?(?=[0-9a-f]{40})"  # peaceiris/actions-gh-pages
    r"|Deploying to \S+ from (?:\S+ )?@ [^\s@]+@(?=[0-9a-f]{40})"  # JamesIves/github-pages-deploy-action
    r"|build based on (?=[0-9a-f]{7,40}))"  # Documenter
    r"(?P<commit>[0-9a-f]{7,64})"
)
_RECENT: Final = 20  # commits to a folder; few of them follow a deployment

_COMPARE: Final = ("diff-tree", "-r", "-z", "--name-status")
# The limit is git's default today: it compares at most so many added files with as many removed ones.
_SIMILAR: Final = ("-M50%", "-l1000")
_SAME: Final = ("-M100%",)


def commit_in_message(message: str) -> str | None:
    """The commit of the sources, as tools write it into the message of the commit that deploys the built pages."""
    first = message.partition("\n")[0][:1000]
    found = _DEPLOYED.match(first)
    return found["commit"] if found else None


def is_built_from_head(directory: str, branch: str, folder: str) -> bool:
    """Whether the last deployment to a folder of a branch was of HEAD; False if no message names a commit.

    Raises `BranchError` if it was of another commit: the sources in the work tree are not those of the pages.
    """
    top = toplevel_of(directory) or directory  # paths are relative to the folder that git runs in
    recent = (top, "log", f"-{_RECENT}", "--format=%s", f"refs/heads/{branch}")
    messages = ask(*recent, "--", folder or ".").split("\n")
    # mike names the version. If the pages of a deployment are the same, only its other files are in the commit.
    messages[:0] = [each for each in ask(*recent).split("\n") if f" to {PurePosixPath(folder).name} " in each]
    commit = next(filter(None, map(commit_in_message, messages)), None)
    head = ask(directory, "rev-parse", "HEAD")
    if commit and not head.startswith(commit):
        raise BranchError(
            f"{folder} on {branch} was built from {commit}, but HEAD is {head[: len(commit)]}, so the dates would be "
            f"wrong: check out {commit}, or deploy {folder} again"
        )
    return commit is not None


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
