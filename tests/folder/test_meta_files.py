"""Front matter that pages inherit from a file in their folder or a folder above."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.folder.configuration import ConfigurationError, read_configuration
from sitemap_plugins.folder.generators.source import FrontMatter, read_meta_files


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs/deep").mkdir(parents=True)
    (tmp_path / "docs/.meta.yml").write_text("tags: [a]\nsitemap: {priority: 0.3, section: x}\ntitle: All\n", "utf-8")
    (tmp_path / "docs/deep/.meta.yml").write_text("sitemap: {priority: 0.4}\n", "utf-8")
    (tmp_path / ".meta.yml").write_text("outside: true\n", "utf-8")
    return tmp_path / "docs"


def extend(docs: Path, name: str, plugins: str = "[meta]", **own: object) -> FrontMatter:
    (docs.parent / "mkdocs.yml").write_text(f"plugins: {plugins}\n", "utf-8")
    found = read_meta_files(read_configuration(str(docs.parent)))
    assert found
    return found.extend(str(docs / name), FrontMatter(own))


def test_nearer_files_take_precedence_and_the_page_itself_over_all(docs: Path) -> None:
    assert extend(docs, "a.md", tags=["b"]) == FrontMatter(
        {"tags": ["a", "b"], "sitemap": {"priority": 0.3, "section": "x"}, "title": "All"}
    )
    assert extend(docs, "deep/a.md", title="Mine", sitemap={"exclude": True}) == FrontMatter(
        {"tags": ["a"], "sitemap": {"priority": 0.4, "section": "x", "exclude": True}, "title": "Mine"}
    )
    assert extend(docs, "deep/none/a.md", sitemap=False).values["sitemap"] is False


def test_files_can_have_another_name(docs: Path) -> None:
    (docs / "deep/all.yml").write_text("sitemap: false\n", "utf-8")
    assert extend(docs, "deep/a.md", "[{meta: {meta_file: all.yml}}]") == FrontMatter({"sitemap": False})


@pytest.mark.parametrize("name", ['"a\\0"', "3", "[a]"])
def test_an_invalid_file_name_is_refused(docs: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^mkdocs\.yml: meta_file must be the name of a file, not "):
        extend(docs, "a.md", f"[{{meta: {{meta_file: {name}}}}}]")


def test_a_file_outside_inherits_nothing(docs: Path) -> None:
    assert extend(docs, f"{docs.parent}/a.md", title="Mine") == FrontMatter({"title": "Mine"})


def test_a_file_that_is_not_yaml_is_a_problem_of_its_pages(docs: Path) -> None:
    (docs / "deep/.meta.yml").write_text("a: [\n", "utf-8")
    found = extend(docs, "deep/a.md", title="Mine")
    assert found.values["title"] == "Mine"
    assert found.problem.startswith(f"{Path('deep/.meta.yml')} cannot be used: it cannot be read as YAML")
    assert not extend(docs, "a.md").problem


@pytest.mark.parametrize("plugins", ["[search]", "[]", "[[meta]]", "[{meta: {enabled: false}}]"])
def test_without_the_plugin_nothing_is_inherited(docs: Path, plugins: str) -> None:
    (docs.parent / "mkdocs.yml").write_text(f"plugins: {plugins}\n", "utf-8")
    assert read_meta_files(read_configuration(str(docs.parent))) is None
