"""Languages in ``sitemap-plugins merge``: joins them in the existing sitemaps and describes the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import click

from sitemap_plugins.commands.terminal import first_of, say, table
from sitemap_plugins.options import XDefault

if TYPE_CHECKING:
    from sitemap_plugins.merge import LanguageFolder, Merge
    from sitemap_plugins.merge.language_folders import LanguageSummary
    from sitemap_plugins.model import OutputFile

_EXAMPLES: Final = 5
_HEADINGS: Final = ("language", "folder", "known by", "listed", "linked", "absent", "not indexable", "other lang")
_WORDS: Final = 3  # the first columns are text, the others are numbers


class Outcome(NamedTuple):
    """The files to write, the lines to print, and the problems that make the command fail."""

    files: Sequence[OutputFile]
    lines: Sequence[str]
    problems: Sequence[str]


def merge_languages(root: str, languages: list[LanguageFolder], x_default: XDefault | None, pattern: str) -> Outcome:
    """Join the languages below a root without versions. Raises `click.ClickException`."""
    from sitemap_plugins.built import read_published
    from sitemap_plugins.merge import merge

    published = read_published(Path(root), pattern)
    if not published.sitemaps:
        refuse(root, pattern, published.problems)
    merged = merge(published, languages, x_default)
    return Outcome(merged.files, describe_languages(merged), merged.problems)


def refuse(root: str, pattern: str, problems: Iterable[str]) -> NoReturn:
    """Print the problems, which may be the cause, and raise the error that there is nothing to merge."""
    for problem in problems:
        say(f"problem: {problem}", err=True)
    raise click.ClickException(
        f"there is no usable sitemap in {root} (files {pattern}): build the site with a sitemap first"
    )


def describe_languages(merged: Merge) -> list[str]:
    """The table of languages, then sentences on links, translations and conflicts."""
    lines = _table(merged.languages) if merged.languages else []
    counts = (
        f"pages in several languages: {merged.clusters}; links: {merged.alternates} (before: {merged.before}); "
        f"x-default: {merged.x_default or 'none'}"
    )
    lines.append(counts)
    if merged.declared:
        lines.append(f"declared translations on other sites (not checked): {merged.declared}")
    if merged.refuted:
        lines.append(f"links removed because they led to no listed page: {len(merged.refuted)}")
        lines += first_of([f"  {each}" for each in merged.refuted], _EXAMPLES)
    if merged.conflicts:
        lines.append(f"links ignored because they contradict others: {len(merged.conflicts)}")
        lines += first_of([f"  {each}" for each in merged.conflicts], _EXAMPLES)
    return [*lines, *(f"note: {remark}" for remark in merged.remarks)]


def _table(languages: Iterable[LanguageSummary]) -> list[str]:
    """A heading and a line for each language."""
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for each in languages:
        numbers = (each.listed, each.translated, each.absent, each.closed, each.foreign)
        rows.append((each.language.code, each.language.folder or ".", each.language.known_by, *map(str, numbers)))
    return table(rows, words=_WORDS)
