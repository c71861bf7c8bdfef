"""What dates the pages of MkDocs: git, the files that pages are made of, and the themes that show the same dates."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from datetime import UTC, date, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from sitemap_plugins.enrich.git_dates import GitDates
from sitemap_plugins.enrich.git_history import DateRules
from sitemap_plugins.model import LastMod, Note, Page, Site
from sitemap_plugins.publishing import date_pages
from sitemap_plugins.settings import Settings

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

    from sitemap_plugins.mkdocs_dependencies import Dependencies

_TOOLS: Final = frozenset({"include-markdown", "macros", "mkdocstrings"})
_SNIPPETS: Final = "pymdownx.snippets"
REVISION: Final = "git_revision_date_localized"
CREATION: Final = "git_creation_date_localized"
_SHOWN: Final = (f"{REVISION}_raw_iso_datetime", f"{REVISION}_raw_iso_date", "revision_date")


class PageDates:
    """Whatever dates the pages of one build, from the moment on at which their files are known.

    ``suffixes`` are those of the documents.
    """

    def __init__(self, config: MkDocsConfig, settings: Settings, rules: DateRules, suffixes: Collection[str]) -> None:
        self._settings = settings
        directories = {config.docs_dir: suffixes}
        self._dependencies: Dependencies | None = None
        if settings.git.dependencies and (_TOOLS & config.plugins.keys() or _SNIPPETS in config.markdown_extensions):
            from sitemap_plugins.mkdocs_dependencies import Dependencies  # noqa: PLC0415  # few sites have such tools

            self._dependencies = Dependencies(config)
        is_read = "git" in settings.lastmod
        self.git = GitDates(directories, rules) if is_read else None
        self._births: GitDates | None = None
        if settings.expose == "created" and is_read:
            self._births = GitDates(directories, rules._replace(births=True))

    def notice_templates(self, page: MkDocsPage, markdown: str) -> None:
        """See `Dependencies`."""
        if self._dependencies:
            self._dependencies.notice_templates(page, markdown)

    def notice_text(self, page: MkDocsPage, markdown: str) -> None:
        """The same."""
        if self._dependencies:
            self._dependencies.notice_text(page, markdown)

    def complete(self) -> None:
        """All pages are rendered, so that it is known what they are made of; git reads on while they are written."""
        if self._dependencies:
            self._dependencies.resolve_modules()
            if self.git:
                self.git.expect(self._dependencies.all())

    def sources_of(self, page: MkDocsPage) -> tuple[str, ...]:
        """The files that a page is made of besides its own."""
        return self._dependencies.of(page) if self._dependencies else ()

    def notes(self) -> Iterator[Note]:
        """What its author should know."""
        if self._dependencies:
            yield from self._dependencies.notes()

    def expose(self, site: Site, pages: Iterable[tuple[MkDocsPage, Page]], root: str | os.PathLike[str]) -> None:
        """Give the pages' metadata the dates that the sitemap will have."""
        known = {each.name: (meta.meta, each) for meta, each in pages}
        own = [page.source for _, page in known.values() if page.source]
        births = self._births.dates_of(own) if self._births else {}
        dates = date_pages(site, [page for _, page in known.values()], self._settings, self.git, root)
        for name, dated in dates.items():
            meta, page = known[name]
            expose_date(meta, REVISION, dated.lastmod, page.language)
            if self._births:
                birth = births.get(page.source or "")
                expose_date(meta, CREATION, birth.when if birth else None, page.language)

    def stop(self) -> None:
        """Nobody wants to know any more."""
        for git in filter(None, (self.git, self._births)):
            git.stop()


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
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415  # only where dates are shown
    from babel.dates import format_date  # noqa: PLC0415  # the same

    try:
        locale = Locale.parse(language.replace("-", "_") or "en")
    except (ValueError, UnknownLocaleError):
        locale = Locale("en")
    return format_date(day, format="long", locale=locale)


def shown_dates(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The date that themes find in a page's metadata, in the first form that can be read."""
    found = (str(meta[name]) for name in _SHOWN if meta.get(name))
    return tuple(list(found)[:1])
