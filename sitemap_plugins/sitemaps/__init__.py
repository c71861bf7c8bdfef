"""Distribute entries over sitemap files, render these, and announce them."""

from sitemap_plugins.sitemaps.announcing import ROBOTS, announce, cross_submit_notes, is_served
from sitemap_plugins.sitemaps.grouping import group
from sitemap_plugins.sitemaps.rendering import companions, feed_links, render, render_feeds, text_paths

__all__ = [
    "ROBOTS",
    "announce",
    "companions",
    "cross_submit_notes",
    "feed_links",
    "group",
    "is_served",
    "render",
    "render_feeds",
    "text_paths",
]
