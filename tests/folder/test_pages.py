"""Pages in a folder: what they say but their URLs and sources, lists of posts, and the page of all pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import html

from sitemap_plugins.folder.building import BuiltSite, build_site
from sitemap_plugins.folder.collecting import default_language, without_links_to_copies
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.folder.dating import with_listed, without_build_dates
from sitemap_plugins.folder.generators.mkdocs import Blog
from sitemap_plugins.model import Markup, Page
from sitemap_plugins.published.languages import PageLanguage
from sitemap_plugins.published.tree import Tree

BUILD = "2026-03-01T10:00:00Z"


def pages(*dates: str) -> list[Page]:
    return [
        Page(loc=f"https://x.org/{number}", name=str(number), markup=Markup(modified=(date,) if date else ()))
        for number, date in enumerate(dates)
    ]


@pytest.mark.parametrize("number", [6, 20])
def test_a_date_on_most_pages_is_the_date_of_the_build(number: int) -> None:
    given = pages(*[BUILD] * number, "2026-01-01", "")
    left, notes = without_build_dates([*given, Page(loc="https://x.org/unread", name="unread")])
    assert [page.markup.modified for page in left if page.markup] == [()] * number + [("2026-01-01",), ()]
    assert [note.kind for note in notes] == ["shown-date"]
    assert BUILD in notes[0].message


def test_the_times_at_which_a_build_rendered_pages_are_ignored() -> None:
    rendered = [f"2026-03-01T09:59:{second}.5Z" for second in range(50, 60)]
    rendered += [f"2026-03-01T11:00:0{second}+01:00" for second in range(10)]
    given = pages(*rendered, "2026-01-01", "never", "2026-03-01T10:30:00Z")
    left, notes = without_build_dates(given)
    assert [page.markup.modified for page in left if page.markup] == [
        *[()] * 20,
        ("2026-01-01",),
        ("never",),
        ("2026-03-01T10:30:00Z",),
    ]
    assert [note.message.partition(" as the ")[0] for note in notes] == [
        "most pages give 2026-03-01T09:59:50.5Z and moments close to it"
    ]


@pytest.mark.parametrize(
    "dates",
    [
        pytest.param([f"2026-03-01T{hour:02}:00:00Z" for hour in range(24)], id="one day"),
        pytest.param([BUILD] * 5, id="few pages"),
        pytest.param([BUILD] * 10 + [""] * 10, id="half of the pages"),
        pytest.param([f"2026-01-{day:02}" for day in range(1, 31)], id="different days"),
    ],
)
def test_other_dates_are_kept(dates: list[str]) -> None:
    assert without_build_dates(pages(*dates)) == (pages(*dates), [])


def test_links_to_copies_that_are_left_out_are_ignored() -> None:
    links = (("de", "/de/a/"), ("fr", "https://x.org/fr/a/index.html"), ("it", "https://["), ("es", "/es/a/"))
    pages = [
        Page(loc="https://x.org/a/", name="a", markup=Markup(hreflang=links)),
        Page(loc="https://x.org/fr/a/", name="fr/a", omit="untranslated"),
        Page(loc="https://x.org/es/a/", name="es/a", omit="error-page"),
    ]
    first, *others = without_links_to_copies(pages)
    assert first.markup == Markup(hreflang=(("de", "/de/a/"), ("es", "/es/a/")))
    assert others == pages[1:]
    assert without_links_to_copies([pages[0]]) == [pages[0]]


@pytest.mark.parametrize(
    ("page_languages", "expected"),
    [
        ([PageLanguage("de", "de", "a"), PageLanguage("en", "", "a")], "en"),
        ([PageLanguage("de", "de", "a"), PageLanguage("fr", "fr", "a"), PageLanguage("en")], None),
        ([PageLanguage("en")], None),
        ([PageLanguage("de", "de", "a", other="en"), PageLanguage("en", "", "b", other="fr")], None),
        ([PageLanguage("de", "", "a", "en"), PageLanguage("en", "", "a", "en"), PageLanguage("de", "", "b", "")], "en"),
        ([PageLanguage("de", "", "a", ""), PageLanguage("en", "", "a", "")], None),
    ],
)
def test_the_default_language_is_that_of_translated_pages_at_the_root(
    page_languages: list[PageLanguage], expected: str | None
) -> None:
    assert default_language({str(number): each for number, each in enumerate(page_languages)}) == expected


EXCERPT = '<article class="md-post md-post--excerpt"><h2 id="a"><a class="toclink" href="{}">A</a></h2></article>'


def page(site: Path, path: str, html: str = "", *sources: str) -> Page:
    file = site / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<html><body>{html}</body></html>", "utf-8")
    loc = "https://example.org/" + path.removesuffix("index.html")
    return Page(loc=loc, name=path, output=path, sources=sources)


def test_posts_date_the_pages_of_their_blog_that_show_excerpts(tmp_path: Path) -> None:
    excerpts = (
        EXCERPT.format("../2026/a/#a")
        + EXCERPT.format("../2026/b/")
        + EXCERPT.format("http://[")
        + '<a class="toclink" href="../c/">'
    )
    pages = [
        page(tmp_path, "blog/2026/a/index.html", "", "a.md", "part.md"),
        page(tmp_path, "blog/2026/b/index.html", EXCERPT.format("./"), "b.md"),
        page(tmp_path, "blog/c/index.html", "", "c.md"),
        page(tmp_path, "blog/all/index.html", excerpts, "all.md"),
        page(tmp_path, "blog/all/page/2/index.html", excerpts),
        page(tmp_path, "guide/index.html", EXCERPT.format("../blog/c/"), "guide.md"),
        page(tmp_path, "blogs/index.html", EXCERPT.format("../blog/c/"), "blogs.md"),
    ]
    unread = Page(loc="https://example.org/blog/d/", name="d", output="blog/d/index.html", sources=("d.md",))
    found = {each.output: each.sources for each in with_listed([*pages, unread], [Blog()], Tree(tmp_path))}
    assert found == {
        "blog/2026/a/index.html": ("a.md", "part.md"),
        "blog/2026/b/index.html": ("b.md",),
        "blog/c/index.html": ("c.md",),
        "blog/all/index.html": ("all.md", "a.md", "part.md", "b.md"),
        "blog/all/page/2/index.html": (),
        "guide/index.html": ("guide.md",),
        "blogs/index.html": ("blogs.md",),
        "blog/d/index.html": ("d.md",),
    }
    assert with_listed(pages, [], Tree(tmp_path)) == pages


def test_no_post_dates_the_later_pages_of_a_blog_at_the_top_of_the_site(tmp_path: Path) -> None:
    excerpt = EXCERPT.format("/a/")
    pages = [
        page(tmp_path, "a/index.html", "", "a.md"),
        page(tmp_path, "index.html", excerpt, "index.md"),
        page(tmp_path, "page/2/index.html", excerpt),
    ]
    found = with_listed(pages, [Blog(blog_dir=".")], Tree(tmp_path))
    assert [each.sources for each in found] == [("a.md",), ("index.md", "a.md"), ()]


BASE = "https://example.org/docs/"


def write_pages(site: Path, *paths: str, language: str = "en") -> None:
    for path in paths:
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        title = f"{path} &lt;b> {{{{ 7*7 }}}} &quot;"
        (site / path).write_text(
            f'<!doctype html><html lang="{language}"><title>T</title><main><h1>{title}</h1></main>'
        )


def build(site: Path, messages: list[str] | None = None, **options: Any) -> BuiltSite:
    project = options.pop("project", {})
    written = {"base_url": BASE, "robots": False} | options
    configuration = Configuration(root=str(site), options=written, project=project)
    said = [] if messages is None else messages
    return build_site(
        str(site), configuration, read_settings_of(configuration), lambda _, note: said.append(note.message)
    )


def links(page: Path) -> dict[str, str]:
    (listing,) = html.parse(page).getroot().find_class("sitemap-pages")
    return {each.get("href"): each.text_content() for each in listing.iter("a")}


def locs(site: Path) -> list[str]:
    return [each.text.removeprefix(BASE) for each in html.parse(site / "sitemap.xml").getroot().iter("loc")]


def test_the_page_lists_every_page(tmp_path: Path) -> None:
    write_pages(tmp_path, "index.html", "a.html", "guide/b.html", "404.html")
    build(tmp_path, html=True, project={"site_name": "Name & more"})
    assert links(tmp_path / "sitemap.html") == {
        "./": 'index.html <b> {{ 7*7 }} "',
        "a.html": 'a.html <b> {{ 7*7 }} "',
        "guide/b.html": 'guide/b.html <b> {{ 7*7 }} "',
    }
    assert "sitemap.html" in locs(tmp_path)
    page = html.parse(tmp_path / "sitemap.html").getroot()
    assert (page.get("lang"), page.findtext("head/title")) == ("en", "Sitemap – Name & more")  # noqa: RUF001  # a dash
    assert page.xpath("//link[@rel='canonical']/@href") == [f"{BASE}sitemap.html"]


def test_the_address_is_like_that_of_most_pages(tmp_path: Path) -> None:
    write_pages(tmp_path, "index.html", "a/index.html", "b/index.html", "404.html", language="fr")
    build(tmp_path, html="all")
    assert links(tmp_path / "all/index.html").keys() == {"../", "../a/", "../b/"}
    assert "all/" in locs(tmp_path)
    assert "<h1>Plan du site</h1>" in (tmp_path / "all/index.html").read_text()


def test_later_runs_change_nothing_and_do_not_list_the_page_as_one_of_the_site(tmp_path: Path) -> None:
    write_pages(tmp_path, "index.html", "a.html")
    build(tmp_path, html=True)
    before = (tmp_path / "sitemap.html").read_text(), (tmp_path / "sitemap.xml").read_text()
    again = build(tmp_path, html=True).publication
    assert again
    assert (again.changed, (tmp_path / "sitemap.html").read_text(), (tmp_path / "sitemap.xml").read_text()) == (
        (),
        *before,
    )
    write_pages(tmp_path, "b.html")
    build(tmp_path, html=True, generated_pages=["/a*", "/b*"])
    assert "b.html" in links(tmp_path / "sitemap.html")
    assert "sitemap.html" not in locs(tmp_path)


@pytest.mark.parametrize("path", ["sitemap.html", "sitemap/index.html"])
def test_the_page_goes_with_the_option_and_with_its_name(tmp_path: Path, path: str) -> None:
    write_pages(tmp_path, "index.html", "a.html" if path == "sitemap.html" else "a/index.html")
    build(tmp_path, html=True)
    assert (tmp_path / path).exists()
    build(tmp_path, html="other")
    assert not (tmp_path / path).exists()
    other = tmp_path / path.replace("sitemap", "other")
    assert other.exists()
    publication = build(tmp_path).publication
    assert publication
    assert path.replace("sitemap", "other") in publication.removed
    assert not other.exists()


@pytest.mark.parametrize("path", ["sitemap.html", "Sitemap.html"])
def test_a_page_of_the_site_wins(tmp_path: Path, path: str) -> None:
    write_pages(tmp_path, "index.html", "a.html", path)
    # Even a page of ours that a theme surrounds: the plugin for Sphinx wrote it.
    (tmp_path / path).write_text(
        "<!doctype html>\n<!-- written by sitemap-plugins --><html><title>T</title><h1>Mine</h1>"
    )
    before = (tmp_path / path).read_text()
    messages: list[str] = []
    for html_option in (True, None):
        build(tmp_path, messages, html=html_option)
        assert (tmp_path / path).read_text() == before
        assert path in locs(tmp_path)
    assert [each for each in messages if each.startswith(f"{path} is your own file, so it was left alone")]


def test_a_file_where_the_folder_of_the_page_would_be_wins(tmp_path: Path) -> None:
    write_pages(tmp_path, "index.html", "a/index.html")
    (tmp_path / "sitemap").write_text("mine")
    messages: list[str] = []
    build(tmp_path, messages, html=True)
    assert (tmp_path / "sitemap").read_text() == "mine"
    assert any(each.startswith("sitemap is your own file") for each in messages)
    assert (tmp_path / "sitemap.xml").exists()
