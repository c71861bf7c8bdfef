"""A git process that answers one request after another: what a commit changed, and a git that dies or hangs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git import process as git_process
from sitemap_plugins.git.history import UNREADABLE
from sitemap_plugins.git.process import BatchCommand
from sitemap_plugins.git.renames import Renames
from sitemap_plugins.git.repository import HistoryError
from sitemap_plugins.git.walk import content_of
from tests.git.histories import Planned, days, import_histories, in_time

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="stands in for git with a shell script")
posix_names = pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")

ODD_NAMES = (
    "end\n",
    "end\nend\n",
    "end\nx",
    "x\nend\n",
    "docs/end\n",
    "\n",
    ":100644 000000 a b D",
    os.fsdecode(b"\xff"),
)


def _ask(batch: BatchCommand, name: bytes = b"x") -> bytes:
    answer = b""
    for chunk in batch.request(name + b"\n"):
        answer += chunk
        if answer.endswith(b"\n"):
            return answer
    raise EOFError


class TestBatchCommand:
    """With ``git cat-file --batch-check``, which prints the kind of an object."""

    @pytest.fixture
    def batch(self, repository: Repository) -> Iterator[BatchCommand]:
        batch = BatchCommand(str(repository.path), "cat-file", "--batch-check")
        yield batch
        batch.close()

    def test_one_process_answers_all_requests(self, batch: BatchCommand) -> None:
        assert batch._process is None
        assert _ask(batch) == b"x missing\n"
        first = batch._process

        assert [_ask(batch, name) for name in (b"y", b"x", b"HEAD")] == [
            b"%s missing\n" % n for n in b"y x HEAD".split()
        ]
        assert first is not None
        assert batch._process is first

    def test_close_leaves_no_process_or_open_file(self, batch: BatchCommand) -> None:
        batch.close()
        _ask(batch)
        process = batch._process
        assert process is not None
        batch.close()

        assert process.returncode is not None
        assert process.stdin is not None
        assert process.stdin.closed
        assert process.stdout is not None
        assert process.stdout.closed
        assert batch._process is None

    def test_close_does_not_wait_for_a_process_that_holds_the_input(self, batch: BatchCommand) -> None:
        _ask(batch)
        assert batch._process is not None
        assert batch._process.stdin is not None
        held = os.dup(batch._process.stdin.fileno())

        in_time(batch.close)

        os.close(held)

    @posix_only
    def test_a_request_does_not_wait_for_a_process_that_holds_the_output(
        self, batch: BatchCommand, tmp_path: Path, git_stand_in: Callable[[str, str], None]
    ) -> None:
        git_stand_in("cat-file", f"sleep 60 & echo $! > {shlex.quote(str(tmp_path))}/pid; exit 1")

        def ask() -> None:
            with pytest.raises(EOFError):
                _ask(batch)

        in_time(ask)

        os.kill(int((tmp_path / "pid").read_text(encoding="ascii")), 9)

    def test_stopped_before_the_first_request(self, batch: BatchCommand) -> None:
        batch.stop()

        with pytest.raises(EOFError):
            _ask(batch)
        assert batch._process is None

    def test_stopped_while_git_is_started(self, batch: BatchCommand, monkeypatch: pytest.MonkeyPatch) -> None:
        start = git_process.open_git

        def start_and_stop(*arguments: Any, **options: Any) -> git_process.GitProcess:
            process = start(*arguments, **options)
            batch.stop()  # the new process is not in `batch` yet
            return process

        monkeypatch.setattr(git_process, "open_git", start_and_stop)

        for _ in range(2):
            with pytest.raises(EOFError):
                _ask(batch)

    @posix_only
    def test_stopped_while_it_hangs(self, batch: BatchCommand, git_stand_in: Callable[[str, str], None]) -> None:
        git_stand_in("cat-file", "read -r name; printf some; exec sleep 300")

        def ask() -> None:
            for chunk in batch.request(b"x\n"):
                assert chunk == b"some"
                batch.stop()

        in_time(ask)

    def test_git_is_missing(self, batch: BatchCommand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))

        with pytest.raises(FileNotFoundError):
            _ask(batch)


def _by_content(tokens: Sequence[bytes]) -> dict[bytes, set[bytes]]:
    """The names of removed files by content, and of added files by ``added`` and content."""
    names: dict[bytes, set[bytes]] = {}
    for change, path in zip(tokens[::2], tokens[1::2], strict=True):
        is_added = change.endswith(b"A")
        names.setdefault((b"added " if is_added else b"") + content_of(change, after=is_added), set()).add(path)
    return names


class TestChanges:
    """What git says about the files that a commit adds and removes, before they are matched."""

    @pytest.fixture
    def renames(self, repository: Repository) -> Iterator[Renames]:
        """Read changes in a repository, from a folder in it."""
        (repository.path / "docs").mkdir()
        renames = Renames(str(repository.path / "docs"))
        renames._exact._read = _by_content  # type: ignore[assignment]
        yield renames
        for batch in renames.batches:
            batch.close()

    @pytest.fixture
    def removed(self, repository: Repository, renames: Renames) -> Callable[..., dict[bytes, set[bytes]]]:
        """Return what a commit removed, according to two git commands."""

        def ask(commit: str, parent: str) -> dict[bytes, set[bytes]]:
            options = ("--raw", "-z", "--no-abbrev", "--no-renames", "--diff-filter=AD")
            printed = repository.git("diff", *options, parent, commit).encode(errors="surrogateescape")
            changes = _by_content(printed.split(b"\0")[:-1])
            found = renames.exact(*(repository.git("rev-parse", each).encode() for each in (commit, parent)))
            assert found == changes
            return {content: paths for content, paths in changes.items() if not content.startswith(b"added ")}

        return ask

    def _import(self, repository: Repository, *trees: Any) -> None:
        """Import one commit after the other. Each maps paths to contents, or to pairs of mode and content."""
        commits = [
            Planned(
                {path: each if isinstance(each, tuple) else ("100644", each) for path, each in tree.items()}, parents
            )
            for tree, parents in zip(trees, [(), *((number,) for number in range(len(trees)))], strict=False)
        ]
        import_histories(repository, [commits])

    def test_submodules(self, repository: Repository, removed: Any) -> None:
        repository.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
        repository.git("commit", "--quiet", "--message", "with it")
        repository.git("rm", "--quiet", "--cached", "sub")
        repository.git("commit", "--quiet", "--message", "without")

        assert list(removed("HEAD", "HEAD~1")) == [b"160000" + b"1" * 40]

    def test_a_commit_that_was_replaced(self, repository: Repository, renames: Renames) -> None:
        """The result is the same as with ``git log``."""
        for name in ("a", "b"):
            repository.write(name, name)
        before = repository.commit("2026-01-01T00:00:00Z")
        other, commit = (
            repository.git("commit-tree", "-p", before, "-m", "x", _tree(repository, before, without=name))
            for name in ("a", "b")
        )
        repository.git("replace", commit, other)

        assert list(renames.exact(commit.encode(), before.encode()).values()) == [{b"a"}]

    @posix_names
    def test_odd_names_in_an_answer_that_comes_byte_by_byte(
        self, repository: Repository, removed: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read_chunks = git_process.read_chunks
        sizes: list[int] = []

        def read_bytes(process: git_process.GitProcess) -> Iterator[bytes]:
            for chunk in read_chunks(process):
                sizes.append(len(chunk))
                yield from (chunk[place : place + 1] for place in range(len(chunk)))

        names = [os.fsencode(name) for name in ODD_NAMES]
        trees = [
            dict.fromkeys(names, b"1"),
            *({name: b"1"} for name in names),
            dict.fromkeys(names, b"1"),
            {b"a": b"1"},
        ]
        self._import(repository, *trees)
        monkeypatch.setattr(git_process, "read_chunks", read_bytes)

        for number in range(len(trees) - 1):
            found = removed(f"HEAD~{number}", f"HEAD~{number + 1}")

            gone = trees[-2 - number].keys() - trees[-1 - number].keys()
            assert list(found.values()) == ([gone] if gone else [])
        assert sizes

    def test_an_answer_that_is_larger_than_any_pipe(self, repository: Repository, removed: Any) -> None:
        names = [b"%d/%s" % (number, b"x" * 200) for number in range(2000)]
        self._import(repository, dict.fromkeys(names, b"1"), {b"a": b"1"}, {})

        assert list(removed("HEAD~1", "HEAD~2").values()) == [set(names)]
        assert list(removed("HEAD", "HEAD~1").values()) == [{b"a"}]

    def test_git_is_asked_once_for_a_commit(self, repository: Repository, renames: Renames) -> None:
        self._import(repository, {b"a": b"1"}, {b"b": b"1"}, {b"c": b"1"})
        ids = repository.git("rev-list", "HEAD").encode().split()
        batch = renames._exact.batch
        assert batch._process is None
        first = renames.exact(ids[0], ids[1])
        assert renames.exact(ids[0], ids[1]) is first
        process = batch._process
        assert process is not None
        assert renames.exact(ids[1], ids[2]) != first
        assert batch._process is process
        last = renames.exact(ids[0], ids[1])
        process.kill()
        process.wait()

        assert renames.exact(ids[0], ids[1]) is last
        assert last == first
        with pytest.raises(HistoryError, match=UNREADABLE):
            renames.exact(ids[0], ids[2])

    def test_a_missing_commit(self, repository: Repository, renames: Renames) -> None:
        repository.write("a", "1")
        commit = repository.commit("2026-01-01T00:00:00Z").encode()

        with pytest.raises(HistoryError, match=UNREADABLE):
            renames.exact(commit, b"1" * 40)

    def test_an_incomplete_answer_gives_no_result(self, renames: Renames) -> None:
        """For every place where it can be cut, and with odd names."""
        change = b":100644 000000 %s %s D" % (b"a" * 40, b"0" * 40)
        names = [os.fsencode(name) for name in ODD_NAMES]
        for some in ([], *([name] for name in names), names, names[::-1]):
            answer = bytearray(b"".join(change + b"\0" + name + b"\0" for name in some) + b"end\n")

            made = [renames._exact._read_answer(answer[:length]) for length in range(len(answer) + 1)]

            assert made[:-1] == [None] * len(answer)
            assert made[-1] == ({b"100644" + b"a" * 40: set(some)} if some else {})


def _tree(repository: Repository, commit: str, *, without: str) -> str:
    repository.git("read-tree", commit)
    repository.git("rm", "--quiet", "--cached", without)
    return repository.git("write-tree")


@posix_only
class TestGitThatDies:
    """No date is wrong if git fails to say what was added and removed."""

    @pytest.fixture
    def moved(self, repository: Repository) -> Repository:
        """Three pages of the 1st: one was moved on the 3rd, the others changed on the 2nd and the 4th."""
        for name in ("src/a.md", "docs/b.md", "docs/c.md"):
            repository.write(name, f"content of {name}")
        repository.commit("2026-01-01T00:00:00Z")
        repository.write("docs/b.md", "changed")
        repository.commit("2026-01-02T00:00:00Z")
        repository.git("mv", "src/a.md", "docs/a.md")
        repository.commit("2026-01-03T00:00:00Z")
        repository.write("docs/c.md", "changed")
        repository.commit("2026-01-04T00:00:00Z")
        return repository

    @pytest.mark.parametrize(("folder", "end"), [("docs", "exit 0"), ("docs", "kill -9 $$"), (".", "exit 128")])
    def test_its_answer_can_end_anywhere(
        self,
        folder: str,
        end: str,
        moved: Repository,
        git_stand_in: Callable[[str, str], None],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        command = 'IFS= read -r line; printf "%s\\nend\\n" "$line" | "$GIT" "$@" | head -c "$BYTES"'
        git_stand_in("diff-tree", f"{command}\n{end}")
        whole = len(":000000 100644  A\0docs/a.md\0:100644 000000  D\0src/a.md\0end\n") + 162
        dates: list[set[tuple[str, str]]] = []

        for size in (0, 1, whole - 5, whole - 4, whole - 1, whole):
            monkeypatch.setenv("BYTES", str(size))
            dates.append({(Path(name).name, each) for name, each in days(moved.path / folder).items()})

        broken = {("a.md", UNREADABLE), ("b.md", UNREADABLE), ("c.md", "4")}
        assert dates == [*[broken] * 5, {("a.md", "1"), ("b.md", "2"), ("c.md", "4")}]

    def test_between_two_answers(
        self, moved: Repository, git_stand_in: Callable[[str, str], None], tmp_path: Path
    ) -> None:
        """Dates that were already found are kept."""
        moved.write("docs/d.md", "one")
        moved.commit("2026-01-05T00:00:00Z")
        asked = shlex.quote(str(tmp_path / "asked"))
        git_stand_in("diff-tree", f'read -r line; read -r line; echo end; read -r line; echo "$line" > {asked}; exit 1')

        assert days(moved.path / "docs") == {"a.md": UNREADABLE, "b.md": UNREADABLE, "c.md": "4", "d.md": "5"}
        assert (tmp_path / "asked").read_text(encoding="ascii").split() == [
            moved.git("rev-parse", "HEAD~2"),
            moved.git("rev-parse", "HEAD~3"),
        ]

    def test_git_is_not_asked_if_nothing_was_added(
        self, repository: Repository, git_stand_in: Callable[[str, str], None], tmp_path: Path
    ) -> None:
        for number in (1, 2):
            repository.write("docs/a.md", str(number))
            repository.commit(f"2026-01-0{number}T00:00:00Z")
        git_stand_in("diff-tree", f": > {shlex.quote(str(tmp_path / 'asked'))}; exit 1")

        assert days(repository.path / "docs") == {"a.md": "2"}
        assert days(repository.path / "docs", created=True) == {"a.md": "1"}
        repository.write("docs/b.md", "1")
        repository.commit("2026-01-03T00:00:00Z")
        assert days(repository.path / "docs", follow_renames=False) == {"a.md": "2", "b.md": "3"}
        assert not (tmp_path / "asked").exists()
        assert days(repository.path / "docs") == {"a.md": UNREADABLE, "b.md": UNREADABLE}
        assert (tmp_path / "asked").exists()


def test_requests_need_no_temporary_file(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError

    repository.write("a", "content")
    repository.commit("2026-01-01T00:00:00Z")
    monkeypatch.setattr(git_process, "TemporaryFile", fail)
    batch = BatchCommand(str(repository.path), "cat-file", "--batch")
    try:
        assert b" blob " in next(iter(batch.request(b"HEAD:a\n")))
    finally:
        batch.close()


@posix_only
@pytest.mark.parametrize("chosen", [None, "1"])
def test_only_answers_that_are_waited_for_are_flushed(
    chosen: str | None, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere git may write its output in large pieces, unless the user has set otherwise."""
    if chosen:
        monkeypatch.setenv("GIT_FLUSH", chosen)
    command = ("-c", "alias.flush=!echo ${GIT_FLUSH-unset}", "flush")
    batch = BatchCommand(str(repository.path), *command)
    assert b"".join(batch.request(b"")).decode().strip() == (chosen or "unset")
    batch.close()
    assert git_process.run_git(str(repository.path), *command).stdout.decode().strip() == (chosen or "0")
