"""The dates of the files below a folder, or of one file, and how the date of a file was found; for people who ask."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime

import msgspec

from sitemap_plugins.git.dates import GitDates, now_from_head, now_from_history, router, without_wrong_date
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, History, HistoryReader
from sitemap_plugins.git.process import run_git
from sitemap_plugins.git.repository import CATALOGUE, HistoryError
from sitemap_plugins.git.walk import SkippedCommit
from sitemap_plugins.model import NOT_COMMITTED, FileDate


class DateExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """How the ``date`` of a file was found.

    ``when`` is the date of its commit, which does not count if the commit has a wrong clock, and ``subject`` the first
    line of the commit's message. ``skipped`` are newer commits that do not date the file, newest first. If links led to
    the file, ``ways`` are their paths and that of the file. With ``has_translations``, commits that changed no visible
    translation were skipped as well.
    """

    date: FileDate
    when: datetime | None
    subject: str
    skipped: tuple[SkippedCommit, ...]
    ways: tuple[str, ...]
    has_translations: bool


def dates_below(
    path: str, rules: DateRules, as_of: datetime | None, wait: Callable[[HistoryReader], History]
) -> Mapping[str, FileDate]:
    """The date of each file below a folder, or of one file, by its path relative to the folder.

    The dates are those of a build, except with `PLAIN_DATES`. ``as_of`` is the time that the environment sets, and
    ``wait`` waits for a history. Raises `HistoryError` if there are no dates.
    """
    file = _locate(path, rules)
    folder, name = (file, "") if os.path.isdir(file) else os.path.split(file)
    names = {os.fsencode(name)} if name else None
    history = _read(path, HistoryReader(folder, files=names, rules=rules), wait)
    files = {os.fsdecode(name): date for name, date in sorted(history.files.items())}
    if rules != PLAIN_DATES:
        now = now_from_head(history, as_of) if names else now_from_history(history, as_of)
        files = {name: without_wrong_date(date, now) for name, date in files.items()}
        # Links are dated by the newest of the link and what it leads to.
        places = {name: os.path.abspath(path)} if name else {each: os.path.join(folder, each) for each in files}
        find_route = router()  # which knows no links on Windows
        links = {
            name: place
            for name, place in places.items()
            if (os.path.islink(place) or find_route(place).links) and os.path.isfile(place)
        }
        dates = GitDates({}, rules, as_of).dates_of(links.values()) if links else {}
        files |= {name: dates[file] for name, file in links.items()}
    if names and not files:
        raise HistoryError(f"{path} is {NOT_COMMITTED}")
    return files


def explain_date(
    path: str, rules: DateRules, as_of: datetime | None, wait: Callable[[HistoryReader], History]
) -> DateExplanation:
    """How the date of one file was found; parameters and errors as for `dates_below`."""
    file, ways = _find_file(path, rules)
    folder, name = os.path.split(file)
    skipped: list[SkippedCommit] = []
    reader = HistoryReader(
        folder, files={os.fsencode(name)}, rules=rules, on_skip=lambda _, commit: skipped.append(commit)
    )
    history = _read(path, reader, wait)
    date = next(iter(history.files.values()), None)
    if date is None:
        raise HistoryError(f"{path} is {NOT_COMMITTED}, so git has no date for it")
    command = ("log", "-1", "--encoding=UTF-8", "--format=%s")
    subject = run_git(folder, *command, date.commit).stdout.strip() if date.commit else b""
    return DateExplanation(
        date=date if rules == PLAIN_DATES else without_wrong_date(date, now_from_head(history, as_of)),
        when=date.when,
        subject=subject.decode(errors="replace"),
        skipped=tuple(skipped),
        ways=ways,
        has_translations=rules.catalogues and os.fsencode(date.path).endswith(CATALOGUE),
    )


def _locate(path: str, rules: DateRules) -> str:
    """The folder or file to read.

    Links are followed, because readers see their targets; with `PLAIN_DATES` the file itself may be a link, as in git.
    """
    file = os.path.realpath(path)
    if rules != PLAIN_DATES or os.path.isdir(file):
        return file
    above, own = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(above), own)


def _find_file(path: str, rules: DateRules) -> tuple[str, tuple[str, ...]]:
    """The path of the file that gives a path its date, and the ways to it: the links that lead there, and the file."""
    file = os.path.abspath(path)
    route = router()(file)
    if route.links and rules != PLAIN_DATES:
        date = GitDates({}, rules).dates_of([file])[file]
        if date.link:
            ways = tuple(os.path.relpath(each, date.repository) for each in (date.link, route.file))
            return os.path.join(date.repository, *date.path.split("/")), ways
    return _locate(path, rules), ()


def _read(path: str, reader: HistoryReader, wait: Callable[[HistoryReader], History]) -> History:
    try:
        history = wait(reader)
    finally:
        reader.stop()
    if history.problem:
        raise HistoryError(f"{path}: {history.problem}")
    return history
