"""The page of all pages in a built folder: a plain page, which later runs replace or remove."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lxml import html

from sitemap_plugins.folder.building import BuiltSite, build_site
from sitemap_plugins.folder.configuration import Configuration, read_settings_of

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
