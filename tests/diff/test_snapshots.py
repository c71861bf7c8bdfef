"""How snapshots are named, what sitemaps say, and which commit a deployment says that it was built from."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sitemap_plugins.diff.snapshots import commit_in_message, name_inside, read_sitemap_snapshot

BASE = "https://example.org/docs/"


@pytest.mark.parametrize(
    ("message", "commit"),
    [
        ("Deployed bb7e8b62 with MkDocs version: 1.5.3\n", "bb7e8b62"),
        ("Deployed db4eeaa to latest with MkDocs 1.6.1 and mike 2.1.3", "db4eeaa"),
        ("Deployed 0a1b2c3 with ProperDocs version: 1.6.7", "0a1b2c3"),
        ("Deployed c14dec9 to 2.0 in docs with ProperDocs 1.6.7 and mike 2.2.0", "c14dec9"),
        ("deploy: c9b015ddc869b277c16dd20ef4a70e595c72d022", "c9b015ddc869b277c16dd20ef4a70e595c72d022"),
        ("deploy: a/b@" + "2" * 40, "2" * 40),
        ("Deploying to gh-pages from main @ a/b@" + "1" * 40 + " 🚀", "1" * 40),
        ("Deploying to gh-pages from @ a/b@" + "1" * 40 + " 🚀", "1" * 40),
        ("Deployed 40f3f4c41 to dev with Zensical 0.0.51 and mike 2.2.0+zensical-0.1.0", "40f3f4c41"),
        ("build based on 1a2b3c4", "1a2b3c4"),
        ("Release 1.2\n\nDeployed bb7e8b62 with MkDocs version: 1.5.3", None),
        ("Deployed somewhere", None),
        ("", None),
    ],
)
def test_the_commit_is_in_the_message_of_the_deployment(message: str, commit: str | None) -> None:
    assert commit_in_message(message) == commit


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
    locs = [BASE, "https://EXAMPLE.org:443/docs/./a/", "https://zoo.example/"]
    (file := tmp_path / "sitemap.txt").write_text("\n".join(locs), encoding="ascii")
    snapshot = read_sitemap_snapshot(file, "")
    assert (snapshot.base_url, [*snapshot.pages]) == (BASE, ["", "a/"])
