"""Clones that hold a part of the history only: a date is the one of the whole history, or there is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.enrich.git_history import SHALLOW, UNREADABLE, HistoryReader
from sitemap_plugins.model import FileDate

if TYPE_CHECKING:
    from tests.conftest import Repository

LINE = 6  # commits, each of which adds one file and changes none


@pytest.fixture
def line(repository: Repository) -> Repository:
    for number in range(1, LINE + 1):
        repository.write(f"docs/{number}.md", f"one, {number}")
        repository.commit(f"2026-02-{number:02}T10:00:00+01:00")
    return repository


@pytest.fixture
def clone(repository: Repository, tmp_path: Path) -> Callable[..., Path]:
    """Clone a repository over the protocol, for a copy of its files would be complete."""

    def make(*options: str, name: str = "clone") -> Path:
        target = tmp_path / name
        repository.git("config", "uploadpack.allowFilter", "true")
        source = repository.path.as_uri()
        repository.git("-c", "protocol.file.allow=always", "clone", "--quiet", *options, source, str(target))
        return target

    return make


@pytest.mark.parametrize("depth", range(1, LINE))
def test_depth(depth: int, line: Repository, clone: Any, git_says: Any) -> None:
    """A clone of N commits knows what N - 1 of them changed."""
    expected = git_says(line.path / "docs")
    docs = clone(f"--depth={depth}") / "docs"

    history = HistoryReader(docs).history()

    assert history.problem is None
    assert history.newest is not None
    assert history.newest.isoformat() == expected[b"%d.md" % LINE][1]
    for number in range(1, LINE + 1):
        date = history.date_of(str(docs / f"{number}.md"))
        if number > LINE - depth + 1:
            assert date.when is not None
            assert (date.commit, date.when.isoformat()) == expected[b"%d.md" % number]
        else:
            boundary = expected[b"%d.md" % (LINE - depth + 1)][0]
            assert date == FileDate(when=None, commit=boundary, reason=SHALLOW)


def test_depth_of_the_whole_history(line: Repository, clone: Any, git_says: Any, we_say: Any) -> None:
    assert we_say(clone(f"--depth={LINE + 1}") / "docs") == git_says(line.path / "docs")


@pytest.mark.usefixtures("line")
def test_modified_file_in_a_shallow_clone(clone: Any) -> None:
    docs = clone("--depth=1") / "docs"
    (docs / "1.md").write_text("another length", encoding="utf-8")

    files = HistoryReader(docs).history().files

    assert {name for name, date in files.items() if date.modified} == {b"1.md"}
    assert {date.reason for date in files.values()} == {SHALLOW}


def test_worktree_of_a_shallow_clone(line: Repository, clone: Any, tmp_path: Path, git_says: Any) -> None:
    expected = git_says(line.path / "docs")
    target = clone("--depth=2")
    line.git("-C", str(target), "worktree", "add", "--quiet", "--detach", str(tmp_path / "worktree"))

    files = HistoryReader(tmp_path / "worktree" / "docs").history().files

    newest = b"%d.md" % LINE
    assert {name for name, date in files.items() if date.reason != SHALLOW} == {newest}
    assert files[newest].commit == expected[newest][0]


@pytest.mark.parametrize("depth", [1, 2, 4, 7])
def test_shallow_clones_of_random_histories(
    depth: int,
    repository: Repository,
    clone: Any,
    random_history: Any,
    import_histories: Any,
    switch_to: Any,
    git_says: Any,
) -> None:
    seeds = range(1000 * depth, 1000 * depth + 8)
    import_histories(repository, [random_history(seed) for seed in seeds])
    dated = 0
    for number, seed in enumerate(seeds):
        switch_to(repository.path, number)
        expected = git_says(repository.path)
        target = clone("--no-checkout", f"--depth={depth}", f"--branch=h{number}", name=f"clone {number}")

        files = HistoryReader(target).history().files

        assert set(files) == set(expected), f"random_history({seed})"
        for name, date in files.items():
            if date.when is None:
                assert date.reason == SHALLOW, f"random_history({seed}): {name!r}"
            else:
                dated += 1
                assert (date.commit, date.when.isoformat()) == expected[name], f"random_history({seed}): {name!r}"
    assert bool(dated) == (depth > 1)


def test_clone_without_contents(
    line: Repository, clone: Any, git_says: Any, we_say: Any, new_repository: Any, tmp_path: Path
) -> None:
    for number in (1, 2):
        line.write(f"docs/{number}.md", "two")
        line.commit(f"2026-02-2{number}T10:00:00+01:00")
    expected = git_says(line.path / "docs")
    target = clone("--filter=blob:none")
    line.path.rename(tmp_path / "out of reach")

    missing = new_repository(target.name).git("rev-list", "--objects", "--missing=print", "HEAD")

    assert "?" in missing, "the clone is complete"
    assert we_say(target / "docs") == expected


def test_clone_without_folders(line: Repository, clone: Any, git_says: Any) -> None:
    """What is missing is not fetched, for a build opens no connection."""
    expected = git_says(line.path / "docs")
    target = clone("--filter=tree:0")
    packs = target / ".git" / "objects" / "pack"
    before = set(packs.iterdir())

    history = HistoryReader(target / "docs").history()

    assert set(packs.iterdir()) == before
    assert history.problem or UNREADABLE in {date.reason for date in history.files.values()}
    for name, date in history.files.items():
        assert date.when is None or (date.commit, date.when.isoformat()) == expected[name]
