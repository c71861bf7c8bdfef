"""The XML sitemap with its extensions, the index and the text sitemap, read back by lxml and by our own reader."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any, get_args
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec import structs

from sitemap_plugins.formats import sitemap_xml
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_index, read_sitemap
from sitemap_plugins.formats.sitemap_xml import (
    IMAGE,
    MARK,
    NAMESPACE,
    NEWS,
    PLAIN,
    VIDEO,
    XHTML,
    IndexWriter,
    SitemapWriter,
    Style,
    render_alternate,
    render_images,
    render_news,
    render_text,
    render_video,
)
from sitemap_plugins.media import Image, News, Restriction, Video
from sitemap_plugins.model import Alternate, Entry, Sitemap
from sitemap_plugins.sitemaps.arranging import newest_of
from sitemap_plugins.values.dates import DateStyle, format_lastmod, parse_lastmod

XSI = "http://www.w3.org/2001/XMLSchema-instance"
LOC = "https://example.org/"
SITE = "https://museum.example/"
FREQUENCIES = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

# All characters that XML 1.0 allows.
characters = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
styles = st.builds(
    Style, lastmod_format=st.sampled_from(get_args(DateStyle)), indent=st.integers(0, 8), schema_location=st.booleans()
)


def render(listed: Sequence[Entry], style: Style = PLAIN) -> bytes:
    return b"".join(SitemapWriter(style).render(listed))


def indented(listed: Sequence[Entry], indent: int) -> bytes:
    return render(listed, Style(indent=indent))


def read(xml: bytes, root_name: str = "urlset", name: str = "url") -> list[dict[str, str]]:
    """The children of every url, or of every sitemap of an index, in order, as read by lxml."""
    root = etree.fromstring(xml)
    assert root.tag == f"{{{NAMESPACE}}}{root_name}"
    assert [each for each in root.iterchildren("*") if each.tag != f"{{{NAMESPACE}}}{name}"] == []
    assert all(child.tag.startswith(f"{{{NAMESPACE}}}") for each in root.iterchildren("*") for child in each)
    return [{etree.QName(child).localname: child.text for child in each} for each in root.iterchildren("*")]


def test_the_whole_file() -> None:
    listed = [
        Entry(loc=LOC, lastmod=datetime(2026, 3, 1, 9, tzinfo=UTC), changefreq="daily", priority=1.0),
        Entry(loc=f"{LOC}a?b=1&c='2'", lastmod=date(2026, 2, 1)),
        Entry(loc=f"{LOC}z/"),
    ]
    assert render(listed).decode("ascii") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- written by sitemap-plugins -->\n"
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>https://example.org/</loc><lastmod>2026-03-01T09:00:00Z</lastmod>"
        "<changefreq>daily</changefreq><priority>1.0</priority></url>\n"
        "<url><loc>https://example.org/a?b=1&amp;c=&apos;2&apos;</loc><lastmod>2026-02-01</lastmod></url>\n"
        "<url><loc>https://example.org/z/</loc></url>\n"
        "</urlset>\n"
    )


def test_nothing_comes_before_the_declaration_and_no_entity_is_declared() -> None:
    # SM-XML-01, SM-XML-02, SM-XML-09
    xml = render([Entry(loc=LOC)])
    assert xml.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    assert MARK.encode() in xml.splitlines()[1]
    document = etree.fromstring(xml).getroottree().docinfo
    assert document.encoding == "UTF-8"
    assert document.doctype == ""


@pytest.mark.parametrize(
    ("character", "escaped"), [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&apos;"), ('"', "&quot;")]
)
def test_the_five_characters_are_escaped_once(character: str, escaped: str) -> None:  # SM-XML-04
    xml = render([Entry(loc=LOC + character)])
    assert f"<loc>{LOC}{escaped}</loc>".encode() in xml
    assert read(xml) == [{"loc": LOC + character}]


def test_text_that_looks_like_an_entity_is_text() -> None:
    assert read(render([Entry(loc=f"{LOC}?a&amp;b&lt;")])) == [{"loc": f"{LOC}?a&amp;b&lt;"}]


@pytest.mark.parametrize(
    ("priority", "text"),
    [
        (-0.0, "0.0"),
        (1.0, "1.0"),
        (0.5, "0.5"),
        (0.1 + 0.2, "0.3"),
        (0.12345, "0.1235"),
        (1e-5, "0.0"),
        (0.99999, "1.0"),
    ],
)
def test_a_priority_is_a_plain_decimal(priority: float, text: str) -> None:  # SM-PRI-01
    assert read(render([Entry(loc=LOC, priority=priority)]))[0]["priority"] == text


@pytest.mark.parametrize("form", get_args(DateStyle))
@pytest.mark.parametrize("lastmod", [date(2026, 3, 1), datetime(2026, 3, 1, 23, tzinfo=timezone(timedelta(hours=5)))])
def test_a_date_has_the_form_of_the_option(lastmod: date, form: str) -> None:
    xml = render([Entry(loc=LOC, lastmod=lastmod)], Style(lastmod_format=form))
    assert read(xml)[0]["lastmod"] == format_lastmod(lastmod, form)


EN, FR = Alternate(hreflang="en", href=LOC), Alternate(hreflang="fr", href=f"{LOC}fr/")
BOTH = (EN, FR, Alternate(hreflang="x-default", href=LOC))
WRITTEN = (
    '<xhtml:link rel="alternate" hreflang="en" href="https://example.org/"/>'
    '<xhtml:link rel="alternate" hreflang="fr" href="https://example.org/fr/"/>'
    '<xhtml:link rel="alternate" hreflang="x-default" href="https://example.org/"/>'
)


class TestAlternates:
    def test_the_whole_file(self) -> None:
        listed = [
            Entry(loc=LOC, priority=0.5, alternates=BOTH),
            Entry(loc=f"{LOC}fr/", alternates=BOTH),
            Entry(loc=f"{LOC}z/"),
        ]
        assert render(listed).decode("ascii") == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            "<!-- written by sitemap-plugins -->\n"
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
            f"<url><loc>https://example.org/</loc><priority>0.5</priority>{WRITTEN}</url>\n"
            f"<url><loc>https://example.org/fr/</loc>{WRITTEN}</url>\n"
            "<url><loc>https://example.org/z/</loc></url>\n"
            "</urlset>\n"
        )

    def test_a_declared_link_is_written_like_any_other(self) -> None:
        assert render_alternate(structs.replace(EN, declared=True)) == render_alternate(EN)

    @pytest.mark.parametrize("prefix", ["", "xhtml:", "x:"])
    def test_one_link_with_any_prefix(self, prefix: str) -> None:  # HL-01
        link = Alternate(hreflang="en", href=f"{LOC}?a=1&b='2'")
        assert render_alternate(link, prefix) == (
            f'<{prefix}link rel="alternate" hreflang="en" href="https://example.org/?a=1&amp;b=&apos;2&apos;"/>'
        )


class TestIndentation:
    LISTED = (
        Entry(loc=LOC, lastmod=date(2026, 2, 1), changefreq="daily", priority=1.0, alternates=BOTH[:2]),
        Entry(loc=f"{LOC}z/"),
    )

    def test_every_element_has_a_line(self) -> None:
        assert indented(self.LISTED, 2).decode("ascii") == (
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

    @pytest.mark.parametrize("indent", [1, 8])
    def test_it_is_as_deep_as_the_option_says(self, indent: int) -> None:
        lines = indented(self.LISTED, indent).decode().splitlines()[3:-1]
        assert {len(line) - len(line.lstrip(" ")) for line in lines} == {indent, 2 * indent}


class TestImages:
    def test_the_documented_example(self) -> None:
        """Google, "Image sitemaps": two images on one page, one of them on another host and with a query."""
        images = [Image(loc=f"{SITE}halls/north.jpg"), Image(loc="https://cdn.example/pots.webp?w=800&h=600")]
        assert [*render_images(images)] == [
            "<image:image><image:loc>https://museum.example/halls/north.jpg</image:loc></image:image>",
            "<image:image><image:loc>https://cdn.example/pots.webp?w=800&amp;h=600</image:loc></image:image>",
        ]


FULL = Video(
    thumbnail_loc=f"{SITE}thumbs/kiln.jpg",
    title="Firing a kiln in winter",
    description="Rosa shows how a wood kiln is fired when it snows",
    content_loc="https://streams.example/kiln.mp4",
    player_loc="https://www.example.com/player?video=kiln&start=5",
    duration=600,
    expiration_date=datetime(2031, 11, 5, 19, 20, 30, tzinfo=timezone(timedelta(hours=8))),
    rating=4.2,
    view_count=12345,
    publication_date=datetime(2026, 11, 5, 19, 20, 30, tzinfo=UTC),
    tags=("kiln", "clay & glaze", "winter", "outdoor"),
    family_friendly=True,
    restriction=Restriction(relationship="allow", values=("IE", "GB", "US", "CA")),
    requires_subscription=True,
    uploader="Pots & Pans",
    uploader_info=f"{SITE}people/?name=pots&pans",
    platform=Restriction(relationship="deny", values=("mobile", "tv")),
    live=False,
)
FEW = Video(
    thumbnail_loc=f"{SITE}thumbs/wheel.jpg",
    title="Throwing a bowl",
    description="From a lump of clay to a bowl",
    player_loc="https://www.example.com/player?video=wheel",
)


class TestVideos:
    def test_the_documented_example_with_every_tag(self) -> None:
        """Google, "Video sitemaps": the first video of the example, and every tag, in the order of the schema (SM-XML-06)."""
        written = render_video(FULL)
        assert written == (
            "<video:video>"
            "<video:thumbnail_loc>https://museum.example/thumbs/kiln.jpg</video:thumbnail_loc>"
            "<video:title>Firing a kiln in winter</video:title>"
            "<video:description>Rosa shows how a wood kiln is fired when it snows</video:description>"
            "<video:content_loc>https://streams.example/kiln.mp4</video:content_loc>"
            "<video:player_loc>https://www.example.com/player?video=kiln&amp;start=5</video:player_loc>"
            "<video:duration>600</video:duration>"
            "<video:expiration_date>2031-11-05T19:20:30+08:00</video:expiration_date>"
            "<video:rating>4.2</video:rating>"
            "<video:view_count>12345</video:view_count>"
            "<video:publication_date>2026-11-05T19:20:30Z</video:publication_date>"
            "<video:tag>kiln</video:tag>"
            "<video:tag>clay &amp; glaze</video:tag>"
            "<video:tag>winter</video:tag>"
            "<video:tag>outdoor</video:tag>"
            "<video:family_friendly>yes</video:family_friendly>"
            '<video:restriction relationship="allow">IE GB US CA</video:restriction>'
            "<video:requires_subscription>yes</video:requires_subscription>"
            '<video:uploader info="https://museum.example/people/?name=pots&amp;pans">Pots &amp; Pans</video:uploader>'
            '<video:platform relationship="deny">mobile tv</video:platform>'
            "<video:live>no</video:live>"
            "</video:video>"
        )

    @pytest.mark.parametrize(
        ("rating", "text"), [(-0.0, "0.0"), (1e-7, "0.0"), (2, "2.0"), (3.14159, "3.1"), (4.97, "5.0")]
    )
    def test_a_rating_has_one_decimal(self, rating: float, text: str) -> None:
        assert f"<video:rating>{text}</video:rating>" in render_video(replace(FEW, rating=rating))


class TestNews:
    def test_the_documented_example(self) -> None:
        """Google, "News sitemaps": the publication and its language, the day and the title."""
        news = News(
            name="The Potter's Week",
            language="en",
            publication_date=date(2026, 12, 23),
            title="Kilns <North> & Kilns <South> in Merger Talks",
        )
        written = render_news(news)
        assert written == (
            "<news:news>"
            "<news:publication>"
            "<news:name>The Potter&apos;s Week</news:name>"
            "<news:language>en</news:language>"
            "</news:publication>"
            "<news:publication_date>2026-12-23</news:publication_date>"
            "<news:title>Kilns &lt;North&gt; &amp; Kilns &lt;South&gt; in Merger Talks</news:title>"
            "</news:news>"
        )


# Values that a file can hold without loss: dates to the second, priorities to four decimals, encoded URLs.
urls = st.text(characters).map(lambda text: LOC + quote(text))
lines = st.text(characters, min_size=1, max_size=30).map(lambda text: " ".join(text.split())).filter(bool)
dates = st.dates(date(2, 1, 1)) | st.datetimes(datetime(2, 1, 1), timezones=zones).map(  # noqa: DTZ001  # its type
    lambda when: when.replace(microsecond=0)
)
flags = st.none() | st.booleans()


def restrictions(*words: str) -> st.SearchStrategy[Restriction | None]:
    values = st.lists(st.sampled_from(words), min_size=1, max_size=3).map(tuple)
    return st.none() | st.builds(Restriction, relationship=st.sampled_from(["allow", "deny"]), values=values)


videos = st.builds(
    Video,
    thumbnail_loc=urls,
    title=lines,
    description=lines,
    content_loc=urls,
    player_loc=st.none() | urls,
    duration=st.none() | st.integers(1, 28_800),
    expiration_date=st.none() | dates,
    rating=st.none() | st.integers(0, 50).map(lambda tenths: tenths / 10),
    view_count=st.none() | st.integers(0, 10**18 - 1),
    publication_date=st.none() | dates,
    tags=st.lists(lines, max_size=3).map(tuple) | st.just(("a",) * 32),
    family_friendly=flags,
    restriction=restrictions("AT", "DE", "NO"),
    requires_subscription=flags,
    uploader=st.none() | lines,
    platform=restrictions("web", "mobile", "tv"),
    live=flags,
)
videos |= videos.map(lambda video: replace(video, content_loc=None, player_loc=f"{LOC}player?a=1&b='2'"))
videos |= videos.map(lambda video: replace(video, uploader="<An> & 'other'", uploader_info=f"{LOC}?a=1&b=2"))
whole = st.builds(
    Entry,
    loc=urls,
    lastmod=st.none() | dates,
    changefreq=st.none() | st.sampled_from(FREQUENCIES),
    priority=st.none() | st.integers(0, 10_000).map(lambda number: number / 10_000),
    alternates=st.lists(
        st.builds(Alternate, hreflang=st.sampled_from(["en", "pt-BR", "zh-Hans", "x-default"]), href=urls), max_size=3
    ).map(tuple),
    images=st.lists(st.builds(Image, loc=urls), max_size=3).map(tuple),
    videos=st.lists(videos, max_size=2).map(tuple),
    news=st.none()
    | st.builds(
        News, name=lines, language=st.sampled_from(["en", "zh-cn", "fil"]), publication_date=dates, title=lines
    ),
)


def entry_of(url: etree._Element) -> Entry:
    """The entry that another reader sees, by paths."""
    prefixes = {"s": NAMESPACE, "x": XHTML, "i": IMAGE, "v": VIDEO, "n": NEWS}

    def texts(path: str) -> tuple[str, ...]:
        return tuple(each.text for each in url.findall(path, prefixes))

    def text(path: str) -> str | None:
        return next(iter(texts(path)), None)

    def moment(path: str) -> date | None:
        return None if text(path) is None else parse_lastmod(text(path))

    return Entry(
        loc=url[0].text,
        lastmod=moment("s:lastmod"),
        changefreq=text("s:changefreq"),
        priority=None if text("s:priority") is None else float(text("s:priority")),
        alternates=tuple(
            Alternate(hreflang=link.get("hreflang"), href=link.get("href")) for link in url.findall("x:link", prefixes)
        ),
        images=tuple(Image(loc=loc) for loc in texts("i:image/i:loc")),
        videos=tuple(map(video_of, url.findall("v:video", prefixes))),
        news=None
        if url.find("n:news", prefixes) is None
        else News(
            name=text("n:news/n:publication/n:name"),
            language=text("n:news/n:publication/n:language"),
            publication_date=moment("n:news/n:publication_date"),
            title=text("n:news/n:title"),
        ),
    )


def video_of(video: etree._Element) -> Video:
    fields: dict[str, Any] = {"tags": ()}
    for child in video:
        name, text = etree.QName(child).localname, child.text
        if name == "tag":
            fields["tags"] += (text,)
        elif name in {"restriction", "platform"}:
            fields[name] = Restriction(relationship=child.get("relationship"), values=tuple(text.split(" ")))
        elif name in {"duration", "view_count"}:
            fields[name] = int(text)
        elif name.endswith("_date"):
            fields[name] = parse_lastmod(text)
        elif name in {"family_friendly", "requires_subscription", "live"}:
            fields[name] = {"yes": True, "no": False}[text]
        else:
            fields[name] = float(text) if name == "rating" else text
    return Video(**fields, uploader_info=next((child.get("info") for child in video if child.get("info")), None))


class TestExtensions:
    @given(st.lists(whole, max_size=4), st.booleans(), st.integers(0, 4))
    def test_output_is_read_back_unchanged_by_both_readers(
        self, listed: list[Entry], schema: bool, indent: int
    ) -> None:
        xml = render(listed, Style(indent=indent, schema_location=schema))
        assert read_sitemap(xml) == tuple(listed)
        assert [entry_of(url) for url in etree.fromstring(xml).iter(f"{{{NAMESPACE}}}url")] == listed

    @given(listed=st.lists(whole, min_size=1, max_size=4), style=styles)
    def test_every_written_file_passes_the_schema(
        self, valid_sitemap: Callable[[bytes], Any], listed: list[Entry], style: Style
    ) -> None:
        # SM-XML-01 to SM-XML-09 (SM-XML-06: the order), SM-LOC-06, SM-MOD-01, SM-CF-01, SM-PRI-01, HL-01
        valid_sitemap(render(listed, style))

    @given(st.lists(whole, max_size=4), styles)
    def test_only_used_namespaces_are_declared(self, listed: list[Entry], style: Style) -> None:  # SM-XML-03, SM-XML-08
        used = {
            "xhtml": XHTML if any(entry.alternates for entry in listed) else None,
            "image": IMAGE if any(entry.images for entry in listed) else None,
            "video": VIDEO if any(entry.videos for entry in listed) else None,
            "news": NEWS if any(entry.news for entry in listed) else None,
            "xsi": XSI if style.schema_location else None,
        }
        declared = etree.fromstring(render(listed, style)).nsmap
        assert declared == {None: NAMESPACE} | {name: uri for name, uri in used.items() if uri}

    @given(st.lists(whole, max_size=5))
    def test_every_url_is_one_line(self, listed: list[Entry]) -> None:
        assert render(listed).count(b"\n") == len(listed) + 4


class TestPieces:
    @given(st.lists(whole, max_size=8), styles, st.integers(1, 9))
    def test_their_size_makes_no_difference(self, listed: list[Entry], style: Style, size: int) -> None:
        at_once, sizes = render(listed, style), [*SitemapWriter(style).sizes(listed)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sitemap_xml, "_PIECE", size)
            assert render(listed, style) == at_once
            assert [*SitemapWriter(style).sizes(listed)] == sizes

    @pytest.mark.parametrize("number", [0, 1, 199, 200, 201, 400, 401])
    def test_no_url_is_lost_between_two_pieces(self, number: int) -> None:
        listed = [Entry(loc=f"{LOC}{each}") for each in range(number)]
        pieces = [*SitemapWriter().render(listed)]
        assert [entry.loc for entry in read_sitemap(b"".join(pieces))] == [entry.loc for entry in listed]
        assert len(pieces) == 2 + -(-number // 200)

    def test_nothing_is_rendered_before_it_is_requested(self) -> None:
        class Unread(Sequence[Entry]):
            def __len__(self) -> int:
                raise AssertionError

            def __getitem__(self, index: Any) -> Any:
                raise AssertionError

        assert iter(SitemapWriter().render(Unread()))


class TestSizes:
    # SM-LIM-02: the limit is exact to the byte and includes the closing tag, so the sum has to be exact.
    @given(st.lists(whole, max_size=5), styles)
    def test_they_add_up_to_the_bytes_of_the_file(self, listed: list[Entry], style: Style) -> None:
        assert sum(SitemapWriter(style).sizes(listed)) + SitemapWriter(style).frame_size(listed) == len(
            render(listed, style)
        )

    @given(st.lists(whole, min_size=1, max_size=5), styles, st.data())
    def test_size_of_an_entry_does_not_depend_on_others(
        self, listed: list[Entry], style: Style, data: st.DataObject
    ) -> None:
        some = data.draw(st.lists(st.sampled_from(listed)))
        known = dict(zip(listed, SitemapWriter(style).sizes(listed), strict=True))
        assert [*SitemapWriter(style).sizes(some)] == [known[entry] for entry in some]

    def test_sizes_of_temporary_links(self) -> None:
        def passing() -> Iterator[Entry]:
            for number in range(2000):
                yield Entry(loc=LOC, alternates=tuple(Alternate(hreflang="en", href=LOC + "a" * number) for _ in "ab"))

        sizes = [*SitemapWriter().sizes(passing())]
        assert [later - size for size, later in pairwise(sizes)] == [2] * 1999


class TestSchemaLocation:
    def test_it_is_an_attribute_of_the_root(self) -> None:
        assert render([Entry(loc=LOC)], Style(schema_location=True)).decode("ascii") == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            "<!-- written by sitemap-plugins -->\n"
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
            ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
            ' xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9'
            ' http://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd">\n'
            "<url><loc>https://example.org/</loc></url>\n"
            "</urlset>\n"
        )


def sitemap(url: str, *moments: date | None) -> Sitemap:
    """A sitemap with one entry for each date."""
    entries = tuple(Entry(loc=LOC, lastmod=moment) for moment in moments)
    return Sitemap(path="a.xml", url=url, entries=entries, newest=newest_of(entries))


def index(*listed: Sitemap, style: Style = PLAIN) -> bytes:
    return b"".join(IndexWriter(style).render(listed))


sitemaps = st.builds(lambda url, moments: sitemap(url, *moments), urls, st.lists(st.none() | dates, max_size=4))


class TestIndex:
    def test_the_whole_file(self) -> None:
        # SM-IDX-03, SM-IDX-04: only the URL and the date, in this order.
        when = datetime(2026, 3, 1, 9, tzinfo=UTC)
        listed = [sitemap(f"{LOC}sitemap-00.xml", None, when, date(2026, 2, 1)), sitemap(f"{LOC}sitemap-01.xml?a&b")]
        assert index(*listed).decode("ascii") == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            "<!-- written by sitemap-plugins -->\n"
            '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            "<sitemap><loc>https://example.org/sitemap-00.xml</loc><lastmod>2026-03-01T09:00:00Z</lastmod></sitemap>\n"
            "<sitemap><loc>https://example.org/sitemap-01.xml?a&amp;b</loc></sitemap>\n"
            "</sitemapindex>\n"
        )

    def test_with_an_indent_every_element_has_a_line(self) -> None:
        listed = [sitemap(f"{LOC}a.xml", date(2026, 2, 1)), sitemap(f"{LOC}b.xml")]
        assert index(*listed, style=Style(indent=2, schema_location=True)).decode("ascii") == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
            ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
            ' xsi:schemaLocation="http://www.sitemaps.org/schemas/sitemap/0.9'
            ' http://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd">\n'
            "  <!-- written by sitemap-plugins -->\n"
            "  <sitemap>\n"
            "    <loc>https://example.org/a.xml</loc>\n"
            "    <lastmod>2026-02-01</lastmod>\n"
            "  </sitemap>\n"
            "  <sitemap>\n"
            "    <loc>https://example.org/b.xml</loc>\n"
            "  </sitemap>\n"
            "</sitemapindex>\n"
        )

    @given(st.lists(sitemaps, max_size=4), styles)
    def test_output_is_read_back_unchanged(self, listed: list[Sitemap], style: Style) -> None:
        xml = index(*listed, style=style)
        found = read(xml, "sitemapindex", "sitemap")
        assert [each["loc"] for each in found] == [each.url for each in listed]
        assert read_index(xml) == tuple(each.url for each in listed)
        with pytest.raises(SitemapError):
            read_sitemap(xml)

    @given(listed=st.lists(sitemaps, min_size=1, max_size=4), style=styles)
    def test_every_written_file_passes_the_schema(
        self, valid_sitemap: Callable[[bytes], Any], listed: list[Sitemap], style: Style
    ) -> None:
        valid_sitemap(index(*listed, style=style))

    @given(st.lists(sitemaps, max_size=4), styles)
    def test_the_sizes_add_up_to_the_bytes_of_the_file(self, listed: list[Sitemap], style: Style) -> None:
        # SM-IDX-01: an index has the same limit as a sitemap.
        assert sum(IndexWriter(style).sizes(listed)) + IndexWriter(style).frame_size(listed) == len(
            index(*listed, style=style)
        )


class TestText:
    """The text sitemap: UTF-8, one URL per line, no other content (SM-TXT-01, SM-TXT-02)."""

    PATHS = st.text(st.sampled_from("abc019-._~%20/?&=+'()!*,;:@"))

    def test_the_whole_file(self) -> None:
        """SM-TXT-01, SM-TXT-02: every line is an unescaped URL and ends with a line feed."""
        listed = [
            Entry(loc=LOC, lastmod=date(2026, 3, 1), priority=0.5, alternates=(Alternate(hreflang="en", href=LOC),)),
            Entry(loc=f"{LOC}a?b=1&c='2'"),
            Entry(loc=f"{LOC}%C3%BC/"),
        ]
        assert b"".join(render_text(listed)) == (
            b"https://example.org/\nhttps://example.org/a?b=1&c='2'\nhttps://example.org/%C3%BC/\n"
        )

    @pytest.mark.parametrize(("number", "chunks"), [(0, 0), (1000, 1), (1001, 2)])
    def test_pieces_contain_whole_lines(self, number: int, chunks: int) -> None:
        listed = [Entry(loc=f"{LOC}{each}/") for each in range(number)]
        pieces = [*render_text(iter(listed))]
        assert len(pieces) == chunks
        assert [piece for piece in pieces if not piece.endswith(b"\n")] == []
        assert b"".join(pieces).decode("ascii").splitlines() == [entry.loc for entry in listed]

    @given(st.lists(PATHS.map(LOC.__add__), max_size=20))
    def test_output_is_read_back_unchanged(self, locs: list[str]) -> None:
        """SM-TXT-01, SM-TXT-02: no byte order mark, no header, no empty line, the given order."""
        text = b"".join(render_text(Entry(loc=loc) for loc in locs)).decode("utf-8")
        assert text.split("\n") == [*locs, ""]
