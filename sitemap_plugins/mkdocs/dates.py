"""Dates of MkDocs pages: the files that date each page, and the dates that the theme gets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from sitemap_plugins.mkdocs.dependencies import Dependencies
from sitemap_plugins.mkdocs.sources import source_of
from sitemap_plugins.model import Note, Page, Site
from sitemap_plugins.pages import Draft, draft_of
from sitemap_plugins.session import BuildSession
from sitemap_plugins.session.exposed_dates import REVISION, expose_dates
from sitemap_plugins.values.text import join_words, plural

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_SHOWN: Final = (f"{REVISION}_raw_iso_datetime", f"{REVISION}_raw_iso_date", "revision_date")

_MANY: Final = 5  # names of pages in one message


class PageDates:
    """Finds the files that date the pages of one build, and passes the dates on to the theme."""

    def __init__(self, config: MkDocsConfig, session: BuildSession) -> None:
        self._config = config
        self._session = session
        self._listed: dict[str, list[MkDocsPage]] = {}
        self.dependencies = Dependencies(config, is_wanted=session.settings.git.dependencies)

    def complete(self) -> None:
        """Call this when all pages are rendered, to find the rest of their files. git reads on in the background."""
        self.dependencies.resolve_modules()
        self._session.dating.expect(self.dependencies.all())

    def notice_listed(self, page: MkDocsPage, context: Mapping[str, Any]) -> bool:
        """Note the pages that a page lists. Call this when its context is complete; returns whether it lists any."""
        listed = _listed_on(page, context, self._config)
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
        yield from self.dependencies.of(page)

    def notes(self, site: Site, pages: Iterable[Page]) -> Iterator[Note]:
        """Notes on files that could not be determined; call this with the pages to publish."""
        yield from self.dependencies.notes()
        blocks = self.dependencies.unknown_blocks()
        drafts = [draft_of(page, site, self._session.settings)[0] for page in pages if page.name in blocks]
        names = [each.page.name for each in drafts if isinstance(each, Draft) and not each.values.depends_on]
        if names:
            more = names[_MANY:]
            listed = join_words([*names[:_MANY], *([f"{len(more)} more {plural(len(more), 'page')}"] if more else [])])
            message = (
                f"blocks such as '::: {blocks[names[0]][0]:.50}' are of a tool that the plugin does not know, so the "
                f"files that they show do not count for the dates of {listed}: name them with depends_on"
            )
            yield Note(kind="dependencies", message=message)

    def expose(self, pages: Iterable[tuple[MkDocsPage, Page]], base_url: str | None) -> None:
        """Put the dates of the sitemap into the metadata of the pages."""
        known = {each.name: (meta.meta, each) for meta, each in pages}
        for name, shown in self._session.dates([page for _, page in known.values()], base_url).items():
            meta, page = known[name]
            expose_dates(meta, shown, page.language, created=self._session.settings.expose == "created")


def _listed_on(page: MkDocsPage, context: Mapping[str, Any], config: MkDocsConfig) -> list[MkDocsPage] | None:
    """The pages whose excerpts date a page that lists them; None if it lists no pages.

    Material's blog lists posts with excerpts, its tags plugin lists titles. The result is empty for a list of titles
    and for the later pages of a pagination: posts move from one page to the next, so no file tells when such a page
    changed.
    """
    excerpts = context.get("posts")
    posts: list[Any] = [getattr(each, "post", None) for each in excerpts] if isinstance(excerpts, list) else []
    if posts and all(hasattr(post, "file") for post in posts):
        first, *_ = getattr(page, "pages", None) or [page]
        return posts if page is first else []
    tags = (plugin for name, plugin in config.plugins.items() if name.removeprefix("material/").startswith("tags"))
    listings = (listing for plugin in tags for listing in getattr(plugin, "listings", None) or ())
    return [] if any(listing.page is page for listing in listings) else None


def shown_dates(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The date in a page's metadata that themes show, from the first name that has one; empty if there is none."""
    found = (str(meta[name]) for name in _SHOWN if meta.get(name))
    return tuple(list(found)[:1])
