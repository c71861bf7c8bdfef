"""Where a folder is published: all commands agree, and what disagrees is reported at its own place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from tests.published_root import sitemap_of

X = "https://docs.example.org/"
OLD = "https://old.example.org/"
PREVIEW = "https://deploy-preview-7--x.netlify.app/"

Files = Mapping[str, str]


def page(canonical: str = "", body: str = "") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<!doctype html><html lang=en><head><title>A</title>{link}</head><body>{body}</body></html>"


def pages(base: str, folder: str = "") -> Files:
    """Three pages with canonical links below this URL, or with none."""
    names = ("index.html", "a.html", "b.html")
    urls = [base and base + name.removesuffix("index.html") for name in names]
    return {folder + name: page(url) for name, url in zip(names, urls, strict=True)}


def listed(base: str) -> Files:
    return {"sitemap.xml": sitemap_of({f"{base}{name}": {} for name in ("", "a.html", "b.html")})}


def robots(*urls: str) -> Files:
    return {"robots.txt": "".join(f"Sitemap: {url}\n" for url in urls)}


def write(folder: Path, files: Files) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return folder


def ask(*arguments: str | Path) -> Any:
    """What a command prints as JSON."""
    result = CliRunner().invoke(main, [*map(str, arguments), "--format", "json"])
    return json.loads(result.stdout)


def check(folder: Path, *options: str | Path) -> tuple[str | None, set[str]]:
    """The URL that ``check`` finds, and the rules of its errors and warnings."""
    report = ask("check", folder, *options)
    return report["base_url"], {each["rule"] for each in report["findings"] if each["level"] != "info"}


def built(folder: Path, *options: str | Path) -> str | None:
    """The URL that ``build`` writes for."""
    said = CliRunner().invoke(main, ["build", str(folder), "--dry-run", *map(str, options)]).output
    found = re.search("^URL: (.*?), from ", said, re.MULTILINE)
    return found[1] if found else None


RIGHT = {**pages(X), **listed(X)}
HELP = "".join(f'<a href="/help/{name}.html">{name}</a>' for name in "ab")

# The files, the URL, the rules of `check`, and the URL of `build` if it is another one.
ROWS: Mapping[str, tuple[Files, str | None, set[str], str | None]] = {
    "robots.txt names another host": ({**RIGHT, **robots(f"{OLD}sitemap.xml")}, X, {"announced-elsewhere"}, None),
    "with www": ({**RIGHT, **robots("https://www.docs.example.org/sitemap.xml")}, X, {"announced-elsewhere"}, None),
    "with http": ({**RIGHT, **robots("http://docs.example.org/sitemap.xml")}, X, {"announced-elsewhere"}, None),
    "an old host before the right line": (
        {**RIGHT, **robots(f"{OLD}sitemap.xml", f"{X}sitemap.xml")}, X, {"announced-elsewhere"}, None,
    ),
    "a preview": ({**RIGHT, **robots(f"{PREVIEW}sitemap.xml")}, X, {"preview-host"}, None),
    "an empty folder": ({**RIGHT, **robots(f"{X}/sitemap.xml")}, X, {"missing-sitemap"}, None),
    "no such file": ({**RIGHT, **robots(f"{X}docs/sitemap.xml")}, X, {"missing-sitemap"}, None),
    "another host beside a CNAME": (
        {**RIGHT, **robots(f"{OLD}sitemap.xml"), "CNAME": "docs.example.org"}, X, {"announced-elsewhere"}, None,
    ),
    "empty folders in all but the canonical links": (
        {**pages(X), **listed(f"{X}/"), **robots(f"{X}/sitemap.xml")}, X, {"missing-sitemap", "base-url"}, None,
    ),
    "a version with a copy of CNAME": (
        {**pages(f"{X}1.0/"), **listed(f"{X}1.0/"), "CNAME": "docs.example.org"}, f"{X}1.0/", set(), None,
    ),
    "versions of which only the newest has a sitemap": (
        {
            **pages("", "1.0/"), **pages("", "2.0/"),
            "2.0/sitemap.xml": sitemap_of({f"{X}2.0/{name}": {} for name in ("", "a.html", "b.html")}),
        },
        X, {"competing-versions"}, None,
    ),
    "a hostname without the base": (
        {"a.html": page(body=HELP), "b.html": page(), "sitemap.xml": sitemap_of({f"{X}a.html": {}, f"{X}b.html": {}})},
        f"{X}help/", {"base-url"}, None,
    ),
    "with an icon outside of the base": (
        {
            "a.html": page(body=f'<img src="/logo.svg">{HELP}'), "b.html": page(), "logo.svg": "",
            "sitemap.xml": sitemap_of({f"{X}a.html": {}, f"{X}b.html": {}}),
        },
        f"{X}help/", {"base-url"}, None,
    ),
    "the home page is half of that sitemap": (
        {"index.html": page(), "a.html": page(body=HELP), "b.html": page(), "sitemap.xml": sitemap_of({X: {}, f"{X}a.html": {}})},
        f"{X}help/", {"base-url"}, None,
    ),
    "a sitemap below a path": ({**pages(""), **listed(f"{X}x/")}, f"{X}x/", set(), None),
    # What was right stays.
    "CNAME against all pages": ({**RIGHT, "CNAME": "www.example.org"}, "https://www.example.org/", {"base-url"}, X),
    "CNAME without www": (
        {**pages("https://www.example.org/"), **listed("https://www.example.org/"), "CNAME": "example.org"},
        "https://example.org/", {"base-url"}, "https://www.example.org/",
    ),
    "pages with http alone": (
        {**pages("http://docs.example.org/"), **listed(X), **robots(f"{X}sitemap.xml")},
        X, {"base-url"}, "http://docs.example.org/",
    ),
    "the own host of a language": (
        {
            **RIGHT, "fr/index.html": page("https://fr.example.org/"),
            "fr/sitemap.xml": sitemap_of({"https://fr.example.org/": {}}),
            **robots(f"{X}sitemap.xml", "https://fr.example.org/sitemap.xml"),
        },
        X, set(), None,
    ),
    "a version whose pages lead to another one": (
        {**pages("https://x.readthedocs.io/en/stable/")}, "https://x.readthedocs.io/en/stable/", set(), None,
    ),
    "a preview on this machine": ({**pages("http://localhost:1313/"), **listed("http://localhost:1313/")}, None, {"preview-host"}, None),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_the_url_and_what_disagrees(name: str, tmp_path: Path) -> None:
    files, url, rules, of_build = ROWS[name]
    folder = write(tmp_path / "site", files)
    assert check(folder) == (url, rules)
    assert built(folder) == (of_build or url)


@pytest.mark.parametrize("name", ROWS)
def test_all_commands_find_the_same_url(name: str, tmp_path: Path) -> None:
    files, url, _, _ = ROWS[name]
    folder = write(tmp_path / "site", files)
    page = next(path for path in files if path.endswith("b.html"))
    assert ask("why", page, folder)["url"] == (url and url + page)
    report = ask("diff", folder, folder)
    assert [report["old"]["base_url"], report["new"]["base_url"]] == [url, url]


def test_old_pages_that_point_to_the_root_tell_its_url_to_builds_as_well(tmp_path: Path) -> None:
    there = "https://me.github.io/proj/"
    redirect = '<meta http-equiv="refresh" content="0; url=./v2/">'
    files = {**pages("", "v2/"), **pages("", "v1/"), "index.html": f"<!doctype html><head>{redirect}</head>"}
    files |= {"v1/index.html": page(there), "v1/a.html": page(f"{there}a.html")}
    folder = write(tmp_path, files)
    assert check(folder)[0] == built(folder) == there


def test_build_names_another_host_in_cname(tmp_path: Path) -> None:
    folder = write(tmp_path, {**pages(X), "CNAME": "www.example.org"})
    said = CliRunner().invoke(main, ["build", str(folder)]).output
    assert f"CNAME names the host www.example.org, but the sitemap and the canonical links have URLs below {X}" in said


def test_a_configuration_that_the_build_overrode_is_no_news(tmp_path: Path) -> None:
    """As in Hugo's workflow for GitHub (``hugo --baseURL …``)."""
    there = "https://me.github.io/proj/"
    write(tmp_path, {"hugo.toml": 'baseURL = "https://example.org/"\n'})
    folder = write(tmp_path / "public", {**pages(there), **listed(there)})
    assert check(folder, "--project", tmp_path) == check(folder) == (there, set())
    assert built(folder, "--project", tmp_path) == there


def test_the_configuration_decides_for_builds_of_pages_that_do_not(tmp_path: Path) -> None:
    write(tmp_path, {"hugo.toml": f'baseURL = "{OLD}"\n'})
    folder = write(tmp_path / "public", {**pages(""), **listed(X), **robots(f"{X}sitemap.xml")})
    assert check(folder, "--project", tmp_path) == (X, set())
    assert built(folder, "--project", tmp_path) == OLD


def test_cname_counts_more_than_the_configuration(tmp_path: Path) -> None:
    write(tmp_path, {"mkdocs.yml": f"site_url: {OLD}\nsite_dir: public\n"})
    folder = write(tmp_path / "public", {**pages(OLD), **listed(OLD), "CNAME": "docs.example.org"})
    assert check(folder, "--project", tmp_path) == check(folder) == (X, {"base-url"})
    assert built(folder, "--project", tmp_path) == OLD


def test_merge_finds_the_url_above_the_folders_of_a_layout(tmp_path: Path) -> None:
    files = {"CNAME": "docs.example.org\n"}
    for version in ("1.0", "2.0", "latest"):
        files |= pages(f"{X}docs/latest/", f"docs/{version}/")
        files |= {f"docs/{version}/sitemap.xml": listed(f"{X}docs/{version}/")["sitemap.xml"]}
    folder = write(tmp_path, files)
    arguments = ("merge", str(folder), "--layout", "docs/{version}", "--dry-run")
    found, given = (CliRunner().invoke(main, [*arguments, *more]) for more in ((), ("--base-url", X)))
    assert (found.exit_code, found.output) == (given.exit_code, given.output) == (0, given.output)
    assert f"{X}docs/latest/" in found.output
    assert check(folder)[0] == X


def test_merge_and_check_agree_about_versions(tmp_path: Path) -> None:
    files, url, _, _ = ROWS["versions of which only the newest has a sitemap"]
    folder = write(tmp_path, files)
    assert ask("merge", folder, "--dry-run")["root_url"] == url == check(folder)[0]
