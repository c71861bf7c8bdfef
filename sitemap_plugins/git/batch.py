"""A git process that answers one request after another, such as which files a commit renamed."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Final, TypeVar

from sitemap_plugins.git.process import GitProcess, open_git, read_chunks

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
