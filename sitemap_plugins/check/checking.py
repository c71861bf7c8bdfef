"""Checks a published site: from its folder to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final, TypeAlias

import msgspec

from sitemap_plugins.check.announcing import check_announcing
from sitemap_plugins.check.canonicals import check_canonicals
from sitemap_plugins.check.dates import check_dates
from sitemap_plugins.check.file_rules import FILE_RULES
from sitemap_plugins.check.findings import Finding, Hit, group
from sitemap_plugins.check.hreflang import check_heads, check_sitemap_links
from sitemap_plugins.check.listing import compare, expect
from sitemap_plugins.check.llms import check_llms
from sitemap_plugins.check.site import CheckedSite, Expected
from sitemap_plugins.check.twins import check_twice, check_versions
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.site_finding import site_url_of
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.output.root_files import read_host_files, read_robots
from sitemap_plugins.pages import CrawlRules
from sitemap_plugins.published.site_url import NamedURL, find_site_url
from sitemap_plugins.published.sitemap_files import sitemap_lines
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session import HostOptions
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url, root_of
from sitemap_plugins.versions import recognize

Relation: TypeAlias = Callable[[CheckedSite], Iterable[Hit]]

RELATIONS: Final[tuple[Relation, ...]] = (
    check_announcing,
    compare,
    check_twice,
    check_sitemap_links,
    check_heads,
    check_canonicals,
    check_versions,
    check_dates,
    check_llms,
)
"""The functions that find the hits of rules on several files."""


def check(site: CheckedSite) -> tuple[Finding, ...]:
    """The findings about a site, worst first."""
    return group(chain.from_iterable(rule(site) for rule in (*FILE_RULES, *RELATIONS)))


def read_site(folder: str, configuration: Configuration, options: HostOptions, track: Track = untracked) -> CheckedSite:
    """Read the site in a folder, an absolute path, once. ``options.settings.base_url`` is its URL, if it is set.

    ``configuration`` is the one of its project, or an empty one. Raises `ConfigurationError`, and OSError if a folder
    cannot be listed or the disk fails.
    """
    return examine_site(folder, configuration, options, _configured_url(configuration, options), track)


def examine_site(
    folder: str,
    configuration: Configuration,
    options: HostOptions,
    base: NamedURL | None,
    track: Track,
    default: NamedURL | None = None,
) -> CheckedSite:
    """Read a site like `read_site`. ``base`` is its URL, if it is known; ``default`` is used if no file tells it."""
    tree = Tree(folder)
    versions = recognize(tree)
    for _ in tree.heads(with_hidden=True, track=track):
        pass  # so that the user sees how far it is
    robots, _ = read_robots(folder)
    host_files, _ = read_host_files(folder)
    base = base or find_site_url(tree, [line.url for line in sitemap_lines(robots)]) or default
    expected, rules = Expected(), CrawlRules()
    if base:
        # Elsewhere, neither crawlers nor servers read these files. A robots.txt that blocks everything counts, too.
        if base.url == root_of(base.url):
            rules = CrawlRules(RobotsTxt(robots) if robots is not None else None, host_files)
        expected = expect(tree, base.url, configuration, options, rules, track)
    return CheckedSite(
        tree=tree,
        base=base,
        robots=robots,
        host_files=host_files,
        versions=versions,
        expected=expected,
        crawl_rules=rules,
    )


def _configured_url(configuration: Configuration, options: HostOptions) -> NamedURL | None:
    """The URL in the options or in the generator's configuration, unless it is that of a preview on this machine."""
    if options.settings.base_url:
        return NamedURL(str(options.settings.base_url), "the option base_url")
    named = site_url_of(configuration)
    try:
        return msgspec.structs.replace(named, url=parse_base_url(named.url)) if named else None
    except InvalidURLError:
        return None
