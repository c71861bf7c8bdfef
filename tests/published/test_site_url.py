"""The URL of a published site, by the files in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.published.site_url import find_site_url
from sitemap_plugins.published.sitemap_files import sitemap_lines
from sitemap_plugins.published.tree import Tree

X = "https://docs.example.org/"


def page(canonical: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<!doctype html><html lang=en><head><title>A</title>{link}</head><body></body></html>"


@pytest.mark.parametrize(
    ("files", "url", "place"),
    [
        ({"CNAME": "docs.example.org\n", "a.html": page(f"{X}a.html")}, X, "the file CNAME"),
        ({"CNAME": "docs.example.org", "a.html": page("http://docs.example.org/a.html")}, "http://docs.example.org/", "the file CNAME"),
        ({"robots.txt": f"Sitemap: {X}sub/sitemap.xml", "sitemap.xml": ""}, f"{X}sub/", "robots.txt"),
        ({"robots.txt": f"Sitemap: {X}de/sitemap.xml", "de/sitemap.xml": ""}, X, "robots.txt"),
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
    files: dict[str, str], url: str | None, place: str | None, tmp_path: Path
) -> None:
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    lines = sitemap_lines(files.get("robots.txt", "").encode())
    base = find_site_url(Tree(tmp_path), [line.url for line in lines])
    assert (base and base.url, base and base.place) == (url, place)
