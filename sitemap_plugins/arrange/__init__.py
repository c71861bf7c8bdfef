"""From entries to sitemaps: what is listed, and in which file."""
