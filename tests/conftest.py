"""What all tests share: an environment without traces of this machine, and small git repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

CI_VARIABLES = (
    "READTHEDOCS",
    "NETLIFY",
    "CONTEXT",
    "VERCEL",
    "CF_PAGES",
    "GITLAB_CI",
    "CI_",
    "GITHUB_",
    "GIT_",
    "SOURCE_DATE_EPOCH",
)


@pytest.fixture(autouse=True)
def neutral_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No CI, no hosting service and no git configuration but the tests' own."""
    for name in list(os.environ):
        if name.startswith(CI_VARIABLES):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.path.realpath("/tmp"))  # noqa: S108  # where pytest's folders are


class Repository:
    """A git repository whose commits have the dates that a test gives them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, when: str = "2026-01-01T00:00:00+00:00", **options: object) -> str:
        dates = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _identity(when)}
        done = subprocess.run(
            ["git", "-c", "commit.gpgSign=false", *arguments],
            cwd=self.path,
            env=os.environ | dates,
            check=True,
            capture_output=True,
            **options,
        )
        return done.stdout.decode(errors="surrogateescape").strip()

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def commit(self, when: str, message: str = "a change") -> str:
        """Commit everything there is; ``when`` is ISO 8601 or git's ``<seconds> <zone>``."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message, when=when)
        return self.git("rev-parse", "HEAD")


def _identity(when: str) -> list[tuple[str, str]]:
    return [("DATE", when), ("NAME", "A Writer"), ("EMAIL", "writer@example.org")]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty repository in a folder of its own."""
    return Repository(tmp_path / "repository")
