"""Values that do not depend on sitemaps: URLs, dates, languages, gettext catalogues and text."""
