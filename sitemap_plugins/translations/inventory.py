"""Which pages another language's site has, from a file that it publishes: an object inventory or a sitemap."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final
from urllib.parse import urljoin

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap
from sitemap_plugins.reading import LANGUAGE_PAGES
from sitemap_plugins.values.urls import InvalidURLError, encode_url

_MAGIC: Final = b"# Sphinx inventory version "
_HEADER_LINES: Final = 4
# name, domain:role, priority, URI, the name to show; names may have spaces in them
_OBJECT: Final = re.compile(r"(?<=.\s)(?P<role>\S[^\s:]*+:\S++)\s++-?\d++\s(?P<uri>\S*+)\s")


class PagesError(ValueError):
    """A file that lists no pages; the message completes the sentence "FILE …"."""


def read_pages(content: bytes, base_url: str) -> frozenset[str]:
    """The URLs below ``base_url`` that are named in an ``objects.inv`` (Sphinx, mkdocstrings) or in a sitemap.

    Raises `PagesError` for anything else, and when there is none.
    """
    try:
        content = unpack(content, LANGUAGE_PAGES) if is_packed(content) else content
        urls = _read_objects(content, base_url) if content.startswith(_MAGIC) else _read_locs(content)
    except GzipError as error:
        raise PagesError(str(error)) from None
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


def _read_objects(content: bytes, base_url: str) -> list[str]:
    """The pages of an inventory of version 2: four lines of text, then compressed lines, one for each object."""
    *header, packed = content.split(b"\n", _HEADER_LINES)
    if len(header) < _HEADER_LINES or not header[0].startswith(_MAGIC + b"2"):
        raise PagesError("is not an object inventory of version 2")
    lines = unpack(packed, LANGUAGE_PAGES).decode("utf-8", errors="replace").splitlines()
    objects = [(match["role"], match["uri"]) for line in lines if (match := _OBJECT.search(line))]
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
