"""The host for MkDocs and ProperDocs: collects pages while they are built, publishes when the last of them is there."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin

import msgspec
from mkdocs.config.base import ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from sitemap_plugins.deployment import read_deployment
from sitemap_plugins.enrich.git_history import HistoryReader
from sitemap_plugins.enrich.page_markup import read_markup
from sitemap_plugins.model import Adjuster, Note, OutputFile, Page
from sitemap_plugins.publishing import Publication, find_base_url, heard, import_hook, make_site, publish
from sitemap_plugins.settings import read_settings
from sitemap_plugins.writing import WriteError, write

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING}
_MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")

log = get_plugin_logger("sitemap")


class SitemapPlugin(BasePlugin):  # type: ignore[type-arg,no-untyped-call]  # its options are ours, not a MkDocs Config
    """``plugins: [sitemap]``.

    mkdocs-static-i18n runs whole builds inside a build, with the same plugin objects: everything is collected until
    the outermost build ends.
    """

    def __init__(self) -> None:
        self._command: Literal["build", "gh-deploy", "serve"] = "build"
        self._dirty = False
        self._depth = 0
        self._forget()

    def _forget(self) -> None:
        self._deployment = read_deployment(os.environ)
        self._site_url: str | None = None
        self._pages: dict[str, Page] = {}
        self._hooks: list[Adjuster] = []
        self._own_sitemap: str | None = None
        self._kept: list[OutputFile] = []
        self._reader: HistoryReader | None = None

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Our own options, with all mistakes at once; MkDocs prints them and aborts."""
        super().load_config({}, config_file_path)
        settings, mistakes = read_settings(options)
        errors: ConfigErrors = [(mistake.where, ValidationError(mistake.message)) for mistake in mistakes]
        self._settings = settings.for_host(gzip=True, generated_pages=True)
        self._adjusters: list[Adjuster] = []
        if settings.adjust:
            try:
                self._adjusters = [import_hook(settings.adjust, Path(config_file_path or "mkdocs.yml").parent)]
            except ValueError as error:
                errors.append(("adjust", ValidationError(str(error))))
        return errors, []

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Which command was given; having this method also keeps the plugin alive between the builds of a preview."""
        self._command = command
        self._dirty = dirty

    def on_config(self, config: MkDocsConfig) -> None:
        """Start reading git in the background; MkDocs has the rest of the build to do meanwhile."""
        self._depth += 1
        if self._depth > 1:
            return
        self._forget()
        hooks: dict[str, Any] = dict(config.hooks or {})  # type: ignore[arg-type]  # a mapping, once it is loaded
        self._hooks = [
            Adjuster(f"sitemap_entry in {name}", hook.sitemap_entry)
            for name, hook in hooks.items()
            if callable(getattr(hook, "sitemap_entry", None))
        ]
        if self._dirty:
            self._kept = [file for name in self._filenames() if (file := _read(config.site_dir, name))]
        elif self._command != "serve" and "git" in self._settings.lastmod:
            self._reader = HistoryReader(config.docs_dir, _MARKDOWN)

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Keep the outermost build's URL, as the other plugins' ``on_config`` left it (mike adds the version)."""
        if self._depth == 1:
            self._site_url = config.site_url

    @event_priority(-100)  # after the plugins that add files
    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Notice a sitemap of the author's own: a file of the documents or of the theme's custom_dir."""
        name = self._settings.filename
        custom_dir = config.theme.custom_dir
        if files.get_file_from_path(name):
            self._own_sitemap = f"{Path(config.docs_dir).name}/{name}"
        elif custom_dir and Path(custom_dir, name).is_file():
            self._own_sitemap = f"{Path(custom_dir).name}/{name}"

    @event_priority(-100)  # after the plugins that change the page: what we read is what is written
    def on_post_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> None:
        """Collect one page, with the URL that it has in its own build."""
        if output.strip():
            self._pages[page.file.dest_uri] = _collect(page, output, Path(config.docs_dir), self._locate(page))

    def _locate(self, page: MkDocsPage) -> str:
        """The page's URL: MkDocs' own, unless there is none or an option says otherwise."""
        wanted = self._settings.base_url if self._command != "serve" else None
        if page.canonical_url and not wanted:
            return page.canonical_url
        return urljoin(wanted or self._deployment.canonical_url or "", page.url)

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002  # MkDocs' signature
        """Whatever went wrong, this build is over."""
        self._depth = 0
        if self._reader:
            self._reader.stop()

    @event_priority(-200)  # after static-i18n (-100), whose nested builds write MkDocs' own sitemap again
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Publish, once the outermost build has written everything it writes."""
        self._depth -= 1
        if self._depth > 0:
            return
        if self._dirty:
            self._speak(self._restore(config.site_dir))
        elif self._own_sitemap:
            message = f"{self._own_sitemap} is your own, so none was written: remove it, or set the option filename"
            self._speak([Note(kind="own-sitemap", message=message)])
        else:
            self._publish(config)

    def _restore(self, site_dir: str) -> list[Note]:
        """Put back the sitemap of the last whole build: a dirty one reads too few pages to write another."""
        try:
            write(self._kept, site_dir)
        except WriteError as error:
            return [Note(kind="unwritable", message=str(error))]
        return [Note(kind="dirty-build", message="only some pages were built, so the sitemap was left as it was")]

    def _publish(self, config: MkDocsConfig) -> None:
        settings = self._settings
        base_url = self._site_url
        if self._command == "serve":
            # The theme's script reads the preview's sitemap, at its local address; nothing else is made for it.
            settings = msgspec.structs.replace(settings, robots=False)
        else:
            base_url, notes = find_base_url(
                settings, self._deployment, host_url=self._site_url, host_option="site_url in mkdocs.yml"
            )
            self._speak(notes)
        if not base_url:
            return
        history = self._reader.history() if self._reader else None
        self._report(
            publish(
                make_site(base_url, self._deployment, history),
                self._pages.values(),
                settings,
                config.site_dir,
                history=history,
                adjust=[*self._adjusters, *self._hooks],
            )
        )

    def _report(self, publication: Publication) -> None:
        self._speak(publication.notes)
        for dropped in publication.result.dropped:
            log.debug(
                "left out %s: %s%s", dropped.page.name, dropped.reason, f" ({dropped.detail})" if dropped.detail else ""
            )
        if publication.summary:
            log.log(logging.DEBUG if self._command == "serve" else logging.INFO, publication.summary)

    def _speak(self, notes: Iterable[Note]) -> None:
        for level, note in heard(notes, self._settings):
            log.log(_LEVELS[level], "%s%s", f"{note.page}: " if note.page else "", note.message)

    def _filenames(self) -> tuple[str, str]:
        return self._settings.filename, f"{self._settings.filename}.gz"


def _collect(page: MkDocsPage, output: str, docs_dir: Path, loc: str) -> Page:
    file = page.file
    # A temporary file that a plugin made is no source: its dates are those of the build.
    is_source = file.generated_by is None and file.abs_src_path and Path(file.abs_src_path).is_relative_to(docs_dir)
    return Page(
        loc=loc,
        name=file.src_uri,
        sources=(file.abs_src_path,) if is_source and file.abs_src_path else (),
        front_matter=dict(page.meta),
        markup=read_markup(output),
        generated=file.generated_by is not None,
        omit=_reason_to_omit(page),
    )


def _reason_to_omit(page: MkDocsPage) -> str | None:
    if page.file.dest_uri in {"404.html", "404/index.html"}:
        return "error page"
    return "draft" if page.file.inclusion.is_excluded() else None  # type: ignore[no-untyped-call]


def _read(site_dir: str, name: str) -> OutputFile | None:
    path = Path(site_dir, name)
    return OutputFile(path=name, content=path.read_bytes()) if path.is_file() else None
