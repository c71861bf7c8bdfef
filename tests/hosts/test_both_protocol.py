"""The sitemap protocol in both hosts: further files, media, feeds, news, and invalid input for them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any

import feedparser
import pytest

BASE = "https://docs.example.org/"
PICTURE = "<svg xmlns='http://www.w3.org/2000/svg'/>"
DAY = "2026-03-10T12:00:00+00:00"


def build(site: Any, options: Mapping[str, object], **config: Any) -> Any:
    """Build the same Markdown at the same URLs with either host."""
    if site.host_url == "site_url":
        return site.build(options, **config)
    if "myst_parser" not in site.extensions:
        site.extensions.append("myst_parser")
    if "toctree" not in (site.docs / "index.md").read_text() and len([*site.docs.rglob("*.md")]) > 1:
        with (site.docs / "index.md").open("a") as index:
            index.write("\n```{toctree}\n:glob:\n:hidden:\n\n**\n```\n")
    if (site.root / "files").exists():
        config = {"html_extra_path": ["../files"]} | config
    return site.build(options, builder="dirhtml", **config)


def write(site: Any, **pages: str) -> None:
    """Write ``guide__a="..."`` as docs/guide/a.md, and a home page."""
    for name, content in ({"index": "# Home\n"} | pages).items():
        site.write(f"docs/{name.replace('__', '/')}.md", content)


def add_files(site: Any, *names: str, content: str = PICTURE) -> None:
    """Write files that are published unchanged, at the root of the site."""
    folder = "docs" if site.host_url == "site_url" else "files"
    for name in names:
        site.write(f"{folder}/{name}", content)


def committed(site: Any, repository: Any, when: str = DAY, **pages: str) -> Any:
    """A site in a repository, with all pages committed at once."""
    there = site.at(repository.path)
    write(there, **pages)
    repository.write(".gitignore", "conf.py\nmkdocs.yml\nsite\noutput\ndoctrees\n")
    repository.commit(when)
    return there


def locs(content: bytes) -> list[str]:
    """The paths of the pages that a sitemap or index lists."""
    return [loc.removeprefix(BASE) for loc in re.findall(r"<loc>([^<]*)</loc>", content.decode())]


def announced(built: Any) -> list[str]:
    lines = built.read("robots.txt").decode().splitlines()
    return [line.removeprefix(f"Sitemap: {BASE}") for line in lines if line.startswith("Sitemap: ")]


def further(built: Any) -> list[str]:
    """The files that list the pages, in any format."""
    patterns = ("sitemap*", "*.rss", "*.atom")
    return sorted(path.name for pattern in patterns for path in built.output.glob(pattern))


GUIDES = {"guide__a": "# A\n", "guide__b": "# B\n", "news": "# News\n"}


class TestFiles:
    def test_sections_have_their_own_sitemaps_beside_the_flat_one(self, any_site: Any) -> None:
        write(any_site, **GUIDES)
        built = build(any_site, {"sections": {"guides": ["guide/**"]}, "gzip": False}, strict=True)
        assert not built.failed, built.warnings
        assert further(built) == ["sitemap-guides.xml", "sitemap-index.xml", "sitemap-pages.xml", "sitemap.xml"]
        assert built.paths == ["", "guide/a/", "guide/b/", "news/"]
        assert locs(built.read("sitemap-guides.xml")) == ["guide/a/", "guide/b/"]
        assert locs(built.read("sitemap-pages.xml")) == ["", "news/"]
        assert locs(built.read("sitemap-index.xml")) == ["sitemap-guides.xml", "sitemap-pages.xml"]
        assert announced(built) == ["sitemap-index.xml"]

    def test_a_page_names_its_own_section(self, any_site: Any) -> None:
        write(any_site, **GUIDES | {"news": "---\nsitemap:\n  section: guides\n---\n# News\n"})
        built = build(any_site, {"sections": {"guides": ["guide/**"]}}, strict=True)
        assert not built.failed, built.warnings
        assert locs(built.read("sitemap-guides.xml")) == ["guide/a/", "guide/b/", "news/"]

    def test_an_unknown_section_of_a_page_is_a_warning_and_the_page_is_listed(self, any_site: Any) -> None:
        write(any_site, **GUIDES | {"news": "---\nsitemap:\n  section: guide\n---\n# News\n"})
        built = build(any_site, {"sections": {"guides": ["guide/**"]}})
        (warning,) = built.warnings
        assert "there is no section 'guide'; did you mean 'guides'?" in warning
        assert locs(built.read("sitemap-pages.xml")) == ["", "news/"]

    def test_an_archive_has_a_sitemap_for_each_year(self, any_site: Any) -> None:
        dated = {f"post{year}": f"---\ndate: {year}-02-01\n---\n# Post\n" for year in (2024, 2025)}
        write(any_site, **dated, postx="# Undated\n")
        built = build(any_site, {"sections": {"posts": {"source": "post*.md", "archive": "year"}}}, strict=True)
        assert not built.failed, built.warnings
        assert locs(built.read("sitemap-index.xml")) == [
            "sitemap-posts-2024.xml",
            "sitemap-posts-2025.xml",
            "sitemap-posts-undated.xml",
            "sitemap-pages.xml",
        ]

    def test_a_full_sitemap_is_split_and_an_index_takes_its_place(self, any_site: Any) -> None:
        write(any_site, **{f"page{number}": f"# Page {number}\n" for number in range(9)})
        built = build(any_site, {"limit": {"urls": 4}, "gzip": False}, strict=True)
        assert not built.failed, built.warnings
        shards = locs(built.read())
        assert all(re.fullmatch(r"sitemap-[01]+\.xml", shard) for shard in shards)
        pages = [locs(built.read(shard)) for shard in shards]
        assert all(1 <= len(each) <= 4 for each in pages)
        assert sorted(chain.from_iterable(pages)) == ["", *(f"page{number}/" for number in range(9))]
        assert announced(built) == ["sitemap.xml"]

    @pytest.mark.parametrize("compress", [False, True, "only"])
    def test_the_text_sitemap_lists_the_same_pages_as_the_sitemap(self, any_site: Any, compress: object) -> None:
        write(any_site, **GUIDES)
        built = build(any_site, {"text": True, "gzip": compress}, strict=True)
        assert not built.failed, built.warnings
        plain = {"sitemap.txt", "sitemap.xml"} if compress != "only" else set()
        packed = {"sitemap.txt.gz", "sitemap.xml.gz"} if compress else set()
        assert further(built) == sorted(plain | packed)
        text = gzip.decompress(built.read("sitemap.txt.gz")) if compress else built.read("sitemap.txt")
        assert text.decode() == "".join(f"{BASE}{path}\n" for path in ("", "guide/a/", "guide/b/", "news/"))
        assert announced(built) == ["sitemap.xml.gz" if compress == "only" else "sitemap.xml"]

    def test_gzip_only_compresses_sections_and_their_index_too(self, any_site: Any) -> None:
        write(any_site, **GUIDES)
        built = build(any_site, {"sections": {"guides": ["guide/**"]}, "gzip": "only"}, strict=True)
        assert not built.failed, built.warnings
        names = ["sitemap-guides.xml.gz", "sitemap-index.xml.gz", "sitemap-pages.xml.gz", "sitemap.xml.gz"]
        assert further(built) == names
        assert locs(built.unzip("sitemap-index.xml.gz")) == ["sitemap-guides.xml.gz", "sitemap-pages.xml.gz"]
        assert announced(built) == ["sitemap-index.xml.gz"]

    def test_with_everything_off_only_the_sitemap_is_written(self, any_site: Any) -> None:
        write(any_site, **GUIDES)
        assert further(build(any_site, {"gzip": False}, strict=True)) == ["sitemap.xml"]

    def test_the_schemas_are_named_on_demand(self, any_site: Any) -> None:
        write(any_site, **GUIDES)
        built = build(any_site, {"schema_location": True, "indent": 2})
        assert b"xsi:schemaLocation=" in built.read()
        assert built.paths == ["", "guide/a/", "guide/b/", "news/"]


GALLERY = """\
# Gallery

![A cat](/cat.svg)

<img src="/cat.svg" alt="The cat again"> <img src="/dog.svg" alt="A dog">
<img src="https://img.shields.io/badge/a-b-c.svg" alt="A badge">
<img src="https://elsewhere.example/cow.svg" alt="A cow">

<video controls src="/film.mp4" poster="/dog.svg" title="A film"></video>

<iframe src="https://www.youtube.com/embed/SAMPLE-0001" title="Another film"></iframe>
"""
DESCRIPTION = "---\ndescription: On cats.\n---\n"


class TestMedia:
    def test_images_and_videos_come_from_the_content(self, any_site: Any) -> None:
        write(any_site, gallery=GALLERY.replace("![A cat](/cat.svg)", "Some words on cats and dogs."))
        add_files(any_site, "cat.svg", "dog.svg", "film.mp4")
        built = build(any_site, {"images": True, "videos": True}, strict=True)
        assert not built.failed, built.warnings
        assert further(built)[-1].startswith("sitemap.xml")
        text = built.read().decode()
        assert re.findall(r"<image:loc>([^<]*)<", text) == [f"{BASE}cat.svg", f"{BASE}dog.svg"]
        assert re.findall(r"<video:(?:content|player)_loc>([^<]*)<", text) == [
            f"{BASE}film.mp4",
            "https://www.youtube.com/embed/SAMPLE-0001",
        ]
        assert re.findall(r"<video:title>([^<]*)<", text) == ["A film", "Another film"]
        assert set(re.findall(r"<video:description>([^<]*)<", text)) == {"Some words on cats and dogs."}

    def test_a_picture_that_the_host_copies_is_listed_at_its_published_url(self, any_site: Any) -> None:
        any_site.write("docs/a/cat.svg", PICTURE)
        write(any_site, a__page="# Page\n\n![A cat](cat.svg)\n")
        built = build(any_site, {"images": True}, strict=True)
        assert not built.failed, built.warnings
        (image,) = re.findall(rf"<image:loc>{BASE}([^<]*)<", built.read().decode())
        assert built.has(image)

    def test_media_in_separate_files(self, any_site: Any) -> None:
        write(any_site, gallery=GALLERY.replace("![A cat](/cat.svg)", "Some words."), plain="# Plain\n")
        add_files(any_site, "cat.svg", "dog.svg", "film.mp4")
        built = build(any_site, {"images": "separate", "videos": "separate", "gzip": False}, strict=True)
        assert not built.failed, built.warnings
        assert further(built) == ["sitemap-images.xml", "sitemap-videos.xml", "sitemap.xml"]
        assert b"image:" not in built.read()
        assert b"video:" not in built.read()
        assert locs(built.read("sitemap-images.xml")) == locs(built.read("sitemap-videos.xml")) == ["gallery/"]
        assert announced(built) == further(built)[-1:] + further(built)[:-1]

    def test_front_matter_and_rules_add_and_remove(self, any_site: Any) -> None:
        page = "# Page\n\nWords.\n\n<img src='/cat.svg' alt='a'> <img src='/dog.svg' alt='b'>\n"
        write(any_site, a=f"---\nsitemap:\n  images: ['!dog.svg', 'cow.svg']\n---\n{page}", b=page, c=page)
        add_files(any_site, "cat.svg", "dog.svg", "cow.svg", "c.mp4", "c.svg")
        rules = [
            {"source": "b.md", "images": False},
            {"source": "c.md", "videos": [{"content_loc": "c.mp4", "thumbnail_loc": "c.svg"}]},
        ]
        built = build(any_site, {"images": True, "pages": rules}, strict=True)
        assert not built.failed, built.warnings
        assert re.findall(rf"<image:loc>{BASE}([^<]*)<", built.read().decode()) == [
            "cat.svg",
            "cow.svg",
            "cat.svg",
            "dog.svg",
        ]
        assert re.findall(r"<video:(\w+)>([^<]+)<", built.read().decode()) == [
            ("thumbnail_loc", f"{BASE}c.svg"),
            ("title", "Page"),
            ("description", "Words."),
            ("content_loc", f"{BASE}c.mp4"),
        ]

    def test_an_incomplete_video_is_reported_and_fails_no_build(self, any_site: Any) -> None:
        write(any_site, a="# A\n\nWords.\n\n<video src='/a.mp4'></video>\n", b="# B\n")
        built = build(any_site, {"videos": True}, strict=True)
        assert not built.failed, built.warnings
        assert built.said("a.md: a video is left out, because it has no thumbnail_loc", level="info")
        assert built.paths == ["", "a/", "b/"]

    def test_missing_media_are_left_out_with_a_warning_if_front_matter_names_them(self, any_site: Any) -> None:
        a = "---\nsitemap:\n  images: [cow.svg, dog.svg]\n---\n# A\n\n"
        write(any_site, a=f"{a}<img src='/cat.svg' alt='a'> <img src='/Dog.svg' alt='b'>\n", b="# B\n")
        add_files(any_site, "dog.svg")
        built = build(any_site, {"images": True})
        assert re.findall(rf"<image:loc>{BASE}([^<]*)<", built.read().decode()) == ["dog.svg"]
        message = f"2 images are left out (no such file), for example {BASE}cat.svg on a.md"
        assert built.said(message, level="info")
        assert len(built.warnings) == 1
        assert built.said(f"images: {BASE}cow.svg is left out, because the build wrote no such file", level="warning")

    def test_media_that_crawlers_may_not_fetch_are_left_out(self, any_site: Any) -> None:
        write(any_site, a="# A\n\n<img src='/in/cat.svg' alt='a'> <img src='/dog.svg' alt='b'>\n", b="# B\n")
        add_files(any_site, "in/cat.svg", "dog.svg")
        add_files(any_site, "robots.txt", content="User-agent: Googlebot\nDisallow: /in/\n")
        built = build(any_site, {"images": True}, strict=True)
        assert not built.failed, built.warnings
        assert re.findall(rf"<image:loc>{BASE}([^<]*)<", built.read().decode()) == ["dog.svg"]
        assert built.said("1 image is left out (disallowed by robots.txt)", "(Disallow: /in/)", level="info")


class TestFeedsAndNews:
    def test_feeds_list_the_pages_that_changed_last(self, any_site: Any, repository: Any) -> None:
        site = committed(any_site, repository, old="# Old\n\nWords.\n")
        site.write("docs/new.md", f"{DESCRIPTION}# New & <b>bold</b>\n\nWords.\n")
        repository.commit("2026-03-12T00:00:00+00:00")
        options = {"feeds": {"rss": "changes.rss", "atom": "changes.atom", "count": 2}}
        built = build(site, options, strict=True)
        assert not built.failed, built.warnings
        assert announced(built) == ["sitemap.xml", "changes.rss", "changes.atom"]
        for name, version in (("changes.rss", "rss20"), ("changes.atom", "atom10")):
            feed = feedparser.parse(built.read(name))
            assert not feed.bozo
            assert feed.version == version
            assert feed.feed.title == "Sample"
            new, other = feed.entries
            assert (new.link, new.id, new.summary) == (f"{BASE}new/", f"{BASE}new/", "On cats.")
            assert other.link == BASE, "the first by URL among the pages of one day"

    def test_pages_link_the_feeds_if_the_option_is_set(self, any_site: Any, repository: Any) -> None:
        site = committed(any_site, repository, a="# A\n", b="# B\n")
        feeds = {"rss": "changes.rss", "atom": "changes.atom", "title": "News & more"}
        link = '<link rel="alternate" type="application/{0}+xml" title="News &amp; more" href="{1}changes.{0}">'
        lines = [link.format("rss", BASE), link.format("atom", BASE)]
        for is_wanted in (False, True, True):
            built = build(site, {"feeds": feeds | {"head_links": is_wanted}}, strict=True)
            assert not built.failed, built.warnings
            for page in ("index.html", "a/index.html"):
                head = built.read(page).decode().partition("</head>")[0]
                assert [line for line in head.splitlines() if "changes." in line] == (lines if is_wanted else [])
                assert "hreflang" not in head

    def test_a_feed_that_is_not_written_is_not_linked(self, any_site: Any) -> None:
        write(any_site, a="# A\n", b="# B\n")
        built = build(any_site, {"feeds": {"rss": "changes.rss", "head_links": True}}, strict=True)
        assert not built.failed, built.warnings
        assert b"changes.rss" not in built.read("a/index.html")

    def test_without_any_date_there_is_no_feed(self, any_site: Any) -> None:
        write(any_site)
        built = build(any_site, {"feeds": {"rss": "changes.rss"}}, strict=True)
        assert not built.failed, built.warnings
        assert announced(built) == ["sitemap.xml"]
        assert built.said("no page has a date and a title, so no feed was written", level="info")

    @pytest.mark.parametrize(
        "environment",
        [
            {"NETLIFY": "true", "CONTEXT": "deploy-preview"},
            {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"},
        ],
    )
    def test_a_preview_announces_no_feed(
        self, any_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
    ) -> None:
        site = committed(any_site, repository)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        built = build(site, {"feeds": {"rss": "changes.rss", "atom": "changes.atom"}}, strict=True)
        assert not built.failed, built.warnings
        assert not {"changes.rss", "changes.atom", "robots.txt"} & {path.name for path in built.output.iterdir()}

    def test_news_are_the_pages_of_the_last_two_days(self, any_site: Any, repository: Any) -> None:
        dates = {
            "now": "2026-03-10",
            "late": "2026-03-08T12:00:00Z",
            "early": "2026-03-08T11:59:59Z",
            "far": "2026-04-01",
        }
        pages = {f"posts__{name}": f"---\ndate: {date}\n---\n# {name}\n" for name, date in dates.items()}
        site = committed(any_site, repository, **pages, posts__none="# None\n")
        built = build(site, {"news": {"match": "posts/**"}, "gzip": False}, strict=True)
        assert not built.failed, built.warnings
        assert further(built) == ["sitemap-news.xml", "sitemap.xml"]
        assert locs(built.read("sitemap-news.xml")) == ["posts/late/", "posts/now/"]
        text = built.read("sitemap-news.xml").decode()
        assert re.findall(r"<news:(?:name|language)>([^<]*)<", text) == ["Sample", "en", "Sample", "en"]
        assert built.said("posts/none.md: it has no publication date", level="info")
        assert b"news:" not in built.read()

    def test_without_news_there_is_no_news_file(self, any_site: Any, repository: Any) -> None:
        site = committed(any_site, repository, a="---\ndate: 2026-01-01\n---\n# A\n")
        built = build(site, {"news": {"source": "a.md"}, "gzip": False}, strict=True)
        assert not built.failed, built.warnings
        assert further(built) == ["sitemap.xml"]


LONG = "/".join(["é" * 100] * 5)


class TestBadInput:
    """Each mistake is reported clearly, and every other page is published."""

    @pytest.mark.parametrize(
        ("options", "where"),
        [
            ({"limit": {"urls": 0}}, "limit.urls"),
            ({"limit": {"bytes": 0}}, "limit.bytes"),
            ({"limit": 0}, "limit"),
            ({"sections": {"Guides": ["**"]}}, "sections.Guides"),
            ({"feeds": {"rss": "sitemap.xml"}}, "feeds.rss"),
            ({"feeds": {"rss": "folder/changes.xml"}}, "feeds.rss"),
            ({"news": {"name": "a\x07b"}}, "news.name"),
            ({"pages": [{"source": "a.md", "videos": [{"title": "T", "duration": 0}]}]}, "pages[0].videos[0].duration"),
            ({"content_selector": "main["}, "content_selector"),
            ({"gzip": "olny"}, "gzip"),
        ],
    )
    def test_a_wrong_option_is_named(self, any_site: Any, options: Mapping[str, object], where: str) -> None:
        write(any_site, a="# A\n")
        built = build(any_site, options)
        is_mkdocs = any_site.host_url == "site_url"
        assert built.failed == is_mkdocs
        assert any(where in warning for warning in built.warnings), built.warnings
        if not is_mkdocs:
            assert len(built.warnings) == 1
            assert built.paths == ["", "a/"]

    def test_a_section_without_pages(self, any_site: Any) -> None:
        write(any_site, a="# A\n")
        built = build(any_site, {"sections": {"guides": ["guide/**"]}}, strict=True)
        assert not built.failed, built.warnings
        assert built.said("sections.guides", level="info")
        assert not built.has("sitemap-guides.xml")
        assert built.paths == ["", "a/"]

    def test_two_sections_for_one_page(self, any_site: Any) -> None:
        write(any_site, a="# A\n", b="# B\n")
        built = build(any_site, {"sections": {"one": ["a/", "b/"], "two": {"source": "b.md"}}}, strict=True)
        assert not built.failed, built.warnings
        assert built.said("b.md: sections: one and two both match it; the first one lists it", level="info")
        assert locs(built.read("sitemap-one.xml")) == ["a/", "b/"]
        assert not built.has("sitemap-two.xml")

    def test_a_control_character_in_a_title(self, any_site: Any, repository: Any) -> None:
        site = committed(any_site, repository, a="# A bell\x07 rings\n\nWords.\n", b="# B\n")
        built = build(site, {"feeds": {"atom": "changes.atom"}}, strict=True)
        assert not built.failed, built.warnings
        assert built.said("a.md: its title had control characters, which are left out", level="info")
        titles = [entry.title for entry in feedparser.parse(built.read("changes.atom")).entries]
        assert titles == ["Home", "A bell rings", "B"]

    def test_an_image_without_an_address(self, any_site: Any) -> None:
        write(any_site, a="# A\n\nWords.\n\n<img alt='nothing'> <img src='' alt='nothing'>\n", b="# B\n")
        built = build(any_site, {"images": True}, strict=True)
        assert not built.failed, built.warnings
        assert b"image:" not in built.read()
        assert built.paths == ["", "a/", "b/"]
        assert built.said("a.md: ", "image", level="info"), "there is a note"

    def test_an_image_without_an_address_in_the_front_matter(self, any_site: Any) -> None:
        write(any_site, a="---\nsitemap:\n  images: ['']\n---\n# A\n", b="# B\n")
        built = build(any_site, {"images": True})
        assert len(built.said("sitemap.images: ", level="warning")) == len(built.warnings) == 1
        assert built.paths == ["", "a/", "b/"]

    def test_a_video_with_a_duration_of_zero(self, any_site: Any) -> None:
        video = "videos: [{content_loc: a.mp4, thumbnail_loc: a.svg, duration: 0}]"
        write(any_site, a=f"---\nsitemap:\n  {video}\n---\n# A\n\nWords.\n", b="# B\n")
        built = build(any_site, {"videos": True})
        assert len(built.said("sitemap.videos[0].duration: ", level="warning")) == len(built.warnings) == 1
        assert built.paths == ["", "a/", "b/"]

    def test_a_page_whose_url_is_too_long(self, any_site: Any) -> None:
        write(any_site, a="# A\n")
        any_site.write(f"docs/{LONG}.md", "# Long\n")
        built = build(any_site, {"text": True})
        (warning,) = built.warnings
        assert re.search(r"characters long; at most 2047 are allowed; it is left out", warning)
        assert built.paths == ["", "a/"]
        assert len(built.read("sitemap.txt").splitlines()) == 2

    def test_an_image_whose_url_is_too_long(self, any_site: Any) -> None:
        url = f"{BASE}{'a' * 3000}.svg"
        write(any_site, a=f"---\nsitemap:\n  images: ['{url}', b.svg]\n---\n# A\n", b="# B\n")
        add_files(any_site, "b.svg")
        built = build(any_site, {"images": True})
        (warning,) = built.warnings
        assert re.search(r"images: .* is 3029 characters long; at most 2047 are allowed", warning)
        assert len(warning) < 500
        assert re.findall(r"<image:loc>([^<]*)<", built.read().decode()) == [f"{BASE}b.svg"]
        assert built.paths == ["", "a/", "b/"]


PROTOCOL = {
    "text": True,
    "gzip": True,
    "sections": {"guides": ["guide/**"], "posts": {"source": "posts/*.md", "archive": "year"}},
    "limit": {"urls": 3},
    "feeds": {"rss": "changes.rss", "atom": "changes.atom"},
    "images": "separate",
    "videos": True,
    "news": {"match": "posts/**"},
}


@pytest.mark.parametrize("left_out", [(), ("limit",), ("sections",), ("images", "videos", "news", "feeds")])
def test_the_same_pages_give_the_same_bytes(
    mkdocs_site: Any, sphinx_site: Any, repository: Any, left_out: tuple[str, ...]
) -> None:
    pages = {f"guide__page{number}": f"# Page {number}\n\nWords on {number}.\n" for number in range(7)}
    pages |= {f"posts__p{day}": f"---\ndate: 2026-03-{day:02}\n---\n# Post {day}\n\nWords.\n" for day in (2, 8, 9, 10)}
    pages |= {
        "index": f"{DESCRIPTION}# Home\n",
        "gallery": f"{DESCRIPTION}{GALLERY.replace('![A cat](/cat.svg)', 'Words.')}",
    }
    mkdocs = committed(mkdocs_site, repository, **pages)
    sphinx = sphinx_site.at(repository.path)
    options = {name: value for name, value in PROTOCOL.items() if name not in left_out}
    from_mkdocs = mkdocs.build(options, exclude_docs="conf.py")
    from_sphinx = build(sphinx, options, overrides={"exclude_patterns": "none"})
    names = further(from_mkdocs)
    assert names == further(from_sphinx)
    assert len(names) >= 8
    differing = [name for name in [*names, "robots.txt"] if from_mkdocs.read(name) != from_sphinx.read(name)]
    assert not differing
