"""Languages built separately are linked by their paths and their sitemaps, and never to a missing page."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import MARK
from sitemap_plugins.merge import languages as merging
from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.options.types import XDefault

if TYPE_CHECKING:
    from tests.published_root import Root

X = "https://x.org/"
EN = f"{X}en/"
FR = f"{X}fr/"
Y = "https://y.org/"


def packed(content: bytes) -> bytes:
    return b"".join(compress([content]))


def joined(*clusters: dict[str, str]) -> dict[str, dict[str, str]]:
    """The links of all pages in these clusters."""
    return {href: cluster for cluster in clusters for href in cluster.values() if not href.startswith(Y)}


def same_paths(bases: dict[str, str], *names: str) -> dict[str, dict[str, str]]:
    """The links of pages with the same paths below the URLs of the languages."""
    return joined(*({code: base + name for code, base in bases.items()} for name in names))


class TestLayouts:
    """Common layouts of sites in several languages."""

    def test_the_default_language_at_the_root(self, root: Root) -> None:
        root.build("", X, "en", ["", "a/", "only-en/"])
        root.build("fr", FR, "fr", ["", "a/", "only-fr/"])
        merged = root.merge()
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "", "a/")
        assert (merged.clusters, merged.alternates, merged.x_default) == (2, 12, "en")
        assert [(s.language.code, s.language.folder, s.listed, s.translated) for s in merged.languages] == [
            ("en", "", 3, 2),
            ("fr", "fr", 3, 2),
        ]
        assert (merged.refuted, merged.declared, merged.notes, merged.problems) == ((), 0, (), ())

    def test_a_language_in_a_folder_that_lacks_most_of_its_pages(self, root: Root) -> None:
        names = ["", "a/", "b/", "c/", "d/"]
        root.build("", X, "en", names)
        root.build("fr", FR, "fr", names)
        for name in "bcd":
            (root.path / f"fr/{name}/index.html").unlink()
        merged = root.merge()
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "", "a/")
        assert [(each.language.folder, each.listed, each.absent) for each in merged.languages] == [
            ("", 5, 0),
            ("fr", 5, 3),
        ]

    def test_each_language_in_a_folder_and_a_selector_page(self, root: Root) -> None:
        root.build("", X, "en", [""])
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert merged.x_default is None
        assert merged.notes == ()

    def test_links_in_heads_show_a_language_that_the_theme_does_not_say(self, root: Root) -> None:
        for folder in ("", "de", "fr"):
            root.build(folder, f"{X}{folder}/" if folder else X, "fr" if folder == "fr" else "en")
        own = {"en": X, "de": f"{X}de/", "fr": FR}
        for name in ("", "a/"):
            head = "".join(f'<link rel="alternate" hreflang="{code}" href="{url}{name}">' for code, url in own.items())
            for folder in ("", "de/"):
                root.page(f"{folder}{name}index.html", "en", head)
        merged = root.merge()
        assert root.links() == same_paths({**own, "x-default": X}, "", "a/")
        assert [each.language.known_by for each in merged.languages] == [
            "hreflang",
            "name, hreflang",
            "name, html lang",
        ]

    def test_the_default_may_be_named_without_the_country_of_the_pages(self, root: Root) -> None:
        root.build("en", EN, "en-US")
        root.build("fr", FR, "fr")
        assert root.merge(x_default=XDefault("en")).x_default == "en-US"

    def test_languages_in_versions_are_not_linked_to_other_versions(self, root: Root) -> None:
        for version, code in (("latest", "en"), ("latest", "fr"), ("stable", "en"), ("1.0", "fr")):
            root.build(f"{version}/{code}", f"{X}{version}/{code}/", code)
        root.merge()
        assert root.links() == same_paths({"en": f"{X}latest/en/", "fr": f"{X}latest/fr/"}, "", "a/")

    @pytest.mark.parametrize("path", ["", "docs/fr/"])
    def test_a_host_for_each_language(self, root: Root, path: str) -> None:
        root.build("en", f"https://en.x.org/{path.replace('fr', 'en')}", "en")
        root.build("fr", f"https://fr.x.org/{path}", "fr")
        root.merge()
        bases = {"en": f"https://en.x.org/{path.replace('fr', 'en')}", "fr": f"https://fr.x.org/{path}"}
        assert root.links() == same_paths(bases, "", "a/")

    def test_one_sitemap_with_several_languages(self, root: Root) -> None:
        for path, lang in (
            ("index.html", "en"),
            ("a/index.html", "en"),
            ("fr/index.html", "fr"),
            ("de/a/index.html", "de"),
        ):
            root.page(path, lang)
        root.sitemap("sitemap.xml", [X, f"{X}a/", FR, f"{X}de/a/"])
        root.merge()
        assert root.links() == joined(
            {"en": X, "fr": FR, "x-default": X}, {"de": f"{X}de/a/", "en": f"{X}a/", "x-default": f"{X}a/"}
        )

    def test_urls_without_html(self, root: Root) -> None:
        for code in ("en", "fr"):
            for name in ("index", "a", "b/index", "c"):
                root.page(f"{code}/{name}.html", code)
        root.sitemap("en/sitemap.xml", [EN, f"{EN}a", f"{EN}b", f"{EN}c.html"])
        root.sitemap("fr/sitemap.xml", [FR, f"{FR}a", f"{FR}b/", f"{FR}c"])
        root.merge()
        assert root.links() == joined(
            {"en": EN, "fr": FR},
            {"en": f"{EN}a", "fr": f"{FR}a"},
            {"en": f"{EN}b", "fr": f"{FR}b/"},
            {"en": f"{EN}c.html", "fr": f"{FR}c"},
        )

    @pytest.mark.parametrize(
        ("english", "french", "linked"),
        [
            (("install/", "use/"), ("install.html", "use.html"), {"install/": "install.html", "use/": "use.html"}),
            (("a/b.html", "c/"), ("a/b/", "c/"), {"a/b.html": "a/b/", "c/": "c/"}),
            # If a language has both, these are two pages.
            (("install/", "install.html"), ("install.html",), {"install.html": "install.html"}),
            (("install/",), ("install/", "install.html"), {"install/": "install/"}),
            (
                ("install/", "install.html"),
                ("install/", "install.html"),
                {"install/": "install/", "install.html": "install.html"},
            ),
            (("404.html",), ("404/",), {}),
        ],
    )
    def test_pages_with_and_without_html(
        self, root: Root, english: tuple[str, ...], french: tuple[str, ...], linked: dict[str, str]
    ) -> None:
        root.build("en", EN, "en", ("", *english))
        root.build("fr", FR, "fr", ("", *french))
        assert root.merge().conflicts == ()
        assert root.links() == joined(
            *({"en": EN + here, "fr": FR + there} for here, there in {"": "", **linked}.items())
        )

    def test_paths_that_are_not_ascii(self, root: Root) -> None:
        """One tool encodes its URLs, in lower or upper case, and another does not."""
        for code in ("en", "fr"):
            for name in ("café", "日本 語"):
                root.page(f"{code}/{name}/index.html", code)
        root.sitemap("en/sitemap.xml", [f"{EN}caf%C3%A9/", f"{EN}日本 語/"])
        root.sitemap("fr/sitemap.xml", [f"{FR}caf%c3%a9/", f"{FR}%E6%97%A5%E6%9C%AC%20%E8%AA%9E/"])
        root.merge()
        assert root.links() == joined(
            {"en": f"{EN}caf%C3%A9/", "fr": f"{FR}caf%c3%a9/"},
            {"en": f"{EN}日本 語/", "fr": f"{FR}%E6%97%A5%E6%9C%AC%20%E8%AA%9E/"},
        )

    def test_one_of_the_named_builds_declares_another_language(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "en")
        merged = root.merge({"en": "en", "fr": "fr"})
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert merged.notes == (f'{FR}: its html element has lang="en", but the sitemap has fr (and 1 more page)',)

    def test_one_page_declares_another_language(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr", ["", "a/", "b/"])
        root.page("fr/a/index.html", "en")
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "")
        assert [(s.language.code, s.listed, s.translated, s.foreign) for s in merged.languages] == [
            ("en", 2, 1, 0),
            ("fr", 3, 1, 1),
        ]

    def test_mutual_links_in_heads_show_the_language_of_a_page_before_its_html_lang(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr", ["", "a/", "b/"])
        head = "".join(
            f'<link rel="alternate" hreflang="{code}" href="{url}a/">' for code, url in {"en": EN, "fr": FR}.items()
        )
        root.page("en/a/index.html", "en", head)
        root.page("fr/a/index.html", "en", head)
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert [(each.language.code, each.foreign) for each in merged.languages] == [("en", 0), ("fr", 0)]

    def test_a_single_language_gets_no_links(self, root: Root) -> None:
        root.build("", X, "en")
        merged = root.merge()
        assert root.links() == {}
        assert (merged.languages, merged.clusters) == ((), 0)


class TestMapping:
    """The author names the folders of the languages."""

    def test_folders_with_any_name(self, root: Root) -> None:
        root.build("english/v2", f"{X}english/v2/", "en")
        root.build("français", f"{X}fran%C3%A7ais/", "fr")
        merged = root.merge({"en": "english/v2", "fr": "français"})
        assert root.links() == same_paths({"en": f"{X}english/v2/", "fr": f"{X}fran%C3%A7ais/"}, "", "a/")
        assert merged.notes == ()

    def test_versions_that_the_author_names_are_linked(self, root: Root) -> None:
        root.build("en/2.0", f"{EN}2.0/", "en")
        root.build("fr/1.0", f"{FR}1.0/", "fr")
        root.merge()
        assert root.links() == {}
        root.merge({"en": "en/2.0", "fr": "fr/1.0"})
        assert root.links() == same_paths({"en": f"{EN}2.0/", "fr": f"{FR}1.0/"}, "", "a/")

    def test_languages_that_are_not_named_keep_their_links_and_lose_one_sided_ones(self, root: Root) -> None:
        for code in ("de", "en", "es", "fr"):
            own = {other: f"{X}{other}/" for other in ("de", "en", "es")} if code in {"de", "es"} else {}
            root.build(code, f"{X}{code}/", code, links={"": own})
        merged = root.merge({"en": "en", "fr": "fr"})
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/") | joined({"de": f"{X}de/", "es": f"{X}es/"})
        assert [s.language.code for s in merged.languages] == ["en", "fr"]
        assert merged.alternates == root.merge({"en": "en", "fr": "fr"}).alternates

    def test_pages_that_name_themselves_in_several_languages_lose_these_links(self, root: Root) -> None:
        """HL-11: sphinx-sitemap writes such links if its URL scheme lacks the language."""
        root.build("", X, "en", links={name: dict.fromkeys(("en", "ja"), X + name) for name in ("", "a/")})
        own = {"de": f"{X}de/", "de-AT": f"{X}de/", "es": f"{X}es/", "x-default": f"{X}de/"}
        for code in ("de", "en", "es", "ja"):
            root.build(code, f"{X}{code}/", code, links={"": own if code in {"de", "es"} else {}})
        root.merge({"en": "en", "ja": "ja"})
        assert root.links() == same_paths({"en": EN, "ja": f"{X}ja/"}, "", "a/") | {own["de"]: own, own["es"]: own}

    def test_a_page_with_only_a_link_to_itself_loses_it(self, root: Root) -> None:
        root.build("de", f"{X}de/", "de", links={"": {"de": f"{X}de/", "en": EN, "x-default": f"{X}de/"}})
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")
        root.merge({"en": "en", "fr": "fr"})
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")

    def test_pages_in_another_language_below_a_named_folder_do_not_belong_to_it(self, root: Root) -> None:
        root.build("", X, "en")
        for code in ("de", "fr"):
            root.build(code, f"{X}{code}/", code)
        merged = root.merge({"en": "", "fr": "fr"})
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "", "a/")
        assert [(s.language.code, s.listed) for s in merged.languages] == [("en", 2), ("fr", 2)]

    def test_missing_pages_are_counted_in_a_folder_with_a_non_ascii_name(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("français", f"{X}fran%C3%A7ais/", "fr")
        urls = [f"{X}fran%C3%A7ais/{name}" for name in ("", "a/", "gone/")]
        root.sitemap("sitemap.xml", [EN, *urls])
        root.page("français/index.html", "fr")
        (root.path / "français/sitemap.xml").unlink()
        merged = root.merge({"en": "en", "fr": "français"})
        assert [(s.language.code, s.listed, s.absent) for s in merged.languages] == [("en", 2, 0), ("fr", 3, 1)]


class TestMembers:
    """Only existing indexable pages are linked, and other links are corrected."""

    def test_a_missing_page_is_not_linked(self, root: Root) -> None:
        root.build("", X, "en", ["", "a/", "b/"])
        root.build("fr", FR, "fr", ["", "a/", "b/"], {"a/": {"en": f"{X}a/", "fr": f"{FR}a/"}})
        (root.path / "fr/a/index.html").unlink()
        merged = root.merge()
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "", "b/")
        assert [(s.listed, s.translated, s.absent, s.closed) for s in merged.languages] == [(3, 2, 0, 0), (3, 2, 1, 0)]

    def test_a_page_of_another_site_in_a_sitemap_is_ignored(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")
        root.sitemap("sitemap.xml", {f"{EN}a/": {}, f"{Y}a/": {"de": f"{Y}a/", "en": f"{EN}a/"}})
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert [s.listed for s in merged.languages] == [2, 2]

    def test_an_unlisted_page_is_not_linked(self, root: Root) -> None:
        root.build("", X, "en")
        root.build("fr", FR, "fr")
        root.sitemap("fr/sitemap.xml", [FR])
        root.merge()
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "")

    @pytest.mark.parametrize(
        ("head", "why"),
        [
            ('<meta name="robots" content="noindex">', "noindex, robots meta tag: noindex"),
            (f'<link rel="canonical" href="{EN}a/">', f"canonical elsewhere, {EN}a/"),
            ('<meta http-equiv="refresh" content="0; url=../b/">', f"redirect, {FR}b/"),
        ],
    )
    def test_a_page_that_must_not_be_indexed_is_not_linked(self, root: Root, head: str, why: str) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr", links={"a/": {"en": f"{EN}a/", "fr": f"{FR}a/"}})
        root.page("fr/a/index.html", "fr", head)
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "")
        assert [s.closed for s in merged.languages] == [0, 1]
        assert merged.notes == (f"{FR}a/ no longer has links: {why}",)

    def test_links_removed_because_of_their_own_page_are_reported(self, root: Root) -> None:
        """As in Sphinx builds with canonical links that lack the language: all links would be removed silently."""
        links = {"": {"en": EN, "fr": FR}}
        for code, base in (("en", EN), ("fr", FR)):
            root.build(code, base, code, [""], links)
            root.page(f"{code}/index.html", code, f'<link rel="canonical" href="{X}">')
        merged = root.merge()
        assert root.links() == {}
        assert any(X in each for each in (*merged.refuted, *merged.notes))

    def test_a_page_that_is_listed_twice_counts_once(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")
        root.sitemap("fr/sitemap-2.xml", [f"{FR}a/"])
        (root.path / "fr/sitemap.xml").write_text(
            (root.path / "fr/sitemap.xml").read_text().replace("</urlset>", f"<url><loc>{FR}a/</loc></url></urlset>")
        )
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert (root.path / "fr/sitemap.xml").read_text().count(f'href="{EN}a/"') == 2
        assert [s.listed for s in merged.languages] == [2, 2]

    @pytest.mark.parametrize("with_links", ["sitemap.xml", "en/sitemap.xml"])
    def test_links_in_either_of_two_sitemaps_count(self, root: Root, with_links: str) -> None:
        root.build("en", EN, "en", ["hello/"])
        root.build("fr", FR, "fr", ["bonjour/"])
        for path in ("sitemap.xml", "en/sitemap.xml"):
            links = {"fr": f"{FR}bonjour/"} if path == with_links else {}
            root.sitemap(path, {f"{EN}hello/": links})
        root.merge()
        assert root.links() == joined({"en": f"{EN}hello/", "fr": f"{FR}bonjour/"})

    def test_two_urls_of_one_page_are_reported(self, root: Root) -> None:
        root.build("en", EN, "en", [""])
        root.build("fr", FR, "fr", [""])
        root.sitemap("fr/sitemap.xml", [FR, f"{FR}index.html"])
        merged = root.merge()
        assert root.links() == joined({"en": EN, "fr": FR})
        assert merged.conflicts == (
            f"{FR}index.html: it is a second page in fr besides fr/index.html, so the two are not linked",
        )

    def test_links_to_missing_pages_are_removed_and_counted(self, root: Root) -> None:
        """sphinx-sitemap lists every page in every locale."""
        blind = {code: f"{X}{code}/latest/{{}}" for code in ("de", "en", "fr")}
        for code, names in (("en", ["", "a/", "b/"]), ("fr", ["", "a/"])):
            links = {name: {each: href.format(name) for each, href in blind.items()} for name in names}
            root.build(f"{code}/latest", f"{X}{code}/latest/", code, names, links)
        root.build("de/latest", f"{X}de/latest/", "de", [""])
        merged = root.merge()
        bases = {code: f"{X}{code}/latest/" for code in ("en", "fr")}
        assert root.links() == joined({"de": f"{X}de/latest/", **bases}) | same_paths(bases, "a/")
        assert merged.declared == 0
        assert merged.refuted == tuple(
            f"{X}{code}/latest/{name} ({code}) of {X}{page}"
            for page, name, code in (
                ("en/latest/a/", "a/", "de"),
                ("en/latest/b/", "b/", "de"),
                ("en/latest/b/", "b/", "fr"),
                ("fr/latest/a/", "a/", "de"),
            )
        )

    def test_links_to_other_hosts_are_kept_and_made_mutual(self, root: Root) -> None:
        root.build("en", EN, "en", links={"a/": {"de": f"{Y}a/", "en": f"{EN}a/"}})
        root.build("fr", FR, "fr")
        merged = root.merge()
        assert root.links() == joined({"de": f"{Y}a/", "en": f"{EN}a/", "fr": f"{FR}a/"}, {"en": EN, "fr": FR})
        assert merged.declared == 1

    def test_a_link_to_another_host_with_an_invalid_language_is_removed(self, root: Root) -> None:
        root.build("en", EN, "en", links={"a/": {"en-UK": f"{Y}a/", "en": f"{EN}a/"}})
        root.build("fr", FR, "fr")
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert merged.refuted == (f"{Y}a/ (en-UK) of {EN}a/",)

    def test_one_page_of_another_host_is_in_one_cluster(self, root: Root) -> None:
        root.build("en", EN, "en", ["", "a/"], {name: {"de": Y, "en": EN + name} for name in ("", "a/")})
        root.build("fr", FR, "fr", [""])
        merged = root.merge()
        assert root.links() == joined({"de": Y, "en": EN, "fr": FR})
        assert merged.conflicts == (f"{EN}a/: {Y} is not its translation in de: that is a translation of {EN}",)

    @pytest.mark.parametrize(
        "href", ["", "/de/a/", "de/a/", "//[", "https://[", "mailto:a@y.org", "javascript:alert(1)"]
    )
    def test_a_link_that_is_not_a_web_address_is_removed(self, root: Root, href: str) -> None:
        root.build("en", EN, "en", links={"a/": {"de": href, "en": f"{EN}a/"}})
        root.build("fr", FR, "fr")
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert merged.refuted == (f"{href} (de) of {EN}a/",)

    def test_translated_paths_are_linked_by_one_build(self, root: Root) -> None:
        root.build("en", EN, "en", ["hello/", "world/"], {"hello/": {"en": f"{EN}hello/", "fr": f"{FR}bonjour/"}})
        root.build("fr", FR, "fr", ["bonjour/", "monde/"], {"monde/": {"en": f"{EN}world/", "fr": f"{FR}monde/"}})
        merged = root.merge()
        assert root.links() == joined(
            {"en": f"{EN}hello/", "fr": f"{FR}bonjour/"}, {"en": f"{EN}world/", "fr": f"{FR}monde/"}
        )
        assert merged.notes == ()

    def test_a_link_gets_the_code_of_its_folder(self, root: Root) -> None:
        root.build("en", EN, "en", ["hello/"], {"hello/": {"en-GB": f"{EN}hello/", "fr-FR": f"{FR}bonjour/"}})
        root.build("fr", FR, "fr", ["bonjour/"])
        root.merge()
        assert root.links() == joined({"en": f"{EN}hello/", "fr": f"{FR}bonjour/"})

    def test_a_page_that_declares_other_translations_is_reported(self, root: Root) -> None:
        root.build("en", EN, "en", [""])
        root.build("fr", FR, "fr", [""])
        root.page("fr/index.html", "fr", f'<link rel="alternate" hreflang="en" href="{X}"/>')
        merged = root.merge()
        assert merged.notes == (f"{FR}: for en its head names {X}, but the sitemap names {EN}",)

    def test_links_are_removed_with_the_last_other_language(self, root: Root) -> None:
        root.build("", X, "en")
        root.build("fr", FR, "fr")
        root.merge()
        for path in ("fr/sitemap.xml", "fr/index.html", "fr/a/index.html"):
            (root.path / path).unlink()
        root.merge()
        assert root.links() == {}


class TestCopies:
    """Untranslated copies, which generators list in every language."""

    NAMES = ("", "a/", "copy/")

    def build(self, root: Root, english: str = "", *, is_ours: bool = False) -> None:
        """English at the root or in a folder, and French with one page that is still in English."""
        for folder, base_url, code in ((english, f"{X}{english}/" if english else X, "en"), ("fr", FR, "fr")):
            root.build(folder, base_url, code, self.NAMES)
            for name in self.NAMES:
                language = "en" if name == "copy/" else code
                text = " ".join(f"<p>{language}{chr(97 + number)}</p>" for number in range(26)) * 2
                path = f"{folder}/{name}index.html".lstrip("/")
                html = f'<!doctype html><html lang="{code}"><head></head><body><main>{text}</main>'
                root.write(path, html)
        if is_ours:
            sitemap = (root.path / "fr/sitemap.xml").read_text("utf-8")
            root.write("fr/sitemap.xml", sitemap.replace("<urlset", f"{MARK}\n<urlset"))

    def test_copies_are_not_linked_and_counted_as_pages_in_another_language(self, root: Root) -> None:
        self.build(root)
        merged = root.merge()
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "", "a/")
        assert [(each.language.code, each.foreign) for each in merged.languages] == [("en", 0), ("fr", 1)]
        assert merged.notes == ()

    def test_they_are_compared_with_the_root_even_without_an_x_default(self, root: Root) -> None:
        self.build(root)
        root.merge(x_default=XDefault(None))
        assert root.links() == same_paths({"en": X, "fr": FR}, "", "a/")

    def test_they_are_compared_with_a_version_in_no_language_folder_even_without_an_x_default(self, root: Root) -> None:
        self.build(root, "3.13")
        english = LanguageFolder(folder="3.13", code="en", known_by="html lang", mapped=True, is_at_root=True)
        french = LanguageFolder(folder="fr", code="fr", known_by="folder", mapped=True)
        merged = merging.merge(root.read(), [english, french], XDefault(None))
        assert [(each.language.code, each.foreign) for each in merged.languages] == [("en", 0), ("fr", 1)]

    def test_links_to_them_in_heads_are_no_disagreement(self, root: Root) -> None:
        self.build(root)
        links = f'<link rel="alternate" hreflang="fr" href="{FR}a/"><link rel="alternate" hreflang="en" href="{X}a/">'
        copy = f'<link rel="alternate" hreflang="de" href="{FR}copy/">'
        for path in ("a/index.html", "fr/a/index.html"):
            html = (root.path / path).read_text("utf-8")
            root.write(path, html.replace("</head>", f"{links}{copy}</head>"))
        assert root.merge().notes == ()

    def test_sitemaps_of_ours_list_no_copies(self, root: Root) -> None:
        self.build(root, is_ours=True)
        root.merge()
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, *self.NAMES)

    def test_without_translations_nothing_is_decided(self, root: Root) -> None:
        self.build(root)
        for name in ("", "a/"):
            html = (root.path / f"{name}index.html").read_text("utf-8")
            root.write(f"fr/{name}index.html", html.replace('lang="en"', 'lang="fr"'))
        merged = root.merge()
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, *self.NAMES)
        assert len(merged.notes) == 1
        assert merged.notes[0].startswith("fr/index.html: it has the same text as index.html (and 2 more pages); ")


class TestXDefault:
    """The page for readers of other languages."""

    def test_the_x_default_in_the_sitemaps_is_kept(self, root: Root) -> None:
        root.build("en", EN, "en", links={"": {"en": EN, "fr": FR, "X-Default": EN}})
        root.build("fr", FR, "fr")
        merged = root.merge()
        assert root.links() == same_paths({"en": EN, "fr": FR, "x-default": EN}, "", "a/")
        assert merged.x_default == "en"

    def test_the_most_frequent_of_several_is_kept(self, root: Root) -> None:
        root.build("en", EN, "en", links={"": {"en": EN, "fr": FR, "x-default": FR}})
        root.build("fr", FR, "fr", links={name: {"x-default": FR + name} for name in ("", "a/")})
        assert root.merge().x_default == "fr"
        assert root.links() == same_paths({"en": EN, "fr": FR, "x-default": FR}, "", "a/")

    def test_a_selector_page_is_kept(self, root: Root) -> None:
        links = {"en": EN, "fr": FR, "x-default": X}
        root.build("", X, "en", [""])
        root.build("en", EN, "en", links={"": links})
        root.build("fr", FR, "fr", links={"": links})
        merged = root.merge()
        assert root.links() == joined(links, {"en": f"{EN}a/", "fr": f"{FR}a/"})
        assert merged.notes == ()

    @pytest.mark.parametrize("said", ["gone/", "closed/"])
    def test_an_unusable_selector_page_is_not_kept(self, root: Root, said: str) -> None:
        root.build("", X, "en", ["", "gone/", "closed/"])
        (root.path / "gone/index.html").unlink()
        root.page("closed/index.html", "en", '<meta name="robots" content="noindex">')
        root.build("en", EN, "en", [""], {"": {"en": EN, "fr": FR, "x-default": X + said}})
        root.build("fr", FR, "fr", [""])
        root.merge()
        assert root.links() == joined({"en": EN, "fr": FR})

    def test_another_page_as_the_only_link_is_not_a_selector_page(self, root: Root) -> None:
        root.build("en", EN, "en", ["hello/"])
        root.build("fr", FR, "fr", ["bonjour/"], {"bonjour/": {"fr": f"{FR}bonjour/", "x-default": f"{EN}hello/"}})
        root.merge()
        assert root.links() == {}

    def test_a_page_without_translations_does_not_count(self, root: Root) -> None:
        root.build("", X, "en")
        root.build("de", f"{X}de/", "de")
        root.build("fr", FR, "fr", ["b/"], {"b/": {"fr": f"{FR}b/", "x-default": f"{FR}b/"}})
        root.merge()
        assert root.links() == same_paths({"de": f"{X}de/", "en": X, "x-default": X}, "", "a/")

    def test_a_page_of_another_host_is_kept(self, root: Root) -> None:
        root.build("en", EN, "en", links={"": {"en": EN, "fr": FR, "x-default": Y}})
        root.build("fr", FR, "fr")
        root.merge()
        assert root.links() == joined({"en": EN, "fr": FR, "x-default": Y}, {"en": f"{EN}a/", "fr": f"{FR}a/"})

    def test_a_language_of_another_host_is_kept(self, root: Root) -> None:
        links = {name: {"de": Y + name, "en": EN + name, "fr": FR + name, "x-default": Y + name} for name in ("", "a/")}
        root.build("en", EN, "en", links=links)
        root.build("fr", FR, "fr")
        root.merge()
        assert root.links() == same_paths({"de": Y, "en": EN, "fr": FR, "x-default": Y}, "", "a/")

    @pytest.mark.parametrize(
        ("wanted", "code"),
        [(XDefault(None), None), (XDefault("fr"), "fr"), (XDefault("en"), "en"), (XDefault(""), "en")],
    )
    def test_the_option_chooses_a_language_or_none(self, root: Root, wanted: XDefault, code: str | None) -> None:
        root.build("", X, "en", links={"": {"en": X, "fr": FR, "x-default": FR}})
        root.build("fr", FR, "fr")
        bases = {"en": X, "fr": FR}
        if code:
            bases["x-default"] = bases[code]
        merged = root.merge(x_default=wanted)
        assert root.links() == same_paths(bases, "", "a/")
        assert merged.x_default == code
        assert merged.notes == ()

    def test_without_a_language_at_the_root_there_is_no_x_default(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")
        assert root.merge(x_default=XDefault("")).x_default is None

    def test_a_missing_language_is_reported(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")
        merged = root.merge(x_default=XDefault("de"))
        assert root.links() == same_paths({"en": EN, "fr": FR}, "", "a/")
        assert merged.notes == ("x-default: no folder is in de; the languages are en and fr",)

    @pytest.mark.parametrize("page", ["/", "https://X.org"])
    def test_the_option_chooses_a_page(self, root: Root, page: str) -> None:
        root.build("", X, "en", [""])
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")
        merged = root.merge(x_default=XDefault(page=page))
        assert root.links() == joined({"en": EN, "fr": FR, "x-default": X}, {"en": f"{EN}a/", "fr": f"{FR}a/"})
        assert merged.notes == ()

    @pytest.mark.parametrize("page", ["choose/", f"{X}choose/"])
    def test_a_selector_page_in_its_own_folder(self, root: Root, page: str) -> None:
        root.build("", X, "en", ["", "a/", "choose/"])
        root.build("fr", FR, "fr")
        merged = root.merge(x_default=XDefault(page=page))
        links = joined(
            {"en": X, "fr": FR, "x-default": f"{X}choose/"}, {"en": f"{X}a/", "fr": f"{FR}a/", "x-default": f"{X}a/"}
        )
        assert root.links() == links
        assert merged.notes == ()
        root.merge()
        assert root.links() == links

    @pytest.mark.parametrize("page", ["/en/choose/", f"{EN}choose/"])
    def test_a_path_of_the_option_starts_at_the_root_even_without_a_sitemap_there(self, root: Root, page: str) -> None:
        root.build("en", EN, "en", ["", "a/", "choose/"])
        root.build("fr", FR, "fr")
        merged = root.merge(x_default=XDefault(page=page))
        assert root.links()[FR] == {"en": EN, "fr": FR, "x-default": f"{EN}choose/"}
        assert merged.notes == ()

    def test_a_selector_page_in_a_separate_language(self, root: Root) -> None:
        root.build("", X, "de", ["choose/"])
        root.build("en", EN, "en", [""])
        root.build("fr", FR, "fr", [""])
        root.merge(x_default=XDefault(page="choose/"))
        assert root.links() == joined({"en": EN, "fr": FR, "x-default": f"{X}choose/"})

    def test_a_selector_page_beside_versions(self, root: Root) -> None:
        root.build("", X, "en", [""])
        for code in ("en", "fr"):
            root.build(f"{code}/latest", f"{X}{code}/latest/", code)
        merged = root.merge(x_default=XDefault(page="/"))
        assert root.links()[X] == {"en": f"{EN}latest/", "fr": f"{FR}latest/", "x-default": X}
        assert merged.notes == ()

    @pytest.mark.parametrize(
        ("page", "message"),
        [
            ("absent/", "{}absent/ is in no sitemap, does not exist, or must not be indexed"),
            ("closed/", "{}closed/ is in no sitemap, does not exist, or must not be indexed"),
            ("https://[", "https://[ is in no sitemap, does not exist, or must not be indexed"),
            ("a/", "{}a/ is a translation of another page than the home page"),
        ],
    )
    def test_an_unusable_selector_page_is_reported(self, root: Root, page: str, message: str) -> None:
        root.build("", X, "en", ["", "a/", "absent/", "closed/"])
        (root.path / "absent/index.html").unlink()
        root.page("closed/index.html", "en", '<meta name="robots" content="noindex">')
        root.build("fr", FR, "fr")
        merged = root.merge(x_default=XDefault(page=page))
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "", "a/")
        assert merged.notes == (f"x-default: {message.format(X)}, so the given page was ignored",)

    def test_a_selector_page_without_home_pages_is_reported(self, root: Root) -> None:
        root.build("", X, "en", ["a/", "choose/"])
        root.build("fr", FR, "fr", ["a/"])
        merged = root.merge(x_default=XDefault(page="choose/"))
        assert root.links() == same_paths({"en": X, "fr": FR, "x-default": X}, "a/")
        message = "x-default: no home page has alternates, so the given page was ignored"
        assert merged.notes == (message,)

    def test_without_sitemaps_there_is_no_selector_page(self) -> None:
        published = merging.Published(sitemaps=(), pages={}, problems=())
        merged = merging.merge(published, x_default=XDefault(page="choose/"))
        assert merged.files == ()
        assert len(merged.notes) == 1


class TestFiles:
    """The files that are written: the sitemaps, and their existing compressed copies."""

    def languages(self, root: Root) -> None:
        root.build("en", EN, "en")
        root.build("fr", FR, "fr")

    def test_a_compressed_copy_with_the_same_content_is_left_alone(self, root: Root) -> None:
        self.languages(root)
        root.merge()
        content = (root.path / "fr/sitemap.xml").read_bytes()
        root.write("fr/sitemap.xml.gz", gzip.compress(content, 1, mtime=7))
        assert [file.path for file in root.merge().files] == ["en/sitemap.xml", "fr/sitemap.xml"]

    @pytest.mark.parametrize("damage", ["half", "more"])
    def test_a_compressed_copy_with_other_content_is_updated(self, root: Root, damage: str) -> None:
        self.languages(root)
        root.merge()
        content = (root.path / "fr/sitemap.xml").read_bytes()
        root.write("fr/sitemap.xml.gz", packed(content)[:-20] if damage == "half" else packed(content + b"\n"))
        assert [file.path for file in root.merge().files] == ["en/sitemap.xml", "fr/sitemap.xml", "fr/sitemap.xml.gz"]
        assert gzip.decompress((root.path / "fr/sitemap.xml.gz").read_bytes()) == content

    def test_a_sitemap_that_would_be_too_large_is_unchanged(self, root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
        self.languages(root)
        before = (root.path / "fr/sitemap.xml").read_bytes()
        root.sitemap("en/sitemap.xml", [EN])
        monkeypatch.setattr(merging, "SIZE_LIMIT", len(before) + 10)
        monkeypatch.setattr(merging, "replace_alternates", lambda content, _: content + b" " * 11 * (content == before))
        merged = merging.merge(root.read())
        assert [file.path for file in merged.files] == ["en/sitemap.xml"]
        (problem,) = merged.problems
        assert problem == (
            f"fr/sitemap.xml would have {len(before) + 11:,} bytes with its alternates, but a sitemap may have at most "
            f"{len(before) + 10:,}; it was not changed"
        )

    def test_a_sitemap_that_is_not_utf_8_is_unchanged_and_leaves_no_one_sided_links(self, root: Root) -> None:
        self.languages(root)
        root.build("de", f"{X}de/", "de")
        before = (root.path / "fr/sitemap.xml").read_text().replace("UTF-8", "iso-8859-1").encode()
        root.write("fr/sitemap.xml", before)
        merged = root.merge()
        assert (root.path / "fr/sitemap.xml").read_bytes() == before
        assert merged.problems == ("fr/sitemap.xml is encoded as ISO-8859-1; save it as UTF-8; it was not changed",)
        assert root.links() == same_paths({"de": f"{X}de/", "en": EN}, "", "a/")

    def test_problems_of_reading_are_problems_of_the_merge(self, root: Root) -> None:
        self.languages(root)
        root.write("de/sitemap.xml", "<urlset")
        merged = root.merge()
        assert merged.problems == ("de/sitemap.xml is not well-formed XML (line 1, column 1: it ends too early)",)
        assert merged.clusters == 2
