"""Finds the sources of installed files: those of the same content in the repository of the site or of a local folder.

An installation is a copy without a history. pip and uv write the folder it was made from (``pip install .``) into
``direct_url.json`` ([PEP 610](https://peps.python.org/pep-0610/)), and the author's file is in the repository of that
folder. A package from an index may be one that the repository of the site has, too.
"""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Final
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec

from sitemap_plugins.git.process import run_git, toplevel_of
from sitemap_plugins.model import Note
from sitemap_plugins.reading import DISTRIBUTION, SOURCE, Limit, read_file
from sitemap_plugins.values.text import join_first

_PLACES: Final = ("site-packages", "dist-packages")  # the latter in Debian
_LAYOUTS: Final = ("", "src")
_HERE: Final = frozenset({"", "localhost"})
_ON_WINDOWS: Final = os.name == "nt"


class _DirectUrl(msgspec.Struct):
    """The part of ``direct_url.json`` that only an installation from a folder has, and where that folder is."""

    url: str
    dir_info: dict[str, object]
    subdirectory: str = ""


class InstalledFiles:
    """The installed files of one build. Each folder of packages, and each folder they come from, is read only once.

    ``root`` is a folder in the repository of the site.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self._here = toplevel_of(os.path.realpath(root))
        self._folders_of = cache(_folders_of)
        self._tracked_in = cache(_tracked_in)
        self._original_of = cache(self._find)

    def originals(self, files: Iterable[str]) -> dict[str, str]:
        """The source of each of these files (absolute paths) that has one.

        It is the file with the same path in the folder that the distribution was installed from, or in ``src`` there,
        or the only tracked file whose path ends so, there or else in the repository of the site. It must have exactly
        the same content, so that nothing is guessed.
        """
        found = {file: self._original_of(file) for file in files}
        return {file: original for file, original in found.items() if original}

    def notes(self, files: Iterable[str]) -> Iterator[Note]:
        """Notes on files without a source, if they or others of the same name are from the repository of the site."""
        here = self._here
        if here is None:
            return
        ours, others = set[str](), set[str]()
        for file in (each for each in files if not self._original_of(each)):
            name, folder = self._installation(file)
            if folder and toplevel_of(os.path.realpath(folder)) == here:
                ours.add(name)
            elif not folder and any(self._tracked_as(name, here)):
                others.add(name)
        for names, what in (
            (ours, "installed from this repository, which has no such file with the same content"),
            (others, "installed from elsewhere, and pages show that instead of what this repository has"),
        ):
            if number := len(names):
                was, it_does = ("was", "it does") if number == 1 else ("were", "they do")
                message = (
                    f"{join_first(sorted(names), 1, 'file')} {was} {what}, so {it_does} not "
                    "count for the pages' dates: install the package with pip install -e, or name the sources with "
                    "depends_on"
                )
                yield Note(kind="dependencies", message=message)

    def _installation(self, file: str) -> tuple[str, str | None]:
        """The path of an installed file in its folder of packages, and the folder that it comes from, if there is one.

        The path has forward slashes; it is empty if the file is in no folder of packages.
        """
        parts = file.split(os.sep)
        last = max((index for index, part in enumerate(parts) if part in _PLACES), default=0)
        if not last:
            return "", None
        name = "/".join(parts[last + 1 :])
        return name, self._folders_of(os.sep.join(parts[: last + 1])).get(name)

    def _find(self, file: str) -> str | None:
        name, folder = self._installation(file)
        place = folder or (self._here if name else None)
        if place is None or not (folder or any(self._tracked_as(name, place))):
            return None
        if (content := _read(file, SOURCE)) is None:
            return None
        usual = (os.path.join(place, layout, *name.split("/")) for layout in _LAYOUTS if folder)
        if found := next((path for path in usual if _read(path, SOURCE) == content), None):
            return found
        alike = [path for path in self._tracked_as(name, place) if _read(path, SOURCE) == content]
        return alike[0] if len(alike) == 1 else None

    def _tracked_as(self, name: str, folder: str) -> Iterator[str]:
        """The tracked files in a folder whose path is this name or ends with it."""
        tracked = self._tracked_in(folder).get(name.rpartition("/")[2], ())
        return (os.path.join(folder, *each.split("/")) for each in tracked if f"/{each}".endswith(f"/{name}"))


def _folders_of(place: str) -> Mapping[str, str]:
    """The folder that each installed file comes from, by its path in a folder of packages, as far as there is one."""
    try:
        names = sorted(name for name in os.listdir(place) if name.endswith(".dist-info"))
    except (OSError, ValueError):
        return {}
    found: dict[str, str] = {}
    for name in names:
        about = os.path.join(place, name)
        folder = _source_folder(_read(os.path.join(about, "direct_url.json"), DISTRIBUTION) or b"")
        # Packages of conda name the folder of the machine that built them.
        if folder and os.path.isdir(folder):
            found |= dict.fromkeys(_recorded(_read(os.path.join(about, "RECORD"), DISTRIBUTION) or b""), folder)
    return found


def _source_folder(direct_url: bytes) -> str | None:
    """The folder that a distribution was installed from according to its ``direct_url.json``, if it was a folder."""
    try:
        about = msgspec.json.decode(direct_url, type=_DirectUrl)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    folder = path_of_url(about.url)
    if not folder or "\0" in about.subdirectory:
        return None
    return os.path.normpath(os.path.join(folder, *about.subdirectory.split("/")))


def path_of_url(url: str, *, on_windows: bool = _ON_WINDOWS) -> str | None:
    """The absolute path that a ``file`` URL stands for; None for all other URLs."""
    try:
        parts = urlsplit(url)
        path = os.fsdecode(unquote_to_bytes(parts.path))
    except ValueError:
        return None
    if parts.scheme != "file" or "\0" in path:
        return None
    if on_windows:
        # Folders of the network (file://server/share) are not looked for.
        is_drive = parts.netloc in _HERE and path[2:4] == ":/"
        return path[1:].replace("/", "\\") if is_drive else None
    return path if parts.netloc in _HERE and path.startswith("/") else None


def _recorded(record: bytes) -> Iterator[str]:
    """The paths in a ``RECORD``, up to the first line that cannot be read."""
    rows = csv.reader(record.decode(errors="surrogateescape").splitlines())
    try:
        yield from (row[0] for row in rows if row)
    except csv.Error:
        return


def _tracked_in(folder: str) -> Mapping[str, Collection[str]]:
    """The paths of the tracked files in a folder, with forward slashes, by the names of the files."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    try:
        listed = run_git(folder, "ls-files", "-z").stdout
    except OSError:  # no git, or more files than its limit allows
        return {}
    for path in listed.decode(errors="surrogateescape").split("\0")[:-1]:
        found[path.rpartition("/")[2]].append(path)
    return found


def _read(path: str, limit: Limit) -> bytes | None:
    try:
        return read_file(path, limit)
    except (OSError, ValueError):
        return None
