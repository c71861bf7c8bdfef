"""The command ``sitemap-plugins dates``: what git says of every file, why, and whether published dates hold."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from sitemap_plugins.enrich.git_history import NOT_COMMITTED, PLAIN_DATES, DateRules, History, HistoryReader
from sitemap_plugins.enrich.git_process import toplevel_of
from sitemap_plugins.enrich.git_walk import DateKind, Passage
from sitemap_plugins.formats.evidence import Evidence, EvidenceError, read_evidence
from sitemap_plugins.model import FileDate
from sitemap_plugins.proving import prove
from sitemap_plugins.terminal import printable

_PATIENCE: Final = 1.0  # seconds until progress is shown
_TICK: Final = 0.1
_SHORT: Final = 10  # characters of a commit's id


@click.command("dates")
@click.argument("path", type=click.Path(exists=True), default=".")
@click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True, help="How to print."
)
@click.option("--plain", is_flag=True, help="Exactly what git log -1 says of each file, without any rule on top.")
@click.option(
    "--date",
    "kind",
    type=click.Choice(["committer", "author", "landed"]),
    default="committer",
    show_default=True,
    help="Whose date; landed: when it reached the first-parent line.",
)
@click.option("--no-follow-renames", is_flag=True, help="A new name is a change, even if the content is the same.")
@click.option(
    "--ignore-revs",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A file with commits that count for nothing, instead of .git-blame-ignore-revs; may be given more than once.",
)
@click.option("--created", is_flag=True, help="When the files were created, not when they last changed.")
@click.option("--why", is_flag=True, help="The story of one file: what was passed over, and what dates it.")
@click.option(
    "--evidence",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="With --why: the evidence of a build, which knows what else pages are made of.",
)
@click.option(
    "--prove",
    "proof",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Derive all dates of a build's evidence again in the clone at PATH.",
)
def dates_command(path: str, form: str, *, why: bool, evidence: str | None, proof: str | None, **options: Any) -> None:  # noqa: ANN401  # those of `_rules`
    """Show when each file below PATH last changed, as the sitemap has it, with the commit.

    PATH is a folder or a file in a git repository. Only tracked files are shown.
    """
    rules = _rules(**options)
    if evidence and not why:
        message = "--evidence tells more of one file's story, so it goes with --why"
        raise click.UsageError(message)
    if proof:
        _prove(_read_evidence(proof), path)
    elif why:
        if not Path(path).is_file():
            message = f"--why tells the story of one file, and {path} is none"
            raise click.UsageError(message)
        _tell(path, rules, _read_evidence(evidence) if evidence else None)
    else:
        _show(path, rules, form)


def _rules(
    *, plain: bool, kind: DateKind, no_follow_renames: bool, ignore_revs: tuple[str, ...], created: bool
) -> DateRules:
    if plain:
        if kind != "committer" or no_follow_renames or ignore_revs or created:
            message = "--plain is exactly git log -1, so no other rule goes with it"
            raise click.UsageError(message)
        return PLAIN_DATES
    if kind == "landed" and ignore_revs:
        message = (
            "--ignore-revs does not go with --date landed: on the first-parent line a commit is seen only together "
            "with all that was merged with it"
        )
        raise click.UsageError(message)
    files = tuple(os.path.abspath(file) for file in ignore_revs)  # noqa: PTH100  # as everywhere git is read
    return DateRules(date=kind, follow_renames=not no_follow_renames, ignore_revs=files or None, births=created)


def _show(path: str, rules: DateRules, form: str) -> None:
    """All files below a folder, or the one file."""
    folder, names = _place(path)
    history = _read(folder, names, rules)
    files = {os.fsdecode(name): date for name, date in sorted(history.files.items())}
    if names and not files:
        raise click.ClickException(f"{path} is {NOT_COMMITTED}")  # noqa: EM102, TRY003  # click's way
    if form == "json":
        click.echo(json.dumps({name: _record(date) for name, date in files.items()}, indent=1))
        return
    for name, date in files.items():
        click.echo(_line(date, name))
    reasons = Counter(date.reason for date in files.values() if date.reason)
    missing = "".join(f"; {number} {reason}" for reason, number in sorted(reasons.items()))
    click.echo(
        f"{len(files)} files, {sum(date.when is not None for date in files.values())} with a date{missing}", err=True
    )


def _record(date: FileDate) -> dict[str, str | None]:
    if date.when is None:
        return {"lastmod": None, "commit": None, "reason": date.reason}
    return {"lastmod": date.when.isoformat(), "commit": date.commit, "reason": None}


def _line(date: FileDate, name: str) -> str:
    if date.when is None or date.commit is None:
        return printable(f"{'-':25}  {'-':{_SHORT}}  {name}  ({date.reason})")
    edited = "  (changed since)" if date.modified else ""
    return printable(f"{date.when.isoformat():25}  {date.commit[:_SHORT]}  {name}{edited}")


def _place(path: str) -> tuple[str, set[bytes] | None]:
    """The folder to read, and the file in it, if it is one. What a link leads to is what readers see."""
    target = os.path.realpath(path)
    if os.path.isdir(target):  # noqa: PTH112  # as everywhere git is read
        return target, None
    folder, name = os.path.split(target)
    return folder, {os.fsencode(name)}


def _read(
    folder: str, files: set[bytes] | None, rules: DateRules, passed: Callable[[bytes, Passage], object] | None = None
) -> History:
    """The history, with a progress bar on a terminal when it takes long."""
    reader = HistoryReader(folder, files=files, rules=rules, passed=passed)
    try:
        if reader.wait(_PATIENCE) and sys.stderr.isatty():
            _show_progress(reader)
        history = reader.history()
    except KeyboardInterrupt:
        reader.stop()
        raise
    if history.problem:
        raise click.ClickException(history.problem)
    for complaint in history.complaints:
        click.echo(printable(f"note: {complaint}; it is passed over"), err=True)
    return history


def _show_progress(reader: HistoryReader) -> None:
    from rich.console import Console  # noqa: PLC0415  # only when it is used
    from rich.progress import Progress  # noqa: PLC0415  # the same

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("files dated", total=None)
        while state := reader.wait(_TICK):
            progress.update(task, completed=state[0], total=state[1] or None)


def _tell(path: str, rules: DateRules, evidence: Evidence | None) -> None:
    """The story of one file, newest first."""
    folder, names = _place(path)
    passages: list[Passage] = []
    history = _read(folder, names, rules, lambda _, passage: passages.append(passage))
    date = next(iter(history.files.values()), None)
    if date is None:
        raise click.ClickException(f"{path} is {NOT_COMMITTED}, so git knows no date for it")  # noqa: EM102, TRY003  # click's way
    lines = [date.path, *(_passed_over(passage, rules.date) for passage in passages), _verdict(date, rules)]
    if date.modified:
        lines.append("  the file on disk differs from the last commit; that has no date yet")
    for line in (*lines, *_in_sitemap(date, evidence)):
        click.echo(printable(line))


def _passed_over(passage: Passage, kind: DateKind) -> str:
    if passage.why == "renamed":
        why = f"renamed from {os.fsdecode(passage.old_path)} with the same content, which is no change"
    else:
        why = "named as a commit to be ignored"
    when = passage.commit.when(kind)
    return f"  {when.isoformat() if when else '-':25}  {passage.commit.sha.decode()[:_SHORT]}  {why}: passed over"


def _verdict(date: FileDate, rules: DateRules) -> str:
    if date.when is None or date.commit is None:
        return f"  {'-':25}  {'-':{_SHORT}}  no date: {date.reason}"
    what = "this created it" if rules.births else "this added it" if date.added else "this changed it last"
    if rules.date == "landed":
        what += ", or brought it to the first-parent line"
    return f"  {date.when.isoformat():25}  {date.commit[:_SHORT]}  {what}: its date"


def _in_sitemap(date: FileDate, evidence: Evidence | None) -> Iterator[str]:
    """What the evidence says of pages that have this file for their source, or are dated by it."""
    for page in evidence.pages if evidence else ():
        is_source = date.path == page.page or date.path.endswith(f"/{page.page}")
        if page.path == date.path and page.lastmod:
            yield f"  {page.loc} has the date {page.lastmod} of this file"
        elif is_source and page.path and page.lastmod:
            yield f"  {page.loc} has the date {page.lastmod} of {page.path}, which it is made of too"
        elif is_source:
            yield f"  {page.loc} has " + (f"the date {page.lastmod} ({page.source})" if page.lastmod else "no date")


def _read_evidence(file: str) -> Evidence:
    try:
        return read_evidence(Path(file).read_bytes())
    except OSError as error:
        raise click.ClickException(f"{file}: {error.strerror or error}") from None  # noqa: EM102, TRY003  # click's way
    except EvidenceError as error:
        raise click.ClickException(f"{file}: {error}") from None  # noqa: EM102, TRY003  # the same


def _prove(evidence: Evidence, path: str) -> None:
    """Say how many dates hold, and name what does not."""
    folder, _ = _place(path)
    if toplevel_of(folder) is None:
        raise click.ClickException(f"{path} is in no git repository; give PATH, a folder of the clone")  # noqa: EM102, TRY003  # click's way
    proof = prove(evidence, folder)
    for failure in proof.failures:
        click.echo(printable(f"not proven: {failure}"), err=True)
    rest = [f"{number} by {source}, which no repository can prove" for source, number in proof.unprovable.items()]
    rest += [f"{proof.undated} without a date"] if proof.undated else []
    click.echo(f"{proof.proven} of {proof.total} proven" + "".join(f"; {each}" for each in rest))
    if proof.failures:
        raise SystemExit(1)
