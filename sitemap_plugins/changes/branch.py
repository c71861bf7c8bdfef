"""Tells whether the branch that is built has lost a page, or only does not have it yet, because it is behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import msgspec

from sitemap_plugins.changes.comparing import Loss, LossFinding
from sitemap_plugins.git import find_merge_base, is_in_history, read_files


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """The branch that is built, compared with the commit that was deployed.

    ``has_lost`` tells whether the branch itself lost a page. ``why`` says why it may lack the others, and ``is_behind``
    that it is known to be another branch, which may get these pages from there.
    """

    has_lost: Callable[[Loss], bool] = lambda _: False
    why: str = ""
    is_behind: bool = False


def branch_of(deployed: str | None, toplevel: str | None) -> Branch:
    """The branch of the repository at ``toplevel``, compared with the ``deployed`` commit.

    A branch lost a page if it contains that commit, or if both come from a commit that has the document of the page.
    """
    if deployed is None or toplevel is None:
        return Branch(why="without git, it is not known why")
    if is_in_history(toplevel, deployed):
        return Branch(has_lost=lambda _: True)
    base = find_merge_base(toplevel, deployed)
    if base is None:
        return Branch(why="the branch may be behind, or the clone too shallow to tell")
    there = read_files(toplevel, base).paths

    def is_removed_here(loss: Loss) -> bool:
        document = loss.page.document if loss.page else None
        return document in there and not os.path.lexists(os.path.join(toplevel, *(document or "").split("/")))

    return Branch(has_lost=is_removed_here, why="the branch may be behind", is_behind=True)


def split_behind(findings: Iterable[LossFinding], branch: Branch) -> tuple[tuple[LossFinding, ...], tuple[Loss, ...]]:
    """The findings without what the branch does not have yet, and that.

    If the document of a page is not known, the page counts as lost. Git does not know about redirects, so on a branch
    that is behind, each may be one that it does not have yet.
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
