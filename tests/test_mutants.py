"""The mutants of a module, and the report of those that survive."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants import main, mutants_of


def changes(source: str) -> list[str]:
    return [mutant.change for mutant in mutants_of(source.encode())]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", ["a < b  became  pass", "a < b  became  (a <= b)", "a < b  became  (a >= b)"]),
        ("x = not a", ["not a  became  (a)"]),
        ("x = a and b", ["a and b  became  (a or b)"]),
        ("x = 'é' + a", ["'é' + a  became  ('é' - a)", "'é'  became  ('XXé')"]),
        ("x = 1", ["1  became  (2)"]),
        ("x = True", ["True  became  (False)"]),
        ("x = b''", ["b''  became  (b'XX')"]),
        ("x: Final[Literal[1]] = ...", []),
        ("x = [a for a in b if a]", ["a  became  (False)", "a  became  (True)"]),
        ("def f(a: 'A' = None) -> 'B':\n    return a", ["return a  became  return None"]),
        ("def f():\n    x = a", ["x = a  became  pass"]),
        ("while a:\n    break", ["a  became  (False)", "break  became  pass"]),
        ('def f():\n    """What it does."""', []),
        ("if TYPE_CHECKING:\n    x = 1", []),
        ("T = TypeVar('T')\nA: TypeAlias = 'B'", []),
        ("class A(B, frozen=True):\n    __slots__ = ('a',)", []),
        ("x = f'{a + 1}'", []),
    ],
)
def test_changes(source: str, expected: list[str]) -> None:
    assert changes(source) == expected


def test_a_mutant_differs_in_one_place() -> None:
    source = "# é\nx = ('é',\n  a == 1)  # a remark\n".encode()
    mutants = [(mutant.line, mutant.source.decode()) for mutant in mutants_of(source)]
    assert mutants == [
        (2, "# é\nx = (('XXé'),\n  a == 1)  # a remark\n"),
        (3, "# é\nx = ('é',\n  (a != 1))  # a remark\n"),
        (3, "# é\nx = ('é',\n  a == (2))  # a remark\n"),
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one function, and a test that does not detect every change."""
    files = {
        "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n",
        "small/double.py": "def double(number):\n    return number + number\n",
        "tests/test_double.py": "from small.double import double\n\n\ndef test():\n    assert double(0) == 0\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


def run(project: Path, *arguments: str) -> int:
    return main([*arguments, "--project", str(project), "--workers", "1"])


def test_surviving_mutants_are_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert run(project, "small.double") == 0
    assert capsys.readouterr().out.splitlines() == [
        "small/double.py:2: number + number  became  (number - number)",
        "small.double: 1/2 killed",
    ]
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == files


def test_failing_tests_are_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "tests" / "test_double.py").write_text("def test():\n    assert 1 == 2\n")
    assert run(project, "small.double") == 1
    assert capsys.readouterr().err.startswith("The tests do not pass as they are:\n")


def test_a_module_that_does_not_exist_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(project, "small.triple") == 1
    assert capsys.readouterr().err == f"There is no module small.triple in {project}.\n"
