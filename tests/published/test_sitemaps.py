"""The sitemaps of a published site, as crawlers find them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.published.sitemaps import SitemapFile, find_sitemaps, read_content, read_listed, sitemap_lines
from sitemap_plugins.published.tree import Tree

X = "https://docs.example.org/"
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def urlset(*locs: str) -> str:
    return f"{OPEN}\n" + "\n".join(f"<url><loc>{loc}</loc></url>" for loc in locs) + "\n</urlset>"


def index(*locs: str) -> str:
    content = urlset(*locs).replace("urlset", "sitemapindex")
    return content.replace("<url>", "<sitemap>").replace("</url>", "</sitemap>")


def read(folder: Path, files: dict[str, str | bytes]) -> dict[str, SitemapFile]:
    """Write the files, and find the sitemaps among them; those that robots.txt announces come first."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    robots = files.get("robots.txt", "")
    assert isinstance(robots, str)
    return find_sitemaps(Tree(folder), None, sitemap_lines(robots.encode()))


def test_sitemaps_are_announced_by_robots_txt_by_an_index_and_by_their_names(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "robots.txt": f"User-agent: *\nDisallow:\nSitemap: {X}map.xml\n",
            "map.xml": index(f"{X}parts/a.xml", f"{X}parts/gone.xml", f"{X}parts/b.xml.gz"),
            "parts/a.xml": urlset(X),
            "parts/b.xml.gz": gzip.compress(urlset(X).encode(), mtime=0),
            "sitemap.xml": urlset(X, f"{X}a/"),
            "de/sitemap.xml": urlset(f"{X}de/"),
        },
    )
    assert {path: each.announced_by for path, each in found.items()} == {
        "de/sitemap.xml": "",
        "map.xml": "robots.txt",
        "parts/a.xml": "map.xml",
        "parts/b.xml.gz": "map.xml",
        "sitemap.xml": "sitemap.xml",
    }
    assert [(each.entry.loc, each.line) for each in found["sitemap.xml"].entries] == [(X, 2), (f"{X}a/", 3)]


def test_a_compressed_copy_belongs_to_its_sitemap(tmp_path: Path) -> None:
    content = urlset(X)
    same = {"sitemap.xml": content, "sitemap.xml.gz": gzip.compress(content.encode(), mtime=1_772_368_496)}
    (sitemap,) = read(tmp_path, same).values()
    assert sitemap.packed
    assert (sitemap.path, sitemap.packed.path, sitemap.packed.is_same) == ("sitemap.xml", "sitemap.xml.gz", True)
    assert str(sitemap.packed.when) == "2026-03-01 12:34:56+00:00"
    (sitemap,) = read(tmp_path, {"sitemap.xml": urlset(X, f"{X}a/")}).values()
    assert sitemap.packed
    assert (sitemap.packed.is_same, sitemap.packed.error) == (False, "")
    (sitemap,) = read(tmp_path, {"sitemap.xml.gz": same["sitemap.xml.gz"][:-9]}).values()
    assert sitemap.packed
    assert (sitemap.packed.is_same, sitemap.packed.error) == (False, "is damaged: it cannot be unpacked")


def test_a_compressed_sitemap_is_read_under_any_name(tmp_path: Path) -> None:
    (sitemap,) = read(tmp_path, {"sitemap.xml": gzip.compress(urlset(X).encode(), mtime=0)}).values()
    assert (sitemap.kind, [each.loc for each in sitemap.entries]) == ("urlset", [X])


def test_the_lines_of_robots_txt_have_numbers() -> None:
    lines = sitemap_lines(f"User-agent: *\nDisallow:\nSitemap: {X}map.xml\n".encode())
    assert [(line.url, line.line) for line in lines] == [(f"{X}map.xml", 3)]
    assert sitemap_lines(None) == ()


def test_a_sitemap_that_only_looks_compressed_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.xml.gz").write_text(urlset(X))
    (tmp_path / "sitemap.xml").write_text(index(f"{X}a.xml.gz"))
    [sitemap, _] = find_sitemaps(Tree(tmp_path), X, ()).values()
    assert (sitemap.kind, sitemap.error) == ("unusable", "is not compressed, although its name ends in .gz")


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("sitemap.xml", urlset(X, f"{X}a/"), "urlset"),
        ("sitemap.xml", index(f"{X}a.xml", f"{X}b.xml"), "index"),
        ("sitemap.txt.gz", f"{X}\n{X}a/\n", "text"),
        ("sitemap.txt", urlset(X), "text"),
    ],
)
def test_both_readers_tell_formats_apart_and_list_the_same(name: str, content: str, kind: str) -> None:
    checked = read_content(content.encode(), name, lambda _: None)
    assert read_content(content.encode(), name) == (kind, tuple(each.entry for each in checked[1]))
    assert checked[0] == kind


def test_only_the_checking_reader_reads_feeds() -> None:
    feed = f"<rss><channel><item><link>{X}</link></item></channel></rss>".encode()
    kind, links = read_content(feed, "feed.xml", lambda _: None)
    assert (kind, [link.loc for link in links]) == ("feed", [X])
    with pytest.raises(SitemapError, match="its root element is <rss>"):
        read_content(feed, "feed.xml")


def test_a_text_sitemap_is_listed_in_any_case_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "SITEMAP.TXT").write_text(f"{X}\n")
    assert [each.loc for each in read_listed(Tree(tmp_path), "SITEMAP.TXT")] == [X]


def test_an_index_is_no_sitemap_of_itself(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(index(f"{X}sitemap.xml"))
    with pytest.raises(SitemapError, match=f"names {X}sitemap.xml, but there is no such file below "):
        read_listed(Tree(tmp_path), "sitemap.xml")
