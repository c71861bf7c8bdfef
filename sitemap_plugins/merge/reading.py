"""Reads the sitemaps to merge and the pages behind their URLs, or says why there is nothing to merge."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from urllib.parse import unquote

import msgspec

from sitemap_plugins.formats.feeds import is_our_feed
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.model import Entry, Markup
from sitemap_plugins.published.addresses import file_at, infer_base_url
from sitemap_plugins.published.sitemaps import is_of_media, read_content
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import PAGE, SITEMAP, RefusedError
from sitemap_plugins.values.tasks import ExplainedError, Track, untracked
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import normalize_url, path_in, quote_path


class MergeError(ExplainedError):
    """A folder cannot be merged: the message says why, and ``problems`` are sentences on what may be the cause."""

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class PublishedSitemap(msgspec.Struct, frozen=True, kw_only=True):
    """One sitemap file: its path below the root, its bytes, the bytes of the ``.gz`` beside it, and its entries.

    ``folder`` is where its pages are, relative to the root (empty for the root itself): the folder that it is in, or
    one above. ``base_url`` is the URL of that folder, inferred from the URLs in the sitemap and the files behind them.
    If ``is_moved``, the bytes list other URLs than the entries, and are not to be changed.
    """

    path: str
    folder: str
    content: bytes
    packed: bytes | None
    entries: tuple[Entry, ...]
    base_url: str
    is_moved: bool = False

    @property
    def url(self) -> str:
        """The URL of the file itself."""
        return self.base_url + quote_path(self.path[len(path_in(self.folder, "")) :])

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

    ``repeating`` are the paths of indexes and of our feeds and media sitemaps, whose pages are in ``sitemaps``, too.
    ``problems`` are sentences about sitemaps that could not be used, ``notes`` about what is no mistake. ``read``
    returns the HTML of the page at a path below the root.
    """

    sitemaps: tuple[PublishedSitemap, ...]
    pages: Mapping[str, PublishedPage]
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    repeating: tuple[str, ...] = ()
    read: Callable[[str], str | None] = lambda _: None


def read_sitemaps(
    tree: Tree,
    pattern: str = "sitemap*.xml",
    folders: Sequence[str] = ("",),
    without: Collection[str] = (),
    url_of: Mapping[str, str] | None = None,
    track: Track = untracked,
) -> Published:
    """Read the sitemaps in a tree, which match a pattern, and the heads of the pages that they list.

    Only ``folders`` are searched, and ``without`` are skipped. If a sitemap lists the URLs of an earlier folder, it is
    read as if it had the URL of its own folder in ``url_of``. ``track`` sees the loop over the pages of each sitemap.

    Raises `MergeError` if no sitemap can be used, and OSError if a folder cannot be listed or the disk fails. Invalid
    content and files without permission are problems or notes instead.
    """
    sitemaps: list[PublishedSitemap] = []
    pages: dict[str, PublishedPage] = {}
    problems: list[str] = []
    notes: list[str] = []
    repeating: list[str] = []
    unread: dict[str, str] = {}
    folder_of: dict[str, str] = {}
    for path in find_by_pattern(tree, pattern, folders, without):
        try:
            sitemap = _read_sitemap(tree, path)
        except SitemapError as error:
            problems.append(f"{path} {error}")
            continue
        except (PermissionError, RefusedError) as error:
            at = f"{path}.gz" if os.fspath(error.filename or "").endswith(".gz") else path
            problems.append(f"{at} cannot be read: {error.strerror or error}")
            continue
        if sitemap is None:
            repeating.append(path)
            continue
        if not sitemap.entries:
            notes.append(f"{path} lists no page")
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
        unread |= _read_pages(tree, sitemap, pages, track)
    if not sitemaps:
        raise MergeError(
            f"there is no usable sitemap in {tree.root} (files {pattern}): build the site with a sitemap first",
            problems,
        )
    notes += _about_pages(pages, unread)
    return Published(
        sitemaps=tuple(sitemaps),
        pages=pages,
        problems=tuple(problems),
        notes=tuple(notes),
        repeating=tuple(repeating),
        read=tree.html,
    )


def _about_pages(pages: Mapping[str, PublishedPage], unread: Mapping[str, str]) -> Iterator[str]:
    """Notes on pages that were not read, or not as a whole."""
    for path, why in islice(unread.items(), 1):
        yield f"{path} was not read ({why}), so it is not linked to translations{and_more_pages(len(unread) - 1)}"
    if cut := [page for page in pages.values() if page.markup.cut]:
        yield f"{cut[0].path} was parsed {cut[0].markup.cut}{and_more_pages(len(cut) - 1)}"


def _moved(sitemap: PublishedSitemap, url_of: Mapping[str, str]) -> PublishedSitemap:
    """A sitemap with its URLs below the URL of its folder instead, if that follows from the URLs of these folders."""
    folder = next((each for each in url_of if f"{sitemap.folder}/".startswith(f"{each}/")), None)
    if not folder:
        return sitemap
    tail = sitemap.folder[len(folder) + 1 :]
    base_url = url_of[folder] + quote_path(path_in(tail, ""))

    def moved(url: str) -> str:
        normal = normalize_url(url)
        return base_url + normal[len(sitemap.base_url) :] if normal.startswith(sitemap.base_url) else url

    entries = tuple(
        replace(
            entry,
            loc=moved(entry.loc),
            alternates=tuple(msgspec.structs.replace(link, href=moved(link.href)) for link in entry.alternates),
        )
        for entry in sitemap.entries
    )
    return msgspec.structs.replace(sitemap, entries=entries, base_url=base_url, is_moved=True)


def _read_sitemap(tree: Tree, path: str) -> PublishedSitemap | None:
    """One sitemap; None for an index, or for our own feeds and media sitemaps. Raises `SitemapError` and OSError."""
    content = tree.read(path, SITEMAP)
    if content is None or is_our_feed(content):
        return None
    kind, entries = read_content(content)
    if kind == "index" or is_of_media(path, entries):
        return None  # other sitemaps list its pages
    folder, base_url = _find_folder(tree, path, [entry.loc for entry in entries])
    if base_url is None and entries:
        raise SitemapError(
            f"has no file behind any of its {len(entries)} URLs, so it was left alone; "
            "is this the folder that is published?"
        )
    packed = tree.read(f"{path}.gz", SITEMAP) if _is_plain(tree, f"{path}.gz") else None
    return PublishedSitemap(
        path=path, folder=folder, content=content, packed=packed, entries=entries, base_url=base_url or ""
    )


def _find_folder(tree: Tree, path: str, locs: Sequence[str]) -> tuple[str, str | None]:
    """The folder that the URLs in a sitemap lead to, and its URL; None if no URL leads to a file.

    That is the sitemap's own folder, or the nearest one above if only there at least half of the URLs lead to files.
    Hugo writes the pages in its default language to the root, and their sitemap into ``en/``, beside a redirect. If the
    URLs contain ``en/``, the pages are missing in it, whatever is above.
    """
    own, *above = (str(each) if each.name else "" for each in PurePosixPath(path).parents)
    base_of = {}
    for folder in (own, *above):
        is_file = partial(_is_in, tree, folder)
        base_of[folder] = base_url = infer_base_url(locs, is_file)
        if base_url is None or unquote(base_url).endswith(f"/{own[len(path_in(folder, '')) :]}/"):
            continue
        if sum(file_at(loc, base_url, is_file) is not None for loc in locs) * 2 >= len(locs):
            return folder, base_url
    return own, base_of[own]


def _is_in(tree: Tree, folder: str, below: str) -> bool:
    return tree.is_file(path_in(folder, below))


def _read_pages(
    tree: Tree, sitemap: PublishedSitemap, pages: dict[str, PublishedPage], track: Track
) -> Mapping[str, str]:
    """Add the listed pages that are not known yet, by URL. Return the reasons why others were not read, by path."""
    unread: dict[str, str] = {}
    for entry in track(sitemap.entries, f"reading the pages in {sitemap.path}"):
        if entry.loc in pages or not (path := _file_of(tree, sitemap, entry)):
            continue
        try:
            content = tree.read(path, PAGE)
        except (PermissionError, RefusedError) as error:
            unread[path] = error.strerror or str(error)
        else:
            pages[entry.loc] = PublishedPage(path=path, markup=read_markup(content or b""))
    return unread


def _file_of(tree: Tree, sitemap: PublishedSitemap, entry: Entry) -> str | None:
    """The file behind a URL that a sitemap lists."""
    below = file_at(entry.loc, sitemap.base_url, partial(_is_in, tree, sitemap.folder))
    return None if below is None else path_in(sitemap.folder, below)


def find_by_pattern(
    tree: Tree, pattern: str, folders: Iterable[str] = ("",), without: Collection[str] = ()
) -> Iterator[str]:
    """The paths of the files whose names match a pattern, without links; ``folders`` as in `read_sitemaps`."""
    for path in (path for folder in dict.fromkeys(folders) for path in tree.files(folder, without)):
        if fnmatchcase(path.rpartition("/")[2], pattern) and _is_plain(tree, path):
            yield path


def _is_plain(tree: Tree, path: str) -> bool:
    return tree.is_file(path) and not tree.is_link(path)


def count_listed(tree: Tree, folder: str, pattern: str, without: Collection[str]) -> tuple[int, int]:
    """The number of pages that the sitemaps in a folder list, and how many of them have no file.

    Sitemaps that cannot be used are skipped, see `read_sitemaps`.
    """
    listed: dict[str, bool] = {}
    for path in find_by_pattern(tree, pattern, [folder], without):
        with suppress(SitemapError, PermissionError, RefusedError):
            if sitemap := _read_sitemap(tree, path):
                for entry in sitemap.entries:
                    listed[entry.loc] = listed.get(entry.loc, False) or _file_of(tree, sitemap, entry) is not None
    return len(listed), sum(not is_there for is_there in listed.values())
