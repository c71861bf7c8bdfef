"""MkDocs: the files behind the ``:::`` blocks of a page, and the blocks of unknown tools."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from sitemap_plugins.mkdocs.blocks import command_files, object_files, unknown_blocks


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that defines its objects in ``_impl.py`` and says that they are its own, as httpx does."""
    folder = tmp_path / "blocks_pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from ._impl import Error, other as alias, work\nfrom . import user\nError.__module__ = __name__\nLIMIT = 3\n"
    )
    (folder / "_impl.py").write_text("class Error(Exception): ...\nasync def work(): ...\ndef other(): ...\n")
    (folder / "user.py").write_text("from ._impl import Error, work\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("blocks_pkg")
    yield folder
    for name in [name for name in sys.modules if name.startswith("blocks_pkg")]:
        del sys.modules[name]


def signature(shown: str, qualifier: str = "") -> str:
    module, _, name = shown.rpartition(".")
    inner = f"{module}.<strong>{name}</strong>" if module else f"<strong>{name}</strong>"
    return f'<div class="autodoc-signature">{qualifier}<code>{inner}</code></div>'


class TestObjects:
    @pytest.mark.parametrize(
        ("shown", "names"),
        [
            (signature("blocks_pkg.Error", "<em>class </em>"), ["_impl.py"]),
            (signature("blocks_pkg.work", "<em>async </em>"), ["_impl.py"]),
            (signature("blocks_pkg.LIMIT"), ["__init__.py"]),
            (signature("blocks_pkg.alias"), ["__init__.py"]),  # no file defines it under this name
            (signature("blocks_pkg.nothing"), []),
            (signature("blocks_nowhere.work"), []),
            (signature("work"), []),  # a member
            ("<p>blocks_pkg.<strong>work</strong></p>", []),
        ],
    )
    def test_an_object_has_the_file_that_defines_it(self, package: Path, shown: str, names: list[str]) -> None:
        assert list(object_files(shown)) == [str(package / name) for name in names]

    def test_a_module_whose_file_is_gone(self, package: Path) -> None:
        (package / "_impl.py").unlink()
        assert list(object_files(signature("blocks_pkg.work"))) == [str(package / "__init__.py")]


class TestCommands:
    @pytest.fixture(autouse=True)
    def program(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A group of commands: one is decorated, one belongs to the group again, one has no code."""

        def callback(file: str) -> object:
            names: dict[str, object] = {}
            exec(compile("def run(): ...", file, "exec"), names)  # noqa: S102  # code of another file
            return names["run"]

        decorated = functools.wraps(callback("/src/sub.py"))(lambda: None)  # type: ignore[type-var]  # a function
        group = SimpleNamespace(callback=callback("/src/group.py"), commands={})
        group.commands |= {
            "sub": SimpleNamespace(callback=decorated),
            "again": group,
            "none": SimpleNamespace(callback=None, commands=None),
        }
        module = ModuleType("blocks_cli")
        module.__file__ = "/src/cli.py"
        module.main = group  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "blocks_cli", module)

    @pytest.mark.parametrize(
        ("markdown", "files"),
        [
            ("::: mkdocs-click\n    :module: blocks_cli\n    :command: main\n", {"cli", "group", "sub"}),
            ("a\n::: mkdocs-click\n\t:depth: 1\n :command:  main \n :module: blocks_cli", {"cli", "group", "sub"}),
            ("::: mkdocs-click\n    :module: blocks_cli\n    :command: missing\n", {"cli"}),
            ("::: mkdocs-click\n    :module: blocks_nowhere\n    :command: main\n", set()),
            ("::: mkdocs-click\n\n    :module: blocks_cli\n    :command: main\n", set()),
            ("x ::: mkdocs-click\n    :module: blocks_cli\n    :command: main\n", set()),
            ("::: mkdocs-click", set()),
        ],
    )
    def test_a_block_has_the_files_of_its_module_and_of_all_commands(self, markdown: str, files: set[str]) -> None:
        assert set(command_files(markdown)) == {f"/src/{name}.py" for name in files}


@pytest.mark.parametrize(
    ("markdown", "content", "known", "names"),
    [
        ("::: mkdocs-typer", "<p>usage</p>", "", ["mkdocs-typer"]),
        (":::made.of:it x", "", "", ["made.of:it"]),
        ("::: one\n\n::: two\n\n::: one", "", "", ["one", "two"]),
        ("a ::: one", "", "", []),
        ("    ::: one", "", "", []),
        ("```\n::: one\n```", '<span class="p">:::</span> one', "", []),
        ("::: one", "<p>::: one</p>", "", []),
        ("<!-- \n::: one\n-->", "<!-- \n::: one\n-->", "", []),
        ("```\n::: one\n```\n\n::: one", "<code>:::&#32;one</code>", "", ["one"]),
        ("::: warning\ntext\n:::", "", "", []),
        ("::: mkdocs-click", "", "mkdocs-click", []),
        ("::: mkdocs-click", "", "pkg", ["mkdocs-click"]),
        ("::: pkg.mod\n\n::: pkg\n\n::: ./src/a-b.sh", "", "pkg ./src/a-b.sh", ["pkg.mod"]),
        ("::: src/a+b.sh", "", "src/a+b.sh", []),
        ("::: pkg.mod\n\n::: pkg.other", signature("pkg.mod"), "", ["pkg.other"]),
    ],
)
def test_unknown_blocks_are_those_that_a_tool_replaced(
    markdown: str, content: str, known: str, names: list[str]
) -> None:
    assert unknown_blocks(markdown, content, known.split()) == names
