"""Joins what was built separately and published in one folder."""

from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.root import BESIDE, FLAT, Place, RootFiles, choose_places, merge_root, other_versions

__all__ = [
    "BESIDE",
    "FLAT",
    "LanguageFolder",
    "Merge",
    "Place",
    "RootFiles",
    "choose_places",
    "merge",
    "merge_root",
    "other_versions",
]
