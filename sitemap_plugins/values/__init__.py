"""Values that know nothing of sitemaps: URLs, dates, languages, gettext catalogues and text."""
