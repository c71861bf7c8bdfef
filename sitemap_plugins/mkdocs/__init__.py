"""The host for MkDocs and ProperDocs: ``plugins: [sitemap]``."""

from sitemap_plugins.mkdocs.plugin import SitemapPlugin

__all__ = ["SitemapPlugin"]
