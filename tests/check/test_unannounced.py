"""Sitemaps that nothing announces: those of versions, which people submit to search engines, and others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.formats.sitemap_xml import NAMESPACE
from tests.check import sites

BASE = "https://docs.example.org/"


def urlset(*urls: str) -> str:
    return f'<urlset xmlns="{NAMESPACE}">\n' + "".join(f"<url><loc>{url}</loc></url>\n" for url in urls) + "</urlset>"


def page(url: str) -> str:
    return f'<!doctype html><html lang="en"><head><title>t</title><link rel="canonical" href="{url}"></head></html>'


def find(folder: Path, files: dict[str, str]) -> list[Finding]:
    """The errors and warnings about a site with a home page, two versions and these files."""
    site = {"CNAME": "docs.example.org", "index.html": page(BASE)}
    for version in ("1.0", "2.0"):
        site[f"{version}/index.html"] = page(f"{BASE}2.0/")
        site[f"{version}/guide.html"] = page(f"{BASE}2.0/guide.html")
    return [each for each in find_all(folder, {**site, **files}) if each.level != "info"]


def find_all(folder: Path, files: Mapping[str, str]) -> tuple[Finding, ...]:
    """All findings about a site with these files, and those that are there already."""
    return sites.find(folder, {path: content.encode() for path, content in files.items()}, with_project=False)


@pytest.mark.parametrize(
    ("path", "more", "rule"),
    [
        ("blog/sitemap.xml", {}, "sitemap-elsewhere"),
        ("blog/sitemap.xml", {"blog/a.html": ""}, "missing-sitemap"),
        ("blog/sitemap.xml", {"sitemap.xml": urlset(BASE)}, "missing-sitemap"),
        ("sitemap-blog.xml", {}, "missing-sitemap"),
    ],
)
def test_a_sitemap_in_a_folder_that_is_not_here_may_be_that_of_another_site(
    path: str, more: dict[str, str], rule: str, tmp_path: Path
) -> None:
    files = {"robots.txt": f"Sitemap: {BASE}sitemap_index.xml\nSitemap: {BASE}{path}\n", "index.html": page(BASE)}
    found = find_all(tmp_path, {**files, "sitemap_index.xml": urlset(BASE), **more})
    assert rule in {each.rule for each in found}
    assert len({"sitemap-elsewhere", "missing-sitemap"} & {each.rule for each in found}) == 1


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("http://localhost:4000/sitemap.xml", [("preview-host", "Sitemap: http://localhost:4000/sitemap.xml", "")]),
        (
            f"{BASE}sitemap.xml, {BASE}b.xml",
            [("relative-sitemap", "2 URLs", f"Sitemap: {BASE}{name}.xml") for name in ("sitemap", "b")],
        ),
        (f"{BASE}sitemap.xml # {BASE}b.xml", []),
    ],
)
def test_a_line_of_robots_txt_that_search_engines_cannot_use(
    value: str, found: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    files = {"robots.txt": f"Sitemap: {value}\n", "sitemap.xml": urlset(BASE), "b.xml": urlset(f"{BASE}1.0/")}
    hits = [hit for finding in find(tmp_path, files) for hit in finding.hits if hit.file == "robots.txt"]
    assert [(hit.rule, hit.found, hit.expected) for hit in hits] == found


def test_their_urls_without_files_have_one_cause(tmp_path: Path) -> None:
    # The site_url of each version was that of another folder.
    sitemaps = {
        f"{version}/sitemap.xml": urlset(f"{BASE}latest/{version}/", f"{BASE}{version}/guide.html")
        for version in ("1.0", "2.0")
    }
    sitemaps["examples/sitemap.xml"] = urlset(f"{BASE}examples/gone/")
    [finding] = find(tmp_path, sitemaps)
    assert (finding.rule, finding.cause) == ("listed-unwritten", "latest/")
    assert [(hit.place, hit.url) for hit in finding.hits] == [
        ("1.0/sitemap.xml:2", f"{BASE}latest/1.0/"),
        ("2.0/sitemap.xml:2", f"{BASE}latest/2.0/"),
    ]


def test_they_may_list_redirects_and_other_versions(tmp_path: Path) -> None:
    stub = '<!doctype html><meta http-equiv="refresh" content="0; url=2.0/">'
    assert find(tmp_path, {"old.html": stub, "1.0/sitemap.xml": urlset(f"{BASE}old.html", f"{BASE}2.0/")}) == []


@pytest.mark.parametrize("other", ["2.0", "latest"])
def test_they_may_list_their_pages_below_an_alias_that_has_moved_on(tmp_path: Path, other: str) -> None:
    files = {
        "versions.json": '[{"version": "2.0", "title": "2.0", "aliases": ["latest"]}, {"version": "1.0", "title": "1.0"}]',
        "latest/index.html": page(f"{BASE}2.0/"),
        "latest/guide.html": page(f"{BASE}2.0/guide.html"),
        "1.0/faq.html": page(f"{BASE}1.0/faq.html"),
        "1.0/sitemap.xml": urlset(f"{BASE}{other}/faq.html", f"{BASE}{other}/gone.html"),
    }
    [finding] = find(tmp_path, files)
    assert [(hit.rule, hit.url) for hit in finding.hits] == [("listed-unwritten", f"{BASE}{other}/gone.html")]


def test_those_of_versions_list_no_other_host(tmp_path: Path) -> None:
    elsewhere = urlset("https://old.example.net/1.0/", "https://old.example.net/1.0/guide.html")
    moved = {"1.0/guide.html": page("https://old.example.net/1.0/guide.html")}
    [finding] = find(tmp_path, {**moved, "1.0/sitemap.xml": elsewhere, "examples/sitemap.xml": elsewhere})
    assert (finding.rule, finding.cause) == ("listed-outside", "old.example.net")
    assert [hit.place for hit in finding.hits] == ["1.0/sitemap.xml:2", "1.0/sitemap.xml:3"]


@pytest.mark.parametrize("folder", ["", "1.0/"])
def test_a_missing_slash_after_the_host_is_one_cause(tmp_path: Path, folder: str) -> None:
    urls = [f"https://docs.example.org{folder}guide.html", "https://docs.example.orgy/guide.html"]
    findings = find(tmp_path, {"guide.html": page(BASE), "1.0/sitemap.xml": urlset(*urls)})
    assert [(each.rule, each.cause, each.hits[0].expected) for each in findings] == [
        ("listed-outside", "docs.example.orgy", ""),
        ("listed-outside", "no slash after docs.example.org", f"{BASE}{folder}guide.html"),
    ]


def test_dead_urls_in_the_sitemap_of_a_language_are_information(tmp_path: Path) -> None:
    german = '<!doctype html><html lang="de"><title>t</title>'
    files = {
        "de/index.html": german,
        "de/old.html": f'{german}<meta http-equiv="refresh" content="0; url=/de/">',
        "de/sitemap.xml": urlset(f"{BASE}de/", f"{BASE}de/gone/", f"{BASE}de/old.html", f"{BASE}de/moved/"),
        "io/sitemap.xml": urlset(f"{BASE}io/gone/"),
        "_redirects": "/de/moved/ /de/ 301\n",
        "versions.json": '[{"version": "1.0", "title": "1.0", "aliases": []}]',
        "1.0/de/index.html": page(f"{BASE}2.0/").replace('"en"', '"de"'),
        "1.0/de/sitemap.xml": urlset(f"{BASE}de/old.html"),
        "sitemap.xml": urlset(BASE),
    }
    assert find(tmp_path, files) == []
    findings = find_all(tmp_path, {})
    assert [(hit.place, hit.text) for each in findings if each.rule == "unannounced-urls" for hit in each.hits] == [
        ("de/sitemap.xml:5", f"{BASE}de/moved/ (by _redirects, /de/moved/)"),
        ("de/sitemap.xml:3", f"{BASE}de/gone/ (there is no such page)"),
        ("de/sitemap.xml:4", f"{BASE}de/old.html (it redirects) -> {BASE}de/"),
    ]
    assert [hit.file for each in findings if each.rule == "unannounced" for hit in each.hits] == [
        "de/sitemap.xml",
        "io/sitemap.xml",
    ]


def index(*urls: str) -> str:
    return f'<sitemapindex xmlns="{NAMESPACE}">{"".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)}</sitemapindex>'


GERMAN = (f"{BASE}de/", f"{BASE}de/a.html")
IMAGE = urlset(*GERMAN).replace(
    "</loc>", f'</loc><i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><i:loc>{BASE}a.png</i:loc></i:image>', 1
)  # fmt: skip


@pytest.mark.parametrize(
    ("files", "unannounced"),
    [
        ({"de/sitemap.xml": urlset(*GERMAN)}, []),
        ({"de/sitemap.xml": urlset(f"{BASE}de/index.html", f"{BASE}de/a")}, []),  # other URLs of the same pages
        ({"de/sitemap.xml": urlset(*GERMAN, f"{BASE}de/old.html")}, []),  # a redirect, which a build leaves out
        ({"de/sitemap-0.xml": urlset(*GERMAN), "de/sitemap.xml": index(f"{BASE}de/sitemap-0.xml")}, []),
        ({"de/sitemap.xml": index(f"{BASE}sitemap.xml")}, []),
        ({"de/sitemap.xml": urlset(*GERMAN, f"{BASE}de/new.html")}, ["de/sitemap.xml"]),
        ({"de/sitemap.xml": urlset(*GERMAN, f"{BASE}de/gone.html")}, ["de/sitemap.xml"]),
        ({"de/sitemap.xml": urlset()}, ["de/sitemap.xml"]),
        ({"de/sitemap.xml": index(f"{BASE}de/sitemap-0.xml")}, ["de/sitemap.xml"]),
        ({"sitemap-pictures.xml": IMAGE}, ["sitemap-pictures.xml"]),
        (
            {"de/sitemap-0.xml": urlset(f"{BASE}de/new.html"), "de/sitemap.xml": index(f"{BASE}de/sitemap-0.xml")},
            ["de/sitemap-0.xml", "de/sitemap.xml"],
        ),
    ],
)
def test_one_whose_pages_are_all_in_announced_sitemaps(
    files: dict[str, str], unannounced: list[str], tmp_path: Path
) -> None:
    site = dict.fromkeys(("index.html", "a.html", "new.html"), '<!doctype html><html lang="de"><title>t</title>')
    site = {f"de/{name}": html for name, html in site.items()}
    site["de/old.html"] = '<!doctype html><meta http-equiv="refresh" content="0; url=/de/">'
    find(tmp_path, {**site, "sitemap.xml": urlset(BASE, *GERMAN), **files})
    findings = find_all(tmp_path, {})
    assert [hit.file for each in findings if each.rule == "unannounced" for hit in each.hits] == unannounced


def test_one_url_twice_in_them_is_found_as_in_others(tmp_path: Path) -> None:
    twice = urlset(f"{BASE}2.0/", f"{BASE}2.0/guide.html", f"{BASE}2.0/")
    [finding] = find(tmp_path, {"1.0/sitemap.xml": urlset(f"{BASE}2.0/"), "2.0/sitemap.xml": twice})
    assert (finding.rule, finding.cause) == ("listed-twice", "the sitemaps of versions")
    assert [(hit.line, hit.found) for hit in finding.hits] == [(4, "also in 2.0/sitemap.xml, line 2")]


def test_a_word_instead_of_the_urls_is_no_duplicate(tmp_path: Path) -> None:
    findings = find(tmp_path, {"1.0/sitemap.xml": urlset("None", "None")})
    assert [each.rule for each in findings] == ["invalid-url"]


def test_a_mistake_in_the_sitemap_of_each_version_has_one_cause(tmp_path: Path) -> None:
    [finding] = find(tmp_path, {f"{version}/sitemap.xml": urlset() for version in ("1.0", "2.0")})
    assert (finding.rule, [hit.file for hit in finding.hits]) == (
        "empty-sitemap",
        ["1.0/sitemap.xml", "2.0/sitemap.xml"],
    )


def test_all_urls_without_a_host_have_one_cause_wherever_they_are(tmp_path: Path) -> None:
    sitemaps = {"sitemap.xml": urlset("/"), "1.0/sitemap.xml": urlset("/1.0/"), "2.0/sitemap.xml": urlset("/2.0/")}
    [finding] = find(tmp_path, sitemaps)
    assert (finding.rule, finding.cause, len(finding.hits)) == ("invalid-url", "the site", 3)


def test_the_files_in_their_indexes_exist(tmp_path: Path) -> None:
    sitemaps = {"sitemap.xml": urlset(BASE), "1.0/sitemap.xml": urlset(f"{BASE}1.0/")}
    files = {**sitemaps, "sitemap_index.xml": index(f"{BASE}1.0/sitemap.xml", f"{BASE}0.9/sitemap.xml")}
    [finding] = find(tmp_path, files)
    assert (finding.rule, finding.cause) == ("missing-sitemap", "sitemap_index.xml")
    assert [(hit.place, hit.url) for hit in finding.hits] == [("sitemap_index.xml:1", f"{BASE}0.9/sitemap.xml")]
