"""A git process that answers one request after another, such as which files a commit renamed."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import Final

from sitemap_plugins.git.process import GitProcess, open_git, read_chunks

ENDED: Final = frozenset({errno.EPIPE, errno.EINVAL})
"""The errors of writing to a pipe whose reader is gone; the second one on Windows."""


class BatchCommand:
    """A command that answers each line of its input. The first request starts git.

    One thread makes requests and closes the command; any other thread may stop it meanwhile.
    """

    def __init__(self, directory: str, *arguments: str) -> None:
        self._directory = directory
        self._arguments = arguments
        self._process: GitProcess | None = None
        self._stopped = False

    def request(self, line: bytes) -> Iterator[bytes]:
        """Write the line, and return the answer in chunks; no more of them follow only if git has ended.

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
        return read_chunks(self._process)

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
