"""The listed pages, arranged for readers by language and folder."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from sitemap_plugins.formats.page_list import ListedPage, ListPart, PageListFile
from sitemap_plugins.model import Candidate, Content, Entry, LastMod, Page, Site
from sitemap_plugins.sitemaps.page_list import list_pages

BASE = "https://docs.example.org/"
SITE = Site(base_url=BASE)


def page(path: str, title: str = "", lastmod: LastMod | None = None, *, loc: str = "", **values: Any) -> Candidate:
    loc = loc or BASE + path
    about = Page(loc=loc, name=path, title=title or path or "home", output=path, **values)
    return Candidate(page=about, path=path or "index.html", entry=Entry(loc=loc, lastmod=lastmod))


def listed(*pages: Candidate, site: Site = SITE, path: str = "sitemap.html") -> tuple[ListPart, ...]:
    file = PageListFile(path=path, loc=BASE + path.removesuffix("index.html"), render=lambda _: (None, []))
    return list_pages(site, pages, file)


def outline(part: ListPart) -> list[object]:
    """The titles of the pages of a part, and for each of its parts the title and the same again."""
    return [*(each.title for each in part.pages), *({each.title: outline(each)} for each in part.parts)]


def outlines(*pages: Candidate, **about: Any) -> list[object]:
    (part,) = listed(*pages, **about)
    return outline(part)


def paths(*names: str) -> list[object]:
    return outlines(*map(page, names))


def test_pages_are_grouped_by_their_folders_in_the_given_order() -> None:
    assert paths("", "z/", "guide/b/", "a/", "guide/a/", "api/x/") == [
        *("home", "z/", "a/"),
        {"Guide": ["guide/b/", "guide/a/"]},
        {"Api": ["api/x/"]},
    ]


@pytest.mark.parametrize("index", ["guide/", "guide/index.html", "guide/index.htm", "guide", "guide.html"])
def test_the_index_of_a_folder_names_it_and_comes_first(index: str) -> None:
    pages = [page("index.html", "Home"), page("guide/a.html", "A"), page(index, "The guide")]
    assert outlines(*pages) == ["Home", {"The guide": ["The guide", "A"]}]


def test_a_folder_without_an_index_has_a_readable_name() -> None:
    assert paths("user-guide/a", "user-guide/b", "API_v2/a", "API_v2/b", "_/a", "_/b") == [
        {"User guide": ["user-guide/a", "user-guide/b"]},
        {"API v2": ["API_v2/a", "API_v2/b"]},
        {"_": ["_/a", "_/b"]},
    ]


def test_folders_in_folders_are_parts_of_parts() -> None:
    assert paths("", "a/", "a/b/c", "a/b/d/e", "a/x") == [
        "home",
        {"a/": ["a/", "a/x", {"B": ["a/b/c", {"D": ["a/b/d/e"]}]}]},
    ]


def test_folders_with_nothing_but_a_folder_are_joined() -> None:
    assert paths("", "blog/", "blog/2026/01/02/post/") == [
        "home",
        {"blog/": ["blog/", {"2026 / 01 / 02": ["blog/2026/01/02/post/"]}]},
    ]


def test_the_pages_of_folders_at_great_depth_are_listed_together() -> None:
    deep = "/".join("abcdefgh")
    ways = [f"{'/'.join('abcd'[:length])}/page" for length in range(1, 5)]
    part = paths("", *ways, f"{deep}/", f"{deep}/x", "/".join(["y"] * 1000))
    assert part[:2] == [
        "home",
        {"A": [ways[0], {"B": [ways[1], {"C": [ways[2], {"D": [ways[3], f"{deep}/", f"{deep}/x"]}]}]}]},
    ]


def test_folders_that_all_pages_have_in_common_make_no_part() -> None:
    assert paths("docs/v1/", "docs/v1/guide/a", "docs/v1/guide/b") == [
        "docs/v1/",
        {"Guide": ["docs/v1/guide/a", "docs/v1/guide/b"]},
    ]


def test_each_language_is_a_part_without_its_folder_and_the_default_is_first() -> None:
    pages = [
        page("fr/", language="fr"),
        page("fr/guide/a/", language="fr"),
        page("fr/guide/b/", language="fr"),
        page("", language="en_US"),
        page("a/", language="en-US"),
        page("ar/", language="ar"),
        page("paper.pdf"),
    ]
    parts = listed(*pages, site=Site(base_url=BASE, default_language="en_US"))
    assert [(each.language, each.direction, each.title, each.counted) for each in parts] == [
        ("en-US", "ltr", "English", "Pages"),
        ("fr", "ltr", "Français", "Pages"),
        ("ar", "rtl", "العربية", "الصفحات"),
    ]
    assert [outline(each) for each in parts] == [
        ["home", "a/", "paper.pdf"],
        ["fr/", {"Guide": ["fr/guide/a/", "fr/guide/b/"]}],
        ["ar/"],
    ]


def test_without_a_default_the_language_of_most_pages_is_first() -> None:
    parts = listed(page("a", language="de"), page("b", language="fr"), page("c", language="fr"))
    assert [each.language for each in parts] == ["fr", "de"]


def test_languages_with_the_same_name_show_their_codes() -> None:
    parts = listed(page("a", language="pt"), page("b", language="pt_BR"), page("c", language="en"))
    assert [each.title for each in parts] == ["Português (pt)", "Português (pt-BR)", "English"]


@pytest.mark.parametrize("language", ["", "no language"])
def test_the_language_may_be_unknown(language: str) -> None:
    (part,) = listed(page("a", language=language))
    assert (part.language, part.direction, part.title, part.counted) == ("", "", "", "Pages")


def test_a_site_without_pages_has_no_part() -> None:
    assert listed() == ()


def test_the_list_does_not_list_itself() -> None:
    assert outlines(page("a.html"), page("sitemap.html"), page("b.html")) == ["a.html", "b.html"]


@pytest.mark.parametrize(
    ("lastmod", "shown"),
    [(None, ""), (date(2026, 3, 1), "2026-03-01"), (datetime(2026, 3, 1, 23, 30, tzinfo=UTC), "2026-03-01")],
)
def test_dates_have_one_form_everywhere(lastmod: LastMod | None, shown: str) -> None:
    (part,) = listed(page("a", lastmod=lastmod))
    assert part.pages[0].date == shown


def test_the_title_is_the_main_heading_or_else_the_name_of_the_file() -> None:
    heading = page("a.html", "From the host", content=Content(title="Heading <b>"))
    assert outlines(heading) == ["Heading <b>"]
    for path, title in [("files/a%20paper.pdf", "a paper.pdf"), ("a/b/", "b"), ("", BASE)]:
        untitled = page(path)
        bare = Candidate(page=Page(loc=untitled.page.loc, name=path), path=path, entry=untitled.entry)
        assert listed(bare)[0].pages == (ListedPage(title=title, url=listed(bare)[0].pages[0].url),)


def test_links_are_relative_to_the_list() -> None:
    part, *_ = listed(
        page(""), page("a/"), page("b.html"), page("c", loc="https://other.example/c"), path="sitemap/index.html"
    )
    assert [each.url for each in part.pages] == ["../", "../a/", "../b.html", "https://other.example/c"]
