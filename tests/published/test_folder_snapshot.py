"""Which pages of a built folder count, what redirects there, and what is read from its pages."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.published.folder_snapshot import snapshot_of_folder
from sitemap_plugins.published.snapshot import Redirect, Snapshot
from sitemap_plugins.published.tree import Tree

BASE = "https://example.org/base/"
STUB = '<!doctype html><title>Redirecting</title><meta http-equiv="refresh" content="0; url={}">'
SCRIPT = '<!doctype html><link rel="canonical" href="{0}"><script>location.replace("{0}")</script>'


def page(title: str = "", body: str = "") -> str:
    return f"<!doctype html><title>{title}</title><main>{body}</main>"


def sitemap(path: str) -> str:
    loc = BASE + path.removesuffix("index.html")
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{loc}</loc></url></urlset>'


def read(folder: Path, files: Mapping[str, str], *, base: str = BASE, **known: Any) -> Snapshot:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return snapshot_of_folder(Tree(folder), base, name="site", **known)


def test_pages_others_and_redirects_have_their_paths(tmp_path: Path) -> None:
    files = {
        "index.html": page(),
        "guide/index.html": page(),
        "faq.html": page(),
        ".github/conduct.html": page(),
        "404.html": page(),
        "part.html": "<p>only a part",
        "search.html": page(),
        "draft.html": page(),
        "hidden/index.html": page(),
        "old/index.html": STUB.format("../guide/#part"),
        "script.html": SCRIPT.format("faq.html"),
        "manual.pdf": "",
    }
    reasons = {
        "404.html": "error-page",
        "part.html": "fragment",
        "search.html": "search-page",
        "draft.html": "draft",
        "hidden/index.html": "noindex",
        "old/index.html": "redirect",
    }
    found = read(tmp_path, files, reasons=reasons, urls={"faq.html": f"{BASE}faq"}, sources={"faq.html": "/x/faq.md"})
    assert {path: (each.file, each.is_listed) for path, each in found.pages.items()} == {
        "": ("index.html", True),
        "guide/": ("guide/index.html", True),
        "faq": ("faq.html", True),
        ".github/conduct.html": (".github/conduct.html", True),
        "hidden/": ("hidden/index.html", False),
    }
    assert found.redirects == {
        "old/": Redirect(path="old/", target="guide/#part", by="old/index.html"),
        "script.html": Redirect(path="script.html", target="faq.html", by="script.html"),
    }
    assert found.files == files.keys() - {"old/index.html", "script.html"}
    assert found.base_url == BASE
    assert found.unknown == {"documents"}


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("genindex.html", False),
        ("py-modindex/index.html", False),
        ("_modules/a/b.html", False),
        ("_static/example.html", False),
        ("sg_execution_times.html", False),
        ("blog/2025/news/index.html", True),
        ("reference/genindex_tool/index.html", True),
        ("page/setup/index.html", True),
    ],
)
def test_what_tools_generate_beside_the_pages_does_not_count(path: str, tmp_path: Path, *, is_page: bool) -> None:
    assert bool(read(tmp_path, {path: page()}).pages) == is_page
    assert read(tmp_path, {path: page()}, sources={path: "/x/y.md"}).pages
    assert bool(read(tmp_path, {path: page(), "sitemap.xml": sitemap(path)}).pages) == is_page


@pytest.mark.parametrize("folder", ["blog/page/2/", "blog/archive/2025/", "1.9/blog/category/news/", "_tags/a/"])
def test_a_generated_list_counts_if_the_sitemap_has_it(folder: str, tmp_path: Path) -> None:
    files = {f"{folder}index.html": page()}
    assert not read(tmp_path, files).pages
    assert not read(tmp_path, {**files, "sitemap.xml": sitemap("blog/")}).pages
    (found,) = read(tmp_path, {**files, "sitemap.xml": sitemap(folder)}).pages.values()
    assert found.is_list
    (written,) = read(tmp_path, files, sources={f"{folder}index.html": "/x/y.md"}, repository="/x").pages.values()
    assert not written.is_list


def test_all_files_of_redirects_are_read(tmp_path: Path) -> None:
    files = {
        "page/index.html": page(),
        "taken/index.html": page(),
        "kept/index.html": page(),
        "_redirects": "/base/one /base/page/ 301\n/base/taken/ /base/page/\n/base/kept/ /base/page/\n"
        "/base/many/* /base/page/\n/other /base/page/\n",
        "vercel.json": json.dumps({"redirects": [{"source": "/base/two", "destination": "/base/page/"}]}),
        "redirect.json": json.dumps({"page/#old": "page/#new"}),
    }
    found = read(tmp_path, files, reasons={"taken/index.html": "redirect"})
    assert {path: (each.target, each.by) for path, each in found.redirects.items()} == {
        "one": ("page/", "_redirects"),
        "taken/": ("page/", "_redirects"),
        "kept/": ("page/", "_redirects"),  # not reached
        "two": ("page/", "vercel.json"),
        "page/#old": ("page/#new", "redirect.json"),
    }
    assert {*found.pages} == {"page/", "kept/"}
    assert not found.serves("taken/")
    assert found.redirect_from("many/a/") == Redirect(path="many/a/", target="page/", by="_redirects")
    assert not found.problems


def test_files_that_cannot_be_used_are_problems(tmp_path: Path) -> None:
    files = {"vercel.json": "[", "redirect.json": "[]", "index.html": page()}
    assert read(tmp_path, files).problems == (
        "vercel.json was not read: it is not valid JSON",
        "redirect.json was not read: it is not a table of redirects as Zensical writes it",
    )


@pytest.mark.skipif(os.name == "nt", reason="links need a permission on Windows")
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"a": "b"}', encoding="ascii")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "redirect.json").symlink_to("../secret.json")
    found = read(tmp_path / "site", {"index.html": page()})
    assert not found.redirects
    assert [problem.partition(":")[0] for problem in found.problems] == ["redirect.json was not read"]


def test_a_hidden_configuration_makes_redirects_unknown(tmp_path: Path) -> None:
    assert read(tmp_path, {"index.html": page(), ".htaccess": "Redirect /a /b"}).unknown == {"redirects", "documents"}


def test_documents_come_from_sources(tmp_path: Path) -> None:
    top = tmp_path / "repository"
    sources = {"a/index.html": str(top / "docs" / "a.md"), "c/index.html": str(tmp_path / "elsewhere" / "c.md")}
    files = {f"{name}/index.html": page() for name in "ac"}
    found = read(tmp_path / "site", files, sources=sources, repository=str(top))
    assert {path: each.document for path, each in found.pages.items()} == {"a/": "docs/a.md", "c/": None}
    assert not found.unknown


def test_titles_come_without_the_name_of_the_site(tmp_path: Path) -> None:
    files = {f"{name}.html": page(f"{name} &amp; more - Site — Docs") for name in "abcd"}
    found = read(tmp_path, files | {"index.html": page("Site — Docs"), "e.html": page("")})
    assert {each.title for each in found.pages.values()} == {
        "a & more - Site", "b & more - Site", "c & more - Site", "d & more - Site", "Site", ""
    }  # fmt: skip


@pytest.mark.parametrize(
    ("named", "others", "title"), [(3, 2, "p - part"), (3, 3, "p - part - Docs"), (2, 0, "p - part - Docs")]
)
def test_the_name_of_the_site_is_in_most_titles(tmp_path: Path, named: int, others: int, title: str) -> None:
    files = {
        f"{number}.html": page("p - part - Docs" if number < named else f"q - {number}")
        for number in range(named + others)
    }
    assert read(tmp_path, files).pages["0.html"].title == title


def test_a_site_without_a_name_leaves_no_dash_behind_its_titles(tmp_path: Path) -> None:
    files = {f"{number}.html": page(f"p{number} - ") for number in range(3)}
    assert [each.title for each in read(tmp_path, files).pages.values()] == ["p0", "p1", "p2"]


@pytest.mark.skipif(os.name == "nt", reason="links need a permission on Windows")
def test_pages_behind_links_of_aliases_count(tmp_path: Path) -> None:
    (tmp_path / "2.0").mkdir()
    (tmp_path / "latest").symlink_to("2.0")
    (tmp_path / "other").symlink_to("2.0")
    files = {
        "2.0/index.html": page(),
        "2.0/guide/index.html": page(body="Text"),
        "2.0/old/index.html": STUB.format("../guide/"),
        "2.0/away/index.html": STUB.format("../../"),
    }
    folders = {"2.0": "version", "latest": "alias"}
    found = read(tmp_path, files, versions=folders)
    assert found.folders == folders
    assert [page.path for page in found.pages.values()] == ["2.0/", "2.0/guide/", "latest/", "latest/guide/"]
    assert {path: each.target for path, each in found.redirects.items()} == {
        "2.0/old/": "2.0/guide/",
        "2.0/away/": "",
        "latest/old/": "latest/guide/",
        "latest/away/": "",
    }
    assert [(path, each) for path, each in found.redirects.items() if path != each.path] == []
    assert found.read_content("latest/guide/")
    assert found.read_content("latest/guide/") == found.read_content("2.0/guide/")
    assert found.serves("latest/guide/")
    assert not found.serves("latest/old/")


def test_contents_are_read_on_demand(tmp_path: Path) -> None:
    files = {"a.html": page(body='<h1 id="x">A</h1>'), "b.html": page(body='<h1 id="x">A </h1>')}
    found = read(tmp_path, files)
    first, second = found.read_content("a.html"), found.read_content("b.html")
    assert first
    assert first == second
    assert first.words == {"a"}
    assert found.read_file("a.html") == files["a.html"].encode()
    (tmp_path / "b.html").write_bytes(b"<!doctype html><main>caf\xe9 a</main>")
    assert (content := found.read_content("b.html"))
    assert content.words == {"a", "caf"}
    (tmp_path / "a.html").unlink()
    assert found.read_content("a.html") is found.read_file("a.html") is found.read_content("missing") is None


def test_without_a_url_the_paths_are_those_of_files(tmp_path: Path) -> None:
    found = read(tmp_path, {"a/index.html": page(), "b.html": STUB.format("a/")}, base="http://localhost/")
    assert found.base_url is None
    assert [*found.pages] == ["a/"]
    assert found.redirects["b.html"].target == "a/"
