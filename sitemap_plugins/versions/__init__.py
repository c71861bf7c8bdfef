"""Recognizes the versions in a published folder, and chooses the canonical one."""

from sitemap_plugins.versions.builds import lists_versions
from sitemap_plugins.versions.finding import PatternError
from sitemap_plugins.versions.goals import (
    Goal,
    Goals,
    Roles,
    is_error_page,
    join_url,
    pages_in,
    plain_url,
    roles_of,
)
from sitemap_plugins.versions.kept import (
    Choice,
    Kept,
    NoVersionsError,
    RedirectedError,
    UnknownVersionError,
    VersionPlace,
    choose_kept,
    choose_places,
    read_versions,
)
from sitemap_plugins.versions.names import read_name
from sitemap_plugins.versions.recognizing import recognize
from sitemap_plugins.versions.samples import is_generated
from sitemap_plugins.versions.version import Alias, Version, Versions

__all__ = [
    "Alias",
    "Choice",
    "Goal",
    "Goals",
    "Kept",
    "NoVersionsError",
    "PatternError",
    "RedirectedError",
    "Roles",
    "UnknownVersionError",
    "Version",
    "VersionPlace",
    "Versions",
    "choose_kept",
    "choose_places",
    "is_error_page",
    "is_generated",
    "join_url",
    "lists_versions",
    "pages_in",
    "plain_url",
    "read_name",
    "read_versions",
    "recognize",
    "roles_of",
]
