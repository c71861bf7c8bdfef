"""Reads a few pages of a folder to find its URL, redirects and language, and tells whether it is a build of its own."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Container, Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_editing import restore
from sitemap_plugins.model import Markup
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.published.addresses import base_of_page, infer_base_url
from sitemap_plugins.published.sitemaps import read_listed
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import PAGE, SITEMAP
from sitemap_plugins.values.text import most_common
from sitemap_plugins.values.urls import path_in, usable_url
from sitemap_plugins.values.version_names import read_name

_MAX_PAGES: Final = 5
_MAX_FILES: Final = 100  # files to try, at most, to find these pages
ERROR_PAGE: Final = "404.html"
_GENERATED: Final = (
    "search.html", "search/index.html", "genindex.html", "genindex/index.html", "py-modindex.html",
    "py-modindex/index.html", "modindex.html",
)  # fmt: skip

# Files that MkDocs, Sphinx and Zensical write beside the pages.
_MARKS = ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "searchindex.js", "search/search_index.json", "search.json")


class Sample(msgspec.Struct, frozen=True):
    """Facts about a folder from some of its pages; ``pages`` are their paths below the folder.

    ``canonicals`` are the canonical links of those that have one. ``leads_to`` is the target of the first page if all
    of them redirect, see `redirect_of`. ``url`` is defined as `Version.declared_url`. ``language`` is the language of
    most pages. ``digest`` covers the pages and their paths. ``links_to`` is defined as `Version.links_to`.
    """

    pages: tuple[str, ...]
    digest: bytes
    url: str | None
    leads_to: str | None
    language: str
    canonicals: tuple[str, ...]
    links_to: str | None


def is_generated(path: str) -> bool:
    """Whether tools generate the page in each version, where readers do not search for it."""
    return path in _GENERATED or path.startswith(("_modules/", "_sources/", "_static/"))


def read_sample(tree: Tree, folder: str, without: Collection[str] = ()) -> Sample:
    """Read the heads of the first pages in a folder, as they were built. Pages that cannot be read are skipped."""
    markups: dict[str, Markup] = {}
    published: dict[str, Markup] = {}
    digest = blake2b()
    for page in islice(tree.pages(folder, without), _MAX_FILES):
        path = page[len(folder) + 1 :] if folder else page
        if path == ERROR_PAGE:
            continue
        now = tree.try_to_read(page, PAGE)
        if now is None:
            continue
        content = restore(now)
        markups[path] = read_markup(content)
        published[path] = markups[path] if content == now else read_markup(now)
        digest.update(f"{path}\0{len(content)}\0".encode(errors="surrogateescape") + content)
        if len(markups) == _MAX_PAGES:
            break
    targets = [redirect_of(folder, path, markup) for path, markup in markups.items()]
    languages = Counter(markup.language for markup in markups.values() if markup.language)
    return Sample(
        pages=tuple(markups),
        digest=digest.digest(),
        url=_linked_folder(markups) or _sitemap_url(tree, folder),
        leads_to=targets[0] if targets and all(targets) else None,
        language=most_common(languages),
        canonicals=tuple(filter(None, map(_canonical, markups.values()))),
        links_to=_linked_folder(published),
    )


def redirect_of(folder: str, path: str, markup: Markup) -> str | None:
    """The path that a page redirects to: relative to the root, or the path of a URL, which begins with a slash."""
    try:
        parts = urlsplit(markup.refresh or "")
    except ValueError:
        return None
    if not markup.refresh:
        return None
    target = unquote(parts.path)
    if parts.netloc or target.startswith("/"):
        return posixpath.normpath(f"/{target.lstrip('/')}")
    return posixpath.normpath(posixpath.join(folder, posixpath.dirname(path), target))


def target_of(leads_to: str | None, folders: Container[str]) -> str | None:
    """The one of these folders that a redirect leads to. The path of a URL may begin with further folders."""
    if leads_to is None or leads_to.startswith(".."):
        return None
    if leads_to == ".":
        return "" if "" in folders else None
    steps = leads_to.strip("/").split("/")
    for start in range(len(steps) if leads_to.startswith("/") else 1):
        for end in range(len(steps), start, -1):
            if (folder := "/".join(steps[start:end])) in folders:
                return folder
    return None


def _linked_folder(markups: Mapping[str, Markup]) -> str | None:
    """The URL of the folder of these pages, by their paths, according to most of their canonical links."""
    urls = (base_of_page(url, path) for path, markup in markups.items() if (url := _canonical(markup)))
    return most_common(Counter(filter(None, urls))) or None


def _canonical(markup: Markup) -> str | None:
    """The URL of a page's only canonical link, if it is absolute."""
    if markup.refresh or len(set(markup.canonicals)) != 1:
        return None
    return usable_url(markup.canonicals[0])


def _sitemap_url(tree: Tree, folder: str) -> str | None:
    """The URL of the folder according to its sitemap. An unusable sitemap is not reported here."""
    try:
        content = tree.read(path_in(folder, "sitemap.xml"), SITEMAP)
        locs = [entry.loc for entry in read_sitemap(content or b"")]
    except (OSError, SitemapError):
        return None
    return infer_base_url(locs, lambda below: tree.is_file(path_in(folder, below))) if locs else None


def lists_versions(tree: Tree, names: Collection[str] = ()) -> bool:
    """Whether the sitemap at the root is ours and lists only pages of versions, so that no build at the root wrote it.

    A URL belongs to a version if a folder in it has one of these names or looks like a version, which may be gone.
    """
    try:
        if not is_ours(Path(tree.root, _MARKS[0])):
            return False
        entries = read_listed(tree, _MARKS[0])
        paths = [unquote(urlsplit(entry.loc).path).split("/") for entry in entries]
    except (OSError, ValueError):
        return False
    return bool(paths) and all(any(step in names or read_name(step) for step in path) for path in paths)


def is_build(tree: Tree, folder: str) -> bool:
    """Whether a folder is a separate build."""
    marks = [mark for mark in _MARKS if tree.is_file(path_in(folder, mark))]
    if not folder and marks and marks[0].startswith("sitemap") and lists_versions(tree):
        marks = [mark for mark in marks if not mark.startswith("sitemap")]
    return bool(marks)
