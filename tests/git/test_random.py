"""The dates of random histories, compared with git itself, or with a slow oracle if rules ignore changes."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.history import DateRules, HistoryReader
from sitemap_plugins.git.walk import DateKind
from tests.git.histories import Oracle, Planned, git_says, import_histories, random_history, switch_to, we_say

if TYPE_CHECKING:
    from tests.conftest import Repository

HISTORIES = int(os.environ.get("SITEMAP_FUZZ", "200"))  # raise it to search for histories with wrong dates
BATCH = 20


@pytest.fixture(params=range(0, HISTORIES, BATCH))
def histories(request: pytest.FixtureRequest, repository: Repository) -> Iterator[tuple[int, Path]]:
    """The seed of each history and the folder to read, checked out one after the other."""
    seeds = range(request.param, min(request.param + BATCH, HISTORIES))
    import_histories(repository, [random_history(seed) for seed in seeds])
    docs = repository.path / "docs"
    docs.mkdir()

    def each() -> Iterator[tuple[int, Path]]:
        for number, seed in enumerate(seeds):
            switch_to(repository.path, number)
            yield seed, docs if seed % 4 else repository.path

    return each()


def _commits(directory: Path, rules: DateRules) -> dict[bytes, str | None]:
    history = HistoryReader(directory, rules=rules).history()
    assert history.problem is None
    return {os.fsencode(date.path): date.commit for date in history.files.values()}


def test_every_file_has_the_date_of_git_log(histories: Any) -> None:
    for seed, directory in histories:
        assert we_say(directory) == git_says(directory), f"random_history({seed})"


def test_every_file_landed_on_the_date_of_git_log(histories: Any) -> None:
    for seed, directory in islice(histories, 1, None, 2):
        ours = we_say(directory, date="landed")
        assert ours == git_says(directory, "--first-parent", "--diff-merges=first-parent"), f"random_history({seed})"


@pytest.mark.parametrize(
    ("date", "share"), [("committer", 0), ("committer", 4), ("landed", 4)], ids=["plain", "ignored", "landed"]
)
def test_renames_and_ignored_commits(
    share: int, date: DateKind, histories: Any, repository: Repository, revs: Any
) -> None:
    truth = Oracle(repository.path, landed=date == "landed")
    for seed, directory in islice(histories, 0, None, 2 if date == "landed" else 1):
        dice = random.Random(seed)  # noqa: S311  # nothing secret
        ignored = frozenset(dice.sample(sorted(truth.parents), len(truth.parents) // share) if share else ())
        rules = DateRules(date=date, ignore_revs=revs(*ignored))

        found = _commits(directory, rules)

        expected = {path: truth.dated_by(path, ignored=ignored) for path in found}
        assert found == expected, f"random_history({seed})"


def _moving_history(seed: int) -> list[Any]:
    """Commits on one line that mainly move, copy and delete files, with contents that many files share or none."""
    dice = random.Random(seed)  # noqa: S311  # nothing secret
    names = [b"docs/a.md", b"docs/b.md", b"docs/c.md", b"docs/deep/a.md", b"old/a.md", b"old/d.md", b"src/e.md"]
    names += [b"docs/index.md", b"old/docs/index.md", b"src/index.md"]
    contents = [b"1", b"2" * 255, b"3" * 256, b"4" * 257, b"5" * 1000]
    tree: dict[bytes, tuple[str, bytes]] = {}
    commits = []
    for place in range(15):
        tree = dict(tree)
        for _ in range(dice.choice((1, 1, 2))):
            what = dice.choice(("move", "move", "move", "copy", "add", "delete"))
            if what == "add" or not tree:
                tree[dice.choice(names)] = ("100644", dice.choice(contents))
                continue
            old = dice.choice(sorted(tree))
            entry = tree[old] if what == "copy" else tree.pop(old)
            if what != "delete":
                tree[dice.choice(names)] = entry
        tree = tree or {b"docs/a.md": ("100644", b"0")}
        commits.append(Planned(tree, (place - 1,) if place else (), when=f"{1_700_000_000 + 3600 * place} +0000"))
    return commits


@pytest.mark.parametrize("first", range(0, 60, BATCH))
def test_renames_that_may_be_coincidences(first: int, repository: Repository) -> None:
    seeds = range(first, first + BATCH)
    import_histories(repository, [_moving_history(seed) for seed in seeds])
    truth = Oracle(repository.path)
    followed: list[tuple[bytes, bytes]] = []
    for number, seed in enumerate(seeds):
        switch_to(repository.path, number)
        rules = DateRules(ignore_revs=())
        history = HistoryReader(
            repository.path, rules=rules, on_skip=lambda _, skipped: followed.append((skipped.path, skipped.old_path))
        ).history()
        found = {os.fsencode(date.path): date.commit for date in history.files.values()}

        assert found == {path: truth.dated_by(path) for path in found}, f"_moving_history({seed})"
    kept = [new.rpartition(b"/")[2] == old.rpartition(b"/")[2] for new, old in followed]
    assert min(kept.count(True), kept.count(False)) >= 2


def test_creation_dates(histories: Any, repository: Repository) -> None:
    truth = Oracle(repository.path)
    for seed, directory in islice(histories, 0, None, 2):
        follow_renames = seed % 3 > 0

        found = _commits(directory, DateRules(created=True, ignore_revs=(), follow_renames=follow_renames))

        expected = {path: truth.born_in(path, follow_renames=follow_renames) for path in found}
        assert found == expected, f"random_history({seed})"


def test_random_histories_contain_all_difficult_cases() -> None:
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
    assert sum("rename" in commit.notes for commit in commits) > 250
    assert sum("rename" in commit.notes for commit in merges) > 30
    assert sum(not commit.parents for commit in commits) > 250
    assert len(backwards) > 500
    assert {mode for commit in commits for mode, _ in commit.tree.values()} == {"100644", "100755", "120000"}
