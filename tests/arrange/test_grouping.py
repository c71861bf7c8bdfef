"""Entries into one flat file, within the limits of the protocol."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from sitemap_plugins.arrange.grouping import URL_LIMIT, group
from sitemap_plugins.model import Candidate, Entry, Page, Site, Sitemap
from sitemap_plugins.settings import Settings, read_settings


SITE = Site(base_url="https://example.org/")


def listed(*locs: str, base_url: str | None = None) -> list[Candidate]:
    """Candidates with these URLs; their path is what follows the host."""
    return [
        Candidate(
            page=Page(loc=loc, name=loc, base_url=base_url),
            path=urlsplit(loc).path.removeprefix("/") or "index.html",
            entry=Entry(loc=loc),
        )
        for loc in locs
    ]


def numbered(number: int) -> list[Candidate]:
    return listed(*(f"https://example.org/{each:05}/" for each in range(number)))


def test_entries_are_sorted_by_their_url() -> None:
    candidates = listed(*(f"https://example.org/{name}" for name in ("b", "", "a/", "B", "a")))
    (sitemap,), notes = group(SITE, iter(candidates), Settings())
    assert [entry.loc.removeprefix("https://example.org/") for entry in sitemap.entries] == ["", "B", "a", "a/", "b"]
    assert notes == []


@profile(deadline=None, derandomize=True)
@given(
    st.lists(
        st.text(st.characters(exclude_characters="[]", exclude_categories=["C"])), unique=True, min_size=1
    ).flatmap(lambda locs: st.tuples(st.just(locs), st.permutations(locs)))
)
def test_the_order_of_the_host_makes_no_difference(orders: tuple[list[str], list[str]]) -> None:
    first, second = (group(SITE, listed(*locs), Settings()) for locs in orders)
    assert first == second
    assert sorted(orders[0]) == [entry.loc for entry in first[0][0].entries]


def test_the_file_has_the_name_that_the_author_chose() -> None:
    settings, _ = read_settings({"filename": "docs.xml"})
    (candidate,) = candidates = numbered(1)
    (sitemap,), notes = group(SITE, candidates, settings)
    assert sitemap == Sitemap(path="docs.xml", entries=(candidate.entry,), url="https://example.org/docs.xml")
    assert notes == []


def test_no_entries_are_no_sitemap() -> None:
    assert group(SITE, [], Settings()) == ((), [])


@pytest.mark.parametrize("number", [49_999, 50_000])
def test_as_many_urls_as_are_allowed_are_one_file(number: int) -> None:
    (sitemap,), notes = group(SITE, numbered(number), Settings())
    assert len(sitemap.entries) == number
    assert notes == []


def test_one_url_more_than_allowed_is_no_sitemap_and_a_note() -> None:
    sitemaps, notes = group(SITE, numbered(50_001), Settings())
    assert sitemaps == ()
    assert [note.kind for note in notes] == ["limit"]
    assert "50,001 pages" in notes[0].message
    assert "50,000" in notes[0].message


def test_the_limit_is_that_of_the_protocol() -> None:
    assert URL_LIMIT == 50_000


class TestOtherHosts:
    FRENCH = "https://fr.example.org/"

    def test_pages_of_another_host_have_a_file_in_the_folder_that_they_share(self) -> None:
        elsewhere = listed(f"{self.FRENCH}fr/", f"{self.FRENCH}fr/guide/", base_url=self.FRENCH)
        own, other = group(SITE, [*elsewhere, *numbered(1)], Settings())[0]
        assert (own.path, own.url) == ("sitemap.xml", "https://example.org/sitemap.xml")
        assert (other.path, other.url) == ("fr/sitemap.xml", f"{self.FRENCH}fr/sitemap.xml")
        assert [entry.loc for entry in other.entries] == [f"{self.FRENCH}fr/", f"{self.FRENCH}fr/guide/"]

    def test_without_such_a_folder_it_stands_beside_the_sites_own(self) -> None:
        elsewhere = listed(f"{self.FRENCH}a/", f"{self.FRENCH}b/", base_url=self.FRENCH)
        _, other = group(SITE, [*numbered(1), *elsewhere], Settings())[0]
        assert (other.path, other.url) == ("sitemap-fr.example.org.xml", f"{self.FRENCH}sitemap-fr.example.org.xml")

    def test_there_is_no_file_without_pages(self) -> None:
        elsewhere = listed(f"{self.FRENCH}fr/", base_url=self.FRENCH)
        (other,), notes = group(SITE, elsewhere, Settings())
        assert other.path == "fr/sitemap.xml"
        assert notes == []
