"""Contents from one git process, which may die, hang, or print nonsense."""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Callable
from operator import ne
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from sitemap_plugins.git import blobs as blobs_module
from sitemap_plugins.git.blobs import Blobs, ContentComparison, UniqueContents
from sitemap_plugins.git.history import DateRules, HistoryReader
from sitemap_plugins.reading import GIT_OBJECT
from tests.git.histories import in_time

if TYPE_CHECKING:
    from tests.conftest import Repository

posix_only = pytest.mark.skipif(os.name == "nt", reason="stands in for git with a shell script")

CONTENTS = {"empty": b"", "end": b"no line end", "binary": bytes(range(256)) * 3, "large": b"0123456789\n" * 100_000}


@pytest.fixture
def blobs(repository: Repository) -> Blobs:
    """Read the objects of a repository with two commits of one file."""
    for number in (1, 2):
        repository.write("a.po", f"number {number}")
        repository.commit(f"2026-02-0{number}T10:00:00+01:00")
    return Blobs(str(repository.path))


def _id(repository: Repository, what: str = "HEAD:a.po") -> bytes:
    return repository.git("rev-parse", what).encode()


class TestBlobs:
    def test_contents(self, repository: Repository, blobs: Blobs) -> None:
        for name, content in CONTENTS.items():
            repository.write(name, content)
        repository.commit("2026-02-03T10:00:00+01:00")

        for _ in range(2):
            assert {name: blobs.read(_id(repository, f"HEAD:{name}")) for name in CONTENTS} == CONTENTS
        blobs.batch.close()

    @pytest.mark.parametrize("what", ["HEAD", "HEAD^{tree}"])
    def test_objects_that_are_not_blobs(self, what: str, repository: Repository, blobs: Blobs) -> None:
        assert blobs.read(_id(repository, what)) is None
        assert blobs.read(_id(repository)) == b"number 2"
        blobs.batch.close()

    @pytest.mark.parametrize("sha", [b"0" * 40, b"1234", b"no such thing", b""])
    def test_missing_objects(self, sha: bytes, repository: Repository, blobs: Blobs) -> None:
        assert blobs.read(sha) is None
        assert blobs.read(_id(repository)) == b"number 2"
        blobs.batch.close()

    def test_git_goes_on_after_a_missing_object(self, repository: Repository, blobs: Blobs) -> None:
        blobs.read(_id(repository))
        process = blobs.batch._process
        assert blobs.read(b"0" * 40) is None
        assert blobs.batch._process is process
        blobs.batch.close()

    @pytest.mark.parametrize("over", [0, 1])
    def test_past_the_limit(
        self, over: int, repository: Repository, blobs: Blobs, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(blobs_module, "GIT_OBJECT", structs.replace(GIT_OBJECT, size=1_000_000 - over))
        repository.write("large", b"0123456789" * 100_000)
        repository.commit("2026-02-03T10:00:00+01:00")
        sha = _id(repository, "HEAD:large")

        for _ in range(2):
            assert (blobs.read(sha) is None) == bool(over)
            assert blobs.read(_id(repository)) == b"number 2"
        blobs.batch.close()

    def test_git_has_died(self, repository: Repository, blobs: Blobs) -> None:
        """The request fails, and the next one starts a new process."""
        blobs.read(_id(repository))
        first = blobs.batch._process
        assert first is not None
        first.kill()
        first.wait()

        assert blobs.read(_id(repository)) is None
        assert blobs.read(_id(repository)) == b"number 2"
        assert blobs.batch._process is not first
        blobs.batch.close()


def test_no_content_is_unique_in_a_commit_that_cannot_be_read(repository: Repository, blobs: Blobs) -> None:
    repository.write("folder/long", "x" * 1000)
    repository.commit("2026-02-03T10:00:00+01:00")
    commit, long = _id(repository, "HEAD"), _id(repository, "HEAD:folder/long")
    assert UniqueContents(blobs)(commit, commit, long)
    assert not UniqueContents(blobs)(commit, b"1" * 40, long)
    folder = repository.git("rev-parse", "HEAD:folder")
    (repository.path / ".git" / "objects" / folder[:2] / folder[2:]).unlink()
    blobs.batch.close()
    assert not UniqueContents(blobs)(commit, commit, long)
    blobs.batch.close()


@posix_only
class TestStandIns:
    """Programs that stand in for ``git cat-file``."""

    @pytest.fixture
    def stand_in(self, blobs: Blobs, git_stand_in: Callable[[str, str], None]) -> Callable[[str], Blobs]:
        def make(commands: str) -> Blobs:
            git_stand_in("cat-file --batch", commands)
            return blobs

        return make

    @pytest.mark.parametrize(
        "commands",
        [
            "exit 0",
            "exec cat",
            "read -r name; echo '%s blob 100'; echo short",
            "read -r name; echo '%s blob x'; echo content",
            "read -r name; echo '%s blob -1'; echo content",
            "read -r name; echo",
            "read -r name; printf '%s bl'",
            "read -r name; echo 'another missing'",
            "read -r name; echo 'another blob 3'; echo abc",
        ],
    )
    def test_answers_that_make_no_sense(
        self, commands: str, repository: Repository, stand_in: Callable[[str], Blobs]
    ) -> None:
        sha = _id(repository)
        blobs = stand_in(commands.replace("%s", sha.decode()))

        for _ in range(2):
            assert blobs.read(sha) is None
            assert blobs.batch._process is None, "the next answer would belong to this request"

    def test_an_answer_in_pieces(self, repository: Repository, stand_in: Callable[[str], Blobs]) -> None:
        pieces = ["$name ", "blob", " 7", "\\n", "a\\nb", "\\n", "c\\nd", "\\n"]
        printed = "; sleep 0.005; ".join(f'printf "{piece}"' for piece in pieces)
        blobs = stand_in(f"while read -r name; do {printed}; done")

        for _ in range(2):
            assert blobs.read(_id(repository)) == b"a\nb\nc\nd"
        blobs.batch.close()

    @pytest.mark.parametrize("says", ["", "printf 'some'; "])
    def test_stop_while_it_hangs(
        self, says: str, repository: Repository, tmp_path: Path, stand_in: Callable[[str], Blobs]
    ) -> None:
        stand_in(f"read -r name; {says} : > {shlex.quote(str(tmp_path))}/asked; exec sleep 300")
        reader = HistoryReader(repository.path, rules=DateRules())
        for _ in range(6000):
            if (tmp_path / "asked").exists():
                break
            threading.Event().wait(0.01)

        in_time(reader.stop)

        assert (tmp_path / "asked").exists()
        assert reader._stream is not None
        assert reader._stream._process.returncode is not None
        assert reader._blobs.batch._process is None


class TestContentComparison:
    def test_a_version_between_two_changes_is_read_once(self) -> None:
        read: list[bytes] = []

        def see(sha: bytes) -> bytes:
            read.append(sha)
            return sha[:1]

        comparison = ContentComparison(see, ne)

        assert not comparison.is_changed(b":100644 100644 a2 a3 M")
        assert comparison.is_changed(b":100644 100755 b1 a2 M")
        assert read == [b"a3", b"a2", b"b1"]

    def test_unreadable_contents_differ(self) -> None:
        comparison = ContentComparison({b"a": b""}.get, ne)

        assert comparison.is_changed(b":100644 100644 a b M")
        assert comparison.is_changed(b":100644 100644 b a M")
        assert not comparison.is_changed(b":100644 100755 b b M")

    @pytest.mark.parametrize("status", [b"A", b"T", b"D"])
    def test_other_kinds_of_files_are_not_read(self, status: bytes) -> None:
        def refuse(_: bytes) -> bytes:
            pytest.fail("it was read")

        assert ContentComparison(refuse, ne).is_changed(b":100644 120000 a a " + status)
