"""The output as values: sitemaps, indexes and files."""

import pytest
from msgspec import structs

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.model import Arrangement, Entry, GzipOf, OutputFile, Result, Site, Sitemap, SitemapIndex

SITE = "https://example.org/"


def test_a_sitemap_without_a_part_lists_all_pages() -> None:
    sitemap = Sitemap(path="sitemap.xml", entries=(Entry(loc=SITE),), url=f"{SITE}sitemap.xml")
    assert sitemap.part == ""
    assert structs.replace(sitemap, part="images").entries is sitemap.entries


def test_an_index_lists_sitemaps() -> None:
    sitemap = Sitemap(path="sitemap-0.xml", entries=(), url=f"{SITE}sitemap-0.xml")
    index = SitemapIndex(path="sitemap.xml", sitemaps=(sitemap,), url=f"{SITE}sitemap.xml")
    assert index == SitemapIndex(path="sitemap.xml", sitemaps=(structs.replace(sitemap),), url=index.url)


def test_there_can_be_nothing_to_write() -> None:
    assert Arrangement() == Arrangement(sitemaps=(), indexes=(), announced=())


def test_the_content_of_a_file_can_be_read_again() -> None:
    entries = (Entry(loc=SITE),)
    file = OutputFile(path="sitemap.xml", content=lambda: SitemapWriter().render(entries))
    assert callable(file.content)
    assert b"".join(file.content()) == b"".join(file.content()) != b""


@pytest.mark.parametrize("content", [b"", b"text", GzipOf("sitemap.xml", compress), None])
def test_a_file_has_content_that_of_another_file_or_none(content: object) -> None:
    assert OutputFile(path="a", content=content).content == content


def test_a_compressed_file_names_its_source() -> None:
    assert (
        GzipOf("sitemap.xml", compress)
        == GzipOf(path="sitemap.xml", compress=compress)
        != GzipOf("other.xml", compress)
    )


def test_a_result_has_entries_indexes_and_announced_urls() -> None:
    result = Result(site=Site(base_url=SITE), sitemaps=(), files=(), omitted=(), alternates={}, notes=())
    assert (result.entries, result.indexes, result.announced) == ((), (), ())
