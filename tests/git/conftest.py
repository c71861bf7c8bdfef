"""Clones, further repositories, commits to ignore, and programs that stand in for git."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Repository

pytest.register_assert_rewrite("tests.git.histories")


@pytest.fixture
def revs(tmp_path: Path) -> Callable[..., tuple[str, ...]]:
    """Write a file with commits to ignore, for ``ignore_revs``."""

    def write(*commits: str) -> tuple[str, ...]:
        file = tmp_path / "commits to ignore"
        file.write_text("\n".join(commits), encoding="ascii")
        return (str(file),)

    return write


@pytest.fixture
def clone(repository: Repository, tmp_path: Path) -> Callable[..., Path]:
    """Clone the repository over the protocol, because a copy of its files would be complete."""

    def make(*options: str, name: str = "clone") -> Path:
        target = tmp_path / name
        repository.git("config", "uploadpack.allowFilter", "true")
        source = repository.path.as_uri()
        repository.git("-c", "protocol.file.allow=always", "clone", "--quiet", *options, source, str(target))
        return target

    return make


@pytest.fixture
def git_stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Replace a command of git with lines of a shell script, which can run the real git as ``"$GIT" "$@"``."""
    real = shutil.which("git")

    def put(command: str, lines: str) -> None:
        script = tmp_path / "bin" / "git"
        script.parent.mkdir()
        cases = f'case " $* " in\n*" {command} "*)\n{lines}\n;;\n*) exec "$GIT" "$@";;\nesac\n'
        script.write_text(f"#!/bin/sh\nGIT={real}\n{cases}", encoding="utf-8")
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{script.parent}:/usr/bin:/bin")

    return put


@pytest.fixture
def new_repository(repository: Repository, tmp_path: Path) -> Callable[[str], Repository]:
    """Make further repositories, by name."""
    return lambda name: type(repository)(tmp_path / name)
