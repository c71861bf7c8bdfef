"""Redirects are found and read in all forms in which sites publish them, and lead to where services send readers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.published.redirects import (
    RedirectError,
    SiteBase,
    add_redirects,
    read_redirect_json,
    read_redirect_list,
    read_rules,
    read_vercel_json,
    stub_of,
)
from sitemap_plugins.published.snapshot import Landing, Redirect, Snapshot, SnapshotPage

SITE = SiteBase("https://example.org/base/")

MKDOCS = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Redirecting...</title>
<link rel="canonical" href="{url}">
<script>var anchor=window.location.hash.substr(1);location.href="{url}"+(anchor?"#"+anchor:"")</script>
<meta http-equiv="refresh" content="0; url={url}"></head><body>You're being <a href="{url}">redirected</a></body></html>"""
REREDIRECTS = (
    '<html><head><noscript><meta http-equiv="refresh" content="0; url={url}" /></noscript><script>var target = "{url}";'
    "if (window.location.hash) {{window.location.replace(target + window.location.hash);}} else "
    "{{window.location.replace(target);}}</script></head></html>"
)
JEKYLL = """<!DOCTYPE html><html lang="en-US"><meta charset="utf-8"><title>Redirecting&hellip;</title>
<link rel="canonical" href="{url}"><script>location="{url}"</script><meta http-equiv="refresh" content="0; url={url}">"""
SCRIPT = '<link rel="canonical" href="{url}"><script>window.location.replace("{url}");</script>'


def stub(html: str, path: str = "guide/old/") -> str | None:
    found = stub_of(path, "file.html", read_markup(html), html.encode(), SITE)
    assert found is None or (found.path, found.by) == (path, "file.html")
    return found and found.target


@pytest.mark.parametrize(
    ("path", "file", "target"),
    [
        ("docs/h", "docs/h/index.html", "docs/h/README.html"),
        ("docs/h/", "docs/h/index.html", "docs/h/README.html"),
        ("h", "h.html", "README.html"),
        ("docs/h/index.htm", "docs/h/index.htm", "docs/h/README.html"),
        ("", "index.html", "README.html"),
    ],
)
@pytest.mark.parametrize(
    "html", ['<meta http-equiv="refresh" content="0; url=README.html">', SCRIPT.format(url="README.html")]
)
def test_the_page_of_a_folder_redirects_from_there(path: str, file: str, target: str, html: str) -> None:
    """Even if its URL has no slash."""
    found = stub_of(path, file, read_markup(html), html.encode(), SITE)
    assert found
    assert found.target == target


@pytest.mark.parametrize("path", ["", "a/", "100%41/", "c:/d e/", "ü?#x/"])
def test_the_path_of_the_url_of_a_path_is_that_path(path: str) -> None:
    assert SITE.path(SITE.url(path)) == path


@pytest.mark.parametrize("template", [MKDOCS, REREDIRECTS, JEKYLL, SCRIPT])
@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("../new/", "guide/new/"),
        ("../../", ""),
        ("../new/index.html#part", "guide/new/#part"),
        ("/base/caf%C3%A9/", "café/"),
        ("https://example.org/base/new/", "new/"),
        ("http://EXAMPLE.org/base/new/", "new/"),
        ("https://example.org/other/", "https://example.org/other/"),
        ("/other/", "https://example.org/other/"),
        ("https://other.example/x/?q=1#y", "https://other.example/x/?q=1#y"),
    ],
)
def test_stubs_of_all_tools_redirect(template: str, url: str, target: str) -> None:
    assert stub(template.format(url=url)) == target


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<title>A page</title><p>Text", id="a page"),
        pytest.param('<meta http-equiv="refresh" content="60">', id="a page that is loaded again"),
        pytest.param('<meta http-equiv="refresh" content="60; url=../old/index.html">', id="the same page"),
        pytest.param('<link rel="canonical" href="../new/">', id="only a canonical link"),
        pytest.param('<script>location.replace("../new/")</script>', id="only a script"),
        pytest.param(
            '<link rel="canonical" href="../new/"><script>location.replace("../login/")</script>', id="another target"
        ),
    ],
)
def test_other_pages_are_no_redirects(html: str) -> None:
    assert stub(html) is None


@pytest.mark.parametrize("url", ["?print", "#part", "./old.html", "old.html?print#part"])
def test_a_link_to_the_same_page_is_no_redirect(url: str) -> None:
    assert stub(f'<meta http-equiv="refresh" content="0; url={url}">', "guide/old.html") is None


def test_a_script_counts_only_on_a_short_page() -> None:
    html = SCRIPT.format(url="../new/")
    assert stub_of("old/", "old/index.html", read_markup(html), None, SITE) is None


def test_the_paths_of_rules_begin_at_the_root_of_the_host() -> None:
    rules = read_rules(
        b"/base/old /base/new 301\n/base/gone /other/\n/old /base/new\n/base/a/* /base/b/:splat 302\n/base/c /d 200\n"
        b"/base/same /base/same/\n/base/x https://other.example/ 308\n",
        SITE,
    )
    assert {path: each.target for path, each in rules.by_path.items()} == {
        "old": "new",
        "gone": "https://example.org/other/",
        "x": "https://other.example/",
    }
    assert rules.by_rule("a/b/c/") == Redirect(path="a/b/c/", target="b/b/c", by="_redirects")
    assert rules.by_rule("c") is None
    assert rules.by_rule("old/") == Redirect(path="old/", target="new", by="_redirects")


def test_zensical_redirects_anchors() -> None:
    # As Zensical 0.0.73 writes it.
    table = {
        "index.html#h": "page.html",
        "page/#c:d": "sub/two/",
        "page/#ünï": "page/#new",
        "sub/two/#a b": "https://other.org/x#y",
        "a:b/#c": "d:e/",
    }
    found = read_redirect_json(json.dumps(table).encode(), SITE)
    assert {path: each.target for path, each in found.items()} == {
        "#h": "page.html",
        "page/#c:d": "sub/two/",
        "page/#ünï": "page/#new",
        "sub/two/#a b": "https://other.org/x#y",
        "a:b/#c": "d:e/",
    }


def test_only_literal_redirects_of_vercel_count() -> None:
    rows = [
        {"source": "/base/old", "destination": "/base/new", "permanent": True},
        {"source": "/base/old", "destination": "/base/later"},
        {"source": "/base/temp/", "destination": "https://other.example/", "statusCode": 302},
        {"source": "/base/gone", "destination": "/base/new", "statusCode": 410},
        {"source": "/base/:path*", "destination": "/base/new"},
        {"source": "/base/(old|older)", "destination": "/base/new"},
        {"source": "/base/some", "destination": "/base/new", "has": [{"type": "host", "value": "x"}]},
        {"source": "/elsewhere", "destination": "/base/new"},
        {"source": "/base/odd", "destination": "/base/new", "statusCode": [301]},
        {"source": 1, "destination": "/base/new"},
        "text",
    ]
    found = read_vercel_json(json.dumps({"redirects": rows}).encode(), SITE)
    assert {path: each.target for path, each in found.items()} == {"old": "new", "temp/": "https://other.example/"}
    assert read_vercel_json(b"{}", SITE) == {}


@pytest.mark.parametrize("content", [b"[", b"\xff", b"[1]", b'{"redirects": 1}', b'{"a": ["b"]}', b"[" * 100_000])
def test_invalid_files_are_refused(content: bytes) -> None:
    with pytest.raises(RedirectError, match=r"^it is not"):
        read_redirect_json(content, SITE)
    if content != b'{"a": ["b"]}':
        with pytest.raises(RedirectError, match=r"^it is not"):
            read_vercel_json(content, SITE)


def test_a_list_has_one_redirect_a_line() -> None:
    content = """\ufeff# exported from the dashboard
/base/old/ new/
/base/a.html   /base/b.html#part # moved

https://example.org/base/c/ https://other.example/
/base/page/#old page/#new
/base/old/ twice/
/outside /base/new
one
old new 301
x/* y/
/base/z/ javascript:alert(1)
xx /y
"""
    found, problems = read_redirect_list(content.encode(), SITE, "redirects.txt")
    assert {path: each.target for path, each in found.items()} == {
        "old/": "new/",
        "a.html": "b.html#part",
        "c/": "https://other.example/",
        "page/#old": "page/#new",
    }
    assert problems == [
        "redirects.txt, line 7: an earlier line already redirects /base/old/",
        (
            "redirects.txt, line 8: /outside is not below https://example.org/base/; a path begins at the root of the host: "
            "/base/outside"
        ),
        (
            "redirects.txt, line 9: 'one' is not a redirect; write the old path, a space and the new path, and nothing else"
        ),
        (
            "redirects.txt, line 10: 'old new 301' is not a redirect; write the old path, a space and the new "
            "path, and nothing else"
        ),
        "redirects.txt, line 11: x/* has a wildcard; write a line for each page",
        "redirects.txt, line 12: javascript:alert(1) is not the URL of a page",
        "redirects.txt, line 13: xx does not begin with a slash; a path begins at the root of the host: /base/xx",
    ]


def test_a_list_is_added_to_the_redirects_of_the_site(tmp_path: Path) -> None:
    own = Redirect(path="own/", target="page/", by="own/index.html")
    site = Snapshot(
        name="site", base_url=None, pages={}, redirects={"own/": own}, unknown=frozenset({"redirects", "texts"})
    )
    (file := tmp_path / "list.txt").write_text("/old/ /page/\n/own/ /other/\nhttps://example.org/a/ b/\n")
    found, problems = add_redirects(site, file)
    assert found.redirects == {"own/": own, "old/": Redirect(path="old/", target="page/", by=str(file), line=1)}
    assert found.unknown == {"texts"}
    assert problems == [f"{file}, line 3: https://example.org/a/ is not below the URL of the site, which is unknown"]


WORDS = st.sampled_from(
    ["/", "a", "#", "..", ":", "//", "https:", "javascript:", "%", "%23", "é", " ", "[", "\t", "?", "*"]
)
URLS = st.lists(WORDS, max_size=6).map("".join)


@given(st.lists(st.tuples(URLS, URLS), max_size=6))
def test_any_redirects_are_read_and_followed(pairs: list[tuple[str, str]]) -> None:
    lines = "\n".join(f"{old} {new}" for old, new in pairs).encode()
    rules = read_rules(lines, SITE)
    listed, _ = read_redirect_list(lines, SITE, "list")
    zensical = read_redirect_json(json.dumps(dict(pairs)).encode(), SITE)
    for redirects in (listed, zensical, rules.by_path):
        site = Snapshot(
            name="x",
            base_url=None,
            pages={"a/": SnapshotPage(path="a/")},
            redirects=redirects,
            redirect_by_rule=rules.by_rule,
        )
        for path in redirects:
            assert site.follow(path).problem != ""
    for old, new in pairs:
        stub_of(old, "file", read_markup(f'<meta http-equiv=refresh content="0;url={new}">'), None, SITE)


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
SNAPSHOT = Snapshot(
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
    assert SNAPSHOT.follow(path) == landing


def test_a_state_that_does_not_know_its_files_serves_its_pages() -> None:
    state = Snapshot(name="site", base_url=None, pages={"guide/": SnapshotPage(path="guide/")})
    paths = ("guide/", "guide", "guide/index.html", "guide.html")
    assert [state.follow(path).is_found for path in paths] == [True, True, True, False]


def test_a_folder_without_a_page_at_its_root_may_have_a_file_there() -> None:
    for files in (frozenset({"index.html"}), frozenset({"a.html"})):
        state = Snapshot(name="site", base_url=None, pages={}, files=files)
        assert state.follow("").is_found == ("index.html" in files)
