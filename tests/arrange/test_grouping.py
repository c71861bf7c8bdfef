"""Entries into one flat file, within the limits of the protocol."""

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from sitemap_plugins.arrange.grouping import URL_LIMIT, group
from sitemap_plugins.model import Entry, Sitemap
from sitemap_plugins.settings import Settings, read_settings


def numbered(number: int) -> list[Entry]:
    return [Entry(loc=f"https://example.org/{each:05}/") for each in range(number)]


def test_entries_are_sorted_by_their_url() -> None:
    entries = [Entry(loc=f"https://example.org/{name}") for name in ("b", "", "a/", "B", "a")]
    (sitemap,), notes = group(iter(entries), Settings())
    assert [entry.loc.removeprefix("https://example.org/") for entry in sitemap.entries] == ["", "B", "a", "a/", "b"]
    assert notes == []


@profile(deadline=None, derandomize=True)
@given(
    st.lists(st.text(), unique=True, min_size=1).flatmap(lambda locs: st.tuples(st.just(locs), st.permutations(locs)))
)
def test_the_order_of_the_host_makes_no_difference(orders: tuple[list[str], list[str]]) -> None:
    first, second = (group([Entry(loc=loc) for loc in locs], Settings()) for locs in orders)
    assert first == second
    assert sorted(orders[0]) == [entry.loc for entry in first[0][0].entries]


def test_the_file_has_the_name_that_the_author_chose() -> None:
    settings, _ = read_settings({"filename": "docs.xml"})
    entries = numbered(1)
    assert group(entries, settings) == ((Sitemap(path="docs.xml", entries=tuple(entries)),), [])


def test_no_entries_are_no_sitemap() -> None:
    assert group([], Settings()) == ((), [])


@pytest.mark.parametrize("number", [49_999, 50_000])
def test_as_many_urls_as_are_allowed_are_one_file(number: int) -> None:
    (sitemap,), notes = group(numbered(number), Settings())
    assert len(sitemap.entries) == number
    assert notes == []


def test_one_url_more_than_allowed_is_no_sitemap_and_a_note() -> None:
    sitemaps, notes = group(numbered(50_001), Settings())
    assert sitemaps == ()
    assert [note.kind for note in notes] == ["limit"]
    assert "50,001 pages" in notes[0].message
    assert "50,000" in notes[0].message


def test_the_limit_is_that_of_the_protocol() -> None:
    assert URL_LIMIT == 50_000
