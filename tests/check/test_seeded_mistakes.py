"""Each mistake that the benchmark seeds into a site is one finding, and the site without any has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import load_program
from tests.check.sites import find

CHECKERS = load_program(Path(__file__).parents[2] / "benchmarks" / "checkers.py")
FINDINGS = {
    "an index in an index": "nested-index",
    "news:geo_targeting": "unknown-element",
    "hreflang gr for Greek": "language-code",
    "&quote; for a quotation mark": "unescaped-ampersand",
    "a raw & in a query": "unescaped-ampersand",
    "the namespace /shemas/": "wrong-namespace",
    "a loc of 2,048 characters": "invalid-url",
    "a listed page without a file": "listed-unwritten",
    "a listed page with noindex": "listed-noindex",
    "a listed page that redirects": "listed-redirect",
    "a listed page with another canonical link": "listed-canonical",
    "a listed page that robots.txt blocks": "listed-robots",
    "http instead of https": "base-url",
    "the address of a local server": "preview-host",
    "a relative loc": "invalid-url",
    "a loc with a space": "invalid-url",
    "a loc that is escaped twice": "double-escaping",
    "a loc that is encoded twice": "double-encoding",
    "a page that is listed twice": "listed-twice",
    "a page in two forms": "listed-in-two-forms",
    "a date that does not exist": "invalid-date",
    "a time without a zone": "invalid-date",
    "changefreq Daily": "invalid-changefreq",
    "a translation that does not link back": "hreflang-return",
    "an index that names a missing file": "missing-sitemap",
    "a sitemap that is an error page": "not-a-sitemap",
    "a robots.txt that names a missing sitemap": "missing-sitemap",
}


def problems_of(files: dict[str, str], folder: Path) -> list[str]:
    found = find(folder, {path: content.encode() for path, content in files.items()}, with_project=False)
    return [each.rule for each in found if each.level != "info"]


def test_the_clean_site_has_no_errors_and_no_warnings(tmp_path: Path) -> None:
    assert problems_of(CHECKERS.clean(), tmp_path) == []


@pytest.mark.parametrize("mistake", [*CHECKERS.LITERATURE, *CHECKERS.SITES])
def test_each_mistake_is_one_finding(mistake: str, tmp_path: Path) -> None:
    files = CHECKERS.clean()
    {**CHECKERS.LITERATURE, **CHECKERS.SITES}[mistake](files)
    assert problems_of(files, tmp_path) == [FINDINGS[mistake]]
