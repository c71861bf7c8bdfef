"""Reads the sitemaps in a published folder, and the page behind each of their URLs."""

from __future__ import annotations

import errno
import os
import posixpath
import re
import stat
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import msgspec

from sitemap_plugins.formats.feeds import is_our_feed
from sitemap_plugins.formats.sitemap_reading import SitemapError, is_index, read_sitemap
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.model import Entry, Markup
from sitemap_plugins.published.addresses import meant
from sitemap_plugins.published.trees import published_files
from sitemap_plugins.reading import PAGE, SITEMAP, RefusedError, read_file
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import file_path

PATTERN: Final = "sitemap*.xml"
"""The names of the files that are read as sitemaps."""

_DEPTH: Final = 16  # folders in the path of a base URL, at most
_OWN_FILE: Final = re.compile(r"-(?:images|videos|news)(?:-\d+)*\.xml\Z")
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL, errno.EACCES})
_SAMPLE: Final = 200  # URLs of a sitemap, roughly, from which its base URL is inferred


class PublishedSitemap(msgspec.Struct, frozen=True, kw_only=True):
    """One sitemap file: its path below the root, its bytes, the bytes of the ``.gz`` beside it, and its entries.

    ``base_url`` is the URL of its folder, inferred from the URLs in it and the files behind them. If ``is_moved``, the
    bytes list other URLs than the entries, and are not to be changed.
    """

    path: str
    content: bytes
    packed: bytes | None
    entries: tuple[Entry, ...]
    base_url: str
    is_moved: bool = False

    @property
    def folder(self) -> str:
        """The folder of the sitemap, relative to the root; empty for the root itself."""
        return self.path.rpartition("/")[0]

    @property
    def root_url(self) -> str:
        """The URL of the root on this sitemap's host; ``base_url`` if that does not end with the path of the folder."""
        above = self.base_url.rsplit("/", len(PurePosixPath(self.folder).parts) + 1)
        is_same = unquote("/".join(above[1:-1])) == self.folder
        return f"{above[0]}/" if self.folder and is_same else self.base_url


class PublishedPage(msgspec.Struct, frozen=True, kw_only=True):
    """The file behind a URL: its path below the root, and the markup of its head."""

    path: str
    markup: Markup


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """A published folder. ``pages`` maps URLs to the files behind them; URLs without a file are left out.

    ``problems`` are sentences about sitemaps that could not be used, ``remarks`` about other findings.
    """

    sitemaps: tuple[PublishedSitemap, ...]
    pages: Mapping[str, PublishedPage]
    problems: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def read_published(
    root: Path,
    pattern: str = PATTERN,
    folders: Sequence[str] = ("",),
    without: Collection[str] = (),
    url_of: Mapping[str, str] | None = None,
    track: Track = untracked,
) -> Published:
    """Read the sitemaps below ``root`` and the heads of the pages that they list.

    Only ``folders`` are searched, relative to the root (empty for the root itself), and ``without`` are skipped. If a
    sitemap lists the URLs of an earlier folder, it is read as if it had the URL of its own folder in ``url_of``.
    ``track`` sees the loop over the pages of each sitemap.

    Raises OSError if a folder cannot be listed or the disk fails. Invalid content and files without permission are
    problems or remarks instead.
    """
    sitemaps: list[PublishedSitemap] = []
    pages: dict[str, PublishedPage] = {}
    problems: list[str] = []
    remarks: list[str] = []
    unread: dict[str, str] = {}
    folder_of: dict[str, str] = {}
    for path in find_sitemaps(root, pattern, folders, without):
        try:
            sitemap = _read_sitemap(root, path)
        except SitemapError as error:
            problems.append(f"{path} {error}")
            continue
        except (PermissionError, RefusedError) as error:
            at = Path(error.filename or root / path).relative_to(root).as_posix()
            problems.append(f"{at} cannot be read: {error.strerror or error}")
            continue
        if sitemap is None:
            continue
        if not sitemap.entries:
            remarks.append(f"{path} lists no page")
            continue
        if folder_of.get(sitemap.base_url, sitemap.folder) != sitemap.folder:
            sitemap = _moved(sitemap, url_of or {})
        # Two folders with one URL: each language was built as if it were the only one.
        if (other := folder_of.setdefault(sitemap.base_url, sitemap.folder)) != sitemap.folder:
            problems.append(
                f"{path} lists pages below {sitemap.base_url}, which is the URL of the folder {other or '.'}, so it "
                "was left alone: build it with a URL of its own (site_url, html_baseurl)"
            )
            continue
        sitemaps.append(sitemap)
        found, refused = _read_pages(root, sitemap, pages, track)
        pages |= found
        unread |= refused
    if unread:
        path, why = next(iter(unread.items()))
        more = and_more_pages(len(unread) - 1)
        remarks.append(f"{path} was not read ({why}), so it is not linked to translations{more}")
    if cut := [page for page in pages.values() if page.markup.cut]:
        remarks.append(f"{cut[0].path} was parsed {cut[0].markup.cut}{and_more_pages(len(cut) - 1)}")
    return Published(sitemaps=tuple(sitemaps), pages=pages, problems=tuple(problems), remarks=tuple(remarks))


def _moved(sitemap: PublishedSitemap, url_of: Mapping[str, str]) -> PublishedSitemap:
    """A sitemap with its URLs below the URL of its folder instead, if that follows from the URLs of these folders."""
    folder = next((each for each in url_of if f"{sitemap.folder}/".startswith(f"{each}/")), None)
    if not folder:
        return sitemap
    tail = sitemap.folder[len(folder) + 1 :]
    base_url = url_of[folder] + (quote(f"{tail}/") if tail else "")

    def moved(url: str) -> str:
        return base_url + url[len(sitemap.base_url) :] if url.startswith(sitemap.base_url) else url

    entries = tuple(
        replace(
            entry,
            loc=moved(entry.loc),
            alternates=tuple(msgspec.structs.replace(link, href=moved(link.href)) for link in entry.alternates),
        )
        for entry in sitemap.entries
    )
    return msgspec.structs.replace(sitemap, entries=entries, base_url=base_url, is_moved=True)


def _read_sitemap(root: Path, path: str) -> PublishedSitemap | None:
    """One sitemap; None for an index, or for our own feeds and media sitemaps. Raises `SitemapError` and OSError."""
    content = read_file(root / path, SITEMAP, inside=root)
    if is_our_feed(content) or is_index(content):
        return None
    entries = read_sitemap(content)
    if is_of_media(path, entries):
        return None  # another sitemap lists its pages
    packed = root / f"{path}.gz"
    base_url = infer_base_url((root / path).parent, [entry.loc for entry in entries]) if entries else ""
    if base_url is None:
        raise SitemapError(
            f"has no file behind any of its {len(entries)} URLs, so it was left alone; "
            "is this the folder that is published?"
        )
    return PublishedSitemap(
        path=path,
        content=content,
        packed=read_file(packed, SITEMAP, inside=root) if _is_plain(packed) else None,
        entries=entries,
        base_url=base_url,
    )


def is_of_media(path: str, entries: Sequence[Entry]) -> bool:
    """Whether this is one of our sitemaps of only images, videos or news. Another sitemap lists their pages."""
    has_media = all(each.images or each.videos or each.news for each in entries)
    return bool(entries) and bool(_OWN_FILE.search(path)) and has_media


def _read_pages(
    root: Path, sitemap: PublishedSitemap, known: Container[str], track: Track
) -> tuple[dict[str, PublishedPage], dict[str, str]]:
    """The listed pages that are not known yet, by URL, and the reasons why others were not read, by path."""
    pages: dict[str, PublishedPage] = {}
    unread: dict[str, str] = {}
    for entry in track(sitemap.entries, f"reading the pages in {sitemap.path}"):
        if entry.loc in known or not (file := file_behind(root / sitemap.folder, entry.loc, sitemap.base_url)):
            continue
        path = file.relative_to(root).as_posix()
        try:
            pages[entry.loc] = PublishedPage(path=path, markup=read_markup(read_file(file, PAGE, inside=root)))
        except (PermissionError, RefusedError) as error:
            unread[path] = error.strerror or str(error)
    return pages, unread


def find_sitemaps(
    root: Path, pattern: str = PATTERN, folders: Sequence[str] = ("",), without: Collection[str] = ()
) -> Iterator[str]:
    """The paths, relative to ``root``, of the files with a name that matches a pattern, without links.

    For ``folders`` and ``without``, see `read_published`. Raises OSError if a folder cannot be listed.
    """
    for start in dict.fromkeys(folders):
        found = published_files(root, start, without)
        yield from (path for path in found if fnmatchcase(posixpath.basename(path), pattern) and _is_plain(root / path))


def count_listed(root: Path, folder: str, pattern: str = PATTERN, without: Collection[str] = ()) -> tuple[int, int]:
    """The number of pages that the sitemaps in a folder list, and how many of them have no file.

    Sitemaps that cannot be used are skipped, see `read_published`.
    """
    listed: dict[str, bool] = {}
    for path in find_sitemaps(root, pattern, [folder], without):
        try:
            sitemap = _read_sitemap(root, path)
        except (SitemapError, PermissionError, RefusedError):
            continue
        if sitemap is None:
            continue
        for entry in sitemap.entries:
            file = file_behind(root / sitemap.folder, entry.loc, sitemap.base_url)
            listed[entry.loc] = listed.get(entry.loc, False) or file is not None
    return len(listed), sum(not is_there for is_there in listed.values())


def _is_plain(path: Path) -> bool:
    return _is_regular(path, os.lstat)


def infer_base_url(folder: Path, locs: Sequence[str]) -> str | None:
    """The URL of a folder, inferred from the URLs in its sitemap; None if no URL leads to a file in the folder.

    It is the prefix with which most of the URLs lead to files. At least half of the URLs must be below it.
    """
    sample = locs[:: max(1, len(locs) // _SAMPLE)]
    found: Counter[str] = Counter()
    for loc in sample:
        try:
            parts = urlsplit(loc)
        except ValueError:
            continue
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            continue
        steps = parts.path.split("/")[1:] or [""]
        for depth in range(min(len(steps), _DEPTH) + 1):
            base_url = f"{parts.scheme}://{parts.netloc}/" + "".join(f"{step}/" for step in steps[:depth])
            found[base_url] += file_behind(folder, loc, base_url) is not None
    # A tie goes to the shortest: a folder can contain another copy of itself.
    for base_url in sorted(found, key=lambda base: (-found[base], base.count("/"))):
        below = sum(loc.startswith(base_url) or f"{loc}/" == base_url for loc in sample)
        if found[base_url] and below * 2 >= len(sample):
            return base_url
    return None


def file_behind(
    folder: Path, loc: str, base_url: str, find: Callable[[str, Callable[[str], bool]], str | None] = meant
) -> Path | None:
    """The file that is `meant` by a URL, where ``base_url`` is the URL of ``folder``; None if there is none.

    With `served` as ``find``, it is the file that every server sends.
    """
    below = file_path(base_url, loc)
    if below is None or "\0" in below or "\\" in below or ".." in below.split("/") or below.startswith("/"):
        return None
    path = find(below, lambda each: _is_regular(folder / each, os.stat))
    return None if path is None else folder / path


def _is_regular(path: Path, status: Callable[[Path], os.stat_result]) -> bool:
    """Whether the path is a regular file. Unlike `Path.is_file`, it raises OSError if the disk fails."""
    try:
        return stat.S_ISREG(status(path).st_mode)
    except ValueError:  # a file cannot have that name
        return False
    except OSError as error:
        if error.errno not in _ABSENT:
            raise
        return False
