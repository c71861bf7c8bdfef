"""Tells which folders of a published tree are builds of their own, and not just parts of the site around them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.published.sitemaps import read_listed
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.values.version_names import read_name

# Files that MkDocs, Sphinx and Zensical write beside the pages.
_MARKS = ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js", "search/search_index.json", "search.json")


def lists_versions(tree: Tree, names: Collection[str] = ()) -> bool:
    """Whether the sitemap at the root is ours and lists only pages of versions, so that no build at the root wrote it.

    A URL belongs to a version if a folder in it has one of these names or looks like a version, which may be gone.
    """
    try:
        if not is_ours(Path(tree.root, _MARKS[0])):
            return False
        entries = read_listed(tree, _MARKS[0])
        paths = [unquote(urlsplit(entry.loc).path).split("/") for entry in entries]
    except (OSError, ValueError):
        return False
    return bool(paths) and all(any(step in names or read_name(step) for step in path) for path in paths)


def is_build(tree: Tree, folder: str) -> bool:
    """Whether a folder is a separate build."""
    marks = [mark for mark in _MARKS if tree.is_file(path_in(folder, mark))]
    if not folder and marks and marks[0].startswith("sitemap") and lists_versions(tree):
        marks = [mark for mark in marks if not mark.startswith("sitemap")]
    return bool(marks)
