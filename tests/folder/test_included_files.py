"""The files that a generator includes date the pages of its sites, whose sources the option ``source`` finds."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from tests.conftest import Repository

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
