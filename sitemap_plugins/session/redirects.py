"""The redirects that a build publishes: pages that only redirect, and rules for single paths in ``_redirects``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote, urldefrag, urljoin

from sitemap_plugins.built.html_files import SUFFIXES, read_html_file
from sitemap_plugins.model import Omitted, Site
from sitemap_plugins.pages import single_redirects
from sitemap_plugins.provenance import RedirectEvidence
from sitemap_plugins.values.urls import LOC_LENGTH, encode_url, page_key, root_of

_FRAGMENT_SAFE: Final = "/%:@!$&'()*+,;=~?"  # RFC 3986: pchar, "/" and "?"


def find_redirects(
    site: Site, omitted: Iterable[Omitted], directory: str, files: Iterable[str], host_file: bytes
) -> tuple[RedirectEvidence, ...]:
    """The redirects from paths below the base URL. If a path has several, the page comes before the rule.

    Pages that redirect are among those left out, and among the HTML ``files`` in the output, which the host does not
    know. ``host_file`` is the content of ``_redirects``, which has an effect only at the root of its host.
    """
    found: dict[str, RedirectEvidence] = {}
    for url, target in _links(site, omitted, directory, files, host_file):
        row = _row(site.base_url, url, target)
        if row:
            found.setdefault(row.path, row)
    return tuple(sorted(found.values()))


def _links(
    site: Site, omitted: Iterable[Omitted], directory: str, files: Iterable[str], host_file: bytes
) -> Iterator[tuple[str, str]]:
    """The URL and the target, as written, of each redirect."""
    for page in (each.page for each in omitted):
        if page.markup and page.markup.refresh:
            yield page.loc, page.markup.refresh
    for path in files:
        file = read_html_file(directory, path) if path.lower().endswith(SUFFIXES) else None
        if file and file.markup and file.markup.refresh:
            below = path.removesuffix("index.html") if f"/{path}".endswith("/index.html") else path
            yield site.base_url + quote(below, errors="replace"), file.markup.refresh
    if site.base_url == root_of(site.base_url):
        for path, target in single_redirects(host_file):
            yield site.base_url + path.removeprefix("/"), target


def _row(base_url: str, written: str, href: str) -> RedirectEvidence | None:
    """The redirect, or None if one of the two is no URL, it is not below the base, or it leads to itself."""
    try:
        url = encode_url(written)
        there, fragment = urldefrag(urljoin(url, href))
        target = encode_url(there)
    except ValueError:
        return None
    if not url.startswith(base_url) or page_key(url) == page_key(target):
        return None
    below = "" if f"{target}/" == base_url else target.removeprefix(base_url)
    anchor = f"#{quote(fragment, safe=_FRAGMENT_SAFE)}" if fragment else ""
    too_long = len(below) + len(anchor) > LOC_LENGTH
    return RedirectEvidence(url.removeprefix(base_url), below if too_long else below + anchor)
