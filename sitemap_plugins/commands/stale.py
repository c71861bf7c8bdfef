"""Which files have not changed for long: the option ``--older-than``, and a list of them in Markdown."""

from __future__ import annotations

import os
import posixpath
from calendar import monthrange
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

import click

from sitemap_plugins.model import FileDate
from sitemap_plugins.options import Settings
from sitemap_plugins.pages import find_bulk_commit
from sitemap_plugins.session.deployment import read_deployment
from sitemap_plugins.values.text import plural

_MONTHS: Final = {"m": 1, "y": 12}
_DAYS: Final = {"d": 1, "w": 7}
_SHORT: Final = 10  # characters of a commit's id
_LONGEST: Final = 6  # digits of an age
_LISTED: Final = 20  # files without a date


def read_age(_context: click.Context, _parameter: click.Parameter, value: str | None) -> date | None:
    """The day (UTC) before which a file is old, from an age such as 180d, or from the day itself.

    An age is counted back from SOURCE_DATE_EPOCH if that is set, else from today. Raises `click.BadParameter`.
    """
    if value is None:
        return None
    number, unit = value[:-1], value[-1:]
    try:
        if len(value) == len("2026-01-31") and value.count("-") == 2:
            return date.fromisoformat(value)
        if number.isascii() and number.isdecimal() and len(number) <= _LONGEST and unit in {*_MONTHS, *_DAYS}:
            today = (read_deployment(os.environ).as_of or datetime.now(UTC)).date()
            if unit in _DAYS:
                return today - timedelta(days=int(number) * _DAYS[unit])
            return _months_before(today, int(number) * _MONTHS[unit])
    except (ValueError, OverflowError):  # no such day, or before the year 1
        pass
    raise click.BadParameter(f"{value!r} is neither an age such as 180d, 26w, 6m or 2y nor a day such as 2026-01-31")


def _months_before(day: date, months: int) -> date:
    """The same day of an earlier month, or the last day of that month if it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def is_old(file: FileDate, before: date) -> bool:
    """Whether a file last changed before this day (UTC). A file without a date is not old."""
    return (day := _day(file)) is not None and day < before


def _day(file: FileDate) -> date | None:
    return file.when.astimezone(UTC).date() if file.when else None


def render_markdown(folder: str, files: Mapping[str, FileDate], before: date | None) -> Iterator[str]:
    """The lines of a list of files by folder, only the old ones if ``before`` is given; nothing if there are none.

    ``files`` are by their paths relative to ``folder``. Files without a date follow, and a remark on a bulk commit.
    """
    shown = {name: file for name, file in files.items() if file.when and (before is None or is_old(file, before))}
    undated = {name: file.reason for name, file in files.items() if file.when is None}
    if not shown and not undated:
        return
    bulk = find_bulk_commit(files.values(), len(files), Settings().git.bulk_share)
    in_bulk = {name for name, file in shown.items() if bulk and file.commit == bulk.commit and not file.added}
    folder = posixpath.normpath(folder.replace(os.sep, "/"))
    total = f"{len(files):,} {plural(len(files), 'file')} in {_code(folder)}"
    yield total if before is None else f"{len(shown):,} of {total} last changed before {before}."
    by_folder: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(shown, key=lambda name: (shown[name].when, name)):
        by_folder[posixpath.dirname(name)].append(name)
    for below, names in sorted(by_folder.items()):
        yield from ("", f"### {_code(posixpath.normpath(posixpath.join(folder, below)))}", "")
        for name in names:
            file = shown[name]
            marks = f"{' (bulk commit)' if name in in_bulk else ''}{' (changed since)' if file.modified else ''}"
            what = f"{_day(file)}, commit {(file.commit or '')[:_SHORT]}"
            yield f"- [ ] {_code(posixpath.basename(name))}: {what}{marks}"
    if undated:
        yield from ("", "### Without a date", "")
        # In a shallow clone, these may be all files, and an issue has a limit.
        yield from (f"- {_code(name)}: {reason}" for name, reason in islice(undated.items(), _LISTED))
        yield from [f"- and {len(undated) - _LISTED:,} more"] if len(undated) > _LISTED else []
    if bulk and in_bulk:
        yield ""
        yield (
            f"Bulk commit: {bulk.commit[:_SHORT]} of {bulk.when.astimezone(UTC):%Y-%m-%d} dates {bulk.number:,} of "
            f"{len(files):,} files, so this date says little about each of them. If it changed nothing that readers "
            "see, add it to `.git-blame-ignore-revs`."
        )


def _code(text: str) -> str:
    """The text as code in Markdown, where nothing in it mentions anybody, links or is HTML."""
    fence = "`"
    while fence in text:
        fence += "`"
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"
