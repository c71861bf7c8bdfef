"""The language of each page of a published tree, its translations, and the folders that are sites of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.paths import stem_of
from sitemap_plugins.model import Markup, Note
from sitemap_plugins.published.addresses import STYLES, write_url
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import (
    FolderKind,
    HeadLinks,
    PageLanguage,
    find_folders,
    find_head_links,
    find_page_languages,
    incomplete_links_notes,
)

BASE = "https://x.example/docs/"


def page(path: str, language: str = "", *links: str, refresh: str | None = None) -> HTMLFile:
    """A page with links to translations, given as paths."""
    hreflang = tuple((str(number), f"{BASE}{link}") for number, link in enumerate(links))
    return HTMLFile(path=path, markup=Markup(language=language, hreflang=hreflang, refresh=refresh))


def find(*files: HTMLFile) -> dict[str, PageLanguage]:
    return find_page_languages(files, links_of(files), lambda path: path)


def links_of(files: Collection[HTMLFile]) -> HeadLinks:
    return find_head_links(files, {file.path: write_url(file.path, BASE, STYLES["html"]) for file in files}, BASE)


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
        ({"pt-br": ["pt"], "zh-cn": ["zh-Hans-CN"]}, {"pt-BR", "zh-CN", "en"}),  # the name says more
        ({"pt": ["pt-BR"], "pt-br": ["pt-BR"]}, {"pt", "pt-BR", "en"}),  # another folder has that code
        ({"cn": ["zh-CN"], "jp": ["ja-JP", "ja-JP"], "tw": ["zh-TW"]}, {"zh-CN", "ja-JP", "zh-TW", "en"}),
        ({"cn": ["cn"], "cz": ["CZ"], "klingon": ["klingon"]}, {"zh", "cs", "en"}),  # the pages make the same mistake
        ({"jp": ["ja"], "kr": ["ko"], "br": ["pt"], "tw": ["zh-Hant"]}, {"ja", "ko", "en"}),  # neither slip nor country
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


@pytest.mark.parametrize("code", ["pt", "pt-BR"])
def test_the_code_in_mutual_links_is_that_of_the_folder(code: str) -> None:
    files = [in_language("pt-BR", "pt/a.html", en="a.html", **{code: "pt/a.html"}), page("pt/b.html", "pt-BR")]
    found = find(*files, in_language("en", "a.html", en="a.html", **{code: "pt/a.html"}))
    assert {path: each.code for path, each in found.items()} == {"pt/a.html": code, "pt/b.html": code, "a.html": "en"}


def in_language(language: str, path: str, **links: str) -> HTMLFile:
    """A page with links to translations, given as paths; ``_`` stands for a hyphen."""
    hreflang = tuple((code.replace("_", "-"), f"{BASE}{link}") for code, link in links.items())
    return HTMLFile(path=path, markup=Markup(language=language, hreflang=hreflang))


def linked(path: str, **links: str) -> HTMLFile:
    """A page in English, in the folder of no language, with links to translations."""
    return in_language("en", path, **links)


BOTH = {"en_US": "states/a.html", "en_GB": "kingdom/a.html"}


def test_complete_and_mutual_links_are_enough() -> None:
    both = [linked(path, x_default="states/a.html", **BOTH) for path in ("states/a.html", "kingdom/a.html")]
    found = find(*both, linked("states/b.html", en_US="states/b.html"), linked("c.html"))
    name = "kingdom/a.html and its translations"
    assert found == {
        "states/a.html": PageLanguage("en-US", "", name, "en-US"),
        "kingdom/a.html": PageLanguage("en-GB", "", name, "en-US"),
        "states/b.html": PageLanguage("en"),
        "c.html": PageLanguage("en"),
    }


def test_the_mutual_links_of_incomplete_ones_count() -> None:
    files = [linked("states/a.html", **BOTH), linked("kingdom/a.html", **BOTH, de="de.html"), linked("de.html")]
    assert clusters(*files) == {frozenset({"en-US states/a.html", "en-GB kingdom/a.html"})}


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"en_US": "states/a.html"},  # without itself
        {"en_GB": "kingdom/a.html"},  # not mutual
        {"en_GB": "states/a.html", "en_US": "kingdom/a.html"},  # contradictory
    ],
)
def test_one_sided_links_are_not_enough(other: dict[str, str]) -> None:
    files = [linked("states/a.html", **BOTH), linked("kingdom/a.html", **other), linked("de.html")]
    assert clusters(*files) == set()
    (note,) = notes_on(*files)
    assert note.page == "states/a.html"
    assert note.message.startswith("its head names translations in this site, but not all of them name each other")


def notes_on(*files: HTMLFile) -> list[Note]:
    return [*incomplete_links_notes(links_of(files), find(*files))]


@pytest.mark.parametrize(
    "files",
    [
        [linked("a.html", en="a.html", x_default="b.html"), linked("b.html", de="../elsewhere/b.html")],
        [linked(path, **BOTH) for path in BOTH.values()],
        [page("a.html", "en"), page("de/a.html", "de", "a.html")],  # the folder shows the language
    ],
)
def test_other_links_need_no_note(files: list[HTMLFile]) -> None:
    assert notes_on(*files) == []


@pytest.mark.parametrize("links", [{"en": "a.html", "english": "b.html"}, {"en": "a.html", "de": "https://[/"}])
def test_links_to_no_page_or_language_are_not_enough(links: dict[str, str]) -> None:
    assert clusters(linked("a.html", **links), linked("b.html", **links)) == set()


def test_links_in_a_site_with_one_language_are_ignored() -> None:
    found = find(page("a.html", "en", "b.html"), page("b.html", "en", "a.html"))
    assert {page_language.translation for page_language in found.values()} == {""}


def whole(languages: dict[str, str], codes: dict[str, str] | None = None, *names: str) -> list[HTMLFile]:
    """The same pages in folders, in these languages; with ``codes``, their heads have all links."""
    links = {
        name: {code: folder + name for folder, code in (codes or {}).items()} for name in names or ("a.html", "b.html")
    }
    return [
        in_language(languages[folder], folder + name, **each) for name, each in links.items() for folder in languages
    ]


def clusters(*files: HTMLFile) -> set[frozenset[str]]:
    """The code and path of the pages that are translations of each other."""
    return shared(find(*files))


def shared(page_languages: dict[str, PageLanguage]) -> set[frozenset[str]]:
    """The same for the result for pages."""
    found = defaultdict(set)
    for path, each in page_languages.items():
        if each.translation and not each.other:
            found[each.translation].add(f"{each.code} {path}")
    return {frozenset(each) for each in found.values() if len(each) > 1}


def rows(codes: dict[str, str], *names: str) -> set[frozenset[str]]:
    """The clusters of the same pages in these folders."""
    return {
        frozenset(f"{code} {folder}{name}" for folder, code in codes.items()) for name in names or ("a.html", "b.html")
    }


EXACT = [
    ("en-GB", "en"),
    ("en", "en-GB"),
    ("en-US", "en"),
    ("pt", "pt-BR"),
    ("pt-BR", "pt"),
    ("zh-Hans", "zh"),
    ("ar", "ar-EG"),
]


@pytest.mark.parametrize("with_links", [True, False])
@pytest.mark.parametrize(("root", "folder"), EXACT)
def test_a_language_at_the_root_and_one_that_agrees_are_two(root: str, folder: str, *, with_links: bool) -> None:
    codes = {"": root, f"{folder}/": folder, "fr/": "fr"}
    assert clusters(*whole(codes, codes if with_links else None)) == rows(codes)


LANDING = [
    page("index.html", "en"),
    page("404.html", "en"),
    page("old.html", "en", refresh="en/"),
    page("en/old.html", "en-GB"),
]


@pytest.mark.parametrize(
    ("files", "codes"),
    [
        (
            [*LANDING, *whole({"en/": "en-GB", "fr/": "fr"}, None, "index.html", "404.html")],
            {"en/": "en-GB", "fr/": "fr"},
        ),
        (whole({"": "en", "en/": "en", "fr/": "fr"}), {"en/": "en", "fr/": "fr"}),
        (whole({"": "en-US", "en/": "en-US", "fr/": "fr"}), {"en/": "en-US", "fr/": "fr"}),
        (whole({"": "zh-CN", "zh-TW/": "zh-TW"}), {"": "zh-CN", "zh-TW/": "zh-TW"}),
        (whole({"": "en-US", "en-GB/": "en-GB"}), {"": "en-US", "en-GB/": "en-GB"}),
    ],
)
def test_a_page_to_choose_and_copies_are_no_language(files: list[HTMLFile], codes: dict[str, str]) -> None:
    names = {path.rpartition("/")[2] for path, each in find(*files).items() if each.folder} - {"old.html"}
    assert clusters(*files) == rows(codes, *names)


def test_a_copy_at_the_root_is_linked_only_by_mutual_links() -> None:
    codes = {"": "en-GB", "en/": "en", "fr/": "fr"}
    digests = {"a.html": "1", "en/a.html": "1", "fr/a.html": "2"}
    for files, expected in (
        (whole(codes), rows(codes, "b.html") | rows({"en/": "en", "fr/": "fr"}, "a.html")),
        (whole(codes, codes), rows(codes)),
    ):
        found = find_page_languages(files, links_of(files), lambda path: digests.get(path, path))
        assert shared(found) == expected
    found = find_page_languages(whole(codes), {}, lambda _: "")  # they cannot be read
    assert shared(found) == rows(codes)


@pytest.mark.parametrize(
    ("folder", "code"), [("cn", "zh-CN"), ("jp", "ja-JP"), ("tw", "zh-TW"), ("br", "pt-BR"), ("kr", "ko")]
)
@pytest.mark.parametrize("names", [["index.html"], ["index.html", "a.html"]])
def test_a_country_can_be_the_name_of_a_language(folder: str, code: str, names: list[str]) -> None:
    codes = {"": "en", f"{folder}/": code, "fr/": "fr"}
    assert clusters(*whole(codes, None, *names), page("only.html", "en")) == rows(codes, *names)


def test_the_country_of_the_pages_beside_it_is_no_language() -> None:
    files = [*whole({"": "en-US", "fr/": "fr"}), page("us/index.html", "en-US"), page("us/a.html", "en-US")]
    assert clusters(*files) == rows({"": "en-US", "fr/": "fr"})


def test_mutual_links_show_the_country_of_the_pages_beside_it() -> None:
    codes = {"us/": "en-US", "uk/": "en-GB"}
    files = [*whole(codes, codes, "a.html"), *whole(codes, None, "b.html")]
    assert clusters(page("index.html", "en-US"), *files) == rows(codes)


def test_the_pages_at_the_root_decide_for_those_in_other_folders() -> None:
    api = [page(f"api/{name}.html", "en-US") for name in "abcdef"]
    files = [
        *whole({"": "de", "fr/": "fr"}),
        *api,
        page("fr/api/a.html", "fr"),
        page("handbuch/a.html", "de"),
        page("fr/handbuch/a.html", "fr"),
    ]
    assert clusters(*files) == rows({"": "de", "fr/": "fr"}, "a.html", "b.html", "handbuch/a.html")
    assert clusters(*api, page("fr/api/a.html", "fr")) == rows({"": "en-US", "fr/": "fr"}, "api/a.html")


@pytest.mark.parametrize(
    ("languages", "codes"),
    [
        ({"": "en", "de/": "en"}, {"": "en", "de/": "de"}),
        ({"": "en", "de/": "en", "fr/": "fr"}, {"": "en", "de/": "de", "fr/": "fr"}),
        ({"": "de", "us/": "de"}, {"": "de", "us/": "en-US"}),
        ({"cn/": "zh-CN", "tw/": "zh-TW"}, {"cn/": "zh-CN", "tw/": "zh-TW"}),
        ({"us/": "en", "uk/": "en"}, {"us/": "en-US", "uk/": "en-GB"}),
        ({"": "en", "pt-br/": "pt-BR", "cmn/": "zh"}, {"": "en", "pt-br/": "pt", "cmn/": "zh-CN"}),
        ({"": "en", "deutsch/": "en", "fr/": "fr"}, {"": "en", "deutsch/": "de", "fr/": "fr"}),
    ],
)
def test_mutual_links_decide_before_the_pages(languages: dict[str, str], codes: dict[str, str]) -> None:
    assert clusters(*whole(languages, codes)) == rows(codes)


def test_a_page_without_links_joins_linked_ones_unless_its_language_is_taken() -> None:
    """One language has an invalid code (OWASP Top 10), or a page was moved."""
    codes = {"": "en", "de/": "de", "cs/": "cs"}
    broken = whole(codes, {"": "en", "de/": "de", "cs/": "cs  material_alternate"}, "a.html")
    files = [
        in_language("cs", "cs/a.html", en="a.html", de="de/a.html") if file.path == "cs/a.html" else file
        for file in broken
    ]
    assert clusters(*broken) == clusters(*files) == rows(codes, "a.html")
    moved = [
        in_language("en", "b.html", en="b.html", de="de/c.html"),
        in_language("de", "de/c.html", en="b.html", de="de/c.html"),
    ]
    assert clusters(*moved, page("de/b.html", "de")) == {frozenset({"en b.html", "de de/c.html"})}


def test_one_code_for_several_pages_decides_nothing() -> None:
    """Zensical 0.0.73 gives the code of the page to all languages."""
    codes = {"": "en", "de/": "de", "ja/": "ja"}
    hrefs = [f"{BASE}{folder}index.html" for folder in ("ja/", "de/", "")]
    for at in range(3):
        order = hrefs[at:] + hrefs[:at]
        files = [
            HTMLFile(
                path=f"{folder}index.html", markup=Markup(language=code, hreflang=tuple((code, each) for each in order))
            )
            for folder, code in codes.items()
        ]
        assert clusters(*files) == rows(codes, "index.html")


def test_a_page_that_says_another_language_is_linked_only_by_its_head() -> None:
    """HL-11"""
    codes = {"": "en", "fr/": "fr"}
    files = [
        *whole(codes),
        *whole({"": "en", "fr/": "en"}, None, "copy.html"),
        *whole({"": "fr", "fr/": "fr"}, None, "c.html"),
    ]
    assert clusters(*files) == rows(codes)
    other = find(*files)["fr/copy.html"]
    assert (other.code, other.folder, other.other) == ("fr", "fr", "en")  # it may be a copy of the page in English
    assert clusters(*whole(codes), *whole({"": "en", "fr/": "en"}, codes, "copy.html")) == rows(
        codes, "a.html", "b.html", "copy.html"
    )


def test_the_default_in_heads_is_that_of_language_folders_too() -> None:
    links = {"zh_CN": "cn/a.html", "zh_TW": "tw/a.html", "x_default": "tw/a.html"}
    found = find(*(in_language("", path, **links) for path in ("cn/a.html", "tw/a.html")), page("cn/b.html", "zh-CN"))
    assert {path: each.default for path, each in found.items()} == {
        "cn/a.html": "zh-TW",
        "tw/a.html": "zh-TW",
        "cn/b.html": None,
    }
    links = {"en": "en/a.html", "de": "de/a.html", "x_default": "fr/copy.html"}
    files = [in_language(code, f"{code}/a.html", **links) for code in ("en", "de")]
    found = find(*files, page("fr/a.html", "fr"), page("fr/b.html", "fr"), page("fr/copy.html", "en"))
    assert (found["en/a.html"].default, found["fr/copy.html"].other) == ("", "en")


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
    assert [each for each in languages.values() if len(set(each)) != len(each)] == []


def page_in(path: str, language: str | None) -> HTMLFile:
    """A page that declares a language, or whose file could not be read."""
    return HTMLFile(path=path, markup=None if language is None else Markup(language=language))


@pytest.mark.parametrize(
    ("pages", "folders"),
    [
        (
            {"de/a.html": "de", "de/b.html": "de-AT", "de/c.html": "en", "docs/latest/fr/a.html": "fr"},
            ["de", "docs/latest/fr"],
        ),
        ({"de/a.html": "de", "de/b.html": "", "cn/a.html": "zh-CN"}, ["cn", "de"]),
        ({"de/a.html": "de", "de/b.html": "en"}, []),
        ({"de/a.html": "de", "de/b.html": None}, ["de"]),
    ],
)
def test_most_pages_in_the_folder_of_a_language_declare_it(pages: dict[str, str | None], folders: list[str]) -> None:
    redirects = [HTMLFile(path=f"de/{name}.html", markup=Markup(language="en", refresh="../")) for name in "xyz"]
    files = [page_in(*each) for each in pages.items()]
    assert find_folders([*files, *redirects], {}) == dict.fromkeys(folders, "language")


def test_versions_and_aliases_count_except_the_root() -> None:
    versions: dict[str, FolderKind] = {"2.0": "version", "latest": "alias", "": "version"}
    assert find_folders([page_in("latest/de/a.html", "de")], versions) == {
        "latest/de": "language",
        "2.0": "version",
        "latest": "alias",
    }
