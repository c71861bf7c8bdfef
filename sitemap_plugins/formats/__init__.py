"""From sitemaps to bytes: pure functions, one for each format."""
