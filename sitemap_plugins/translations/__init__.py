"""Find entries that are translations of each other, and link them with `hreflang`."""

from sitemap_plugins.translations.clusters import Claim, Clusters, Member, alternates_of
from sitemap_plugins.translations.comparison import compare_with_pages, disagreement
from sitemap_plugins.translations.hreflang import translate
from sitemap_plugins.translations.inventory import PagesError, read_pages
from sitemap_plugins.translations.language_bases import find_language_path

__all__ = [
    "Claim",
    "Clusters",
    "Member",
    "PagesError",
    "alternates_of",
    "compare_with_pages",
    "disagreement",
    "find_language_path",
    "read_pages",
    "translate",
]
