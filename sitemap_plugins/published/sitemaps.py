"""Finds the sitemaps of a published folder, and reads what they list, in any format."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Container, Iterable, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, overload
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec.structs import replace

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.formats.robots import read_sitemap_lines
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_index, read_sitemap
from sitemap_plugins.model import Entry
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import SITEMAP, read_file
from sitemap_plugins.values.urls import ends_of, file_path, normalize_url, path_in

if TYPE_CHECKING:
    from sitemap_plugins.formats.problems import Located, OnProblem, Problem

SITEMAPS: Final = ("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml")
"""The names at which crawlers look for a sitemap at the root of a site that announces none."""

SitemapKind: TypeAlias = Literal["urlset", "index", "text", "feed", "unusable"]
"""The format of a sitemap."""

_T = TypeVar("_T")
_GZIP_TIME: Final = slice(4, 8)  # RFC 1952, section 2.3: MTIME
_FEEDS: Final = (b"<rss", b"<feed", b"<rdf:RDF")
_BEGINNING: Final = 1000
_DEPTH: Final = 16  # folders in the path of a URL, at most
_OWN_FILE: Final = re.compile(r"-(?:images|videos|news)(?:-\d+)*\.xml\Z")


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """A compressed sitemap, alone or beside the sitemap that it is a copy of.

    ``is_same`` tells whether it has the content of the file beside it, and ``when`` is the time in its header.
    ``error`` completes the sentence "FILE …" if the copy cannot be unpacked.
    """

    path: str
    when: datetime | None = None
    is_same: bool = True
    error: str = ""


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
        tree.sitemaps[path] = _check(tree, path)
    sitemap: SitemapFile = tree.sitemaps[path]
    return replace(sitemap, announced_by=by)


def _check(tree: Tree, path: str) -> SitemapFile:
    from sitemap_plugins.formats.problems import Problem, Problems

    sitemap = SitemapFile(path=path, kind="unusable", written=_time_of(tree.place(path)))
    problems = Problems()
    try:
        content = _content(tree, path)
        if path.endswith(".gz") or is_packed(content):
            sitemap = replace(sitemap, packed=Packed(path=path, when=_time_in(content)))
            content = _unpacked(content, path)
        elif (copy := tree.try_to_read(f"{path}.gz", SITEMAP)) is not None:
            sitemap = replace(sitemap, packed=compare_copy(f"{path}.gz", copy, content))
        kind, listed = read_content(content, path, problems.add)
    except SitemapError as error:
        about_file = Problem(kind=error.kind, line=0, column=0, why=str(error))
        return replace(sitemap, error=str(error), problems=problems.kept or (about_file,))
    field = {"index": "children", "feed": "links"}.get(kind, "entries")
    return replace(sitemap, kind=kind, problems=problems.kept, **{field: listed})


def _time_of(place: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(os.stat(place).st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return None


def _content(tree: Tree, path: str) -> bytes:
    """The content of a file as it is. Raises `SitemapError` if it cannot be read."""
    try:
        content = tree.read(path, SITEMAP)
    except OSError as error:
        kind = "too-large" if error.errno == errno.EFBIG else "unreadable"
        raise SitemapError(f"cannot be read: {error.strerror or error}", kind) from None
    if content is None:
        raise SitemapError("cannot be read: it is not a file")
    return content


def _time_in(packed: bytes) -> datetime | None:
    seconds = int.from_bytes(packed[_GZIP_TIME], "little")
    return datetime.fromtimestamp(seconds, UTC) if seconds and is_packed(packed) else None


def compare_copy(path: str, packed: bytes, content: bytes) -> Packed:
    """The compressed copy at this path of a sitemap with this content."""
    try:
        is_same, error = _unpacked(packed, path) == content, ""
    except SitemapError as refused:
        is_same, error = False, str(refused)
    return Packed(path=path, when=_time_in(packed), is_same=is_same, error=error)


@overload
def read_content(content: bytes, name: str = "") -> tuple[SitemapKind, tuple[Entry, ...]]: ...
@overload
def read_content(content: bytes, name: str, on_problem: OnProblem) -> tuple[SitemapKind, tuple[Located, ...]]: ...
def read_content(
    content: bytes, name: str = "", on_problem: OnProblem | None = None
) -> tuple[SitemapKind, tuple[Entry | Located, ...]]:
    """The format of a sitemap that is not compressed, and what it lists: pages, or the sitemaps in an index.

    Only the ``name`` of a file shows that it is text. With ``on_problem``, the checking readers are used, which call it
    with each problem, and read the links of feeds; without it, the fast one, to which a feed is no sitemap. Raises
    `SitemapError`.
    """
    is_text = name.removesuffix(".gz").endswith(".txt")
    if on_problem is None and not is_text:
        locs = read_index(content)
        return ("urlset", read_sitemap(content)) if locs is None else ("index", tuple(Entry(loc=loc) for loc in locs))
    from sitemap_plugins.formats.feed_checking import check_feed
    from sitemap_plugins.formats.sitemap_checking import read_checked, read_text

    report = on_problem or (lambda _: None)
    if is_text:
        found = read_text(content, report)
        return "text", tuple(found if on_problem else (each.entry for each in found))
    is_feed = any(mark in content[:_BEGINNING] for mark in _FEEDS)
    return ("feed", check_feed(content, report)) if is_feed else read_checked(content, report)


def _unpacked(content: bytes, name: str = "") -> bytes:
    """The content of a sitemap, unpacked if it or its ``name`` is that of a gzip file. Raises `SitemapError`."""
    is_gzip = is_packed(content)
    if not is_gzip and not name.endswith(".gz"):
        return content
    try:
        return unpack(content, SITEMAP)
    except GzipError as error:
        why = str(error) if is_gzip else "is not compressed, although its name ends in .gz"
        raise SitemapError(why, error.kind) from None


def _read(tree: Tree, path: str, reader: Callable[[bytes], _T]) -> _T:
    """What a reader returns for a file, unpacked. Raises `SitemapError`, whose message begins with the file."""
    try:
        return reader(_unpacked(read_file(tree.place(path), SITEMAP)))
    except SitemapError as error:
        raise SitemapError(f"{Path(tree.place(path))} {error}") from None


def read_listed(tree: Tree, path: str) -> list[Entry]:
    """The entries of a sitemap, in XML or as text, or of the sitemaps that an index names.

    The files of those sitemaps are below the folder of the index, see `find_by_end`. Media sitemaps are skipped,
    because they repeat pages of other sitemaps. Raises `SitemapError`, whose message begins with the file, and OSError.
    """
    kind, listed = _read(tree, path, lambda content: read_content(content, path.lower()))
    if kind != "index":
        return [*listed]
    folder = path.rpartition("/")[0]
    children: dict[str, None] = {}
    for each in listed:
        child = find_by_end(tree, each.loc, folder)
        if child is None or child == path:
            file, where = Path(tree.place(path)), Path(tree.place(folder))
            raise SitemapError(f"{file} names {each.loc}, but there is no such file below {where}")
        children[child] = None
    entries: list[Entry] = []
    for child in children:
        found = _read(tree, child, read_sitemap)
        entries += () if is_of_media(child.removesuffix(".gz"), found) else found
    return entries


def read_parts(tree: Tree, path: str) -> list[str]:
    """The sitemaps below the folder of an index that it names; empty if the file is not one or cannot be read."""
    try:
        locs = _read(tree, path, read_index) or ()
    except (SitemapError, OSError):
        return []
    folder = path.rpartition("/")[0]
    return [child for loc in locs if (child := find_by_end(tree, loc, folder))]


def find_by_end(tree: Tree, url: str, folder: str = "") -> str | None:
    """The file below a folder whose path a URL ends with; None if there is none. The longest path counts."""
    try:
        path = unquote(urlsplit(normalize_url(url)).path).removeprefix("/")
    except ValueError:
        return None
    ends = (path_in(folder, end) for end in islice(ends_of(path), _DEPTH))
    return next(filter(tree.is_file, ends), None)


def is_of_media(path: str, entries: Sequence[Entry]) -> bool:
    """Whether this is one of our sitemaps of only images, videos or news. Another sitemap lists their pages."""
    has_media = all(each.images or each.videos or each.news for each in entries)
    return bool(entries) and bool(_OWN_FILE.search(path)) and has_media
