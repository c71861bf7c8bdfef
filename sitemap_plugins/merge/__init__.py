"""Joins languages or versions that were built separately and published in one folder."""

from sitemap_plugins.merge.folder import LanguageError, merge_folder
from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.reading import MergeError
from sitemap_plugins.merge.root import MergedVersions, explain_omitted

__all__ = [
    "LanguageError",
    "LanguageFolder",
    "Merge",
    "MergeError",
    "MergedVersions",
    "explain_omitted",
    "merge",
    "merge_folder",
]
