"""What an earlier build knew about the files of a repository, for those whose history a shallow clone lacks.

The walk of a file depends only on the commit and the path at which it starts, and on the rules. So a file whose walk
arrives at the commit of the earlier build goes on as it did there, and has the date that it had there. No contents or
dates are compared to find this out: a commit that was rewritten, or is on another branch, is never reached.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Final

import msgspec

from sitemap_plugins.git.repository import CATALOGUE
from sitemap_plugins.git.walk import Commit, DateKind

_REGULAR: Final = "100"  # how the modes of regular files begin
_OPTIONS: Final = {"date": "git.date", "follow_renames": "git.follow_renames", "fuzzy": "fuzzy translations"}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A file in the commit of a build: its mode and blob there, and the commit that dates it.

    ``when`` is the commit's date in UTC; it is None, like ``commit``, if the build did not know it.
    """

    mode: str
    blob: str
    commit: str | None = None
    when: datetime | None = None


class Basis(msgspec.Struct, frozen=True, kw_only=True):
    """Everything besides the history that decides a date: the rules, and what the clone has.

    The names are those of `DateRules` and `History`.
    """

    date: DateKind
    follow_renames: bool
    fuzzy: bool
    catalogues: bool
    contents: bool
    ignored: frozenset[bytes]


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What an earlier build knew about a repository: the commit that was built, its files, and how it dated them.

    ``rows`` has the files by their paths, ``hidden`` those whose paths were not published, by `digest_of` their paths.
    """

    head: bytes
    basis: Basis
    rows: Mapping[str, Row] = {}
    hidden: Mapping[str, Row] = {}

    def row(self, path: str) -> Row | None:
        """The file with this path in the commit of the build."""
        return self.rows.get(path) or (self.hidden.get(digest_of(path)) if self.hidden else None)

    def objection(self, now: Basis) -> str:
        """Why this build, which finds dates on another basis, cannot use any date; empty if it can.

        More commits may be ignored than before (see `recall`).
        """
        for field, option in _OPTIONS.items():
            before, after = getattr(self.basis, field), getattr(now, field)
            if before != after:
                return f"{option} was {_shown(before)}, but is {_shown(after)} now"
        is_partial = not (self.basis.contents and now.contents)
        if self.basis.catalogues != now.catalogues or (is_partial and now.follow_renames):
            return (
                "this clone or that of the earlier build has no old contents (--filter), which tell what was renamed "
                "or translated"
            )
        if missing := len(self.basis.ignored - now.ignored):
            return f"it ignored {missing} commit{'s' if missing > 1 else ''} that this build does not ignore"
        return ""


class End(msgspec.Struct, frozen=True, kw_only=True):
    """Where the walk of a file ended because the clone was cut at this commit.

    ``parents`` are the commit's real ones, which the clone hides. ``path``, ``mode`` and ``blob`` are those of the file
    there. ``passed`` is its path in the commit of the earlier build, if the walk came by.
    """

    commit: Commit
    parents: tuple[bytes, ...]
    path: str
    mode: str
    blob: str
    passed: str | None = None


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """The commit that dates a file, and its date; neither if the earlier build does not tell.

    ``since`` is the commit of the earlier build if that knew the date.
    """

    commit: str | None = None
    when: datetime | None = None
    since: str | None = None


def recall(end: End, memory: Memory, now: Basis) -> Recalled | None:
    """What dates the file whose walk ended there.

    None if the walk does not lead to the commit of the earlier build. `Memory.objection` must be empty.
    """
    if end.passed is not None:
        return _serve(memory.row(end.passed), memory, now)
    if end.parents[:1] != (memory.head,):
        return None
    row = memory.row(end.path)
    if row is None or (row.mode, row.blob) == (end.mode, end.blob):
        return _serve(row, memory, now)
    # The commit changed the file, compared with its first parent. A catalogue may have the same translations, and in
    # another parent of a merge the file may be the same.
    is_merge = len(end.parents) > 1 and now.date != "landed"
    if is_merge or (now.catalogues and end.path.endswith(CATALOGUE.decode())):
        return Recalled()
    has_same_content = row.blob == end.blob and row.mode.startswith(_REGULAR) and end.mode.startswith(_REGULAR)
    if has_same_content or end.commit.sha in now.ignored:
        return _serve(row, memory, now)
    when = end.commit.when(now.date)
    return Recalled(commit=end.commit.sha.decode(), when=when) if when else Recalled()


def _serve(row: Row | None, memory: Memory, now: Basis) -> Recalled:
    """The date of a row, unless its commit is ignored only now: then the whole history gives an older date."""
    sha = row.commit.encode() if row and row.commit else None
    if row is None or sha is None or (sha in now.ignored and sha not in memory.basis.ignored):
        return Recalled()
    return Recalled(commit=row.commit, when=row.when, since=memory.head.decode())


def digest_of(path: str) -> str:
    """What stands for the path of a file that no published page shows."""
    return sha256(os.fsencode(path)).hexdigest()[:40]


def _shown(value: object) -> str:
    return str(value).lower()
