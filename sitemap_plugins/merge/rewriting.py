"""Writes alternates into sitemaps that are there already, whoever wrote them, and into the ``.gz`` beside each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sitemap_plugins.built import PublishedSitemap
from sitemap_plugins.formats.gzip import GzipError, compress, unpack
from sitemap_plugins.formats.sitemap_editing import replace_alternates
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.model import Alternate, OutputFile
from sitemap_plugins.options import SIZE_LIMIT
from sitemap_plugins.reading import SITEMAP


def rewrite(
    sitemaps: Iterable[PublishedSitemap], alternates: Mapping[str, tuple[Alternate, ...]]
) -> tuple[list[OutputFile], dict[str, str]]:
    """The sitemaps with these alternates for the URLs that are named; everything else in them stays as it is.

    The second value says, by the path of the sitemap, why one cannot have them (SM-LIM-02, SM-XML-01). A ``.gz`` is
    there only if there was one, and if it does not hold the same already (SM-GZ-01).
    """
    files: list[OutputFile] = []
    failed: dict[str, str] = {}
    for sitemap in sitemaps:
        try:
            content = replace_alternates(sitemap.content, alternates)
        except SitemapError as error:
            failed[sitemap.path] = f"{sitemap.path} {error}; it was left as it is"
            continue
        if len(content) > SIZE_LIMIT:
            failed[sitemap.path] = (
                f"{sitemap.path} would have {len(content):,} bytes with its alternates, and a sitemap may have "
                f"{SIZE_LIMIT:,}; it was left as it is"
            )
            continue
        files.append(OutputFile(path=sitemap.path, content=content))
        if sitemap.packed is not None and not _holds(sitemap.packed, content):
            files.append(OutputFile(path=f"{sitemap.path}.gz", content=b"".join(compress([content]))))
    return files, failed


def _holds(packed: bytes, content: bytes) -> bool:
    """Whether a gzip file holds this content and nothing else, whoever packed it."""
    try:
        return unpack(packed, SITEMAP) == content
    except GzipError:
        return False
