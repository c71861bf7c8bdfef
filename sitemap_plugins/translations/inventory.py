"""Which pages another language's site has, from a file that it publishes: an object inventory or a sitemap."""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from typing import Final
from urllib.parse import urljoin

from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap
from sitemap_plugins.values.urls import InvalidURLError, encode_url

_MAGIC: Final = b"# Sphinx inventory version "
_GZIP: Final = b"\x1f\x8b"
_SIZE: Final = 100 << 20  # of an inventory or a sitemap, unpacked
_HEADER_LINES: Final = 4
_LINE: Final = 10_000  # characters, more than any object has
# name, domain:role, priority, URI, the name to show
_OBJECT: Final = re.compile(r".+?\s+(?P<role>\S+:\S+)\s+-?\d+\s+?(?P<uri>\S*)\s+.*")


class PagesError(ValueError):
    """A file that lists no pages; the message completes the sentence "FILE …"."""


def read_pages(content: bytes, base_url: str) -> frozenset[str]:
    """The URLs below ``base_url`` that are named in an ``objects.inv`` (Sphinx, mkdocstrings) or in a sitemap.

    Raises `PagesError` for anything else, and when there is none.
    """
    try:
        if content.startswith(_GZIP):
            content = _unpack(content, 16 + zlib.MAX_WBITS)
        urls = _read_objects(content, base_url) if content.startswith(_MAGIC) else _read_locs(content)
    except zlib.error:
        raise PagesError("is damaged: it cannot be unpacked") from None
    pages = set()
    for url in urls:
        try:
            pages.add(encode_url(url))
        except InvalidURLError:
            continue
    below = frozenset(page for page in pages if page.startswith(base_url))
    if not below:
        raise PagesError(f"names no page below {base_url}" + (f", but {min(pages)}" if pages else ""))
    return below


def _unpack(content: bytes, window: int) -> bytes:
    unpacking = zlib.decompressobj(window)
    unpacked = unpacking.decompress(content, _SIZE)
    if not unpacking.eof and not unpacking.unconsumed_tail:
        raise PagesError("is damaged: it cannot be unpacked")
    if unpacking.unconsumed_tail:
        raise PagesError(f"has more than {_SIZE >> 20} MiB when it is unpacked")
    return unpacked


def _read_objects(content: bytes, base_url: str) -> list[str]:
    """The pages of an inventory of version 2: four lines of text, then compressed lines, one for each object."""
    *header, packed = content.split(b"\n", _HEADER_LINES)
    if len(header) < _HEADER_LINES or not header[0].startswith(_MAGIC + b"2"):
        raise PagesError("is not an object inventory of version 2")
    lines = _unpack(packed, zlib.MAX_WBITS).decode("utf-8", errors="replace").splitlines()
    short = (line for line in lines if len(line) <= _LINE)
    objects = [(match["role"], match["uri"]) for line in short if (match := _OBJECT.fullmatch(line))]
    # Sphinx names every document, and beside them places such as the search page, which is no translation.
    documents = [uri for role, uri in objects if role == "std:doc"]
    uris = {uri.partition("#")[0] for uri in documents or [uri for _, uri in objects]}
    # "$" stands for the name of the object, which no page has in its path.
    found = []
    for uri in sorted(uris):
        with suppress(ValueError):  # it is no URL at all
            found += [urljoin(base_url, uri)] if "$" not in uri else []
    return found


def _read_locs(content: bytes) -> list[str]:
    try:
        return [entry.loc for entry in read_sitemap(content)]
    except SitemapError as error:
        raise PagesError(f"is neither an objects.inv nor a sitemap ({error})") from None
