"""The audit of the whole test suite works: forbidden calls fail at once (see `forbid` in conftest.py)."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

AUDITED = (
    lambda: socket.create_connection(("192.0.2.1", 80), timeout=0.01),
    lambda: socket.gethostbyname("docs.example.org"),
    lambda: subprocess.run(["curl", "https://docs.example.org/"], check=False),  # never run
    lambda: os.system("true"),  # noqa: S605  # never run
)


@pytest.mark.parametrize("forbidden", AUDITED, ids=["connection", "name", "program", "shell"])
def test_forbidden_calls_fail(forbidden: object) -> None:
    with pytest.raises(AssertionError, match=r"socket|subprocess|os\.system"):
        forbidden()  # type: ignore[operator]


def test_git_and_python_can_be_run() -> None:
    assert subprocess.run(["git", "--version"], check=True, capture_output=True).stdout
    assert subprocess.run([sys.executable, "-c", ""], check=True).returncode == 0
