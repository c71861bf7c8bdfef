"""Feeds that any reader understands, with the same bytes for the same pages, and the check of those of others."""

import html
from calendar import timegm
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemap_plugins.formats.feed_checking import check_feed
from sitemap_plugins.formats.feeds import ATOM, render_atom, render_rss
from sitemap_plugins.formats.problems import Problem
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.model import Feed, FeedItem
from tests.builders import replace

HOME = "https://museum.example/"
EAST = timezone(timedelta(hours=5, minutes=30))
BOTH = pytest.mark.parametrize("render", [render_rss, render_atom])
Render = Callable[[Feed], bytes]

FEED = Feed(
    title="Pots & Pans",
    url=f"{HOME}changes.xml?a=1&b=2",
    home=HOME,
    items=(
        FeedItem(
            loc=f"{HOME}glaze/?a=1&b=2",
            title="Glaze, <ash> & 'salt'",
            description='Which "salt" is in <b>glaze</b> &amp; where',
            updated=datetime(2026, 3, 1, 2, tzinfo=EAST),
        ),
        FeedItem(loc=f"{HOME}kiln/", title="Ofen für Töpfe 窯", description="", updated=date(2026, 2, 3)),
    ),
)

# All characters of XML 1.0 except control characters (SM-XML-05).
texts = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"))
markup = st.lists(st.sampled_from(["&", "<", ">", '"', "'", "amp;", "b", "/", "]]>", "<!--", "é", " "])).map("".join)
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# Readers of RFC 822 take a year before 1000 for a year of two digits.
moments = st.dates(date(1000, 1, 1)) | st.datetimes(
    datetime(1000, 1, 3),  # noqa: DTZ001  # the zone is added later
    datetime(9999, 12, 29),  # noqa: DTZ001
    timezones=zones,
)
items = st.builds(
    FeedItem,
    loc=st.integers(0).map(lambda number: f"{HOME}{number}/?a&b='"),
    title=texts | markup,
    description=texts | markup,
    updated=moments,
)
feeds = st.builds(
    Feed,
    title=texts | markup,
    url=st.just(FEED.url),
    home=st.just(HOME),
    items=st.lists(items, min_size=1, max_size=4).map(tuple),
)


def moment(value: date) -> datetime:
    return value if isinstance(value, datetime) else datetime(value.year, value.month, value.day, tzinfo=UTC)


def second(value: date) -> datetime:
    return moment(value).replace(microsecond=0)


def parsed(content: bytes) -> Any:
    """The feed as read by feedparser, without its cleaning and guessing."""
    found = feedparser.parse(content, sanitize_html=False, resolve_relative_uris=False)
    assert found.bozo is False
    return found


def when(seconds_of_utc: Any) -> datetime:
    return datetime.fromtimestamp(timegm(seconds_of_utc), UTC)


def test_the_whole_rss_feed() -> None:
    """SM-FEED-01: RSS 2.0 with absolute links and dates."""
    assert render_rss(FEED).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- written by sitemap-plugins -->\n"
        '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">\n'
        "<channel>\n"
        "<title>Pots &#x26; Pans</title>\n"
        "<link>https://museum.example/</link>\n"
        "<description>Pots &#x26; Pans</description>\n"
        '<atom:link rel="self" type="application/rss+xml" href="https://museum.example/changes.xml?a=1&amp;b=2"/>\n'
        "<lastBuildDate>Sat, 28 Feb 2026 20:30:00 GMT</lastBuildDate>\n"
        "<item><title>Glaze, &#x3C;ash&#x3E; &#x26; 'salt'</title>"
        "<link>https://museum.example/glaze/?a=1&amp;b=2</link>"
        "<description>Which &quot;salt&quot; is in &amp;lt;b&amp;gt;glaze&amp;lt;/b&amp;gt; &amp;amp;amp; where</description>"
        "<pubDate>Sat, 28 Feb 2026 20:30:00 GMT</pubDate>"
        '<guid isPermaLink="true">https://museum.example/glaze/?a=1&amp;b=2</guid></item>\n'
        "<item><title>Ofen für Töpfe 窯</title>"
        "<link>https://museum.example/kiln/</link>"
        "<pubDate>Tue, 03 Feb 2026 00:00:00 GMT</pubDate>"
        '<guid isPermaLink="true">https://museum.example/kiln/</guid></item>\n'
        "</channel>\n"
        "</rss>\n"
    )


def test_the_whole_atom_feed() -> None:
    """SM-FEED-01: Atom 1.0 with absolute links and dates."""
    assert render_atom(FEED).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<!-- written by sitemap-plugins -->\n"
        '<feed xmlns="http://www.w3.org/2005/Atom">\n'
        "<id>https://museum.example/changes.xml?a=1&amp;b=2</id>\n"
        "<title>Pots &amp; Pans</title>\n"
        "<updated>2026-03-01T02:00:00+05:30</updated>\n"
        "<author><name>Pots &amp; Pans</name></author>\n"
        '<link rel="self" type="application/atom+xml" href="https://museum.example/changes.xml?a=1&amp;b=2"/>\n'
        '<link rel="alternate" type="text/html" href="https://museum.example/"/>\n'
        "<entry><id>https://museum.example/glaze/?a=1&amp;b=2</id>"
        "<title>Glaze, &lt;ash&gt; &amp; &apos;salt&apos;</title>"
        "<updated>2026-03-01T02:00:00+05:30</updated>"
        '<link rel="alternate" type="text/html" href="https://museum.example/glaze/?a=1&amp;b=2"/>'
        '<summary type="text">Which &quot;salt&quot; is in &lt;b&gt;glaze&lt;/b&gt; &amp;amp; where</summary></entry>\n'
        "<entry><id>https://museum.example/kiln/</id>"
        "<title>Ofen für Töpfe 窯</title>"
        "<updated>2026-02-03T00:00:00Z</updated>"
        '<link rel="alternate" type="text/html" href="https://museum.example/kiln/"/></entry>\n'
        "</feed>\n"
    )


class TestReadByFeedparser:
    @BOTH
    def test_the_feed_itself(self, render: Render) -> None:
        """SM-FEED-01: the author, the URL of the feed and the site."""
        found = parsed(render(FEED))
        assert found.version == {render_rss: "rss20", render_atom: "atom10"}[render]
        assert (found.encoding.lower(), found.feed.title, found.feed.link) == ("utf-8", FEED.title, HOME)
        assert {link.rel: link.href for link in found.feed.links} == {"self": FEED.url, "alternate": HOME}
        assert when(found.feed.updated_parsed) == FEED.items[0].updated

    @BOTH
    def test_its_items(self, render: Render) -> None:
        """SM-FEED-01: titles, links, ids and dates of the pages."""
        entries = parsed(render(FEED)).entries
        assert [(each.title, each.link, each.id) for each in entries] == [
            (item.title, item.loc, item.loc) for item in FEED.items
        ]
        date_of = "published_parsed" if render is render_rss else "updated_parsed"
        assert [when(each[date_of]) for each in entries] == [moment(item.updated) for item in FEED.items]
        assert [len(each.links) for each in entries] == [1, 1]

    def test_text_that_looks_like_markup_is_text(self) -> None:
        """RSS readers take a description for HTML; Atom readers rely on the type."""
        about = FEED.items[0].description
        (rss, _), (atom, _) = parsed(render_rss(FEED)).entries, parsed(render_atom(FEED)).entries
        assert (rss.summary_detail.type, html.unescape(rss.summary)) == ("text/html", about)
        assert (atom.summary_detail.type, atom.summary) == ("text/plain", about)


class TestReadByLxml:
    @given(feeds)
    def test_rss_is_read_back(self, feed: Feed) -> None:
        """SM-FEED-01: texts are unchanged, and dates are the same to the second."""
        (channel,) = etree.fromstring(render_rss(feed))
        assert [channel.findtext(name) for name in ("title", "link", "description")] == [feed.title, HOME, feed.title]
        assert channel.find(f"{{{ATOM}}}link").get("href") == feed.url
        newest = max(second(item.updated) for item in feed.items)
        assert parsedate_to_datetime(channel.findtext("lastBuildDate")) == newest
        for element, item in zip(channel.iterfind("item"), feed.items, strict=True):
            assert element.findtext("title") == item.title
            assert [element.findtext(name) for name in ("link", "guid")] == [item.loc, item.loc]
            assert html.unescape(element.findtext("description", "")) == item.description
            assert parsedate_to_datetime(element.findtext("pubDate")) == second(item.updated)

    @given(feeds)
    def test_atom_is_read_back(self, feed: Feed) -> None:
        """SM-FEED-01: texts are unchanged, and dates are the same to the second."""
        root = etree.fromstring(render_atom(feed))
        names = {"": ATOM}
        assert [root.findtext(name, namespaces=names) for name in ("id", "title", "author/name")] == [
            feed.url,
            feed.title,
            feed.title,
        ]
        newest = max(second(item.updated) for item in feed.items)
        assert datetime.fromisoformat(root.findtext("updated", namespaces=names)) == newest
        for element, item in zip(root.iterfind("entry", names), feed.items, strict=True):
            assert [element.findtext(name, namespaces=names) for name in ("id", "title")] == [item.loc, item.title]
            assert element.find("link", names).get("href") == item.loc
            assert element.findtext("summary", "", namespaces=names) == item.description
            assert datetime.fromisoformat(element.findtext("updated", namespaces=names)) == second(item.updated)


@BOTH
def test_it_is_as_old_as_its_newest_item(render: Render) -> None:
    """A day counts as its first moment in UTC, and the order of the items does not matter."""
    late, day, early = datetime(2026, 3, 1, 1, tzinfo=EAST), date(2026, 3, 1), datetime(2026, 2, 28, tzinfo=UTC)
    for dates in [(late, day, early), (early, day, late)]:
        listed = tuple(replace(FEED.items[0], loc=f"{HOME}{number}", updated=each) for number, each in enumerate(dates))
        found = parsed(render(replace(FEED, items=listed)))
        assert when(found.feed.updated_parsed) == datetime(2026, 3, 1, tzinfo=UTC)


# A mistake in front matter must not end the build.
@pytest.mark.parametrize(
    ("updated", "rss", "atom"),
    [
        (datetime(1, 1, 1, tzinfo=EAST), b"Mon, 01 Jan 0001 00:00:00 GMT", b"0001-01-01T00:00:00+05:30"),
        (date(1, 1, 1), b"Mon, 01 Jan 0001 00:00:00 GMT", b"0001-01-01T00:00:00Z"),
        (
            datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-5))),
            b"Fri, 31 Dec 9999 23:00:00 GMT",
            b"9999-12-31T23:00:00-05:00",
        ),
    ],
)
def test_the_first_and_last_dates_are_written(updated: date, rss: bytes, atom: bytes) -> None:
    dated = replace(FEED, items=(replace(FEED.items[1], updated=updated),))
    assert render_rss(dated).count(rss) == 2
    assert render_atom(dated).count(atom) == 2


ATOM_ENTRY = '<feed xmlns="http://www.w3.org/2005/Atom"{}>\n<entry>{}</entry></feed>'
RSS = '<rss version="2.0"><channel><link>/</link>\n<item>{}</item></channel></rss>'
LINK = "<link>https://a.org/</link>"
ATOM_LINK = '<link href="https://a.org/"/>'


def problems_in(content: str | bytes) -> list[tuple[str, int, str]]:
    found: list[Problem] = []
    try:
        check_feed(content.encode() if isinstance(content, str) else content, found.append)
    except SitemapError:
        assert found
    return [(each.kind, each.line, each.text) for each in found]


@pytest.mark.parametrize(
    "content",
    [
        RSS.format(f"{LINK}<pubDate>Wed, 02 Oct 2002 13:00:00 GMT</pubDate>"),
        RSS.format(f"{LINK}<pubDate>2 Oct 02 13:00 EST</pubDate>"),
        RSS.format("<guid>https://a.org/</guid>"),
        RSS.format("<link>https://a.org/#part</link>"),
        RSS.format(f'{LINK}<link xmlns="urn:x">/other</link>'),
        ATOM_ENTRY.format("", f"{ATOM_LINK}<updated>2026-03-01T09:00:00Z</updated>"),
        ATOM_ENTRY.format("", f'{ATOM_LINK}<link rel="edit" href="/edit"/>'),
        ATOM_ENTRY.format(' xml:base="https://a.org/"', '<link href="/a/"/>'),
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><item xmlns="urn:x"/></rdf:RDF>',
    ],
)
def test_a_feed_without_a_problem(content: str) -> None:
    assert problems_in(content) == []


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (RSS.format("<link>/a/</link>"), ("invalid-url", 2, "/a/")),
        (RSS.format("<title>A</title>"), ("invalid-url", 2, "item")),
        (RSS.format("<link>http://localhost/a/</link>"), ("preview-host", 2, "http://localhost/a/")),
        (RSS.format(f"{LINK}<pubDate>2026-03-01</pubDate>"), ("invalid-date", 2, "2026-03-01")),
        (ATOM_ENTRY.format("", '<link href="a/"/>'), ("invalid-url", 2, "a/")),
        (ATOM_ENTRY.format("", f"{ATOM_LINK}<updated>yesterday</updated>"), ("invalid-date", 2, "yesterday")),
        ("<rss>\n<channel>", ("unreadable", 2, "")),
        ("<rss>" + "<a>" * 200, ("unreadable", 1, "")),
        ('<!DOCTYPE rss [<!ENTITY a "b">]><rss>&a;</rss>', ("doctype", 1, "")),
    ],
)
def test_a_problem_of_a_feed(content: str, problem: tuple[str, int, str]) -> None:
    assert problems_in(content) == [problem]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-03-01T09:00:00Z", "Sun, 01 Mar 2026 09:00:00 GMT"),
        ("2026-03-01T09:00:00+01:00", "Sun, 01 Mar 2026 08:00:00 GMT"),
        ("soon", "Sun, 01 Mar 2026 09:00:00 GMT"),
    ],
)
def test_a_date_in_the_form_of_another_feed_is_shown_in_its_own(written: str, expected: str) -> None:
    found: list[Problem] = []
    check_feed(RSS.format(f"{LINK}<pubDate>{written}</pubDate>").encode(), found.append)
    assert [each.expected for each in found] == [expected]


@pytest.mark.parametrize(
    ("content", "links"),
    [
        (RSS.format(f"{LINK}<guid>https://a.org/b/</guid>"), [("https://a.org/", 2)]),
        (RSS.format("\n<guid>https://a.org/b/</guid>"), [("https://a.org/b/", 3)]),
        (RSS.format('<guid isPermaLink="false">https://a.org/b/</guid>'), []),
        (ATOM_ENTRY.format("", f'{ATOM_LINK}<link rel="self" href="https://a.org/c"/>'), [("https://a.org/", 2)]),
        (ATOM_ENTRY.format("", '<link rel="alternate" href=" https://a.org/ "/>').replace("/2005/", "/2006/"), []),
    ],
)
def test_the_pages_in_a_feed_are_those_of_its_items(content: str, links: list[tuple[str, int]]) -> None:
    found = check_feed(content.encode(), lambda _: None)
    assert [(each.entry.loc, each.line) for each in found] == links


def test_a_feed_of_more_pages_than_a_sitemap_may_have_is_too_large() -> None:
    items = f"<item>{LINK}</item>" * 50_000
    content = "<rss><channel>{}</channel></rss>"
    assert len(check_feed(content.format(items).encode(), lambda _: None)) == 50_000
    assert problems_in(content.format(items + f"<item>{LINK}</item>"))[0][0] == "too-large"


def test_our_own_feeds_have_no_problem() -> None:
    for render in (render_atom, render_rss):
        assert problems_in(render(FEED)) == []
