"""The contents of source files: front matter and includes, each file read once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sitemap_plugins.folder.generators.source import FrontMatter
from sitemap_plugins.folder.source_texts import SourceTexts
from sitemap_plugins.session.includes import Include
from tests.builders import refuse_to_open


def test_front_matter_and_included_files(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text('\ufeff---\ntitle: A\n---\n--8<-- "b.md"\n--8<-- "b.md"\n{! c.md !}\n', encoding="utf-8")
    texts = SourceTexts({"pymdownx.snippets"}, multimarkdown=False)
    assert texts.front_matter(str(file)) == FrontMatter({"title": "A"})
    file.unlink()
    assert texts.read(str(file)).includes == (Include("b.md"),)


def test_lines_at_the_top_are_front_matter_only_for_mkdocs(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("title: A\n\nText", encoding="utf-8")
    found = [
        SourceTexts(None, multimarkdown=each).front_matter(str(tmp_path / "a.md")).values for each in (True, False)
    ]
    assert found == [{"title": "A"}, {}]


@pytest.mark.parametrize("name", ["a.js", "a.astro", "a.ipynb", "a"])
def test_scripts_and_data_have_no_front_matter(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text('---\ntitle: A\n---\n--8<-- "b.md"', encoding="utf-8")
    texts = SourceTexts(None, multimarkdown=True)
    assert (texts.front_matter(str(tmp_path / name)), texts.read(str(tmp_path / name)).includes) == (FrontMatter(), ())


def test_invalid_bytes_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"---\ntitle: A\n---\ncaf\xe9")
    assert SourceTexts(None, multimarkdown=False).front_matter(str(tmp_path / "a.md")).values == {"title": "A"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a special permission there")
def test_a_source_that_links_to_itself_is_a_problem_of_its_page(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("a.md")
    found = SourceTexts(None, multimarkdown=False).front_matter(str(tmp_path / "a.md"))
    assert found.problem.startswith("the source cannot be read: ")


def test_an_unreadable_source_is_a_problem_of_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    refuse_to_open(tmp_path / "a.md", monkeypatch)
    found = SourceTexts(None, multimarkdown=False).front_matter(str(tmp_path / "a.md"))
    assert found == FrontMatter(problem="the source cannot be read: Permission denied")
