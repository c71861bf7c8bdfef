"""The report of the mutants of a module that survive."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants import main


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
