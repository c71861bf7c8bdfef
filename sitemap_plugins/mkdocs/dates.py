"""What dates the pages of MkDocs: git, the files that pages are made of, and the themes that show the same dates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from datetime import UTC, date, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from sitemap_plugins.mkdocs.dependencies import Dependencies
from sitemap_plugins.mkdocs.listings import listed_on, tags_plugins
from sitemap_plugins.mkdocs.sources import source_of
from sitemap_plugins.model import LastMod, Note, Page, Site
from sitemap_plugins.publish.session import BuildSession

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_TOOLS: Final = frozenset({"include-markdown", "macros", "mkdocstrings"})
_SNIPPETS: Final = "pymdownx.snippets"
REVISION: Final = "git_revision_date_localized"
CREATION: Final = "git_creation_date_localized"
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
            expose_date(meta, REVISION, shown.lastmod, page.language)
            if self._session.settings.expose == "created":
                expose_date(meta, CREATION, shown.created, page.language)


def expose_date(meta: MutableMapping[str, Any], name: str, value: LastMod | None, language: str) -> None:
    """Put a date into a page's metadata under the names that mkdocs-git-revision-date-localized has for it.

    A page without a date has none of them, whatever another plugin has put there.
    """
    for key in [key for key in meta if str(key).startswith(name)]:
        del meta[key]
    if value is not None:
        moment = value.astimezone(UTC) if isinstance(value, datetime) else value
        day = moment.date() if isinstance(moment, datetime) else moment
        text = write_out(day, language)
        time = f"{moment:%H:%M:%S}" if isinstance(moment, datetime) else "00:00:00"
        meta[name] = meta[f"{name}_raw_date"] = text
        meta[f"{name}_raw_datetime"] = f"{text} {time}"
        meta[f"{name}_raw_datetime-timezone"] = f"{text} {time} UTC"
        meta[f"{name}_raw_iso_date"] = day.isoformat()
        meta[f"{name}_raw_iso_datetime"] = f"{day.isoformat()} {time}"


def write_out(day: date, language: str) -> str:
    """A day as people write it in a language, where Babel is installed (Material brings it), else ``2026-03-01``."""
    if find_spec("babel") is None:
        return day.isoformat()
    from babel import Locale, UnknownLocaleError
    from babel.dates import format_date

    try:
        locale = Locale.parse(language.replace("-", "_") or "en")
    except (ValueError, UnknownLocaleError):
        locale = Locale("en")
    return format_date(day, format="long", locale=locale)


def shown_dates(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The date that themes find in a page's metadata, in the first form that can be read."""
    found = (str(meta[name]) for name in _SHOWN if meta.get(name))
    return tuple(list(found)[:1])
