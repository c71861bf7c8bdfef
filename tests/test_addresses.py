"""The addresses of the project and its manual stand in one place; everything else follows from it."""

from __future__ import annotations

import re
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.config import load_config
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

from sitemap_plugins import project
from tests.builders import load_program

ROOT = Path(__file__).parent.parent
PROGRAM = load_program(ROOT / "docs" / "project.py")
FILES = PROGRAM.files()
REPOSITORY = "https://git.example.org/owner/sitemap-plugins"
MANUAL = "https://manual.example.org/stable/"
TEXTS = {".cff", ".md", ".py", ".rst", ".toml", ".txt", ".yaml", ".yml"}
FOLDERS = (".github", "benchmarks", "docs", "sample_sites", "sitemap_plugins", "tests")


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "REPOSITORY", REPOSITORY)
    monkeypatch.setattr(project, "MANUAL", MANUAL)
    monkeypatch.delenv("READTHEDOCS_CANONICAL_URL", raising=False)


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_addresses_is_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == FILES[name], "stale: run python -m nox -s reference"


def test_an_address_reaches_every_file_and_can_be_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*FILES, "pyproject.toml", "action.yml"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(PROGRAM, "ROOT", tmp_path)
    written = PROGRAM.files(MANUAL, REPOSITORY)
    for name, text in written.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert f"\n\n[![Tests]({REPOSITORY}/actions/workflows/tests.yml/badge.svg)]" in written["README.md"]
    assert f"[a clone of this repository]({REPOSITORY})" in written["README.md"]
    assert f"[security page of the repository]({REPOSITORY}/security/advisories/new)" in written["SECURITY.md"]
    assert f"({REPOSITORY}/tree/main/tests)" in written["docs/rules.md"]
    assert f"[clone the repository of the plugin]({REPOSITORY})" in written["docs/troubleshooting.md"]
    examples = re.findall(r"```yaml\n(- uses: owner/sitemap-plugins@v.*?)```", written["docs/ci.md"], re.DOTALL)
    inputs = [{*step["with"]} for example in examples for step in yaml.safe_load(example)]
    assert inputs == [{"branch", "retire"}, {"path"}]
    assert f"```yaml\nrepos:\n  - repo: {REPOSITORY}\n    rev: v" in written["docs/check.md"]
    citation = yaml.safe_load(written["CITATION.cff"])
    assert (citation["url"], citation["repository-code"]) == (MANUAL, REPOSITORY)
    contacts = yaml.safe_load(written[".github/ISSUE_TEMPLATE/config.yml"])["contact_links"]
    urls = [f"{MANUAL}troubleshooting/", f"{REPOSITORY}/security/advisories/new"]
    assert [each["url"] for each in contacts] == urls
    assert PROGRAM.files(MANUAL, REPOSITORY) == written
    assert PROGRAM.files() == FILES
    assert [text for text in PROGRAM.files(repository=None).values() if REPOSITORY in text] == []


def mkdocs_config() -> Any:
    config = load_config(str(ROOT / "mkdocs.yml"))
    load_program(ROOT / "docs" / "mkdocs_hooks.py").on_config(config)
    return config


@pytest.mark.usefixtures("address")
def test_mkdocs_has_the_addresses() -> None:
    config = mkdocs_config()
    assert (config.site_url, config.repo_url, config.repo_name) == (MANUAL, REPOSITORY, "sitemap-plugins")
    page = Page(None, File("ci.md", config.docs_dir, config.site_dir, use_directory_urls=True), config)
    assert page.edit_url == f"{REPOSITORY}/edit/main/docs/ci.md"
    assert (Path(config.docs_dir).relative_to(ROOT) / "ci.md").as_posix() == "docs/ci.md"


def test_without_an_address_mkdocs_has_no_edit_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "REPOSITORY", None)
    config = mkdocs_config()
    page = Page(None, File("ci.md", config.docs_dir, config.site_dir, use_directory_urls=True), config)
    assert (config.site_url, config.repo_url, page.edit_url) == (project.MANUAL, None, None)


@pytest.mark.usefixtures("address")
def test_sphinx_has_the_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    names = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    assert names["html_baseurl"] == MANUAL
    assert names["html_theme_options"]["source_edit_link"] == f"{REPOSITORY}/edit/main/docs/{{filename}}"
    assert names["html_theme_options"]["source_view_link"] == f"{REPOSITORY}/blob/main/docs/{{filename}}"
    monkeypatch.setattr(project, "REPOSITORY", None)
    assert "html_theme_options" not in runpy.run_path(str(ROOT / "docs" / "conf.py"))


@pytest.mark.usefixtures("address")
def test_on_read_the_docs_the_manual_has_the_url_of_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://manual.example.org/latest/")
    assert mkdocs_config().site_url == "https://manual.example.org/latest/"
    assert runpy.run_path(str(ROOT / "docs" / "conf.py"))["html_baseurl"] == "https://manual.example.org/latest/"


def test_no_other_file_spells_out_an_address() -> None:
    host = project.MANUAL.split("/")[2]
    addresses = re.compile(
        rf"{re.escape(host)}|(?:github|gitlab)\.com/(?!OWNER/)[\w.-]+/sitemap[-_]plugins\b", re.IGNORECASE
    )
    if project.REPOSITORY:
        addresses = re.compile(f"{addresses.pattern}|{re.escape(project.REPOSITORY)}", re.IGNORECASE)
    files = [*ROOT.iterdir(), *(file for folder in FOLDERS for file in (ROOT / folder).rglob("*"))]
    names = {file.relative_to(ROOT).as_posix(): file for file in files if file.suffix in TEXTS and file.is_file()}
    texts = {name: file.read_text("utf-8", errors="replace") for name, file in names.items()}
    without = PROGRAM.files(manual=MANUAL, repository=None)
    found = [name for name, text in (texts | without).items() if addresses.search(text)]
    assert found == ["sitemap_plugins/project.py"]
