"""An arrangement becomes files: each sitemap, index and feed with the files next to it."""

import gzip
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import IndexWriter, SitemapWriter, Style, render_text
from sitemap_plugins.media import Image, News, Video
from sitemap_plugins.model import (
    Alternate,
    Arrangement,
    Candidate,
    Entry,
    FeedLink,
    GzipOf,
    OutputFile,
    Page,
    Site,
    Sitemap,
    SitemapIndex,
)
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.sitemaps.announcing import feed_links
from sitemap_plugins.sitemaps.arranging import newest_of, render
from sitemap_plugins.sitemaps.feeds import render_feeds
from sitemap_plugins.values.dates import DateStyle
from tests.builders import options

BASE = "https://example.org/"


def sitemap(path: str, part: str = "", *entries: Entry) -> Sitemap:
    listed = entries or (Entry(loc=f"{BASE}{path}/"),)
    return Sitemap(path=path, entries=listed, url=BASE + path, part=part, newest=newest_of(listed))


def index(path: str, *sitemaps: Sitemap) -> SitemapIndex:
    return SitemapIndex(path=path, sitemaps=sitemaps, url=BASE + path)


def content(file: OutputFile) -> bytes:
    assert callable(file.content)
    whole = b"".join(file.content())
    assert b"".join(file.content()) == whole  # the same each time
    return gzip.decompress(whole) if file.path.endswith(".gz") else whole


ARRANGEMENT = Arrangement(
    sitemaps=(sitemap("sitemap.xml"), sitemap("sitemap-a.xml", "a"), sitemap("sitemap-images.xml", "images")),
    indexes=(index("sitemap-index.xml", sitemap("sitemap-a.xml", "a")),),
)


@pytest.mark.parametrize(
    ("gzip_option", "plain", "packed"),
    [(None, True, None), (False, True, None), (True, True, GzipOf), ("only", None, True)],
)
@pytest.mark.parametrize("text", [False, True])
def test_every_file_exists_exactly_in_the_configured_forms(
    gzip_option: object, plain: object, packed: object, *, text: bool
) -> None:
    """SM-GZ-01 and SM-TXT-01. Images, videos and news, which are for Google, have no text form."""
    files = render(ARRANGEMENT, options(gzip=gzip_option, text=text))
    texts = ["sitemap.txt", "sitemap-a.txt"] if text else []
    names = ["sitemap.xml", *texts[:1], "sitemap-a.xml", *texts[1:], "sitemap-images.xml", "sitemap-index.xml"]
    assert [file.path for file in files] == [f"{name}{suffix}" for name in names for suffix in ("", ".gz")]
    for one, two in zip(files[::2], files[1::2], strict=True):
        assert callable(one.content) if plain else one.content is None
        if packed is GzipOf:
            assert two.content == GzipOf(one.path, compress)
        else:
            assert callable(two.content) if packed else two.content is None


@pytest.mark.parametrize("gzip_option", [False, "only"])
def test_each_file_has_its_own_content(gzip_option: object) -> None:
    files = {
        file.path.removesuffix(".gz"): content(file)
        for file in render(ARRANGEMENT, options(gzip=gzip_option, text=True))
        if file.content is not None
    }
    for each in ARRANGEMENT.sitemaps:
        assert files[each.path] == b"".join(SitemapWriter().render(each.entries))
    assert files["sitemap-a.txt"] == b"".join(render_text(ARRANGEMENT.sitemaps[1].entries))
    assert files["sitemap-index.xml"] == b"".join(IndexWriter().render(ARRANGEMENT.indexes[0].sitemaps))


def test_the_style_is_that_of_the_options() -> None:
    entry = Entry(loc=BASE, lastmod=datetime(2026, 3, 1, 9, tzinfo=UTC))
    one = sitemap("sitemap-a.xml", "a", entry)
    settings = options(lastmod_format="date", indent=3, schema_location=True)
    first, _, second, *_ = render(Arrangement(sitemaps=(one,), indexes=(index("sitemap.xml", one),)), settings)
    style = Style("date", 3, schema_location=True)
    assert content(first) == b"".join(SitemapWriter(style).render([entry]))
    assert content(second) == b"".join(IndexWriter(style).render(index("sitemap.xml", one).sitemaps))
    for each in (first, second):
        assert b"\n      <lastmod>2026-03-01</lastmod>\n" in content(each)
        assert b"xsi:schemaLocation" in content(each)


class TestTheURLOfTheFlatFile:
    @pytest.mark.parametrize("gzip_option", [False, True, "only"])
    def test_has_no_file_if_there_are_several_indexes(self, gzip_option: object) -> None:
        """SM-IDX-02: a file that the host has put there would be found by its name."""
        leaves = [sitemap(f"docs-{bit}.xml") for bit in "01"]
        indexes = tuple(index(f"docs-index-{bit}.xml", leaf) for bit, leaf in zip("01", leaves, strict=True))
        files = render(
            Arrangement(sitemaps=tuple(leaves), indexes=indexes), options(gzip=gzip_option, filename="docs.xml")
        )
        assert files[-2:] == [OutputFile(path=path, content=None) for path in ("docs.xml", "docs.xml.gz")]
        assert len({file.path for file in files}) == len(files)

    def test_has_no_file_if_all_pages_are_on_another_host(self) -> None:
        files = render(Arrangement(sitemaps=(sitemap("fr/sitemap.xml"),)), Settings())
        assert {file.path: file.content is None for file in files} == {
            "fr/sitemap.xml": False,
            "fr/sitemap.xml.gz": True,
            "sitemap.xml": True,
            "sitemap.xml.gz": True,
        }

    def test_is_not_touched_if_there_is_nothing_to_list(self) -> None:
        """SM-XML-10."""
        assert render(Arrangement(), options(gzip=True, text=True)) == []


VIDEO = Video(
    thumbnail_loc=f"{BASE}ü", title="Ä & B", description="<ü>", player_loc=f"{BASE}p", duration=5, tags=("ü",)
)
NEWS = News(name="Ñ", language="en", publication_date=date(2026, 1, 1), title="'Ü'")
any_entries = st.lists(
    st.builds(
        Entry,
        loc=st.sampled_from([BASE, f"{BASE}?a=1&b='2'", f"{BASE}a/b/"]),
        lastmod=st.sampled_from([None, date(2026, 1, 1), datetime(2026, 1, 1, 9, tzinfo=UTC)]),
        changefreq=st.sampled_from([None, "daily"]),
        priority=st.sampled_from([None, 0.0, 0.25, 1.0]),
        alternates=st.sampled_from([(), (Alternate(hreflang="en", href=f"{BASE}?a&b"),)]),
        images=st.sampled_from([(), (Image(loc=f"{BASE}a&b.png"), Image(loc=BASE))]),
        videos=st.sampled_from([(), (VIDEO,)]),
        news=st.sampled_from([None, NEWS]),
    ),
    max_size=5,
)
any_style = st.fixed_dictionaries(
    {
        "indent": st.integers(0, 8),
        "schema_location": st.booleans(),
        "lastmod_format": st.sampled_from(get_args(DateStyle)),
    }
)


@given(any_entries, any_style)
def test_sitemaps_have_exactly_the_measured_size(entries: list[Entry], style: dict[str, Any]) -> None:
    """SM-LIM-02: the size measured before is the size of the written file."""
    settings = options(**style)
    writer = SitemapWriter(Style.of(settings))
    one = Sitemap(path="sitemap.xml", entries=tuple(entries), url="")
    size = len(content(render(Arrangement(sitemaps=(one,)), settings)[0]))
    assert sum(writer.sizes(entries)) + writer.frame_size(entries) == size
    assert [writer.sizes([entry])[0] for entry in entries] == writer.sizes(entries)


@given(any_entries.filter(bool), st.integers(1, 4), any_style)
def test_indexes_have_exactly_the_measured_size(entries: list[Entry], number: int, style: dict[str, Any]) -> None:
    """SM-IDX-01."""
    settings = options(**style)
    writer = IndexWriter(Style.of(settings))
    sitemaps = [sitemap(f"sitemap-{each}&'.xml", "a", *entries[each:]) for each in range(number)]
    files = render(Arrangement(sitemaps=tuple(sitemaps), indexes=(index("sitemap.xml", *sitemaps),)), settings)
    (written,) = (content(file) for file in files if file.path == "sitemap.xml")
    assert sum(writer.sizes(sitemaps)) + writer.frame_size(sitemaps) == len(written)


class TestFeeds:
    """SM-FEED-01."""

    SITE = Site(base_url=BASE, name="A Site")
    LISTED = tuple(
        Candidate(
            page=Page(loc=f"{BASE}{name}/", name=name, title=f"Page {name}"),
            path=name,
            entry=Entry(loc=f"{BASE}{name}/", lastmod=date(2026, 1, day)),
        )
        for day, name in enumerate("abc", 1)
    )

    @pytest.mark.parametrize(
        ("feeds", "roots"),
        [
            (None, {}),
            ({"rss": "f.xml"}, {"f.xml": b"<rss "}),
            ({"atom": "f.atom"}, {"f.atom": b"<feed "}),
            ({"atom": "f.atom", "rss": "f.rss"}, {"f.rss": b"<rss ", "f.atom": b"<feed "}),
        ],
    )
    def test_are_those_of_the_option(self, feeds: dict[str, str] | None, roots: dict[str, bytes]) -> None:
        files = render_feeds(self.SITE, self.LISTED, options(feeds=feeds) if feeds else Settings())
        assert [file.path for file in files] == [*roots]
        for file in files:
            assert isinstance(file.content, bytes)
            assert roots[file.path] in file.content
            assert f'href="{BASE}{file.path}"'.encode() in file.content

    def test_are_linked_if_the_option_is_set_and_they_are_written(self) -> None:
        feeds = {"rss": "f.xml", "atom": "f.atom", "title": "News"}
        settings = options(feeds=feeds | {"head_links": True})
        files = render_feeds(self.SITE, self.LISTED, settings)
        rss = FeedLink(media_type="application/rss+xml", title="News", href=f"{BASE}f.xml")
        atom = FeedLink(media_type="application/atom+xml", title="News", href=f"{BASE}f.atom")
        assert feed_links(self.SITE, files, settings) == [rss, atom]
        assert feed_links(self.SITE, files[1:], settings) == [atom]
        assert feed_links(self.SITE, [OutputFile(path="f.xml", content=None)], settings) == []
        assert feed_links(self.SITE, files, options(feeds=feeds)) == []

    def test_list_only_pages_of_the_sites_own_host(self) -> None:
        """SM-LOC-04: a file on one host cannot list pages of another one."""
        first, second, third = self.LISTED
        listed = [
            structs.replace(first, page=structs.replace(first.page, base_url=BASE)),
            structs.replace(second, page=structs.replace(second.page, base_url="https://fr.example.org/")),
            third,
        ]
        (file,) = render_feeds(self.SITE, listed, options(feeds={"rss": "f.xml", "count": 2}))
        assert isinstance(file.content, bytes)
        assert [name for name in "abc" if f"<title>Page {name}</title>".encode() in file.content] == ["a", "c"]
        assert render_feeds(self.SITE, listed[1:2], options(feeds={"rss": "f.xml"})) == []

    @pytest.mark.parametrize(
        "change", [lambda _: [], lambda listed: [Candidate(page=listed[0].page, path="a", entry=Entry(loc=BASE))]]
    )
    def test_without_pages_are_not_written(self, change: Callable[[Any], list[Candidate]]) -> None:
        assert render_feeds(self.SITE, change(self.LISTED), options(feeds={"rss": "f.xml", "atom": "g.xml"})) == []

    @pytest.mark.parametrize(
        ("name", "feeds", "title"),
        [("A Site", {}, "A Site"), ("", {}, BASE), ("A Site", {"title": "What is new"}, "What is new")],
    )
    def test_have_the_title_of_the_option_or_of_the_site(self, name: str, feeds: dict[str, str], title: str) -> None:
        settings = options(feeds={"atom": "f.xml"} | feeds)
        (file,) = render_feeds(Site(base_url=BASE, name=name), self.LISTED, settings)
        assert isinstance(file.content, bytes)
        assert f"<title>{title}</title>".encode() in file.content
