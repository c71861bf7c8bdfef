"""MkDocs: the files behind the ``:::`` blocks of a page, and the blocks of unknown tools."""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
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


class LazyGroup(click.Group):
    """A group that makes its commands when it is asked, as in the documentation of click: by name, with its context."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *ctx.command.context_settings["obj"]]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found: click.Command = ctx.obj[cmd_name](ctx)
        return found


def callback(name: str) -> Callable[..., object]:
    """A function of the file with this name."""
    names: dict[str, Callable[..., object]] = {}
    exec(compile("def run(): ...", f"/src/{name}.py", "exec"), names)  # noqa: S102  # code of another file
    return names["run"]


def command(name: str, **options: bool) -> click.Command:
    return click.Command(name, callback=callback(name), **options)


def lazy(name: str, **commands: Callable[[click.Context], click.Command]) -> LazyGroup:
    return LazyGroup(name, callback=callback(name), context_settings={"obj": commands})


def fail(_: click.Context) -> click.Command:
    raise RuntimeError


class TestCommands:
    @pytest.fixture(autouse=True)
    def program(self, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
        """A group of commands: one is decorated, one belongs to the group again, two have no code, one is hidden."""
        decorated = functools.wraps(callback("sub"))(lambda: None)  # type: ignore[type-var]  # a function
        group = click.Group("group", callback=callback("group"))
        group.commands |= {
            "sub": click.Command("sub", callback=decorated),
            "again": group,
            "none": click.Command("none"),
            "odd": SimpleNamespace(callback=None, commands=None),  # type: ignore[dict-item]  # no command
            "hidden": command("hidden", hidden=True),
        }
        module = ModuleType("blocks_cli")
        module.__file__ = "/src/cli.py"
        module.main = group  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "blocks_cli", module)
        return module

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
            (
                "::: mkdocs-click\n :module: blocks_cli\n :command: main\n :show_hidden: True\n",
                {"cli", "group", "sub", "hidden"},
            ),
            (
                "::: mkdocs-click\n :module: blocks_cli\n :command: main\n :show_hidden: False\n",
                {"cli", "group", "sub"},
            ),
        ],
    )
    def test_a_block_has_the_files_of_its_module_and_of_all_commands(self, markdown: str, files: set[str]) -> None:
        assert set(command_files(markdown)) == {f"/src/{name}.py" for name in files}

    @pytest.mark.parametrize(
        ("main", "files"),
        [
            (lazy("group", sub=lambda _: command("sub")), {"group", "sub"}),
            (lazy("group", sub=lambda _: lazy("inner", sub=lambda _: command("sub"))), {"group", "inner", "sub"}),
            # The context of an inner group has that of the outer one above it.
            (lazy("group", sub=lambda _: lazy("inner", x=lambda ctx: command(f"of_{ctx.parent.info_name}"))), {"group", "inner", "of_group"}),
            (lazy("group", a=fail, sub=lambda _: command("sub")), {"group"}),
            (lazy("group", sub=lambda _: command("sub"), inner=lambda _: lazy("inner", a=fail)), {"group", "inner", "sub"}),
        ],
    )  # fmt: skip
    def test_lazy_groups_are_asked_for_their_commands(
        self, main: click.Group, files: set[str], program: ModuleType
    ) -> None:
        program.main = main  # type: ignore[attr-defined]
        markdown = "::: mkdocs-click\n    :module: blocks_cli\n    :command: main\n"
        assert set(command_files(markdown)) == {f"/src/{name}.py" for name in ("cli", *files)}

    def test_a_group_with_commands_is_not_asked_for_others(self, program: ModuleType) -> None:
        main = lazy("group", sub=lambda _: command("sub"))
        main.add_command(command("own"))
        program.main = main  # type: ignore[attr-defined]
        markdown = "::: mkdocs-click\n    :module: blocks_cli\n    :command: main\n"
        assert {Path(file).stem for file in command_files(markdown)} == {"cli", "group", "own"}


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
