"""Replaces the alternates in existing sitemaps, written by any tool, and in the ``.gz`` beside each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sitemap_plugins.formats.gzip import GzipError, compress, unpack
from sitemap_plugins.formats.sitemap_editing import replace_alternates
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.merge.reading import PublishedSitemap
from sitemap_plugins.model import Alternate, OutputFile
from sitemap_plugins.options import SIZE_LIMIT
from sitemap_plugins.reading import SITEMAP


def rewrite(
    sitemaps: Iterable[PublishedSitemap], alternates: Mapping[str, tuple[Alternate, ...]]
) -> tuple[list[OutputFile], dict[str, str]]:
    """Replace the alternates of the given URLs and keep everything else in the sitemaps.

    The second value maps the path of each sitemap that cannot be changed to the reason (SM-LIM-02, SM-XML-01). The
    files include a ``.gz`` only if there was one and its content differs (SM-GZ-01).
    """
    files: list[OutputFile] = []
    failed: dict[str, str] = {}
    for sitemap in sitemaps:
        if sitemap.is_moved:
            continue
        try:
            content = replace_alternates(sitemap.content, alternates)
        except SitemapError as error:
            failed[sitemap.path] = f"{sitemap.path} {error}; it was not changed"
            continue
        if len(content) > SIZE_LIMIT:
            failed[sitemap.path] = (
                f"{sitemap.path} would have {len(content):,} bytes with its alternates, but a sitemap may have at most "
                f"{SIZE_LIMIT:,}; it was not changed"
            )
            continue
        files.append(OutputFile(path=sitemap.path, content=content))
        if sitemap.packed is not None and not _holds(sitemap.packed, content):
            files.append(OutputFile(path=f"{sitemap.path}.gz", content=b"".join(compress([content]))))
    return files, failed


def _holds(packed: bytes, content: bytes) -> bool:
    """Whether a gzip file, packed by any tool, holds exactly this content."""
    try:
        return unpack(packed, SITEMAP) == content
    except GzipError:
        return False
