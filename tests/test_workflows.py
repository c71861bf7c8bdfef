"""The workflows fit the project, and the shell lines of action.yml pass on its inputs, whatever these contain."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from sitemap_plugins.commands.main import main

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = {file.stem: yaml.safe_load(file.read_text("utf-8")) for file in (ROOT / ".github/workflows").glob("*.yml")}
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, BUILD, JOIN, CHECK = ACTION["runs"]["steps"]
HOSTILE = '--x "$(touch made)" `touch made`; touch made'


def steps() -> list[dict[str, Any]]:
    return [
        step for workflow in WORKFLOWS.values() for job in workflow["jobs"].values() for step in job.get("steps", [])
    ]


def test_every_supported_python_is_tested_on_three_systems() -> None:
    matrix = WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"]
    classified = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.", each)]
    assert matrix["python"] == classified
    assert PROJECT["requires-python"] == f">={classified[0]}"
    assert {os.partition("-")[0] for os in matrix["os"]} == {"ubuntu", "macos", "windows"}


def test_every_session_of_a_workflow_exists() -> None:
    sessions = re.findall(
        r"^@nox\.session\n(?:@.*\n)?def (\w+)", (ROOT / "noxfile.py").read_text("utf-8"), re.MULTILINE
    )
    named = {each["session"] for each in WORKFLOWS["tests"]["jobs"]["checks"]["strategy"]["matrix"]["include"]}
    assert named | {"tests"} <= set(sessions)
    written = re.findall(r"nox -s (\w+)", "\n".join(step.get("run", "") for step in steps()))
    assert written
    assert set(written) <= set(sessions)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_job_has_no_more_rights_than_it_needs(name: str) -> None:
    assert WORKFLOWS[name]["permissions"] == {}
    rights = {job: each["permissions"] for job, each in WORKFLOWS[name]["jobs"].items()}
    assert rights.pop("publish", None) == ({"id-token": "write"} if name == "release" else None)
    assert all(each == {"contents": "read"} for each in rights.values())


def test_no_input_is_part_of_a_shell_line() -> None:
    for step in [*steps(), *ACTION["runs"]["steps"]]:
        assert "${{" not in step.get("run", "")


def run(step: dict[str, Any], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A step as the runner runs it; an input that is not set is empty there, too."""
    defaults = dict.fromkeys(step["env"], "")
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=os.environ | defaults | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def recorder(tmp_path: Path) -> str:
    """A program that prints each of its arguments in a line."""
    return str(write_program(tmp_path / "sitemap-plugins", "printf '%s\\n' \"$@\""))


def write_program(file: Path, script: str) -> Path:
    """A program of the shell: the first line of another one is split if the path of its interpreter has a space."""
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


on_posix = pytest.mark.skipif(os.name == "nt", reason="a runner on Windows brings its own bash")


@on_posix
@pytest.mark.parametrize(
    ("inputs", "arguments"),
    [
        ({"MERGE": "true"}, ["merge"]),
        ({"MERGE": "true", "SITE": "my site"}, ["merge", "--", "my site"]),
        ({"RETIRE": "true", "SITE": "site"}, ["retire", "--", "site"]),
        ({"MERGE": "true", "RETIRE": "true"}, ["merge", "--retire"]),
        ({"BRANCH": "main"}, ["merge", "--push", "--branch=main", "--retire"]),
        ({"BRANCH": "main", "RETIRE": "false"}, ["merge", "--push", "--branch=main"]),
        ({"BRANCH": "main", "MERGE": "false"}, ["retire", "--push", "--branch=main"]),
        ({"BRANCH": "main", "PUSH": "false", "SITE": "a"}, ["merge", "--branch=main", "--retire", "--", "a"]),
        ({"MERGE": "true", "SITE": HOSTILE}, ["merge", "--", HOSTILE]),
    ],
)
def test_the_steps_that_join_versions(
    inputs: dict[str, str], arguments: list[str], recorder: str, repository: Any
) -> None:
    repository.commit("2026-01-01T12:00:00+00:00")
    done = run(JOIN, repository.path, COMMAND=recorder, **inputs)
    assert done.stdout.splitlines() == arguments, done.stderr
    assert not (repository.path / "made").exists()


@on_posix
def test_a_branch_that_is_not_here_is_fetched(recorder: str, repository: Any, tmp_path: Path) -> None:
    repository.commit("2026-01-01T12:00:00+00:00")
    repository.git("branch", "gh-pages")
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", "--single-branch", "--branch=main", str(repository.path), str(clone))
    assert run(JOIN, clone, COMMAND=recorder, BRANCH="gh-pages").returncode == 0
    assert (clone / ".git/refs/heads/gh-pages").exists()


@on_posix
@pytest.mark.parametrize("branch", ["--all", "a b", "$(touch made)", "none"])
def test_a_branch_that_is_none_fails(branch: str, recorder: str, repository: Any) -> None:
    repository.commit("2026-01-01T12:00:00+00:00")
    done = run(JOIN, repository.path, COMMAND=recorder, BRANCH=branch)
    assert (done.returncode != 0, done.stdout) == (True, "")
    assert not (repository.path / "made").exists()


@on_posix
@pytest.mark.parametrize(("site", "arguments"), [("", ["build"]), (HOSTILE, ["build", "--", HOSTILE])])
def test_the_step_that_builds(site: str, arguments: list[str], recorder: str, tmp_path: Path) -> None:
    assert run(BUILD, tmp_path, COMMAND=recorder, SITE=site).stdout.splitlines() == arguments


@on_posix
@pytest.mark.parametrize(("site", "arguments"), [("", []), (HOSTILE, ["--", HOSTILE])])
def test_the_step_that_checks(site: str, arguments: list[str], recorder: str, tmp_path: Path) -> None:
    done = run(CHECK, tmp_path, COMMAND=recorder, SITE=site)
    assert done.stdout.splitlines() == ["check", "--format=github", "--project=.", *arguments]


def test_the_hooks_of_pre_commit_run_commands_that_exist() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["sitemap-build", "sitemap-check"]
    for hook in hooks:
        program, *arguments = hook["entry"].split()
        assert program in PROJECT["scripts"]
        result = CliRunner().invoke(main, [*arguments, "--help"])
        assert result.exit_code == 0, result.output
        assert (hook["language"], hook["pass_filenames"], hook["always_run"]) == ("python", False, True)


@on_posix
@pytest.mark.parametrize(
    ("inputs", "error"),
    [
        ({"VERSION": "1.0 --index-url=x"}, "The input version is no version, such as 0.1.0."),
        ({"VERSION": "$(touch made)"}, "The input version is no version, such as 0.1.0."),
        ({"MERGE": "yes"}, "The input merge is neither true nor false."),
        ({"PUSH": "$(touch made)"}, "The input push is neither true nor false."),
        ({"PUSH": "true"}, "push works only with a branch: set the input branch."),
        ({"CHECK": "1"}, "The input check is neither true nor false."),
        (
            {"CHECK": "true", "BRANCH": "gh-pages"},
            "check works on a folder: remove the input branch, and check out the branch.",
        ),
        (
            {"BUILD": "true", "BRANCH": "gh-pages"},
            "build works on a folder: remove the input branch, or use the action twice.",
        ),
    ],
)
def test_a_wrong_input_ends_the_action_before_anything_is_installed(
    inputs: dict[str, str], error: str, tmp_path: Path
) -> None:
    done = run(INSTALL, tmp_path, RUNNER_TEMP=str(tmp_path), **inputs)
    assert (done.returncode, done.stdout) == (1, f"::error::{error}\n")
    assert list(tmp_path.iterdir()) == []
