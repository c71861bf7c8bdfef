"""Finds the mistakes in a published site: in its sitemaps, and between them and its pages."""
