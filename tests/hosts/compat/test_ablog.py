"""ablog: the dates of pages that show posts."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("ablog")

CONFIG = {
    "extensions": ["sitemap_plugins.sphinx", "ablog"],
    "blog_baseurl": "https://docs.example.org/",
    "blog_title": "Blog",
}
POST = ".. post:: {date}\n   :category: {category}\n   :author: Ann\n\nPost {name}\n=========\n\nText.\n"
POSTS = {"one": ("2020-01-01", "News"), "two": ("2021-02-02", "News"), "three": ("2021-01-01", "Other")}
DATED = {
    "blog.html": "2026-01-05",
    "blog/2020.html": "2026-01-05",
    "blog/2021.html": "2026-01-04",
    "blog/author/ann.html": "2026-01-05",
    "blog/category/news.html": "2026-01-05",
    "blog/category/other.html": "2026-01-04",
}
TITLES = ["blog/archive.html", "blog/author.html", "blog/category.html", "blog/drafts.html"]


@pytest.fixture
def site(sphinx_site: Any, repository: Any) -> Any:
    """One post for each day from 2 January 2026 on, and a later edit of the first one."""
    repository.write(".gitignore", "output\ndoctrees\n")
    site = sphinx_site.at(repository.path)
    site.pages("index.rst")
    repository.commit("2026-01-01T12:00:00+00:00")
    for day, (name, (date, category)) in enumerate(POSTS.items(), 2):
        site.write(f"docs/posts/{name}.rst", POST.format(date=date, category=category, name=name))
        repository.commit(f"2026-01-{day:02}T12:00:00+00:00")
    site.write("docs/posts/one.rst", POST.format(date="2020-01-01", category="News", name="one!"))
    repository.commit("2026-01-05T12:00:00+00:00")
    return site


def build(site: Any, options: object = None, **config: Any) -> Any:
    built = site.build({"generated_pages": ["blog*", "blog/**"]} | (options or {}), **CONFIG | config)
    assert not built.failed, built.warnings
    return built


def test_a_page_with_excerpts_has_the_date_of_the_newest_post(site: Any) -> None:
    days = build(site).days
    assert {path: days[path] for path in DATED} == DATED
    assert [days[path] for path in TITLES] == [""] * len(TITLES)


def test_an_archive_without_excerpts_has_no_date(site: Any) -> None:
    days = build(site, blog_archive_titles=True).days
    assert [days[path] for path in DATED] == [""] * len(DATED)


def test_an_incremental_build_without_changes_gives_the_same_dates(site: Any) -> None:
    assert build(site).days == build(site).days


def test_a_page_with_excerpts_is_also_dated_by_its_own_document(site: Any, repository: Any) -> None:
    site.pages("blog.rst")
    repository.commit("2026-01-04T18:00:00+00:00")
    assert build(site).days["blog.html"] == "2026-01-05"
    assert build(site, {"generated_pages": False}, blog_archive_titles=True).days["blog.html"] == "2026-01-04"
    site.pages(blog="The blog\n========\n")
    repository.commit("2026-01-07T12:00:00+00:00")
    assert build(site).days["blog.html"] == "2026-01-07"


def test_the_record_names_the_newest_post(site: Any) -> None:
    record = json.loads(build(site, {"record": "record.json"}).read("record.json"))
    (page,) = (each for each in record["pages"] if each["loc"].endswith("/blog/category/news.html"))
    assert page["path"] == "docs/posts/one.rst"
