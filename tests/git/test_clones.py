"""Clones that have only part of the history: a date is the one of the whole history, or there is none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.history import DateRules, History, HistoryReader
from sitemap_plugins.git.repository import TREELESS
from sitemap_plugins.model import SHALLOW
from tests.git.histories import days, git_says, import_histories, random_history, switch_to, we_say

if TYPE_CHECKING:
    from tests.conftest import Repository

LINE = 6  # commits; each adds one file and changes none


@pytest.fixture
def line(repository: Repository) -> Repository:
    for number in range(1, LINE + 1):
        repository.write(f"docs/{number}.md", f"one, {number}")
        repository.commit(f"2026-02-{number:02}T10:00:00+01:00")
    return repository


@pytest.mark.parametrize("depth", range(1, LINE))
def test_depth(depth: int, line: Repository, clone: Any) -> None:
    """A clone of N commits has the changes of N - 1 of them."""
    expected = git_says(line.path / "docs")
    docs = clone(f"--depth={depth}") / "docs"

    history = HistoryReader(docs).history()

    assert history.problem is None
    assert history.newest is not None
    assert history.newest.isoformat() == expected[b"%d.md" % LINE][1]
    for number in range(1, LINE + 1):
        date = history.files[b"%d.md" % number]
        if number > LINE - depth + 1:
            assert date.when is not None
            assert (date.commit, date.when.isoformat(), date.reason) == (*expected[b"%d.md" % number], None)
        else:
            assert (date.when, date.reason) == (None, SHALLOW)
            assert date.commit is None, "this commit is not known to have changed the file"


def test_depth_of_the_whole_history(line: Repository, clone: Any) -> None:
    assert we_say(clone(f"--depth={LINE + 1}") / "docs") == git_says(line.path / "docs")


def test_worktree_of_a_shallow_clone(line: Repository, clone: Any, tmp_path: Path) -> None:
    expected = git_says(line.path / "docs")
    target = clone("--depth=2")
    line.git("-C", str(target), "worktree", "add", "--quiet", "--detach", str(tmp_path / "worktree"))

    files = HistoryReader(tmp_path / "worktree" / "docs").history().files

    newest = b"%d.md" % LINE
    assert {name for name, date in files.items() if date.reason != SHALLOW} == {newest}
    assert files[newest].commit == expected[newest][0]


@pytest.mark.parametrize("depth", [1, 2, 4, 7])
def test_shallow_clones_of_random_histories(depth: int, repository: Repository, clone: Any) -> None:
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


def test_clone_without_contents(line: Repository, clone: Any, new_repository: Any, tmp_path: Path) -> None:
    for number in (1, 2):
        line.write(f"docs/{number}.md", "two")
        line.commit(f"2026-02-2{number}T10:00:00+01:00")
    expected = git_says(line.path / "docs")
    target = clone("--filter=blob:none")
    line.path.rename(tmp_path / "out of reach")

    missing = new_repository(target.name).git("rev-list", "--objects", "--missing=print", "HEAD")

    assert "?" in missing, "the clone is complete"
    assert we_say(target / "docs") == expected


def _objects(repository: Path) -> set[Path]:
    return {path for path in (repository / ".git" / "objects").rglob("*") if path.is_file()}


@pytest.mark.parametrize("checkout", [False, True])
def test_clone_without_folders(line: Repository, clone: Any, *, checkout: bool) -> None:
    """It is refused: everything missing would have to be fetched, and a build opens no connection."""
    target = clone("--filter=tree:0", *([] if checkout else ["--no-checkout"]))
    before = _objects(target)
    assert line.git("-C", str(target), "rev-parse", "HEAD") == line.git("rev-parse", "HEAD")

    assert HistoryReader(target, rules=DateRules()).history() == History(problem=TREELESS)
    if checkout:
        assert HistoryReader(target / "docs", (".md",), rules=DateRules()).history() == History(problem=TREELESS)
    assert _objects(target) == before
    assert line.git("-C", str(target), "ls-tree", "-r", "HEAD~3"), "it could have been fetched"
    assert _objects(target) != before


@pytest.mark.parametrize("checkout", [False, True])
def test_nothing_is_fetched_into_a_clone_without_contents(line: Repository, clone: Any, *, checkout: bool) -> None:
    """Not to compare a catalogue, follow a rename or find modified files."""
    (line.path / "old").mkdir()
    for number in (20, 21):
        for name, comment in (("a.po", number), ("b.po", 20)):  # a checkout fetches both contents of a.po
            line.write(f"docs/{name}", f'msgid "one"\nmsgstr "eins"\n\n# {comment}\n')
        line.write("other", str(number))
        line.git("mv", f"docs/{number - 19}.md", "old")
        line.commit(f"2026-02-{number}T10:00:00+01:00")
    expected = {f"{number}.md": str(number) for number in (3, 4, 5, 6)}
    target = clone("--filter=blob:none", *([] if checkout else ["--no-checkout"]))
    (target / "docs").mkdir(exist_ok=True)
    (target / "docs" / "3.md").write_text("another length", encoding="utf-8")
    before = _objects(target)

    assert days(target / "docs") == expected | {"a.po": "21", "b.po": "20"}
    assert days(target, (".md",)) == {f"docs/{name}": each for name, each in expected.items()} | {
        "old/1.md": "1",
        "old/2.md": "2",
    }
    assert HistoryReader(target / "docs").history().files[b"3.md"].modified
    assert _objects(target) == before


@pytest.mark.parametrize(("server", "day"), [("filters", "21"), ("sends everything", "19")])
def test_a_shallow_clone_that_is_made_whole_without_contents(
    server: str, day: str, line: Repository, clone: Any
) -> None:
    """Catalogues are compared unless contents are missing, whatever the configuration says of the server."""
    for number in (19, 20, 21):
        line.write("docs/a.po", f'msgid "one"\nmsgstr "eins"\n\n# {number}\n')
        line.commit(f"2026-02-{number}T10:00:00+01:00")
    target = clone("--depth=1")
    line.git("config", "uploadpack.allowFilter", "true" if server == "filters" else "false")
    allowed = ("-c", "protocol.file.allow=always")

    line.git("-C", str(target), *allowed, "fetch", "--quiet", "--unshallow", "--filter=blob:none")

    assert line.git("-C", str(target), "config", "remote.origin.partialclonefilter") == "blob:none"
    assert days(target / "docs") == {f"{number}.md": str(number) for number in range(1, LINE + 1)} | {"a.po": day}


def test_sparse_checkout(line: Repository, clone: Any) -> None:
    line.write("src/a.md", "one")
    line.commit("2026-02-20T10:00:00+01:00")
    expected = git_says(line.path)
    target = clone("--sparse")
    assert not (target / "docs").exists()

    for options in (["--cone"], ["--cone", "--sparse-index"], ["--no-cone"]):
        line.git("-C", str(target), "sparse-checkout", "set", *options, "src")

        assert we_say(target) == expected
        assert [date for date in HistoryReader(target).history().files.values() if date.modified] == []
        assert set(we_say(target / "src")) == {b"a.md"}


def test_grafts(line: Repository) -> None:
    """Grafts are deprecated, but git still reads the file."""
    before = git_says(line.path / "docs")
    first, last = line.git("rev-parse", "HEAD~5"), line.git("rev-parse", "HEAD~1")
    line.write(".git/info/grafts", f"{last} {first}\n")

    after = git_says(line.path / "docs")

    assert after != before
    assert we_say(line.path / "docs") == after
    assert days(line.path / "docs") == {
        "1.md": "1",
        **dict.fromkeys(("2.md", "3.md", "4.md", "5.md"), "5"),
        "6.md": "6",
    }


@pytest.mark.parametrize("place", ["HEAD", "HEAD~2", "HEAD~3"])
def test_replaced_commits(place: str, line: Repository) -> None:
    sha = line.git("rev-parse", place)
    tree = line.git("rev-parse", "HEAD~3^{tree}")
    new = line.git("commit-tree", "-m", "instead", "-p", "HEAD~4", tree, when="2026-03-01T10:00:00+01:00")
    before = git_says(line.path / "docs")
    line.git("replace", sha, new)

    after = git_says(line.path / "docs")

    assert after != before
    assert we_say(line.path / "docs") == after
    line.git("config", "core.useReplaceRefs", "false")
    assert we_say(line.path / "docs") == before
