"""What dates the pages of MkDocs: git, the files that pages are made of, and the themes that show the same dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from sitemap_plugins.mkdocs.dependencies import Dependencies
from sitemap_plugins.mkdocs.listings import listed_on, tags_plugins
from sitemap_plugins.mkdocs.sources import source_of
from sitemap_plugins.model import Note, Page, Site
from sitemap_plugins.publish.exposed_dates import REVISION, expose_dates
from sitemap_plugins.publish.session import BuildSession

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_TOOLS: Final = frozenset({"include-markdown", "macros", "mkdocstrings"})
_SNIPPETS: Final = "pymdownx.snippets"
_SHOWN: Final = (f"{REVISION}_raw_iso_datetime", f"{REVISION}_raw_iso_date", "revision_date")


class PageDates:
    """What dates the pages of one build, and the themes that show these dates."""

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
        """All pages are rendered, so that it is known what they are made of; git reads on while they are written."""
        if self._dependencies:
            self._dependencies.resolve_modules()
            self._session.expect(self._dependencies.all())

    def notice_listed(self, page: MkDocsPage, context: Mapping[str, Any]) -> bool:
        """When all plugins have given a page what its template shows: notice the pages that it lists, if any."""
        listed = listed_on(page, context, self._tags)
        if listed is not None:
            self._listed[page.file.src_uri] = listed
        return listed is not None

    def sources_of(self, page: MkDocsPage) -> tuple[str, ...]:
        """The files that date a page: those that it is made of, and those of the posts that it shows."""
        listed = self._listed.get(page.file.src_uri)
        pages = [page] if listed is None else [page, *listed] if listed else []
        return tuple(dict.fromkeys(file for each in pages for file in self._made_of(each)))

    def _made_of(self, page: MkDocsPage) -> Iterator[str]:
        if source := source_of(page.file, self._config):
            yield source
        if self._dependencies:
            yield from self._dependencies.of(page)

    def notes(self) -> Iterator[Note]:
        """What its author should know."""
        if self._dependencies:
            yield from self._dependencies.notes()

    def expose(self, site: Site, pages: Iterable[tuple[MkDocsPage, Page]]) -> None:
        """Give the pages' metadata the dates that the sitemap will have."""
        known = {each.name: (meta.meta, each) for meta, each in pages}
        for name, shown in self._session.date(site, [page for _, page in known.values()]).items():
            meta, page = known[name]
            expose_dates(meta, shown, page.language, created=self._session.settings.expose == "created")


def shown_dates(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The date that themes find in a page's metadata, in the first form that can be read."""
    found = (str(meta[name]) for name in _SHOWN if meta.get(name))
    return tuple(list(found)[:1])
