"""Puts the dates of a page into its metadata, where themes for MkDocs and Zensical find them."""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import UTC, date
from importlib.util import find_spec
from typing import Any, Final

from sitemap_plugins.model import LastMod
from sitemap_plugins.session.dating import ShownDate
from sitemap_plugins.values.dates import moment_of

REVISION: Final = "git_revision_date_localized"
_CREATION: Final = "git_creation_date_localized"


def expose_dates(meta: MutableMapping[str, Any], shown: ShownDate, language: str, *, created: bool) -> None:
    """Put the dates into a page's metadata under the names of mkdocs-git-revision-date-localized.

    If a date is not known, values under its names are removed, even if another plugin put them there. ``created`` says
    whether to do this for the date of creation, too.
    """
    _expose(meta, REVISION, shown.lastmod, language)
    if created:
        _expose(meta, _CREATION, shown.created, language)


def _expose(meta: MutableMapping[str, Any], name: str, value: LastMod | None, language: str) -> None:
    for key in [key for key in meta if str(key).startswith(name)]:
        del meta[key]
    if value is not None:
        moment = moment_of(value).astimezone(UTC)
        day, time = moment.date(), f"{moment:%H:%M:%S}"
        text = _write_out(day, language)
        meta[name] = meta[f"{name}_raw_date"] = text
        meta[f"{name}_raw_datetime"] = f"{text} {time}"
        meta[f"{name}_raw_datetime-timezone"] = f"{text} {time} UTC"
        meta[f"{name}_raw_iso_date"] = day.isoformat()
        meta[f"{name}_raw_iso_datetime"] = f"{day.isoformat()} {time}"


def _write_out(day: date, language: str) -> str:
    """A day as written in a language if Babel is installed (Material requires it), else as ``2026-03-01``."""
    if find_spec("babel") is None:
        return day.isoformat()
    from babel import Locale, UnknownLocaleError
    from babel.dates import format_date

    try:
        locale = Locale.parse(language.replace("-", "_") or "en")
    except (ValueError, UnknownLocaleError):
        locale = Locale("en")
    return format_date(day, format="long", locale=locale)
