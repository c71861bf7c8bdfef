"""Which files in the output are ours: those of an earlier build are replaced or removed, and nobody else's ever."""

from __future__ import annotations

import os
import posixpath
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

from sitemap_plugins.formats.sitemap_xml import AUTHOR, MARK
from sitemap_plugins.output import OutputFile

FOR_MACHINES: Final = frozenset({"robots.txt", "_headers", "_redirects"})
"""Files at the root of a site that are for crawlers and servers; no sitemap lists them, whatever a glob says."""

_MARK_WITHIN: Final = 800  # bytes from the beginning of the content
_EVIDENCE: Final = f'{{\n  "by": "{AUTHOR}",'.encode()
_GZIP: Final = b"\x1f\x8b"
_SUFFIXES: Final = (".xml", ".xml.gz", ".txt", ".txt.gz", ".rss", ".atom", ".json")
_TEXT_SIZE: Final = 52_428_800  # bytes of the largest text sitemap


def is_ours(path: Path) -> bool:
    """Whether this package has written the file: XML and evidence say so at their beginning, compressed or not.

    A text sitemap has no place for that. It is ours where the XML beside it is, and lists the same pages.
    """
    if _is_text(path):
        return _is_our_text(path)
    try:
        with path.open("rb") as file:
            beginning = file.read(_MARK_WITHIN)
            if beginning.startswith(_GZIP):
                beginning = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(beginning, _MARK_WITHIN)
    except (OSError, zlib.error):
        return False
    return MARK.encode() in beginning or beginning.startswith(_EVIDENCE)


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
    """The files at the root of the output of the kinds that we write: ours, and others'."""

    ours: tuple[str, ...]
    others: frozenset[str]

    @property
    def taken(self) -> frozenset[str]:
        """The names that no sitemap of ours may have, since it or what is beside it is somebody else's."""
        plain = (name.removesuffix(".gz") for name in self.others)
        return frozenset(f"{name.removesuffix('.txt')}.xml" if name.endswith(".txt") else name for name in plain)

    def removals(self, files: Collection[OutputFile]) -> list[OutputFile]:
        """That there must be none of those of ours any more that are not written again (SM-IDX-07)."""
        written = {file.path for file in files}
        return [OutputFile(path=path, content=None) for path in self.ours if path not in written]


def find_files_there(directory: str | os.PathLike[str], folder: str = "") -> FilesThere:
    """The files in the output, or in a folder of it, that could be ours, whatever they are called."""
    try:
        names = sorted(name for name in os.listdir(Path(directory, folder)) if name.endswith(_SUFFIXES))  # noqa: PTH208  # names only
    except OSError:
        names = []
    paths = [posixpath.join(folder, name) for name in names]
    ours = [path for path in paths if is_ours(Path(directory, path))]
    return FilesThere(tuple(ours), frozenset(paths).difference(ours))
