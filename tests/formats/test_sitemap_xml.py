"""The XML sitemap, read back by another program than the one that wrote it."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sitemap_plugins.formats.sitemap_xml import MARK, SIZE_LIMIT, render_sitemap
from sitemap_plugins.model import Entry, Sitemap
from sitemap_plugins.w3c_date import format_lastmod, parse_lastmod

PROPERTY = settings(deadline=None, derandomize=True)  # the tests read no clock, and every run is the same

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
LOC = "https://example.org/"
FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

# What XML 1.0 can carry at all; a loc has less, since it is encoded.
locs = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), min_size=1)
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
entries = st.builds(
    Entry,
    loc=locs,
    lastmod=st.none() | st.dates() | st.datetimes(timezones=zones),
    changefreq=st.none() | st.sampled_from(FREQUENCIES),
    priority=st.none() | st.floats(0, 1),
)


def sitemap(*listed: Entry) -> Sitemap:
    return Sitemap(path="sitemap.xml", entries=listed, url="https://example.org/sitemap.xml")


def read(xml: bytes) -> list[dict[str, str]]:
    """The children of every url, in order, as lxml sees them."""
    root = etree.fromstring(xml)
    assert root.tag == f"{{{NAMESPACE}}}urlset"
    assert all(url.tag == f"{{{NAMESPACE}}}url" for url in root)
    assert all(child.tag.startswith(f"{{{NAMESPACE}}}") for url in root for child in url)
    return [{etree.QName(child).localname: child.text for child in url} for url in root]


def test_the_whole_file() -> None:
    listed = [
        Entry(loc=LOC, lastmod=datetime(2026, 3, 1, 9, tzinfo=UTC), changefreq="daily", priority=1.0),
        Entry(loc=f"{LOC}a?b=1&c='2'", lastmod=date(2026, 2, 1)),
        Entry(loc=f"{LOC}z/"),
    ]
    assert render_sitemap(sitemap(*listed)).decode("ascii") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- written by sitemap-plugins -->\n"
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>https://example.org/</loc><lastmod>2026-03-01T09:00:00Z</lastmod>"
        "<changefreq>daily</changefreq><priority>1.0</priority></url>\n"
        "<url><loc>https://example.org/a?b=1&amp;c=&apos;2&apos;</loc><lastmod>2026-02-01</lastmod></url>\n"
        "<url><loc>https://example.org/z/</loc></url>\n"
        "</urlset>\n"
    )


def test_nothing_stands_before_the_declaration_and_no_entity_is_declared() -> None:
    xml = render_sitemap(sitemap(Entry(loc=LOC)))
    assert xml.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    assert MARK.encode() in xml.splitlines()[1]
    document = etree.fromstring(xml).getroottree().docinfo
    assert document.encoding == "UTF-8"
    assert document.doctype == ""


def test_only_the_one_namespace_is_declared() -> None:
    assert etree.fromstring(render_sitemap(sitemap(Entry(loc=LOC)))).nsmap == {None: NAMESPACE}


def test_a_changed_page_is_a_changed_line() -> None:
    before = render_sitemap(sitemap(Entry(loc=LOC), Entry(loc=f"{LOC}a/"))).splitlines()
    after = render_sitemap(sitemap(Entry(loc=LOC), Entry(loc=f"{LOC}a/", priority=1))).splitlines()
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [
        b"<url><loc>https://example.org/a/</loc><priority>1.0</priority></url>"
    ]


@PROPERTY
@given(st.lists(entries, max_size=5))
def test_what_is_written_is_read_back(listed: list[Entry]) -> None:
    children = read(render_sitemap(sitemap(*listed)))
    assert [url["loc"] for url in children] == [entry.loc for entry in listed]
    for url, entry in zip(children, listed, strict=True):
        given_values = {
            "loc": entry.loc,
            "lastmod": entry.lastmod,
            "changefreq": entry.changefreq,
            "priority": entry.priority,
        }
        # The order is that of the schema (SM-XML-06), and what is not known is not there.
        assert list(url) == [name for name, value in given_values.items() if value is not None]
        assert url.get("changefreq") == entry.changefreq
        if isinstance(entry.lastmod, datetime):
            assert parse_lastmod(url["lastmod"]) == entry.lastmod.replace(microsecond=0)
        elif entry.lastmod is not None:
            assert parse_lastmod(url["lastmod"]) == entry.lastmod
        if entry.priority is not None:
            assert float(url["priority"]) == pytest.approx(entry.priority, abs=0.00005)
            assert 0 <= float(url["priority"]) <= 1


@PROPERTY
@given(st.lists(entries, max_size=5))
def test_every_url_is_one_line(listed: list[Entry]) -> None:
    # Only line feeds count: other line separators are encoded in a real loc.
    assert render_sitemap(sitemap(*listed)).count(b"\n") == len(listed) + 4


@pytest.mark.parametrize(
    ("character", "escaped"), [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&apos;"), ('"', "&quot;")]
)
def test_the_five_characters_are_escaped_once(character: str, escaped: str) -> None:
    xml = render_sitemap(sitemap(Entry(loc=LOC + character)))
    assert f"<loc>{LOC}{escaped}</loc>".encode() in xml
    assert read(xml) == [{"loc": LOC + character}]


def test_what_looks_like_an_entity_is_text() -> None:
    assert read(render_sitemap(sitemap(Entry(loc=f"{LOC}?a&amp;b&lt;")))) == [{"loc": f"{LOC}?a&amp;b&lt;"}]


@pytest.mark.parametrize(
    ("priority", "text"),
    [
        (0, "0.0"),
        (0.0, "0.0"),
        (1, "1.0"),
        (1.0, "1.0"),
        (0.5, "0.5"),
        (0.25, "0.25"),
        (0.1 + 0.2, "0.3"),
        (0.12345, "0.1235"),
        (0.0001, "0.0001"),
        (1e-5, "0.0"),
        (1e-300, "0.0"),
        (0.99999, "1.0"),
    ],
)
def test_a_priority_is_a_plain_decimal(priority: float, text: str) -> None:
    assert read(render_sitemap(sitemap(Entry(loc=LOC, priority=priority))))[0]["priority"] == text


@pytest.mark.parametrize("form", ["datetime", "date"])
@pytest.mark.parametrize("lastmod", [date(2026, 3, 1), datetime(2026, 3, 1, 23, tzinfo=timezone(timedelta(hours=5)))])
def test_a_date_has_the_form_that_is_asked_for(lastmod: date, form: str) -> None:
    xml = render_sitemap(sitemap(Entry(loc=LOC, lastmod=lastmod)), form)
    assert read(xml)[0]["lastmod"] == format_lastmod(lastmod, form)


def test_the_limit_is_that_of_the_protocol() -> None:
    assert SIZE_LIMIT == 50 * 1024 * 1024
