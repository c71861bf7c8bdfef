"""MkDocs: which pages are listed, what they declare about themselves, and the effects of hooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

GENERATE = """\
import mkdocs_gen_files

for name in ("api/one", "api/two"):
    with mkdocs_gen_files.open(f"{name}.md", "w") as file:
        print(f"# {name}", file=file)
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["", "api/one/", "api/two/", "guide/"]),
        ({"generated_pages": True}, ["", "api/one/", "api/two/", "guide/"]),
        ({"generated_pages": False}, ["", "guide/"]),
        ({"generated_pages": ["api/*", "!api/two/"]}, ["", "api/one/", "guide/"]),
    ],
)
def test_pages_generated_by_plugins(mkdocs_site: Any, options: Mapping[str, object], expected: list[str]) -> None:
    """SM-LOC-11."""
    mkdocs_site.pages("index.md", "guide.md", SUMMARY="* [Home](index.md)\n* [Guide](guide.md)\n* [API](api/)\n")
    mkdocs_site.write("generate.py", GENERATE)
    plugins = [{"gen-files": {"scripts": ["generate.py"]}}, "literate-nav"]
    built = mkdocs_site.build_strictly(options, plugins=plugins, exclude_docs="SUMMARY.md")
    assert built.paths == expected


CATEGORY = ["blog/category/news/", "blog/category/news/page/2/"]
BLOG = ["blog/archive/2025/", "blog/archive/2026/", *CATEGORY, "blog/page/2/"]


@pytest.mark.parametrize(
    ("options", "generated"),
    [
        ({}, BLOG),
        ({"generated_pages": False}, []),
        ({"generated_pages": ["blog/category/**", "blog/archive/2026/"]}, ["blog/archive/2026/", *CATEGORY]),
    ],
)
def test_pages_of_the_material_blog(mkdocs_site: Any, options: Mapping[str, object], generated: list[str]) -> None:
    mkdocs_site.pages("index.md", tags="# Tags\n\n<!-- material/tags -->\n")
    for year in (2025, 2026):
        front_matter = f"date: {year}-02-03\ncategories: [News]\ntags: [a, b]"
        mkdocs_site.write(f"docs/blog/posts/p{year}.md", f"---\n{front_matter}\n---\n# Post {year}\n\nText.\n")
    mkdocs_site.write("docs/blog/posts/draft.md", "---\ndate: 2026-05-05\ndraft: true\n---\n# Draft\n")
    mkdocs_site.write("docs/blog/index.md", "# Blog\n")
    plugins = [{"material/blog": {"pagination_per_page": 1}}, "material/tags"]
    built = mkdocs_site.build_strictly(options, plugins=plugins, theme={"name": "material"})
    posts = ["blog/2025/02/03/post-2025/", "blog/2026/02/03/post-2026/"]
    assert built.paths == sorted(["", "blog/", *posts, *generated, "tags/"])


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, ["", "a/", "b/"]),
        ({"draft_docs": "a.md"}, ["", "b/"]),
        ({"exclude_docs": "a.md"}, ["", "b/"]),
        ({"not_in_nav": "a.md", "nav": ["index.md", "b.md"]}, ["", "a/", "b/"]),
        ({"nav": ["index.md", "b.md"]}, ["", "a/", "b/"]),
    ],
)
def test_pages_with_special_treatment_in_mkdocs(
    mkdocs_site: Any, config: Mapping[str, object], expected: list[str]
) -> None:
    mkdocs_site.pages("index.md", "a.md", "b.md", "404.md")
    built = mkdocs_site.build_strictly(**config)
    assert built.paths == expected
    assert built.said("left out 404.md: error page", level="debug")


def test_pages_about_the_numbers_of_errors_are_listed(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "500.md", "status/404.md", "status/500/index.md")
    assert mkdocs_site.build_strictly().paths == ["", "status/404/", "status/500/"]


def test_html_files_that_are_no_pages_of_mkdocs_are_counted(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.write("docs/assets/chart.html", "<title>Chart</title>\n")
    options = {"html": True}
    for _ in range(2):
        built = mkdocs_site.build_strictly(options)
        assert built.paths == ["", "sitemap/"]
        assert built.said("; left out: 1 error page, 1 other HTML file", level="info")
        assert built.said("left out assets/chart.html: other HTML file", level="debug")


def test_redirects_of_a_plugin_are_counted_as_such(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "new.md")
    maps = {"old.md": "new.md", "gone.md": "https://example.net/"}
    built = mkdocs_site.build_strictly(plugins=[{"redirects": {"redirect_maps": maps}}])
    assert built.said("; left out: 1 error page, 2 redirects", level="info")


def test_a_draft_is_not_listed_in_a_preview_either(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "a.md")
    built = mkdocs_site.build(command="serve", draft_docs="a.md")
    assert built.has("a/index.html")
    assert built.locs == ["http://127.0.0.1:8000/"]
    assert built.said("left out a.md: draft", level="debug")


REWRITE = """\
import re

def on_post_page(output, page, config):
    tag = page.meta.get("tag")
    if page.meta.get("empty"):
        return ""
    if tag:
        output = re.sub('<link rel="canonical"[^>]*>', "", output).replace("</head>", tag + "</head>")
    return output
"""


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ('<meta name="robots" content="noindex">', "noindex (robots meta tag: noindex)"),
        (
            '<link rel="canonical" href="https://elsewhere.example/a/">',
            "canonical elsewhere (https://elsewhere.example/a/)",
        ),
        ('<meta http-equiv="refresh" content="0; url=../b/">', "redirect (https://docs.example.org/b/)"),
        ('<link rel="canonical" href="https://DOCS.example.org:443/page/index.html">', None),
    ],
)
def test_crawler_directives_in_the_written_page(mkdocs_site: Any, tag: str, reason: str | None) -> None:
    """CAN-01, CAN-02, CAN-05."""
    mkdocs_site.pages("index.md", page=f"---\ntag: '{tag}'\n---\n# Page\n")
    mkdocs_site.write("rewrite.py", REWRITE)
    built = mkdocs_site.build_strictly(hooks=["rewrite.py"])
    assert tag.encode() in built.read("page/index.html")
    assert built.paths == ([""] if reason else ["", "page/"])
    expected = [f"sitemap: left out page.md: {reason}"] if reason else []
    assert built.said("left out page.md") == expected
    assert not [each for each in built.log if each.text in expected and each.level != "debug"]


def test_a_page_that_is_not_written_is_not_listed(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", page="---\nempty: true\n---\n# Page\n")
    mkdocs_site.write("rewrite.py", REWRITE)
    built = mkdocs_site.build(hooks=["rewrite.py"])
    assert not built.has("page/index.html")
    assert built.paths == [""]


@pytest.mark.parametrize(
    ("front_matter", "line"),
    [
        ("sitemap: {priority: 0.8, changefreq: weekly}", "<changefreq>weekly</changefreq><priority>0.8</priority>"),
        ("sitemap:\n  lastmod: 2026-01-02T10:00:00+01:00", "<lastmod>2026-01-02T10:00:00+01:00</lastmod>"),
        ("priority: 0.3", "<priority>0.3</priority>"),
        ("priority: high", ""),
    ],
)
def test_values_in_the_front_matter(mkdocs_site: Any, front_matter: str, line: str) -> None:
    mkdocs_site.pages("index.md", page=f"---\n{front_matter}\n---\n# Page\n")
    built = mkdocs_site.build_strictly()
    assert f"<url><loc>https://docs.example.org/page/</loc>{line}</url>\n" in built.read().decode()


@pytest.mark.parametrize("front_matter", ["sitemap: false", "robots: noindex"])
def test_a_page_that_front_matter_leaves_out(mkdocs_site: Any, front_matter: str) -> None:
    mkdocs_site.pages("index.md", page=f"---\n{front_matter}\n---\n# Page\n")
    assert mkdocs_site.build(strict=True).paths == [""]


def test_an_invalid_value_is_one_warning_that_names_the_page(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", page="---\nsitemap: {priority: 7}\n---\n# Page\n")
    built = mkdocs_site.build()
    (warning,) = built.warnings
    assert warning.startswith("sitemap: page.md: sitemap.priority")
    assert "<url><loc>https://docs.example.org/page/</loc></url>" in built.read().decode()
    assert mkdocs_site.build(strict=True).failed


ADJUST = """\
from dataclasses import replace

from sitemap_plugins import DROP

def half(entry, page):
    return replace(entry, priority=0.5)

def drop(entry, page):
    return DROP if page.name.startswith("page.") else None

def raising(entry, page):
    if page.name.startswith("page."):
        raise KeyError("oops")
"""
PAGE = "<url><loc>https://docs.example.org/page/</loc>{}</url>"


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        ("half", PAGE.format("<priority>0.5</priority>"), None),
        ("drop", None, None),
        ("raising", PAGE.format(""), "raised KeyError: 'oops'"),
    ],
)
@pytest.mark.parametrize("place", ["option", "hook"])
def test_a_hook_changes_and_drops_entries_and_fails(
    mkdocs_site: Any, place: str, function: str, line: str | None, message: str | None
) -> None:
    mkdocs_site.pages("index.md", "page.md")
    mkdocs_site.write("tuning.py", ADJUST + (f"\nsitemap_entry = {function}\n" if place == "hook" else ""))
    options, config = ({"adjust": f"tuning:{function}"}, {}) if place == "option" else ({}, {"hooks": ["tuning.py"]})
    name = options.get("adjust", "sitemap_entry in tuning.py")
    built = mkdocs_site.build(options, **config)
    written = built.read().decode()
    assert line in written if line else "/page/" not in written
    assert [text.startswith(f"sitemap: page.md: {name} {message}") for text in built.warnings] == [True] * bool(message)
    assert mkdocs_site.build(options, strict=True, **config).failed == bool(message)


def test_the_option_runs_before_the_hooks_and_each_sees_the_result_of_the_previous_one(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.write("tuning.py", ADJUST)
    mkdocs_site.write(
        "late.py",
        "from dataclasses import replace\n\ndef sitemap_entry(entry, page):\n    return replace(entry, priority=entry.priority / 2)\n",
    )
    built = mkdocs_site.build({"adjust": "tuning:half"}, hooks=["late.py"], strict=True)
    assert b"<priority>0.25</priority>" in built.read()


def test_rules_and_globs_see_the_url_and_the_source(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "old/a.md", "old/b.md", "README_dev.md")
    rules = [{"match": "old/**", "priority": 0.2}, {"source": "old/b.md", "priority": 0.4, "changefreq": "never"}]
    built = mkdocs_site.build({"pages": rules, "exclude": ["README_*"]}, strict=True)
    assert built.read().decode().splitlines()[3:-1] == [
        "<url><loc>https://docs.example.org/</loc></url>",
        "<url><loc>https://docs.example.org/old/a/</loc><priority>0.2</priority></url>",
        "<url><loc>https://docs.example.org/old/b/</loc><changefreq>never</changefreq><priority>0.4</priority></url>",
    ]
