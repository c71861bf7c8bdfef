"""The language of each page of a built folder, and which pages are translations of each other."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.folder.translations import (
    PageLanguage,
    find_page_languages,
    incomplete_links_notes,
)
from sitemap_plugins.model import Markup, Note
from sitemap_plugins.published.addresses import STYLES, write_url
from sitemap_plugins.published.html_files import HTMLFile, stem_of

BASE = "https://x.example/docs/"


def page(path: str, language: str = "", *links: str, refresh: str | None = None) -> HTMLFile:
    """A page with links to translations, given as paths."""
    hreflang = tuple((str(number), f"{BASE}{link}") for number, link in enumerate(links))
    return HTMLFile(path=path, markup=Markup(language=language, hreflang=hreflang, refresh=refresh))


def find(*files: HTMLFile) -> dict[str, PageLanguage]:
    return find_page_languages(files, {file.path: write_url(file.path, BASE, STYLES["html"]) for file in files}, BASE)


def test_a_site_in_one_language() -> None:
    files = [page("index.html", "en"), page("about.html"), HTMLFile(path="x.html", markup=None, unread="too large")]
    assert find(*files) == {
        "index.html": PageLanguage("en"),
        "about.html": PageLanguage(""),
        "x.html": PageLanguage(""),
    }


def test_pages_with_the_same_path_are_translations() -> None:
    found = find(page("index.html", "en"), page("a.html", "en"), page("de/index.html", "de"), page("de/a.html", "de"))
    assert found == {
        "index.html": PageLanguage("en", "", "."),
        "a.html": PageLanguage("en", "", "a"),
        "de/index.html": PageLanguage("de", "de", "."),
        "de/a.html": PageLanguage("de", "de", "a"),
    }


def test_the_page_beside_the_folder_of_a_language_is_its_home() -> None:
    found = find(page("index.html", "en"), page("de.html", "de"), page("de/a.html", "de"), page("den.html", "en"))
    assert found["de.html"] == PageLanguage("de", "de", ".")
    assert found["den.html"] == PageLanguage("en", "", "den")


def test_each_language_can_have_a_folder() -> None:
    found = find(
        page("index.html", "en", refresh="en/"),
        page("404.html", "en"),
        page("en/a.html", "en-GB"),
        page("de/a.html", "de"),
    )
    assert found == {
        "index.html": PageLanguage("en"),
        "404.html": PageLanguage("en"),
        "en/a.html": PageLanguage("en-GB", "en", "a"),
        "de/a.html": PageLanguage("de", "de", "a"),
    }


@pytest.mark.parametrize(
    ("languages", "codes"),
    [
        ({"pt": ["pt-BR", "pt_br", ""], "fa": ["fa-IR"], "zh": ["zh-Hans"]}, {"pt-BR", "fa-IR", "zh-Hans", "en"}),
        ({"pt": ["pt-BR", "pt"], "de": ["de-AT", "de-CH"]}, {"pt", "de", "en"}),  # they do not agree
        ({"pt-br": ["pt"], "zh-cn": ["zh-Hans-CN"]}, {"pt-br", "zh-cn", "en"}),  # the name says more
        ({"pt": ["pt-BR"], "pt-br": ["pt-BR"]}, {"pt", "pt-br", "en"}),  # another folder has that code
        ({"tlh": ["tlh", "tlh"], "api": ["en", "en"]}, {"tlh", "en"}),  # no table has them
    ],
)
def test_the_code_of_a_folder_has_the_region_and_script_that_all_its_pages_have(
    languages: dict[str, list[str]], codes: set[str]
) -> None:
    files = [
        page(f"{folder}/{at}.html", each) for folder, all_of in languages.items() for at, each in enumerate(all_of)
    ]
    found = find(page("0.html", "en"), page("nl/0.html", "", refresh="../"), *files)
    assert {each.code for each in found.values() if each.translation} == codes


@pytest.mark.parametrize(
    "files",
    [
        [page("index.html", "en"), page("is/index.html", "en")],
        [page("index.html", "en"), page("api/index.html", "en")],
        [page("index.html", "en"), page("de/a.html", "de"), page("de/b.html", "en"), page("de/c.html", "")],
        [page("index.html", "en"), page("de/a.html", "de", refresh="../a.html")],
        [page("index.html", "en", refresh="en/"), page("en/index.html", "en"), page("en/a.html", "en")],
        [page("index.html", "en"), page("de.html", "de")],
    ],
)
def test_other_folders_are_not_folders_of_languages(files: list[HTMLFile]) -> None:
    assert {page_language.translation for page_language in find(*files).values()} == {""}


def test_pages_that_link_each_other_are_translations() -> None:
    found = find(
        page("index.html", "en"),
        page("intro.html", "en", "de/einleitung.html", "intro.html"),
        page("de/einleitung.html", "de", "intro.html", "de/einleitung.html"),
        page("de/intro.html", "de", "intro.html", "https://[", "//x"),
    )
    assert found["intro.html"].translation == found["de/einleitung.html"].translation != ""
    assert found["de/intro.html"].translation not in {found["intro.html"].translation, ""}


@pytest.mark.parametrize(("code", "expected"), [("pt", "pt"), ("pt-BR", "pt-BR")])
def test_the_code_in_links_is_that_of_the_folder(code: str, expected: str) -> None:
    hreflang = (("en", BASE), (code, f"{BASE}pt/"))
    files = [HTMLFile(path="pt/index.html", markup=Markup(language="pt-BR", hreflang=hreflang)), page("a.html", "en")]
    assert find(*files)["pt/index.html"].code == expected


def linked(path: str, **links: str) -> HTMLFile:
    """A page in the folder of no language, with links to translations, given as paths; ``_`` stands for a hyphen."""
    hreflang = tuple((code.replace("_", "-"), f"{BASE}{link}") for code, link in links.items())
    return HTMLFile(path=path, markup=Markup(language="en", hreflang=hreflang))


US_AND_UK = {"en_US": "us/a.html", "en_GB": "uk/a.html"}


def test_complete_and_mutual_links_are_enough() -> None:
    both = [linked(path, x_default="us/a.html", **US_AND_UK) for path in ("us/a.html", "uk/a.html")]
    found = find(*both, linked("us/b.html", en_US="us/b.html"), linked("c.html"))
    name = "uk/a.html and its translations"
    assert found == {
        "us/a.html": PageLanguage("en-US", "", name, "en-US"),
        "uk/a.html": PageLanguage("en-GB", "", name, "en-US"),
        "us/b.html": PageLanguage("en"),
        "c.html": PageLanguage("en"),
    }


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"en_US": "us/a.html"},  # without itself
        {"en_GB": "uk/a.html"},  # not mutual
        {**US_AND_UK, "de": "de.html"},  # the first lacks one
        {"en_GB": "us/a.html", "en_US": "uk/a.html"},  # contradictory
    ],
)
def test_incomplete_or_one_sided_links_are_not_enough(other: dict[str, str]) -> None:
    files = [linked("us/a.html", **US_AND_UK), linked("uk/a.html", **other), linked("de.html")]
    assert {each.translation for each in find(*files).values()} == {""}
    (note,) = notes_on(*files)
    assert note.page == "us/a.html"
    assert note.message.startswith("its head names translations in this site, but not all of them name each other")


def notes_on(*files: HTMLFile) -> list[Note]:
    locs = {file.path: write_url(file.path, BASE, STYLES["html"]) for file in files}
    return [*incomplete_links_notes(files, locs, BASE, find(*files))]


@pytest.mark.parametrize(
    "files",
    [
        [linked("a.html", en="a.html", x_default="b.html"), linked("b.html", de="../elsewhere/b.html")],
        [linked(path, **US_AND_UK) for path in US_AND_UK.values()],
        [page("a.html", "en"), page("de/a.html", "de", "a.html")],  # the folder shows the language
    ],
)
def test_other_links_need_no_note(files: list[HTMLFile]) -> None:
    assert notes_on(*files) == []


@pytest.mark.parametrize("links", [{"en": "a.html", "english": "b.html"}, {"en": "a.html", "de": "https://[/"}])
def test_links_to_no_page_or_language_are_not_enough(links: dict[str, str]) -> None:
    found = find(linked("a.html", **links), linked("b.html", **links))
    assert {each.translation for each in found.values()} == {""}


def test_links_in_a_site_with_one_language_are_ignored() -> None:
    found = find(page("a.html", "en", "b.html"), page("b.html", "en", "a.html"))
    assert {page_language.translation for page_language in found.values()} == {""}


NAMES = st.sampled_from(["index.html", "a.html", "b.html", "c/index.html", "c/d.html", "de.html", "fr.html"])
LANGUAGES = st.sampled_from(["", "de", "fr", "en", "en-GB", "pt-BR", "tlh"])
FOLDERS = st.sampled_from(["", "de/", "fr/", "en/", "c/", "pt-br/"])
PAGES = st.lists(
    st.builds(lambda folder, name, language: page(folder + name, language), FOLDERS, NAMES, LANGUAGES),
    unique_by=lambda file: stem_of(file.path),
    max_size=12,
)


@given(PAGES)
def test_translations_are_in_different_languages(files: list[HTMLFile]) -> None:
    found = find(*files)
    assert found.keys() == {file.path for file in files}
    languages = defaultdict(list)
    for page_language in found.values():
        if page_language.translation:
            assert page_language.code
            languages[page_language.translation].append(page_language.code)
    assert all(len(set(each)) == len(each) for each in languages.values())
