"""A mistake in canonical links or redirects does not empty a sitemap unnoticed."""

from collections.abc import Sequence

import pytest

from sitemap_plugins.model import Markup, Page, Result, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pipeline import build

BASE = "https://example.org/"
SITE = Site(base_url=BASE)


def built(canonicals: Sequence[str | None]) -> Result:
    """Build as many pages as there are canonical links, each with its link."""
    pages = [
        Page(loc=f"{BASE}{number}/", name=f"{number}.md", markup=Markup(canonicals=() if href is None else (href,)))
        for number, href in enumerate(canonicals)
    ]
    return build(SITE, pages, Settings(), robots_txt=b"User-agent: *\nAllow: /\n")


def warned(result: Result) -> list[str]:
    return [note.message for note in result.notes if note.kind == "lost-pages"]


def test_pages_whose_canonical_links_lead_to_nothing_are_named() -> None:
    result = built([f"{BASE}new/{number}/" for number in range(5)])
    (message,) = warned(result)
    assert message == (
        "5 of 5 pages are left out because their canonical links lead to URLs that this build does not have, or all to the same one, such as 0.md to https://example.org/new/0/; no sitemap was written: correct them in the theme, or "
        "correct the URL of the site"
    )
    assert result.is_doubtful
    assert result.files == ()


def test_redirects_are_checked_too() -> None:
    pages = [
        Page(loc=f"{BASE}{number}/", name=f"{number}.md", markup=Markup(refresh=f"{BASE}login/")) for number in range(6)
    ]
    assert "their redirects lead to" in warned(build(SITE, pages, Settings()))[0]


def test_the_remaining_pages_are_published() -> None:
    result = built([None] + [f"{BASE}new/{number}/" for number in range(10)])
    assert "10 of 11 pages" in warned(result)[0]
    assert "no sitemap was written" not in warned(result)[0]
    assert not result.is_doubtful
    assert [file.path for file in result.files] == ["sitemap.xml", "sitemap.xml.gz", "robots.txt"]


def test_canonical_links_of_all_pages_to_one_page_are_noted() -> None:
    assert warned(built([f"{BASE}0/"] * 11))
    assert not built([f"{BASE}0/"] * 11).is_doubtful  # that page is listed


@pytest.mark.parametrize(
    "canonicals",
    [
        pytest.param([f"{BASE}new/{number}/" for number in range(4)], id="four pages"),
        pytest.param([None] + [f"{BASE}new/{number}/" for number in range(9)], id="a tenth is left"),
        pytest.param([f"https://new.example.org/{number}/" for number in range(9)], id="another host"),
        pytest.param([f"{BASE}{number + 1}/" for number in range(8)], id="pages that were built, or nearly all"),
        pytest.param([None] * 9, id="no canonical links"),
    ],
)
def test_intended_links_are_not_noted(canonicals: list[str | None]) -> None:
    result = built(canonicals)
    assert warned(result) == []
    assert not result.is_doubtful
