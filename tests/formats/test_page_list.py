"""The list of all pages as HTML, and the plain page around it."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from sitemap_plugins.formats.page_list import (
    ListedPage,
    ListPart,
    PageList,
    render_list,
    render_plain_page,
    with_mark,
    with_style,
)

HOME = ListedPage(title="Home", url="./")
INSTALL = ListedPage(title="Install", url="guide/install/", date="2026-03-01")


def part(title: str = "", *pages: ListedPage, parts: tuple[ListPart, ...] = (), code: str = "") -> ListPart:
    direction = {"": "", "ar": "rtl"}.get(code, "ltr")
    return ListPart(title=title, pages=pages, parts=parts, language=code, direction=direction, counted="Pages")


def pages_of(*languages: ListPart) -> PageList:
    return languages


def test_the_list_of_a_site_in_one_language() -> None:
    deep = part("Linux", ListedPage(title="Debian", url="guide/linux/debian/"))
    guide = part("Guide", INSTALL, parts=(deep,))
    assert (
        render_list(pages_of(part("English", HOME, parts=(guide,), code="en")))
        == """\
<div class="sitemap-pages">
<section lang="en" dir="ltr">
<ul>
<li><a href="./">Home</a></li>
</ul>
<h2>Guide</h2>
<details open>
<summary>Pages: 2</summary>
<ul>
<li><a href="guide/install/">Install</a> <time datetime="2026-03-01">2026-03-01</time></li>
<li>Linux
<ul>
<li><a href="guide/linux/debian/">Debian</a></li>
</ul>
</li>
</ul>
</details>
</section>
</div>
"""
    )


def test_each_of_several_languages_has_a_heading() -> None:
    guide = part("دليل", INSTALL)
    listing = render_list(pages_of(part("English", HOME, code="en"), part("العربية", parts=(guide,), code="ar")))
    tree = html.fromstring(listing)
    assert [(each.get("lang"), each.get("dir")) for each in tree.iter("section")] == [("en", "ltr"), ("ar", "rtl")]
    assert [(each.tag, each.text) for each in tree.iter("h2", "h3")] == [
        ("h2", "English"),
        ("h2", "العربية"),
        ("h3", "دليل"),
    ]


def test_without_a_known_language_there_are_no_attributes() -> None:
    assert "<section>\n" in render_list(pages_of(part("", HOME)))


@pytest.mark.parametrize(("number", "is_open"), [(200, True), (201, False)])
def test_the_sections_of_a_long_list_are_closed(number: int, *, is_open: bool) -> None:
    guide = part("Guide", *[INSTALL] * (number - 1))
    listing = render_list(pages_of(part("", HOME, parts=(guide,))))
    assert ("<details open>" in listing) is is_open
    assert f"<summary>Pages: {number - 1}</summary>" in listing


class Texts(HTMLParser):
    """The tags and the texts of a page, as Python reads HTML."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.hrefs: list[str | None] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.hrefs += [value for name, value in attrs if name == "href"]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


HOSTILE = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1) | st.sampled_from(
    ["<b>", "</a><script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "&amp;", "'", "<!--", "]]>"]
)


@given(title=HOSTILE, folder=HOSTILE, url=HOSTILE)
def test_every_title_is_text_for_a_reader(title: str, folder: str, url: str) -> None:
    plain = Texts(render_list(pages_of(part("", parts=(part("F", ListedPage(title="T", url="u")),)))))
    read = Texts(render_list(pages_of(part("", parts=(part(folder, ListedPage(title=title, url=url)),)))))
    assert read.tags == plain.tags
    assert read.hrefs == [url]
    assert [*filter(str.strip, read.texts)] == [
        {"F": folder, "T": title}.get(each, each)
        for each in filter(str.strip, plain.texts)
        if {"F": folder, "T": title}.get(each, each).strip()
    ]


def plain_page(site_name: str, part: ListPart) -> str:
    about = {"loc": "https://x.org/docs/sitemap/", "home": "https://x.org/docs/"}
    return render_plain_page(pages_of(part), site_name=site_name, **about)


def test_the_plain_page_is_whole() -> None:
    page = plain_page("A & B", part("English", HOME, code="en"))
    assert page.startswith('<!DOCTYPE html>\n<!-- written by sitemap-plugins -->\n<html lang="en" dir="ltr">\n')
    tree = html.document_fromstring(page)
    assert tree.findtext("head/title") == "Sitemap – A & B"  # noqa: RUF001  # a dash
    assert [each.get("href") for each in tree.iter("link")] == ["https://x.org/docs/sitemap/"]
    assert [(each.get("href"), each.text) for each in tree.iter("a")] == [("../", "A & B"), ("./", "Home")]
    assert [each.text for each in tree.iter("h1")] == ["Sitemap"]
    assert len([*tree.iter("main")]) == 1


def test_the_plain_page_of_a_site_without_a_name_or_language() -> None:
    assert "<title>Plan du site</title>" in plain_page("", part("Français", HOME, code="fr"))
    page = plain_page("", part("", HOME))
    assert "\n<html>\n" in page
    assert "<title>Sitemap</title>" in page
    assert '<nav><a href="../">https://x.org/docs/</a></nav>' in page


LIST = '<div class="sitemap-pages"></div>'


@pytest.mark.parametrize(
    ("page", "before"),
    [
        (f"<head><title>\\1</title></head>{LIST}</head>", "</head>"),
        (f"<HEAD><title>t</title></HEAD>{LIST}", "</HEAD>"),
        (f"<title>t</title>{LIST}", ""),
        ("<head><title>t</title></head><ul></ul>", ""),
    ],
)
def test_the_style_is_at_the_end_of_the_head_of_a_page_with_our_list(page: str, before: str) -> None:
    styled = with_style(page)
    style = styled.partition("<style>")[2].partition("</style>")[0]
    assert (".sitemap-pages a{" in style) is bool(before)
    assert styled == (page.replace(before, f"<style>{style}</style>\n{before}", 1) if before else page)


@pytest.mark.parametrize(
    ("page", "marked"),
    [
        ("<!doctype html>\n<html>", "<!doctype html>\n<!-- written by sitemap-plugins -->\n<html>"),
        ("\n <!DOCTYPE html><p>", "\n <!DOCTYPE html>\n<!-- written by sitemap-plugins --><p>"),
        ("<html><!doctype html>", "<!-- written by sitemap-plugins -->\n<html><!doctype html>"),
    ],
)
def test_the_mark_follows_the_document_type(page: str, marked: str) -> None:
    assert with_mark(page) == marked
