"""Which files in the output are ours: those of an earlier build are replaced or removed, and nobody else's ever."""

from __future__ import annotations

import os
import posixpath
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from sitemap_plugins.formats.sitemap_xml import AUTHOR
from sitemap_plugins.output import OutputFile
from sitemap_plugins.settings import Settings

FOR_MACHINES: Final = frozenset({"robots.txt", "_headers", "_redirects"})
"""Files at the root of a site that are for crawlers and servers; no sitemap lists them, whatever a glob says."""

_MARK_WITHIN: Final = 800  # bytes from the beginning of the content
_GZIP: Final = b"\x1f\x8b"
_TEXT_SIZE: Final = 52_428_800  # bytes of the largest text sitemap


def is_ours(path: Path) -> bool:
    """Whether this package has written the file: it says so at its beginning, or at that of its compressed content.

    A text sitemap has no place for that. It is ours where the XML beside it is, and lists the same pages.
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(_MARK_WITHIN)
            if beginning.startswith(_GZIP):
                beginning = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(beginning, _MARK_WITHIN)
    except (OSError, zlib.error):
        return False
    return AUTHOR.encode() in beginning or (_is_text(path) and _is_our_text(path))


def _is_text(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(".txt")


def _is_our_text(path: Path) -> bool:
    from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap  # noqa: PLC0415  # text is rare
    from sitemap_plugins.formats.text_sitemap import render_text  # noqa: PLC0415  # the same

    stem = path.name.removesuffix(".gz").removesuffix(".txt")
    for name in (f"{stem}.xml", f"{stem}.xml.gz"):
        sitemap = path.with_name(name)
        if sitemap.is_file() and is_ours(sitemap):
            try:
                return b"".join(render_text(read_sitemap(_content(sitemap)))) == _content(path)
            except (OSError, zlib.error, SitemapError):
                return False
    return False


def _content(path: Path) -> bytes:
    content = path.read_bytes()
    if not content.startswith(_GZIP):
        return content
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(content, _TEXT_SIZE)


class FilesThere(NamedTuple):
    """The files in the output whose names could be those of sitemaps: ours, and others'."""

    ours: tuple[str, ...]
    others: frozenset[str]

    def removals(self, files: Collection[OutputFile]) -> list[OutputFile]:
        """That there must be none of those of ours any more that are not written again (SM-IDX-07)."""
        written = {file.path for file in files}
        return [OutputFile(path=path, content=None) for path in self.ours if path not in written]


def find_files_there(directory: str | os.PathLike[str], settings: Settings) -> FilesThere:
    """The files beside the sitemap whose names begin as its own does, and the feeds."""
    names = sorted(_candidates(directory, settings))
    ours = [name for name in names if is_ours(Path(directory, name))]
    return FilesThere(tuple(ours), frozenset(names).difference(ours))


def _candidates(directory: str | os.PathLike[str], settings: Settings) -> Iterator[str]:
    stem, _ = posixpath.splitext(settings.filename)
    try:
        there = os.listdir(directory)  # noqa: PTH208  # names are all that is needed
    except OSError:
        return
    suffixes = tuple(f"{kind}{packed}" for kind in (".xml", ".txt") for packed in ("", ".gz"))
    wanted = {*settings.feeds.files, settings.evidence}
    for name in there:
        is_sitemap = name.startswith((f"{stem}.", f"{stem}-")) and name.endswith(suffixes)
        if is_sitemap or name in wanted or _is_our_feed(Path(directory, name)):
            yield name


def _is_our_feed(path: Path) -> bool:
    """Whether it is a feed that an earlier build has written, perhaps under another name than now."""
    if path.suffix not in {".xml", ".rss", ".atom"}:
        return False
    try:
        with path.open("rb") as file:
            beginning = file.read(_MARK_WITHIN)
    except OSError:
        return False
    return AUTHOR.encode() in beginning and any(root in beginning for root in (b"<rss ", b"<feed "))
