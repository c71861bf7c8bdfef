"""Finds the dates of a project's pages before the build, as ``sitemap-plugins build`` will find them afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import msgspec

from sitemap_plugins.folder.addresses import STYLES, write_url
from sitemap_plugins.folder.configuration import ZENSICAL, Configuration, read_configuration, read_settings_of
from sitemap_plugins.folder.front_matter import read_meta_files
from sitemap_plugins.folder.generators.document import Document
from sitemap_plugins.folder.generators.mkdocs import find_documents
from sitemap_plugins.folder.html_files import HTMLFile
from sitemap_plugins.folder.includes import enabled_extensions
from sitemap_plugins.folder.source_texts import SourceTexts, start_git
from sitemap_plugins.folder.sources import match_sources
from sitemap_plugins.folder.translations import PageLanguage
from sitemap_plugins.model import Page
from sitemap_plugins.options import SourcePattern
from sitemap_plugins.session import BuildSession, Report
from sitemap_plugins.session.base_url import PLACEHOLDER_URL
from sitemap_plugins.session.dating import ShownDate


class ProjectDates(msgspec.Struct, frozen=True):
    """The dates of pages, by the path of their source below docs_dir, and how to show them.

    ``language`` is the language of the theme. If ``created`` is true, pages also show when they were created.
    """

    pages: Mapping[str, ShownDate]
    language: str
    created: bool


def date_project(root: str, site_url: str | None, *, directory_urls: bool, report: Report) -> ProjectDates:
    """The dates of all pages of the project in the folder ``root``. The history is read once for all of them.

    ``site_url`` and ``directory_urls`` are Zensical's final values, after versions and other plugins have changed them.
    Raises `ConfigurationError` if files or options cannot be used. Notes go to ``report``.
    """
    configuration = read_configuration(root)
    options = read_settings_of(configuration, ZENSICAL)
    settings = options.settings
    session = BuildSession(ZENSICAL, options, root=configuration.root, report=report)
    try:
        base_url, _ = session.find_base_url(site_url, "site_url")
        base_url = base_url or PLACEHOLDER_URL
        texts = SourceTexts(
            enabled_extensions(configuration), multimarkdown=False, meta_files=read_meta_files(configuration)
        )
        language = _language_of(configuration)
        documents = {
            _page_of(document, directory_urls=directory_urls): document
            for document in find_documents(configuration, texts.front_matter)
        }
        sources = {path: document.file for path, document in documents.items()}
        if settings.source:  # they override the generator's rules, as in the command
            sources |= _match(documents, settings.source, configuration, language)
        dating = start_git(session, configuration, texts, [*sources.values()])
        pages = [
            Page(
                loc=write_url(path, base_url, STYLES["html"]),
                name=documents[path].name,
                source=source,
                sources=dating[source],
                front_matter=texts.front_matter(source).values,
            )
            for path, source in sources.items()
        ]
        dates = session.dates(pages, base_url)
        session.log(session.git_notes())
    finally:
        session.abort()
    return ProjectDates(dates, language, settings.expose == "created")


def _page_of(document: Document, *, directory_urls: bool) -> str:
    """The path of the page that a document makes."""
    if directory_urls or PurePosixPath(document.name).stem in {"index", "README"}:
        return f"{document.stem}/index.html".lstrip("/")
    return f"{document.stem}.html"


def _match(
    documents: Mapping[str, Document], patterns: Sequence[SourcePattern], configuration: Configuration, language: str
) -> dict[str, str]:
    """The sources from the author's patterns. Wrong patterns are reported only by the command."""
    files = [HTMLFile(path=path, markup=None) for path in documents]
    page_languages = {path: PageLanguage(language) for path in documents}
    found, _ = match_sources(files, page_languages, patterns, configuration.root)
    return {path: source.file for path, source in found.items()}


def _language_of(configuration: Configuration) -> str:
    theme = configuration.project.get("theme")
    language = theme.get("language") if isinstance(theme, Mapping) else None
    return language if isinstance(language, str) else "en"
