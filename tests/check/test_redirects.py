"""Redirects of all kinds lead to a page at once, and what a server may answer is not judged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pytest

from sitemap_plugins.check.checking import check
from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.published.redirects import SiteBase, read_redirect_list
from tests.check.examples import complete
from tests.check.sites import read, write

Files = Mapping[str, str | Literal[False]]
X = "https://docs.example.org/"
PAGE = "<!doctype html><html><head><title>A page</title></head><body><h2 id='a'>A</h2></body></html>"
TWO_VERSIONS = '[{"version": "2", "title": "2", "aliases": ["latest"]}, {"version": "1", "title": "1", "aliases": []}]'


def to(target: str) -> str:
    """A page that redirects, as most tools write it."""
    return f'<meta http-equiv="refresh" content="0; url={target}"><link rel="canonical" href="{target}">'


def lines(*rules: str) -> dict[str, str]:
    return {"_redirects": "\n".join(rules)}


def find(folder: Path, files: Files, listed: str = "") -> list[Finding]:
    """The findings of the three rules. ``listed`` is what the file of ``--redirects`` says."""
    site = read(write(folder, complete(files)))
    redirects, _ = read_redirect_list(listed.encode(), SiteBase.of(site.base_url), "list.txt")
    return [each for each in check(site, redirects) if each.rule.startswith("redirect-")]


def report(findings: list[Finding]) -> list[str]:
    return [
        f"{finding.rule.removeprefix('redirect-')} {hit.place} {hit.found}"
        for finding in findings
        for hit in finding.hits
    ]


FOUND: dict[str, tuple[Files, list[str]]] = {
    "a rule without a page": (lines("/a /", "/old /gone"), ["dead _redirects:2 /old → /gone"]),
    "a page": ({"a/old/index.html": to("../gone/")}, ["dead a/old/index.html /a/old/ → /a/gone/"]),
    "a page for readers without scripts": (
        {
            "old.html": '<noscript><meta http-equiv="refresh" content="0; url=gone.html"></noscript>'
            '<script>window.location.replace("gone.html");</script>'
        },
        ["dead old.html /old.html → /gone.html"],
    ),
    "the file of Zensical": (
        {"redirect.json": '{"a.html#x": "index.html", "old.html": "gone.html"}'},
        ["dead redirect.json /old.html → /gone.html"],
    ),
    "the file of Vercel": (
        {
            "vercel.json": '{"headers": [{"source": "/(.*)", "headers": []}], "redirects": '
            '[{"source": "/old", "destination": "/gone"}, {"source": "/a", "destination": "/"}]}'
        },
        ["dead vercel.json /old → /gone"],
    ),
    "by another redirect": (
        lines("/a /b", "/b /gone"),
        ["dead _redirects:1 /a → /b → /gone", "dead _redirects:2 /b → /gone"],
    ),
    "by redirects of other kinds": (
        {"a.html": to("b"), **lines("/b /c"), "c.html": to("d/#x"), "redirect.json": '{"d/": "gone/"}'},
        [
            "dead _redirects:1 /b → /c → /d/#x → /gone/",
            "dead redirect.json /d/ → /gone/",
            "dead a.html /a.html → /b → /c → /d/#x → /gone/",
            "dead c.html /c.html → /d/#x → /gone/",
        ],
    ),
    "a loop once": (lines("/a /b", "/b /c/", "/c /a"), ["dead _redirects:1 /a → /b → /c/ → /a"]),
    "pages in a loop": (
        {"a/index.html": to("../b/"), "b/index.html": to("../a/")},
        ["dead a/index.html /a/ → /b/ → /a/"],
    ),
    "a path that never ends": (lines("/a/* /a/b/:splat", "/x /a/y"), ["dead _redirects:2 /x → "]),
    "a URL of the site": ({"a/old.html": to(f"{X}a/gone.html?x=1")}, ["dead a/old.html /a/old.html → /a/gone.html"]),
    "decoded": (lines("/old /caf%C3%A9/"), ["dead _redirects:1 /old → /café/"]),
    "a wildcard with one target": (
        lines("/v1.0-docs/release-notes/* /docs/release-notes/"),
        ["dead _redirects:1 /v1.0-docs/release-notes/* → /docs/release-notes/"],
    ),
    "a wildcard that leads to a redirect": (
        lines("/v1/:page/x / 302", "/v2/* /docs/", "/docs/ /"),
        ["chain _redirects:2 /v2/* → /docs/ → /"],
    ),
    "an answer without content": (
        lines("/x /en/gone/", "/:lang/* /:lang/404/ 404") | {"en/404/index.html": PAGE},
        ["dead _redirects:1 /x → /en/gone/"],
    ),
    "a page that is gone for good": (lines("/x /y/z", "/y/* /404.html 410"), ["dead _redirects:1 /x → /y/z"]),
    "a chain to another host": (
        lines("/a /b", "/b https://other.example/"),
        ["chain _redirects:1 /a → /b → https://other.example/"],
    ),
    "a chain of pages": (
        {"a.html": to("b/"), "b.html": to("c.html"), "c.html": PAGE},
        ["chain a.html /a.html → /b/ → /c.html"],
    ),
    "an anchor": ({"old.html": to("new.html#b"), "new.html": PAGE}, ["anchor old.html /old.html → /new.html#b"]),
    "an anchor in other letters": (
        {"old.html": to("new.html#A"), "new.html": PAGE},
        ["anchor old.html /old.html → /new.html#A"],
    ),
    "an anchor that no URL can have": (
        {"redirect.json": '{"old.html": "new.html#\\udcff"}', "new.html": PAGE},
        ["anchor redirect.json /old.html → /new.html#\udcff"],
    ),
    "the last anchor of a chain": (
        {
            "a.html": to("b.html#a"),
            "b.html": to("c.html#b"),
            "c.html": PAGE,
            "d.html": to("e.html#b"),
            "e.html": to("c.html"),
        },
        [
            "chain a.html /a.html → /b.html#a → /c.html#b",
            "chain d.html /d.html → /e.html#b → /c.html",
            "anchor a.html /a.html → /b.html#a → /c.html#b",
            "anchor b.html /b.html → /c.html#b",
            "anchor d.html /d.html → /e.html#b → /c.html",
        ],
    ),
    "loops and chains, whatever the server does": (
        {".htaccess": "", **lines("/a /b", "/b /a", "/c /d", "/d /", "/e /f", "/f /gone")},
        ["dead _redirects:1 /a → /b → /a", "chain _redirects:3 /c → /d → /", "chain _redirects:5 /e → /f → /gone"],
    ),
    "files of services without such rules": (
        {"netlify.toml": '[[headers]]\nfor = "/*"', "vercel.json": '{"cleanUrls": true}', **lines("/old /gone")},
        ["dead _redirects:1 /old → /gone"],
    ),
    "the rule that counts": (lines("/a /b", "/a /gone", "/* /gone 302 Country=de", "/c/* /", "/c/d /gone"), []),
    "a folder on GitHub below the root of its host": (
        {
            "CNAME": False,
            "robots.txt": False,
            "index.html": '<link rel="canonical" href="https://a.github.io/p/">',
            "sitemap.xml": "<url><loc>https://a.github.io/p/</loc></url>",
            "old/index.html": to("../gone/"),
        },
        ["dead old/index.html /p/old/ → /p/gone/"],
    ),
    "a page of GitHub in the same folder or in a version": (
        {
            "a/w.html": to("../gone.html"),
            "a/x.html": to("gone.html"),
            "y.html": to("gone.html"),
            "z.html": to("2/gone.html"),
        }
        | {"versions.json": TWO_VERSIONS, "1/index.html": PAGE, "2/index.html": PAGE},
        [
            "dead y.html /y.html → /gone.html",
            "dead z.html /z.html → /2/gone.html",
            "dead a/w.html /a/w.html → /gone.html",
            "dead a/x.html /a/x.html → /a/gone.html",
        ],
    ),
}


@pytest.mark.parametrize("case", FOUND)
def test_redirects_that_lead_nowhere_or_not_at_once_are_found(case: str, tmp_path: Path) -> None:
    files, expected = FOUND[case]
    found = report(find(tmp_path, files))
    assert [each[: len(wanted)] for each, wanted in zip(found, expected, strict=True)] == expected


SILENT: dict[str, tuple[Files, Files]] = {
    "a rule serves the target": (
        lines("/old /app/x", "/* /index.html 200"),
        lines("/old /components/x", "/components/* https://other.example/:splat 200"),
    ),
    "a rule with conditions matches the target": (
        lines("/c /guide", "/* /en/:splat 302 Language=en"),
        lines("/c /shop", "/shop / id=:id", "/shop https://other.example/"),
    ),
    "a rule for the target itself is ignored": (
        lines("/old /docs", "/docs /docs/", "/* /index.html 200"),
        lines("/old/ /docs", "/docs/* /docs/", "/:page / 200"),
    ),
    "the service answers it": (lines("/old /.netlify/functions/x"), lines("/old /cdn-cgi/trace")),
    "it is no page": (
        lines("/old mailto:1@example.org", "/a tel:123"),
        lines("/a /") | {"old.html": to("mailto:a@example.org"), "b.html": to("vscode://file/x")},
    ),
    "a server has rules that are not read": (
        {".htaccess": "", "old.html": to("gone.html")},
        {"_worker.js": "", **lines("/old /gone")},
    ),
    "a builder makes it": (
        {"_config.yml": "", "gone.md": "", "old.html": to("gone.html")},
        {"_config.yml": "", "a/gone/README.md": "", "a/old/index.html": to("../gone/")},
    ),
    "Vercel has rules that are not read": (
        {"vercel.json": '{"rewrites": [{"source": "/x", "destination": "/y"}]}', **lines("/old /gone")},
        {"vercel.json": '{"routes": [{"src": "/x"}]}', "old.html": to("gone.html")},
    ),
    "Vercel has redirects with patterns": (
        {"vercel.json": '{"redirects": [{"source": "/g:x*", "destination": "/"}]}', "old.html": to("gone.html")},
        {
            "vercel.json": '{"redirects": [{"source": "/gone.html", "has": [{"type": "host"}], "destination": "/"}]}',
            "old.html": to("gone.html"),
        },
    ),
    "Netlify has redirects in its configuration": (
        {"netlify.toml": '[[redirects]]\nfrom = "/*"', **lines("/old /gone")},
        {"netlify.toml": '[[edge_functions]]\npath = "/*"', "old.html": to("gone.html")},
    ),
    "it only changes the slash": (lines("/blog/ /blog", "/en/a /en/a/"), lines("/en/index.html /en")),
    "it leads to itself": (
        lines("/self /self"),
        {"self.html": to("self.html"), "a/index.html": '<meta http-equiv="refresh" content="60; url=.">'},
    ),
    "no server sees the anchor": (lines("/docs/x/#old /docs/y/"), lines("/docs/x/#old /docs/y/", "/docs/x/ /")),
    "the target depends on the path": (
        lines("/blog/* /news/:splat", "/:lang/old /:lang/gone"),
        lines("/a/* /b/*", "/c /d/:id"),
    ),
    "an earlier rule counts": (
        lines("/* /index.html 200", "/old /gone"),
        lines("/a/* https://other.example/:splat", "/a/b/* /gone"),
    ),
    "more rules than are read may answer it": (
        {"_redirects": "".join(f"/a{number}/* /\n" for number in range(1001)) + "/old /gone"},
        {"_redirects": "".join(f"/:a/{number} /\n" for number in range(1001)), "old.html": to("gone.html")},
    ),
    "there is a file": (
        lines("/old /data.csv", "/b /guide/", "/c /d") | {"data.csv": "", "guide.html": PAGE, "d/index.html": PAGE},
        {"a/old.html": to("../.x/y.pdf"), ".x/y.pdf": "", "b.html": to("c/"), "c.html": PAGE},
    ),
    "a page that is there comes before rules": (
        lines("/a /b.html", "/b.html /c.html") | {"b.html": PAGE, "c.html": PAGE},
        lines("/a /b/x", "/b/* /gone") | {"b/x.html": PAGE, "gone.html": PAGE},
    ),
    "it is another host": (
        lines("/old https://other.example/gone", "/:a/* /b.html") | {"b.html": PAGE},
        {"old.html": to("//docs.example.com/gone")},
    ),
    "the site of an account has others in other folders": (
        {"index.html": to("project/"), "a.html": PAGE},
        {"a/index.html": to(f"{X}docs/1.0/a"), "b/index.html": to("/docs"), "docs/index.html": PAGE},
    ),
    "it is a template": (
        {"old.htm": "{% extends 'x' %}" + to("gone.html")},
        {"redirect.htm": '{{ x }}<meta http-equiv="refresh" content="0; url={{ url }}">'},
    ),
    "the anchor is for scripts or the browser": (
        {"a.html": to("x.html#top"), "b.html": to("x.html#:~:text=x"), "c.html": to("x.html#/x"), "x.html": PAGE},
        {"a.html": to("x.html#TOP"), "b.html": to("x.html#!x"), "c.html": to("x.html#x=1"), "x.html": PAGE},
    ),
    "the target has other anchors than its file": (
        {"old.html": to("app/#gone"), "app/index.html": PAGE, "app/jupyter-lite.json": "{}"},
        lines("/a /data.csv#row", "/b /c.html#x") | {"data.csv": "", "c.html": f"{PAGE}<!-- \ufffd -->"},
    ),
    "the page has the anchor": (
        {
            "a.html": to("x.html#é"),
            "b.html": to("x.html#y z"),
            "c.html": to("x.html#q"),
            "d.html": to("x.html#w"),
            "x.html": f"{PAGE}<a name=q></a><p ID='&#233;'></p><p id=\"y%20z\"></p><svg><g id = w></g></svg>",
        },
        {"a.html": to("x.html#f(a,%20b)"), "x.html": f'{PAGE}<p id="f(a, b)">'},
    ),
    "the anchors of pages lead to anchors": (
        {"redirect.json": '{"a.html#x": "b.html#a", "a.html#y": "b.html"}', "a.html": PAGE, "b.html": PAGE},
        {"redirect.json": '{"a.html": "#a", "gone.html#x": "b.html"}', "index.html": PAGE, "b.html": PAGE},
    ),
    "it is right": (
        lines("/a /b.html", "/c /d") | {"b.html": PAGE, "d/index.html": PAGE},
        {
            "x.html": to("docs/h/"),
            "docs/h/index.html": PAGE,
            "docs/i.html": to("h/#a"),
            "docs/j/index.html": to("../h/"),
        },
    ),
    "the URL style of the pages does not count": (
        {"docs/a/index.html": f'<link rel="canonical" href="{X}docs/a">', "docs/b/index.html": to("../a/")},
        {"docs/a.html": f'<link rel="canonical" href="{X}docs/a/">', "docs/b.html": to("a.html")},
    ),
}


@pytest.mark.parametrize("case", SILENT)
@pytest.mark.parametrize("number", [0, 1])
def test_a_redirect_is_no_mistake_if(case: str, number: int, tmp_path: Path) -> None:
    assert report(find(tmp_path, SILENT[case][number])) == []


def test_each_file_is_one_cause_and_so_are_all_pages_and_those_of_all_versions(tmp_path: Path) -> None:
    pages = {path: to("gone.html") for path in ("a.html", "b.html", "1/a.html", "2/a.html")}
    files = (
        pages
        | lines("/x /gone", "/y /gone")
        | {"vercel.json": '{"redirects": [{"source": "/z", "destination": "/0"}]}'}
    )
    files |= {"versions.json": TWO_VERSIONS, "1/index.html": PAGE, "2/index.html": PAGE}
    found = find(tmp_path, files, "/v /gone\n\n/w /gone # twice\n")
    assert {each.cause: [hit.place for hit in each.hits] for each in found} == {
        "the site": ["a.html", "b.html"],
        "in versions": ["1/a.html", "2/a.html"],
        "_redirects": ["_redirects:1", "_redirects:2"],
        "vercel.json": ["vercel.json"],
        "list.txt": ["list.txt:1", "list.txt:3"],
    }
    assert {hit.url for each in found for hit in each.hits if each.cause == "list.txt"} == {f"{X}v", f"{X}w"}


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("/a /b\n/b /\n/old/ gone/", ["dead list.txt:3 /old/ → /gone/", "chain list.txt:1 /a → /b → /"]),
        ("/x.html /page\n/page#a /gone\n/page /", ["chain page.html /page.html → /x.html → /page.html"]),
        ("/rule /\n/b /rule", ["dead list.txt:2 /b → /rule → /gone", "dead _redirects:1 /rule → /gone"]),
    ],
)
def test_the_redirects_of_the_server_count_after_those_of_the_site(
    listed: str, expected: list[str], tmp_path: Path
) -> None:
    files = {"page.html": PAGE, **lines("/rule /gone")} if "rule" in listed else {"page.html": PAGE}
    if "page" in listed:
        expected = []
    assert sorted(report(find(tmp_path, files, listed))) == sorted(expected)


def test_paths_begin_at_the_root_of_the_host(tmp_path: Path) -> None:
    files: Files = {
        "CNAME": False,
        "robots.txt": False,
        "index.html": f'<link rel="canonical" href="{X}docs/">',
        "sitemap.xml": f"<url><loc>{X}docs/</loc></url>",
        "a.html": to("/docs/b"),
        "c.html": to("/b"),
        "d.html": to("/docs/e"),
        **lines("/docs/e /docs/", "/docs/f /docs/gone"),
    }
    found = report(find(tmp_path, files, "/docs/g /docs/gone\n"))
    # A server reads _redirects only at the root, but if it does, this one answers.
    assert found == [
        "dead list.txt:1 /docs/g → /docs/gone",
        "dead a.html /docs/a.html → /docs/b",
        "chain d.html /docs/d.html → /docs/e → /docs/",
    ]


@pytest.mark.parametrize("alias", ["latest", "stable"])
def test_the_aliases_of_versions_redirect_to_them(alias: str, tmp_path: Path) -> None:
    files: Files = {
        "versions.json": TWO_VERSIONS.replace("latest", alias),
        "index.html": to(f"{alias}/"),
        f"{alias}/index.html": to("../2/"),
        f"{alias}/a/index.html": to("../../2/a/"),
        "1/index.html": PAGE,
        "2/index.html": PAGE,
        "2/a/index.html": PAGE,
    }
    assert report(find(tmp_path, files)) == []
