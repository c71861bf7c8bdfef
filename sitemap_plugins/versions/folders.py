"""Reads the folders below a published root, and nothing outside it."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sitemap_plugins.built import read_listed
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.output.pages import read_as_built
from sitemap_plugins.output.trees import published_files
from sitemap_plugins.reading import ABSENT, Limit, RefusedError, read_file
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions.names import read_name

# Files that MkDocs, Sphinx and Zensical write beside the pages.
_MARKS = ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js", "search/search_index.json", "search.json")


def lists_versions(root: Path, names: Collection[str] = ()) -> bool:
    """Whether the sitemap at the root is ours and lists only pages of versions, so that no build at the root wrote it.

    A URL belongs to a version if a folder in it has one of these names or looks like a version, which may be gone.
    """
    file = root / "sitemap.xml"
    try:
        if not is_ours(file):
            return False
        entries = read_listed(file)
        paths = [unquote(urlsplit(entry.loc).path).split("/") for entry in entries]
    except (SitemapError, RefusedError, OSError, ValueError):
        return False
    return bool(paths) and all(any(step in names or read_name(step) for step in path) for path in paths)


class Folders:
    """The folders below a root. All paths are relative to the root, with forward slashes; the root itself is empty."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._real_root = os.path.realpath(root)

    def names(self, folder: str) -> list[str]:
        """The sorted names of the folders and links in a folder, without hidden ones.

        A path that is no folder below the root counts as empty. Raises OSError if a folder cannot be listed.
        """
        try:
            with os.scandir(self.root / self.real(folder) if folder else self.root) as entries:
                found = [entry.name for entry in entries if entry.is_symlink() or entry.is_dir()]
        except (*ABSENT, RefusedError):
            if not folder:
                raise
            return []
        return sorted(name for name in found if not name.startswith("."))

    def real(self, folder: str) -> str:
        """The folder that a path leads to after following all links. Raises `RefusedError` with a ``strerror``."""
        path = self.root / folder
        try:
            real = os.path.realpath(path, strict=True)
        except ValueError:
            raise RefusedError(0, "cannot be the name of a folder", path) from None
        except OSError:
            why = "is a broken or circular link" if os.path.islink(path) else "does not exist"
            raise RefusedError(0, why, path) from None
        if real == self._real_root:
            return ""
        if not real.startswith(os.path.join(self._real_root, "")):
            raise RefusedError(0, "leads out of ROOT", path)
        if not os.path.isdir(real):
            raise RefusedError(0, "is not a folder", path)
        return Path(real).relative_to(self._real_root).as_posix()

    def has(self, path: str) -> bool:
        """Whether the path is a file."""
        return os.path.isfile(self.root / path)

    def read(self, path: str, limit: Limit) -> bytes | None:
        """The content of a file; None if there is no file. Raises `RefusedError` and OSError."""
        try:
            return read_file(self.root / path, limit, inside=self.root)
        except ABSENT:
            return None

    def is_build(self, folder: str) -> bool:
        """Whether a folder is a separate build, and not just a part of the site around it."""
        if not folder and lists_versions(self.root):
            return any(self.has(mark) for mark in _MARKS if not mark.startswith("sitemap"))
        return any(self.has(path_in(folder, mark)) for mark in _MARKS)

    def pages(self, folder: str, without: Container[str] = ()) -> Iterator[str]:
        """The paths of the pages below a folder, relative to it, see `published_files`."""
        for path in published_files(self.root, folder, without):
            if path.endswith(".html") and os.path.isfile(os.path.join(self.root, path)):
                yield path[len(folder) + 1 :] if folder else path

    def sizes(self, folder: str) -> dict[str, int]:
        """The size in bytes of each page below a folder, as it was built. Pages that cannot be read are left out."""
        sizes = {}
        for path in self.pages(folder):
            with suppress(OSError):
                sizes[path] = len(read_as_built(os.path.join(self.root, folder, path), self.root))
        return sizes
