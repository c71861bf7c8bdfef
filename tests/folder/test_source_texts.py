"""The contents of source files, each read once, and the files that they include, which date the pages."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.folder.generators.source import FrontMatter
from sitemap_plugins.folder.source_texts import SourceTexts
from sitemap_plugins.session.includes import Include
from tests.builders import refuse_to_open
from tests.conftest import Repository


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


NEW, OLD = "2026-01-05", "2026-01-01"


def build(repository: Repository, generator: str, page: str, suffix: str) -> tuple[str | None, str]:
    """The date of a page in a built folder, and the output of the command. The file code/x.rs is newer."""
    source = f'source = ["src/{{path}}{suffix}"]'
    repository.write("sitemap.toml", f'base_url = "https://e.example/"\nlastmod_format = "date"\n{source}\n')
    repository.write(f"src/a{suffix}", page)
    repository.commit(f"{OLD}T12:00:00+00:00")
    repository.write("code/x.rs", "fn main() {}\n")
    repository.commit(f"{NEW}T12:00:00+00:00")
    repository.write("out/a.html", f'<html><head><meta name="generator" content="{generator}"><title>A</title>')
    if generator == "mdBook":
        repository.write("out/ayu-highlight-1234.css", "")
    run = CliRunner().invoke(main, ["build", str(repository.path / "out"), "--project", str(repository.path), "-v"])
    sitemap = (repository.path / "out/sitemap.xml").read_text("utf-8")
    return next(iter(re.findall("<lastmod>(.*)</lastmod>", sitemap)), None), run.output


SYNTAX = {
    "mdBook": ("{{{{#include {}}}}}", ".md"),
    "mystmd": ("```{{literalinclude}} {}\n```", ".md"),
    "": ("include::{}[]", ".adoc"),
}


@pytest.mark.parametrize("generator", SYNTAX)
def test_an_included_file_dates_a_page(generator: str, repository: Repository) -> None:
    form, suffix = SYNTAX[generator]
    assert build(repository, generator, form.format("../code/x.rs"), suffix)[0] == NEW


@pytest.mark.parametrize("generator", SYNTAX)
def test_a_page_has_no_date_and_is_named_if_a_file_is_missing(generator: str, repository: Repository) -> None:
    form, suffix = SYNTAX[generator]
    lastmod, output = build(repository, generator, form.format("../code/gone.rs"), suffix)
    assert lastmod is None
    assert f"1 page has no date, such as src/a{suffix} (it includes ../code/gone.rs, which was not found); " in output


@pytest.mark.parametrize(
    "page",
    [
        *(form.format("../gone.rs") for form, _ in SYNTAX.values()),
        "import { Badge } from 'vitepress'\nimport Tabs from '@theme/Tabs'\n",
        '{{< include "gone.md" >}}\n{{% readfile "gone.md" %}}\n',
        '```\n<!--@include: ./gone.md-->\n<<< @/gone.js\n--8<-- "gone.md"\n{! gone.md !}\n```\n',
    ],
)
@pytest.mark.parametrize("generator", ["VitePress v2", "Hugo 0.1", "Docusaurus v3", "Antora 3", ""])
def test_what_may_be_an_example_costs_no_date(generator: str, page: str, repository: Repository) -> None:
    assert build(repository, generator, page, ".md")[0] == OLD
