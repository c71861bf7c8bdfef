"""The pages that changed most recently, and their entries in feeds (SM-FEED-01)."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.model import Candidate, Content, Dated, Entry, FeedItem, FileDate, LastMod, Markup, Page
from sitemap_plugins.sitemaps.feeds import recent_changes
from sitemap_plugins.values.dates import moment_of
from tests.builders import candidate, replace

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
