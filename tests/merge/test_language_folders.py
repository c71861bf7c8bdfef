"""Which folder contains which language: a folder named like a language, unless its pages declare another one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sitemap_plugins.merge.language_folders import (
    LanguageFolder,
    find_languages,
    folder_of,
    languages_of_versions,
    read_all_declared,
)
from sitemap_plugins.merge.reading import Published, PublishedPage, PublishedSitemap
from sitemap_plugins.model import Markup
from sitemap_plugins.values.languages import agree, parse_language

X = "https://x.org/"


def site(pages: Mapping[str, str], sitemaps: tuple[str, ...] = ("",)) -> Published:
    """A published folder with these pages and their declared languages, and sitemaps in these folders."""
    return Published(
        sitemaps=tuple(
            PublishedSitemap(
                path=f"{folder}/sitemap.xml" if folder else "sitemap.xml",
                folder=folder,
                content=b"",
                packed=None,
                entries=(),
                base_url=f"{X}{folder}/" if folder else X,
            )
            for folder in sitemaps
        ),
        pages={X + path: PublishedPage(path=path, markup=Markup(language=lang)) for path, lang in pages.items()},
        problems=(),
    )


def languages_in(published: Published) -> tuple[list[LanguageFolder], list[str]]:
    """The languages of a site, and the notes."""
    return find_languages(published, read_all_declared(published))


def codes(pages: Mapping[str, str]) -> dict[str, str]:
    """The languages by folder, if every folder with a page is a separate build."""
    languages, _ = languages_in(site(pages, tuple(sorted({"", *(path.rpartition("/")[0] for path in pages)}))))
    assert [each for each in languages if each.mapped] == []
    return {each.folder: each.code for each in languages}


# Pages with their language, and the languages of the folders.
LAYOUTS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "one language": ({"index.html": "en", "a/index.html": "en"}, {}),
    "the default language at the root": ({"index.html": "en", "a/index.html": "en", "fr/index.html": "fr", "fr/a/index.html": "fr"}, {"": "en", "fr": "fr"}),
    "a selector page with a regional code": ({"index.html": "en-US", "en/a.html": "en", "fr/a.html": "fr"}, {"en": "en", "fr": "fr"}),
    "a selector page without a language": ({"index.html": "", "en/a.html": "en", "fr/a.html": "fr"}, {"en": "en", "fr": "fr"}),
    "versions in languages": ({"en/latest/a.html": "en", "fr/latest/a.html": "fr", "fr/stable/a.html": "fr"}, {"en": "en", "fr": "fr"}),
    "languages in versions": ({"latest/en/a.html": "en", "latest/fr/a.html": "fr", "stable/en/a.html": "en"}, {"latest/en": "en", "latest/fr": "fr", "stable/en": "en"}),
    "at the maximum depth": ({"a/b/en/a.html": "en", "a/b/fr/a.html": "fr"}, {"a/b/en": "en", "a/b/fr": "fr"}),
    "below the maximum depth": ({"a/b/c/en/a.html": "en", "a/b/c/fr/a.html": "fr"}, {}),
    "a language in a language": ({"fr/index.html": "fr", "fr/en/index.html": "fr", "en/a.html": "en"}, {"en": "en", "fr": "fr"}),
    "no page declares its language": ({"en/a.html": "", "fr/a.html": ""}, {"en": "en", "fr": "fr"}),
    "the root does not declare its language": ({"a.html": "", "fr/a.html": "fr"}, {"fr": "fr"}),
    "the root declares an invalid language": ({"a.html": "C", "fr/a.html": "fr"}, {"fr": "fr"}),
    "most at the root": ({"a.html": "de", "b.html": "de", "c.html": "en", "d.html": "", "fr/a.html": "fr"}, {"": "de", "fr": "fr"}),
    "as many at the root": ({"a.html": "en", "b.html": "de", "fr/a.html": "fr"}, {"": "de", "fr": "fr"}),
    "a country in the pages": ({"pt/a.html": "pt-BR", "en/a.html": "en-GB"}, {"pt": "pt-BR", "en": "en-GB"}),
    "countries in the pages": ({"pt/a.html": "pt-BR", "pt/b.html": "pt-PT", "en/a.html": "en"}, {"pt": "pt", "en": "en"}),
    "a country as the name": ({"cn/a.html": "zh-CN", "tw/a.html": "zh-TW", "a.html": "en"}, {"": "en", "cn": "zh-CN", "tw": "zh-TW"}),
    "a country of the pages beside it": ({"us/a.html": "en-US", "a.html": "en-US", "fr/a.html": "fr"}, {"": "en-US", "fr": "fr"}),
    "imprint and landing page": ({"index.html": "en-US", "imprint.html": "en-US", "en/index.html": "en", "fr/index.html": "fr"}, {"en": "en", "fr": "fr"}),
    "a language beside another of its codes": ({"index.html": "en-GB", "a.html": "en-GB", "en/index.html": "en", "en/a.html": "en"}, {"": "en-GB", "en": "en"}),
    "a country in the folder": ({"pt_BR/a.html": "pt", "en-gb/a.html": "en"}, {"pt_BR": "pt-BR", "en-gb": "en-GB"}),
    "two countries": ({"pt_BR/a.html": "pt-BR", "pt_PT/a.html": "pt-PT"}, {"pt_BR": "pt-BR", "pt_PT": "pt-PT"}),
    "another country": ({"pt_BR/a.html": "pt-PT", "fr/a.html": "fr"}, {"": "pt-PT", "fr": "fr"}),
    "scripts": ({"zh-hans/a.html": "zh-Hans", "zh-hant/a.html": "zh-Hant-TW"}, {"zh-hans": "zh-Hans", "zh-hant": "zh-Hant-TW"}),
    "a POSIX locale": ({"sr@latin/a.html": "sr-Latn", "en/a.html": "en"}, {"en": "en", "sr@latin": "sr-Latn"}),
    "three letters": ({"fil/a.html": "fil", "ast/a.html": "ast"}, {"ast": "ast", "fil": "fil"}),
    "three letters that no table has": ({"tlh/a.html": "tlh", "API/a.html": "api", "src/a.html": "en", "dev/a.html": "", "fr/a.html": "fr"}, {"API": "api", "fr": "fr", "tlh": "tlh", "": "en"}),
    "three letters, and no page declares its language": ({"dev/a.html": "", "api/a.html": "", "fil/a.html": "", "fr/a.html": ""}, {"fil": "fil", "fr": "fr"}),
    "words that are languages": ({f"{word}/a.html": "en" for word in ("api", "is", "no", "it", "my", "to", "so")} | {"fr/a.html": "fr"}, {"": "en", "fr": "fr"}),
    "not a language": ({"english/a.html": "en", "xx/a.html": "fr", "x-default/a.html": "en", "fr/a.html": "fr"}, {"": "en", "fr": "fr"}),
    "a mistaken code": ({"jp/a.html": "ja", "uk-UK/a.html": "uk", "cz/a.html": ""}, {"jp": "ja", "uk-UK": "uk-UA"}),
    "one code twice": ({"zh-cn/a.html": "zh", "zh_CN/a.html": "zh", "en/a.html": "en"}, {"en": "en", "zh-cn": "zh-CN"}),
    "one code twice, and few pages at the root": ({"a.html": "en", "zh-cn/a.html": "zh-CN", "zh_CN/a.html": "zh-CN", "zh_CN/b.html": "zh-CN"}, {"": "en", "zh-cn": "zh-CN"}),
    "a folder left alone, and few pages at the root": ({"a.html": "en", "fr/a.html": "fr", "de/a.html": "fr", "de/b.html": "fr"}, {"": "en", "fr": "fr"}),
}  # fmt: skip


@pytest.mark.parametrize(("pages", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_the_languages_of_a_layout(pages: dict[str, str], expected: dict[str, str]) -> None:
    assert codes(pages) == expected


def test_a_name_alone_is_a_language_only_for_a_build() -> None:
    """A folder named io may be a module, not the language Ido."""
    pages = {"a.html": "", "io/a.html": "", "fr/a.html": ""}
    languages, _ = languages_in(site(pages, ("", "fr")))
    assert [each.folder for each in languages] == ["fr"]


def test_redirects_to_other_pages_do_not_count() -> None:
    published = site({"a.html": "en", "fr/a.html": "fr", "fr/old.html": "en", "fr/x.html": "en"}, ("", "fr"))
    to = {f"{X}fr/old.html": f"{X}a.html", f"{X}fr/x.html": "/"}
    pages = {
        loc: replace(each, markup=replace(each.markup, refresh=to.get(loc))) for loc, each in published.pages.items()
    }
    languages, _ = languages_in(replace(published, pages=pages))
    assert {each.folder: each.code for each in languages} == {"": "en", "fr": "fr"}


def test_how_a_language_was_recognized_is_recorded() -> None:
    pages = {"a.html": "en", "de/a.html": "", "fr/a.html": "fr", "it/a.html": "it-CH"}
    languages, notes = languages_in(site(pages, ("", "de", "fr", "it")))
    assert [(each.folder, each.known_by) for each in languages] == [
        ("de", "name"),
        ("fr", "name, html lang"),
        ("it", "name, html lang"),
        ("", "html lang"),
    ]
    assert notes == []


# Pages with their language, the folders with a sitemap, and the notes about them.
REMARKS: dict[str, tuple[dict[str, str], tuple[str, ...], list[str]]] = {
    "a build that declares another language": (
        {"en/a.html": "en", "fr/a.html": "en"},
        ("en", "fr"),
        [
            (
                'fr/ was not taken for fr, because its pages say lang="en"; '
                "if they are in that language, use --language fr=fr, and name the others too"
            )
        ],
    ),
    "a word, without a sitemap": ({"en/a.html": "en", "it/a.html": "en", "fr/a.html": "fr"}, ("en", "fr"), []),
    "a word of three letters, with a sitemap": ({"en/a.html": "en", "dev/a.html": "en"}, ("en", "dev"), []),
    "a code twice": (
        {"zh-cn/a.html": "zh", "zh_CN/a.html": "zh"},
        ("zh-cn", "zh_CN"),
        ["zh_CN/ was left alone, because zh-cn/ is in zh-CN too"],
    ),
    "a code twice in different places": ({"a/fr/a.html": "fr", "b/fr/a.html": "fr"}, (), []),
    "a root without a language": (
        {"a.html": "", "fr/a.html": "fr"},
        ("", "fr"),
        ["the pages outside the language folders have no html lang; name every language: --language CODE=."],
    ),
    "a root in an invalid language": (
        {"a.html": "english", "fr/a.html": "fr"},
        ("", "fr"),
        [
            (
                "the pages outside the language folders say lang=\"english\", which is not a language code such as 'en' "
                "or 'pt-BR'"
            )
        ],
    ),
    "a build in a folder with another name": (
        {"a.html": "en", "fr/a.html": "fr", "deutsch/a.html": "de"},
        ("", "fr", "deutsch"),
        [
            (
                'deutsch/ was left alone, because its pages say lang="de"; '
                "if they are translations, use --language de=deutsch, and name the others too"
            )
        ],
    ),
    "a build in a language without a valid code": (
        {"a.html": "en", "fr/a.html": "fr", "babel/a.html": "mul"},
        ("", "fr", "babel"),
        [
            (
                'babel/ was left alone, because its pages say lang="mul", which is a code that names no language, and '
                "search engines would ignore it"
            )
        ],
    ),
    "only a root without a language": ({"a.html": ""}, ("",), []),
    "a page to choose the language": ({"index.html": "", "en/a.html": "en", "fr/a.html": "fr"}, ("", "en", "fr"), []),
}


@pytest.mark.parametrize(("pages", "sitemaps", "expected"), REMARKS.values(), ids=REMARKS)
def test_folders_that_could_be_a_language_but_are_not_are_reported(
    pages: dict[str, str], sitemaps: tuple[str, ...], expected: list[str]
) -> None:
    _, notes = languages_in(site(pages, sitemaps))
    assert notes == expected


@pytest.mark.parametrize(
    ("folder", "mapped", "path", "key"),
    [
        ("", False, "index.html", "index.html"),
        ("", False, "project/a.html", "project/a.html"),
        ("fr", False, "fr/index.html", "index.html"),
        ("fr", False, "fr/latest/a.html", "latest/a.html"),
        ("latest/fr", False, "latest/fr/a.html", "latest/a.html"),
        ("project/docs/fr", False, "project/docs/fr/a/b.html", "project/docs/a/b.html"),
        ("", True, "a.html", "a.html"),
        ("fr", True, "fr/a.html", "a.html"),
        ("latest/fr", True, "latest/fr/a.html", "a.html"),
        ("fr/latest", True, "fr/latest/b/a.html", "b/a.html"),
    ],
)
def test_the_key_is_the_path_without_the_language(folder: str, mapped: bool, path: str, key: str) -> None:
    assert LanguageFolder(folder=folder, code="fr", known_by="", mapped=mapped).key(path) == key


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("a.html", ""),
        ("fr/a/b/c.html", "fr"),
        ("fr/en/a.html", "fr/en"),
        ("fra/a.html", ""),
        ("a/fr/a.html", ""),
    ],
)
def test_a_page_is_in_the_innermost_folder(path: str, folder: str) -> None:
    languages = {each: LanguageFolder(folder=each, code="fr", known_by="") for each in ("", "fr", "fr/en")}
    found = folder_of(path, languages)
    assert found is languages[folder]
    assert folder_of("a/b.html", {"fr": languages["fr"]}) is None


names = st.sampled_from(["en", "fr", "pt_BR", "pt-br", "is", "api", "latest", "v1", "docs", "x-default", "zh_CN", "é"])
paths = st.lists(names, max_size=4).map(lambda folders: "/".join([*folders, "index.html"]))
langs = st.sampled_from(["", "en", "en-US", "fr", "pt", "pt-BR", "zh", "klingon", "x-default", "C"])


@given(st.dictionaries(paths, langs, max_size=12), st.lists(st.lists(names, max_size=3).map("/".join)).map(tuple))
def test_results_are_consistent(pages: dict[str, str], sitemaps: tuple[str, ...]) -> None:
    published = site(pages, sitemaps)
    languages, notes = languages_in(published)
    assert languages_in(published) == (languages, notes)
    folders = {each.folder: each for each in languages}
    assert len(folders) == len(languages)
    assert [note for note in notes if not note.isprintable()] == []
    for each in languages:
        assert parse_language(each.code) == each.code
        parent, _, name = each.folder.rpartition("/")
        # A language folder is not inside another one except the root, and siblings have different languages.
        assert [other for other in folders if other and each.folder.startswith(f"{other}/")] == []
        assert [
            other
            for other in languages
            if other.folder and each.folder
            if other is not each and other.code == each.code and other.folder.rpartition("/")[0] == parent
        ] == []
        if each.folder:
            assert agree(name, each.code)
        assert any(folder_of(path, folders) is each for path in pages)


def test_a_version_declares_its_language_if_any_page_does() -> None:
    """As in other folders, the untranslated pages in it are then copies, however many they are."""
    pages = {"2.0/a.html": "en", "fr/2.0/a.html": "en", "fr/2.0/b.html": "en", "fr/2.0/c.html": "fr"}
    languages, notes = languages_of_versions({"2.0": None, "fr/2.0": "fr"}, site(pages, ("2.0", "fr/2.0")))
    assert [(each.folder, each.code, each.is_declared) for each in languages] == [
        ("2.0", "en", True),
        ("fr/2.0", "fr", True),
    ]
    assert notes == []
