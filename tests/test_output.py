"""What is written: sitemaps, indexes and files, as values."""

import pytest
from msgspec import structs

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.model import Arrangement, Entry, GzipOf, OutputFile, Result, Site, Sitemap, SitemapIndex

SITE = "https://example.org/"


def test_a_sitemap_lists_all_pages_where_it_is_for_no_part_of_them() -> None:
    sitemap = Sitemap(path="sitemap.xml", entries=(Entry(loc=SITE),), url=f"{SITE}sitemap.xml")
    assert sitemap.part == ""
    assert structs.replace(sitemap, part="images").entries is sitemap.entries


def test_an_index_lists_sitemaps() -> None:
    sitemap = Sitemap(path="sitemap-0.xml", entries=(), url=f"{SITE}sitemap-0.xml")
    index = SitemapIndex(path="sitemap.xml", sitemaps=(sitemap,), url=f"{SITE}sitemap.xml")
    assert index == SitemapIndex(path="sitemap.xml", sitemaps=(structs.replace(sitemap),), url=index.url)


def test_there_may_be_nothing_to_write() -> None:
    assert Arrangement() == Arrangement(sitemaps=(), indexes=(), announced=())


def test_the_content_of_a_file_can_be_asked_for_again() -> None:
    entries = (Entry(loc=SITE),)
    file = OutputFile(path="sitemap.xml", content=lambda: SitemapWriter().render(entries))
    assert callable(file.content)
    assert b"".join(file.content()) == b"".join(file.content()) != b""


@pytest.mark.parametrize("content", [b"", b"text", GzipOf("sitemap.xml", compress), None])
def test_a_file_has_its_content_or_another_files_or_is_not_to_be(content: object) -> None:
    assert OutputFile(path="a", content=content).content == content


def test_what_is_packed_is_named() -> None:
    assert (
        GzipOf("sitemap.xml", compress)
        == GzipOf(path="sitemap.xml", compress=compress)
        != GzipOf("other.xml", compress)
    )


def test_a_result_tells_what_leads_to_everything() -> None:
    result = Result(site=Site(base_url=SITE), sitemaps=(), files=(), omitted=(), alternates={}, notes=())
    assert (result.entries, result.indexes, result.announced) == ((), (), ())
