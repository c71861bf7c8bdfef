"""The code that a document shows with mkdocstrings, found without importing it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.documented import DocumentedCode
from sitemap_plugins.folder.generators.source import Source

CODE: Mapping[str, str] = {
    "__init__.py": '"""All."""\nfrom box.one import One\nfrom box.two import _two, plain\n\n__all__ = ["One", "plain"]\n',
    "one.py": 'from box.base import Base\n\nclass One(Base):\n    """One.\n\n    ::: box.three\n    """\n',
    "two.py": 'def _two():\n    """Two."""\n\ndef plain():\n    pass\n',
    "three.py": '"""Three."""\n\nfrom nowhere import lost\n\n__all__ = ["lost"]\n',
    "base.py": 'class Base:\n    """Base."""\n\n    def work(self):\n        """Work."""\n',
    "_private.py": '"""Private."""\n',
    "loop.py": '"""Loop."""\nfrom box import loop\n\n__all__ = ["loop", "box"]\nimport box\n',
}


@pytest.fixture
def box(tmp_path: Path) -> Path:
    for name, text in CODE.items():
        path = tmp_path / "lib" / "box" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def shown(
    root: Path, text: str, options: Mapping[str, object] | None = None, **plugin: object
) -> tuple[list[str], str]:
    """The names of the files that a document shows, and what is wrong."""
    (root / "a.md").write_text(text, encoding="utf-8")
    python = {"paths": ["li*"], "options": options or {}}
    code = DocumentedCode(Configuration(root=str(root)), {"handlers": {"python": python}, **plugin})
    files, unresolved = code.shown_by(Source(str(root / "a.md"), "a.md"))
    return sorted(Path(file).relative_to(root).as_posix().removeprefix("lib/box/") for file in files), unresolved


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ({}, ["__init__.py", "one.py", "three.py"]),
        ({"members": ["_two"]}, ["__init__.py", "two.py"]),
        ({"members": True}, ["__init__.py", "one.py", "three.py", "two.py"]),
        ({"members": []}, ["__init__.py"]),
        ({"show_if_no_docstring": True}, ["__init__.py", "one.py", "three.py", "two.py"]),
        ({"filters": "public"}, ["__init__.py", "one.py", "three.py"]),
        ({"filters": ["!^One$"]}, ["__init__.py"]),
        ({"filters": ["^One$"]}, ["__init__.py", "one.py", "three.py"]),
        ({"filters": None}, ["__init__.py", "one.py", "three.py"]),
        ({"inherited_members": True}, ["__init__.py", "base.py", "one.py", "three.py"]),
        ({"inherited_members": ["rest"]}, ["__init__.py", "one.py", "three.py"]),
        ({"show_submodules": True}, ["__init__.py", "base.py", "loop.py", "one.py", "three.py", "two.py"]),
    ],
)
def test_members_that_mkdocstrings_selects_are_shown(options: dict[str, object], files: list[str], box: Path) -> None:
    assert shown(box, "::: box", options) == (files, "")
    assert shown(box, "::: box\n    options: " + str(options).replace("'", '"').replace("None", "null")) == (files, "")


@pytest.mark.parametrize("name", ["box.gone", "gone", "gone.x", "some path", "box.three.lost"])
def test_a_block_that_leads_nowhere_is_named(name: str, box: Path) -> None:
    assert shown(box, f"::: box.base\n\n## ::: {name}") == (
        [],
        f"it shows code that cannot be read: {name} was not found",
    )


def test_a_block_of_another_tool_is_named(box: Path) -> None:
    assert shown(box, "::: mkdocs-click\n    :module: box\n") == (
        [],
        "it shows code that cannot be read: the block ::: mkdocs-click is not one of mkdocstrings",
    )


@pytest.mark.parametrize("extension", ["mkdocs-click", "mkdocs_click"])
def test_a_block_that_its_own_extension_replaces_is_none_of_mkdocstrings(extension: str, box: Path) -> None:
    (box / "a.md").write_text("::: mkdocs-click\n    :module: box\n\n::: box.one\n", encoding="utf-8")
    project = {"markdown_extensions": [extension]}
    code = DocumentedCode(Configuration(root=str(box), project=project), {"handlers": {"python": {"paths": ["lib"]}}})
    files, unresolved = code.shown_by(Source(str(box / "a.md"), "a.md"))
    assert [Path(file).name for file in files] == ["one.py", "three.py"]
    assert unresolved == ""


@pytest.mark.parametrize("name", ["box.one", "box.one.One"])
def test_blocks_in_every_docstring_count(name: str, box: Path) -> None:
    assert shown(box, f"::: {name}") == (["one.py", "three.py"], "")


def test_docstrings_that_show_each_other_end(box: Path) -> None:
    (box / "lib/box/loop.py").write_text('"""Loop.\n\n::: box.other"""\n', encoding="utf-8")
    (box / "lib/box/other.py").write_text('"""Other.\n\n::: box.loop"""\n', encoding="utf-8")
    assert shown(box, "::: box.loop") == (["loop.py", "other.py"], "")


def test_options_that_cannot_be_read_leave_the_page_without_a_date(box: Path) -> None:
    files, unresolved = shown(box, "::: box\n    options: [")
    assert (files, unresolved.startswith("it shows code that cannot be read: ")) == ([], True)


def test_a_file_that_another_handler_shows_counts(box: Path) -> None:
    (box / "run.sh").touch()
    assert shown(box, "::: run.sh\n    handler: shell") == (["run.sh"], "")
    assert shown(box, "::: run.sh", default_handler="shell") == (["run.sh"], "")
    assert shown(box, "::: box\n    handler: shell") == ([], "it shows code that cannot be read: box was not found")


@pytest.mark.parametrize("library", ["griffe", "markdown"])
def test_without_its_libraries_nothing_is_known(library: str, box: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    files, unresolved = shown(box, "# A\n\n# ::: box")
    assert (files, unresolved.startswith("it shows code that cannot be read: ")) == ([], True)
    assert library in unresolved


def test_nothing_is_imported(box: Path) -> None:
    (box / "lib/box/bad.py").write_text('"""Bad."""\nraise SystemExit\n', encoding="utf-8")
    assert shown(box, "::: box.bad") == (["bad.py"], "")
    assert "box" not in sys.modules
