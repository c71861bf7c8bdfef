"""The reason for missing dates is a sentence, and no build waits for a git that hangs."""

from __future__ import annotations

import errno
import gc
import os
import shlex
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

from sitemap_plugins.git import process as git_process
from sitemap_plugins.git import walk as git_walk
from sitemap_plugins.git.history import UNREADABLE, DateRules, History, HistoryReader
from sitemap_plugins.reading import GIT_OBJECT
from tests.conftest import GIT_VERSION
from tests.git.histories import in_time

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

    @pytest.mark.parametrize("known", [True, False])
    def test_no_temporary_file_can_be_written(
        self, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, known: bool
    ) -> None:
        """The folder was deleted after Python found it, or Python finds none."""
        missing = str(tmp_path / "missing")
        monkeypatch.setattr(tempfile, "tempdir", missing if known else None)
        monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: [missing])

        problem = HistoryReader(repository.path).history().problem

        assert problem is not None
        assert problem.startswith("git could not be started (no temporary file can be created: No ")
        assert problem.endswith("; set TMPDIR to a writable folder)")

    @posix_only
    def test_git_may_not_be_run(self, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(errno.EACCES, "Permission denied", "git")

        monkeypatch.setattr(git_process.subprocess, "Popen", refuse)

        problem = HistoryReader(repository.path).history().problem
        assert problem == "git could not be started (Permission denied)"

    def test_other_exceptions_are_raised_by_history(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def exhaust(*_: object, **__: object) -> None:
            raise MemoryError

        monkeypatch.setattr(HistoryReader, "_read_history", exhaust)

        with pytest.raises(MemoryError):
            HistoryReader(repository.path).history()

    @pytest.mark.parametrize("number", [0, 2])
    def test_a_commit_with_a_huge_message(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        """Dates that were found before this commit are kept."""
        messages = ["a change"] * 3
        messages[number] = "m" * 100_000
        for day, message in enumerate(messages, 1):
            repository.write(f"{day}.md", "one")
            repository.commit(f"2026-01-0{day}T00:00:00Z", message)
        monkeypatch.setattr(git_walk, "GIT_OBJECT", structs.replace(GIT_OBJECT, size=50 << 10))

        history = HistoryReader(repository.path).history()

        problem = f"{UNREADABLE} (a commit is larger than 50 KiB)"
        dated = {name.decode(): date.when and date.when.day for name, date in history.files.items()}
        assert (history.problem, dated) == (
            (problem, {}) if number == 2 else (None, {"1.md": None, "2.md": None, "3.md": 3})
        )

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

    @pytest.mark.skipif(GIT_VERSION < (2, 35), reason="git reads it")
    def test_a_repository_of_another_user_and_the_fix(
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
        """A repository without the tree of the oldest of four commits, which the second oldest still needs."""
        for number, name in enumerate(["docs/old.md", "docs/older.md", "docs/last.md", "docs/new.md"]):
            repository.write(name, "one")
            repository.commit(f"2026-01-0{number + 1}T00:00:00+00:00")
        repository.git("commit-graph", "write", "--reachable")
        _remove_object(repository, "HEAD~3^{tree}")
        return repository

    def test_a_history_that_breaks_off(self, broken_off: Repository) -> None:
        """The last commit that git printed may be incomplete."""
        history = HistoryReader(broken_off.path / "docs").history()

        assert history.newest is not None
        assert _dates(history) == {
            b"new.md": (history.newest, broken_off.git("rev-parse", "HEAD"), None),
            b"last.md": (None, None, UNREADABLE),
            b"old.md": (None, None, UNREADABLE),
            b"older.md": (None, None, UNREADABLE),
        }

    @pytest.mark.parametrize("lost", ["HEAD~1^{tree}", "HEAD~2^{tree}", "HEAD~3^{tree}", "HEAD~1:old", "HEAD~2:old"])
    @pytest.mark.parametrize("folder", ["docs", "."])
    def test_a_lost_object_makes_no_date_wrong(self, folder: str, lost: str, repository: Repository) -> None:
        """No file seems to begin with the first readable commit, or where it was moved."""
        for number, name in enumerate(["old/a.md", "old/b.md", "docs/c.md"], start=1):
            repository.write(name, f"content of {name}")
            repository.commit(f"2026-01-0{number}T00:00:00+00:00")
        repository.git("mv", "old/a.md", "docs/a.md")
        repository.commit("2026-01-04T00:00:00+00:00")
        repository.git("commit-graph", "write", "--reachable")
        whole = _dates(HistoryReader(repository.path / folder, rules=DateRules()).history())
        _remove_object(repository, lost)

        found = HistoryReader(repository.path / folder, rules=DateRules()).history()

        for name, date in _dates(found).items():
            assert date in {whole[name], (None, None, UNREADABLE)}
        assert found.problem or len(found.files) == len(whole)

    @pytest.mark.parametrize("what", ["HEAD", "HEAD^{tree}", "HEAD:docs"])
    def test_the_newest_objects_are_missing(self, what: str, repository: Repository) -> None:
        repository.write("docs/a.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        _remove_object(repository, what)

        history = HistoryReader(repository.path / "docs").history()

        assert history.problem, "the file is committed, but the history has no problem"

    @pytest.mark.parametrize("what", ["HEAD", "HEAD^{tree}"])
    def test_leaves_no_process_or_open_file(self, what: str, repository: Repository) -> None:
        """pytest reports a process that was not waited for and a file that was not closed when they are collected."""
        repository.write("docs/a.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        _remove_object(repository, what)

        for _ in range(3):
            assert HistoryReader(repository.path).history().problem
        gc.collect()


def _dates(history: History) -> dict[bytes, tuple[object, ...]]:
    return {name: (date.when, date.commit, date.reason) for name, date in history.files.items()}


def _remove_object(repository: Repository, what: str) -> None:
    sha = repository.git("rev-parse", what)
    (repository.path / ".git" / "objects" / sha[:2] / sha[2:]).unlink()


@posix_only
class TestGitThatHangs:
    """A stand-in for git that never ends on its own. It prints the history before, or nothing."""

    @pytest.fixture
    def stand_in(self, repository: Repository, tmp_path: Path, git_stand_in: Callable[[str, str], None]) -> Path:
        repository.write("a.md", "one")
        repository.write("b.md", "one")
        repository.commit("2026-01-01T00:00:00Z")
        repository.write("a.md", "two")
        repository.commit("2026-01-02T00:00:00Z", "the last")
        git_stand_in("log", f'[ -z "$PRINT" ] || "$GIT" "$@"\n: > {shlex.quote(str(tmp_path))}/started\nexec sleep 300')
        return tmp_path / "started"

    @pytest.mark.parametrize("at_once", [True, False])
    def test_stop(self, stand_in: Path, repository: Repository, *, at_once: bool) -> None:
        reader = HistoryReader(repository.path)
        if not at_once:
            _wait_until(stand_in.exists)
            assert reader.wait(0) == (0, 2) or reader.wait(0) == (0, 0)

        in_time(reader.stop)

        assert reader._stream is None or reader._stream._process.returncode is not None
        assert [date for date in reader.history().files.values() if date.when] == []

    @pytest.mark.parametrize("command", ["--topo-order --stdin", "diff-tree"])
    def test_stop_while_a_file_from_another_folder_is_followed(
        self, command: str, repository: Repository, tmp_path: Path, git_stand_in: Any
    ) -> None:
        """In the second stream, or while git lists what was added and removed."""
        repository.write("docs/a.md", "one")
        repository.write("src/b.md", "another")
        repository.commit("2026-01-01T00:00:00Z")
        repository.git("mv", "src/b.md", "docs/b.md")
        repository.commit("2026-01-02T00:00:00Z")
        repository.write("docs/a.md", "two")
        repository.commit("2026-01-03T00:00:00Z")
        git_stand_in(command, f": > {shlex.quote(str(tmp_path))}/started\nexec sleep 300")
        reader = HistoryReader(repository.path / "docs", rules=DateRules())
        _wait_until((tmp_path / "started").exists)

        in_time(reader.stop)

        dates = _dates(reader.history())
        assert dates[b"b.md"] == (None, None, UNREADABLE)
        assert dates[b"a.md"][1] == repository.git("rev-parse", "HEAD")
        assert reader._renames._exact.batch._process is None

    @pytest.mark.usefixtures("stand_in")
    def test_git_is_stopped_when_the_last_file_is_dated(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PRINT", "1")
        repository.git("rm", "--quiet", "b.md")
        repository.commit("2026-01-03T00:00:00Z")
        reader = HistoryReader(repository.path, (".md",))

        in_time(reader.history)

        assert reader.history().files[b"a.md"].commit == repository.git("rev-parse", "HEAD~1")
        assert reader._stream is not None
        assert reader._stream._process.returncode is not None


def _wait_until(happened: Callable[[], bool]) -> None:
    for _ in range(6000):
        if happened():
            return
        threading.Event().wait(0.01)
    pytest.fail("it did not happen in time")


@posix_only
def test_the_end_does_not_wait_for_a_process_that_holds_the_pipe(tmp_path: Path) -> None:
    process = git_process.subprocess.Popen(
        ["/bin/sh", "-c", f"sleep 60 & echo $! > {shlex.quote(str(tmp_path))}/pid; echo printed"],
        stdout=git_process.subprocess.PIPE,
    )
    found: list[bytes] = []
    in_time(lambda: found.extend(git_process.read_chunks(process)))
    assert b"".join(found) == b"printed\n"
    os.kill(int((tmp_path / "pid").read_text(encoding="ascii")), 9)
    process.communicate()
