"""Reads all entries of one sitemap, or, if it is an index, of all sitemaps that it names."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.sitemap_reading import SitemapError, is_index, read_index, read_sitemap
from sitemap_plugins.model import Entry
from sitemap_plugins.published.sitemaps import is_of_media
from sitemap_plugins.reading import SITEMAP, read_file

_DEPTH: Final = 16  # levels of folders below the folder of the index, at most


def read_listed(file: Path, *, strict: bool = False) -> list[Entry]:
    """The entries of a sitemap, or of the sitemaps that an index names.

    If ``strict``, files are refused if other readers may find other dates in them, or in the same files beside them
    that are compressed or not.
    The files of those sitemaps are below the folder of the index, found by the ends of their URLs. Media sitemaps
    are skipped, because they repeat pages of other sitemaps. Raises `SitemapError`, whose message begins with the name
    of the file, and OSError.
    """
    content = _read(file, strict=strict)
    try:
        locs = read_index(content, strict=strict) if is_index(content) else None
        if locs is None:
            return [*read_sitemap(content, strict=strict)]
    except SitemapError as error:
        raise SitemapError(f"{file} {error}") from None
    entries: list[Entry] = []
    known: set[Path] = set()
    for loc in dict.fromkeys(locs):
        child = _file_of(loc, file.parent)
        if child is None or child == file:
            raise SitemapError(f"{file} names {loc}, but there is no such file below {file.parent}")
        if child in known:
            continue
        known.add(child)
        try:
            found = read_sitemap(_read(child, strict=strict), strict=strict)
        except SitemapError as error:
            raise SitemapError(f"{child} {error}") from None
        entries += () if is_of_media(child.name.removesuffix(".gz"), found) else found
    return entries


def read_parts(file: Path) -> list[Path]:
    """The sitemaps in the folder of an index that it names; empty if the file is not an index or cannot be read."""
    try:
        content = _read(file)
        locs = read_index(content) if is_index(content) else ()
    except (SitemapError, OSError):
        return []
    found = (_file_of(loc, file.parent) for loc in locs)
    return [child for child in found if child and child.parent == file.parent]


def _read(file: Path, *, strict: bool = False) -> bytes:
    """The content of a file, unpacked. If ``strict``, it is the same with and without ``.gz``, if there are both."""
    content = read_file(file, SITEMAP)
    try:
        content = unpack(content, SITEMAP) if is_packed(content) else content
    except GzipError as error:
        raise SitemapError(f"{file} {error}") from None
    other = file.with_name(file.name.removesuffix(".gz") if file.name.endswith(".gz") else f"{file.name}.gz")
    if strict and other.is_file() and _read(other) != content:
        raise SitemapError(f"{file} and {other.name} beside it differ; search engines may read either (SM-GZ-01)")
    return content


def _file_of(loc: str, folder: Path) -> Path | None:
    """The file of a URL below a folder, found by the end of the URL; None if there is no such file."""
    try:
        steps = [step for step in unquote(urlsplit(loc).path).split("/") if step][-_DEPTH:]
    except ValueError:
        return None
    if ".." in steps or any("\0" in step or "\\" in step for step in steps):
        return None
    candidates = (folder.joinpath(*steps[start:]) for start in range(len(steps)))
    return next((each for each in candidates if each.is_file()), None)
