"""The rules on dates: of the build instead of the page, in the future, or other than the page's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.model import LastMod
from sitemap_plugins.published.sitemap_files import SitemapFile
from sitemap_plugins.values.dates import is_future, moment_of, parse_lastmod
from sitemap_plugins.values.text import count_of, join_words

_FEW: Final = 10  # pages that may well have changed on one day
_SHARE: Final = 0.9
_BUILD: Final = timedelta(minutes=10)
_ONE_DAY: Final = timedelta(days=1)


def check_dates(site: CheckedSite) -> Iterator[Hit]:
    """The hits of the rules on dates in sitemaps (SM-MOD-02, SM-MOD-03, SM-MOD-04)."""
    dated = {sitemap: dates for sitemap in site.sitemaps.values() if len(dates := _dates_in(sitemap)) >= _FEW}
    for sitemap, dates in dated.items():
        if proof := _proof_of_build(sitemap, dates):
            days = sorted({*map(_as_day, dates)})
            found = f"{count_of(len(dates), 'date')}, all {join_words(days)}; {proof}"
            yield Hit(rule="build-dates", cause=SITE, file=sitemap.path, found=found)
        day, number = Counter(map(_day_of, dates)).most_common(1)[0]
        if sitemap.announced_by and number >= _SHARE * len(dates):
            found = f"{number:,} of {count_of(len(dates), 'date')} are {day}"
            yield Hit(rule="one-date", cause=SITE, file=sitemap.path, found=found)
    yield from _future(site)
    yield from _other_than_own(site)


def _dates_in(sitemap: SitemapFile) -> list[LastMod]:
    return [each.entry.lastmod for each in sitemap.entries if each.entry.lastmod is not None]


def _proof_of_build(sitemap: SitemapFile, dates: list[LastMod]) -> str:
    """What proves that all dates are the time of the build, as the end of a sentence; empty if nothing does."""
    when = sitemap.packed.when if sitemap.packed else None
    # MkDocs writes the newest of the dates into the header, at midnight, so that proves nothing.
    if sitemap.packed and when and when.time() != time() and all(_is_at(each, when) for each in dates):
        return f"{sitemap.packed.path} was written at {when:%Y-%m-%d %H:%M:%S} UTC"
    # A commit may be a few minutes older than the build, but then all pages that it changed have one time.
    is_rendering = len({*dates}) > 1 and all(isinstance(each, datetime) for each in dates)
    if sitemap.written and is_rendering and all(_is_at(each, sitemap.written) for each in dates):
        return f"{sitemap.path} was written at {sitemap.written:%Y-%m-%d %H:%M:%S} UTC"
    return ""


def _is_at(lastmod: LastMod, when: datetime) -> bool:
    if isinstance(lastmod, datetime):
        return timedelta() <= when - lastmod <= _BUILD
    return lastmod == when.date()


def _day_of(lastmod: LastMod) -> date:
    return lastmod.astimezone(UTC).date() if isinstance(lastmod, datetime) else lastmod


def _as_day(lastmod: LastMod) -> str:
    return f"{_day_of(lastmod):%Y-%m-%d}"


def _future(site: CheckedSite) -> Iterator[Hit]:
    """The dates that are later than the files that have them. Files may have a time that was set by hand."""
    dated = [each for each in site.listed if each.entry.lastmod is not None]
    written = [each.written for each in site.announced]
    written += [each.packed.when for each in site.announced if each.packed]
    now = max(filter(None, written), default=None)
    future = [each for each in dated if each.entry.lastmod and is_future(each.entry.lastmod, now)]
    if now and len(future) * 2 <= len(dated):
        for each in future:
            found = f"{each.entry.lastmod}, in a file that was written on {now:%Y-%m-%d}"
            yield each.hit("future-date", SITE, found=found)


def _other_than_own(site: CheckedSite) -> Iterator[Hit]:
    """The pages that give another date of their last change than the sitemap, unless that looks like a build's."""
    for each in site.listed:
        page = site.pages.get(each.file or "")
        if not page or not page.markup or each.entry.lastmod is None or page.path in site.expected.built_dates:
            continue
        try:
            own = {parse_lastmod(text) for text in page.markup.modified}
        except ValueError:
            continue
        listed = moment_of(each.entry.lastmod)
        if own and all(abs(moment_of(value) - listed) > _ONE_DAY for value in own):
            found = f"the sitemap has {_as_day(each.entry.lastmod)}, the page {', '.join(sorted(map(_as_day, own)))}"
            yield each.hit("shown-date", SITE, found=found)
