"""The sources of generated documents, for all forms of configuration that sphinx-gallery accepts."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sitemap_plugins.sphinx.pages import GeneratedDocuments


def generated(folder: Path, options: dict[str, Any]) -> GeneratedDocuments:
    app: Any = SimpleNamespace(
        srcdir=os.fspath(folder),
        config=SimpleNamespace(sphinx_gallery_conf=options),
        env=SimpleNamespace(),
        extensions={},
    )
    return GeneratedDocuments(app)


@pytest.mark.parametrize("galleries", ["auto", ["auto"], ("auto",), Path("auto")])
@pytest.mark.parametrize("examples", ["../ex", ["../ex"], Path("../ex")])
def test_galleries_and_examples_are_read_in_any_form(tmp_path: Path, galleries: Any, examples: Any) -> None:
    for name in ("doc", "ex"):
        (tmp_path / name).mkdir()
    (tmp_path / "ex" / "plot.py").write_bytes(b"")
    documents = generated(tmp_path / "doc", {"gallery_dirs": galleries, "examples_dirs": examples})
    assert [*documents.sources_of("auto/plot")] == [os.fspath(tmp_path / "ex" / "plot.py")]


@pytest.mark.parametrize("options", [{}, {"gallery_dirs": None, "examples_dirs": 5}, {"gallery_dirs": ["a", "b"]}])
def test_values_that_are_not_folders_have_no_examples(tmp_path: Path, options: dict[str, Any]) -> None:
    assert [*generated(tmp_path, options).sources_of("a/plot")] == []


def test_the_folders_that_are_written_into(tmp_path: Path) -> None:
    options = {"gallery_dirs": ["auto", Path("more/")], "backreferences_dir": "gen/back", "examples_dirs": "../ex"}
    for given, folders in ((options, ["auto", "more", "gen/back"]), ({"backreferences_dir": None}, [])):
        assert [*generated(tmp_path, given).folders] == [os.fspath(tmp_path / each) for each in folders]
