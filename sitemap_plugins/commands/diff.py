"""The command ``sitemap-plugins diff``: finds the URLs that are lost between two published states of a site."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Final, get_args

import click
from msgspec import to_builtins
from msgspec.structs import replace

from sitemap_plugins.commands.base_url import read_base_url
from sitemap_plugins.commands.difference_formats import annotate_differences, describe_differences, write_markdown
from sitemap_plugins.commands.differences import Differences, FailOn, report_differences
from sitemap_plugins.commands.progress import ProgressBar
from sitemap_plugins.commands.redirecting import (
    find_tool,
    tool_of_states,
    write_lines,
)
from sitemap_plugins.commands.states import StateError, open_state
from sitemap_plugins.commands.terminal import explained_errors, say, say_commands, say_json
from sitemap_plugins.diff.comparing import compare
from sitemap_plugins.diff.redirect_tools import ProjectError
from sitemap_plugins.diff.targets import find_replacements
from sitemap_plugins.folder.configuration import ConfigurationError, read_configuration, read_settings_of
from sitemap_plugins.git import read_files, toplevel_of
from sitemap_plugins.git.branches import BranchError
from sitemap_plugins.git.difference import Difference, read_difference
from sitemap_plugins.losses.allowing import paths_of, without_allowed
from sitemap_plugins.losses.branch import Branch, branch_of, split_behind
from sitemap_plugins.losses.documents import with_documents
from sitemap_plugins.losses.finding import LossFinding
from sitemap_plugins.published.redirects import add_redirects
from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.values.text import first_of

_KINDS: Final[tuple[FailOn, ...]] = get_args(FailOn)
_PROBLEMS: Final = 20  # shown; each line of a file may have one
_NOTHING: Final = "nothing"


def _read_kinds(_context: click.Context, _parameter: click.Parameter, value: str) -> frozenset[FailOn]:
    names = [name.strip() for name in value.split(",")]
    if names == [_NOTHING]:
        return frozenset()
    if _NOTHING in names:
        raise click.BadParameter(f"{_NOTHING} cannot be used together with other kinds")
    for name in names:
        if name not in _KINDS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(_KINDS)} and {_NOTHING}")
    return frozenset(kind for kind in _KINDS if kind in names)


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--fail-on",
    metavar="KINDS",
    default="removed,redirects,form",
    show_default=True,
    callback=_read_kinds,
    help="Exit with status 1 if there are differences of these kinds: removed (pages), redirects (that are lost), form "
    "(of URLs), anchors (of headings and labels), anchors:all (those of API objects, too). Or: nothing.",
)
@click.option(
    "--project",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    default=".",
    help="The folder with the configuration of the project. It tells which tool makes the redirects, and which losses "
    "are intended (ignored_findings). Default: the current folder.",
)
@click.option(
    "--redirects",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="A file with the redirects that are only configured on the server of NEW, such as in nginx or on Read the "
    "Docs: one 'FROM TO' on each line, with paths from the root of the host.",
)
@click.option(
    "--preview",
    metavar="URL",
    callback=read_base_url,
    help="The URL of a preview of NEW, to which added and changed pages link. Only with --format markdown.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "markdown", "github"]),
    default="text",
    show_default=True,
    help="Print a table, one JSON object with everything, Markdown for the summary of a job, or annotations for GitHub "
    "Actions.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only what is lost, and what makes the exit status 1.")
def diff_command(
    old: str,
    new: str,
    fail_on: frozenset[FailOn],
    project: str,
    redirects: str | None,
    preview: str | None,
    output: str,
    *,
    quiet: bool,
) -> None:
    """Find the URLs that are lost between two published states of a site, and the redirects to add.

    OLD and NEW can each be the folder of a built site, a branch or another revision (gh-pages, gh-pages~1), a folder in
    a revision (gh-pages:1.9), the record of a build (site-record.json), or a sitemap. Nothing is fetched: to
    compare with a published site, download its record or its sitemap first. What is unknown for either state is not
    compared, and the output says so.

    The exit status is 1 if there are differences of the kinds in --fail-on, and 2 if nothing can be compared.
    """
    if preview and output != "markdown":
        raise click.UsageError("--preview needs --format markdown, because only Markdown links to pages")
    with explained_errors(ConfigurationError, ProjectError, StateError), ExitStack() as stack:
        configuration = read_configuration(project)
        ignored = read_settings_of(configuration).settings.ignored_findings
        bar = stack.enter_context(ProgressBar("reading the states", quiet=quiet))
        after = stack.enter_context(open_state(new, bar.track, configuration))
        before = stack.enter_context(open_state(old, bar.track, base_url=after.base_url))
        branch = _branch_of(project, new, before, after)
        if not branch.is_behind:
            before = before.with_gone()
        before = _with_documents(project, before, after)
        problems = [*before.problems, *after.problems]
        if redirects:
            after, found_problems = add_redirects(after, Path(redirects))
            problems += found_problems
        tool = find_tool(configuration, after) or tool_of_states(before, after)
        change = _read_difference(project, before.commit, after)
        found = compare(before, after, change.changed if change else None, bar.track)
        wanted = [*without_allowed(found.lost, ignored)]
        ignored_paths = sorted({*paths_of(found.lost)}.difference(paths_of(wanted)))
        lost, behind = split_behind(wanted, branch)
        found = replace(found, lost=lost)
        renamed = {**_renamed_earlier(project, lost, after), **(change.renamed if change else {})}
        replacements = find_replacements(found, before, after, renamed)
        lines = write_lines(found, replacements, after, tool, configuration)
        bar.stop()
        say(*first_of([f"warning: {problem}" for problem in problems], _PROBLEMS), err=True)
        say(*(_describe_missing_commit(before) if not change and _is_in_project(project, after) else ()), err=True)
        differences = Differences(
            old=before,
            new=after,
            comparison=found,
            replacements=replacements,
            lines=lines,
            behind=behind,
            ignored=ignored_paths,
            where=tool.place if tool else "",
            fail_on=fail_on,
        )
        _print(differences, output, preview or "", quiet=quiet)
    if differences.failures:
        raise SystemExit(1)


def _print(differences: Differences, output: str, preview: str, *, quiet: bool) -> None:
    if output == "json":
        say_json(to_builtins(report_differences(differences)))
    elif output == "markdown":
        say(*write_markdown(differences, preview))
    elif output == "github":
        say_commands(annotate_differences(differences))
    else:
        say(*describe_differences(differences, quiet=quiet))


def _with_documents(project: str, old: Snapshot, new: Snapshot) -> Snapshot:
    """The old state with the documents of its pages, if the clone has its commit."""
    if old.commit is None or "documents" not in old.unknown or "documents" in new.unknown:
        return old
    return with_documents(old, new, read_files(project, old.commit))


def _branch_of(project: str, name: str, old: Snapshot, new: Snapshot) -> Branch:
    """The branch that a folder is built from; an empty one for a revision, which will be published as it is."""
    is_built_here = os.path.isdir(name) and "documents" not in new.unknown
    return branch_of(old.commit, toplevel_of(os.path.realpath(project))) if is_built_here else Branch()


def _is_in_project(project: str, state: Snapshot) -> bool:
    """Whether a state was built from the project, which is in a repository."""
    return "documents" not in state.unknown and toplevel_of(project) is not None


def _describe_missing_commit(state: Snapshot) -> Iterator[str]:
    if state.commit:
        yield (
            f"note: {state.name} was built from the commit {state.commit[:10]}, which this clone does not have, so git "
            "cannot tell which pages were renamed, and which ones this branch does not have yet; fetch the history: "
            "git fetch --unshallow"
        )


def _renamed_earlier(directory: str, lost: Iterable[LossFinding], new: Snapshot) -> dict[str, str]:
    """The new names of documents of pages that were gone before the old state, since they were last published."""
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
    """What changed in the repository between a commit and that of a state; None if git cannot tell.

    A folder whose sources are known was built from this project, so HEAD stands for its commit.
    """
    after = new.commit or ("HEAD" if "documents" not in new.unknown else None)
    if not old or not after:
        return None
    try:
        return read_difference(directory, old, after)
    except BranchError:
        return None
