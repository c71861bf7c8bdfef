"""What the sitemaps list, compared with what a build of the same pages would list."""

from __future__ import annotations

from pathlib import Path

from tests.check.examples import complete
from tests.check.sites import find


def test_a_page_with_two_files_is_unlisted_once(tmp_path: Path) -> None:
    sitemap = "<url><loc>https://docs.example.org/</loc></url>"
    [finding] = find(tmp_path, complete({"sitemap.xml": sitemap, "a.html": "", "a/index.html": "", "b/index.html": ""}))
    assert finding.rule == "unlisted"
    assert [hit.file for hit in finding.hits] == ["a.html", "b/index.html"]
