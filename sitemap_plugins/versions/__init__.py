"""Recognizes the versions in a published folder, and chooses the canonical one."""

from sitemap_plugins.versions.folders import Folders, lists_versions
from sitemap_plugins.versions.kept import Choice, Kept, UnknownVersionError, address_of, choose_kept
from sitemap_plugins.versions.patterns import PatternError
from sitemap_plugins.versions.recognizing import recognize
from sitemap_plugins.versions.samples import ERROR_PAGE, spellings
from sitemap_plugins.versions.table import version_rows
from sitemap_plugins.versions.tree import Alias, RootSite, Version, VersionTree

__all__ = [
    "ERROR_PAGE",
    "Alias",
    "Choice",
    "Folders",
    "Kept",
    "PatternError",
    "RootSite",
    "UnknownVersionError",
    "Version",
    "VersionTree",
    "address_of",
    "choose_kept",
    "lists_versions",
    "recognize",
    "spellings",
    "version_rows",
]
