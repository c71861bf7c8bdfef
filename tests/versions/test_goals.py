"""The targets of pages of old versions, in memory and for arbitrary pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugins.model import Markup
from sitemap_plugins.values.version_names import read_name
from sitemap_plugins.versions.goals import Goal, Goals, roles_of
from sitemap_plugins.versions.kept import choose_kept
from sitemap_plugins.versions.version import Alias, Version, Versions

X = "https://x.org/"
VERSIONS = ("dev", "3.0", "2.0", "1.0")
PAGES = ("index.html", "a/index.html", "b.html", "c d.html", "b/index.html")
NOINDEX = Markup(robots=frozenset({"noindex"}))


def version(name: str, *aliases: Alias, said: str | None = None) -> Version:
    said_name = read_name(name)
    assert said_name
    return Version(
        folder=name,
        name=name,
        stage=said_name.stage,
        real_folder=name,
        number=said_name.number,
        aliases=aliases,
        declared_url=said,
    )


TREE = Versions(versions=tuple(version(name) for name in VERSIONS), root_url=X)


class Site:
    """Pages by their path below the root, with their markup, and the target of each."""

    def __init__(self, pages: Mapping[str, Markup | None], *keep: str, only_kept: bool = False) -> None:
        self.pages = pages
        self.roles = roles_of(choose_kept(TREE, keep), None)
        paths = {name: {path[len(name) + 1 :] for path in pages if path.startswith(f"{name}/")} for name in VERSIONS}
        self.goals = Goals(self.roles, paths, pages.get, only_kept=only_kept)

    def find(self, path: str) -> Goal | None:
        name, _, below = path.partition("/")
        place = {each.folder: each for each in (*self.roles.kept, *self.roles.old)}[name]
        return self.goals.find(place, below)

    def url(self, path: str) -> str | None:
        goal = self.find(path)
        return goal.url if goal else None


OPEN = Markup()
A, B, OWN = "3.0/a/index.html", "3.0/b.html", f"{X}1.0/a/"


def links(*hrefs: str) -> Markup:
    return Markup(canonicals=hrefs)


def moved(to: str, *canonicals: str) -> Markup:
    return Markup(canonicals=canonicals, refresh=to)


@pytest.mark.parametrize(
    ("pages", "url"),
    [
        pytest.param({A: OPEN}, f"{X}3.0/a/", id="the same page of the kept version"),
        pytest.param({"2.0/a/index.html": OPEN}, f"{X}2.0/a/", id="the newest release that has it"),
        pytest.param({"dev/a/index.html": OPEN}, OWN, id="not a development version"),
        pytest.param({A: NOINDEX}, OWN, id="not a page with a noindex"),
        pytest.param({A: links(f"{X}3.0/a/", f"{X}{B}"), B: OPEN}, OWN, id="not one with two different links"),
        pytest.param({A: None}, OWN, id="not an unreadable page"),
        pytest.param({A: links(f"{X}{A}")}, f"{X}{A}", id="its canonical link"),
        pytest.param({A: links(f"{X}3.0/gone/")}, OWN, id="not a page with a canonical link to a missing page"),
        pytest.param({A: links(OWN)}, OWN, id="not a page that leads back"),
        pytest.param({A: links("./")}, f"{X}3.0/a/", id="a relative link"),
        pytest.param({A: links("http://[")}, f"{X}3.0/a/", id="an invalid link"),
        pytest.param({A: moved("../b.html"), B: OPEN}, f"{X}{B}", id="moved"),
        pytest.param({A: moved("https://y.org/")}, OWN, id="moved to another site"),
        pytest.param({A: moved("../b.html"), B: moved("a/")}, OWN, id="a circle of redirects"),
        pytest.param(
            {"2.0/a/index.html": moved("../b.html"), "2.0/b.html": OPEN, B: OPEN},
            f"{X}{B}",
            id="moved in an old version, and kept under the new name",
        ),
        pytest.param(
            {A: moved("../ref/a/#new", "../ref/a/#new"), "3.0/ref/a/index.html": OPEN},
            f"{X}3.0/ref/a/",
            id="moved deeper, with a relative canonical link",
        ),
        pytest.param({A: moved("../b.html", "../b.html"), B: OPEN}, f"{X}{B}", id="moved higher, with a relative link"),
    ],
)
def test_the_target_of_a_page(pages: Mapping[str, Markup | None], url: str) -> None:
    site = Site({"1.0/a/index.html": OPEN, "3.0/index.html": OPEN} | pages)
    assert site.url("1.0/a/index.html") == url


def test_without_a_counterpart_a_page_can_have_no_target() -> None:
    site = Site(
        {"1.0/b.html": OPEN, "2.0/b.html": OPEN, "1.0/index.html": OPEN, "3.0/index.html": OPEN}, only_kept=True
    )
    assert site.find("1.0/b.html") is None
    assert site.url("1.0/index.html") == f"{X}3.0/"


@pytest.mark.parametrize("said", [f"{X}stable/c%20d", f"{X}stable/c%20d.html"])
def test_urls_are_spelled_as_in_the_canonical_links(said: str) -> None:
    site = Site({"1.0/c d.html": links(said)})
    assert site.url("1.0/c d.html") == said.replace("stable", "1.0")


@pytest.mark.parametrize(
    ("path", "pages", "url"),
    [
        ("1.0/g/index.html", {"1.0/a/index.html": f"{X}1.0/a/index.html"}, f"{X}1.0/g/index.html"),
        ("1.0/g/index.html", {"1.0/a/index.html": f"{X}stable/a"}, f"{X}1.0/g"),
        ("1.0/b c.html", {"1.0/d.html": f"{X}1.0/d"}, f"{X}1.0/b%20c"),
        ("1.0/g/index.html", {"3.0/a/index.html": f"{X}3.0/a/index.html"}, f"{X}1.0/g/index.html"),
        # As before: the form of the page's own link, of its version, and of a version whose links tell none.
        ("1.0/g/index.html", {"1.0/g/index.html": f"{X}9/g/", "1.0/a/index.html": f"{X}a/index.html"}, f"{X}1.0/g/"),
        (
            "1.0/g/index.html",
            {"1.0/a/index.html": f"{X}1.0/a/", "3.0/a/index.html": f"{X}3.0/a/index.html"},
            f"{X}1.0/g/",
        ),
        ("1.0/g/index.html", {"1.0/a/index.html": f"{X}index.html"}, f"{X}1.0/g/"),
        ("1.0/index.html", {"1.0/a/index.html": f"{X}1.0/a/index.html"}, f"{X}1.0/"),
    ],
)
@pytest.mark.parametrize("is_open", [True, False])
def test_a_page_without_a_canonical_link_has_a_url_as_the_others(
    path: str, pages: Mapping[str, str], url: str, *, is_open: bool
) -> None:
    others = {page: links(link) for page, link in pages.items()}
    assert Site({path: OPEN if is_open else NOINDEX} | others).url(path) == url


def test_further_versions_can_be_kept() -> None:
    site = Site({"1.0/a/index.html": OPEN, "2.0/a/index.html": OPEN}, "3.0", "2.0")
    assert [each.folder for each in site.roles.kept] == ["3.0", "2.0"]
    assert [each.folder for each in site.roles.old] == ["dev", "1.0"]
    assert site.goals.is_kept(site.find("1.0/a/index.html").place)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("3.0/a/index.html", f"{X}3.0/a/"),  # newer than the other kept version, 1.0
        ("2.0/a/index.html", f"{X}3.0/a/"),
        ("2.0/b.html", f"{X}2.0/b.html"),
        ("dev/c d.html", f"{X}1.0/c%20d.html"),
    ],
)
def test_without_the_canonical_version_the_newest_page_counts_in_a_kept_version_or_not(path: str, url: str) -> None:
    pages = ("1.0/a/index.html", "2.0/a/index.html", "3.0/a/index.html", "1.0/b.html", "2.0/b.html", "1.0/c d.html")
    tree = Versions(versions=tuple(version(name) for name in ("4.0", *VERSIONS)), root_url=X)
    roles = roles_of(choose_kept(tree, ["4.0", "1.0"]), None)
    all_pages = {f"{name}/{page}" for name in VERSIONS for page in PAGES} & {*pages, path}
    paths = {
        name: {page[len(name) + 1 :] for page in all_pages if page.startswith(name)} for name in ("4.0", *VERSIONS)
    }
    name, _, below = path.partition("/")
    (place,) = (each for each in roles.old if each.folder == name)
    goal = Goals(roles, paths, dict.fromkeys(all_pages, OPEN).get).find(place, below)
    assert goal
    assert goal.url == url


def test_no_page_leads_to_one_of_a_kept_version_that_names_another_version() -> None:
    gone = links(f"{X}3.0/a/")
    site = Site({"1.0/a/index.html": OPEN, "2.0/a/index.html": gone, "3.0/b.html": OPEN}, "3.0", "2.0")
    assert site.url("1.0/a/index.html") == f"{X}1.0/a/"


HTML = ("1.0/index.html", "1.0/html.html", "1.0/a/index.html", "1.0/b.html")
DIRECTORY = ("3.0/index.html", "3.0/html/index.html", "3.0/404.html")


@pytest.mark.parametrize(
    ("path", "pages", "url"),
    [
        ("1.0/html.html", (*HTML, *DIRECTORY), f"{X}3.0/html/"),
        ("1.0/html/index.html", ("1.0/html/index.html", "3.0/html.html"), f"{X}3.0/html.html"),
        ("1.0/a/index.html", (*HTML, "3.0/a.html", *DIRECTORY, "3.0/x/index.html"), f"{X}3.0/a.html"),
        ("1.0/html.html", (*HTML, "3.0/html.html", *DIRECTORY), f"{X}3.0/html.html"),  # the same form goes first
        ("1.0/html.html", (*HTML, "1.0/html/index.html", *DIRECTORY), f"{X}1.0/html.html"),  # two pages
        ("1.0/html.html", (*HTML, *DIRECTORY, "3.0/x.html", "3.0/y.html"), f"{X}1.0/html.html"),  # one form
        ("dev/html.html", ("dev/html.html", "2.0/html.html", *DIRECTORY), f"{X}3.0/html/"),
    ],
)
def test_urls_of_another_form_are_the_same_page(path: str, pages: Sequence[str], url: str) -> None:
    site = Site(dict.fromkeys(pages, OPEN))
    assert site.url(path) == url


def test_a_page_with_both_forms_is_not_the_end_of_a_chain() -> None:
    """One version lacks the other form and leads further than another version that has both."""
    pages = (
        "3.0/a/index.html",
        "2.0/a.html",
        "2.0/b.html",
        "1.0/a.html",
        "1.0/a/index.html",
        "1.0/c.html",
        "1.0/d.html",
    )
    site = Site(dict.fromkeys(pages, OPEN))
    assert (site.url("2.0/a.html"), site.url("1.0/a.html")) == (f"{X}3.0/a/", f"{X}3.0/a/")


def test_copies_are_retired_with_their_version_and_links_are_not_separate_folders() -> None:
    aliases = (
        Alias(folder="old", kind="copy"),
        Alias(folder="lts", kind="symlink"),
        Alias(folder="r", kind="redirect"),
    )
    tree = Versions(versions=(version("2.0"), version("1.0", *aliases)), root_url=X)
    roles = roles_of(choose_kept(tree), None)
    assert [each.version.folders for each in (*roles.kept, *roles.old)] == [("2.0",), ("1.0", "old")]


def test_versions_are_kept_by_language() -> None:
    versions = [
        Version(folder=f"{code}/{name}", name=name, stage="release", real_folder=f"{code}/{name}", language=code)
        for code in ("en", "fr")
        for name in ("2.0", "1.0")
    ]
    tree = Versions(versions=tuple(versions), root_url=X)
    found = [roles_of(choose_kept(tree), language) for language in tree.languages]
    assert [[each.base_url for each in (*roles.kept, *roles.old)] for roles in found] == [
        [f"{X}{code}/2.0/", f"{X}{code}/1.0/"] for code in ("en", "fr")
    ]


ENDINGS = dict(zip(PAGES, ("", "a/", "b", "c%20d.html", "b/"), strict=True))
FILES = {f"{X}{name}/{ENDINGS[page]}": f"{name}/{page}" for name in (*VERSIONS, "stable") for page in PAGES}
TARGETS = [*FILES]
markups = st.builds(
    Markup,
    robots=st.sampled_from([frozenset(), frozenset(), frozenset({"noindex"})]),
    canonicals=st.lists(st.sampled_from([*TARGETS, "", "../b.html", "http://["]), max_size=2).map(tuple),
    refresh=st.none() | st.sampled_from([*TARGETS, "a/", "../", "b.html"]),
)
trees = st.dictionaries(
    st.sampled_from([f"{name}/{page}" for name in VERSIONS for page in PAGES]), st.none() | st.just(OPEN) | markups
)


@settings(max_examples=300)
@given(trees, st.sampled_from(VERSIONS))
def test_each_target_exists_and_leads_nowhere_else(pages: dict[str, Markup | None], keep: str) -> None:
    site = Site(pages, keep)
    for path in pages:
        goal = site.find(path)
        assert goal
        target = pages[goal.full_path]
        assert goal.full_path in pages
        if goal.full_path != path:
            assert target
            assert not target.refresh
            assert not target.robots
            assert goal.place.version.stage == "release" or goal.place.folder in {keep, path.split("/")[0]}
            if site.goals.is_kept(goal.place):
                named = {FILES.get(href) for href in target.canonicals} & pages.keys()
                assert [each for each in named if not each.startswith(f"{keep}/")] == []
        if not site.goals.is_kept(goal.place):
            assert site.url(goal.full_path) == goal.url
