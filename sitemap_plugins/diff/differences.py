"""Finds all that differs between two snapshots of a site, and what to do about it: one value for all formats."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from msgspec.structs import asdict, replace

from sitemap_plugins.diff.comparing import Comparison, LostAnchors, Replacement, compare, find_replacements
from sitemap_plugins.diff.redirecting import NoLine, RedirectLine, find_tool, tool_of_snapshots, write_lines
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.git.branches import BranchError
from sitemap_plugins.git.commits import Difference, read_difference
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.git.repository import read_files
from sitemap_plugins.losses.finding import (
    Branch,
    Loss,
    LossFinding,
    branch_of,
    paths_of,
    split_behind,
    with_documents,
    without_ignored,
)
from sitemap_plugins.options.settings import IgnoredFinding
from sitemap_plugins.published.redirects import add_redirects
from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.values.tasks import Track, untracked

FailOn: TypeAlias = Literal["removed", "redirects", "form", "anchors", "anchors:all"]
Lines: TypeAlias = Mapping[str, RedirectLine | NoLine]
"""The redirect to add for each lost URL, or why there is none; by its path, with the anchor if only that is lost."""


class Differences(Comparison, frozen=True, kw_only=True):
    """Everything to print: the comparison of two snapshots, and what to do about each lost URL, by its path.

    ``where`` completes "add to …" with the place for the lines; empty if no tool is known. ``problems`` are sentences
    about what could not be read, and ``note`` is one about a commit that git lacks, empty if it has all.
    """

    old: Snapshot
    new: Snapshot
    replacements: Mapping[str, Replacement]
    lines: Lines
    behind: Sequence[Loss]
    ignored: Sequence[str]
    where: str
    problems: Sequence[str]
    note: str
    fail_on: frozenset[FailOn]

    @property
    def in_both(self) -> int:
        """The number of pages that both snapshots have."""
        return len(self.old.pages.keys() & self.new.pages.keys())

    @property
    def failures(self) -> tuple[FailOn, ...]:
        """The kinds in ``fail_on`` that were found."""
        found: set[FailOn] = {each.kind for each in self.lost}
        found |= {"form"} if self.url_change else set()
        found |= {"anchors"} if any(each.headings for each in self.lost_anchors) else set()
        found |= {"anchors:all"} if self.lost_anchors else set()
        return tuple(kind for kind in get_args(FailOn) if kind in found & self.fail_on)

    @property
    def failing_kinds(self) -> frozenset[str]:
        """The kinds of differences that make the run fail."""
        return frozenset(kind.partition(":")[0] for kind in self.failures)

    def failing_anchors(self, lost: LostAnchors) -> tuple[str, ...]:
        """The lost anchors of a page that make the run fail."""
        if "anchors:all" in self.fail_on:
            return lost.headings + lost.objects
        return lost.headings if "anchors" in self.fail_on else ()


def find_differences(
    before: Snapshot,
    after: Snapshot,
    configuration: Configuration,
    *,
    redirects: Path | None = None,
    ignored: Sequence[IgnoredFinding] = (),
    fail_on: frozenset[FailOn] = frozenset(),
    track: Track = untracked,
) -> Differences:
    """The differences between two snapshots, and what to do about them in the project with this ``configuration``.

    ``redirects`` is a file with redirects of the new snapshot, see `add_redirects`. ``track`` follows the loop over the
    pages whose texts are compared. Raises `ConfigurationError` and OSError.
    """
    folder = configuration.root
    # A revision will be published as it is, so only a folder can be behind its branch.
    is_built_here = os.path.isdir(after.name) and "documents" not in after.unknown
    branch = branch_of(before.commit, toplevel_of(os.path.realpath(folder))) if is_built_here else Branch()
    if not branch.is_behind:
        before = before.with_gone()
    if before.commit and "documents" in before.unknown and "documents" not in after.unknown:
        before = with_documents(before, after, read_files(folder, before.commit))
    problems = [*before.problems, *after.problems]
    if redirects:
        after, found_problems = add_redirects(after, redirects)
        problems += found_problems
    tool = find_tool(configuration, after) or tool_of_snapshots(before, after)
    change = _read_difference(folder, before.commit, after)
    found = compare(before, after, change.changed if change else None, track)
    wanted = [*without_ignored(found.lost, ignored)]
    ignored_paths = sorted({*paths_of(found.lost)}.difference(paths_of(wanted)))
    lost, behind = split_behind(wanted, branch)
    found = replace(found, lost=lost)
    renamed = {**_renamed_earlier(folder, lost, after), **(change.renamed if change else {})}
    replacements = find_replacements(found, before, after, renamed)
    return Differences(
        **asdict(found),
        old=before,
        new=after,
        replacements=replacements,
        lines=write_lines(found, replacements, after, tool, configuration),
        behind=behind,
        ignored=ignored_paths,
        where=tool.place if tool else "",
        problems=problems,
        note="" if change else _describe_missing_commit(folder, before, after),
        fail_on=fail_on,
    )


def _describe_missing_commit(directory: str, old: Snapshot, new: Snapshot) -> str:
    """A sentence about the commit of the old snapshot, if the project that the new one was built from is in git."""
    if not old.commit or "documents" in new.unknown or toplevel_of(directory) is None:
        return ""
    return (
        f"{old.name} was built from the commit {old.commit[:10]}, which this clone does not have, so git cannot "
        "tell which pages were renamed, and which ones this branch does not have yet; fetch the history: "
        "git fetch --unshallow"
    )


def _renamed_earlier(directory: str, lost: Iterable[LossFinding], new: Snapshot) -> dict[str, str]:
    """The new names of documents of pages that were gone before the old snapshot, since they were last published."""
    documents: dict[str, set[str]] = defaultdict(set)
    for loss in chain.from_iterable(finding.losses for finding in lost):
        if loss.page and loss.page.commit and loss.page.document:
            documents[loss.page.commit].add(loss.page.document)
    renamed: dict[str, str] = {}
    for commit, names in documents.items():
        if change := _read_difference(directory, commit, new):
            renamed |= {name: change.renamed[name] for name in names & change.renamed.keys()}
    return renamed


def _read_difference(directory: str, old: str | None, new: Snapshot) -> Difference | None:
    """What changed in the repository between a commit and that of a snapshot; None if git cannot tell.

    A folder whose sources are known was built from this project, so HEAD stands for its commit.
    """
    after = new.commit or ("HEAD" if "documents" not in new.unknown else None)
    if not old or not after:
        return None
    try:
        return read_difference(directory, old, after)
    except BranchError:
        return None
