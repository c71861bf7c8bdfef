"""Field lists of reStructuredText reach the sitemap exactly as written, with Sphinx's default settings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sitemap_plugins.formats.sitemap_reading import read_sitemap
from sitemap_plugins.media import Image, Video

BASE = "https://docs.example.org/"
TITLE = """It's the "first" tour -- and 'last'... -- of 3--4 --- all"""
VIDEO = {"thumbnail_loc": "a--b.png", "title": TITLE.replace('"', "'"), "description": "d", "content_loc": "t--1.mp4"}
LISTED = Video(
    thumbnail_loc=f"{BASE}a--b.png",
    title="It's the 'first' tour -- and 'last'... -- of 3--4 --- all",
    description="d",
    content_loc=f"{BASE}t--1.mp4",
)

FILES = [
    *("a.png", "a--b.png", "a---b.png", "a...b.png", "it's.png", "'a'.png", "'a'--b.png", "a_b.png"),
    *("\u201ca\u201d\u2013b.png", "b--c.png", "b---d.png", "c--d.png", "t--1.mp4"),
]


@pytest.fixture(autouse=True)
def files(sphinx_site: Any) -> None:
    """Publish the files that the pages name, since only published files are listed."""
    sphinx_site.pages("index.rst")
    sphinx_site.code = "html_extra_path = ['../files']"
    for name in FILES:
        sphinx_site.write(f"files/{name}", "")


def write(site: Any, fields: str, name: str = "a") -> None:
    site.write(f"docs/{name}.rst", f'{fields}\n\nPage -- "{name}"\n{"=" * 20}\n\nIt\'s "text" -- and so...\n')


def entries(built: Any) -> dict[str, Any]:
    assert not built.failed, built.warnings
    return {entry.loc.removeprefix(BASE): entry for entry in read_sitemap(built.read())}


def images(built: Any, page: str = "a.html") -> tuple[Image, ...]:
    return entries(built)[page].images


def test_the_json_of_videos_keeps_its_quotes_and_dashes(sphinx_site: Any) -> None:
    for name in "abcdefgh":  # with fewer documents Sphinx uses no workers
        write(sphinx_site, f":sitemap_videos: {json.dumps([VIDEO])}", name)
    found = entries(sphinx_site.build(parallel=2, strict=True))
    assert {name: found[f"{name}.html"].videos for name in "abcdefgh"} == dict.fromkeys("abcdefgh", (LISTED,))


def test_the_text_of_the_page_still_has_its_typography(sphinx_site: Any) -> None:
    write(sphinx_site, ":sitemap_images: a--b.png")
    page = sphinx_site.build(strict=True).read("a.html").decode()
    assert "It\u2019s \u201ctext\u201d \u2013 and so\u2026" in page


@pytest.mark.parametrize(
    ("written", "listed"),
    [
        ("a--b.png", "a--b.png"),
        ("a---b.png", "a---b.png"),
        ("a...b.png", "a...b.png"),
        ("it's.png", "it's.png"),
        ("'a'.png", "'a'.png"),
        ("a.png,\n   c--d.png", "a.png c--d.png"),
        (r"a\_b.png", "a_b.png"),
        ("\u201ca\u201d\u2013b.png", "%E2%80%9Ca%E2%80%9D%E2%80%93b.png"),
    ],
)
def test_urls_are_used_as_written(sphinx_site: Any, written: str, listed: str) -> None:
    write(sphinx_site, f":sitemap_images: {written}")
    assert images(sphinx_site.build(strict=True)) == tuple(Image(loc=BASE + each) for each in listed.split())


@pytest.mark.parametrize("config", [{"smartquotes": False}, *({"language": each} for each in ("de", "fr", "sv"))])
def test_the_sitemap_is_the_same_with_any_typography(sphinx_site: Any, config: dict[str, Any]) -> None:
    write(sphinx_site, f":sitemap_videos: {json.dumps([VIDEO])}\n:sitemap_images: 'a'--b.png")
    entry = entries(sphinx_site.build(strict=True, **config))["a.html"]
    assert (entry.images, entry.videos) == ((Image(loc=f"{BASE}'a'--b.png"),), (LISTED,))


def test_an_incremental_build_keeps_fields_and_reads_new_ones(sphinx_site: Any) -> None:
    write(sphinx_site, ":sitemap_images: a--b.png")
    write(sphinx_site, ":sitemap_images: b--c.png", "b")
    built = sphinx_site.build(strict=True)
    first = built.read()
    assert sphinx_site.build(strict=True).read() == first
    write(sphinx_site, ":sitemap_images: b---d.png", "b")
    again = sphinx_site.build(strict=True)
    assert images(again) == (Image(loc=f"{BASE}a--b.png"),)
    assert images(again, "b.html") == (Image(loc=f"{BASE}b---d.png"),)


def test_a_page_without_fields_has_none_of_the_previous_page(sphinx_site: Any) -> None:
    write(sphinx_site, ":sitemap_images: a--b.png")
    write(sphinx_site, ":orphan:", "b")
    built = sphinx_site.build(strict=True)
    assert images(built) == (Image(loc=f"{BASE}a--b.png"),)
    assert images(built, "b.html") == ()


def test_a_field_in_the_middle_of_a_page_is_ignored(sphinx_site: Any) -> None:
    sphinx_site.write("docs/a.rst", "A\n=\n\nText.\n\n:sitemap_images: a--b.png\n")
    assert images(sphinx_site.build(strict=True)) == ()


def test_a_field_list_after_the_title_is_reported(sphinx_site: Any) -> None:
    sphinx_site.write("docs/a.rst", ".. _label:\n\nA\n=\n\n.. comment\n\n:sitemap_priority: 0.3\n:author: B\n")
    built = sphinx_site.build()
    assert entries(built)["a.html"].priority is None
    (warning,) = built.warnings
    assert "a.rst: WARNING: sitemap: sitemap_priority: the field list must come first" in warning


@pytest.mark.parametrize("written", [r"../data/\*.csv", "../data/a--b.csv", "../data/a--b.csv, ../data/it's.csv"])
def test_names_of_files_in_depends_on_are_used_as_written(sphinx_site: Any, repository: Any, written: str) -> None:
    site = sphinx_site.at(repository.path)
    write(site, f":sitemap_depends_on: {written}")
    site.pages("index.rst")
    site.refer_to_all()
    repository.write(".gitignore", "conf.py\noutput\ndoctrees\n")
    repository.commit("2026-01-01T00:00:00+00:00")
    repository.write("data/it's.csv", "1")
    repository.commit("2026-01-02T00:00:00+00:00")
    repository.write("data/a--b.csv", "1")
    repository.commit("2026-01-03T00:00:00+00:00")
    built = site.build_strictly()
    assert built.days == {"a.html": "2026-01-03", "index.html": "2026-01-01"}


@pytest.mark.parametrize(
    "written", ["de: an--fang.html", '{"de": "an--fang.html"}', '{"de":\n   "an--fang.html"}', r"de: an\-\-fang.html"]
)
def test_pages_in_other_languages_are_used_as_written(sphinx_site: Any, written: str) -> None:
    write(sphinx_site, f":sitemap_alternates: {written}")
    languages = {"en": BASE, "de": "https://de.example.org/"}
    built = sphinx_site.build_strictly({"languages": languages}, language="en")
    assert built.alternates()["a.html"]["de"] == "https://de.example.org/an--fang.html"
