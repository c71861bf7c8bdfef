"""Links in a page's own head: one block at its end, as seen by a browser, without changing any other byte."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_links import OwnLinksError, insert_links, remove_links
from sitemap_plugins.model import Alternate, FeedLink

LINKS = (
    Alternate(hreflang="en", href="https://example.org/"),
    Alternate(hreflang="pt-BR", href="https://example.org/pt/"),
    Alternate(hreflang="x-default", href="https://example.org/"),
)
OTHERS = (LINKS[0], Alternate(hreflang="de", href="https://de.example/", declared=True))
BEGIN, END = b"<!-- links: sitemap-plugins -->", b"<!-- end of links -->"
BLOCK = (
    BEGIN + b"\n"
    b'<link rel="alternate" hreflang="en" href="https://example.org/">\n'
    b'<link rel="alternate" hreflang="pt-BR" href="https://example.org/pt/">\n'
    b'<link rel="alternate" hreflang="x-default" href="https://example.org/">\n' + END + b"\n"
)


def read(page: bytes) -> list[tuple[str, str]]:
    """The links as read by another parser."""
    document = LexborHTMLParser(page.decode("utf-8", errors="replace"))
    nodes = document.css("head link[rel=alternate][hreflang]")
    return [(node.attributes["hreflang"] or "", node.attributes["href"] or "") for node in nodes]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (b"a" + BLOCK + b"b" + BLOCK + b"c", b"abc"),
        (b"a" + BEGIN + END + b"b", b"ab"),
        (b"a" + BEGIN + b"b" + BLOCK + b"c", b"a" + BEGIN + b"bc"),
        (b"a" + BEGIN + b"<p>" + END + b"b" + BLOCK, b"a" + BEGIN + b"<p>" + END + b"b"),
        (b"a" + BLOCK.removesuffix(b"\n") + b"b" + BEGIN + b"<link rel=x>", b"ab" + BEGIN + b"<link rel=x>"),
    ],
    ids=["two", "without links", "a beginning before it", "other elements", "a beginning after it"],
)
def test_blocks_of_earlier_runs_are_removed(page: bytes, expected: bytes) -> None:
    assert remove_links(page) == expected


# A "|" marks the place of the block. A page without it is not changed.
PAGES = [
    pytest.param(b"<!doctype html><html><head><title>a</title>\n|</head><body></body></html>", id="plain"),
    pytest.param(b"\xef\xbb\xbf<head>|</head>", id="byte order mark"),
    pytest.param("<head><title>日本語</title>|</head><body>日本語".encode("shift_jis"), id="Shift JIS"),
    pytest.param(b"<head><title>a</title>|<body class=x>b", id="no end of the head"),
    pytest.param(b"<head><!-- </head> -->|</head><body>", id="in a comment"),
    pytest.param(b"<head><title>a</title>", id="a head without an end"),
    pytest.param(b"", id="empty"),
]


@pytest.mark.parametrize("marked", PAGES)
def test_the_links_are_at_the_end_of_the_head(marked: bytes) -> None:
    page = marked.replace(b"|", b"")
    assert insert_links(page, LINKS) == marked.replace(b"|", BLOCK)


@pytest.mark.parametrize("marked", PAGES)
def test_they_are_replaced_and_removed_without_a_trace(marked: bytes) -> None:
    page = marked.replace(b"|", b"")
    once = insert_links(page, LINKS)
    assert insert_links(once, LINKS) == once
    assert insert_links(insert_links(once, OTHERS), LINKS) == once
    assert insert_links(once, ()) == page
    assert insert_links(page, ()) == page


@pytest.mark.parametrize(
    ("href", "written"),
    [
        ("https://example.org/?a=1&b=2", b'href="https://example.org/?a=1&amp;b=2"'),
        ('https://example.org/"><script>', b'href="https://example.org/&quot;&gt;&lt;script&gt;"'),
    ],
)
def test_urls_are_escaped(href: str, written: bytes) -> None:
    page = insert_links(b"<head></head>", [Alternate(hreflang="en", href=href)])
    assert written in page
    assert read(page) == [("en", href)]
    assert insert_links(page, ()) == b"<head></head>"


@pytest.mark.parametrize(
    "own", [b'<link rel="alternate" hreflang="en" href="/">', b"<LINK HREF=/ HREFLANG=x-default REL=ALTERNATE>"]
)
def test_a_page_with_its_own_links_is_not_changed(own: bytes) -> None:
    page = b"<head>" + own + b"</head>"
    with pytest.raises(OwnLinksError):
        insert_links(page, LINKS)
    with pytest.raises(OwnLinksError):
        insert_links(b"<head>" + own + BLOCK + b"</head>", LINKS)
    assert insert_links(page, ()) == page
    assert insert_links(b"<head>" + own + BLOCK + b"</head>", ()) == page


@pytest.mark.parametrize(
    "not_own",
    [
        b'<!-- <link rel="alternate" hreflang="en" href="/"> -->',
        b'<noscript><link rel="alternate" hreflang="en" href="/"></noscript>',
        b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
    ],
)
def test_text_that_looks_like_links_has_no_effect(not_own: bytes) -> None:
    assert insert_links(b"<head>" + not_own + b"</head>", LINKS) == b"<head>" + not_own + BLOCK + b"</head>"


def test_a_reformatted_block_is_still_ours() -> None:
    block = BLOCK.replace(b"\n", b"\r\n  ")
    assert insert_links(b"<head>" + block + b"</head>", LINKS).count(BEGIN) == 1


def test_a_block_without_an_end_is_not_ours() -> None:
    page = b"<head>" + BEGIN + b"<title>a</title></head>"
    assert insert_links(page, LINKS) == b"<head>" + BEGIN + b"<title>a</title>" + BLOCK + b"</head>"
    assert insert_links(insert_links(page, LINKS), ()) == page


ATOM = FeedLink(
    media_type="application/atom+xml", title='News & "more": 日 für alle', href="https://example.org/a.atom"
)
RSS = FeedLink(media_type="application/rss+xml", title="News", href="https://example.org/it's.xml")


class TestFeeds:
    def test_are_linked_in_the_same_block(self) -> None:
        page = "<html><head><title>é</title></head><body>".encode("latin-1")
        written = insert_links(page, LINKS[:1], [RSS, ATOM])
        block = (
            BEGIN + b'\n<link rel="alternate" hreflang="en" href="https://example.org/">\n'
            b'<link rel="alternate" type="application/rss+xml" title="News" href="https://example.org/it&apos;s.xml">\n'
            b'<link rel="alternate" type="application/atom+xml" title="News &amp; &quot;more&quot;: &#26085; f&#252;r alle" '
            b'href="https://example.org/a.atom">\n' + END + b"\n"
        )
        assert written == page.replace(b"</head>", block + b"</head>")
        assert insert_links(written, LINKS[:1], [RSS, ATOM]) == written
        assert insert_links(written, ()) == page

    @pytest.mark.parametrize(
        ("own", "is_own"),
        [
            (b'<link rel="alternate" type="application/atom+xml" href="../a.atom">', True),
            (b"<LINK TYPE='APPLICATION/ATOM+XML ' HREF='https://example.org/a.atom?v=1' REL=alternate>", True),
            (b'<link rel="alternate" type="application/atom+xml" href="/b.atom">', False),
        ],
    )
    def test_that_the_page_links_itself_are_not_linked_again(self, own: bytes, *, is_own: bool) -> None:
        page = b"<head>" + own + b"</head>"
        assert (insert_links(page, (), [ATOM]) == page) is is_own
        assert b"it&apos;s.xml" in insert_links(page, (), [ATOM, RSS])


fragments = st.sampled_from(
    [
        *(
            b"<head>",
            b"</head>",
            b"<body>",
            b"<html>",
            b"<!--",
            b"-->",
            b"<script>",
            b"</script>",
            b"<title>",
            b"</title>",
        ),
        *(b"<noscript>", b"</noscript>", b"<template>", b"<svg>", b"<", b">", b'"', b"\n", b"\r\n", b"\x00", b"\xff"),
        *(BEGIN, END, b"<link rel=x>", b"<link ", b'content="', "é日".encode(), b"<p>", b"</head >", b"<BODY "),
    ]
)
pages = st.binary() | st.lists(fragments | st.binary(max_size=3)).map(b"".join)
codes = st.sampled_from(["en", "fr", "pt-BR", "zh-Hans", "x-default"])
hrefs = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E)).map("https://example.org/{}".format)
alternates = st.lists(st.builds(Alternate, hreflang=codes, href=hrefs), min_size=1)


@given(pages, alternates)
@example(b"<head></head>" * 9, list(LINKS))
def test_writing_again_changes_nothing_and_removing_restores_the_page(page: bytes, links: list[Alternate]) -> None:
    bare = insert_links(page, ())
    try:
        once = insert_links(page, links)
    except OwnLinksError:
        assert read_markup(bare.decode("latin-1")).hreflang
        return
    assert insert_links(once, links) == once
    assert insert_links(once, ()) == bare
    assert insert_links(bare, links) == once


# Browsers ignore their content, and the rest of the head if they have no end.
INERT = (b"<noscript>", b"<template>")


@given(st.lists(fragments).map(b"".join), st.lists(fragments).map(b"".join))
def test_written_links_are_read_as_the_pages_own(head: bytes, body: bytes) -> None:
    page = b"<!doctype html><html><head>" + head + b"</head><body>" + body
    if any(tag in page for tag in INERT):
        return
    try:
        written = insert_links(page, LINKS)
    except OwnLinksError:
        return
    found = read_markup(written.decode("latin-1")).hreflang
    assert found == (() if written == page else tuple((link.hreflang, link.href) for link in LINKS))
