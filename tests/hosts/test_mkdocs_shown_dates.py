"""MkDocs: themes show the sitemap's dates with the option expose; without it, a note if they show other dates."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sitemap_plugins.record.site_record import parse_record

MATERIAL = {"name": "material", "font": False}
SHOWN = re.compile(r'title="(?P<what>[^"]+)">\s*<svg.*?</svg>\s*</span>\s*(?P<date>[^<]*?)\s*</span>', re.DOTALL)
EARLIER = {"git-revision-date-localized": {"type": "iso_date", "enable_creation_date": True}}
# A hook that gives pages other dates than git does.
STRANGER = """\
def on_page_markdown(markdown, page, config, files):
    page.meta["git_revision_date_localized"] = "1 May 1999"
    page.meta["git_revision_date_localized_raw_iso_date"] = "1999-05-01"
"""


@pytest.fixture
def site(mkdocs_site: Any, repository: Any) -> Any:
    """A home page of 1 January 2026, a page changed on the day after, and an uncommitted page."""
    site = mkdocs_site.at(repository.path)
    site.pages("index.md", "a.md")
    repository.commit("2026-01-01T12:00:00+00:00")
    site.pages(a="# Changed\n")
    repository.commit("2026-01-02T23:30:00-05:00")
    site.pages("new.md")
    return site


def shown(built: Any, path: str) -> dict[str, str]:
    """What Material for MkDocs shows at the end of a page."""
    html = built.read(f"{path}index.html").decode()
    return {match["what"]: match["date"] for match in SHOWN.finditer(html)}


def build(site: Any, options: object, **config: Any) -> Any:
    built = site.build(options, **{"theme": MATERIAL, "strict": True} | config)
    assert not built.failed, built.warnings
    return built


def test_each_page_shows_the_day_of_its_lastmod_if_it_has_one(site: Any) -> None:
    built = build(site, {"expose": True})
    assert built.days == {"": "2026-01-01", "a/": "2026-01-03", "new/": ""}
    assert shown(built, "") == {"Last update": "January 1, 2026"}
    assert shown(built, "a/") == {"Last update": "January 3, 2026"}
    assert shown(built, "new/") == {}


def test_the_day_of_creation_is_shown_on_request(site: Any) -> None:
    built = build(site, {"expose": "created"})
    assert shown(built, "a/") == {"Last update": "January 3, 2026", "Created": "January 1, 2026"}
    assert shown(built, "new/") == {}


@pytest.mark.parametrize(
    ("language", "date"), [("de", "3. Januar 2026"), ("pt-BR", "3 de janeiro de 2026"), ("ja", "2026年1月3日")]
)
def test_the_date_is_written_out_in_the_theme_s_language(site: Any, language: str, date: str) -> None:
    built = build(site, {"expose": True}, theme=MATERIAL | {"language": language})
    assert list(shown(built, "a/").values()) == [date]


def test_nothing_is_shown_without_the_option(site: Any) -> None:
    assert shown(build(site, {}), "a/") == {}


@pytest.mark.parametrize("before", [True, False])
def test_the_other_plugin_s_dates_are_replaced_in_any_order_of_plugins(site: Any, before: bool) -> None:
    pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
    site.pages(a="---\nsitemap_lastmod: 2025-05-05\n---\n# A\n")
    site.write("stranger.py", STRANGER)
    built = build(site, {"expose": True}, plugins=[EARLIER], hooks=["stranger.py"] if before else [], strict=False)
    assert shown(built, "a/")["Last update"] == "May 5, 2025"
    assert shown(built, "new/").get("Last update") is None
    assert not built.said("the date of its last change, but its lastmod")


def test_pages_that_are_left_out_of_the_sitemap_show_their_dates_too(site: Any) -> None:
    built = build(site, {"expose": True, "exclude": ["a/"]})
    assert built.paths == ["", "new/"]
    assert shown(built, "a/") == {"Last update": "January 3, 2026"}


def test_a_site_without_a_url_shows_the_dates(site: Any) -> None:
    built = build(site, {"expose": True}, site_url="")
    assert len(built.said("no sitemap was written", level="info")) == 1
    assert shown(built, "a/") == {"Last update": "January 3, 2026"}


def test_a_preview_shows_the_dates_and_each_rebuild_of_it_does(site: Any) -> None:
    built = build(site, {"expose": True}, command="serve")
    assert shown(built, "a/") == {"Last update": "January 3, 2026"}
    assert b"<lastmod>" not in built.read()
    again = site.build({"expose": True}, theme=MATERIAL, command="serve", again=True)
    assert shown(again, "a/") == {"Last update": "January 3, 2026"}


@pytest.mark.parametrize("structure", ["suffix", "folder"])
def test_each_language_of_static_i18n_shows_the_dates_of_its_own_pages(
    mkdocs_site: Any, repository: Any, structure: str
) -> None:
    site = mkdocs_site.at(repository.path)
    names = ("index.md", "index.fr.md") if structure == "suffix" else ("en/index.md", "fr/index.md")
    site.pages(names[0])
    repository.commit("2026-01-01T12:00:00+00:00")
    site.pages(names[1])
    repository.commit("2026-01-02T12:00:00+00:00")
    locales = [{"locale": "en", "name": "English", "default": True}, {"locale": "fr", "name": "Français"}]
    built = build(site, {"expose": True}, plugins=[{"i18n": {"docs_structure": structure, "languages": locales}}])
    assert built.days == {"": "2026-01-01", "fr/": "2026-01-02"}
    assert list(shown(built, "").values()) == ["January 1, 2026"]
    assert list(shown(built, "fr/").values()) == ["2 janvier 2026"]


def test_without_git_no_page_shows_a_date_and_the_build_succeeds(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    assert shown(build(mkdocs_site, {"expose": "created"}), "") == {}


def test_without_git_among_the_sources_of_dates_none_is_started(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from sitemap_plugins.git import dates as git_dates

    monkeypatch.delattr(git_dates, "HistoryReader")
    site.pages(a="---\nsitemap_lastmod: 2025-05-05\n---\n# A\n")
    built = build(site, {"expose": "created", "lastmod": ["front_matter"]})
    assert shown(built, "a/") == {"Last update": "May 5, 2025"}


def test_a_generated_page_has_no_creation_date(mkdocs_site: Any, repository: Any) -> None:
    pytest.importorskip("mkdocs_gen_files")
    site = mkdocs_site.at(repository.path)
    site.pages("index.md")
    site.write("gen.py", "import mkdocs_gen_files\nmkdocs_gen_files.open('gen.md', 'w').close()\n")
    site.write("data.csv", "1")
    repository.commit("2026-01-01T12:00:00+00:00")
    site.write("data.csv", "2")
    repository.commit("2026-01-02T12:00:00+00:00")
    options = {"expose": "created", "record": "e.json", "pages": [{"source": "gen.md", "depends_on": "data.csv"}]}
    built = build(site, options, plugins=[{"gen-files": {"scripts": [str(site.root / "gen.py")]}}])
    assert built.days["gen/"] == "2026-01-02"
    assert shown(built, "gen/") == {"Last update": "January 2, 2026"}
    assert list(shown(built, "")) == ["Last update", "Created"]
    pages = [(page.document, page.path) for page in parse_record(built.read("e.json")).pages]
    assert pages == [("docs/index.md", "docs/index.md"), (None, "data.csv")]


@pytest.mark.parametrize(
    ("theme", "template", "named"),
    [
        ("mkdocs", None, "mkdocs"),
        ("readthedocs", None, "readthedocs"),
        (None, "{{ page.content }}", "of this site"),
        (None, "{{ page.content }}{{ page.meta.git_revision_date_localized }}", None),
    ],
)
def test_a_theme_that_shows_no_dates_is_named_with_expose_only(
    site: Any, theme: str | None, template: str | None, named: str | None
) -> None:
    values: dict[str, object] = {"name": theme}
    if template:
        site.write("theme/main.html", f"<title>x</title>{template}")
        values["custom_dir"] = "theme"
    lines = build(site, {"expose": True}, theme=values).said("does not show dates", level="info")
    about = "choose one that does, such as material, or show page.meta.git_revision_date_localized in a template"
    assert lines == ([f"sitemap: expose: the theme {named} does not show dates: {about}"] if named else [])
    assert not build(site, {}, theme=values).said("does not show dates")


class TestOtherDates:
    """The note shown-date, which fails no build."""

    def test_a_plugin_that_shows_another_date(self, site: Any) -> None:
        site.write("stranger.py", STRANGER)
        built = build(site, {}, hooks=["stranger.py"])
        (line,) = built.said("it shows 1999-05-01 as the date of its last change", level="info")
        assert "its lastmod is 2026-01-0" in line
        assert "(and 1 more page)" in line
        assert "the option expose" in line

    @pytest.mark.parametrize(
        ("template", "is_noted"),
        [
            ("{{ page.meta.git_revision_date_localized_raw_iso_date }}", True),
            ("{{ page.meta.git_revision_date_localized }}", True),
            ("{{ page.meta.git_revision_date_localized | e }}", True),
            ("{{ page.meta.git_creation_date_localized }}", False),
            ("no date", False),
        ],
    )
    def test_a_date_that_no_page_shows_is_not_another_one(self, template: str, site: Any, *, is_noted: bool) -> None:
        site.write("stranger.py", STRANGER.replace("1 May", "<b>1</b> May"))
        site.write("theme/main.html", f"<title>{{{{ page.title }}}}</title>{template}{{{{ page.content }}}}")
        built = build(site, {}, hooks=["stranger.py"], theme={"name": None, "custom_dir": "theme"})
        assert bool(built.said("it shows 1999-05-01 as the date of its last change")) == is_noted

    def test_the_other_plugin_with_another_date_in_front_matter(self, site: Any) -> None:
        pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
        (site.docs / "new.md").unlink()
        site.pages(a="---\nsitemap_lastmod: 2025-05-05\n---\n# A\n")
        built = build(site, {}, plugins=[{"git-revision-date-localized": {"type": "date"}}])
        assert len(built.said("it shows 2026-01-0", "but its lastmod is 2025-05-05", level="info")) == 1

    def test_the_other_plugin_with_the_same_dates(self, site: Any) -> None:
        pytest.importorskip("mkdocs_git_revision_date_localized_plugin")
        (site.docs / "new.md").unlink()
        built = build(site, {}, plugins=[{"git-revision-date-localized": {"type": "date"}}])
        assert built.days == {"": "2026-01-01", "a/": "2026-01-03"}
        assert not built.said("it shows")

    def test_a_date_in_the_head(self, site: Any) -> None:
        meta = '<meta property="article:modified_time" content="2020-02-02T00:00:00Z">'
        site.write("overrides/main.html", '{% extends "base.html" %}{% block extrahead %}' + meta + "{% endblock %}")
        built = build(site, {}, theme=MATERIAL | {"custom_dir": "overrides"})
        assert len(built.said("it shows 2020-02-02", "its lastmod is 2026-01-0", level="info")) == 1
