"""What dates the documents of Sphinx: git, the files they are made of, and the themes that show the same dates."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from sphinx.locale import _
from sphinx.util.i18n import format_date

from sitemap_plugins.git import Export, toplevel_of
from sitemap_plugins.model import LastMod, Page, Site
from sitemap_plugins.options import Settings
from sitemap_plugins.publish.session import BuildSession
from sitemap_plugins.sphinx.generated import GeneratedDocuments
from sitemap_plugins.sphinx.gettext import Translation

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def sources_of(
    app: Sphinx, document: str, translation: Translation, generated: GeneratedDocuments, settings: Settings
) -> Iterator[str]:
    """The files that a document is made of, as absolute paths; its own comes first."""
    yield str(app.env.doc2path(document))
    yield from translation.catalogues_of(document)
    if settings.git.dependencies:
        yield from generated.sources_of(document)
        for name in sorted(map(os.fspath, app.env.dependencies.get(document, ()))):
            if not name.endswith(".mo"):  # made of a .po file
                yield os.path.normpath(os.path.join(app.srcdir, name))


def start_git(app: Sphinx, session: BuildSession, translation: Translation) -> None:
    """Begin to read the history of the documents, and of the catalogues that this build takes its translation from."""
    catalogues = dict.fromkeys(translation.directories, (".po",))  # which date the documents of one language only
    session.start_git({os.fspath(app.srcdir): tuple(app.config.source_suffix), **catalogues}, _export_of(app))


def _export_of(app: Sphinx) -> Export | None:
    """The commit that sphinx-multiversion has exported into the folder that this build is made from, if it has.

    Its configuration is read where the author has it: in the repository.
    """
    versions = getattr(app.config, "smv_metadata", None) or {}
    version = versions.get(getattr(app.config, "smv_current_version", None), {})
    folder, toplevel = version.get("basedir"), toplevel_of(os.path.realpath(app.confdir))
    return Export(folder, toplevel, os.path.basename(folder)) if folder and toplevel else None


Shown = Mapping[str, tuple[LastMod | None, LastMod | None]]
"""When each document changed last, and when it was created, as far as that is known and asked for."""


def date_documents(session: BuildSession, site: Site, pages: Mapping[str, Page]) -> Shown:
    """The dates that themes are to show, by the document; waits for git, so that no thread is left."""
    dated = session.date(site, pages.values())
    return {document: dated.get(page.name, (None, None)) for document, page in pages.items()}


def as_text(shown: Shown) -> dict[str, list[str | None]]:
    """These dates as they are remembered."""
    return {name: [each.isoformat() if each else None for each in dates] for name, dates in shown.items()}


def show_dates(app: Sphinx, shown: Shown, document: str, context: dict[str, Any]) -> None:
    """Give a page's template its dates; where there is none, not the day of the build either."""
    names = ("last_updated", "created")
    for name, moment in zip(names, shown.get(document, (None, None)), strict=True):
        if moment is not None or name == "last_updated":
            context[name] = write_out(app, moment) if moment is not None else None


def write_out(app: Sphinx, moment: LastMod) -> str:
    """A date as ``html_last_updated_fmt`` has it, else as Sphinx writes dates in the documents' language; in UTC."""
    date = moment.astimezone(UTC) if isinstance(moment, datetime) else datetime.combine(moment, time(), UTC)
    form = app.config.html_last_updated_fmt or _("%b %d, %Y")
    return format_date(form, date=date, language=app.config.language)
