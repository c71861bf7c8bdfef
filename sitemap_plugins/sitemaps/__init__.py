"""Distribute entries over sitemap files, render these, and announce them."""
