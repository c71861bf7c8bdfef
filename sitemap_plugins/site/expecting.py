"""Tells what a build of a published tree would list, without building anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import structs

from sitemap_plugins.folder.building import collect_pages, examine_folder, leave_out_copies, replaced_files
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.own_sitemaps import read_top_sitemap
from sitemap_plugins.folder.site_finding import site_url_of
from sitemap_plugins.folder.source_texts import Parts
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.model import Site
from sitemap_plugins.pages.crawl_rules import CrawlRules, Served
from sitemap_plugins.pipeline import choose
from sitemap_plugins.published.site_url import NamedURL
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.published.witnesses import find_site_url
from sitemap_plugins.session.host import HostOptions
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.urls import root_of
from sitemap_plugins.versions.version import Versions


class Verdict(msgspec.Struct, frozen=True):
    """Why a build would leave a page out: a key of `REASONS`, and a detail for the message."""

    key: str
    detail: str = ""


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What a build of the pages would do, by the paths of their files.

    ``base`` is the URL of the root; if it is None, it is unknown, and so is everything else. ``crawl_rules`` are those
    of robots.txt and the host files, as far as crawlers and servers read these. ``verdicts`` are the pages that it
    would leave out, ``locs`` the URLs that it would list, ``urls`` those of all pages, ``sources`` the absolute paths
    of the files that pages are made from. ``built_dates`` are the dates of their last change that pages give, if most
    pages give the same, which is then that of a build. ``unclear`` are sentences on pages that may be copies.
    ``generator`` is the name of the generator in messages, and ``replaced`` are the files of its own sitemap, which
    a build would replace because the project enables the plugin.
    """

    base: NamedURL | None = None
    crawl_rules: CrawlRules = CrawlRules()
    verdicts: Mapping[str, Verdict] = {}
    locs: Mapping[str, str] = {}
    urls: Mapping[str, str] = {}
    sources: Mapping[str, str] = {}
    built_dates: Mapping[str, str] = {}
    unclear: Mapping[str, str] = {}
    generator: str = ""
    replaced: Sequence[str] = ()


def expect(
    tree: Tree,
    configuration: Configuration,
    options: HostOptions,
    base: NamedURL | None = None,
    *,
    versions: Versions,
    default: NamedURL | None = None,
    served: Mapping[str, Served] | None = None,
    track: Track = untracked,
) -> Expected:
    """What a build of the pages in a tree would do. All heads are read.

    ``configuration`` is the one of their project, or an empty one. ``base`` is their URL, if it is known; ``default``
    is used if no file tells it. ``versions`` are those in the tree. ``served`` are the answers of the server, if the
    tree has what it sent. Raises `ConfigurationError`, and OSError if the disk fails.
    """
    files = {file.path: file for file in tree.heads(with_hidden=True, track=track)}
    configured = site_url_of(configuration)
    found = [*files.values()]
    base = base or find_site_url(tree, found, configured=configured, by_versions=versions.root_url) or default
    if base is None:
        return Expected()
    rules = CrawlRules()
    # Elsewhere, neither crawlers nor servers read these files. A robots.txt that blocks everything counts, too.
    if base.url == root_of(base.url) or served is not None:
        rules = CrawlRules(None if tree.robots is None else RobotsTxt(tree.robots), tree.host_files, served)
    settings = structs.replace(options.settings, lastmod=())
    folder = examine_folder(tree, found, configuration, version_folders=versions.folders)
    # No page gets a date from git, so nothing dates its source.
    collected = collect_pages(
        folder, base.url, settings, None, lambda _, sources: {each.file: Parts() for each in sources}, track
    )
    collected = leave_out_copies(folder, collected, settings, track, compare_all=True)
    # Not before: the URLs in it must not decide on those of pages.
    names = folder.generator.sitemaps if configuration.plugins("sitemap") else ()
    replaced = replaced_files(structs.replace(folder, sitemap=read_top_sitemap(tree, names)), settings)
    pages = collected.pages
    chosen = choose(Site(base_url=base.url), pages, settings, rules, adjust=options.adjusters)
    locs = {each.page.output: each.entry.loc for each in chosen.listed if each.page.output}
    return Expected(
        base=base,
        crawl_rules=rules,
        verdicts={each.page.output: Verdict(each.key, each.detail) for each in chosen.omitted if each.page.output},
        locs=locs,
        urls={page.output: page.loc for page in pages if page.output} | locs,
        built_dates={
            page.output: before.modified[0]
            for page in pages
            if page.output and page.markup and (before := files[page.output].markup)
            if before.modified and not page.markup.modified
        },
        sources={page.output: page.source for page in pages if page.output and page.source},
        unclear={note.page: note.message for note in collected.notes if note.kind == "untranslated" and note.page},
        generator=folder.generator.name,
        replaced=replaced,
    )
