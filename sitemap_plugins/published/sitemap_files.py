"""Finds all sitemaps of a site as crawlers do, and reads them with the checking reader."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias

import msgspec

from sitemap_plugins.formats.feed_checking import check_feed
from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.formats.problems import Located, OnProblem, Problem, Problems
from sitemap_plugins.formats.robots import read_sitemap_lines
from sitemap_plugins.formats.sitemap_checking import Child, read_checked
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.text import read_text
from sitemap_plugins.published.sitemaps import find_by_end
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import SITEMAP
from sitemap_plugins.values.urls import file_path

SITEMAPS: Final = ("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml")
"""The names at which crawlers look for a sitemap at the root of a site that announces none."""

_NAMED_LIKE_SITEMAPS: Final = ("sitemap*.xml", "sitemap*.xml.gz")
_GZIP_TIME: Final = slice(4, 8)  # RFC 1952, section 2.3: MTIME
_FEEDS: Final = (b"<rss", b"<feed", b"<rdf:RDF")
_BEGINNING: Final = 1000

SitemapKind: TypeAlias = Literal["urlset", "index", "text", "feed", "unusable"]
"""The format of a sitemap. A feed is not read further."""


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """A compressed sitemap, alone or beside the sitemap that it is a copy of.

    ``is_same`` tells whether it has the content of the file beside it, and ``when`` is the time in its header.
    ``error`` completes the sentence "FILE …" if it cannot be unpacked, and ``kind`` is then the rule that it breaks.
    """

    path: str
    when: datetime | None = None
    is_same: bool = True
    error: str = ""
    kind: str = ""


class SitemapFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is a sitemap, or that is announced as one. ``path`` is below the root of the site.

    ``entries`` are the pages that it lists, ``children`` the sitemaps in an index. If it is unusable, ``error``
    completes the sentence "FILE …". ``problems`` are those of the reader. ``announced_by`` is the path of the file that
    announces it: robots.txt, an index, or itself if crawlers know its name; empty if nothing does. ``written`` is the
    time at which the file was written.
    """

    path: str
    kind: SitemapKind
    entries: tuple[Located, ...] = ()
    children: tuple[Child, ...] = ()
    error: str = ""
    problems: tuple[Problem, ...] = ()
    packed: Packed | None = None
    announced_by: str = ""
    written: datetime | None = None

    @property
    def folder(self) -> str:
        """The folder that it is in; empty for the root."""
        return self.path.rpartition("/")[0]


class SitemapLine(msgspec.Struct, frozen=True, kw_only=True):
    """A ``Sitemap:`` line of robots.txt: the URL as written, and the number of the line."""

    url: str
    line: int


def sitemap_lines(robots: bytes | None) -> tuple[SitemapLine, ...]:
    """The ``Sitemap:`` lines of a robots.txt, none if there is no such file."""
    return tuple(SitemapLine(url=url, line=line) for url, line in read_sitemap_lines(robots or b""))


def find_sitemaps(tree: Tree, base_url: str | None, lines: Iterable[SitemapLine]) -> dict[str, SitemapFile]:
    """All sitemaps in a tree, by path and in that order. Raises OSError if a folder cannot be listed or the disk fails.

    ``base_url`` is the URL of the root, None if it is unknown. ``lines`` are those of robots.txt.
    """
    sitemaps = _Sitemaps(tree, base_url)
    sitemaps.find(lines)
    return dict(sorted(sitemaps.found.items()))


class _Sitemaps:
    """The sitemaps found so far, by path: first those that are announced, then the others."""

    def __init__(self, tree: Tree, base_url: str | None) -> None:
        self.found: dict[str, SitemapFile] = {}
        self._tree = tree
        self._base_url = base_url

    def find(self, lines: Iterable[SitemapLine]) -> None:
        """Find the sitemaps that robots.txt announces or crawlers know by name, then all that are named like one."""
        names = self._tree.listing("").files
        waiting = [(path, ROBOTS) for line in lines if (path := self._path_of(line.url))]
        if known := next((name for name in SITEMAPS if name in names or f"{name}.gz" in names), None):
            waiting.append((known if known in names else f"{known}.gz", known))
        self._add(waiting)
        # Only the part after the last slash names a sitemap.
        paths = self._tree.files(with_hidden=True)
        self._add((path, "") for path in sorted(paths) if _is_named_like_one(path.rpartition("/")[2]))

    def _add(self, waiting: Iterable[tuple[str, str]]) -> None:
        """Read these files, and the sitemaps in each index among them. An index in an index is read, too."""
        queue = [*waiting]
        for path, by in queue:
            bare = path.removesuffix(".gz")
            # A compressed copy beside the sitemap belongs to it.
            path = bare if self._tree.is_file(bare) else path  # noqa: PLW2901  # the same sitemap
            if path in self.found:
                continue
            self.found[path] = sitemap = self._read_sitemap(path, by)
            if sitemap.kind == "index":
                children = (self._path_of(child.loc, sitemap.folder) for child in sitemap.children)
                queue += [(child, path if by else "") for child in children if child and child != path]

    def _path_of(self, url: str, folder: str = "") -> str | None:
        """The file of a sitemap with this URL: by the base URL, or else by the end of the URL, below the folder."""
        below = file_path(self._base_url, url) if self._base_url else None
        if below is None:
            return find_by_end(self._tree, url, folder)
        return below if self._tree.is_file(below) else None

    def _read_sitemap(self, path: str, by: str) -> SitemapFile:
        sitemap = SitemapFile(path=path, kind="unusable", announced_by=by, written=self._time_of(path))
        try:
            content = self._tree.read(path, SITEMAP)
        except OSError as error:
            kind = "too-large" if error.errno == errno.EFBIG else "unreadable"
            return _unusable(sitemap, f"cannot be read: {error.strerror or error}", kind)
        if content is None:
            return _unusable(sitemap, "cannot be read: it is no file", "unreadable")
        packed = None
        if is_packed(content):
            packed, content = _unpacked(path, content)
        elif (copy := self._read_copy(f"{path}.gz")) is not None:
            packed, other = _unpacked(f"{path}.gz", copy)
            packed = msgspec.structs.replace(packed, is_same=other == content)
        sitemap = msgspec.structs.replace(sitemap, packed=packed)
        if content is None:
            return _unusable(sitemap, packed.error if packed else "", packed.kind if packed else "unreadable")
        problems = Problems()
        try:
            kind, entries, children = _parse(path, content, problems.add)
        except SitemapError as error:
            return msgspec.structs.replace(sitemap, error=str(error), problems=problems.kept)
        return msgspec.structs.replace(sitemap, kind=kind, entries=entries, children=children, problems=problems.kept)

    def _read_copy(self, path: str) -> bytes | None:
        """The content of a compressed copy; None if there is none, or it cannot be read."""
        with suppress(OSError):
            return self._tree.read(path, SITEMAP)
        return None

    def _time_of(self, path: str) -> datetime | None:
        try:
            return datetime.fromtimestamp(os.stat(self._tree.place(path)).st_mtime, UTC)
        except (OSError, OverflowError, ValueError):
            return None


def _is_named_like_one(name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in _NAMED_LIKE_SITEMAPS)


def _unpacked(path: str, content: bytes) -> tuple[Packed, bytes | None]:
    """What is known about a compressed file, and its content if it can be unpacked."""
    seconds = int.from_bytes(content[_GZIP_TIME], "little")
    when = datetime.fromtimestamp(seconds, UTC) if seconds and is_packed(content) else None
    try:
        return Packed(path=path, when=when), unpack(content, SITEMAP)
    except GzipError as error:
        return Packed(path=path, when=when, error=str(error), kind=error.kind), None


def _unusable(sitemap: SitemapFile, error: str, kind: str) -> SitemapFile:
    """The sitemap with this error, which is its only problem."""
    return msgspec.structs.replace(sitemap, error=error, problems=(Problem(kind=kind, line=0, column=0, why=error),))


def _parse(
    path: str, content: bytes, on_problem: OnProblem
) -> tuple[SitemapKind, tuple[Located, ...], tuple[Child, ...]]:
    """The format of a sitemap, and what it lists. Raises `SitemapError`."""
    if path.removesuffix(".gz").endswith(".txt"):
        return "text", tuple(read_text(content, on_problem)), ()
    if any(mark in content[:_BEGINNING] for mark in _FEEDS):
        check_feed(content, on_problem)
        return "feed", (), ()
    checked = read_checked(content, on_problem)
    return checked.kind, checked.entries, checked.children
