"""The file behind each URL; URLs that differ only as RFC 3986, section 6.2, allows are the same, wherever they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_plugins.check.page import explain_page, find_page
from tests.check.examples import complete
from tests.check.sites import find, read, write

X = "https://docs.example.org/"
PAGES = ("", "a/", "b/", "é~/")


def site(canonicals: str = X, locs: str = X, name: str = "%C3%A9~/") -> dict[str, bytes]:
    """Pages with these beginnings of their canonical links and URLs in the sitemap; ``name`` is written for ``é~/``."""
    written = [*PAGES[:-1], name]
    heads = [f'<link rel="canonical" href="{canonicals}{path}">' for path in written]
    files = dict(zip((f"{path}index.html" for path in PAGES), heads, strict=True))
    sitemap = "\n".join(f"<url><loc>{locs}{path}</loc></url>" for path in written)
    return complete(files | {"CNAME": False, "robots.txt": False, "sitemap.xml": sitemap})


@pytest.mark.parametrize(
    "written", ["https://DOCS.Example.org/", "HTTPS://docs.example.org:443/", f"{X}./", f"{X}x/../"]
)
def test_other_spellings_of_the_base_are_no_other_site(written: str, tmp_path: Path) -> None:
    assert find(tmp_path / "canonicals", site(canonicals=written)) == ()
    assert find(tmp_path / "locs", site(locs=written)) == ()
    assert read(write(tmp_path / "both", site(written, written))).base_url == X


@pytest.mark.parametrize(("name", "rules"), [("%c3%a9%7E/", []), ("é~/", ["unencoded-url"])])
def test_other_spellings_of_a_path_are_no_other_page(name: str, rules: list[str], tmp_path: Path) -> None:
    assert [finding.rule for finding in find(tmp_path, site(name=name))] == rules


@pytest.mark.parametrize(
    ("canonicals", "rule"),
    [
        ("https://www.docs.example.org/", "base-url"),
        ("http://docs.example.org/", "base-url"),
        (f"{X}/", "listed-canonical"),
        (f"{X}A/../B/", "listed-canonical"),
    ],
)
def test_other_urls_stay_others(canonicals: str, rule: str, tmp_path: Path) -> None:
    files = site(canonicals) | {"CNAME": b"docs.example.org"}
    assert rule in {finding.rule for finding in find(tmp_path, files)}


@pytest.mark.parametrize(
    ("canonicals", "rule"), [("https://www.docs.example.org/", "base-url"), (f"{X}ö/", "canonical-target")]
)
def test_canonical_links_are_shown_as_pages_have_them(canonicals: str, rule: str, tmp_path: Path) -> None:
    files = site(canonicals, name="é~/") | {"CNAME": b"docs.example.org"}
    found = [hit.found for finding in find(tmp_path, files) if finding.rule == rule for hit in finding.hits]
    assert any(f"{canonicals}é~/" in each for each in found)


def test_a_domain_in_unicode_is_that_in_punycode(tmp_path: Path) -> None:
    assert find(tmp_path, site("https://détour.studio/", "https://xn--dtour-bsa.studio/")) == ()


def test_images_and_sitemaps_are_found_by_their_normal_urls(tmp_path: Path) -> None:
    image = f"<image:image><image:loc>{X}x/../a.png</image:loc></image:image>"
    files = {
        "robots.txt": "Sitemap: https://DOCS.example.org/./sitemap.xml",
        "a.png": "",
        "sitemap.xml": f"<url><loc>{X}</loc>{image}</url>",
    }
    assert find(tmp_path, complete(files)) == ()
    (tmp_path / "a.png").unlink()
    assert [each.rule for each in find(tmp_path, {})] == ["missing-media"]


def test_a_page_is_explained_by_any_spelling_of_its_url(tmp_path: Path) -> None:
    found = read(write(tmp_path, site()))
    answer = explain_page(found, find_page(found, "HTTPS://docs.example.org:443/x/../a/#b", str(tmp_path)), ())
    assert (answer.url, answer.file, answer.verdict) == (f"{X}a/", "a/index.html", None)
    assert [place.sitemap for place in answer.places] == ["sitemap.xml"]


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
def test_links_inside_the_site_are_followed_and_others_are_not(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site", {"CNAME": b"docs.example.org", "2.0/a.html": b"<title>", "2.0/sub/b.html": b"<title>"}
    )
    write(tmp_path / "outside", {"secret.html": b"<title>"})
    (site / "latest").symlink_to("2.0", target_is_directory=True)
    (site / "out").symlink_to("../outside", target_is_directory=True)
    (site / "2.0/loop").symlink_to("..", target_is_directory=True)
    found = read(site)
    assert found.file_at(f"{X}latest/a.html") == "2.0/a.html"
    assert found.file_at(f"{X}latest/sub/b") == "2.0/sub/b.html"
    assert found.file_at(f"{X}out/secret.html") is None
    assert found.file_at("https://other.example.net/2.0/a.html") is None
    assert found.file_at(f"{X}2.0/loop/2.0/a.html") == "2.0/a.html"
    assert found.tree.links == {"latest": "2.0"}
    assert sorted(found.pages) == ["2.0/a.html", "2.0/sub/b.html"]
