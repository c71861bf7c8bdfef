"""Measure how the cost of alternates grows: pages in many languages through the core, from pages to bytes.

    python benchmarks/alternates.py [LANGUAGES PAGES]

Prints, for growing numbers of pages, the seconds of each step (medians) and the time for each alternate.
"""

from __future__ import annotations

import statistics
import sys
import time
from itertools import pairwise
from typing import Final

from sitemap_plugins import Page, Settings, Site
from sitemap_plugins.formats.sitemap_xml import PLAIN, SitemapWriter
from sitemap_plugins.pages.entries import enrich
from sitemap_plugins.pages.selection import select
from sitemap_plugins.sitemaps.arranging import arrange
from sitemap_plugins.translations.hreflang import translate

CODES: Final = "ar bg cs da de el en es fi fr he hi hu it ja ko nl pl pt ru sv tr uk vi zh"
ROUNDS: Final = 5
SITE: Final = Site(base_url="https://docs.example.org/", default_language="en")


def pages(languages: int, number: int) -> list[Page]:
    """The same pages in several languages; with one language, they have no translations."""
    return [
        Page(
            loc=f"{SITE.base_url}{code}/guides/page-{index}/",
            name=f"{code}/guides/page-{index}.md",
            language=code,
            translation=f"guides/page-{index}.md" if languages > 1 else "",
        )
        for code in CODES.split()[:languages]
        for index in range(number)
    ]


def measure(collected: list[Page]) -> tuple[dict[str, float], int, int]:
    """The seconds of each step, the number of alternates, and the number of bytes."""
    settings = Settings().for_host(gzip=False, generated_pages=True)
    rounds = []
    for _ in range(ROUNDS):
        clock = [time.perf_counter()]
        candidates, *_rest = enrich(SITE, collected, settings, {})
        listed, omitted, _notes = select(SITE, candidates, settings)
        clock.append(time.perf_counter())
        listed, _notes = translate(SITE, listed, omitted, settings)
        clock.append(time.perf_counter())
        arrangement, _notes = arrange(SITE, listed, settings)
        size = sum(
            len(chunk) for sitemap in arrangement.sitemaps for chunk in SitemapWriter(PLAIN).render(sitemap.entries)
        )
        clock.append(time.perf_counter())
        rounds.append([after - before for before, after in pairwise(clock)])
    links = sum(len(entry.alternates) for sitemap in arrangement.sitemaps for entry in sitemap.entries)
    steps = ("before", "translate", "write")
    return dict(zip(steps, map(statistics.median, zip(*rounds, strict=True)), strict=True)), links, size


def main() -> None:
    languages, number = (int(argument) for argument in sys.argv[1:3]) if sys.argv[2:] else (20, 2500)
    print("languages  pages each      URLs  alternates      MB   before  translate    write  µs an alternate")
    for count, each in ((1, languages * number), *((languages, number // part) for part in (8, 4, 2, 1))):
        seconds, links, size = measure(pages(count, each))
        spent = seconds["translate"] + seconds["write"]
        print(
            f"{count:9} {each:11,} {count * each:9,} {links:11,} {size / 1e6:7.1f} {seconds['before']:8.3f} "
            f"{seconds['translate']:10.3f} {seconds['write']:8.3f}" + (f" {spent / links * 1e6:16.2f}" if links else "")
        )


if __name__ == "__main__":
    main()
