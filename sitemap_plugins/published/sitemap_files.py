"""Finds all sitemaps of a site as crawlers do, and reads them with the checking reader."""

from __future__ import annotations

import errno
import os
from collections.abc import Container, Iterable
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from sitemap_plugins.formats.feed_checking import check_feed
from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.formats.problems import Located, OnProblem, Problem, Problems
from sitemap_plugins.formats.robots import read_sitemap_lines
from sitemap_plugins.formats.sitemap_checking import read_checked
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.text_reading import read_text
from sitemap_plugins.published.sitemaps import find_by_end
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import SITEMAP
from sitemap_plugins.values.urls import file_path

SITEMAPS: Final = ("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml")
"""The names at which crawlers look for a sitemap at the root of a site that announces none."""

_GZIP_TIME: Final = slice(4, 8)  # RFC 1952, section 2.3: MTIME
_FEEDS: Final = (b"<rss", b"<feed", b"<rdf:RDF")
_BEGINNING: Final = 1000

SitemapKind: TypeAlias = Literal["urlset", "index", "text", "feed", "unusable"]
"""The format of a sitemap."""


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

    ``entries`` are the pages that it lists, ``children`` the sitemaps in an index, ``links`` the pages in a feed. If it
    is unusable, ``error`` completes the sentence "FILE …". ``problems`` are those of the reader. ``announced_by`` is
    the path of the file that announces it: robots.txt, an index, or itself if crawlers know its name; empty if nothing
    does. ``written`` is the time at which the file was written.
    """

    path: str
    kind: SitemapKind
    entries: tuple[Located, ...] = ()
    children: tuple[Located, ...] = ()
    links: tuple[Located, ...] = ()
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
    names = tree.listing("").files
    waiting = [(path, ROBOTS) for line in lines if (path := _path_of(line.url, tree, base_url))]
    if known := next((name for name in SITEMAPS if name in names or f"{name}.gz" in names), None):
        waiting.append((known if known in names else f"{known}.gz", known))
    found = _read_all(waiting, {}, tree, base_url)
    # Only the part after the last slash names a sitemap.
    files = ((path, path.rpartition("/")[2]) for path in sorted(tree.files(with_hidden=True)))
    named = [(path, "") for path, name in files if name.startswith("sitemap") and name.endswith((".xml", ".xml.gz"))]
    found |= _read_all(named, found, tree, base_url)
    return dict(sorted(found.items()))


def _read_all(
    queue: list[tuple[str, str]], known: Container[str], tree: Tree, base_url: str | None
) -> dict[str, SitemapFile]:
    """The sitemaps in these files, each with what announces it, and those in each index among them, by path.

    Those that are ``known`` are left out. An index in an index is read, too.
    """
    found: dict[str, SitemapFile] = {}
    for path, by in queue:
        bare = path.removesuffix(".gz")
        # A compressed copy beside the sitemap belongs to it.
        path = bare if tree.is_file(bare) else path  # noqa: PLW2901  # the same sitemap
        if path in found or path in known:
            continue
        found[path] = sitemap = read_sitemap_file(tree, path, by)
        children = (_path_of(child.loc, tree, base_url, sitemap.folder) for child in sitemap.children)
        queue += [(child, path if by else "") for child in children if child and child != path]
    return found


def _path_of(url: str, tree: Tree, base_url: str | None, folder: str = "") -> str | None:
    """The file of a sitemap with this URL: by the base URL, or else by the end of the URL, below the folder."""
    below = file_path(base_url, url) if base_url else None
    if below is None:
        return find_by_end(tree, url, folder)
    return below if tree.is_file(below) else None


def read_sitemap_file(tree: Tree, path: str, by: str) -> SitemapFile:
    """The sitemap in a file, which ``by`` announces, see `SitemapFile`. It is read only once."""
    if path not in tree.sitemaps:
        tree.sitemaps[path] = _read(tree, path)
    sitemap: SitemapFile = tree.sitemaps[path]
    return replace(sitemap, announced_by=by)


def _read(tree: Tree, path: str) -> SitemapFile:
    sitemap = SitemapFile(path=path, kind="unusable", written=_time_of(tree.place(path)))
    try:
        content = tree.read(path, SITEMAP)
    except OSError as error:
        kind = "too-large" if error.errno == errno.EFBIG else "unreadable"
        return _unusable(sitemap, f"cannot be read: {error.strerror or error}", kind)
    if content is None:
        return _unusable(sitemap, "cannot be read: it is not a file", "unreadable")
    if path.endswith(".gz") or is_packed(content):
        packed, content = _unpacked(path, content)
        sitemap = replace(sitemap, packed=packed)
        if content is None:
            return _unusable(sitemap, packed.error, packed.kind)
    elif (copy := tree.try_to_read(f"{path}.gz", SITEMAP)) is not None:
        packed, other = _unpacked(f"{path}.gz", copy)
        sitemap = replace(sitemap, packed=replace(packed, is_same=other == content))
    problems = Problems()
    try:
        kind, listed = _parse(path, content, problems.add)
    except SitemapError as error:
        return replace(sitemap, error=str(error), problems=problems.kept)
    field = {"index": "children", "feed": "links"}.get(kind, "entries")
    return replace(sitemap, kind=kind, problems=problems.kept, **{field: listed})


def _time_of(place: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(os.stat(place).st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return None


def _unpacked(path: str, content: bytes) -> tuple[Packed, bytes | None]:
    """What is known about a compressed file, and its content if it can be unpacked."""
    seconds = int.from_bytes(content[_GZIP_TIME], "little")
    when = datetime.fromtimestamp(seconds, UTC) if seconds and is_packed(content) else None
    try:
        return Packed(path=path, when=when), unpack(content, SITEMAP)
    except GzipError as error:
        why = str(error) if is_packed(content) else "is not compressed, although its name ends in .gz"
        return Packed(path=path, when=when, error=why, kind=error.kind), None


def _unusable(sitemap: SitemapFile, error: str, kind: str) -> SitemapFile:
    """The sitemap with this error, which is its only problem."""
    return replace(sitemap, error=error, problems=(Problem(kind=kind, line=0, column=0, why=error),))


def _parse(path: str, content: bytes, on_problem: OnProblem) -> tuple[SitemapKind, tuple[Located, ...]]:
    """The format of a sitemap, and what it lists. Raises `SitemapError`."""
    if path.removesuffix(".gz").endswith(".txt"):
        return "text", tuple(read_text(content, on_problem))
    if any(mark in content[:_BEGINNING] for mark in _FEEDS):
        return "feed", check_feed(content, on_problem)
    return read_checked(content, on_problem)
