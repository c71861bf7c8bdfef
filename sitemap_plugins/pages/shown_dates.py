"""Check that the dates that pages show agree with their dates in the sitemap (SM-MOD-04)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from sitemap_plugins.model import Candidate, LastMod, Note
from sitemap_plugins.options import Settings
from sitemap_plugins.values.dates import format_lastmod, parse_lastmod
from sitemap_plugins.values.text import and_more_pages

# Shown dates are often days, in an unknown time zone.
_SKEW = timedelta(days=1)


def compare_shown_dates(listed: Iterable[Candidate], settings: Settings) -> list[Note]:
    """A note on the pages that show another day for their last change than the sitemap.

    The shown dates are those from the host (`Page.shown_dates`) and from the page's HTML (`Markup.modified`).
    """
    found: list[tuple[str, str]] = []
    for candidate in listed:
        page, lastmod = candidate.page, candidate.entry.lastmod
        if lastmod is not None and (page.shown_dates or (page.markup and page.markup.modified)):
            shown = (*page.shown_dates, *(page.markup.modified if page.markup else ()))
            if other := next((each for each in shown if _differs(each, lastmod)), None):
                day = format_lastmod(lastmod, "date")
                found.append((page.name, f"it shows {other} as the date of its last change, but its lastmod is {day}"))
    if not found:
        return []
    name, difference = found[0]
    # If dates are taken from pages, the option expose does not help.
    cure = (
        ""
        if settings.expose or "page" in settings.lastmod
        else "; with the option expose, pages show the date in the sitemap"
    )
    return [Note(kind="shown-date", page=name, message=difference + and_more_pages(len(found) - 1) + cure)]


def _differs(shown: str, lastmod: LastMod) -> bool:
    """Whether a shown date is another day, allowing for time zones; text that is not a date is ignored."""
    try:
        return abs(_day(parse_lastmod(shown.strip())) - _day(lastmod)) > _SKEW
    except ValueError:
        return False


def _day(moment: LastMod) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
