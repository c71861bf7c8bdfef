"""Dates of MkDocs pages: from git, for all files that a page is made of, and passed on to the theme."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from sitemap_plugins.mkdocs.dependencies import Dependencies
from sitemap_plugins.mkdocs.listings import listed_on, tags_plugins
from sitemap_plugins.mkdocs.sources import source_of
from sitemap_plugins.model import Note, Page
from sitemap_plugins.session import BuildSession
from sitemap_plugins.session.exposed_dates import REVISION, expose_dates

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_TOOLS: Final = frozenset({"include-markdown", "macros", "mkdocstrings"})
_SNIPPETS: Final = "pymdownx.snippets"
_SHOWN: Final = (f"{REVISION}_raw_iso_datetime", f"{REVISION}_raw_iso_date", "revision_date")


class PageDates:
    """Finds the files that date the pages of one build, and passes the dates on to the theme."""

    def __init__(self, config: MkDocsConfig, session: BuildSession) -> None:
        self._config = config
        self._session = session
        self._tags = tags_plugins(config)
        self._listed: dict[str, list[MkDocsPage]] = {}
        self._dependencies: Dependencies | None = None
        is_wanted = session.settings.git.dependencies
        if is_wanted and (_TOOLS & config.plugins.keys() or _SNIPPETS in config.markdown_extensions):
            self._dependencies = Dependencies(config)

    def notice_templates(self, page: MkDocsPage, markdown: str) -> None:
        """See `Dependencies`."""
        if self._dependencies:
            self._dependencies.notice_templates(page, markdown)

    def notice_text(self, page: MkDocsPage, markdown: str) -> None:
        """See `Dependencies`."""
        if self._dependencies:
            self._dependencies.notice_text(page, markdown)

    def complete(self) -> None:
        """Call this when all pages are rendered, to find the rest of their files. git reads on in the background."""
        if self._dependencies:
            self._dependencies.resolve_modules()
            self._session.expect(self._dependencies.all())

    def notice_listed(self, page: MkDocsPage, context: Mapping[str, Any]) -> bool:
        """Note the pages that a page lists. Call this when its context is complete; returns whether it lists any."""
        listed = listed_on(page, context, self._tags)
        if listed is not None:
            self._listed[page.file.src_uri] = listed
        return listed is not None

    def sources_of(self, page: MkDocsPage) -> tuple[str, ...]:
        """The files that date a page: the files that it and the posts that it shows are made of."""
        listed = self._listed.get(page.file.src_uri)
        pages = [page] if listed is None else [page, *listed] if listed else []
        return tuple(dict.fromkeys(file for each in pages for file in self._made_of(each)))

    def _made_of(self, page: MkDocsPage) -> Iterator[str]:
        if source := source_of(page.file, self._config):
            yield source
        if self._dependencies:
            yield from self._dependencies.of(page)

    def notes(self) -> Iterator[Note]:
        """Notes on tools whose files are not known."""
        if self._dependencies:
            yield from self._dependencies.notes()

    def expose(self, pages: Iterable[tuple[MkDocsPage, Page]], base_url: str | None) -> None:
        """Put the dates of the sitemap into the metadata of the pages."""
        known = {each.name: (meta.meta, each) for meta, each in pages}
        for name, shown in self._session.dates([page for _, page in known.values()], base_url).items():
            meta, page = known[name]
            expose_dates(meta, shown, page.language, created=self._session.settings.expose == "created")


def shown_dates(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The date in a page's metadata that themes show, from the first name that has one; empty if there is none."""
    found = (str(meta[name]) for name in _SHOWN if meta.get(name))
    return tuple(list(found)[:1])
