"""mkdocs-monorepo and TechDocs build copies of documents; the pages have the dates of the original files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.record.site_record import parse_record

pytest.importorskip("mkdocs_monorepo_plugin")

NAV = [{"Home": "index.md"}, {"A": "!include ./a/mkdocs.yml"}, {"B": "!include ./nested/b/mkdocs.yml"}]
FILES = {
    "docs/index.md": "# Home\n",
    "a/docs/index.md": "# A\n",
    "a/docs/deep/page.md": "# Page\n",
    "nested/b/text/index.md": "# B\n",
    "nested/b/text/b.pdf": "%PDF",
}
DATED = {
    "": "2026-01-01",
    "a/": "2026-01-02",
    "a/deep/page/": "2026-01-03",
    "group/b/": "2026-01-04",
    "group/b/b.pdf": "2026-01-05",
}


@pytest.fixture
def site(mkdocs_site: Any, repository: Any) -> Any:
    site = mkdocs_site.at(repository.path)
    repository.write(".gitignore", "/site\n/mkdocs.yml\n")
    site.write("a/mkdocs.yml", json.dumps({"site_name": "a", "nav": ["index.md", "deep/page.md"]}))
    project = {"site_name": "group/b", "docs_dir": "./text", "nav": ["index.md"]}
    site.write("nested/b/mkdocs.yml", json.dumps(project))
    for day, (name, content) in enumerate(FILES.items(), 1):
        site.write(name, content)
        repository.commit(f"2026-01-{day:02}T12:00:00+00:00")
    return site


def build(site: Any, options: object = None, plugin: str = "monorepo", **config: Any) -> Any:
    plugins = [plugin, *config.pop("plugins", [])]
    built = site.build({"files": "*.pdf"} | (options or {}), plugins=plugins, **{"nav": NAV} | config)
    assert not built.failed, built.warnings
    assert not built.said("no date from git")
    return built


@pytest.mark.parametrize("plugin", ["monorepo", "techdocs-core"])
def test_documents_have_the_dates_of_the_originals(site: Any, plugin: str) -> None:
    if plugin == "techdocs-core":
        pytest.importorskip("techdocs_core")
    assert build(site, plugin=plugin).days == DATED


def test_without_navigation_nothing_is_copied(site: Any) -> None:
    assert build(site, nav=None).days == {"": "2026-01-01"}


def test_of_two_documents_with_the_same_path_the_last_one_is_built(site: Any, repository: Any) -> None:
    site.write("docs/a/index.md", "# Not shown\n")
    repository.commit("2026-01-07T12:00:00+00:00")
    assert build(site).days["a/"] == "2026-01-02"


def test_a_document_from_another_repository(site: Any, repository: Any, tmp_path: Path) -> None:
    other = type(repository)(tmp_path / "other")
    other.write("docs/index.md", "# Other\n")
    other.write("mkdocs.yml", json.dumps({"site_name": "other", "nav": ["index.md"]}))
    other.commit("2025-05-05T12:00:00+00:00")
    nav = [*NAV, {"Other": "!include ../other/mkdocs.yml"}]
    assert build(site, nav=nav).days == DATED | {"other/": "2025-05-05"}


def test_a_snippet_among_the_copied_documents_counts(site: Any, repository: Any) -> None:
    site.write("a/docs/deep/page.md", '# Page\n\n{% include-markdown "../part.md" %}\n')
    site.write("a/docs/part.md", "part")
    repository.commit("2026-01-06T12:00:00+00:00")
    site.write("a/docs/part.md", "another part")
    repository.commit("2026-01-07T12:00:00+00:00")
    assert build(site, plugins=["include-markdown"]).days["a/deep/page/"] == "2026-01-07"


def test_the_record_names_the_originals(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    record = parse_record(build(site, {"record": "site-record.json"}).read("site-record.json"))
    (page,) = (each for each in record.pages if each.loc.endswith("/a/deep/page/"))
    assert page.document == page.path == "a/docs/deep/page.md"
    monkeypatch.chdir(site.root)
    for asked in ("/a/deep/page/", "a/docs/deep/page.md"):
        answer = CliRunner().invoke(main, ["why", asked, "site", "--project", "."]).stdout
        assert "source: a/docs/deep/page.md\ndate: 2026-01-03T12:00:00Z by git" in answer


def test_the_creation_date_is_that_of_the_original(site: Any, repository: Any) -> None:
    site.write("a/docs/index.md", "# A changed\n")
    repository.commit("2026-01-06T12:00:00+00:00")
    shown = "{{ page.meta.git_creation_date_localized_raw_iso_date }}"
    site.write("theme/main.html", shown)
    theme = {"name": None, "custom_dir": str(site.root / "theme"), "static_templates": []}
    assert build(site, {"expose": "created"}, theme=theme).read("a/index.html") == b"2026-01-02"
