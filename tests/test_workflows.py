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
MORE_RIGHTS = {
    "release": {"publish": {"id-token": "write"}},
    "weekly": {"report": {"issues": "write"}, "propose": {"contents": "write", "pull-requests": "write"}},
}
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
    written = re.findall(r"nox -s ([a-z ]+\b)", "\n".join(step.get("run", "") for step in steps()))
    assert {"latest", "lock", "hostile"} <= set(written)
    assert set(" ".join(written).split()) <= set(sessions)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_job_has_no_more_rights_than_it_needs(name: str) -> None:
    assert WORKFLOWS[name]["permissions"] == {}
    rights = {job: each["permissions"] for job, each in WORKFLOWS[name]["jobs"].items()}
    more = {job: each for job, each in rights.items() if each != {"contents": "read"}}
    assert more == MORE_RIGHTS.get(name, {})


def test_a_job_that_may_write_runs_nothing_that_was_just_published() -> None:
    for job in MORE_RIGHTS["weekly"]:
        text = "\n".join(step.get("run", "") for step in WORKFLOWS["weekly"]["jobs"][job]["steps"])
        assert set(re.findall(r"^ *(?:\w+=\$\()?(\w+)", text, re.MULTILINE)) <= {"gh", "git", "grep", "test"}


def test_every_action_is_a_commit() -> None:
    used = {step["uses"] for step in steps() if "uses" in step} - {"./"}
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == [
        "pypa/gh-action-pypi-publish@release/v1"
    ]


def test_no_input_is_part_of_a_shell_line() -> None:
    for step in [*steps(), *ACTION["runs"]["steps"]]:
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize(
    ("inputs", "steps"),
    [
        ({}, [BUILD]),
        ({"build": "false", "check": "true"}, [CHECK]),
        ({"retire": "true"}, [BUILD, JOIN]),
        ({"branch": "gh-pages"}, [JOIN]),
        ({"branch": "gh-pages", "merge": "false"}, []),
        ({"branch": "gh-pages", "merge": "false", "retire": "true"}, [JOIN]),
    ],
)
def test_the_steps_that_run(inputs: dict[str, str], steps: list[dict[str, Any]]) -> None:
    values = dict.fromkeys(ACTION["inputs"], "") | inputs

    def is_run(step: dict[str, Any]) -> bool:
        condition = re.sub(r"inputs\.(\w+)", r"inputs['\1']", step["if"].removeprefix("${{").removesuffix("}}"))
        return bool(eval(condition.replace("&&", "and").replace("||", "or").strip(), {"inputs": values}))  # noqa: S307

    assert [step for step in (BUILD, JOIN, CHECK) if is_run(step)] == steps


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
        ({"RETIRE": "true", "SITE": "site"}, ["retire", "--", "site"]),
        ({"MERGE": "true", "RETIRE": "true"}, ["merge", "--retire"]),
        ({"BRANCH": "main"}, ["merge", "--push", "--branch=main"]),
        ({"BRANCH": "main", "RETIRE": "true"}, ["merge", "--push", "--branch=main", "--retire"]),
        ({"BRANCH": "main", "MERGE": "false", "RETIRE": "true"}, ["retire", "--push", "--branch=main"]),
        ({"BRANCH": "main", "PUSH": "false", "SITE": "a"}, ["merge", "--branch=main", "--", "a"]),
        ({"MERGE": "true", "SITE": HOSTILE}, ["merge", "--", HOSTILE]),
        (
            {"BRANCH": "main", "BUILD": "9.0"},
            ["build", "--branch=main", "--", "9.0", "merge", "--push", "--branch=main"],
        ),
        (
            {"BRANCH": "main", "BUILD": HOSTILE, "SITE": "a", "MERGE": "false", "RETIRE": "true"},
            ["build", "--branch=main", "--", f"a/{HOSTILE}", "retire", "--push", "--branch=main", "--", "a"],
        ),
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
        ({"BUILD": "9.0"}, "The input build is neither true nor false."),
        (
            {"BUILD": "true", "BRANCH": "gh-pages"},
            "With the input branch, build is the version that mike has deployed, such as '9.0'.",
        ),
        (
            {"BUILD": "9.0", "BRANCH": "gh-pages", "MERGE": "false"},
            "With the input branch, build works only together with merge or retire.",
        ),
    ],
)
def test_a_wrong_input_ends_the_action_before_anything_is_installed(
    inputs: dict[str, str], error: str, tmp_path: Path
) -> None:
    done = run(INSTALL, tmp_path, RUNNER_TEMP=str(tmp_path), **inputs)
    assert (done.returncode, done.stdout) == (1, f"::error::{error}\n")
    assert list(tmp_path.iterdir()) == []


class TestWeekly:
    """What the jobs of weekly.yml do that may write. Their gh notes what it creates, and lists what ``LISTED`` says."""

    @staticmethod
    def done(job: str, folder: Path, **environment: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
        """The result of the only step with a shell line, and the titles and heads that gh was called with."""
        (step,) = (step for step in WORKFLOWS["weekly"]["jobs"][job]["steps"] if "run" in step)
        created = folder.parent / "created"
        folder.mkdir(exist_ok=True)
        (folder.parent / "bin").mkdir()
        script = 'case "$2" in list) printf %s "$LISTED"; exit $STATUS;; create) echo "$@" >> "$CREATED";; esac'
        program = write_program(folder.parent / "bin" / "gh", script)
        words = {"TITLE": "A [title]", "BODY": "A body", "BRANCH": "new", "STATUS": "0", "LISTED": ""} | environment
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        result = run(step, folder, PATH=path, CREATED=str(created), **words)
        return result, created.read_text(encoding="utf-8").splitlines() if created.exists() else []

    @on_posix
    @pytest.mark.parametrize("open_issues", ["", "A [title] too\nA title"])
    def test_a_failure_opens_an_issue(self, open_issues: str, tmp_path: Path) -> None:
        result, created = self.done("report", tmp_path / "folder", LISTED=open_issues)
        assert (result.returncode, created) == (0, ["issue create --title A [title] --body A body"]), result.stderr

    @on_posix
    def test_an_issue_that_is_open_is_enough(self, tmp_path: Path) -> None:
        result, created = self.done("report", tmp_path / "folder", LISTED="Another\nA [title]\nA third")
        assert (result.returncode, created) == (0, []), result.stderr

    @on_posix
    def test_an_answer_that_fails_opens_nothing(self, tmp_path: Path) -> None:
        result, created = self.done("report", tmp_path / "folder", STATUS="1")
        assert (result.returncode, created) == (1, [])

    @pytest.fixture
    def clone(self, repository: Any, tmp_path: Path) -> Path:
        """A clone of a repository with a file of versions, and with a branch of an older pull request."""
        repository.write("constraints/main.txt", "click==8.5.0\n")
        repository.commit("2026-01-01T12:00:00+00:00")
        repository.git("branch", "old")
        clone = tmp_path / "clone"
        repository.git("clone", "--quiet", "--single-branch", "--branch=main", str(repository.path), str(clone))
        return clone

    @on_posix
    def test_the_same_versions_are_not_proposed(self, clone: Path, repository: Any) -> None:
        (clone / "stray.txt").write_text("stray", encoding="utf-8")
        result, created = self.done("propose", clone)
        assert (result.returncode, created) == (0, []), result.stderr
        assert repository.git("branch", "--format=%(refname:short)").split() == ["main", "old"]

    @on_posix
    @pytest.mark.parametrize("file", ["main.txt", "another.txt"])
    def test_new_versions_are_proposed(self, file: str, clone: Path, repository: Any) -> None:
        (clone / "constraints" / file).write_text("click==8.5.1\n", encoding="utf-8")
        (clone / "stray.txt").write_text("stray", encoding="utf-8")
        result, created = self.done("propose", clone)
        assert (result.returncode, created) == (0, ["pr create --head new --title A [title] --body A body"])
        assert repository.git("diff", "--name-only", "main", "new") == f"constraints/{file}"
        assert repository.git("log", "-1", "--format=%an: %s", "new") == "github-actions[bot]: A [title]"

    @on_posix
    def test_a_pull_request_that_is_open_gets_the_new_versions(self, clone: Path, repository: Any) -> None:
        repository.git("checkout", "--quiet", "old")
        repository.write("constraints/main.txt", "click==8.4.0\n")
        repository.commit("2026-01-02T12:00:00+00:00")
        repository.git("checkout", "--quiet", "main")
        (clone / "constraints" / "main.txt").write_text("click==8.5.1\n", encoding="utf-8")
        result, created = self.done("propose", clone, BRANCH="old", LISTED="7")
        assert (result.returncode, created) == (0, []), result.stderr
        assert repository.git("show", "old:constraints/main.txt") == "click==8.5.1"
        assert repository.git("rev-list", "--count", "main..old") == "1"
