"""Finds the URL of a published folder by its witnesses: its pages, sitemap, robots.txt, configuration and CNAME."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.published.addresses import infer_base_url, meant, possible_bases
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.site_url import (
    BY_CNAME,
    BY_VERSIONS,
    NamedURL,
    canonicals_of_pages,
    domain_of,
    is_counted,
    url_of_pages,
)
from sitemap_plugins.published.sitemaps import SITEMAPS, read_sitemap_file, sitemap_lines
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.urls import (
    LOC_LENGTH,
    InvalidURLError,
    decode_path,
    normalize_url,
    parse_base_url,
    preview_at,
    quote_path,
    root_of,
    without_empty_folders,
)

_SAMPLE: Final = 20  # pages whose links are followed


def find_site_url(
    tree: Tree,
    files: Sequence[HTMLFile],
    *,
    sitemap: str | None = None,
    configured: NamedURL | None = None,
    by_versions: str | None = None,
) -> NamedURL | None:
    """The URL of the root of a tree that most of its witnesses name; None if there are none.

    Each has one voice, and if several URLs have most voices, the first one counts: the canonical links in these
    ``files``, if at least half of the pages have one; the ``sitemap`` at the root, or one with a known name; the URLs
    in robots.txt whose files are there; and the generator's configuration (``configured``). Without any, a few
    canonical links count, then the URL of the root according to the versions in it. A domain in CNAME is always the
    host. Unless the canonical links count, links that begin with a slash may correct the path of a voice.
    """
    by_pages, is_common = url_of_pages(files)
    by_pages = _voice(by_pages)
    announced = [line.url for line in sitemap_lines(tree.robots)]
    voices = [each for each in (by_pages if is_common else None, _by_sitemap(tree, sitemap)) if each]
    voices += [each for each in (_by_robots(tree, announced, voices), _voice(configured)) if each]
    numbers = Counter(each.url for each in voices)
    found = max(voices, key=lambda each: numbers[each.url], default=by_pages)
    found = found or _voice(NamedURL(by_versions or "", BY_VERSIONS))
    if domain := domain_of(tree):
        urls = [*canonicals_of_pages(files).values(), *(each.url for each in voices)]
        found = _at_domain(domain, tree, [found, *voices] if found else [], urls)
    path = _path_in_links(tree, files) if found and voices and not is_common else None
    if found and path and path != urlsplit(found.url).path:
        return NamedURL(root_of(found.url) + path[1:], f"{found.place} and the links in the pages")
    return found


def _voice(named: NamedURL | None) -> NamedURL | None:
    """The URL without empty folders; None for none, and if it cannot be published, such as that of a preview."""
    with suppress(InvalidURLError):
        if named and not preview_at(url := parse_base_url(named.url)):
            return NamedURL(url, named.place)
    return None


def _by_sitemap(tree: Tree, own: str | None) -> NamedURL | None:
    """The URL of the root for which most of the URLs in the sitemap there lead to files."""
    there = tree.listing("").files
    names = (own, *SITEMAPS) if own else SITEMAPS
    for name in (each for known in names for each in (known, f"{known}.gz") if each in there):
        sitemap = read_sitemap_file(tree, name, name)
        locs = [each.loc for each in (*sitemap.entries, *sitemap.children)]
        url = infer_base_url(locs, tree.is_file) or ""
        # Any URL without a slash at its end could be that of the home page.
        is_below = any(normalize_url(loc).startswith(url) for loc in locs)
        return _voice(NamedURL(url, f"the URLs in {name}")) if is_below else None
    return None


def _by_robots(tree: Tree, announced: Sequence[str], others: Sequence[NamedURL]) -> NamedURL | None:
    """The URL of the root for which an announced sitemap is there: one of the others, or else that of the first."""
    found = []
    for url in map(without_empty_folders, announced):
        # The one that makes the path of the file the longest.
        bases = (_voice(NamedURL(base, ROBOTS)) for base, path in possible_bases(url) if tree.is_file(path))
        found += [*islice(filter(None, bases), 1)]
    urls = {each.url for each in others}
    return next((each for each in found if each.url in urls), found[0] if found else None)


def _at_domain(domain: str, tree: Tree, voices: Sequence[NamedURL], urls: Sequence[str]) -> NamedURL:
    """The URL of the root at the domain that GitHub Pages reads, with the path on which all voices for it agree.

    A version may contain a copy of CNAME. But if the root has a folder with that path, the voices are for that folder.
    """
    roots = (f"https://{domain}/", f"http://{domain}/")
    root = max(roots, key=lambda root: sum(normalize_url(each).startswith(root) for each in urls))
    paths = {urlsplit(each.url).path for each in voices if urlsplit(each.url).netloc == urlsplit(root).netloc}
    path = paths.pop() if len(paths) == 1 else "/"
    return NamedURL(root + ("" if tree.real_folder(decode_path(path.strip("/"))) is not None else path[1:]), BY_CNAME)


def _path_in_links(tree: Tree, files: Sequence[HTMLFile]) -> str | None:
    """The path of the root, such as ``/docs/``, without which most links that begin with a slash lead to files.

    None if there is none. Links that lead to a file as they are, such as an icon's, tell no path.
    """
    links: set[str] = set()
    for file in islice(filter(is_counted, files), _SAMPLE):
        for node in parse(tree.html(file.path) or "").document.css("[href^='/'], [src^='/']"):
            link = node.attributes.get("href") or node.attributes.get("src") or ""
            if len(link) <= LOC_LENGTH and link.strip("/") and not link.startswith("//"):
                links.add(decode_path(link.partition("#")[0].partition("?")[0]))
    found: Counter[str] = Counter()
    for link in (link for link in links if not meant(link[1:], tree.is_file)):
        ends = (number for number, char in enumerate(link, 1) if char == "/")
        found.update(link[:end] for end in ends if meant(link[end:], tree.is_file))
    path = max(sorted(found, key=len), key=lambda each: found[each], default="")
    return quote_path(path) if found[path] * 2 > len(links) else None
