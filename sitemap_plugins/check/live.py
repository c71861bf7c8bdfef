"""The rules on what a server answers, and on whether it sends what was built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.model import LastMod
from sitemap_plugins.pages.crawl_rules import Served
from sitemap_plugins.published.sitemaps import SitemapFile
from sitemap_plugins.site.published_site import PublishedSite
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.text import count_of, short_repr
from sitemap_plugins.values.urls import quote_path

_DIFFERENCES: Final = 3
_DIGITS: Final = 10


class Difference(msgspec.Struct, frozen=True):
    """A URL whose entry on the server is not the one that was built, and what is there and was built."""

    url: str
    found: str
    expected: str


def differences(live: Iterable[SitemapFile], built: Iterable[SitemapFile]) -> list[Difference]:
    """The URLs that only one side lists, or lists with another date. All else may differ: services change bytes."""
    here, there = (_dates(sorted(each, key=lambda sitemap: sitemap.path)) for each in (built, live))
    shown = ((url, _shown(there, url), _shown(here, url)) for url in sorted(here.keys() | there.keys()))
    return [Difference(*each) for each in shown if each[1] != each[2]]


def _dates(sitemaps: Iterable[SitemapFile]) -> dict[str, LastMod | None]:
    return {each.loc: each.entry.lastmod for sitemap in sitemaps for each in sitemap.entries}


def _shown(dates: dict[str, LastMod | None], url: str) -> str:
    if url not in dates:
        return "not listed"
    date = dates[url]
    return "no date" if date is None else format_lastmod(date, "datetime")


def check_served(site: PublishedSite) -> Iterator[Hit]:
    """The hits on answers that tell nothing, and on a server that sends an old state of the site."""
    served = site.served or {}
    problems = {url: answer for url, answer in sorted(served.items()) if answer.problem}
    checked = f"{len(served) - len(problems):,} of {count_of(len(served), 'URL')} checked"
    for url, answer in problems.items():
        target = short_repr(answer.target) if answer.target else ""
        yield Hit(rule="unanswered", cause=f"{answer.problem}; {checked}", url=url, found=target, key=answer.problem)
    if site.built is None:
        return
    found = differences(site.announced_sitemaps, site.built)
    answers = (served.get(site.base_url + quote_path(each.path), Served()) for each in site.announced_sitemaps)
    age = max((int(each.age) for each in answers if each.age.isdecimal() and len(each.age) < _DIGITS), default=0)
    cached = f"; a cache has kept the sitemap for {count_of(age, 'second')} (Age)" if age else ""
    cause = f"{count_of(len(found), 'difference')} from the built sitemap{cached}"
    for number, each in enumerate(found[:_DIFFERENCES], 1):
        more = max(0, len(found) - _DIFFERENCES) if number == _DIFFERENCES else 0
        yield Hit(
            rule="not-deployed",
            cause=cause,
            key=SITE,
            url=each.url,
            found=each.found,
            expected=each.expected,
            more=more,
        )
