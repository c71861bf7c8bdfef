"""The site that is checked: the file behind each URL."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.check.sites import read, write

X = "https://docs.example.org/"


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
