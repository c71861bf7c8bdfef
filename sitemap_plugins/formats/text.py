"""The text sitemap (sitemaps.org protocol, "Other Sitemap formats"), which has only the URLs of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from sitemap_plugins.model import Entry

_CHUNK: Final = 1000  # URLs, about 100 kB


def render_text(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Render the file, in pieces: UTF-8, one absolute URL per line, no header (SM-TXT-01, SM-TXT-02)."""
    lines = (f"{entry.loc}\n" for entry in entries)
    while chunk := "".join(islice(lines, _CHUNK)):
        yield chunk.encode()
