"""Collects the pages of a built folder: their URLs, sources, languages and heads, and which of them are copies."""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import urldefrag

import msgspec
from msgspec import structs

from sitemap_plugins.folder.configuration import Configuration, enabled_extensions
from sitemap_plugins.folder.generators.recognizing import Generator, find_project, recognize_generator
from sitemap_plugins.folder.generators.source import Source, read_meta_files
from sitemap_plugins.folder.own_sitemaps import FoundSitemap, files_of, is_copied, read_top_sitemap, why_not_by
from sitemap_plugins.folder.source_texts import SourceTexts
from sitemap_plugins.folder.sources import find_edited, find_sources, match_sources
from sitemap_plugins.formats.paths import ERROR_PAGES
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.model import Note, Page
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pages.omit import reason_in_markup
from sitemap_plugins.published.addresses import STYLES, StyleName, stated_urls, style_of, write_url
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import (
    PageLanguage,
    find_folders,
    find_head_links,
    find_page_languages,
    incomplete_links_notes,
    without_links,
)
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.tasks import Track
from sitemap_plugins.values.urls import absolute_url, page_key

_SEARCH_PAGE: Final = "search"
_INDEX: Final = "index.html"
_INNER_SITE: Final = re.compile(
    r"(.+)/(?:sitemap\.xml|searchindex[^/]*\.js"  # of Sphinx and mdBook
    r"|(jupyter-lite\.json|sb-manager/runtime\.js))"  # of JupyterLite and Storybook
)


class BuiltFolder(msgspec.Struct, frozen=True):
    """A built folder: its tree, its pages, its generator, and the configuration found for it.

    ``project`` is the folder of the generator's configuration. ``version_folders`` are paths of folders that
    are separate sites, and ``previews`` those of previews of this one.
    """

    tree: Tree
    files: Sequence[HTMLFile]
    generator: Generator
    configuration: Configuration
    project: str
    version_folders: frozenset[str]
    previews: Sequence[str]


class LocatedPages(msgspec.Struct, frozen=True):
    """The URL of each page of a folder, its language, and its source, if it has one, by the path of its file.

    ``unsourced`` are the reasons why others have none, and ``texts`` reads the sources. ``first`` is the path of the
    chapter that is also the home page, if there is one.
    """

    locs: Mapping[str, str]
    page_languages: Mapping[str, PageLanguage]
    sources: Mapping[str, Source]
    unsourced: Mapping[str, str]
    texts: SourceTexts
    notes: Sequence[Note]
    first: str | None = None


class CollectedPages(msgspec.Struct, frozen=True):
    """The pages of a folder in the order of its files, and notes."""

    pages: Sequence[Page]
    notes: Sequence[Note]


def recognize_folder(
    tree: Tree,
    files: Sequence[HTMLFile],
    configuration: Configuration,
    version_folders: frozenset[str],
    previews: Sequence[str],
) -> BuiltFolder:
    """A folder with its generator, as its pages, or else the configuration, name it."""

    def wrote(generator: Generator) -> bool:
        found = read_top_sitemap(tree, generator.sitemaps)
        return found is not None and not found.is_ours and not why_not_by(generator, found, files, tree)

    markups = (file.markup for file in files if file.markup)
    generator = recognize_generator(markups, configuration, tree.root, wrote)
    project = find_project(generator, tree.root, configuration.root)
    return BuiltFolder(tree, files, generator, configuration, project, version_folders, previews)


def locate_pages(
    folder: BuiltFolder,
    base_url: str,
    settings: Settings,
    *,
    sitemap: FoundSitemap | None = None,
    style: StyleName | None = None,
) -> LocatedPages:
    """Find the URLs, languages and sources of the pages in a folder.

    ``sitemap`` is the one in it, and ``style`` is as in `find_locs`.
    """
    configuration = folder.configuration
    locs = find_locs(folder, base_url, sitemap, style)
    links = find_head_links(folder.files, locs, base_url)
    page_languages = find_page_languages(folder.files, links, partial(_digest_of, folder.tree))
    texts = SourceTexts(
        enabled_extensions(configuration),
        multimarkdown=folder.generator.name == "MkDocs",
        meta_files=read_meta_files(configuration),
        find_needed=folder.generator.find_needed,
    )
    sources, notes = _find_sources(folder, page_languages, texts, settings)
    first = _first_chapter(folder)
    if first in sources:
        sources.setdefault(_INDEX, sources.pop(first))
    edited, unsourced = find_edited(
        [file for file in folder.files if file.path != first],
        page_languages,
        sources,
        folder.tree.root,
        configuration.root,
        knows_documents=folder.generator.find_documents is not None,
    )
    sources |= edited
    if not settings.languages:
        notes += incomplete_links_notes(links, page_languages)
    return LocatedPages(locs, page_languages, sources, unsourced, texts, notes, first)


def collect_pages(folder: BuiltFolder, located: LocatedPages, settings: Settings, track: Track) -> CollectedPages:
    """Make the pages of a folder, without what dates them."""
    tops = {"": "root", **find_folders(folder.files, dict.fromkeys(folder.version_folders, "version"))}
    tops |= _inner_sites(folder.tree)
    in_previews = tuple(f"{each}/" for each in folder.previews)
    tops = {top: kind for top, kind in tops.items() if not top.startswith(in_previews)}
    tops |= dict.fromkeys(folder.previews, "preview")
    pages = [
        _collect(file, located, folder.generator, settings, tops)
        for file in track(folder.files, "finding sources and dates")
    ]
    notes = [*located.notes, *_front_matter_notes(pages, located.texts)]
    return CollectedPages(pages, [*notes, *_unused_options(located.sources, pages, settings)])


def _collect(
    file: HTMLFile, located: LocatedPages, generator: Generator, settings: Settings, tops: Mapping[str, str]
) -> Page:
    """Make the `Page` for a file, without what dates it.

    ``tops`` are the folders that begin a site, with their kinds: the root, versions, languages, previews and others.
    """
    source, page_language = located.sources.get(file.path), located.page_languages[file.path]
    is_first = file.path == located.first
    omit, detail = ("repeated", "") if is_first else _reason_to_omit(file, tops, source, generator, settings)
    values = located.texts.front_matter(source.file).values if source else {}
    return Page(
        loc=located.locs[file.path],
        name=source.name if source and not source.is_copy else file.path,
        source=source.file if source and not source.module else None,
        front_matter=generator.translate(values),
        markup=file.markup,
        unsourced=located.unsourced.get(file.path, ""),
        unread=file.unread,
        generated=source is None or bool(source.module),
        omit=omit,
        omit_detail=detail,
        language=page_language.other or page_language.code,
        translation="" if page_language.other else page_language.translation,
        output=file.path,
    )


def _reason_to_omit(
    file: HTMLFile, tops: Mapping[str, str], source: Source | None, generator: Generator, settings: Settings
) -> tuple[str | None, str]:
    top = posixpath.dirname(file.path)
    while top not in tops:
        top = posixpath.dirname(top)
    below = file.stem_below(top)
    by_place = tops[top] if tops[top] in {"application", "preview"} else "error-page" if below in ERROR_PAGES else ""
    if by_place or file.is_fragment:
        return by_place or "fragment", ""
    if reason := next((each for at, each in generator.omit.items() if file.path.startswith(at)), None):
        return reason, ""
    if source is None and settings.generated_pages is None and below.startswith(generator.generated):
        return "generated", f"{generator.name} makes it of other pages; the option generated_pages can list it"
    if source is None and below == _SEARCH_PAGE:
        return "search-page", ""
    if source and source.is_copy and settings.translated_share:
        return "untranslated", f"it is made from {source.name}"
    return None, ""


def _find_sources(
    folder: BuiltFolder, page_languages: Mapping[str, PageLanguage], texts: SourceTexts, settings: Settings
) -> tuple[dict[str, Source], list[Note]]:
    """The source of each page that has one, by path: from the author's patterns, or else the generator's rules."""
    found, notes = match_sources(folder.files, page_languages, settings.source, folder.configuration.root)
    if folder.generator.find_documents is None:
        return found, notes
    documents = folder.generator.find_documents(
        folder.configuration, texts.front_matter, folder.project, folder.tree.root
    )
    by_rules = find_sources(folder.files, documents)
    # A pattern may find only the original of a page whose own source the generator's rules find.
    return by_rules | {path: each for path, each in found.items() if not (each.is_copy and path in by_rules)}, notes


def _first_chapter(folder: BuiltFolder) -> str | None:
    """The path of the page that a generator writes to the home page as well; None if there is none."""
    home = next((file for file in folder.files if file.path == _INDEX), None) if folder.generator.repeats_home else None
    alike = [file.path for file in folder.files if home and file.path != _INDEX and file.title == home.title]
    digest = _digest_of(folder.tree, _INDEX) if alike else ""
    return next((path for path in alike if digest and _digest_of(folder.tree, path) == digest), None)


def _inner_sites(tree: Tree) -> Iterator[tuple[str, str]]:
    """The folders inside a site that were built separately, with their kinds; pages of applications are shells."""
    for path in tree.files(with_hidden=True, skip_unlisted=True):
        if found := _INNER_SITE.fullmatch(path):
            yield found[1], "application" if found[2] else "site"


def find_locs(
    folder: BuiltFolder,
    base_url: str,
    sitemap: FoundSitemap | None,
    style: StyleName | None,
    also: str | None = None,
) -> dict[str, str]:
    """The URL of each file, by its path: as a sitemap or a page states it, or else in the style of those, or of links.

    ``style`` applies to all pages except indexes (``guide/index.html``). So if nothing else states a URL, the sitemap
    of an earlier run of ours does so only for indexes. ``also`` is the path of a page that is not written yet.
    """
    paths = {file.path for file in folder.files}
    own = [
        (file.path, url)
        for file in folder.files
        for url in (file.markup.canonicals if file.markup and not file.markup.refresh else ())
    ]
    listed = [("", url) for url in sitemap.below(base_url)] if sitemap else []
    is_ours = sitemap is not None and sitemap.is_ours
    indexes = {file.path for file in folder.files if file.is_index}
    stated = dict(stated_urls(base_url, own if is_ours else [*listed, *own], paths))
    linked = {} if stated else dict(stated_urls(base_url, _links_at_home(folder, base_url), paths))
    earlier = dict(stated_urls(base_url, listed, indexes)) if is_ours and not stated else {}
    common = style_of(stated or linked | earlier)
    if not stated and common.folder.endswith(_INDEX):  # a link to the file itself, which also works on the disk
        common = structs.replace(common, folder="/")
    if style:
        common = structs.replace(common, page=STYLES[style].page)
        stated = {path: url for path, url in stated.items() if path in indexes}
    stated |= earlier
    return {path: stated.get(path) or write_url(path, base_url, common) for path in filter(None, [*paths, also])}


def _links_at_home(folder: BuiltFolder, base_url: str) -> Iterator[tuple[str, str]]:
    for node in parse(folder.tree.html(_INDEX) or "").document.tags("a"):
        if url := absolute_url(base_url, node.attributes.get("href") or ""):
            yield "", urldefrag(url).url


def _digest_of(tree: Tree, path: str) -> str:
    """The digest of the content of a page; empty if it cannot be read."""
    from sitemap_plugins.html.main_part import read_main_part

    html = tree.html(path)
    return "" if html is None else read_main_part(html).digest


def _front_matter_notes(pages: Sequence[Page], texts: SourceTexts) -> list[Note]:
    """Notes on invalid front matter, one for each source, even if several pages are made from it."""
    problems: dict[str, Note] = {}
    for page in pages:
        if page.source and (message := texts.front_matter(page.source).problem):
            problems.setdefault(page.source, Note(kind="front-matter", page=page.name, message=message))
    return [*problems.values()]


def _unused_options(sources: Mapping[str, Source], pages: Iterable[Page], settings: Settings) -> Iterator[Note]:
    is_set = settings.translated_share != Settings().translated_share
    is_compared = any(page.translation and page.generated for page in pages)
    if is_set and not is_compared and not any(each.is_copy for each in sources.values()):
        message = "translated_share: it has no effect here, because no page is known to be the copy of another"
        yield Note(kind="unmatched", message=message)


def leave_out_copies(
    folder: BuiltFolder,
    located: LocatedPages,
    collected: CollectedPages,
    settings: Settings,
    track: Track,
    *,
    compare_all: bool = False,
) -> CollectedPages:
    """The pages without those that only their text shows to be copies; see `find_copies`."""
    default = settings.x_default.language or default_language(located.page_languages)
    may_be_listed = [
        page
        for page in collected.pages
        if page.markup and not page.omit and not reason_in_markup(page.markup, page.loc)
    ]
    compared = may_be_listed if settings.translated_share else []
    copies: dict[str, Page] = {}
    notes: list[Note] = []
    if any(page.translation for page in compared):  # a site in one language does not even import the code
        from sitemap_plugins.translations.copies import find_copies

        copies, notes = find_copies(compared, folder.tree.html, default, track, compare_all=compare_all)
    pages = without_links_to_copies([copies.get(page.output or "", page) for page in collected.pages])
    return CollectedPages(pages, [*collected.notes, *notes])


def without_links_to_copies(pages: Sequence[Page]) -> list[Page]:
    """Remove the ``hreflang`` links to copies that are left out."""
    copies = {page_key(page.loc) for page in pages if page.omit == "untranslated"}
    if not copies:
        return [*pages]
    return [
        structs.replace(page, markup=without_links(page.markup, page.loc, copies)) if page.markup else page
        for page in pages
    ]


def default_language(page_languages: Mapping[str, PageLanguage]) -> str | None:
    """The language that most heads name as ``x-default``, or else that of the pages at the root; None if there is none.

    Pages without translations do not count.
    """
    translated = [each for each in page_languages.values() if each.translation and not each.other]
    named = Counter(each.default for each in translated if each.default is not None)
    named = named or Counter(each.code for each in translated if not each.folder)
    return max(named, key=lambda code: named[code], default=None) or None


def replaced_files(folder: BuiltFolder, sitemap: FoundSitemap | None, settings: Settings) -> tuple[list[str], str]:
    """The files of the generator's own sitemap that ours replaces, and else why it is not the generator's, if known.

    There are none if ours has another name.
    """
    generator = folder.generator
    if not sitemap or sitemap.is_ours or settings.filename not in generator.sitemaps:
        return [], ""
    if why := why_not_by(generator, sitemap, folder.files, folder.tree):
        return [], why
    folders = [os.path.join(folder.project, *each.split("/")) for each in generator.copied]
    if folder.configuration.tool:
        folders.append(folder.configuration.path("docs_dir", "docs"))
    if is_copied(sitemap.path, folder.tree, folders):
        return [], ""
    languages = [each for each in find_folders(folder.files, {}) if "/" not in each]
    found = files_of(generator, folder.tree, sitemap, folder.files, languages)
    return [path for path in found if not is_copied(path, folder.tree, folders)], ""
