"""The URL of the root of a published folder, by the files in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.formats.paths import CNAME, ROBOTS
from sitemap_plugins.published.addresses import base_of_page, possible_bases
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import HOST_FILE
from sitemap_plugins.values.text import most_common
from sitemap_plugins.values.urls import InvalidURLError, normalize_url, parse_base_url

BY_CNAME: Final = "the file CNAME"
BY_OPTION: Final = "the option base_url"
BY_ARGUMENT: Final = "the command line"
BY_AUTHOR: Final = frozenset((BY_CNAME, BY_OPTION))
"""The places in which authors name the URL of the site itself, whatever its pages say."""


class NamedURL(msgspec.Struct, frozen=True):
    """A URL, and the name of its place for messages. ``is_written`` means that it is there as the author wrote it."""

    url: str
    place: str
    is_written: bool = False


def find_site_url(tree: Tree, announced: Sequence[str]) -> NamedURL | None:
    """The URL of a tree by its CNAME, else the sitemaps that its robots.txt announces, else most canonical links.

    ``announced`` are the URLs in robots.txt. None if no place gives a URL, or if canonical links give several and none
    of them is that of most pages.
    """
    locs = [
        (page.path, url)
        for page in tree.heads(with_hidden=True)
        if page.built and not page.built.refresh and not page.is_fragment
        for url in page.built.canonicals[:1]
    ]
    if domain := domain_of(tree):
        urls = [normalize_url(url) for url in (*(url for _, url in locs), *announced)]
        roots = (f"https://{domain}/", f"http://{domain}/")
        if url := public_url(max(roots, key=lambda root: sum(each.startswith(root) for each in urls))):
            return NamedURL(url, BY_CNAME)
    for url in announced:
        # The one that makes the path of the file the longest.
        bases = (public_url(base_url) for base_url, path in possible_bases(url) if tree.is_file(path))
        if base_url := next(bases, None):
            return NamedURL(base_url, ROBOTS)
    found = Counter(base for path, url in locs if (base := public_url(base_of_page(url, path) or "")))
    base = most_common(found)
    if found[base] * 2 > found.total():
        return NamedURL(base, "the canonical links of the pages")
    return None


def domain_of(tree: Tree) -> str:
    """The domain in the file CNAME, which GitHub Pages reads; empty if there is none, or no valid one."""
    with suppress(UnicodeDecodeError, InvalidURLError):
        domain = (tree.try_to_read(CNAME, HOST_FILE) or b"").decode("utf-8-sig").strip()
        return urlsplit(url_of_domain(domain)).netloc
    return ""


def url_of_domain(domain: str) -> str:
    """The URL of a site with a domain of its own. Raises `InvalidURLError`."""
    if "." not in domain or not domain.isprintable() or not {"/", ":"}.isdisjoint(domain):
        raise InvalidURLError("is not a domain name")
    return parse_base_url(f"https://{domain}/")


def public_url(url: str) -> str | None:
    """The URL of a site by its files, in its normal form; None if it cannot be published, such as that of a preview."""
    try:
        return parse_base_url(url, is_written=False)
    except InvalidURLError:
        return None
