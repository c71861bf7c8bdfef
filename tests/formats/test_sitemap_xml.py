"""The XML sitemap, read back by another program than the one that wrote it."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from msgspec import structs

from sitemap_plugins.formats.sitemap_xml import MARK, SIZE_LIMIT, XHTML, escape, render_alternate, render_sitemap
from sitemap_plugins.model import Alternate, Entry
from sitemap_plugins.output import Sitemap
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


LINK = f"{{{XHTML}}}link"
EN, FR = Alternate(hreflang="en", href=LOC), Alternate(hreflang="fr", href=f"{LOC}fr/")
BOTH = (EN, FR, Alternate(hreflang="x-default", href=LOC))
WRITTEN = (
    '<xhtml:link rel="alternate" hreflang="en" href="https://example.org/"/>'
    '<xhtml:link rel="alternate" hreflang="fr" href="https://example.org/fr/"/>'
    '<xhtml:link rel="alternate" hreflang="x-default" href="https://example.org/"/>'
)

alternates = st.builds(
    Alternate, hreflang=st.sampled_from(["en", "pt-BR", "zh-Hans", "x-default"]), href=locs, declared=st.booleans()
)
translated = st.builds(lambda entry, links: replace(entry, alternates=tuple(links)), entries, st.lists(alternates))


def shape(xml: bytes) -> object:
    """The tree without the white space between its elements."""

    def of(element: etree._Element) -> object:
        return (
            element.tag,
            dict(element.attrib),
            (element.text or "").strip(" \n"),
            [of(child) for child in element.iterchildren("*")],
        )

    return of(etree.fromstring(xml))


class TestAlternates:
    def test_the_whole_file(self) -> None:
        listed = [
            Entry(loc=LOC, priority=0.5, alternates=BOTH),
            Entry(loc=f"{LOC}fr/", alternates=BOTH),
            Entry(loc=f"{LOC}z/"),
        ]
        assert render_sitemap(sitemap(*listed)).decode("ascii") == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            "<!-- written by sitemap-plugins -->\n"
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
            f"<url><loc>https://example.org/</loc><priority>0.5</priority>{WRITTEN}</url>\n"
            f"<url><loc>https://example.org/fr/</loc>{WRITTEN}</url>\n"
            "<url><loc>https://example.org/z/</loc></url>\n"
            "</urlset>\n"
        )

    def test_their_namespace_is_declared_only_where_it_is_used(self) -> None:
        assert etree.fromstring(render_sitemap(sitemap(Entry(loc=LOC, alternates=BOTH)))).nsmap == {
            None: NAMESPACE,
            "xhtml": XHTML,
        }
        assert b"xhtml" not in render_sitemap(sitemap(Entry(loc=LOC, alternates=())))

    def test_equal_links_of_two_clusters_are_written_for_both(self) -> None:
        listed = [Entry(loc=LOC, alternates=(EN, FR)), Entry(loc=f"{LOC}fr/", alternates=(FR, EN))]
        tree = etree.fromstring(render_sitemap(sitemap(*listed)))
        assert [[link.get("hreflang") for link in url.iter(LINK)] for url in tree] == [["en", "fr"], ["fr", "en"]]

    def test_a_declared_one_is_written_like_any_other(self) -> None:
        assert render_alternate(structs.replace(EN, declared=True)) == render_alternate(EN)

    @pytest.mark.parametrize("prefix", ["", "xhtml:", "x:"])
    def test_one_link_with_any_prefix(self, prefix: str) -> None:
        link = Alternate(hreflang="en", href=f"{LOC}?a=1&b='2'")
        assert render_alternate(link, prefix) == (
            f'<{prefix}link rel="alternate" hreflang="en" href="https://example.org/?a=1&amp;b=&apos;2&apos;"/>'
        )

    @PROPERTY
    @given(st.lists(translated, max_size=5), st.sampled_from([0, 1, 2, 4]))
    def test_what_is_written_is_read_back(self, listed: list[Entry], indent: int) -> None:
        tree = [*etree.fromstring(render_sitemap(sitemap(*listed), indent=indent)).iter(f"{{{NAMESPACE}}}url")]
        assert [[child.tag for child in url][:1] for url in tree] == [[f"{{{NAMESPACE}}}loc"]] * len(listed)
        for url, entry in zip(tree, listed, strict=True):
            tags = [child.tag for child in url]
            # The schema has all other elements after its own (xhtml:link is one of them).
            assert LINK not in tags[: len(tags) - len(entry.alternates)]
            found = [(link.get("rel"), link.get("hreflang"), link.get("href")) for link in url.iter(LINK)]
            # An attribute's white space is normalised when it is read, and a real URL has none.
            wanted = [("alternate", each.hreflang, each.href) for each in entry.alternates]
            assert found == wanted

    @PROPERTY
    @given(st.lists(translated, max_size=5))
    def test_every_url_is_one_line(self, listed: list[Entry]) -> None:
        assert render_sitemap(sitemap(*listed)).count(b"\n") == len(listed) + 4


class TestIndentation:
    LISTED = (
        Entry(loc=LOC, lastmod=date(2026, 2, 1), changefreq="daily", priority=1.0, alternates=BOTH[:2]),
        Entry(loc=f"{LOC}z/"),
    )

    def test_every_element_has_a_line(self) -> None:
        assert render_sitemap(sitemap(*self.LISTED), indent=2).decode("ascii") == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
            "  <!-- written by sitemap-plugins -->\n"
            "  <url>\n"
            "    <loc>https://example.org/</loc>\n"
            "    <lastmod>2026-02-01</lastmod>\n"
            "    <changefreq>daily</changefreq>\n"
            "    <priority>1.0</priority>\n"
            '    <xhtml:link rel="alternate" hreflang="en" href="https://example.org/"/>\n'
            '    <xhtml:link rel="alternate" hreflang="fr" href="https://example.org/fr/"/>\n'
            "  </url>\n"
            "  <url>\n"
            "    <loc>https://example.org/z/</loc>\n"
            "  </url>\n"
            "</urlset>\n"
        )

    @pytest.mark.parametrize("indent", range(1, 9))
    def test_it_is_as_deep_as_the_author_wants(self, indent: int) -> None:
        lines = render_sitemap(sitemap(*self.LISTED), indent=indent).decode().splitlines()[3:-1]
        assert {len(line) - len(line.lstrip(" ")) for line in lines} == {indent, 2 * indent}

    def test_without_it_nothing_is_indented(self) -> None:
        assert render_sitemap(sitemap(*self.LISTED), indent=0) == render_sitemap(sitemap(*self.LISTED))

    @PROPERTY
    @given(st.lists(translated, max_size=4), st.integers(1, 8))
    def test_it_changes_nothing_but_white_space(self, listed: list[Entry], indent: int) -> None:
        assert shape(render_sitemap(sitemap(*listed), indent=indent)) == shape(render_sitemap(sitemap(*listed)))


def test_escaping_is_undone_by_a_reader() -> None:
    text = "<&>'\"&amp;"
    assert etree.fromstring(f"<a b='{escape(text)}'>{escape(text)}</a>").attrib["b"] == text
