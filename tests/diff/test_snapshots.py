"""How snapshots are named, and what sitemaps say."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sitemap_plugins.diff.snapshots import name_inside, read_sitemap_snapshot

BASE = "https://example.org/docs/"


def test_a_folder_in_a_branch_is_named_with_a_colon() -> None:
    assert name_inside("gh-pages", "2.0") == "gh-pages:2.0"


@pytest.mark.parametrize(
    ("paths", "base", "found"),
    [
        (["", "a/", "b/c"], BASE, {"", "a/", "b/c"}),
        (["a/", "a/b"], "https://example.org/docs/a/", {"", "b"}),
        (["a.html", "b/index.html", "index.html"], BASE, {"a.html", "b/", ""}),
        (["a/b", "index.html", "z/y"], BASE, {"a/b", "", "z/y"}),
        (["a", "b"], "https://example.org/", {"docs/a", "docs/b"}),
        ([], None, set()),
    ],
)
def test_the_pages_of_a_sitemap(tmp_path: Path, paths: list[str], base: str | None, found: set[str]) -> None:
    file = tmp_path / "sitemap.xml"
    urls = "".join(f"<url><loc>{BASE}{path}</loc></url>" for path in paths)
    file.write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>', encoding="ascii")
    snapshot = read_sitemap_snapshot(file, "sitemap.xml")
    assert (snapshot.base_url, snapshot.pages.keys()) == (base, found)
    assert snapshot.unknown == {"unlisted", "redirects", "documents", "texts", "anchors"}
    if paths:
        text = tmp_path / "sitemap.txt.gz"
        text.write_bytes(gzip.compress("".join(f"{BASE}{path}\n" for path in paths).encode()))
        assert read_sitemap_snapshot(text, "").pages == snapshot.pages
        assert {*read_sitemap_snapshot(file, "", "https://example.org/").pages} == {
            f"docs/{path.removesuffix('index.html')}" for path in paths
        }
        assert read_sitemap_snapshot(file, "", "https://example.org/other/").base_url == base


def test_what_tools_generate_beside_the_pages_does_not_count(tmp_path: Path) -> None:
    paths = ("", "genindex.html", "_modules/a/", "1.9/blog/drafts/a/", "blog/tag/a/")
    (file := tmp_path / "sitemap.txt").write_text("".join(f"{BASE}{path}\n" for path in paths), encoding="ascii")
    assert {*read_sitemap_snapshot(file, "").pages} == {"", "blog/tag/a/"}


def test_the_most_frequent_host_of_a_sitemap_is_that_of_the_site(tmp_path: Path) -> None:
    locs = [BASE, "https://EXAMPLE.org:443/docs/./a/", "https://zoo.example/", "https://[x/", "a/", "b/", "c/"]
    (file := tmp_path / "sitemap.txt").write_text("\n".join(locs), encoding="ascii")
    snapshot = read_sitemap_snapshot(file, "")
    assert (snapshot.base_url, [*snapshot.pages]) == (BASE, ["", "a/"])
