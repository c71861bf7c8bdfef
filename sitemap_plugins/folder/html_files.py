"""The HTML files of a built folder, and what the head of each says."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator
from typing import Final

import msgspec

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_editing import restore
from sitemap_plugins.model import Markup
from sitemap_plugins.publish.output import read_output

SUFFIXES: Final = (".html", ".htm")
"""How the names of pages end."""

_BEGINNING: Final = 4096  # bytes, in which a page has something of its head, behind what may stand before it
_BEFORE: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?>(?:\s+|<!--.*?-->)*)", re.DOTALL)
# Minifiers leave out what HTML lets them leave out, but not all of these.
_PAGE: Final = re.compile(rb"<(?:!doctype|html|head|title|meta|link|body)[\s>]", re.IGNORECASE)


class HTMLFile(msgspec.Struct, frozen=True, kw_only=True):
    """One of the files: ``path`` is relative to the folder, with forward slashes.

    ``markup`` is None where it was not read, and ``unread`` says why, as in `Page`. ``built`` is what it was before the
    page was retired, if it is. ``is_fragment`` says that it has nothing of a page around its content: scripts insert
    such files into others.
    """

    path: str
    markup: Markup | None
    built: Markup | None = None
    unread: str = ""
    is_fragment: bool = False

    @property
    def stem(self) -> str:
        """The path without what names the page alone: ``guide`` for guide.html and guide/index.html, empty for home.

        Files that differ in nothing else are made of one source, if there are two of them at all.
        """
        return stem_of(self.path)

    @property
    def is_index(self) -> bool:
        """Whether the page is that of its folder."""
        return self.path.rpartition("/")[2].partition(".")[0] == "index"

    def stem_below(self, folder: str) -> str:
        """The stem relative to a folder that the file is in, or is the page of, as ``de.html`` is that of ``de``."""
        return self.stem.removeprefix(folder).lstrip("/")


def stem_of(path: str) -> str:
    """See `HTMLFile.stem`."""
    suffix = next((each for each in SUFFIXES if path.lower().endswith(each)), "")
    bare = path[: len(path) - len(suffix)]
    return "" if bare == "index" else bare.removesuffix("/index")


def read_html_files(folder: str, apart: Container[str] = ()) -> Iterator[HTMLFile]:
    """All HTML files below a folder, in order.

    Hidden files and folders are left out, and links to folders are not followed: what is published under two names is
    one page; ``apart`` is as in `find_files`. Raises OSError for a folder that cannot be listed, and for a disk that
    fails.
    """
    for path in find_html_files(folder, apart):
        content, unread = read_output(os.path.join(folder, path), folder)
        if content is not None:
            before_head = _BEFORE.match(content)
            start = before_head.end() if before_head else 0
            is_fragment = not _PAGE.search(content, start, start + _BEGINNING)
            markup = read_markup(content)
            before = restore(content)
            built = markup if before == content else read_markup(before)
            yield HTMLFile(path=path, markup=markup, built=built, is_fragment=is_fragment)
        elif os.path.exists(os.path.join(folder, path)):  # a link may lead nowhere, or in a circle
            yield HTMLFile(path=path, markup=None, unread=unread)


def find_html_files(folder: str, apart: Container[str] = ()) -> Iterator[str]:
    """The paths of the HTML files, see `read_html_files`."""
    return (path for path in find_files(folder, apart) if path.lower().endswith(SUFFIXES))


def find_files(folder: str, apart: Container[str] = ()) -> Iterator[str]:
    """The paths of all files below a folder, relative to it, in order, but for hidden ones and those in hidden folders.

    Folders whose paths are in ``apart`` are left out with all that is in them. Raises OSError for a folder that cannot
    be listed.
    """

    def refuse(error: OSError) -> None:
        raise error

    for here, folders, names in os.walk(folder, onerror=refuse):
        place = here[len(folder) :].replace(os.sep, "/").strip("/")
        prefix = f"{place}/" if place else ""
        folders[:] = sorted(name for name in folders if not name.startswith(".") and prefix + name not in apart)
        yield from (prefix + name for name in sorted(names) if not name.startswith("."))
