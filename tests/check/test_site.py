"""The site that is checked: its URL, and the file behind each URL."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.check.checking import read_site
from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.folder.configuration import Configuration, read_settings_of

X = "https://docs.example.org/"
PAGE = "<!doctype html><html lang=en><head><title>A</title></head><body></body></html>"


def read(folder: Path, files: Mapping[str, str], base_url: str | None = None) -> CheckedSite:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    configuration = Configuration(root=str(folder))
    return read_site(str(folder), configuration, read_settings_of(configuration, base_url=base_url))


def test_a_configured_url_comes_first(tmp_path: Path) -> None:
    url = "https://configured.example.org/"
    assert read(tmp_path, {"CNAME": "docs.example.org"}, url).base_url == url


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
def test_links_inside_the_site_are_followed_and_others_are_not(tmp_path: Path) -> None:
    site = tmp_path / "site"
    files: dict[str, str] = {"CNAME": "docs.example.org", "2.0/a.html": PAGE, "2.0/sub/b.html": PAGE}
    read(site, files)
    read(tmp_path / "outside", {"secret.html": PAGE})
    (site / "latest").symlink_to("2.0", target_is_directory=True)
    (site / "out").symlink_to("../outside", target_is_directory=True)
    (site / "2.0/loop").symlink_to("..", target_is_directory=True)
    found = read(site, {})
    assert found.file_at(f"{X}latest/a.html") == "2.0/a.html"
    assert found.file_at(f"{X}latest/sub/b") == "2.0/sub/b.html"
    assert found.file_at(f"{X}out/secret.html") is None
    assert found.file_at("https://other.example.net/2.0/a.html") is None
    assert found.file_at(f"{X}2.0/loop/2.0/a.html") == "2.0/a.html"
    assert found.tree.links == {"latest": "2.0"}
    assert sorted(found.pages) == ["2.0/a.html", "2.0/sub/b.html"]


def test_a_robots_txt_that_cannot_be_read_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"#" * (2 << 20))
    assert read(tmp_path, {"a.html": PAGE}).tree.robots is None
