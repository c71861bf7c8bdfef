"""Reading a published folder: its sitemaps, the URLs where they are published, and the file behind each URL."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins import Content, Page, Site, build, read_settings, write
from sitemap_plugins.model import Markup
from sitemap_plugins.published import sitemaps
from sitemap_plugins.published.sitemaps import (
    PublishedPage,
    PublishedSitemap,
    file_behind,
    find_sitemaps,
    infer_base_url,
    read_published,
)
from tests.builders import refuse_to_list, refuse_to_open

if TYPE_CHECKING:
    from tests.published_root import Root


X = "https://x.org/"
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
INDEX = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'
BOMB = (
    '<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True))
    + f"]>{OPEN}<url><loc>{X}&i;</loc></url></urlset>"
)
FETCHED = f'<!DOCTYPE urlset [<!ENTITY a SYSTEM "file:///etc/passwd">]>{OPEN}<url><loc>{X}&a;</loc></url></urlset>'


def test_a_sitemap_is_read_with_its_pages_and_its_compressed_copy(root: Root) -> None:
    root.build("", X, "en", ["", "a/", "guide.html"])
    root.write("sitemap.xml.gz", b"packed")
    root.page("not-listed/index.html", "fr")
    published = root.read()
    (sitemap,) = published.sitemaps
    assert isinstance(sitemap, PublishedSitemap)
    assert (sitemap.path, sitemap.folder, sitemap.base_url) == ("sitemap.xml", "", X)
    assert sitemap.content == (root.path / "sitemap.xml").read_bytes()
    assert sitemap.packed == b"packed"
    assert [entry.loc for entry in sitemap.entries] == [X, f"{X}a/", f"{X}guide.html"]
    assert published.pages == {
        X: PublishedPage(path="index.html", markup=Markup(language="en")),
        f"{X}a/": PublishedPage(path="a/index.html", markup=Markup(language="en")),
        f"{X}guide.html": PublishedPage(path="guide.html", markup=Markup(language="en")),
    }
    assert published.problems == ()


def test_the_head_of_a_page_is_read(root: Root) -> None:
    root.build("fr", f"{X}fr/", "fr", [""])
    root.page("fr/index.html", "fr-CA", '<meta name="robots" content="noindex"><link rel="canonical" href="../en/">')
    (page,) = root.read().pages.values()
    assert page == PublishedPage(
        path="fr/index.html",
        markup=Markup(language="fr-CA", robots=frozenset({"noindex"}), canonicals=("../en/",)),
    )


@pytest.mark.parametrize(
    "content", [b"", b"\0\1\2", b"\x89PNG\r\n\x1a\n\0", b"<html lang=\xff>", b"<html lang", b"%PDF"]
)
def test_any_file_behind_a_url_is_a_page(root: Root, content: bytes) -> None:
    root.sitemap("sitemap.xml", [f"{X}a"])
    root.write("a", content)
    assert root.read().pages[f"{X}a"].path == "a"


def test_a_url_without_a_file_has_no_page(root: Root) -> None:
    root.build("", X, "en", [""])
    root.sitemap("sitemap.xml", [f"{X}gone/", X, "https://y.org/", f"{X}gone.html", f"{X}folder", f"{X}folder/"])
    (root.path / "folder").mkdir()
    published = root.read()
    assert [*published.pages] == [X]
    assert len(published.sitemaps[0].entries) == 6


def test_sitemaps_are_found_in_all_folders_in_order(root: Root) -> None:
    for path in ("sitemap.xml", "b/sitemap-2.xml", "b/sitemap.xml", "a/c/sitemap_index.xml", "a/sitemap.xml"):
        root.write(path, "")
    for path in (".hidden/sitemap.xml", "a/.git/b/sitemap.xml", "sitemap.xml.gz", "my-sitemap.xml", "Sitemap.xml"):
        root.write(path, "")
    (root.path / "sitemap-folder.xml").mkdir()
    assert [*find_sitemaps(root.path)] == [
        "sitemap.xml",
        "a/sitemap.xml",
        "b/sitemap-2.xml",
        "b/sitemap.xml",
        "a/c/sitemap_index.xml",
    ]
    assert [*find_sitemaps(root.path, "my-*")] == ["my-sitemap.xml"]
    assert [*find_sitemaps(root.path, "a/sitemap.xml")] == []


def test_links_to_folders_are_not_followed(root: Root) -> None:
    root.build("v1", f"{X}v1/", "en", [""])
    (root.path / "latest").symlink_to("v1")
    (root.path / "loop").symlink_to(".")
    (root.path / "beside").symlink_to("../beside")
    root.write("../beside/sitemap.xml", "")
    assert [*find_sitemaps(root.path)] == ["v1/sitemap.xml"]


def test_the_urls_of_a_version_can_name_an_alias(root: Root) -> None:
    root.build("v1", f"{X}latest/", "en", ["", "a/"])
    (root.path / "latest").symlink_to("v1")
    published = root.read()
    assert published.sitemaps[0].base_url == f"{X}latest/"
    assert [page.path for page in published.pages.values()] == ["v1/index.html", "v1/a/index.html"]


def test_two_folders_with_one_url_are_a_problem(root: Root) -> None:
    """Both builds have the same URL."""
    root.build("en", X, "en", [""])
    root.build("fr", X, "fr", [""])
    root.sitemap("en/sitemap-2.xml", [X])
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap-2.xml", "en/sitemap.xml"]
    assert published.pages[X].path == "en/index.html"
    (problem,) = published.problems
    assert problem == (
        "fr/sitemap.xml lists pages below https://x.org/, which is the URL of the folder en, so it was left alone: "
        "build it with a URL of its own (site_url, html_baseurl)"
    )


def test_a_link_to_a_sitemap_is_not_read(root: Root) -> None:
    root.build("en", f"{X}en/", "en")
    (root.path / "sitemap.xml").symlink_to("../beside/sitemap.xml")
    (root.path / "sitemap-2.xml").symlink_to("en/sitemap.xml")
    root.write("../beside/sitemap.xml", "<urlset")
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    assert published.problems == ()


def test_a_page_behind_a_link_that_leads_out_of_the_root_is_not_read(root: Root) -> None:
    root.build("v1", f"{X}v1/", "en", ["a/"])
    (root.path / "latest").symlink_to("v1")
    (root.path / "out").symlink_to("../beside")
    (root.path / "b.html").symlink_to("../beside/a.html")
    root.page("index.html", "en")
    root.sitemap("sitemap.xml", [X, f"{X}latest/a/", f"{X}out/", f"{X}out/a.html", f"{X}b.html"])
    published = root.read()
    assert published.pages.keys() == {X, f"{X}latest/a/", f"{X}v1/a/"}
    (remark,) = published.remarks
    assert remark.startswith("out/index.html was not read (a link on its path leads out of the output folder)")
    assert remark.endswith(" (and 2 more pages)")


def test_a_sitemap_index_is_skipped_silently(root: Root) -> None:
    root.write("sitemap.xml", INDEX)
    root.build("en", f"{X}en/", "en")
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    assert published.problems == ()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "is empty"),
        ("<urlset", "is not well-formed XML (line 1, column 1: it ends too early)"),
        ("<!doctype html><html></html>", "is not a sitemap but an HTML page"),
        ("<feed/>", "is not a sitemap: its root element is <feed>"),
        (b"\x1f\x8b\x08\0", "is compressed with gzip; unpack it first"),
        (f"{OPEN}<url><loc>\xe4</loc></url></urlset>".encode("latin-1"), "(invalid token))"),
        (BOMB, "has a DOCTYPE, which is not allowed in a sitemap"),
        (FETCHED, "has a DOCTYPE, which is not allowed in a sitemap"),
        (f"{OPEN}<url><loc>{X}\0</loc></url></urlset>", "(invalid token))"),
    ],
)
def test_an_invalid_sitemap_is_a_problem_and_the_others_are_read(
    root: Root, content: str | bytes, problem: str
) -> None:
    root.build("en", f"{X}en/", "en")
    root.write("fr/sitemap.xml", content)
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    (said,) = published.problems
    assert said.startswith(("fr/sitemap.xml is ", "fr/sitemap.xml has "))
    assert said.endswith(problem)


@pytest.mark.parametrize("codec", ["utf-16", "iso-8859-1", "utf-8-sig"])
def test_a_sitemap_in_another_encoding_is_read(root: Root, codec: str) -> None:
    declared = codec.removesuffix("-sig")
    root.write(
        "sitemap.xml",
        f'<?xml version="1.0" encoding="{declared}"?>{OPEN}<url><loc>{X}é</loc></url></urlset>'.encode(codec),
    )
    root.page("é.html", "fr")
    assert root.read().pages[f"{X}é"].path == "é.html"


@pytest.mark.parametrize(
    "urls", [[f"{X}gone.html", f"{X}lost/a/", f"{X}b.html"], ["https://[::1"], ["no url"], ["file:///etc/passwd"]]
)
def test_a_sitemap_without_files_behind_its_urls_is_a_problem(root: Root, urls: list[str]) -> None:
    root.page("index.html", "en")
    root.sitemap("sitemap.xml", urls)
    published = root.read()
    assert published.sitemaps == ()
    (problem,) = published.problems
    assert problem == (
        f"sitemap.xml has no file behind any of its {len(urls)} URLs, so it was left alone; "
        "is this the folder that is published?"
    )


def test_a_sitemap_without_urls_is_a_remark_and_not_a_problem(root: Root) -> None:
    """MkDocs writes such a sitemap if the site has no URL."""
    root.build("en", f"{X}en/", "en")
    root.sitemap("fr/sitemap.xml", [])
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    assert (published.problems, published.remarks) == ((), ("fr/sitemap.xml lists no page",))


def test_an_unreadable_sitemap_is_a_problem_and_the_others_are_read(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.build("en", f"{X}en/", "en")
    root.build("fr", f"{X}fr/", "fr")
    refuse_to_open(root.path / "fr/sitemap.xml", monkeypatch)
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    assert published.problems == ("fr/sitemap.xml cannot be read: Permission denied",)


def test_an_unreadable_page_is_not_a_page(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.build("", X, "en")
    refuse_to_open(root.path / "a/index.html", monkeypatch)
    published = root.read()
    assert [*published.pages] == [X]
    assert published.remarks == ("a/index.html was not read (Permission denied), so it is not linked to translations",)


def test_an_unreadable_compressed_copy_stops_nothing(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.build("en", f"{X}en/", "en")
    root.build("fr", f"{X}fr/", "fr")
    refuse_to_open(root.write("fr/sitemap.xml.gz", gzip.compress(b"")), monkeypatch)
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    assert published.problems == ("fr/sitemap.xml.gz cannot be read: Permission denied",)


@pytest.mark.parametrize("make", ["nothing", "a file"])
def test_an_unreadable_root_is_an_error(tmp_path: Path, make: str) -> None:
    if make == "a file":
        (tmp_path / "root").write_text("")
    with pytest.raises(OSError, match="root"):
        read_published(tmp_path / "root")


def test_a_root_without_permission_is_an_error(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_to_list(root.path, monkeypatch)
    with pytest.raises(PermissionError):
        root.read()


def test_a_folder_without_permission_is_an_error(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.build("en", f"{X}en/", "en")
    (root.path / "en/private").mkdir()
    refuse_to_list(root.path / "en/private", monkeypatch)
    with pytest.raises(PermissionError, match="private"):
        root.read()


# The URL of a folder with these files, derived from the URLs in its sitemap.
BASES = {
    "a home page": (["index.html"], [X], X),
    "a path": (["index.html", "a/index.html"], [f"{X}project/", f"{X}project/a/"], f"{X}project/"),
    "a long path": (["a.html"], [f"{X}project/fr/latest/a.html"], f"{X}project/fr/latest/"),
    "a port": (["a.html"], ["http://x.org:8080/a.html"], "http://x.org:8080/"),
    "a path that occurs again below": (
        ["index.html", "fr/index.html", "fr/a.html"],
        [f"{X}fr/", f"{X}fr/fr/", f"{X}fr/fr/a.html"],
        f"{X}fr/",
    ),
    "the shortest, if several are right": (["index.html", "fr/index.html"], [f"{X}fr/"], X),
    "most are gone": (["a.html"], [f"{X}fr/gone/1/", f"{X}fr/gone/2/", f"{X}fr/a.html"], f"{X}fr/"),
    "a query": (["a.html"], [f"{X}a.html?b/c#d/e"], X),
    "another host": (["a.html"], [f"{X}a.html", "https://y.org/b.html"], X),
    "encoded": (["é è/a.html"], [f"{X}%C3%A9%20%c3%a8/a.html"], X),
    "encoded above": (["a.html"], [f"{X}%C3%A9/a.html"], f"{X}%C3%A9/"),
    "no file exists": (["a.html"], [f"{X}b.html"], None),
    "no file exists except the folder's own": (["index.html"], [f"{X}gone/", f"{X}lost/", f"{X}b.html"], None),
    "no URLs": (["a.html"], [], None),
    "a relative URL": (["a.html"], ["a.html"], None),
    "an impossible URL": (["a.html"], ["https://[x/a.html"], None),
    "a home page without its slash": (["index.html", "a/index.html"], ["https://x.org", f"{X}a/"], X),
    "an impossible URL first": (["a.html"], ["https://[x/a.html", f"{X}a.html"], X),
    "another host first": (["a.html", "c.html"], ["https://y.org/b.html", f"{X}a.html", f"{X}c.html"], X),
    "a folder without its slash first": (
        ["index.html", "a/index.html"],
        [f"{X}fr", f"{X}fr/a"],
        f"{X}fr/",
    ),
}


@pytest.mark.parametrize(("files", "locs", "base_url"), BASES.values(), ids=BASES)
def test_the_url_of_a_folder(root: Root, files: list[str], locs: list[str], base_url: str | None) -> None:
    for path in files:
        root.write(path, "")
    assert infer_base_url(root.path, locs) == base_url


@pytest.mark.parametrize(
    ("below", "file"),
    [
        ("", "index.html"),
        ("a/", "a/index.html"),
        ("a", "a/index.html"),
        ("b", "b.html"),
        ("b.html", "b.html"),
        ("c.htm", "c.htm"),
        ("c", None),
        ("d.1", "d.1.html"),
        ("e", "e"),
        ("e/", None),
        ("f", "f.html"),
        ("f/", "f/index.html"),
        ("f/index.html", "f/index.html"),
        ("f/index", "f/index.html"),
        ("a/?lang=fr", "a/index.html"),
        ("b.html?/../..", "b.html"),
        ("b#/c/", "b.html"),
        ("%C3%A9%20%25/", "é %/index.html"),
        ("é%20%25/", "é %/index.html"),
        ("%61%2F", "a/index.html"),
        ("a//", "a/index.html"),
        ("./a/", "a/index.html"),
        ("g/", None),
        ("%FF", None),
    ],
)
def test_the_file_behind_a_url_is_the_one_that_a_server_sends(root: Root, below: str, file: str | None) -> None:
    for path in (
        *("index.html", "a/index.html", "b.html", "c.htm", "d.1.html", "e", "f.html", "f/index.html"),
        "é %/index.html",
    ):
        root.write(path, "")
    (root.path / "g/index.html").mkdir(parents=True)
    assert file_behind(root.path, X + below, X) == (root.path / file if file else None)
    assert file_behind(root.path, f"https://y.org/{below}", X) is None


HOSTILE = [
    "..",
    "../",
    "../a.html",
    "../beside/",
    "../beside/a",
    "a/../../beside/a",
    "%2e%2e/beside/a",
    "..%2Fbeside%2Fa",
    "..%5Cbeside%5Ca",
    "..\\beside\\a",
    "a%00/../../beside/a",
    "%00",
    "/etc/passwd",
    "%2Fetc/passwd",
    "//etc/passwd",
    ".",
    "./",
    "./.",
    "%2E",
    "a/.",
    "a/..",
    "C:/a.html",
    "~",
    "~root/",
    "%",
    "%2",
    "?",
    "#",
    "x" * 300,
    "x" * 300 + "/",
    "x/" * 3000,
    "/" * 3000,
    "\ud800",
]


@pytest.mark.parametrize("below", HOSTILE, ids=lambda below: f"{len(below)} characters {below[:20]!a}")
def test_no_url_leads_out_of_the_folder(root: Root, below: str) -> None:
    root.write("index.html", "")
    root.write("a.html", "")
    for base_url in (X, f"{X}fr/"):
        file = file_behind(root.path, base_url + below, base_url)
        assert file is None or os.path.realpath(file).startswith(f"{os.path.realpath(root.path)}/")


@pytest.mark.parametrize("below", HOSTILE[:-1], ids=lambda below: f"{len(below)} characters {below[:20]!a}")
def test_a_hostile_url_stops_nothing(root: Root, below: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root.build("", X, "en", ["", "a/", "b/"])
    written = below.replace("&", "&amp;").replace("<", "&lt;")
    root.sitemap("sitemap.xml", [X, f"{X}a/", f"{X}b/", X + written])
    monkeypatch.chdir(root.path)
    for path in (root.path, Path()):
        published = read_published(path)
        assert {X, f"{X}a/", f"{X}b/"} <= published.pages.keys()
        assert all(not page.path.startswith((".", "/")) for page in published.pages.values())
        assert published.problems == ()


below_base = st.lists(
    st.sampled_from(
        ["..", ".", "/", "a", "%2e", "%2F", "%5C", "\\", "%00", "\0", "beside", "?", "#", ".html", "é", ":"]
    ),
    max_size=8,
).map("".join) | st.text(max_size=20)


@given(below_base)
@example(".")
@example("a/.")
def test_no_arbitrary_url_leads_out_of_the_folder(tmp_path_factory: pytest.TempPathFactory, below: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "any-url" / "root"
    if not folder.exists():
        for path in ("root/index.html", "root/a.html", "root/a/index.html", "beside/index.html", "root.html", "a.html"):
            (folder.parent / path).parent.mkdir(parents=True, exist_ok=True)
            (folder.parent / path).write_text("")
    file = file_behind(folder, X + below, X)
    assert file is None or os.path.realpath(file).startswith(f"{os.path.realpath(folder)}/")


def test_a_url_with_very_many_segments_costs_little(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    """A valid URL is never that long, so it is not looked up. Otherwise each URL would be tried with each segment."""
    root.build("", X, "en")
    root.sitemap("sitemap.xml", [f"{X}{'x/' * 1_200}", X, f"{X}a/"])
    looked_for: list[str] = []

    def look(folder: Path, loc: str, base_url: str) -> Path | None:
        looked_for.append(loc)
        return file_behind(folder, loc, base_url)

    monkeypatch.setattr(sitemaps, "file_behind", look)
    assert root.read().pages.keys() == {X, f"{X}a/"}
    assert len(looked_for) < 100


def test_our_image_sitemaps_and_feeds_are_not_read_as_sitemaps(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html lang=en>", encoding="utf-8")
    settings, _ = read_settings({"images": "separate", "feeds": {"rss": "sitemap-changes.xml"}, "notes": {}})
    page = Page(
        loc="https://example.org/",
        name="index.md",
        title="Home",
        front_matter={"sitemap": {"lastmod": "2026-03-01"}},
        content=Content(images=("https://example.org/a.png",)),
    )
    result = build(Site(base_url="https://example.org/"), [page], settings)
    assert write(result.files, tmp_path)[:3] == ["sitemap.xml", "sitemap-images.xml", "sitemap-changes.xml"]
    published = read_published(tmp_path)
    assert published.problems == ()
    assert [each.path for each in published.sitemaps] == ["sitemap.xml"]
