"""Reads the heads of HTML files in a published folder."""

from __future__ import annotations

import codecs
import os
import re
from html import unescape
from typing import Final

import msgspec

from sitemap_plugins.formats.paths import stem_of
from sitemap_plugins.html.head import read_markup, read_markup_of_beginning
from sitemap_plugins.html.head_editing import restore
from sitemap_plugins.model import Markup
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.values.text import one_line

_FIRST: Final = 1 << 14  # bytes that are read first
_BEGINNING: Final = 4096  # bytes after leading comments; every page has a part of its head within them
_HEAD: Final = 1 << 16  # bytes in which the title is; heads are shorter
_TITLE: Final = re.compile(rb"<title[^>]{0,100}>([^<]{0,1000})", re.IGNORECASE)
_BEFORE: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?>(?:\s+|<!--.*?-->)*)", re.DOTALL)
# Minifiers leave out optional tags, but not all of these.
_PAGE: Final = re.compile(rb"<(?:!doctype|html|head|title|meta|link|body)[\s>]", re.IGNORECASE)
_TEMPLATE: Final = (b"{%", b"{#", b"{{")  # of a theme: an override in the documentation's folder, or macros


class HTMLFile(msgspec.Struct, frozen=True, kw_only=True):
    """An HTML file; ``path`` is relative to the built folder, with forward slashes.

    ``markup`` is None if the file was not read, and ``unread`` is the reason, as in `Page`. ``built`` is the markup as
    it was built, before the page was retired, if it is. ``is_fragment`` is true if the content has no page around it:
    scripts insert such files into others, or the file is a template that the build has copied. ``title`` is the one in
    its head, on one line. ``ending`` is the one that Sphinx uses in this site, if it made the site.
    """

    path: str
    markup: Markup | None
    built: Markup | None = None
    unread: str = ""
    is_fragment: bool = False
    title: str = ""
    ending: str | None = None

    @property
    def stem(self) -> str:
        """The path without its ending: ``guide`` for guide.html and guide/index.html, empty for the home page.

        Two files with the same stem are normally made from one source.
        """
        return stem_of(self.path, self.ending)

    @property
    def is_index(self) -> bool:
        """Whether the page is the index of its folder."""
        return self.path.rpartition("/")[2].partition(".")[0] == "index"

    def stem_below(self, folder: str) -> str:
        """The stem relative to a folder that contains the file or has it as its page, as ``de`` has ``de.html``."""
        return self.stem.removeprefix(folder).lstrip("/")


def read_html_file(folder: str, path: str, *, is_link: bool, ending: str | None = None) -> HTMLFile | None:
    """Read an HTML file below a folder; None for a broken or circular link. No folder on its path is a link.

    Of most pages, only the beginning is read: it has the head, and the rest is much longer.
    """
    place = os.path.join(folder, path)
    inside = folder if is_link or os.name == "nt" else None  # Windows has other kinds of links
    content, unread = read_output(place, inside, most=_FIRST)
    markup = None if content is None else read_markup_of_beginning(content)
    if content is not None and (markup is None or restore(content) != content):
        markup = None
        content, unread = read_output(place, inside)
    if content is None:
        return HTMLFile(path=path, markup=None, unread=unread, ending=ending) if os.path.exists(place) else None
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        content = content.decode("utf-16", errors="replace").encode(errors="replace")
    before_head = _BEFORE.match(content)
    start = before_head.end() if before_head else 0
    built = markup
    if markup is None:
        markup = read_markup(content)
        before = restore(content)
        built = markup if before == content else read_markup(before)
    return HTMLFile(
        path=path,
        markup=markup,
        built=built,
        is_fragment=content.startswith(_TEMPLATE, start) or not _PAGE.search(content, start, start + _BEGINNING),
        title=_title_of(content),
        ending=ending,
    )


def _title_of(content: bytes) -> str:
    """The title in the head of a page; a drawing in its body may have one, too."""
    body = content.find(b"<body", 0, _HEAD)
    title = _TITLE.search(content, 0, _HEAD if body < 0 else body)
    return one_line(unescape(title[1].decode(errors="replace"))) if title else ""
