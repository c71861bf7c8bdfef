"""The URL of each file of a built folder, in every style, and the file behind a URL."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.published.addresses import (
    STYLES,
    URLStyle,
    file_at,
    infer_base_url,
    meant,
    served,
    stated_urls,
    style_of,
    write_url,
)

BASE = "https://x.example/docs/"
STEPS = st.text(st.characters(exclude_characters="/\0", codec="utf-8"), min_size=1, max_size=8).filter(
    lambda step: not step.startswith(".")
)
PATHS = st.lists(STEPS, min_size=1, max_size=4).flatmap(
    lambda steps: st.sampled_from(["/".join([*steps, "index.html"]), "index.html", f"{'/'.join(steps)}.html"])
)
ANY_STYLE = st.sampled_from([*STYLES.values(), URLStyle("", ""), URLStyle("", ".html"), URLStyle("/index.html", "")])


@given(path=PATHS, style=ANY_STYLE)
def test_the_file_behind_a_url_is_the_one_it_was_written_for(path: str, style: URLStyle) -> None:
    loc = write_url(path, BASE, style)
    assert loc.startswith(BASE)
    assert file_at(loc, BASE, {path}.__contains__) == path


@pytest.mark.parametrize(
    ("path", "html", "clean", "directory"),
    [
        ("index.html", "", "", ""),
        ("a.html", "a.html", "a", "a/"),
        ("a/index.html", "a/", "a/", "a/"),
        ("a/b c.html", "a/b%20c.html", "a/b%20c", "a/b%20c/"),
        ("Käse~/50%.html", "K%C3%A4se~/50%25.html", "K%C3%A4se~/50%25", "K%C3%A4se~/50%25/"),
        ("a.b.html", "a.b.html", "a.b", "a.b/"),
        ("old.htm", "old.htm", "old.htm", "old.htm"),
    ],
)
def test_urls_in_each_style(path: str, html: str, clean: str, directory: str) -> None:
    found = [write_url(path, BASE, STYLES[name]) for name in ("html", "clean", "directory")]
    assert found == [BASE + html, BASE + clean, BASE + directory]


@pytest.mark.skipif(sys.platform == "win32", reason="names are Unicode there")
def test_a_name_that_is_not_unicode_has_a_url() -> None:
    path = b"caf\xe9.html".decode("utf-8", "surrogateescape")
    assert write_url(path, BASE, STYLES["html"]) == f"{BASE}caf%E9.html"
    assert file_at(f"{BASE}caf%E9", BASE, {path}.__contains__) == path


FILES = {"index.html", "a.html", "a/index.html", "b/index.html", "c.html", "d.txt"}


@pytest.mark.parametrize(
    ("path", "by_all", "by_some"),
    [
        ("", "index.html", "index.html"),
        ("index.html", "index.html", "index.html"),
        ("a", "a.html", "a.html"),
        ("a/", "a/index.html", "a/index.html"),
        ("a//", "a/index.html", "a/index.html"),
        ("b", "b/index.html", "b/index.html"),
        ("b.html", None, None),
        ("c", "c.html", "c.html"),
        ("c.html", "c.html", "c.html"),
        ("c/", None, "c.html"),
        ("c.html/", None, None),
        ("d", None, None),
        ("d.txt", "d.txt", "d.txt"),
        ("d.txt/", None, None),
        ("../c", None, None),
    ],
)
def test_some_servers_send_a_file_for_the_url_of_a_folder(path: str, by_all: str | None, by_some: str | None) -> None:
    assert (served(path, FILES.__contains__), meant(path, FILES.__contains__)) == (by_all, by_some)


@pytest.mark.parametrize(
    ("loc", "file"),
    [
        (BASE, "index.html"),
        (BASE.removesuffix("/"), "index.html"),
        (f"{BASE}c/", "c.html"),
        (f"{BASE}c.html?q=1/../..", "c.html"),
        (f"{BASE}c#/a/", "c.html"),
        (f"{BASE}%61%2F", "a/index.html"),
        (f"{BASE}/a", None),
        (f"{BASE}%FF", None),
        (f"{BASE}../c.html", None),
        (f"{BASE}../docs/c.html", "c.html"),
        ("HTTPS://X.example:443/docs/c.html", "c.html"),
        ("https://x.example/doc", None),
        ("https://y.example/docs/a", None),
        ("", None),
    ],
)
def test_the_file_behind_a_url(loc: str, file: str | None) -> None:
    assert file_at(loc, BASE, FILES.__contains__) == file


@pytest.mark.parametrize(
    ("stated", "style"),
    [
        ({}, URLStyle("/", ".html")),
        ({"index.html": BASE}, URLStyle("/", ".html")),
        ({"a.html": f"{BASE}a"}, URLStyle("/", "")),
        ({"a.html": f"{BASE}a/"}, URLStyle("/", "/")),
        ({"a/index.html": f"{BASE}a"}, URLStyle("", ".html")),
        ({"a/index.html": f"{BASE}a", "b/index.html": f"{BASE}b/"}, URLStyle("/", ".html")),
        ({"a/index.html": f"{BASE}a/index.html"}, URLStyle("/index.html", ".html")),
        ({"a.html": f"{BASE}a", "b.html": f"{BASE}b", "c.html": f"{BASE}c.html"}, URLStyle("/", "")),
        ({"a.html": f"{BASE}a", "b.html": f"{BASE}b.html"}, URLStyle("/", ".html")),
        ({"a.html": f"{BASE}a.html?v=1", "b/index.html": f"{BASE}b?v=1"}, URLStyle("/", ".html")),
    ],
)
def test_pages_without_a_stated_url_follow_the_majority(stated: dict[str, str], style: URLStyle) -> None:
    assert style_of(stated) == style


@given(paths=st.lists(PATHS, min_size=1, max_size=5, unique=True), style=ANY_STYLE)
def test_the_style_of_a_site_is_recognized(paths: list[str], style: URLStyle) -> None:
    """As far as the pages show it."""
    stated = {path: write_url(path, BASE, style) for path in paths}
    found = style_of(stated)
    assert {path: write_url(path, BASE, found) for path in paths} == stated


def test_a_stated_url_counts_only_if_it_leads_to_the_file_itself() -> None:
    named = [
        ("", f"{BASE}a/"),
        ("", f"{BASE}gone"),
        ("c.html", f"{BASE}c#top"),
        ("b/index.html", f"{BASE}c"),
        ("a.html", "https://y.example/a"),
    ]
    assert [*stated_urls(BASE, named, FILES)] == [("a/index.html", f"{BASE}a/"), ("c.html", f"{BASE}c")]


X = "https://x.org/"
# The URL of a folder with these files, derived from the URLs in its sitemap.
BASES = {
    "a home page": (["index.html"], [X], X),
    "a long path": (["a.html"], [f"{X}project/fr/latest/a.html"], f"{X}project/fr/latest/"),
    "a path that occurs again below": (
        ["index.html", "fr/index.html", "fr/a.html"],
        [f"{X}fr/", f"{X}fr/fr/", f"{X}fr/fr/a.html"],
        f"{X}fr/",
    ),
    "the shortest, if several are right": (["index.html", "fr/index.html"], [f"{X}fr/"], X),
    "most are gone": (["a.html"], [f"{X}fr/gone/1/", f"{X}fr/gone/2/", f"{X}fr/a.html"], f"{X}fr/"),
    "a query": (["a.html"], [f"{X}a.html?b/c#d/e"], X),
    "encoded above": (["a.html"], [f"{X}%C3%A9/a.html"], f"{X}%C3%A9/"),
    "no file exists": (["a.html"], [f"{X}b.html"], None),
    "no file exists except the folder's own": (["index.html"], [f"{X}gone/", f"{X}lost/", f"{X}b.html"], None),
    "an impossible URL": (["a.html"], ["https://[x/a.html"], None),
    "an impossible port": (["a.html"], ["https://x.org:65536/a.html"], None),
    "a home page without its slash": (["index.html", "a/index.html"], ["https://x.org", f"{X}a/"], X),
    "an impossible URL first": (["a.html"], ["https://[x/a.html", f"{X}a.html"], X),
    "another host first": (["a.html", "c.html"], ["https://y.org/b.html", f"{X}a.html", f"{X}c.html"], X),
    "a folder without its slash first": (["index.html", "a/index.html"], [f"{X}fr", f"{X}fr/a"], f"{X}fr/"),
}


@pytest.mark.parametrize(("files", "locs", "base_url"), BASES.values(), ids=BASES)
def test_the_url_of_a_folder(files: list[str], locs: list[str], base_url: str | None) -> None:
    assert infer_base_url(locs, files.__contains__) == base_url
