"""Which pages belong to a group, and when feeds are written."""

import pytest

from sitemap_plugins.model import Candidate, Entry, Page
from sitemap_plugins.options.settings import FeedFile, Feeds, NewsGroup, PageGroup, Section
from sitemap_plugins.options.types import Globs, LanguageCode, Title

_LOC = "https://example.org/news/today/"
PAGE = Candidate(page=Page(loc=_LOC, name="today.md", language="de"), path="news/today/", entry=Entry(loc=_LOC))


@pytest.mark.parametrize(
    ("group", "holds"),
    [
        (PageGroup(), False),
        (PageGroup(match=Globs(("news/",))), True),
        (PageGroup(match=Globs(("guides/",))), False),
        (PageGroup(match=Globs()), False),
        (PageGroup(source=Globs(("*.md",))), True),
        (PageGroup(source=Globs(("*.rst",))), False),
        (PageGroup(language=LanguageCode("de")), True),
        (PageGroup(language=LanguageCode("de-AT")), False),
        (PageGroup(match=Globs(("news/",)), source=Globs(("*.md",)), language=LanguageCode("de")), True),
        (PageGroup(match=Globs(("news/",)), source=Globs(("*.md",)), language=LanguageCode("fr")), False),
        (PageGroup(match=Globs(("news/",)), source=Globs(("*.rst",))), False),
        (PageGroup(match=Globs(("guides/",)), language=LanguageCode("de")), False),
    ],
)
def test_a_group_contains_the_pages_that_match_all_its_conditions(group: PageGroup, *, holds: bool) -> None:
    assert group.holds(PAGE) is holds


@pytest.mark.parametrize("group", [Section(archive="year"), NewsGroup()])
def test_a_group_without_conditions_contains_no_page(group: PageGroup) -> None:
    assert not group.holds(PAGE)


@pytest.mark.parametrize(
    ("feeds", "are_written"),
    [
        (Feeds(), False),
        (Feeds(count=5, title=Title("What is new"), head_links=True), False),
        (Feeds(atom=FeedFile("a.xml")), True),
        (Feeds(rss=FeedFile("b.xml")), True),
    ],
)
def test_feeds_are_written_if_a_file_is_named(feeds: Feeds, *, are_written: bool) -> None:
    assert bool(feeds) is are_written


def test_the_defaults_of_a_feed_are_those_of_the_manual() -> None:
    assert Feeds(rss=FeedFile("b.xml")) == Feeds(
        rss=FeedFile("b.xml"), atom=None, count=50, title=None, head_links=False
    )
