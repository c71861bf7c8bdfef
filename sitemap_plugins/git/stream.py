"""Read a history commit by commit while git prints it, and walk along it to date files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Self

import msgspec

from sitemap_plugins.git.process import explain_failure, open_git, open_temporary, read_chunks, read_text
from sitemap_plugins.git.repository import HistoryError, TooLargeError
from sitemap_plugins.git.walk import Commit, Found, Paths, Rules, SkippedCommit, Step, follow, read_steps, split_at_nul
from sitemap_plugins.model import UNREADABLE

_LOG: Final = (
    "log", "--parents", "--pretty=raw", "--raw", "--no-abbrev", "--no-abbrev-commit", "-z", "--no-renames",
    "--full-history", "--sparse", "--no-color", "--no-decorate", "--no-notes", "--encoding=UTF-8", "--no-ext-diff",
    "--no-textconv", "--no-relative", "--ignore-submodules=none", "-O/dev/null",
)  # fmt: skip
EVERYTHING: Final = [b"."]
_MANY: Final = 64  # folders; if there are more, git shows everything
_ALL_PARENTS: Final = ("--diff-merges=separate",)
_FIRST_PARENT: Final = ("--first-parent", "--diff-merges=first-parent")


class Stream:
    """The output of ``git log`` with these arguments, which starts at once; leaving the context ends it.

    ``stdin`` are lines for its standard input. With ``first_parent``, a merge has only its changes to the first parent.
    """

    def __init__(
        self, directory: str, *arguments: str, stdin: Iterable[bytes] = (), first_parent: bool = False
    ) -> None:
        self._directory = directory
        self._first_parent = first_parent
        self._complaints = open_temporary()
        with open_temporary() as lines:
            lines.writelines(line + b"\n" for line in stdin)
            lines.seek(0)
            parents = _FIRST_PARENT if first_parent else _ALL_PARENTS
            self._process = open_git(directory, self._complaints, *_LOG, *parents, *arguments, stdin=lines)

    def __iter__(self) -> Iterator[Step]:
        """The commits in the order of the output. Raises `HistoryError` if git fails."""
        return read_steps(split_at_nul(self._chunks()), first_parent=self._first_parent)

    def _chunks(self) -> Iterator[bytes]:
        yield from read_chunks(self._process)
        # Check this before the last commit is yielded, because git may have left out some of its changes.
        if self._process.wait():
            raise HistoryError(explain_failure(read_text(self._complaints), self._directory))

    def kill(self) -> None:
        """End git at once; any thread may call this."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process as process:
            process.kill()
        self._complaints.close()


class Walk(msgspec.Struct, frozen=True):
    """One walk through a history, which fills ``found``, and ``too_large`` if a commit ends it.

    A stream shows the folder ``prefix``, or only some folders. A file that came into them from elsewhere is followed in
    another stream, of the folder it came from.
    """

    rules: Rules
    prefix: bytes
    open_stream: Callable[..., Stream]
    found: dict[bytes, Found]
    too_large: list[str]
    on_skip: Callable[[bytes, SkippedCommit], object] | None

    def date(self, stream: Stream, folders: Sequence[bytes], starts: Mapping[bytes, Paths]) -> Commit:
        """Date the files, and return the commit that was read first. Raises `HistoryError` if there is none."""
        steps = iter(stream)
        first = next(steps, None)
        if first is None:
            raise HistoryError(UNREADABLE)
        try:
            is_shown = _shows([os.path.normpath(self.prefix + folder) for folder in folders])
            starts = self._follow(chain([first], steps), starts, is_shown)
            stream.kill()
            while starts:
                folders = folders_of({path for paths in starts.values() for path in paths})
                arguments = ("--topo-order", "--stdin", "--", *map(os.fsdecode, folders))
                with self.open_stream(*arguments, stdin=starts) as further:
                    starts = self._follow(further, starts, _shows(folders))
        except HistoryError as error:
            # If git fails midway, the dates found so far are right, and the others are missing.
            if isinstance(error, TooLargeError):
                self.too_large.append(str(error))
        return first.commit

    def _follow(
        self, steps: Iterable[Step], starts: Mapping[bytes, Paths], shows: Callable[[bytes], bool]
    ) -> Mapping[bytes, Paths]:
        return follow(
            steps,
            starts,
            self.rules,
            self.found.__setitem__,
            shows=shows,
            on_skip=self.on_skip,
        )


def _shows(folders: Sequence[bytes]) -> Callable[[bytes], bool]:
    """A function that checks whether a path is in one of these folders or is one of these files."""
    inside = tuple(folder + b"/" for folder in folders)
    return lambda path: folders == EVERYTHING or path in folders or path.startswith(inside)


def folders_of(paths: Iterable[bytes]) -> list[bytes]:
    """The folders of these files, none within another; a file at the top stands for itself."""
    outer: list[bytes] = []
    for folder in sorted({path.rpartition(b"/")[0] or path for path in paths}, key=lambda each: each + b"/"):
        if not outer or not folder.startswith(outer[-1] + b"/"):
            outer.append(folder)
    return outer if len(outer) <= _MANY else EVERYTHING
