"""What git says about every file, what we say, and histories that git imports in one go."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.enrich.git_history import HistoryReader

if TYPE_CHECKING:
    from tests.conftest import Repository

Dates = dict[bytes, tuple[str | None, str | None]]
Tree = dict[bytes, tuple[str, bytes]]

NAMES = (
    b"docs/a.md",
    b"docs/b.md",
    b"docs/guide",  # a file here, a folder there
    b"docs/guide/a.md",
    b"docs/guide/deep/c.md",
    b"docs/guide.md",
    b"docs/[a].md",
    b'docs/a\n\t"\\\xff.md',
    b"docs.md",
    b"README.md",
)
ZONES = ("+0000", "+0200", "-0330", "+0545", "-1100", "+1300")
MONTH = 30 * 86_400


@dataclass(frozen=True, slots=True)
class Planned:
    """A commit to be: ``parents`` are places in the list of commits, ``tree`` maps a path to its mode and content."""

    tree: Tree
    parents: tuple[int, ...] = ()
    when: str = "1767225600 +0000"
    message: bytes = b"a change"
    committer: bytes = b"A Writer <writer@example.org>"
    notes: list[str] = field(default_factory=list)


@pytest.fixture
def git_says() -> Callable[[Path], Dates]:
    """The commit and date of every file of HEAD below a folder, from one ``git log -1`` for each of them."""

    def say(directory: Path) -> Dates:
        return {name: _last_commit(directory, name) for name in _names(directory)}

    return say


@pytest.fixture
def we_say() -> Callable[[Path], Dates]:
    """The same from the module under test."""

    def say(directory: Path) -> Dates:
        history = HistoryReader(directory).history()
        assert history.problem is None
        return {
            name: (date.commit, None if date.when is None else date.when.isoformat())
            for name, date in history.files.items()
        }

    return say


@pytest.fixture
def same_as_git(git_says: Callable[[Path], Dates], we_say: Callable[[Path], Dates]) -> Callable[[Path], dict[str, str]]:
    """Compare a folder with git and give the day of the month of each of its files."""

    def compare(directory: Path) -> dict[str, str]:
        ours = we_say(directory)
        assert ours == git_says(directory)
        return {os.fsdecode(name): when[8:10].lstrip("0") for name, (_, when) in ours.items()}

    return compare


@pytest.fixture
def new_repository(repository: Repository, tmp_path: Path) -> Callable[[str], Repository]:
    """Further repositories, by name."""
    return lambda name: type(repository)(tmp_path / name)


@pytest.fixture
def add_commit() -> Callable[..., None]:
    """Add a file by a commit whose headers git itself would not write, and an empty commit after it."""
    return _add_commit


@pytest.fixture
def planned() -> type[Planned]:
    """A commit to be."""
    return Planned


@pytest.fixture
def random_history() -> Callable[[int], list[Planned]]:
    """A random history, the same one for the same seed."""
    return _random_history


@pytest.fixture
def import_histories() -> Callable[[Repository, Sequence[Sequence[Planned]]], None]:
    """Give a repository one branch ``h0``, ``h1``, ... for each list of commits, and check out (no files of) ``h0``."""

    def import_all(repository: Repository, histories: Sequence[Sequence[Planned]]) -> None:
        lines = [line for number, commits in enumerate(histories) for line in _branch(number, commits)]
        repository.git("fast-import", "--quiet", input=b"\n".join(lines))
        switch(repository.path, 0)

    return import_all


@pytest.fixture
def switch_to() -> Callable[[Path, int], None]:
    """Make one of the imported branches HEAD."""
    return switch


def switch(path: Path, number: int) -> None:
    (path / ".git" / "HEAD").write_text(f"ref: refs/heads/h{number}\n", encoding="ascii")


def _names(directory: Path) -> list[bytes]:
    names = [name for name in _git(directory, "ls-tree", "-r", "-z", "--name-only", "HEAD").split(b"\0") if name]
    assert names, "nothing would be compared"
    return names


def _last_commit(directory: Path, name: bytes) -> tuple[str, str]:
    commit, when = _git(directory, "log", "-1", "--format=%H %cI", "--", name).decode().split()
    return commit, datetime.fromisoformat(when).isoformat()


def _git(directory: Path, *arguments: str | bytes) -> bytes:
    command = ["git", "--literal-pathspecs", *arguments]
    return subprocess.run(command, cwd=directory, env=os.environ, check=True, capture_output=True).stdout


def _add_commit(repository: Repository, *headers: str, name: str = "docs/a.md") -> None:
    repository.write(name, "one")
    repository.git("add", "--all")
    parents = [f"parent {sha}" for sha in repository.git("rev-list", "-1", "--branches").split()]
    lines = [f"tree {repository.git('write-tree')}", *parents, *headers, "", "a change", ""]
    command = ("hash-object", "-t", "commit", "-w", "--stdin", "--literally")
    sha = repository.git(*command, input="\n".join(lines).encode())
    repository.git("reset", "--quiet", "--hard", sha)
    repository.commit("2026-02-28T10:00:00+01:00", "after it")


def _branch(number: int, commits: Sequence[Planned]) -> list[bytes]:
    """The branch in the language of ``git fast-import``."""
    ref, base = b"refs/heads/h%d" % number, number * 1000
    lines = []
    for place, commit in enumerate(commits):
        if not commit.parents:
            lines += [b"reset %s" % ref, b""]
        lines += [b"commit %s" % ref, b"mark :%d" % (base + place + 1)]
        lines += [b"committer %s %s" % (commit.committer, commit.when.encode())]
        lines += [b"data %d" % len(commit.message), commit.message]
        for word, parent in zip((b"from", *[b"merge"] * len(commit.parents)), commit.parents, strict=False):
            lines.append(b"%s :%d" % (word, base + parent + 1))
        lines.append(b"deleteall")
        for path, (mode, content) in commit.tree.items():
            quoted = b"".join(
                b"\\%03o" % byte if byte in b'"\\' or not 32 < byte < 127 else b"%c" % byte for byte in path
            )
            lines += [b'M %s inline "%s"' % (mode.encode(), quoted), b"data %d" % len(content), content]
    return lines


def _random_history(seed: int) -> list[Planned]:
    """8 to 20 commits on branches with merges of every kind, all reachable from the last one."""
    dice = random.Random(seed)  # noqa: S311  # nothing secret
    names = dice.sample(NAMES, dice.randint(3, 8))
    names += [] if any(name.startswith(b"docs/") for name in names) else [b"docs/a.md"]
    clock = dice.choice(("steady", "steady", "skewed", "backwards", "one second"))
    commits: list[Planned] = []
    length = dice.randint(8, 20)
    for place in range(length):
        tips = sorted(set(range(place)) - {parent for commit in commits for parent in commit.parents})
        if place == length - 1:
            parents = dice.sample(tips, len(tips))
        elif not place or dice.random() < 0.06:
            parents = []
        elif place > 1 and dice.random() < 0.4:
            parents = dice.sample(range(max(0, place - 6), place), min(place, dice.choice((2, 2, 2, 2, 3, 4))))
        else:
            parents = [dice.choice(tips) if dice.random() < 0.5 else dice.randrange(place)]
        notes: list[str] = []
        tree = _random_tree(dice, names, [commits[parent].tree for parent in parents], notes)
        if place == length - 1 and not any(name.startswith(b"docs/") for name in tree):
            tree = _without_clashes(tree, b"docs/a.md") | {b"docs/a.md": ("100644", b"0")}
        when = f"{_random_second(dice, clock, place)} {dice.choice(ZONES)}"
        message = dice.choice((b"a change", b"", b":100644 100644 a b M", b"\ncommit 1234\n\n:100644\n"))
        commits.append(Planned(tree, tuple(parents), when, message, notes=notes))
    return commits


def _random_second(dice: random.Random, clock: str, place: int) -> int:
    steps = {"steady": place, "backwards": -place, "one second": 0, "skewed": place + dice.randint(-400, 400)}
    return 1_700_000_000 + 3600 * steps[clock]


def _random_tree(dice: random.Random, names: list[bytes], parents: list[Tree], notes: list[str]) -> Tree:
    if not parents:
        return _edited(dice, names, {}, notes, count=dice.randint(1, len(names)))
    if len(parents) == 1:
        return _edited(dice, names, parents[0], notes, count=dice.choice((0, 1, 1, 1, 2, 3)))
    kind = dice.choice(("one side", "mixed", "mixed", "mixed", "evil", "evil"))
    notes.append(kind)
    if kind == "one side":
        return dict(dice.choice(parents))
    tree: Tree = {}
    for name in dice.sample(names, len(names)):
        chosen = dice.choice(parents).get(name)
        if chosen is not None:
            tree = _without_clashes(tree, name) | {name: chosen}
    return _edited(dice, names, tree, notes, count=dice.randint(1, 2)) if kind == "evil" else tree


def _edited(dice: random.Random, names: list[bytes], tree: Tree, notes: list[str], *, count: int) -> Tree:
    tree = dict(tree)
    for _ in range(count):
        name = dice.choice(names)
        mode, content = tree.get(name, ("100644", b""))
        what = dice.choice(("content", "content", "content", "mode", "delete"))
        if what == "delete":
            notes += ["delete"] if tree.pop(name, None) else []
            continue
        if what == "mode":
            mode = dice.choice(("100644", "100755", "120000"))
        else:
            content = b"%d" % dice.randrange(3)  # few contents, so that changes are taken back
        tree = _without_clashes(tree, name) | {name: (mode, content)}
    return tree


def _without_clashes(tree: Tree, name: bytes) -> Tree:
    """The tree without what cannot be there beside a file of this name."""
    return {
        other: entry
        for other, entry in tree.items()
        if not other.startswith(name + b"/") and not name.startswith(other + b"/")
    }
