"""Commits with a wrong clock: they are later than now by more than time zones and slow clocks explain."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from msgspec import structs

from sitemap_plugins.git.history import History
from sitemap_plugins.model import SHALLOW, WRONG_CLOCK, FileDate

_TOLERANCE: Final = timedelta(hours=24)


def is_later(when: datetime | None, now: datetime | None) -> bool:
    """Whether a date is so far after ``now`` that a clock must have been wrong."""
    return when is not None and now is not None and when - now > _TOLERANCE


def now_from_head(history: History, as_of: datetime | None) -> datetime | None:
    """The newer of HEAD's own date and ``as_of``, the time that the environment may set for a build."""
    return max(filter(None, (history.head_date, as_of)), default=None)


def is_head_wrong(history: History, as_of: datetime | None) -> bool:
    """Whether HEAD's clock is the wrong one, because most of the dates are later than HEAD's.

    If the history `is_cut`, it only may be: most of the files may have older dates that are not known.
    """
    dates = [date.when for date in history.files.values() if date.when]
    now = now_from_head(history, as_of)
    return sum(is_later(when, now) for when in dates) * 2 > len(dates)


def is_cut(history: History) -> bool:
    """Whether the clone is too shallow for the dates of some files."""
    return any(date.reason == SHALLOW for date in history.files.values())


def now_from_history(
    history: History, as_of: datetime | None, deployed: Callable[[], datetime | None] = lambda: None
) -> datetime | None:
    """What counts as "now" in the history of a whole folder: the newest commit if HEAD's clock is wrong.

    If the history is cut, it is the later of HEAD and the commit that the last deployment built, whose date
    ``deployed`` returns.
    """
    now = now_from_head(history, as_of)
    if now is None:
        return history.newest
    if not is_head_wrong(history, as_of):
        return now
    return max(now, deployed() or now) if is_cut(history) else history.newest


def without_wrong_date(date: FileDate, now: datetime | None) -> FileDate:
    """The date, or no date if the clock of its commit is wrong."""
    return structs.replace(date, when=None, reason=WRONG_CLOCK) if is_later(date.when, now) else date
