"""Dates in the formats that sitemaps allow: read in any of them, written in one (W3C Datetime, SM-MOD-01)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal, TypeAlias

from sitemap_plugins.model import LastMod

DateStyle: TypeAlias = Literal["datetime", "date"]
"""How dates are written, in all files of a build: with the time of day, or without it."""

_ACCEPTED: Final = "a date like 2026-03-01 or 2026-03-01T10:00:00+01:00"
_FULL_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
# What Python reads differs: hour 24 is the next day from 3.14 on, seconds may end with a full stop before 3.14, and
# offsets may have 60 minutes before 3.15. No such text is a date here.
_MOMENT: Final = re.compile(
    r"""
    (?P<day>\d{4}-?(?:\d{2}-?\d{2}|W\d{2}(?:-?\d)?))
    (?:
        (?P<time>[T\ ](?:[01]\d|2[0-3])(?::?[0-5]\d(?::?[0-5]\d(?:[.,]\d+)?)?)?)
        \s*(?P<zone>Z|[+-]\d{2}(?::?[0-5]\d)?)?
    )?
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_ONE_DAY: Final = timedelta(days=1)
_FARTHEST: Final = timedelta(hours=14)


def parse_lastmod(value: object) -> LastMod:
    """The date that an author wrote, as a date, a datetime or text in ISO 8601.

    A time of day without a time zone is ambiguous, so only its date is kept. Raises ValueError, with a readable
    message, for anything that is not a complete and valid date.
    """
    message = f"{value!r} is not {_ACCEPTED}"
    if isinstance(value, date):
        if value.year == 1:  # Go, and so Hugo, writes this for no date
            raise ValueError(message)
        return value if not isinstance(value, datetime) or value.tzinfo else value.date()
    text = value.strip() if isinstance(value, str) else ""
    if not _FULL_DATE.match(text):
        raise ValueError(message)
    try:
        return parse_lastmod(date.fromisoformat(text) if _FULL_DATE.fullmatch(text) else parse_moment(text))
    except ValueError:
        raise ValueError(message) from None


def lastmod_or_none(value: object) -> LastMod | None:
    """The date that `parse_lastmod` returns, or None if it is not valid."""
    try:
        return parse_lastmod(value)
    except ValueError:
        return None


def parse_moment(text: str) -> datetime:
    """The moment that a text in ISO 8601 means, the same with every Python: a date, and a time of day if there is one.

    The zone may be ``+01``, ``+0100`` or after a space. Raises ValueError for other text.
    """
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not {_ACCEPTED}")
    return datetime.fromisoformat(f"{match['day']}{match['time'] or ''}{match['zone'] or ''}".upper())


def format_lastmod(value: LastMod, form: DateStyle) -> str:
    """Return ``2026-03-01`` or ``2026-03-01T09:00:00Z``; an offset other than UTC is kept as written.

    ``form="date"`` gives only the date, in the value's own offset.
    """
    if form == "date" or not isinstance(value, datetime):
        return value.strftime("%Y-%m-%d") if value.year > 999 else f"{value.year:04}-{value:%m-%d}"
    if value.tzinfo is UTC:  # the usual case: dates of git
        return value.isoformat(timespec="seconds").removesuffix("+00:00") + "Z"
    offset = value.utcoffset() or timedelta()
    if offset % timedelta(minutes=1) or abs(offset) > _FARTHEST:
        try:
            value = value.astimezone(UTC)  # W3C Datetime allows only whole minutes, and schemas up to fourteen hours
        except OverflowError:  # at the first or last date that Python can represent
            return format_lastmod(value, "date")
    text = value.replace(microsecond=0).isoformat()
    return text.removesuffix("+00:00") + "Z" if value.utcoffset() == timedelta() else text


def moment_of(value: LastMod) -> datetime:
    """The point in time by which a date is compared; for a date without a time, the beginning of the day in UTC."""
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day, tzinfo=UTC)


def is_future(value: LastMod, as_of: datetime | None) -> bool:
    """Whether the date is more than a day after ``as_of`` (SM-MOD-03: one day of skew, since days differ by zone)."""
    return as_of is not None and age_of(value, as_of) < -_ONE_DAY


def age_of(value: LastMod, as_of: datetime) -> timedelta:
    """The time from a date to ``as_of``, negative if the date is later; whole days for a date without a time."""
    return as_of - value if isinstance(value, datetime) else as_of.astimezone(UTC).date() - value
