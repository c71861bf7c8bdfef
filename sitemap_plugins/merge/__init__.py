"""Joins what was built separately and published in one folder."""

from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, merge

__all__ = [
    "LanguageFolder",
    "Merge",
    "merge",
]
