"""sphinx-gallery regenerates documents in every build: they have the dates of the examples they show."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("sphinx_gallery")

EXAMPLE = '"""\n{name}\n====\n\nText.\n"""\n\nprint("{name}")\n'
FILES = {
    "examples/GALLERY_HEADER.rst": "Gallery\n=======\n",
    "examples/plot_one.py": EXAMPLE.format(name="one"),
    "examples/more/GALLERY_HEADER.rst": "More\n----\n",
    "examples/more/plot_two.py": EXAMPLE.format(name="two"),
    "docs/index.rst": "Home\n====\n\n.. toctree::\n\n   gallery/all/index\n",
}
DATED = {
    "gallery/all/index.html": "",
    "gallery/all/more/index.html": "",
    "gallery/all/more/plot_two.html": "2026-01-04",
    "gallery/all/more/sg_execution_times.html": "",
    "gallery/all/plot_one.html": "2026-01-02",
    "gallery/all/sg_execution_times.html": "",
    "index.html": "2026-01-05",
    "sg_execution_times.html": "",
}


@pytest.fixture
def site(sphinx_site: Any, repository: Any) -> Any:
    """One file for each day from 1 January 2026 on."""
    repository.write(".gitignore", "output\ndoctrees\ndocs/gallery\ndocs/sg_*\n")
    for day, (name, content) in enumerate(FILES.items(), 1):
        repository.write(name, content)
        repository.commit(f"2026-01-{day:02}T12:00:00+00:00")
    return sphinx_site.at(repository.path)


def build(site: Any, options: object = None, **gallery: Any) -> Any:
    folders = {"examples_dirs": ["../examples"], "gallery_dirs": ["gallery/all"]}
    gallery = {"image_scrapers": (), "reset_modules": ()} | gallery  # these need matplotlib
    extensions = ["sitemap_plugins.sphinx", "sphinx_gallery.gen_gallery"]
    built = site.build(options, extensions=extensions, sphinx_gallery_conf=folders | gallery)
    assert not built.failed, built.warnings
    return built


@pytest.mark.parametrize(
    "gallery",
    [{}, {"examples_dirs": "../examples", "gallery_dirs": "gallery/all"}, {"gallery_dirs": ["./gallery/all/"]}],
)
def test_pages_have_the_dates_of_their_examples(site: Any, gallery: dict[str, Any]) -> None:
    days = build(site, **gallery).days
    assert {path: days.get(path) for path in DATED} == DATED


def test_an_incremental_build_without_changes_gives_the_same_dates(site: Any) -> None:
    assert build(site).days == build(site).days


def test_the_record_names_the_example(site: Any) -> None:
    record = json.loads(build(site, {"record": "record.json"}).read("record.json"))
    pages = {each["loc"].rpartition("/")[2]: each for each in record["pages"]}
    assert pages["plot_one.html"]["path"] == "examples/plot_one.py"
