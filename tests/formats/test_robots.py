"""robots.txt: the author's bytes are kept, and there is at most one block of ours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from sitemap_plugins.formats.robots import BEGIN, END, NotUTF8Error, RobotsTxt, merge_robots

URL = "https://example.org/sitemap.xml"
OTHER = "https://example.org/other.xml"
LINE = b"Sitemap: https://example.org/sitemap.xml"
BLOCK = BEGIN + b"\n" + LINE + b"\n" + END + b"\n"
# The blank line separates the block from the last group.
GAP = b"\n" + BLOCK
OTHER_BLOCK = BLOCK.replace(b"sitemap.xml", b"other.xml")
RULES = b"User-agent: *\nDisallow: /private\n"
BOM = b"\xef\xbb\xbf"

# As Cloudflare writes it, as in draft-ietf-aipref-attach-05, and with a group for a purpose instead of a crawler.
PREFERENCES = b"""\
Content-Signal: search=yes, ai-train=no
User-Agent: *
Content-signal: search=yes, ai-train=no
Content-Usage: /a/ train-ai=n
Allow: /

User-agent: __usage_ai-training
Disallow: /

User-agent: *
Content-Usage: train-ai=n
"""

# Files that people write. The difficult parts are our own marks, complete or not.
lines = st.sampled_from(
    [
        *(
            "User-agent: *",
            "Disallow: /",
            "Allow: /a",
            "",
            " ",
            "# a comment",
            "ü",
            f"Sitemap: {URL}",
            f"sitemap:{OTHER}",
        ),
        *(BEGIN.decode(), END.decode(), f"{BEGIN.decode()} ", f"{END.decode()}!", f" {BEGIN.decode()}"),
    ]
)
texts = st.lists(st.tuples(lines, st.sampled_from(["\n", "\r\n", "\r"])).map("".join)).map("".join)
robots_files = st.none() | st.builds(lambda text, cut: text[: len(text) - cut].encode(), texts, st.integers(0, 3))
sitemap_lists = st.lists(st.sampled_from([URL, OTHER]), unique=True)


@pytest.mark.parametrize(
    ("existing", "sitemaps", "merged"),
    [
        pytest.param(None, [URL], BLOCK, id="created"),
        pytest.param(None, [], None, id="not needed"),
        pytest.param(b"", [URL], BLOCK, id="empty file"),
        pytest.param(b"", [], b"", id="empty file, nothing to announce"),
        pytest.param(RULES, [URL], RULES + GAP, id="appended"),
        pytest.param(RULES, [], RULES, id="nothing to announce"),
        pytest.param(RULES[:-1], [URL], RULES + GAP, id="no newline at the end"),
        pytest.param(
            RULES.replace(b"\n", b"\r\n")[:-2],
            [URL],
            (RULES + GAP).replace(b"\n", b"\r\n"),
            id="line ends are kept, and no newline at the end",
        ),
        pytest.param(RULES + GAP, [URL], RULES + GAP, id="already merged"),
        pytest.param(BLOCK + RULES, [URL], RULES + GAP, id="block moved to the end"),
        pytest.param(RULES + BLOCK + RULES, [], RULES + RULES, id="block taken out of the middle"),
        pytest.param(RULES + GAP, [OTHER], RULES + b"\n" + OTHER_BLOCK, id="renamed"),
        pytest.param(RULES + GAP + OTHER_BLOCK, [URL], RULES + GAP, id="two blocks become one"),
        pytest.param(RULES + GAP[:-1] + b"\r", [URL], RULES + GAP, id="block that ends with a lone carriage return"),
        pytest.param(
            (RULES + BLOCK + RULES).replace(b"\n", b"\r"), [], (RULES + RULES).replace(b"\n", b"\r"), id="removed, CR"
        ),
        pytest.param(RULES + b"\r\n", [URL], RULES + b"\r\n" + BLOCK.replace(b"\n", b"\r\n"), id="mixed line ends"),
        pytest.param(BLOCK, [], None, id="removed, and nothing is left"),
        pytest.param(BLOCK.replace(b"\n", b"\r\n"), [], None, id="removed, CRLF, and nothing is left"),
        pytest.param(RULES + LINE + b"\n", [URL], RULES + LINE + b"\n", id="announced by the author"),
        pytest.param(
            b" SITEMAP : " + URL.encode() + b"#x", [URL], b" SITEMAP : " + URL.encode() + b"#x", id="in capitals"
        ),
        pytest.param(LINE + b" # ours\r\n", [URL], LINE + b" # ours\r\n", id="announced with a comment"),
        pytest.param(LINE + b"\n", [URL, OTHER], LINE + b"\n\n" + OTHER_BLOCK, id="one of two announced"),
        pytest.param(b"# " + LINE + b"\n", [URL], b"# " + LINE + b"\n" + GAP, id="commented out"),
        pytest.param(LINE + b"2\n", [URL], LINE + b"2\n" + GAP, id="another one announced"),
        pytest.param(BOM + RULES, [URL], BOM + RULES + GAP, id="byte order mark"),
        pytest.param(BOM + LINE + b"\n", [URL], BOM + LINE + b"\n", id="announced after a byte order mark"),
        pytest.param(PREFERENCES, [URL], PREFERENCES + GAP, id="preferences for AI"),
        pytest.param(b"# a\0b\n", [URL], b"# a\0b\n" + GAP, id="NUL is valid UTF-8"),
        pytest.param(
            f"User-agent: *\rSitemap: {URL}\r".encode(),
            [URL],
            f"User-agent: *\rSitemap: {URL}\r".encode(),
            id="lines that end with a lone carriage return",
        ),
    ],
)
def test_merging(existing: bytes | None, sitemaps: list[str], merged: bytes | None) -> None:
    """RB-04, RB-12."""
    assert merge_robots(existing, sitemaps) == merged
    assert merge_robots(merged, sitemaps) == merged


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(BEGIN + b"\n" + RULES, id="end lost"),
        pytest.param(BEGIN + b"\nSitemap: https://example.org/old.xml\n" + RULES, id="end lost, sitemap line kept"),
        pytest.param(RULES + END + b"\n", id="begin lost"),
        pytest.param(END + b"\n" + RULES + BEGIN + b"\n", id="swapped"),
    ],
)
def test_rules_next_to_a_broken_block_are_never_lost(broken: bytes) -> None:
    merged = broken
    for sitemaps in ([URL], [URL], [OTHER], []):
        merged = merge_robots(merged, sitemaps) or b""
        assert RULES in merged


@given(robots_files, sitemap_lists)
def test_merging_again_changes_nothing(existing: bytes | None, sitemaps: list[str]) -> None:
    merged = merge_robots(existing, sitemaps)
    assert merge_robots(merged, sitemaps) == merged


@given(robots_files, sitemap_lists)
def test_every_sitemap_is_announced_exactly_once_by_us(existing: bytes | None, sitemaps: list[str]) -> None:
    merged = (merge_robots(existing, sitemaps) or b"").decode().splitlines()
    announced = [line.strip().lower().removeprefix("sitemap:").strip() for line in merged]
    authors = (existing or b"").decode().lower()
    for url in sitemaps:
        assert url in announced
        assert announced.count(url) == 1 or url in authors


@given(texts.filter(lambda text: BEGIN.decode() not in text), sitemap_lists)
def test_the_authors_bytes_stay_a_prefix_and_return_when_the_block_is_removed(text: str, sitemaps: list[str]) -> None:
    """RB-03, RB-09."""
    existing = text.encode()
    merged = merge_robots(existing, sitemaps)
    assert merged is not None
    assert merged.startswith(existing)
    bare = merge_robots(merged, []) or b""
    assert bare.startswith(existing)
    assert bare[len(existing) :].strip(b"\r\n") == b""


@pytest.mark.parametrize(
    "existing", ["ü".encode("latin-1"), "User-agent: *".encode("utf-16"), "User-agent: *".encode("utf-16-le")]
)
@pytest.mark.parametrize("sitemaps", [[URL], []])
def test_a_file_that_is_not_utf8_is_refused(existing: bytes, sitemaps: list[str]) -> None:
    with pytest.raises(NotUTF8Error):
        merge_robots(existing, sitemaps)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User-agent: *\nDisallow: /\n", True),
        ("User-agent: *\rDisallow: /\r", True),
        ("\ufeffUser-agent: *\nDisallow: /", True),
        ("User-agent: * # everyone\nDisallow: / # all\n", True),
        ("User-agent: bot\nUser-agent: *\nDisallow: /\n", True),
        ("User-agent: bot\nDisallow: /\n\nUser-agent: *\nDisallow: /\n", True),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n", True),
        ("User-agent: bot\nDisallow:\n\nUser-agent: *\nDisallow: /\n", False),
        ("User-agent: *\nCrawl-delay: 5\nDisallow: /\n", True),
        ("User-agent: *\nthis is no rule\nDisallow: /\n", True),
        ("User-agent: *\nAllow:\nDisallow: /\n", True),
        ("User-agent: *\nDisallow: /*\n", True),
        ("User-agent: *\nDisallow: /private\n", False),
        ("User-agent: *\nDisallow: /\nAllow: /docs/\n", False),
        ("User-agent: bot\nDisallow: /\n", False),
        ("User-agent: *\nDisallow:\n\nUser-agent: bot\nDisallow: /\n", False),
        ("Disallow: /\n", False),
        ("# User-agent: *\n# Disallow: /\n", False),
    ],
)
def test_whether_everything_is_forbidden(text: str, *, expected: bool) -> None:
    """RB-14."""
    assert RobotsTxt(text.encode()).disallows_all is expected


@given(st.binary())
def test_any_bytes_can_be_parsed(content: bytes) -> None:
    robots = RobotsTxt(content)
    assert robots.disallows_all in {True, False}
    assert robots.disallows("https://example.org/a/?b=1") in {True, False}
    assert not RobotsTxt(content.replace(b"/", b"").replace(b"*", b"")).disallows_all


rule_lines = st.sampled_from(
    [
        "",
        "# a comment",
        *(f"User-agent: {name}" for name in ("*", "Googlebot", "bingbot", "other")),
        *(
            f"{field}: {path}"
            for field in ("Disallow", "Allow", "disallow")
            for path in (
                "",
                "/",
                "/a",
                "/a/b",
                "/p*",
                "*",
                "/*/x",
                "/a$",
                "/*.html$",
                "/é",
                "/%c3%a9",
                "/%7Ea",
                "/?q=",
                "/a*b*c$",
            )
        ),
    ]
)
PATHS = ("/", "/a", "/a/", "/a/b", "/pa", "/x/x", "/b.html", "/c/b.html?x", "/%C3%A9", "/é", "/~a/", "/?q=1", "/aXbYcd")


@given(st.lists(rule_lines, max_size=10).map("\n".join))
def test_forbidden_urls_are_the_same_as_in_another_parser(text: str) -> None:
    """RFC 9309, sections 2.2.1 and 2.2.2: groups of one crawler, the longest rule, wildcards, percent-encoding."""
    ours, theirs = RobotsTxt(text.encode()), Protego.parse(text)
    for url in (f"https://example.org{path}" for path in PATHS):
        for crawler in ("Googlebot", "Bingbot"):
            assert (ours.disallow_line(url, crawler) is None) == theirs.can_fetch(url, crawler), (url, crawler)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param("User-agent: Googlebot/2.1\nDisallow: /a", "Disallow: /a", id="a version after the name"),
        pytest.param("User-agent: googlebot # all of them\nDisallow: /a # here", "Disallow: /a", id="comments"),
        pytest.param(
            "User-agent: *\nCrawl-delay: 5\nUser-agent: other\nDisallow: /a",
            "Disallow: /a",
            id="other keys do not end a group",
        ),
        pytest.param(PREFERENCES.decode(), None, id="preferences for AI block nothing"),
        pytest.param(f"{PREFERENCES.decode()}Disallow: /a", "Disallow: /a", id="rules after preferences for AI"),
        pytest.param("User-agent: *\nDisallow: /\nDisallow: /a/", "Disallow: /a/", id="the longest rule is named"),
        pytest.param("User-agent: Googlebot-Image\nDisallow: /", None, id="another crawler of the same company"),
        pytest.param("User-agent: *\nDisallow: /***a", "Disallow: /***a", id="several wildcards are one"),
        pytest.param("User-agent: *\nAllow: /*a/\nDisallow: /**a/", "Disallow: /**a/", id="which is longer"),
        pytest.param("User-agent: *\nDisallow: /**a/\nAllow: /*a/", "Disallow: /**a/", id="in any order"),
        pytest.param("User-agent: *\nDisallow: /a\nAllow: /a", None, id="of equal ones the one that allows"),
        pytest.param(f"User-agent: *\nDisallow: /{'*' * 300}", f"Disallow: /{'*' * 199}", id="it is cut"),
    ],
)
def test_the_deciding_line_is_named(text: str, line: str | None) -> None:
    assert RobotsTxt(text.encode()).disallow_line("https://example.org/a/", "Googlebot") == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("User-agent: *\nDisallow: /a", "Disallow: /a"),
        ("User-agent: Googlebot\nDisallow: /b.png\nUser-agent: *\nDisallow: /a", None),
        ("User-agent: *\nAllow: /\nUser-agent: Googlebot\nDisallow: /a", "Disallow: /a"),
        (
            "User-agent: Googlebot\nDisallow: /\nUser-agent: Googlebot-Image\nUser-agent: Googlebot-Video\nAllow: /",
            None,
        ),
        ("User-agent: Bingbot\nDisallow: /", None),
    ],
)
@pytest.mark.parametrize("crawler", ["Googlebot-Image", "Googlebot-Video"])
def test_crawlers_of_google_without_a_group_follow_the_rules_for_googlebot(
    text: str, line: str | None, crawler: str
) -> None:
    assert RobotsTxt(text.encode()).disallow_line("https://example.org/a.png", crawler) == line
