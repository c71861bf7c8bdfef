"""The host for MkDocs and ProperDocs: collects pages while they are built, and publishes at the end of the build."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urljoin

import msgspec
from mkdocs.config.base import ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger

from sitemap_plugins.git.repository import is_missing_submodule
from sitemap_plugins.mkdocs.dates import PageDates, copied_notes, docs_folder, source_of
from sitemap_plugins.mkdocs.files import (
    all_files,
    collect_files,
    find_own,
    keep_last,
    other_feeds,
    other_files,
    theme_reads_sitemap,
)
from sitemap_plugins.mkdocs.pages import (
    collect,
    default_language,
    has_only_one_language,
    hooks_of,
    how_to_announce,
    is_published,
    languages_elsewhere,
    other_tool_notes,
)
from sitemap_plugins.model import Note, OutputFile, Page, Policy, Site
from sitemap_plugins.output.writing import try_to_write
from sitemap_plugins.session.deployment import PLACEHOLDER_URL
from sitemap_plugins.session.host import Host, read_options
from sitemap_plugins.session.lifecycle import BuildSession, LogLevel
from sitemap_plugins.session.publishing import Output
from sitemap_plugins.values.text import printable
from sitemap_plugins.values.urls import (
    InvalidURLError,
    encode_url,
    normalize_url,
    parse_base_url,
    without_empty_folders,
)

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page as MkDocsPage

    from sitemap_plugins.mkdocs.page_list import ListPage

_HOST: Final = Host(url_option="site_url", gzip=True, lacks={"source": "sitemap-plugins build"})
_LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}

log = get_plugin_logger("sitemap")


class _Build(msgspec.Struct, kw_only=True):
    """What is known of the current build.

    ``kept_because`` says why our sitemap is not written, and ``kept`` are the files to write instead. ``own_urls`` are
    the URLs that MkDocs gave the pages. ``list_page`` is the page for the option ``html``, if it is set.
    """

    session: BuildSession
    site_url: str | None = None
    base_url: str | None = None
    notes: list[Note] = []
    pages: dict[tuple[str, str], Page] = {}
    kept: list[OutputFile] = []
    kept_because: Note | None = None
    dates: PageDates | None = None
    files: list[Files] = []
    own_urls: dict[tuple[str, str], str | None] = {}
    list_page: ListPage | None = None


class SitemapPlugin(BasePlugin):  # type: ignore[type-arg,no-untyped-call]  # its options are ours, not a MkDocs Config
    """``plugins: [sitemap]``.

    mkdocs-static-i18n runs whole builds inside a build, with the same plugin objects: pages are collected until the
    outermost build ends.
    """

    def __init__(self) -> None:
        self._is_local = self._dirty = False
        self._depth = 0

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Read our options, and return all mistakes at once; MkDocs prints them and aborts."""
        super().load_config({}, config_file_path)
        self._file = Path(config_file_path or "mkdocs.yml")
        self._options, mistakes = read_options(_HOST, options, self._file.parent)
        self._settings = self._options.settings
        return [(printable(each.where), ValidationError(printable(each.message))) for each in mistakes], []

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Store the command. Having this method also keeps the plugin object between the builds of a preview."""
        self._is_local = command == "serve"
        self._dirty = dirty

    def on_config(self, config: MkDocsConfig) -> None:
        """Open a session, unless this is a build inside a build."""
        self._depth += 1
        if self._depth > 1:
            return
        self._build = _Build(session=BuildSession(_HOST, self._options, root=self._file.parent, report=_log))
        if self._dirty:
            self._build.kept, self._build.kept_because = keep_last(config.site_dir, self._settings.filenames)

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Find the outermost build's URL, as the other plugins' ``on_config`` left it (mike adds the version)."""
        if self._depth > 1:
            return
        self._build.site_url = config.site_url
        if self._is_local:
            # The theme's script reads the preview's sitemap, at its local address.
            with suppress(InvalidURLError):
                self._build.base_url = encode_url(without_empty_folders(config.site_url or ""))
            return
        self._build.base_url, self._build.notes = self._build.session.find_base_url(
            config.site_url, f"site_url in {self._file.name}"
        )
        if self._build.base_url:
            self._build.session.find_canonical_version(self._build.base_url)
        elif not config.site_url:
            (note,) = self._build.notes
            message = f"{note.message}; MkDocs' own sitemap.xml, which is published instead, is empty"
            self._build.notes = [msgspec.structs.replace(note, message=message)]

    @event_priority(-100)  # after the plugins that add files
    def _look_at_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Look for a sitemap of the author's own; otherwise start to read git in the background."""
        build = self._build
        build.files.append(files)
        if own := find_own(files, config, self._settings):
            build.kept, build.kept_because = own
        is_listed = build.base_url and not build.kept_because and not self._is_local
        reads_files = not {"git", "mtime"}.isdisjoint(self._settings.lastmod)
        if ((is_listed and reads_files) or self._settings.expose) and not build.dates:
            documents = files.documentation_pages()
            others = other_files(all_files(build.files), self._settings.files)
            suffixes = {PurePosixPath(file.src_uri).suffix for file in [*documents, *others]}
            folder = docs_folder(config)
            build.session.dating.start_git({folder: suffixes})
            if folder != config.docs_dir:
                build.session.dating.expect(filter(None, (source_of(file, config) for file in documents)))
            build.dates = PageDates(config, build.session)

    @event_priority(-150)  # after literate-nav (-100), which makes the navigation
    def _place_list_page(self, files: Files, *, config: MkDocsConfig) -> None:
        build = self._build
        if self._settings.html and self._depth == 1:
            from sitemap_plugins.mkdocs.page_list import ListPage

            build.list_page = ListPage(self._settings.html, is_local=self._is_local)
            # A dirty build does not write the page, but the pages that it writes link to the one from the last build.
            if build.base_url and (build.kept_because is None or build.kept_because.kind == "dirty-build"):
                build.list_page.find_place(files, config)
        if build.list_page:
            build.list_page.show(files, config)

    on_files = CombinedEvent(_look_at_files, _place_list_page)

    @event_priority(100)  # before the plugins that change the navigation
    def _restore_list_page(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Put the page for the option ``html`` into the navigation."""
        if self._build.list_page:
            self._build.list_page.restore(nav, config, is_outermost=self._depth == 1)

    @event_priority(-150)  # after awesome-nav and awesome-pages, which make another navigation
    def _hide_stand_in(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        self._restore_list_page(nav, config=config, files=files)
        if self._build.list_page:
            self._build.list_page.hide(files)

    on_nav = CombinedEvent(_restore_list_page, _hide_stand_in)

    @event_priority(150)  # before any other plugin
    def on_pre_page(self, page: MkDocsPage, *, config: MkDocsConfig, files: Files) -> None:
        """Note the page's URL: what plugins and hooks set later is only where its canonical link leads."""
        self._build.own_urls[page.file.dest_uri, page.file.src_uri] = page.canonical_url

    @event_priority(50)  # after include-markdown, before the macros
    def _notice_templates(self, markdown: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> None:
        if self._build.list_page:
            self._build.list_page.offer(files, config)
        if self._build.dates:
            self._build.dates.notice_templates(page, markdown)

    @event_priority(-100)  # after the plugins that change the text
    def _notice_text(self, markdown: str, *, page: MkDocsPage, **_: object) -> None:
        if self._build.dates:
            self._build.dates.notice_text(page, markdown)

    on_page_markdown = CombinedEvent(_notice_templates, _notice_text)

    @event_priority(-100)  # after the plugins that give pages dates
    def on_env(self, env: object, *, config: MkDocsConfig, files: Files) -> None:
        """Pass the pages' dates on to the theme: all pages are rendered, but none is written."""
        build = self._build
        if build.dates:
            build.dates.complete()
            self._expose([file.page for file in files.documentation_pages() if file.page], config)
        if build.list_page and self._depth == 1 and not build.kept_because:
            build.list_page.add(files, config, env)
        elif build.list_page:
            build.list_page.withdraw(files)

    @event_priority(-150)  # after Material's blog (-100), which puts posts on its pages
    def on_page_context(
        self, context: Mapping[str, Any], *, page: MkDocsPage, config: MkDocsConfig, nav: object
    ) -> None:
        """Note the pages that this one lists, now that its context is complete, and show the date they give it."""
        dates = self._build.dates
        if dates and dates.notice_listed(page, context):
            self._expose([page], config)
        if url := self._build.session.superseded_by(self._locate(page, page.canonical_url)):
            page.canonical_url = url  # only for the template: other plugins need the page's own URL

    def _expose(self, pages: Iterable[MkDocsPage], config: MkDocsConfig) -> None:
        """Pass the dates of these pages on to the theme, if the option ``expose`` is set."""
        build = self._build
        if build.dates and self._settings.expose:
            build.dates.expose([(page, self._collect(page, config)) for page in pages], build.base_url)

    @event_priority(150)  # before any other plugin
    def _restore_url(self, output: str, *, page: MkDocsPage, **_: object) -> None:
        if self._build.session.canonical_version:
            page.canonical_url = self._own_url(page)

    @event_priority(-100)  # after the plugins that keep a page from being written
    def _collect_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> None:
        """Collect one page, with the URL that it has in its own build."""
        if self._build.list_page:
            self._build.list_page.notice(page, output)
        if output.strip() and not self._build.kept_because:
            self._build.pages[page.file.dest_uri, page.file.src_uri] = self._collect(page, config, output)

    on_post_page = CombinedEvent(_restore_url, _collect_page)  # type: ignore[arg-type]  # a method's self

    def _collect(self, page: MkDocsPage, config: MkDocsConfig, html: str = "") -> Page:
        own = self._own_url(page)
        loc = self._locate(page, own)
        dates = self._build.dates
        sources = dates.sources_of(page) if dates else tuple(filter(None, [source_of(page.file, config)]))
        included = dates.included_by(page) if dates else ()
        return collect(page, config, self._settings, loc, own, self._base_of(loc, config), sources, included, html)

    def _own_url(self, page: MkDocsPage) -> str | None:
        # A page that MkDocs does not read, or whose file a plugin moved since, has the URL that it has now.
        return self._build.own_urls.get((page.file.dest_uri, page.file.src_uri), page.canonical_url)

    def _locate(self, page: MkDocsPage, own: str | None) -> str:
        """The page's URL: its ``own`` in MkDocs, unless there is none or the option ``base_url`` is set."""
        # MkDocs keeps an empty folder in the URL of the home page only.
        url = without_empty_folders(own or "")
        is_elsewhere = not url.startswith(without_empty_folders(self._build.site_url or ""))
        if url and (self._is_local or not self._settings.base_url or is_elsewhere):
            return normalize_url(url)
        return urljoin(self._build.base_url or PLACEHOLDER_URL, page.url)

    def _base_of(self, loc: str, config: MkDocsConfig) -> str | None:
        """The base URL of a page that static-i18n builds for another host than the rest."""
        if config.site_url != self._build.site_url and not loc.startswith(self._build.base_url or loc):
            with suppress(InvalidURLError):
                return parse_base_url(config.site_url or "")
        return None

    def on_build_error(self, *, error: Exception) -> None:
        """Stop the session of a build that failed."""
        if self._depth:
            self._build.session.abort()
        self._depth = 0

    @event_priority(-200)  # after static-i18n (-100), whose nested builds write MkDocs' own sitemap again
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Publish when the outermost build has written all of its files."""
        self._depth -= 1
        if self._depth > 0:
            return
        if self._build.kept_because:
            # Put back what MkDocs overwrote.
            self._build.session.log(try_to_write(self._build.kept, config.site_dir) or [self._build.kept_because])
        else:
            with self._build.session.report_read_errors():
                self._publish(config)
        if self._build.list_page:
            self._build.session.log(self._build.list_page.notes)
            self._build.session.log(try_to_write(self._build.list_page.removal(config.site_dir), config.site_dir))

    def _publish(self, config: MkDocsConfig) -> None:
        build = self._build
        session = build.session
        session.log(build.notes)
        if not build.base_url:
            return
        if not build.pages and is_missing_submodule(folder := docs_folder(config)):
            cure = "so the site has no page: run git submodule update --init before the build"
            message = f"{Path(folder).name} is a git submodule that was not initialized, {cure}"
            session.log([Note(kind="no-pages", message=message)])
            return
        languages = session.read_languages(languages_elsewhere(config), build.base_url)
        locs = [page.loc for page in build.pages.values()]
        session.log(other_tool_notes(config, self._settings, () if self._is_local else languages, locs))
        site = Site(
            base_url=build.base_url,
            languages=languages,
            default_language=default_language(config),
            name=config.site_name or "",
            feeds=other_feeds(config, build.base_url),
            policy=Policy(preview="mkdocs serve", is_local=True) if self._is_local else Policy(),
            announce_by=how_to_announce(config),
            theme_reads_sitemap=theme_reads_sitemap(config),
        )
        pages = [*build.pages.values()]
        session.log([*build.dates.notes(site, pages), *copied_notes(all_files(build.files))] if build.dates else ())
        files = collect_files(all_files(build.files), config, self._settings.files, build.base_url)
        page_list = build.list_page.file(config.site_dir, build.base_url) if build.list_page else None
        own = self._settings.filenames if self._settings.filename in config.theme.static_templates else ()
        output = Output(
            directory=config.site_dir,
            copied={file.dest_uri for file in all_files(build.files) if is_published(file)},
            replaced=(*own, *([page_list.path] if page_list else ())),
            page_list=page_list,
            is_partial=has_only_one_language(config),
        )
        session.publish(site, [*pages, *files], output, hooks_of(config))


def _log(level: LogLevel, note: Note) -> None:
    """Log a line. All lines go through here, so that no text in them steers a terminal or CI service."""
    log.log(_LEVELS[level], "%s", printable(f"{note.page}: {note.message}" if note.page else note.message))
