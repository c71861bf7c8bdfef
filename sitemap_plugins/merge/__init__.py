"""Joins languages or versions that were built separately and published in one folder."""

from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.root import BESIDE, FLAT, RootFiles, merge_root, other_versions

__all__ = [
    "BESIDE",
    "FLAT",
    "LanguageFolder",
    "Merge",
    "RootFiles",
    "merge",
    "merge_root",
    "other_versions",
]
