"""The redirects that a build publishes: pages that only redirect, and the rules in ``_redirects``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from sitemap_plugins.model import Markup, Omitted, Site
from sitemap_plugins.published.html_files import SUFFIXES
from sitemap_plugins.published.redirects import Redirects, SiteBase, read_rules, stub_of
from sitemap_plugins.published.snapshot import normalize, path_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.urls import root_of


def find_redirects(
    site: Site, omitted: Iterable[Omitted], tree: Tree, files: Iterable[str], host_file: bytes
) -> Redirects:
    """The redirects from paths below the base URL. If a path has several, the page comes before the rule.

    Pages that redirect are among those left out, and among the HTML ``files`` in the output that the host does not
    know. ``host_file`` is the content of ``_redirects``, which has an effect only at the root of its host.
    """
    place = SiteBase(site.base_url)
    rules = read_rules(host_file if site.base_url == root_of(site.base_url) else b"", place)
    pages = _pages(site, omitted, tree, files)
    stubs = filter(None, (stub_of(path, file, markup, None, place) for file, path, markup in pages))
    return replace(rules, by_path=rules.by_path | {each.path: each for each in stubs})


def _pages(
    site: Site, omitted: Iterable[Omitted], tree: Tree, files: Iterable[str]
) -> Iterator[tuple[str, str, Markup]]:
    """The file, the path and the head of each page that may redirect."""
    for page in (each.page for each in omitted):
        path = path_of(site.base_url, page.loc)
        if page.markup and page.output and path is not None:
            yield page.output, path, page.markup
    for name in files:
        file = tree.head(name) if name.lower().endswith(SUFFIXES) else None
        if file and file.markup:
            yield name, normalize(name), file.markup
