"""The nouns of what is written: sitemaps, the indexes that list them, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import msgspec

from sitemap_plugins.model import Alternate, Dropped, Entry, LastMod, Note, Site


class Sitemap(msgspec.Struct, frozen=True, kw_only=True):
    """One sitemap: its file relative to the output directory, its entries in order, and its own URL.

    ``part`` is the part of the site that it lists, or ``images``, ``videos`` and ``news``; empty for all pages.
    ``newest`` is the last date among the entries.
    """

    path: str
    entries: tuple[Entry, ...]
    url: str
    part: str = ""
    newest: LastMod | None = None


class SitemapIndex(msgspec.Struct, frozen=True, kw_only=True):
    """A sitemap index: its file relative to the output directory, the sitemaps it lists in order, and its own URL."""

    path: str
    sitemaps: tuple[Sitemap, ...]
    url: str


class Arrangement(msgspec.Struct, frozen=True, kw_only=True):
    """All that is to be written for search engines.

    ``sitemaps`` are all that list pages, the site's own first; ``indexes`` those that list sitemaps. ``announced`` are
    the URLs that lead to everything, and to no page twice; ``cross_submitted`` those of them for the pages of other
    hosts, by the root of the host. ``left_out`` are the URLs of pages that fit into no sitemap.
    """

    sitemaps: tuple[Sitemap, ...] = ()
    indexes: tuple[SitemapIndex, ...] = ()
    announced: tuple[str, ...] = ()
    cross_submitted: Mapping[str, tuple[str, ...]] = {}
    left_out: frozenset[str] = frozenset()


Chunks: TypeAlias = Callable[[], Iterable[bytes]]
"""The content of a file piece by piece, the same whenever it is asked for."""


class Packed(msgspec.Struct, frozen=True):
    """The content of a compressed file: that of the file at ``path`` beside it, as gzip."""

    path: str


class OutputFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file to be written below the output directory; ``content`` None says that there must be no such file.

    ``path`` is relative, with forward slashes.
    """

    path: str
    content: bytes | Chunks | Packed | None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What `sitemap_plugins.build` made of the pages. Nothing of it is on disk yet.

    ``alternates`` are those of each page, by its file in the output directory (`Page.output`). ``announced`` are the
    URLs that robots.txt is to name. ``entries`` are those of all pages, each once, whichever files list them.
    """

    site: Site
    entries: tuple[Entry, ...] = ()
    sitemaps: tuple[Sitemap, ...]
    indexes: tuple[SitemapIndex, ...] = ()
    announced: tuple[str, ...] = ()
    files: tuple[OutputFile, ...]
    dropped: tuple[Dropped, ...]
    alternates: Mapping[str, tuple[Alternate, ...]]
    notes: tuple[Note, ...]
