"""Distribute entries over sitemap files, render these, and announce them."""

from sitemap_plugins.sitemaps.announcing import announce, cross_submit_notes
from sitemap_plugins.sitemaps.arranging import arrange, theme_notes
from sitemap_plugins.sitemaps.rendering import feed_links, render, render_feeds

__all__ = [
    "announce",
    "arrange",
    "cross_submit_notes",
    "feed_links",
    "render",
    "render_feeds",
    "theme_notes",
]
