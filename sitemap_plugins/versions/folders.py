"""Reads the folders below a published root, and nothing outside it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.built import read_listed
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.sitemap_xml import MARK
from sitemap_plugins.html.head_editing import restore
from sitemap_plugins.reading import ABSENT, PAGE, Limit, RefusedError, read_beginning, read_file
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions.names import read_name

_BEGINNING: Final = 800  # bytes; our mark is within them

# Files that MkDocs, Sphinx and Zensical write beside the pages.
_MARKS = ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js", "search/search_index.json", "search.json")


def lists_versions(root: Path, names: Collection[str] = ()) -> bool:
    """Whether the sitemap at the root is ours and lists only pages of versions, so that no build at the root wrote it.

    A URL belongs to a version if a folder in it has one of these names or looks like a version, which may be gone.
    """
    file = root / "sitemap.xml"
    try:
        if MARK.encode() not in read_beginning(file, _BEGINNING, inside=root):
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

        Raises OSError if the root cannot be listed. Any other folder that cannot be listed counts as empty.
        """
        try:
            with os.scandir(self.root / self.real(folder) if folder else self.root) as entries:
                found = [entry.name for entry in entries if entry.is_symlink() or entry.is_dir()]
        except OSError:
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

    def pages(self, folder: str, without: Collection[str] = ()) -> Iterator[str]:
        """The paths of the pages below a folder, relative to it: breadth first, and each home page before other pages.

        The folders ``without`` are skipped. Links are not followed, and a folder that cannot be listed has no pages.
        """
        top = os.path.join(self.root, folder)
        waiting = [""]
        for here in waiting:
            try:
                with os.scandir(os.path.join(top, here)) as entries:
                    found = sorted(entries, key=lambda entry: (entry.name != "index.html", entry.name))
            except OSError:
                continue
            paths = [(path_in(here, entry.name), entry) for entry in found if not entry.name.startswith(".")]
            yield from (path for path, entry in paths if path.endswith(".html") and os.path.isfile(entry))
            waiting += (
                path
                for path, entry in paths
                if entry.is_dir(follow_symlinks=False) and path_in(folder, path) not in without
            )

    def sizes(self, folder: str) -> dict[str, int]:
        """The size in bytes of each page below a folder, as it was built. Pages that cannot be read are left out."""
        sizes = {}
        for path in self.pages(folder):
            with suppress(OSError):
                sizes[path] = len(restore(self.read(path_in(folder, path), PAGE) or b""))
        return sizes
