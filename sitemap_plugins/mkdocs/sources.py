"""Finds the author's own files behind the files of a MkDocs build, even if a plugin builds copies of them.

mkdocs-monorepo, and TechDocs with it, copies the documents of all projects into one temporary folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sitemap_plugins.model import Note

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File


def source_of(file: File, config: MkDocsConfig) -> str | None:
    """The absolute path of the author's file behind a file of the build, None if a plugin generated it.

    A temporary file of a plugin is not a source: its dates are from the build.
    """
    return original_of(file.abs_src_path, config) if file.abs_src_path and file.generated_by is None else None


def original_of(path: str, config: MkDocsConfig) -> str | None:
    """The author's file behind a document of the build; None if the path is not a document."""
    folders = _folders(config)
    path = os.path.normpath(path)
    if any(_is_below(own, path) for _, own in folders):
        return path
    originals = (os.path.join(own, path[len(built) + 1 :]) for built, own in folders if _is_below(built, path))
    return next(filter(os.path.lexists, originals), None)


def docs_folder(config: MkDocsConfig) -> str:
    """The author's own folder of documents; other projects may have documents in other folders."""
    return _folders(config)[-1][1]


def copied_notes(files: Iterable[File]) -> Iterator[Note]:
    """A note if mkdocs-multirepo imports documents of other repositories, because it removes their history."""
    number = sum(file.is_documentation_page() and hasattr(file, "repo") for file in files)
    if number:
        message = (
            f"{number} page{'s have' if number > 1 else ' has'} no date from git, because mkdocs-multirepo copies "
            "documents of other repositories without their history; add those repositories as submodules and include "
            "them with mkdocs-monorepo, or set lastmod in front matter"
        )
        yield Note(kind="no-git", message=message)


def _folders(config: MkDocsConfig) -> tuple[tuple[str, str], ...]:
    """The folders that are built, each with the author's folder that it is made from; the site's own comes last."""
    merged = getattr(getattr(config.plugins.get("monorepo"), "merger", None), "docs_dirs", None)
    return _merged_folders(config.docs_dir, tuple(map(tuple, merged or [("", config.docs_dir)])))


@lru_cache(maxsize=1)
def _merged_folders(built: str, merged: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The folders in reverse order: if projects have a file with the same path, the one merged last is built."""
    return tuple(
        (os.path.normpath(os.path.join(built, *alias.split("/"))), os.path.abspath(own))
        for alias, own in reversed(merged)
    )


def _is_below(folder: str, path: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
