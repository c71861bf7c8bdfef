"""The host for Sphinx: ``extensions = ["sitemap_plugins.sphinx"]``."""

from sitemap_plugins.sphinx.extension import setup

__all__ = ["setup"]
