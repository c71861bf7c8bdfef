"""The main part of a page changes with what readers see, not with the theme or the build; its prose shows copies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.html.main_part import MainPart, read_main_part, read_prose, read_words, shared_prose

MATERIAL = """<!doctype html><title>{title}</title><header id="top"><nav id="n">Site</nav></header>
<main><nav class="md-path">Home</nav><article class="md-content__inner md-typeset">
<a class="md-content__button" title="Edit">edit</a>
<h1 id="install">Install<a class="headerlink" href="#install">{sign}</a></h1>
<p>Run <code>pip</code> first.</p>{more}
<aside class="md-source-file"><span>Last update: {date}</span></aside></article></main>
<footer>Copyright {date}</footer>"""

ENGLISH = "<p>Install the package with the tool that you use for all the others, and then restart it once.</p>" * 2
GERMAN = "<p>Installiere das Paket mit dem Werkzeug, das du auch sonst nimmst, und starte es einmal neu.</p>" * 2


def material(more: str = "", date: str = "2025", sign: str = "¶") -> str:
    return MATERIAL.format(title="T", more=more, date=date, sign=sign)


def digest(body: str) -> str:
    return read_main_part(f"<title>t</title><main>{body}</main>").digest


def names(body: str) -> dict[str, list[str]]:
    """The anchors of a page by kind."""
    found: dict[str, list[str]] = {}
    for anchor in read_main_part(f"<main>{body}</main>").anchors:
        found.setdefault(anchor.kind, []).append(anchor.name)
    return found


def test_a_page_has_a_digest_its_words_and_its_anchors() -> None:
    assert read_main_part(material()) == MainPart(
        digest=digest("Install Run pip first."),
        anchors=read_main_part('<main><h1 id="install">').anchors,
        words=frozenset({"install", "run", "pip", "first"}),
    )
    assert read_words(material()) == {"install", "run", "pip", "first"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "<script>track()</script><style>p{}</style>"),
        ('<pre><span class="k">a</span>.<span>b</span></pre>', "<pre><code>a.b\n</code></pre>"),
        (
            '<table><tr><td class="linenos"><pre>7\n8</pre></td><td>code</td></table>',
            '<table><tr><td class="linenos"><pre>17\n18</pre></td><td>code</td></table>',
        ),
        (
            '<h2>A<a class="hash-link">#</a></h2><h2>B<a class="header-anchor">#</a></h2>',
            '<h2>A<a class="hash-link">\u200b</a></h2><h2>B<a class="header-anchor">\u200b</a></h2>',
        ),
        (
            "<p>a</p><div class='text-muted mt-5 pt-3 border-top'>Last modified May 1: fix (f42aca1)</div>",
            "<p>a</p><div class='text-muted mt-5 pt-3 border-top'>Last modified May 2: add (ef36544)</div>",
        ),
        (
            "<h2>f <span class='doc doc-labels'><small>async</small><small>cached</small></span></h2>",
            "<h2>f <span class='doc doc-labels'><small>cached</small><small>async</small></span></h2>",
        ),
        ("<p>&lt;A at 0x7f15a2d0d160></p>", "<p>&lt;A at 0x7f1b029b9160></p>"),
    ],
)
def test_the_digest_is_that_of_what_readers_see(before: str, after: str) -> None:
    assert read_main_part(material(before, date="2024")).digest == read_main_part(material(after, date="2025")).digest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("img/a.png", "../_images/a.png"),
        ("a.png?v=1", "https://cdn.example.org/a.png#x"),
        ("logo.1a2b3c4d.png", "logo.9f8e7d6c.png"),
        ("graphviz-0a1b2c3d4e5f60718293.png", "graphviz-ffeeddcc0a1b2c3d4e5f.png"),
        ("0a1b2c3d4e5f60718293.svg", "ffeeddcc0a1b2c3d4e5f.svg"),
        ("logo.BxK3_a9q.png", "logo.Zz01aB-c.png"),
        ("data:image/png;base64,AAAA", "data:image/png;base64,BBBB"),
    ],
)
def test_images_have_their_names_without_folders_and_hashes(before: str, after: str) -> None:
    assert digest(f'<img src="{before}">') == digest(f'<img src="{after}">') != digest("")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>0xcafe</p>", "<p>0xbabe</p>"),
        ('<img src="a.png">', '<img src="b.png">'),
        ('<img src="deadface-x.png">', '<img src="deadbeef-x.png">'),
        ('<img src="holidays.png">', '<img src="calendar.png">'),
        ('<img src="a.png" alt="A cat">', '<img src="a.png" alt="A dog">'),
        ('<img src="a.png"><img src="b.png">', '<img src="b.png"><img src="a.png">'),
    ],
)
def test_another_text_or_image_is_another_digest(before: str, after: str) -> None:
    assert digest(before) != digest(after)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            '<section id="a"><span id="my-label"></span><h1>A</h1><p id="below">x</p></section>'
            '<div class="section" id="b"><h2>B</h2></div><h3 id="ünï">C</h3>',
            {"heading": ["a", "b", "ünï"], "label": ["my-label", "below"]},
            id="headings and labels",
        ),
        pytest.param(
            '<a name="old"></a><a id="new"></a><figure id="fig"><img></figure><dl><dt id="term-x">x</dt></dl>'
            '<div class="highlight-python notranslate" id="code"><pre>x</pre></div>',
            {"label": ["old", "new", "fig", "term-x", "code"]},
            id="explicit targets",
        ),
        pytest.param(
            '<dl><dt class="sig sig-object py" id="m.f_2"><span id="_CPPv31f"></span>f</dt></dl>'
            '<span class="target" id="module-m"></span><h2 id="m.C" class="doc doc-heading">C</h2>'
            '<div class="doc doc-object"><a id="m"></a><h3 id="m--examples">Examples</h3></div>'
            '<dl><dt class="sig" id="m.D">D</dt><dd><p id="in-d">x</p><span id="id1"></span></dd></dl><h2 id="h">H</h2>',
            {"object": ["m.f_2", "_CPPv31f", "module-m", "m.C", "m", "m--examples", "m.D", "in-d"], "heading": ["h"]},
            id="API objects",
        ),
        pytest.param(
            '<section id="id3"><h2 id="x_8">X</h2></section><h2 id="_1">Y</h2><li id="fn:1">n</li><sup id="fnref2:1">1</sup>'
            '<span id="index-0"></span><a id="L10"></a><span id="cb1-2"></span><a id="fn-x"></a><p id="T_0a1b2"></p>'
            '<a class="footnote-reference" id="footnote-reference-1">1</a>'
            '<aside class="footnote" id="footnote-1">n</aside><h3 id="Note-259c8a408a29ea0">Note</h3>'
            '<section id="td-block-2"></section><a id="12fb5c1b"></a>',
            {},
            id="numbered",
        ),
        pytest.param(
            '<div class="tabs"><input id="__tabbed_1_1"><label id="a" for="x"></label><input id="b"></div>'
            '<pre id="c"><a id="d" name="__codelineno-0-1"></a></pre><a id="__codelineno-0-2" name="x"></a>'
            '<svg id="e"><g id="f"></g></svg><button id="g"></button><div id="layout"></div>'
            '<nav id="h"><h2 id="i">Menu</h2></nav><div class="x" role="tabpanel" id="j"></div>',
            {},
            id="scripts, code and the theme",
        ),
        pytest.param('<h2 id="pep8">1</h2><h2 id="version-2">2</h2><p id="pep8">', {"heading": ["pep8", "version-2"]}),
    ],
)
def test_anchors_are_places_that_authors_link_to(body: str, expected: dict[str, list[str]]) -> None:
    assert names(body) == expected


PARTS = """<main> </main> <nav> </nav> <aside> </aside> <aside\xa0class=topic> <section> </section> <header> </header>
<p\xa0role=navigation> </p> <b\xa0class=headerlink> </b> <b\xa0class=md-feedback> <script> </script> <svg> </svg> <pre> </pre>
<template> </template> <noscript> </noscript> <h1\xa0id=a> </h1> <a\xa0name=b> </a> <img\xa0src=a\xa0alt=b> <td\xa0class=linenos>
<table> </table> <body\xa0class=headerlink> <html\xa0role=search> x"""


@given(st.one_of(st.text(), st.lists(st.sampled_from(PARTS.split(" ")), max_size=40).map(" ".join)))
def test_no_page_raises(html: str) -> None:
    html = html.replace("\xa0", " ")
    part = read_main_part(html)
    assert part == read_main_part(html)
    assert part.words == read_words(html)


def shared(one: str, other: str) -> float | None:
    """The share of the prose of two pages, given as the bodies of their main parts."""
    return shared_prose(read_prose(f"<main>{one}</main>"), read_prose(f"<main>{other}</main>"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", ""),
        ("<nav>Next</nav>", "<nav>Weiter</nav>"),
        ("<div class=admonition-title>Note</div>", "<div class=admonition-title>Hinweis</div>"),
        ("<div class=admonitionHeading_Gvgb><b>note</b></div>", "<div class=admonitionHeading_Gvgb><b>mot</b></div>"),
        ("<span class=versionmodified>New in 2.</span> ", "<span class=versionmodified>Neu in Version 2.</span> "),
        ("<pre>a = 1</pre>", "<pre>b = 22</pre>"),
        ("<b>1.</b>", "<b>٢</b>"),
        ("<p>a b</p>", "<p>a\n b</p>"),
    ],
)
def test_a_copy_shares_all_prose(one: str, other: str) -> None:
    assert shared(one + ENGLISH, other + ENGLISH) == 1


@pytest.mark.parametrize(
    "same",
    [
        pytest.param("", id="nothing the same"),
        pytest.param(f"<pre>{ENGLISH}</pre>", id="the same code"),
        pytest.param(f"<p><code>{ENGLISH}</code></p>", id="the same code in a paragraph"),
        pytest.param(f"<dl><dt class='sig'>run()</dt><dd>{ENGLISH}</dd></dl>", id="the same object of Sphinx"),
        pytest.param(f"<div class='doc doc-object'>{ENGLISH}</div>", id="the same object of mkdocstrings"),
    ],
)
def test_a_translation_shares_no_prose(same: str) -> None:
    assert shared(ENGLISH + same, GERMAN + same) == 0


def test_the_share_is_that_of_the_longer_page_and_counts_repeated_text_as_often_as_both_have_it() -> None:
    longer = f"{ENGLISH}{ENGLISH}{GERMAN}"
    share = shared(ENGLISH, longer)
    assert share == shared(longer, ENGLISH)
    assert share == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize(
    ("number", "word", "is_known"),
    [(29, "word ", False), (30, "word ", True), (29, "語", False), (30, "語", True), (60, "7 ", False)],
)
def test_pages_with_less_than_thirty_words_tell_nothing(number: int, word: str, is_known: bool) -> None:
    """A character counts as a word in scripts that have no spaces; numbers are no words."""
    assert (shared(word * number, word * number) == 1) == is_known
    assert (shared(word * number, word * 100) is not None) == (is_known and word != "7 ")


@pytest.mark.parametrize("html", ["", "<frameset><frame></frameset>", "<main></main>"])
def test_a_page_without_prose_tells_nothing(html: str) -> None:
    assert shared_prose(read_prose(html), read_prose(html)) is None
