"""Finds the files in a published tree; the only walk over one."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from typing import Final

from sitemap_plugins.values.urls import path_in

_NEVER_PUBLISHED: Final = frozenset({".git", ".hg", ".svn", ".jj"})  # repositories, and files that lead to one


def published_files(
    root: str | os.PathLike[str],
    folder: str = "",
    without: Container[str] = (),
    *,
    with_hidden: bool = False,
    skip_unlisted: bool = False,
    on_link: Callable[[str], None] = lambda _: None,
) -> Iterator[str]:
    """The paths of the files below a folder: breadth first, and each home page before other files.

    All paths are relative to ``root``, with forward slashes. The folders ``without`` are skipped, and so are hidden
    files and folders, unless they are wanted ``with_hidden``: servers send them, too. Links to folders are not
    followed, because a folder with two names is one build; links to files are files. Raises OSError if a folder cannot
    be listed, because its files are published too; with ``skip_unlisted``, it counts as empty. ``on_link`` is called
    with the path of each link to a folder.
    """
    waiting = [folder]
    for here in waiting:
        try:
            with os.scandir(os.path.join(root, here) if here else root) as entries:
                found = sorted(entries, key=lambda entry: (entry.name != "index.html", entry.name))
        except OSError:
            if not skip_unlisted:
                raise
            continue
        for entry in found:
            path = path_in(here, entry.name)
            if entry.name in _NEVER_PUBLISHED if with_hidden else entry.name.startswith("."):
                continue
            if not entry.is_dir(follow_symlinks=False):
                if not entry.is_symlink() or not os.path.isdir(entry):
                    yield path
                else:
                    on_link(path)
            elif path not in without:
                waiting.append(path)


def is_hidden(path: str) -> bool:
    """Whether a file, or a folder on the path to it, is hidden."""
    return path.startswith(".") or "/." in path


def exact_names(directory: str) -> Callable[[str], bool]:
    """A function that tells whether a file is in the output; each folder is read once, on demand.

    Names are compared exactly, because some disks find ``Logo.png`` under the name ``logo.png``, and servers do not.
    """

    @cache
    def names_in(folder: str) -> Mapping[str, bool]:
        try:
            with os.scandir(folder) as entries:
                return {entry.name: entry.is_file() for entry in entries}
        except OSError:
            return {}

    def exists(path: str) -> bool:
        folder = directory
        *folders, name = path.split("/")
        for each in folders:
            if each not in names_in(folder):
                return False
            folder = os.path.join(folder, each)
        return names_in(folder).get(name, False)

    return exists
