"""Which folders are recognized as versions in sites published by various tools."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.merge.languages import merge
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.versions.finding import PatternError
from sitemap_plugins.versions.kept import choose_kept
from sitemap_plugins.versions.recognizing import recognize
from sitemap_plugins.versions.version import Alias, Version, Versions
from tests.builders import refuse_to_list
from tests.published_root import Root

X = "https://x.org/"
NO_LINKS = os.name == "nt"
links_only = pytest.mark.skipif(NO_LINKS, reason="Windows lets few users make links")


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def redirect(target: str) -> str:
    """The head of mike's redirect pages."""
    return (
        f'<noscript><meta http-equiv="refresh" content="1; url={target}"></noscript>'
        f'<script>window.location.replace("{target}" + window.location.search)</script>'
    )


class Site:
    """Versions in a published folder."""

    def __init__(self, root: Root) -> None:
        self.root = root

    def build(self, folder: str, url: str = "", lang: str = "en") -> None:
        """Write a build with two pages that have canonical links below a URL."""
        for name in ("", "guide/"):
            head = canonical(f"{url}{name}") if url else ""
            self.root.page(f"{folder}/{name}index.html".lstrip("/"), lang, head)
        if url:
            self.root.sitemap(f"{folder}/sitemap.xml".lstrip("/"), [url, f"{url}guide/"])
        else:
            self.root.write(f"{folder}/searchindex.js".lstrip("/"), "")

    def builds(self, *folders: str, lang: str = "en") -> None:
        for folder in folders:
            self.build(folder, f"{X}{folder}/", lang)

    def list(self, *entries: Any, path: str = "versions.json") -> None:
        self.root.write(path, json.dumps(entries))

    def link(self, name: str, target: str) -> None:
        path = self.root.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target, target_is_directory=True)

    def recognize(self, pattern: str | None = None) -> Versions:
        return recognize(Tree(self.root.path), pattern)

    @property
    def aliases(self) -> dict[str, list[str]]:
        """The names of the aliases of each version, the newest version first."""
        return {each.name: [alias.name for alias in each.aliases] for each in self.recognize().versions}

    @property
    def folders(self) -> list[str]:
        return [version.folder for version in self.recognize().versions]


@pytest.fixture
def site(root: Root) -> Site:
    """An empty published folder."""
    return Site(root)


def entry(version: str, *aliases: str, title: str | None = None) -> dict[str, Any]:
    return {"version": version, "title": title or version, "aliases": [*aliases]}


def only(tree: Versions) -> Version:
    (version,) = tree.versions
    return version


class TestByName:
    def test_the_newest_version_comes_first(self, site: Site) -> None:
        site.builds("1.9", "1.10", "2.0rc1", "v2.0", "stable", "main", "1.x")
        assert site.folders == ["main", "stable", "v2.0", "2.0rc1", "1.x", "1.10", "1.9"]
        tree = site.recognize()
        assert (tree.root_url, tree.root_site, tree.problems, tree.notes) == (X, None, (), ())
        assert {version.known_by for version in tree.versions} == {("folder name",)}
        assert [version.stage for version in tree.versions[:4]] == ["development", "release", "release", "pre-release"]

    def test_a_folder_without_a_site_is_not_a_version(self, site: Site) -> None:
        site.root.write("1.0/data.csv", "")
        site.root.page("1.1/guide.html")
        assert site.folders == []

    def test_a_home_page_in_a_language_below_is_enough(self, site: Site) -> None:
        site.root.page("1.0/en/index.html", "en")
        assert site.folders == ["1.0"]

    def test_a_page_of_the_surrounding_site_is_not_a_version(self, site: Site) -> None:
        """Folders of pages that MkDocs makes from dev.md and v2.md, beside an older build."""
        site.build("", X)
        site.root.page("dev/index.html", "en", canonical(f"{X}dev/"))
        site.root.page("v2/index.html", "en", canonical(f"{X}v2/"))
        site.root.page("latest/index.html", "en", redirect("../1.0/"))
        site.builds("1.0")
        version = only(site.recognize())
        assert (version.folder, version.aliases) == ("1.0", (Alias(folder="latest", kind="redirect"),))

    @pytest.mark.parametrize("lists_stable", [True, False])
    @pytest.mark.parametrize("name", ["latest", "Latest"])
    def test_latest_is_a_development_version_beside_stable(self, site: Site, name: str, *, lists_stable: bool) -> None:
        site.builds(name, "1.0", *(["stable"] if lists_stable else []))
        tree = site.recognize()
        latest = tree.versions[0]
        assert (latest.folder, latest.stage) == (name, "development" if lists_stable else "release")
        (kept,) = choose_kept(tree).kept
        assert kept.reason == ("named stable" if lists_stable else "named latest")

    def test_the_number_of_a_named_version_is_read_from_sphinx_output(self, site: Site) -> None:
        site.builds("stable", "2.0", "1.0", "main")
        site.root.write("main/_static/documentation_options.js", "VERSION: '1.6'")
        site.root.write("stable/_static/documentation_options.js", "const X = {\n    VERSION: '1.5.2',\n};")
        assert [(each.name, each.written) for each in site.recognize().versions] == [
            ("main", "1.6"),
            ("2.0", "2.0"),
            ("stable", "1.5.2"),
            ("1.0", "1.0"),
        ]


class TestLanguages:
    def test_versions_below_languages(self, site: Site) -> None:
        for folder, lang in [("en/1.0", "en"), ("en/2.0", "en"), ("pt_BR/2.0", "pt-BR")]:
            site.builds(folder, lang=lang)
        tree = site.recognize()
        assert [(each.folder, each.name, each.language) for each in tree.versions] == [
            ("en/2.0", "2.0", "en"),
            ("en/1.0", "1.0", "en"),
            ("pt_BR/2.0", "2.0", "pt-BR"),
        ]
        assert tree.languages == ("en", "pt-BR")
        assert tree.root_url == X

    def test_a_project_named_like_a_language_is_not_a_language(self, site: Site) -> None:
        site.builds("io/1.0", "ast/1.0", "api/1.0")
        assert site.folders == []

    def test_mike_with_a_prefix_for_each_language(self, site: Site) -> None:
        for lang in ("en", "fr"):
            site.builds(f"{lang}/1.0", lang=lang)
            site.list(entry("1.0", "latest"), path=f"{lang}/versions.json")
            site.root.page(f"{lang}/latest/index.html", "", redirect("../1.0/"))
        tree = site.recognize()
        assert [(each.language, each.names) for each in tree.versions] == [
            ("en", ("1.0", "latest")),
            ("fr", ("1.0", "latest")),
        ]
        assert tree.problems == ()

    def test_languages_without_versions_are_merged_as_before(self, site: Site) -> None:
        site.builds("en", lang="en")
        site.builds("fr", lang="fr")
        assert site.recognize() == Versions()
        site.root.write("_static/versions.json", "{}")
        site.root.write("fr/versions.json", "{}")
        tree = site.recognize()
        assert (tree.versions, tree.problems, len(tree.notes)) == ((), (), 2)
        assert merge(site.root.read()).clusters == 2


class TestLists:
    def test_any_name_in_the_list_of_mike_is_a_version(self, site: Site) -> None:
        site.builds("aurora", "1.0")
        site.list(entry("aurora", title="Aurora (beta)"), entry("1.0", title="1.0.4"))
        first, second = site.recognize().versions
        assert (first.folder, first.stage, first.known_by) == ("aurora", "pre-release", ("versions.json",))
        assert (second.title, second.written) == ("1.0.4", "1.0")

    def test_the_number_of_a_named_version_is_read_from_its_title(self, site: Site) -> None:
        site.builds("stable", "1.2", "1.0")
        site.list(entry("stable", title="v1.0.5 (stable)"), entry("1.2"), entry("1.0", title="9.9"))
        assert [(each.name, each.written) for each in site.recognize().versions] == [
            ("1.2", "1.2"),
            ("stable", "v1.0.5"),
            ("1.0", "9.9"),
        ]

    def test_the_list_of_sphinx_polyversion(self, site: Site) -> None:
        kind = {"__jsonclass__": ["sphinx_polyversion.git.GitRefType", "TAG"]}
        for name in ("v1.0", "fix/links"):
            site.build(name)
        site.list(
            *(
                {
                    "__jsonclass__": [
                        "sphinx_polyversion.git.GitRef",
                        [name, "788c4358", f"refs/tags/{name}", kind, None],
                    ]
                }
                for name in ("v1.0", "fix/links")
            )
        )
        tree = site.recognize()
        assert [(each.name, each.stage) for each in tree.versions] == [
            ("fix/links", "development"),
            ("v1.0", "release"),
        ]
        assert tree.problems == ()

    @links_only
    def test_published_aliases_take_precedence_over_the_list(self, site: Site) -> None:
        site.builds("1.0", "2.0")
        site.link("latest", "1.0")
        site.root.page("stable/index.html", "", redirect("../1.0/"))
        site.list(entry("2.0", "latest", "stable"), entry("1.0"))
        assert [(each.name, [(a.name, a.kind) for a in each.aliases]) for each in site.recognize().versions] == [
            ("2.0", []),
            ("1.0", [("latest", "symlink"), ("stable", "redirect")]),
        ]

    @pytest.mark.parametrize(
        ("path", "url"),
        [("switcher.json", X), ("_static/switcher.json", f"{X}docs/"), ("dev/_static/switcher.json", X)],
    )
    def test_the_list_of_a_switcher(self, site: Site, path: str, url: str) -> None:
        """Written by hand as described by the PyData theme."""
        for folder in ("dev", "stable", "1.0"):
            site.build(folder, f"{url}{folder}/")
        site.list(
            {"name": "dev (3.0)", "version": "dev", "url": f"{url}dev/"},
            {"name": "2.1 (stable)", "version": "2.1", "url": f"{url}stable/", "preferred": True},
            {"version": "1.0", "url": f"{url}1.0/index.html"},
            {"version": "0.1", "url": "https://elsewhere.example/0.1/"},
            path=path,
        )
        tree = site.recognize()
        assert [(each.folder, each.written, each.is_preferred, each.known_by[-1]) for each in tree.versions] == [
            ("dev", "3.0", False, "switcher.json"),
            ("stable", "2.1", True, "switcher.json"),
            ("1.0", "1.0", False, "switcher.json"),
        ]
        assert tree.root_url == url
        assert tree.problems == ()
        (note,) = tree.notes
        assert note.startswith(
            f"{path} names 'https://elsewhere.example/0.1/', which is not the URL of a folder below ROOT"
        )

    def test_the_url_of_a_version_can_be_only_in_its_sitemap(self, site: Site) -> None:
        site.builds("1.0")
        for name in ("index.html", "guide/index.html"):
            site.root.page(f"1.0/{name}")
        assert only(site.recognize()).declared_url == f"{X}1.0/"

    def test_the_url_of_a_moved_site_is_that_of_its_newest_versions(self, site: Site) -> None:
        for number in range(20):
            site.build(f"{number}.0", f"{X}{number}.0/" if number > 15 else f"https://old.example/{number}.0/")
        assert site.recognize().root_url == X

    def test_the_list_of_a_switcher_can_contain_the_root(self, site: Site) -> None:
        site.build("")
        site.build("1.0")
        site.list({"version": "2.0", "url": X}, {"version": "1.0", "url": f"{X}1.0/"}, path="switcher.json")
        tree = site.recognize()
        assert [(each.folder, each.name, each.written) for each in tree.versions] == [
            ("", ".", "2.0"),
            ("1.0", "1.0", "1.0"),
        ]
        assert (tree.root_url, tree.problems) == (X, ())

    def test_the_list_of_a_switcher_can_name_folders_that_nothing_else_shows(self, site: Site) -> None:
        site.builds("docs/2.0", "aurora")
        site.list(*({"version": name, "url": f"{X}{name}/"} for name in ("docs/2.0", "aurora")), path="switcher.json")
        assert [(each.folder, each.known_by) for each in site.recognize().versions] == [
            ("aurora", ("switcher.json",)),
            ("docs/2.0", ("switcher.json",)),
        ]

    def test_the_url_of_a_language_in_a_version_is_not_another_version(self, site: Site) -> None:
        site.builds("1.0", "1.0/en")
        site.list({"version": "1.0", "url": f"{X}1.0/en/"}, path="switcher.json")
        assert site.folders == ["1.0"]

    def test_several_preferred_versions_are_ignored(self, site: Site) -> None:
        site.builds("1.0", "2.0")
        site.list(*({"version": v, "url": f"{X}{v}/", "preferred": True} for v in ("1.0", "2.0")), path="switcher.json")
        assert [each.is_preferred for each in site.recognize().versions] == [False, False]


class TestAliases:
    @links_only
    def test_one_folder_is_one_version(self, site: Site) -> None:
        site.builds("1.0", "2.0")
        site.link("stable", "2.0")
        site.link("latest", "stable")
        first, _ = site.recognize().versions
        assert first.aliases == (Alias(folder="latest", kind="symlink"), Alias(folder="stable", kind="symlink"))

    @pytest.mark.parametrize("is_same", [True, False])
    def test_a_named_version_with_the_same_pages_as_a_number_is_a_copy(self, site: Site, *, is_same: bool) -> None:
        """A copy made with ``cp -r 2.0 stable``, and a folder with other pages further below."""
        for folder in ("1.0", "2.0"):
            for name in ["", *(f"guide/page{number}/" for number in range(9))]:
                site.root.write(f"{folder}/{name}index.html", "<p>Old or new" if folder == "1.0" else "<p>The same")
        copytree(site.root.path / "2.0", site.root.path / "stable")
        copytree(site.root.path / "1.0", site.root.path / "latest")
        if not is_same:
            site.root.write("stable/guide/page8/index.html", "<p>Another one")
        aliases = {each.name: [a.name for a in each.aliases if a.kind == "copy"] for each in site.recognize().versions}
        assert aliases == (
            {"2.0": ["stable"], "1.0": ["latest"]} if is_same else {"2.0": [], "1.0": ["latest"], "stable": []}
        )

    @pytest.mark.parametrize(("old", "new"), [("1.0", "2.0"), ("1.9", "v1.10"), ("v2", "v2.x")])
    def test_of_numbers_with_the_same_pages_a_copy_is_of_the_newest(self, site: Site, old: str, new: str) -> None:
        for folder in (old, new, "latest"):
            site.root.write(f"{folder}/index.html", "<p>The same")
        assert site.aliases == {new: ["latest"], old: []}

    @links_only
    def test_many_links_to_the_newest_version_as_in_documenter(self, site: Site) -> None:
        site.builds("v1.2.3", "v1.1.0", "dev")
        for name in ("stable", "v1", "v1.2"):
            site.link(name, "v1.2.3")
        assert site.aliases == {"dev": [], "v1.2.3": ["stable", "v1", "v1.2"], "v1.1.0": []}

    @links_only
    def test_a_link_to_a_folder_that_is_not_a_version_is_a_version(self, site: Site) -> None:
        site.builds("builds/a", "1.0")
        site.link("stable", "builds/a")
        stable, _ = site.recognize().versions
        assert (stable.folder, stable.real_folder) == ("stable", "builds/a")

    @links_only
    def test_a_link_to_the_root_makes_it_a_version(self, site: Site) -> None:
        site.build("", X)
        site.builds("1.0")
        site.link("latest", ".")
        assert site.aliases == {".": ["latest"], "1.0": []}
        assert site.folders == ["", "1.0"]

    @pytest.mark.parametrize("target", ["../2.0/", "/2.0/", f"{X}2.0/", f"{X}docs/2.0/index.html"])
    def test_a_folder_of_redirects_is_an_alias(self, site: Site, target: str) -> None:
        site.builds("1.0", "2.0")
        site.root.page("stable/index.html", "", redirect(target))
        first, _ = site.recognize().versions
        assert first.aliases == (Alias(folder="stable", kind="redirect"),)

    def test_a_home_page_that_redirects_below_itself_is_not_an_alias(self, site: Site) -> None:
        site.root.page("1.0/index.html", "", redirect("en/"))
        site.root.page("1.0/en/index.html", "en")
        assert site.folders == ["1.0"]

    def test_redirects_in_a_circle_are_named(self, site: Site) -> None:
        site.builds("1.0")
        site.root.page("stable/index.html", "", redirect("../latest/"))
        site.root.page("latest/index.html", "", redirect("../stable/"))
        tree = site.recognize()
        assert [each.folder for each in tree.versions] == ["1.0"]
        assert tree.problems == (
            "latest/ leads to stable/ and from there in a loop, so it was left alone",
            "stable/ leads to latest/ and from there in a loop, so it was left alone",
        )

    def test_redirects_to_another_place_are_not_a_version(self, site: Site) -> None:
        site.builds("1.0")
        site.root.page("2.0/index.html", "", redirect("https://elsewhere.example/docs/"))
        tree = site.recognize()
        assert [each.folder for each in tree.versions] == ["1.0"]
        assert tree.problems == ("2.0/ only redirects, but not to a version here, so it was left alone",)


class TestTheURL:
    """The pages may say a URL at which no server has them: the canonical links to it would be dead."""

    @pytest.mark.parametrize(
        ("cname", "url", "doubt"),
        [
            ("x.org", X, ""),
            ("https://www.X.org/\n", X, ""),
            ("m\u00fcnchen.org", "https://xn--mnchen-3ya.org/", ""),
            ("", X, ""),
            ("docs.x.org", X, "is not on docs.x.org, the host in CNAME"),
            (None, f"{X}rolling//", "has an empty folder in it (//)"),
            (None, f"{X}2.0/", ""),  # all pages lead to files there
            ("x.org", f"{X}2.0/", "ends with the name of the folder 2.0/, which is below ROOT"),
            ("x.org", f"{X}docs/", ""),
        ],
    )
    def test_is_believed_only_with_known_versions(self, site: Site, cname: str | None, url: str, doubt: str) -> None:
        for folder in ("1.0", "2.0"):
            site.build(folder, f"{url}{folder}/")
        if cname is not None:
            site.root.write("CNAME", cname)
        tree = site.recognize()
        assert tree.root_url == (None if doubt else url)
        assert tree.doubt == (f"the pages have URLs below {url}, which {doubt}" if doubt else "")

    @pytest.mark.parametrize(
        ("layout", "folder", "kept"),
        [
            ("docs/{version}", "docs/{}", "docs/latest"),
            ("a/docs/{version}", "a/docs/{}", "a/docs/latest"),
            ("docs/{version}", "docs/{}", "latest"),
        ],
    )
    def test_is_above_the_folders_of_a_layout(self, site: Site, layout: str, folder: str, kept: str) -> None:
        for name in ("1.0", "2.0", "latest"):
            site.build(folder.format(name), f"{X}{kept}/")
        site.root.write("CNAME", "x.org")
        tree = recognize(Tree(site.root.path), layout)
        assert (tree.root_url, tree.doubt) == (X, "")

    @pytest.mark.parametrize(("others", "is_believed"), [(2, True), (3, False)])
    def test_with_the_name_of_a_folder_is_that_of_half_of_the_pages(
        self, site: Site, *, others: int, is_believed: bool
    ) -> None:
        for folder in ("2.0", "1.0"):
            site.build(folder, f"{X}2.0/{folder}/")
        for number in range(others):
            site.build(f"0.{number}", f"{X}other-{number}/")
        assert (site.recognize().root_url is not None) is is_believed

    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            (f"{X}stable/", "https://y.org/docs/stable/"),
            ("https://y.org/docs/gone/", "https://y.org/docs/gone/"),
            ("https://z.org/", None),
        ],
    )
    def test_that_the_author_gives_counts_more(self, site: Site, said: str, expected: str | None) -> None:
        site.builds("3.0", "2.0")
        site.build("1.0", said)
        tree = recognize(Tree(site.root.path), base_url="https://y.org/docs/")
        assert (tree.root_url, tree.doubt) == ("https://y.org/docs/", "")
        assert [each.declared_url for each in tree.versions] == [
            "https://y.org/docs/3.0/",
            "https://y.org/docs/2.0/",
            expected,
        ]


class TestLeftOut:
    """Sites that are none of the versions are named, so that nobody misses them."""

    def test_sites_beside_versions(self, site: Site) -> None:
        site.builds("1.0", "2.0")
        site.build("jazzy")
        site.build("blog", f"{X}blog/")
        site.root.page("assets/index.html")
        site.root.write("1.0/api/searchindex.js", "")
        assert site.recognize().left_out == (
            "blog/ (2 pages, a sitemap of its own): no version; see --layout",
            "jazzy/ (2 pages): no version; see --layout",
        )
        assert site.recognize("{version}").left_out == ()
        assert site.recognize("1.{version}").left_out[1:] == (
            "blog/ (2 pages, a sitemap of its own): no version",
            "jazzy/ (2 pages): no version",
        )

    def test_many_sites_beside_versions_are_counted(self, site: Site) -> None:
        site.builds("1.0")
        for number in range(12):
            site.build(f"forks/F{number:02}")
        left_out = site.recognize().left_out
        assert len(left_out) == 11
        assert left_out[0] == "forks/F00/ (2 pages): no version; see --layout"
        assert left_out[-1] == "2 more folders with a site, such as forks/F11/"

    def test_previews_do_not_tell_the_url_of_the_root(self, site: Site) -> None:
        site.build("2.0", "https://docs.example.org/2.0/")
        site.root.page("index.html", head='<meta http-equiv="refresh" content="0; url=2.0/">')
        site.build("previews/PR7", f"{X}previews/PR7/")
        found = site.recognize()
        assert (found.previews, found.root_url) == (("previews/PR7",), "https://docs.example.org/")

    @links_only
    def test_a_link_to_a_preview_is_no_version(self, site: Site) -> None:
        site.builds("1.0", "previews/PR7")
        site.link("latest", "previews/PR7")
        assert site.folders == ["1.0"]

    def test_a_preview_that_is_kept_is_in_the_language_of_its_folder(self, site: Site) -> None:
        site.builds("en/1.0", "en/pr-1")
        found = recognize(Tree(site.root.path), keep=["pr-1"])
        assert {each.folder: each.language for each in found.versions} == {"en/1.0": "en", "en/pr-1": "en"}
        assert site.folders == ["en/1.0"]

    def test_versions_in_a_language_that_no_table_has(self, site: Site) -> None:
        site.builds("1.0", lang="en")
        site.builds("tlh/1.0", lang="tlh")
        site.builds("api/1.0", lang="en")
        site.builds("dev/1.0", lang="")
        found = site.recognize()
        assert {each.folder: each.language for each in found.versions} == {"1.0": None, "tlh/1.0": "tlh"}
        assert found.left_out == (
            "api/1.0/ (2 pages, a sitemap of its own): no version; see --layout",
            "dev/1.0/ (2 pages, a sitemap of its own): no version; see --layout",
        )

    def test_versions_in_another_language_than_their_folder(self, site: Site) -> None:
        site.builds("1.0", lang="en")
        site.builds("fr/1.0", lang="fr")
        site.builds("de/1.0", "de", lang="en")
        assert site.recognize().left_out == ("de/ (4 pages, a sitemap of its own): no version; see --layout",)
        site.root.path.joinpath("de/sitemap.xml").unlink()
        assert site.recognize().left_out == ("de/1.0/ (2 pages, a sitemap of its own): no version; see --layout",)

    @pytest.mark.parametrize("folder", ["lost+found", "blog/private"])
    def test_folders_without_permission_do_not_matter(
        self, site: Site, folder: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        site.builds("1.0")
        site.build("blog")
        site.root.page(f"{folder}/index.html")
        refuse_to_list(site.root.path / folder, monkeypatch)
        (left_out,) = site.recognize().left_out
        assert left_out.startswith("blog/ (")

    @links_only
    def test_links_are_other_names(self, site: Site) -> None:
        site.builds("1.0")
        site.link("current-docs", "1.0")
        assert site.recognize().left_out == ()


class TestTheRoot:
    def test_a_build_beside_versions_is_not_a_version(self, site: Site) -> None:
        """A landing page with Material for MkDocs, or a site with an old version below it."""
        site.build("", X)
        generator = '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.5.1">'
        site.root.page("index.html", "en", generator + canonical(X))
        site.builds("1.0")
        tree = site.recognize()
        assert only(tree).folder == "1.0"
        assert tree.root_site
        assert (tree.root_site.is_material, tree.root_site.leads_to, tree.root_site.declared_url) == (True, None, X)

    def test_a_redirect_to_the_default_version(self, site: Site) -> None:
        site.builds("1.0")
        site.root.page("index.html", "", redirect("./1.0/"))
        site.root.page("previews/PR1/index.html")
        tree = site.recognize()
        assert tree.root_site
        assert (tree.root_site.leads_to, tree.root_site.is_material) == ("1.0", False)

    @pytest.mark.parametrize("is_there", [True, False])
    def test_the_root_is_a_version_if_others_have_canonical_links_to_its_pages(
        self, site: Site, *, is_there: bool
    ) -> None:
        site.root.page("index.html", "en", canonical(X))
        if is_there:
            site.build("", X)
        site.build("1.0", X)
        assert site.folders == (["", "1.0"] if is_there else ["1.0"])

    @pytest.mark.parametrize(("url", "is_missing"), [(X, True), (f"{X}docs/", False)])
    def test_a_deploy_prefix_of_mike_that_urls_lack(self, site: Site, url: str, *, is_missing: bool) -> None:
        site.root.write(".nojekyll", "")
        site.build("docs/1.0", f"{url}1.0/")
        site.list(entry("1.0"), path="docs/versions.json")
        tree = recognize(Tree(site.root.path / "docs"))
        assert len(tree.versions) == 1
        assert [note.startswith(f"the pages have URLs below {X}, but lie in docs/") for note in tree.notes] == (
            [True] if is_missing else []
        )


class TestPatterns:
    @pytest.mark.parametrize(
        ("pattern", "folders"),
        [
            ("{lang}/{version}", ["en/aurora", "fr/aurora"]),
            ("{version}/{lang}", ["aurora/en"]),
            ("docs/release-{version}", ["docs/release-x"]),
        ],
    )
    def test_names_come_from_the_author_s_pattern(self, site: Site, pattern: str, folders: list[str]) -> None:
        site.builds("docs/release-x", "docs/guide", "en/aurora", "fr/aurora", "aurora/en", "assets/aurora")
        tree = site.recognize(pattern)
        assert [version.folder for version in tree.versions] == folders
        assert {version.known_by for version in tree.versions} == {("--layout",)}

    @pytest.mark.parametrize(
        "pattern",
        [
            "",
            "{lang}",
            "{version}/{version}",
            "/{version}",
            "../{version}",
            "a//{version}",
            "{v}/{version}",
            "{lang}{version}",
            "\\{version}",
        ],
    )
    def test_an_invalid_pattern_is_refused(self, site: Site, pattern: str) -> None:
        with pytest.raises(PatternError):
            site.recognize(pattern)


class TestBadInput:
    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            ("{", "is not JSON"),
            ("\xff", "is not JSON"),
            ("{}", "is not a list of versions"),
            ("[" * 100_000, "is nested too deeply"),
            (" " * (5 << 20), "cannot be read (it is larger than 4 MiB, the limit for a list of versions)"),
        ],
    )
    @pytest.mark.parametrize("path", ["versions.json", "switcher.json"])
    def test_an_unusable_list(self, site: Site, path: str, content: str, problem: str) -> None:
        site.root.write(path, content.encode("latin-1"))
        site.builds("1.0")
        tree = site.recognize()
        assert only(tree).folder == "1.0"
        assert tree.problems == (f"{path} {problem}, so it was left alone",)

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("9.9", "does not exist"),
            ("../outside", "is not the name of a folder beside it"),
            ("/etc", "is not the name of a folder beside it"),
            ("..", "is not the name of a folder beside it"),
            ("", "is not the name of a folder beside it"),
            ("1.0\x1b[2J", "is not the name of a folder beside it"),
            ("file.txt", "is not a folder"),
            ("data", "has no page in it"),
            ("1.0", "it names more than once"),
            ("x" * 300, "does not exist"),
        ],
    )
    @pytest.mark.parametrize("is_alias", [True, False])
    def test_an_unusable_name(self, site: Site, name: str, why: str, *, is_alias: bool) -> None:
        site.root.write("file.txt", "")
        site.root.write("data/a.csv", "")
        site.builds("1.0")
        site.list(*([entry("1.0", name)] if is_alias else [entry("1.0"), entry(name, title="again")]))
        tree = site.recognize()
        assert only(tree).folder == "1.0"
        # An alias often leads nowhere since an old version was removed, which harms nobody.
        (problem,) = tree.dangers if is_alias and why == "does not exist" else tree.problems
        assert problem.endswith(f", which {why}, so it was left alone")
        assert problem.startswith("versions.json names ")
        assert problem.isprintable()

    @links_only
    @pytest.mark.parametrize(
        ("target", "why"),
        [
            ("../beside", "leads out of ROOT"),
            ("..", "leads out of ROOT"),
            ("stable", "is a broken or circular link"),
            ("gone", "is a broken or circular link"),
        ],
    )
    def test_an_unusable_link(self, site: Site, target: str, why: str) -> None:
        site.builds("1.0")
        site.link("stable", target)
        tree = site.recognize()
        assert [each.folder for each in tree.versions] == ["1.0"]
        is_dangling = "broken" in why
        sentences = (f"stable {why}, so it was left alone",)
        assert (tree.dangers, tree.problems) == ((sentences, ()) if is_dangling else ((), sentences))
        site.list(entry("1.0", "stable"))
        tree = site.recognize()
        sentences = (f"versions.json names 'stable', which {why}, so it was left alone",)
        assert (tree.dangers, tree.problems) == ((sentences, ()) if is_dangling else ((), sentences))

    @pytest.mark.parametrize(("number", "more"), [(2, "1 more case"), (10_000, "9,999 more cases")])
    def test_many_invalid_entries_are_one_sentence(self, site: Site, number: int, more: str) -> None:
        site.builds("1.0")
        site.list(*(entry(f"9.{number}") for number in range(number)))
        assert site.recognize().problems == (
            f"versions.json names '9.0', which does not exist, so it was left alone (as in {more})",
        )

    @pytest.mark.parametrize(
        "url", ["https://x.org/../outside/", "http://[", "https://x.org/%00/", "https://x.org/%5C/", "{version}"]
    )
    def test_an_unusable_url_of_a_switcher(self, site: Site, url: str) -> None:
        site.builds("1.0")
        site.list({"version": "1", "url": url}, {"version": "1.0", "url": f"{X}1.0/"}, path="switcher.json")
        tree = site.recognize()
        assert only(tree).known_by == ("folder name", "switcher.json")
        assert len(tree.problems + tree.notes) == 1

    @given(
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats()
            | st.text()
            | st.sampled_from(["1.0", "2.0", X, f"{X}1.0/"]),
            lambda each: (
                st.lists(each)
                | st.dictionaries(st.sampled_from(["version", "title", "name", "aliases", "url", "preferred"]), each)
            ),
        )
    )
    def test_any_list_is_read(self, tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
        root = tmp_path_factory.mktemp("root")
        for name in ("1.0", "2.0"):
            (root / name).mkdir()
            (root / name / "index.html").write_text("")
        (root / "versions.json").write_text(json.dumps(data))
        tree = recognize(Tree(root))
        assert [each.folder for each in tree.versions if each.folder] == ["2.0", "1.0"]

    def test_a_missing_root_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            recognize(Tree(tmp_path / "gone"))

    @pytest.mark.parametrize("folder", ["", "en", "1.0", "1.0/guide"])
    def test_a_folder_without_permission_is_an_error(
        self, site: Site, folder: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without its pages, another version could be kept."""
        site.builds("1.0", "en/2.0")
        refuse_to_list(site.root.path / folder, monkeypatch)
        with pytest.raises(PermissionError):
            site.recognize()


NAMES = st.sampled_from(["1.0", "2.0", "stable", "latest", "main", "en", "fr", "docs"])
FOLDERS = NAMES | st.tuples(NAMES, NAMES).map("/".join)
CONTENTS = st.one_of(
    st.just("page"),
    st.just("build"),
    *(FOLDERS.map(lambda target, kind=kind: f"{kind} {target}") for kind in ("link", "redirect", "canonical")),
)


def has_content(folder: Path) -> bool:
    return any("refresh" not in page.read_text() for page in folder.rglob("*.html"))


@pytest.mark.parametrize("folder", ["404", "da/404", "500"])
def test_the_page_for_errors_in_a_folder_is_no_version(site: Site, folder: str) -> None:
    site.root.page("index.html", "en")
    site.root.page("da/index.html", "da")
    site.root.page(f"{folder}/index.html", "da" if folder.startswith("da/") else "en")
    assert site.recognize().versions == ()


def test_a_version_may_have_the_number_of_an_error(site: Site) -> None:
    site.builds("403", "404")
    assert sorted(version.folder for version in site.recognize().versions) == ["403", "404"]


@given(st.dictionaries(FOLDERS, CONTENTS, max_size=8), st.lists(st.lists(FOLDERS, min_size=1, max_size=3), max_size=3))
def test_every_folder_is_one_version_or_an_alias_of_one(
    tmp_path_factory: pytest.TempPathFactory, contents: dict[str, str], listed: list[list[str]]
) -> None:
    site = Site(Root(tmp_path_factory.mktemp("any") / "root"))
    for folder, content in sorted(contents.items()):
        kind, _, target = content.partition(" ")
        first, _, second = folder.partition("/")
        # Pages below a link belong to another folder.
        if (site.root.path / first).is_symlink() or (kind == "link" and second and first not in {"en", "fr"}):
            continue
        if kind == "link" and not NO_LINKS and not (site.root.path / folder).exists():
            site.link(folder, os.path.relpath(site.root.path / target, (site.root.path / folder).parent))
        elif kind == "redirect":
            site.root.page(f"{folder}/index.html", "", redirect(f"/{target}/"))
        elif kind == "canonical":
            site.build(folder, f"{X}{target}/")
        else:
            site.root.page(f"{folder}/index.html")
    if listed:
        site.list(*(entry(name, *aliases) for name, *aliases in listed))
    tree = site.recognize()
    assert site.recognize() == tree
    folders = [each.folder for version in tree.versions for each in (version, *version.aliases)]
    assert len(set(folders)) == len(folders)
    assert len({version.real_folder for version in tree.versions}) == len(tree.versions)
    for version in tree.versions:
        assert (site.root.path / version.folder).is_dir()
        for alias in version.aliases:
            path = site.root.path / alias.folder
            assert (alias.kind == "symlink") <= (path.resolve() == (site.root.path / version.folder).resolve())
            assert (alias.kind == "redirect") == (not has_content(path))
    # The kept version is among them, and its URL is that of a folder with content.
    for kept in choose_kept(tree).kept if tree.versions else ():
        assert kept.folder in folders
        assert has_content(site.root.path / kept.folder)


def test_nothing_outside_is_opened(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    before: Callable[..., int] = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *more, **named: opened.append(str(path)) or before(path, *more, **named)
    )
    site.builds("1.0")
    site.list({"version": "1", "url": "https://x.org/../beside/"}, entry("../beside"))
    site.root.page("2.0/index.html", "", redirect("../../beside/"))
    site.recognize()
    assert opened
    assert [path for path in opened if not Path(path).is_relative_to(site.root.path)] == []


class TestLikely:
    """Sites beside each other that have most of their pages in common, but not the names of versions."""

    @staticmethod
    def build(site: Site, folder: str, paths: Iterable[object], lang: str = "en") -> None:
        for path in paths:
            site.root.page(f"{folder}/{path}.html", lang)
        site.root.write(f"{folder}/searchindex.js", "")

    @pytest.mark.parametrize(("parent", "layout"), [("", "{version}"), ("docs/", "docs/{version}")])
    def test_they_are_named_with_the_layout(self, parent: str, layout: str, site: Site) -> None:
        for folder, paths in {"foxy": range(2, 12), "humble": range(14), "jazzy": range(20)}.items():
            self.build(site, f"{parent}{folder}", paths)
        self.build(site, f"{parent}blog", ["index", *range(2)])
        (sentence,) = site.recognize().left_out
        assert sentence == (
            f"{parent}foxy/, {parent}humble/ and {parent}jazzy/ share most of their pages: if they are versions, use "
            f"--layout '{layout}', and --releases for the names of releases"
        )
        assert site.recognize("{version}").left_out == ()
        self.build(site, f"{parent}master", range(20))
        named = site.recognize().left_out[-1].partition(" share")[0]
        assert named == f"{parent}foxy/, {parent}humble/, {parent}jazzy/ and {parent}master/"

    def test_only_the_first_are_named_one_by_one(self, site: Site) -> None:
        for number in range(12):
            self.build(site, f"previews/PR2{number:02}", range(10))
        named = site.recognize().left_out[-1].partition(" share")[0]
        assert named == "".join(f"previews/PR2{number:02}/, " for number in range(9)) + (
            "previews/PR209/ and 2 more folders"
        )

    @pytest.mark.parametrize(
        ("folders", "paths", "others", "langs"),
        [
            (("es", "pt"), range(20), range(20), ("en", "en")),
            (("spanish", "portuguese"), range(20), range(20), ("es", "pt")),
            (("guide", "reference"), range(100), range(29, 129), ("en", "en")),
            (("guide", "reference"), range(9), range(9), ("en", "en")),
            (("guide", "reference"), [*range(9), "genindex", "search", "_modules/a"], range(9), ("en", "en")),
            (("1.0", "2.0"), range(20), range(20), ("en", "en")),
        ],
        ids=["named languages", "html lang", "sections share 71%", "few", "generated", "known"],
    )
    def test_others_are_not(
        self,
        folders: tuple[str, str],
        paths: Iterable[object],
        others: Iterable[object],
        langs: tuple[str, str],
        site: Site,
    ) -> None:
        self.build(site, folders[0], paths, langs[0])
        self.build(
            site, folders[1], [*others, *(["genindex", "search", "_modules/a"] if paths != others else [])], langs[1]
        )
        assert not [each for each in site.recognize().left_out if "share" in each]


class TestNumbered:
    """Folders with numbers beside each other that share pages, without the files that builds write."""

    @staticmethod
    def recognize(site: Site, *groups: tuple[str, Iterable[str], Iterable[str]]) -> tuple[str, ...]:
        for parent, names, paths in groups:
            for name in names:
                for path in paths:
                    site.root.page(f"{parent}/{name}/{path}.html".lstrip("/"))
        return site.recognize().left_out

    PAGES = ("a", "b/index", "c")

    def test_the_largest_groups_are_named_with_the_layout(self, site: Site) -> None:
        versions = ("1.0", "2.0")
        groups = [(f"docs/{name}", versions, self.PAGES) for name in "abcd"]
        text = "{} share most of their pages: if they are versions, use --layout '{}/{{version}}'"
        assert self.recognize(site, *groups[:3], ("pkl", ("0.25", "0.26", "0.27"), self.PAGES), *groups[3:]) == (
            text.format("pkl/0.25/, pkl/0.26/ and pkl/0.27/", "pkl"),
            text.format("docs/a/1.0/ and docs/a/2.0/", "docs/a"),
            text.format("docs/b/1.0/ and docs/b/2.0/", "docs/b"),
            "2 more groups of such folders, as in docs/c/",
        )

    def test_what_has_numbers_in_each_of_them_is_not_named(self, site: Site) -> None:
        found = self.recognize(site, *((f"k8s/1.{number}/api", ("v1", "v2"), self.PAGES) for number in range(2)))
        assert [each.partition(" share")[0] for each in found] == ["k8s/1.0/ and k8s/1.1/"]

    def test_half_of_the_pages_of_the_smaller_folder_are_enough(self, site: Site) -> None:
        found = self.recognize(site, ("docs", ["1.0"], ["a", "b", "c", "d"]), ("docs", ["2.0"], ["c", "d", *"efghi"]))
        assert [each.partition(" share")[0] for each in found] == ["docs/1.0/ and docs/2.0/"]
        assert not self.recognize(site, ("docs", ["1.0"], ["x"]))

    @pytest.mark.parametrize(
        ("parent", "names", "paths"),
        [
            ("blog/archive", ("2023", "2024"), ("index",)),
            ("blog/archive", ("2023", "2024"), ("index", "01/index", "02/index", "03/index", "page/2/index")),
            ("blog/page", ("2", "3"), ("index",)),
            ("release-notes", ("version-4.2", "version-4.3"), ("index",)),
            ("docs", ("1.0", "2.0"), ("a", "b")),
            ("docs", ("foxy", "humble"), PAGES),
            ("pr-preview", ("pr-1", "pr-2"), (*PAGES, "index")),
            ("pr-preview", ("pr-1", "pr-1/1.0", "pr-1/2.0"), (*PAGES, "index")),
        ],
    )
    def test_others_are_not(self, parent: str, names: Iterable[str], paths: Iterable[str], site: Site) -> None:
        found = self.recognize(site, (parent, names, paths), ("blog/2023", ["05"], ["x"]), ("blog/2024", ["06"], ["y"]))
        assert not [each for each in found if "share" in each]

    def test_where_versions_are_found_there_is_no_advice(self, site: Site) -> None:
        site.builds("3.0")
        assert not self.recognize(site, ("docs", ("1.0", "2.0"), self.PAGES))


class TestReleases:
    def test_names_are_releases_in_the_given_order(self, site: Site) -> None:
        site.builds("foxy", "humble", "jazzy", "rolling", "2.0")
        names = ("jazzy", "humble", "foxy")
        found = recognize(Tree(site.root.path), "{version}", None, names).versions
        assert [(each.name, each.stage) for each in found] == [
            ("rolling", "development"),
            *((name, "release") for name in names),
            ("2.0", "release"),
        ]
        assert {each.stage for each in site.recognize("{version}").versions if each.name in names} == {"development"}

    @pytest.mark.parametrize(
        ("folders", "releases", "danger"),
        [
            (
                ("2023.1", "2023.2", "2024.1", "2024.2", "zed"),
                ("zed",),
                ("zed", "2024.2", "2024.2,2024.1,2023.2,2023.1,zed"),
            ),
            (
                ("en/1.10", "en/1.9", "en/a b", "en/zed", "fr/1.9", "fr/zed"),
                ("zed", "a b"),
                ("a b", "1.10", "'1.10,1.9,zed,a b'"),
            ),
            (("1.0", "2.0"), ("1.0",), ("1.0", "2.0", "2.0,1.0")),
            (("foxy", "humble", "rolling", "2.0rc1"), ("humble", "foxy"), None),
            (("2023.2", "2024.1", "zed"), ("2024.1", "2023.2", "zed"), None),
            (("2023.2", "2024.1", "zed"), ("zed", "2024.1"), None),
            (("2023.2", "2024.1", "zed"), (), None),
        ],
    )
    def test_numbers_that_are_not_listed_may_be_newer(
        self, site: Site, folders: tuple[str, ...], releases: tuple[str, ...], danger: tuple[str, str, str] | None
    ) -> None:
        text = "{} counts as newer than {}; if not, list all in the right order: --releases {}"
        site.builds(*folders)
        layout = "{lang}/{version}" if "/" in folders[0] else "{version}"
        assert recognize(Tree(site.root.path), layout, None, releases).dangers == (
            (text.format(*danger),) if danger else ()
        )

    def test_a_number_and_an_alias_can_be_listed(self, site: Site) -> None:
        site.builds("2.0", "3.0", "4.0rc1")
        site.list({"version": "2.0", "aliases": ["bookworm"]}, {"version": "3.0"}, {"version": "4.0rc1"})
        site.builds("bookworm")
        found = recognize(Tree(site.root.path), None, None, ["bookworm", "3.0"])
        assert [(each.name, each.stage) for each in found.versions] == [
            ("2.0", "release"),
            ("3.0", "release"),
            ("4.0rc1", "pre-release"),
        ]
        assert choose_kept(found, ["3.0"]).warnings == ("3.0 is kept, but 2.0 is newer; --keep 2.0 keeps that one",)
