"""What robots.txt, _headers and _redirects keep from crawlers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.paths import HEADERS, REDIRECTS
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.model import Markup, Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pages.crawl_rules import CrawlRules, RedirectRules, Served
from sitemap_plugins.pipeline import build
from tests.builders import build_in_folder

BASE = "https://example.org"


def answers(rules: CrawlRules, url: str) -> tuple[str | None, ...]:
    return rules.disallowed(url), rules.noindex(url), rules.redirected(url)


@pytest.mark.parametrize(
    ("robots", "path", "is_blocked"),
    [
        pytest.param("User-agent: *\nDisallow: /private", "/private/a/", True, id="RB-07: a prefix"),
        pytest.param("User-agent: *\nDisallow: /private", "/open/", False, id="another path"),
        pytest.param("User-agent: *\nDisallow: /é", "/%C3%A9/", True, id="not encoded"),
        pytest.param(
            "User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow:", "/a/", False, id="one crawler may"
        ),
        pytest.param("User-agent: Googlebot\nDisallow: /a", "/a/", False, id="one crawler may not"),
        pytest.param("User-agent: Googlebot\nUser-agent: Bingbot\nDisallow: /a", "/a/", True, id="no crawler may"),
        pytest.param("Disallow: /a", "/a/", False, id="RB-10: a rule before any group"),
        pytest.param("\ufeffUser-agent: *\nDisallow: /a", "/a/", True, id="RB-02: a byte order mark"),
    ],
)
def test_pages_that_robots_txt_keeps_from_crawlers(robots: str, path: str, *, is_blocked: bool) -> None:
    """CAN-06."""
    rules = CrawlRules(RobotsTxt(robots.encode()))
    assert rules.disallowed(BASE + path) == (path if is_blocked else None)


@pytest.mark.parametrize(
    ("headers", "path", "rule"),
    [
        ("/a/\n  X-Robots-Tag: noindex", "/a/", "/a/"),
        ("/a/index.html\n  X-Robots-Tag: noindex", "/a/", "/a/index.html"),
        ("/a.html\n\tx-robots-tag: NONE, noarchive", "/a.html", "/a.html"),
        ("/a/*\n  X-Robots-Tag: noindex", "/a/b/c/", "/a/*"),
        ("/a/*\n  X-Robots-Tag: noindex", "/ab/", None),
        ("/a*\n  X-Robots-Tag: noindex", "/ab/", "/a*"),
        ("/*\n  X-Robots-Tag: noindex", "/", "/*"),
        ("/:lang/old\n  X-Robots-Tag: noindex", "/fr/old/", "/:lang/old"),
        ("/:lang/old\n  X-Robots-Tag: noindex", "/fr/ca/old/", None),
        ("https://*.org/*\n  X-Robots-Tag: noindex", "/a/", "https://*.org/*"),
        ("/a/\n  X-Robots-Tag: noindex, otherbot: nofollow", "/a/", "/a/"),
        ("/a/\n  X-Robots-Tag: nofollow, otherbot: noindex", "/a/", None),
        ("/*/index.html\n  X-Robots-Tag: noindex", "/a/", None),
        ("https://:project.org/*\n  X-Robots-Tag: noindex", "/a/", "https://:project.org/*"),
        ("https://:project.pages.dev/*\n  X-Robots-Tag: noindex", "/a/", None),
        ("/é/\n  X-Robots-Tag: noindex", "/%C3%A9/", "/é/"),
        ("# /a/\n/b/\n  # no\n\n  X-Frame-Options: DENY\n  X-Robots-Tag: noindex", "/b/", "/b/"),
        ("/a/\n  X-Robots-Tag: max-snippet: -1, noindex", "/a/", "/a/"),
        ("/a/\n  X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", "/a/", "/a/"),
        ("/a/\n  X-Robots-Tag: max-image-preview: none, noarchive", "/a/", None),
        ("/a/\n  X-Robots-Tag: otherbot: noindex", "/a/", None),
        ("/a/\n  X-Robots-Tag: Googlebot: nofollow, noindex", "/a/", "/a/"),
        ("/a/\n  X-Robots-Tag: otherbot: nofollow, googlebot: noindex", "/a/", "/a/"),
        ("/a/\n  X-Robots-Tag: googlebot: nofollow, otherbot: noindex", "/a/", None),
        ("/a/\n  X-Robots-Tag: googlebot-news: noindex", "/a/", None),
        ("/a/\n  X-Robots-Tag: googlebot: max-image-preview: none", "/a/", None),
        ("/a/\n  X-Robots-Tag: unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, noindex", "/a/", "/a/"),
        ("/a/\n  X-Robots-Tag: otherbot: noindex, nofollow\n  X-Robots-Tag: noindex", "/a/", "/a/"),
        ("/a/\n  X-Robots-Tag: nonoindex", "/a/", None),
        ("  X-Robots-Tag: noindex", "/a/", None),
    ],
)
def test_pages_with_a_noindex_header(headers: str, path: str, rule: str | None) -> None:
    """CAN-11."""
    found = CrawlRules(host_files={HEADERS: headers.encode()}).noindex(BASE + path)
    assert found == (f"by _headers, {rule}" if rule else None)


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("nofollow", None),
        ("noindex, nofollow", "noindex, nofollow"),
        ("otherbot: noindex, nofollow\nnoindex", "noindex"),
        ("otherbot: noindex\ngooglebot: noindex", "googlebot: noindex"),
        ("otherbot: nofollow\notherbot: noindex", None),
    ],
)
def test_a_page_that_a_server_sends_with_a_noindex_header(header: str, line: str | None) -> None:
    """CAN-11. Each line is a list of its own."""
    url = f"{BASE}/a/"
    found = CrawlRules(served={url: Served(200, robots=header)}).noindex(url)
    assert found == (f"by the server, X-Robots-Tag: {line}" if line else None)


@pytest.mark.parametrize(
    ("redirects", "path", "rule"),
    [
        ("/a /b", "/a/", "/a"),
        ("/a.html /b 301", "/a.html", "/a.html"),
        ("/a.html /a/ 301", "/a/", None),
        ("/a/index.html /a/", "/a/", None),
        ("/*/index.html /:splat/ 301!", "/a/b/", None),
        ("/:lang/index.html /:lang/ 301!", "/a/", None),
        ("/* https://example.org/:splat 301!", "/a/b/", None),
        ("/* https://elsewhere.example/:splat 301!", "/a/b/", "/*"),
        ("/:x/* /:splat/:x 301!", "/a/a/", None),
        ("/:x/* /:splat/:x 301!", "/a/b/", "/:x/*"),
        ("/a/ https://elsewhere.example/a/ 301", "/a/", "/a/"),
        ("/a/ https://[ 301", "/a/", "/a/"),
        ("/a https://elsewhere.example/x?y=z 301!", "/a/", "/a"),
        ("/a/* /b/:splat 301!", "/a/c/", "/a/*"),
        ("/a /b 301 # why", "/a/", "/a"),
        ("/a/* /b/:splat 301", "/a/c/", None),
        ("/:name/x /b", "/a/x/", None),
        ("/a /b 200", "/a/", None),
        ("/a /b 302 Country=de", "/a/", None),
        ("/a id=:id /b/:id 301", "/a/", None),
        ("# /a /b", "/a/", None),
        ("/a", "/a/", None),
        ("a /b", "/a/", None),
    ],
)
def test_pages_that_are_redirected(redirects: str, path: str, rule: str | None) -> None:
    """CAN-12. An existing page is served in spite of a wildcard, unless the rule is forced."""
    found = CrawlRules(host_files={REDIRECTS: redirects.encode()}).redirected(BASE + path)
    assert found == (f"by _redirects, {rule}" if rule else None)


def test_without_these_files_crawlers_may_read_everything() -> None:
    assert answers(CrawlRules(), f"{BASE}/") == (None, None, None)


@given(st.binary(), st.text("ab/*: \n\tX-Robots-Tag:noindex301!#%", max_size=200))
def test_their_content_never_ends_a_build(content: bytes, text: str) -> None:
    for each in (content, text.encode()):
        rules = CrawlRules(RobotsTxt(each), {HEADERS: each, REDIRECTS: each})
        assert [answer for answer in answers(rules, f"{BASE}/a/b/") if not (answer is None or answer)] == []


@pytest.mark.parametrize("other", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_lines_end_where_hosting_services_end_them(other: str) -> None:
    content = f"/x{other}/a /b\n/c /d".encode()
    rules = CrawlRules(host_files={REDIRECTS: content})
    assert rules.redirected(f"{BASE}/a") is None
    assert rules.redirected(f"{BASE}/c") == "by _redirects, /c"


def test_many_wildcards_take_no_time() -> None:
    rules = CrawlRules(
        RobotsTxt(f"User-agent: *\nDisallow: /{'*a' * 200}$".encode()), {REDIRECTS: f"/{'*a' * 200} /b 301!".encode()}
    )
    assert answers(rules, f"{BASE}/{'a' * 2000}b/") == (None, None, None)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("robots.txt", "Disallow: /a*{}"),
        ("_headers", "/a*{}\n  X-Robots-Tag: noindex"),
        ("_redirects", "/a*{} /b 301!"),
    ],
)
def test_only_a_thousand_different_rules_with_wildcards_count_and_a_note_says_so(name: str, rule: str) -> None:
    def rules_of(*numbers: int) -> CrawlRules:
        lines = "\n".join(["User-agent: *" if name == "robots.txt" else "", *map(rule.format, numbers)])
        is_robots = name == "robots.txt"
        return CrawlRules(RobotsTxt(lines.encode()) if is_robots else None, {} if is_robots else {name: lines.encode()})

    most = rules_of(*range(1000), *range(1000))  # equal rules count once
    assert most.notes() == []
    assert any(answers(most, f"{BASE}/ab999/"[:-1]))
    more = rules_of(*range(1000), 10_000, 20_000)
    (note,) = more.notes()
    assert note.kind == "unread"
    assert note.message == (
        f"{name} has too many rules with wildcards: 2 after the first 1,000 were not read, so pages that they keep from "
        "crawlers may be listed"
    )


def test_any_number_of_rules_without_wildcards_counts() -> None:
    lines = "".join(f"Disallow: /{number}\nDisallow: /x{number}$\n" for number in range(3000))
    rules = CrawlRules(RobotsTxt(f"User-agent: *\n{lines}".encode()))
    assert rules.notes() == []
    assert rules.disallowed(f"{BASE}/2999/a/")
    assert rules.disallowed(f"{BASE}/x2999")
    assert not rules.disallowed(f"{BASE}/x2999/")


def test_a_note_about_rules_is_part_of_a_build() -> None:
    robots = "User-agent: *\n" + "".join(f"Disallow: /a*{number}\n" for number in range(1001))
    result = build(Site(base_url=f"{BASE}/"), [Page(loc=f"{BASE}/", name="a")], Settings(), robots_txt=robots.encode())
    assert "robots.txt has too many rules with wildcards: 1 after" in result.notes[0].message


def test_a_page_that_crawlers_may_not_read_is_left_out_with_or_without_noindex() -> None:
    """CAN-07: a crawler that may not read a page never sees that it says noindex."""
    page = Page(loc=f"{BASE}/a/", name="a.md", markup=Markup(robots=frozenset({"noindex"})))
    other = Page(loc=f"{BASE}/b/", name="b.md", markup=Markup())
    result = build(Site(base_url=f"{BASE}/"), [page, other], Settings(), robots_txt=b"User-agent: *\nDisallow: /")
    assert [each.reason for each in result.omitted] == ["noindex"]  # a site that is closed completely is a draft
    result = build(Site(base_url=f"{BASE}/"), [page, other], Settings(), robots_txt=b"User-agent: *\nDisallow: /a/")
    assert [each.page.name for each in result.omitted] == ["a.md"]
    result = build(Site(base_url=f"{BASE}/"), [page, other], Settings(), robots_txt=b"User-agent: *\nDisallow: /b/")
    assert {each.page.name: each.reason for each in result.omitted} == {
        "a.md": "noindex",
        "b.md": "disallowed by robots.txt",
    }


def test_a_robots_txt_below_the_root_is_ignored() -> None:
    page = Page(loc=f"{BASE}/docs/a/", name="a.md")
    result = build(Site(base_url=f"{BASE}/docs/"), [page], Settings(), robots_txt=b"User-agent: *\nDisallow: /docs/a/")
    assert result.omitted == ()


@pytest.mark.parametrize(
    ("redirects", "path", "target"),
    [
        ("/old /new", "/old/", "/new"),
        ("/old/ /new#part # a comment", "/old", "/new#part"),
        ("/old /new 302", "/old/index.html", "/new"),
        ("/docs/* /guide/:splat 308", "/docs/a/b", "/guide/a/b"),
        ("/:lang/old /new/:lang/", "/fr/old/", "/new/fr/"),
        ("/old https://other.example/ 303", "/old", "https://other.example/"),
        ("/old /a\n/old /b", "/old", "/a"),
        ("/* /a\n/old /b", "/old", "/a"),
        ("/old /new 200", "/old", None),
        ("/old /404 404\n/* /new", "/old", None),
        ("/old /new 410", "/old", None),
        ("/old /new Country=de", "/old", None),
        ("/old /new 302 Country=de\n/old /new 302", "/old", "/new"),
        ("/old /old/\n/* /new", "/old", "/new"),
        ("/old /new", "/other", None),
    ],
)
def test_the_first_rule_for_a_path_without_a_page_counts(redirects: str, path: str, target: str | None) -> None:
    assert RedirectRules(redirects.encode()).target_of(BASE + path) == target


@pytest.mark.parametrize(
    ("redirects", "may_answer"),
    [
        ("/a /b 200", True),
        ("/a /b", False),
        ("/a /b 404", False),
        ("/a /b Country=de", True),
        ("/a /b\n/a /c Country=de", False),
        ("/a /a/\n/* /c 200", True),
        ("/c /b 200", False),
    ],
)
def test_a_rule_may_answer_instead_of_a_page(redirects: str, *, may_answer: bool) -> None:
    assert RedirectRules(redirects.encode()).may_answer(f"{BASE}/a") is may_answer


def test_only_redirects_of_single_paths_are_named() -> None:
    rules = RedirectRules(b"/a /b\n/c /d 200\n/e/* /f\n/g /h 301!\n")
    assert rules.paths == ["/a", "/g"]


@pytest.mark.parametrize(
    "content", [{HEADERS: b"/*\n  X-Robots-Tag: noindex"}, {REDIRECTS: b"/* https://b.example/ 301!"}]
)
@pytest.mark.parametrize(
    ("base", "is_read"),
    [(f"{BASE}/", True), ("https://example.org:8443/", True), (f"{BASE}/docs/", False), (f"{BASE}/a/b/", False)],
)
def test_headers_and_redirects_count_only_at_the_root_of_the_host(
    content: dict[str, bytes], base: str, *, is_read: bool
) -> None:
    """CAN-11 and CAN-12: hosting services do not look for these files below the root."""
    result = build_in_folder(Site(base_url=base), [Page(loc=f"{base}a/", name="a.md")], Settings(), host_files=content)
    assert len(result.omitted) == is_read


@pytest.mark.parametrize("status", ["\u00b2", "1" * 5000, "30"])
def test_an_invalid_status_ends_no_build(status: str) -> None:
    rules = CrawlRules(host_files={"_redirects": f"/a /b {status}\n/c /d 301\n".encode()})
    assert rules.redirected("https://example.org/c/") == "by _redirects, /c"


def test_a_header_for_a_host_with_several_wildcards_is_ignored() -> None:
    rules = CrawlRules(host_files={"_headers": b"https://*a*a*a*a*a*b/*\n  X-Robots-Tag: noindex\n"})
    assert rules.noindex(f"https://{'a' * 60}/x/") is None
