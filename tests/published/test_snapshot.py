"""Where a URL finally leads, through the redirects of the site."""

from __future__ import annotations

import pytest

from sitemap_plugins.published.snapshot import Landing, Redirect, Snapshot, SnapshotPage

REDIRECTS = {
    "one/": "two/#part",
    "two/": "guide/",
    "away/": "https://other.example/a b",
    "file.html": "guide/",
    "bare": "guide/",
    "slash/": "slash",
    "plain/": "http://other.example/#part",
    "script/": "javascript://x",
    "nowhere/": "missing/",
    "broken/": "http://[x",
    "me/": "me/",
    **{f"{number}/": f"{number + 1}/" for number in range(30)},
}
SITE = Snapshot(
    name="site",
    base_url=None,
    pages={path: SnapshotPage(path=path) for path in ("", "guide/", "faq.html", "a/")},
    redirects={path: Redirect(path=path, target=target) for path, target in REDIRECTS.items()},
    files=frozenset({"index.html", "guide/index.html", "faq.html", "a/index.html", "manual.pdf", "files/index.html"}),
    redirect_by_rule=lambda path: Redirect(path=path, target="guide/") if path.startswith("old/") else None,
)


@pytest.mark.parametrize(
    ("path", "landing"),
    [
        ("", Landing(path="")),
        ("guide", Landing(path="guide")),
        ("guide/index.html", Landing(path="guide/index.html")),
        ("faq", Landing(path="faq")),
        ("manual.pdf", Landing(path="manual.pdf")),
        ("a/", Landing(path="a/")),
        *((path, Landing(path=path)) for path in ("files/", "files", "files/index.html")),  # not a page that counts
        ("one/", Landing(path="guide/")),
        ("one/index.html", Landing(path="guide/")),
        ("old/x/", Landing(path="guide/")),
        ("away/", Landing(path="https://other.example/a b")),
        *((path, Landing(path="guide/")) for path in ("two", "file.html", "file", "bare", "bare/")),
        ("slash", Landing(path="slash", problem="")),
        ("plain/", Landing(path="http://other.example/")),
        ("faq/", Landing(path="faq/", problem="")),
        ("manual.pdf/", Landing(path="manual.pdf/", problem="")),
        ("nowhere/", Landing(path="missing/", problem="redirects to /missing/, which does not exist")),
        ("script/", Landing(path="javascript://x", problem="redirects to 'javascript://x', which is not a page")),
        ("broken/", Landing(path="http://[x", problem="redirects to 'http://[x', which is not a page")),
        ("me/", Landing(path="me/", problem="redirects in a loop: /me/ → /me/")),
        ("0/", Landing(path="21/", problem="redirects more than 20 times")),
    ],
)
def test_where_a_url_leads(path: str, landing: Landing) -> None:
    assert SITE.follow(path) == landing


def test_a_state_that_does_not_know_its_files_serves_its_pages() -> None:
    state = Snapshot(name="site", base_url=None, pages={"guide/": SnapshotPage(path="guide/")})
    paths = ("guide/", "guide", "guide/index.html", "guide.html")
    assert [state.follow(path).is_found for path in paths] == [True, True, True, False]


def test_a_folder_without_a_page_at_its_root_may_have_a_file_there() -> None:
    for files in (frozenset({"index.html"}), frozenset({"a.html"})):
        state = Snapshot(name="site", base_url=None, pages={}, files=files)
        assert state.follow("").is_found == ("index.html" in files)
