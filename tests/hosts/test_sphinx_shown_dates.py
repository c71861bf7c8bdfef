"""Sphinx: themes show the sitemap's dates with the option expose; without it, a note if they show other dates."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest

SHOWN = re.compile(rb"Last updated on ([^<\n]*)\.")
# The page's dates as a template sees them, regardless of the theme.
TEMPLATE = '{% extends "!layout.html" %}{% block footer %}<i>{{ last_updated }}|{{ created }}</i>{% endblock %}'
WRITTEN = re.compile(rb"<i>(.*?)\|(.*?)</i>")
GITIGNORE = "output\ndoctrees\n*.mo\n__pycache__\n"
# With the variable STOP set, the build fails at one of its pages.
STOP = """\
import os

def stop(app, name, *others):
    if name == "a" and "STOP" in os.environ:
        raise RuntimeError

def setup(app):
    app.connect("html-page-context", stop, priority=100)
"""
COPYING = """\
def copy(app, name, template, context, doctree):
    context["page"] = {"meta": {"revision_date": context.get("last_updated")}}

def setup(app):
    app.connect("html-page-context", copy)
"""
LATER = 2_000_000_000
EXPOSE = {"expose": True}
FORM = {"html_last_updated_fmt": "%Y-%m-%d %H:%M"}


@pytest.fixture
def site(sphinx_site: Any, repository: Any) -> Any:
    """A home page of 1 January 2026, a page changed on the day after, and an uncommitted page."""
    site = sphinx_site.at(repository.path)
    repository.write(".gitignore", GITIGNORE)
    site.pages("index.rst", "a.rst", "new.rst")
    site.refer_to_all()
    repository.git("add", ".", ":!docs/new.rst")
    repository.git("commit", "--quiet", "--message", "one", when="2026-01-01T12:00:00+00:00")
    site.pages(a="Changed\n=======\n")
    repository.git("commit", "--quiet", "--all", "--message", "two", when="2026-01-02T23:30:00-05:00")
    return site


def build(site: Any, options: object = None, **config: Any) -> Any:
    built = site.build(EXPOSE if options is None else options, **{"strict": True} | config)
    assert not built.failed, built.warnings
    return built


def shown(built: Any, *names: str) -> dict[str, str]:
    """The dates that the theme shows on these pages, by default on all pages with documents."""
    pages = names or tuple(path.removesuffix(".html") for path in built.paths)
    found = {name: SHOWN.search(built.read(f"{name}.html")) for name in pages}
    return {name: match[1].decode() if match else "" for name, match in found.items()}


def test_each_page_shows_its_lastmod_in_utc_if_it_has_one(site: Any) -> None:
    for number in range(8):  # from five documents on, Sphinx uses workers for writing
        site.pages(f"more{number}.rst")
    built = build(site, parallel=4, **FORM)
    dates = shown(built)
    assert dates["index"] == "2026-01-01 12:00"
    assert dates["a"] == "2026-01-03 04:30"
    assert {dates[name] for name in dates if name not in {"index", "a"}} == {""}
    assert built.days["a.html"] == "2026-01-03"
    assert shown(built, "search", "genindex") == {"search": "", "genindex": ""}


def test_the_default_format_is_sphinx_s_own(site: Any) -> None:
    assert shown(build(site))["a"] == "Jan 03, 2026"
    assert shown(build(site, html_last_updated_fmt=""))["a"] == "Jan 03, 2026"


@pytest.mark.parametrize(("language", "date"), [("de", "03.01.2026"), ("ja", "2026年01月03日")])
def test_dates_are_written_in_the_format_of_the_language(site: Any, language: str, date: str) -> None:
    html = build(site, language=language).read("a.html").decode()
    assert len(re.findall(rf"[^0-9]{re.escape(date)}[^0-9]", html)) == 1


@pytest.mark.parametrize("local", [False, True])
def test_sphinx_s_option_for_utc_makes_no_difference(site: Any, local: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        utc = {"html_last_updated_use_utc": not local} if has_utc_option() else {}
        assert shown(build(site, **FORM, **utc))["a"] == "2026-01-03 04:30"
    finally:
        monkeypatch.undo()
        time.tzset()


def has_utc_option() -> bool:
    from sphinx import version_info

    return version_info >= (7, 4)


def test_templates_get_the_day_of_creation_on_request(site: Any) -> None:
    site.write("docs/_templates/layout.html", TEMPLATE)
    built = build(site, {"expose": "created"}, templates_path=["_templates"], html_last_updated_fmt="%Y-%m-%d")
    found = {name: WRITTEN.search(built.read(f"{name}.html")).groups() for name in ("a", "index", "new", "search")}
    assert found == {
        "a": (b"2026-01-03", b"2026-01-01"),
        "index": (b"2026-01-01", b"2026-01-01"),
        "new": (b"None", b""),
        "search": (b"None", b""),
    }


def test_a_theme_that_copies_the_date_shows_it(site: Any) -> None:
    """As sphinx_immaterial does, which puts it where Material for MkDocs has it."""
    site.write("docs/_templates/layout.html", TEMPLATE.replace("last_updated", "page.meta.revision_date"))
    site.code = COPYING
    built = build(site, templates_path=["_templates"], **FORM)
    found = {name: WRITTEN.search(built.read(f"{name}.html"))[1] for name in ("a", "new", "genindex")}
    assert found == {"a": b"2026-01-03 04:30", "new": b"None", "genindex": b"None"}
    assert not built.said("does not show dates")


@pytest.mark.parametrize(
    ("options", "config", "environment"),
    [
        ({}, {"html_baseurl": ""}, {}),
        ({"exclude": ["a.html"]}, {}, {}),
        ({}, {}, {"NETLIFY": "true", "CONTEXT": "deploy-preview"}),
        ({}, {"builder": "singlehtml"}, {}),
    ],
)
def test_pages_that_are_not_listed_show_their_dates_too(
    site: Any, monkeypatch: pytest.MonkeyPatch, options: Any, config: Any, environment: Any
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    built = build(site, EXPOSE | options, **FORM, **config)
    assert not built.has("sitemap.xml") or "a.html" not in built.paths
    name = "index" if config.get("builder") else "a"
    assert shown(built, name) == {name: "2026-01-03 04:30"}


def test_without_git_no_page_shows_a_date_and_the_build_succeeds(sphinx_site: Any) -> None:
    sphinx_site.pages("index.rst")
    assert shown(build(sphinx_site, {"expose": "created"}, **FORM)) == {"index": ""}


class TestWithoutGit:
    """The option lastmod names only other sources."""

    def build(self, site: Any, *sources: str, expose: object = True) -> Any:
        site.pages(a=":sitemap_lastmod: 2025-05-05\n\nChanged\n=======\n")
        return build(site, {"expose": expose, "lastmod": list(sources)}, **FORM)

    def test_the_times_of_files_are_shown(self, site: Any) -> None:
        for name in ("index", "new"):
            os.utime(site.docs / f"{name}.rst", (0, 1_700_000_000))
        dates = shown(self.build(site, "front_matter", "mtime"))
        assert dates["a"] == "2025-05-05 00:00"
        assert dates["index"] == dates["new"] == "2023-11-14 22:13"

    def test_no_git_is_started(self, site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        from sitemap_plugins.git import dates as git_dates

        monkeypatch.delattr(git_dates, "HistoryReader")
        assert shown(self.build(site, "front_matter", expose="created"))["a"] == "2025-05-05 00:00"


def sphinx_error() -> type[Exception]:
    from sphinx.errors import SphinxError

    return SphinxError


def remembered(site: Any, *, content: bool = False) -> list[str]:
    """The files that record the dates shown on pages, or their contents."""
    files = sorted((site.root / "doctrees").glob("sitemap-dates-*"))
    return [file.read_text() if content else file.name for file in files]


class TestNextBuild:
    """Only the pages whose date has changed are written again, and, by Sphinx itself, the pages that list them."""

    def pages_written(self, site: Any, options: object = None, **config: Any) -> set[str]:
        """The pages that the next build writes. Before it, all pages get an mtime in the future to be up to date."""
        folder = site.root / "output" / "html"
        pages = [folder / f"{name}.html" for name in ("a", "index", "new")]
        for page in pages:
            os.utime(page, (LATER, LATER))
        build(site, options, **FORM | config)
        return {page.stem for page in pages if page.stat().st_mtime != LATER}

    def test_nothing_is_written_without_changes(self, site: Any) -> None:
        first = build(site, **FORM)
        before = first.read()
        assert self.pages_written(site) == set()
        assert first.read() == before

    def test_a_commit_that_changed_nothing_on_disk(self, site: Any, repository: Any) -> None:
        first = build(site, **FORM)
        assert shown(first)["new"] == ""
        repository.git("add", "docs/new.rst")
        repository.git("commit", "--quiet", "--message", "new", when="2026-01-05T00:00:00+00:00")
        assert self.pages_written(site, parallel=4) == {"new", "index"}
        assert shown(first) == {"a": "2026-01-03 04:30", "index": "2026-01-01 12:00", "new": "2026-01-05 00:00"}

    def test_turning_the_option_on(self, site: Any) -> None:
        first = build(site, {})
        assert set(shown(first).values()) == {""}
        assert self.pages_written(site, html_last_updated_fmt=None) >= {"a", "index"}
        assert shown(first) == {"a": "Jan 03, 2026", "index": "Jan 01, 2026", "new": ""}

    def test_turning_the_option_off(self, site: Any) -> None:
        first = build(site)
        assert shown(first)["a"] == "Jan 03, 2026"
        build(site, {})
        assert set(shown(first).values()) == {""}
        assert remembered(site) == []

    def test_two_builders_share_the_doctrees_and_each_writes_its_own_pages(self, site: Any, repository: Any) -> None:
        for builder in ("html", "dirhtml"):
            build(site, builder=builder, **FORM)
        assert remembered(site) == ["sitemap-dates-dirhtml.json", "sitemap-dates-html.json"]
        repository.git("commit", "--quiet", "--amend", "--message", "three", when="2026-01-07T00:00:00+00:00")
        for builder in ("html", "dirhtml"):
            built = build(site, builder=builder, **FORM)
            name = "a/index" if builder == "dirhtml" else "a"
            assert shown(built, name) == {name: "2026-01-07 00:00"}

    def test_a_build_that_was_interrupted_while_writing(self, site: Any, repository: Any) -> None:
        for number in range(8):
            site.pages(f"more{number}.rst")
        site.code = STOP
        first = build(site, parallel=4, **FORM)
        before = remembered(site, content=True)
        repository.git("commit", "--quiet", "--amend", "--message", "three", when="2026-01-07T00:00:00+00:00")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("STOP", "1")
            with pytest.raises(sphinx_error()):
                site.build(EXPOSE, strict=True, parallel=4, **FORM)
        assert remembered(site, content=True) == before
        assert shown(first)["a"] == "2026-01-03 04:30"
        build(site, parallel=4, **FORM)
        assert shown(first)["a"] == "2026-01-07 00:00"
        assert remembered(site, content=True) != before

    @pytest.mark.parametrize("content", [b"{", b"[]", b'{"a": ["2026-01-07T00:00:00+00:00", null]}', b"\xff"])
    def test_a_wrong_record_of_dates_only_causes_pages_to_be_written_again(self, site: Any, content: bytes) -> None:
        first = build(site, **FORM)
        file = site.root / "doctrees" / "sitemap-dates-html.json"
        right = file.read_bytes()
        file.write_bytes(content)
        assert self.pages_written(site) == {"a", "index", "new"}
        assert shown(first)["a"] == "2026-01-03 04:30"
        assert file.read_bytes() == right

    def test_an_unwritable_record_of_dates_fails_no_build(self, site: Any) -> None:
        (site.root / "doctrees" / "sitemap-dates-html.json").mkdir(parents=True)
        first = build(site, **FORM)
        assert shown(first)["a"] == "2026-01-03 04:30"
        assert self.pages_written(site) == {"a", "index", "new"}


class TestOtherDates:
    """The note shown-date, which fails no build."""

    def test_sphinx_shows_the_day_of_the_build(self, site: Any) -> None:
        built = build(site, {}, **FORM)
        assert (
            len(
                built.said(
                    "html_last_updated_fmt makes the theme show the day of the build", "with expose in sitemap_options"
                )
            )
            == 1
        )
        assert not build(site, EXPOSE, **FORM).said("the day of the build")
        assert not build(site, {}).said("the day of the build")

    @pytest.mark.parametrize(("theme", "is_shown"), [("alabaster", False), ("classic", True)])
    def test_a_theme_that_shows_no_dates_is_named_with_expose_only(
        self, site: Any, theme: str, *, is_shown: bool
    ) -> None:
        assert bool(build(site, EXPOSE, html_theme=theme).said(f"the theme {theme} does not show")) is not is_shown
        built = build(site, {}, html_theme=theme, **FORM)
        assert bool(built.said("makes the theme show the day of the build")) is is_shown

    def test_sphinx_last_updated_by_git_shows_git_s_dates(self, site: Any) -> None:
        pytest.importorskip("sphinx_last_updated_by_git")
        site.extensions.append("sphinx_last_updated_by_git")
        built = build(site, {}, strict=False, **FORM)
        assert not built.said("html_last_updated_fmt makes the theme")
        assert shown(build(site, EXPOSE, strict=False, **FORM))["a"] == "2026-01-03 04:30"
