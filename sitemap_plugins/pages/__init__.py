"""Turn pages into entries: front matter, dates and media, and the reasons to leave a page out."""

from sitemap_plugins.pages.canonical import canonical_elsewhere, canonicals_of, other_spelling
from sitemap_plugins.pages.crawl_rules import CrawlRules, RedirectRules, Served, ignored_rules
from sitemap_plugins.pages.entries import Draft, dated, draft_of, enrich, names_of_files, read_dates
from sitemap_plugins.pages.lastmod import DatesOf, date_notes, why_undated
from sitemap_plugins.pages.omit import (
    REASONS,
    count_omitted,
    explain,
    needs_content,
    omit,
    reason_in_markup,
    refresh_in,
)
from sitemap_plugins.pages.selection import lost_pages_notes, select, unread_notes
from sitemap_plugins.pages.unmatched import unmatched_notes

__all__ = [
    "REASONS",
    "CrawlRules",
    "DatesOf",
    "Draft",
    "RedirectRules",
    "Served",
    "canonical_elsewhere",
    "canonicals_of",
    "count_omitted",
    "date_notes",
    "dated",
    "draft_of",
    "enrich",
    "explain",
    "ignored_rules",
    "lost_pages_notes",
    "names_of_files",
    "needs_content",
    "omit",
    "other_spelling",
    "read_dates",
    "reason_in_markup",
    "refresh_in",
    "select",
    "unmatched_notes",
    "unread_notes",
    "why_undated",
]
