"""How paths travel down a history until they meet the commit that dates them: pure functions of what git prints.

Every path travels on its own: it starts at HEAD and passes from a commit to the first parent with which the commit's
diff does not name it; a commit whose diffs against all parents name it is where it last changed. That is the rule by
which git simplifies the history of a single file. Children come before parents (``--topo-order``), so a commit has
received all its paths when it is read, whatever the clocks said.

What does not count as a change is a rule on top of that, and no rule at all is what ``git log -1 -- FILE`` says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec

from sitemap_plugins.git.repository import HistoryError
from sitemap_plugins.model import UNREADABLE
from sitemap_plugins.reading import GIT_OBJECT

DateKind: TypeAlias = Literal["committer", "author", "landed"]

Paths: TypeAlias = dict[bytes, tuple[bytes, ...]]
"""The paths that wait at a commit, as they are called there, each with the names under which they were asked for."""

Diff: TypeAlias = Mapping[bytes, bytes]
"""What differs from a parent: the line of ``git log --raw`` by the path."""

OldNames: TypeAlias = Mapping[tuple[bytes, bytes | None], bytes]
"""The first of the removed files with some content, by that and their name without the folder, or by that alone."""

_NOTHING: Final[Diff] = {}
_DATE: Final = rb" *+(?P<seconds>\d++)(?: ++(?P<zone>\S*+))?+ *+"
T = TypeVar("T")


class Commit(msgspec.Struct, frozen=True):
    """A commit: its id and its header as git prints it, of which nothing is read before it is wanted."""

    sha: bytes
    header: bytes

    def when(self, kind: DateKind = "committer") -> datetime | None:
        """The committer's or author's date, in their time zone; None where it is no date that exists.

        A change landed when the committer of the merge, or of the commit itself, put it on the first-parent line.
        """
        who = rb"author" if kind == "author" else rb"committer"
        line = re.search(rb"(?m)^%s (?P<words>.*+)" % who, self.header)
        # As git reads it: a name may have a ">" in it, and the date follows the last one.
        _, end, date = line["words"].rpartition(b">") if line else (b"", b"", b"")
        match = re.fullmatch(_DATE, date) if end else None
        if not match:
            return None
        try:
            return datetime.fromtimestamp(int(match["seconds"]), _zone(match["zone"] or b""))
        except (ValueError, OverflowError, OSError):
            return None


def _zone(offset: bytes) -> timezone:
    """The time zone that git writes as ``+0130``; UTC where there is none like it."""
    try:
        sign = -1 if offset.startswith(b"-") else 1
        return timezone(sign * timedelta(hours=int(offset[1:3]), minutes=int(offset[3:5])))
    except ValueError:
        return UTC


class Step(msgspec.Struct, frozen=True):
    """A commit, its parents, and what differs from each of them."""

    commit: Commit
    parents: list[bytes]
    diffs: Mapping[bytes, Diff]


class Rules(msgspec.Struct, frozen=True):
    """What counts as a change; by default everything that git calls one.

    ``removed``: not that a file got another name, as long as its content and mode are the same. It tells which files a
    commit removed from one of its parents, wherever they were. If the name without the folder is another one too, such
    a file counts only where its content tells it from all others: ``is_telling`` gets commit, parent and blob.
    ``ignored``: no change of an existing file by one of these commits (full ids).
    ``is_same``: no change that this function finds to be none; it gets the path and the line of the diff.
    ``created``: nothing at all but that the file was added, so that what is found is when it was created.
    """

    removed: Callable[[bytes, bytes], OldNames] | None = None
    is_telling: Callable[[bytes, bytes, bytes], bool] = lambda *_: True
    ignored: frozenset[bytes] = frozenset()
    is_same: Callable[[bytes, bytes], bool] | None = None
    created: bool = False

    def changed(self, diff: Diff, paths: Paths) -> Paths:
        """Those of the paths that a diff changes."""
        named = paths.keys() & diff.keys()
        if self.created:
            named = {path for path in named if is_addition(diff[path])}
        elif self.is_same:
            named = {path for path in named if not self.is_same(path, diff[path])}
        return {path: paths[path] for path in named}


PLAIN: Final = Rules()


class Found(msgspec.Struct, frozen=True):
    """The commit that dates a file, what the file was called there, and whether it was added by it."""

    commit: Commit
    path: bytes
    added: bool


class SkippedCommit(msgspec.Struct, frozen=True):
    """A commit that names a file and does not date it, why (``renamed`` or ``ignored``), and where the file goes on."""

    why: Literal["renamed", "ignored"]
    commit: Commit
    path: bytes
    parent: bytes
    old_path: bytes


def follow(
    steps: Iterable[Step],
    starts: Mapping[bytes, Paths],
    rules: Rules,
    found: Callable[[bytes, Found], object],
    *,
    shows: Callable[[bytes], bool],
    on_skip: Callable[[bytes, SkippedCommit], object] | None = None,
) -> dict[bytes, Paths]:
    """Report the commit of every path, as soon as it is known, by ``found(name, ...)``; stop when no path is left.

    ``starts`` has the paths that are wanted by the commit at which they start. ``shows`` says of a path whether these
    steps show its changes; those that have come from where they do not are returned, to be followed by others. What is
    passed over is told to ``on_skip(name, ...)``.
    """
    waiting = {sha: dict(paths) for sha, paths in starts.items()}
    elsewhere: dict[bytes, Paths] = {}
    for step in steps:
        if paths := waiting.pop(step.commit.sha, None):
            for path, names in _changed(step, paths, rules, waiting).items():
                skipped = _skip(step, path, rules)
                if skipped:
                    goes_on = waiting if shows(skipped.old_path) else elsewhere
                    _hand_on(goes_on, skipped.parent, {skipped.old_path: names})
                    _report(names, on_skip, skipped)
                else:
                    added = all(is_addition(step.diffs[parent][path]) for parent in step.parents)
                    _report(names, found, Found(step.commit, path, added))
        if not waiting:
            break
    return elsewhere


def _changed(step: Step, paths: Paths, rules: Rules, waiting: dict[bytes, Paths]) -> Paths:
    """The paths that differ from all parents; the others are handed on, each to the first in which it is the same."""
    for parent in step.parents:
        # They are handed on as a whole: nearly all paths are passed by nearly all commits.
        changed = rules.changed(step.diffs.get(parent, _NOTHING), paths)
        for path in changed:
            del paths[path]
        _hand_on(waiting, parent, paths)
        paths = changed
        if not paths:
            break
    return paths


def _report(names: Iterable[bytes], to: Callable[[bytes, T], object] | None, what: T) -> None:
    for name in names if to else ():
        to(name, what)  # type: ignore[misc]  # there is one here


def _hand_on(waiting: dict[bytes, Paths], parent: bytes, paths: Paths) -> None:
    """Let paths wait at a parent; none is ever in two places."""
    if not paths:
        return
    there = waiting.setdefault(parent, paths)
    if there is paths:
        return
    if len(there) < len(paths):
        waiting[parent] = paths
        there, paths = paths, there
    # Files that were one file once go on together.
    for path in there.keys() & paths.keys():
        there[path] += paths.pop(path)
    there.update(paths)


def _skip(step: Step, path: bytes, rules: Rules) -> SkippedCommit | None:
    """How a path that differs from all parents goes on nevertheless: to the first parent to which a rule lets it."""
    for parent in step.parents:
        diff = step.diffs[parent]
        if not is_addition(diff[path]):
            if step.commit.sha in rules.ignored:
                return SkippedCommit("ignored", step.commit, path, parent, path)
        elif rules.removed and (old_path := _old_path(step.commit.sha, parent, path, diff[path], rules)):
            return SkippedCommit("renamed", step.commit, path, parent, old_path)
    return None


def old_names(removed: Iterable[tuple[bytes, bytes]]) -> OldNames:
    """The names of removed files, each given with its content (see `content_of`)."""
    names: dict[tuple[bytes, bytes | None], bytes] = {}
    for path, content in removed:
        for key in ((content, path.rpartition(b"/")[2]), (content, None)):
            names[key] = min(path, names.get(key, path))
    return names


def _old_path(commit: bytes, parent: bytes, path: bytes, change: bytes, rules: Rules) -> bytes | None:
    """What an added file was called before: of several names one that is the same but for the folder.

    Any other name may be that of another page, which had the same few words by chance.
    """
    removed = rules.removed(commit, parent) if rules.removed else {}
    content = content_of(change, after=True)
    if same_name := removed.get((content, path.rpartition(b"/")[2])):
        return same_name
    other_name = removed.get((content, None))
    return other_name if other_name and rules.is_telling(commit, parent, blob_of(change)) else None


def is_addition(change: bytes) -> bool:
    """Whether a line of ``git log --raw`` says that the file was not there before."""
    return change.endswith(b"A")


def content_of(change: bytes, *, after: bool) -> bytes:
    """The mode and the blob of a file before or after a change, as one value."""
    before_mode, after_mode, before_blob, after_blob, _ = change[1:].split(b" ")
    return after_mode + after_blob if after else before_mode + before_blob


def blob_of(change: bytes) -> bytes:
    """The id of a file's content after a change."""
    return change.split(b" ")[3]


def read_steps(tokens: Iterable[bytes], *, first_parent: bool = False) -> Iterator[Step]:
    """The commits in what ``git log --pretty=raw --parents --raw -z`` prints, cut at every NUL.

    A merge prints its header again for each parent that it differs from. With ``first_parent`` a commit has no other
    parent than its first.
    """
    commit: Commit | None = None
    parents: list[bytes] = []
    diffs: dict[bytes, dict[bytes, bytes]] = {}
    changed: dict[bytes, bytes] = {}
    line = b""  # of the change whose path comes next
    for token in tokens:
        if line:
            changed[token] = line
            line = b""
        elif token.startswith(b":"):
            line = token
        elif token.startswith(b"commit "):
            first, _, header = token.partition(b"\n")
            sha, *shas = first.split(b" ")[1:]
            origin = shas.pop()[:-1] if b"(from" in shas else None
            if commit is None or sha != commit.sha:
                if commit is not None:
                    yield Step(commit, parents, diffs)
                parents, diffs = [each for each in shas if each != b"(from"], {}
                parents = parents[:1] if first_parent else parents
                commit = Commit(sha, header)
            changed = diffs.setdefault(origin or b"".join(parents[:1]), {})
            # The first line of a diff follows the message in the same token.
            last = header.rpartition(b"\n")[2]
            line = last if last.startswith(b":") else b""
    if commit is not None:
        yield Step(commit, parents, diffs)


def split_at_nul(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The stream, cut at every NUL. Raises `HistoryError` for a piece past the limit, such as a commit's message."""
    pieces: list[bytes] = []  # of what has no end yet
    size = 0
    for chunk in chunks:
        first, *tokens = chunk.split(b"\0")
        pieces.append(first)
        size += len(first)
        if size > GIT_OBJECT.size:
            raise HistoryError(f"{UNREADABLE} (a commit is larger than {GIT_OBJECT.shown_size})")
        if tokens:
            yield b"".join(pieces)
            *tokens, rest = tokens
            yield from tokens
            pieces, size = [rest], len(rest)
    # What does not end with a line end is what git could not finish: half a path, or half a date.
    if (rest := b"".join(pieces)).endswith(b"\n"):
        yield rest
