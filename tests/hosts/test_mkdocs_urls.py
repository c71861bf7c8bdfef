"""MkDocs: configuration → the exact list of ``loc``. The lists are fixed; no change may alter them by accident."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

BASE = "https://docs.example.org/"
OTHER = "https://other.example/"
PAGES = ("index.md", "guide/README.md", "guide/install.md", "é b.md")
DIRECTORIES = ["", "%C3%A9%20b/", "guide/", "guide/install/"]
FILES = ["%C3%A9%20b.html", "guide/index.html", "guide/install.html", "index.html"]
VERSION_HOOK = """\
def on_config(config):
    config.site_url = config.site_url.rstrip("/") + "/1.2"
"""


def below(base: str, paths: list[str]) -> list[str]:
    return [base + path for path in paths]


@pytest.mark.parametrize(
    ("config", "options", "environment", "expected"),
    [
        pytest.param({"site_url": BASE}, {}, {}, below(BASE, DIRECTORIES), id="with a slash"),
        pytest.param({"site_url": BASE[:-1]}, {}, {}, below(BASE, DIRECTORIES), id="without a slash"),
        pytest.param({"site_url": BASE + "a/b/"}, {}, {}, below(BASE + "a/b/", DIRECTORIES), id="below a path"),
        pytest.param({"site_url": "https://Docs.Example.ORG:443"}, {}, {}, below(BASE, DIRECTORIES), id="spelling of the host"),
        pytest.param(
            {"site_url": "http://bücher.example:8080/é x/"}, {}, {},
            below("http://xn--bcher-kva.example:8080/%C3%A9%20x/", DIRECTORIES), id="a base that needs encoding",
        ),
        pytest.param({"use_directory_urls": False}, {}, {}, below(BASE, FILES), id="no directory URLs"),
        pytest.param(
            {"site_url": BASE + "/a//"}, {"notes": {"base-url": "info"}}, {}, below(BASE + "a/", DIRECTORIES),
            id="empty folders",
        ),
        pytest.param(
            {"site_url": BASE + "/"}, {"base_url": OTHER + "/", "notes": {"base-url": "info"}}, {},
            below(OTHER, DIRECTORIES), id="empty folders in base_url",
        ),
        pytest.param(
            {"site_url": BASE},
            {"base_url": OTHER + "x", "notes": {"base-url": "info"}},
            {},
            below(OTHER + "x/", DIRECTORIES),
            id="base_url",
        ),
        pytest.param({"site_url": None}, {"base_url": OTHER}, {}, below(OTHER, DIRECTORIES), id="base_url alone"),
        pytest.param({"hooks": ["version.py"]}, {}, {}, below(BASE + "1.2/", DIRECTORIES), id="version, as mike adds it"),
        pytest.param(
            {"site_url": None}, {}, {"READTHEDOCS_CANONICAL_URL": BASE + "en/stable/"},
            below(BASE + "en/stable/", DIRECTORIES), id="Read the Docs",
        ),
    ],
)  # fmt: skip
def test_configuration_gives_exact_loc(
    mkdocs_site: Any,
    monkeypatch: pytest.MonkeyPatch,
    config: Mapping[str, object],
    options: Mapping[str, object],
    environment: Mapping[str, str],
    expected: list[str],
) -> None:
    """SM-LOC-08, SM-LOC-13."""
    mkdocs_site.pages(*PAGES)
    mkdocs_site.write("version.py", VERSION_HOOK)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    built = mkdocs_site.build_strictly(options, **config)
    assert built.has("sitemap.xml"), built.said("sitemap: ")
    assert built.locs == expected


def languages(*more: Mapping[str, object]) -> list[object]:
    """The plugin static-i18n with English as the default language."""
    default = {"locale": "en", "name": "English", "default": True}
    return [{"i18n": {"docs_structure": "folder", "languages": [default, *more]}}]


def test_cross_submit_lists_a_language_on_its_own_host_in_a_sitemap_here(
    mkdocs_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SM-XS-01."""
    mkdocs_site.pages("en/index.md", "fr/index.md")
    plugins = languages({"locale": "fr", "name": "Français", "site_url": "https://fr.example.org/"})
    options = {"cross_submit": ["https://fr.example.org"]}
    line = "https://fr.example.org/robots.txt needs the line: Sitemap: https://docs.example.org/fr/sitemap.xml;"
    built = mkdocs_site.build(options, plugins=plugins, strict=True)
    assert built.locs == ["https://docs.example.org/"]
    assert b"<loc>https://fr.example.org/fr/</loc>" in built.read("fr/sitemap.xml")
    assert len(built.said(line, level="info")) == 1
    assert "Sitemap: https://docs.example.org/fr/sitemap.xml" in built.read("robots.txt").decode().splitlines()
    monkeypatch.setenv("READTHEDOCS_VERSION_TYPE", "external")
    assert not mkdocs_site.build(options, plugins=plugins, strict=True).said("robots.txt needs")


def test_nested_builds_leave_no_sitemap_and_no_raw_template_behind(mkdocs_site: Any) -> None:
    mkdocs_site.pages("en/index.md", "fr/index.md")
    built = mkdocs_site.build(plugins=languages({"locale": "fr", "name": "Français"}))
    assert [path.name for path in sorted(built.output.rglob("sitemap*"))] == ["sitemap.xml", "sitemap.xml.gz"]
    assert built.unzip() == built.read()
    raw = [
        path
        for path in built.output.rglob("*")
        if path.suffix in {".html", ".xml", ".txt"} and "{%" in path.read_text()
    ]
    assert raw == []


def test_two_pages_with_one_url_are_named_and_the_first_is_listed(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "foo.md", "foo/index.md")
    built = mkdocs_site.build()
    assert built.paths == ["", "foo/"]
    (warning,) = built.warnings
    assert "foo.md" in warning
    assert "foo/index.md" in warning
    assert "https://docs.example.org/foo/" in warning
    assert mkdocs_site.build(strict=True).failed


def test_a_home_page_that_is_left_out_is_one_line(mkdocs_site: Any) -> None:
    mkdocs_site.pages("a.md", index="---\nsitemap: false\n---\n# Home\n")
    built = mkdocs_site.build_strictly()
    assert built.paths == ["a/"]
    assert len(built.said("home page https://docs.example.org/", "index.md is left out: excluded", level="info")) == 1


MOVED = """\
def {event}:
    if page.file.src_uri == "v1/a.md":
        page.file.url, page.file.dest_uri = "new/", "new/index.html"
        page.file.abs_dest_path = config.site_dir + "/new/index.html"
        page._set_canonical_url(config.site_url)
"""
SET = """\
def {event}:
    if page.file.src_uri == "v1/a.md":
        page.canonical_url = {url!r}
"""
ON_MARKDOWN, ON_CONTEXT = (
    "on_page_markdown(markdown, page, config, files)",
    "on_page_context(context, page, config, nav)",
)


@pytest.mark.parametrize(
    ("hook", "listed", "reason"),
    [
        (SET.format(event=ON_MARKDOWN, url=f"{BASE}v2/a/"), ["", "v2/a/"], f"{BASE}v2/a/"),
        (SET.format(event="on_post_page(output, page, config)", url=f"{BASE}v2/a/"), ["", "v1/a/", "v2/a/"], None),
        (SET.format(event=ON_CONTEXT, url=f"{OTHER}a/"), ["", "v2/a/"], f"{OTHER}a/"),
        (SET.format(event=ON_CONTEXT, url=None), ["", "v1/a/", "v2/a/"], None),
        (MOVED.format(event=ON_MARKDOWN), ["", "new/", "v2/a/"], None),
        (MOVED.format(event="on_pre_page(page, config, files)"), ["", "new/", "v2/a/"], None),
    ],
    ids=["another page", "another page, too late for the link", "another host", "no link", "moved", "moved early"],
)
def test_what_a_hook_does_with_the_url_of_a_page(
    mkdocs_site: Any, repository: Any, hook: str, listed: list[str], reason: str | None
) -> None:
    """CAN-02: ``canonical_url`` is where the link of the page leads; only a file that is moved has another URL."""
    mkdocs_site = mkdocs_site.at(repository.path)
    mkdocs_site.write("a_hook.py", hook)
    mkdocs_site.pages("index.md", "v1/a.md")
    repository.commit(when="2020-01-01T00:00:00Z")
    mkdocs_site.pages("v2/a.md")
    repository.commit(when="2021-01-01T00:00:00Z")
    built = mkdocs_site.build_strictly(hooks=["a_hook.py"])
    assert built.paths == listed
    assert built.days["v2/a/"] == "2021-01-01"
    left_out = built.said("left out v1/a.md", level="debug")
    assert left_out == ([f"sitemap: left out v1/a.md: canonical elsewhere ({reason})"] if reason else [])
