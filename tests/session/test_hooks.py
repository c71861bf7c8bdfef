"""The author's own functions, imported from a module beside the configuration."""

import sys
from pathlib import Path

import pytest

from sitemap_plugins.model import DROP, Adjuster, Entry, Page
from sitemap_plugins.options.types import Hook
from sitemap_plugins.session.host import import_hook

BASE = "https://example.org/"
HOME = Page(loc=BASE, name="index.md")


def leave(entry: Entry, page: Page) -> None:
    del entry, page


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module beside the configuration, forgotten after the test."""
    name = f"hooks_of_{tmp_path.name.replace('-', '_')}"
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / f"{name}.py").write_text(
        "from sitemap_plugins import DROP\ndef drop(entry, page):\n    return DROP\nnumber = 5\n", encoding="utf-8"
    )
    return name


def test_a_hook_is_imported_from_beside_the_configuration(tmp_path: Path, hooks: str) -> None:
    path = [*sys.path]
    adjuster = import_hook(Hook.parse(f"{hooks}:drop"), tmp_path)
    assert adjuster.name == f"{hooks}:drop"
    assert adjuster.function(Entry(loc=BASE), HOME) is DROP
    assert sys.path == path


def test_a_hook_that_is_a_function_is_used_directly(tmp_path: Path) -> None:
    assert import_hook(Hook.parse(leave), tmp_path) == Adjuster(f"{__name__}:leave", leave)


@pytest.mark.parametrize(
    ("module", "source", "function", "words"),
    [
        ("missing_hooks", None, "drop", "cannot be imported: ModuleNotFoundError: No module named 'missing_hooks'"),
        ("empty_hooks", "", "drop", "cannot be imported: AttributeError: module 'empty_hooks' has no attribute 'drop'"),
        ("wrong_hooks", "def", "drop", "cannot be imported: SyntaxError: invalid syntax"),
        ("failing_hooks", "1 / 0", "drop", "cannot be imported: ZeroDivisionError: division by zero"),
        ("exiting_hooks", "raise SystemExit(3)", "drop", "cannot be imported: SystemExit: 3"),
        ("constant_hooks", "drop = 5", "drop", "is not a function"),
        ("tidy_hooks", "import sys; sys.path.pop(0); drop = 5", "drop", "is not a function"),
    ],
)
def test_an_unusable_hook_is_named(tmp_path: Path, module: str, source: str | None, function: str, words: str) -> None:
    if source is not None:
        (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
    path = [*sys.path]
    with pytest.raises(ValueError, match=f"^{module}:{function} ") as refusal:
        import_hook(Hook.parse(f"{module}:{function}"), tmp_path)
    assert words in str(refusal.value)
    assert sys.path == path
    sys.modules.pop(module, None)


def test_a_hook_can_import_from_its_folder_when_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "late_hook_of_a_test.py").write_text(
        "def adjust(entry, page):\n    import late_rules_of_a_test\n    return late_rules_of_a_test.VALUE\n",
        encoding="utf-8",
    )
    (tmp_path / "late_rules_of_a_test.py").write_text("VALUE = None\n", encoding="utf-8")
    adjuster = import_hook(Hook.parse("late_hook_of_a_test:adjust"), tmp_path)
    before = sys.path.copy()
    assert adjuster.function(Entry(loc=BASE), HOME) is None
    assert sys.path == before


def test_exceptions_of_a_hook_reach_its_caller(tmp_path: Path) -> None:
    name = f"raising_of_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text("def f(entry, page):\n    raise LookupError(page.name)\n", encoding="utf-8")
    adjuster = import_hook(Hook.parse(f"{name}:f"), tmp_path)
    path = [*sys.path]
    with pytest.raises(LookupError, match=r"index\.md"):
        adjuster.function(Entry(loc=BASE), HOME)
    assert sys.path == path
    sys.modules.pop(name, None)
