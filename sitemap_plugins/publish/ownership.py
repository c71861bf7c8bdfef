"""Which files in the output are ours: those of an earlier build are replaced or removed, and nobody else's ever."""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Container, Iterable
from pathlib import Path
from typing import Final

from sitemap_plugins.formats.sitemap_xml import AUTHOR, MARK
from sitemap_plugins.model import OutputFile

SERVER_FILES: Final = frozenset({"robots.txt", "_headers", "_redirects"})
"""Files at the root of a site that are for crawlers and servers; no sitemap lists them, whatever a glob says."""

_MARK_WITHIN: Final = 800  # bytes from the beginning of the content
_EVIDENCE: Final = f'{{\n  "by": "{AUTHOR}",'.encode()
_GZIP: Final = b"\x1f\x8b"
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
    from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap
    from sitemap_plugins.formats.text import render_text

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


class ForeignFiles(Container[str]):
    """The paths in the output at which there is a file that is not ours.

    ``copied`` are those that the host has copied from the author's files, whoever made these; ``replaced`` those that
    the host has written itself and ours take the place of.
    """

    def __init__(
        self, directory: str | os.PathLike[str], copied: Collection[str] = (), replaced: Collection[str] = ()
    ) -> None:
        self._directory = directory
        self._copied = copied
        self._known = dict.fromkeys(replaced, False)

    def __contains__(self, path: object) -> bool:
        if not isinstance(path, str):
            return False
        if path not in self._known:
            there = Path(self._directory, path)
            self._known[path] = path in self._copied or (there.is_file() and not is_ours(there))
        return self._known[path]

    def removals(self, earlier: Iterable[str], files: Iterable[OutputFile]) -> list[OutputFile]:
        """That there must be nothing more of what an earlier build has written, and this one does not (SM-IDX-07)."""
        written = {file.path for file in files}
        gone = [path for path in dict.fromkeys(earlier) if path not in written and path not in self]
        return [OutputFile(path=path, content=None) for path in gone if is_ours(Path(self._directory, path))]
