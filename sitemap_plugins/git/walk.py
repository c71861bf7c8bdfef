"""How paths travel through a history until they meet the commit that dates them: pure functions of git's output.

Each path travels on its own. It starts at HEAD and passes from a commit to the first parent whose diff does not name
it. If the diffs against all parents name it, this commit is where it last changed. Git simplifies the history of a
single file by the same rule. Children come before parents (``--topo-order``), so a commit has received all its paths
when it is read, whatever the clocks said.

`Rules` add to this what does not count as a change. Without any, the result is that of ``git log -1 -- FILE``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, Literal, TypeAlias

import msgspec

from sitemap_plugins.git.repository import TooLargeError
from sitemap_plugins.model import UNREADABLE
from sitemap_plugins.reading import GIT_CHANGES, GIT_OBJECT

DateKind: TypeAlias = Literal["committer", "author", "landed"]

Names: TypeAlias = tuple[bytes, ...]

Paths: TypeAlias = dict[bytes, Names]
"""The paths that wait at a commit, as they are called there, each with the names under which they were requested."""

Diff: TypeAlias = Mapping[bytes, bytes]
"""The differences from a parent: the line of ``git log --raw`` for each path."""

OldNames: TypeAlias = Mapping[bytes, tuple[bytes, bool]]
"""The removed file that each added file may have been, and whether this is certain whatever other files there are."""

_NOTHING: Final[Diff] = {}
_DATE: Final = rb" *+(?P<seconds>\d++)(?: ++(?P<zone>\S*+))?+ *+"


class Commit(msgspec.Struct, frozen=True):
    """A commit: its id, and its header as git prints it. The header is parsed only on demand."""

    sha: bytes
    header: bytes

    def when(self, kind: DateKind = "committer") -> datetime | None:
        """The committer's or author's date, in their time zone; None if it is not a valid date.

        A change landed when the committer of the merge, or of the commit itself, put it on the first-parent line.
        """
        who = rb"author" if kind == "author" else rb"committer"
        line = re.search(rb"(?m)^%s (?P<words>.*+)" % who, self.header)
        # Like git: a name may contain ">", so the date follows the last one.
        _, end, date = line["words"].rpartition(b">") if line else (b"", b"", b"")
        match = re.fullmatch(_DATE, date) if end else None
        if not match:
            return None
        try:
            return datetime.fromtimestamp(int(match["seconds"]), _zone(match["zone"] or b""))
        except (ValueError, OverflowError, OSError):
            return None


def _zone(offset: bytes) -> timezone:
    """The time zone that git writes as ``+0130``; UTC if it is invalid."""
    try:
        sign = -1 if offset.startswith(b"-") else 1
        return timezone(sign * timedelta(hours=int(offset[1:3]), minutes=int(offset[3:5])))
    except ValueError:
        return UTC


class Step(msgspec.Struct, frozen=True):
    """A commit, its parents, and its differences from each of them."""

    commit: Commit
    parents: list[bytes]
    diffs: Mapping[bytes, Diff]


class Rules(msgspec.Struct, frozen=True):
    """What counts as a change; by default everything that git calls one.

    ``renamed``: a new name for a file does not count if its content is the same. The function returns the names that
    files had in one parent of a commit, anywhere in the repository. If a name is not certain, the rename is accepted
    only if the content tells the file from all others: ``is_unique`` gets commit, parent and blob. ``ignored``: changes
    of existing files by these commits (full ids) do not count, nor do new names for files that they also changed, which
    ``edited`` returns. ``modes``: a change of the file mode alone counts. ``counts``: a change counts only if this
    function says so; it gets the path and the line of the diff.
    """

    renamed: Callable[[bytes, bytes], OldNames] | None = None
    is_unique: Callable[[bytes, bytes, bytes], bool] = lambda *_: True
    ignored: frozenset[bytes] = frozenset()
    edited: Callable[[bytes, bytes], OldNames] | None = None
    modes: bool = True
    counts: Callable[[bytes, bytes], bool] = lambda *_: True

    def changed(self, diff: Diff, paths: Paths) -> Paths:
        """The paths that the diff changes."""
        return {path: paths[path] for path in paths.keys() & diff.keys() if self.counts(path, diff[path])}


class DatingCommit(msgspec.Struct, frozen=True):
    """The commit that dates a file, the file's path there, and whether the commit added it."""

    commit: Commit
    path: bytes
    added: bool


SkipReason: TypeAlias = Literal["renamed", "renamed and edited", "ignored", "mode"]


class SkippedCommit(msgspec.Struct, frozen=True):
    """A commit that names a file but does not date it, why, and where the file goes on."""

    why: SkipReason
    commit: Commit
    path: bytes
    parent: bytes
    old_path: bytes


def follow(
    steps: Iterable[Step],
    starts: Mapping[bytes, Paths],
    rules: Rules,
    found: Callable[[bytes, DatingCommit], object],
    *,
    shows: Callable[[bytes], bool],
    on_skip: Callable[[bytes, SkippedCommit], object] = lambda *_: None,
) -> dict[bytes, Paths]:
    """Report the commit of every path by ``found(name, ...)`` as soon as it is known; stop when no path is left.

    ``starts`` has the paths to date, by the commit at which they start. ``shows`` says whether these steps show the
    changes of a path; paths that came from elsewhere are returned, to be followed in other steps. Skipped commits are
    reported by ``on_skip(name, ...)``.
    """
    waiting = {sha: dict(paths) for sha, paths in starts.items()}
    elsewhere: dict[bytes, Paths] = {}
    for step in steps:
        if paths := waiting.pop(step.commit.sha, None):
            for path, names in _changed(step, paths, rules, waiting).items():
                skipped = _skip(step, path, rules)
                if skipped:
                    goes_on = waiting if shows(skipped.old_path) else elsewhere
                    _add_waiting(goes_on, skipped.parent, {skipped.old_path: names})
                    for name in names:
                        on_skip(name, skipped)
                else:
                    added = all(is_addition(step.diffs[parent][path]) for parent in step.parents)
                    for name in names:
                        found(name, DatingCommit(step.commit, path, added))
        if not waiting:
            break
    return elsewhere


def _changed(step: Step, paths: Paths, rules: Rules, waiting: dict[bytes, Paths]) -> Paths:
    """The paths that differ from all parents; each other path is handed on to the first parent with the same file."""
    for parent in step.parents:
        # Paths are handed on as a whole, because most commits change few of them.
        changed = rules.changed(step.diffs.get(parent, _NOTHING), paths)
        for path in changed:
            del paths[path]
        _add_waiting(waiting, parent, paths)
        paths = changed
        if not paths:
            break
    return paths


def _add_waiting(waiting: dict[bytes, Paths], parent: bytes, paths: Paths) -> None:
    """Let paths wait at a parent. A path never waits in two places."""
    if not paths:
        return
    there = waiting.setdefault(parent, paths)
    if there is paths:
        return
    if len(there) < len(paths):
        waiting[parent] = paths
        there, paths = paths, there
    # Files that come from the same file go on together.
    for path in there.keys() & paths.keys():
        there[path] += paths.pop(path)
    there.update(paths)


def _skip(step: Step, path: bytes, rules: Rules) -> SkippedCommit | None:
    """Where a path that differs from all parents goes on by the rules; None if the commit dates it.

    A parent with the same content comes first, even if the commit is ignored. So whether a commit is ignored matters
    only to the files that it would date.
    """
    sha = step.commit.sha
    for is_ignored in (False, True) if sha in rules.ignored else (False,):
        find = rules.edited if is_ignored else rules.renamed
        for parent in step.parents:
            change = step.diffs[parent][path]
            why: SkipReason
            if is_addition(change):
                old_path, is_certain = find(sha, parent).get(path, (None, False)) if find else (None, False)
                # If its base name changed, it may be another page that had the same few words by chance.
                if old_path is None or not (is_certain or rules.is_unique(sha, parent, blob_of(change))):
                    continue
                why = "renamed and edited" if is_ignored else "renamed"
            elif is_ignored or (not rules.modes and is_change_of_mode(change)):
                old_path, why = path, "ignored" if is_ignored else "mode"
            else:
                continue
            return SkippedCommit(why, step.commit, path, parent, old_path)
    return None


def is_addition(change: bytes) -> bool:
    """Whether a line of ``git log --raw`` says that the file was added."""
    return change.endswith(b"A")


def is_change_of_mode(change: bytes) -> bool:
    """Whether a regular file only became executable, or the opposite."""
    _, _, before, after, status = change.split(b" ")
    return status == b"M" and before == after


def content_of(change: bytes, *, after: bool) -> bytes:
    """The mode and the blob of a file before or after a change, as one value."""
    before_mode, after_mode, before_blob, after_blob, _ = change[1:].split(b" ")
    return after_mode + after_blob if after else before_mode + before_blob


def blob_of(change: bytes) -> bytes:
    """The id of a file's content after a change."""
    return change.split(b" ")[3]


def read_steps(tokens: Iterable[bytes], *, first_parent: bool = False) -> Iterator[Step]:
    """The commits in the output of ``git log --pretty=raw --parents --raw -z``, cut at every NUL.

    A merge prints its header again for each parent that it differs from. With ``first_parent``, a commit has only its
    first parent. Raises `TooLargeError` if a commit changes too many files: a few folders can have millions of paths.
    """
    commit: Commit | None = None
    parents: list[bytes] = []
    diffs: dict[bytes, dict[bytes, bytes]] = {}
    changed: dict[bytes, bytes] = {}
    line = b""  # of the change whose path comes next
    size = 0  # of the changes of this commit
    for token in tokens:
        if line:
            changed[token] = line
            size += len(line) + len(token)
            if size > GIT_CHANGES.size:
                raise TooLargeError(
                    f"commit {commit.sha[:10].decode() if commit else ''} changes so many files that their list is "
                    f"larger than {GIT_CHANGES.shown_size}, so git's history is not read any further"
                )
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
                size = 0
            changed = diffs.setdefault(origin or b"".join(parents[:1]), {})
            # The first line of a diff follows the message in the same token.
            last = header.rpartition(b"\n")[2]
            line = last if last.startswith(b":") else b""
    if commit is not None:
        yield Step(commit, parents, diffs)


def split_at_nul(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut the stream at every NUL. Raises `TooLargeError` if a piece, such as a commit's message, is over the limit."""
    pieces: list[bytes] = []  # of a token that has no end yet
    size = 0
    for chunk in chunks:
        first, *tokens = chunk.split(b"\0")
        pieces.append(first)
        size += len(first)
        if size > GIT_OBJECT.size:
            raise TooLargeError(f"{UNREADABLE} (a commit is larger than {GIT_OBJECT.shown_size})")
        if tokens:
            yield b"".join(pieces)
            *tokens, rest = tokens
            yield from tokens
            pieces, size = [rest], len(rest)
    # Without a line end, the rest is something git could not finish: half a path, or half a date.
    if (rest := b"".join(pieces)).endswith(b"\n"):
        yield rest
