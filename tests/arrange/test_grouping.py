"""Entries into one flat file, within the limits of the protocol."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from sitemap_plugins.arrange.grouping import URL_LIMIT, group
from sitemap_plugins.model import Candidate, Entry, Page, Site
from sitemap_plugins.output import Sitemap
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

    def test_the_files_have_an_order_of_their_own_hosts(self) -> None:
        german = "https://de.example.org/"
        candidates = [
            *listed(f"{german}de/", base_url=german),
            *listed(f"{self.FRENCH}fr/", base_url=self.FRENCH),
            *numbered(1),
        ]
        sitemaps, _ = group(SITE, candidates, Settings())
        assert [sitemap.path for sitemap in sitemaps] == ["sitemap.xml", "de/sitemap.xml", "fr/sitemap.xml"]

    def test_no_file_lists_pages_of_two_hosts(self) -> None:
        candidates = [*listed(f"{self.FRENCH}fr/b/", f"{self.FRENCH}fr/a/", base_url=self.FRENCH), *numbered(2)]
        for sitemap in group(SITE, candidates, Settings())[0]:
            assert {urlsplit(entry.loc).netloc for entry in sitemap.entries} == {urlsplit(sitemap.url).netloc}
            assert list(sitemap.entries) == sorted(sitemap.entries, key=lambda entry: entry.loc)

    def test_another_page_does_not_move_the_file(self) -> None:
        paths = ("fr/a/b/c/", "fr/a/d.html", "fr/", "fr/e.html")
        for number in range(1, len(paths) + 1):
            candidates = listed(*(self.FRENCH + path for path in paths[:number]), base_url=self.FRENCH)
            ((sitemap,), _) = group(SITE, candidates, Settings())
            assert (sitemap.path, sitemap.url) == ("fr/sitemap.xml", f"{self.FRENCH}fr/sitemap.xml")

    def test_the_site_may_name_its_own_base_for_a_page(self) -> None:
        candidates = [*numbered(1), *listed("https://example.org/z/", base_url="https://example.org/")]
        ((sitemap,), _) = group(SITE, candidates, Settings())
        assert len(sitemap.entries) == 2

    @pytest.mark.parametrize(
        ("base_url", "path"),
        [
            ("https://fr.example.org/", "docs-fr.example.org.xml"),
            ("https://fr.example.org:8443/docs/", "docs-fr.example.org-8443-docs.xml"),
            ("https://xn--bcher-kva.example/%C3%BC/", "docs-xn-bcher-kva.example-C3-BC.xml"),
        ],
    )
    def test_beside_the_sites_own_it_is_called_like_its_host(self, base_url: str, path: str) -> None:
        settings, _ = read_settings({"filename": "docs.xml"})
        candidates = [
            Candidate(
                page=Page(loc=base_url, name="index.md", base_url=base_url),
                path="index.html",
                entry=Entry(loc=base_url),
            )
        ]
        ((sitemap,), _) = group(SITE, candidates, settings)
        assert (sitemap.path, sitemap.url) == (path, base_url + path)

    def test_its_url_is_encoded(self) -> None:
        loc = f"{self.FRENCH}%C3%BCber%20uns/a/"
        candidate = Candidate(
            page=Page(loc=loc, name="a.md", base_url=self.FRENCH), path="über uns/a/", entry=Entry(loc=loc)
        )
        ((sitemap,), _) = group(SITE, [candidate], Settings())
        assert (sitemap.path, sitemap.url) == (
            "über uns/sitemap.xml",
            f"{self.FRENCH}%C3%BCber%20uns/sitemap.xml",
        )

    def test_two_hosts_never_share_a_file(self) -> None:
        bases = ("https://a.example/", "http://a.example/", "https://b.example/", "https://b.example:8080/")
        for path in ("docs/a/", ""):
            candidates = [each for base in bases for each in listed(base + path, base_url=base)]
            sitemaps, _ = group(SITE, candidates, Settings())
            assert len({sitemap.path for sitemap in sitemaps}) == len(bases)

    @pytest.mark.parametrize("paths", [("/a/", "b/"), ("/a/", "/a/b/"), ("../a/", "../a/b/"), ("a:b/", "a:b/c/")])
    def test_folders_in_which_no_file_can_stand_do_not_end_the_build(self, paths: tuple[str, ...]) -> None:
        candidates = [
            Candidate(
                page=Page(loc=path, name=path, base_url=self.FRENCH), path=path, entry=Entry(loc=self.FRENCH + path)
            )
            for path in paths
        ]
        ((sitemap,), _) = group(SITE, candidates, Settings())
        assert sitemap.path == "sitemap-fr.example.org.xml"

    def test_one_url_too_many_on_one_host_is_no_sitemap_at_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sitemap_plugins.arrange.grouping.URL_LIMIT", 2)
        elsewhere = [*listed(*(f"{self.FRENCH}fr/{each}/" for each in range(3)), base_url=self.FRENCH)]
        assert len(group(SITE, [*numbered(2), *elsewhere[:2]], Settings())[0]) == 2
        sitemaps, (note,) = group(SITE, [*numbered(1), *elsewhere], Settings())
        assert sitemaps == ()
        assert (note.kind, note.page) == ("limit", None)
        assert "3 pages" in note.message
