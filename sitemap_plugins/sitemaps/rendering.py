"""Render sitemaps and indexes as files, with their compressed copies and text sitemaps."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.paths import text_paths
from sitemap_plugins.formats.sitemap_xml import IndexWriter, SitemapWriter, Style
from sitemap_plugins.formats.text import render_text
from sitemap_plugins.model import Arrangement, Chunks, GzipOf, OutputFile
from sitemap_plugins.options.settings import Settings

OWN_FILES: Final = frozenset({"images", "videos", "news"})
"""The parts whose pages are also listed in other sitemaps."""


def render(arrangement: Arrangement, settings: Settings) -> list[OutputFile]:
    """Render each sitemap and index, with its ``.gz`` beside it or in its place (SM-GZ-01), and as text (SM-TXT-01).

    A file with the content None must not exist.
    """
    style = Style.of(settings)
    writer, index_writer = SitemapWriter(style), IndexWriter(style)
    files: list[OutputFile] = []
    for sitemap in arrangement.sitemaps:
        files += _packed(sitemap.path, partial(writer.render, sitemap.entries), settings)
        if settings.text and sitemap.part not in OWN_FILES:
            text, _ = text_paths(sitemap.path)
            files += _packed(text, partial(render_text, sitemap.entries), settings)
    for index in arrangement.indexes:
        files += _packed(index.path, partial(index_writer.render, index.sitemaps), settings)
    if arrangement.sitemaps and not any(file.path == settings.filename for file in files):
        # Several indexes have other names, and crawlers would find a sitemap of the host by its usual name.
        files += [OutputFile(path=path, content=None) for path in settings.filenames]
    return files


def _packed(path: str, chunks: Chunks, settings: Settings) -> Iterator[OutputFile]:
    if settings.gzip == "only":
        yield OutputFile(path=path, content=None)
        yield OutputFile(path=f"{path}.gz", content=lambda: compress(chunks()))
    else:
        yield OutputFile(path=path, content=chunks)
        yield OutputFile(path=f"{path}.gz", content=GzipOf(path, compress) if settings.gzip else None)
