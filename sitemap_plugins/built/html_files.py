"""Finds the HTML files of a built folder, and reads the markup of their heads."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Container, Iterator
from typing import Final

import msgspec

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_editing import restore
from sitemap_plugins.model import Markup
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.output.trees import published_files

SUFFIXES: Final = (".html", ".htm")
"""The suffixes of pages."""

_BEGINNING: Final = 4096  # bytes after leading comments; every page has a part of its head within them
_BEFORE: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?>(?:\s+|<!--.*?-->)*)", re.DOTALL)
# Minifiers leave out optional tags, but not all of these.
_PAGE: Final = re.compile(rb"<(?:!doctype|html|head|title|meta|link|body)[\s>]", re.IGNORECASE)
_TEMPLATE: Final = (b"{%", b"{#", b"{{")  # of a theme: an override in the documentation's folder, or macros


class HTMLFile(msgspec.Struct, frozen=True, kw_only=True):
    """An HTML file; ``path`` is relative to the built folder, with forward slashes.

    ``markup`` is None if the file was not read, and ``unread`` is the reason, as in `Page`. ``built`` is the markup as
    it was built, before the page was retired, if it is. ``is_fragment`` is true if the content has no page around it:
    scripts insert such files into others, or the file is a template that the build has copied.
    """

    path: str
    markup: Markup | None
    built: Markup | None = None
    unread: str = ""
    is_fragment: bool = False

    @property
    def stem(self) -> str:
        """The path without its ending: ``guide`` for guide.html and guide/index.html, empty for the home page.

        Two files with the same stem are normally made from one source.
        """
        return stem_of(self.path)

    @property
    def is_index(self) -> bool:
        """Whether the page is the index of its folder."""
        return self.path.rpartition("/")[2].partition(".")[0] == "index"

    def stem_below(self, folder: str) -> str:
        """The stem relative to a folder that contains the file or has it as its page, as ``de`` has ``de.html``."""
        return self.stem.removeprefix(folder).lstrip("/")


def stem_of(path: str) -> str:
    """The stem of a path, see `HTMLFile.stem`."""
    suffix = next((each for each in SUFFIXES if path.lower().endswith(each)), "")
    bare = path[: len(path) - len(suffix)]
    return "" if bare == "index" else bare.removesuffix("/index")


def _in_utf_8(content: bytes) -> bytes:
    """A page in UTF-16, which begins with a byte order mark, in UTF-8; others are unchanged."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace").encode(errors="replace")
    return content


def read_html_files(folder: str, without: Container[str] = ()) -> Iterator[HTMLFile]:
    """Read all HTML files below a folder, see `published_files`. Raises OSError if the disk fails."""
    for path in published_files(folder, without=without):
        if path.lower().endswith(SUFFIXES) and (file := read_html_file(folder, path)):
            yield file


def read_html_file(folder: str, path: str) -> HTMLFile | None:
    """Read one of these files; None for a broken or circular link."""
    content, unread = read_output(os.path.join(folder, path), folder)
    if content is not None:
        content = _in_utf_8(content)
        before_head = _BEFORE.match(content)
        start = before_head.end() if before_head else 0
        is_template = content.startswith(_TEMPLATE, start)
        is_fragment = is_template or not _PAGE.search(content, start, start + _BEGINNING)
        markup = read_markup(content)
        before = restore(content)
        built = markup if before == content else read_markup(before)
        return HTMLFile(path=path, markup=markup, built=built, is_fragment=is_fragment)
    if os.path.exists(os.path.join(folder, path)):
        return HTMLFile(path=path, markup=None, unread=unread)
    return None
