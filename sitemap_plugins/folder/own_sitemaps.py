"""Tells a sitemap written by the generator from one written by the author."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from sitemap_plugins.folder.generators.recognizing import Generator
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.html.head import FORBIDDING
from sitemap_plugins.model import Entry
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.published.addresses import file_at, infer_base_url
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.sitemaps import read_listed, read_parts
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import SITEMAP, read_file
from sitemap_plugins.values.text import count_of, one_line
from sitemap_plugins.values.urls import normalize_url

_EMPTY: Final = (  # of MkDocs and Zensical without a site_url, and of Zensical if no page could be rendered
    b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n</urlset>'
)
_NO_BASE: Final = "http://localhost/"  # Hugo without a base URL writes the path of each page
_SHOWN: Final = 200  # characters of a URL in a message
_SHARE: Final = 0.5  # of the pages that name the generator; sitemaps omit later pages of a list, and drafts


class FoundSitemap(msgspec.Struct, frozen=True):
    """The sitemap at ``path`` in a folder: its entries, and the URL of the folder inferred from them.

    The folder may be published at a different URL. Paths instead of URLs are read as those of a local preview. Without
    entries, the URL is empty. ``is_ours`` is true if an earlier run of the command wrote it.
    """

    path: str
    entries: tuple[Entry, ...]
    base_url: str
    is_ours: bool = False

    def below(self, base_url: str) -> Iterator[str]:
        """The URLs in the sitemap, with another base URL."""
        for entry in self.entries:
            yield base_url + normalize_url(entry.loc)[len(self.base_url) :]


def read_top_sitemap(tree: Tree, names: Iterable[str]) -> FoundSitemap | None:
    """The first of these files that exists and is a readable sitemap, written by any tool."""
    for name in names:
        try:
            if tree.is_file(name):
                entries = [replace(each, loc=_absolute(each.loc)) for each in read_listed(tree, name)]
                base_url = infer_base_url([entry.loc for entry in entries], tree.is_file) or ""
                ours = is_ours(Path(tree.place(name)))
                return FoundSitemap(name, tuple(entries), base_url, ours) if base_url or not entries else None
        except (SitemapError, OSError):
            continue
    return None


def _absolute(loc: str) -> str:
    return _NO_BASE + loc.removeprefix("/") if loc.startswith("/") else loc


def why_not_by(generator: Generator, found: FoundSitemap, files: Collection[HTMLFile], tree: Tree) -> str:
    """Why the author or another tool wrote this sitemap: a clause about it; empty if the generator wrote it.

    It is the generator's if it has no elements that the generator does not write, each of its URLs leads to a page in
    the folder, and it lists at least half of the pages that name the generator, or of all if a file shows it. It may
    list a page twice: so does Zensical beside a README, and Hugo if there is a page about a list. An empty one is the
    generator's if it has exactly the bytes that a generator writes. The comment that a generator adds is proof enough.
    """
    content = _content(Path(tree.place(found.path))) or b""
    if generator.credit and generator.credit in content:
        return ""
    if not found.entries:
        return "" if content == _EMPTY else "it lists no page"
    if others := frozenset[str]().union(*map(_fields, found.entries)) - generator.fields:
        return f"it has {min(others)}, which {generator.name} does not write"
    paths = {file.path for file in files}
    listed: set[str] = set()
    for loc in dict.fromkeys(entry.loc for entry in found.entries):
        path = file_at(loc, found.base_url, paths.__contains__)
        if path is None:
            url = one_line(normalize_url(loc), _SHOWN)
            return f"it lists {url}, for which there is no page, or the build did not finish"
        listed.add(path)
    # A language with its own sitemap is not part of this one.
    folders = tree.listing("").folders
    nested = {folder for name in generator.sitemaps for folder in folders if tree.is_file(f"{folder}/{name}")}
    made = {
        file.path
        for file in files
        if file.markup and file.markup.robots.isdisjoint(FORBIDDING)
        if generator.sign or generator.is_named_by(file.markup.generators)
        if file.path in listed or file.path.partition("/")[0] not in nested
    }
    if not made:
        return "no page that may be listed names its generator"
    number = len(made & listed)
    return "" if number >= _SHARE * len(made) else f"it lists {number:,} of {count_of(len(made), 'page')}"


def _fields(entry: Entry) -> frozenset[str]:
    names = ("lastmod", "changefreq", "priority", "alternates", "images", "videos", "news")
    return frozenset(name for name in names if getattr(entry, name))


def is_copied(path: str, tree: Tree, folders: Iterable[str]) -> bool:
    """Whether a file of the site is the author's: one of these folders has the same file at the same path."""
    content = _content(Path(tree.place(path)))
    others = (folder for folder in folders if os.path.realpath(folder) != os.path.realpath(tree.root))
    return content is not None and any(_content(Path(folder, path)) == content for folder in others)


def _content(file: Path) -> bytes | None:
    try:
        return read_file(file, SITEMAP)
    except OSError:
        return None


def files_of(
    generator: Generator, tree: Tree, found: FoundSitemap, files: Iterable[HTMLFile], languages: Iterable[str]
) -> Iterator[str]:
    """The existing files of the generator's sitemap, compressed ones included, except files of ours.

    Those are the parts that it names, and the ones in the folders of ``languages``, if no script of the theme reads
    them and they list only pages of ``files``, with what the generator writes.
    """
    paths = {file.path for file in files}
    names = dict.fromkeys([found.path, *generator.sitemaps, *read_parts(tree, found.path)])
    for nested in () if generator.reads_sitemap else (f"{each}/{found.path}" for each in languages):
        part = read_top_sitemap(tree, [nested])
        entries = part.entries if part else ()
        if entries and all(
            file_at(each.loc, found.base_url, paths.__contains__) and not _fields(each) - generator.fields
            for each in entries
        ):
            names |= dict.fromkeys([nested, *read_parts(tree, nested)])
    for name in names:
        for path in (name, f"{name}.gz"):
            if tree.is_file(path) and not is_ours(Path(tree.place(path))):
                yield path
