"""Images, videos and news in sitemaps of any origin: invalid parts are left out, and nothing raises."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap
from sitemap_plugins.formats.sitemap_xml import IMAGE, NAMESPACE, NEWS, VIDEO, XHTML
from sitemap_plugins.media import Image, News, Restriction, Video
from sitemap_plugins.model import Alternate, Entry

LOC = "https://example.org/"
REQUIRED = {"thumbnail_loc": "t", "title": "A title", "description": "A description", "player_loc": "p"}
LEAST = Video(**REQUIRED)


def urlset(*children: str) -> bytes:
    namespaces = (
        f'xmlns="{NAMESPACE}" xmlns:image="{IMAGE}" xmlns:video="{VIDEO}" xmlns:news="{NEWS}" xmlns:x="{XHTML}"'
    )
    return f"<urlset {namespaces}><url>{''.join(children)}</url></urlset>".encode()


def read(*children: str) -> Entry:
    (entry,) = read_sitemap(urlset(f"<loc>{LOC}</loc>", *children))
    return entry


def video(values: Mapping[str, str], more: str = "") -> str:
    elements = "".join(f"<video:{name}>{text}</video:{name}>" for name, text in values.items())
    return f"<video:video>{elements}{more}</video:video>"


def news(name: str = "N", language: str = "en", when: str = "2026-03-01", title: str = "T", more: str = "") -> str:
    publication = (
        f"<news:publication><news:name>{name}</news:name><news:language>{language}</news:language></news:publication>"
    )
    return f"<news:news>{publication}<news:publication_date>{when}</news:publication_date><news:title>{title}</news:title>{more}</news:news>"


@pytest.mark.parametrize(
    ("children", "locs"),
    [
        ("<image:image><image:loc>\n\ta&amp;b &#32;</image:loc></image:image>", ["a&b"]),
        ("<image:image><image:loc><![CDATA[a&b]]><!-- c --><?d?></image:loc></image:image>", ["a&b"]),
        ("<image:image><image:loc>a</image:loc></image:image>" * 3, ["a", "a", "a"]),
        ("<image:image><image:loc>a</image:loc><image:loc>b</image:loc></image:image>", ["a"]),
        # Retired elements are ignored.
        (
            "<image:image><image:caption>c</image:caption><image:loc>a</image:loc><image:title>t</image:title></image:image>",
            ["a"],
        ),
        ("<image:image><image:loc/></image:image>", []),
        ("<image:image><image:loc> </image:loc><image:loc>b</image:loc></image:image>", []),
        ("<image:image><loc>a</loc></image:image>", []),
        ("<image:image><video:loc>a</video:loc></image:image>", []),
        ("<image:image><image:b><image:loc>a</image:loc></image:b></image:image>", []),
        ("<image:loc>a</image:loc>", []),
        ("<other><image:image><image:loc>a</image:loc></image:image></other>", []),
        (f'<i:image xmlns:i="{IMAGE}"><i:loc>a</i:loc></i:image>', ["a"]),
    ],
)
def test_an_image_is_read_as_its_url(children: str, locs: list[str]) -> None:
    assert read(children) == Entry(loc=LOC, images=tuple(Image(loc=loc) for loc in locs))


def test_the_text_of_an_image_does_not_belong_to_the_page() -> None:
    image = "<image:image><image:loc>a</image:loc></image:image>"
    (entry,) = read_sitemap(urlset(image, f"<loc>{LOC}</loc>", image, "<priority>0.5</priority>"))
    assert entry == Entry(loc=LOC, priority=0.5, images=(Image(loc="a"), Image(loc="a")))


def test_fields_of_the_page_within_an_extension_are_ignored() -> None:
    entry = read("<image:image><loc>b</loc><lastmod>2026-03-01</lastmod><image:loc>a</image:loc></image:image>")
    assert entry == Entry(loc=LOC, images=(Image(loc="a"),))


def test_only_links_outside_an_extension_are_alternates() -> None:
    link = '<x:link rel="alternate" hreflang="fr" href="f"/>'
    entry = read(f"<image:image>{link}<image:loc>a</image:loc></image:image>", link)
    assert entry == Entry(loc=LOC, images=(Image(loc="a"),), alternates=(Alternate(hreflang="fr", href="f"),))


def test_extensions_belong_to_their_own_page_only() -> None:
    image = "<image:image><image:loc>{}</image:loc></image:image>"
    head, _, tail = urlset("|").decode().partition("|")
    pages = [image.format("a"), f"<loc>b</loc>{image.format('b')}", "<loc>c</loc>", f"<loc>d</loc>{video(REQUIRED)}"]
    assert read_sitemap((head + "</url><url>".join(pages) + tail).encode()) == (
        Entry(loc="b", images=(Image(loc="b"),)),
        Entry(loc="c"),
        Entry(loc="d", videos=(LEAST,)),
    )


def test_extensions_outside_pages_are_ignored() -> None:
    image = "<image:image><image:loc>a</image:loc></image:image>"
    xml = urlset(f"<loc>{LOC}</loc>").decode()
    assert read_sitemap(xml.replace("<url>", f"{image}<url>").encode()) == (Entry(loc=LOC),)
    assert read_sitemap(xml.replace("<url>", f"<other>{image}</other><url>").encode()) == (Entry(loc=LOC),)


@pytest.mark.parametrize("missing", REQUIRED)
@pytest.mark.parametrize("value", [None, "", " \n"])
def test_a_video_without_a_required_field_is_left_out(missing: str, value: str | None) -> None:
    values = {name: text for name, text in (REQUIRED | {missing: value}).items() if text is not None}
    assert read(video(values)) == Entry(loc=LOC)
    assert read(video(values), video(REQUIRED)) == Entry(loc=LOC, videos=(LEAST,))


@pytest.mark.parametrize("name", ["content_loc", "player_loc"])
def test_a_video_needs_only_one_of_file_and_player(name: str) -> None:
    values = {key: text for key, text in REQUIRED.items() if key != "player_loc"} | {name: "x"}
    assert read(video(values)).videos == (Video(**values),)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("title", "t" * 100, "t" * 100),
        ("description", "d" * 2048, "d" * 2048),
        ("content_loc", " c&amp;d ", "c&d"),
        *(("duration", text, int(text)) for text in ("1", "28800", "+60", "0060")),
        *(("duration", text, None) for text in ("0", "28801", "-1", "1.5", "a", "", "\u0661", "9" * 10_000)),
        *(("view_count", text, int(text)) for text in ("0", "9" * 18)),
        ("view_count", "0" * 100_000 + "7", 7),
        *(("view_count", text, None) for text in ("-1", "1,000", "9" * 10_000, "")),
        *(("rating", text, float(text)) for text in ("0.0", "5", "4.5", ".5", "3.")),
        *(("rating", text, None) for text in ("5.1", "-0.1", "nan", "inf", "1e0", "", "9" * 10_000)),
        ("expiration_date", "2026-03-01", date(2026, 3, 1)),
        ("publication_date", "2026-03-01T09:00:00Z", datetime(2026, 3, 1, 9, tzinfo=UTC)),
        *((name, text, None) for name in ("expiration_date", "publication_date") for text in ("2026-02-30", "soon", "")),
        *((name, text, True) for name in ("family_friendly", "requires_subscription", "live") for text in ("yes", "YES", "Yes")),
        *((name, text, False) for name in ("family_friendly", "requires_subscription", "live") for text in ("no", " No\n")),
        ("uploader", "u" * 255, "u" * 255),
        ("uploader", "u" * 256, None),
        # Without a relationship the meaning is unknown.
        ("restriction", "DE", None),
        ("platform", "web", None),
        # Retired.
        *((name, "a", None) for name in ("category", "gallery_loc", "price", "tvshow", "content_segment_loc", "id")),
    ],
)  # fmt: skip
def test_values_of_a_video_are_read_if_they_are_valid(name: str, text: str, value: object) -> None:
    expected = Video(**(REQUIRED | ({name: value} if value is not None else {})))
    assert read(video(REQUIRED | {name: text})) == Entry(loc=LOC, videos=(expected,))


def test_a_rating_of_zero_has_no_sign() -> None:
    assert str(read(video(REQUIRED | {"rating": "-0.0"})).videos[0].rating) == "0.0"


@pytest.mark.parametrize(("name", "length"), [("title", 101), ("description", 2049)])
def test_a_video_with_too_long_a_text_is_left_out(name: str, length: int) -> None:
    assert read(video(REQUIRED | {name: "x" * length})).videos == ()


def test_the_first_of_several_is_taken() -> None:
    more = "<video:title>Another</video:title><video:duration>1</video:duration><video:duration>2</video:duration>"
    assert read(video(REQUIRED, more)).videos == (Video(**REQUIRED, duration=1),)


@pytest.mark.parametrize(
    ("texts", "tags"),
    [
        (["a"], ("a",)),
        (["b", " a ", "b"], ("b", "a", "b")),
        (["a", "", " ", "b"], ("a", "b")),
        (["a"] * 32, ("a",) * 32),
        (["a"] * 33, ("a",) * 32),
    ],
)
def test_non_empty_tags_are_read_up_to_32(texts: list[str], tags: tuple[str, ...]) -> None:
    more = "".join(f"<video:tag>{text}</video:tag>" for text in texts)
    assert read(video(REQUIRED, more)).videos == (Video(**REQUIRED, tags=tags),)


@pytest.mark.parametrize(
    ("element", "relationship", "values"),
    [
        ('<video:restriction relationship="deny">DE  AT\n</video:restriction>', "deny", ("DE", "AT")),
        ("<video:restriction relationship=' allow '>NO</video:restriction>", "allow", ("NO",)),
        ('<video:platform relationship="allow">web tv mobile</video:platform>', "allow", ("web", "tv", "mobile")),
    ],
)
def test_a_restriction_is_a_list_of_words(element: str, relationship: str, values: tuple[str, ...]) -> None:
    name = element[len("<video:") :].partition(" ")[0]
    expected = Video(**REQUIRED, **{name: Restriction(relationship=relationship, values=values)})
    assert read(video(REQUIRED, element)).videos == (expected,)


@pytest.mark.parametrize(
    "element",
    [
        '<video:restriction relationship="forbid">DE</video:restriction>',
        '<video:restriction relationship="deny"/>',
        '<video:restriction relationship="deny">de</video:restriction>',
        '<video:restriction relationship="deny">DE GERMANY</video:restriction>',
        '<video:restriction video:relationship="deny">DE</video:restriction>',
        '<video:platform relationship="deny">web radio</video:platform>',
    ],
)
def test_a_restriction_with_an_invalid_part_is_ignored(element: str) -> None:
    assert read(video(REQUIRED, element)).videos == (LEAST,)


@pytest.mark.parametrize(
    ("element", "uploader", "info"),
    [
        ('<video:uploader info=" i ">U</video:uploader>', "U", "i"),
        ('<video:uploader info="">U</video:uploader>', "U", None),
        ('<video:uploader info="i"/>', None, None),
        ('<video:uploader video:info="i">U</video:uploader>', "U", None),
        ('<video:uploader>U<video:tag info="i">!</video:tag></video:uploader>', "U!", None),
    ],
)
def test_uploader_and_its_page(element: str, uploader: str | None, info: str | None) -> None:
    assert read(video(REQUIRED, element)).videos == (Video(**REQUIRED, uploader=uploader, uploader_info=info),)


def test_news() -> None:
    expected = News(name="N", language="en", publication_date=date(2026, 3, 1), title="T")
    assert read(news()) == Entry(loc=LOC, news=expected)
    assert read(news(more="<news:keywords>a</news:keywords><news:access>b</news:access>")).news == expected
    assert read(news(), news(name="Other")).news == expected
    assert read(news(name=""), news()).news == expected
    assert [read(news(language=code)).news.language for code in ("fil", "zh-cn", "zh-tw")] == ["fil", "zh-cn", "zh-tw"]
    assert read(news().replace("news:title>", "news:headline>")).news is None


@pytest.mark.parametrize(
    "written",
    [
        news(name=""),
        news(title=" "),
        news(when="soon"),
        *(news(language=language) for language in ("", "en-GB", "EN", "zh-hk", "english")),
        news().replace("news:publication>", "news:paper>"),
        news().replace("<news:publication>", "").replace("</news:publication>", ""),
        news().replace("<news:name>", "<news:a><news:name>").replace("</news:name>", "</news:name></news:a>"),
        news().replace("<news:title>T</news:title>", "<news:b><news:title>T</news:title></news:b>"),
    ],
)
def test_news_without_a_valid_value_are_left_out(written: str) -> None:
    assert read(written) == Entry(loc=LOC)


def test_the_order_of_the_extensions_makes_no_difference() -> None:
    parts = ["<image:image><image:loc>a</image:loc></image:image>", video(REQUIRED), news()]
    assert read(*parts) == read(*reversed(parts)) != Entry(loc=LOC)


@pytest.mark.parametrize("element", ["image:image", "video:video", "news:news", "news:publication", "video:title"])
def test_nested_elements_count_as_one(element: str) -> None:
    nested = f"<{element}>" * 90 + f"</{element}>" * 90
    assert read(nested, f"<video:video>{nested}</video:video>", f"<news:news>{nested}</news:news>") == Entry(loc=LOC)


# Pieces that mean something here, in any order and with any text in them.
ELEMENTS = (
    *("image:image", "image:loc", "video:video", "video:title", "video:tag", "video:restriction", "video:duration"),
    *("news:news", "news:publication", "news:name", "news:language", "loc", "lastmod"),
)
trees = st.recursive(
    st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="<&\ufffe\uffff")) | st.just("1"),
    lambda inner: st.builds(
        lambda name, children: f'<{name} relationship="deny" info="i">{"".join(children)}</{name}>',
        st.sampled_from(ELEMENTS),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)


@given(st.lists(trees, max_size=6), st.booleans())
def test_any_elements_are_read_completely_without_an_exception(children: list[str], complete: bool) -> None:
    within = [f"<video:video>{''.join(children)}{video(REQUIRED)[13:-14]}</video:video>"] if complete else children
    try:
        entry = read(*within)
    except SitemapError as error:  # the text has no "<", but may have "]]>"
        assert "not well-formed" in str(error)
        return
    assert [image for image in entry.images if not image.loc] == []
    assert [
        each
        for each in entry.videos
        if not (each.title and each.thumbnail_loc and (each.content_loc or each.player_loc))
    ] == []
    assert entry.news is None or (entry.news.name and entry.news.title)
