"""Distribute entries over sitemap files, render these, and announce them."""

from sitemap_plugins.sitemaps.announcing import announce, cross_submit_notes
from sitemap_plugins.sitemaps.arranging import arrange, theme_notes
from sitemap_plugins.sitemaps.rendering import render

__all__ = [
    "announce",
    "arrange",
    "cross_submit_notes",
    "render",
    "theme_notes",
]
