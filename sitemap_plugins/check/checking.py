"""Checks a published site: from its folder to findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace

from sitemap_plugins.check.canonicals import check_canonicals, check_versions
from sitemap_plugins.check.file_rules import check_announcing, check_files, check_llms
from sitemap_plugins.check.hreflang import check_heads, check_sitemap_links
from sitemap_plugins.check.listing import check_dates, check_twice, compare
from sitemap_plugins.check.live import check_served
from sitemap_plugins.check.redirects import check_redirects
from sitemap_plugins.findings.catalogue import RULES
from sitemap_plugins.findings.grouping import Finding, Hit, group
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.published.site_url import BY_ARGUMENT, BY_OPTION, NamedURL
from sitemap_plugins.published.sitemap_files import SitemapFile
from sitemap_plugins.published.snapshot import Redirect
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session.host import HostOptions
from sitemap_plugins.site.expecting import expect
from sitemap_plugins.site.published_site import PublishedSite
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.versions.recognizing import recognize

if TYPE_CHECKING:
    from sitemap_plugins.live.site import LiveSite

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
    """The findings about a site, worst first. Without the whole tree, some rules cannot tell anything.

    ``redirects`` are those that only its server has, by path.
    """
    with_url = (*(find(site) for find in WITH_URL), check_redirects(site, redirects)) if site.base else ()
    hits = chain.from_iterable((*(find(site) for find in CHECKS), *with_url))
    return group(hit for hit in hits if site.served is None or not RULES[hit.rule].needs_tree)


def read_site(
    folder: str,
    configuration: Configuration,
    options: HostOptions,
    track: Track = untracked,
    *,
    live: LiveSite | None = None,
    built: Sequence[SitemapFile] | None = None,
) -> PublishedSite:
    """Read the site in a folder, an absolute path, once. ``options.settings.base_url`` is its URL, if it is set.

    ``configuration`` is the one of its project, or an empty one. If the folder has what a server sent, ``live`` are its
    answers, and ``built`` the sitemaps that it should send. Raises `ConfigurationError`, and OSError if a folder cannot
    be listed or the disk fails.
    """
    tree = Tree(folder)
    option = str(options.settings.base_url or "")
    named = NamedURL(live.base_url, BY_ARGUMENT) if live else NamedURL(option, BY_OPTION) if option else None
    served = live.served if live else None
    versions = recognize(tree)
    expected = expect(tree, configuration, options, named, versions=versions, served=served, track=track)
    site = PublishedSite(tree=tree, versions=versions, expected=expected, served=served, built=built)
    return replace(site, asked=live.asked, not_asked=live.not_asked) if live else site
