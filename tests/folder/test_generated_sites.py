"""Sites of real generators: the sitemaps of each, byte for byte, and the complete output of the command."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.sources import find_edited, match_sources
from sitemap_plugins.options.types import SourcePattern
from sitemap_plugins.published.languages import find_page_languages
from sitemap_plugins.published.tree import Tree
from tests.conftest import Repository

GENERATED = Path(__file__).parent / "generated"
# After an intended change: SITEMAP_UPDATE=1 python -m pytest tests/folder/test_generated_sites.py, then read the diff.
UPDATE = bool(os.environ.get("SITEMAP_UPDATE"))


class Tool(NamedTuple):
    """The folder of the project into which a generator builds, and the arguments of the command.

    ``unlinked`` are the pages with a source and no edit link. ``pattern`` finds the sources of these, but not of those
    that are ``unknown``.
    """

    output: str
    arguments: tuple[str, ...] = ()
    unlinked: frozenset[str] = frozenset()
    pattern: str = ""
    unknown: frozenset[str] = frozenset()


TEMPLATE = frozenset({"recipes/black-tea.html", "recipes/green-tea.html"})  # their data is in JavaScript
HOME = frozenset({"index.html", "de/index.html"})
TOOLS: Mapping[str, Tool] = {
    "docusaurus": Tool("build", unlinked=HOME, pattern="src/pages/{path}.js"),
    "vitepress": Tool(
        "docs/.vitepress/dist",
        unlinked=HOME | TEMPLATE,
        pattern="docs/{path}.md",
        unknown=TEMPLATE | {"index.html"},  # there is also a README.md, which VitePress excludes
    ),
    "starlight": Tool("dist", unlinked=frozenset({"contact/index.html"}), pattern="src/pages/{path}.astro"),
    "hugo": Tool("public"),
    "myst": Tool("_build/html", ("--base-url", "https://quarry.example/quarry/")),
    "mdbook": Tool("book", ("--base-url", "https://garden.example/sundial/")),
}


class Project(NamedTuple):
    site: Path
    arguments: tuple[str, ...]

    def run(self, *arguments: str) -> str:
        result = CliRunner().invoke(main, ["build", *self.arguments, *arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        assert [line for line in result.stderr.splitlines() if not line.startswith("info: ")] == []
        return result.stderr + result.stdout


@pytest.fixture(params=TOOLS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def project(name: str, repository: Repository, once: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Project:
    """The author's project, with its sources committed on consecutive days, and the site built from it."""
    repository.fill(once(f"projects/{name}", lambda folder: write_project(name, Repository(folder))))
    monkeypatch.chdir(repository.path)
    return Project(repository.path / TOOLS[name].output, TOOLS[name].arguments)


def write_project(name: str, repository: Repository) -> None:
    tool = TOOLS[name]
    source = GENERATED / name / "source"
    repository.write(".gitignore", f"/{tool.output}/\n")
    repository.git("remote", "add", "origin", f"git@github.com:example/{name}.git")
    shutil.copytree(source, repository.path, dirs_exist_ok=True)
    sources = sorted(path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file())
    for number, path in enumerate(sources):
        repository.git("add", "--", path)
        repository.git(
            "commit", "--quiet", "--message", path, when=f"{1767225600 + number * 86400} +0100"
        )  # 2026-01-01T00:00:00Z
    shutil.copytree(GENERATED / name / "built", repository.path / tool.output)


def sources_of(site: Path, root: Path, *patterns: str) -> dict[str, Source]:
    """The sources that edit links and patterns tell."""
    files = [*Tree(site).heads()]
    page_languages = find_page_languages(files, {}, str)
    written = [SourcePattern.parse(pattern) for pattern in patterns]
    found, _ = match_sources(files, page_languages, written, str(root))
    return found | find_edited(files, page_languages, found, str(site), str(root))[0]


@pytest.mark.parametrize("name", ["docusaurus", "vitepress", "starlight", "hugo"])
def test_sources_are_those_recorded_by_the_tool(name: str, project: Project, repository: Repository) -> None:
    recorded = json.loads((GENERATED / name / "sources.json").read_text("utf-8"))
    expected = {path: source for path, source in recorded["sources"].items() if source}
    tool, root = TOOLS[name], repository.path.resolve()
    found = sources_of(project.site, root)
    without = {path: source for path, source in expected.items() if path not in tool.unlinked}
    assert {path: Path(source.file).relative_to(root).as_posix() for path, source in found.items()} == without
    assert sorted(path for path, source in found.items() if source.is_copy) == recorded["untranslated"]
    found = sources_of(project.site, root, tool.pattern) if tool.pattern else found
    assert {path: source.name for path, source in found.items()} == {
        path: source for path, source in expected.items() if path not in tool.unknown
    }
    assert sorted(path for path, source in found.items() if source.is_copy) == recorded["untranslated"]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_and_output_are_as_expected(name: str, project: Project, valid_sitemap: Callable[[bytes], Any]) -> None:
    before = contents(project.site)
    said = project.run()
    after = contents(project.site)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    written = {path: after[path] for path in changed & after.keys()}
    for path, content in written.items():
        if path.endswith(".xml"):
            valid_sitemap(content)
    found = written | {"output.txt": said.encode()}
    folder = GENERATED / name / "expected"
    if UPDATE:
        shutil.rmtree(folder, ignore_errors=True)
        for path, content in found.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
    assert found == contents(folder)
    # Pages are unchanged; the sitemaps of languages are removed.
    assert {path for path in changed if "/" in path} == {path for path in before if path.endswith("/sitemap.xml")}


def test_a_second_run_changes_nothing(project: Project) -> None:
    project.run()
    before = contents(project.site)
    assert project.run().endswith("\nnothing to change\n")
    assert contents(project.site) == before


def test_a_dry_run_names_the_same_files_and_writes_nothing(project: Project) -> None:
    before = contents(project.site)
    planned = project.run("--dry-run")
    assert contents(project.site) == before
    assert planned.replace("\nwould change: ", "\nchanged: ") == project.run()
    assert "\nwould change: " in planned


@pytest.mark.parametrize("name", ["docusaurus"])
@pytest.mark.parametrize("style", ["html", "clean", "directory"])
def test_a_style_of_urls_does_not_apply_to_pages_of_folders(project: Project, style: str) -> None:
    assert "changed: " in project.run()
    again = project.run("--urls", style)
    assert "nothing to change" in again
    assert "spells its URL" not in again


@pytest.mark.parametrize("name", ["docusaurus"])
def test_an_edit_link_to_a_translation_takes_precedence_over_a_pattern_that_finds_the_original(
    project: Project,
) -> None:
    before = project.run()
    (project.site.parent / "sitemap.toml").write_text('source = ["src/pages/{path}.md"]\n')
    # The pattern finds only the original of de/contact/.
    said = project.run()
    assert said.splitlines()[-2] == before.splitlines()[-2]
    assert said.endswith("\nnothing to change\n")


@pytest.mark.parametrize("name", ["mdbook"])
def test_a_pattern_for_the_first_chapter_of_a_book_dates_the_home_page(project: Project) -> None:
    (project.site.parent / "sitemap.toml").write_text('source = ["src/{path}.md"]\n')
    project.run()
    assert (project.site / "sitemap.xml").read_bytes() == (GENERATED / "mdbook/expected/sitemap.xml").read_bytes()
