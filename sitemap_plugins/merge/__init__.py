"""Joins languages or versions that were built separately and published in one folder."""

from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.retiring import Goal, Goals, Roles, blocking_line, is_error_page, plain_url, roles_of
from sitemap_plugins.merge.root import BESIDE, FLAT, Place, RootFiles, choose_places, merge_root, other_versions
from sitemap_plugins.merge.version_files import VersionFiles

__all__ = [
    "BESIDE",
    "FLAT",
    "Goal",
    "Goals",
    "LanguageFolder",
    "Merge",
    "Place",
    "Roles",
    "RootFiles",
    "VersionFiles",
    "blocking_line",
    "choose_places",
    "is_error_page",
    "merge",
    "merge_root",
    "other_versions",
    "plain_url",
    "roles_of",
]
