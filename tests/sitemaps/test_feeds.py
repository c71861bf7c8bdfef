"""The pages that changed most recently, and their entries in feeds (SM-FEED-01)."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.media import Image, News
from sitemap_plugins.model import (
    Candidate,
    Content,
    Dated,
    Entry,
    FeedItem,
    FileDate,
    LastMod,
    Markup,
    Note,
    Page,
    Site,
)
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.sitemaps.feeds import news_entries, recent_changes
from sitemap_plugins.values.dates import moment_of
from tests.builders import candidate, options, replace

BASE = "https://example.org/"
DAY = date(2026, 3, 1)
EAST = timezone(timedelta(hours=2))


def changed(
    path: str = "a/",
    lastmod: LastMod | None = DAY,
    *,
    title: str = "A page",
    content: Content | None = None,
    front_matter: Mapping[object, object] | None = None,
) -> Candidate:
    entry = Entry(loc=BASE + path, lastmod=lastmod)
    shown = {"title": title, "content": content, "front_matter": front_matter or {}, "markup": Markup()}
    return candidate(BASE + path, name=path, entry=entry, **shown)


def item(candidate: Candidate) -> FeedItem:
    (found,) = recent_changes([candidate], 1)
    return found


class TestWhichPages:
    def test_the_newest_come_first(self) -> None:
        """SM-FEED-01: with the date of the sitemap, unchanged."""
        newest = datetime(2026, 3, 1, 9, tzinfo=UTC)
        listed = [changed("a/", date(2026, 2, 1)), changed("b/", newest), changed("c/", date(2025, 12, 31))]
        assert recent_changes(listed, 10) == (
            FeedItem(loc=f"{BASE}b/", title="A page", description="", updated=newest),
            FeedItem(loc=f"{BASE}a/", title="A page", description="", updated=date(2026, 2, 1)),
            FeedItem(loc=f"{BASE}c/", title="A page", description="", updated=date(2025, 12, 31)),
        )

    def test_a_page_that_has_the_date_of_another_page_is_left_out(self) -> None:
        def dated(each: Candidate, own: str | None, file: str) -> Candidate:
            places = {name: FileDate(when=None, repository="/r", path=name) for name in (own, file) if name}
            return replace(each, dated=Dated(own=places.get(own or ""), file=places[file]))

        listed = [
            dated(changed("post/"), "post.md", "post.md"),
            dated(changed("blog/"), "index.md", "post.md"),
            dated(changed("archive/"), None, "post.md"),
            dated(changed("includes/"), "a.md", "part.txt"),
            dated(changed("takes-a-file/"), "b.md", "plan.pdf"),
            dated(changed("plan.pdf", title=""), "plan.pdf", "plan.pdf"),
        ]
        found = [each.loc.removeprefix(BASE) for each in recent_changes(listed, 9)]
        assert found == ["includes/", "post/", "takes-a-file/"]

    def test_a_day_counts_as_its_first_moment_in_utc(self) -> None:
        listed = [
            changed("before/", datetime(2026, 3, 1, 1, 59, tzinfo=EAST)),
            changed("day/", DAY),
            changed("after/", datetime(2026, 3, 1, 2, 1, tzinfo=EAST)),
        ]
        assert [each.loc.removeprefix(BASE) for each in recent_changes(listed, 3)] == ["after/", "day/", "before/"]

    def test_files_and_pages_without_a_title_are_left_out(self) -> None:
        """They do not count towards the limit."""
        file = Candidate(
            page=Page(loc=f"{BASE}a.pdf", name="a.pdf"),
            path="a.pdf",
            entry=Entry(loc=f"{BASE}a.pdf", lastmod=date(2026, 4, 1)),
        )
        untitled = changed("b/", date(2026, 4, 2), title=" \x07", content=Content(summary="It begins."))
        assert [each.loc for each in recent_changes([file, untitled, changed("c/")], 1)] == [f"{BASE}c/"]

    def test_the_first_possible_date_is_the_oldest(self) -> None:
        listed = [changed("a/", datetime(1, 1, 1, tzinfo=EAST)), changed("b/", DAY)]
        assert [each.loc for each in recent_changes(listed, 2)] == [f"{BASE}b/", f"{BASE}a/"]

    @given(
        st.lists(
            st.tuples(
                st.text("abc", max_size=3),
                st.none() | st.dates() | st.datetimes(timezones=st.sampled_from([UTC, EAST])),
                st.sampled_from(["", "A page"]),
            )
        ),
        st.integers(0, 5),
    )
    def test_the_order_of_the_pages_does_not_matter(
        self, pages: list[tuple[str, LastMod | None, str]], count: int
    ) -> None:
        listed = [changed(f"{number}{path}", *rest[:1], title=rest[1]) for number, (path, *rest) in enumerate(pages)]
        found = recent_changes(listed, count)
        assert recent_changes(listed[::-1], count) == found
        usable = [each for each in listed if each.entry.lastmod is not None and each.page.title]
        assert len(found) == min(count, len(usable))
        keys = [(-moment_of(each.updated).timestamp(), each.loc) for each in found]
        assert keys == sorted((-moment_of(each.entry.lastmod).timestamp(), each.entry.loc) for each in usable)[:count]


class TestDescriptions:
    FULL = Content(title="A", description="What the head says.", summary="How it begins.")

    def test_a_description_that_several_pages_share_is_that_of_the_site(self) -> None:
        """Pages that are in no feed count too: here, one without a date."""
        listed = [
            changed("a/", content=self.FULL),
            changed("b/", None, content=replace(self.FULL, summary="Another begins.")),
            changed("c/", content=replace(self.FULL, description="What its own head says.")),
            changed("d/", content=replace(self.FULL, summary="")),
            changed("e/", content=self.FULL, front_matter={"description": "What the author says."}),
            changed("f/"),
        ]
        assert {each.loc[-2]: each.description for each in recent_changes(listed, 9)} == {
            "a": "How it begins.",
            "c": "What its own head says.",
            "d": "",
            "e": "What the author says.",
            "f": "",
        }

    def test_two_pages_are_enough(self) -> None:
        listed = [changed(path, content=self.FULL) for path in "ab"]
        assert [each.description for each in recent_changes(listed, 2)] == ["How it begins."] * 2

    @pytest.mark.parametrize("place", ["front_matter", "description", "summary"])
    def test_it_is_short_for_every_source(self, place: str) -> None:
        text = "word " * 1000
        if place == "front_matter":
            page = changed(front_matter={"description": text})
        else:
            page = changed(content=Content(**{place: text}))
        assert item(page).description == ("word " * 409).strip()


AS_OF = datetime(2026, 3, 10, 12, tzinfo=UTC)
SITE = Site(base_url=BASE, name="The Daily", as_of=AS_OF)
TODAY = date(2026, 3, 10)


def wanted(**news: object) -> Settings:
    return options(news=news or {"match": "**"})


def page(
    path: str = "a/",
    published: LastMod | None = TODAY,
    *,
    title: str = "A title",
    language: str = "en",
    content: Content | None = None,
    markup: Markup | None = Markup(),  # noqa: B008  # it is immutable
    generated: bool = False,
    **values: Any,
) -> Candidate:
    found = Page(
        loc=BASE + path,
        name=f"{path}index.md",
        title=title,
        language=language,
        content=content,
        markup=markup,
        generated=generated,
    )
    return Candidate(page=found, path=path, entry=Entry(loc=BASE + path), published=published, **values)


def found(*pages: Candidate, settings: Settings | None = None, site: Site = SITE) -> list[Entry]:
    """The news, with a check that there are no notes."""
    entries, notes = news_entries(site, pages, settings or wanted())
    assert notes == []
    return entries


def texts_of(entries: list[Entry], name: str) -> list[str | None]:
    """The text of all elements of this name, as parsed from the XML."""
    root = ET.fromstring(b"".join(SitemapWriter().render(entries)))  # noqa: S314  # our own XML
    return [each.text for each in root.iter() if each.tag.endswith(f"}}{name}")]


def test_all_values_of_a_news_page() -> None:
    values = {"lastmod": AS_OF, "priority": 0.5, "images": (Image(loc=f"{BASE}a.png"),)}
    each = structs.replace(page(), entry=Entry(loc=f"{BASE}a/", **values))
    news = News(name="The Daily", language="en", publication_date=TODAY, title="A title")
    assert found(each) == [Entry(loc=f"{BASE}a/", lastmod=AS_OF, news=news)]


def test_without_the_option_there_are_none() -> None:
    assert news_entries(SITE, [page(news=True)], Settings()) == ([], [])


class TestWindow:
    @pytest.mark.parametrize(
        ("published", "is_news"),
        [
            (AS_OF - timedelta(days=2), True),
            (AS_OF - timedelta(days=2, seconds=1), False),
            (AS_OF + timedelta(days=1), True),  # a day of clock skew, as everywhere
            (AS_OF + timedelta(days=1, seconds=1), False),
            (date(2026, 3, 8), True),  # a day counts to its end
            (date(2026, 3, 7), False),
            (date(2026, 3, 12), False),
            (datetime(2026, 3, 8, 7, tzinfo=timezone(timedelta(hours=-5))), True),
            (datetime(2026, 3, 8, 6, 59, tzinfo=timezone(timedelta(hours=-5))), False),
        ],
    )
    def test_is_two_days_long(self, published: LastMod, *, is_news: bool) -> None:
        assert bool(found(page(published=published))) is is_news

    def test_starts_with_a_whole_day_for_whole_days(self) -> None:
        midnight = structs.replace(SITE, as_of=datetime(2026, 3, 10, tzinfo=UTC))
        assert found(page(published=date(2026, 3, 8)), site=midnight)
        assert not found(page(published=date(2026, 3, 7)), site=midnight)

    def test_is_unknown_without_the_current_time(self) -> None:
        site = structs.replace(SITE, as_of=None)
        entries, (note,) = news_entries(site, [page(), page("b/")], wanted())
        assert entries == []
        assert (note.kind, note.page) == ("news", None)
        assert "SOURCE_DATE_EPOCH" in note.message
        assert news_entries(site, [page(news=False)], wanted()) == ([], [])


@pytest.mark.parametrize(
    ("written", "values", "is_news"),
    [
        ({"match": "blog/**"}, {}, False),
        ({"match": "a/"}, {}, True),
        ({"language": "de"}, {}, False),
        ({"match": "blog/**"}, {"news": True}, True),
        ({"match": "**"}, {"news": False}, False),
        ({"name": "A name"}, {}, False),
    ],
)
def test_pages_are_selected_by_the_option_and_by_front_matter(
    written: dict[str, object], values: dict[str, Any], *, is_news: bool
) -> None:
    assert bool(found(page(**values), settings=wanted(**written))) is is_news


class TestValues:
    @pytest.mark.parametrize(
        ("written", "language", "code"),
        [
            ({}, "en_GB", "en"),
            ({}, "de", "de"),
            ({}, "zh_CN", "zh-cn"),
            ({}, "zh-TW", "zh-tw"),
            ({}, "zh_Hant_TW", "zh"),
            ({}, "fil", "fil"),
            ({"publication_language": "pt-BR"}, "en", "pt"),
            ({"publication_language": "fr"}, "no such language", "fr"),
        ],
    )
    def test_the_language_is_that_of_the_option_or_of_the_page(
        self, written: dict[str, object], language: str, code: str
    ) -> None:
        (entry,) = found(page(language=language), settings=wanted(match="**", **written))
        assert entry.news is not None
        assert entry.news.language == code

    @pytest.mark.parametrize(
        ("values", "title"),
        [
            ({}, "A title"),
            ({"content": Content(title="The heading")}, "The heading"),
            ({"content": Content()}, "A title"),
            ({"title": "", "content": Content(title="The heading")}, "The heading"),
        ],
    )
    def test_the_title_is_the_heading_or_the_title_of_the_host(self, values: dict[str, Any], title: str) -> None:
        (entry,) = found(page(**values))
        assert entry.news is not None
        assert entry.news.title == title

    @pytest.mark.parametrize(("written", "name"), [({}, "The Daily"), ({"name": "The Weekly"}, "The Weekly")])
    def test_the_publication_is_the_site_by_default(self, written: dict[str, str], name: str) -> None:
        (entry,) = found(page(), settings=wanted(match="**", **written))
        assert entry.news is not None
        assert entry.news.name == name

    @pytest.mark.parametrize(
        ("site", "values", "words"),
        [
            ({"name": ""}, {}, "the publication has no name: set news.name"),
            ({}, {"title": ""}, "the page has no title"),
            ({}, {"language": ""}, "its language is not known: set news.publication_language"),
            ({}, {"language": "klingon"}, "its language is not known: set news.publication_language"),
        ],
    )
    def test_a_page_that_lacks_a_value_is_left_out(
        self, site: dict[str, str], values: dict[str, Any], words: str
    ) -> None:
        whole = page("b/", news=None)
        entries, notes = news_entries(structs.replace(SITE, **site), [page(**values), whole], wanted())
        assert [entry.loc for entry in entries] == ([] if site else [f"{BASE}b/"])
        assert notes[0] == Note(kind="news", page="a/index.md", message=f"{words}; it is not listed as news")
        assert len(notes) == (2 if site else 1)

    @pytest.mark.parametrize("name", ["The\x07 Daily", "The\ud800 Daily"])
    def test_control_characters_in_the_name_of_the_site_are_removed(self, name: str) -> None:
        entries, _ = news_entries(structs.replace(SITE, name=name), [page()], wanted())
        assert texts_of(entries, "name") == ["The Daily"]

    @pytest.mark.parametrize("title", ["a\x07b", "\x0c", "a\ud800b", "a\ufffe"])
    def test_control_characters_in_a_title_are_removed(self, title: str) -> None:
        """SM-XML-05: no control characters, in any title from the host."""
        entries, _ = news_entries(SITE, [page(title=title), page("b/")], wanted())
        titles = texts_of(entries, "title")
        assert titles[-1:] == ["A title"]
        assert [text for text in titles if not (text and text.isprintable())] == []


class TestUndated:
    def test_pages_share_one_note(self) -> None:
        pages = [page("a/", None), page("b/"), page("c/", None), page("d/", None, news=False)]
        entries, (note,) = news_entries(SITE, pages, wanted())
        assert [entry.loc for entry in entries] == [f"{BASE}b/"]
        assert (note.kind, note.page) == ("news", "a/index.md")
        assert "no publication date" in note.message
        assert note.message.endswith(" (and 1 more page)")

    def test_a_single_page_is_not_counted(self) -> None:
        _, (note,) = news_entries(SITE, [page(published=None)], wanted())
        assert note.message.endswith("front matter")

    @pytest.mark.parametrize("values", [{"generated": True}, {"markup": None}], ids=["made by a plugin", "a file"])
    def test_pages_without_an_author_are_left_out_silently(self, values: dict[str, Any]) -> None:
        assert found(page("a/", None, **values)) == []
        _, (note,) = news_entries(SITE, [page("a/", None, **values), page("b/", None)], wanted())
        assert (note.page, "more page" in note.message) == ("b/index.md", False)

    @pytest.mark.parametrize("values", [{"generated": True}, {"markup": None}], ids=["made by a plugin", "a file"])
    def test_pages_without_an_author_are_news_if_they_have_a_date(self, values: dict[str, Any]) -> None:
        assert [entry.loc for entry in found(page(**values))] == [f"{BASE}a/"]


moments = st.none() | st.dates(date(2026, 3, 1), date(2026, 3, 20))
moments |= st.datetimes(datetime(2026, 3, 1), datetime(2026, 3, 20), timezones=st.just(UTC))  # noqa: DTZ001  # see there


@given(st.lists(st.tuples(moments, st.sampled_from([None, True, False])), max_size=8).flatmap(
    lambda pages: st.tuples(st.just(pages), st.permutations(range(len(pages))))
))  # fmt: skip
def test_news_are_sorted_and_the_order_of_the_host_makes_no_difference(
    orders: tuple[list[tuple[LastMod | None, bool | None]], list[int]],
) -> None:
    values, order = orders
    pages = [page(f"{number}/", published, news=news) for number, (published, news) in enumerate(values)]
    entries, _ = news_entries(SITE, pages, wanted())
    assert entries == news_entries(SITE, [pages[number] for number in order], wanted())[0]
    assert [entry.loc for entry in entries] == sorted(entry.loc for entry in entries)
    assert [entry for entry in entries if not (entry.news and entry.lastmod is None)] == []
