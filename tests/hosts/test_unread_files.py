"""Files of a site that no build reads: the build continues, reports them, and lists the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sitemap_plugins.reading import PAGE, SITEMAP

UNREAD = "the page was not read (it is larger than 64 MiB, the limit for a page), so it is listed even if it says"


def make_large(path: Path, size: int) -> None:
    with path.open("r+b" if path.exists() else "wb") as file:
        file.truncate(size + 1)


def test_a_page_of_sphinx_that_is_too_large(sphinx_site: Any, shown_type: Callable[[str], str]) -> None:
    sphinx_site.pages("index.rst", "a.rst")
    output = sphinx_site.build().output
    make_large(output / "a.html", PAGE.size)
    built = sphinx_site.build({"images": True})
    assert built.paths == ["a.html", "index.html"]
    (warning,) = built.warnings
    assert f"a.rst: WARNING: sitemap: {UNREAD}" in warning
    assert warning.endswith(shown_type("unread"))


def test_a_copied_page_of_mkdocs_that_is_too_large(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    make_large(mkdocs_site.docs / "manual.html", PAGE.size)
    built = mkdocs_site.build({"files": ["*.html"]})
    assert built.paths == ["", "manual.html"]
    assert built.said(f"manual.html: {UNREAD}", level="warning")


def test_the_author_s_sitemap_cannot_be_restored_if_it_is_too_large(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    make_large(mkdocs_site.docs / "sitemap.xml", SITEMAP.size)
    built = mkdocs_site.build()
    assert built.said("docs/sitemap.xml was not read (it is larger than 50 MiB", level="warning")
    assert built.paths == [""]  # MkDocs has written its own over it
