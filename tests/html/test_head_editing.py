"""Retired pages: one tag and its mark are added to the head, all other bytes are unchanged, and it can be undone."""

from __future__ import annotations

import codecs
import re
from base64 import b64encode
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html import parsing
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_editing import LeftAloneError, UneditableError, restore, set_canonical, set_noindex

OLD = "https://example.org/1.0/a/"
NEW = "https://example.org/stable/a/"
NEWER = "https://example.org/2.0/a/?b=1&c='2'"
LINK = b'<link rel="canonical" href="https://example.org/stable/a/" />'
NOINDEX = b'<meta name="robots" content="noindex" />'


def mark(kind: bytes, original: bytes) -> bytes:
    content = kind + (b" " + b64encode(original) if original else b"")
    return b'<meta name="sitemap-plugins:retired" content="' + content + b'" />'


def changed(marked: bytes, kind: bytes, tag: bytes) -> bytes:
    """The page with our change at "||" or in place of the content of "{{…}}". The first of these has our tag."""
    kinds = iter([kind])
    return re.sub(
        rb"\|\||\{\{(.*?)\}\}",
        lambda place: (tag if (which := next(kinds, b"removed")) == kind else b"") + mark(which, place[1] or b""),
        marked,
        flags=re.DOTALL,
    )


def bare(marked: bytes) -> bytes:
    return re.sub(rb"\|\||\{\{|\}\}", b"", marked)


def test_a_link_that_another_tool_added_after_ours_is_replaced_too() -> None:
    page = set_canonical(b"<head><title>a</title></head><body>", NEW)
    added = page.replace(b"</head>", b'<link rel="canonical" href="/"></head>')
    edited = set_canonical(added, NEW)
    assert read_markup(edited).canonicals == (NEW,)
    assert set_canonical(edited, NEW) == edited
    assert restore(edited) == added.replace(page[page.index(b"<link") : page.index(b"</head>")], b"")


class Found:
    """The tags as found by another parser, which parses the whole page."""

    def __init__(self, page: bytes) -> None:
        self.page = LexborHTMLParser(page.removeprefix(codecs.BOM_UTF8).decode(errors="replace"))

    @property
    def canonicals(self) -> list[str | None]:
        links = self.page.css("head > link[rel~='canonical' i]")
        others = ("hreflang", "lang", "media", "type")
        found = [link.attributes for link in links]
        return [
            each["href"]
            for each in found
            if (each.get("href") or "").strip() and not any(name in each for name in others)
        ]

    @property
    def robots(self) -> list[str | None]:
        return [meta.attributes.get("content") for meta in self.page.css("head > meta[name='robots' i]")]


PAGES = [
    pytest.param(b'<!doctype html><html><head>{{<link rel="canonical" href="/b">}}</head><body>b', id="plain"),
    pytest.param(b"<head><title>a</title>\n||</head>\n<body></body>", id="no link"),
    pytest.param(b"<HTML><HEAD>{{<LINK HREF=/b REL=CANONICAL>}}</HEAD ><BODY CLASS=x>", id="upper case"),
    pytest.param(
        b'<head>{{<link rel="canonical" href="/b">}}<meta name="a">{{<link href=/c rel=canonical>}}</head><body>',
        id="two links",
    ),
    pytest.param(b"<head>{{<link rel = canonical href= '/b'  =x/y>}}</head><body>", id="spaces and slashes"),
    pytest.param(b"<head>{{<link rel=canonical href=/b title=>}}</head><body>", id="a missing value"),
    pytest.param(b"<head>\r\n  {{<link\r\n  rel='canonical'\r\n  href='/b' />}}\r\n</head>\r\n<body>\r\n", id="CRLF"),
    pytest.param(b"<head>{{<link rel='&#99;anonical' href='/b?a=1&amp;b'>}}</head><body>", id="entities"),
    pytest.param(b"<head><link rel=icon rel=canonical href=/b>||</head><body>", id="other relation first"),
    pytest.param(b"<head>{{<link title='a > b' rel=canonical data-x=\"'>\" href=/b>}}</head><body>", id="> in values"),
    pytest.param(b"<head>{{<link a\"b rel=canonical c'=d' href=/b\"x>}}</head><body>\"'", id="stray quotes"),
    pytest.param(b"<head>{{<link rel=canonical href=/b title='--> --!> ]]> </script>'>}}</head><body>", id="ends"),
    pytest.param(b"<head><link rel=canonical media=print href=/b>||</head><body>", id="for print"),
    pytest.param(
        b"<head><link rel=canonical hreflang=de href=/b>{{<link rel=canonical href=/b>}}</head><body>", id="de"
    ),
    pytest.param(b'<head><link rel="canonical" href=""><link rel="canonical">||</head><body>', id="no target"),
    pytest.param(b"<head><script>'<link rel=canonical href=/b>'</script>||</head><body>", id="in a script"),
    pytest.param(b"<head><template><link rel=canonical href=/b></template>||</head><body>", id="in a template"),
    pytest.param(b"<head><noscript><link rel=canonical href=/b></noscript>||</head><body>", id="in noscript"),
    pytest.param(b"<head>{{<link rel=canonical href=/b>}}<noscript><img></noscript></head><body>", id="an image"),
    pytest.param(b"<head><meta <link rel=canonical href=/b>||</head><body>", id="among attributes"),
    pytest.param(b"<head>{{<link <link rel=canonical href=/b>}}</head><body>", id="in a link"),
    pytest.param(b"<head>||</head><body><link rel=canonical href=/b>", id="in the body"),
    pytest.param(b"<head><meta name=a>||<div></div><link rel=canonical href=/b></head><body>", id="after a div"),
    pytest.param(b"<head>||</head><!-- <body> --><body><link rel=canonical href=/b>", id="a comment before the body"),
    pytest.param(b"<head><script>'</head><body>'</script>||</head><body>", id="quoted ends"),
    pytest.param(b"<!doctype html><meta charset=utf-8><title>a</title><meta name=b>||<p>b", id="minified, no link"),
    pytest.param(b"<meta charset=utf-8><title>a</title>||<body class=x>b", id="no tags of the head"),
    pytest.param(b"\xef\xbb\xbf<html><head>{{<link rel=canonical href=/b>}}</head><body>", id="byte order mark"),
    pytest.param(
        "<head><meta charset=shift_jis><title>表示ソ</title>{{<link rel=canonical href=/b title=能>}}</head><body>表".encode(
            "shift_jis"
        ),
        id="Shift JIS",
    ),
    pytest.param(
        b"<head><title>\x00\xff\xfe</title>{{<link rel=canonical href=/\x80\x00>}}</head>\x80<body>", id="no encoding"
    ),
    pytest.param(b"<head><meta charset=utf-8>||<title>a", id="cut in the title"),
    pytest.param(b"<head><meta charset=utf-8>||<link rel=canonical href=/", id="cut in a link"),
    pytest.param(b"<head><meta charset=utf-8>||<!-- </head><body>", id="a comment without an end"),
    pytest.param(b"<html><link rel=icon href=/i>||<p>a", id="only an html tag"),
    pytest.param(b"<head name=robots content=noindex>||</head><body>", id="attributes of the head"),
]


@pytest.mark.parametrize("marked", PAGES)
class TestAPage:
    def test_gets_one_canonical_link(self, marked: bytes) -> None:
        page = set_canonical(bare(marked), NEW)
        assert page == changed(marked, b"canonical", LINK)
        assert Found(page).canonicals == [NEW]

    def test_gets_one_noindex_and_loses_the_links_to_other_pages(self, marked: bytes) -> None:
        page = set_noindex(bare(marked), OLD)
        assert page == changed(marked, b"noindex", NOINDEX)
        assert (Found(page).canonicals, Found(page).robots) == ([], ["noindex"])

    def test_is_restored_and_changed_again_like_the_first_time(self, marked: bytes) -> None:
        page = bare(marked)
        assert restore(page) == page
        once = set_canonical(page, NEW)
        noindex = set_noindex(once, OLD)
        assert set_canonical(once, NEW) == once
        assert noindex == set_noindex(page, OLD)
        assert set_canonical(set_canonical(noindex, NEWER), NEW) == once
        assert restore(once) == restore(noindex) == restore(set_canonical(once, NEWER)) == page


@pytest.mark.parametrize("end", ["", "index.html", "#top"])
def test_a_canonical_link_of_the_page_to_itself_is_kept_with_noindex(end: str) -> None:
    own = f"<link rel=canonical href=/1.0/a/{end}>".encode()
    other = b"<link rel=canonical href=/b>"
    page = b"<base href=/><head>" + own + other + b"</head><body>"
    assert set_noindex(page, OLD) == page.replace(other, NOINDEX + mark(b"noindex", other))
    page = b"<head>" + own + b"</head><body>"
    assert set_noindex(page, OLD) == page.replace(b"</head>", NOINDEX + mark(b"noindex", b"") + b"</head>")
    assert restore(set_noindex(page, OLD)) == page


def test_a_page_that_already_has_the_canonical_link_is_not_changed() -> None:
    page = b'<head><link rel=canonical href="https://example.org/stable/a/"></head><body>'
    assert set_canonical(page, NEW) == page
    assert set_canonical(set_canonical(page, NEWER), NEW) == page


@pytest.mark.parametrize("marked", [b"<head>{{<link rel=canonical href=/b>}}</head><body>", b"<head>||</head><body>"])
def test_a_page_is_parsed_only_before_and_after_the_change(marked: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = []
    monkeypatch.setattr(parsing, "LexborHTMLParser", lambda html: parsed.append(html) or LexborHTMLParser(html))
    set_canonical(bare(marked), NEW)
    assert len(parsed) == 2


@pytest.mark.parametrize("retire", [lambda page: set_canonical(page, NEW), lambda page: set_noindex(page, OLD)])
@pytest.mark.parametrize(
    ("page", "error", "why"),
    [
        (b"<p>a part of a page", LeftAloneError, "has no head"),
        (b"<script>a</script><link rel=stylesheet href=/s><div>", LeftAloneError, "has no head"),
        (b"<!-- <head><title> --><svg><title>a</title></svg>", LeftAloneError, "has no head"),
        (b"<head><meta http-equiv=refresh content='0; url=/b'></head><body>", LeftAloneError, "is a redirect"),
        (
            b"<head><noscript><meta http-equiv=refresh content='0;/b'></noscript></head><body><script>location='/b'</script>",
            LeftAloneError,
            "is a redirect",
        ),
        (b"<head><meta name=Robots content='NOINDEX, follow'></head><body>", LeftAloneError, "noindex of its own"),
        (b"<head><meta name=googlebot content=none></head><body>", LeftAloneError, "noindex of its own"),
        ("<head><title>a</title></head><body>".encode("utf-16"), UneditableError, "UTF-16"),
        ("<head><title>日本</title></head><body>".encode("iso-2022-jp"), UneditableError, "ISO-2022-JP"),
        (b"<head><title>a</title></head><!-- -- --><HEAD></HEAD><body>", UneditableError, "two heads"),
        (b"<head><title>a</title><p>b</head><body>", UneditableError, "end is unclear"),
        (
            b"<head><meta name=a><NOSCRIPT><img></NOSCRIPT><link rel=canonical href=/b></head><body>",
            UneditableError,
            "for some readers only",
        ),
        (b"a<head><meta name=b></head><body>", LeftAloneError, "has no head"),
        (b"<head>" + b"<link rel=icon href=/b>" * 1001 + b"</head><body>", UneditableError, "more than 1,000 link"),
        (
            b"<head><link rel=canonical href=/b>" + b" " * 940 + b"<meta charset=utf-8></head><body>",
            UneditableError,
            "names its encoding",
        ),
    ],
)
def test_unsuitable_pages_are_unchanged_or_refused(
    page: bytes, error: type[Exception], why: str, retire: Callable[[bytes], bytes]
) -> None:
    with pytest.raises(error, match=why):
        retire(page)
    assert restore(page) == page


@pytest.mark.parametrize(
    "page",
    [
        b"<head></head><body><pre>" + LINK + mark(b"canonical", b"a") + b"</pre>",
        b"<head><!-- " + LINK + mark(b"canonical", b"a") + b" --></head><body>",
        b"<head>" + LINK + b'<meta name="sitemap-plugins:retired" content="canonical A"></head><body>',
        b"<head>" + LINK + b'<meta name="sitemap-plugins:retired" content="canonical QU!!JD"></head><body>',
        b"<head>a" + LINK + mark(b"canonical", b"a") + b"</head><body>",
        b"<head>" + mark(b"noindex", b"a") + b"</head><body>",
        b"<head>" + LINK + b"<title></title>" + mark(b"canonical", b"a") + b"</head><body>",
    ],
)
def test_text_that_looks_like_our_mark_is_kept(page: bytes) -> None:
    assert restore(page) == page


def test_a_change_that_another_tool_has_reformatted_can_be_undone() -> None:
    page = set_canonical(b"<head><link rel=canonical href=/b></head><body>", NEW)
    page = page.replace(b" />", b">\r\n  ").replace(b'"canonical"', b"canonical")
    assert restore(page) == b"<head><link rel=canonical href=/b>\r\n  </head><body>"


@pytest.mark.parametrize("url", [NEWER, 'https://example.org/"><script>', "https://example.org/日/é?a&amp;b"])
def test_urls_are_read_back_unchanged(url: str) -> None:
    page = set_canonical("<head><title>é</title></head><body>".encode("cp1252"), url)
    assert Found(page).canonicals == [url]


# Pieces that swallow what follows, end a head, look like a link, or are one.
fragments = st.sampled_from(
    [
        *(b"<html>", b"<head>", b"</head>", b"<body>", b"<p>", b"</p>", b"<div>", b"<title>", b"</title>", b"<svg>"),
        *(b"<script>", b"</script>", b"<style>", b"</style>", b"<noscript>", b"</noscript>", b"<img>", b"</html>"),
        *(b"<template>", b"</template>", b"<!--", b"-->", b"--!>", b"<!-->", b"]]>", b"<![CDATA[", b"<?", b"<!"),
        *(b"<link rel=canonical href=/b>", b"<LINK HREF='/c' REL='x Canonical'/>", b"<link", b"<link ", b"<meta "),
        *(b'<link rel="canonical" href="', b"<link rel=canonical media=print href=/d>", b"rel=canonical", b" href=/e"),
        *(b"<meta charset=utf-8>", b"<meta name=robots content=nofollow>", b"<base href=/x/>", b"text", b"<select>"),
        *(b"<", b">", b'"', b"'", b"=", b"/", b" ", b"\n", b"\r\n", b"\x00", b"\xff", b"\xef\xbb\xbf", "é日".encode()),
        *(LINK, NOINDEX, mark(b"canonical", b"<link>"), mark(b"removed", b""), b"<frameset>", b"<table>", b"<head "),
    ]
)
parts = st.lists(fragments | st.binary(max_size=3), max_size=12).map(b"".join)
pages = parts | st.builds(
    lambda start, head, end, body: start + head + end + body,
    st.sampled_from([b"<head><meta name=a>", b"<!doctype html><html><head>", b"\xef\xbb\xbf<html><meta name=a>"]),
    parts,
    st.sampled_from([b"</head><body>", b"</head>", b"<body >", b"</head>\n<!-- a --><body>", b"</head><p>"]),
    parts,
)


@given(pages)
@example(b"<head></head><!-- -- --><link rel=canonical href=/b><body>")
@example(b"<head><link rel=canonical href=/b></head></p><link rel=canonical href=/c><body>")
@example(b"<meta name=a><noscript></head><noscript></noscript><link rel=canonical href=/b><body>")
@example(b"<head><link rel=canonical href=/b><link rel=canonical href=/c" + LINK + b"</head><body>")
def test_any_page_is_changed_and_restored_or_refused(page: bytes) -> None:
    original = restore(page)
    markup = read_markup(original.removeprefix(codecs.BOM_UTF8))
    try:
        written = set_canonical(page, NEW)
        noindex = set_noindex(page, OLD)
    except (LeftAloneError, UneditableError):
        return
    after = read_markup(written.removeprefix(codecs.BOM_UTF8))
    assert after == structs.replace(markup, canonicals=after.canonicals)
    assert Found(written).canonicals == [NEW]
    assert len(after.canonicals) == 1
    assert Found(noindex).robots.count("noindex") == 1
    assert Found(noindex).canonicals == []
    assert restore(written) == restore(noindex) == original
    assert set_canonical(written, NEW) == written == set_canonical(noindex, NEW)
    assert set_noindex(written, OLD) == noindex
    if written != original:
        # Without our changes it is the original page without canonical links.
        change = rb'(?:%b)?<meta name="sitemap-plugins:retired" content="[A-Za-z0-9+/= ]*" />' % re.escape(LINK)
        assert _is_subsequence(re.split(change, written), original)


def _is_subsequence(pieces: list[bytes], page: bytes) -> bool:
    """Whether the page has these pieces in this order, from its beginning to its end."""
    place = 0
    for piece in pieces:
        place = page.find(piece, place)
        if place < 0:
            return False
        place += len(piece)
    return page.startswith(pieces[0]) and page.endswith(pieces[-1])


@given(parts, st.integers(min_value=0))
def test_a_page_cut_anywhere_is_changed_and_restored_or_refused(head: bytes, end: int) -> None:
    whole = b"<html><head><meta charset=utf-8><meta name=a>" + head + b"<link rel=canonical href='/b'></head><body>"
    page = whole[: end % len(whole)]
    try:
        written = set_canonical(page, NEW)
    except (LeftAloneError, UneditableError):
        return
    assert Found(written).canonicals == [NEW]
    assert restore(written) == restore(page)
