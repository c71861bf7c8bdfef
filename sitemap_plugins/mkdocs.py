"""The host for MkDocs and ProperDocs: collects pages while they are built, publishes when the last of them is there."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin

import msgspec
from mkdocs.config.base import ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger

from sitemap_plugins.arrange.language_bases import find_place
from sitemap_plugins.conversion import listing
from sitemap_plugins.deployment import Deployment, read_deployment
from sitemap_plugins.enrich.git_history import HistoryReader
from sitemap_plugins.localizing import read_languages
from sitemap_plugins.mkdocs_pages import collect, default_language, is_published, languages_elsewhere
from sitemap_plugins.model import Adjuster, Language, Note, OutputFile, Page
from sitemap_plugins.pipeline import describe
from sitemap_plugins.publishing import (
    Publication,
    find_base_url,
    heard,
    import_hook,
    is_ours,
    make_site,
    publish,
)
from sitemap_plugins.settings import read_settings
from sitemap_plugins.urls import InvalidURLError, encode_url, parse_base_url
from sitemap_plugins.writing import try_to_write

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING}

log = get_plugin_logger("sitemap")


@dataclass(slots=True, kw_only=True)
class _Build:
    """What is known of the build that goes on.

    ``kept_because`` is why no sitemap of ours is to be written; ``kept`` are the files that have to be there instead.
    """

    deployment: Deployment
    hooks: list[Adjuster]
    site_url: str | None = None
    base_url: str | None = None
    notes: list[Note] = field(default_factory=list)
    pages: dict[tuple[str, str], Page] = field(default_factory=dict)
    kept: list[OutputFile] = field(default_factory=list)
    kept_because: Note | None = None
    reader: HistoryReader | None = None


class SitemapPlugin(BasePlugin):  # type: ignore[type-arg,no-untyped-call]  # its options are ours, not a MkDocs Config
    """``plugins: [sitemap]``.

    mkdocs-static-i18n runs whole builds inside a build, with the same plugin objects: everything is collected until
    the outermost build ends.
    """

    def __init__(self) -> None:
        self._command: Literal["build", "gh-deploy", "serve"] = "build"
        self._dirty = False
        self._depth = 0

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
        """Begin, unless this is a build inside a build."""
        self._depth += 1
        if self._depth > 1:
            return
        self._build = _Build(deployment=read_deployment(os.environ), hooks=_hooks(config))
        if self._dirty:
            self._keep_last(config.site_dir)

    def _keep_last(self, site_dir: str) -> None:
        """Keep the sitemap of the last whole build: a dirty one reads too few pages to write another."""
        files = [_read(site_dir, name) for name in self._settings.filenames]
        if not is_ours(Path(site_dir, files[0].path)):
            message = "only some pages were built, so MkDocs' own sitemap is there: build the whole site once"
        else:
            self._build.kept = files
            message = "only some pages were built, so the sitemap was left as it was"
        self._build.kept_because = Note(kind="dirty-build", message=message)

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Find the outermost build's URL, as the other plugins' ``on_config`` left it (mike adds the version)."""
        if self._depth > 1:
            return
        self._build.site_url = config.site_url
        if self._command == "serve":
            # The theme's script reads the preview's sitemap, at its local address.
            with suppress(InvalidURLError):
                self._build.base_url = encode_url(config.site_url or "")
            return
        name = Path(config.config_file_path or "mkdocs.yml").name
        self._build.base_url, self._build.notes = find_base_url(
            self._settings, self._build.deployment, host_url=config.site_url, host_option=f"site_url in {name}"
        )

    @event_priority(-100)  # after the plugins that add files
    def on_files(self, files: Files, *, config: MkDocsConfig) -> None:
        """Notice a sitemap of the author's own; else start reading git, while MkDocs does the rest."""
        self._notice_own(files, config)
        build = self._build
        is_wanted = build.base_url and not build.kept_because and not build.reader
        if is_wanted and self._command != "serve" and "git" in self._settings.lastmod:
            suffixes = {PurePosixPath(file.src_uri).suffix for file in files.documentation_pages()}
            build.reader = HistoryReader(config.docs_dir, suffixes)

    def _notice_own(self, files: Files, config: MkDocsConfig) -> None:
        """Stand back for a sitemap among the documents or in the theme's custom_dir."""
        name, packed = self._settings.filenames
        custom_dir = config.theme.custom_dir
        if own := next((file for file in files if file.dest_uri == name and is_published(file)), None):
            self._stand_back(f"{Path(config.docs_dir).name}/{own.src_uri}")
            if name in config.theme.static_templates:
                # MkDocs copies the author's file, and then writes a sitemap of its own over it and a .gz beside it.
                is_template = own.src_uri in config.extra_templates
                self._build.kept = [] if is_template else [OutputFile(path=name, content=own.content_bytes)]
                self._build.kept.append(OutputFile(path=packed, content=None))
        elif custom_dir and Path(custom_dir, name).is_file():
            template = Path(custom_dir, name).read_text("utf-8", errors="replace")
            is_copy = "i18n_alternates" in template
            self._stand_back(
                f"{Path(custom_dir).name}/{name}",
                " (the template of static-i18n, which knows no better than to link copies as translations)" * is_copy,
            )

    def _stand_back(self, own: str, what: str = "") -> None:
        message = f"{own} is your own{what}, so none was written: remove it, or set the option filename"
        self._build.kept = []
        self._build.kept_because = Note(kind="own-sitemap", message=message)

    @event_priority(-100)  # after the plugins that change the page: what we read is what is written
    def on_post_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> None:
        """Collect one page, with the URL that it has in its own build."""
        if output.strip() and not self._build.kept_because:
            loc = self._locate(page)
            collected = collect(page, output, config, loc, self._base_of(loc, config))
            self._build.pages[page.file.dest_uri, page.file.src_uri] = collected

    def _locate(self, page: MkDocsPage) -> str:
        """The page's URL: MkDocs' own, unless there is none or the author says otherwise."""
        is_elsewhere = not (page.canonical_url or "").startswith(self._build.site_url or "")
        if page.canonical_url and (self._command == "serve" or not self._settings.base_url or is_elsewhere):
            return page.canonical_url
        return urljoin(self._build.base_url or "", page.url)

    def _base_of(self, loc: str, config: MkDocsConfig) -> str | None:
        """The base URL of a page that static-i18n builds for another host than the rest."""
        if config.site_url == self._build.site_url or loc.startswith(self._build.base_url or loc):
            return None
        try:
            return parse_base_url(config.site_url or "")
        except InvalidURLError:
            return None

    def on_build_error(self, *, error: Exception) -> None:  # noqa: ARG002  # MkDocs' signature
        """Whatever went wrong, this build is over."""
        if self._depth and self._build.reader:
            self._build.reader.stop()
        self._depth = 0

    @event_priority(-200)  # after static-i18n (-100), whose nested builds write MkDocs' own sitemap again
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Publish, once the outermost build has written everything it writes."""
        self._depth -= 1
        if self._depth > 0:
            return
        if self._build.kept_because:
            # What MkDocs has overwritten is put back.
            self._speak(try_to_write(self._build.kept, config.site_dir) or [self._build.kept_because])
        else:
            self._publish(config)

    def _publish(self, config: MkDocsConfig) -> None:
        build = self._build
        self._speak(build.notes)
        if not build.base_url:
            return
        settings = self._settings
        if self._command == "serve":
            settings = msgspec.structs.replace(settings, robots=False)
        histories = [build.reader.history()] if build.reader else []
        directory = Path(config.config_file_path or "mkdocs.yml").parent
        languages, about_languages = read_languages(settings, directory, languages_elsewhere(config))
        self._speak(about_languages)
        self._speak(self._about_other_tools(config, languages))
        preview = "mkdocs serve" if self._command == "serve" else build.deployment.preview
        site = make_site(
            build.base_url,
            replace(build.deployment, preview=preview),
            histories,
            languages=languages,
            default_language=default_language(config),
        )
        self._report(
            publish(
                site,
                build.pages.values(),
                settings,
                config.site_dir,
                histories=histories,
                adjust=[*self._adjusters, *build.hooks],
            )
        )

    def _about_other_tools(self, config: MkDocsConfig, languages: Collection[Language]) -> Iterator[Note]:
        """What the author may expect of other tools' configuration, and does not get."""
        places = (find_place(page.loc, languages) for page in self._build.pages.values()) if languages else ()
        seen = {place.language.base_url for place in places if place}
        unseen = [each.code for each in languages if not each.same_paths and each.base_url not in seen]
        if unseen and self._command != "serve":
            message = (
                f"extra.alternate names {listing(unseen)}, which this build cannot see: run sitemap-plugins merge over "
                "the folder with all languages, or name them in the option languages"
            )
            yield Note(kind="languages-elsewhere", message=message)
        if default_language(config) and self._settings.filename != "sitemap.xml":
            message = (
                "static-i18n writes sitemap.xml, in which copies of untranslated pages are translations; "
                "without the option filename ours is written there instead"
            )
            yield Note(kind="moved", message=message)

    def _report(self, publication: Publication) -> None:
        self._speak(publication.notes)
        for dropped in publication.result.dropped:
            log.debug(describe(dropped))
        if publication.summary:
            log.log(logging.DEBUG if self._command == "serve" else logging.INFO, publication.summary)

    def _speak(self, notes: Iterable[Note]) -> None:
        for level, note in heard(notes, self._settings):
            log.log(_LEVELS[level], "%s%s", f"{note.page}: " if note.page else "", note.message)


def _hooks(config: MkDocsConfig) -> list[Adjuster]:
    """The functions ``sitemap_entry`` in the files that the author lists as hooks."""
    hooks: dict[str, Any] = dict(config.hooks or {})  # type: ignore[arg-type]  # a mapping, once it is loaded
    found = {name: getattr(hook, "sitemap_entry", None) for name, hook in hooks.items()}
    return [Adjuster(f"sitemap_entry in {name}", function) for name, function in found.items() if callable(function)]


def _read(site_dir: str, name: str) -> OutputFile:
    path = Path(site_dir, name)
    return OutputFile(path=name, content=path.read_bytes() if path.is_file() else None)
