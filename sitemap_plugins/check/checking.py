"""Checks a published site: from what is known about it to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Final, TypeAlias

from sitemap_plugins.check.canonicals import check_canonicals, check_heads, check_sitemap_links, check_versions
from sitemap_plugins.check.file_rules import check_announcing, check_files, check_llms
from sitemap_plugins.check.listing import check_dates, check_twice, compare
from sitemap_plugins.check.redirects import check_redirects
from sitemap_plugins.check.serving import check_served
from sitemap_plugins.findings.catalogue import RULES
from sitemap_plugins.findings.grouping import Finding, Hit, group
from sitemap_plugins.published.snapshot import Redirect
from sitemap_plugins.site.published_site import PublishedSite

Check: TypeAlias = Callable[[PublishedSite], Iterable[Hit]]

CHECKS: Final[tuple[Check, ...]] = (
    check_files,
    check_announcing,
    check_twice,
    check_sitemap_links,
    check_dates,
    check_served,
)
"""The functions that find the hits of all rules."""

WITH_URL: Final[tuple[Check, ...]] = (compare, check_heads, check_canonicals, check_versions, check_llms)
"""Those that need the URL of the site."""


def check(site: PublishedSite, redirects: Mapping[str, Redirect] = {}) -> tuple[Finding, ...]:
    """The findings about a site, worst first; ``redirects`` are those that only its server has, by path.

    Without the whole tree, some rules cannot tell anything.
    """
    with_url: tuple[Check, ...] = (*WITH_URL, partial(check_redirects, listed=redirects))
    hits = chain.from_iterable(find(site) for find in (*CHECKS, *(with_url if site.base else ())))
    return group(hit for hit in hits if site.served is None or not RULES[hit.rule].needs_tree)
