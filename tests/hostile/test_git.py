"""Repositories prepared by others: none of their programs is run, although plain git runs each of them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.git.process import run_git
from sitemap_plugins.git.repository import read_files

if TYPE_CHECKING:
    from tests.conftest import Repository

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")


class Trap:
    """A program that leaves a mark when it runs.

    ``program`` is its name, for a folder of ``PATH``: git passes some settings to a shell and runs others as they are,
    so no path with a space would work in all of them.
    """

    def __init__(self, folder: Path) -> None:
        self.marker = folder / "it was run"
        self.program = "leave-a-mark"
        script = folder / self.program
        script.write_text(f"#!/bin/sh\n: > {shlex.quote(str(self.marker))}\n", encoding="utf-8")
        script.chmod(0o755)

    @property
    def has_snapped(self) -> bool:
        found = self.marker.exists()
        self.marker.unlink(missing_ok=True)
        return found


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return Trap(tmp_path)


def ask_everything(docs: Path) -> None:
    """Ask git everything about a folder that our code asks."""
    GitDates({str(docs): (".md",)}, DateRules()).dates_of([str(docs / "a.md")])
    read_files(str(docs), "HEAD")
    run_git(str(docs), "log", "-1", "--format=%s")
    for arguments in ((), ("--plain",), ("--created",), ("--date", "landed"), ("--format", "json")):
        CliRunner().invoke(main, ["dates", str(docs), *arguments])
    CliRunner().invoke(main, ["dates", str(docs / "a.md"), "--why"])


def plain_git(directory: Path, *arguments: str) -> None:
    """Run git with a user's defaults. Errors are ignored."""
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
        cwd=directory,
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
    )


@pytest.fixture
def documents(repository: Repository) -> Path:
    repository.write("docs/a.md", "one")
    repository.write("docs/b.md", "two")
    repository.commit("2026-01-01T00:00:00Z")
    return repository.path / "docs"


# Settings in the configuration of the repository.
PROGRAMS = ("core.fsmonitor", "core.pager", "diff.external", "filter.odd.clean", "core.sshCommand", "core.askPass")


@pytest.mark.parametrize("place", ["docs", "docs/deep"])
@pytest.mark.parametrize("work_tree", ["..", "."])
def test_a_bare_repository_among_the_documents(
    place: str, work_tree: str, repository: Repository, documents: Path, trap: Trap
) -> None:
    """To git, a folder that looks like a repository is one, with a configuration that came with the documents."""
    bare = repository.path / place
    bare.mkdir(exist_ok=True)
    shutil.copytree(repository.path / ".git", bare, dirs_exist_ok=True)
    (documents / "a.md").write_text("three", encoding="utf-8")
    settings = {"core.bare": "false", "core.worktree": str(bare / work_tree)} | dict.fromkeys(PROGRAMS, trap.program)
    for name, value in settings.items():
        repository.git("config", f"--file={bare / 'config'}", name, value)
    ask_everything(bare)
    assert not trap.has_snapped
    plain_git(bare, "status")
    assert trap.has_snapped, "the trap does not work"
    ask_everything(documents)
    assert not trap.has_snapped


def test_a_partial_clone_whose_remote_is_a_program(repository: Repository, tmp_path: Path, trap: Trap) -> None:
    """Contents that are missing are not fetched, neither to compare renamed files nor translations."""
    repository.write("docs/a.po", 'msgid "a"\nmsgstr "b"\n')
    repository.write("docs/a.md", "one\n" * 100)
    repository.commit("2026-01-01T00:00:00Z")
    repository.write("docs/a.po", 'msgid "a"\nmsgstr "c"\n')
    repository.git("mv", "docs/a.md", "docs/c.md")
    repository.commit("2026-01-02T00:00:00Z")
    repository.git("config", "uploadpack.allowFilter", "true")
    path, source = tmp_path / "clone", repository.path.as_uri()
    repository.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", source, str(path))
    for name, value in (
        ("remote.origin.url", f"ext::{trap.program}"),
        ("protocol.allow", "always"),
        ("protocol.ext.allow", "always"),
    ):
        plain_git(path, "config", name, value)
    docs = path / "docs"
    docs.mkdir(exist_ok=True)
    for name in ("a.po", "c.md"):
        (docs / name).write_text("", encoding="utf-8")

    ask_everything(docs)
    assert not trap.has_snapped
    plain_git(path, "cat-file", "blob", "HEAD~1:docs/a.po")
    assert trap.has_snapped, "the trap does not work"


# The commands with which plain git runs them.
ENVIRONMENT = {
    "GIT_EXTERNAL_DIFF": ("diff", "HEAD~1"),
    "GIT_PAGER": ("grep", "--open-files-in-pager", "three"),
    "GIT_SSH_COMMAND": ("ls-remote", "ssh://127.0.0.1:9/x"),
    "GIT_SSH": ("ls-remote", "ssh://127.0.0.1:9/x"),
    "GIT_EDITOR": ("commit", "--amend"),
    "GIT_PROXY_COMMAND": ("ls-remote", "git://127.0.0.1:9/x"),
}


@pytest.mark.parametrize("name", ENVIRONMENT)
def test_programs_in_the_environment(
    name: str, repository: Repository, documents: Path, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("docs/a.md", "three")
    repository.commit("2026-01-02T00:00:00Z")
    monkeypatch.setenv(name, trap.program)
    ask_everything(documents)
    assert not trap.has_snapped
    plain_git(documents, *ENVIRONMENT[name])
    assert trap.has_snapped, "the trap does not work"


@pytest.mark.parametrize("name", ["GIT_TRACE", "GIT_TRACE_SETUP", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE_CURL"])
def test_no_trace_is_written(name: str, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv(name, str(trace))
    ask_everything(documents)
    assert not trace.exists()


@pytest.mark.parametrize(
    "attributes",
    [
        "* filter=odd diff=odd merge=odd\n",
        "* diff=odd -text\n*.md filter=odd export-subst ident working-tree-encoding=UTF-16\n",
        "[attr]evil filter=odd\n* evil\n",
        f"{'a' * 5000} filter=odd\n* filter=odd\n",
    ],
)
def test_attributes_in_the_documents(
    attributes: str,
    repository: Repository,
    documents: Path,
    trap: Trap,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They can name only programs of the account, and none of those is run either."""
    account = tmp_path / "account"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(account))
    for name in ("filter.odd.clean", "filter.odd.smudge", "diff.odd.textconv", "diff.odd.command", "merge.odd.driver"):
        repository.git("config", f"--file={account}", name, trap.program)
    repository.write(".gitattributes", attributes)  # macros are read only here
    repository.write("docs/.gitattributes", attributes)
    young = repository.write("docs/a.md", "three")
    os.utime(repository.path / ".git" / "index", ns=(young.stat().st_mtime_ns,) * 2)
    ask_everything(documents)
    assert not trap.has_snapped
    plain_git(documents, "diff")
    plain_git(documents, "add", ".")
    assert trap.has_snapped, "the trap does not work"
