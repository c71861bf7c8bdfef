"""The host for a folder built by any generator: it finds the site, reads its options and writes its sitemaps."""
