"""Finds the URL at which a built folder will be published, from its pages and the files around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.built import infer_base_url
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.html_files import HTMLFile
from sitemap_plugins.folder.own_sitemaps import FoundSitemap
from sitemap_plugins.folder.site_finding import read_cname, site_url_of
from sitemap_plugins.model import Markup
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url


class NamedURL(NamedTuple):
    """A URL as written, and the name of its place for messages."""

    url: str
    place: str


def find_url(
    folder: str, files: Sequence[HTMLFile], configuration: Configuration, sitemap: FoundSitemap | None
) -> NamedURL | None:
    """The URL of the folder from its pages, or else its configuration, its sitemap or its domain; None if none has one.

    Some generators write the URL of a preview into their sites (``http://localhost:3000``); it is ignored. Raises
    `ConfigurationError`.
    """
    return next(_named_urls(folder, files, configuration, sitemap), None)


def _named_urls(
    folder: str, files: Sequence[HTMLFile], configuration: Configuration, sitemap: FoundSitemap | None
) -> Iterator[NamedURL]:
    by_pages = url_of_pages(folder, files)
    # If few pages have canonical links, these pages may be copies from another site.
    are_most = len(_canonicals(files)) * 2 >= len(_heads(files))
    if by_pages and are_most:
        yield by_pages
    if by_configuration := site_url_of(configuration):
        yield NamedURL(*by_configuration)
    if sitemap and (url := _public(sitemap.base_url)):
        yield NamedURL(url, f"the URLs in {sitemap.path}")
    if by_pages and not are_most:
        yield by_pages
    if by_domain := read_cname(folder):
        yield NamedURL(*by_domain)


def url_of_pages(folder: str, files: Sequence[HTMLFile]) -> NamedURL | None:
    """The URL of the folder according to the canonical links of its pages."""
    url = _public(infer_base_url(Path(folder), _canonicals(files)))
    return NamedURL(url, "the canonical links of the pages") if url else None


def _canonicals(files: Sequence[HTMLFile]) -> list[str]:
    """The canonical link of each page that has one."""
    return [url for head in _heads(files) for url in head.canonicals[:1]]


def _heads(files: Sequence[HTMLFile]) -> list[Markup]:
    """The markup of the pages, without redirects, which may lead to any site.

    A retired page leads to another version, so its markup before that counts.
    """
    return [file.built for file in files if file.built and not file.built.refresh]


def _public(url: str | None) -> str | None:
    """The URL if it can be published, or else None."""
    try:
        return parse_base_url(url) if url else None
    except InvalidURLError:
        return None
