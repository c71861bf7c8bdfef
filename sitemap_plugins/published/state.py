"""The state of a published site as one value: its URL, files, pages and sitemaps, and the files for crawlers."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.formats.feed_checking import check_feed
from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.paths import HOST_FILES, LLMS, ROBOTS
from sitemap_plugins.formats.problems import Located, OnProblem, Problem, Problems
from sitemap_plugins.formats.robots import read_sitemap_lines
from sitemap_plugins.formats.sitemap_checking import Child, read_checked
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.text import read_text
from sitemap_plugins.published.addresses import meant
from sitemap_plugins.published.html_files import SUFFIXES, HTMLFile, read_html_file
from sitemap_plugins.published.site_url import NamedURL, find_site_url
from sitemap_plugins.published.trees import published_files
from sitemap_plugins.reading import ABSENT, HOST_FILE, LLMS_TXT, ROBOTS_TXT, SITEMAP, Limit, read_file
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.urls import file_path, path_in

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
        return posixpath.dirname(self.path)


class SitemapLine(msgspec.Struct, frozen=True, kw_only=True):
    """A ``Sitemap:`` line of robots.txt: the URL as written, and the number of the line."""

    url: str
    line: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What is published in a folder. All paths are relative to it, with forward slashes.

    ``base`` is the URL of the root, None if it is unknown. ``files`` are all files, hidden ones included, ``links``
    the folders that links to folders lead to, by the path of the link; both without what leads out of the root.
    ``pages`` are all HTML files. ``robots`` is the content of robots.txt, and ``announced`` has its ``Sitemap:`` lines.
    ``host_files`` are ``_headers`` and ``_redirects``, and ``llms_txt`` is the content of the file with this name.
    ``unread`` says why one of these files could not be read, by its path. ``version_folders`` are the folders of
    versions and their aliases.
    """

    root: str
    base: NamedURL | None
    files: frozenset[str]
    links: Mapping[str, str]
    pages: Mapping[str, HTMLFile]
    sitemaps: Mapping[str, SitemapFile]
    robots: bytes | None = None
    announced: tuple[SitemapLine, ...] = ()
    host_files: Mapping[str, bytes] = {}
    llms_txt: bytes | None = None
    unread: Mapping[str, str] = {}
    version_folders: frozenset[str] = frozenset()

    def file_at(self, url: str) -> str | None:
        """The file that is `meant` by a URL; None if there is none, or the URL is not below the base URL."""
        below = file_path(self.base.url, url) if self.base else None
        return None if below is None else self.file_of(below)

    def file_of(self, path: str) -> str | None:
        """The file that is `meant` by a decoded path below the root; None if there is none."""
        found = meant(path, self.files.__contains__)
        return found or next((self.file_of(behind) for behind in self._behind_link(path)), None)

    def _behind_link(self, path: str) -> Iterator[str]:
        """The path behind a link to a folder on the path."""
        for link, target in self.links.items():
            if path == link or path.startswith(f"{link}/"):
                yield path_in(target, path[len(link) + 1 :])

    def version_of(self, path: str) -> str:
        """The folder of the version that a path is in; empty if it is in none."""
        if not self.version_folders:
            return ""
        ends = (end for end, char in enumerate(path) if char == "/")
        return next((path[:end] for end in ends if path[:end] in self.version_folders), "")

    @property
    def announced_sitemaps(self) -> Iterator[SitemapFile]:
        """The sitemaps that search engines know, in the order of their paths."""
        return (each for each in self.sitemaps.values() if each.announced_by)


def read_state(
    root: str,
    *,
    base: NamedURL | None = None,
    version_folders: Collection[str] = (),
    track: Track = untracked,
) -> State:
    """Read the state of the site in a folder, an absolute path. Each file is read once.

    ``base`` is the URL that a configuration gives; without one, see `find_site_url`. ``track`` sees the loop over the
    pages. Raises OSError if a folder cannot be listed or the disk fails.
    """
    found_links: list[str] = []
    paths = [*published_files(root, with_hidden=True, on_link=found_links.append)]
    files = frozenset(paths)
    unread: dict[str, str] = {}
    pages = {}
    for path in track([path for path in paths if path.lower().endswith(SUFFIXES)], "reading pages"):
        if (page := read_html_file(root, path, is_walked=True)) is not None:
            pages[path] = page
            unread |= {path: page.unread} if page.unread else {}

    def read(path: str, limit: Limit) -> bytes | None:
        try:
            return read_file(os.path.join(root, *path.split("/")), limit, inside=root)
        except ABSENT:
            return None
        except OSError as error:
            unread[path] = error.strerror or str(error)
            return None

    robots = read(ROBOTS, ROBOTS_TXT) if ROBOTS in files else None
    lines = tuple(SitemapLine(url=url, line=line) for url, line in read_sitemap_lines(robots or b""))
    base = base or find_site_url(root, files, pages.values(), [line.url for line in lines])
    sitemaps = _Sitemaps(root, files, base, read, unread)
    sitemaps.find(lines)
    return State(
        root=root,
        base=base,
        files=files,
        links=dict(_links_inside(root, found_links)),
        pages=pages,
        sitemaps=dict(sorted(sitemaps.found.items())),
        robots=robots,
        announced=lines,
        host_files={name: content for name in HOST_FILES if (content := read(name, HOST_FILE)) is not None},
        llms_txt=read(LLMS, LLMS_TXT) if LLMS in files else None,
        unread=unread,
        version_folders=frozenset(version_folders) - {""},
    )


def _links_inside(root: str, links: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The links to folders inside the root that do not lead to a folder around themselves, each with its target."""
    real_root = os.path.realpath(root)
    for link in links:
        real = os.path.realpath(os.path.join(root, *link.split("/")))
        if real.startswith(os.path.join(real_root, "")):
            target = os.path.relpath(real, real_root).replace(os.sep, "/")
            if not f"{link}/".startswith(f"{target}/"):
                yield link, target


class _Sitemaps:
    """The sitemaps found so far, by path: first those that are announced, then the others."""

    def __init__(
        self,
        root: str,
        files: frozenset[str],
        base: NamedURL | None,
        read: Callable[[str, Limit], bytes | None],
        unread: Mapping[str, str],
    ) -> None:
        self.found: dict[str, SitemapFile] = {}
        self._root = root
        self._files = files
        self._base = base
        self._read = read
        self._unread = unread

    def find(self, lines: Sequence[SitemapLine]) -> None:
        """Find the sitemaps that robots.txt announces or crawlers know by name, then all that are named like one."""
        waiting = [(path, ROBOTS) for line in lines if (path := self._path_of(line.url))]
        known = next((name for name in SITEMAPS if name in self._files or f"{name}.gz" in self._files), None)
        if known:
            waiting.append((known if known in self._files else f"{known}.gz", known))
        self._add(waiting)
        # Only the part after the last slash names a sitemap.
        named = (path for path in self._files for name in [posixpath.basename(path)] if _is_named_like_one(name))
        self._add((path, "") for path in sorted(named))

    def _add(self, waiting: Iterable[tuple[str, str]]) -> None:
        """Read these files, and the sitemaps in each index among them. An index in an index is read, too."""
        queue = [*waiting]
        for path, by in queue:
            bare = path.removesuffix(".gz")
            # A compressed copy beside the sitemap belongs to it.
            path = bare if bare in self._files else path  # noqa: PLW2901  # the same sitemap
            if path in self.found:
                continue
            self.found[path] = sitemap = self._read_sitemap(path, by)
            if sitemap.kind == "index":
                children = (self._path_of(child.loc, sitemap.folder) for child in sitemap.children)
                queue += [(child, path if by else "") for child in children if child and child != path]

    def _path_of(self, url: str, folder: str = "") -> str | None:
        """The file of a sitemap with this URL: by the base URL, or else by the end of the URL, below the folder."""
        below = file_path(self._base.url, url) if self._base else None
        if below is not None:
            return below if below in self._files else None
        try:
            steps = unquote(urlsplit(url).path).split("/")[1:]
        except ValueError:
            return None
        ends = (path_in(folder, "/".join(steps[start:])) for start in range(min(len(steps), 16)))
        return next((end for end in ends if end in self._files), None)

    def _read_sitemap(self, path: str, by: str) -> SitemapFile:
        written = self._time_of(path)
        content = self._read(path, SITEMAP)
        sitemap = SitemapFile(path=path, kind="unusable", announced_by=by, written=written)
        if content is None:
            error = f"cannot be read: {self._unread.get(path, 'it is no file')}"
            return _unusable(sitemap, error, "too-large" if self._is_too_large(path) else "unreadable")
        packed = None
        if is_packed(content):
            packed, content = _unpacked(path, content)
        elif f"{path}.gz" in self._files and (copy := self._read(f"{path}.gz", SITEMAP)) is not None:
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

    def _is_too_large(self, path: str) -> bool:
        try:
            return os.stat(os.path.join(self._root, *path.split("/"))).st_size > SITEMAP.size
        except (OSError, ValueError):
            return False

    def _time_of(self, path: str) -> datetime | None:
        try:
            return datetime.fromtimestamp(os.stat(os.path.join(self._root, *path.split("/"))).st_mtime, UTC)
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
