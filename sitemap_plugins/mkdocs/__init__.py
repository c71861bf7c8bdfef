"""The host for MkDocs and ProperDocs: ``plugins: [sitemap]``."""

from mkdocs import __version__, plugins
from mkdocs.config.base import ValidationError

if not hasattr(plugins, "CombinedEvent"):  # new in 1.6
    raise ValidationError(f"sitemap-plugins needs MkDocs 1.6 or later; {__version__} is installed")

from sitemap_plugins.mkdocs.plugin import SitemapPlugin

__all__ = ["SitemapPlugin"]
