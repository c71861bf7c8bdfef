"""The command ``sitemap-plugins merge``: joins languages that were built one by one into one folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from sitemap_plugins.commands.place import Place, takes_place
from sitemap_plugins.commands.terminal import say
from sitemap_plugins.options import XDefault, parse_code
from sitemap_plugins.publish.writing import WriteError, locked, would_change, write_locked
from sitemap_plugins.values.text import printable

if TYPE_CHECKING:
    from sitemap_plugins.merge import LanguageFolder, Merge
    from sitemap_plugins.merge.language_folders import LanguageSummary

_EXAMPLES = 5
_HEADINGS = ("language", "folder", "known by", "listed", "linked", "absent", "not indexable", "other lang")
_WORDS = 3  # of these columns; the others are numbers


def _read_x_default(context: click.Context, parameter: click.Parameter, value: str | None) -> XDefault | None:
    if value is None:
        return None
    if value == "none":
        return XDefault.parse(False)  # noqa: FBT003  # what an author writes in the option
    try:
        return XDefault.parse(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}; the path of a page has a slash in it, and none is none") from None


def _read_languages(
    context: click.Context,
    parameter: click.Parameter,
    values: Iterable[str],
) -> list[LanguageFolder]:
    from sitemap_plugins.merge import LanguageFolder

    found: dict[str, LanguageFolder] = {}
    for value in values:
        name, equals, folder = value.partition("=")
        path = PurePosixPath(folder.replace("\\", "/"))
        if not equals or not folder or path.is_absolute() or ".." in path.parts:
            raise click.BadParameter(
                f"{value!r} is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"
            )
        try:
            code = parse_code(name)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
        key = "" if path == PurePosixPath(".") else path.as_posix()
        if key in found or any(each.code == code for each in found.values()):
            raise click.BadParameter(f"{code} or {path} is named twice")
        found[key] = LanguageFolder(folder=key, code=code, evidence="--language", mapped=True)
    return [*found.values()]


def _check_folders(root: str, languages: Sequence[LanguageFolder]) -> None:
    """Raise `click.BadParameter` where the named languages cannot be joined."""
    hint = "'--language'"
    for language in languages:
        folder = language.folder or "."
        if not _is_folder(Path(root, folder)):
            message = f"there is no folder {folder} below {root}; FOLDER is relative to ROOT"
            raise click.BadParameter(message, param_hint=hint)
    if len(languages) == 1:
        message = "one language has nothing to be joined with: name all of them, such as "
        raise click.BadParameter(f"{message}--language en=. --language fr=fr", param_hint=hint)


@click.command("merge")
@takes_place
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="CODE=FOLDER",
    callback=_read_languages,
    help="A language and its folder below ROOT (. is ROOT); once for each language, and only those are joined. By "
    "default they are found by the names of the folders and the languages of the pages in them.",
)
@click.option(
    "--x-default",
    metavar="CODE|PATH|none",
    callback=_read_x_default,
    help="The language, or the page to choose one, for readers of no other. By default the one that the sitemaps name, "
    "else the language at ROOT itself.",
)
@click.option("--pattern", default="sitemap*.xml", show_default=True, help="The names of the sitemaps.")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and write nothing.")
def merge_command(
    place: Place, languages: list[LanguageFolder], x_default: XDefault | None, pattern: str, *, dry_run: bool
) -> None:
    """Join the languages that were built one by one and are published below ROOT.

    Reads the sitemaps in ROOT and its folders, and writes into them which pages are translations of one another: those
    with the same path in the folders of two languages, and those that name one another in their sitemaps. Only pages
    that exist and may be indexed are named, and each names all others. Merging again changes nothing.
    """

    def write(root: str) -> tuple[Merge, list[str]]:
        try:
            with nullcontext() if dry_run else locked(root):  # so that nothing changes between reading and writing
                merged = _merge(root, languages, x_default, pattern)
                return merged, would_change(merged.files, root) if dry_run else write_locked(merged.files, root)
        except WriteError as error:
            raise click.ClickException(str(error)) from None

    (merged, changed), outcome = place.work(write, "Join the languages in the sitemaps", dry_run=dry_run)
    _show(merged, changed, dry_run=dry_run)
    say(*outcome)
    if merged.problems:
        raise SystemExit(1)


def _merge(root: str, languages: list[LanguageFolder], x_default: XDefault | None, pattern: str) -> Merge:
    from sitemap_plugins.built import read_published
    from sitemap_plugins.merge import merge

    _check_folders(root, languages)
    try:
        published = read_published(Path(root), pattern)
    except OSError as error:
        raise click.ClickException(f"{error.filename or root}: {error.strerror or error}") from None
    if not published.sitemaps:
        _complain(published.problems)
        raise click.ClickException(
            f"there is no sitemap that could be used in {root} (files {pattern}): build the site with one first"
        )
    return merge(published, languages, x_default)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # no folder can have that name
        return False


def _show(merged: Merge, changed: list[str], *, dry_run: bool) -> None:
    """The table of what was decided, and sentences on what is not in it."""
    lines = _table(merged.languages) if merged.languages else []
    counts = (
        f"pages in several languages: {merged.clusters}; links: {merged.alternates} (before: {merged.before}); "
        f"x-default: {merged.x_default or 'none'}"
    )
    lines.append(counts)
    if merged.declared:
        lines.append(f"declared translations on other sites, which nobody could check here: {merged.declared}")
    if merged.refuted:
        lines.append(f"links that led to no listed page and were removed: {len(merged.refuted)}")
        lines += _first(merged.refuted)
    if merged.conflicts:
        lines.append(f"links that contradict others, and so were passed over: {len(merged.conflicts)}")
        lines += _first(merged.conflicts)
    lines += [f"note: {remark}" for remark in merged.remarks]
    verb = "would change" if dry_run else "changed"
    lines.append(f"{verb}: {', '.join(changed)}" if changed else "nothing to change")
    for line in lines:
        say(line)
    _complain(merged.problems)


def _table(languages: Iterable[LanguageSummary]) -> list[str]:
    """A line for each language, with its numbers below one another."""
    from rich.cells import cell_len

    rows: list[tuple[str, ...]] = [_HEADINGS]
    for each in languages:
        numbers = (each.listed, each.translated, each.absent, each.closed, each.foreign)
        folder = printable(each.language.folder or ".")
        rows.append((each.language.code, folder, each.language.evidence, *map(str, numbers)))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        blanks = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        words = [cell + blank for cell, blank in zip(row[:_WORDS], blanks, strict=False)]
        figures = [blank + cell for cell, blank in zip(row[_WORDS:], blanks[_WORDS:], strict=True)]
        lines.append("  ".join(words + figures))
    return lines


def _complain(problems: Iterable[str]) -> None:
    for problem in problems:
        say(f"problem: {problem}", err=True)


def _first(sentences: Sequence[str]) -> list[str]:
    """A few of them, and how many more there are."""
    more = len(sentences) - _EXAMPLES
    return [*(f"  {each}" for each in sentences[:_EXAMPLES]), *([f"  and {more} more"] if more > 0 else [])]
