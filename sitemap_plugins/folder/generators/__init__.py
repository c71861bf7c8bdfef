"""The supported generators: how to recognize them, their sitemaps, and the sources of their pages."""
