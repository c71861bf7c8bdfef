"""The sitemap protocol in both hosts: media, feeds, news, and invalid input for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import feedparser
import pytest

BASE = "https://docs.example.org/"
PICTURE = "<svg xmlns='http://www.w3.org/2000/svg'/>"
DAY = "2026-03-10T12:00:00+00:00"


def build(site: Any, options: Mapping[str, object], *, strict: bool = False, **config: Any) -> Any:
    """Build the same Markdown at the same URLs with either host."""
    how = site.build_strictly if strict else site.build
    if site.host_url == "site_url":
        return how(options, **config)
    if "myst_parser" not in site.extensions:
        site.extensions.append("myst_parser")
    if "toctree" not in (site.docs / "index.md").read_text() and len([*site.docs.rglob("*.md")]) > 1:
        with (site.docs / "index.md").open("a") as index:
            index.write("\n```{toctree}\n:glob:\n:hidden:\n\n**\n```\n")
    if (site.root / "files").exists():
        config = {"html_extra_path": ["../files"]} | config
    return how(options, builder="dirhtml", **config)


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


def further(built: Any) -> list[str]:
    """The files that list the pages, in any format."""
    patterns = ("sitemap*", "*.rss", "*.atom")
    return sorted(path.name for pattern in patterns for path in built.output.glob(pattern))


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
        (image,) = re.findall(rf"<image:loc>{BASE}([^<]*)<", built.read().decode())
        assert built.has(image)

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


class TestFeedsAndNews:
    def test_feeds_list_the_pages_that_changed_last(self, any_site: Any, repository: Any) -> None:
        site = committed(any_site, repository, old="# Old\n\nWords.\n")
        site.write("docs/new.md", f"{DESCRIPTION}# New & <b>bold</b>\n\nWords.\n")
        repository.commit("2026-03-12T00:00:00+00:00")
        options = {"feeds": {"rss": "changes.rss", "atom": "changes.atom", "count": 2}}
        built = build(site, options, strict=True)
        assert built.announced == ["sitemap.xml", "changes.rss", "changes.atom"]
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
            for page in ("index.html", "a/index.html"):
                head = built.read(page).decode().partition("</head>")[0]
                assert [line for line in head.splitlines() if "changes." in line] == (lines if is_wanted else [])
                assert "hreflang" not in head

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
        assert further(built) == ["sitemap-news.xml", "sitemap.xml"]
        assert locs(built.read("sitemap-news.xml")) == ["posts/late/", "posts/now/"]
        text = built.read("sitemap-news.xml").decode()
        assert re.findall(r"<news:(?:name|language)>([^<]*)<", text) == ["Sample", "en", "Sample", "en"]
        assert built.said("posts/none.md: it has no publication date", level="info")
        assert b"news:" not in built.read()


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


@pytest.mark.parametrize("left_out", [(), ("limit", "sections")])
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
