"""The last-changed dates that pages show, compared with the sitemap (SM-MOD-04)."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.model import Candidate, Entry, LastMod, Markup, Note
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pages.lastmod import compare_shown_dates
from tests.builders import candidate

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
BASE = "https://example.org/"


def showing(
    *shown: str, lastmod: LastMod | None = NOON, modified: tuple[str, ...] | None = None, name: str = "a.md"
) -> Candidate:
    markup = None if modified is None else Markup(modified=modified)
    return candidate(BASE, name=name, shown_dates=shown, markup=markup, entry=Entry(loc=BASE, lastmod=lastmod))


@pytest.mark.parametrize(
    "shown",
    [
        "2026-03-09",
        "2026-03-11",
        " 2026-03-10 ",
        "2026-03-10T12:00:00Z",
        "2026-03-11T01:00:00+13:00",
        # A date that cannot be parsed is ignored.
        "March 1, 2026",
        "01.03.2026",
        "2026",
        "2026-02-30",
        "\uff12\uff10\uff12\uff16-03-01",
        "\ud800",
        "0001-01-01",  # of Go, and so of Hugo, for no date
    ],
)
def test_a_page_that_shows_the_same_day_or_no_date_is_not_noted(shown: str) -> None:
    assert not [*compare_shown_dates([showing(shown), showing(modified=(shown,))], Settings())]


@pytest.mark.parametrize("shown", ["2026-03-08", "2026-03-12", "2025-03-10", "2026-03-08T23:59:59Z", "0002-01-01"])
def test_a_page_that_shows_another_day_is_noted(shown: str) -> None:
    for page in (showing(shown), showing(modified=(shown,)), showing("2026-03-10", modified=("?", shown))):
        assert [*compare_shown_dates([page], Settings())] == [
            Note(
                kind="shown-date",
                page="a.md",
                message=(
                    f"it shows {shown} as the date of its last change, but its lastmod is 2026-03-10; with the option expose, pages show the date in the sitemap"
                ),
            )
        ]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(showing(lastmod=None), id="neither has one"),
        pytest.param(showing("2020-01-01", lastmod=None), id="the sitemap has none"),
        pytest.param(showing(), id="the page has none"),
        pytest.param(showing(modified=()), id="the page has been read and has none"),
    ],
)
def test_without_two_dates_nothing_differs(page: Candidate) -> None:
    assert not [*compare_shown_dates([page], Settings())]


@pytest.mark.parametrize(
    ("lastmod", "differs"),
    [
        (date(2026, 3, 9), False),
        (date(2026, 3, 7), True),
        (datetime(2026, 3, 9, 23, 30, tzinfo=timezone(timedelta(hours=-11))), False),
        (datetime(2026, 3, 7, 1, tzinfo=UTC), True),
        (date(1, 1, 1), True),
        (date(9999, 12, 31), True),
    ],
)
def test_days_are_compared_as_they_are_written(lastmod: LastMod, *, differs: bool) -> None:
    assert bool([*compare_shown_dates([showing("2026-03-09", lastmod=lastmod)], Settings())]) is differs


@pytest.mark.parametrize(
    ("others", "words"), [(1, " (and 1 more page); with the option"), (2, " (and 2 more pages); with the option")]
)
def test_one_note_counts_all_pages_that_show_another_day(others: int, words: str) -> None:
    pages = [showing("2026-03-10"), showing("2020-01-01", name="first.md")]
    (note,) = compare_shown_dates(iter([*pages, *[showing("2021-01-01", name="b.md")] * others]), Settings())
    assert note.page == "first.md"
    assert words in note.message


@pytest.mark.parametrize("expose", [True, "created"])
def test_expose_is_not_suggested_if_it_is_already_set(expose: bool | Literal["created"]) -> None:
    pages = [showing("2020-01-01")] * 2
    (note,) = compare_shown_dates(pages, Settings(expose=expose))
    assert note.message == (
        "it shows 2020-01-01 as the date of its last change, but its lastmod is 2026-03-10 (and 1 more page)"
    )


texts = st.text() | st.dates().map(str) | st.datetimes().map(str) | st.sampled_from(["2026-03-01T10:00:00+99:99", "\0"])


@given(texts, st.dates() | st.datetimes(timezones=st.just(UTC)))
def test_any_shown_date_is_compared_without_an_exception(shown: str, lastmod: LastMod) -> None:
    assert len([*compare_shown_dates([showing(shown, lastmod=lastmod, modified=(shown,))], Settings())]) <= 1
