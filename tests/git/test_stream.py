"""The process that prints a history, and what happens if it fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from sitemap_plugins.git import history as git_history
from sitemap_plugins.git import walk as git_walk
from sitemap_plugins.git.history import UNREADABLE, DateRules, HistoryReader, Stream
from sitemap_plugins.git.process import BackgroundCommand
from sitemap_plugins.git.repository import HistoryError
from sitemap_plugins.reading import GIT_ANSWER, GIT_CHANGES
from tests.builders import long_text
from tests.git.histories import in_time

if TYPE_CHECKING:
    from tests.conftest import Repository

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
