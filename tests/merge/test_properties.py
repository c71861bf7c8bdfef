"""Properties of the merge of any site, whatever its sitemaps contain. In memory, since merging reads no files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.sitemap_reading import read_sitemap
from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.merge.language_folders import LanguageFolder, find_languages, folder_of, read_all_declared
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.reading import Published, PublishedPage, PublishedSitemap
from sitemap_plugins.model import Alternate, Entry, Markup
from sitemap_plugins.options.types import XDefault
from sitemap_plugins.values.languages import agree
from tests.builders import replace

X = "https://x.org/"
FOLDERS = {"": "en", "de": "de", "en": "en", "fr": "fr", "pt_BR": "pt-BR", "latest/en": "en", "latest/fr": "fr"}
NAMES = ("index.html", "a/index.html", "b.html", "latest/c.html")
MARKUPS = {
    "open": {},
    "noindex": {"robots": frozenset({"noindex"})},
    "canonical": {"canonicals": (f"{X}fr/",)},
    "refresh": {"refresh": "https://y.org/"},
    "hreflang": {"hreflang": (("en", f"{X}en/"), ("fr", "../fr/"))},
}
CODES = ("en", "fr", "de", "pt-BR", "en-GB", "en-UK", "x-default", "X-Default", "")


class VersionPlace(NamedTuple):
    """A possible page."""

    folder: str
    name: str

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}" if self.folder else self.name

    @property
    def loc(self) -> str:
        return X + self.path.removesuffix("index.html")


PLACES = [VersionPlace(folder, name) for folder in FOLDERS for name in NAMES]
TARGETS = [*(place.loc for place in PLACES), "https://y.org/", "https://y.org/a/", f"{X}nl/", "no url", ""]


@st.composite
def sites(draw: st.DrawFn) -> Published:
    """A few languages, some of their pages, and sitemaps that list them, with arbitrary links."""
    folders = draw(st.lists(st.sampled_from([*FOLDERS]), min_size=1, max_size=4, unique=True))
    places = draw(
        st.lists(st.sampled_from([place for place in PLACES if place.folder in folders]), min_size=1, unique=True)
    )
    links = st.lists(
        st.builds(Alternate, hreflang=st.sampled_from(CODES), href=st.sampled_from(TARGETS)), max_size=3
    ).map(tuple)
    files: dict[str, list[Entry]] = {}
    pages: dict[str, PublishedPage] = {}
    for place in places:
        alternates = draw(links) if draw(st.booleans()) else ()
        for folder in draw(st.sampled_from([[place.folder], [place.folder], [""], ["", place.folder]])):
            files.setdefault(folder, []).append(Entry(loc=place.loc, priority=0.5, alternates=alternates))
        kind = draw(st.sampled_from(["open", "open", "open", *MARKUPS, "gone"]))
        if kind != "gone":
            said = draw(st.sampled_from([FOLDERS[place.folder], FOLDERS[place.folder], "", "en", "fr"]))
            pages[place.loc] = PublishedPage(path=place.path, markup=Markup(language=said, **MARKUPS[kind]))
    return Published(
        sitemaps=tuple(sitemap(folder, entries) for folder, entries in sorted(files.items())),
        pages=pages,
        problems=(),
    )


def sitemap(folder: str, entries: Sequence[Entry]) -> PublishedSitemap:
    path = f"{folder}/sitemap.xml" if folder else "sitemap.xml"
    content = b"".join(SitemapWriter().render(entries))
    return PublishedSitemap(
        path=path,
        folder=folder,
        content=content,
        packed=None,
        entries=read_sitemap(content),
        base_url=X + path.removesuffix("sitemap.xml"),
    )


def written(published: Published, merged: Merge) -> Published:
    """The published folder after the files are written."""
    contents = {file.path: file.content for file in merged.files}
    assert contents.keys() == {each.path for each in published.sitemaps}
    return replace(
        published,
        sitemaps=tuple(
            replace(each, content=contents[each.path], entries=read_sitemap(contents[each.path] or b""))
            for each in published.sitemaps
        ),
    )


def entries_of(published: Published) -> Iterator[Entry]:
    for each in published.sitemaps:
        yield from each.entries


def is_in(page: PublishedPage, place: LanguageFolder | None, named: Mapping[str, LanguageFolder]) -> bool:
    """Whether a page is in one of these languages; pages at the root can be in none."""
    if place is None or named.get(place.folder) is not place:
        return False
    return bool(place.folder) or place.mapped or not page.markup.language or agree(page.markup.language, place.code)


def without_links(published: Published) -> list[list[Entry]]:
    return [[replace(entry, alternates=()) for entry in each.entries] for each in published.sitemaps]


options = st.builds(
    XDefault,
    st.sampled_from([None, "", "en", "fr", "nl"]),
    st.none() | st.sampled_from(["/", "/a/", "/b.html", "/de/"]),
)
x_defaults = st.none() | options.map(lambda option: XDefault(None, option.page) if option.page else option)
mappings = st.just(()) | st.dictionaries(
    st.sampled_from(["de", "en", "fr"]), st.sampled_from([*FOLDERS]), max_size=3
).map(
    lambda named: tuple(
        LanguageFolder(folder=folder, code=code, known_by="", mapped=True)
        for folder, code in {folder: code for code, folder in named.items()}.items()
    )
)


@given(sites(), mappings, x_defaults)
def test_merging_again_changes_nothing(
    published: Published, folders: tuple[LanguageFolder, ...], x_default: XDefault | None
) -> None:
    merged = merge(published, folders, x_default)
    again = merge(written(published, merged), folders, x_default)
    assert again.files == merged.files
    assert again.refuted == ()
    assert (again.clusters, again.declared) == (merged.clusters, merged.declared)


@given(sites(), mappings, st.sampled_from(["de", "en", "fr"]))
def test_a_language_for_x_default_must_be_named_only_once(
    published: Published, folders: tuple[LanguageFolder, ...], code: str
) -> None:
    merged = merge(published, folders, XDefault(code))
    result = written(published, merged)
    links = [link for entry in entries_of(result) for link in entry.alternates]
    if any(link.hreflang == "x-default" and Alternate(hreflang=code, href=link.href) in links for link in links):
        assert merge(result, folders).files == merged.files


@given(sites(), mappings, x_defaults)
def test_alternates_are_correct_mutual_and_not_alone(
    published: Published, folders: tuple[LanguageFolder, ...], x_default: XDefault | None
) -> None:
    merged = merge(published, folders, x_default)
    result = written(published, merged)
    links = {entry.loc: entry.alternates for entry in entries_of(result)}
    assert [entry for entry in entries_of(result) if entry.alternates != links[entry.loc]] == []
    # Pages in no language, or in a language that is not named, are not linked.
    named = {each.language.folder: each.language for each in merged.languages}
    places = {
        each.folder: each for each in find_languages(published, read_all_declared(published))[0] if each.folder
    } | named
    joined = {loc for loc, page in result.pages.items() if is_in(page, folder_of(page.path, places), named)}
    for loc, own in links.items():
        hrefs = {each.href for each in own}
        if loc not in joined and hrefs.isdisjoint(joined):
            continue
        assert len({each.hreflang for each in own}) == len(own), own
        assert not own or (loc in hrefs and len(hrefs) > 1), own
        for href in hrefs & links.keys():
            markup = result.pages[href].markup
            assert not markup.robots
            assert not markup.refresh
            assert links[href] == own
        assert [href for href in hrefs - links.keys() if href.startswith(X)] == []


@given(sites(), x_defaults)
def test_everything_except_the_links_is_unchanged(published: Published, x_default: XDefault | None) -> None:
    result = written(published, merge(published, (), x_default))
    assert without_links(result) == without_links(published)


@given(sites(), mappings, x_defaults, st.data())
def test_the_links_to_a_page_are_removed_with_it(
    published: Published, folders: tuple[LanguageFolder, ...], x_default: XDefault | None, data: st.DataObject
) -> None:
    merged = written(published, merge(published, folders, x_default))
    named = sorted({link.href for entry in entries_of(merged) for link in entry.alternates} & merged.pages.keys())
    if not named:
        return
    gone = data.draw(st.sampled_from(named))
    rest = replace(merged, pages={loc: page for loc, page in merged.pages.items() if loc != gone})
    result = written(rest, merge(rest, folders, x_default))
    assert not any(link.href == gone for entry in entries_of(result) for link in entry.alternates)


@given(sites(), mappings, x_defaults)
def test_the_numbers_are_consistent(
    published: Published, folders: tuple[LanguageFolder, ...], x_default: XDefault | None
) -> None:
    merged = merge(published, folders, x_default)
    for each in merged.languages:
        assert 0 <= each.translated <= each.listed - each.absent - each.closed
    assert [note for note in merged.notes + merged.refuted if not (note.strip() and note.isprintable())] == []
