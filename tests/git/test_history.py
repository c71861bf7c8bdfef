"""The dates and other facts of all files below a folder, the rules for them, and the process that prints a history."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from sitemap_plugins.git import history as git_history
from sitemap_plugins.git import walk as git_walk
from sitemap_plugins.git.history import UNREADABLE, DateRules, History, HistoryReader, Stream
from sitemap_plugins.git.process import BackgroundCommand
from sitemap_plugins.git.repository import IGNORE_REVS, HistoryError
from sitemap_plugins.model import SHALLOW, FileDate
from sitemap_plugins.reading import GIT_ANSWER, GIT_CHANGES
from tests.builders import interruptible, long_text
from tests.conftest import Repository
from tests.git.histories import add_commit, day, days, in_time

if TYPE_CHECKING:
    from tests.conftest import Repository


class TestFiles:
    @pytest.fixture
    def docs(self, repository: Repository) -> Path:
        repository.write("docs/a.md", "one")
        repository.write("docs/guide/b.md", "one")
        repository.write("docs/c.rst", "one")
        repository.commit("2026-01-02T03:04:05+02:00")
        return repository.path / "docs"

    def test_all_fields_of_a_file(self, docs: Path, repository: Repository) -> None:
        history = HistoryReader(docs).history()
        date = history.files[b"guide/b.md"]

        assert date.when is not None
        assert date.when.isoformat() == "2026-01-02T03:04:05+02:00"
        assert date == FileDate(
            when=date.when,
            commit=repository.git("rev-parse", "HEAD"),
            added=True,
            path="docs/guide/b.md",
            repository=os.path.realpath(repository.path),
        )

    def test_all_fields_of_the_history(self, docs: Path, repository: Repository) -> None:
        history = HistoryReader(docs).history()

        assert history == History(
            directory=os.path.realpath(docs),
            toplevel=os.path.realpath(repository.path),
            head=repository.git("rev-parse", "HEAD"),
            files=history.files,
            head_date=history.files[b"a.md"].when,
            newest=history.files[b"a.md"].when,
        )
        assert set(history.files) == {b"a.md", b"c.rst", b"guide/b.md"}

    def test_added_or_changed(self, docs: Path, repository: Repository) -> None:
        repository.write("docs/a.md", "two")
        repository.write("docs/new.md", "one")
        repository.commit(day(1))

        files = HistoryReader(docs).history().files

        assert {name for name, date in files.items() if date.added} == {b"c.rst", b"guide/b.md", b"new.md"}

    def test_a_modified_file_has_the_date_of_its_last_commit(self, docs: Path, repository: Repository) -> None:
        repository.write("docs/a.md", "another length")
        repository.write("docs/guide/b.md", "staged and longer")
        repository.git("add", "docs/guide/b.md")
        history = HistoryReader(docs).history()

        assert {name: (date.modified, date.when) for name, date in history.files.items()} == {
            b"a.md": (True, history.newest),
            b"guide/b.md": (True, history.newest),
            b"c.rst": (False, history.newest),
        }

    def test_only_wanted_suffixes(self, docs: Path) -> None:
        assert set(HistoryReader(docs, (".md", ".txt")).history().files) == {b"a.md", b"guide/b.md"}

    @pytest.mark.parametrize("files", [{b"a.md"}, {b"guide/b.md", b"c.rst"}, {b"a.md", b"guide/b.md", b"c.rst"}, set()])
    def test_only_wanted_files(self, files: set[bytes], docs: Path, repository: Repository) -> None:
        wanted = {b"docs/" + name for name in files}

        assert set(HistoryReader(docs, files=files | {b"none.md"}).history().files) == files
        assert set(HistoryReader(repository.path, files=wanted | {b"none/a.md"}).history().files) == wanted

    def test_files_in_very_many_folders(self, repository: Repository) -> None:
        names = [f"{number}/a.md" for number in range(200)]
        for number in range(2):
            for name in names[number::2]:
                repository.write(name, "one")
            repository.write("b.md", str(number))
            repository.commit(day(number + 1))

        files = HistoryReader(repository.path, files={name.encode() for name in names}).history().files

        assert len(files) == 200
        assert {files[b"%d/a.md" % number].when.day for number in range(0, 200, 2)} == {1}  # type: ignore[union-attr]
        assert {files[b"%d/a.md" % number].when.day for number in range(1, 200, 2)} == {2}  # type: ignore[union-attr]

    def test_asked_twice(self, docs: Path) -> None:
        reader = HistoryReader(docs)

        assert reader.history() is reader.history()

    def test_wait_returns_at_the_end(self, docs: Path) -> None:
        reader = HistoryReader(docs)

        assert reader.wait(60) is None
        assert reader.history().files

    def test_a_last_commit_that_changed_nothing_counts_for_a_whole_folder(
        self, docs: Path, repository: Repository
    ) -> None:
        repository.commit(day(9))
        single = HistoryReader(docs, files={b"a.md"}).history()

        assert HistoryReader(docs).history().newest == datetime.fromisoformat(day(9))
        assert single.newest == single.files[b"a.md"].when

    def test_a_file_without_a_date_that_exists_is_unreadable(self, repository: Repository) -> None:
        add_commit(repository, "author A <a@b> 1 +0000", "committer A <a@b> yesterday +0000")
        repository.write("docs/a.md", "another length")

        history = HistoryReader(repository.path / "docs").history()
        date = history.files[b"a.md"]

        assert (date.when, date.reason, date.modified) == (None, UNREADABLE, True)
        assert date.commit == repository.git("rev-parse", "HEAD~1")
        assert history.newest == datetime(2026, 2, 28, 9, tzinfo=UTC)


class TestRevisions:
    @pytest.fixture
    def tagged(self, repository: Repository) -> Repository:
        """A version in which ``a.md`` is of the 1st, and a later commit that changes, adds and removes files."""
        repository.write("docs/a.md", "one")
        repository.write("docs/b.md", "one")
        repository.commit(day(1))
        repository.write("docs/b.md", "two")
        repository.commit(day(2))
        repository.git("tag", "--annotate", "--message=a version", "v1")
        repository.git("mv", "docs/a.md", "docs/c.md")
        repository.write("docs/b.md", "three")
        repository.write("docs/new.md", "one")
        repository.commit(day(3))
        return repository

    @pytest.mark.parametrize("what", ["v1", "HEAD~1"])
    def test_a_version(self, what: str, tagged: Repository) -> None:
        """By its full id, or by the id of an annotated tag."""
        revision = tagged.git("rev-parse", what)

        history = HistoryReader(tagged.path / "docs", revision=revision, rules=DateRules()).history()

        assert history.head == tagged.git("rev-parse", "v1^{commit}")
        assert {name: date.when and date.when.day for name, date in history.files.items()} == {b"a.md": 1, b"b.md": 2}
        assert history.newest is not None
        assert history.newest.isoformat() == day(2)


class TestKindsOfDates:
    @pytest.fixture
    def merged(self, repository: Repository) -> Repository:
        """On ``side``, ``a.md`` was written on the 1st, committed on the 2nd, and merged on the 5th."""
        repository.write("docs/b.md", "one")
        repository.commit(day(1))
        repository.git("checkout", "--quiet", "-b", "side")
        repository.write("docs/a.md", "another")
        repository.git("add", "--all")
        repository.git("commit", "--quiet", "--message=a change", f"--date={day(1)}", when=day(2))
        repository.git("commit", "--quiet", "--amend", "--no-edit", f"--date={day(1)}", when=day(2))
        repository.git("checkout", "--quiet", "main")
        repository.write("docs/b.md", long_text("b.md"))
        repository.commit(day(4))
        repository.git("merge", "--quiet", "--no-ff", "--no-edit", "side", when=day(5))
        return repository

    @pytest.mark.parametrize(
        ("kind", "expected"),
        [
            ("committer", {"a.md": "2", "b.md": "4"}),
            ("author", {"a.md": "1", "b.md": "4"}),
            ("landed", {"a.md": "5", "b.md": "4"}),
        ],
    )
    def test_each(self, kind: str, expected: dict[str, str], merged: Repository) -> None:
        assert days(merged.path / "docs", date=kind) == expected

    def test_a_file_from_a_merge_was_added_by_the_merge(self, merged: Repository) -> None:
        date = HistoryReader(merged.path / "docs", rules=DateRules(date="landed")).history().files[b"a.md"]

        assert date.added
        assert date.commit == merged.git("rev-parse", "HEAD")

    def test_the_default_ignore_file_has_no_effect_on_landed_dates(self, merged: Repository) -> None:
        merged.write("docs/b.md", "formatted")
        sha = merged.commit(day(6))
        file = merged.write(IGNORE_REVS, sha)
        merged.commit(day(7))

        assert days(merged.path / "docs") == {"a.md": "2", "b.md": "4"}
        assert days(merged.path / "docs", date="landed") == {"a.md": "5", "b.md": "6"}
        assert days(merged.path / "docs", date="landed", ignore_revs=(str(file),)) == {"a.md": "5", "b.md": "4"}


class TestCreation:
    @pytest.fixture
    def grown(self, repository: Repository) -> Repository:
        """Two pages of the 1st and the 2nd, changed on the 3rd. The first is moved on the 4th and changed on the 5th."""
        for number, name in ((1, "src/a.md"), (2, "docs/b.md")):
            repository.write(name, long_text(name))
            repository.commit(day(number))
        for name in ("src/a.md", "docs/b.md"):
            repository.write(name, long_text(f"{name}, changed"))
        repository.commit(day(3))
        repository.git("mv", "src/a.md", "docs/c.md")
        repository.commit(day(4))
        repository.write("docs/c.md", "at last")
        repository.commit(day(5))
        return repository

    def test_the_first_commit_of_the_content(self, grown: Repository) -> None:
        assert days(grown.path / "docs", created=True) == {"b.md": "2", "c.md": "1"}
        assert days(grown.path / "docs", created=True, follow_renames=False) == {"b.md": "2", "c.md": "4"}
        assert days(grown.path / "docs") == {"b.md": "3", "c.md": "5"}

    def test_an_ignored_commit_that_adds_a_file_counts(self, grown: Repository, revs: Any) -> None:
        ignored = revs(*grown.git("rev-list", "HEAD").split())

        assert days(grown.path / "docs", created=True, ignore_revs=ignored) == {"b.md": "2", "c.md": "1"}

    def test_by_commit_date_or_by_landed_date(self, grown: Repository) -> None:
        grown.git("checkout", "--quiet", "-b", "side")
        grown.write("docs/new.md", "one")
        grown.commit(day(8))
        grown.git("checkout", "--quiet", "main")
        grown.git("merge", "--quiet", "--no-ff", "--no-edit", "side", when=day(9))

        assert days(grown.path / "docs", (".md",), created=True)["new.md"] == "8"
        assert days(grown.path / "docs", (".md",), created=True, date="landed")["new.md"] == "9"

    @pytest.mark.usefixtures("grown")
    def test_in_a_shallow_clone(self, clone: Any) -> None:
        assert days(clone("--depth=2") / "docs", created=True) == {"b.md": SHALLOW, "c.md": SHALLOW}
        assert days(clone("--depth=5", name="deeper") / "docs", created=True) == {"b.md": "2", "c.md": SHALLOW}


@pytest.mark.skipif(os.name == "nt", reason="interrupts of POSIX")
@pytest.mark.parametrize("moment", ["while it waits", "while the thread starts"])
def test_an_interrupt_while_git_starts(moment: str, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git has started already, and the thread that started it does not know that yet: it is ended all the same."""
    started: list[subprocess.Popen[bytes]] = []
    readers: list[HistoryReader] = []
    interrupted = threading.Event()
    start = threading.Thread.start

    def open_slowly(*_: object, **__: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "input()"]
        started.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        interrupted.wait()
        while not readers[0]._stopped:
            time.sleep(0.01)
        return started[0]

    def start_slowly(thread: threading.Thread) -> None:
        if thread.name == "sitemap-git":
            readers.append(thread._target.__self__)  # type: ignore[attr-defined]
        start(thread)
        while thread.name == "sitemap-git" and moment == "while the thread starts":
            time.sleep(0.01)

    repository.write("a.md", "one")
    repository.commit(day(1))
    monkeypatch.setattr("sitemap_plugins.git.history.open_git", open_slowly)
    monkeypatch.setattr(threading.Thread, "start", start_slowly)
    with interruptible(), pytest.raises(KeyboardInterrupt):
        HistoryReader(repository.path).wait(600)
    interrupted.set()
    if moment == "while it waits":
        readers[0].stop()
        assert started[0].returncode is not None
    else:  # the caller has no reader to stop
        started[0].wait(600)


posix_only = pytest.mark.skipif(os.name == "nt", reason="stands in for git with a shell script")


@pytest.fixture
def line(repository: Repository) -> Repository:
    """Five commits: a file is added, renamed, joined by another, and changed twice."""
    repository.write("src/a.md", long_text("it"))
    repository.commit("2026-01-01T00:00:00Z")
    (repository.path / "docs").mkdir()
    repository.git("mv", "src/a.md", "docs/b.md")
    repository.commit("2026-01-02T00:00:00Z")
    repository.write("docs/c.md", "other")
    repository.commit("2026-01-03T00:00:00Z")
    for number in (4, 5):
        repository.write("docs/c.md", str(number))
        repository.commit(f"2026-01-0{number}T00:00:00Z")
    return repository


def _commits(repository: Repository, *arguments: str) -> list[str]:
    return repository.git("rev-list", *(arguments or ["HEAD"])).split()


def test_all_commits_with_their_diffs(line: Repository) -> None:
    with Stream(str(line.path), "HEAD") as stream:
        steps = list(stream)

    assert [step.commit.sha.decode() for step in steps] == _commits(line)
    assert [sorted(path for diff in step.diffs.values() for path in diff) for step in steps] == [
        [b"docs/c.md"],
        [b"docs/c.md"],
        [b"docs/c.md"],
        [b"docs/b.md", b"src/a.md"],
        [b"src/a.md"],
    ]


def test_selected_commits_and_paths(line: Repository) -> None:
    first, *_ = _commits(line, "HEAD~1")

    with Stream(str(line.path), "--stdin", stdin=[first.encode(), b"--", b"src"]) as stream:
        steps = list(stream)

    assert [step.commit.sha.decode() for step in steps] == _commits(line, "HEAD~1")
    assert [set(diff) for step in steps for diff in step.diffs.values() if diff] == [{b"src/a.md"}] * 2


@pytest.mark.parametrize("first_parent", [True, False])
def test_merges(forked: Repository, *, first_parent: bool) -> None:
    with Stream(str(forked.path), "HEAD", first_parent=first_parent) as stream:
        merge = next(iter(stream))

    parents = [parent.encode() for parent in forked.git("rev-parse", "HEAD^@").split()]
    paths = [{b"side.md"}, {b"main.md"}]
    count = 1 if first_parent else 2
    assert merge.parents == parents[:count]
    assert {parent: set(diff) for parent, diff in merge.diffs.items()} == dict(
        zip(parents[:count], paths, strict=False)
    )


@pytest.fixture
def forked(repository: Repository) -> Repository:
    repository.commit("2026-01-01T00:00:00Z")
    repository.git("checkout", "--quiet", "-b", "side")
    for branch in ("side", "main"):
        repository.git("checkout", "--quiet", branch)
        repository.write(f"{branch}.md", "one")
        repository.commit("2026-01-02T00:00:00Z")
    repository.git("merge", "--quiet", "--no-edit", "side")
    return repository


def test_a_missing_commit(line: Repository) -> None:
    with (
        Stream(str(line.path), "0" * 40) as stream,
        pytest.raises(HistoryError, match=r"does not have the commit 0{40}"),
    ):
        list(stream)


def test_a_git_that_is_too_old_is_told_by_its_version(line: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_history, "_ALL_PARENTS", ("--diff-merges=as-nobody-knows",))

    assert HistoryReader(line.path).history().problem == "git is too old; version 2.31 or later is needed"


@posix_only
def test_a_commit_with_too_many_changes(line: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few folders in git can have millions of paths. The dates of later commits are right."""
    for number in range(3):
        line.write(f"many/{number}.md", "one")
    many = line.commit("2026-01-10T00:00:00Z")
    line.write("docs/b.md", "after them")
    line.commit("2026-01-11T00:00:00Z")
    monkeypatch.setattr(git_walk, "GIT_CHANGES", replace(GIT_CHANGES, size=300))

    history = HistoryReader(line.path).history()

    assert {os.fsdecode(name): date.reason for name, date in history.files.items() if not date.when} == dict.fromkeys(
        ("docs/c.md", "many/0.md", "many/1.md", "many/2.md"), UNREADABLE
    )
    assert history.files[b"docs/b.md"].commit == line.git("rev-parse", "HEAD")
    (sentence,) = history.too_large
    assert sentence == (
        f"commit {many[:10]} changes so many files that their list is larger than 0 KiB, so git's history is not read "
        "any further"
    )


@posix_only
def test_a_command_that_prints_too_much_is_ended(
    line: Repository, git_stand_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few folders at HEAD can have millions of paths."""
    git_stand_in("ls-tree", "head -c 5000 /dev/zero\nexec sleep 300")
    monkeypatch.setattr(BackgroundCommand.result, "__defaults__", (replace(GIT_ANSWER, size=4999),))
    problems: list[str | None] = []

    in_time(lambda: problems.append(HistoryReader(line.path).history().problem))

    assert problems == [f"{UNREADABLE} (it is larger than 4 KiB, the limit for the output of git)"]


def test_killed(line: Repository, git_stand_in: Any) -> None:
    git_stand_in("log", "exec sleep 300")
    with Stream(str(line.path), "HEAD") as stream:
        stream.kill()

        def read() -> None:
            with pytest.raises(HistoryError):
                list(stream)

        in_time(read)
    stream.kill()


def test_leaves_no_process_or_open_file(line: Repository) -> None:
    with Stream(str(line.path), "HEAD") as stream:
        next(iter(stream))

    assert stream._process.returncode is not None
    assert stream._process.stdout is not None
    assert stream._process.stdout.closed
    assert stream._errors.closed


@posix_only
class TestGitThatFails:
    """A stand-in that prints a number of bytes of the history and exits, or is killed by a signal."""

    @pytest.fixture
    def cut_short(
        self, git_stand_in: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
    ) -> Callable[..., None]:
        git_stand_in(
            "log",
            'case " $* " in\n*" $ONLY "*) ;;\n*) exec "$GIT" "$@";;\nesac\n'
            '"$GIT" "$@" | head -c "$BYTES"\n[ "$HOW" = exit ] && exit 128\nkill -9 $$',
        )

        def after(size: int, how: str = "exit", only: str = "log") -> None:
            for name, value in {"BYTES": str(size), "HOW": how, "ONLY": only}.items():
                monkeypatch.setenv(name, value)

        return after

    @pytest.mark.parametrize("how", ["exit", "signal"])
    def test_the_last_commit_is_never_given(self, how: str, line: Repository, cut_short: Any) -> None:
        commits = _commits(line)
        with Stream(str(line.path), "HEAD") as stream:
            sizes = [len(step.commit.header) for step in stream]
        for size in (0, 1, sum(sizes[:1]), sum(sizes[:3]), 10_000):
            cut_short(size, how)
            given = []

            with Stream(str(line.path), "HEAD") as stream, pytest.raises(HistoryError):
                given.extend(step.commit.sha.decode() for step in stream)

            assert given == commits[: len(given)]
            assert len(given) < len(commits)

    @pytest.mark.parametrize(("only", "end"), [("-- .", 1300), ("-- src", 450)], ids=["first", "second"])
    def test_no_date_is_wrong_if_a_stream_breaks_off_anywhere(
        self, only: str, end: int, line: Repository, cut_short: Any
    ) -> None:
        rules = DateRules()
        cut_short(0, only="nothing like this")
        whole = HistoryReader(line.path / "docs", rules=rules).history().files
        known = set()
        assert [date.when and date.when.day for _, date in sorted(whole.items())] == [1, 5]

        for size in range(0, end, end // 25):
            cut_short(size, only=only)
            history = HistoryReader(line.path / "docs", rules=rules).history()

            dated = {name: date for name, date in history.files.items() if date.reason != UNREADABLE}
            assert dated == {name: whole[name] for name in dated}, size
            known.add(tuple(dated))
        assert known >= {(b"c.md",)}, "nothing was cut short"

    def test_a_rename_does_not_look_like_an_addition_if_its_diff_breaks_off(
        self, line: Repository, cut_short: Any
    ) -> None:
        with Stream(str(line.path), "--max-count=1", "HEAD~3") as stream:
            (step,) = stream
        assert list(*step.diffs.values()) == [b"docs/b.md", b"src/a.md"]

        for size in range(0, 800, 41):
            cut_short(size)
            with Stream(str(line.path), "--max-count=1", "HEAD~3") as stream, pytest.raises(HistoryError):
                list(stream)
