"""The dates of files according to git and to us, and random histories that git imports at once."""

from __future__ import annotations

import os
import random
import subprocess
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from sitemap_plugins.git.history import PLAIN_DATES, DateRules, HistoryReader

if TYPE_CHECKING:
    from tests.conftest import Repository

Dates = dict[bytes, tuple[str | None, str | None]]
Tree = dict[bytes, tuple[str, bytes]]

NAMES = (
    b"docs/a.md",
    b"docs/b.md",
    b"docs/guide",  # a file in one commit, a folder in another
    b"docs/guide/a.md",
    b"docs/guide/deep/c.md",
    b"docs/guide.md",
    b"docs/[a].md",
    b'docs/a\n\t"\\\xff.md',
    b"docs.md",
    b"README.md",
    b"old/a.md",
    b"old/guide/a.md",
    b"src/c.md",
)
ZONES = ("+0000", "+0200", "-0330", "+0545", "-1100", "+1300")


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned commit: ``parents`` are indexes in the list of commits, ``tree`` maps paths to mode and content."""

    tree: Tree
    parents: tuple[int, ...] = ()
    when: str = "1767225600 +0000"
    message: bytes = b"a change"
    committer: bytes = b"A Writer <writer@example.org>"
    notes: list[str] = field(default_factory=list)


def git_says(directory: Path, *options: str) -> Dates:
    """The commit and date of every file of HEAD below a folder, from one ``git log -1`` per file."""
    return {name: _last_commit(directory, name, *options) for name in _names(directory)}


def we_say(directory: Path, **rules: Any) -> Dates:
    """The same from the module under test, with plain rules except for the given ones."""
    history = HistoryReader(directory, rules=structs.replace(PLAIN_DATES, **rules)).history()
    assert history.problem is None
    return {
        name: (date.commit, None if date.when is None else date.when.isoformat())
        for name, date in history.files.items()
    }


def same_as_git(directory: Path) -> dict[str, str]:
    """Compare a folder with git, and return the day of the month of each file."""
    ours = we_say(directory)
    assert ours == git_says(directory)
    return {os.fsdecode(name): str(when)[8:10].lstrip("0") for name, (_, when) in ours.items()}


def days(directory: Path, suffixes: Collection[str] = (), **rules: Any) -> dict[str, str]:
    """The day of the month of each file below a folder, or why it has none. The rules are the default ones."""
    history = HistoryReader(directory, suffixes, rules=DateRules(**rules)).history()
    assert history.problem is None
    return {
        os.fsdecode(name): str(date.when.day if date.when else date.reason)
        for name, date in sorted(history.files.items())
    }


def in_time(act: Callable[[], object]) -> None:
    """Run something that might hang, with a time limit."""
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


def day(number: int) -> str:
    """A time on this day of February."""
    return f"2026-02-{number:02}T10:00:00+01:00"


class Oracle:
    """The commits of one file after the other, by the letter of the rules: slow, and with git commands of its own.

    With ``landed`` only first parents count. The whole history is read at the beginning, as it is then; answers
    are cached.
    """

    def __init__(self, directory: Path, *, landed: bool = False) -> None:
        self._directory = directory
        self._options = ("--first-parent", "--diff-merges=first-parent") if landed else ()
        lines = [line.split() for line in _git(directory, "log", "--all", "--format=%H %T %P").decode().splitlines()]
        self._trees = {commit: tree for commit, tree, *_ in lines}
        self.parents = {commit: parents[:1] if landed else parents for commit, _, *parents in lines}
        self._diffs = self._all_diffs()
        self._last: dict[tuple[str, bytes], str] = {}
        self._sizes: dict[bytes, int] = {}
        self._files: dict[str, bytes] = {}

    def dated_by(self, path: bytes, *, follow_renames: bool = True, ignored: Collection[str] = ()) -> str:
        """The commit that dates a file of HEAD."""
        commit = self.last_commit("HEAD", path)
        while before := self._before(commit, path, follow_renames=follow_renames, ignored=ignored):
            parent, path = before
            commit = self.last_commit(parent, path)
        return commit

    def born_in(self, path: bytes, *, follow_renames: bool = True) -> str:
        """The commit that added a file of HEAD, found by walking from commit to commit."""
        commit = _git(self._directory, "rev-parse", "HEAD").decode().strip()
        while True:
            older = [each for each in self.parents[commit] if not self._is_added(path, each, commit)]
            if older:
                commit = older[0]
            elif before := self._before(commit, path, follow_renames=follow_renames, ignored=()):
                commit, path = before
            else:
                return commit

    def last_commit(self, revision: str, path: bytes) -> str:
        key = (revision, path)
        if revision == "HEAD" or key not in self._last:
            command = ("log", "-1", "--no-patch", *self._options, "--format=%H", revision, "--", path)
            self._last[key] = _git(self._directory, *command).decode().strip()
        return self._last[key]

    def _before(
        self, commit: str, path: bytes, *, follow_renames: bool, ignored: Collection[str]
    ) -> tuple[str, bytes] | None:
        """The parent in which a file continues although this commit changed it, and its name there."""
        for is_ignored in (False, True) if commit in ignored else (False,):
            for parent in self.parents[commit]:
                before_mode, mode, before, blob, status = self._diff(parent, commit)[path]
                if status != b"A":
                    if is_ignored or (before_mode != mode and (status, before) == (b"M", blob)):
                        return parent, path
                elif follow_renames and (name := self._old_name(path, parent, commit, edited=is_ignored)):
                    return parent, name
        return None

    def _old_name(self, path: bytes, parent: str, commit: str, *, edited: bool) -> bytes | None:
        """The removed file with the same content, by the name they have in common, or else if it is the only one."""
        diff = self._diff(parent, commit)
        _, mode, _, blob, _ = diff[path]
        olds = {
            name for name, change in diff.items() if (change[0][:3], change[2], change[4]) == (mode[:3], blob, b"D")
        }
        news = {
            name for name, change in diff.items() if (change[1][:3], change[3], change[4]) == (mode[:3], blob, b"A")
        }
        is_only = len(olds) == len(news) == 1
        taken: dict[bytes, bytes] = {}
        for _, new, old in sorted((-_common_names(new, old), new, old) for new in news for old in olds):
            if new not in taken and old not in taken.values() and _is_same_name(new, old):
                taken[new] = old
        if path in taken:
            return taken[path]
        if is_only and not taken and self._is_telling(blob, parent, commit):
            return olds.pop()
        if not edited:
            return None
        options = ("-r", "-z", "-M50%", "-l1000", "--diff-filter=R", "--name-status")
        words = _git(self._directory, "diff-tree", *options, parent, commit).split(b"\0")
        by_git = dict(zip(words[2::3], words[1::3], strict=False)).get(path)
        certain = [self._old_name(each, parent, commit, edited=False) for each in self._additions(parent, commit)]
        return None if by_git in certain else by_git

    def _additions(self, parent: str, commit: str) -> list[bytes]:
        return [name for name, change in self._diff(parent, commit).items() if change[4] == b"A"]

    def _is_telling(self, blob: bytes, *commits: str) -> bool:
        if blob not in self._sizes:
            self._sizes[blob] = int(_git(self._directory, "cat-file", "-s", blob))
        for tree in {self._trees[commit] for commit in commits} - self._files.keys():
            self._files[tree] = _git(self._directory, "ls-tree", "-r", tree)
        return self._sizes[blob] >= 256 and all(
            self._files[self._trees[commit]].count(b" " + blob + b"\t") == 1 for commit in commits
        )

    def _is_added(self, path: bytes, parent: str, commit: str) -> bool:
        change = self._diff(parent, commit).get(path)
        return change is not None and change[4] == b"A"

    def _diff(self, parent: str, commit: str) -> dict[bytes, list[bytes]]:
        return self._diffs[self._trees[parent], self._trees[commit]]

    def _all_diffs(self) -> dict[tuple[str, str], dict[bytes, list[bytes]]]:
        pairs = {(self._trees[parent], tree) for commit, tree in self._trees.items() for parent in self.parents[commit]}
        told = "".join(f"{old} {new}\n" for old, new in pairs)
        options = ("--stdin", "-r", "--raw", "-z", "--no-renames")
        printed = _git(self._directory, "diff-tree", *options, told=told.encode())
        diffs: dict[tuple[str, str], dict[bytes, list[bytes]]] = {}
        diff: dict[bytes, list[bytes]] = {}
        tokens = iter(printed.split(b"\0"))
        for token in tokens:
            *heads, change = token.split(b"\n")
            for head in heads:
                old, new = head.decode().split()
                diff = diffs.setdefault((old, new), {})
            if change:
                diff[next(tokens)] = change[1:].split(b" ")
        return diffs


def import_histories(repository: Repository, histories: Sequence[Sequence[Planned]]) -> None:
    """Give a repository a branch ``h0``, ``h1``, … for each list of commits, and make ``h0`` HEAD, without files."""
    lines = [line for number, commits in enumerate(histories) for line in _branch(number, commits)]
    repository.git("fast-import", "--quiet", input=b"\n".join(lines))
    switch_to(repository.path, 0)


def switch_to(path: Path, number: int) -> None:
    """Make one of the imported branches HEAD."""
    (path / ".git" / "HEAD").write_text(f"ref: refs/heads/h{number}\n", encoding="ascii")


def _common_names(one: bytes, other: bytes) -> int:
    """How many names at the end of both paths are the same."""
    pairs = zip(one.split(b"/")[::-1], other.split(b"/")[::-1], strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _is_same_name(one: bytes, other: bytes) -> bool:
    is_common = one.split(b"/")[-1].split(b".")[0].lower() in {b"index", b"_index", b"readme", b"__init__"}
    return _common_names(one, other) > is_common


def _names(directory: Path) -> list[bytes]:
    entries = [entry.split(b"\t", 1) for entry in _git(directory, "ls-tree", "-r", "-z", "HEAD").split(b"\0") if entry]
    names = [name for about, name in entries if b" blob " in about]
    assert names, "nothing would be compared"
    return names


def _last_commit(directory: Path, name: bytes, *options: str) -> tuple[str, str]:
    commit, when = _git(directory, "log", "-1", "--no-patch", *options, "--format=%H %cI", "--", name).decode().split()
    return commit, datetime.fromisoformat(when).isoformat()


def _git(directory: Path, *arguments: str | bytes, told: bytes | None = None) -> bytes:
    command = ["git", "--literal-pathspecs", *arguments]
    return subprocess.run(command, cwd=directory, env=os.environ, check=True, capture_output=True, input=told).stdout


def add_commit(
    repository: Repository, *headers: str, name: str = "docs/a.md", message: str = "a change\n", is_raw: bool = False
) -> None:
    """Add a file in a commit with headers that git itself would not write, and an empty commit after it.

    With ``is_raw`` the message follows without the empty line that ends the headers.
    """
    repository.write(name, "one")
    repository.git("add", "--all")
    parents = [f"parent {sha}" for sha in repository.git("rev-list", "-1", "--branches").split()]
    lines = [f"tree {repository.git('write-tree')}", *parents, *headers, message if is_raw else f"\n{message}"]
    command = ("hash-object", "-t", "commit", "-w", "--stdin", "--literally")
    sha = repository.git(*command, input="\n".join(lines).encode())
    repository.git("reset", "--quiet", "--hard", sha)
    repository.commit("2026-02-28T10:00:00+01:00", "after it")


def _branch(number: int, commits: Sequence[Planned]) -> list[bytes]:
    """The branch as input for ``git fast-import``."""
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


def random_history(seed: int) -> list[Planned]:
    """Return 8 to 20 commits on branches with all kinds of merges, all reachable from the last one."""
    dice = random.Random(seed)  # noqa: S311  # nothing secret
    names = dice.sample(NAMES, dice.randint(3, 9))
    names += [] if any(name.startswith(b"docs/") for name in names) else [b"docs/a.md"]
    contents = dice.choice((3, 3, 30))  # few, so that changes are reverted, or enough to tell files apart
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
        edit = partial(_edited, dice, names, contents, notes=notes)
        tree = _random_tree(dice, names, [commits[parent].tree for parent in parents], edit, notes)
        if place == length - 1 and not any(name.startswith(b"docs/") for name in tree):
            tree = _without_clashes(tree, b"docs/a.md") | {b"docs/a.md": ("100644", b"0")}
        when = f"{_random_second(dice, clock, place)} {dice.choice(ZONES)}"
        message = dice.choice((b"a change", b"", b":100644 100644 a b M", b"\ncommit 1234\n\n:100644\n"))
        commits.append(Planned(tree, tuple(parents), when, message, notes=notes))
    return commits


def _random_second(dice: random.Random, clock: str, place: int) -> int:
    steps = {"steady": place, "backwards": -place, "one second": 0, "skewed": place + dice.randint(-400, 400)}
    return 1_700_000_000 + 3600 * steps[clock]


def _random_tree(
    dice: random.Random, names: list[bytes], parents: list[Tree], edit: Callable[..., Tree], notes: list[str]
) -> Tree:
    if not parents:
        return edit({}, count=dice.randint(1, len(names)))
    if len(parents) == 1:
        return edit(parents[0], count=dice.choice((0, 1, 1, 1, 2, 3)))
    kind = dice.choice(("one side", "mixed", "mixed", "mixed", "evil", "evil"))
    notes.append(kind)
    if kind == "one side":
        return dict(dice.choice(parents))
    tree: Tree = {}
    for name in dice.sample(names, len(names)):
        chosen = dice.choice(parents).get(name)
        if chosen is not None:
            tree = _without_clashes(tree, name) | {name: chosen}
    return edit(tree, count=dice.randint(1, 2)) if kind == "evil" else tree


def _edited(
    dice: random.Random, names: list[bytes], contents: int, tree: Tree, *, count: int, notes: list[str]
) -> Tree:
    tree = dict(tree)
    for _ in range(count):
        name = dice.choice(names)
        mode, content = tree.get(name, ("100644", b""))
        what = dice.choice(("content", "content", "content", "mode", "delete", "rename", "rename"))
        if what in {"delete", "rename"}:
            if not tree.pop(name, None):
                continue
            notes.append(what)
            if what == "delete":
                continue
            name = dice.choice(names)
        elif what == "mode":
            mode = dice.choice(("100644", "100755", "120000"))
        else:
            number = dice.randrange(contents)
            content = b"%d" % number * (256 if number % 3 else 1)  # long ones can be told apart
        tree = _without_clashes(tree, name) | {name: (mode, content)}
    return tree


def _without_clashes(tree: Tree, name: bytes) -> Tree:
    """The tree without the paths that cannot exist next to a file of this name."""
    return {
        other: entry
        for other, entry in tree.items()
        if not other.startswith(name + b"/") and not name.startswith(other + b"/")
    }
