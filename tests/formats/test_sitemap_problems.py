"""What is wrong in a sitemap is reported with its place, and nothing that is right is."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugins.formats.problems import Problem, date_fault, language_fault, url_faults
from sitemap_plugins.formats.sitemap_checking import read_checked, read_text
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_index, read_sitemap
from tests.formats.test_sitemap_reading import BILLION_LAUGHS, EXTERNAL_ENTITY, INDEX, SHAPES

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
GOOGLE = "http://www.google.com/schemas/sitemap"
ROOT = (
    f'<urlset xmlns="{NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="{GOOGLE}-image/1.1" '
    f'xmlns:video="{GOOGLE}-video/1.1" xmlns:news="{GOOGLE}-news/0.9" xmlns:mobile="{GOOGLE}-mobile/1.0">\n'
)
LOC = "<loc>https://a.org/</loc>"
VIDEO = (
    "<video:thumbnail_loc>https://v.org/a.jpg</video:thumbnail_loc><video:title>T</video:title>"
    "<video:description>D</video:description><video:content_loc>https://v.org/a.mp4</video:content_loc>"
)
NEWS = (
    "<news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-03-01</news:publication_date><news:title>T</news:title>"
)


def problems_in(content: str | bytes) -> list[Problem]:
    found: list[Problem] = []
    try:
        read_checked(content.encode() if isinstance(content, str) else content, found.append)
    except SitemapError:
        assert found
    return found


def entry(children: str) -> str:
    return f"{ROOT}<url>{children}</url>\n</urlset>"


def link(code: str, href: str = "https://a.org/", rel: str = "alternate") -> str:
    return f'<xhtml:link rel="{rel}" hreflang="{code}" href="{href}"/>'


def video(children: str) -> str:
    return entry(f"{LOC}<video:video>{children}</video:video>")


GOOD = {
    "plain": entry(LOC),
    "all fields": entry(
        f"{LOC}<lastmod>2026-03-01T09:00:00.5+05:45</lastmod><changefreq>never</changefreq><priority>1</priority>"
    ),
    "links": entry(LOC + link("en") + link("pt-BR") + link("zh-Hans") + link("x-default") + link("EN-gb")),
    "a link for phones": entry(f'{LOC}<xhtml:link rel="alternate" media="only screen" href="https://m.a.org/"/>'),
    "a link that is something else": entry(f'{LOC}<xhtml:link rel="canonical" href="https://a.org/"/>'),
    "image": entry(f"{LOC}<image:image><image:loc>https://i.org/ü b.png</image:loc></image:image>".replace(" b", "")),
    "video": video(
        f"{VIDEO}<video:duration>28800</video:duration><video:rating>5.0</video:rating><video:view_count>0"
        '</video:view_count><video:tag>a</video:tag><video:tag>b</video:tag><video:restriction relationship="allow">'
        "DE FR</video:restriction><video:live>no</video:live>"
    ),
    "news": entry(f"{LOC}<news:news>{NEWS}</news:news>"),
    "an extension of another tool": entry(f"{LOC}<x:note xmlns:x='urn:x'><x:loc/><loc xmlns='urn:y'/></x:note>"),
    "encoded": entry("<loc>https://a.org/%C3%BC/a%20b?x=1&amp;y=%25&amp;z=a%2Fb</loc>"),
    "punycode": entry("<loc>https://xn--bcher-kva.example/</loc>"),
    "1,024 characters": entry(f"<loc>https://a.org/{'a' * (1024 - 14)}</loc>"),
    "an index": f'<sitemapindex xmlns="{NAMESPACE}"><sitemap>{LOC}<lastmod>2026-03-01</lastmod></sitemap></sitemapindex>',
    "ASCII that is declared as something else": '<?xml version="1.0" encoding="ISO-8859-1"?>' + entry(LOC),
}

# What is in the line after the root, the kind, the element to which the place leads, and what is said about it.
BAD = [
    ("<loc></loc>", "invalid-url", "<loc", " has no URL"),
    ("<lastmod>2026-03-01</lastmod>", "invalid-url", "<url", "url has no loc"),
    ("<loc>/a/</loc>", "invalid-url", "<loc", "/a/ is not an absolute http:// or https:// URL"),
    ("<loc>https://a.org/a b</loc>", "invalid-url", "<loc", "https://a.org/a b has white space in it"),
    ("<loc>https://a.org/\u00a0</loc>", "invalid-url", "<loc", "https://a.org/\u00a0 has white space in it"),
    ("<loc>https://a.org/\u0085</loc>", "invalid-url", "<loc", "https://a.org/\u0085 has a control character in it"),
    ("<loc>https://a.org/100%</loc>", "invalid-url", "<loc", "https://a.org/100% has a % that is not followed by two hexadecimal digits"),
    ("<loc>https://u:p@a.org/</loc>", "invalid-url", "<loc", "https://u:p@a.org/ has a user name or password in it"),
    ("<loc>https://a.org/?utm_source=x</loc>", "invalid-url", "<loc", "https://a.org/?utm_source=x has the parameter utm_source, which identifies visitors"),
    (f"<loc>https://a.org/{'a' * (1025 - 14)}</loc>", "long-url", "<loc", f"https://a.org/{'a' * 285}… has 1,025 characters"),
    (f"<loc>https://a.org/{'a' * (2047 - 14)}</loc>", "long-url", "<loc", f"https://a.org/{'a' * 285}… has 2,047 characters"),
    (f"<loc>https://a.org/{'a' * 2034}</loc>", "invalid-url", "<loc", f"https://a.org/{'a' * 285}… is longer than 2,047 characters"),
    (f"<loc>https://a.org/{'ü' * 400}</loc>", "invalid-url", "<loc", f"https://a.org/{'ü' * 285}… is 2,414 characters long when encoded"),
    ("<loc>https://a.org/ü</loc>", "unencoded-url", "<loc", "https://a.org/ü has 'ü', which must be percent-encoded"),
    ("<loc>https://a.org/{x}</loc>", "unencoded-url", "<loc", "https://a.org/{x} has '{', which must be percent-encoded"),
    ("<loc>https://a.org/%2520</loc>", "double-encoding", "<loc", "https://a.org/%2520 has a character that is percent-encoded twice"),
    ("<loc>https://a.org/?a&amp;amp;b</loc>", "double-escaping", "<loc", "https://a.org/?a&amp;b has a character that is escaped twice"),
    ("<loc>https://a.org/#b</loc>", "url-fragment", "<loc", "https://a.org/#b has a fragment (#), which search engines ignore"),
    ("<loc>http://localhost:8000/</loc>", "preview-host", "<loc", "http://localhost:8000/ is local to one machine or network"),
    ("<loc>https://deploy-preview-1--a.netlify.app/</loc>", "preview-host", "<loc", "https://deploy-preview-1--a.netlify.app/ is the address of a preview at Netlify"),
    (f"{LOC}{LOC}", "two-locs", "<loc", "loc occurs twice in one entry"),
    (f"{LOC}<priority>1</priority><priority>1</priority>", "duplicate-element", "<priority", "priority occurs twice in one entry"),
    (f"{LOC}<lastmod>2026-02-30</lastmod>", "invalid-date", "<lastmod", "2026-02-30 is not a date that exists"),
    (f"{LOC}<lastmod>2026-02-01T10:00:00+01:60</lastmod>", "invalid-date", "<lastmod", "2026-02-01T10:00:00+01:60 is not a date that exists"),
    (f"{LOC}<lastmod></lastmod>", "invalid-date", "<lastmod", " is empty"),
    (f"{LOC}<changefreq>Daily</changefreq>", "invalid-changefreq", "<changefreq", "Daily is not one of always, hourly, daily, weekly, monthly, yearly, never"),
    (f"{LOC}<priority>1e0</priority>", "invalid-priority", "<priority", "1e0 is not a number from 0.0 to 1.0"),
    (f"{LOC}<lastmod>2026-03</lastmod>", "schema-only", "<lastmod", "2026-03 is a valid date that the schema of the protocol rejects"),
    (f"<priority>1</priority>{LOC}", "schema-only", "<loc", "loc comes later or earlier than the schema of the protocol allows"),
    (f"{LOC}{link('en')}<lastmod>2026-03-01</lastmod>", "schema-only", "<lastmod", "lastmod comes later or earlier than the schema of the protocol allows"),
    (f"{LOC}<expires>2026-03-01</expires>", "unknown-element", "<expires", "expires is not an element of the protocol or its extensions"),
    (f"{LOC}<x xmlns=''/>", "unknown-element", "<x", "x is not an element of the protocol or its extensions"),
    (f"{LOC}<lastmod><b xmlns='{NAMESPACE}'/>2026-03-01</lastmod>", "unknown-element", "<b", "b is in an element that has only text"),
    (f"{LOC}<news:news>{NEWS}<news:amp/></news:news>", "unknown-element", None, "news:amp is not an element of the protocol or its extensions"),
    (f"{LOC}<news:news>{NEWS}<news:keywords/></news:news>", "retired-tag", None, "news:keywords is a tag that search engines no longer read"),
    (f"{LOC}<mobile:mobile/>", "retired-tag", "<mobile:mobile", "mobile:mobile is a tag that search engines no longer read"),
    (f"{LOC}{link('gr')}", "language-code", "<xhtml:link", "gr is not a language code that search engines know"),
    (f"{LOC}{link('en_GB')}", "language-code", "<xhtml:link", "en_GB is not in the form of hreflang"),
    (f"{LOC}{link('es-419')}", "language-code", "<xhtml:link", "es-419 has a UN M.49 region, but hreflang accepts only countries"),
    (f"{LOC}{link('kr')}", "language-code", "<xhtml:link", "kr is valid, but probably 'ko' is meant"),
    (f"{LOC}{link('en')}{link('EN')}", "language-code", "<xhtml:link", "EN is linked twice"),
    (f"{LOC}{link('en')}{link('en', 'https://a.org/b')}", "language-code", "<xhtml:link", "en is linked with two URLs"),
    (f"{LOC}{link('x-default')}{link('x-default', 'https://a.org/b')}", "language-code", "<xhtml:link", "x-default is linked with two URLs"),
    (f"{LOC}{link('xyz')}", "rare-language-code", "<xhtml:link", "xyz is a three-letter code, which not all search engines know"),
    (f"{LOC}{link('en', '/b')}", "alternate-link", "<xhtml:link", "/b is not an absolute http:// or https:// URL"),
    (f"{LOC}{link('en', rel='canonical')}", "alternate-link", "<xhtml:link", 'en has no rel="alternate"'),
    (f"{LOC}<xhtml:link rel='alternate' hreflang='en'/>", "alternate-link", "<xhtml:link", "en has no URL"),
    (f"{LOC}<image:image/>", "image-field", "<image:image", "image:loc is missing"),
    (f"{LOC}<image:image><image:loc>data:image/png;base64,AA</image:loc></image:image>", "image-field", "<image:loc", "image:loc data:image/png;base64,AA is a data: URL, which search engines do not fetch"),
    (f"{LOC}<news:news>{NEWS.replace('en', 'english')}</news:news>", "news-field", None, "news:language english is not a language code of two or three letters, zh-cn or zh-tw"),
    (f"{LOC}<news:news>{NEWS.replace('2026-03-01', 'today')}</news:news>", "news-field", None, "news:publication_date today is not in the form of W3C Datetime, such as 2026-03-01"),
    *(
        (f"{LOC}<video:video>{VIDEO}{more}</video:video>", "video-field", None, what)
        for more, what in (
            ("<video:duration>0</video:duration>", "video:duration 0 is not a number of seconds from 1 to 28,800"),
            ("<video:rating>6</video:rating>", "video:rating 6 is not a number from 0.0 to 5.0"),
            ("<video:view_count>many</video:view_count>", "video:view_count many is not a number"),
            ("<video:publication_date>1.3.26</video:publication_date>", "video:publication_date 1.3.26 is not in the form of W3C Datetime, such as 2026-03-01"),
            ("<video:family_friendly>true</video:family_friendly>", "video:family_friendly true is neither yes nor no"),
            ("<video:restriction>DE</video:restriction>", 'video:restriction DE needs the attribute relationship="allow" or "deny"'),
            ("<video:platform relationship='deny'>phone</video:platform>", "video:platform phone has a word that is not web, mobile or tv"),
            (f"<video:uploader>{'u' * 256}</video:uploader>", f"video:uploader {'u' * 256} is 256 characters long; at most 255 are allowed"),
            ("<video:tag>a</video:tag>" * 33, "video:tag a occurs more than 32 times"),
            ("<video:live>no</video:live><video:live>no</video:live>", "video:live no occurs twice"),
        )
    ),
    (f"{LOC}<video:video>{VIDEO.replace('content_loc', 'x')}</video:video>", "video-field", "<video:video", "video:content_loc is missing, and so is player_loc; one of them is required"),
]  # fmt: skip


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_a_valid_sitemap_has_no_problem(content: str) -> None:
    assert problems_in(content) == []


@pytest.mark.parametrize(("children", "kind", "element", "what"), BAD)
def test_a_problem_has_its_kind_its_place_and_an_explanation(
    children: str, kind: str, element: str | None, what: str
) -> None:
    problems = [each for each in problems_in(entry(children)) if each.kind == kind]
    assert [f"{each.text} {each.why}" for each in problems] == [what]
    line = entry(children).splitlines()[1]
    assert [each.line for each in problems] == [2]
    assert [line[each.column - 1] for each in problems] == ["<"]
    if element:
        assert [each.column - 1 for each in problems] == [line.rindex(element)]


@pytest.mark.parametrize(
    ("content", "kind", "place", "text"),
    [
        (entry("<loc>https://a.org/?a=1&b=2</loc>"), "unescaped-ampersand", (2, 31), "&b"),
        (entry("<loc>https://a.org/&quote;</loc>"), "unescaped-ampersand", (2, 25), "&quote;"),
        (entry("<loc>https://a.org/&nbsp;</loc>"), "unescaped-ampersand", (2, 25), "&nbsp;"),
        (entry("<loc>a & b</loc>"), "unescaped-ampersand", (2, 14), "&"),
        (entry(f"{LOC}<x:y/>"), "undeclared-namespace", (2, 31), "x:y"),
        (entry(f"{LOC}</urlset>"), "unreadable", (2, 33), ""),
        (entry("<loc>\x0b</loc>"), "unreadable", (2, 11), ""),
        (entry(LOC)[:-10], "unreadable", (2, 37), ""),
        ("", "unreadable", (1, 1), ""),
        (f"\n{entry(LOC)}".replace("\n", "\n<?xml version='1.0'?>", 1), "unreadable", (2, 1), ""),
        (entry("<a>" * 200), "unreadable", (2, 303), ""),
        (entry("<loc>https://a.org/ü</loc>").encode("latin-1"), "not-utf8", (2, 25), ""),
        (b"<?xml version='1.0' encoding='utf-7'?><urlset/>", "unreadable", (1, 1), ""),
        (b"<!doctype html><title>Not found</title>", "not-a-sitemap", (1, 1), ""),
        (b"<html lang=en><title>Not found</title>", "not-a-sitemap", (1, 12), ""),
        (b"<feed/>", "not-a-sitemap", (1, 8), ""),
        (BILLION_LAUGHS, "doctype", (2, 16), ""),
        (EXTERNAL_ENTITY, "doctype", (1, 18), ""),
        (gzip.compress(INDEX, mtime=0), "unreadable", (1, 1), ""),
        (entry(f"{LOC}</url><url>" * 50_001), "too-large", (2, 1800037), ""),
        *(
            (f"<!-- here -->\n<urlset xmlns='{uri}'/>", "wrong-namespace", (2, 1), "")
            for uri in (
                NAMESPACE.replace("http", "https"), f"{NAMESPACE}/", NAMESPACE.replace("schemas", "shemas"),
                "http://www.google.com/schemas/sitemap/0.84", "",
            )
        ),
    ],
)  # fmt: skip
def test_what_makes_a_file_unusable_is_the_last_problem(
    content: str | bytes, kind: str, place: tuple[int, int], text: str
) -> None:
    last = problems_in(content)[-1]
    assert (last.kind, (last.line, last.column), last.text) == (kind, place, text)
    assert last.why


URLSET, SITEMAPS = (f'<{root} xmlns="{NAMESPACE}"' for root in ("urlset", "sitemapindex"))
AN_IMAGE = "<image:image><image:loc>https://i.org/a</image:loc></image:image>"


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        (b"\xef\xbb\xbf" + entry(LOC).encode(), ["byte-order-mark"]),
        (f'<?xml version="1.0" encoding="ISO-8859-1"?>{entry(f"{LOC}<!-- ü -->")}'.encode("latin-1"), ["not-utf8"]),
        (entry(LOC).encode("utf-16"), ["not-utf8"]),
        (f"{URLSET}/>", ["empty-sitemap"]),
        (f"{SITEMAPS}/>", ["empty-sitemap"]),
        (f"{URLSET}><sitemap>{LOC}</sitemap></urlset>", ["unknown-element", "empty-sitemap"]),
        (f"{SITEMAPS}><url/><sitemap>{LOC}<changefreq/></sitemap></sitemapindex>", ["unknown-element"] * 2),
        (f"{URLSET} xmlns:i='{GOOGLE}-image/1.0'><url>{LOC}<i:image/><i:image/></url></urlset>", ["wrong-namespace"]),
        (
            f"{URLSET} xmlns:i='{GOOGLE}-image/1.1'><url>{LOC}</url><i:image/><url>{LOC}</url></urlset>",
            ["unknown-element"],
        ),
        (f"{URLSET} xmlns:x='http://www.w3.org/1999/xhtml'><x:link/><url>{LOC}</url></urlset>", ["unknown-element"]),
        (f"{URLSET} xmlns:x='https://www.w3.org/1999/xhtml'><url>{LOC}</url></urlset>", []),
        (f"{ROOT}<url>{LOC}{AN_IMAGE * 1001}</url></urlset>", ["image-field"]),
        (f"{ROOT}{f'<url>{LOC}<news:news>{NEWS}</news:news></url>' * 1001}</urlset>", ["news-field"]),
    ],
)
def test_problems_of_the_file_as_a_whole(content: str | bytes, kinds: list[str]) -> None:
    assert [each.kind for each in problems_in(content)] == kinds


def test_a_sitemap_that_lists_nothing_has_no_url_to_blame() -> None:
    found = problems_in(f'<urlset xmlns="{NAMESPACE}"><sitemap>{LOC}</sitemap></urlset>')
    assert [each.url for each in found] == ["", ""]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, None) for text in ("2026-03-01", "2026-03-01T09:00:00Z", "2026-03-01T09:00:00.1234567-11:00")),
        *((text, "schema-only") for text in ("2026", "2026-03", "2026-03-01T09:00Z", "2026-03-01T09:00+01:00")),
        *(
            (text, "invalid-date")
            for text in (
                "2026-03-01Z", "2026-03-01T09:00:00", "2026-03-01T24:00:00Z", "2026-13", "2026-02-30", "0000",
                "2026-03-01 09:00:00Z", "2026-3-1", "01.03.2026", "20260301", "2026-03-01T09:00:00+0100", "",
                "\uff12026-03-01", "2026-03-01T09Z", "2026-03-01T09:61Z",
            )
        ),
    ],
)  # fmt: skip
def test_dates_are_w3c_dates(text: str, kind: str | None) -> None:
    """SM-MOD-01."""
    fault = date_fault(text)
    assert (fault and fault.kind) == kind


@pytest.mark.parametrize(
    ("code", "expected"),
    [("en-UK", "en-GB"), ("gr", "el"), ("jp", "ja"), ("cz", "cs"), ("dk", "da"), ("kr", "ko"), ("cn", "zh"),
     ("ua", "uk"), ("us-en", "en-US"), ("es-419", "es"), ("deu", "de"), ("pt_BR", "pt-BR"), ("sr@latin", "sr-Latn"),
     ("xx", ""), ("english", "")],
)  # fmt: skip
def test_a_wrong_code_comes_with_the_one_that_is_meant(code: str, expected: str) -> None:
    """HL-06, HL-07."""
    fault = language_fault(code)
    assert fault
    assert (fault.kind, fault.expected) == ("language-code", expected)
    assert "did you mean" not in fault.why


def test_a_url_may_have_several_faults() -> None:
    assert [each.kind for each in url_faults("https://a.org/ü%2520?a&amp;b#c")] == [
        "double-escaping", "double-encoding", "unencoded-url", "url-fragment",
    ]  # fmt: skip


def test_a_text_sitemap_has_one_url_on_each_line() -> None:
    """SM-TXT-01, SM-TXT-02."""
    problems: list[Problem] = []
    found = read_text(b"\xef\xbb\xbfhttps://a.org/\r\n\n/b\nhttps://a.org/ c\n", problems.append)
    assert [(each.entry.loc, each.line) for each in found] == [
        ("https://a.org/", 1),
        ("/b", 3),
        ("https://a.org/ c", 4),
    ]
    assert [(each.kind, each.line) for each in problems] == [
        ("byte-order-mark", 1), ("invalid-url", 3), ("invalid-url", 4),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "kind", "line"),
    [
        (b"https://a.org/\n\xff", "not-utf8", 2),
        (b"https://a.org/\n" * 50_001, "too-large", 50_001),
        (b"\n", "empty-sitemap", 1),
    ],
)
def test_a_text_sitemap_that_is_none(content: bytes, kind: str, line: int) -> None:
    problems: list[Problem] = []
    try:
        assert read_text(content, problems.append) == []
    except SitemapError:
        assert kind != "empty-sitemap"
    assert [(each.kind, each.line) for each in problems] == [(kind, line)]


@pytest.mark.parametrize(("xml", "entries"), SHAPES.values(), ids=SHAPES)
def test_reading_with_problems_gives_the_same_entries(xml: str, entries: object) -> None:
    checked = read_checked(xml.encode(), lambda _: None)
    assert tuple(each.entry for each in checked.listed) == entries
    assert [each for each in checked.listed if xml.splitlines()[each.line - 1][each.column - 1] != "<"] == []


def test_the_children_of_an_index_have_their_places() -> None:
    checked = read_checked(INDEX, lambda _: None)
    assert checked.kind == "index"
    assert [(each.loc, each.line) for each in checked.listed] == [(loc, 1) for loc in read_index(INDEX) or ()]


SAMPLE = (
    entry(LOC + "<lastmod>2026-03-01</lastmod>" + link("en") + f"<video:video>{VIDEO}</video:video>") + "\n"
).encode()
PIECES = st.sampled_from(
    [b"<", b">", b"&", b"</url>", b"<url>", b"<loc>", b"\x00", b"\xff", b"&amp;", b" xmlns=''", b"<!DOCTYPE a>", b"]]>",
     b"<lastmod>", b"\xef\xbb\xbf", b"%zz", b"<?x?>", b"<video:video>", b"</video:video>", b"<xhtml:link hreflang='a'/>"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_changed_sitemap_is_read_as_without_problems(data: st.DataObject) -> None:
    content = SAMPLE
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 40)))
        content = content[:start] + data.draw(st.one_of(PIECES, st.binary(max_size=3))) + content[end:]
    problems: list[Problem] = []
    try:
        checked = read_checked(content, problems.append)
    except SitemapError as error:
        with pytest.raises(SitemapError) as same:
            read_index(content) or read_sitemap(content)
        assert str(same.value) == str(error)
        assert problems
    else:
        if (locs := read_index(content)) is not None:
            assert tuple(each.loc for each in checked.listed) == locs
        else:
            assert tuple(each.entry for each in checked.listed) == read_sitemap(content)
    lines = content.count(b"\n") + content.count(b"\r") + 1
    assert [each for each in problems if not (1 <= each.line <= lines and each.column >= 1)] == []
