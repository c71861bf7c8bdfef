"""Alternates: however the languages of a site are known, only listed and declared pages are linked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.model import Alternate, Candidate, Entry, Language, Note, Omitted, Page, Policy, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import XDefault
from sitemap_plugins.pages.omit import omit
from sitemap_plugins.translations.hreflang import translate

BASE = "https://example.org/"
FRENCH = "https://example.org/fr/"
GERMAN = "https://de.example/"  # another host
EN, FR, DE = (Language(code=code, base_url=url) for code, url in [("en", BASE), ("fr", FRENCH), ("de", GERMAN)])
SITE = Site(base_url=BASE)
DECLARED = Site(base_url=BASE, languages=(EN, DE))
BUILT = Site(base_url=BASE, languages=(EN, FR))  # both are in this build
NONE = Settings(x_default=XDefault(None))


def page(path: str, language: str = "", translation: str = "", *, base: str = BASE, **alternates: str) -> Candidate:
    """A listed page. Its source has the same name as its path."""
    loc = base + path
    name = (path.rstrip("/") or "index") + ".md"
    own = Page(loc=loc, name=name, language=language, translation=translation, base_url=None if base == BASE else base)
    return Candidate(page=own, path=path or "index.html", entry=Entry(loc=loc), alternates=alternates)


def left_out(path: str, reason: str = "noindex") -> Omitted:
    return omit(page(path).page, reason)


def links(translated: list[Candidate]) -> dict[str, dict[str, str]]:
    """The alternates of each page, by path, with an asterisk for declared ones."""
    return {
        each.entry.loc.removeprefix(BASE): {
            link.hreflang: link.href.removeprefix(BASE) + "*" * link.declared for link in each.entry.alternates
        }
        for each in translated
    }


def told(notes: list[Note]) -> list[tuple[str, str | None, str]]:
    return [(note.kind, note.page, note.message) for note in notes]


ENGLISH_PAGES = [page("", "en", "index.md"), page("guide/", "en", "guide.md"), page("only/", "en", "only.md")]
FRENCH_PAGES = [page("fr/", "fr", "index.md"), page("fr/guide/", "fr", "guide.md")]


class TestPagesThatTheHostKnows:
    """mkdocs-static-i18n gives each page a language and a name that its translations share."""

    def test_translations_link_each_other_and_themselves(self) -> None:
        translated, notes = translate(SITE, [*ENGLISH_PAGES, *FRENCH_PAGES], [], Settings())
        home, guide = {"en": "", "fr": "fr/"}, {"en": "guide/", "fr": "fr/guide/"}
        assert links(translated) == {"": home, "guide/": guide, "only/": {}, "fr/": home, "fr/guide/": guide}
        assert notes == []

    def test_pages_without_a_language_are_unchanged(self) -> None:
        listed = [page("", "en", "index.md"), page("fr/", "fr", "index.md"), page("api/"), page("x/", "en", "")]
        translated, notes = translate(SITE, listed, [], Settings())
        assert links(translated) == {"": {"en": "", "fr": "fr/"}, "fr/": {"en": "", "fr": "fr/"}, "api/": {}, "x/": {}}
        assert notes == []

    def test_languages_on_other_hosts_are_linked_across_hosts(self) -> None:
        """HL-04."""
        listed = [page("", "en", "index.md"), page("de/", "de", "index.md", base=GERMAN)]
        translated, _ = translate(SITE, listed, [], Settings())
        both = {"de": f"{GERMAN}de/", "en": ""}
        assert links(translated) == {"": both, f"{GERMAN}de/": both}

    @pytest.mark.parametrize(
        ("written", "why"),
        [
            ("jp", "is not a language code that search engines know; did you mean 'ja'?"),
            ("x-default", "is not a language: it marks the default page"),
            ("", "is not a language code such as 'en' or 'pt-BR'"),
        ],
    )
    def test_pages_in_a_language_without_a_valid_code_have_no_links(self, written: str, why: str) -> None:
        listed = [page("", "en", "a"), page("fr/", "fr", "a"), page("x/", written, "a"), page("x/b/", written, "b")]
        translated, notes = translate(SITE, listed, [], Settings())
        both = {"en": "", "fr": "fr/"}
        assert links(translated) == {"": both, "fr/": both, "x/": {}, "x/b/": {}}
        assert told(notes) == [("language-code", None, f"the language {written!r} {why}; its pages have no alternates")]

    def test_of_two_languages_with_one_code_the_first_has_links(self) -> None:
        listed = [page("", "en", "a"), page("x/", "pt_BR", "a"), page("y/", "pt-br", "a"), page("z/", "pt-BR", "a")]
        translated, notes = translate(SITE, listed, [], Settings())
        both = {"en": "", "pt-BR": "x/"}
        assert links(translated) == {"": both, "x/": both, "y/": {}, "z/": {}}
        assert told(notes) == [
            (
                "language-code",
                None,
                f"the languages 'pt_BR' and {second!r} are both pt-BR; the pages of the second have no alternates",
            )
            for second in ("pt-br", "pt-BR")
        ]

    def test_a_code_of_three_letters_is_linked_and_noted(self) -> None:
        translated, notes = translate(SITE, [page("", "en", "a"), page("x/", "fil", "a")], [], Settings())
        assert links(translated)[""] == {"en": "", "fil": "x/"}
        assert told(notes) == [
            (
                "three-letter-language",
                None,
                "the language 'fil' has no two-letter code, so search engines may ignore its alternates",
            )
        ]

    def test_of_two_pages_for_one_translation_the_first_has_links(self) -> None:
        listed = [page("", "en", "a"), page("fr/", "fr", "a"), page("fr/b/", "fr", "a")]
        translated, notes = translate(SITE, listed, [], Settings())
        assert links(translated)["fr/b/"] == {}
        assert links(translated)["fr/"] == {"en": "", "fr": "fr/"}
        message = "it is a second page in fr besides fr.md, so the two are not linked"
        assert told(notes) == [("alternates", "fr/b.md", message)]


class TestLanguagesOfTheSite:
    """From the option ``languages``, or Material's ``extra.alternate``."""

    def test_pages_with_one_path_in_one_build_are_translations(self) -> None:
        listed = [page(path) for path in ("", "guide/", "only/", "fr/", "fr/guide/", "fr/seul/")]
        translated, notes = translate(BUILT, listed, [], Settings())
        home, guide = {"en": "", "fr": "fr/"}, {"en": "guide/", "fr": "fr/guide/"}
        assert links(translated) == {
            "": home, "guide/": guide, "only/": {}, "fr/": home, "fr/guide/": guide, "fr/seul/": {},
        }  # fmt: skip
        assert notes == []

    def test_the_pages_of_a_language_elsewhere_are_declared(self) -> None:
        translated, notes = translate(DECLARED, [page(""), page("guide/")], [], Settings())
        assert links(translated) == {
            "": {"de": f"{GERMAN}*", "en": ""},
            "guide/": {"de": f"{GERMAN}guide/*", "en": "guide/"},
        }
        assert notes == []

    def test_without_a_language_of_this_site_nothing_is_declared(self) -> None:
        site = structs.replace(SITE, languages=(DE, Language(code="es", base_url="https://es.example/")))
        translated, notes = translate(site, [page(""), page("guide/")], [], Settings())
        assert not any(links(translated).values())
        assert [note.kind for note in notes] == ["languages"]
        assert f"none of the URLs is this site's own, {BASE}," in notes[0].message

    def test_the_language_of_the_page_comes_before_its_url(self) -> None:
        site = structs.replace(SITE, languages=(EN, FR, DE))
        listed = [page("", "en", "index.md"), page("fr/start/", "fr", "index.md"), page("start/")]
        translated, notes = translate(site, listed, [], Settings())
        home = {"de": f"{GERMAN}*", "en": "", "fr": "fr/start/"}
        assert links(translated) == {"": home, "fr/start/": home, "start/": {}}
        assert notes == []

    @pytest.mark.parametrize(
        ("named", "written", "code"), [("fr", "fr-CA", "fr"), ("fr-CA", "fr", "fr-CA"), ("fr-CA", "fr-FR", "fr-FR")]
    )
    def test_the_option_languages_names_the_code_of_pages_that_agree(self, named: str, written: str, code: str) -> None:
        languages = (EN, Language(code=named, base_url=FRENCH), DE)
        listed = [page("", "en", "index"), page("fr/", written, "index")]
        translated, _ = translate(structs.replace(SITE, languages=languages), listed, [], NONE)
        expected = {"en": "", code: "fr/", "de": f"{GERMAN}*"}
        assert links(translated)[""] == expected

    def test_a_name_that_fits_the_pages_of_two_languages_changes_neither(self) -> None:
        languages = (EN, Language(code="fr", base_url=FRENCH))
        listed = [page("", "en", "index"), page("fr/", "fr-CA", "index"), page("fr/x/", "fr-FR", "index")]
        translated, _ = translate(structs.replace(SITE, languages=languages), listed, [], NONE)
        assert links(translated)[""] == {"en": "", "fr-CA": "fr/", "fr-FR": "fr/x/"}

    def test_a_page_in_another_language_than_its_url_declares_nothing(self) -> None:
        listed = [page("", "en", "index.md"), page("es/", "es", "index.md")]
        translated, _ = translate(DECLARED, listed, [], Settings())
        home = {"de": f"{GERMAN}*", "en": "", "es": "es/"}
        assert links(translated) == {"": home, "es/": home}
        translated, _ = translate(DECLARED, listed[1:], [], Settings())
        assert links(translated) == {"es/": {}}

    @pytest.mark.parametrize(("code", "kind"), [("kr", "language-code"), ("fil", "three-letter-language")])
    def test_notes_on_their_codes(self, code: str, kind: str) -> None:
        site = structs.replace(SITE, languages=(EN, structs.replace(DE, code=code)))
        translated, notes = translate(site, [page("")], [], Settings())
        assert links(translated) == {"": {"en": "", code: f"{GERMAN}*"}}
        assert [note.kind for note in notes] == [kind]


OTHER_SITE = "is a page of another site: name the URL of its language in the option languages"


def _without_guess(found: dict[str, str], code: str) -> dict[str, str]:
    """Remove the link to a declared page in a language. A page without other links has none."""
    kept = {each: href for each, href in found.items() if each != code or not href.endswith("*")}
    return kept if len(kept) > 1 else {}


class TestAlternatesOfAuthors:
    """``alternates`` in front matter."""

    @pytest.mark.parametrize(
        "written",
        [
            pytest.param("fr/démarrer.md", id="source"),
            pytest.param("https://example.org/fr/d%C3%A9marrer/", id="URL"),
            pytest.param("HTTPS://Example.ORG:443/fr/démarrer/#top", id="URL in another form"),
            pytest.param("/fr/démarrer/", id="path from the root of the host"),
            pytest.param("démarrer/", id="path below the language"),
        ],
    )
    def test_a_page_of_this_build_can_be_named_in_many_ways(self, written: str) -> None:
        french = page("fr/d%C3%A9marrer/")
        french = structs.replace(french, page=structs.replace(french.page, name="fr/démarrer.md"))
        listed = [page("start/", fr=written), french]
        translated, notes = translate(BUILT, listed, [], Settings())
        both = {"en": "start/", "fr": "fr/d%C3%A9marrer/"}
        assert links(translated) == {"start/": both, "fr/d%C3%A9marrer/": both}
        assert notes == []

    def test_without_a_url_of_the_language_a_path_is_relative_to_the_site(self) -> None:
        listed = [page("start/", "en", "start.md", fr="fr/demarrer/"), page("fr/demarrer/", "fr", "demarrer.md")]
        translated, notes = translate(SITE, listed, [], Settings())
        assert links(translated)["fr/demarrer/"] == {"en": "start/", "fr": "fr/demarrer/"}
        assert notes == []

    @pytest.mark.parametrize("written", ["anleitung/", "/anleitung/", f"{GERMAN}anleitung/", f"{GERMAN}anleitung/#x"])
    def test_a_page_of_a_language_elsewhere_is_declared(self, written: str) -> None:
        listed = [page("guide/", de=written), page("anleitung/")]
        translated, notes = translate(DECLARED, listed, [], Settings())
        # Without front matter, the English anleitung/ would have this page by its path.
        assert links(translated) == {"guide/": {"de": f"{GERMAN}anleitung/*", "en": "guide/"}, "anleitung/": {}}
        assert notes == []

    def test_a_page_of_a_language_from_the_host_is_declared(self) -> None:
        languages = (structs.replace(EN, same_paths=False), structs.replace(DE, same_paths=False))
        listed = [page("guide/", de="anleitung/"), page("")]
        translated, notes = translate(structs.replace(SITE, languages=languages), listed, [], Settings())
        assert links(translated) == {"guide/": {"de": f"{GERMAN}anleitung/*", "en": "guide/"}, "": {}}
        assert notes == []

    def test_an_alternate_in_one_language_does_not_affect_the_others(self) -> None:
        spanish = Language(code="es", base_url="https://es.example/")
        site = structs.replace(SITE, languages=(EN, DE, spanish))
        translated, _ = translate(site, [page("guide/", de="anleitung/")], [], Settings())
        assert links(translated) == {
            "guide/": {"de": f"{GERMAN}anleitung/*", "en": "guide/", "es": "https://es.example/guide/*"}
        }

    @pytest.mark.parametrize(
        ("listed", "site", "where", "why"),
        [
            pytest.param(
                [page("a/", fr="nope/"), page("fr/b/")], BUILT, "fr", "https://example.org/fr/nope/ is not in the sitemap",
                id="no such page",
            ),
            pytest.param(
                [page("a/", "en", "a", fr="nope.md"), page("fr/b/", "fr", "b")], SITE, "fr",
                "nope.md is not a source file of this build; for other pages write the URL", id="no such source",
            ),
            pytest.param(
                [page("a/", fr="fr/gone.md"), page("fr/b/")], BUILT, "fr",
                "fr/gone.md is left out: noindex", id="a source that is left out",
            ),
            pytest.param(
                [page("a/", fr="gone/"), page("fr/b/")], BUILT, "fr", "https://example.org/fr/gone/ is left out: noindex",
                id="a page that is left out",
            ),
            pytest.param(
                [page("a/", "en", fr="fr/gone/index.html")], SITE, "fr",
                "https://example.org/fr/gone/index.html is left out: noindex", id="in another form, without languages",
            ),
            pytest.param(
                [page("a/", es="https://es.example/a/")], DECLARED, "es", f"https://es.example/a/ {OTHER_SITE}",
                id="a page of another site",
            ),
            pytest.param(
                [page("a/", fr="fr/b.md"), page("fr/b/")], structs.replace(SITE, languages=(FR,)), "fr",
                "the language of this page itself is not known: name it in the option languages", id="a page in no language",
            ),
            pytest.param([page("a/", de="//[")], DECLARED, "de", "'//[' is not a URL (Invalid IPv6 URL)", id="no URL"),
            pytest.param(
                [page("a/", de="a\x00b")], DECLARED, "de", "'a\\x00b' has a control character in it", id="control character"
            ),
        ],
    )  # fmt: skip
    def test_mistakes_are_noted_and_change_nothing(
        self, listed: list[Candidate], site: Site, where: str, why: str
    ) -> None:
        omitted = [left_out("fr/gone/")]
        translated, notes = translate(site, listed, omitted, Settings())
        assert told(notes) == [("alternates", listed[0].page.name, f"alternates.{where}: {why}")]
        silent = [structs.replace(each, alternates={}) for each in listed]
        # An invalid alternate is not replaced with a guess.
        guessed = links(translate(site, silent, omitted, Settings())[0])
        assert links(translated) == {path: _without_guess(found, where) for path, found in guessed.items()}

    def test_the_only_language_that_agrees_is_the_one_of_the_alternate(self) -> None:
        listed = [page("", "en", "a", fr="fr/b/"), page("fr/b/", "fr-CA", "b")]
        translated, notes = translate(SITE, listed, [], NONE)
        assert links(translated)[""] == {"en": "", "fr-CA": "fr/b/"}
        assert notes == []

    def test_alternates_of_authors_come_before_equal_paths(self) -> None:
        listed = [page("a/", fr="fr/b.md"), page("b/"), page("fr/a/"), page("fr/b/")]
        translated, notes = translate(BUILT, listed, [], Settings())
        both = {"en": "a/", "fr": "fr/b/"}
        assert links(translated) == {"a/": both, "fr/b/": both, "b/": {}, "fr/a/": {}}
        assert notes == []

    @pytest.mark.parametrize(
        ("here", "written"), [("fr/b/", "https://example.org/fr/b"), ("fr/b/index.html", "b/"), ("fr/b", "b/")]
    )
    def test_a_page_is_found_by_the_other_form_of_its_url(self, here: str, written: str) -> None:
        translated, notes = translate(BUILT, [page("a/", fr=written), page(here)], [], Settings())
        both = {"en": "a/", "fr": here}
        assert links(translated) == {"a/": both, here: both}
        assert notes == []

    @pytest.mark.parametrize("written", ["b", "b/", "/fr/b", "https://example.org/fr/b/"])
    @pytest.mark.parametrize("order", [("fr/b", "fr/b/"), ("fr/b/", "fr/b")])
    def test_of_two_pages_with_similar_urls_the_exact_one_counts(self, order: tuple[str, str], written: str) -> None:
        translated, _ = translate(BUILT, [page("a/", fr=written), *map(page, order)], [], Settings())
        assert links(translated)["a/"] == {"en": "a/", "fr": "fr/b/" if written.endswith("/") else "fr/b"}

    def test_a_page_without_a_language_is_not_a_translation(self) -> None:
        listed = [page("a/", "en", "a", fr="api.md"), page("fr/a/", "fr", "b"), page("api/")]
        translated, notes = translate(SITE, listed, [], Settings())
        assert not any(links(translated).values())
        why = "https://example.org/api/ is in no known language: add its language to the option languages"
        assert told(notes) == [("alternates", "a.md", f"alternates.fr: {why}")]

    @pytest.mark.parametrize("written", ["es/a/", "es/a.md", "/es/a/"])
    def test_a_language_without_pages_in_this_build_is_not_a_mistake(self, written: str) -> None:
        listed = [page("a/", "en", "a", es=written), page("fr/a/", "fr", "a")]
        translated, notes = translate(SITE, listed, [], Settings())
        assert links(translated)["a/"] == {"en": "a/", "fr": "fr/a/"}
        why = "this build has no pages in es, and the option languages does not name it"
        assert told(notes) == [("languages-elsewhere", "a.md", f"alternates.es: {why}")]

    @pytest.mark.parametrize(
        "site",
        [
            pytest.param(structs.replace(BUILT, policy=Policy(preview="Netlify")), id="preview"),
            pytest.param(
                structs.replace(SITE, languages=(DE, structs.replace(FR, base_url="https://fr.example/"))),
                id="another version",
            ),
        ],
    )
    def test_a_preview_and_another_version_have_no_mistakes(self, site: Site) -> None:
        listed = [page("a/", fr="nope/", en="nope/", de="//["), page("fr/b/")]
        settings = Settings(x_default=XDefault(page="nope/"))
        _, notes = translate(site, listed, [], settings)
        assert {note.kind for note in notes} <= {"languages"}
        assert {note.kind for note in translate(BUILT, listed, [], settings)[1]} == {"alternates", "x-default"}

    def test_without_a_known_language_alternates_have_no_effect(self) -> None:
        translated, notes = translate(SITE, [page("a/", fr="b/"), page("b/")], [], Settings())
        assert links(translated) == {"a/": {}, "b/": {}}
        why = "alternates: the language of this site is not known; name all languages and URLs in the option languages"
        assert told(notes) == [("languages-elsewhere", "a.md", why)]

    def test_in_a_build_of_one_language_the_pages_of_other_builds_are_declared(self) -> None:
        listed = [page("a/", "en", de="de/anleitung/", fr=f"{BASE}fr/notice/"), page("b/", "en")]
        translated, notes = translate(SITE, listed, [], Settings())
        assert links(translated) == {"a/": {"de": "de/anleitung/*", "en": "a/", "fr": "fr/notice/*"}, "b/": {}}
        assert notes == []

    def test_notes_on_alternates_come_with_notes_on_languages(self) -> None:
        listed = [page("", "jp", "a", fr="x.md"), page("fr/", "fr", "a", en="fr.md")]
        _, notes = translate(SITE, listed, [], Settings())
        assert [(note.kind, note.page) for note in notes] == [
            ("language-code", None),
            ("alternates", "index.md"),
            ("alternates", "fr.md"),
        ]


HOME = [page("", "en", "index"), page("fr/", "fr", "index")]
GUIDE = [page("guide/", "en", "guide"), page("fr/guide/", "fr", "guide")]
CHOOSE = page("choose/")


def defaults(translated: list[Candidate]) -> dict[str, str]:
    """The x-default of each page that has one, by the page's path. Each page has at most one, at the end."""
    found = {}
    for each in translated:
        for number, link in enumerate(each.entry.alternates, 1):
            if link.hreflang == "x-default":
                assert number == len(each.entry.alternates)
                found[each.entry.loc.removeprefix(BASE)] = link.href.removeprefix(BASE)
    return found


IN_ENGLISH = {"": "", "fr/": "", "guide/": "guide/", "fr/guide/": "guide/"}
IN_FRENCH = {"": "fr/", "fr/": "fr/", "guide/": "fr/guide/", "fr/guide/": "fr/guide/"}


class TestTheDefault:
    @pytest.mark.parametrize(
        ("language", "wanted", "expected"),
        [
            ("en", XDefault(), IN_ENGLISH),
            ("en_GB", XDefault(), {}),
            ("", XDefault(), {}),
            ("en", XDefault(None), {}),
            ("en", XDefault("fr"), IN_FRENCH),
            (None, XDefault("en"), IN_ENGLISH),
        ],
    )
    def test_a_language_is_the_default_of_all_pages_that_it_has(
        self, language: str | None, wanted: XDefault, expected: Mapping[str, str]
    ) -> None:
        site = structs.replace(SITE, default_language=language)
        translated, notes = translate(site, [*HOME, *GUIDE, page("x/", "en", "x")], [], Settings(x_default=wanted))
        assert defaults(translated) == expected
        assert notes == []

    def test_a_page_without_a_version_in_the_default_language_has_no_default(self) -> None:
        listed = [*HOME, page("fr/x/", "fr", "x"), page("de/x/", "de", "x")]
        translated, _ = translate(SITE, listed, [], Settings(x_default=XDefault("en")))
        assert defaults(translated) == {"": "", "fr/": ""}

    def test_a_page_elsewhere_can_be_the_default(self) -> None:
        ((home,), notes) = translate(DECLARED, [page("")], [], Settings(x_default=XDefault("de")))
        assert home.entry.alternates[-1] == Alternate(hreflang="x-default", href=GERMAN, declared=True)
        assert notes == []

    def test_a_language_without_pages_is_noted(self) -> None:
        translated, notes = translate(SITE, [*HOME, *GUIDE], [], Settings(x_default=XDefault("es")))
        assert defaults(translated) == {}
        assert links(translated)[""] == {"en": "", "fr": "fr/"}
        message = "x_default: no page in es is known; the languages are en and fr"
        assert told(notes) == [("x-default", None, message)]

    @pytest.mark.parametrize(
        ("code", "is_unread", "is_noted"), [("es", True, False), ("es", False, True), ("pt", True, True)]
    )
    def test_nothing_is_said_of_a_language_whose_list_of_pages_is_missing(
        self, code: str, *, is_unread: bool, is_noted: bool
    ) -> None:
        """Another list may be missing, or this one may have no pages."""
        unread = Language(code=code, base_url="https://x.example/", pages=frozenset(), is_unread=is_unread)
        site = structs.replace(SITE, languages=(unread,))
        _, notes = translate(site, [*HOME, *GUIDE], [], Settings(x_default=XDefault("es")))
        assert any(note.kind == "x-default" for note in notes) is is_noted

    @pytest.mark.parametrize(
        ("wanted", "languages", "default"),
        [
            ("pt", ["pt-BR", "en"], "pt-BR"),
            ("pt-BR", ["pt", "en"], "pt"),
            ("pt", ["pt", "pt-BR"], "pt"),
            ("pt", ["pt-BR", "pt-PT"], None),  # it could be either
            ("pt-PT", ["pt-BR", "en"], None),
        ],
    )
    def test_the_only_language_that_agrees_is_meant(
        self, wanted: str, languages: list[str], default: str | None
    ) -> None:
        listed = [page(f"{language}/", language, "a") for language in languages]
        translated, notes = translate(SITE, listed, [], Settings(x_default=XDefault(wanted)))
        assert set(defaults(translated).values()) == ({f"{default}/"} if default else set())
        assert [note.kind for note in notes] == ([] if default else ["x-default"])

    def test_without_pages_there_are_no_notes(self) -> None:
        assert translate(DECLARED, [], [], Settings(x_default=XDefault("es"))) == ([], [])
        assert translate(SITE, [], [], Settings(x_default=XDefault("es"))) == ([], [])

    @pytest.mark.parametrize("written", ["choose/", "/choose/", "https://example.org/choose/", "choose/index.html"])
    @pytest.mark.parametrize("language", [None, "en"])
    def test_a_selector_page_is_the_default_of_the_home_pages(self, written: str, language: str | None) -> None:
        site = structs.replace(SITE, default_language=language)
        listed = [*HOME, *GUIDE, CHOOSE]
        translated, notes = translate(site, listed, [], Settings(x_default=XDefault(page=written)))
        home = {"en": "", "fr": "fr/", "x-default": "choose/"}
        guide = {"en": "guide/", "fr": "fr/guide/"} | ({"x-default": "guide/"} if language else {})
        assert links(translated) == {
            "": home, "fr/": home, "guide/": guide, "fr/guide/": guide, "choose/": home,
        }  # fmt: skip
        assert notes == []

    def test_home_pages_of_languages_elsewhere_count(self) -> None:
        listed = [page(""), page("choose/")]
        site = structs.replace(SITE, languages=(EN, structs.replace(DE, pages=frozenset({GERMAN}))))
        translated, notes = translate(site, listed, [], Settings(x_default=XDefault(page="choose/")))
        home = {"de": f"{GERMAN}*", "en": "", "x-default": "choose/"}
        assert links(translated) == {"": home, "choose/": home}
        assert notes == []

    def test_all_home_pages_can_be_in_folders(self) -> None:
        site = structs.replace(SITE, languages=(structs.replace(EN, base_url=f"{BASE}en/"), FR))
        listed = [page(""), page("en/index.html"), page("fr/index.html")]
        translated, notes = translate(site, listed, [], Settings(x_default=XDefault(page="/")))
        home = {"en": "en/index.html", "fr": "fr/index.html", "x-default": ""}
        assert links(translated) == {"": home, "en/index.html": home, "fr/index.html": home}
        assert notes == []

    @pytest.mark.parametrize(
        ("listed", "written", "why"),
        [
            (HOME, "choose/", "https://example.org/choose/ is not in the sitemap"),
            (HOME, "https://example.net/", "https://example.net/ is not in the sitemap"),
            ([*GUIDE, CHOOSE], "choose/", "no home page has alternates"),
            ([HOME[0], *GUIDE, CHOOSE], "choose/", "no home page has alternates"),
            (
                [*HOME, *GUIDE],
                "fr/guide/",
                "https://example.org/fr/guide/ is a translation of another page than the home page",
            ),
        ],
    )
    def test_a_selector_page_that_cannot_be_used_is_noted(
        self, listed: list[Candidate], written: str, why: str
    ) -> None:
        omitted = [left_out("choose/")]
        translated, notes = translate(SITE, listed, omitted, Settings(x_default=XDefault(page=written)))
        assert defaults(translated) == {}
        assert [(note.kind, note.page) for note in notes] == [("x-default", None)]
        assert notes[0].message.startswith(f"x_default: {why}")
        assert links(translated) == links(translate(SITE, listed, omitted, NONE)[0])

    @pytest.mark.parametrize(
        "written", ["//[", "http://[x", "https://exa\uff0fmple.org/", "mailto:a.b", "a\x00/", "../../x/"]
    )
    def test_an_invalid_selector_page_does_not_end_the_build(self, written: str) -> None:
        translated, notes = translate(SITE, HOME, [], Settings(x_default=XDefault(page=written)))
        assert defaults(translated) == {}
        assert [note.kind for note in notes] == ["x-default"]


# Any site: its languages, listed and omitted pages, and alternates of authors.
PATHS = ("", "a/", "b/", "fr/", "fr/a/", "fr/fr/a/", "x/index.html", "choose/")
BASES = (BASE, FRENCH, GERMAN, "https://es.example/docs/", "https://example.org/fr/ca/")
CODES = ("en", "fr", "de", "es", "fil")
WRITTEN = ("en", "fr", "fr_FR", "FR", "jp", "", "kr")
TARGETS = st.one_of(
    st.sampled_from([f"{(path.rstrip('/') or 'index')}.md" for path in PATHS]),
    st.sampled_from(PATHS),
    st.builds("{}{}".format, st.sampled_from(BASES), st.sampled_from(PATHS)),
    st.sampled_from(["//[", "mailto:x", "nope", "https://elsewhere.example/"]),
)


@st.composite
def sites(draw: st.DrawFn) -> tuple[Site, list[Candidate], list[Omitted], Settings]:
    codes = draw(st.lists(st.sampled_from(CODES), unique=True))
    urls = draw(st.permutations(BASES))
    languages = tuple(
        Language(
            code=code,
            base_url=url,
            pages=draw(st.none() | st.frozensets(st.sampled_from([url + path for path in PATHS]))),
            same_paths=draw(st.booleans()),
        )
        for code, url in zip(codes, urls, strict=False)
    )
    site = Site(
        base_url=draw(st.sampled_from(BASES)),
        languages=languages,
        default_language=draw(st.none() | st.sampled_from(WRITTEN)),
    )
    # A page is below the base of the site, or has its own base.
    places = st.tuples(st.just(None) | st.sampled_from(BASES), st.sampled_from(PATHS))
    found = {(base or site.base_url) + path: base for base, path in draw(st.lists(places, max_size=8))}
    static = draw(st.booleans())
    built = []
    for number, (loc, base) in enumerate(found.items()):
        language, translation = draw(
            st.tuples(st.sampled_from(WRITTEN), st.sampled_from("abc")) if static else st.just(("", ""))
        )
        own = Page(loc=loc, name=f"{number}.md", language=language, translation=translation, base_url=base)
        targets = TARGETS | st.sampled_from([*found]) | st.sampled_from([f"{each}.md" for each in range(len(found))])
        alternates = draw(st.dictionaries(st.sampled_from(CODES), targets, max_size=3))
        built.append(Candidate(page=own, path="", entry=Entry(loc=loc), alternates=alternates))
    number = draw(st.integers(0, len(built)))
    omitted = [omit(each.page, "noindex") for each in built[number:]]
    chosen = st.builds(lambda text: XDefault(page=text), TARGETS.filter(lambda text: "[" not in text))
    wanted = draw(st.builds(XDefault, st.none() | st.just("") | st.sampled_from(CODES)) | chosen)
    return site, built[:number], omitted, Settings(x_default=wanted)


@given(sites())
def test_linked_pages_are_listed_or_declared_and_link_back(
    anything: tuple[Site, list[Candidate], list[Omitted], Settings],
) -> None:
    """HL-03, HL-05, HL-12."""
    site, listed, omitted, settings = anything
    translated, _ = translate(site, listed, omitted, settings)
    own = {each.entry.loc: each.entry.alternates for each in translated}
    for loc, alternates in own.items():
        if not alternates:
            continue
        hrefs = [link.href for link in alternates]
        spoken = [link for link in alternates if link.hreflang != "x-default"]
        assert loc in hrefs
        assert len(alternates) > 1
        assert len({link.hreflang for link in alternates}) == len(alternates)
        assert len({link.href for link in spoken}) == len(spoken)
        assert [link.hreflang for link in spoken] == sorted(link.hreflang for link in spoken)
        assert list(alternates[: len(spoken)]) == spoken
        for link in alternates:
            assert link.declared or own[link.href] is alternates
            assert not link.declared or link.href not in own
            assert not link.declared or any(link.href.startswith(each.base_url) for each in site.languages)


@given(sites())
def test_a_page_that_is_left_out_is_never_linked(
    anything: tuple[Site, list[Candidate], list[Omitted], Settings],
) -> None:
    """HL-12."""
    site, listed, omitted, settings = anything
    translated, _ = translate(site, listed, omitted, settings)
    hrefs = {link.href for each in translated for link in each.entry.alternates}
    assert hrefs.isdisjoint(each.page.loc for each in omitted)


@given(sites())
def test_only_the_alternates_of_candidates_change(
    anything: tuple[Site, list[Candidate], list[Omitted], Settings],
) -> None:
    site, listed, omitted, settings = anything
    translated, notes = translate(site, listed, omitted, settings)
    assert [structs.replace(each, entry=replace(each.entry, alternates=())) for each in translated] == listed
    assert {note.kind for note in notes} <= {
        *("alternates", "language-code", "three-letter-language", "languages", "languages-elsewhere", "x-default")
    }
    assert {note.page for note in notes} <= {None, *(each.page.name for each in listed)}


@given(sites())
def test_every_alternate_of_an_author_is_used_or_noted_once(
    anything: tuple[Site, list[Candidate], list[Omitted], Settings],
) -> None:
    site, listed, omitted, settings = anything
    translated, notes = translate(site, listed, omitted, settings)
    if any(note.kind == "languages" for note in notes):
        return  # the languages are of another version, so no mistakes are noted
    for each in translated:
        codes = {link.hreflang for link in each.entry.alternates}
        for code in each.alternates:
            starts = (f"alternates.{code}: ", "alternates: ")
            said = [note for note in notes if note.page == each.page.name and note.message.startswith(starts)]
            assert len(said) <= 1
            # A page whose only alternate was itself has none at all.
            assert said or code in codes or not codes


@given(sites(), st.randoms(use_true_random=False))
def test_without_mistakes_the_order_of_pages_makes_no_difference(
    anything: tuple[Site, list[Candidate], list[Omitted], Settings], random: Random
) -> None:
    site, listed, omitted, settings = anything
    translated, notes = translate(site, listed, omitted, settings)
    if any(note.kind in {"alternates", "language-code", "languages"} for note in notes):
        return  # after "languages" there are no other notes
    shuffled = random.sample(listed, len(listed))
    again, others = translate(site, shuffled, omitted, settings)
    assert {each.entry for each in again} == {each.entry for each in translated}
    assert sorted(told(others), key=str) == sorted(told(notes), key=str)
