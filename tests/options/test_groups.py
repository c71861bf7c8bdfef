"""Which pages go together, and how much a file may hold."""

import pytest

from sitemap_plugins.options import SIZE_LIMIT, URL_LIMIT, Feeds, Globs, News, PageGroup, Section
from sitemap_plugins.options.types import FeedFile, LanguageCode


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
def test_a_group_holds_the_pages_that_match_all_it_says(group: PageGroup, *, holds: bool) -> None:
    assert group.holds("news/today/", "today.md", "de") is holds


@pytest.mark.parametrize("group", [Section(archive="year"), News()])
def test_a_group_that_does_not_say_which_pages_holds_none(group: PageGroup) -> None:
    assert not group.holds("news/today/", "today.md", "de")


@pytest.mark.parametrize(
    ("feeds", "files"),
    [
        (Feeds(), ()),
        (Feeds(atom=FeedFile("a.xml")), ("a.xml",)),
        (Feeds(atom=FeedFile("a.xml"), rss=FeedFile("b.xml")), ("b.xml", "a.xml")),
    ],
)
def test_the_feeds_that_are_wanted(feeds: Feeds, files: tuple[str, ...]) -> None:
    assert feeds.files == files


def test_the_limits_are_those_of_the_protocol() -> None:
    # SM-LIM-01, SM-LIM-02 and SM-IDX-01; ten megabytes and a thousand sitemaps are those of long ago.
    assert (URL_LIMIT, SIZE_LIMIT) == (50_000, 50 * 1024 * 1024)
