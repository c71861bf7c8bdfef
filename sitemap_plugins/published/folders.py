"""Finds the folders of a site that are sites of their own: versions, aliases and languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import Declared, find_language_folders

FolderKind: TypeAlias = Literal["version", "alias", "language"]


def find_folders(pages: Iterable[HTMLFile], versions: Mapping[str, FolderKind]) -> dict[str, FolderKind]:
    """The folders that are sites of their own, with their kinds; ``versions`` are those of versions and aliases.

    The names and pages of folders show their languages, see `find_language_folders`; links in heads do not count here.
    """
    declared = (
        (each.path, Declared(each.markup.language)) for each in pages if each.markup and not each.markup.refresh
    )
    kinds: dict[str, FolderKind] = dict.fromkeys(find_language_folders(declared), "language")
    kinds |= versions
    kinds.pop("", None)  # the root of the site
    return kinds
