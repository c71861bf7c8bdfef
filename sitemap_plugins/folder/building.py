"""The host for a built folder: finds its pages and their sources, and publishes its sitemaps."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import structs

from sitemap_plugins.folder.collecting import (
    BuiltFolder,
    collect_pages,
    default_language,
    find_locs,
    leave_out_copies,
    locate_pages,
    recognize_folder,
    replaced_files,
)
from sitemap_plugins.folder.configuration import FOLDER, Configuration, ConfigurationError, enabled_extensions
from sitemap_plugins.folder.dating import commands_notes, with_what_dates
from sitemap_plugins.folder.generators.mkdocs import not_run_notes
from sitemap_plugins.folder.generators.recognizing import GENERATORS, Generator
from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.own_sitemaps import FoundSitemap, read_top_sitemap
from sitemap_plugins.folder.site_finding import find_url, find_versions, no_pages
from sitemap_plugins.folder.source_texts import start_git
from sitemap_plugins.formats.paths import CNAME, SERVER_FILES, page_ending
from sitemap_plugins.formats.sitemap_xml import GENERATOR
from sitemap_plugins.model import Content, Markup, Note, Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Filename, Globs
from sitemap_plugins.output.ownership import conflict_with, foreign_note, is_ours
from sitemap_plugins.published.addresses import StyleName
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.previews import may_be_previews
from sitemap_plugins.published.site_url import BY_OPTION, NamedURL, url_of_pages
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session.host import HostOptions
from sitemap_plugins.session.lifecycle import BuildSession, Report
from sitemap_plugins.session.publishing import Output, Publication
from sitemap_plugins.values.tasks import Track, untracked
from sitemap_plugins.values.text import count_of, join_first
from sitemap_plugins.values.urls import page_key, quote_path, without_empty_folders

if TYPE_CHECKING:
    from sitemap_plugins.formats.page_list import PageList, PageListFile

_SHOWN: Final = 3  # replaced files in a message
_SITEMAPS: Final = ("sitemap.xml", "sitemap-index.xml")


class ExaminedFolder(BuiltFolder, frozen=True):
    """A folder with what earlier builds left in it: the sitemap, and the paths of our pages that list all pages."""

    sitemap: FoundSitemap | None
    page_lists: Sequence[str]


class BuiltSite(msgspec.Struct, frozen=True):
    """The publication, if there is one, and sentences that describe the site: its pages, its URL and its sources."""

    publication: Publication | None
    description: tuple[str, ...]


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
    names = site.generator.sitemaps[:1] if "filename" not in configuration.options else ()
    for name in filter(site.tree.is_file, names):
        # The heads of the pages link to this file, and search engines may already know it.
        settings = structs.replace(settings, filename=Filename(name))
    without_effect = options.without_effect
    if site.generator.name == "Zensical" and "sitemap_plugins.zensical" in (enabled_extensions(configuration) or ()):
        without_effect = tuple(name for name in without_effect if name != "expose")  # the extension shows the dates
    options = structs.replace(options, settings=settings, without_effect=without_effect)
    session = BuildSession(FOLDER, options, root=configuration.root, report=report)
    try:
        return _publish(site, session, style, announce_by, dry_run=dry_run, track=track)
    finally:
        session.abort()


def _examine(folder: str, configuration: Configuration, settings: Settings, track: Track) -> ExaminedFolder:
    shown = configuration.shown(folder)
    if sign := _sign_of_project(folder, configuration):
        raise ConfigurationError(
            f"{shown} contains {sign}, so it is a project, not a site; name the folder that the site is built into"
        )
    tree = Tree(folder)
    versions, previews = _sites_in(tree)
    found = [*tree.heads(versions, track=track)]
    page_lists = [file.path for file in found if file.markup and GENERATOR in file.markup.generators]
    files = [file for file in found if file.path not in page_lists]
    in_previews = tuple(f"{each}/" for each in previews)
    own = (file for file in files if not file.path.startswith(in_previews))
    if versions and all(file.markup is None or file.markup.refresh for file in own):
        raise ConfigurationError(
            f"{shown} contains versions that are built separately, such as {max(versions)}: run sitemap-plugins build "
            f"on the folder of each, then sitemap-plugins merge on {shown}"
        )
    if not files:
        raise no_pages(shown)
    site = recognize_folder(tree, files, configuration, versions, previews)
    names = [*(site.generator.sitemaps or _SITEMAPS), settings.filename]
    return ExaminedFolder(
        **structs.asdict(site), sitemap=read_top_sitemap(tree, dict.fromkeys(names)), page_lists=page_lists
    )


def _sites_in(tree: Tree) -> tuple[frozenset[str], Sequence[str]]:
    """The folders of versions and aliases, if a tool such as mike wrote a list of versions, and those of previews.

    Each version is a separate site.
    """
    has_list = tree.is_file("versions.json")
    if not has_list and not may_be_previews(tree):
        return frozenset(), ()
    found = find_versions(tree)
    return found.folders.difference(found.previews, [""]) if has_list else frozenset(), found.previews


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
    site: ExaminedFolder,
    session: BuildSession,
    style: StyleName | None,
    announce_by: str,
    *,
    dry_run: bool,
    track: Track,
) -> BuiltSite:
    settings, configuration = session.settings, site.configuration
    files = f"{count_of(len(site.files), 'HTML file')} in {configuration.shown(site.tree.root)}"
    built_by = f"{files}, built by {_name_of(site.generator, site.files)}"
    description = [built_by, *filter(None, [site.generator.advice])]
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
    located = locate_pages(site, base_url, settings, sitemap=site.sitemap, style=style)
    parts = start_git(session, configuration, located.texts, located.sources.values())
    collected = leave_out_copies(site, located, collect_pages(site, located, settings, track), settings, track)
    pages, about_dates = with_what_dates(collected.pages, located.sources, parts, site)
    description.append(_describe_sources(site, located.sources, settings))
    session.log([*collected.notes, *about_dates, *commands_notes(pages, base_url, located.texts, settings)])
    replaced, why_kept = replaced_files(site, site.sitemap, settings)
    top = {site.sitemap.path: site.sitemap} if site.sitemap else {}
    lists = (top.get(path) or read_top_sitemap(site.tree, [path]) for path in replaced if path.endswith(".xml"))
    before = {entry.loc for each in lists if each for entry in each.entries}
    # If the generator does not empty the folder, files of earlier builds remain there.
    names = [name for name in site.tree.listing("").files if not site.tree.is_page(name)]
    earlier = [*(name for name in names if is_ours(Path(site.tree.place(name)))), *site.page_lists]
    without = {*replaced, *earlier, *site.version_folders, *site.previews}
    pages += collect_files(site.tree, settings.files, base_url, without)

    about = Site(
        base_url=base_url,
        default_language=default_language(located.page_languages),
        name=name if isinstance(name := configuration.project.get("site_name"), str) else "",
        theme_reads_sitemap=site.generator.reads_sitemap,
        announce_by=announce_by,
    )
    output = Output(
        directory=site.tree.root,
        replaced=replaced,
        why_kept=why_kept,
        earlier=earlier,
        copied={CNAME}.intersection(names),
        dry_run=dry_run,
        other_sites=site.version_folders,
    )
    if settings.html:
        output, pages = _with_page_list(site, settings.html, about, output, pages, session, style)
    publication = session.publish(about, track(pages, "listing pages"), output)
    if site.sitemap and replaced and publication.summary:
        name = _name_of(site.generator, site.files)
        message = f"replaced {join_first(replaced, _SHOWN)}, which {name} wrote ({count_of(len(before), 'URL')})"
        dated = zip(site.sitemap.below(base_url), site.sitemap.entries, strict=True)
        undated = {entry.loc for entry in publication.result.entries if entry.lastmod is None}
        if lost := [loc for loc, entry in dated if entry.lastmod is not None and loc in undated]:
            has = "has" if len(lost) == 1 else "have"
            number = count_of(len(lost), "page")
            message += f"; {number} with a date there now {has} none, such as {lost[0]} (see the option source)"
        session.log([Note(kind="taken-over", message=message)])
    return BuiltSite(publication, tuple(description))


def _with_base(file: HTMLFile, written: str, base_url: str) -> HTMLFile:
    """The file, with canonical links below the base URL instead of below the one that its generator wrote."""
    links = file.markup.canonicals if file.markup else ()
    canonicals = tuple(base_url + each.removeprefix(written) if each.startswith(written) else each for each in links)
    return structs.replace(file, markup=file.markup and structs.replace(file.markup, canonicals=canonicals))


def _with_page_list(
    site: ExaminedFolder,
    name: str,
    about: Site,
    output: Output,
    pages: list[Page],
    session: BuildSession,
    style: StyleName | None,
) -> tuple[Output, list[Page]]:
    """The output and the pages with the page for the option ``html``, unless the site has another file there."""
    path = _path_of_list(name, site.files)
    files = [name for name in site.tree.listing("").files if name not in site.page_lists]
    if own := conflict_with(path, [*(page.output for page in pages if page.output), *files]):
        session.log([foreign_note(own, "html")])
        return structs.replace(output, copied={own}), pages
    file, page = _list_page(path, find_locs(site, about.base_url, site.sitemap, style, also=path)[path], about)
    return structs.replace(output, page_list=file), [*pages, page]


def _path_of_list(name: str, files: Iterable[HTMLFile]) -> str:
    """The path of the page with this name: in a folder of its own if most other pages are, too."""
    pages = [each for each in files if each.stem]
    is_in_folder = sum(each.is_index for each in pages) * 2 > len(pages)
    return f"{name}/index.html" if is_in_folder else f"{name}.html"


def _list_page(path: str, loc: str, site: Site) -> tuple[PageListFile, Page]:
    """The file for a plain page of ours, as the theme cannot be used, and the page itself, which is not written yet."""
    from sitemap_plugins.formats.page_list import PageListFile, render_plain_page

    def render(pages: PageList) -> tuple[bytes | None, list[Note]]:
        html = render_plain_page(pages, site_name=site.name, loc=loc, home=site.base_url)
        return html.encode(errors="xmlcharrefreplace"), []

    page = Page(loc=loc, name=path, markup=Markup(), content=Content(), generated=True, output=path)
    return PageListFile(path=path, loc=loc, render=render), page


def _find_base_url(site: ExaminedFolder, by_pages: NamedURL | None, session: BuildSession) -> tuple[str | None, str]:
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


def collect_files(tree: Tree, wanted: Globs, base_url: str, without: Collection[str]) -> Iterator[Page]:
    """The files other than pages that match the option ``files``. Its globs match paths with forward slashes.

    ``without`` are the paths of files and folders to skip. Raises OSError if a folder cannot be listed.
    """
    for path in tree.files(without=without) if wanted.patterns else ():
        is_other = path not in SERVER_FILES and path not in without and not tree.is_page(path)
        if is_other and wanted.matches(path):
            yield Page(loc=base_url + quote_path(path), name=path, output=path)


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
