"""Steep's own rules for its sitemap."""

from dataclasses import replace

from sitemap_plugins import DROP


def sitemap_entry(entry, page):
    """The guide matters most; a page for one season only is not worth finding afterwards."""
    if page.front_matter.get("season"):
        return DROP
    if page.name.startswith("guide/") and entry.priority is None:
        return replace(entry, priority=0.7)
    return None
