"""Checks a published site: from its folder to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final

import msgspec

from sitemap_plugins.check.canonicals import check_canonicals, check_versions
from sitemap_plugins.check.file_rules import check_announcing, check_files, check_llms
from sitemap_plugins.check.hreflang import check_heads, check_sitemap_links
from sitemap_plugins.check.listing import check_dates, check_twice, compare
from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.findings.grouping import Finding, Hit, group
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.expecting import expect
from sitemap_plugins.folder.site_finding import site_url_of
from sitemap_plugins.published.site_url import BY_OPTION, NamedURL
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session import HostOptions
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url
from sitemap_plugins.versions import recognize

CHECKS: Final[tuple[Callable[[CheckedSite], Iterable[Hit]], ...]] = (
    check_files,
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
"""The functions that find the hits of all rules."""


def check(site: CheckedSite) -> tuple[Finding, ...]:
    """The findings about a site, worst first."""
    return group(chain.from_iterable(rule(site) for rule in CHECKS))


def read_site(folder: str, configuration: Configuration, options: HostOptions, track: Track = untracked) -> CheckedSite:
    """Read the site in a folder, an absolute path, once. ``options.settings.base_url`` is its URL, if it is set.

    ``configuration`` is the one of its project, or an empty one. Raises `ConfigurationError`, and OSError if a folder
    cannot be listed or the disk fails.
    """
    tree = Tree(folder)
    named = _configured_url(configuration, options)
    versions = recognize(tree)
    expected = expect(tree, configuration, options, named, version_folders=versions.folders, track=track)
    return CheckedSite(tree=tree, versions=versions, expected=expected)


def _configured_url(configuration: Configuration, options: HostOptions) -> NamedURL | None:
    """The URL in the options or in the generator's configuration, unless it is that of a preview on this machine."""
    if options.settings.base_url:
        return NamedURL(str(options.settings.base_url), BY_OPTION)
    named = site_url_of(configuration)
    try:
        return msgspec.structs.replace(named, url=parse_base_url(named.url)) if named else None
    except InvalidURLError:
        return None
