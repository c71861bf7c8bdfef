"""Which folder is the site, and which URL its project declares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_plugins.folder.configuration import ConfigurationError, read_configuration
from sitemap_plugins.folder.site_finding import NamedURL, find_site, refuse_bad_cname, site_url_of
from sitemap_plugins.published.tree import Tree


def write(folder: Path, *names: str, **texts: str) -> None:
    """Write empty files, and files with the given text."""
    for name, text in {**dict.fromkeys(names, ""), **texts}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def find(folder: Path) -> str:
    return Path(find_site(read_configuration(str(folder)))).relative_to(folder).as_posix()


@pytest.mark.parametrize(
    "place",
    [
        "_build/html",
        "docs/_build/html",
        "build/html",
        "docs/build/html",
        "public",
        "dist",
        "build",
        "docs/.vitepress/dist",
        ".vitepress/dist",
        "site",
    ],
)
def test_the_folders_of_generators_are_known(place: str, tmp_path: Path) -> None:
    write(
        tmp_path, f"{place}/about.html", "public/robots.txt", "dist/package.whl", "build/lib/a/b.html", "dist/x.html/y"
    )
    assert find(tmp_path) == place


@pytest.mark.parametrize(
    ("file", "text", "place"),
    [
        ("mkdocs.yml", "", "site"),
        ("mkdocs.yml", "site_dir: out/html", "out/html"),
        ("zensical.toml", 'site_dir = "out"', "out"),
        ("zensical.toml", "", "site"),
    ],
)
def test_the_configuration_names_the_folder_of_the_site(file: str, text: str, place: str, tmp_path: Path) -> None:
    write(tmp_path, "public/index.html", f"{place}/index.html", **{file: text})
    assert find(tmp_path) == place


@pytest.mark.parametrize(
    ("file", "build"), [("mkdocs.yml", "mkdocs build or zensical build"), ("zensical.toml", "zensical build")]
)
def test_a_missing_site_must_be_built_first(file: str, build: str, tmp_path: Path) -> None:
    write(tmp_path, file, "public/index.html")
    with pytest.raises(ConfigurationError, match=f"^there is no folder site, .* {file}; run the build first: {build}$"):
        find(tmp_path)


@pytest.mark.parametrize("place", ["_site", "output", "build/site", "out"])
def test_other_folders_are_looked_for_where_no_known_one_exists(place: str, tmp_path: Path) -> None:
    write(tmp_path, f"{place}/index.html")
    assert find(tmp_path) == place
    write(tmp_path, "dist/index.html")
    assert find(tmp_path) == "dist"


@pytest.mark.parametrize(
    ("configuration", "generator", "expected"),
    [
        (".vitepress/config.mts", "", "dist"),
        (".vitepress/config.mts", "Hugo 1", "dist"),
        (".vitepress/config.mts", "VitePress v1.6.4", "public"),  # outDir
        ("astro.config.mjs", "", "dist"),
        ("hugo.toml", "", "public"),
    ],
)
def test_a_folder_that_the_generator_copies_is_no_site(
    configuration: str, generator: str, expected: str, tmp_path: Path
) -> None:
    write(tmp_path, configuration, **{"public/google123.html": f'<meta name="generator" content="{generator}">'})
    if expected == "dist":
        write(tmp_path, "dist/index.html")
    assert find(tmp_path) == expected


def test_the_folder_must_be_named_if_there_are_no_or_two_sites(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"no page directly in _build/html.* or out; give the folder as an argument$"
    ):
        find(tmp_path)
    write(tmp_path, "public/index.html", "dist/index.html")
    with pytest.raises(
        ConfigurationError, match=r"^public and dist each look like a site; give the folder as an argument$"
    ):
        find(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="Windows allows links only for administrators")
def test_a_link_to_the_site_is_not_another_site(tmp_path: Path) -> None:
    write(tmp_path, "build/html/index.html")
    (tmp_path / "public").symlink_to("build/html")
    assert find(tmp_path) == "build/html"


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("mkdocs.yml", "site_url: https://x.org/docs", ("https://x.org/docs", "site_url in mkdocs.yml")),
        ("zensical.toml", '[project]\nsite_url = "https://x.org"', ("https://x.org", "site_url in zensical.toml")),
        ("mkdocs.yml", "site_name: x", None),
        ("mkdocs.yml", "site_url: ''", None),
        ("mkdocs.yml", "site_url: /", None),
        ("hugo.toml", "baseURL = 'https://x.org/'", ("https://x.org/", "baseURL in hugo.toml")),
        ("hugo.yaml", "baseurl: https://x.org/", ("https://x.org/", "baseURL in hugo.yaml")),
        ("hugo.json", '{"baseURL": "https://x.org/"}', ("https://x.org/", "baseURL in hugo.json")),
        ("config.toml", "baseURL = 'https://x.org/'", ("https://x.org/", "baseURL in config.toml")),
        (
            "config/_default/hugo.yaml",
            "baseURL: https://x.org/",
            ("https://x.org/", "baseURL in config/_default/hugo.yaml"),
        ),
        ("config.toml", "it belongs to another tool", None),
        ("config.json", "[1]", None),
        ("hugo.toml", "baseURL = '/'", None),
        ("docusaurus.config.js", "module.exports = {url: 'https://x.org/'}", None),
    ],
)
def test_the_url_is_read_from_data_files(file: str, text: str, found: tuple[str, str] | None, tmp_path: Path) -> None:
    write(tmp_path, **{file: text})
    assert site_url_of(read_configuration(str(tmp_path))) == (NamedURL(*found, is_written=True) if found else None)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        (
            "mkdocs.yml",
            "site_url: 5",
            "site_url in mkdocs.yml must be a URL such as https://docs.example.org/, not a number",
        ),
        ("hugo.json", '{\n"a":}', "hugo.json, line 2: it is not JSON: Expecting value"),
        ("hugo.yaml", "a: b: c", "hugo.yaml, line 1: it cannot be read as YAML"),
    ],
)
def test_an_unusable_url_is_named(file: str, text: str, said: str, tmp_path: Path) -> None:
    write(tmp_path, **{file: text})
    with pytest.raises(ConfigurationError) as caught:
        site_url_of(read_configuration(str(tmp_path)))
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    "text", ["", "a.org\nb.org\n", "https://a.org/", "intranet", "a.org:80", "127.0.0.1", "user@a.org"]
)
def test_a_cname_without_a_valid_domain_is_refused(text: str, tmp_path: Path) -> None:
    write(tmp_path, CNAME=text)
    with pytest.raises(ConfigurationError, match=r"^CNAME: .*; write one line such as docs\.example\.org$"):
        refuse_bad_cname(Tree(tmp_path))


@pytest.mark.skipif(os.name == "nt", reason="Windows allows links only for administrators")
def test_a_cname_elsewhere_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "site/index.html", CNAME="docs.example.org")
    (tmp_path / "site/CNAME").symlink_to("../CNAME")
    with pytest.raises(ConfigurationError, match=r"^CNAME cannot be read: a link on its path leads out"):
        refuse_bad_cname(Tree(tmp_path / "site"))


def test_an_unreadable_cname_is_refused(tmp_path: Path) -> None:
    (tmp_path / "CNAME").write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match=r"^CNAME is not text in UTF-8"):
        refuse_bad_cname(Tree(tmp_path))
    (tmp_path / "CNAME").write_bytes(b" " * (5 << 20))
    with pytest.raises(ConfigurationError, match=r"^CNAME cannot be read: it is larger"):
        refuse_bad_cname(Tree(tmp_path))
