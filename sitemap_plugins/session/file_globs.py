"""Finds the files that match a name or a glob of the author's."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Final

from sitemap_plugins.model import Page
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Globs
from sitemap_plugins.pages.front_matter import read_front_matter

_MAGIC: Final = frozenset("*?[")


def find_named_files(
    pages: Iterable[Page], settings: Settings, root: str | os.PathLike[str]
) -> Mapping[str, tuple[str, ...]]:
    """The files for each name or glob in ``depends_on`` of these pages, and of the rules for pages."""
    own = (read_front_matter(page)[0].depends_on for page in pages)
    rules = (rule.depends_on for rule in settings.pages)
    names = {name for names in (*own, *rules) for name in names or ()}
    return {name: find_files(os.fspath(root), name) for name in names}


def find_files(directory: str, name: str) -> tuple[str, ...]:
    """The files in a folder that match a name or glob, as absolute paths in order; a folder means all files in it.

    A name without wildcards is returned even if the file does not exist: git knows files that a sparse checkout leaves
    out. Globs have the syntax of .gitignore, like all others, relative to ``directory``. Links to folders are not
    followed, and folders that begin with a dot are skipped unless they are named before a wildcard.
    """
    exact = os.path.abspath(os.path.join(directory, name))
    parts = name.split("/")
    plain = [*takewhile(lambda part: not _MAGIC & set(part), parts)]
    if os.path.isdir(exact):
        return tuple(_files_in(exact))
    if plain == parts or os.path.isfile(exact):
        return (exact,)
    start = os.path.abspath(os.path.join(directory, *plain))
    try:
        globs = Globs.parse("/" + "/".join(parts[len(plain) :]))
    except ValueError:
        return ()
    return tuple(file for file in _files_in(start) if globs.matches(os.path.relpath(file, start).replace(os.sep, "/")))


def _files_in(folder: str) -> Iterator[str]:
    """All files in a folder and its subfolders, in order."""
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for each in sorted(files):
            file = os.path.join(path, each)
            if os.path.isfile(file):
                yield file
