"""A published site: what lies in its folder or was sent by its server, and what a build of its pages would list."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import structs

from sitemap_plugins.folder.collecting import (
    BuiltFolder,
    CollectedPages,
    LocatedPages,
    collect_pages,
    leave_out_copies,
    locate_pages,
    recognize_folder,
    replaced_files,
)
from sitemap_plugins.folder.configuration import FOLDER, Configuration
from sitemap_plugins.folder.dating import with_what_dates, without_build_dates
from sitemap_plugins.folder.own_sitemaps import read_top_sitemap
from sitemap_plugins.folder.site_finding import site_url_of
from sitemap_plugins.folder.source_texts import start_git
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.git.dates import head_date
from sitemap_plugins.model import Dated, Entry, Markup, Page, Site
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.pages.canonical import canonical_elsewhere
from sitemap_plugins.pages.crawl_rules import CrawlRules, Served
from sitemap_plugins.pages.omit import reason_in_markup
from sitemap_plugins.pipeline import Chosen, choose
from sitemap_plugins.published.addresses import URLStyle, meant, write_url
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.site_url import BY_ARGUMENT, BY_OPTION, NamedURL
from sitemap_plugins.published.sitemaps import SitemapFile, SitemapLine, find_sitemaps, is_of_media, sitemap_lines
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.published.witnesses import find_site_url
from sitemap_plugins.session.deployment import read_deployment
from sitemap_plugins.session.host import HostOptions
from sitemap_plugins.session.lifecycle import BuildSession
from sitemap_plugins.values.tasks import Track, untracked
from sitemap_plugins.values.urls import file_path, normalize_url, path_in, root_of
from sitemap_plugins.versions.recognizing import recognize
from sitemap_plugins.versions.version import Versions

if TYPE_CHECKING:
    from sitemap_plugins.live.site import LiveSite

_MAY_BE_LISTED: Final = frozenset({"generated", "search-page"})


class Verdict(msgspec.Struct, frozen=True):
    """Why a build would leave a page out: a key of `REASONS`, and a detail for the message."""

    key: str
    detail: str = ""


class ListedURL(msgspec.Struct, frozen=True):
    """One entry of a sitemap: where it is, and the file that a server sends for it, if there is one."""

    sitemap: str
    entry: Entry
    line: int
    column: int
    file: str | None

    @property
    def loc(self) -> str:
        """The URL as listed, in its normal form."""
        return normalize_url(self.entry.loc)


class PublishedSite(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A published tree with the versions below its root. ``pages`` are all HTML files by path, hidden ones included.

    ``project`` is the configuration of its project, or an empty one, and ``options`` are those in it. ``base`` is the
    URL of the root, None if it is unknown. ``served`` are the answers by URL if the tree has what a server sent, which
    is not the whole site; ``built`` are then the sitemaps that it should send, if they are known. ``asked`` is how many
    listed URLs the server was asked for, and ``not_asked`` are the others beyond a limit.

    All else is read or made when it is asked for; ``track`` sees the loops over pages. Raises `ConfigurationError` if
    the project is not usable, and OSError if the disk fails. Nothing is known about what a build would do if the URL of
    the site is unknown.
    """

    tree: Tree
    pages: Mapping[str, HTMLFile]
    versions: Versions
    project: Configuration
    options: HostOptions
    base: NamedURL | None
    served: Mapping[str, Served] | None = None
    built: Sequence[SitemapFile] | None = None
    asked: int = 0
    not_asked: frozenset[str] = frozenset()
    track: Track = untracked

    @property
    def base_url(self) -> str:
        """The URL of the root; empty if it is unknown."""
        return self.base.url if self.base else ""

    @cached_property
    def crawl_rules(self) -> CrawlRules:
        """The rules of robots.txt and the host files, as far as crawlers and servers read these: only at the root.

        A robots.txt that blocks everything counts, too.
        """
        if self.base is None or not (self.is_at_root or self.served is not None):
            return CrawlRules()
        robots = None if self.tree.robots is None else RobotsTxt(self.tree.robots)
        return CrawlRules(robots, self.tree.host_files, self.served)

    @property
    def is_at_root(self) -> bool:
        """Whether the site is published at the root of its host, where robots.txt and the host files count."""
        return bool(self.base_url) and self.base_url == root_of(self.base_url)

    @cached_property
    def robots_lines(self) -> Sequence[SitemapLine]:
        """The ``Sitemap:`` lines of robots.txt."""
        return sitemap_lines(self.tree.robots)

    @cached_property
    def sitemaps(self) -> Mapping[str, SitemapFile]:
        """All sitemaps, announced or not, in the order of their paths, without those that only a preview has."""
        found = find_sitemaps(self.tree, self.base_url or None, self.robots_lines)
        return {path: each for path, each in found.items() if each.announced_by or not self.is_in_preview(path)}

    @cached_property
    def other_roots(self) -> tuple[str, ...]:
        """The other URLs of the root, by the ``Sitemap`` lines for sitemaps that are in this folder (SM-XS-01)."""
        roots = (
            line.url[: -len(path)]
            for line in self.robots_lines
            for path in self.sitemaps
            if "://" in line.url and line.url.endswith(f"/{path}") and not line.url.startswith(self.base_url)
        )
        return tuple(dict.fromkeys(roots))

    @cached_property
    def listed(self) -> Sequence[ListedURL]:
        """The entries of the announced sitemaps."""
        return [*listed_urls(self)]

    @cached_property
    def version_folders(self) -> AbstractSet[str]:
        """The folders of versions, their aliases and previews, except the root."""
        return self.versions.folders - {""}

    @cached_property
    def _folder(self) -> BuiltFolder:
        return recognize_folder(
            self.tree, [*self.pages.values()], self.project, self.versions.folders, self.versions.previews
        )

    @cached_property
    def _located(self) -> LocatedPages:
        # The URLs in the sitemaps, which are checked, must not decide on those of pages.
        return locate_pages(self._folder, self.base_url, self.options.settings)

    @cached_property
    def _collected(self) -> CollectedPages:
        if self.base is None:
            return CollectedPages((), ())
        folder, located, settings = self._folder, self._located, self.options.settings
        collected = collect_pages(folder, located, settings, self.track)
        return leave_out_copies(folder, located, collected, settings, self.track, compare_all=True)

    @cached_property
    def _chosen(self) -> Chosen:
        site, options = Site(base_url=self.base_url), self.options
        return choose(site, self._collected.pages, options.settings, self.crawl_rules, adjust=options.adjusters)

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Why a build would leave out pages, by the paths of their files."""
        omitted = self._chosen.omitted
        return {each.page.output: Verdict(each.key, each.detail) for each in omitted if each.page.output}

    @cached_property
    def locs(self) -> Mapping[str, str]:
        """The URLs that a build would list, by the paths of the files."""
        return {each.page.output: each.entry.loc for each in self._chosen.listed if each.page.output}

    @cached_property
    def urls(self) -> Mapping[str, str]:
        """The URLs of all pages, by the paths of their files."""
        return {page.output: page.loc for page in self._collected.pages if page.output} | dict(self.locs)

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The absolute paths of the files that pages are made from, by the paths of the pages' files."""
        return {page.output: page.source for page in self._collected.pages if page.output and page.source}

    @cached_property
    def unsourced(self) -> Mapping[str, str]:
        """Why pages have no source, by the paths of their files."""
        return {page.output: page.unsourced for page in self._collected.pages if page.output and page.unsourced}

    def date_of(self, file: str | None) -> tuple[Page, Dated] | None:
        """The page in a file with its date, as a build would find it; None if it is unknown. Reads the history."""
        if self.base is None:
            return None
        collected, located = self._collected, self._located
        session = BuildSession(FOLDER, self.options, root=self.project.root, report=lambda _level, _note: None)
        try:
            parts = start_git(session, self.project, located.texts, located.sources.values())
            pages, _ = with_what_dates(collected.pages, located.sources, parts, self._folder)
            about = Site(base_url=self.base_url, as_of=session.dating.now)
            return next(session.dating.dated(about, [page for page in pages if page.output == file]), None)
        finally:
            session.abort()

    @cached_property
    def unclear(self) -> Mapping[str, str]:
        """Sentences on pages that may be copies of others, by the paths of their files."""
        notes = (note for note in self._collected.notes if note.kind == "untranslated")
        return {note.page: note.message for note in notes if note.page}

    @cached_property
    def with_build_date(self) -> AbstractSet[str]:
        """The files of the pages that give the date of a build as that of their last change."""
        kept, _ = without_build_dates(self._collected.pages)
        return {
            page.output
            for page, left in zip(self._collected.pages, kept, strict=True)
            if page.output and page.markup and left.markup and page.markup.modified and not left.markup.modified
        }

    @cached_property
    def as_of(self) -> datetime | None:
        """The date that counts as "now": that of the project's HEAD or ``SOURCE_DATE_EPOCH``, whichever is later.

        Without a project, the folder of the configuration is that of the site, whose history is another one.
        """
        head = head_date(self.project.root) if self.project.root != self.tree.root else None
        return max(filter(None, (head, read_deployment(os.environ).as_of)), default=None)

    @property
    def generator(self) -> str:
        """The name of the generator in messages."""
        return self._folder.generator.name

    @cached_property
    def is_by_plugin(self) -> bool:
        """Whether a build with MkDocs or Sphinx wrote an announced sitemap: it knew more about pages than files show.

        A project whose mkdocs.yml does not enable the plugin lists its folder with ``build``, which knows no more.
        """
        if self.generator not in {"MkDocs", "Sphinx"} or (self.project.file and not self.project.plugins("sitemap")):
            return False
        lists = (each.path for each in self.announced_sitemaps if each.kind == "urlset")
        return any(is_ours(Path(self.tree.place(path))) for path in lists)

    @property
    def replaced(self) -> Sequence[str]:
        """The files of the generator's own sitemap, which a build would replace if the project enables the plugin."""
        names = self._folder.generator.sitemaps if self.project.plugins("sitemap") else ()
        replaced, _ = replaced_files(self._folder, read_top_sitemap(self.tree, names), self.options.settings)
        return replaced

    def below(self, url: str) -> str | None:
        """The decoded path of a URL below the root; None if it is elsewhere."""
        return file_path(self.base_url, url) if self.base else None

    def file_at(self, url: str) -> str | None:
        """The file that is `meant` by a URL; None if there is none below the base URL, or a server got a query."""
        path = None if self.served is not None and "?" in url.partition("#")[0] else self.below(url)
        return None if path is None else self.file_of(path)

    def file_of(self, path: str) -> str | None:
        """The file that is `meant` by a decoded path below the root, in its own folder; None if there is none."""
        found = meant(path, self.tree.is_file)
        folder, _, name = (found or "").rpartition("/")
        return path_in(self.tree.real_folder(folder) or "", name) if found else None

    def markup_of(self, file: str | None) -> Markup | None:
        """The markup of a page by its file; None if there is no such page, or it was not read."""
        page = self.pages.get(file or "")
        return page.markup if page else None

    def verdict_at(self, url: str, file: str | None) -> Verdict | None:
        """Why a build would leave out the page that a URL leads to; None if it would not.

        If that is through a link to a folder, as with an alias of mike, the URL is not the one that a build of the root
        would give the page. Its canonical link is judged by the URL all the same. A finished site may list search pages
        and what a tool generates, unless such a page itself says otherwise, so that comes first. What a server sent
        decides alone if it is not kept as a page.
        """
        if answer := (self.served or {}).get(url):
            if hidden := self.crawl_rules.noindex(url):
                return Verdict("noindex", hidden)
            if answer.markup:
                own = reason_in_markup(answer.markup, url)
                return Verdict(*own) if own else None
        verdict, markup = self.verdicts.get(file or ""), self.markup_of(file)
        if verdict and verdict.key in _MAY_BE_LISTED and markup:
            own = reason_in_markup(markup, url)
            return Verdict(*own) if own else verdict
        if not markup or (verdict and verdict.key != "canonical"):
            return verdict
        if meant(self.below(url) or "", self.tree.is_file) == file or self.file_at(url) != file:
            return verdict
        elsewhere = canonical_elsewhere(markup, url, lambda other: self.file_at(other) not in {None, file})
        return Verdict("canonical", elsewhere) if elsewhere else None

    def is_in_preview(self, path: str) -> bool:
        """Whether a path is in the folder of a preview."""
        return path.startswith(self._in_previews)

    @cached_property
    def _in_previews(self) -> tuple[str, ...]:
        return tuple(f"{each}/" for each in self.versions.previews)

    def readable_pages(self, *, in_previews: bool = False) -> Iterator[tuple[str, str, Markup]]:
        """The path, URL and markup of all pages with a head, except those that only redirect, and error pages.

        They are those of the site itself, or of its previews.
        """
        for page in self.pages.values():
            verdict = self.verdicts.get(page.path)
            is_error_page = verdict is not None and verdict.key == "error-page"
            if self.is_in_preview(page.path) != in_previews:
                continue
            if page.markup and not page.is_fragment and not page.markup.refresh and not is_error_page:
                yield page.path, self.loc_of(page.path), page.markup

    def loc_of(self, path: str) -> str:
        """The URL of a page: the one that a build would list, or else that of its file."""
        return self.locs.get(path) or write_url(path, self.base_url, URLStyle())

    def version_of(self, path: str) -> str:
        """The folder of the version that a path is in; empty if it is in none."""
        if not self.version_folders:
            return ""
        ends = (end for end, char in enumerate(path) if char == "/")
        return next((path[:end] for end in ends if path[:end] in self.version_folders), "")

    @property
    def announced_sitemaps(self) -> Iterator[SitemapFile]:
        """The sitemaps that search engines know, in the order of their paths."""
        return (each for each in self.sitemaps.values() if each.announced_by)


def listed_urls(site: PublishedSite, *, announced: bool = True) -> Iterator[ListedURL]:
    """The entries of the announced sitemaps, or of the others.

    Media sitemaps and text copies are left out, because they repeat those of others.
    """
    sitemaps = [each for each in site.sitemaps.values() if bool(each.announced_by) == announced]
    lists = [{each.entry.loc for each in sitemap.entries} for sitemap in sitemaps if sitemap.kind == "urlset"]
    for sitemap in sitemaps:
        entries = [each.entry for each in sitemap.entries]
        is_copy = sitemap.kind == "text" and {each.loc for each in entries} in lists
        if is_copy or is_of_media(sitemap.path.removesuffix(".gz"), entries):
            continue
        for entry, line, column in sitemap.entries:
            yield ListedURL(sitemap.path, entry, line, column, site.file_at(entry.loc))


def read_site(
    folder: str,
    project: Configuration,
    options: HostOptions,
    *,
    default: NamedURL | None = None,
    live: LiveSite | None = None,
    built: Sequence[SitemapFile] | None = None,
    track: Track = untracked,
) -> PublishedSite:
    """Read the heads of the site in a folder, an absolute path.

    Its URL is the one of the server that sent the site, whose answers are ``live``, or that of the option, or else its
    files tell it, or it is the ``default``. All else is as in `PublishedSite`.
    """
    tree = Tree(folder)
    versions = recognize(tree)
    pages = {page.path: page for page in tree.heads(with_hidden=True, track=track)}
    configured, option = site_url_of(project), options.settings.base_url
    named = NamedURL(live.base_url, BY_ARGUMENT) if live else NamedURL(str(option), BY_OPTION) if option else None
    found = named or find_site_url(tree, [*pages.values()], configured=configured, by_versions=versions.root_url)
    site = PublishedSite(
        tree=tree,
        pages=pages,
        versions=versions,
        project=project,
        options=options,
        base=found or default,
        built=built,
        track=track,
    )
    return structs.replace(site, served=live.served, asked=live.asked, not_asked=live.not_asked) if live else site
