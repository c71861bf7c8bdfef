"""Reads the output of a build: its sitemaps, the pages behind their URLs, and its whole state."""

from sitemap_plugins.built.listed import read_listed, read_parts
from sitemap_plugins.built.published import (
    Published,
    PublishedPage,
    PublishedSitemap,
    count_listed,
    file_behind,
    infer_base_url,
    read_published,
)
from sitemap_plugins.built.site_url import NamedURL

__all__ = [
    "NamedURL",
    "Published",
    "PublishedPage",
    "PublishedSitemap",
    "count_listed",
    "file_behind",
    "infer_base_url",
    "read_listed",
    "read_parts",
    "read_published",
]
