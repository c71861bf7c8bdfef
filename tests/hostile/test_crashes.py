"""A failing call and a kill leave complete files, and two runs at once those of one: some runs of `crashes`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes of POSIX")

ROOT = Path(__file__).parents[2]
RUNS = {
    "a failure or a kill at some calls": ("faults publish merge build --every 31", 24),
    "a kill at any moment": ("kills publish merge --times 10", 4),
    "two at once": ("pairs publish merge --times 10", 2),
}


@pytest.mark.parametrize(("arguments", "rows"), RUNS.values(), ids=RUNS)
def test_files_are_complete_and_of_one_run(arguments: str, rows: int) -> None:
    command = [sys.executable, "-m", "tests.hostile.crashes", *arguments.split()]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    lines = done.stdout.splitlines()
    assert len(lines) == rows
    assert [line for line in lines if not (re.search(r"(points|runs) [1-9]", line) and "torn 0" in line)] == []
