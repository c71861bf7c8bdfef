"""Read the pages of another language's site from a file that it publishes: an object inventory or a sitemap."""

from __future__ import annotations

import re
from typing import Final

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap
from sitemap_plugins.reading import LANGUAGE_PAGES
from sitemap_plugins.values.urls import absolute_url, usable_url

_MAGIC: Final = b"# Sphinx inventory version "
_HEADER_LINES: Final = 4
# name, domain:role, priority, URI, name to show; names may contain spaces
_OBJECT: Final = re.compile(r"(?<=.\s)(?P<role>\S[^\s:]*+:\S++)\s++-?\d++\s(?P<uri>\S*+)\s")


class PagesError(ValueError):
    """Raised if a file lists no pages; the message completes the sentence "FILE …"."""


def read_pages(content: bytes, base_url: str) -> frozenset[str]:
    """The URLs below ``base_url`` that an ``objects.inv`` (Sphinx, mkdocstrings) or a sitemap lists.

    Raises `PagesError` for any other file, and if there are no such URLs.
    """
    try:
        content = unpack(content, LANGUAGE_PAGES) if is_packed(content) else content
        is_inventory = content.startswith(_MAGIC)
        urls = _read_objects(content, base_url) if is_inventory else [entry.loc for entry in read_sitemap(content)]
    except GzipError as error:
        raise PagesError(str(error)) from None
    except SitemapError as error:
        raise PagesError(f"is neither an objects.inv nor a sitemap ({error})") from None
    pages = {page for page in map(usable_url, urls) if page}
    below = frozenset(page for page in pages if page.startswith(base_url))
    if not below:
        raise PagesError(f"lists no page below {base_url}" + (f", only pages such as {min(pages)}" if pages else ""))
    return below


def _read_objects(content: bytes, base_url: str) -> list[str]:
    """The pages of an inventory of version 2: four lines of text, then compressed lines, one for each object.

    Raises `PagesError` for other versions.
    """
    *header, packed = content.split(b"\n", _HEADER_LINES)
    if len(header) < _HEADER_LINES or not header[0].startswith(_MAGIC + b"2"):
        raise PagesError("is not an object inventory of version 2")
    lines = unpack(packed, LANGUAGE_PAGES).decode("utf-8", errors="replace").splitlines()
    objects = [(match["role"], match["uri"]) for line in lines if (match := _OBJECT.search(line))]
    # Sphinx lists all documents, but also labels, among them the search page, which is not a translation.
    documents = [uri for role, uri in objects if role == "std:doc"]
    uris = {uri.partition("#")[0] for uri in documents or [uri for _, uri in objects]}
    # "$" stands for the name of the object, which is never in the path of a page.
    urls = (absolute_url(base_url, uri) for uri in sorted(uris) if "$" not in uri)
    return [*filter(None, urls)]
