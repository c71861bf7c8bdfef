"""What the sitemaps list, compared with what a build of the same pages would list."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from urllib.parse import unquote

import pytest

from sitemap_plugins.formats.sitemap_xml import DECLARATION, MARK, NAMESPACE
from tests.check.examples import complete
from tests.check.sites import find

X = "https://docs.example.org/"


def test_a_page_with_two_files_is_unlisted_once(tmp_path: Path) -> None:
    sitemap = f"<url><loc>{X}</loc></url>"
    [finding] = find(tmp_path, complete({"sitemap.xml": sitemap, "a.html": "", "a/index.html": "", "b/index.html": ""}))
    assert finding.rule == "unlisted"
    assert [hit.file for hit in finding.hits] == ["a.html", "b/index.html"]


MKDOCS = {"a.html": '<meta name="generator" content="mkdocs-1.6.1">'}
OURS = f"{DECLARATION}{MARK}\n<urlset xmlns='{NAMESPACE}'><url><loc>{X}</loc></url></urlset>"
INDEX = f"{DECLARATION}{MARK}\n<sitemapindex xmlns='{NAMESPACE}'><sitemap><loc>{X}sitemap-1.xml</loc></sitemap></sitemapindex>"
WITH_PLUGIN, WITHOUT = "site_name: x\nplugins: [search, sitemap]\n", "site_name: x\nplugins: [search]\n"


@pytest.mark.parametrize(
    ("files", "is_reported"),
    [
        ({**MKDOCS, "sitemap.xml": OURS}, False),
        ({**MKDOCS, "sitemap.xml": OURS, "mkdocs.yml": WITH_PLUGIN}, False),
        ({**MKDOCS, "sitemap.xml": INDEX, "sitemap-1.xml": OURS}, False),
        ({"a.html": "", "_static/documentation_options.js": "", "sitemap.xml": OURS}, False),
        (MKDOCS, True),
        ({**MKDOCS, "sitemap.xml": OURS, "mkdocs.yml": WITHOUT}, True),
        ({"a.html": "", "_static/documentation_options.js": ""}, True),
        ({"a.html": '<meta name="generator" content="Hugo 0.150.0">', "sitemap.xml": OURS}, True),
        ({"a.html": "", "sitemap.xml": OURS}, True),
        ({**MKDOCS, "sitemap-2.xml": OURS}, True),
    ],
)
def test_what_our_plugins_leave_out_is_not_reported(
    files: dict[str, str], tmp_path: Path, *, is_reported: bool
) -> None:
    """Nothing announces the sitemap in the last row."""
    found = [each.rule for each in find(tmp_path, complete(files))]
    assert ("unlisted" in found) is is_reported


@pytest.mark.parametrize("path", ["genindex.html", "_modules/a.html", "search.html"])
@pytest.mark.parametrize(
    ("head", "rule"),
    [
        ('<meta name="robots" content="noindex">', "listed-noindex"),
        (f'<link rel="canonical" href="{X}">', "listed-canonical"),
    ],
)
def test_what_a_listed_page_says_counts_though_a_build_would_leave_it_out(
    path: str, head: str, rule: str, tmp_path: Path
) -> None:
    sitemap = f"<url><loc>{X}</loc></url><url><loc>{X}{path}</loc></url>"
    files = {"_static/documentation_options.js": "", path: head, "sitemap.xml": sitemap}
    assert [each.rule for each in find(tmp_path, complete(files))] == [rule]
    (tmp_path / path).write_text("<title>A list</title>")
    assert [each.rule for each in find(tmp_path, {}) if each.level != "info"] == []


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("404.html", ["listed-error-page"]),
        ("1.0/404/index.html", ["listed-error-page"]),
        ("1.0/de/500.html", ["listed-error-page"]),
        ("status/404.html", []),
        ("1.0/status/404/index.html", []),
    ],
)
def test_error_pages_are_at_the_top_of_a_site_a_version_or_a_language(
    path: str, rules: list[str], tmp_path: Path
) -> None:
    files = {
        "versions.json": '[{"version": "1.0", "title": "1.0", "aliases": []}]',
        "1.0/index.html": "",
        "1.0/de/index.html": "<html lang=de>",
        path: "<html lang=de>" if "/de/" in path else "",
        "sitemap.xml": f"<url><loc>https://docs.example.org/{path}</loc></url>",
    }
    assert [each.rule for each in find(tmp_path, complete(files)) if each.level != "info"] == rules


@pytest.mark.parametrize(
    ("path", "line"),
    [("x.pdf", "Disallow: /*.pdf$"), ("llms.txt", "Disallow: /llms.txt"), ("data/a%20b.json", "Disallow: /data/a%20b")],
)
def test_a_listed_file_that_robots_txt_blocks_is_found_like_a_page(path: str, line: str, tmp_path: Path) -> None:
    files = {
        "robots.txt": f"User-agent: *\n{line}\n\nSitemap: {X}sitemap.xml\n",
        unquote(path): "a",
        "sitemap.xml": f"<url><loc>{X}</loc></url><url><loc>{X}{path}</loc></url>",
    }
    [finding] = find(tmp_path, complete(files))
    assert (finding.rule, finding.cause) == ("listed-robots", line)
    assert [(hit.url, hit.found) for hit in finding.hits] == [(f"{X}{path}", "robots.txt, line 2")]


@pytest.mark.parametrize(
    ("page", "href"),
    [("b.html", "fr/b.html"), ("a/index.html", "../fr/a/"), ("b.html", f"{X}fr/b#top"), (".b.html", "/fr/")],
)
def test_a_head_that_links_to_a_missing_translation_is_found_once(page: str, href: str, tmp_path: Path) -> None:
    links = {"de": "/de.html", "fr": href, "x-default": "/de.html"}  # which does not link back
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{url}">' for code, url in links.items())
    found = find(tmp_path, complete({page: head, "de.html": ""}))
    assert [(hit.file, hit.found) for each in found for hit in each.hits if each.rule == "hreflang-heads"] == [
        (page, f"{href}: there is no such file")
    ]


LAST = "9999-12-31T23:59:59-14:00"  # in UTC, a day later than the last one that Python can represent


@pytest.mark.parametrize(
    ("listed", "head", "found"),
    [
        (LAST, '<meta property="article:modified_time" content="2026-01-01">', ("9999-12-31", "2026-01-01")),
        ("2026-01-01", f'<meta property="article:modified_time" content="{LAST}">', ("2026-01-01", "9999-12-31")),
        (
            "2026-01-01",
            f'<script type="application/ld+json">{{"dateModified": "{LAST}"}}</script>',
            ("2026-01-01", "9999-12-31"),
        ),
    ],
)
def test_the_last_day_of_all_is_shown_as_written(
    listed: str, head: str, found: tuple[str, str], tmp_path: Path
) -> None:
    sitemap = f"<url><loc>{X}</loc><lastmod>{listed}</lastmod></url>"
    [finding] = find(tmp_path, complete({"sitemap.xml": sitemap, "index.html": head}))
    assert (finding.rule, finding.hits[0].found) == ("shown-date", f"the sitemap has {found[0]}, the page {found[1]}")


@pytest.mark.parametrize(
    ("mark", "lastmod", "header", "is_proof"),
    [
        (MARK, None, None, False),
        (MARK, ["front_matter", "git"], None, False),
        (MARK, ["mtime"], None, True),
        (MARK, ["git", "page"], None, True),
        (MARK, None, "2026-05-28T20:26:40Z", True),
        ("", None, None, True),
        ("", ["git"], None, True),
    ],
)
def test_times_close_to_the_build_prove_nothing_if_our_build_took_them_from_commits(
    mark: str, lastmod: list[str] | None, header: str | None, tmp_path: Path, *, is_proof: bool
) -> None:
    times = [f"2026-05-28T20:26:{second:02}Z" for second in range(10, 22)]
    urls = "".join(f"<url><loc>{X}{n}.html</loc><lastmod>{each}</lastmod></url>" for n, each in enumerate(times))
    xml = f'<?xml version="1.0"?>\n{mark}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    files: dict[str, str | Literal[False]] = {f"{n}.html": "" for n in range(len(times))}
    files |= {"sitemap.xml": xml} | ({"sitemap.xml.gz": header} if header else {})
    files |= {"sitemap.toml": f"lastmod = {lastmod}\n"} if lastmod else {}
    assert ("build-dates" in {each.rule for each in find(tmp_path, complete(files))}) == is_proof
