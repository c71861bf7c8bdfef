"""From pages to files: pages → translations → sitemaps → formats, in one function without side effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.model import (
    X_DEFAULT,
    Adjuster,
    Alternate,
    Arrangement,
    Candidate,
    Note,
    Omitted,
    OutputFile,
    Page,
    Result,
    Site,
    Sitemap,
    SitemapIndex,
)
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.entries import enrich
from sitemap_plugins.pages.lastmod import DatesOf, date_notes, why_undated
from sitemap_plugins.pages.omit import count_omitted, explain, omit
from sitemap_plugins.pages.selection import (
    lost_pages_notes,
    select,
    unmatched_notes,
    unread_notes,
    untranslated_candidates,
)
from sitemap_plugins.sitemaps.announcing import announce, cross_submit_notes, engine_notes
from sitemap_plugins.sitemaps.arranging import arrange, render, theme_notes
from sitemap_plugins.values.text import count_of, join_words
from sitemap_plugins.values.urls import quote_path

if TYPE_CHECKING:
    from sitemap_plugins.formats.page_list import PageListFile

_BESIDE = frozenset({"error-page", "search-page", "generated", "other", "redirect"})  # files beside the documents
_ABOUT_MEDIA = frozenset({"image", "video", "text"})  # kinds of notes that do not matter for pages that are left out


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """The pages that may be listed, those that are left out, and notes; files are not chosen yet.

    ``later_notes`` come after the ones on images, videos and dates, which are not checked yet.
    """

    listed: Sequence[Candidate]
    omitted: Sequence[Omitted]
    notes: Sequence[Note]
    later_notes: Sequence[Note]


def build(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    *,
    dates: Mapping[str, DatesOf] | None = None,
    adjust: Sequence[Adjuster] = (),
    robots_txt: bytes | None = None,
) -> Result:
    """The sitemaps of a site as files to write, the pages that were left out, and notes for the author.

    ``dates`` are functions that return the dates of source files, by the name of the ``lastmod`` source (``git``,
    ``mtime``). ``adjust`` are called for each page. ``robots_txt`` is the content of that file in the output directory.
    Nothing is read or written here.
    """
    robots = RobotsTxt(robots_txt) if robots_txt is not None else None
    crawl_rules = CrawlRules.at(site, robots, None)
    chosen = choose(site, pages, settings, crawl_rules, dates=dates, adjust=adjust)
    result, _ = make_files(site, chosen, settings, crawl_rules)
    return announce_files(result, settings, robots)


def choose(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    crawl_rules: CrawlRules,
    *,
    dates: Mapping[str, DatesOf] | None = None,
    named: Mapping[str, Collection[str]] | None = None,
    adjust: Sequence[Adjuster] = (),
) -> Chosen:
    """Choose the pages to list, in their order, as the author's hooks changed them.

    ``named`` are the absolute paths of the files for each name in ``depends_on``; without it, that value is ignored.
    """
    notes = crawl_rules.notes()
    candidates, omitted, about_pages = enrich(site, pages, settings, dates or {}, named)
    notes += unmatched_notes([*candidates, *untranslated_candidates(site, omitted)], settings)
    listed, left_out, about_selection = select(site, candidates, settings, adjust, omitted, crawl_rules)
    names = {candidate.page.name for candidate in listed}
    notes += [note for note in about_pages if note.kind not in _ABOUT_MEDIA or note.page in names]
    notes += unread_notes(listed)
    return Chosen(listed=listed, omitted=[*omitted, *left_out], notes=notes, later_notes=about_selection)


def make_files(
    site: Site,
    chosen: Chosen,
    settings: Settings,
    crawl_rules: CrawlRules,
    *,
    files_of_media: Container[str] | None = None,
    taken: Container[str] = (),
    page_list: PageListFile | None = None,
) -> tuple[Result, list[Candidate]]:
    """Return the files for these pages, without robots.txt, and the candidates for the entries of the result.

    ``files_of_media`` are the paths of `media_paths` with a file in the output directory; if it is None, these files
    are not looked up. ``taken`` are the paths of files there that are not ours. ``page_list`` is the file for the
    option ``html``.
    """
    listed, notes = _check_media(site, chosen.listed, crawl_rules, files_of_media)
    about_dates = date_notes(chosen.listed, settings, site.unshallow)
    notes = [*chosen.notes, *notes, *about_dates, *chosen.later_notes]
    written = settings if site.policy.is_announced else settings.unannounced()
    listed, arrangement, too_large, found = _arrange(site, listed, chosen.omitted, settings, written, taken)
    omitted = [*chosen.omitted, *too_large]
    about_lost = lost_pages_notes(site, listed, omitted)
    notes += [*found, *about_lost]
    if not arrangement.sitemaps:
        notes.append(no_pages_note(omitted))
    notes += theme_notes(site, arrangement, written)
    notes += engine_notes([candidate.entry for candidate in listed], arrangement, written)
    notes += cross_submit_notes(site, arrangement.cross_submitted, settings)
    # A page that is left out has no alternates.
    alternates: dict[str, tuple[Alternate, ...]] = {each.page.output: () for each in omitted if each.page.output}
    alternates |= {each.page.output: each.entry.alternates for each in listed if each.page.output}
    files, announced, found = _render(site, listed, arrangement, written, taken, page_list)
    result = Result(
        site=site,
        entries=tuple(candidate.entry for candidate in listed),
        sitemaps=arrangement.sitemaps,
        indexes=arrangement.indexes,
        announced=announced,
        files=tuple(files),
        omitted=tuple(omitted),
        is_doubtful=bool(about_lost) and not listed,
        undated={each.page.name: why_undated(each.page, each.dated) for each in listed if each.entry.lastmod is None},
        alternates=alternates,
        notes=(*notes, *found),
    )
    return result, listed


def _arrange(
    site: Site,
    listed: list[Candidate],
    omitted: Sequence[Omitted],
    settings: Settings,
    written: Settings,
    taken: Container[str],
) -> tuple[list[Candidate], Arrangement, list[Omitted], list[Note]]:
    """The candidates with their alternates, in which files they are, the pages too large for any, and notes."""
    linked, notes = _translate(site, listed, omitted, settings)
    arrangement, found = arrange(site, linked, written, taken)
    too_large = [omit(each.page, "too-large") for each in linked if each.entry.loc in arrangement.left_out]
    if too_large:
        # A page that is not listed must not be linked as a translation. The notes were for all pages.
        listed = [each for each in listed if each.entry.loc not in arrangement.left_out]
        linked, _ = _translate(site, listed, [*omitted, *too_large], settings)
        arrangement, _ = arrange(site, linked, written, taken)
    return linked, arrangement, too_large, [*notes, *found]


def _render(
    site: Site,
    listed: Sequence[Candidate],
    arrangement: Arrangement,
    written: Settings,
    taken: Container[str],
    page_list: PageListFile | None,
) -> tuple[list[OutputFile], tuple[str, ...], list[Note]]:
    """The sitemaps, feeds and the page of all pages, the URLs of those to announce, and notes."""
    files = render(arrangement, written)
    feeds, notes = _feed(site, listed, written) if written.feeds else ([], [])
    files += feeds
    if page_list and files:
        notes += _list_pages(site, listed, page_list, files)
    feed_urls = site.feeds or tuple(site.base_url + file.path for file in feeds if file.path not in taken)
    announced = (*arrangement.announced, *(feed_urls if site.policy.is_announced else ())) if files else ()
    return files, announced, notes


def announce_files(
    result: Result, settings: Settings, robots: RobotsTxt | None, replaced: Iterable[str] = ()
) -> Result:
    """The result with the robots.txt that announces its files, if that has to change, and notes on it.

    ``replaced`` are the paths of the host's own files; robots.txt no longer announces those that are removed.
    """
    if result.is_doubtful:
        return result
    written = {file.path for file in result.files if file.content is not None}
    removed = [result.site.base_url + quote_path(path) for path in replaced if written and path not in written]
    files, notes = announce(result.site, result.announced, settings, robots, removed)
    return structs.replace(result, files=(*result.files, *files), notes=(*result.notes, *notes))


def media_paths(site: Site, chosen: Chosen) -> set[str]:
    """The paths in the output directory that the URLs of images and videos lead to, if these have to be checked."""
    if not _has_media(site, chosen.listed):
        return set()
    from sitemap_plugins.pages.media import paths_of_media

    return {path for each in chosen.listed for path in paths_of_media(site, each)}


def _has_media(site: Site, listed: Iterable[Candidate]) -> bool:
    """Whether there are images and videos to check; those of a local preview are not."""
    return not site.policy.is_local and any(each.entry.images or each.entry.videos for each in listed)


def _check_media(
    site: Site, listed: Sequence[Candidate], crawl_rules: CrawlRules, files: Container[str] | None
) -> tuple[list[Candidate], list[Note]]:
    if not _has_media(site, listed):
        return [*listed], []
    from sitemap_plugins.pages.media import check_media

    return check_media(site, listed, crawl_rules, files)


def _translate(
    site: Site, listed: list[Candidate], omitted: Sequence[Omitted], settings: Settings
) -> tuple[list[Candidate], list[Note]]:
    """The candidates with their alternates. A site in one language does not even import the code for languages."""
    if not site.languages and not any(each.page.translation or each.alternates for each in listed):
        unused = [name for name in ("x_default", "head_links") if getattr(settings, name) != getattr(Settings(), name)]
        message = "it has no effect, because the site has only one language"
        return listed, [Note(kind="unmatched", message=f"{name}: {message}") for name in unused]
    from sitemap_plugins.translations.hreflang import compare_with_pages, translate

    translated, notes = translate(site, listed, omitted, settings)
    return translated, [*notes, *compare_with_pages(translated)]


def _feed(site: Site, listed: Sequence[Candidate], settings: Settings) -> tuple[list[OutputFile], list[Note]]:
    """The feeds; none if another tool wrote one (SM-FEED-01)."""
    if site.feeds:
        message = f"the site has a feed already, {join_words(site.feeds)}, so no second one is written"
        return [], [Note(kind="feed", message=message)]
    from sitemap_plugins.sitemaps.feeds import render_feeds

    files = render_feeds(site, listed, settings)
    message = "no page has a date and a title, so no feed was written"
    return files, [] if files else [Note(kind="feed", message=message)]


def _list_pages(
    site: Site, listed: Sequence[Candidate], page_list: PageListFile, files: list[OutputFile]
) -> Sequence[Note]:
    """Add the page of all pages to the files, unless the host cannot make it, and return notes."""
    from sitemap_plugins.sitemaps.page_list import list_pages

    content, notes = page_list.render(list_pages(site, listed, page_list))
    if content is not None:
        files.append(OutputFile(path=page_list.path, content=content))
    return notes


def no_pages_note(omitted: Sequence[Omitted]) -> Note:
    """A note that no page is listed; the example is the first page with the most frequent reason."""
    message = "every page is left out, so no sitemap was written"
    if omitted:
        reasons = count_omitted(omitted)
        ((reason, _),) = Counter(each.reason for each in omitted).most_common(1)
        example = explain(next(each for each in omitted if each.reason == reason))
        is_version = {each.key for each in omitted} - _BESIDE == {"canonical"}
        hint = ", as for a version that is not canonical" if is_version else ""
        message += f"; left out: {reasons}{hint}; for example {example}"
    return Note(kind="no-pages", message=message)


def summarize(result: Result) -> str:
    """One line for the build log: what is in the sitemaps, and what is left out and why."""
    entries = result.entries
    dated = sum(entry.lastmod is not None for entry in entries)
    declared = sum(link.declared and link.hreflang != X_DEFAULT for entry in entries for link in entry.alternates)
    omitted = count_omitted(result.omitted)
    indexed = {sitemap.path for index in result.indexes for sitemap in index.sitemaps}
    names = ", ".join(
        [
            *(_written(each) for each in result.sitemaps if each.path not in indexed),
            *(f"{_written(index)} ({count_of(len(index.sitemaps), 'sitemap')})" for index in result.indexes),
        ]
    )
    urls = count_of(len(entries), "URL")
    translated = sum(bool(entry.alternates) for entry in entries)
    languages = f", {translated:,} with translations" if translated else ""
    unseen = f" ({count_of(declared, 'link')} to pages outside this build)" if declared else ""
    return f"{names}: {urls}, {dated:,} with a date{languages}{unseen}" + (f"; left out: {omitted}" if omitted else "")


def _written(file: Sitemap | SitemapIndex) -> str:
    """The path of the file that is written: with ``gzip: only`` the compressed one."""
    return file.path + (".gz" if file.url.endswith(".gz") else "")
