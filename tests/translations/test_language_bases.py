"""The base URLs of a site's languages: which of them belong to this build, and translations in the others."""

from __future__ import annotations

import pytest
from msgspec import structs

from sitemap_plugins.model import Candidate, Language, Omitted, Site
from sitemap_plugins.pages.omit import omit
from sitemap_plugins.translations.hreflang import LanguageBases, LanguagePath, find_language_path
from tests.builders import candidate

BASE = "https://example.org/docs/"
EN = Language(code="en", base_url=BASE)
FR = Language(code="fr", base_url=f"{BASE}fr/")
CANADA = Language(code="fr-CA", base_url=f"{BASE}fr/ca/")
DE = Language(code="de", base_url="https://de.example/")


def candidates(*locs: str, base_url: str | None = None) -> list[Candidate]:
    return [candidate(loc, base_url=base_url) for loc in locs]


def left_out(*locs: str, base_url: str | None = None) -> list[Omitted]:
    return [omit(each.page, "noindex") for each in candidates(*locs, base_url=base_url)]


def bases(
    *languages: Language, base_url: str = BASE, listed: tuple[str, ...] = (BASE,), omitted: tuple[str, ...] = ()
) -> LanguageBases:
    return LanguageBases(Site(base_url=base_url, languages=languages), candidates(*listed), left_out(*omitted))


def codes(found: LanguageBases) -> list[str]:
    return [language.code for language in found.elsewhere]


@pytest.mark.parametrize(
    ("url", "place"),
    [
        (f"{BASE}fr/", LanguagePath(FR, "")),
        (f"{BASE}fr", LanguagePath(EN, "fr")),
        (f"{BASE}fr/ca/a.html", LanguagePath(CANADA, "a.html")),
        (f"{BASE}fr/canard/", LanguagePath(FR, "canard/")),
        ("https://example.org/docs", None),
    ],
)
def test_a_url_belongs_to_the_longest_base(url: str, place: LanguagePath | None) -> None:
    assert find_language_path(url, [EN, FR, CANADA, DE]) == place
    assert find_language_path(url, [DE, CANADA, FR, EN]) == place


def test_a_page_of_this_build_is_not_a_translation_elsewhere() -> None:
    """The site is at /fr/, and its languages have the folder above it as French: /fr/ is not the page fr/ there."""
    above = Language(code="fr", base_url="https://example.org/")
    found = bases(above, base_url="https://example.org/fr/", listed=("https://example.org/fr/",))
    assert codes(found) == ["fr"]
    assert found.translation("fr/", above) is None
    assert found.translation("guide/", above) == "https://example.org/guide/"


class TestElsewhere:
    def test_a_language_whose_pages_are_all_left_out_is_here(self) -> None:
        assert codes(bases(EN, FR, DE, omitted=(f"{BASE}fr/a/",))) == ["de"]

    def test_a_base_above_this_site_is_elsewhere(self) -> None:
        # Another build has the English pages, and this one is only below them.
        found = bases(EN, FR, base_url=f"{BASE}fr/", listed=(f"{BASE}fr/a/",))
        assert found.paths == {f"{BASE}fr/a/": LanguagePath(FR, "a/")}
        assert codes(found) == ["en"]
        alone = bases(EN, DE, base_url=f"{BASE}fr/", listed=(f"{BASE}fr/a/",))
        assert alone.paths == {f"{BASE}fr/a/": None}
        assert alone.is_foreign

    def test_a_language_with_its_own_host_whose_pages_are_left_out_is_here(self) -> None:
        site = Site(base_url=BASE, languages=(EN, DE))
        omitted = left_out("https://de.example/a/", base_url="https://de.example/")
        assert codes(LanguageBases(site, candidates(BASE), omitted)) == []


@pytest.mark.parametrize(
    ("languages", "is_foreign"),
    [((DE,), True), ((structs.replace(DE, same_paths=False),), False)],
)
def test_a_build_for_none_of_the_languages_of_the_option_is_foreign(
    languages: tuple[Language, ...], *, is_foreign: bool
) -> None:
    assert bases(*languages).is_foreign is is_foreign


class TestTranslation:
    @pytest.mark.parametrize(
        ("path", "page", "found"),
        [
            ("a/", "a/index.html", "a/index.html"),
            ("a/index.html", "a/", "a/"),
            ("a.html", "a/", None),
            ("a/", "b/", None),
        ],
    )
    def test_it_is_one_of_the_known_pages(self, path: str, page: str, found: str | None) -> None:
        german = structs.replace(DE, pages=frozenset({DE.base_url + page}))
        assert bases(EN, german).translation(path, german) == (None if found is None else DE.base_url + found)

    def test_the_known_page_with_the_same_path_comes_first(self) -> None:
        both = ("a/", "a/index.html")
        german = structs.replace(DE, pages=frozenset(DE.base_url + path for path in both))
        assert [bases(EN, german).translation(path, german) for path in both] == [DE.base_url + path for path in both]

    @pytest.mark.parametrize(
        "pages", [None, frozenset({f"{BASE}fr/x/"}), frozenset({f"{BASE}fr/x/index.html", f"{BASE}a/"})]
    )
    def test_it_is_never_a_page_of_another_language(self, pages: frozenset[str] | None) -> None:
        english = structs.replace(EN, pages=pages)
        found = bases(english, FR, base_url=f"{BASE}fr/", listed=(f"{BASE}fr/fr/x/",))
        assert found.translation("fr/x/", english) is None

    @pytest.mark.parametrize("pages", [None, frozenset({f"{BASE}a/"}), frozenset({f"{BASE}a/index.html"})])
    def test_it_is_never_a_page_that_this_build_leaves_out(self, pages: frozenset[str] | None) -> None:
        # The English base is above this site, so it is elsewhere, and the page is outside this site.
        english = structs.replace(EN, pages=pages)
        listed = (f"{BASE}fr/a/",)
        found = bases(english, FR, base_url=f"{BASE}fr/", listed=listed, omitted=(f"{BASE}a/", f"{BASE}a/index.html"))
        assert found.translation("a/", english) is None


class TestUnlinked:
    @pytest.mark.parametrize(
        ("code", "href", "why"),
        [
            ("de", "https://de.example/a/", ""),
            ("fr", f"{BASE}nope/", "is in en"),
            (
                "de",
                "https://other.example/",
                "is a page of another site: name the URL of its language in the option languages",
            ),
        ],
    )
    def test_reasons_against_a_page_that_is_not_listed(self, code: str, href: str, why: str) -> None:
        assert bases(EN, FR, DE).why_unlinked(code, href) == why

    def test_a_page_that_this_build_leaves_out_is_not_elsewhere(self) -> None:
        # The English base is above this site.
        site = Site(base_url=f"{BASE}fr/", languages=(EN,))
        found = LanguageBases(site, candidates(f"{BASE}fr/a/"), left_out(f"{BASE}fr/b/"))
        assert found.why_unlinked("en", f"{BASE}b/") == ""
        assert found.why_unlinked("en", f"{BASE}fr/b/") == "is not in the sitemap"

    def test_a_page_of_this_site_in_no_known_language(self) -> None:
        assert bases(DE).why_unlinked("de", f"{BASE}a/") == "is not in the sitemap"

    @pytest.mark.parametrize(
        ("href", "why"),
        [
            ("https://de.example/a/", ""),
            ("https://de.example/a/index.html", ""),
            ("https://de.example/b/", "is not among the pages of de"),
        ],
    )
    def test_a_page_has_to_be_one_of_the_known_pages(self, href: str, why: str) -> None:
        german = structs.replace(DE, pages=frozenset({"https://de.example/a/"}))
        assert bases(EN, german).why_unlinked("de", href) == why
