"""The host for a folder that any generator has built: it finds the site, reads its options and writes its sitemaps."""
