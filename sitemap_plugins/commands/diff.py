"""The command ``sitemap-plugins diff``: finds the URLs that are lost between two published states of a site."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Final, get_args

import click
from msgspec import to_builtins

from sitemap_plugins.commands.shared_options import examples, format_option, project_option, read_base_url
from sitemap_plugins.commands.terminal import ProgressBar, explained_errors, say, say_commands, say_json, screen_width
from sitemap_plugins.diff.differences import Differences, FailOn, find_differences
from sitemap_plugins.diff.printing import annotate_differences, describe_differences, report_differences, write_markdown
from sitemap_plugins.diff.snapshots import open_snapshot
from sitemap_plugins.folder.configuration import read_configuration, read_settings_of
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


@click.command(
    "diff",
    epilog=examples(
        "sitemap-plugins diff gh-pages site/", "sitemap-plugins diff gh-pages~1 gh-pages --fail-on removed"
    ),
)
@click.argument("old")
@click.argument("new")
@click.option(
    "--fail-on",
    metavar="KINDS",
    default="removed,redirects,form",
    show_default=True,
    callback=_read_kinds,
    help="Exit with status 1 if there are differences of these kinds: removed (pages that are gone), redirects (that "
    "no longer work), form (of URLs), anchors (of headings and labels that are gone), anchors:all (those of API "
    "objects, too). Or: nothing.",
)
@project_option(
    "It tells which tool makes the redirects, and which losses are intended (ignored_findings). Default: the current "
    "folder.",
    default=".",
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
    help="The URL of a preview of NEW. Added and changed pages link to it. Only with --format markdown.",
)
@format_option(
    ("text", "json", "markdown", "github"),
    "Print a table, one JSON object with everything, Markdown for the summary of a job, or annotations for GitHub "
    "Actions.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only what is lost or makes the exit status 1.")
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
    compare with a published site, download its record or its sitemap first. What OLD or NEW does not contain is not
    compared, and the output says so.

    The exit status is 1 if there are differences of the kinds in --fail-on, and 2 if nothing can be compared.
    """
    if preview and output != "markdown":
        raise click.UsageError("--preview needs --format markdown, because only Markdown links to pages")
    with explained_errors(), ExitStack() as stack:
        configuration = read_configuration(project)
        ignored = read_settings_of(configuration).settings.ignored_findings
        bar = stack.enter_context(ProgressBar("reading the states", quiet=quiet))
        after = stack.enter_context(open_snapshot(new, bar.track, configuration))
        before = stack.enter_context(open_snapshot(old, bar.track, base_url=after.base_url))
        file = Path(redirects) if redirects else None
        differences = find_differences(
            before, after, configuration, redirects=file, ignored=ignored, fail_on=fail_on, track=bar.track
        )
        bar.stop()
        say(*first_of([f"warning: {problem}" for problem in differences.problems], _PROBLEMS), err=True)
        say(*([f"note: {differences.note}"] if differences.note else ()), err=True)
        _print(differences, output, preview or "", quiet=quiet)
    if differences.failures:
        raise SystemExit(1)


def _print(differences: Differences, output: str, preview: str, *, quiet: bool) -> None:
    if output == "json":
        say_json(to_builtins(report_differences(differences)))
    elif output == "markdown":
        say(*write_markdown(differences, preview), is_markup=True)
    elif output == "github":
        say_commands(annotate_differences(differences))
    else:
        say(*describe_differences(differences, quiet=quiet, width=screen_width()))
