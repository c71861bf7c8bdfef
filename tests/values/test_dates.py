"""Dates as authors write them and as sitemaps contain them."""

import re
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.values.dates import format_lastmod, is_future, parse_lastmod

DAY = date(2026, 3, 1)
MORNING = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
CET = timezone(timedelta(hours=1))
HIGHEST = datetime.max.replace(tzinfo=UTC)
# Two of the six W3C forms, which the schema allows too (SM-MOD-01).
W3C = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2}))?")

zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(2, 1, 1), timezones=zones)  # noqa: DTZ001  # its type


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (DAY, DAY),
        (MORNING, MORNING),
        ("2026-03-01", DAY),
        (" 2026-03-01 ", DAY),
        ("2026-03-01T10:00:00z", MORNING),
        ("2026-03-01T10:00Z", MORNING),
        ("2026-03-01T10Z", MORNING),
        ("2026-03-01 10:00:00 Z", MORNING),
        ("2026-03-01T11:00:00+01", MORNING),
        ("2026-03-01 11:00:00 +0100", MORNING),
        ("2026-03-01T04:30:00-05:30", MORNING),
        ("2026-03-01T10:00:00.25Z", MORNING.replace(microsecond=250_000)),
        ("2026-03-01T23:59:59+23:59", datetime(2026, 3, 1, 0, 0, 59, tzinfo=UTC)),
    ],
)
def test_a_date_is_read_as_written(written: object, read: date) -> None:
    assert parse_lastmod(written) == read
    assert type(parse_lastmod(written)) is type(read)


def test_the_offset_of_the_author_is_kept() -> None:
    assert format_lastmod(parse_lastmod("2026-03-01 11:00 +0100"), "datetime") == "2026-03-01T11:00:00+01:00"


@pytest.mark.parametrize(
    "written", ["2026-03-01T10:00:00", "2026-03-01 10:00", "2026-03-01T10", MORNING.replace(tzinfo=None)]
)
def test_a_time_without_a_zone_is_only_a_date(written: object) -> None:
    assert format_lastmod(parse_lastmod(written), "datetime") == "2026-03-01"


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", "yesterday", "2026", "2026-03", "2026-3-1", "20260301", "01.03.2026", "03/01/2026", "2026-W10-1"),
        *("2026-02-29", "2026-13-01", "2026-00-01", "0000-01-01", "0001-01-01", "0001-01-01T00:00:00Z"),
        *("2026-03-01T25:00:00Z", "2026-03-01T10:60Z"),
        # Not all Pythons refuse these.
        *("2026-03-01T24:00:00Z", "2026-03-01T24Z", "2026-03-01-24", "2026-03-01T10:00:00.Z"),
        *("2026-03-01T10:00:00,", "2026-03-01T10.5Z"),
        *("2026-03-01T10:00:00+01:60", "2026-03-01T10:00+0160", "2026-03-01T10:00:00+01:00:60"),
        *("2026-03-01T10:00:00+25:00", "2026-03-01T", "2026-03-01 at ten", "2026-03-011"),
        "\uff12\uff10\uff12\uff16-03-01",
        *(None, True, 20260301, 1.5, [], {}, b"2026-03-01", [DAY]),
    ],
)
def test_an_incomplete_or_impossible_date_is_refused_with_an_example(written: object) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{written!r} is not a date like 2026-03-01 or ")):
        parse_lastmod(written)


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (DAY, "datetime", "2026-03-01"),
        (MORNING, "datetime", "2026-03-01T10:00:00Z"),
        (MORNING, "date", "2026-03-01"),
        (MORNING.replace(microsecond=999_999), "datetime", "2026-03-01T10:00:00Z"),
        (MORNING.replace(tzinfo=timezone(timedelta())), "datetime", "2026-03-01T10:00:00Z"),
        (MORNING.astimezone(CET), "datetime", "2026-03-01T11:00:00+01:00"),
        (MORNING.astimezone(timezone(-timedelta(hours=3, minutes=30))), "datetime", "2026-03-01T06:30:00-03:30"),
        # Late in the evening on the author's clock, but the next day in UTC.
        (datetime(2026, 3, 1, 23, 30, tzinfo=timezone(-timedelta(hours=8))), "date", "2026-03-01"),
        (date(987, 1, 2), "datetime", "0987-01-02"),
        (datetime(2026, 3, 1, 9, tzinfo=timezone(timedelta(seconds=30))), "datetime", "2026-03-01T08:59:30Z"),
        # In UTC this is in the year 0.
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(seconds=30))), "datetime", "0001-01-01"),
        (date(7, 1, 2), "date", "0007-01-02"),
    ],
)
def test_a_date_is_written_in_the_requested_form(value: date, form: str, text: str) -> None:
    assert format_lastmod(value, form) == text


@given(moments)
def test_a_written_moment_is_read_back_to_the_second(moment: datetime) -> None:
    text = format_lastmod(moment, "datetime")
    assert W3C.fullmatch(text)
    assert parse_lastmod(text) == moment.replace(microsecond=0)
    assert parse_lastmod(text).utcoffset() == moment.utcoffset()


@given(st.dates(date(2, 1, 1)) | moments)
def test_a_written_day_is_read_back(value: date) -> None:
    text = format_lastmod(value, "date")
    assert W3C.fullmatch(text)
    assert parse_lastmod(text) == (value.date() if isinstance(value, datetime) else value)


@given(st.text() | st.text("0123456789-:TZ+. ", min_size=8))
def test_any_text_is_a_date_or_a_value_error(text: str) -> None:
    try:
        value = parse_lastmod(text)
    except ValueError as error:
        assert "is not a date like" in str(error)
    else:
        assert W3C.fullmatch(format_lastmod(value, "date"))


@pytest.mark.parametrize(
    ("value", "as_of", "expected"),
    [
        (MORNING + timedelta(days=1), MORNING, False),
        (MORNING + timedelta(days=1, seconds=1), MORNING, True),
        (MORNING.astimezone(CET) + timedelta(days=1), MORNING, False),
        (DAY + timedelta(days=1), MORNING, False),
        (DAY + timedelta(days=2), MORNING, True),
        # In the last hour of 1 March in UTC, which is 2 March further east.
        (DAY + timedelta(days=2), datetime(2026, 3, 2, 0, 30, tzinfo=CET), True),
        (date.max, None, False),
        # SOURCE_DATE_EPOCH can be any number.
        (DAY, HIGHEST, False),
        (MORNING, HIGHEST, False),
    ],
)
def test_a_date_is_in_the_future_if_it_is_more_than_a_day_ahead(
    value: date, as_of: datetime | None, *, expected: bool
) -> None:
    assert is_future(value, as_of) is expected
