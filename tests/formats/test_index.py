"""The index of sitemaps: their URLs and their dates."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any, get_args
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemap_plugins.formats.sitemap_reading import SitemapError, read_index, read_sitemap
from sitemap_plugins.formats.sitemap_xml import PLAIN, IndexWriter, Style
from sitemap_plugins.model import Entry, Sitemap, SitemapIndex
from sitemap_plugins.sitemaps.arranging import newest_of
from sitemap_plugins.values.dates import DateStyle

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
SITE = "https://example.org/docs/"

zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
dates = st.dates(date(2, 1, 1)) | st.datetimes(datetime(2, 1, 1), timezones=zones).map(  # noqa: DTZ001  # its type
    lambda when: when.replace(microsecond=0)
)
urls = st.text(st.characters(exclude_categories=["Cs"])).map(lambda text: SITE + quote(text, safe="/&'"))
sitemaps = st.builds(lambda url, moments: sitemap(url, *moments), urls, st.lists(st.none() | dates, max_size=4))
styles = st.builds(
    Style,
    lastmod_format=st.sampled_from(get_args(DateStyle)),
    indent=st.integers(0, 8),
    schema_location=st.booleans(),
)


def sitemap(url: str, *moments: date | None) -> Sitemap:
    """A sitemap with one entry for each date."""
    entries = tuple(Entry(loc=SITE, lastmod=moment) for moment in moments)
    return Sitemap(path="a.xml", url=url, entries=entries, newest=newest_of(entries))


def render(*listed: Sitemap, style: Style = PLAIN) -> bytes:
    index = SitemapIndex(path="sitemap.xml", sitemaps=listed, url=f"{SITE}sitemap.xml")
    return b"".join(IndexWriter(style).render(index.sitemaps))


def read(xml: bytes) -> list[dict[str, str]]:
    """The children of every sitemap, in order, as read by lxml."""
    root = etree.fromstring(xml)
    assert root.tag == f"{{{NAMESPACE}}}sitemapindex"
    assert {each.tag for each in root.iterchildren("*")} <= {f"{{{NAMESPACE}}}sitemap"}
    return [{etree.QName(child).localname: child.text for child in each} for each in root.iterchildren("*")]


def test_the_whole_file() -> None:
    # SM-IDX-03, SM-IDX-04: only the URL and the date, in this order.
    when = datetime(2026, 3, 1, 9, tzinfo=UTC)
    listed = [sitemap(f"{SITE}sitemap-00.xml", None, when, date(2026, 2, 1)), sitemap(f"{SITE}sitemap-01.xml?a&b")]
    assert render(*listed).decode("ascii") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- written by sitemap-plugins -->\n"
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<sitemap><loc>https://example.org/docs/sitemap-00.xml</loc><lastmod>2026-03-01T09:00:00Z</lastmod></sitemap>\n"
        "<sitemap><loc>https://example.org/docs/sitemap-01.xml?a&amp;b</loc></sitemap>\n"
        "</sitemapindex>\n"
    )


def test_with_an_indent_every_element_has_a_line() -> None:
    listed = [sitemap(f"{SITE}a.xml", date(2026, 2, 1)), sitemap(f"{SITE}b.xml")]
    assert render(*listed, style=Style(indent=2, schema_location=True)).decode("ascii") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9'
        ' http://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd">\n'
        "  <!-- written by sitemap-plugins -->\n"
        "  <sitemap>\n"
        "    <loc>https://example.org/docs/a.xml</loc>\n"
        "    <lastmod>2026-02-01</lastmod>\n"
        "  </sitemap>\n"
        "  <sitemap>\n"
        "    <loc>https://example.org/docs/b.xml</loc>\n"
        "  </sitemap>\n"
        "</sitemapindex>\n"
    )


@given(st.lists(sitemaps, max_size=4), styles)
def test_output_is_read_back_unchanged(listed: list[Sitemap], style: Style) -> None:
    xml = render(*listed, style=style)
    found = read(xml)
    assert [each["loc"] for each in found] == [each.url for each in listed]
    assert read_index(xml) == tuple(each.url for each in listed)
    with pytest.raises(SitemapError):
        read_sitemap(xml)


@given(listed=st.lists(sitemaps, min_size=1, max_size=4), style=styles)
def test_every_written_file_passes_the_schema(
    valid_sitemap: Callable[[bytes], Any], listed: list[Sitemap], style: Style
) -> None:
    valid_sitemap(render(*listed, style=style))


@given(st.lists(sitemaps, max_size=4), styles)
def test_the_sizes_add_up_to_the_bytes_of_the_file(listed: list[Sitemap], style: Style) -> None:
    # SM-IDX-01: an index has the same limit as a sitemap.
    assert sum(IndexWriter(style).sizes(listed)) + IndexWriter(style).frame_size(listed) == len(
        render(*listed, style=style)
    )
