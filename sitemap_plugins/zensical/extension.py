"""Adds dates to the metadata of each page while Zensical renders it: those that the sitemap will have afterwards.

Zensical has no interface for this. Its own extensions find the page in a preprocessor named rendering_context, which is
registered before all others, and Zensical reads the metadata back from there after it has rendered the page. If another
version works differently, pages have no dates; the build reports this and continues.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import PurePosixPath
from threading import Lock
from typing import Any, Final

import msgspec
from markdown import Extension, Markdown

from sitemap_plugins.folder.configuration import (
    ZENSICAL,
    ConfigurationError,
    enabled_extensions,
    read_configuration,
    read_settings_of,
)
from sitemap_plugins.folder.generators.mkdocs import find_documents
from sitemap_plugins.folder.generators.source import Source, read_meta_files
from sitemap_plugins.folder.source_texts import SourceTexts, start_git
from sitemap_plugins.folder.sources import match_sources
from sitemap_plugins.model import Page
from sitemap_plugins.published.addresses import STYLES, write_url
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import PageLanguage
from sitemap_plugins.session.dating import ShownDate, expose_dates, git_notes
from sitemap_plugins.session.deployment import PLACEHOLDER_URL
from sitemap_plugins.session.lifecycle import BuildSession
from sitemap_plugins.values.text import printable

_CONTEXT: Final = "rendering_context"
_NO_DATE: Final = ShownDate(None, None)


class ProjectDates(msgspec.Struct, frozen=True):
    """The dates of pages, by the path of their source below docs_dir, and how to show them.

    ``language`` is the language of the theme. If ``created`` is true, pages also show when they were created.
    """

    pages: Mapping[str, ShownDate]
    language: str
    created: bool


class SitemapExtension(Extension):
    """The extension that ``markdown_extensions: [sitemap_plugins.zensical]`` enables. In MkDocs, it does nothing.

    It reads the options of the plugin, such as ``expose: created``, and has none of its own.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__()
        if options:
            _say(f"{', '.join(options)}: set options for the plugin sitemap instead, where the command reads them too")

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # Markdown's name
        """Date the page before it is rendered. A preprocessor could not do this, as empty pages never reach one."""
        if "zensical" in sys.modules:
            try:
                _date_page(md)
            except Exception as error:  # noqa: BLE001  # a change in Zensical must not stop the build
                _say(f"pages show no dates: this Zensical is not supported, or sitemap-plugins has a bug ({error!r})")


def makeExtension(**options: Any) -> SitemapExtension:  # noqa: N802  # as above
    """Create the extension. Python-Markdown calls this function."""
    return SitemapExtension(**options)


def _date_page(md: Markdown) -> None:
    context: Any = md.preprocessors[_CONTEXT]
    page, config = context.page, context.config
    dates = _dates_of(config["root_dir"], config["site_url"], directory_urls=config["use_directory_urls"])
    if dates:
        shown = dates.pages.get(page.path.replace(os.sep, "/"), _NO_DATE)
        expose_dates(page.meta, shown, dates.language, created=dates.created)


_lock: Final = Lock()  # Zensical may render pages in several threads
_known: Final[dict[str, ProjectDates | None]] = {}
_reported: Final[set[str]] = set()


def _dates_of(root: str, site_url: str | None, *, directory_urls: bool) -> ProjectDates | None:
    """The dates of the project in this folder, read only once; None if they cannot be read."""
    with _lock:
        if root not in _known:
            _known[root] = None  # also if this raises
            try:
                _known[root] = date_project(root, site_url, directory_urls=directory_urls)
            except (ConfigurationError, OSError) as error:
                _say(*f"pages show no dates, because {error}".split("\n"))
        return _known[root]


def _say(*lines: str) -> None:
    """Write lines to stderr, beside Zensical's own, each only once."""
    for line in lines:
        if line not in _reported:
            _reported.add(line)
            sys.stderr.write(f"sitemap_plugins.zensical: {printable(line)}\n")


def date_project(root: str, site_url: str | None, *, directory_urls: bool) -> ProjectDates:
    """The dates of all pages of the project in the folder ``root``. The history is read once for all of them.

    ``site_url`` and ``directory_urls`` are Zensical's final values, after versions and other plugins have changed them.
    Raises `ConfigurationError` if files or options cannot be used.
    """
    configuration = read_configuration(root)
    options = read_settings_of(configuration, ZENSICAL)
    settings = options.settings
    session = BuildSession(
        ZENSICAL, options, root=configuration.root, report=lambda level, note: _say(f"{level}: {note.message}")
    )
    try:
        base_url, _ = session.find_base_url(site_url, "site_url")
        base_url = base_url or PLACEHOLDER_URL
        texts = SourceTexts(
            enabled_extensions(configuration), multimarkdown=False, meta_files=read_meta_files(configuration)
        )
        theme = configuration.project.get("theme")
        language = theme.get("language") if isinstance(theme, Mapping) else None
        language = language if isinstance(language, str) else "en"
        documents = {
            _page_of(stem, document, directory_urls=directory_urls): document
            for stem, document in find_documents(configuration, texts.front_matter)
        }
        sources = dict(documents)
        # The author's patterns override the generator's rules, as in the command, which also reports wrong ones.
        if settings.source:
            files = [HTMLFile(path=path, markup=None) for path in documents]
            page_languages = dict.fromkeys(documents, PageLanguage(language))
            sources |= match_sources(files, page_languages, settings.source, configuration.root)[0]
        parts = start_git(session, configuration, texts, sources.values())
        pages = [
            Page(
                loc=write_url(path, base_url, STYLES["html"]),
                name=documents[path].name,
                source=None if source.module else source.file,
                front_matter=texts.front_matter(source.file).values,
                **msgspec.structs.asdict(parts[source.file]),
            )
            for path, source in sources.items()
        ]
        dates = session.dates(pages, base_url)
        session.log(session.dating.notes())
        session.log(git_notes(session.dating.git) if session.dating.git else ())
    finally:
        session.abort()
    return ProjectDates(dates, language, settings.expose == "created")


def _page_of(stem: str, document: Source, *, directory_urls: bool) -> str:
    if directory_urls or PurePosixPath(document.name).stem in {"index", "README"}:
        return f"{stem}/index.html".lstrip("/")
    return f"{stem}.html"
