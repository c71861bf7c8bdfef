"""Finds the URL of each page of a built folder: the one that the site itself uses, or else one in the same style."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

import msgspec

from sitemap_plugins.values.urls import file_path

StyleName: TypeAlias = Literal["html", "clean", "directory"]


class Style(msgspec.Struct, frozen=True):
    """How the URLs of pages end: ``folder`` follows the folder of an index.html, ``page`` replaces ``.html``."""

    folder: str = "/"
    page: str = ".html"


STYLES: Final[Mapping[StyleName, Style]] = {
    "html": Style("/", ".html"),
    "clean": Style("/", ""),
    "directory": Style("/", "/"),
}
"""The styles by name."""

_INDEX: Final = "index.html"


def write_url(path: str, base_url: str, style: Style) -> str:
    """The URL of the file at ``path`` below the folder of ``base_url``."""
    folder, _, name = path.rpartition("/")
    if name == _INDEX:
        return base_url + (f"{quote_path(folder)}{style.folder}" if folder else "")
    quoted = quote_path(path)
    return base_url + (quoted.removesuffix(".html") + style.page if quoted.endswith(".html") else quoted)


def quote_path(path: str) -> str:
    """The path of a file, quoted for a URL by its bytes: names need not be valid UTF-8."""
    return quote(os.fsencode(path), safe="/~")


def file_at(loc: str, base_url: str, files: Collection[str]) -> str | None:
    """The one of these files that a server sends for a URL; None if the URL is not below the base or leads to no file.

    Many servers allow URLs without ``.html``, or without the slash after a folder.
    """
    below = file_path(base_url, loc)
    if below is None:
        return None
    bare = below.rstrip("/")
    inside = f"{bare}/{_INDEX}" if bare else _INDEX
    candidates = [inside, f"{bare}.html"] if not bare or below.endswith("/") else [below, f"{below}.html", inside]
    return next((each for each in candidates if each in files), None)


def style_of(stated: Mapping[str, str]) -> Style:
    """The most common style of the stated URLs; ``stated`` maps files to their URLs.

    Those with a query show no style.
    """
    indexes: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    for path, loc in stated.items():
        if "?" in loc:
            continue
        if path.endswith(f"/{_INDEX}"):
            indexes[_ending(loc, f"/{_INDEX}")] += 1
        elif path.endswith(".html") and path != _INDEX:
            pages[_ending(loc, ".html")] += 1
    default = Style()
    return Style(_most_common(indexes, default.folder), _most_common(pages, default.page))


def _ending(loc: str, full: str) -> str:
    return next((each for each in (full, "/") if loc.endswith(each)), "")


def _most_common(counter: Counter[str], default: str) -> str:
    """The most frequent ending; a tie goes to the default."""
    return max(counter, key=lambda each: (counter[each], each == default), default=default)


def stated_urls(base_url: str, named: Iterable[tuple[str, str]], files: Collection[str]) -> Iterator[tuple[str, str]]:
    """The pairs of a file and a URL in which the URL leads to the file. An empty path in ``named`` fits any file.

    The URLs are without fragments.
    """
    for path, url in named:
        file = file_at(url, base_url, files)
        if file is not None and path in {file, ""}:
            yield file, url.partition("#")[0]
