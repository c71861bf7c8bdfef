"""Turn pages into entries: front matter, dates and media, and the reasons to leave a page out."""

from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.entries import FindFiles, enrich
from sitemap_plugins.pages.lastmod import DatesOf, bulk_notes, undated_notes
from sitemap_plugins.pages.lost_pages import lost_pages_notes
from sitemap_plugins.pages.omit import REASONS, explain, omit, refused_by_markup
from sitemap_plugins.pages.selection import select
from sitemap_plugins.pages.unmatched import unmatched_notes
from sitemap_plugins.pages.unread import unread_notes

__all__ = [
    "REASONS",
    "CrawlRules",
    "DatesOf",
    "FindFiles",
    "bulk_notes",
    "enrich",
    "explain",
    "lost_pages_notes",
    "omit",
    "refused_by_markup",
    "select",
    "undated_notes",
    "unmatched_notes",
    "unread_notes",
]
