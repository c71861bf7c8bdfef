"""Tells whether the branch that is built has lost a page, or does not have it yet because the branch is behind."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from sitemap_plugins.git.branches import BranchError
from sitemap_plugins.git.commits import read_difference
from sitemap_plugins.git.repository import find_merge_base, is_in_history, read_files
from sitemap_plugins.losses.finding import Loss, LossFinding

# The files that settings and redirects are in, such as mkdocs.en.yml and redirects.txt.
_SETTINGS: Final = re.compile(
    r"(?i)(?:\A|/)(?:(?:mkdocs|properdocs)[^/]*\.ya?ml|zensical\.toml|conf\.py|vercel\.json|[^/]*redirect[^/]*)\Z"
)


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The branch that is built, compared with the commit that was deployed.

    ``has_lost`` tells whether the branch itself lost a page. ``why`` says why it may lack other pages. ``is_behind``
    says that the deployed commit is known not to be in it, so it may still get these pages from there.
    """

    has_lost: Callable[[Loss], bool] = lambda _: False
    why: str = ""
    is_behind: bool = False


def branch_of(deployed: str | None, toplevel: str | None) -> Branch:
    """The branch of the repository at ``toplevel``, compared with the ``deployed`` commit.

    A branch lost a page if it contains that commit, or if their last common commit has the document of the page, and
    the branch does not. If others have changed no settings since then, it also lost the pages whose documents are still
    there as others left them, and redirects: only its own settings can be the reason.
    """
    if deployed is None or toplevel is None:
        return Branch(why="without git, the reason is unknown")
    if is_in_history(toplevel, deployed):
        return Branch(has_lost=lambda _: True)
    base = find_merge_base(toplevel, deployed)
    if base is None:
        return Branch(why="the branch may be behind, or the clone is too shallow to tell")
    there = read_files(toplevel, base)
    theirs = _changed(toplevel, base, deployed)

    def has_lost(loss: Loss) -> bool:
        document = loss.page.document if loss.page else None
        if document is None:
            return loss.page is None and theirs is not None
        if not os.path.lexists(os.path.join(toplevel, *document.split("/"))):
            return document in there
        return theirs is not None and document not in theirs

    return Branch(has_lost=has_lost, why="the branch may be behind", is_behind=True)


def _changed(toplevel: str, old: str, new: str) -> frozenset[str] | None:
    """The files that differ between two commits; None if settings do, which may change any URL."""
    try:
        changed = read_difference(toplevel, old, new).changed
    except BranchError:
        return None
    return None if any(_SETTINGS.search(path) for path in changed) else changed


def split_behind(findings: Iterable[LossFinding], branch: Branch) -> tuple[tuple[LossFinding, ...], tuple[Loss, ...]]:
    """The findings without what the branch may not have yet; and what that is.

    If the document of a page is not known, the page counts as lost.
    """
    behind: list[Loss] = []
    kept: list[LossFinding] = []
    for finding in findings:
        losses: list[Loss] = []
        for loss in finding.losses:
            is_known = loss.page is None or loss.page.document is not None
            is_new = branch.is_behind and is_known and not branch.has_lost(loss)
            (behind if is_new else losses).append(loss)
        if losses:
            kept.append(msgspec.structs.replace(finding, losses=tuple(losses)))
    return tuple(kept), tuple(behind)
