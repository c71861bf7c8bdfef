"""The command ``sitemap-plugins dates``: shows when each file last changed and why, and verifies published dates."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from sitemap_plugins.commands.progress import ProgressBar
from sitemap_plugins.commands.terminal import say, say_json
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.git import (
    PLAIN_DATES,
    DateKind,
    DateRules,
    History,
    HistoryError,
    HistoryReader,
    MemoryOf,
    SkippedCommit,
    SkipReason,
    is_whole,
)
from sitemap_plugins.git.path_dates import dates_below, explain_date, locate
from sitemap_plugins.model import SHALLOW, UNREMEMBERED, WRONG_CLOCK, Entry, FileDate
from sitemap_plugins.provenance import Evidence, EvidenceError, PageEvidence, prove, read_evidence, sitemaps_beside
from sitemap_plugins.published.sitemaps import read_listed
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import EVIDENCE, read_file
from sitemap_plugins.session.deployment import read_deployment
from sitemap_plugins.session.previous_evidence import PreviousEvidence
from sitemap_plugins.values.text import count_of, count_reasons

_TICK: Final = 0.1  # seconds
_SHORT: Final = 10  # characters of a commit's id
_REASONS: Final[Mapping[SkipReason, str]] = {
    "renamed": "renamed from {} with the same content, which does not count as a change",
    "renamed and edited": "renamed from {} with edits, and listed as a commit to ignore",
    "ignored": "listed as a commit to ignore",
    "mode": "only the file mode changed",
}


@click.command("dates")
@click.argument("path", type=click.Path(exists=True), default=".")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    help="A table (default), or a JSON object that maps each file to its lastmod, commit and reason.",
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
    "--why",
    is_flag=True,
    help="Explain the date of one file: which commit it comes from, and which were ignored.",
)
@click.option(
    "--previous",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="The evidence of the last deployment, which knows the dates of unchanged files that are older than a shallow "
    "clone. A missing file is ignored.",
)
@click.option(
    "--complete",
    is_flag=True,
    help="Exit with status 1 if a file has no date. A file whose commit has a wrong clock does not count, because no "
    "other commit could date it.",
)
@click.option(
    "--evidence",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="With --why: the file that a build wrote with the option evidence. It lists the other files that pages "
    "include.",
)
@click.option(
    "--prove",
    "proof",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Recompute all dates in an evidence file, in the clone that contains PATH, and check that the sitemap lists "
    "the same dates.",
)
@click.option(
    "--sitemap",
    "sitemaps",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="With --prove: the sitemap, if it is not beside the evidence. Can be repeated.",
)
@click.option(
    "--allow-ignored",
    is_flag=True,
    help="With --prove: accept the commits that the evidence ignores, even if .git-blame-ignore-revs does not list "
    "them.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="With --prove: also fail if there are dates that no repository can prove, or if HEAD does not contain the "
    "commit that was built.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only results and errors: no summary, notes or hints.")
def dates_command(
    path: str,
    form: str | None,
    *,
    why: bool,
    previous: str | None,
    complete: bool,
    evidence: str | None,
    proof: str | None,
    sitemaps: tuple[str, ...],
    allow_ignored: bool,
    strict: bool,
    quiet: bool,
    **rules: Any,
) -> None:
    """Show when each file below PATH last changed, with the commit.

    PATH is a folder or a file in a git repository (default: the current folder). Only tracked files are shown. Each
    gets the date from its own history, under the same rules as in a build unless you pass options. Front matter and the
    other files that a page includes count only in builds.

    \b
    sitemap-plugins dates docs/
    sitemap-plugins dates docs/guide.md --why
    sitemap-plugins dates docs/ --previous previous.json --complete
    sitemap-plugins dates --prove site/sitemap-evidence.json
    """  # noqa: D301  # click takes that character for "do not wrap"
    if evidence and not why:
        _misuse("--evidence works only with --why")
    if not proof and (sitemaps or allow_ignored or strict):
        _misuse("--sitemap, --allow-ignored and --strict work only with --prove")
    if proof:
        if form or why or previous or complete or any(rules.values()):
            _misuse("--prove uses the rules in the evidence, so it cannot be combined with other options")
        found = _read_evidence(proof)
        _prove(found, _listings(proof, sitemaps), path, allow_ignored=allow_ignored, strict=strict, quiet=quiet)
        return
    if previous and (rules["plain"] or rules["created"]):
        _misuse("--previous has neither the dates of git log -1 nor those of creation: remove --plain and --created")
    earlier = _read_previous(previous, path, quiet=quiet) if previous else None
    if why:
        if form or complete:
            _misuse("--why cannot be combined with --format or --complete")
        if not Path(path).is_file():
            _misuse(f"--why explains a single file, and {path} is not a file")
        _explain(path, _rules(**rules), _read_evidence(evidence) if evidence else None, earlier, quiet=quiet)
    else:
        _show(path, _rules(**rules), form or "table", earlier, complete=complete, quiet=quiet)


def _misuse(message: str) -> NoReturn:
    raise click.UsageError(message)


def _fail(message: str) -> NoReturn:
    raise click.ClickException(message)


def _rules(
    *, plain: bool, kind: DateKind | None, no_follow_renames: bool, ignore_revs: tuple[str, ...], created: bool
) -> DateRules:
    if plain:
        if kind or no_follow_renames or ignore_revs or created:
            _misuse("--plain is exactly git log -1, so it cannot be combined with other rules")
        return PLAIN_DATES
    if kind == "landed" and ignore_revs:
        _misuse(
            "--ignore-revs cannot be combined with --date landed: on the first-parent line, a merge hides the commits "
            "that it merged"
        )
    files = tuple(os.path.abspath(file) for file in ignore_revs)
    return DateRules(
        date=kind or "committer", follow_renames=not no_follow_renames, ignore_revs=files or None, created=created
    )


def _show(path: str, rules: DateRules, form: str, previous: MemoryOf | None, *, complete: bool, quiet: bool) -> None:
    """Print the date of each file below a folder, or of one file."""
    try:
        files = dates_below(path, rules, read_deployment(os.environ).as_of, partial(_wait, quiet=quiet), previous)
    except HistoryError as error:
        _fail(str(error))
    # In one call, because each call flushes, and there can be thousands of lines.
    if form == "json":
        say_json({name: _record(file) for name, file in files.items()})
    else:
        say(*(_line(file, name) for name, file in files.items()))
        if not quiet:
            _summarize(files)
    unknown = [name for name, file in files.items() if file.when is None and file.reason != WRONG_CLOCK]
    if complete and unknown:
        _fail(f"{count_of(len(unknown), 'file')} without a date, such as {unknown[0]}")


def _summarize(files: Mapping[str, FileDate]) -> None:
    """Print how many files have a date, and what to do about the others."""
    reasons = [file.reason for file in files.values() if file.reason]
    dated = sum(file.when is not None for file in files.values())
    number = f"{count_of(len(files), 'file')}, {dated:,} with a date"
    say("; ".join([number, *count_reasons(reasons)]), err=True)
    if not files:
        say("no file here is in the last commit", err=True)
    if not {SHALLOW, UNREMEMBERED}.isdisjoint(reasons):
        say(f"to get the whole history, {read_deployment(os.environ).unshallow}", err=True)


def _record(date: FileDate) -> dict[str, str | None]:
    if date.when is None:
        return {"lastmod": None, "commit": None, "reason": date.reason}
    return {"lastmod": date.when.isoformat(), "commit": date.commit, "reason": None}


def _line(date: FileDate, name: str) -> str:
    if date.when is None or date.commit is None:
        return f"{'-':25}  {'-':{_SHORT}}  {name}  ({date.reason})"
    edited = "  (changed since)" if date.modified else ""
    return f"{date.when.isoformat():25}  {date.commit[:_SHORT]}  {name}{edited}"


def _wait(reader: HistoryReader, *, quiet: bool) -> History:
    """Wait for the history, with a progress bar, and print complaints about it."""
    with ProgressBar("reading the history", quiet=quiet) as bar:
        try:
            while state := reader.wait(_TICK):
                bar.count("dating files", state[0], state[1] or None)
            history = reader.history()
        except KeyboardInterrupt:
            reader.stop()
            raise
    if not quiet:
        objections = [f"--previous: {history.objection}; no date comes from it"] if history.objection else []
        say(*(f"note: {each}" for each in (*history.complaints, *history.too_large, *objections)), err=True)
    return history


def _explain(path: str, rules: DateRules, evidence: Evidence | None, previous: MemoryOf | None, *, quiet: bool) -> None:
    """Print how the date of one file was found, newest commit first."""
    deployment = read_deployment(os.environ)
    try:
        found = explain_date(path, rules, deployment.as_of, partial(_wait, quiet=quiet), previous)
    except HistoryError as error:
        _fail(str(error))
    date = found.date
    lines = [date.path]
    if found.ways:
        ways = " leads to ".join(found.ways)
        lines.append(f"  {ways} by a symbolic link; the newest of them dates it: {date.path}")
    lines += [_entry(each.commit.when(rules.date), each.commit.sha.decode(), _why(each)) for each in found.skipped]
    lines.append(_entry(found.when, date.commit, _verdict(date, rules)))
    if found.subject:
        lines.append(f"    {found.subject}")
    if found.has_translations:
        lines.append("  commits that changed no visible translation are ignored, and not listed here")
    if date.reason in {SHALLOW, UNREMEMBERED}:
        lines.append(f"  to get the whole history, {deployment.unshallow}")
    if date.modified:
        lines.append("  the file on disk differs from the last commit; that change has no date yet")
    if evidence is None and not quiet:
        hint = "add --evidence FILE, which a build writes with the option evidence"
        say(f"A page may be newer because of other files that it includes: {hint}.", err=True)
    say(*lines, *(_in_sitemap(page, date.path) for page in (evidence.pages_of(date.path) if evidence else ())))


def _entry(when: datetime | None, commit: str | None, what: str) -> str:
    return f"  {when.isoformat() if when else '-':25}  {(commit or '-')[:_SHORT]:{_SHORT}}  {what}"


def _why(skipped: SkippedCommit) -> str:
    old_path = os.fsdecode(skipped.old_path)
    return _REASONS[skipped.why].format(old_path) + ": ignored"


def _verdict(date: FileDate, rules: DateRules) -> str:
    if date.reason == WRONG_CLOCK:
        return f"no date: {WRONG_CLOCK}, because this is more than a day later than the last commit"
    if date.when is None:
        return f"no date: {date.reason}"
    if date.since:
        return f"unchanged since the build of {date.since[:_SHORT]}, which knew its date"
    what = "this created it" if rules.created else "this added it" if date.added else "this changed it last"
    brought = ", or brought it to the first-parent line" if rules.date == "landed" else ""
    return f"{what}{brought}: its date"


def _in_sitemap(page: PageEvidence, path: str) -> str:
    """A line on the date of a page that is made of this file."""
    if not page.lastmod:
        return f"  {page.loc} has no date"
    if page.is_dated_by(path):
        origin = "of this file"
    else:
        origin = f"of {page.path}, which the page includes" if page.source == "git" else f"({page.source})"
    return f"  {page.loc} has the date {page.lastmod} {origin}"


def _read_evidence(file: str) -> Evidence:
    try:
        return read_evidence(read_file(file, EVIDENCE))
    except OSError as error:
        _fail(f"{file}: {error.strerror or error}")
    except EvidenceError as error:
        _fail(f"{file}: {error}")


def _listings(proof: str, sitemaps: tuple[str, ...]) -> list[list[Entry]]:
    """The pages of the site, from these sitemaps together, or from each sitemap beside the evidence."""
    if sitemaps:
        return [[entry for file in sitemaps for entry in _read_sitemap(file)]]
    try:
        return [_read_sitemap(file) for file in sitemaps_beside(proof)]
    except EvidenceError as error:
        _fail(str(error))


def _read_previous(file: str, path: str, *, quiet: bool) -> MemoryOf:
    """The evidence of the last deployment; prints why no date comes from it, if that is so."""
    folder, _ = locate(path, DateRules())
    previous = PreviousEvidence(os.path.abspath(file), folder, is_expected=True)
    previous.start(folder)
    if not quiet and not is_whole(folder) and (problem := previous.find_problem()):
        say(f"note: --previous {file}: {problem}; no date comes from it", err=True)
    return previous.memory_of


def _read_sitemap(file: str) -> list[Entry]:
    try:
        return read_listed(Tree(os.path.dirname(file) or "."), os.path.basename(file), strict=True)
    except OSError as error:
        _fail(f"{error.filename or file}: {error.strerror or error}")
    except SitemapError as error:
        _fail(str(error))


def _prove(
    evidence: Evidence,
    listings: list[list[Entry]],
    path: str,
    *,
    allow_ignored: bool,
    strict: bool,
    quiet: bool,
) -> None:
    """Print how many dates are proven, and what is not. Each of the ``listings`` has all pages of the site."""
    from sitemap_plugins.folder.written_dates import read_lastmod  # only here are sources read

    try:
        wait = partial(_wait, quiet=quiet)
        proof = prove(evidence, path, wait, read_lastmod=read_lastmod, allow_ignored=allow_ignored, listings=listings)
    except HistoryError as error:
        _fail(str(error))
    if not quiet:
        say(*(f"note: {remark}" for remark in proof.remarks), err=True)
    say(*(f"not proven: {failure}" for failure in (*proof.differences, *proof.failures)), err=True)
    if proof.is_shallow:
        say(f"to get the whole history, {read_deployment(os.environ).unshallow}", err=True)
    believed = [f"{number} by {source}, which no repository can prove" for source, number in proof.unprovable.items()]
    if proof.composed:
        believed.insert(0, f"{proof.composed} of them from other files that, according to the build, the pages include")
    believed += [f"commit {head[:_SHORT]} is not in the history of the clone's HEAD" for head in proof.detached]
    believed += [
        f"{number} resting on {commit[:_SHORT]}, the commit of the build before, because the clone is shallow"
        for commit, number in proof.resting.items()
    ]
    rest = [*believed, *([f"{proof.undated} without a date"] if proof.undated else [])]
    rest += ["the sitemap differs from the evidence"] if proof.differences else []
    say("; ".join([f"{proof.proven} of {proof.total} proven", *rest]))
    if strict and believed:
        say(f"not proven (--strict): {'; '.join(believed)}", err=True)
    if proof.is_failed(strict=strict):
        raise SystemExit(1)
