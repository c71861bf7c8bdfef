"""The state of a published site: its URL, its sitemaps, and the file behind each URL."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from sitemap_plugins.published.site_url import NamedURL
from sitemap_plugins.published.state import State, read_state

X = "https://docs.example.org/"
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def page(canonical: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<!doctype html><html lang=en><head><title>A</title>{link}</head><body></body></html>"


def urlset(*locs: str) -> str:
    return f"{OPEN}\n" + "\n".join(f"<url><loc>{loc}</loc></url>" for loc in locs) + "\n</urlset>"


def index(*locs: str) -> str:
    content = urlset(*locs).replace("urlset", "sitemapindex")
    return content.replace("<url>", "<sitemap>").replace("</url>", "</sitemap>")


def read(folder: Path, files: dict[str, str | bytes], base: NamedURL | None = None) -> State:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_state(str(folder), base=base)


SITEMAP = {"sitemap.xml": urlset(X)}


@pytest.mark.parametrize(
    ("files", "url", "place"),
    [
        ({"CNAME": "docs.example.org\n", "a.html": page(f"{X}a.html")}, X, "the file CNAME"),
        ({"CNAME": "docs.example.org", "a.html": page("http://docs.example.org/a.html")}, "http://docs.example.org/", "the file CNAME"),
        ({"robots.txt": f"Sitemap: {X}sub/sitemap.xml", "sitemap.xml": urlset(X)}, f"{X}sub/", "robots.txt"),
        ({"robots.txt": f"Sitemap: {X}de/sitemap.xml", "de/sitemap.xml": urlset(X)}, X, "robots.txt"),
        ({"a/b/index.html": page(f"{X}sub/a/b/"), "c.html": page(f"{X}sub/c")}, f"{X}sub/", "the canonical links of the pages"),
        ({"index.html": page(f"{X}sub/")}, f"{X}sub/", "the canonical links of the pages"),
        # Canonical links to other versions do not count, and neither do those of one odd page.
        ({"1/a.html": page(f"{X}2/a.html"), "2/a.html": page(f"{X}2/a.html"), "b.html": page(f"{X}b.html")}, X, "the canonical links of the pages"),
        ({"a.html": page(f"{X}a.html"), "b.html": page("https://other.example.net/b.html")}, None, None),
        ({"a.html": page("http://localhost:8000/a.html")}, None, None),
        ({"CNAME": "not a domain", "a.html": page()}, None, None),
        ({"robots.txt": f"Sitemap: {X}nothing.xml", "a.html": page()}, None, None),
    ],
)  # fmt: skip
def test_the_url_comes_from_the_first_place_that_has_it(
    files: dict[str, str | bytes], url: str | None, place: str | None, tmp_path: Path
) -> None:
    base = read(tmp_path, files).base
    assert (base and base.url, base and base.place) == (url, place)


def test_a_configured_url_comes_first(tmp_path: Path) -> None:
    named = NamedURL("https://configured.example.org/", "site_url in mkdocs.yml")
    assert read(tmp_path, {"CNAME": "docs.example.org"}, named).base == named


def test_sitemaps_are_announced_by_robots_txt_by_an_index_and_by_their_names(tmp_path: Path) -> None:
    state = read(
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
    assert {path: each.announced_by for path, each in state.sitemaps.items()} == {
        "de/sitemap.xml": "",
        "map.xml": "robots.txt",
        "parts/a.xml": "map.xml",
        "parts/b.xml.gz": "map.xml",
        "sitemap.xml": "sitemap.xml",
    }
    assert [(line.url, line.line) for line in state.announced] == [(f"{X}map.xml", 3)]
    assert [(each.entry.loc, each.line) for each in state.sitemaps["sitemap.xml"].entries] == [(X, 2), (f"{X}a/", 3)]


def test_a_compressed_copy_belongs_to_its_sitemap(tmp_path: Path) -> None:
    content = urlset(X)
    same = {"sitemap.xml": content, "sitemap.xml.gz": gzip.compress(content.encode(), mtime=1_772_368_496)}
    (sitemap,) = read(tmp_path, same).sitemaps.values()
    assert sitemap.packed
    assert (sitemap.path, sitemap.packed.path, sitemap.packed.is_same) == ("sitemap.xml", "sitemap.xml.gz", True)
    assert str(sitemap.packed.when) == "2026-03-01 12:34:56+00:00"
    (sitemap,) = read(tmp_path, {"sitemap.xml": urlset(X, f"{X}a/")}).sitemaps.values()
    assert sitemap.packed
    assert not sitemap.packed.is_same


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("", "index.html"),
        ("a/", "a/index.html"),
        ("a", "a/index.html"),
        ("a/index.html", "a/index.html"),
        ("b", "b.html"),
        ("b/", "b.html"),
        ("b.html", "b.html"),
        ("both", "both.html"),
        ("both/", "both/index.html"),
        ("c.pdf", "c.pdf"),
        ("with%20space?q=1", "with space.html"),
        ("B.html", None),
        ("gone", None),
        ("../b.html", None),
    ],
)
def test_the_file_that_a_server_sends(path: str, file: str | None, tmp_path: Path) -> None:
    names = ("index.html", "a/index.html", "b.html", "both.html", "both/index.html", "c.pdf", "with space.html")
    state = read(tmp_path, {"CNAME": "docs.example.org", **dict.fromkeys(names, page())})
    assert state.file_at(X + path) == file
    assert state.file_at(f"https://other.example.net/{path}") is None


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
def test_links_inside_the_site_are_followed_and_others_are_not(tmp_path: Path) -> None:
    site = tmp_path / "site"
    files: dict[str, str | bytes] = {"CNAME": "docs.example.org", "2.0/a.html": page(), "2.0/sub/b.html": page()}
    read(site, files)
    read(tmp_path / "outside", {"secret.html": page()})
    (site / "latest").symlink_to("2.0", target_is_directory=True)
    (site / "out").symlink_to("../outside", target_is_directory=True)
    (site / "2.0/loop").symlink_to("..", target_is_directory=True)
    state = read_state(str(site))
    assert state.file_at(f"{X}latest/a.html") == "2.0/a.html"
    assert state.file_at(f"{X}latest/sub/b") == "2.0/sub/b.html"
    assert state.file_at(f"{X}out/secret.html") is None
    assert state.file_at(f"{X}2.0/loop/2.0/a.html") is None
    assert state.links == {"latest": "2.0"}
    assert sorted(state.pages) == ["2.0/a.html", "2.0/sub/b.html"]


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    state = read(tmp_path, {"CNAME": "docs.example.org", "a.html": page(), **SITEMAP})
    assert state.unread == {}
    (tmp_path / "robots.txt").write_bytes(b"#" * (2 << 20))
    state = read_state(str(tmp_path))
    assert state.robots is None
    assert state.unread == {"robots.txt": "it is larger than 1 MiB, the limit for a robots.txt"}
