"""Reads the pages of versions on disk: their paths, their markup as it was built, and the links that lead to them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.model import Markup
from sitemap_plugins.output.pages import read_as_built
from sitemap_plugins.reading import PAGE, has_link, read_file
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions.folders import Folders


class VersionFiles:
    """The pages below a root. ``versions`` are the folders of versions and aliases, which are treated separately.

    All paths are relative to the root, with forward slashes.
    """

    def __init__(self, root: Path, versions: Iterable[str] = ()) -> None:
        self._root = os.fspath(root)
        self._real_root = os.path.realpath(root)
        self._folders = Folders(root)
        self._versions = frozenset(versions)

    def pages(self, folder: str) -> list[str]:
        """The paths of the pages below a folder, relative to it. Raises OSError if a folder cannot be listed."""
        return [*self._folders.pages(folder, self._versions - {folder})]

    def read(self, path: str) -> bytes:
        """The content of a page. Raises `RefusedError` and OSError."""
        return read_file(self._at(path), PAGE, inside=self._root)

    def markup(self, path: str) -> Markup | None:
        """The markup of a page as it was built; None if the page cannot be read."""
        try:
            return read_markup(read_as_built(self._at(path), self._root))
        except OSError:
            return None

    def is_link(self, path: str) -> bool:
        """Whether the file of a page is a symlink."""
        return os.path.islink(self._at(path))

    def real_path(self, path: str) -> str:
        """The path of a file with all symlinks resolved. A hard link is a separate file: a write replaces one name."""
        here = self._at(path)
        is_plain = not has_link(here, len(os.path.join(self._root, "")))
        return os.path.join(self._real_root, *path.split("/")) if is_plain else os.path.realpath(here)

    def reached_from(self, folders: Iterable[str]) -> Mapping[str, str]:
        """The pages that a server finds below these folders, through any links: one path of each, by its real path."""
        reached: dict[str, str] = {}
        waiting = [*folders]
        seen: set[tuple[int, int]] = set()
        for folder in waiting:
            try:
                status = os.stat(self._at(folder))
                with os.scandir(self._at(folder)) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue
            if (identity := (status.st_dev, status.st_ino)) in seen:
                continue
            seen.add(identity)
            for entry in found:
                path = path_in(folder, entry.name)
                try:
                    is_folder, is_file = entry.is_dir(), entry.is_file()
                except OSError:
                    continue
                if is_folder and path not in self._versions and not entry.name.startswith("."):
                    waiting.append(path)
                elif is_file and entry.name.endswith(".html"):
                    reached.setdefault(self.real_path(path), path)
        return reached

    def _at(self, path: str) -> str:
        return os.path.join(self._root, *path.split("/"))
