"""The information in the head of a rendered page, as real pages write it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.html.head import parse_head, read_markup, relocate
from sitemap_plugins.model import Markup

NOINDEX = '<meta name="robots" content="noindex">'


def page(head: str, body: str = "<p>text") -> str:
    return f"<!doctype html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n"


@pytest.mark.parametrize(
    ("head", "robots"),
    [
        ("", set()),
        (NOINDEX, {"noindex"}),
        ("<META NAME=ROBOTS CONTENT=NOINDEX>", {"noindex"}),
        ('<meta name=" Robots " content=" NoIndex ,  FOLLOW ">', {"noindex", "follow"}),
        ('<meta name="googlebot" content="none">', {"none"}),
        ('<meta name="robots" content="nofollow"><meta name="googlebot" content="noindex">', {"nofollow", "noindex"}),
        (
            '<meta name="robots" content="max-snippet:20, max-image-preview:large">',
            {"max-snippet:20", "max-image-preview:large"},
        ),
        ('<meta name="robots" content>', set()),
        ('<meta name="bingbot" content="noindex">', set()),
        (f"<noscript>{NOINDEX}</noscript>", set()),
        (f"<template><div>{NOINDEX}</div></template>", set()),
        (f"<noscript></noscript>{NOINDEX}", {"noindex"}),
    ],
)
def test_robots_directives_are_tokens_of_all_relevant_tags(head: str, robots: set[str]) -> None:
    assert read_markup(page(head)) == Markup(robots=frozenset(robots))


@pytest.mark.parametrize(
    ("content", "robots", "dates"),
    [
        ("unavailable_after: 2026-03-01", set(), ("2026-03-01",)),
        ("Unavailable_After : 25 Jun 2026 15:00:00 PST", set(), ("25 Jun 2026 15:00:00 PST",)),
        (
            "noindex, unavailable_after: Thursday, 25-Jun-26 15:00:00 UTC",
            {"noindex"},
            ("Thursday, 25-Jun-26 15:00:00 UTC",),
        ),
        ("unavailable_after: 2026-03-01, noindex", {"noindex"}, ("2026-03-01, noindex",)),
        ("unavailable_after:", {"unavailable_after:"}, ()),
    ],
)
def test_an_expiry_date_is_kept_with_its_commas(content: str, robots: set[str], dates: tuple[str, ...]) -> None:
    tag = f'<meta name="robots" content="{content}">'
    assert read_markup(page(tag)) == Markup(robots=frozenset(robots), unavailable_after=dates)
    other = '<meta name="googlebot" content="unavailable_after: b">'
    assert read_markup(page(tag + other)).unavailable_after == (*dates, "b")


@pytest.mark.parametrize(
    ("head", "canonicals"),
    [
        ('<link rel="canonical" href="https://example.org/a/">', ("https://example.org/a/",)),
        ('<LINK HREF="../a/" REL="Canonical">', ("../a/",)),
        ('<link rel="alternate canonical" href=" /a ">', ("/a",)),
        ('<link rel="canonical" href=" \t/a\xa0\n">', ("/a\xa0",)),  # as browsers read it
        ('<link rel="canonical" href="/a?b=1&amp;c=2">', ("/a?b=1&c=2",)),
        ('<link rel="canonical" href="/a"><link rel="canonical" href="/b">', ("/a", "/b")),
        ('<link rel="canonical" href>', ()),
        ('<link rel="canonical">', ()),
        ('<link rel href="/a">', ()),
        ('<noscript><link rel="canonical" href="/a"></noscript>', ()),
    ],
)
def test_canonical_links_are_kept_as_written(head: str, canonicals: tuple[str, ...]) -> None:
    assert read_markup(page(head)) == Markup(canonicals=canonicals)


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=https://example.org/b/", "https://example.org/b/"),
        ("0;URL='../b/'", "../b/"),
        ("0; url=&quot;../b/&quot;", "../b/"),
        (" 5.5 , Url = b ", "b"),
        ("0 b.html", "b.html"),
        ("3", None),
        ("soon; url=b", None),
        # The page itself, again and again.
        ("30; url=", None),
    ],
)
@pytest.mark.parametrize("name", ["refresh", "Refresh "])
def test_targets_of_refreshes(name: str, content: str, target: str | None) -> None:
    assert read_markup(page(f'<meta http-equiv="{name}" content="{content}">')) == Markup(refresh=target)


@pytest.mark.parametrize(
    "head", ['<meta http-equiv content="0; url=a">', '<meta http-equiv="x-refresh" content="0; url=a">']
)
def test_only_the_first_refresh_with_a_target_counts(head: str) -> None:
    assert read_markup(page(head)) == Markup()
    tags = "".join(f'<meta http-equiv="refresh" content="{content}">' for content in ("30", "0; url=b", "0; url=c"))
    assert read_markup(page(head + tags)).refresh == "b"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("<HTML LANG=pt-BR class=no-js>", "pt-BR"),
        ('<html class="no-js" lang=" zh_Hans ">', "zh_Hans"),
        ("<html lang>", ""),
        ('<html xml:lang="en">', ""),
        ('<html lang="en" lang="fr">', "en"),
        ('<!-- <html lang="fr"> --><html lang="en">', "en"),
    ],
)
@pytest.mark.parametrize("rest", ["<head><title>a</title></head><body>", "<title>a</title>", "", '<body lang="fr">'])
def test_the_language_of_a_page(tag: str, language: str, rest: str) -> None:
    assert read_markup(f"<!doctype html>\n{tag}{rest}") == Markup(language=language)


@pytest.mark.parametrize(
    ("head", "hreflang"),
    [
        ('<link rel="alternate" hreflang="en" href="https://example.org/">', (("en", "https://example.org/"),)),
        ("<LINK HREF=/pt/ HREFLANG=PT_br REL=ALTERNATE>", (("PT_br", "/pt/"),)),
        ('<link rel="alternate" hreflang=" x-default " href=" ../ ">', (("x-default", "../"),)),
        ('<link rel="alternate" hreflang="en" href="/?a=1&amp;b=2">', (("en", "/?a=1&b=2"),)),
        ('<link rel="nofollow alternate" hreflang="en" href="/">', (("en", "/"),)),
        (
            '<link rel="alternate" hreflang="en" href="/a"><link rel="alternate" hreflang="en" href="/b">',
            (("en", "/a"), ("en", "/b")),
        ),
        ('<link rel="alternate" hreflang="en">', (("en", ""),)),
        ('<link rel="alternate" hreflang="klingon" href="/">', (("klingon", "/"),)),
        ('<link rel="alternate" hreflang href="/">', ()),
        ('<link rel="alternate" type="application/rss+xml" href="/feed.xml">', ()),
        ('<link rel="stylesheet" hreflang="en" href="/">', ()),
        ('<noscript><link rel="alternate" hreflang="en" href="/"></noscript>', ()),
    ],
)
def test_links_to_translations_are_kept_as_written(head: str, hreflang: tuple[tuple[str, str], ...]) -> None:
    assert read_markup(page(head)) == Markup(hreflang=hreflang)


def script(data: str, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{data}</script>'


def modified(when: str = "a", kind: str = "") -> str:
    """An object of structured data. Its kind is written as in JSON."""
    return f'{{"@type": {kind}, "dateModified": "{when}"}}' if kind else f'{{"dateModified": "{when}"}}'


MARCH = "2026-03-01T10:00:00+00:00"
PAGES = (
    *('"FAQPage"', '"NewsArticle"', '"BlogPosting"', '"https://schema.org/WebPage"', '"schema:HowTo"'),
    *('"APIReference"', '"CreativeWork"', '"Recipe"', '["X", "Report"]'),
)
OTHERS = ('"WebSite"', '"Review"', '["Person", 5]', '"ReportX"', '"XReport"', "5", '{"Article": 1}')


@pytest.mark.parametrize(
    ("head", "dates"),
    [
        (f'<meta property="article:modified_time" content="{MARCH}">', (MARCH,)),
        (f"<META CONTENT={MARCH} PROPERTY=article:modified_time>", (MARCH,)),
        ('<meta name="article:modified_time" content="2026-01-01">', ()),
        ('<template><meta property="article:modified_time" content="2026-01-01"></template>', ()),
        (script(modified(), " Application/LD+JSON "), ("a",)),
        (script(f"[{modified('a')}, {modified('b')}]"), ("a", "b")),
        (script(f'{{"@graph": [{modified("a")}, {{"name": "x"}}, {modified("b")}]}}'), ("a", "b")),
        (script(f'{{"@graph": {modified()}}}'), ("a",)),
        (script(modified("a")) + script("{") + script(modified("b")), ("a", "b")),
        (script(modified("a")) + '<meta property="article:modified_time" content="b">', ("b", "a")),
        (
            script(f'{{"@graph": [{modified("a")}], "dateModified": "b", "mainEntity": [{modified("c")}]}}'),
            ("b", "a", "c"),
        ),
        (script(f'{{"dateModified": "a", "mainEntity": {modified("b", OTHERS[2])}}}'), ("a",)),
        *((script(f"[{modified('a', kind)}, {modified('b', OTHERS[0])}]"), ("a",)) for kind in PAGES),
        *((script(modified("a", kind)), ()) for kind in OTHERS),
        (script(f'{{"author": {modified()}}}'), ()),
        (script(modified(), "application/json"), ()),
        (f"<script type>{modified()}</script>", ()),
        (f"<template>{script(modified())}</template>", ()),
    ],
)
def test_dates_of_the_last_change_are_kept_as_written(head: str, dates: tuple[str, ...]) -> None:
    assert read_markup(page(head)) == Markup(modified=dates)


@pytest.mark.parametrize(
    ("canonical", "item", "is_own"),
    [
        ("https://x.org/a/", '"url": "https://x.org/b/"', False),
        ("https://x.org/a/", '"@id": "http://x.org/"', False),
        ("https://x.org/a/", '"mainEntityOfPage": "https://x.org/a/b"', False),
        ("https://x.org/a/", '"mainEntityOfPage": {"@id": "https://x.org/b"}', False),
        ("https://x.org/a/", '"url": "https://x.org/a/", "@id": "https://x.org/b"', False),
        ("https://x.org/a/", '"url": "http://www.x.org:80/a/index.html?x=1"', True),
        ("https://x.org/a/", '"url": "https://x.org/a.html", "mainEntityOfPage": {"@type": "WebPage"}', True),
        ("https://x.org/a/index.html", '"mainEntityOfPage": {"@id": "https://x.org/a"}', True),
        ("https://x.org/%C3%A9", '"url": "https://x.org/é/"', True),
        ("https://x.org/", '"url": "https://x.org"', True),
        ("https://x.org/a/", '"@id": "https://x.org/#article"', True),
        ("https://x.org/a/", '"@id": "/b/", "url": "urn:b", "mainEntityOfPage": true', True),
        ("a/", '"url": "https://x.org/b/"', True),
        ("", '"url": "https://x.org/b/"', True),
    ],
)
def test_the_date_of_another_page_is_none_of_this_page(canonical: str, item: str, *, is_own: bool) -> None:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    data = script(f'{{"@type": "Article", "dateModified": "{MARCH}", {item}}}')
    assert read_markup(page(data + link)).modified == ((MARCH,) if is_own else ())


@pytest.mark.parametrize("element", ["noscript", "template"])
def test_a_date_that_browsers_ignore_is_ignored(element: str) -> None:
    """In a page without a head, because there the parser moves scripts out of ``noscript``, following the standard."""
    data = script('{"dateModified": "2026-03-01"}')
    assert read_markup(f"<p>text<{element}>{data}</{element}>") == Markup()
    assert read_markup(f"<p>text{data}") == Markup(modified=("2026-03-01",))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("null", id="null"),
        pytest.param("5", id="number"),
        pytest.param("9" * 5000, id="huge number"),
        pytest.param("[1, null, [[]], true]", id="list of mixed values"),
        pytest.param('[[{"dateModified": "a"}]]', id="list of lists"),
        pytest.param('{"@graph": [[], null, 5]}', id="graph of mixed values"),
        pytest.param('{"dateModified": 5}', id="date that is a number"),
        pytest.param('{"dateModified": {"@value": "2026-03-01"}}', id="date in a mapping"),
        pytest.param("[" * 100_000, id="deep lists"),
        pytest.param("[" * 900 + "]" * 900, id="lists that are almost too deep"),
        pytest.param('<!-- {"dateModified": "a"} -->', id="in a comment"),
    ],
)
def test_structured_data_of_any_kind_is_read_or_ignored(data: str) -> None:
    assert read_markup(page(script(data) + NOINDEX)) == Markup(robots=frozenset({"noindex"}))


def test_markup_in_the_text_of_a_page_is_ignored() -> None:
    shown = NOINDEX + '<link rel="canonical" href="/b"><meta http-equiv="refresh" content="0; url=/b">'
    shown += '<link rel="alternate" hreflang="en" href="/">'
    assert read_markup(page("<title>How to</title>", shown)) == Markup()


@pytest.mark.parametrize(
    ("own", "canonicals"),
    [
        ({"https://example.org/a/"}, ("https://example.org/a/", "/b")),
        ({"/b", None}, ("https://example.org/a/", "https://example.org/a/")),
    ],
)
def test_links_of_a_page_to_itself_are_moved_to_its_published_url(
    own: set[str | None], canonicals: tuple[str, ...]
) -> None:
    markup = Markup(canonicals=("https://example.org/a/", "/b"), hreflang=(("en", "/b"),))
    assert relocate(markup, own, "https://example.org/a/") == structs.replace(markup, canonicals=canonicals)


@pytest.mark.parametrize(
    ("head", "generators"),
    [
        ('<meta name="generator" content="Docusaurus v3.10.2">', ("Docusaurus v3.10.2",)),
        ("<META CONTENT='Hugo 0.168.0' NAME=Generator>", ("Hugo 0.168.0",)),
        (
            '<meta name="generator" content="Astro v5"><meta name="generator" content="Starlight v0">',
            ("Astro v5", "Starlight v0"),
        ),
        ('<meta name="generator" content=""><meta name="generator"><meta property="generator" content="x">', ()),
        ('<template><meta name="generator" content="x"></template>', ()),
    ],
)
def test_all_generators_of_a_page_are_kept(head: str, generators: tuple[str, ...]) -> None:
    assert read_markup(page(head)) == Markup(generators=generators)


# A "|" marks the real end of the head.
HEADS = [
    pytest.param("<head><title>a</title>|</head><body>b", id="end tag"),
    pytest.param("<head><title>a</title>|<body class='x'>b", id="body without an end of the head"),
    pytest.param("<head><header></header><bodyguard>|</head>", id="longer names"),
    pytest.param("<head><!-- </head> -->|</head><!-- -->", id="in a comment"),
    pytest.param("<head><script>'</head>'</script>|</head>", id="in a script"),
    pytest.param(
        f"<head><title>{'İ' * 40}</title><script>'</head>'</script>|</head></head></head>",
        id="letters that become longer in lower case",
    ),
    pytest.param('<head><meta name="description" content="the </head> tag">|</head>', id="in an attribute"),
    pytest.param("<head><title>The </head> tag</title>|</head>", id="in the title"),
    pytest.param("<head><title>a</title>|", id="no end"),
    pytest.param("|", id="empty page"),
]


@pytest.mark.parametrize("marked", HEADS)
def test_the_head_ends_where_it_ends_for_browsers(marked: str) -> None:
    head, _, rest = marked.partition("|")
    assert parse_head(head + rest)[1] == len(head)


@pytest.mark.parametrize(
    "between",
    [
        "<html>",
        '<html lang="en">',
        "<head>",
        "<!-- a -->",
        "\n<!-- a -- b -->\n<html>",
        "\n<!DOCTYPE html>\n<html>\n<head>",  # an extension wrote a head before the page
    ],
)
def test_tags_after_the_head_still_count_after_comments_and_second_start_tags(between: str) -> None:
    assert read_markup(f"<html><head></head>{between}{NOINDEX}<p>").robots == {"noindex"}
    assert read_markup(f"<html><head></head>{between}text{NOINDEX}<p>").robots == set()


fragments = st.sampled_from(
    [
        *("<head>", "</head>", "<body>", "</body>", "<!--", "-->", "<!-->", "<script>", "</script>", "<noscript>"),
        *(
            "</noscript>",
            "<template>",
            "</template>",
            "<title>",
            "</title>",
            NOINDEX,
            '<link rel="canonical" href="/a">',
            '<link rel="alternate" hreflang="en" href="/">',
            "<html lang=' en'>",
        ),
        *("<script type=application/ld+json>", '{"dateModified": "2026-03-01"}', "[", '{"@graph":', "]", "}"),
        '<meta property="article:modified_time" content="2026-03-01">',
        *('<meta http-equiv="refresh" content="0; url=/b">', "<svg>", "</svg>", "<", ">", '"', "'", "İ", "\x00", " "),
    ]
)
htmls = st.text() | st.lists(fragments | st.text(max_size=3)).map("".join)


@given(htmls)
def test_any_text_is_read(html: str) -> None:
    markup = read_markup(html)
    assert [token for token in markup.robots if not (token == token.strip().lower() != "")] == []
    assert all(markup.canonicals)
    assert markup.language == markup.language.strip()
    assert all(code == code.strip() for code, _ in markup.hreflang)
    assert [when for when in markup.modified if not isinstance(when, str)] == []


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["dateModified", "@graph", "@type"]) | st.text(), inner)
    ),
    max_leaves=8,
)


@given(json_like)
def test_dates_from_any_structured_data_are_text(data: object) -> None:
    markup = read_markup(page(script(json.dumps(data).replace("<", "\\u003c"))))
    assert markup == Markup(modified=markup.modified)
    assert [when for when in markup.modified if not isinstance(when, str)] == []
    if (
        isinstance(data, dict)
        and data.keys().isdisjoint({"@graph", "@type", "mainEntity"})
        and isinstance(data.get("dateModified"), str)
    ):
        assert markup.modified == (data["dateModified"],)


@given(htmls)
def test_the_head_ends_at_a_tag_that_ends_it_or_with_the_page(html: str) -> None:
    _, end, _ = parse_head(html)
    assert end == len(html) or html[end:].lower().startswith(("</head", "<body"))


@given(htmls)
def test_bytes_are_parsed_like_text(html: str) -> None:
    text, octets = parse_head(html), parse_head(html.encode())
    assert (octets.document.html, octets.cut) == (text.document.html, text.cut)
    assert octets.end == len(html[: text.end].encode())


# Written by sphinx-reredirects 1.1.
REREDIRECTS = (
    '<html><head><noscript><meta http-equiv="refresh" content="0; url=new.html" /></noscript>'
    '<script>var target = "new.html";if (window.location.hash) {window.location.replace(target + window.location.hash);}'
    " else {window.location.replace(target);}</script></head></html>"
)


class TestRedirectsByScript:
    """CAN-05: readers without scripts are redirected by a refresh, all others by a script."""

    @pytest.mark.parametrize(
        "html",
        [
            REREDIRECTS,
            page('<noscript><meta http-equiv="refresh" content="0; url=new.html"></noscript>', "<script>location = 'new.html'</script>"),
            page("<script>location.href='new.html'</script><noscript><META HTTP-EQUIV=Refresh CONTENT='1;new.html'></noscript>"),
            page("<script>window.location.assign ('n')</script><noscript><meta http-equiv=refresh content='0;new.html'></noscript>"),
        ],
    )  # fmt: skip
    def test_count(self, html: str) -> None:
        assert read_markup(html).refresh == "new.html"

    REFRESH = '<meta http-equiv="refresh" content="0; url=plain/">'

    @pytest.mark.parametrize(
        ("refresh", "script"),
        [
            (f"<noscript>{REFRESH}</noscript>", ""),
            (
                f"<noscript>{REFRESH}</noscript>",
                "if (location.href == 'a' && location === b) { allocation = 1; history.replace('x') }",
            ),
            ("<noscript></noscript>", "location.replace('login')"),
            (f"<template>{REFRESH}</template>", "location = 'a'"),
            (f"<template><noscript>{REFRESH}</noscript></template>", "location = 'a'"),
        ],
        ids=["no script", "a script that only reads", "no refresh", "template", "noscript in a template"],
    )
    def test_count_only_together(self, refresh: str, script: str) -> None:
        assert read_markup(page(f"{refresh}<script>{script}</script>")).refresh is None


class TestCanonicalLinks:
    """CAN-03: only canonical links count that search engines accept as the page's own."""

    CANONICAL = '<link rel="canonical" href="/a/">'

    @pytest.mark.parametrize(
        "attribute",
        ['media="print"', 'hreflang="de"', 'lang="de"', 'type="text/html"', "media", 'href="JavaScript:void(0)"'],
    )
    def test_for_another_purpose_are_ignored(self, attribute: str) -> None:
        link = f'<link rel="canonical" {attribute} href="/b/">'
        assert read_markup(page(link)).canonicals == ()
        assert read_markup(page(f"{link}{self.CANONICAL}")).canonicals == ("/a/",)

    @pytest.mark.parametrize("element", ["<div></div>", "<p>text", "<img src=a>", "text"])
    def test_after_an_element_of_the_body_are_ignored_but_noindex_is_not(self, element: str) -> None:
        markup = read_markup(page(f"{element}{self.CANONICAL}{NOINDEX}"))
        assert markup == Markup(robots=frozenset({"noindex"}))

    @pytest.mark.parametrize(
        ("base", "href", "expected"),
        [
            ('<base href="https://example.org/docs/">', "a/", "https://example.org/docs/a/"),
            ('<base href="/docs/">', "../a/", "/a/"),
            ('<base target="_blank"><base href="/docs/"><base href="/other/">', "a/", "/docs/a/"),
            ('<base href="/docs/">', "https://example.org/a/", "https://example.org/a/"),
            ('<base href="http://[">', "a/", "a/"),
            ("<base>", "a/", "a/"),
        ],
    )
    def test_and_redirects_are_relative_to_the_base_element(self, base: str, href: str, expected: str) -> None:
        links = f'<link rel="canonical" href="{href}"><link rel="alternate" hreflang="de" href="{href}">'
        markup = read_markup(page(f'{base}{links}<meta http-equiv="refresh" content="0; url={href}">'))
        assert markup == Markup(canonicals=(expected,), refresh=expected, hreflang=(("de", expected),))


@pytest.mark.parametrize(
    "between",
    [
        "",
        "\n  ",
        "<script>var a = '<div>'</script>",
        "<style>p{}</style>\n<title>t</title>",
        '<link rel="icon" href="a">',
    ],
)
def test_tags_of_the_head_count_directly_after_it_too(between: str) -> None:
    html = f"<html><head><title>t</title></head>{between}{NOINDEX}<body><p>text</body></html>"
    assert read_markup(html).robots == {"noindex"}


@pytest.mark.parametrize(
    ("content", "target"),
    [("0" + " " * 50_000 + "url=", None), ("0;x" + " " * 50_000 + "y", "x" + " " * 2047), ("0" * 50_000 + ";", None)],
)
def test_a_refresh_of_any_length_is_read_quickly(content: str, target: str | None) -> None:
    assert read_markup(page(f'<meta http-equiv="refresh" content="{content}">')).refresh == target


def test_links_of_any_length_are_cut_so_that_they_remain_too_long() -> None:
    """SM-LOC-03."""
    url = "https://example.org/" + "a/" * 2000
    links = f'<link rel=canonical href="{url}"><link rel=alternate hreflang=de href="{url}">'
    markup = read_markup(page(links))
    assert markup.canonicals == (url[:2048],)
    assert markup.hreflang == (("de", url[:2048]),)


def test_only_a_few_thousand_links_to_translations_are_read() -> None:
    links = "".join(f"<link rel=alternate hreflang=de href={number}>" for number in range(3000))
    assert len(read_markup(page(f"<link rel=icon href=x>{links}")).hreflang) == 2000
