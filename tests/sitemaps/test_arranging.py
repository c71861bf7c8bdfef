"""Entries are grouped into files for each host, within the limits, and the announced URLs reach all of them."""

import tracemalloc
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.media import Image, Video
from sitemap_plugins.model import (
    Alternate,
    Arrangement,
    Candidate,
    Entry,
    LastMod,
    Markup,
    Note,
    Page,
    Site,
    Sitemap,
    SitemapIndex,
)
from sitemap_plugins.options.settings import SIZE_LIMIT, URL_LIMIT, Limits, Section, Settings, read_settings
from sitemap_plugins.sitemaps.arranging import REST, arrange, divide, newest_of, render
from tests.builders import candidate, options

BASE = "https://example.org/"
SITE = Site(base_url=BASE, name="A Site", as_of=datetime(2026, 3, 1, tzinfo=UTC))
FRENCH = "https://fr.example.org/"
OWN_FILES = {"images", "videos", "news"}
LARGE = tuple(Image(loc=f"{BASE}{number:03}.png") for number in range(200))  # more than 4,096 bytes


def listed(*locs: str, base_url: str | None = None) -> list[Candidate]:
    """Candidates with these URLs. Their path is the part after the host."""
    shown = {"title": "A title", "language": "en", "markup": Markup()}
    return [candidate(loc, base_url=base_url, **shown) for loc in locs]


def numbered(number: int, base: str = BASE) -> list[Candidate]:
    return listed(*(f"{base}{each:05}/" for each in range(number)), base_url=None if base == BASE else FRENCH)


def with_entry(candidate: Candidate, **values: Any) -> Candidate:
    return structs.replace(candidate, entry=replace(candidate.entry, **values))


def grouped(
    candidates: Sequence[Candidate], settings: Settings | None = None, *, site: Site = SITE, taken: Collection[str] = ()
) -> tuple[Arrangement, list[Note]]:
    settings = settings or Settings()
    return arrange(site, candidates, settings, taken)


def arranged(candidates: Sequence[Candidate], settings: Settings | None = None, **more: Any) -> Arrangement:
    """The arrangement, with a check that there are no notes."""
    arrangement, notes = grouped(candidates, settings, **more)
    assert notes == []
    return arrangement


def links_of(loc: str) -> tuple[Alternate, ...]:
    return tuple(Alternate(hreflang=code, href=f"{loc}{code}/&'/") for code in ("de", "en", "x-default"))


def sizes(arrangement: Arrangement, settings: Settings) -> dict[str, int]:
    """The size in bytes of each rendered file."""
    files = render(arrangement, structs.replace(settings, gzip=False, text=False))
    return {file.path: sum(map(len, file.content())) for file in files if callable(file.content)}


def paths(things: Iterable[Sitemap | SitemapIndex]) -> list[str]:
    return [each.path for each in things]


def reached(arrangement: Arrangement) -> list[Sitemap]:
    """The sitemaps that the announced URLs lead to, with duplicates."""
    by_url = {each.url: [each] for each in arrangement.sitemaps}
    by_url |= {index.url: [*index.sitemaps] for index in arrangement.indexes}
    return [sitemap for url in arrangement.announced for sitemap in by_url[url]]


def locs(sitemaps: Iterable[Sitemap]) -> list[str]:
    return [entry.loc for sitemap in sitemaps for entry in sitemap.entries]


def test_the_date_in_an_index_changes_only_with_the_newest_page() -> None:
    """SM-IDX-04: adding or removing an older page does not change it."""
    days = [date(2026, 1, day) for day in (1, 2, 3)]
    old, newer, newest = (with_entry(each, lastmod=day) for each, day in zip(numbered(3), days, strict=True))

    def date_in_index(*candidates: Candidate) -> object:
        (index,) = arranged(candidates, options(sections={"all": "**"})).indexes
        return [sitemap.newest for sitemap in index.sitemaps]

    assert date_in_index(newer) == date_in_index(old, newer) == [days[1]]
    assert date_in_index(old, newer, newest) == [days[2]]
    assert date_in_index(old) == [days[0]]


def test_a_moment_is_newer_than_a_day_that_begins_with_it() -> None:
    """SM-IDX-04."""
    for number in range(1, 29):
        day, moment = date(2026, 2, number), datetime(2026, 2, number, tzinfo=UTC)
        dates = [date(2026, 1, 1), day, moment, None]
        found = {newest_of([Entry(loc=BASE, lastmod=each) for each in order]) for order in (dates, dates[::-1])}
        assert found == {moment}


def test_moments_are_compared_and_not_the_clocks_of_their_zones() -> None:
    """SM-IDX-04."""
    later = datetime(2026, 3, 1, 9, tzinfo=UTC)
    dates = [later, datetime(2026, 3, 1, 10, tzinfo=timezone(timedelta(hours=5)))]
    found = {newest_of([Entry(loc=BASE, lastmod=each) for each in order]) for order in (dates, dates[::-1])}
    assert found == {later}


def test_the_memory_for_a_large_site_is_close_to_its_page_list() -> None:
    candidates, settings = numbered(20_000), options(limit={"urls": 1000})
    tracemalloc.start()
    arrangement, _ = arrange(SITE, candidates, settings)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sum(len(each.entries) for each in arrangement.sitemaps) == 20_000
    assert peak / 20_000 < 300  # bytes per page


@given(
    st.lists(
        st.text(st.characters(exclude_characters="[]", exclude_categories=["C"])), unique=True, min_size=1
    ).flatmap(lambda locs: st.tuples(st.just(locs), st.permutations(locs)))
)
def test_the_order_of_the_host_makes_no_difference(orders: tuple[list[str], list[str]]) -> None:
    first, second = (arranged(listed(*locs)) for locs in orders)
    assert first == second
    assert sorted(orders[0]) == locs(first.sitemaps)


def test_the_file_has_the_name_of_the_option() -> None:
    (candidate,) = candidates = numbered(1)
    arrangement = arranged(candidates, options(filename="docs.xml"))
    sitemap = Sitemap(path="docs.xml", entries=(candidate.entry,), url="https://example.org/docs.xml")
    assert arrangement == Arrangement(sitemaps=(sitemap,), announced=(sitemap.url,))


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        options(sections={"a": "a/**"}, images="separate", videos="separate", news={"match": "**"}),
        options(engines=["baidu"], gzip="only"),
    ],
)
def test_without_entries_there_is_no_sitemap(settings: Settings) -> None:
    """SM-XML-10: every file has a URL, and every index has a sitemap."""
    assert grouped([], settings) == (Arrangement(), [])


class TestLimits:
    """SM-LIM-01 and SM-LIM-02, both exact."""

    def test_are_those_of_the_protocol(self) -> None:
        assert (URL_LIMIT, SIZE_LIMIT) == (50_000, 52_428_800)
        assert (Settings().limit.urls, Settings().limit.bytes) == (URL_LIMIT, SIZE_LIMIT)

    def test_the_maximum_number_of_urls_is_one_file(self) -> None:
        arrangement = arranged(numbered(50_000))
        assert paths(arrangement.sitemaps) == ["sitemap.xml"]
        assert len(arrangement.sitemaps[0].entries) == 50_000
        assert arrangement.indexes == ()

    VIDEO = Video(thumbnail_loc=f"{BASE}a.jpg", title="Ä <b>", description="ü", content_loc=f"{BASE}a.mp4")

    @pytest.mark.parametrize("style", [{}, {"indent": 8, "schema_location": True}], ids=["plain", "indented"])
    @pytest.mark.parametrize(
        "values",
        [
            {},
            {"lastmod": datetime(2026, 2, 1, 9, 30, tzinfo=UTC), "changefreq": "weekly", "priority": 0.25},
            {"alternates": "its own", "images": (Image(loc=f"{BASE}a&b.png"),), "videos": (VIDEO,), "priority": 1.0},
        ],
        ids=["locs", "values", "all"],
    )
    def test_bytes_are_exact_for_all_values(self, style: dict[str, Any], values: dict[str, Any]) -> None:
        candidates = numbered(90)
        for number in range(0, 90, 2):
            loc = candidates[number].entry.loc
            own = {name: links_of(loc) if name == "alternates" else value for name, value in values.items()}
            candidates[number] = with_entry(candidates[number], **own)
        (size,) = sizes(arranged(candidates, options(**style)), options(**style)).values()
        exact, less = (options(**style, limit={"bytes": each}) for each in (size, size - 1))
        assert sizes(arranged(candidates, exact), exact) == {"sitemap.xml": size}
        arrangement = arranged(candidates, less)
        assert paths(arrangement.sitemaps) == ["sitemap-0.xml", "sitemap-1.xml"]
        assert max(sizes(arrangement, less).values()) < size

    def test_apply_to_each_host_separately(self) -> None:
        settings = options(limit={"urls": 2})
        arrangement = arranged([*numbered(2), *numbered(2, f"{FRENCH}fr/")], settings)
        assert paths(arrangement.sitemaps) == ["sitemap.xml", "fr/sitemap.xml"]
        assert arrangement.indexes == ()

    def test_an_entry_that_is_too_large_is_left_out_and_all_others_are_listed(self) -> None:
        candidates = numbered(4)
        candidates[2] = with_entry(candidates[2], images=LARGE)
        arrangement, notes = grouped(candidates, options(limit={"bytes": 4096}))
        assert locs(reached(arrangement)) == [each.entry.loc for each in candidates if each is not candidates[2]]
        assert paths(arrangement.sitemaps) == ["sitemap.xml"]
        assert [note.kind for note in notes] == ["limit"]
        assert candidates[2].entry.loc in notes[0].message
        assert "4,096 bytes" in notes[0].message

    @pytest.mark.parametrize("spare", [0, -1])
    def test_an_entry_that_just_fits_is_listed(self, spare: int) -> None:
        large, small = with_entry(numbered(1)[0], images=LARGE), listed(f"{BASE}small/")[0]
        (size,) = sizes(arranged([large]), Settings()).values()
        arrangement, notes = grouped([large, small], options(limit={"bytes": size + spare}))
        assert set(locs(reached(arrangement))) == {small.entry.loc, *([] if spare else [large.entry.loc])}
        assert [note.kind for note in notes] == ["limit"] * -spare

    def test_without_an_entry_that_fits_there_is_no_file(self) -> None:
        arrangement, notes = grouped(
            [with_entry(each, images=LARGE) for each in numbered(2)],
            options(limit={"bytes": 4096}, sections={"a": "**"}),
        )
        assert arrangement == Arrangement(left_out=frozenset(each.entry.loc for each in numbered(2)))
        assert [note.kind for note in notes] == ["limit"] * 2

    def test_an_entry_that_is_left_out_is_in_no_section_and_no_file_of_images(self) -> None:
        large = tuple(
            Alternate(hreflang=f"{first}{second}", href=BASE + "a" * 80) for first in "abcde" for second in "abcdefgh"
        )
        candidates = [with_entry(each, images=(Image(loc=f"{BASE}a.png"),)) for each in numbered(3)]
        candidates[1] = with_entry(candidates[1], alternates=large)
        settings = options(limit={"bytes": 4096}, sections={"a": "**"}, images="separate")
        arrangement, notes = grouped(candidates, settings)
        assert candidates[1].entry.loc not in locs(arrangement.sitemaps)
        assert [note.kind for note in notes] == ["limit"]

    def test_images_that_are_too_large_for_their_own_file_are_noted_too(self) -> None:
        candidates = numbered(2)
        candidates[1] = with_entry(candidates[1], images=LARGE)
        arrangement, notes = grouped(candidates, options(limit={"bytes": 4096}, images="separate"))
        assert set(locs(reached(arrangement))) == {each.entry.loc for each in candidates}
        assert [note.kind for note in notes] == ["limit"]
        assert notes[0].message.endswith("it is left out of the images")
        assert arrangement.left_out == frozenset()

    def test_notes_do_not_depend_on_the_order_of_the_pages(self) -> None:
        candidates = [with_entry(each, images=LARGE) for each in numbered(5)]
        settings = options(limit={"urls": 1, "bytes": 4096})
        orders = [candidates, candidates[::-1], candidates[2:] + candidates[:2]]
        notes = [grouped(each, settings)[1] for each in orders]
        assert notes[0] == notes[1] == notes[2]
        assert len(notes[0]) == len(candidates)

    def test_entries_that_are_left_out_are_named(self) -> None:
        own, french = numbered(2), numbered(2, f"{FRENCH}fr/")
        own[0], french[1] = with_entry(own[0], images=LARGE), with_entry(french[1], images=LARGE)
        arrangement, notes = grouped([*own, *french], options(limit={"bytes": 4096}))
        assert arrangement.left_out == {own[0].entry.loc, french[1].entry.loc}
        assert [note.message.rpartition("; ")[2] for note in notes] == ["it is left out"] * 2


class TestSections:
    """With sections, either the flat file or the index is announced (SM-LOC-09)."""

    SETTINGS = options(sections={"guides": "guides/**", "api": "api/**"})
    PAGES = tuple(listed(BASE, f"{BASE}api/a/", f"{BASE}guides/a/", f"{BASE}guides/b/", f"{BASE}z/"))

    def test_the_flat_file_is_written_and_only_the_index_is_announced(self) -> None:
        arrangement = arranged(self.PAGES, self.SETTINGS)
        flat, guides, api, rest = arrangement.sitemaps
        assert (flat.path, flat.part) == ("sitemap.xml", "")
        assert locs([flat]) == [each.entry.loc for each in self.PAGES]
        assert [(each.path, each.part) for each in (guides, api, rest)] == [
            ("sitemap-guides.xml", "guides"),
            ("sitemap-api.xml", "api"),
            ("sitemap-pages.xml", "pages"),
        ]
        assert locs([guides]) == [f"{BASE}guides/a/", f"{BASE}guides/b/"]
        assert locs([rest]) == [BASE, f"{BASE}z/"]
        (index,) = arrangement.indexes
        assert (index.path, index.url) == ("sitemap-index.xml", f"{BASE}sitemap-index.xml")
        assert index.sitemaps == (guides, api, rest)
        assert arrangement.announced == (index.url,)

    def test_without_pages_leave_one_file_with_all_others(self) -> None:
        arrangement = arranged(self.PAGES[:1], self.SETTINGS)
        assert paths(arrangement.sitemaps) == ["sitemap.xml", "sitemap-pages.xml"]
        assert arrangement.announced == (f"{BASE}sitemap-index.xml",)

    def test_leave_no_flat_file_if_there_are_too_many_pages_for_it(self) -> None:
        arrangement = arranged(self.PAGES, structs.replace(self.SETTINGS, limit=options(limit={"urls": 4}).limit))
        assert sorted(paths(arrangement.sitemaps)) == ["sitemap-api.xml", "sitemap-guides.xml", "sitemap-pages.xml"]
        assert paths(arrangement.indexes) == ["sitemap.xml"]
        assert arrangement.announced == (f"{BASE}sitemap.xml",)

    def test_are_separate_for_each_host(self) -> None:
        french = listed(f"{FRENCH}fr/guides/", f"{FRENCH}fr/z/", base_url=FRENCH)
        arrangement = arranged([*self.PAGES, *french], options(sections={"guides": "**/guides/", "api": "api/**"}))
        assert paths(arrangement.indexes) == ["sitemap-index.xml", "fr/sitemap-index.xml"]
        assert arrangement.announced == (f"{BASE}sitemap-index.xml", f"{FRENCH}fr/sitemap-index.xml")
        assert paths(arrangement.indexes[1].sitemaps) == ["fr/sitemap-guides.xml", "fr/sitemap-pages.xml"]


class TestIndexes:
    """SM-IDX-01 to SM-IDX-05."""

    def test_list_exactly_the_files_of_their_host(self) -> None:
        candidates = [*numbered(3), *numbered(3, f"{FRENCH}fr/")]
        arrangement = arranged(candidates, options(limit={"urls": 2}))
        own, french = arrangement.indexes
        assert (own.path, french.path) == ("sitemap.xml", "fr/sitemap.xml")
        assert arrangement.announced == (own.url, french.url) == (f"{BASE}sitemap.xml", f"{FRENCH}fr/sitemap.xml")
        assert {*paths(own.sitemaps), *paths(french.sitemaps)} == {*paths(arrangement.sitemaps)}
        assert [each for each in french.sitemaps if not each.path.startswith("fr/sitemap-")] == []
        assert [each for each in french.sitemaps if not each.url.startswith(f"{FRENCH}fr/")] == []

    @pytest.mark.parametrize("number", [3, 4])
    def test_are_several_if_one_cannot_list_all_files(self, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
        monkeypatch.setattr("sitemap_plugins.sitemaps.arranging._INDEX_LIMITS", Limits(urls=3))
        arrangement = arranged(numbered(number), options(limit={"urls": 1}))
        assert len(arrangement.sitemaps) == number
        listing = [path for index in arrangement.indexes for path in paths(index.sitemaps)]
        assert sorted(listing) == sorted(paths(arrangement.sitemaps))
        assert arrangement.announced == tuple(index.url for index in arrangement.indexes)
        if number == 3:
            assert paths(arrangement.indexes) == ["sitemap.xml"]
        else:
            # None is at the URL of the flat file, and none lists another one (SM-IDX-02).
            assert len(arrangement.indexes) > 1
            assert [path for path in paths(arrangement.indexes) if not path.startswith("sitemap-index-")] == []
            assert {*listing}.isdisjoint(paths(arrangement.indexes))
            assert [index for index in arrangement.indexes if len(index.sitemaps) > 3] == []

    def test_are_several_if_one_would_have_too_many_bytes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        settings = options(limit={"urls": 1})
        dated = [with_entry(each, lastmod=date(2026, 2, 1)) for each in numbered(8)]
        size = sizes(arranged(dated, settings), settings)["sitemap.xml"]
        for limit, number in ((size, 1), (size - 1, 2)):
            monkeypatch.setattr("sitemap_plugins.sitemaps.arranging._INDEX_LIMITS", Limits(bytes=limit))
            arrangement = arranged(dated, settings)
            assert len(arrangement.indexes) == number
            written = sizes(arrangement, settings)
            assert [path for path in paths(arrangement.indexes) if written[path] > limit] == []

    def test_of_sections_can_be_several_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sitemap_plugins.sitemaps.arranging._INDEX_LIMITS", Limits(urls=2))
        candidates = listed(*(f"{BASE}{name}/" for name in "abcdef"))
        sections = options(sections={f"part{name}": f"{name}/" for name in "abcdef"})
        arrangement = arranged(candidates, sections)
        assert arrangement.sitemaps[0].path == "sitemap.xml"
        assert [path for path in paths(arrangement.indexes) if not path.startswith("sitemap-index-")] == []
        assert sorted(locs(reached(arrangement))) == [each.entry.loc for each in candidates]

    @pytest.mark.parametrize(("number", "kinds"), [(500, []), (501, ["many-indexes"])])
    def test_are_noted_if_there_are_more_than_google_accepts(
        self, monkeypatch: pytest.MonkeyPatch, number: int, kinds: list[str]
    ) -> None:
        monkeypatch.setattr("sitemap_plugins.sitemaps.arranging._INDEX_LIMITS", Limits(urls=1))
        arrangement, notes = grouped(numbered(number), options(limit={"urls": 1}))
        assert len(arrangement.indexes) == number
        assert [note.kind for note in notes] == kinds
        assert [note for note in notes if not ("501" in note.message and "500" in note.message)] == []

    def test_list_at_most_as_many_as_the_protocol_allows(self) -> None:
        from sitemap_plugins.sitemaps import arranging

        assert Limits(urls=50_000, bytes=52_428_800) == arranging._INDEX_LIMITS


class TestOwnFiles:
    IMAGES = (Image(loc=f"{BASE}a.png"),)
    VIDEOS = (Video(thumbnail_loc=f"{BASE}a.jpg", title="t", description="d", player_loc=f"{BASE}p"),)
    WHEN = datetime(2026, 2, 1, tzinfo=UTC)

    def pages(self) -> list[Candidate]:
        links = (Alternate(hreflang="en", href=BASE),)
        values = {"lastmod": self.WHEN, "priority": 0.5, "changefreq": "daily", "alternates": links}
        first, second, third = numbered(3)
        return [
            with_entry(first, images=self.IMAGES, **values),
            with_entry(second, images=self.IMAGES, videos=self.VIDEOS, **values),
            third,
        ]

    def test_exist_only_if_the_option_asks_for_them(self) -> None:
        (sitemap,) = arranged(self.pages(), options(images=True, videos=True)).sitemaps
        assert sitemap.entries == tuple(each.entry for each in self.pages())

    def test_list_images_and_videos_instead_of_the_flat_file(self) -> None:
        first, second, third = (each.entry for each in self.pages())
        arrangement = arranged(self.pages(), options(images="separate", videos="separate"))
        flat, images, videos = arrangement.sitemaps
        assert [(each.path, each.part) for each in arrangement.sitemaps] == [
            ("sitemap.xml", ""),
            ("sitemap-images.xml", "images"),
            ("sitemap-videos.xml", "videos"),
        ]
        assert flat.entries == (replace(first, images=()), replace(second, images=(), videos=()), third)
        assert images.entries == tuple(
            Entry(loc=each.loc, lastmod=self.WHEN, images=self.IMAGES) for each in (first, second)
        )
        assert videos.entries == (Entry(loc=second.loc, lastmod=self.WHEN, videos=self.VIDEOS),)
        assert arrangement.indexes == ()
        assert arrangement.announced == (flat.url, images.url, videos.url)

    def test_list_news_of_the_last_two_days(self) -> None:
        first, second = numbered(2)
        candidates = [
            structs.replace(first, published=date(2026, 2, 28)),
            structs.replace(second, published=date(2026, 1, 1)),
        ]
        arrangement = arranged(candidates, options(news={"match": "**"}))
        assert paths(arrangement.sitemaps) == ["sitemap.xml", "sitemap-news.xml"]
        assert locs(arrangement.sitemaps[1:]) == [first.entry.loc]
        assert arrangement.sitemaps[0].entries == (first.entry, second.entry)
        assert arrangement.announced == (f"{BASE}sitemap.xml", f"{BASE}sitemap-news.xml")

    @pytest.mark.parametrize(
        ("number", "urls", "files"), [(1000, 50_000, 1), (1001, 50_000, 2), (1001, 300, 4), (3, 2, 2)]
    )
    def test_list_at_most_a_thousand_news_each(self, number: int, urls: int, files: int) -> None:
        published = datetime(2026, 2, 28, tzinfo=UTC)
        candidates = [structs.replace(each, published=published) for each in numbered(number)]
        arrangement = arranged(candidates, options(news={"match": "**"}, limit={"urls": urls}))
        news = [each for each in arrangement.sitemaps if each.part == "news"]
        assert len(news) >= files
        assert [each for each in news if len(each.entries) > min(1000, urls)] == []
        assert sorted(entry.loc for each in news for entry in each.entries) == [each.entry.loc for each in candidates]
        is_one = files == 1
        assert [each for each in news if (each.path == "sitemap-news.xml") is not is_one] == []
        assert {each.url for each in news} <= {*arrangement.announced} or arrangement.indexes

    def test_return_the_notes_on_news(self) -> None:
        arrangement, notes = grouped(numbered(1), options(news={"match": "**"}))
        assert paths(arrangement.sitemaps) == ["sitemap.xml"]
        assert [note.kind for note in notes] == ["news"]

    def test_are_listed_in_the_index_if_there_is_one(self) -> None:
        settings = options(images="separate", sections={"all": "**"})
        arrangement = arranged(self.pages(), settings)
        assert paths(arrangement.sitemaps) == ["sitemap.xml", "sitemap-all.xml", "sitemap-images.xml"]
        assert sorted(paths(arrangement.indexes[0].sitemaps)) == ["sitemap-all.xml", "sitemap-images.xml"]
        assert not any(entry.images for sitemap in arrangement.sitemaps[:2] for entry in sitemap.entries)
        assert arrangement.announced == (f"{BASE}sitemap-index.xml",)

    def test_of_a_flat_site_can_be_split_without_an_index(self) -> None:
        large = tuple(Image(loc=f"{BASE}{number:02}.png") for number in range(40))
        candidates = [with_entry(each, images=large) for each in numbered(3)]
        arrangement = arranged(candidates, options(images="separate", limit={"bytes": 4096}))
        assert arrangement.indexes == ()
        assert len(arrangement.sitemaps) == 4
        assert arrangement.announced == tuple(each.url for each in arrangement.sitemaps)


class TestCompressedOnly:
    def test_the_urls_are_those_of_the_compressed_files(self) -> None:
        """SM-GZ-01: only the existing form of the two is announced."""
        arrangement = arranged(numbered(3), options(gzip="only", limit={"urls": 2}))
        assert paths(arrangement.indexes) == ["sitemap.xml"]
        assert arrangement.announced == (f"{BASE}sitemap.xml.gz",)
        assert [each for each in arrangement.sitemaps if each.url != f"{BASE}{each.path}.gz"] == []
        assert arranged(numbered(1), options(gzip="only")).announced == (f"{BASE}sitemap.xml.gz",)


class TestTaken:
    @pytest.mark.parametrize(
        ("taken", "names"),
        [
            ({"sitemap-0.xml"}, ["sitemap-0-2.xml", "sitemap-1.xml"]),
            ({"sitemap-0.xml", "sitemap-0-2.xml"}, ["sitemap-0-3.xml", "sitemap-1.xml"]),
            ({"sitemap-images.xml", "sitemap-0.txt"}, ["sitemap-0.xml", "sitemap-1.xml"]),
            ({"sitemap.xml"}, ["sitemap-0.xml", "sitemap-1.xml"]),
        ],
    )
    def test_names_of_other_files_are_avoided(self, taken: set[str], names: list[str]) -> None:
        arrangement = arranged(numbered(4), options(limit={"urls": 3}), taken=taken)
        assert sorted(paths(arrangement.sitemaps)) == names
        assert sorted(paths(arrangement.indexes[0].sitemaps)) == names
        assert paths(arrangement.indexes) == ["sitemap.xml"]

    @pytest.mark.parametrize("suffix", [".xml", ".xml.gz", ".txt", ".txt.gz"])
    @pytest.mark.parametrize("text", [True, False])
    def test_names_of_files_next_to_other_files_are_avoided_too(self, suffix: str, *, text: bool) -> None:
        """SM-GZ-01 and SM-TXT-01: servers send a compressed file in place of the plain one."""
        settings = options(sections={"a": "**"}, text=text)
        arrangement = arranged(numbered(1), settings, taken=[f"sitemap-a{suffix}"])
        is_in_the_way = text or ".xml" in suffix
        assert paths(arrangement.sitemaps)[1:] == ["sitemap-a-2.xml" if is_in_the_way else "sitemap-a.xml"]

    @pytest.mark.parametrize("taken", ["fr/sitemap.xml", "fr/sitemap.xml.gz", "fr/sitemap.txt", "fr/sitemap.txt.gz"])
    def test_if_the_folder_of_another_host_has_one_the_file_is_next_to_the_sites_own(self, taken: str) -> None:
        elsewhere = listed(f"{FRENCH}fr/a/", base_url=FRENCH)
        arrangement = arranged(elsewhere, options(text=True), taken=[taken])
        assert paths(arrangement.sitemaps) == ["sitemap-fr.example.org.xml"]
        assert arrangement.announced == (f"{FRENCH}sitemap-fr.example.org.xml",)

    @pytest.mark.parametrize("name", ["sitemap-a.xml", "sitemap-index.xml", "sitemap-fr.example.org.xml"])
    @pytest.mark.parametrize("spell", [str, str.capitalize])  # the same file on Windows and macOS
    def test_names_of_feeds_are_avoided(self, name: str, spell: Callable[[str], str]) -> None:
        settings = options(sections={"a": "**"}, feeds={"rss": spell(name)})
        elsewhere = listed(f"{FRENCH}a/", f"{FRENCH}b/", base_url=FRENCH)
        arrangement = arranged([*numbered(1), *elsewhere], settings)
        names = paths([*arrangement.sitemaps, *arrangement.indexes])
        assert name not in names
        assert name.replace(".xml", "-2.xml") in names

    def test_names_that_end_in_digits_do_not_collide_with_parts_of_other_sections(self) -> None:
        """SM-LOC-09: the second of two files with the same name gets another one."""
        sections = {"v1-0": "a/", "v1": "v1/**", "blog-2026": "b/", "blog": {"match": "c/", "archive": "year"}}
        candidates = listed(*(f"{BASE}{path}/" for path in "abc"), *(f"{BASE}v1/{number}/" for number in range(4)))
        candidates[2] = structs.replace(candidates[2], published=date(2026, 1, 1))
        arrangement = arranged(candidates, options(sections=sections, limit={"urls": 3}))
        pages = {each.path: locs([each]) for each in arrangement.sitemaps}
        assert len(pages) == len(arrangement.sitemaps)
        assert pages["sitemap-v1-0.xml"] == [f"{BASE}a/"]
        assert [loc for loc in pages["sitemap-v1-0-2.xml"] if "/v1/" not in loc] == []
        assert pages["sitemap-blog-2026.xml"] == [
            f"{BASE}b/",
            f"{BASE}c/",
        ]  # a section and a year with one name share a file
        assert Counter(locs(reached(arrangement))) == Counter(each.entry.loc for each in candidates)

    def test_the_flat_file_keeps_its_name(self) -> None:
        assert paths(arranged(numbered(1), taken=["sitemap.xml"]).sitemaps) == ["sitemap.xml"]

    def test_another_host_avoids_other_files_too(self) -> None:
        elsewhere = listed(f"{FRENCH}fr/a/", base_url=FRENCH)
        arrangement = arranged(elsewhere, taken=["fr/sitemap.xml", "sitemap-fr.example.org.xml"])
        assert paths(arrangement.sitemaps) == ["sitemap-fr.example.org-2.xml"]

    def test_another_host_avoids_the_sections_of_the_first(self) -> None:
        candidates = [
            *listed(f"{BASE}a/"),
            *listed("http://guides/a/b/", "http://guides/c/", base_url="http://guides/"),
        ]
        arrangement = arranged(candidates, options(sections={"guides": "a/"}))
        assert len({*paths(arrangement.sitemaps), *paths(arrangement.indexes)}) == len(
            arrangement.sitemaps + arrangement.indexes
        )


class TestBaidu:
    def test_gets_sitemaps_instead_of_indexes(self) -> None:
        settings = options(engines=["baidu"], limit={"urls": 2}, gzip="only")
        arrangement = arranged(numbered(3), settings)
        assert arrangement.announced == tuple(each.url for each in arrangement.sitemaps)
        assert paths(arrangement.indexes) == ["sitemap.xml"]
        assert sorted(locs(reached(arrangement))) == [each.entry.loc for each in numbered(3)]

    def test_gets_sections_without_the_flat_file(self) -> None:
        arrangement = arranged(numbered(2), options(engines=["google", "baidu"], sections={"all": "**"}))
        assert arrangement.announced == (f"{BASE}sitemap-all.xml",)

    def test_accepts_exactly_ten_megabytes(self) -> None:
        candidates = listed(*(f"{BASE}{each:04}/{'a' * 980}/" for each in range(10_000)))
        (size,) = sizes(arranged(candidates), Settings()).values()
        longer, rest = divmod(10 * 1024 * 1024 - size, 10_000)
        assert longer > 0
        exact = listed(*(f"{each.entry.loc}{'b' * (longer + (n < rest))}" for n, each in enumerate(candidates)))
        settings = options(engines=["baidu"])
        assert sizes(arranged(exact, settings), settings) == {"sitemap.xml": 10 * 1024 * 1024}
        over = [*exact[:-1], *listed(f"{exact[-1].entry.loc}b")]
        assert len(arranged(over, settings).sitemaps) == 2

    def test_never_raises_a_limit(self) -> None:
        settings = options(engines=["baidu"], limit={"bytes": 4096})
        assert max(sizes(arranged(numbered(200), settings), settings).values()) <= 4096


# The pages of a site: on which of two hosts each is, its possible section, its media, and its translation.
pages_of_a_site = st.lists(
    st.tuples(
        st.sampled_from([BASE, f"{FRENCH}fr/"]),
        st.sampled_from(["", "a/", "b/", "a/b/"]),
        st.integers(0, 3),
        st.booleans(),
        st.booleans(),
    ),
    max_size=30,
)
any_settings = st.fixed_dictionaries(
    {},
    optional={
        "sections": st.sampled_from([{"first": "**/a/**"}, {"first": "a/**", "second": {"source": "**", "archive": "year"}}]),
        "limit": st.fixed_dictionaries({}, optional={"urls": st.integers(1, 9), "bytes": st.integers(4096, 9000)}),
        "gzip": st.sampled_from([True, False, "only"]),
        "images": st.sampled_from([True, "separate"]),
        "videos": st.sampled_from([True, "separate"]),
        "news": st.just({"match": "**", "publication_language": "en"}),
        "engines": st.sampled_from([["google"], ["baidu"], ["yandex", "baidu"]]),
        "indent": st.integers(0, 3),
        "schema_location": st.booleans(),
    },
)  # fmt: skip


def site_of(pages: Iterable[tuple[str, str, int, bool, bool]]) -> list[Candidate]:
    """Candidates, some of which are translations of the one before."""
    candidates: list[Candidate] = []
    for number, (base, folder, images, video, is_translated) in enumerate(pages):
        (each,) = listed(f"{base}{folder}{number:02}/", base_url=None if base == BASE else FRENCH)
        shown = tuple(Image(loc=f"{BASE}{number}-{image}.png") for image in range(images * 3))
        each = with_entry(each, images=shown, videos=TestOwnFiles.VIDEOS if video else ())
        each = structs.replace(each, published=date(2026, 2, 28) if images else None)
        if is_translated and candidates:
            links = (
                Alternate(hreflang="en", href=candidates[-1].entry.loc),
                Alternate(hreflang="de", href=each.entry.loc),
            )
            if not candidates[-1].entry.alternates:
                candidates[-1] = with_entry(candidates[-1], alternates=links)
                each = with_entry(each, alternates=links)
        candidates.append(each)
    return candidates


@given(
    pages_of_a_site, any_settings, st.sampled_from([(), ("sitemap-0.xml", "sitemap-first.xml", "sitemap-index.xml")])
)
@example([(BASE, "", 0, False, False)] * 30, {"limit": {"urls": 1}, "sections": {"first": "a/**"}}, ())
def test_every_page_is_reached_exactly_once_for_all_settings(
    pages: list[tuple[str, str, int, bool, bool]], written: Mapping[str, Any], taken: tuple[str, ...]
) -> None:
    """SM-LIM-01, SM-LIM-02, SM-IDX-01, SM-IDX-02, SM-IDX-05, SM-IDX-06, SM-LOC-04, SM-LOC-05, SM-LOC-09 together."""
    candidates = site_of(pages)
    settings = options(**written)
    arrangement, notes = grouped(candidates, settings, taken=taken)
    assert {note.kind for note in notes} <= {"section", "news"}

    sitemaps = reached(arrangement)
    assert len({*paths(sitemaps)}) == len(sitemaps)
    counted = Counter(locs(each for each in sitemaps if each.part not in OWN_FILES))
    assert counted == Counter(each.entry.loc for each in candidates)
    images = [image for sitemap in sitemaps for entry in sitemap.entries for image in entry.images]
    assert Counter(images) == Counter(image for each in candidates for image in each.entry.images)
    videos = [video for sitemap in sitemaps for entry in sitemap.entries for video in entry.videos]
    assert len(videos) == sum(len(each.entry.videos) for each in candidates)

    everything = [*arrangement.sitemaps, *arrangement.indexes]
    assert len({*paths(everything)}) == len({each.url for each in everything}) == len(everything)
    assert {*paths(everything)}.isdisjoint(taken)
    assert {*paths(sitemaps)} >= {*paths(arrangement.sitemaps)} - {"sitemap.xml", "fr/sitemap.xml"}
    for path, size in sizes(arrangement, settings).items():
        assert size <= (SIZE_LIMIT if path in paths(arrangement.indexes) else settings.limit.bytes)
    for sitemap in arrangement.sitemaps:
        assert 0 < len(sitemap.entries) <= settings.limit.urls
        assert [*sitemap.entries] == sorted(sitemap.entries, key=lambda entry: entry.loc)
        folder = sitemap.url.rpartition("/")[0] + "/"
        assert [entry for entry in sitemap.entries if not entry.loc.startswith(folder)] == []
    for index in arrangement.indexes:
        folder = index.url.rpartition("/")[0] + "/"
        assert [sitemap for sitemap in index.sitemaps if not sitemap.url.startswith(folder)] == []
        assert [sitemap for sitemap in index.sitemaps if sitemap not in arrangement.sitemaps] == []
    for each in everything:
        assert each.url.endswith(PurePosixPath(each.path).name + (".gz" if settings.gzip == "only" else ""))


class TestOtherHosts:
    def test_pages_of_another_host_have_a_file_in_the_folder_that_they_share(self) -> None:
        elsewhere = listed(f"{FRENCH}fr/", f"{FRENCH}fr/guide/", base_url=FRENCH)
        own, other = arranged([*elsewhere, *numbered(1)]).sitemaps
        assert (own.path, own.url) == ("sitemap.xml", "https://example.org/sitemap.xml")
        assert (other.path, other.url) == ("fr/sitemap.xml", f"{FRENCH}fr/sitemap.xml")
        assert [entry.loc for entry in other.entries] == [f"{FRENCH}fr/", f"{FRENCH}fr/guide/"]

    def test_without_such_a_folder_it_is_next_to_the_sites_own(self) -> None:
        elsewhere = listed(f"{FRENCH}a/", f"{FRENCH}b/", base_url=FRENCH)
        _, other = arranged([*numbered(1), *elsewhere]).sitemaps
        assert (other.path, other.url) == ("sitemap-fr.example.org.xml", f"{FRENCH}sitemap-fr.example.org.xml")

    def test_with_cross_submission_their_sitemap_is_at_the_sites_own_url(self) -> None:
        """SM-XS-01: according to the protocol, the robots.txt of a host can name a sitemap on another host."""
        german = "https://de.example.org/"
        candidates = [
            *listed(f"{FRENCH}fr/a/", f"{FRENCH}fr/b/", base_url=FRENCH),
            *listed(f"{german}de/", base_url=german),
            *numbered(1),
        ]
        arrangement = arranged(candidates, options(cross_submit=FRENCH))
        assert [(each.path, each.url, locs([each])) for each in arrangement.sitemaps] == [
            ("sitemap.xml", f"{BASE}sitemap.xml", [f"{BASE}00000/"]),
            ("fr/sitemap.xml", f"{BASE}fr/sitemap.xml", [f"{FRENCH}fr/a/", f"{FRENCH}fr/b/"]),
            ("de/sitemap.xml", f"{german}de/sitemap.xml", [f"{german}de/"]),
        ]
        assert arrangement.cross_submitted == {FRENCH: (f"{BASE}fr/sitemap.xml",)}

    def test_the_urls_for_its_robots_txt_lead_to_all_its_pages(self) -> None:
        """SM-XS-01: both sitemaps of a host with two base URLs, and the index of a large one."""
        candidates = [
            *listed(f"{FRENCH}a/x/", base_url=f"{FRENCH}a/"),
            *listed(*(f"{FRENCH}b/{number}/" for number in range(3)), base_url=f"{FRENCH}b/"),
        ]
        arrangement = arranged(candidates, options(cross_submit=FRENCH, limit={"urls": 2}))
        named = arrangement.cross_submitted[FRENCH]
        assert len(named) == 2
        assert named == arrangement.announced
        assert [url for url in named if not url.startswith(BASE)] == []
        assert Counter(locs(reached(arrangement))) == Counter(each.entry.loc for each in candidates)

    def test_cross_submission_works_for_another_path_of_the_same_host(self) -> None:
        """SM-XS-01, SM-LOC-05."""
        site = Site(base_url=f"{BASE}en/")
        candidates = [*listed(f"{BASE}en/a/"), *listed(f"{BASE}fr/a/", base_url=f"{BASE}fr/")]
        arrangement = arranged(candidates, options(cross_submit=BASE), site=site)
        urls = {url for each in arrangement.sitemaps for url in [each.url]}
        assert urls == {f"{BASE}en/sitemap.xml", *arrangement.cross_submitted[BASE]}
        assert [url for url in urls if not url.startswith(f"{BASE}en/")] == []

    def test_another_page_does_not_move_the_file(self) -> None:
        paths = ("fr/a/b/c/", "fr/a/d.html", "fr/", "fr/e.html")
        for number in range(1, len(paths) + 1):
            candidates = listed(*(FRENCH + path for path in paths[:number]), base_url=FRENCH)
            (sitemap,) = arranged(candidates).sitemaps
            assert (sitemap.path, sitemap.url) == ("fr/sitemap.xml", f"{FRENCH}fr/sitemap.xml")

    def test_a_page_can_have_the_base_of_the_site_itself(self) -> None:
        candidates = [*numbered(1), *listed("https://example.org/z/", base_url="https://example.org/")]
        (sitemap,) = arranged(candidates).sitemaps
        assert len(sitemap.entries) == 2

    @pytest.mark.parametrize(
        ("base_url", "path"),
        [
            ("https://fr.example.org/", "docs-fr.example.org.xml"),
            ("https://fr.example.org:8443/docs/", "docs-fr.example.org-8443-docs.xml"),
            ("https://xn--bcher-kva.example/%C3%BC/", "docs-xn-bcher-kva.example-C3-BC.xml"),
        ],
    )
    def test_next_to_the_sites_own_it_is_named_after_its_host(self, base_url: str, path: str) -> None:
        candidates = [
            Candidate(
                page=Page(loc=base_url, name="index.md", base_url=base_url),
                path="index.html",
                entry=Entry(loc=base_url),
            )
        ]
        (sitemap,) = arranged(candidates, options(filename="docs.xml")).sitemaps
        assert (sitemap.path, sitemap.url) == (path, base_url + path)

    def test_its_url_is_encoded(self) -> None:
        loc = f"{FRENCH}%C3%BCber%20uns/a/"
        candidate = Candidate(
            page=Page(loc=loc, name="a.md", base_url=FRENCH), path="über uns/a/", entry=Entry(loc=loc)
        )
        (sitemap,) = arranged([candidate]).sitemaps
        assert (sitemap.path, sitemap.url) == ("über uns/sitemap.xml", f"{FRENCH}%C3%BCber%20uns/sitemap.xml")

    def test_two_hosts_never_share_a_file(self) -> None:
        bases = ("https://a.example/", "http://a.example/", "https://b.example/", "https://b.example:8080/")
        for path in ("docs/a/", ""):
            candidates = [each for base in bases for each in listed(base + path, base_url=base)]
            sitemaps = arranged(candidates).sitemaps
            assert len({sitemap.path for sitemap in sitemaps}) == len(bases)

    @pytest.mark.parametrize("paths", [("/a/", "b/"), ("/a/", "/a/b/"), ("../a/", "../a/b/"), ("a:b/", "a:b/c/")])
    def test_folders_that_cannot_be_written_do_not_end_the_build(self, paths: tuple[str, ...]) -> None:
        candidates = [
            Candidate(page=Page(loc=path, name=path, base_url=FRENCH), path=path, entry=Entry(loc=FRENCH + path))
            for path in paths
        ]
        (sitemap,) = arranged(candidates).sitemaps
        assert sitemap.path == "sitemap-fr.example.org.xml"


def sections(**written: object) -> Mapping[str, Section]:
    settings, mistakes = read_settings({"sections": written})
    assert not mistakes
    return settings.sections


def at(path: str, *, name: str = "", language: str = "", **values: Any) -> Candidate:
    return candidate(BASE + path, name=name or f"{path}.md", path=path, language=language, **values)


def divided(pages: list[Candidate], written: Mapping[str, Section]) -> dict[str, list[str]]:
    """The paths in each part, with a check that there are no notes."""
    parts, notes = divide(iter(pages), written)
    assert notes == []
    return {name: [each.path for each in part] for name, part in parts.items()}


@pytest.mark.parametrize(
    ("section", "held"),
    [
        ("guides/**", ["guides/a/", "guides/b/"]),
        ({"match": "guides/**", "source": "src/*.md"}, ["guides/b/"]),
        ({"language": "pt_br"}, ["guides/b/"]),
        ({"archive": "year"}, []),
    ],
)
def test_a_section_contains_the_pages_that_match_all_its_conditions(section: object, held: list[str]) -> None:
    pages = [
        at("guides/a/", language="de"),
        at("guides/b/", name="src/b.md", language="pt_BR"),
        at("blog/c/", name="src/c.md", language="no such language"),
        at("index.html"),
    ]
    parts = divided(pages, sections(part=section))
    assert parts.get("part", []) == held
    assert parts[REST] == [each.path for each in pages if each.path not in held]
    assert list(parts) == (["part", REST] if held else [REST])


def test_parts_are_in_the_order_of_their_sections_and_the_rest_is_last() -> None:
    written = sections(zebra="z/", ape="a/", bee={"match": "b/", "archive": "year"})
    pages = [at(path) for path in ("x/", "b/", "a/", "z/")]
    assert list(divided(pages, written)) == ["zebra", "ape", "bee-undated", REST]


def test_the_section_in_the_front_matter_comes_first() -> None:
    written = sections(first="**", second="never/")
    assert divided([at("a/", section="second"), at("b/")], written) == {"first": ["b/"], "second": ["a/"]}


def test_names_can_end_in_digits_or_look_like_a_year() -> None:
    """SM-LOC-09: such a part is in the place of its own section, not of another section's archive."""
    written = sections(**{"v1-0": "a/", "blog-2026": "b/", "blog": {"match": "c/", "archive": "year"}, "v1": "d/"})
    pages = [at("d/"), at("c/", published=date(2025, 1, 1)), at("b/"), at("a/")]
    assert divided(pages, written) == {"v1-0": ["a/"], "blog-2026": ["b/"], "blog-2025": ["c/"], "v1": ["d/"]}
    assert list(divided(pages, written)) == ["v1-0", "blog-2026", "blog-2025", "v1"]


@pytest.mark.parametrize("order", [("blog", "blog-2026"), ("blog-2026", "blog")])
def test_an_archive_and_a_section_of_the_same_name_lose_no_page(order: tuple[str, str]) -> None:
    both: dict[str, object] = {"blog": {"match": "a/", "archive": "year"}, "blog-2026": "b/"}
    pages = [at("a/", published=date(2026, 1, 1)), at("b/")]
    parts = divided(pages, sections(**{name: both[name] for name in order}))
    assert sorted(path for part in parts.values() for path in part) == ["a/", "b/"]


class TestPagesThatSeveralSectionsMatch:
    WRITTEN = sections(guides="guides/**", all="**", md={"source": "*.md"})

    def test_are_noted_once_and_belong_to_the_first_section(self) -> None:
        pages = [at(path, name="x.rst") for path in ("guides/a/", "guides/b/", "guides/c/", "d/")]
        parts, (note,) = divide(pages, self.WRITTEN)
        assert {name: len(part) for name, part in parts.items()} == {"guides": 3, "all": 1}
        assert (note.kind, note.page) == ("section", "x.rst")
        assert note.message == "sections: guides and all both match it; the first one lists it (and 2 more pages)"

    def test_are_noted_once_for_each_combination_of_sections(self) -> None:
        pages = [at("guides/a/", name="a.md"), at("b/", name="b.md"), at("c/", name="c.md")]
        parts, notes = divide(pages, self.WRITTEN)
        assert {name: len(part) for name, part in parts.items()} == {"guides": 1, "all": 2}
        assert [(note.page, note.message) for note in notes] == [
            ("a.md", "sections: guides, all and md all match it; the first one lists it"),
            ("b.md", "sections: all and md both match it; the first one lists it (and 1 more page)"),
        ]

    def test_are_not_noted_if_their_front_matter_has_a_section(self) -> None:
        assert divided([at("guides/a/", section="md")], self.WRITTEN) == {"md": ["guides/a/"]}


class TestArchives:
    @pytest.mark.parametrize(
        ("published", "part"),
        [
            (date(2026, 1, 1), "blog-2026"),
            (datetime(2025, 12, 31, 23, 59, tzinfo=UTC), "blog-2025"),
            (date(987, 1, 1), "blog-0987"),
            (None, "blog-undated"),
        ],
    )
    def test_are_named_by_the_year_of_publication(self, published: LastMod | None, part: str) -> None:
        written = sections(blog={"match": "blog/**", "archive": "year"})
        assert divided([at("blog/a/", published=published)], written) == {part: ["blog/a/"]}

    def test_are_in_the_order_of_the_years(self) -> None:
        written = sections(blog={"match": "**", "archive": "year"}, later="never/")
        dates = (None, date(2025, 1, 1), date(1999, 1, 1), date(2026, 1, 1))
        pages = [at(f"{number}/", published=when) for number, when in enumerate(dates)]
        pages.append(at("z/", section="later"))
        assert list(divided(pages, written)) == ["blog-1999", "blog-2025", "blog-2026", "blog-undated", "later"]

    def test_of_sections_with_hyphens_in_their_names_stay_separate(self) -> None:
        written = sections(**{"my-blog": {"match": "a/", "archive": "year"}, "my": {"match": "b/", "archive": "year"}})
        when = {"published": date(2026, 1, 1)}
        assert list(divided([at("b/", **when), at("a/", **when)], written)) == ["my-blog-2026", "my-2026"]

    def test_contain_pages_that_have_chosen_the_section_too(self) -> None:
        written = sections(blog={"archive": "year"})
        page = at("a/", section="blog", published=date(2026, 1, 1))
        assert divided([page, at("b/", published=date(2026, 1, 1))], written) == {"blog-2026": ["a/"], REST: ["b/"]}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a/x/", "b/x/", "x/"]),
            st.sampled_from([None, "first", "second", "third"]),
            st.none() | st.dates(),
        ),
        max_size=20,
    )
)
def test_every_page_is_in_exactly_one_part(pages: list[tuple[str, str | None, date | None]]) -> None:
    """SM-LOC-09."""
    written = sections(first="a/**", second={"match": ["a/**", "b/**"], "archive": "year"}, third={"source": "*"})
    candidates = [
        at(f"{path}{number}/", section=section, published=published)
        for number, (path, section, published) in enumerate(pages)
    ]
    parts, _ = divide(candidates, written)
    assert Counter(each.path for part in parts.values() for each in part) == Counter(each.path for each in candidates)
    assert all(parts.values())
