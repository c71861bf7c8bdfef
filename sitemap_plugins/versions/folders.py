"""Reads the folders below a published root, their pages, and the links among them; nothing outside the root."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.model import Markup
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.output.pages import read_as_built
from sitemap_plugins.published.listed import read_listed
from sitemap_plugins.published.trees import published_files
from sitemap_plugins.reading import ABSENT, PAGE, Limit, RefusedError, has_link, read_file
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
    """The folders below a root. All paths are relative to the root, with forward slashes; the root itself is empty.

    ``versions`` are the folders of versions and aliases, if they are known: the pages below one are not pages of the
    folder around it.
    """

    def __init__(self, root: Path, versions: Iterable[str] = ()) -> None:
        self.root = root
        self._real_root = os.path.realpath(root)
        self._versions = frozenset(versions)

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

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder, possibly behind a link."""
        return os.path.exists(self.root / path)

    def is_folder(self, folder: str) -> bool:
        """Whether this is a folder itself, and no link to one."""
        try:
            return self.real(folder) == folder
        except RefusedError:
            return False

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

    def pages(self, folder: str, without: Container[str] | None = None) -> Iterator[str]:
        """The paths of the pages below a folder, relative to it, see `published_files`.

        Without ``without``, the pages of other versions are left out. Raises OSError if a folder cannot be listed.
        """
        for path in published_files(self.root, folder, self._versions - {folder} if without is None else without):
            if path.endswith(".html") and os.path.isfile(os.path.join(self.root, path)):
                yield path[len(folder) + 1 :] if folder else path

    def sizes(self, folder: str) -> dict[str, int]:
        """The size in bytes of each page below a folder, as it was built. Pages that cannot be read are left out."""
        sizes = {}
        for path in self.pages(folder):
            with suppress(OSError):
                sizes[path] = len(read_as_built(os.path.join(self.root, folder, path), self.root))
        return sizes

    def read_page(self, path: str) -> bytes:
        """The content of a page. Raises `RefusedError` and OSError."""
        return read_file(self._at(path), PAGE, inside=self.root)

    def markup(self, path: str) -> Markup | None:
        """The markup of a page as it was built; None if the page cannot be read."""
        try:
            return read_markup(read_as_built(self._at(path), self.root))
        except OSError:
            return None

    def is_link(self, path: str) -> bool:
        """Whether the file of a page is a symlink."""
        return os.path.islink(self._at(path))

    def real_path(self, path: str) -> str:
        """The path of a file with all symlinks resolved. A hard link is a separate file: a write replaces one name."""
        here = self._at(path)
        is_plain = not has_link(here, len(os.path.join(self.root, "")))
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
        return os.path.join(self.root, *path.split("/"))
