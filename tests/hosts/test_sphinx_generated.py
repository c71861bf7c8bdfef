"""The sources of generated documents, for all forms of configuration that sphinx-gallery accepts."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sitemap_plugins.sphinx.pages import GeneratedDocuments


@pytest.mark.parametrize("galleries", ["auto", ["auto"], ("auto",), Path("auto")])
@pytest.mark.parametrize("examples", ["../ex", ["../ex"], Path("../ex")])
def test_galleries_and_examples_are_read_in_any_form(tmp_path: Path, galleries: Any, examples: Any) -> None:
    for name in ("doc", "ex"):
        (tmp_path / name).mkdir()
    (tmp_path / "ex" / "plot.py").write_bytes(b"")
    options = {"gallery_dirs": galleries, "examples_dirs": examples}
    app: Any = SimpleNamespace(
        srcdir=os.fspath(tmp_path / "doc"),
        config=SimpleNamespace(sphinx_gallery_conf=options),
        env=SimpleNamespace(),
        extensions={},
    )
    assert [*GeneratedDocuments(app).sources_of("auto/plot")] == [os.fspath(tmp_path / "ex" / "plot.py")]


@pytest.mark.parametrize("options", [{}, {"gallery_dirs": None, "examples_dirs": 5}, {"gallery_dirs": ["a", "b"]}])
def test_values_that_are_not_folders_have_no_examples(tmp_path: Path, options: dict[str, Any]) -> None:
    app: Any = SimpleNamespace(
        srcdir=os.fspath(tmp_path),
        config=SimpleNamespace(sphinx_gallery_conf=options),
        env=SimpleNamespace(),
        extensions={},
    )
    assert [*GeneratedDocuments(app).sources_of("a/plot")] == []


def test_the_folders_that_are_written_into(tmp_path: Path) -> None:
    options = {"gallery_dirs": ["auto", Path("more/")], "backreferences_dir": "gen/back", "examples_dirs": "../ex"}
    for given, folders in ((options, ["auto", "more", "gen/back"]), ({"backreferences_dir": None}, [])):
        app: Any = SimpleNamespace(srcdir=os.fspath(tmp_path), config=SimpleNamespace(sphinx_gallery_conf=given))
        assert [*GeneratedDocuments(app).folders] == [os.fspath(tmp_path / each) for each in folders]
