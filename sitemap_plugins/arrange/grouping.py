"""Entries into sitemaps: one flat file, in an order that does not depend on the host."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sitemap_plugins.model import Entry, Note, Sitemap
from sitemap_plugins.settings import Settings

URL_LIMIT: Final = 50_000
"""The most URLs one sitemap may hold (sitemaps.org protocol; SM-LIM-01)."""


def group(entries: Iterable[Entry], settings: Settings) -> tuple[tuple[Sitemap, ...], list[Note]]:
    """The sitemaps for these entries, sorted by URL. None when there is nothing to list (SM-XML-10), or too much."""
    ordered = tuple(sorted(entries, key=lambda entry: entry.loc))
    if not ordered:
        return (), []
    if len(ordered) > URL_LIMIT:
        message = (
            f"there are {len(ordered):,} pages, and one sitemap may list {URL_LIMIT:,}; "
            "no sitemap was written: leave pages out with the option exclude"
        )
        return (), [Note(kind="limit", message=message)]
    return (Sitemap(path=settings.filename, entries=ordered),), []
