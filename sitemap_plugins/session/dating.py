"""Dates the pages of a build: rules for git, times of files, and the dates that pages show."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from sitemap_plugins.git import DateRules, GitDates
from sitemap_plugins.model import NO_FILE, Dated, FileDate, LastMod, Note, Page, Site
from sitemap_plugins.options import Mistake, Settings
from sitemap_plugins.pages import DatesOf, enrich
from sitemap_plugins.session.file_globs import file_finder
from sitemap_plugins.values.text import short_repr


class ShownDate(NamedTuple):
    """The dates that a page shows, of its last change and its creation; None if unknown."""

    lastmod: LastMod | None
    created: datetime | None


def date_rules(settings: Settings, directory: str | os.PathLike[str]) -> tuple[DateRules, list[Mistake]]:
    """The rules for dates from git, with the author's files in ``directory``, and a mistake for each missing file."""
    names = settings.git.ignore_revs.files
    files = {name: os.path.join(directory, name) for name in names or ()}
    missing = [name for name, file in files.items() if not os.path.isfile(file)]
    message = f"in {os.fspath(directory)} there is no file"
    rules = DateRules(
        date=settings.git.date,
        follow_renames=settings.git.follow_renames,
        ignore_revs=None if names is None else tuple(file for name, file in files.items() if name not in missing),
    )
    return rules, [Mistake("git.ignore_revs", f"{message} {short_repr(name)}") for name in missing]


def dates_of_modification(files: Iterable[str]) -> Mapping[str, FileDate]:
    """When each file on disk was last written, to the second: the ``lastmod`` source ``mtime``."""
    return {file: _date_of_modification(file) for file in files}


def _date_of_modification(file: str) -> FileDate:
    try:
        return FileDate(when=datetime.fromtimestamp(Path(file).stat().st_mtime_ns // 10**9, UTC))
    except (OSError, OverflowError, ValueError):
        return FileDate(when=None, reason=NO_FILE)


def dates_of_files(git: GitDates | None) -> dict[str, DatesOf]:
    """The sources of dates of files, by the name of the ``lastmod`` source."""
    return {"mtime": dates_of_modification, "git": git.dates_of} if git else {"mtime": dates_of_modification}


def date_pages(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    dates: Mapping[str, DatesOf],
    root: str | os.PathLike[str],
) -> dict[str, Dated]:
    """The date of each page by its name, as in the sitemap unless a hook changes it.

    Pages without a translation have a date too: only the sitemap leaves them out.
    """
    shown = (structs.replace(page, omit=None) if page.omit == "untranslated" else page for page in pages)
    candidates, _, _ = enrich(site, shown, settings, dates, file_finder(root))
    return {candidate.page.name: candidate.dated for candidate in candidates}


def git_notes(git: GitDates) -> Iterator[Note]:
    """Notes on the repositories themselves."""
    if git.problem:
        yield Note(kind="no-git", message=git.problem)
    for complaint in git.complaints:
        yield Note(kind="ignore-revs", message=complaint)
    if git.wrong_clock:
        yield Note(kind="wrong-clock", message=git.wrong_clock)
