"""MkDocs: which files are written or left alone, and what the log says about each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

OWN = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset><!-- my own --></urlset>\n'
MARK = b"written by sitemap-plugins"
BLOCK = b"# begin of sitemap-plugins\nSitemap: https://docs.example.org/sitemap.xml\n# end of sitemap-plugins\n"


def test_the_hosts_own_files_are_both_replaced(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build()
    assert MARK in built.read()
    assert built.unzip() == built.read()
    assert b"changefreq" not in built.read()
    assert built.said("sitemap: sitemap.xml: 1 URL, 0 with a date", level="info")


def test_without_gzip_the_host_s_compressed_file_is_removed(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build({"gzip": False})
    assert MARK in built.read()
    assert not built.has("sitemap.xml.gz")


def test_another_filename_leaves_the_hosts_own_sitemap_alone(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build({"filename": "pages.xml"})
    assert MARK in built.read("pages.xml")
    assert built.unzip("pages.xml.gz") == built.read("pages.xml")
    assert MARK not in built.read("sitemap.xml")
    assert b"Sitemap: https://docs.example.org/pages.xml\n" in built.read("robots.txt")


def test_with_every_page_left_out_the_host_s_own_sitemap_is_kept_for_the_theme(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build_strictly({"exclude": ["*"]})
    assert MARK not in built.read()
    assert built.unzip() == built.read()
    assert not built.has("robots.txt")
    assert built.said("every page is left out, so no sitemap was written; left out: 1 excluded", level="info")


NO_URL = (
    "the site has no URL: set site_url in mkdocs.yml to the URL at which it will be published; MkDocs' own sitemap.xml, "
    "which is published instead, is empty"
)
LOCAL = "site_url in mkdocs.yml 'http://localhost/' is a local address, which readers cannot open"


@pytest.mark.parametrize(("site_url", "why"), [(None, NO_URL), ("", NO_URL), ("http://localhost/", LOCAL)])
def test_without_a_site_url_the_host_s_files_are_unchanged(mkdocs_site: Any, site_url: str | None, why: str) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build_strictly(site_url=site_url)
    assert built.locs == ([site_url] if site_url else [])
    assert MARK not in built.read()
    assert not built.has("robots.txt")
    assert built.said("sitemap:") == [f"sitemap: no sitemap was written, because {why}"]


@pytest.mark.parametrize(
    ("place", "config", "options", "file"),
    [
        ("docs/sitemap.xml", {}, {}, "sitemap.xml"),
        ("docs/pages.xml", {}, {"filename": "pages.xml"}, "pages.xml"),
        ("overrides/sitemap.xml", {"theme": {"name": "mkdocs", "custom_dir": "overrides"}}, {}, "sitemap.xml"),
        ("docs/sitemap.xml", {"extra_templates": ["sitemap.xml"]}, {}, "sitemap.xml"),
    ],
)
def test_the_author_s_own_sitemap_is_left_alone(
    mkdocs_site: Any, place: str, config: Mapping[str, object], options: Mapping[str, object], file: str
) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.write(place, OWN)
    built = mkdocs_site.build_strictly(options, **config)
    assert built.read(file).decode().strip() == OWN.strip()
    assert not built.has(f"{file}.gz") or built.unzip(f"{file}.gz") == built.read(file)
    assert built.said(f"{place} is your own file, so it was left alone", level="info")
    assert not built.has("robots.txt")


@pytest.mark.parametrize(
    ("name", "config"),
    [
        pytest.param("docs/sitemap.xml", {"exclude_docs": "sitemap.xml"}, id="excluded, so not published"),
        pytest.param("docs/guide/sitemap.xml", {}, id="in another folder"),
        pytest.param("sitemap.xml", {}, id="beside the documents"),
    ],
)
def test_a_file_that_is_not_published_as_the_sitemap_does_not_count(
    mkdocs_site: Any, name: str, config: Mapping[str, object]
) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.write(name, OWN)
    built = mkdocs_site.build(strict=True, **config)
    assert MARK in built.read()


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        (None, BLOCK),
        (b"User-agent: *\r\nAllow: /", b"User-agent: *\r\nAllow: /\r\n\r\n" + BLOCK.replace(b"\n", b"\r\n")),
        (b"# caf\xe9\n", b"# caf\xe9\n"),
    ],
)
def test_robots_txt_keeps_every_byte_of_the_author_s(mkdocs_site: Any, authors: bytes | None, expected: bytes) -> None:
    mkdocs_site.pages("index.md")
    if authors is not None:
        mkdocs_site.write("docs/robots.txt", authors)
    built = mkdocs_site.build()
    assert built.read("robots.txt") == expected
    assert bool(built.warnings) == (b"\xe9" in expected)


def test_a_folder_of_the_documents_in_the_way_is_a_warning(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.write("docs/pages.xml/picture.svg", "<svg/>")
    built = mkdocs_site.build({"filename": "pages.xml"})
    assert built.warnings == ["sitemap: pages.xml could not be written: there is a folder with that name"]


def test_dates_come_from_git_to_the_second_and_in_utc(mkdocs_site: Any, repository: Any) -> None:
    site = mkdocs_site.at(repository.path)
    site.pages("index.md", "é b.md", "changed.md")
    repository.commit("2026-01-02T03:04:05+02:00")
    site.pages("draft.md", changed="# Changed\n")
    repository.git("add", "docs/changed.md")
    repository.git("commit", "--quiet", "--message", "later", when="2026-02-03T00:00:00+00:00")
    built = site.build(strict=True)
    assert built.read().decode().splitlines()[3:-1] == [
        "<url><loc>https://docs.example.org/</loc><lastmod>2026-01-02T01:04:05Z</lastmod></url>",
        "<url><loc>https://docs.example.org/%C3%A9%20b/</loc><lastmod>2026-01-02T01:04:05Z</lastmod></url>",
        "<url><loc>https://docs.example.org/changed/</loc><lastmod>2026-02-03T00:00:00Z</lastmod></url>",
        "<url><loc>https://docs.example.org/draft/</loc></url>",
    ]
    assert not built.said("no date from git")


EDIT = """\
import mkdocs_gen_files

with mkdocs_gen_files.open("a.md", "a+") as file:
    file.seek(0)
    text = file.read()
with mkdocs_gen_files.open("a.md", {mode!r}) as file:
    file.write({written})
"""
IN_MEMORY = """\
from mkdocs.structure.files import File


def on_files(files, config):
    before = files.get_file_from_path("a.md")
    files.remove(before)
    files.append(File.generated(config, "a.md", content="Above.\\n\\n" + before.content_string))
"""


@pytest.mark.parametrize(
    ("committed", "script", "has_date"),
    [
        ("# A\n", EDIT.format(mode="a", written="'More.'"), True),
        ("# A\n", EDIT.format(mode="w", written="'# Above\\n' + text"), True),
        ("# A\n", IN_MEMORY, True),
        ("# A\n", EDIT.format(mode="w", written="'# B'"), False),
        ("\n", EDIT.format(mode="w", written="'# B'"), False),
        (None, EDIT.format(mode="w", written="'# B'"), False),
    ],
    ids=["appended", "inserted", "in memory", "replaced", "empty before", "new"],
)
def test_a_page_that_a_plugin_generates_has_a_date_only_if_it_has_the_text_of_a_document(
    mkdocs_site: Any, repository: Any, committed: str | None, script: str, has_date: bool
) -> None:
    site = mkdocs_site.at(repository.path)
    site.pages("index.md", **({} if committed is None else {"a": committed}))
    repository.commit("2026-01-02T00:00:00+00:00")
    site.write("script.py", script)
    config = (
        {"hooks": ["script.py"]} if script == IN_MEMORY else {"plugins": [{"gen-files": {"scripts": ["script.py"]}}]}
    )
    built = site.build_strictly({"lastmod": ["git", "mtime"]}, **config)
    assert built.days["a/"] == ("2026-01-02" if has_date else "")
    assert ("a/" in site.build_strictly({"generated_pages": False}, **config).paths) == has_date


def test_documents_in_a_submodule_that_was_not_initialized(mkdocs_site: Any, repository: Any, tmp_path: Path) -> None:
    documents = type(repository)(tmp_path / "documents")
    documents.write("index.md", "# Home\n")
    documents.commit("2026-01-02T00:00:00+00:00")
    local = ("-c", "protocol.file.allow=always")
    repository.git(*local, "submodule", "--quiet", "add", str(documents.path), "docs")
    repository.commit("2026-01-03T00:00:00+00:00")
    clone = repository.path.with_name("clone")
    repository.git("clone", "--quiet", str(repository.path), str(clone))
    site = mkdocs_site.at(clone)
    (line,) = site.build_strictly().said("sitemap: ")
    assert line == (
        "sitemap: docs is a git submodule that was not initialized, so the site has no page: run git submodule update "
        "--init before the build"
    )
    repository.git("-C", str(clone), *local, "submodule", "--quiet", "update", "--init")
    assert site.build_strictly().days == {"": "2026-01-02"}
    (clone / "docs/index.md").unlink()
    assert site.build_strictly().said("every page is left out")  # for another reason
