"""Everybody gets the versions in constraints/: every session installs with a file, which has all that is installed."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OWN = [*PROJECT["project"]["dependencies"], *chain(*PROJECT["project"]["optional-dependencies"].values())]
NOXFILE = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
FUNCTIONS = {node.name: node for node in NOXFILE.body if isinstance(node, ast.FunctionDef)}
SESSIONS = {name: node for name, node in FUNCTIONS.items() if node.args.args and node.decorator_list}
CONSTRAINTS = {file.stem: file.read_text(encoding="utf-8") for file in (ROOT / "constraints").iterdir()}
WINDOWS, LINUX = (
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
    {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": "x86_64"},
)
MACOS = LINUX | {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"}
PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]
ENVIRONMENTS = {
    f"{python} on {system['sys_platform']}": system | {"python_version": python, "python_full_version": f"{python}.7"}
    for python, system in product(PYTHONS, (LINUX, MACOS, WINDOWS))
}


def group(name: str) -> list[str]:
    return list(
        chain.from_iterable(
            [each] if isinstance(each, str) else group(each["include-group"])
            for each in PROJECT["dependency-groups"][name]
        )
    )


(HOSTS,) = (
    ast.literal_eval(node.value)
    for node in NOXFILE.body
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HOSTS"
)
# What an argument of install stands for, if it is no requirement itself.
ARGUMENTS = {
    "'-e'": [],
    "'.'": OWN,
    "*oldest()": [re.sub(r">=([\w.]+).*", r"==\1", each) for each in OWN],
    "*PROJECT['build-system']['requires']": PROJECT["build-system"]["requires"],
    "*HOSTS[host]": [*chain.from_iterable(HOSTS.values())],
    **{f"*HOSTS['{host}']": needed for host, needed in HOSTS.items()},
    **{f"*group('{name}')": group(name) for name in PROJECT["dependency-groups"]},
}


def installations(node: ast.AST) -> Iterator[tuple[str | None, list[str]]]:
    """The file and the requirements of each call of ``install``; a ValueError if these cannot be known."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "install":
            named = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
            written = {ast.unparse(each): each for each in call.args[1:]}
            needed = [ARGUMENTS[text] if text in ARGUMENTS else [ast.literal_eval(written[text])] for text in written]
            yield named.get("file", "main"), list(chain.from_iterable(needed))


def pins(file: str, environment: dict[str, str]) -> dict[str, str]:
    """The versions of a file that apply there; a ValueError if one line is no exact version, or a name has two."""
    found: dict[str, str] = {}
    for line in CONSTRAINTS[file].splitlines():
        if line.startswith("#"):
            continue
        pin = Requirement(line)
        (version,) = pin.specifier
        if pin.extras or pin.url or version.operator != "==" or "*" in version.version:
            raise ValueError(f"{file}.txt: {line}")
        if pin.marker is None or pin.marker.evaluate(environment):
            if pin.name in found:
                raise ValueError(f"{file}.txt: {pin.name} has two versions")
            found[pin.name] = version.version
    return found


def missing(needed: list[str], file: str, environment: dict[str, str]) -> list[str]:
    """The requirements that no line of the file meets."""
    pinned = pins(file, environment)
    versions = {each: pinned.get(canonicalize_name(Requirement(each).name)) for each in needed}
    return [
        each
        for each, version in versions.items()
        if version is None or not Requirement(each).specifier.contains(version, prereleases=True)
    ]


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "install"])
def test_nothing_is_installed_in_another_way(name: str) -> None:
    """Only ``install`` calls nox; the environments of ``build`` are none of nox, and their pip has to name the file."""
    for node in ast.walk(FUNCTIONS[name]):
        if isinstance(node, ast.Call):
            assert not re.search(r"\.\w*install$|\._run$", ast.unparse(node.func)), ast.unparse(node)
        words = [str(each.value) for each in ast.iter_child_nodes(node) if isinstance(each, ast.Constant)]
        if {"pip", "install"} <= set(words):
            assert "-c constraints/main.txt" in " ".join(words), ast.unparse(node)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("name", SESSIONS)
def test_the_file_of_a_session_has_all_that_it_installs(name: str, environment: str) -> None:
    installed = list(installations(SESSIONS[name]))
    assert installed
    for file, needed in installed:
        assert (file is None) == (name == "latest")
        if file is not None:
            assert missing(needed, file, ENVIRONMENTS[environment]) == []


@pytest.mark.parametrize("environment", ENVIRONMENTS)
@pytest.mark.parametrize("file", CONSTRAINTS)
def test_a_file_has_what_builds_packages_without_a_wheel(file: str, environment: str) -> None:
    needed = [*PROJECT["build-system"]["requires"], *(["setuptools"] if file == "compat" else [])]
    assert missing(needed, file, ENVIRONMENTS[environment]) == []


def test_pip_and_nox_are_installed_with_the_file_too() -> None:
    settings = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text("utf-8"))
    workflows = [yaml.safe_load(file.read_text("utf-8")) for file in (ROOT / ".github/workflows").glob("*.yml")]
    steps = [step for flow in workflows for job in flow["jobs"].values() for step in job.get("steps", [])]
    script = (ROOT / ".ci/run").read_text("utf-8")
    lines = [*settings["build"]["jobs"]["install"], *(step.get("run", "") for step in steps), script]
    commands = re.findall(r"pip install.*", "\n".join(lines))
    assert len(commands) > 3
    assert [each for each in commands if "-c constraints/main.txt" not in each] == []
    names = ["nox", "pip", *group("docs")]
    assert [name for name, needed in ENVIRONMENTS.items() if missing(names, "main", needed)] == []
