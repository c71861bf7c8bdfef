"""Dates of Sphinx documents: from git, for all files that a document is made of, and passed on to the theme."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from sphinx.locale import _
from sphinx.util.i18n import format_date

from sitemap_plugins.git import Export, toplevel_of
from sitemap_plugins.model import LastMod, Page
from sitemap_plugins.options import Settings
from sitemap_plugins.session import BuildSession
from sitemap_plugins.sphinx.generated import GeneratedDocuments
from sitemap_plugins.sphinx.gettext import Translation

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def sources_of(
    app: Sphinx, document: str, translation: Translation, generated: GeneratedDocuments, settings: Settings
) -> Iterator[str]:
    """The files that a document is made of, as absolute paths; its own file comes first."""
    yield str(app.env.doc2path(document))
    yield from translation.catalogues_of(document)
    if settings.git.dependencies:
        yield from generated.sources_of(document)
        for name in sorted(map(os.fspath, app.env.dependencies.get(document, ()))):
            if not name.endswith(".mo"):  # made of a .po file
                yield os.path.normpath(os.path.join(app.srcdir, name))


def start_git(app: Sphinx, session: BuildSession, translation: Translation) -> None:
    """Start to read the history of the documents, and of the catalogues for this build's language."""
    catalogues = dict.fromkeys(translation.directories, (".po",))  # they date documents in one language only
    session.start_git({os.fspath(app.srcdir): tuple(app.config.source_suffix), **catalogues}, _export_of(app))


def _export_of(app: Sphinx) -> Export | None:
    """The commit that sphinx-multiversion exported into the source folder of this build, if any.

    The repository is the one with conf.py, because sphinx-multiversion reads the author's own configuration.
    """
    versions = getattr(app.config, "smv_metadata", None) or {}
    version = versions.get(getattr(app.config, "smv_current_version", None), {})
    folder, toplevel = version.get("basedir"), toplevel_of(os.path.realpath(app.confdir))
    return Export(folder, toplevel, os.path.basename(folder)) if folder and toplevel else None


Shown = Mapping[str, tuple[LastMod | None, LastMod | None]]
"""When each document last changed and when it was created, or None if unknown or not needed."""


def date_documents(session: BuildSession, pages: Mapping[str, Page], base_url: str) -> Shown:
    """The dates for the theme to show, by document; waits for git, so no thread is left running."""
    dated = session.dates(pages.values(), base_url)
    return {document: dated.get(page.name, (None, None)) for document, page in pages.items()}


def as_text(shown: Shown) -> dict[str, list[str | None]]:
    """The dates in the form that is stored for the next build."""
    return {name: [each.isoformat() if each else None for each in dates] for name, dates in shown.items()}


def show_dates(app: Sphinx, shown: Shown, document: str, context: dict[str, Any]) -> None:
    """Pass a page's dates to its template; if there is none, the day of the build is not shown either."""
    names = ("last_updated", "created")
    for name, moment in zip(names, shown.get(document, (None, None)), strict=True):
        if moment is not None or name == "last_updated":
            context[name] = write_out(app, moment) if moment is not None else None


def write_out(app: Sphinx, moment: LastMod) -> str:
    """A date in UTC, in the format ``html_last_updated_fmt`` or else as Sphinx writes dates in this language."""
    date = moment.astimezone(UTC) if isinstance(moment, datetime) else datetime.combine(moment, time(), UTC)
    form = app.config.html_last_updated_fmt or _("%b %d, %Y")
    return format_date(form, date=date, language=app.config.language)
