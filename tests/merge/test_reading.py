"""Reading a published folder: its sitemaps, the URLs where they are published, and the file behind each URL."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins import Content, Page, Site, build, read_settings, write
from sitemap_plugins.merge.reading import PublishedPage, PublishedSitemap, find_by_pattern, read_sitemaps
from sitemap_plugins.model import Markup
from sitemap_plugins.published.tree import Tree
from tests.builders import refuse_to_list, refuse_to_open

if TYPE_CHECKING:
    from tests.published_root import Root


X = "https://x.org/"
PATTERN = "sitemap*.xml"
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
INDEX = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>'


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
    assert [*find_by_pattern(Tree(root.path), PATTERN)] == [
        "sitemap.xml",
        "a/sitemap.xml",
        "b/sitemap-2.xml",
        "b/sitemap.xml",
        "a/c/sitemap_index.xml",
    ]
    assert [*find_by_pattern(Tree(root.path), "my-*")] == ["my-sitemap.xml"]
    assert [*find_by_pattern(Tree(root.path), "a/sitemap.xml")] == []


def test_links_to_folders_are_not_followed(root: Root) -> None:
    root.build("v1", f"{X}v1/", "en", [""])
    (root.path / "latest").symlink_to("v1")
    (root.path / "loop").symlink_to(".")
    (root.path / "beside").symlink_to("../beside")
    root.write("../beside/sitemap.xml", "")
    assert [*find_by_pattern(Tree(root.path), PATTERN)] == ["v1/sitemap.xml"]


def test_the_urls_of_a_version_can_name_an_alias(root: Root) -> None:
    root.build("v1", f"{X}latest/", "en", ["", "a/"])
    (root.path / "latest").symlink_to("v1")
    published = root.read()
    assert published.sitemaps[0].base_url == f"{X}latest/"
    assert [page.path for page in published.pages.values()] == ["v1/index.html", "v1/a/index.html"]


@pytest.mark.parametrize("above", ["", "docs/"])
def test_a_sitemap_can_be_in_the_folder_of_a_language_whose_pages_are_above(above: str, root: Root) -> None:
    """Hugo does so for its default language, and writes a home page there that only redirects."""
    root.build(f"{above}de", f"{X}{above}de/", "de", links={"a/": {"de": f"{X}{above}de/a/", "en": f"{X}{above}a/"}})
    for name in ("", "a/", "b/"):
        root.page(f"{above}{name}index.html", "en")
    root.page(f"{above}en/index.html", "en", '<meta name="robots" content="noindex">')
    root.sitemap(f"{above}en/sitemap.xml", [f"{X}{above}{name}" for name in ("", "a/", "b/")])
    folders = {each.path: (each.folder, each.base_url) for each in root.read().sitemaps}
    assert folders[f"{above}en/sitemap.xml"] == (above.rstrip("/"), f"{X}{above}")
    merged = root.merge()
    linked = {loc for loc, links in merged.links.items() if links}
    assert linked == {f"{X}{above}{path}" for path in ("", "a/", "de/", "de/a/")}


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
    (note,) = published.notes
    assert note.startswith("b.html was not read (a link on its path leads out of the output folder)")


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
        ("<!doctype html><html></html>", "is not a sitemap but an HTML page"),
        (b"\x1f\x8b\x08\0", "is compressed with gzip; unpack it first"),
        (f"{OPEN}<url><loc>\xe4</loc></url></urlset>".encode("latin-1"), "(invalid token))"),
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


@pytest.mark.parametrize("names", [["", "gone/", "lost/"], ["fr/", "fr/a/"]])
def test_a_few_files_above_it_do_not_make_it_that_of_the_root(root: Root, names: list[str]) -> None:
    root.build("", X, "en", ["", "a/"])
    root.sitemap("fr/sitemap.xml", ["https://y.org/" + name for name in names])
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["sitemap.xml"]
    assert published.problems[0].startswith("fr/sitemap.xml has no file behind any of its ")


def test_a_sitemap_without_urls_is_a_remark_and_not_a_problem(root: Root) -> None:
    """MkDocs writes such a sitemap if the site has no URL."""
    root.build("en", f"{X}en/", "en")
    root.sitemap("fr/sitemap.xml", [])
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    assert (published.problems, published.notes) == ((), ("fr/sitemap.xml lists no page",))


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
    assert published.notes == ("a/index.html was not read (Permission denied), so it is not linked to translations",)


def test_an_unreadable_compressed_copy_stops_nothing(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.build("en", f"{X}en/", "en")
    root.build("fr", f"{X}fr/", "fr")
    refuse_to_open(root.write("fr/sitemap.xml.gz", gzip.compress(b"")), monkeypatch)
    published = root.read()
    assert [sitemap.path for sitemap in published.sitemaps] == ["en/sitemap.xml"]
    assert published.problems == ("fr/sitemap.xml.gz cannot be read: Permission denied",)


def test_a_folder_without_permission_is_an_error(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.build("en", f"{X}en/", "en")
    (root.path / "en/private").mkdir()
    refuse_to_list(root.path / "en/private", monkeypatch)
    with pytest.raises(PermissionError, match="private"):
        root.read()


def test_a_url_with_very_many_segments_costs_little(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    """A valid URL is never that long, so it is not looked up. Otherwise each URL would be tried with each segment."""
    root.build("", X, "en")
    root.sitemap("sitemap.xml", [f"{X}{'x/' * 1_200}", X, f"{X}a/"])
    looked_for: list[str] = []
    is_file = Tree.is_file
    monkeypatch.setattr(Tree, "is_file", lambda tree, path: looked_for.append(path) or is_file(tree, path))
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
    published = read_sitemaps(Tree(tmp_path))
    assert published.problems == ()
    assert [each.path for each in published.sitemaps] == ["sitemap.xml"]
