"""Check that a sitemap and its evidence have the same pages with the same dates, and each page once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sitemap_plugins.model import Entry
from sitemap_plugins.provenance.evidence import Evidence
from sitemap_plugins.values.dates import format_lastmod


def compare(evidence: Evidence, entries: Iterable[Entry]) -> list[str]:
    """The differences, one sentence for each page; a single sentence if the evidence has no pages at all."""
    listed = [*entries]
    # Compare text, because a date without a time is not a point in time.
    dates = {entry.loc: format_lastmod(entry.lastmod, "datetime") if entry.lastmod else None for entry in listed}
    claims = {page.loc: page.lastmod for page in evidence.pages}
    if dates and not claims:
        dated = sum(date is not None for date in dates.values())
        return [f"the evidence has no pages, but the sitemap has {len(dates)}, {dated} with a date"]
    failures = []
    for where, locs in (
        ("sitemap", [entry.loc for entry in listed]),
        ("evidence", [page.loc for page in evidence.pages]),
    ):
        failures += [f"{loc}: the {where} has it {number} times" for loc, number in Counter(locs).items() if number > 1]
    failures += [f"{loc}: it is in the sitemap, but not in the evidence" for loc in dates if loc not in claims]
    failures += [f"{loc}: it is in the evidence, but not in the sitemap" for loc in claims if loc not in dates]
    failures += [
        f"{loc}: it has {_describe_date(dates[loc])} in the sitemap, but {_describe_date(claim)} in the evidence"
        for loc, claim in claims.items()
        if loc in dates and dates[loc] != claim
    ]
    return failures


def _describe_date(date: str | None) -> str:
    return f"the date {date}" if date else "no date"
