"""An extension of Python-Markdown that gives the pages of Zensical the dates that the sitemap will have."""

from sitemap_plugins.zensical.extension import SitemapExtension, makeExtension

__all__ = ["SitemapExtension", "makeExtension"]
