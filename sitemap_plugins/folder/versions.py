"""Finds the folders of a published site to build for one of its versions: its own, and those of its copies."""

from __future__ import annotations

from sitemap_plugins.folder.configuration import ConfigurationError
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.text import did_you_mean
from sitemap_plugins.versions.recognizing import recognize


def folders_of_version(root: str, folder: str) -> tuple[str, ...]:
    """The folders below ``root`` with the pages of the version, or the alias of one, that is in ``folder``.

    Its own folder comes first, then its copies. A folder that is no version has only its own pages. Raises
    `ConfigurationError` if there is no such folder, and OSError if the disk fails.
    """
    tree = Tree(root)
    found = recognize(tree)
    for version in found.versions:
        if folder in (version.folder, *(alias.folder for alias in version.aliases)):
            return version.folders
    if folder and folder not in tree.folders(""):
        raise ConfigurationError(
            f"there is no folder {folder} in {root}{did_you_mean(folder, found.kinds or tree.folders(''))}"
        )
    return (folder,)
