"""The redirects that a build publishes, also those of files that the host does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.model import Markup, Page, Site
from sitemap_plugins.pages.omit import omit
from sitemap_plugins.published.redirects import Redirects
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session.record import find_redirects

BASE = "https://example.org/docs/"
STUB = '<meta http-equiv="refresh" content="0; url={}">'


def found(base_url: str, directory: Path, *pages: Page, host_file: bytes = b"") -> Redirects:
    """The redirects of a build with these pages left out, and all files of the folder, of which one is gone since."""
    files = sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*"))
    omitted = [omit(page, "redirect") for page in pages]
    return find_redirects(Site(base_url=base_url), omitted, Tree(directory), [*files, "gone.html"], host_file)


def test_files_that_the_host_does_not_know_may_redirect(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    for name, content in (("old/index.html", STUB), ("B.HTM", STUB), ("page.html", "<title>Page"), ("c.txt", STUB)):
        (tmp_path / name).write_text(content.format("/docs/new/"), encoding="ascii")
    redirects = found(BASE, tmp_path).by_path
    assert {path: (each.target, each.by) for path, each in redirects.items()} == {
        "B.HTM": ("new/", "B.HTM"),
        "old/": ("new/", "old/index.html"),
    }


def test_pages_that_were_left_out_may_redirect(tmp_path: Path) -> None:
    markup = Markup(refresh="/docs/new/")
    pages = [
        Page(loc=f"{BASE}old/", name="old.md", output="old/index.html", markup=markup),
        Page(loc=f"{BASE}unread/", name="unread.md", output="unread/index.html"),
        Page(loc=f"{BASE}unwritten/", name="unwritten.md", markup=markup),
        Page(loc="https://other.example/", name="other.md", output="other.html", markup=markup),
    ]
    assert {path: each.by for path, each in found(BASE, tmp_path, *pages).by_path.items()} == {"old/": "old/index.html"}


@pytest.mark.parametrize(("base_url", "paths"), [(BASE, []), ("https://example.org/", ["docs/old/"])])
def test_rules_count_only_at_the_root_of_the_host(tmp_path: Path, base_url: str, paths: list[str]) -> None:
    assert [*found(base_url, tmp_path, host_file=b"/docs/old/ /docs/new/").by_path] == paths
