"""Joins languages that were built separately and published below one root, with alternates in their sitemaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_editing import replace_alternates
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.sitemap_xml import MARK
from sitemap_plugins.merge.language_folders import (
    LanguageFolder,
    LanguageSummary,
    find_languages,
    folder_of,
    read_all_declared,
)
from sitemap_plugins.merge.reading import Published, PublishedSitemap
from sitemap_plugins.merge.root import MergedVersions
from sitemap_plugins.model import X_DEFAULT, Alternate, Entry, OutputFile, Page
from sitemap_plugins.options.settings import SIZE_LIMIT
from sitemap_plugins.options.types import XDefault
from sitemap_plugins.pages.omit import reason_in_markup, wording_of
from sitemap_plugins.published.languages import Declared, denies, without_links
from sitemap_plugins.published.sitemaps import compare_copy
from sitemap_plugins.translations.clusters import Claim, Clusters, Member, alternates_of
from sitemap_plugins.translations.copies import find_copies
from sitemap_plugins.translations.hreflang import disagreement, in_several_languages
from sitemap_plugins.values.languages import code_of, match_language
from sitemap_plugins.values.text import and_more_pages, join_words
from sitemap_plugins.values.urls import absolute_url, file_path, page_key, path_in, usable_url
from sitemap_plugins.versions.goals import other_form


class Merge(msgspec.Struct, frozen=True, kw_only=True):
    """The files to write, and a summary of the merge.

    ``clusters`` counts pages in several languages, ``alternates`` the links in all sitemaps, and ``before`` the links
    before the merge. ``refuted`` are earlier links that lead to no listed page. ``declared`` counts links to URLs
    outside the root, which cannot be checked. ``x_default`` is a language, or the URL of a page. ``notes``,
    ``conflicts`` and ``problems`` are sentences for the user: ``conflicts`` about links that contradict one another,
    ``problems`` about sitemaps that could not be used. ``links`` are the alternates of each page by its URL. If there
    are ``versions``, the languages are those within the announced ones.
    """

    files: tuple[OutputFile, ...]
    languages: tuple[LanguageSummary, ...]
    clusters: int
    alternates: int
    before: int
    refuted: tuple[str, ...]
    declared: int
    x_default: str | None
    notes: tuple[str, ...]
    conflicts: tuple[str, ...]
    problems: tuple[str, ...]
    links: Mapping[str, tuple[Alternate, ...]] = {}
    versions: MergedVersions | None = None


def merge(
    published: Published,
    folders: Sequence[LanguageFolder] = (),
    x_default: XDefault | None = None,
    *,
    may_be_one: bool = False,
) -> Merge:
    """Join the languages of a published site. Merging again changes nothing.

    Pages are translations of each other if their sitemaps link them, or if they have the same path in two language
    folders, where ``a.html`` stands for ``a/index.html``, too, unless a language has both. Only pages that exist and
    may be indexed are linked. ``folders`` are the languages that the author named; if there are any, no others are
    detected. ``x_default`` None keeps the default of the sitemaps. With ``may_be_one``, a single language is not a
    problem.
    """
    problems = [*published.problems]
    while True:
        attempt = _MergePlan(published, folders, x_default)
        files: list[OutputFile] = []
        kept: list[PublishedSitemap] = []
        for sitemap in published.sitemaps:
            try:
                if not sitemap.is_moved:
                    files += _rewrite(sitemap, attempt.alternates)
                kept.append(sitemap)
            except SitemapError as error:
                problems.append(f"{sitemap.path} {error}; it was not changed")
        if len(kept) == len(published.sitemaps):
            return attempt.result(files, tuple(problems or ([] if may_be_one else attempt.shortage())))
        # No sitemap may link to pages whose own sitemap cannot link back.
        published = msgspec.structs.replace(published, sitemaps=tuple(kept))


def _rewrite(sitemap: PublishedSitemap, alternates: Mapping[str, tuple[Alternate, ...]]) -> list[OutputFile]:
    """The sitemap with the alternates of the given URLs, and everything else as it was.

    There is a ``.gz`` only if there was one and its content differs (SM-GZ-01). Raises `SitemapError` if the sitemap
    cannot be changed (SM-LIM-02, SM-XML-01).
    """
    content = replace_alternates(sitemap.content, alternates)
    if len(content) > SIZE_LIMIT:
        raise SitemapError(
            f"would have {len(content):,} bytes with its alternates, but a sitemap may have at most {SIZE_LIMIT:,}"
        )
    files = [OutputFile(path=sitemap.path, content=content)]
    copy = f"{sitemap.path}.gz"
    if sitemap.packed is not None and not compare_copy(copy, sitemap.packed, content).is_same:
        files.append(OutputFile(path=copy, content=b"".join(compress([content]))))
    return files


def _as_folder(path: str) -> str:
    """The path of a page, or the one that it has if its URL is that of a folder."""
    return path if f"/{path}".endswith("/index.html") else other_form(path) or path


class _MergePlan:
    """One attempt to merge these sitemaps, which assumes that all of them can be written."""

    def __init__(self, published: Published, folders: Sequence[LanguageFolder], x_default: XDefault | None) -> None:
        self._published = published
        self._declared = read_all_declared(published)
        detected, notes = find_languages(published, self._declared)
        self._notes = [*published.notes, *(() if folders else notes)]
        self._languages = {each.folder: each for each in folders or detected}
        self._at_root = next(
            (each.code for each in self._languages.values() if each.is_at_root or not each.folder), None
        )
        # A folder in a language that the author did not name may lie below a named one. Its pages do not count there.
        others = {each.folder: each for each in detected if each.folder and each.folder not in self._languages}
        self._entries: dict[str, Entry] = {}
        for entry in (entry for sitemap in published.sitemaps for entry in sitemap.entries):
            # If several sitemaps list a page, the links of all of them count.
            known = self._entries.get(entry.loc)
            self._entries[entry.loc] = (
                replace(entry, alternates=known.alternates + entry.alternates) if known else entry
            )
        self._roots = tuple(
            sorted({sitemap.root_url for sitemap in published.sitemaps}, key=lambda url: (len(url), url))
        )
        places = {loc: self._place(loc, others | self._languages) for loc in self._entries}
        self._place_of = {loc: place for loc, place in places.items() if place and place.folder in self._languages}
        self._notes += [
            f"no sitemap lists a page in {each.folder or 'ROOT itself'}, the folder given for {each.code}"
            for each in folders
            if each not in self._place_of.values()
        ]
        self._page_keys = {page_key(loc) for loc in published.pages}
        self._closed = {loc for loc in self._place_of if self._why_closed(loc)}
        self._foreign = {loc for loc, place in self._place_of.items() if self._is_foreign(loc, place)}
        left_out = self._closed | self._foreign
        keys = {
            loc: (place.code, place.key(published.pages[loc].path))
            for loc, place in self._place_of.items()
            if loc in published.pages and loc not in left_out
        }
        # If a language has both x.html and x/index.html, these are two pages.
        forms = Counter((code, _as_folder(key)) for code, key in {*keys.values()})
        both = {form for (_, form), number in forms.items() if number > 1}
        self._members = {
            loc: Member(loc, code, key if (form := _as_folder(key)) in both else form, published.pages[loc].path)
            for loc, (code, key) in keys.items()
        }
        self._clusters = Clusters(self._members.values())
        self._refuted: dict[str, None] = {}
        for claim in self._claims():
            self._clusters.join(claim)
        self._clusters.join_groups()
        self._default = self._find_default(x_default)
        self._copies = self._remove_copies()
        self._links = {id(cluster): alternates_of(cluster, self._default) for cluster in self._clusters}
        # Listed pages that are not members have no alternates: they do not exist, or must not be indexed.
        self.alternates: dict[str, tuple[Alternate, ...]] = dict.fromkeys(self._place_of, ())
        self.alternates |= {loc: self._links[id(cluster)] for loc, cluster in self._clusters.of.items()}
        self.alternates |= dict(self._without_one_sided_links())

    def _place(self, loc: str, languages: Mapping[str, LanguageFolder]) -> LanguageFolder | None:
        """The language folder of a page, from its file, or from its sitemap's folder and its URL if it has no file."""
        if page := self._published.pages.get(loc):
            place = folder_of(page.path, languages)
            if place is None or place.folder or place.mapped:
                return place
            # Pages at the root may belong to no language, such as a separate build in a folder with another name.
            return None if self._is_foreign(loc, place) else place
        for sitemap in self._published.sitemaps:
            if (below := file_path(sitemap.base_url, loc)) is not None:
                return folder_of(path_in(sitemap.folder, below), languages)
        return None

    def _why_closed(self, loc: str) -> tuple[str, str] | None:
        """Why the markup of a page keeps it out of search engines; None if it does not, or if there is no page."""
        if page := self._published.pages.get(loc):
            return reason_in_markup(page.markup, loc, is_page=lambda url: page_key(url) in self._page_keys)
        return None

    def _is_foreign(self, loc: str, place: LanguageFolder) -> bool:
        """Whether a page is in a different language from its folder, if other pages there declare the language."""
        page = self._published.pages.get(loc)
        if page is None or not place.is_declared:
            return False
        declared = self._declared.get(page.path, Declared(page.markup.language))
        return denies(declared, place.code, is_said=True)

    def _remove_copies(self) -> frozenset[str]:
        """Remove the copies of untranslated pages from their clusters, and return their URLs.

        Those in sitemaps of ours stay: such builds know more than the text.
        """
        ours = (sitemap for sitemap in self._published.sitemaps if MARK.encode() in sitemap.content)
        known = {entry.loc for sitemap in ours for entry in sitemap.entries}
        pages = [
            Page(
                loc=loc,
                name=member.name,
                output=member.name,
                markup=self._published.pages[loc].markup,
                generated=loc not in known,
                language=member.code,
                translation=str(id(self._clusters.of[loc])),
            )
            for loc, member in self._members.items()
        ]
        copies, notes = find_copies(pages, self._published.read, self._default or self._at_root)
        for page in copies.values():
            del self._clusters.of.pop(page.loc).members[page.language]
        self._notes += [f"{note.page}: {note.message}" for note in notes]
        return frozenset(page.loc for page in copies.values())

    def _claims(self) -> Iterator[Claim]:
        """The links already in the sitemaps, to existing pages and to other sites. All other links are refuted."""
        by_key: dict[str, str] = {}
        for loc in self._members:
            by_key.setdefault(page_key(loc), loc)
        for loc in self._members:
            links = self._entries[loc].alternates
            if {link.hreflang.lower() for link in links if link.href == loc} == {X_DEFAULT}:
                continue  # a page to choose the language, not a translation of the pages it links to
            for link in links:
                if link.hreflang.lower() == X_DEFAULT or link.href == loc:
                    continue
                target = self._members.get(link.href) or self._members.get(by_key.get(page_key(link.href), ""))
                if target:
                    yield Claim(loc, target.code, target.loc)
                elif (code := code_of(link.hreflang)) and (href := self._elsewhere(link.href)):
                    yield Claim(loc, code, href)
                else:
                    self._refuted[f"{link.href:.200} ({link.hreflang:.20}) of {loc:.200}"] = None

    def _elsewhere(self, href: str) -> str | None:
        """The URL, encoded, if it lies outside the root and so cannot be checked; None otherwise, or if invalid."""
        url = usable_url(href)
        return None if url is None or url.startswith(self._roots) else url

    def _find_default(self, wanted: XDefault | None) -> str | None:
        """The language of ``x-default``: the requested one, or the one in the sitemaps, or the one at the root."""
        if wanted is None:
            return self._existing_default() or self._at_root
        if wanted.page is not None:
            if why := self._choose(wanted.page):
                self._notes.append(f"x-default: {why}, so the given page was ignored")
            return self._at_root
        codes = sorted({each.code for each in self._languages.values()})
        language = match_language(wanted.language, codes) if wanted.language else wanted.language
        if language and codes and language not in codes:
            self._notes.append(f"x-default: no folder is in {language}; the languages are {join_words(codes)}")
            return self._existing_default() or self._at_root
        return self._at_root if language == "" else language

    def _choose(self, page: str) -> str:
        """Make a page the ``x-default`` of the home pages. Return why that is impossible, or an empty string."""
        href = absolute_url(self._roots[0] if self._roots else "", page.lstrip("/")) or page
        key = page_key(href)
        selector = next((loc for loc in self._entries if page_key(loc) == key), None)
        if selector is None or not self._can_be_selector(selector):
            return f"{href} is in no sitemap, does not exist, or must not be indexed"
        names = {f"{each.folder}/index.html".lstrip("/") for each in self._published.sitemaps}
        names |= {f"{folder}/index.html".lstrip("/") for folder in self._languages}
        homes = [each for each in self._members.values() if each.name in names and len(self._clusters.of[each.loc]) > 1]
        # If there are several versions, the home page with the shortest path is the site's.
        home = min(homes, key=lambda each: (str(each.group).count("/"), str(each.group), each.loc), default=None)
        return self._clusters.choose(selector, self._clusters.of[home.loc] if home else None)

    def _can_be_selector(self, loc: str) -> bool:
        return loc in self._published.pages and not self._why_closed(loc)

    def _existing_default(self) -> str | None:
        """The language of most ``x-default`` links. A linked page in no language is a page to choose the language."""
        codes: Counter[str] = Counter()
        for member in self._members.values():
            cluster = self._clusters.of[member.loc]
            links = self._entries[member.loc].alternates if len(cluster) > 1 else ()
            for href in (link.href for link in links if link.hreflang.lower() == X_DEFAULT):
                if code := next((code for code in cluster if cluster.find(code) == href), None):
                    codes[code] += 1
                elif href in self._entries and self._can_be_selector(href) and not cluster.selector:
                    self._clusters.choose(href, cluster)
                elif not cluster.selector:
                    cluster.selector = self._elsewhere(href)
        return min(codes, key=lambda code: (-codes[code], code), default=None)

    def _without_one_sided_links(self) -> Iterator[tuple[str, tuple[Alternate, ...]]]:
        """Pages outside these languages, without links to pages that do not exist, link back or have one language."""
        for loc, entry in self._entries.items():
            if loc in self.alternates:
                continue
            several = in_several_languages(entry.alternates)
            kept = tuple(
                link
                for link in entry.alternates
                if page_key(link.href) not in several and not self._is_refuted(link.href)
            )
            if kept != entry.alternates:
                yield loc, kept if len({link.href for link in kept}) > 1 else ()

    def _is_refuted(self, href: str) -> bool:
        return href in self.alternates or (href not in self._published.pages and href.startswith(self._roots))

    def shortage(self) -> list[str]:
        """The problem if there are fewer than two languages to join."""
        if len(self._languages) > 1 or not self._published.sitemaps:
            return []
        message = (
            "fewer than two languages were found (by the names of folders, html lang and hreflang links): "
            "is this the folder above them? To name them, use --language en=. --language fr=fr"
        )
        return [message]

    def result(self, files: Sequence[OutputFile], problems: tuple[str, ...]) -> Merge:
        """The outcome of the merge, as counts and sentences."""
        selectors = [cluster.selector for cluster in self._clusters if cluster.selector]
        unseen = (link for each in self._links.values() for link in each if link.declared)
        return Merge(
            files=tuple(files),
            languages=tuple(self._summaries()),
            clusters=sum(bool(each) for each in self._links.values()),
            alternates=sum(len(self.alternates.get(loc, each.alternates)) for loc, each in self._entries.items()),
            before=sum(len(entry.alternates) for entry in self._entries.values()),
            refuted=tuple(self._refuted),
            declared=sum(link.hreflang != X_DEFAULT for link in unseen),
            x_default=next(iter(selectors), self._default),
            notes=(*self._notes, *self._lost_links(), *self._disagreements()),
            conflicts=tuple(f"{conflict.loc}: {conflict.message}" for conflict in self._clusters.conflicts),
            problems=problems,
            links=self.alternates,
        )

    def _summaries(self) -> Iterator[LanguageSummary]:
        for folder in sorted(self._languages):
            language = self._languages[folder]
            locs = {loc for loc, place in self._place_of.items() if place is language}
            yield LanguageSummary(
                language=language,
                listed=len(locs),
                translated=sum(bool(self.alternates[loc]) for loc in locs),
                absent=len(locs - self._published.pages.keys()),
                closed=len(locs & self._closed),
                foreign=len(locs & (self._foreign | self._copies) - self._closed),
            )

    def _lost_links(self) -> Iterator[str]:
        """A note on pages that lost their links because they must not be indexed."""
        locs = [loc for loc in self._entries if loc in self._closed and self._entries[loc].alternates]
        if locs:
            why = self._why_closed(locs[0]) or ("", "")
            yield f"{locs[0]} no longer has links: {wording_of(why[0])}, {why[1]:.200}{and_more_pages(len(locs) - 1)}"

    def _disagreements(self) -> Iterator[str]:
        """A note on pages whose own links differ from the new links in their sitemaps."""
        copies = {*map(page_key, self._copies)}
        differing = [
            f"{loc}: {difference}"
            for loc, links in self.alternates.items()
            if links
            and (page := self._published.pages.get(loc))
            and (difference := disagreement(without_links(page.markup, loc, copies), loc, links))
        ]
        if differing:
            yield differing[0] + and_more_pages(len(differing) - 1)
