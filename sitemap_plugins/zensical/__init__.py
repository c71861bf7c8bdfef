"""A Python-Markdown extension that gives pages in Zensical the dates that the sitemap will have."""

from sitemap_plugins.zensical.extension import SitemapExtension, makeExtension

__all__ = ["SitemapExtension", "makeExtension"]
