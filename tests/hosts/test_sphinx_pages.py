"""Sphinx: which pages are listed, in full and incremental builds, and what they declare about themselves."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.test_mkdocs_pages import ADJUST

FOLDER_ON_PATH = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\n"
MODULE = '"""A module."""\n\n\ndef {name}():\n    """Do {name}."""\n'


def document_modules(site: Any, *names: str) -> None:
    """Write modules, documented by autodoc, with the pages of viewcode, and a page that is only a template."""
    site.code = FOLDER_ON_PATH
    site.extensions += ["sphinx.ext.autodoc", "sphinx.ext.viewcode"]
    for name in names:
        site.write(f"docs/{name}.py", MODULE.format(name=name))
        site.write(f"docs/api_{name}.rst", f"{name}\n{'=' * len(name)}\n\n.. automodule:: {name}\n   :members:\n")
    site.write("docs/_templates/extra.html", '{% extends "layout.html" %}{% block body %}Extra{% endblock %}')


EXTRA = {"html_additional_pages": {"more/extra": "extra.html"}, "templates_path": ["_templates"]}
DOCUMENTS = ["api_alpha.html", "api_beta.html", "index.html", "more/extra.html"]
GENERATED = ["_modules/alpha.html", "_modules/beta.html", "_modules/index.html", "genindex.html", "py-modindex.html"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, DOCUMENTS),
        ({"generated_pages": False}, DOCUMENTS),
        ({"generated_pages": True}, sorted(DOCUMENTS + GENERATED)),
        ({"generated_pages": ["_modules/**", "!_modules/index.html"]}, sorted(GENERATED[:2] + DOCUMENTS)),
    ],
)
def test_pages_without_a_document(sphinx_site: Any, options: Mapping[str, object], expected: list[str]) -> None:
    """CAN-08."""
    sphinx_site.pages("index.rst")
    document_modules(sphinx_site, "alpha", "beta")
    built = sphinx_site.build_strictly(options, html_use_opensearch="https://docs.example.org", **EXTRA)
    assert built.paths == expected
    assert built.said("left out search: search page")
    assert built.has("_static/opensearch.xml")
    assert not built.said("not written")


def test_pages_without_a_document_in_folders(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    document_modules(sphinx_site, "alpha")
    built = sphinx_site.build({"generated_pages": True}, builder="dirhtml", **EXTRA)
    assert built.paths == ["", "_modules/", "_modules/alpha/", "api_alpha/", "genindex/", "more/extra/", "py-modindex/"]
    missing = [path for path in built.paths if not built.has(f"{path}index.html")]
    assert missing == []


DAY = "2026-01-01"


@pytest.mark.parametrize(
    ("builder", "options", "config", "days"),
    [
        ("html", {}, {}, {"index": DAY, "api_alpha": DAY}),
        ("html", {"generated_pages": ["genindex.html"]}, {}, {"index": DAY, "api_alpha": DAY, "genindex": ""}),
        ("html", {}, {"html_additional_pages": {"index": "extra.html"}}, {"index": "", "api_alpha": DAY}),
        ("html", {}, {"html_use_index": False}, {"index": DAY, "api_alpha": DAY, "genindex": DAY}),
        ("html", {}, {"exclude_patterns": ["api_*"]}, {"index": DAY, "py-modindex": DAY}),
        ("singlehtml", {}, {}, {"index": DAY}),
        ("singlehtml", {}, {"html_additional_pages": {"index": "extra.html"}}, {"index": ""}),
    ],
)
def test_a_page_that_overwrites_a_document_takes_its_place(
    sphinx_site: Any, repository: Any, builder: str, options: object, config: Any, days: Mapping[str, str]
) -> None:
    """CAN-08."""
    repository.write(".gitignore", "output\ndoctrees\n__pycache__\n")
    site = sphinx_site.at(repository.path)
    site.pages("index.rst", "genindex.rst", "py-modindex.rst", "search.rst")
    document_modules(site, "alpha")
    site.refer_to_all()
    repository.commit(f"{DAY}T12:00:00+00:00")
    site.build(builder=builder, templates_path=["_templates"])
    built = site.build(options, builder=builder, templates_path=["_templates"], **config)
    assert built.days == {f"{name}.html": day for name, day in days.items()}
    assert len(built.said("left out search: search page")) == (builder == "html")


def change_later(path: Path, content: str) -> None:
    """Change a file and make it clearly newer than the last build."""
    path.write_text(content)
    os.utime(path, ns=(path.stat().st_mtime_ns + 10**10,) * 2)


def touch(site: Any) -> None:
    change_later(site.docs / "a.rst", "Title of a\n==========\n\nMore.\n")


def remove(site: Any) -> None:
    (site.docs / "b.rst").unlink()


def add(site: Any) -> None:
    site.pages("c.rst")


def forget_a_module(site: Any) -> None:
    (site.docs / "api_beta.rst").unlink()


def touch_a_module(site: Any) -> None:
    change_later(site.docs / "alpha.py", MODULE.format(name="alpha_and_more"))


@pytest.mark.parametrize("change", [None, touch, remove, add, touch_a_module, forget_a_module])
def test_an_incremental_build_gives_the_same_bytes_as_a_full_one(
    sphinx_site: Any,
    change: Callable[[Any], None] | None,
) -> None:
    """SM-LOC-11."""
    sphinx_site.pages("index.rst", "a.rst", "b.rst")
    document_modules(sphinx_site, "alpha", "beta")
    options = {"generated_pages": True}
    first = sphinx_site.build(options, parallel=4, **EXTRA)
    before = first.read()
    if change:
        change(sphinx_site)
    partial = sphinx_site.build(options, parallel=4, **EXTRA).read()
    assert (partial == before) == (change in {None, touch, touch_a_module})
    shutil.rmtree(first.output)
    whole = sphinx_site.build(options, parallel=1, force=True, **EXTRA)
    assert partial.decode() == whole.read().decode()


def test_changed_options_count_in_a_rebuild_without_other_changes(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst", "a.rst")
    sphinx_site.build({"pages": [{"match": "a.html", "priority": 0.5}]})
    built = sphinx_site.build({"exclude": ["a.html"]})
    assert built.said("0 added, 0 changed, 0 removed")
    assert built.paths == ["index.html"]


NOT_FOUND_EXTENSION = """\
def setup(app):
    app.connect("html-collect-pages", lambda app: [("404", {"body": "Not found"}, "page.html")])
    return {"parallel_read_safe": True}
"""


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_error_pages_are_not_listed(sphinx_site: Any, builder: str) -> None:
    """CAN-08."""
    sphinx_site.pages("index.rst")
    sphinx_site.write("docs/not_found.py", NOT_FOUND_EXTENSION)
    sphinx_site.code = FOLDER_ON_PATH
    sphinx_site.extensions.append("not_found")
    built = sphinx_site.build({"generated_pages": True}, builder=builder)
    assert [path for path in built.paths if "404" in path] == []
    assert built.said("left out 404: error page")


def test_html_files_that_are_no_pages_of_sphinx_are_counted(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    sphinx_site.write("docs/_static/chart.php", "<title>Chart</title>\n")
    sphinx_site.write("docs/_static/chart.js", "\n")
    built = sphinx_site.build(html_static_path=["_static"], html_file_suffix=".php")
    assert built.said("left out _static/chart.php: other HTML file")
    assert built.said("; left out: 1 generated, 1 other HTML file, 1 search page")


def test_pages_about_the_numbers_of_errors_are_listed(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst", "500.rst", "codes/404.rst", "codes/500/index.rst")
    built = sphinx_site.build()
    assert built.paths == ["codes/404.html", "codes/500/index.html", "index.html"]
    assert built.said("left out 500.rst: error page")


REMOVING = """
from pathlib import Path

def setup(app):
    app.connect("build-finished", lambda app, exception: Path(app.outdir, "a.html").unlink())
"""


def test_a_document_without_a_page_is_not_listed(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst", "a.rst")
    sphinx_site.code = REMOVING
    built = sphinx_site.build(strict=True)
    assert built.paths == ["index.html"]
    assert built.said("left out a.rst: not written", level="info")


PAGE = "<url><loc>https://docs.example.org/page.html</loc>{}</url>"
LEFT_OUT = None


@pytest.mark.parametrize(
    ("suffix", "head", "line"),
    [
        (
            "rst",
            ":sitemap_priority: 0.8\n:sitemap_changefreq: weekly",
            "<changefreq>weekly</changefreq><priority>0.8</priority>",
        ),
        ("rst", ":sitemap_lastmod: 2026-01-02 10:00 +01:00", "<lastmod>2026-01-02T10:00:00+01:00</lastmod>"),
        ("rst", ":sitemap: false", LEFT_OUT),
        ("rst", ":robots: noindex, nofollow", LEFT_OUT),
        ("rst", ":priority: very high\n:changefreq: at times", ""),
        ("rst", ".. meta::\n   :robots: noindex", LEFT_OUT),
        (
            "md",
            "sitemap: {priority: 0.8, lastmod: '2026-01-02'}",
            "<lastmod>2026-01-02</lastmod><priority>0.8</priority>",
        ),
        ("md", "sitemap: false", LEFT_OUT),
        ("md", "sitemap_priority: 0.4", "<priority>0.4</priority>"),
        ("md", "myst:\n  html_meta:\n    robots: noindex", LEFT_OUT),
    ],
)
def test_metadata_of_a_document(sphinx_site: Any, suffix: str, head: str, line: str | None) -> None:
    sphinx_site.pages("index.rst")
    whole = f"---\n{head}\n---\n# Page\n" if suffix == "md" else f"{head}\n\nPage\n====\n"
    sphinx_site.write(f"docs/page.{suffix}", whole)
    sphinx_site.extensions += ["myst_parser"] if suffix == "md" else []
    built = sphinx_site.build_strictly()
    if line is None:
        assert built.paths == ["index.html"]
        assert len(built.said(f"left out page.{suffix}: ", level="info")) == 1
    else:
        assert PAGE.format(line) in built.read().decode()


@pytest.mark.parametrize(
    ("suffix", "head", "message"),
    [
        ("rst", ":sitemap_priority: 7", "sitemap_priority"),
        ("md", "sitemap: nonsense", "sitemap: 'nonsense'"),
    ],
)
def test_an_invalid_value_is_one_warning_for_its_document(
    sphinx_site: Any, shown_type: Callable[[str], str], suffix: str, head: str, message: str
) -> None:
    sphinx_site.pages("index.rst")
    whole = f"---\n{head}\n---\n# Page\n" if suffix == "md" else f"{head}\n\nPage\n====\n"
    path = sphinx_site.write(f"docs/page.{suffix}", whole)
    sphinx_site.extensions += ["myst_parser"] if suffix == "md" else []
    built = sphinx_site.build()
    (warning,) = built.warnings
    assert warning.startswith(f"{path}: WARNING: sitemap: {message}")
    assert warning.endswith(f"(it is ignored){shown_type('front-matter')}")
    assert PAGE.format("") in built.read().decode()
    assert sphinx_site.build(strict=True).failed


PLACES = {
    "function": "{code}\nsitemap_options = {{'adjust': {function}}}",
    "module": "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nsitemap_options = {{'adjust': 'tuning:{function}'}}",
    "event": "{code}\ndef setup(app):\n    app.connect('sitemap-entry', lambda app, entry, page: {function}(entry, page))",
}


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        ("half", PAGE.format("<priority>0.5</priority>"), None),
        ("drop", None, None),
        ("raising", PAGE.format(""), "raised KeyError: 'oops'"),
    ],
)
@pytest.mark.parametrize("place", PLACES)
def test_a_hook_changes_and_drops_entries_and_fails(
    sphinx_site: Any, place: str, function: str, line: str | None, message: str | None
) -> None:
    sphinx_site.pages("index.rst", "page.rst")
    sphinx_site.write("docs/tuning.py", ADJUST)
    sphinx_site.code = PLACES[place].format(code=ADJUST, function=function)
    built = sphinx_site.build()
    written = built.read().decode()
    assert line in written if line else "page.html" not in written
    assert len(built.warnings) == bool(message)
    assert [text for text in built.warnings if message not in text or "page.rst: WARNING" not in text] == []
    names = {"function": function, "module": f"tuning:{function}", "event": "<lambda>"}
    assert [text for text in built.warnings if names[place] not in text] == []
    assert sphinx_site.build(strict=True).failed == bool(message)


def test_listeners_of_the_event_are_called_in_order_of_priority(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    sphinx_site.code = """
from dataclasses import replace

def setup(app):
    app.connect("sitemap-entry", lambda app, entry, page: replace(entry, priority=entry.priority / 2), priority=800)
    app.connect("sitemap-entry", lambda app, entry, page: replace(entry, priority=0.5), priority=200)
"""
    assert b"<priority>0.25</priority>" in sphinx_site.build(strict=True).read()


def test_a_mapping_that_myst_passed_on_as_text_is_read(sphinx_site: Any) -> None:
    # MyST passes values on as text, and Sphinx keeps them between builds: a second build reads the same values.
    sphinx_site.pages("index.rst")
    sphinx_site.extensions.append("myst_parser")
    values = {"priority": 0.8, "changefreq": "daily"}
    sphinx_site.write("docs/page.md", f"---\nsitemap: {json.dumps(values)}\n---\n# Page\n")
    first = sphinx_site.build().read()
    sphinx_site.pages("other.rst")
    second = sphinx_site.build().read()
    line = PAGE.format("<changefreq>daily</changefreq><priority>0.8</priority>").encode()
    assert line in first
    assert line in second
