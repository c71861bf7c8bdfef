"""Finds sitemaps in a published folder, and reads what they list with the fast reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_index, read_sitemap
from sitemap_plugins.model import Entry
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import SITEMAP, read_file
from sitemap_plugins.values.urls import ends_of, normalize_url, path_in

_DEPTH: Final = 16  # folders in the path of a URL, at most
_OWN_FILE: Final = re.compile(r"-(?:images|videos|news)(?:-\d+)*\.xml\Z")


def read_listed(tree: Tree, path: str) -> list[Entry]:
    """The entries of a sitemap, in XML or as text, or of the sitemaps that an index names.

    The files of those sitemaps are below the folder of the index, see `find_by_end`. Media sitemaps are skipped,
    because they repeat pages of other sitemaps. Raises `SitemapError`, whose message begins with the file, and OSError.
    """
    try:
        content = _read(tree, path)
        if path.lower().removesuffix(".gz").endswith(".txt"):
            from sitemap_plugins.formats.text_reading import read_text

            return [each.entry for each in read_text(content, lambda _: None)]
        locs = read_index(content)
        if locs is None:
            return [*read_sitemap(content)]
    except SitemapError as error:
        raise SitemapError(f"{_place(tree, path)} {error}") from None
    folder = path.rpartition("/")[0]
    children: dict[str, None] = {}
    for loc in locs:
        child = find_by_end(tree, loc, folder)
        if child is None or child == path:
            where = _place(tree, folder)
            raise SitemapError(f"{_place(tree, path)} names {loc}, but there is no such file below {where}")
        children[child] = None
    entries: list[Entry] = []
    for child in children:
        try:
            found = read_sitemap(_read(tree, child))
        except SitemapError as error:
            raise SitemapError(f"{_place(tree, child)} {error}") from None
        entries += () if is_of_media(child.removesuffix(".gz"), found) else found
    return entries


def read_parts(tree: Tree, path: str) -> list[str]:
    """The sitemaps below the folder of an index that it names; empty if the file is not one or cannot be read."""
    try:
        locs = read_index(_read(tree, path)) or ()
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


def _read(tree: Tree, path: str) -> bytes:
    """The content of a file, unpacked. Raises `SitemapError`, and OSError."""
    content = read_file(tree.place(path), SITEMAP)
    try:
        return unpack(content, SITEMAP) if is_packed(content) else content
    except GzipError as error:
        raise SitemapError(str(error)) from None


def _place(tree: Tree, path: str) -> Path:
    """A file or folder for messages."""
    return Path(tree.place(path))
