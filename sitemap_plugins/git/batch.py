"""A git process that answers one request after another, such as which files a commit removed."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Final, TypeVar

from sitemap_plugins.git.process import GitProcess, open_git, read_chunks
from sitemap_plugins.git.repository import HistoryError
from sitemap_plugins.git.walk import OldNames, content_of, old_names
from sitemap_plugins.model import UNREADABLE

_REMOVED: Final = (
    "diff-tree", "--stdin", "-r", "-m", "--root", "--raw", "-z", "--no-abbrev", "--no-commit-id", "--diff-filter=D",
    "--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=none", "-O/dev/null",
)  # fmt: skip
_END: Final = b"end\n"  # git echoes a line that names no commit, and flushes its output

ENDED: Final = frozenset({errno.EPIPE, errno.EINVAL})
"""The errors of writing to a pipe whose reader is gone; the second one on Windows."""

T = TypeVar("T")


class BatchCommand:
    """A command that answers each line of its input. The first request starts git.

    One thread makes requests and closes the command; any other thread may stop it meanwhile.
    """

    def __init__(self, directory: str, *arguments: str) -> None:
        self._directory = directory
        self._arguments = arguments
        self._process: GitProcess | None = None
        self._stopped = False

    def request(self, line: bytes, read: Callable[[bytearray], T | None]) -> T:
        """Write the line, and read until ``read`` returns a value for the answer so far.

        So neither side ever waits for the other to read. Raises EOFError if git has ended, and OSError.
        """
        if self._stopped:
            raise EOFError
        if self._process is None:
            self._process = open_git(self._directory, None, *self._arguments, interactive=True)
            if self._stopped:
                self._process.kill()
        try:
            if self._process.stdin:
                self._process.stdin.write(line)
        except OSError as error:
            if error.errno not in ENDED:
                raise
            raise EOFError from None
        answer = bytearray()
        for chunk in read_chunks(self._process):
            answer += chunk
            if (made := read(answer)) is not None:
                return made
        raise EOFError

    def stop(self) -> None:
        """Kill git; requests raise EOFError from now on."""
        self._stopped = True
        process = self._process
        if process:
            process.kill()

    def close(self) -> None:
        """End git. It is killed, because a process that other code forked may hold its input open."""
        if self._process:
            with self._process as process:
                process.kill()
            self._process = None


class Removals:
    """Finds the files that a commit removed, anywhere in the repository."""

    def __init__(self, directory: str) -> None:
        self.batch = BatchCommand(directory, *_REMOVED)
        self._commit = b""
        self._by_parent: dict[bytes, OldNames] = {}  # of this commit, kept for its other paths

    def __call__(self, commit: bytes, parent: bytes) -> OldNames:
        """The files that the commit removed from this parent. Raises `HistoryError` if git cannot read them."""
        if commit != self._commit:
            self._commit, self._by_parent = commit, {}
        if parent not in self._by_parent:
            try:
                self._by_parent[parent] = self.batch.request(b"%s %s\n%s" % (commit, parent, _END), _read_removed)
            except EOFError:
                raise HistoryError(UNREADABLE) from None
        return self._by_parent[parent]


def _read_removed(answer: bytearray) -> OldNames | None:
    """The files in the answer; None until it is complete."""
    # This runs for each chunk of a possibly long answer. A path can look like the end, but not after whole pairs.
    if (answer != _END and not answer.endswith(b"\0" + _END)) or answer.count(b"\0") % 2:
        return None
    tokens = bytes(answer).split(b"\0")[:-1]
    changes = zip(tokens[1::2], tokens[::2], strict=True)
    return old_names((path, content_of(change, after=False)) for path, change in changes)
