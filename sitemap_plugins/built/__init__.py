"""Reads the output of a build: its sitemaps and the pages behind their URLs."""

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

__all__ = [
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
