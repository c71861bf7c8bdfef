"""The command ``sitemap-plugins dates``: shows when each file last changed and why."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from sitemap_plugins.commands.shared_options import examples, format_option
from sitemap_plugins.commands.terminal import ProgressBar, say, say_json, screen_width
from sitemap_plugins.git.blobs import MIN_SIZE
from sitemap_plugins.git.dates import dates_below, explain_date
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, History, HistoryReader
from sitemap_plugins.git.walk import DateKind, SkipReason
from sitemap_plugins.model import WRONG_CLOCK, FileDate
from sitemap_plugins.record.site_record import PageRecord, Record, read_record
from sitemap_plugins.session.deployment import read_deployment, whole_history
from sitemap_plugins.values.text import count_of, count_reasons, table

_TICK: Final = 0.1  # seconds
_SHORT: Final = 10  # characters of a commit's id
_REASONS: Final[Mapping[SkipReason, str]] = {
    "renamed": "renamed from {} with the same content, which does not count as a change",
    "renamed and edited": "renamed from {} with edits, and listed as a commit to ignore",
    "ignored": "listed as a commit to ignore",
    "mode": "only the file mode changed",
}


@click.command(
    "dates", epilog=examples("sitemap-plugins dates docs/", "sitemap-plugins dates docs/guide/install.md --why")
)
@click.argument("path", type=click.Path(exists=True), default=".")
@format_option(
    ("text", "json"), "Print a table, or one JSON object that maps each file to its lastmod, commit and reason."
)
@click.option(
    "--plain", is_flag=True, help="Show exactly the date of git log -1 for each file, without any other rules."
)
@click.option(
    "--date",
    "kind",
    type=click.Choice(["committer", "author", "landed"]),
    help="Which date to show (default: committer). landed is the date when the change was merged into the main "
    "(first-parent) line.",
)
@click.option("--no-follow-renames", is_flag=True, help="Count a rename as a change, even if the content is the same.")
@click.option(
    "--ignore-revs",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A file that lists commits to ignore, instead of .git-blame-ignore-revs. Can be repeated.",
)
@click.option("--created", is_flag=True, help="Show when the files were created, not when they last changed.")
@click.option(
    "--why", is_flag=True, help="Explain the date of one file: which commit it comes from, and which were ignored."
)
@click.option(
    "--record",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="With --why: the file that a build wrote with the option record. It lists the other files that pages include.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only results and errors: no summary, notes or hints.")
def dates_command(path: str, output: str, *, why: bool, record: str | None, quiet: bool, **rules: Any) -> None:
    """Show when each file below PATH last changed, with the commit.

    PATH is a folder or a file in a git repository (default: the current folder). Only tracked files are shown. Each
    gets the date from its own history, under the same rules as in a build unless you pass options. Front matter and the
    other files that a page includes count only in builds.
    """
    if record and not why:
        raise click.UsageError("--record works only with --why")
    if why:
        if output != "text":
            raise click.UsageError(f"--why cannot be combined with --format {output}")
        if not Path(path).is_file():
            raise click.UsageError(f"--why explains a single file, and {path} is not a file")
        _explain(path, _rules(**rules), read_record(record)[0] if record else None, quiet=quiet)
    else:
        _show(path, _rules(**rules), output, quiet=quiet)


def _rules(
    *, plain: bool, kind: DateKind | None, no_follow_renames: bool, ignore_revs: tuple[str, ...], created: bool
) -> DateRules:
    if plain:
        if kind or no_follow_renames or ignore_revs or created:
            raise click.UsageError("--plain is exactly git log -1, so it cannot be combined with other rules")
        return PLAIN_DATES
    if kind == "landed" and ignore_revs:
        raise click.UsageError(
            "--ignore-revs cannot be combined with --date landed: on the first-parent line, a merge hides the commits "
            "that it merged"
        )
    files = tuple(os.path.abspath(file) for file in ignore_revs)
    return DateRules(
        date=kind or "committer", follow_renames=not no_follow_renames, ignore_revs=files or None, created=created
    )


def _show(path: str, rules: DateRules, output: str, *, quiet: bool) -> None:
    """Print the date of each file below a folder, or of one file."""
    files = dates_below(path, rules, read_deployment(os.environ).as_of, partial(_wait, quiet=quiet))
    # In one call, because each call flushes, and there can be thousands of lines.
    if output == "json":
        say_json({name: _values(file) for name, file in files.items()})
    else:
        say(*table([_row(file, name) for name, file in files.items()], words=3, width=screen_width()))
        if not quiet:
            _summarize(files, rules)


def _summarize(files: Mapping[str, FileDate], rules: DateRules) -> None:
    """Print how many files have a date, and what to do about the others."""
    reasons = [file.reason for file in files.values() if file.reason]
    dated = sum(file.when is not None for file in files.values())
    number = f"{count_of(len(files), 'file')}, {dated:,} with a date"
    say("; ".join([number, *count_reasons(reasons)]), err=True)
    if not files:
        say("no file here is in the last commit", err=True)
    if way := whole_history(files.values(), rules, read_deployment(os.environ).unshallow):
        say(f"to get the whole history, {way}", err=True)


def _values(date: FileDate) -> dict[str, str | None]:
    if date.when is None:
        return {"lastmod": None, "commit": None, "reason": date.reason}
    return {"lastmod": date.when.isoformat(), "commit": date.commit, "reason": None}


def _row(date: FileDate, name: str) -> tuple[str, str, str]:
    if date.when is None or date.commit is None:
        return f"{'-':25}", f"{'-':{_SHORT}}", f"{name}  ({date.reason})"
    edited = "  (changed since)" if date.modified else ""
    return f"{date.when.isoformat():25}", date.commit[:_SHORT], f"{name}{edited}"


def _wait(reader: HistoryReader, *, quiet: bool) -> History:
    """Wait for the history, with a progress bar, and print what is wrong with it."""
    with ProgressBar("reading the history", quiet=quiet) as bar:
        while progress := reader.wait(_TICK):
            bar.count("dating files", progress[0], progress[1] or None)
        history = reader.history()
    if not quiet:
        say(*(f"note: {each}" for each in (*history.ignore_file_problems, *history.too_large)), err=True)
    return history


def _explain(path: str, rules: DateRules, record: Record | None, *, quiet: bool) -> None:
    """Print how the date of one file was found, newest commit first."""
    deployment = read_deployment(os.environ)
    found = explain_date(path, rules, deployment.as_of, partial(_wait, quiet=quiet))
    date = found.date
    lines = [date.path]
    if found.ways:
        ways = " leads to ".join(found.ways)
        lines.append(f"  {ways} by a symbolic link; the newest of them dates it: {date.path}")
    for each in found.skipped:
        what = f"{_REASONS[each.why].format(os.fsdecode(each.old_path))}: ignored"
        lines.append(_entry(each.commit.when(rules.date), each.commit.sha.decode(), what))
    lines.append(_entry(found.when, date.commit, _verdict(date, rules)))
    if found.subject:
        lines.append(f"    {found.subject}")
    if found.like:
        lines.append(
            f"  the same commit removed {found.like}, which had the same content: a new name counts as a change if "
            f"the content has fewer than {MIN_SIZE} bytes, or is also that of another file"
        )
    if found.has_translations:
        lines.append("  commits that changed no visible translation are ignored, and not listed here")
    if way := whole_history([date], rules, deployment.unshallow):
        lines.append(f"  to get the whole history, {way}")
    if date.modified:
        lines.append("  the file on disk differs from the last commit; that change has no date yet")
    if record is None and not quiet:
        hint = "add --record FILE, which a build writes with the option record"
        say(f"A page may be newer because of other files that it includes: {hint}.", err=True)
    say(*lines, *(_in_sitemap(page, date.path) for page in (record.pages_of(date.path) if record else ())))


def _entry(when: datetime | None, commit: str | None, what: str) -> str:
    return f"  {when.astimezone(UTC).isoformat() if when else '-':25}  {(commit or '-')[:_SHORT]:{_SHORT}}  {what}"


def _verdict(date: FileDate, rules: DateRules) -> str:
    if date.reason == WRONG_CLOCK:
        return f"no date: {WRONG_CLOCK}, because this is more than a day later than the last commit"
    if date.when is None:
        return f"no date: {date.reason}"
    what = "this created it" if rules.created else "this added it" if date.added else "this changed it last"
    brought = ", or brought it to the first-parent line" if rules.date == "landed" else ""
    return f"{what}{brought}: its date"


def _in_sitemap(page: PageRecord, path: str) -> str:
    """A line on the date of a page that is made of this file."""
    if not page.lastmod:
        return f"  {page.loc} has no date"
    if page.is_dated_by(path):
        origin = "of this file"
    else:
        origin = f"of {page.path}, which the page includes" if page.source == "git" else f"({page.source})"
    return f"  {page.loc} has the date {page.lastmod} {origin}"
