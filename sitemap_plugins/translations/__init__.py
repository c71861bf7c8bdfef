"""Find entries that are translations of each other, and link them with `hreflang`."""

from sitemap_plugins.translations.clusters import Claim, Clusters, Member, alternates_of
from sitemap_plugins.translations.comparison import compare_with_pages, disagreement, in_several_languages
from sitemap_plugins.translations.hreflang import find_language_path, translate
from sitemap_plugins.translations.inventory import PagesError, read_pages

__all__ = [
    "Claim",
    "Clusters",
    "Member",
    "PagesError",
    "alternates_of",
    "compare_with_pages",
    "disagreement",
    "find_language_path",
    "in_several_languages",
    "read_pages",
    "translate",
]
