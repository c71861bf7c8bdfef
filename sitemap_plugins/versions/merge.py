"""Joins the languages that were built apart and published below one root: mutual alternates in their sitemaps."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urljoin

from sitemap_plugins.arrange.clusters import X_DEFAULT, Claim, Cluster, Clusters, Member, alternates_of
from sitemap_plugins.arrange.language_check import disagreement
from sitemap_plugins.arrange.selection import refused_by_markup
from sitemap_plugins.conversion import listing
from sitemap_plugins.formats.compression import compress
from sitemap_plugins.formats.sitemap_editing import replace_alternates
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.sitemap_xml import SIZE_LIMIT
from sitemap_plugins.languages import InvalidLanguageError, parse_language
from sitemap_plugins.model import Alternate, Entry, OutputFile
from sitemap_plugins.option_types import XDefault
from sitemap_plugins.urls import page_key
from sitemap_plugins.versions.languages_below import LanguageFolder, find_languages, folder_of
from sitemap_plugins.versions.published import Published, PublishedSitemap

_GZIP_WINDOW = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, kw_only=True, slots=True)
class LanguageSummary:
    """What became of one language: how many pages its sitemaps list, and how many of them have translations.

    ``absent`` counts pages that are listed but not there, ``closed`` those that tell crawlers to stay away.
    """

    language: LanguageFolder
    listed: int
    translated: int
    absent: int
    closed: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Merge:
    """The files to write, and what was decided.

    ``clusters`` counts pages in several languages, ``alternates`` the links in all sitemaps, ``refuted`` the links that
    were announced and lead nowhere, ``declared`` those to hosts that are not below the root, which nobody could check.
    ``remarks`` are sentences for people; ``problems`` are those on sitemaps that could not be used.
    """

    files: tuple[OutputFile, ...]
    languages: tuple[LanguageSummary, ...]
    clusters: int
    alternates: int
    refuted: tuple[str, ...]
    declared: int
    x_default: str | None
    remarks: tuple[str, ...]
    problems: tuple[str, ...]


def merge(published: Published, folders: Sequence[LanguageFolder] = (), x_default: XDefault | None = None) -> Merge:
    """Join the languages of a published site. Merging again changes nothing.

    Pages with the same path in the folders of two languages are translations of one another, and so are pages that name
    one another in their sitemaps. Only pages that are there and may be indexed are named. ``folders`` are the languages
    where the author names them; all others are left alone then. ``x_default`` None keeps what the sitemaps say.
    """
    detected, remarks = find_languages(published)
    languages = {each.folder: each for each in folders or detected}
    # What lies below a folder that is named, but in a language that is not, is not in the language of that folder.
    others = {each.folder: each for each in detected if each.folder and each.folder not in languages}
    entries = {entry.loc: entry for sitemap in published.sitemaps for entry in sitemap.entries}
    places = {loc: _place(loc, published, others | languages) for loc in entries}
    place_of = {loc: place for loc, place in places.items() if place and place.folder in languages}
    closed = {loc for loc in place_of if loc in published.pages and _is_closed(loc, published)}
    members = [
        Member(loc, place.code, place.key(published.pages[loc].path), published.pages[loc].path)
        for loc, place in place_of.items()
        if loc in published.pages and loc not in closed
    ]
    clusters = Clusters(members)
    claims, refuted = _claims(published, {member.loc: member for member in members}, entries)
    for claim in claims:
        clusters.join(claim)
    default, about_default = _set_default(published, members, clusters, entries, languages, x_default)
    links = {id(cluster): alternates_of(cluster, default) for cluster in clusters}
    # What is listed and is no member has no alternates either: it is not there, or not to be found.
    alternates = {loc: links[id(clusters.of[loc])] if loc in clusters.of else () for loc in place_of}
    alternates |= {cluster.selector: links[id(cluster)] for cluster in clusters if cluster.selector}
    alternates |= dict(_one_sided(entries, alternates))
    files, problems = _edit(published, alternates)
    return Merge(
        files=tuple(files),
        languages=tuple(_summarize(languages, place_of, published, closed, alternates)),
        clusters=sum(bool(each) for each in links.values()),
        alternates=sum(map(len, alternates.values())),
        refuted=tuple(refuted),
        declared=sum(link.declared for each in links.values() for link in each if link.hreflang != X_DEFAULT),
        x_default=default,
        remarks=(*(() if folders else remarks), *about_default, *_about(clusters, published, alternates)),
        problems=(*published.problems, *problems),
    )


def _one_sided(
    entries: Mapping[str, Entry], alternates: Mapping[str, tuple[Alternate, ...]]
) -> Iterator[tuple[str, tuple[Alternate, ...]]]:
    """The pages in none of these languages that name one which does not name them, without those links."""
    for loc, entry in entries.items():
        if loc not in alternates and any(link.href in alternates for link in entry.alternates):
            kept = tuple(link for link in entry.alternates if link.href not in alternates)
            yield loc, kept if len({link.href for link in kept}) > 1 else ()


def _place(loc: str, published: Published, languages: Mapping[str, LanguageFolder]) -> LanguageFolder | None:
    """The language of a page by the file behind it; by its sitemap's folder and URL where there is no such file."""
    if page := published.pages.get(loc):
        return folder_of(page.path, languages)
    for sitemap in published.sitemaps:
        if loc.startswith(sitemap.base_url):
            path = f"{sitemap.folder}/" if sitemap.folder else ""
            return folder_of(path + loc[len(sitemap.base_url) :], languages)
    return None


def _is_closed(loc: str, published: Published) -> bool:
    return refused_by_markup(published.pages[loc].markup, loc, None) is not None


def _claims(
    published: Published, members: Mapping[str, Member], entries: Mapping[str, Entry]
) -> tuple[list[Claim], list[str]]:
    """What the sitemaps say already, of pages that are there and of other hosts; and the links that lead nowhere."""
    bases = tuple(sitemap.base_url for sitemap in published.sitemaps)
    claims: list[Claim] = []
    refuted: dict[str, None] = {}
    for loc in members:
        for link in entries[loc].alternates:
            if link.hreflang.lower() == X_DEFAULT or link.href == loc:
                continue
            if target := members.get(link.href):
                claims.append(Claim(loc, target.code, link.href))
            elif link.href.startswith(bases):
                refuted[f"{link.href} ({link.hreflang}) of {loc}"] = None
            else:
                try:
                    claims.append(Claim(loc, parse_language(link.hreflang), link.href))
                except InvalidLanguageError:
                    refuted[f"{link.href} ({link.hreflang}) of {loc}"] = None
    return claims, [*refuted]


def _set_default(  # noqa: PLR0913, PLR0917  # everything that says which page is for readers of no other
    published: Published,
    members: Sequence[Member],
    clusters: Clusters,
    entries: Mapping[str, Entry],
    languages: Mapping[str, LanguageFolder],
    wanted: XDefault | None,
) -> tuple[str | None, list[str]]:
    """The language of ``x-default``: the one that is wanted, else that of the sitemaps, else that at the root."""
    if wanted is None:
        return _default_so_far(members, clusters, entries, languages), []
    if wanted.page is not None:
        href = urljoin(published.sitemaps[0].base_url, wanted.page) if published.sitemaps else wanted.page
        selector = next((loc for loc in published.pages if page_key(loc) == page_key(href)), None)
        home = next((clusters.of[each.loc] for each in members if each.group == "index.html"), None)
        obstacle = f"{href} is in no sitemap" if selector is None else clusters.choose(selector, home)
        return None, [f"x-default: {obstacle}, so no page is x-default"] if obstacle else []
    codes = sorted({each.code for each in languages.values()})
    if wanted.language and codes and wanted.language not in codes:
        return None, [f"x-default: nothing is in {wanted.language}; the languages are {listing(codes)}"]
    if wanted.language == "":
        return languages[""].code if "" in languages else None, []
    return wanted.language, []


def _default_so_far(
    members: Sequence[Member], clusters: Clusters, entries: Mapping[str, Entry], languages: Mapping[str, LanguageFolder]
) -> str | None:
    codes: Counter[str] = Counter()
    for member in members:
        cluster = clusters.of[member.loc]
        for link in entries[member.loc].alternates:
            if link.hreflang.lower() != X_DEFAULT:
                continue
            code = next((code for code, each in cluster.members.items() if each.loc == link.href), None)
            if code:
                codes[code] += 1
            elif link.href in entries and len(clusters.of.get(link.href, Cluster())) <= 1:
                cluster.selector = link.href
                clusters.of[link.href] = cluster
    if codes:
        return min(codes, key=lambda code: (-codes[code], code))
    return languages[""].code if "" in languages else None


def _edit(published: Published, alternates: Mapping[str, tuple[Alternate, ...]]) -> tuple[list[OutputFile], list[str]]:
    """The sitemaps with these alternates, each with the ``.gz`` beside it where there is one."""
    files: list[OutputFile] = []
    problems: list[str] = []
    for sitemap in published.sitemaps:
        try:
            content = replace_alternates(sitemap.content, alternates)
        except SitemapError as error:
            problems.append(f"{sitemap.path} {error}; it was left as it is")
            continue
        if len(content) > SIZE_LIMIT:
            problems.append(
                f"{sitemap.path} would have {len(content):,} bytes with its alternates, and a sitemap may have "
                f"{SIZE_LIMIT:,}; it was left as it is"
            )
            continue
        files.append(OutputFile(path=sitemap.path, content=content))
        if sitemap.packed is not None and not _holds(sitemap, content):
            files.append(OutputFile(path=f"{sitemap.path}.gz", content=compress(content)))
    return files, problems


def _holds(sitemap: PublishedSitemap, content: bytes) -> bool:
    """Whether the packed sitemap is the same already, whoever packed it."""
    unpacking = zlib.decompressobj(_GZIP_WINDOW)
    try:
        return unpacking.decompress(sitemap.packed or b"", len(content) + 1) == content and unpacking.eof
    except zlib.error:
        return False


def _summarize(
    languages: Mapping[str, LanguageFolder],
    place_of: Mapping[str, LanguageFolder],
    published: Published,
    closed: set[str],
    alternates: Mapping[str, tuple[Alternate, ...]],
) -> Iterator[LanguageSummary]:
    for folder in sorted(languages):
        language = languages[folder]
        locs = [loc for loc, place in place_of.items() if place is language]
        yield LanguageSummary(
            language=language,
            listed=len(locs),
            translated=sum(bool(alternates[loc]) for loc in locs),
            absent=sum(loc not in published.pages for loc in locs),
            closed=sum(loc in closed for loc in locs),
        )


def _about(clusters: Clusters, published: Published, alternates: Mapping[str, tuple[Alternate, ...]]) -> Iterator[str]:
    """What could not be, and where the pages say something else than their sitemaps now do."""
    for conflict in clusters.conflicts:
        yield f"{conflict.loc}: {conflict.message}"
    differing = [
        f"{loc}: {difference}"
        for loc, links in alternates.items()
        if links and loc in published.pages and (difference := disagreement(published.pages[loc].markup, loc, links))
    ]
    if differing:
        more = f" (and so {len(differing) - 1} more pages)" if differing[1:] else ""
        yield f"{differing[0]}{more}"
