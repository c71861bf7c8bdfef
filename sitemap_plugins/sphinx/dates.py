"""Dates of Sphinx documents: where git finds the files of a build, and how the theme gets the dates."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import UTC
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from sphinx.locale import _
from sphinx.util.i18n import format_date

from sitemap_plugins.git.dates import Export
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.model import LastMod
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.values.dates import moment_of

if TYPE_CHECKING:
    from sphinx.application import Sphinx


_LOOKED_AT: Final = 10  # pages of the same theme


def export_of(app: Sphinx) -> Export | None:
    """The commit that sphinx-multiversion exported into the source folder of this build, if any.

    The repository is the one with conf.py, because sphinx-multiversion reads the author's own configuration.
    """
    versions = getattr(app.config, "smv_metadata", None) or {}
    version = versions.get(getattr(app.config, "smv_current_version", None), {})
    folder, toplevel = version.get("basedir"), toplevel_of(os.path.realpath(app.confdir))
    return Export(folder, toplevel, os.path.basename(folder)) if folder and toplevel else None


Shown = Mapping[str, tuple[LastMod | None, LastMod | None]]
"""When each document last changed and when it was created, or None if unknown or not needed."""


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
    form = app.config.html_last_updated_fmt or _("%b %d, %Y")
    return format_date(form, date=moment_of(moment).astimezone(UTC), language=app.config.language)


def is_shown(app: Sphinx, texts: Iterable[tuple[str, str]]) -> bool:
    """Whether the theme shows these dates: whether one of the first few documents in ``texts`` has its date."""
    builder: Any = app.builder
    for document, text in islice(texts, _LOOKED_AT):
        try:
            page = read_file(builder.get_outfilename(document), PAGE, inside=app.outdir)
        except OSError:
            continue  # reported when it is read for the sitemap
        if text in unescape(page.decode(app.config.html_output_encoding, errors="replace")):
            return True
    return False
