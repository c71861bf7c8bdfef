"""The extension for Zensical, run with a preprocessor like Zensical's own."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from sitemap_plugins.zensical import extension

REVISION = "git_revision_date_localized"
CREATION = "git_creation_date_localized"


class Page:
    def __init__(self, path: str, meta: dict[str, Any]) -> None:
        self.path = path
        self.url = path.removesuffix("index.md").replace(".md", "/")
        self.meta = meta


class Context(Extension):
    """The extension that Zensical enables before all others."""

    def __init__(self, page: Page, config: dict[str, Any], name: str) -> None:
        super().__init__()
        self.page, self.config_of_site, self.preprocessor = page, config, name

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # Markdown calls it so
        context = Preprocessor(md)
        context.run = lambda lines: lines  # type: ignore[method-assign]
        context.page, context.config = self.page, self.config_of_site  # type: ignore[attr-defined]
        md.preprocessors.register(context, self.preprocessor, 0)


class Project:
    """A project in a repository, with pages rendered as in Zensical."""

    def __init__(self, repository: Any) -> None:
        self.repository = repository
        self.write = repository.write
        self.config: dict[str, Any] = {
            "root_dir": str(repository.path),
            "site_url": "https://docs.example.org/",
            "use_directory_urls": True,
        }

    def render(self, path: str, context: str = "rendering_context", **meta: Any) -> dict[str, Any]:
        """The metadata of a page after rendering. The HTML must be the same as without the extension."""
        page = Page(path, dict(meta))
        before = Context(page, self.config, context)
        text = (self.repository.path / "docs" / path).read_text()
        html = Markdown(extensions=[before, "sitemap_plugins.zensical"]).convert(text)
        assert html == Markdown().convert(text)
        return page.meta

    def days(self, *paths: str) -> dict[str, str | None]:
        return {path: self.render(path).get(f"{REVISION}_raw_iso_date") for path in paths}


@pytest.fixture(autouse=True)
def zensical(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that Zensical is imported, and that no message was printed yet."""
    monkeypatch.setitem(sys.modules, "zensical", ModuleType("zensical"))
    monkeypatch.setattr(extension, "_reported", set())


@pytest.fixture
def project(repository: Any) -> Project:
    """Two pages, one of them changed later, and an uncommitted page."""
    project = Project(repository)
    project.write("zensical.toml", '[project]\nsite_name = "Sample"\n')
    project.write("docs/index.md", "# Home\n")
    project.write("docs/guide.md", "# Guide\n")
    repository.commit("2026-03-01T12:00:00+00:00")
    project.write("docs/guide.md", "# Guide\n\nMore.\n")
    repository.commit("2026-03-02T23:30:00-05:00")
    project.write("docs/new.md", "# New\n")
    return project


def test_a_page_has_the_date_of_its_last_commit_in_all_forms(project: Project) -> None:
    assert project.render("guide.md", title="A guide") == {
        "title": "A guide",
        REVISION: "March 3, 2026",
        f"{REVISION}_raw_date": "March 3, 2026",
        f"{REVISION}_raw_datetime": "March 3, 2026 04:30:00",
        f"{REVISION}_raw_datetime-timezone": "March 3, 2026 04:30:00 UTC",
        f"{REVISION}_raw_iso_date": "2026-03-03",
        f"{REVISION}_raw_iso_datetime": "2026-03-03 04:30:00",
    }


def test_an_uncommitted_page_has_no_date_and_loses_an_existing_one(project: Project) -> None:
    assert project.render("new.md", **{REVISION: "1 May 1999"}) == {}


def test_pages_have_the_same_dates_as_in_the_sitemap(project: Project) -> None:
    project.write(
        "zensical.toml",
        '[project]\nsite_name = "Sample"\n'
        '[[project.plugins.sitemap.pages]]\nmatch = "ruled/"\nlastmod = 2020-05-05\n'
        '[project.markdown_extensions."sitemap_plugins.zensical"]\n'
        "[project.markdown_extensions.pymdownx.snippets]\n",
    )
    project.write("docs/written.md", "---\nsitemap:\n  lastmod: 2020-04-04\n---\n# Written\n")
    project.write("docs/ruled.md", "# Ruled\n")
    project.write("docs/snippet.md", '# Snippet\n\n--8<-- "part.txt"\n')
    project.write("docs/depends.md", "---\nsitemap:\n  depends_on: table.csv\n---\n# Depends\n")
    project.repository.commit("2026-03-03T12:00:00+00:00")
    project.write("part.txt", "A part.\n")
    project.repository.commit("2026-03-04T12:00:00+00:00")
    project.write("table.csv", "1,2\n")
    project.repository.commit("2026-03-05T12:00:00+00:00")
    assert project.days("written.md", "ruled.md", "snippet.md", "depends.md", "index.md") == {
        "written.md": "2020-04-04",
        "ruled.md": "2020-05-05",
        "snippet.md": "2026-03-04",
        "depends.md": "2026-03-05",
        "index.md": "2026-03-01",
    }


@pytest.mark.parametrize("table", ["plugins.mkdocstrings", "markdown_extensions.zensical.extensions.mkdocstrings"])
def test_documented_code_dates_pages(project: Project, table: str) -> None:
    project.write("zensical.toml", f'[project.{table}.handlers.python]\npaths = ["src"]\n')
    project.write("docs/api.md", "::: tool\n")
    project.write("docs/gone.md", "::: tool.gone\n")
    project.write("docs/with_text.md", "::: tool\n\n```\n::: gone\n```\n")
    project.repository.commit("2026-03-03T12:00:00+00:00")
    project.write("src/tool.py", '"""A tool."""\n')
    project.repository.commit("2026-03-04T12:00:00+00:00")
    days = {"api.md": "2026-03-04", "gone.md": None, "with_text.md": "2026-03-04", "index.md": "2026-03-01"}
    assert project.days(*days) == days


def test_a_page_that_includes_an_untracked_file_has_no_date(project: Project) -> None:
    project.write("docs/snippet.md", '# Snippet\n\n--8<-- "part.txt"\n')
    project.repository.commit("2026-03-03T12:00:00+00:00")
    project.write("part.txt", "A part.\n")
    assert project.days("snippet.md", "index.md") == {"snippet.md": None, "index.md": "2026-03-01"}


def test_rules_match_the_urls_of_pages(project: Project) -> None:
    project.config["use_directory_urls"] = False
    project.write("mkdocs.yml", 'plugins: [sitemap: {pages: [{match: "guide.html", lastmod: 2020-05-05}]}]\n')
    (project.repository.path / "zensical.toml").unlink()
    assert project.days("guide.md", "index.md") == {"guide.md": "2020-05-05", "index.md": "2026-03-01"}


def test_the_option_source_takes_precedence_over_the_generator(project: Project) -> None:
    project.write("zensical.toml", '[project.plugins.sitemap]\nsource = ["text/{path}.md"]\n')
    project.write("text/guide.md", "# Guide\n")
    project.repository.commit("2026-03-06T12:00:00+00:00")
    assert project.days("guide.md", "index.md") == {"guide.md": "2026-03-06", "index.md": "2026-03-01"}


def test_the_date_of_creation_is_given_on_request(project: Project) -> None:
    assert CREATION not in project.render("guide.md")
    elsewhere = Project(project.repository)
    elsewhere.config["root_dir"] += "/."  # dates are read once for each folder
    elsewhere.write("zensical.toml", '[project.plugins.sitemap]\nexpose = "created"\n')
    meta = elsewhere.render("guide.md")
    assert (meta[CREATION], meta[REVISION]) == ("March 1, 2026", "March 3, 2026")


def test_dates_are_written_in_the_language_of_the_theme(project: Project) -> None:
    project.write("zensical.toml", '[project.theme]\nlanguage = "de"\n')
    assert project.render("index.md")[REVISION] == "1. März 2026"


def test_the_history_is_read_once_for_all_pages_and_threads(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def date_project(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return date(*arguments, **options)

    date = extension.date_project
    monkeypatch.setattr(extension, "date_project", date_project)
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda _: project.render("guide.md")[REVISION], range(40))]
    assert found == ["March 3, 2026"] * 40
    assert len(calls) == 1


def test_an_unknown_version_of_zensical_is_reported_once_and_builds(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert project.render("guide.md", context="page_context") == {}
    assert project.render("index.md", context="page_context") == {}
    del project.config["root_dir"]
    assert project.render("guide.md") == {}
    said = capsys.readouterr().err.splitlines()
    start = "sitemap_plugins.zensical: pages show no dates: this Zensical is not supported, or"
    assert [line.startswith(start) for line in said] == [True, True]
    assert "rendering_context" in said[0]
    assert "root_dir" in said[1]


def test_invalid_options_are_reported_once_and_it_builds(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.write("zensical.toml", '[project.plugins.sitemap]\nexpos = true\n"gzip" = 3\n')
    assert project.render("guide.md") == project.render("index.md") == {}
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("sitemap_plugins.zensical: pages show no dates, because zensical.toml, ")
    assert second.startswith("sitemap_plugins.zensical: zensical.toml, ")
    assert sorted(word in second for word in ("expos", "gzip")) == [False, True]


def test_a_missing_repository_is_reported_once_and_it_builds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = Project(type("Folder", (), {"path": tmp_path, "write": None}))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Home\n")
    assert project.render("index.md") == project.render("index.md") == {}
    (said,) = capsys.readouterr().err.splitlines()
    assert "the pages have no date from git" in said


def test_options_in_the_wrong_place_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    extension.makeExtension(expose=True)
    assert capsys.readouterr().err == (
        "sitemap_plugins.zensical: expose: set options for the plugin sitemap instead, where the command reads them too\n"
    )


def test_without_zensical_it_does_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delitem(sys.modules, "zensical")
    assert Markdown(extensions=["sitemap_plugins.zensical"]).convert("# Home") == "<h1>Home</h1>"
    assert capsys.readouterr().err == ""
