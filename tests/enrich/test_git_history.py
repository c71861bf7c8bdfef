"""The dates of random histories, the walk by itself, and what is said when there are no dates."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.enrich import git_history
from sitemap_plugins.enrich.git_history import (
    NOT_COMMITTED,
    SHALLOW,
    UNREADABLE,
    Commit,
    History,
    HistoryReader,
    follow,
)
from sitemap_plugins.model import FileDate

if TYPE_CHECKING:
    from tests.conftest import Repository

HISTORIES = int(os.environ.get("SITEMAP_FUZZ", "200"))  # raise it to search for histories that are dated wrongly
BATCH = 20
posix_only = pytest.mark.skipif(os.name == "nt", reason="stands in for git with a shell script")


class TestRandomHistories:
    @pytest.mark.parametrize("first", range(0, HISTORIES, BATCH))
    def test_every_file_has_the_date_of_git_log(
        self,
        first: int,
        repository: Repository,
        random_history: Callable[[int], list[Any]],
        import_histories: Any,
        switch_to: Any,
        git_says: Any,
        we_say: Any,
    ) -> None:
        seeds = range(first, min(first + BATCH, HISTORIES))
        import_histories(repository, [random_history(seed) for seed in seeds])
        docs = repository.path / "docs"
        docs.mkdir()

        for number, seed in enumerate(seeds):
            switch_to(repository.path, number)
            directory = docs if seed % 4 else repository.path

            assert we_say(directory) == git_says(directory), f"random_history({seed})"

    def test_they_hold_everything_that_is_hard(self, random_history: Callable[[int], list[Any]]) -> None:
        histories = [random_history(seed) for seed in range(200)]
        commits = [commit for history in histories for commit in history]
        merges = [commit for commit in commits if len(commit.parents) > 1]
        backwards = [
            (commit, parent)
            for history in histories
            for commit in history
            for parent in commit.parents
            if int(commit.when.split()[0]) < int(history[parent].when.split()[0])
        ]

        assert len(merges) > 500
        assert sum(len(commit.parents) > 2 for commit in merges) > 100
        assert sum("one side" in commit.notes for commit in merges) > 100
        assert sum("evil" in commit.notes for commit in merges) > 100
        assert sum("delete" in commit.notes for commit in commits) > 100
        assert sum(not commit.parents for commit in commits) > 250
        assert len(backwards) > 500
        assert {mode for commit in commits for mode, _ in commit.tree.values()} == {"100644", "100755", "120000"}


def _header(sha: str, *parents: str, second: int = 0, origin: str = "", diff: str = "") -> str:
    """One header as git prints it, up to the first NUL; ``diff`` is the first line of the diff that follows it."""
    first = " ".join(["commit", sha, *parents]) + (f" (from {origin})" if origin else "")
    tree = ["tree t", *(f"parent {parent}" for parent in parents)]
    people = ["author A <a@b> 1 +0000", f"committer A <a@b> {second} +0000"]
    return "\n".join([first, *tree, *people, "", "    a message", *(["", diff] if diff else [])])


def _printed(sha: str, *parents: str, second: int = 0, origin: str = "", paths: str = "") -> list[bytes]:
    """A commit and its diff against one parent, cut at every NUL; ``paths`` has one letter for each path."""
    change = ":100644 100644 a b M"
    tokens = [_header(sha, *parents, second=second, origin=origin, diff=change if paths else "")]
    for number, path in enumerate(paths):
        tokens += [change, path] if number else [path]
    return [token.encode() for token in tokens]


def _followed(tokens: Iterator[bytes] | list[bytes], wanted: str, head: bytes = b"c3") -> dict[str, str]:
    found: dict[bytes, Commit] = {}
    follow(tokens, head, [path.encode() for path in wanted], found.__setitem__)
    return {path.decode(): commit.sha.decode() for path, commit in found.items()}


class TestFollow:
    def test_a_line_of_commits(self) -> None:
        tokens = _printed("c3", "c2", paths="a") + _printed("c2", "c1", paths="ab") + _printed("c1", paths="abc")

        assert _followed(tokens, "abc") == {"a": "c3", "b": "c2", "c": "c1"}

    def test_a_commit_that_changed_nothing(self) -> None:
        tokens = _printed("c3", "c2") + _printed("c2", "c1") + _printed("c1", paths="a")

        assert _followed(tokens, "a") == {"a": "c1"}

    def test_a_merge_hands_each_path_to_the_first_parent_that_has_the_same(self) -> None:
        merge = _printed("c3", "p1", "p2", origin="p1", paths="ab") + _printed(
            "c3", "p1", "p2", origin="p2", paths="ac"
        )
        tokens = merge + _printed("p1", paths="abcd") + _printed("p2", paths="abcd")

        assert _followed(tokens, "abcd") == {"a": "c3", "b": "p2", "c": "p1", "d": "p1"}

    def test_a_merge_that_is_the_same_as_its_second_parent(self) -> None:
        tokens = (
            _printed("c3", "p1", "p2", origin="p1", paths="a") + _printed("p1", paths="a") + _printed("p2", paths="a")
        )

        assert _followed(tokens, "a") == {"a": "p2"}

    def test_a_merge_that_is_the_same_as_all_its_parents(self) -> None:
        tokens = _printed("c3", "p1", "p2") + _printed("p2", paths="a") + _printed("p1", paths="a")

        assert _followed(tokens, "a") == {"a": "p1"}

    def test_an_octopus(self) -> None:
        parents = ("p1", "p2", "p3")
        diffs = {"p1": "abc", "p2": "abd", "p3": "a"}
        merge = [token for each in parents for token in _printed("c3", *parents, origin=each, paths=diffs[each])]
        roots = [token for each in parents for token in _printed(each, paths="abcd")]

        assert _followed(merge + roots, "abcd") == {"a": "c3", "b": "p3", "c": "p2", "d": "p1"}

    def test_paths_that_meet_again(self) -> None:
        tokens = _printed("c3", "p1", "p2", origin="p1", paths="a") + _printed("c3", "p1", "p2", origin="p2", paths="b")
        tokens += _printed("p2", "c1", paths="b") + _printed("p1", "c1", paths="a") + _printed("c1", paths="abc")

        assert _followed(tokens, "abc") == {"a": "c1", "b": "c1", "c": "c1"}

    def test_a_path_that_looks_like_a_header_or_a_change(self) -> None:
        change = b":100644 100644 a b M"
        header = _header("c3", "c2", diff=change.decode()).encode()
        odd = [b"commit c2", b":100644", b"commit c2 c1 (from c1)\ncommitter A <a@b> 1 +0000"]
        tokens = [header, odd[0], change, odd[1], change, odd[2], *_printed("c2", paths="a")]
        found: dict[bytes, Commit] = {}

        follow(tokens, b"c3", [*odd, b"a"], found.__setitem__)

        assert {path: commit.sha for path, commit in found.items()} == dict.fromkeys(odd, b"c3") | {b"a": b"c2"}

    def test_git_is_read_no_further_than_needed(self) -> None:
        tokens = iter(_printed("c3", "c2", paths="a") + _printed("c2", "c1", paths="b") + _printed("c1", paths="abc"))

        assert _followed(tokens, "a") == {"a": "c3"}
        assert list(tokens)[-1] == b"c"

    def test_it_returns_the_newest_commit(self) -> None:
        tokens = _printed("c3", "c2", second=5) + _printed("c2", second=9, paths="a")

        newest = follow(tokens, b"c3", [b"a"], dict[bytes, Commit]().__setitem__)

        assert newest == Commit(b"c3", b"A <a@b> 5 +0000")

    def test_the_newest_commit_is_known_where_no_path_is_wanted(self) -> None:
        newest = follow(_printed("c3", "c2", second=5), b"c3", [], dict[bytes, Commit]().__setitem__)

        assert newest is not None
        assert newest.sha == b"c3"

    def test_nothing_was_printed(self) -> None:
        assert follow([b""], b"c3", [b"a"], dict[bytes, Commit]().__setitem__) is None

    def test_a_history_that_breaks_off_gives_no_wrong_date(self) -> None:
        parents = ("p1", "p2")
        tokens = _printed("c3", *parents, second=1_700_000_001, origin="p1", paths="abe")
        tokens += _printed("c3", *parents, second=1_700_000_001, origin="p2", paths="ace")
        tokens += _printed("p1", "c1", second=1_700_000_002, paths="abcd")
        tokens += _printed("p2", "c1", second=1_700_000_003, paths="b")
        tokens += _printed("c1", second=1_700_000_004, paths="abcdef")
        tokens = [b"fd" if token == b"d" else token for token in tokens]  # cut short, it is the name of another file
        whole: dict[bytes, Commit] = {}
        follow(tokens, b"c3", [b"a", b"b", b"c", b"fd", b"e", b"f"], whole.__setitem__)
        printed = b"\0".join(tokens) + b"\0"

        for length in range(len(printed)):
            found: dict[bytes, Commit] = {}
            tokens = list(git_history._tokens(io.BytesIO(printed[:length])))

            follow(tokens, b"c3", set(whole), found.__setitem__)

            dated = {path: commit for path, commit in found.items() if commit.when}
            assert dated == {path: whole[path] for path in dated}, printed[:length]

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
    def test_the_stream_may_be_cut_anywhere(self, size: int) -> None:
        last = _printed("c1")[0] + b"\n"  # git ends with a line end where the last commit has no diff, else with a NUL
        tokens = [*_printed("c3", "c2", paths="a"), *_printed("c2", "c1", paths="ab"), last]
        printed = b"\0".join(tokens)
        chunks = [printed[start : start + size] for start in range(0, len(printed), size)]

        assert list(git_history._tokens(chunks)) == tokens


class TestCommit:
    @pytest.mark.parametrize(
        ("committer", "expected"),
        [
            (b"A <a@b> 1700000000 +0000", "2023-11-14T22:13:20+00:00"),
            (b"A <a@b> 1700000000 -0330", "2023-11-14T18:43:20-03:30"),
            (b"A <a@b> 1700000000 +1400", "2023-11-15T12:13:20+14:00"),
            (b"A > B <a@b> 1700000000 +0545", "2023-11-15T03:58:20+05:45"),
            (b" <> 1700000000 +0000", "2023-11-14T22:13:20+00:00"),
            (b"\xff <a@b> 0 +0000", "1970-01-01T00:00:00+00:00"),
            (b"A <a@b> 1700000000 +9999", "2023-11-14T22:13:20+00:00"),  # no zone at all: UTC
            (b"A <a@b> 1700000000", "2023-11-14T22:13:20+00:00"),
            (b"A <a@b> 99999999999999999999 +0000", None),
            (b"A <a@b> 999999999999999 +0000", None),
            (b"A <a@b> yesterday +0000", None),
            (b"", None),
        ],
    )
    def test_when(self, committer: bytes, expected: str | None) -> None:
        when = Commit(b"c", committer).when

        assert (when and when.isoformat()) == expected

    def test_a_file_without_a_date_that_exists_is_unreadable(self) -> None:
        assert git_history._date(Commit(b"c", b""), (), modified=True) == FileDate(
            when=None, reason=UNREADABLE, modified=True
        )


class TestDateOf:
    @pytest.fixture
    def docs(self, repository: Repository) -> Path:
        repository.write("docs/a.md", "one")
        repository.write("docs/guide/b.md", "one")
        repository.write("docs/c.rst", "one")
        repository.commit("2026-01-02T03:04:05+02:00")
        return repository.path / "docs"

    def test_by_absolute_path(self, docs: Path, repository: Repository) -> None:
        history = HistoryReader(docs).history()
        date = history.date_of(str(docs / "guide" / "b.md"))

        assert date.when is not None
        assert date.when.isoformat() == "2026-01-02T03:04:05+02:00"
        assert date == FileDate(when=date.when, commit=repository.git("rev-parse", "HEAD"))
        assert history.newest == date.when

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

    @pytest.mark.parametrize("staged", [False, True])
    def test_a_file_that_was_never_committed(self, docs: Path, repository: Repository, *, staged: bool) -> None:
        new = repository.write("docs/new.md", "new")
        if staged:
            repository.git("add", "--all")

        assert HistoryReader(docs).history().date_of(str(new)) == FileDate(
            when=None, reason=NOT_COMMITTED, modified=True
        )

    def test_a_file_elsewhere(self, docs: Path, repository: Repository) -> None:
        outside = repository.write("a.md", "the same name as docs/a.md")
        repository.commit("2026-01-03T00:00:00Z")

        assert HistoryReader(docs).history().date_of(str(outside)).reason == NOT_COMMITTED

    def test_a_file_on_another_drive(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def other_drive(*_: object) -> str:
            raise ValueError

        monkeypatch.setattr(os.path, "relpath", other_drive)

        assert History(directory="C:/docs").date_of("D:/a.md").reason == NOT_COMMITTED

    def test_without_history(self) -> None:
        assert History(problem="no luck").date_of("a.md") == FileDate(when=None, reason="no git")

    def test_only_wanted_suffixes(self, docs: Path) -> None:
        assert set(HistoryReader(docs, wanted=(".md", ".txt")).history().files) == {b"a.md", b"guide/b.md"}

    def test_no_file_is_wanted(self, docs: Path) -> None:
        history = HistoryReader(docs, wanted=(".txt",)).history()

        assert not history.files
        assert history.problem is None
        assert history.newest is not None

    def test_asked_twice(self, docs: Path) -> None:
        reader = HistoryReader(docs)

        assert reader.history() is reader.history()


class TestShallowReason:
    def test_a_commit_at_the_boundary_dates_nothing(self) -> None:
        commit = Commit(b"c", b"A <a@b> 1700000000 +0000")

        assert git_history._date(commit, {b"c"}, modified=False) == FileDate(when=None, commit="c", reason=SHALLOW)
        assert git_history._date(commit, {b"d"}, modified=False).when == commit.when
