"""The host for a built folder: finds its pages and their sources, and publishes its sitemaps."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urldefrag

import msgspec
from msgspec import structs

from sitemap_plugins.folder.configuration import FOLDER, Configuration, ConfigurationError
from sitemap_plugins.folder.edit_links import find_edited
from sitemap_plugins.folder.front_matter import read_meta_files
from sitemap_plugins.folder.generators.mkdocs import not_run_notes, read_blogs
from sitemap_plugins.folder.generators.recognizing import (
    GENERATORS,
    Generator,
    find_project,
    recognize_generator,
)
from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.includes import enabled_extensions
from sitemap_plugins.folder.own_sitemaps import FoundSitemap, files_of, is_by, is_copied, read_top_sitemap
from sitemap_plugins.folder.pages import (
    collect,
    collect_files,
    default_language,
    with_listed,
    without_build_dates,
    without_links_to_copies,
)
from sitemap_plugins.folder.site_finding import find_url, no_pages
from sitemap_plugins.folder.source_texts import Parts, SourceTexts, start_git
from sitemap_plugins.folder.sources import find_sources, match_sources
from sitemap_plugins.formats.paths import CNAME, page_ending
from sitemap_plugins.formats.sitemap_xml import GENERATOR
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.model import Note, Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Filename
from sitemap_plugins.output.ownership import conflict_with, foreign_note, is_ours
from sitemap_plugins.pages.omit import reason_in_markup
from sitemap_plugins.published.addresses import STYLES, StyleName, stated_urls, style_of, write_url
from sitemap_plugins.published.folders import find_folders
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.site_url import BY_OPTION, NamedURL, url_of_pages
from sitemap_plugins.published.translations import (
    PageLanguage,
    find_head_links,
    find_page_languages,
    incomplete_links_notes,
)
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session.host import HostOptions
from sitemap_plugins.session.lifecycle import BuildSession, Report
from sitemap_plugins.session.publishing import Output, Publication
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.text import count_of, join_words
from sitemap_plugins.values.urls import absolute_url, page_key, without_empty_folders

FindParts: TypeAlias = Callable[[SourceTexts, Collection[Source]], Mapping[str, Parts]]
"""Returns what each of these sources is made of, by its file, given what their texts say."""

_INDEX: Final = "index.html"
_SITEMAPS: Final = ("sitemap.xml", "sitemap-index.xml")
_INNER_SITE: Final = re.compile(
    r"(.+)/(?:sitemap\.xml|searchindex[^/]*\.js"  # of Sphinx and mdBook
    r"|(jupyter-lite\.json|sb-manager/runtime\.js))"  # of JupyterLite and Storybook
)


class BuiltSite(msgspec.Struct, frozen=True):
    """The publication, if there is one, and sentences that describe the site: its pages, its URL and its sources."""

    publication: Publication | None
    description: tuple[str, ...]


class Collected(msgspec.Struct, frozen=True):
    """The pages of a folder in the order of its files, their languages and sources by their paths, and notes."""

    pages: Sequence[Page]
    page_languages: Mapping[str, PageLanguage]
    sources: Mapping[str, Source]
    notes: Sequence[Note]


class BuiltFolder(msgspec.Struct, frozen=True):
    """A built folder: its tree, its pages, its generator, and the sitemap and configuration found for it.

    ``project`` is the folder of the generator's configuration. ``version_folders`` are paths of folders that
    are separate sites. ``page_lists`` are the paths of pages that list all pages, which earlier runs wrote.
    """

    tree: Tree
    files: Sequence[HTMLFile]
    generator: Generator
    sitemap: FoundSitemap | None
    configuration: Configuration
    project: str
    version_folders: frozenset[str]
    page_lists: Sequence[str]


def build_site(
    folder: str,
    configuration: Configuration,
    options: HostOptions,
    report: Report,
    *,
    style: StyleName | None = None,
    announce_by: str = "",
    dry_run: bool = False,
    track: Track = untracked,
) -> BuiltSite:
    """Write the sitemaps of the site in ``folder``, an absolute path. With ``dry_run``, nothing is written.

    ``announce_by`` is as in `Site`. ``track`` sees each loop over pages.
    Raises `ConfigurationError` if the folder is not a site, and OSError if the disk fails. Notes go to ``report``.
    """
    settings = options.settings
    site = _examine(folder, configuration, settings, track)
    if site.generator.sitemaps and "filename" not in configuration.options:
        # The heads of the pages link to this file, and search engines may already know it.
        settings = structs.replace(settings, filename=Filename(site.generator.sitemaps[0]))
    without_effect = options.without_effect
    if site.generator.name == "Zensical" and "sitemap_plugins.zensical" in (enabled_extensions(configuration) or ()):
        without_effect = tuple(name for name in without_effect if name != "expose")  # the extension shows the dates
    options = structs.replace(options, settings=settings, without_effect=without_effect)
    session = BuildSession(FOLDER, options, root=configuration.root, report=report)
    try:
        return _publish(site, session, style, announce_by, dry_run=dry_run, track=track)
    finally:
        session.abort()


def _examine(folder: str, configuration: Configuration, settings: Settings, track: Track) -> BuiltFolder:
    shown = configuration.shown(folder)
    if sign := _sign_of_project(folder, configuration):
        raise ConfigurationError(
            f"{shown} contains {sign}, so it is a project, not a site; name the folder that the site is built into"
        )
    tree = Tree(folder)
    versions = _version_folders(tree)
    found = [*tree.heads(versions, track=track)]
    page_lists = [file.path for file in found if file.markup and GENERATOR in file.markup.generators]
    files = [file for file in found if file.path not in page_lists]
    if versions and all(file.markup is None or file.markup.refresh for file in files):
        raise ConfigurationError(
            f"{shown} contains versions that are built separately, such as {max(versions)}: run sitemap-plugins build "
            f"on the folder of each, then sitemap-plugins merge on {shown}"
        )
    if not files:
        raise no_pages(shown)
    return examine_folder(tree, files, configuration, settings.filename, versions, page_lists)


def examine_folder(
    tree: Tree,
    files: Sequence[HTMLFile],
    configuration: Configuration,
    filename: str | None = None,
    version_folders: frozenset[str] = frozenset(),
    page_lists: Sequence[str] = (),
) -> BuiltFolder:
    """A folder with what is found for it. Without a ``filename``, its own sitemap is not read."""
    generator = recognize_generator((file.markup for file in files if file.markup), configuration, tree.root)
    names = generator.sitemaps or _SITEMAPS
    sitemap = read_top_sitemap(tree, dict.fromkeys([*names, filename])) if filename else None
    project = find_project(generator, tree.root, configuration.root)
    return BuiltFolder(tree, files, generator, sitemap, configuration, project, version_folders, page_lists)


def _version_folders(tree: Tree) -> frozenset[str]:
    """The folders of versions and aliases, if a tool such as mike wrote a list of versions. Each is a separate site."""
    if not tree.is_file("versions.json"):
        return frozenset()
    from sitemap_plugins.versions.recognizing import recognize

    return recognize(tree).folders - {""}


def _sign_of_project(folder: str, configuration: Configuration) -> str | None:
    """The name of a file or folder that shows that this is a project, not a built site; None if there is none."""
    if configuration.file and os.path.dirname(configuration.file) == folder:
        return configuration.name
    # Some sites contain such a file too, but they have a page beside it.
    if any(map(page_ending, os.listdir(folder))):
        return None
    patterns = (pattern for each in GENERATORS for pattern in each.configurations)
    return next((file.name for pattern in (*patterns, ".git") for file in Path(folder).glob(pattern)), None)


def _publish(
    site: BuiltFolder, session: BuildSession, style: StyleName | None, announce_by: str, *, dry_run: bool, track: Track
) -> BuiltSite:
    settings, configuration = session.settings, site.configuration
    description = [_describe(site), *filter(None, [site.generator.advice])]
    if site.generator.name == "MkDocs" and configuration.plugins("sitemap"):
        description.append(f"{configuration.name} enables the plugin, so builds with MkDocs already write the sitemap")
    by_pages, _ = url_of_pages(site.files)
    if site.generator.name == "Zensical":
        session.log(not_run_notes(configuration))
    base_url, place = _find_base_url(site, by_pages, session)
    if base_url is None:
        return BuiltSite(None, tuple(description))
    description.append(f"URL: {base_url}, from {place}")

    if by_pages and without_empty_folders(by_pages.url) == base_url != by_pages.url:
        site = structs.replace(site, files=[_with_base(file, by_pages.url, base_url) for file in site.files])
    find_parts = partial(start_git, session, configuration)
    collected = collect_pages(site, base_url, settings, style, find_parts, track)
    collected = leave_out_copies(site, collected, settings, track)
    description.append(_describe_sources(site, collected.sources, settings))
    session.log(collected.notes)
    pages = [*collected.pages]
    replaced = replaced_files(site, settings)
    # If the generator does not empty the folder, files of earlier builds remain there.
    names = [name for name in site.tree.listing("").files if not site.tree.is_page(name)]
    earlier = [*(name for name in names if is_ours(Path(site.tree.place(name)))), *site.page_lists]
    pages += collect_files(site.tree, settings.files, base_url, {*replaced, *earlier, *site.version_folders})

    about = Site(
        base_url=base_url,
        default_language=default_language(collected.page_languages),
        name=name if isinstance(name := configuration.project.get("site_name"), str) else "",
        theme_reads_sitemap=site.generator.reads_sitemap,
        announce_by=announce_by,
    )
    output = Output(
        directory=site.tree.root,
        replaced=replaced,
        earlier=earlier,
        copied={CNAME}.intersection(names),
        dry_run=dry_run,
        other_sites=site.version_folders,
    )
    if settings.html:
        output, pages = _with_page_list(site, settings.html, about, output, pages, session, style)
    publication = session.publish(about, track(pages, "listing pages"), output)
    if site.sitemap and replaced and publication.summary:
        message = f"replaced {join_words(replaced)}, which {_name_of(site.generator, site.files)} wrote"
        dated = zip(site.sitemap.below(base_url), site.sitemap.entries, strict=True)
        undated = {entry.loc for entry in publication.result.entries if entry.lastmod is None}
        if lost := [loc for loc, entry in dated if entry.lastmod is not None and loc in undated]:
            has = "has" if len(lost) == 1 else "have"
            number = count_of(len(lost), "page")
            message += f"; {number} with a date there now {has} none, such as {lost[0]} (see the option source)"
        session.log([Note(kind="taken-over", message=message)])
    return BuiltSite(publication, tuple(description))


def collect_pages(
    site: BuiltFolder, base_url: str, settings: Settings, style: StyleName | None, find_parts: FindParts, track: Track
) -> Collected:
    """Make the pages of a folder, with their sources. ``find_parts`` returns what each source is made of."""
    configuration = site.configuration
    locs = _locate(site, base_url, style)
    links = find_head_links(site.files, locs, base_url)
    page_languages = find_page_languages(site.files, links, partial(_digest_of, site.tree))
    texts = SourceTexts(
        enabled_extensions(configuration),
        multimarkdown=site.generator.name == "MkDocs",
        meta_files=read_meta_files(configuration),
        find_needed=site.generator.find_needed,
    )
    sources, notes = _find_sources(site, page_languages, texts, settings)
    sources |= find_edited(site.files, page_languages, sources, site.tree.root, configuration.root)
    parts = find_parts(texts, sources.values())
    tops = {"": "root", **find_folders(site.files, dict.fromkeys(site.version_folders, "version"))}
    tops |= _inner_sites(site.tree)
    if not settings.languages:
        notes += incomplete_links_notes(links, page_languages)
    pages = [
        collect(
            file,
            locs[file.path],
            page_languages[file.path],
            sources.get(file.path),
            parts,
            texts,
            site.generator,
            settings,
            tops,
        )
        for file in track(site.files, "finding sources and dates")
    ]
    notes += _front_matter_notes(pages, texts)
    notes += _unused_options(sources, pages, settings)
    pages = with_listed(pages, read_blogs(configuration), site.tree)
    pages, about_dates = without_build_dates(pages)
    return Collected(pages, page_languages, sources, [*notes, *about_dates])


def _digest_of(tree: Tree, path: str) -> str:
    """The digest of the content of a page; empty if it cannot be read."""
    from sitemap_plugins.html.main_part import read_main_part

    html = tree.html(path)
    return "" if html is None else read_main_part(html).digest


def leave_out_copies(
    site: BuiltFolder, collected: Collected, settings: Settings, track: Track, *, compare_all: bool = False
) -> Collected:
    """The pages without those that only their text shows to be copies; see `find_copies`."""
    default = settings.x_default.language or default_language(collected.page_languages)
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

        copies, notes = find_copies(compared, site.tree.html, default, track, compare_all=compare_all)
    pages = without_links_to_copies([copies.get(page.output or "", page) for page in collected.pages])
    return structs.replace(collected, pages=pages, notes=[*collected.notes, *notes])


def _with_base(file: HTMLFile, written: str, base_url: str) -> HTMLFile:
    """The file, with canonical links below the base URL instead of below the one that its generator wrote."""
    links = file.markup.canonicals if file.markup else ()
    canonicals = tuple(base_url + each.removeprefix(written) if each.startswith(written) else each for each in links)
    return structs.replace(file, markup=file.markup and structs.replace(file.markup, canonicals=canonicals))


def _inner_sites(tree: Tree) -> Iterator[tuple[str, str]]:
    """The folders inside a site that were built separately, with their kinds; pages of applications are shells."""
    for path in tree.files(with_hidden=True, skip_unlisted=True):
        if found := _INNER_SITE.fullmatch(path):
            yield found[1], "application" if found[2] else "site"


def _with_page_list(
    site: BuiltFolder,
    name: str,
    about: Site,
    output: Output,
    pages: list[Page],
    session: BuildSession,
    style: StyleName | None,
) -> tuple[Output, list[Page]]:
    """The output and the pages with the page for the option ``html``, unless the site has another file there."""
    from sitemap_plugins.folder.page_list import list_page, path_of_list

    path = path_of_list(name, site.files)
    files = [name for name in site.tree.listing("").files if name not in site.page_lists]
    if own := conflict_with(path, [*(page.output for page in pages if page.output), *files]):
        session.log([foreign_note(own, "html")])
        return structs.replace(output, copied={own}), pages
    file, page = list_page(path, _locate(site, about.base_url, style, also=path)[path], about)
    return structs.replace(output, page_list=file), [*pages, page]


def _unused_options(sources: Mapping[str, Source], pages: Iterable[Page], settings: Settings) -> Iterator[Note]:
    is_set = settings.translated_share != Settings().translated_share
    is_compared = any(page.translation and page.generated for page in pages)
    if is_set and not is_compared and not any(each.is_copy for each in sources.values()):
        message = "translated_share: it has no effect here, because no page is known to be the copy of another"
        yield Note(kind="unmatched", message=message)


def _find_base_url(site: BuiltFolder, by_pages: NamedURL | None, session: BuildSession) -> tuple[str | None, str]:
    """The base URL, and the name of the place that it comes from. ``by_pages`` is that of `url_of_pages`."""
    if option := session.settings.base_url:
        if by_pages and page_key(by_pages.url) != page_key(option):
            message = (
                f"base_url is {option}, but the canonical links of the pages lead to {by_pages.url}: build the site "
                "for the URL at which it will be published, or change base_url"
            )
            session.log([Note(kind="base-url", message=message)])
        return option, BY_OPTION
    named = find_url(site.tree, site.files, site.configuration, site.sitemap.path if site.sitemap else None)
    named_url, where, is_written = (named.url, named.place, named.is_written) if named else (None, "", True)
    base_url, notes = session.find_base_url(named_url, where, is_written=is_written)
    session.log(notes)
    return base_url, named.place if named else session.deployment.canonical_variable


def _locate(site: BuiltFolder, base_url: str, style: StyleName | None, also: str | None = None) -> dict[str, str]:
    """The URL of each file, by its path. ``style`` applies to all pages except indexes (``guide/index.html``).

    ``also`` is the path of a page that is not written yet.
    """
    paths = {file.path for file in site.files}
    # The URLs in a sitemap of ours may be in a style that an earlier run was asked for.
    listed = [("", url) for url in site.sitemap.below(base_url)] if site.sitemap and not site.sitemap.is_ours else []
    own = [
        (file.path, url)
        for file in site.files
        for url in (file.markup.canonicals if file.markup and not file.markup.refresh else ())
    ]
    stated = dict(stated_urls(base_url, [*listed, *own], paths))
    common = style_of(stated or dict(stated_urls(base_url, _links_at_home(site, base_url), paths)))
    if not stated and common.folder.endswith(_INDEX):  # a link to the file itself, which also works on the disk
        common = structs.replace(common, folder="/")
    if style:
        common = structs.replace(common, page=STYLES[style].page)
        stated = {file.path: stated[file.path] for file in site.files if file.is_index and file.path in stated}
    return {path: stated.get(path) or write_url(path, base_url, common) for path in filter(None, [*paths, also])}


def _links_at_home(site: BuiltFolder, base_url: str) -> Iterator[tuple[str, str]]:
    """The URLs to which the home page links."""
    for node in parse(site.tree.html(_INDEX) or "").document.tags("a"):
        if url := absolute_url(base_url, node.attributes.get("href") or ""):
            yield "", urldefrag(url).url


def _find_sources(
    site: BuiltFolder, page_languages: Mapping[str, PageLanguage], texts: SourceTexts, settings: Settings
) -> tuple[dict[str, Source], list[Note]]:
    """The source of each page that has one, by path: from the author's patterns, or else the generator's rules."""
    found, notes = match_sources(site.files, page_languages, settings.source, site.configuration.root)
    if site.generator.find_documents is None:
        return found, notes
    documents = site.generator.find_documents(site.configuration, texts.front_matter, site.project, site.tree.root)
    by_rules = find_sources(site.files, documents)
    # A pattern may find only the original of a page whose own source the generator's rules find.
    return by_rules | {path: each for path, each in found.items() if not (each.is_copy and path in by_rules)}, notes


def _front_matter_notes(pages: Sequence[Page], texts: SourceTexts) -> list[Note]:
    """Notes on invalid front matter, one for each source, even if several pages are made from it."""
    problems: dict[str, Note] = {}
    for page in pages:
        if page.source and (message := texts.front_matter(page.source).problem):
            problems.setdefault(page.source, Note(kind="front-matter", page=page.name, message=message))
    return [*problems.values()]


def replaced_files(site: BuiltFolder, settings: Settings) -> list[str]:
    """The files of the generator's own sitemap that ours replaces. There are none if ours has another name."""
    generator, sitemap = site.generator, site.sitemap
    if not sitemap or settings.filename not in generator.sitemaps:
        return []
    if not is_by(generator, sitemap, site.files, site.tree):
        return []
    folders = [os.path.join(site.project, *folder.split("/")) for folder in generator.copied]
    if site.configuration.tool:
        folders.append(site.configuration.path("docs_dir", "docs"))
    if is_copied(sitemap.path, site.tree, folders):
        return []
    return [path for path in files_of(generator, site.tree, sitemap) if not is_copied(path, site.tree, folders)]


def _describe(site: BuiltFolder) -> str:
    files = f"{count_of(len(site.files), 'HTML file')} in {site.configuration.shown(site.tree.root)}"
    return f"{files}, built by {_name_of(site.generator, site.files)}"


def _name_of(generator: Generator, files: Sequence[HTMLFile]) -> str:
    """The name of the generator. If no page names it, as after an aborted build, two read the same configuration."""
    named = [text for file in files if file.markup for text in file.markup.generators]
    is_either = generator.name == "MkDocs" and not generator.is_named_by(named)
    return "MkDocs or Zensical" if is_either else generator.name


def _describe_sources(site: BuiltFolder, sources: Mapping[str, Source], settings: Settings) -> str:
    if not sources:
        hint = "" if settings.source else "; add edit links to the pages, or set the option source"
        return f"sources: none found, so no page has a date from git{hint}"
    common = os.path.commonpath([os.path.dirname(source.file) for source in sources.values()])
    place = site.configuration.shown(common)
    return f"sources: found for {len(sources):,} of {len(site.files):,} files, in {place}"
