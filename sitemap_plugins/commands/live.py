"""Reads a site from its server for ``check``; imported only with a URL, because it takes modules for networks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import Final

import click

from sitemap_plugins.check.checking import check
from sitemap_plugins.check.serving import differences
from sitemap_plugins.commands.terminal import ProgressBar, explained_errors
from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.folder.configuration import Configuration, read_configuration, read_settings_of
from sitemap_plugins.live.fetching import Manners, Server
from sitemap_plugins.live.site import LiveError, LiveSite, fetch_pages, parse_site_url, read_sitemaps
from sitemap_plugins.published.sitemaps import SitemapFile, find_sitemaps, sitemap_lines
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session.host import HostOptions
from sitemap_plugins.site.published_site import PublishedSite, read_site

_AGAIN: Final = 15  # seconds


def check_live_site(
    url: str,
    project: str | None,
    folder: str | None,
    *,
    wait: int,
    rate: float | None,
    limit: int | None,
    quiet: bool,
) -> tuple[PublishedSite, Sequence[Finding], HostOptions]:
    """Check a site and read its options. What the server sends is kept until the command ends. Exits on errors.

    ``folder`` is that of ``--built``.
    """
    with ProgressBar("fetching the sitemaps", quiet=quiet) as bar, explained_errors():
        base_url = parse_site_url(url)
        built = _announced_in(folder, base_url) if folder else None
        if built == []:
            raise LiveError(f"there is no sitemap in {folder}: give the folder that the build writes")
        configured = read_configuration(project) if project else None
        host_options = read_settings_of(configured or Configuration(root=""))
        manners = Manners() if rate is None else Manners(rate=rate)
        live, server = _wait_for(built, base_url, manners, wait)
        live = fetch_pages(live, server, most=limit, track=bar.track)
        configuration = configured or Configuration(root=live.folder)
        site = read_site(live.folder, configuration, host_options, live=live, built=built, track=bar.track)
        return site, check(site), host_options


def _wait_for(
    built: list[SitemapFile] | None, base_url: str, manners: Manners, seconds: int
) -> tuple[LiveSite, Server]:
    """The sitemaps that the server sends: the built ones, or what is there when the time is over, with that server."""
    end = time.monotonic() + seconds
    while True:
        folder = TemporaryDirectory(prefix="sitemap-plugins-")
        click.get_current_context().call_on_close(folder.cleanup)
        server = Server(base_url, manners)
        left = end - time.monotonic()
        try:
            live = read_sitemaps(base_url, folder.name, server)
            if left <= 0 or not (built and differences(live.sitemaps.values(), built)):
                return live, server
        except LiveError:  # such as before the first deployment
            if left <= 0:
                raise
        folder.cleanup()
        time.sleep(min(_AGAIN, left))


def _announced_in(folder: str, base_url: str) -> list[SitemapFile]:
    """The announced sitemaps of a built folder."""
    tree = Tree(folder)
    return [each for each in find_sitemaps(tree, base_url, sitemap_lines(tree.robots)).values() if each.announced_by]
