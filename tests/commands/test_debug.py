"""``debug``: what helps with a bug, and nothing that its reporter would not want to publish."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.commands.test_merge import run

NAMES = [
    "sitemap-plugins",
    "Python",
    "platform",
    "git",
    "packages",
    "also installed",
    "service",
    "configuration",
    "options",
]


def facts(project: Path) -> dict[str, str]:
    result = run("debug", "--project", project)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    found = {name: value.strip() for name, _, value in (line.partition(":") for line in result.stdout.splitlines())}
    assert [*found] == NAMES
    return found


def test_versions(tmp_path: Path) -> None:
    found = facts(tmp_path)
    assert found["packages"].startswith(f"click {version('click')}, msgspec {version('msgspec')}, ")
    assert f"mkdocs {version('mkdocs')}, " in found["also installed"]
    assert found["git"][0].isdecimal()
    assert found["service"] == "none recognized"
    assert found["configuration"].startswith("none found here")
    assert found["options"] == "none"


def test_options_have_no_private_values(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/conf.py").write_text("raise SystemExit")
    (tmp_path / "mkdocs.yml").write_text(
        "site_url: https://secret.example/\n"
        "plugins:\n  - sitemap:\n      base_url: https://secret.example/\n      limit: 1000\n      gzip: true\n"
        "      exclude: [secret/]\n      git: {ignore_revs: secret}\n      secret: 1\n      unknown: 2\n"
    )
    found = facts(tmp_path)
    assert found["configuration"] == "mkdocs.yml, docs/conf.py (not read)"
    assert found["options"] == "base_url, exclude, git, gzip: true, limit: 1000, 2 unknown options"
    assert "secret" not in run("debug", "--project", tmp_path).output
    assert str(tmp_path) not in run("debug", "--project", tmp_path).output


def test_options_in_conf_py_are_unknown(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text("sitemap_options = {'limit': 1}")
    assert facts(tmp_path)["options"] == "not read; copy sitemap_options from conf.py, without private values"


@pytest.mark.parametrize("text", ["plugins: [", "plugins: 1", "\x00"])
def test_an_invalid_file_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "mkdocs.yml").write_text(text)
    found = facts(tmp_path)
    assert found["configuration"] == "mkdocs.yml"
    assert found["options"] == "unknown, because a file is invalid: sitemap-plugins build says why"


def test_the_name_of_the_service_and_nothing_else_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = facts(tmp_path)
    assert (found["service"], found["git"]) == ("another CI service", "not found")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    assert facts(tmp_path)["service"] == "GitHub Actions"
    monkeypatch.setenv("NETLIFY", "true")
    assert facts(tmp_path)["service"] == "Netlify"
