"""Why there are no dates is said in a sentence, and nobody waits for a git that hangs."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.enrich import git_history, git_process
from sitemap_plugins.enrich.git_history import UNREADABLE, History, HistoryReader
from sitemap_plugins.model import FileDate

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="stands in for git with a shell script")


class TestProblems:
    def test_git_is_not_installed(
        self, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "empty").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "empty"))

        assert HistoryReader(repository.path).history() == History(problem="git is not installed")

    @posix_only
    def test_git_may_not_be_run(self, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied", "git")

        monkeypatch.setattr(git_process.subprocess, "Popen", refuse)

        problem = HistoryReader(repository.path).history().problem
        assert problem == "git could not be started (Permission denied)"

    def test_no_repository(self, tmp_path: Path) -> None:
        assert HistoryReader(tmp_path).history() == History(problem="the documents are not in a git repository")

    def test_no_commit(self, repository: Repository) -> None:
        assert HistoryReader(repository.path).history() == History(problem="the repository has no commit yet")

    @pytest.mark.parametrize("name", ["no-such-folder", "git"])
    def test_no_such_folder(self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        problem = HistoryReader(name).history().problem

        assert problem is not None
        assert "not installed" not in problem

    def test_a_repository_of_somebody_else_and_the_cure(
        self, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.write("a.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "configuration"))

        problem = HistoryReader(repository.path).history().problem

        assert problem is not None
        assert problem.startswith("the repository belongs to another user")
        repository.git(*shlex.split(problem.rpartition("run: git ")[2]))
        assert set(HistoryReader(repository.path).history().files) == {b"a.md"}

    def test_configuration_that_git_refuses(self, repository: Repository) -> None:
        (repository.path / ".git" / "config").write_text("[broken", encoding="ascii")
        problem = HistoryReader(repository.path).history().problem

        assert problem is not None
        assert problem.startswith("git said: fatal: bad config")
        assert "\n" not in problem

    @pytest.fixture
    def broken_off(self, repository: Repository) -> Repository:
        """A repository that has lost the oldest of three commits' trees, which the others still need."""
        for number, name in enumerate(["docs/old.md", "docs/older.md", "docs/new.md"]):
            repository.write(name, "one")
            repository.commit(f"2026-01-0{number + 1}T00:00:00+00:00")
        repository.git("commit-graph", "write", "--reachable")
        _remove_object(repository, "HEAD~2^{tree}")
        return repository

    def test_a_history_that_breaks_off(self, broken_off: Repository) -> None:
        history = HistoryReader(broken_off.path / "docs").history()

        assert history.newest is not None
        assert history.files == {
            b"new.md": FileDate(when=history.newest, commit=broken_off.git("rev-parse", "HEAD")),
            b"old.md": FileDate(when=None, reason=UNREADABLE),
            b"older.md": FileDate(when=None, reason=UNREADABLE),
        }

    def test_a_history_that_breaks_off_before_anything_was_read(self, broken_off: Repository) -> None:
        (broken_off.path / ".git" / "objects" / "info" / "commit-graph").unlink()

        history = HistoryReader(broken_off.path / "docs").history()

        assert history.problem, f"there are no dates at all, and nobody says why: {history}"

    @pytest.mark.parametrize("what", ["HEAD", "HEAD^{tree}", "HEAD:docs"])
    def test_the_newest_objects_are_missing(self, what: str, repository: Repository) -> None:
        source = repository.write("docs/a.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        _remove_object(repository, what)

        history = HistoryReader(repository.path / "docs").history()

        assert history.problem, f"{source} is committed, but date_of says: {history.date_of(str(source)).reason}"


def _remove_object(repository: Repository, what: str) -> None:
    sha = repository.git("rev-parse", what)
    (repository.path / ".git" / "objects" / sha[:2] / sha[2:]).unlink()


@posix_only
class TestGitThatHangs:
    """A stand-in for git that never ends on its own, once it has printed the history or before."""

    @pytest.fixture
    def stand_in(self, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        repository.write("a.md", "one")
        repository.write("b.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        repository.write("a.md", "two")
        repository.commit("2026-01-02T00:00:00Z", "the last")
        script = tmp_path / "bin" / "git"
        script.parent.mkdir()
        real, sleep = shutil.which("git"), shutil.which("sleep")
        script.write_text(
            '#!/bin/sh\ncase " $* " in\n*" log "*)\n'
            f'[ -z "$PRINT" ] || {real} "$@"\n: > {tmp_path}/started\nexec {sleep} 300;;\n*) exec {real} "$@";;\nesac\n',
            encoding="utf-8",
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(script.parent))
        return tmp_path / "started"

    @pytest.mark.parametrize("at_once", [True, False])
    def test_stop(self, stand_in: Path, repository: Repository, *, at_once: bool) -> None:
        reader = HistoryReader(repository.path)
        if not at_once:
            _wait_until(stand_in.exists)

        _in_time(reader.stop)

        assert reader._process is None or reader._process.returncode is not None
        assert reader.history().date_of(str(repository.path / "a.md")).when is None

    @pytest.mark.usefixtures("stand_in")
    def test_git_is_stopped_when_the_last_file_is_dated(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PRINT", "1")
        repository.git("rm", "--quiet", "b.md")
        repository.commit("2026-01-03T00:00:00Z")
        reader = HistoryReader(repository.path, wanted=(".md",))

        _in_time(reader.history)

        assert reader.history().files[b"a.md"].commit == repository.git("rev-parse", "HEAD~1")
        assert reader._process is not None
        assert reader._process.returncode is not None

    def test_stopped_after_the_end(self, repository: Repository) -> None:
        repository.write("a.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        reader = HistoryReader(repository.path)
        history = reader.history()

        _in_time(reader.stop)

        assert reader.history() is history


def _in_time(act: Callable[[], object]) -> None:
    """Do something that might hang, without hanging with it."""
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


def _wait_until(happened: Callable[[], bool]) -> None:
    for _ in range(6000):
        if happened():
            return
        threading.Event().wait(0.01)
    pytest.fail("it never happened")


@posix_only
def test_the_end_of_a_pipe_that_another_process_holds_is_not_waited_for(tmp_path: Path) -> None:
    process = git_process.subprocess.Popen(
        ["/bin/sh", "-c", f"sleep 60 & echo $! > {tmp_path}/pid; echo printed"], stdout=git_process.subprocess.PIPE
    )
    found: list[bytes] = []
    _in_time(lambda: found.extend(git_process.read_chunks(process)))
    assert b"".join(found) == b"printed\n"
    os.kill(int((tmp_path / "pid").read_text(encoding="ascii")), 9)
    process.communicate()


def test_a_git_that_is_too_old_is_told_by_its_version(monkeypatch: pytest.MonkeyPatch, repository: Repository) -> None:
    repository.write("a.md", "one")
    repository.commit("2026-01-01T00:00:00Z")
    monkeypatch.setattr(git_history, "_STREAM", ("log", "--diff-merges=as-nobody-knows", "HEAD"))
    assert HistoryReader(repository.path).history().problem == "git is too old; version 2.31 or later is needed"
