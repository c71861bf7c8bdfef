"""The dates of random histories: by git itself, and, where rules say what is no change, one file after the other."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git import DateKind, DateRules, HistoryReader

if TYPE_CHECKING:
    from tests.conftest import Repository

HISTORIES = int(os.environ.get("SITEMAP_FUZZ", "200"))  # raise it to search for histories that are dated wrongly
BATCH = 20


@pytest.fixture(params=range(0, HISTORIES, BATCH))
def histories(
    request: pytest.FixtureRequest,
    repository: Repository,
    random_history: Callable[[int], list[Any]],
    import_histories: Any,
    switch_to: Any,
) -> Iterator[tuple[int, Path]]:
    """The number and the folder to be read of one history after the other, each of them checked out in its turn."""
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


def test_every_file_has_the_date_of_git_log(histories: Any, git_says: Any, we_say: Any) -> None:
    for seed, directory in histories:
        assert we_say(directory) == git_says(directory), f"random_history({seed})"


def test_every_file_landed_when_git_log_says(histories: Any, git_says: Any, we_say: Any) -> None:
    for seed, directory in islice(histories, 1, None, 2):
        ours = we_say(directory, date="landed")
        assert ours == git_says(directory, "--first-parent", "--diff-merges=first-parent"), f"random_history({seed})"


@pytest.mark.parametrize(
    ("date", "share"), [("committer", 0), ("committer", 4), ("landed", 4)], ids=["plain", "ignored", "landed"]
)
def test_renames_and_ignored_commits(
    share: int, date: DateKind, histories: Any, repository: Repository, oracle: Any
) -> None:
    truth = oracle(repository.path, landed=date == "landed")
    for seed, directory in islice(histories, 0, None, 2 if date == "landed" else 1):
        dice = random.Random(seed)  # noqa: S311  # nothing secret
        ignored = frozenset(dice.sample(sorted(truth.parents), len(truth.parents) // share) if share else ())
        rules = DateRules(date=date, ignore_revs=(), ignored=frozenset(sha.encode() for sha in ignored))

        found = _commits(directory, rules)

        expected = {path: truth.dated_by(path, ignored=ignored) for path in found}
        assert found == expected, f"random_history({seed})"


def test_creation_dates(histories: Any, repository: Repository, oracle: Any) -> None:
    truth = oracle(repository.path)
    for seed, directory in islice(histories, 0, None, 2):
        follow_renames = seed % 3 > 0

        found = _commits(directory, DateRules(created=True, ignore_revs=(), follow_renames=follow_renames))

        expected = {path: truth.born_in(path, follow_renames=follow_renames) for path in found}
        assert found == expected, f"random_history({seed})"


def test_they_hold_everything_that_is_hard(random_history: Callable[[int], list[Any]]) -> None:
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
