"""Compares two snapshots of a site: which URLs are gone, moved or changed, and the redirects to add."""

from sitemap_plugins.changes.allowing import paths_of, without_allowed
from sitemap_plugins.changes.comparing import (
    Comparison,
    Loss,
    LossFinding,
    LossKind,
    LostAnchors,
    compare,
    find_losses,
)
from sitemap_plugins.changes.targets import Replacement, find_replacements

__all__ = [
    "Comparison",
    "Loss",
    "LossFinding",
    "LossKind",
    "LostAnchors",
    "Replacement",
    "compare",
    "find_losses",
    "find_replacements",
    "paths_of",
    "without_allowed",
]
