"""Feeds that are announced as sitemaps: their links and dates (SM-FEED-01)."""

from __future__ import annotations

import pytest

from sitemap_plugins.formats.feed_checking import check_feed
from sitemap_plugins.formats.feeds import render_atom, render_rss
from sitemap_plugins.formats.problems import Problem
from sitemap_plugins.formats.sitemap_reading import SitemapError
from tests.formats.test_feeds import FEED

ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"{}>\n<entry>{}</entry></feed>'
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
        ATOM.format("", f"{ATOM_LINK}<updated>2026-03-01T09:00:00Z</updated>"),
        ATOM.format("", f'{ATOM_LINK}<link rel="edit" href="/edit"/>'),
        ATOM.format(' xml:base="https://a.org/"', '<link href="/a/"/>'),
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
        (ATOM.format("", '<link href="a/"/>'), ("invalid-url", 2, "a/")),
        (ATOM.format("", f"{ATOM_LINK}<updated>yesterday</updated>"), ("invalid-date", 2, "yesterday")),
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
        (ATOM.format("", f'{ATOM_LINK}<link rel="self" href="https://a.org/c"/>'), [("https://a.org/", 2)]),
        (ATOM.format("", '<link rel="alternate" href=" https://a.org/ "/>').replace("/2005/", "/2006/"), []),
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
