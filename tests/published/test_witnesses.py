"""The URL of a published site, by what its files say."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.published.site_url import NamedURL
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.published.witnesses import find_site_url
from tests.published_root import sitemap_of

X = "https://docs.example.org/"
Y = "https://example.net/"
OLD = "https://old.example.org/"
PAGES, ROBOTS, CNAME, SITEMAP = (
    "the canonical links of the pages",
    "robots.txt",
    "the file CNAME",
    "the URLs in sitemap.xml",
)


def page(canonical: str = "", body: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<!doctype html><html lang=en><head><title>A</title>{link}</head><body>{body}</body></html>"


def redirect(target: str) -> str:
    return page(target).replace("<title>", f'<meta http-equiv="refresh" content="0; url={target}"><title>')


def sitemap(*urls: str) -> str:
    return sitemap_of({url: {} for url in urls})


def announced(*urls: str) -> str:
    return "".join(f"Sitemap: {url}\n" for url in urls)


def find(folder: Path, files: dict[str, str], configured: str = "", by_versions: str | None = None) -> tuple[str, str]:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    tree = Tree(folder)
    named = NamedURL(configured, "site_url in mkdocs.yml") if configured else None
    found = find_site_url(tree, [*tree.heads()], configured=named, by_versions=by_versions)
    return (found.url, found.place) if found else ("", "")


TWO = {"a.html": page(f"{X}a.html"), "b.html": page(f"{X}b.html")}


@pytest.mark.parametrize(
    ("files", "url", "place"),
    [
        # Each witness alone.
        ({"a/b/index.html": page(f"{X}sub/a/b/"), "c.html": page(f"{X}sub/c")}, f"{X}sub/", PAGES),
        ({"index.html": page(f"{X}sub/")}, f"{X}sub/", PAGES),
        ({"a.html": page(), "sitemap.xml": sitemap(f"{X}sub/a.html")}, f"{X}sub/", SITEMAP),
        ({"a.html": page(), "sitemap_index.xml": sitemap(f"{X}sub/a.html")}, f"{X}sub/", "the URLs in sitemap_index.xml"),
        ({"robots.txt": announced(f"{X}sub/sitemap.xml"), "sitemap.xml": ""}, f"{X}sub/", ROBOTS),
        ({"robots.txt": announced(f"{X}de/sitemap.xml"), "de/sitemap.xml": ""}, X, ROBOTS),
        ({"CNAME": "\ufeffDocs.Example.org\r\n", "a.html": page()}, X, CNAME),
        # The majority counts, or else the first of them.
        (TWO | {"sitemap.xml": sitemap(f"{OLD}a.html"), "robots.txt": announced(f"{OLD}sitemap.xml")}, OLD, SITEMAP),
        (TWO | {"sitemap.xml": sitemap(f"{OLD}a.html")}, X, PAGES),
        (TWO | {"sitemap.xml": sitemap(f"{X}a.html"), "robots.txt": announced(f"{OLD}sitemap.xml")}, X, PAGES),
        ({"a.html": page(), "sitemap.xml": sitemap(f"{X}a.html"), "robots.txt": announced(f"{OLD}sitemap.xml")}, X, SITEMAP),
        (TWO | {"sitemap.xml": "", "robots.txt": announced(f"{OLD}sitemap.xml", f"{X}sitemap.xml")}, X, PAGES),
        (TWO | {"sitemap.xml": sitemap(f"{OLD}a.html"), "robots.txt": announced(f"{Y}sitemap.xml", f"{OLD}sitemap.xml")}, OLD, SITEMAP),
        # Canonical links of half of the pages, that fit and agree. Redirects and parts of pages do not count.
        (TWO | {f"{name}.html": redirect(f"{OLD}{name}.html") for name in "cdefg"}, X, PAGES),
        (TWO | {f"{name}.html": "<p>text</p>" for name in "cdefg"} | {"sitemap.xml": sitemap(f"{OLD}a.html")}, X, PAGES),
        (TWO | {"c.html": page(), "d.html": page(), "sitemap.xml": sitemap(f"{OLD}a.html")}, X, PAGES),
        (TWO | {f"{name}.html": page() for name in "cde"} | {"sitemap.xml": sitemap(f"{OLD}a.html")}, OLD, SITEMAP),
        (TWO | {f"{name}.html": page() for name in "cde"}, X, PAGES),
        ({"1/a.html": page(f"{X}2/a.html"), "2/a.html": page(f"{X}2/a.html"), "b.html": page(f"{X}b.html")}, X, PAGES),
        (TWO | {f"fr/{name}.html": page(f"{OLD}{name}.html") for name in "ab"}, X, PAGES),
        ({"a.html": page(f"{X}a.html"), "b.html": page("https://other.example.net/b.html")}, "", ""),
        # Who has no voice.
        ({"a.html": page("http://localhost:8000/a.html"), "sitemap.xml": sitemap("http://localhost/a.html")}, "", ""),
        ({"a.html": page("https://deploy-preview-1--x.netlify.app/a.html")}, "", ""),
        ({"robots.txt": announced(f"{X}nothing.xml"), "a.html": page()}, "", ""),
        ({"CNAME": "not a domain", "a.html": page()}, "", ""),
        ({"CNAME": "intranet", "a.html": page()}, "", ""),
        ({"index.html": page(), "sitemap.xml": sitemap(f"{X}gone")}, "", ""),
        # Empty folders.
        ({"a.html": page(f"{X}/a.html")}, X, PAGES),
        ({"a.html": page(), "robots.txt": announced(f"{X}/sitemap.xml"), "sitemap.xml": ""}, X, ROBOTS),
        # The host in CNAME, and the path on which all voices for it agree, unless a folder has it.
        ({"CNAME": "docs.example.org\n", "a.html": page(f"{OLD}a.html")}, X, CNAME),
        ({"CNAME": "docs.example.org", "a.html": page("http://docs.example.org/a.html")}, "http://docs.example.org/", CNAME),
        ({"CNAME": "docs.example.org", "a.html": page(f"{X}1.0/a.html")}, f"{X}1.0/", CNAME),
        ({"CNAME": "docs.example.org", "a.html": page(f"{X}1.0/a.html"), "1.0/b.html": page()}, X, CNAME),
        ({"CNAME": "docs.example.org", "a.html": page(f"{X}b/a.html"), "sitemap.xml": sitemap(f"{X}a.html")}, X, CNAME),
        ({"CNAME": "docs.example.org", "a.html": page("https://www.docs.example.org/b/a.html")}, X, CNAME),
        (
            {"CNAME": "docs.example.org", "a.html": page(), "sitemap.xml": sitemap(f"{X}a.html"), "robots.txt": announced("http://docs.example.org/sitemap.xml")},
            X, CNAME,
        ),
    ],
)  # fmt: skip
def test_the_url_is_that_of_most_witnesses(files: dict[str, str], url: str, place: str, tmp_path: Path) -> None:
    assert find(tmp_path, files) == (url, place)


def test_the_configuration_has_a_voice(tmp_path: Path) -> None:
    files = {"a.html": page(), "robots.txt": announced(f"{X}sitemap.xml"), "sitemap.xml": ""}
    assert find(tmp_path, files, configured=OLD) == (X, ROBOTS)
    assert find(tmp_path, {"sitemap.xml": sitemap(f"{OLD}a.html")}, configured=OLD) == (OLD, SITEMAP)
    assert find(tmp_path / "alone", {"a.html": page()}, configured=f"{OLD}/x") == (f"{OLD}x/", "site_url in mkdocs.yml")
    assert find(tmp_path / "invalid", {"a.html": page()}, configured="docs") == ("", "")


def test_the_versions_tell_the_url_if_nothing_else_does(tmp_path: Path) -> None:
    assert find(tmp_path, {"1.0/a.html": page()}, by_versions=X) == (X, "the URLs of the versions")
    files = {"robots.txt": announced(f"{OLD}sitemap.xml"), "sitemap.xml": ""}
    assert find(tmp_path, files, by_versions=X) == (OLD, ROBOTS)
    linked = {"1.0/a.html": page(body='<a href="/help/1.0/a.html">x</a>')}
    assert find(tmp_path / "linked", linked, by_versions=X)[0] == X  # which no file names


BELOW = "".join(f'<a href="/help/{name}.html">x</a>' for name in "ab") + '<script src="/help/app.js"></script>'
LISTED = {"sitemap.xml": sitemap(f"{X}a", f"{X}b"), "b.html": page(), "app.js": ""}


@pytest.mark.parametrize(
    ("files", "url"),
    [
        (LISTED | {"a.html": page(body=BELOW)}, f"{X}help/"),
        (LISTED | {"a.html": page(body=BELOW), "CNAME": "docs.example.org"}, f"{X}help/"),
        (LISTED | {"a.html": page(body=f'<a href="/">x</a><a href="//cdn.example.net/a.html">x</a>{BELOW}')}, f"{X}help/"),
        (LISTED | {"a.html": page(body=f'<a href="/b.html?x#y">x</a>{BELOW}')}, f"{X}help/"),
        (LISTED | {"a.html": page(body=f'<a href="/a">x</a><a href="/b">x</a><a href="/app.js">x</a>{BELOW}')}, X),
        (LISTED | {f"help/{name}": "" for name in ("a.html", "b.html", "app.js")} | {"a.html": page(body=BELOW)}, X),
        (LISTED | {"a.html": page(body='<a href="/help/a.html">x</a><a href="/help/c">x</a>')}, X),
        (LISTED | {"a.html": page(body=f'<a href="{"/x" * 2000}">x</a>' * 9 + BELOW)}, f"{X}help/"),
        (LISTED | {"a.html": page(body='<a href="/x/y/a.html">x</a>')}, f"{X}x/y/"),
        (LISTED | {"a.html": page(body='<a href="/hilfe%20%C3%BC/a.html">x</a>')}, f"{X}hilfe%20%C3%BC/"),
        ({"a.html": page(f"{X}a.html", BELOW), "b.html": page(), "app.js": ""}, X),
        ({"a.html": page(body=BELOW), "b.html": page(), "app.js": ""}, ""),
    ],
)  # fmt: skip
def test_links_that_begin_with_a_slash_tell_the_path(files: dict[str, str], url: str, tmp_path: Path) -> None:
    """Unless the canonical links do, or such links lead to files as they are."""
    assert find(tmp_path, files)[0] == url
