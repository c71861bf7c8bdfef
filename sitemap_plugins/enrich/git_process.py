"""Running git so that nobody's configuration, environment or other processes change what it prints."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final, NamedTuple, TypeAlias

_CHUNK: Final = 1 << 17
_PATIENCE: Final = 0.05  # seconds until a silent git is asked whether it has ended
# What would point git at another repository than the one the documents are in; a git hook sets most of them.
_FOREIGN_VARIABLES: Final = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_GLOB_PATHSPECS",
        "GIT_GRAFT_FILE", "GIT_ICASE_PATHSPECS", "GIT_INDEX_FILE", "GIT_NOGLOB_PATHSPECS", "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX", "GIT_TRACE", "GIT_WORK_TREE",
    }
)  # fmt: skip
# Nobody's configuration may change what is printed, start another program or touch the network.
_PLAIN_GIT: Final = (
    "git", "--no-pager", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "log.follow=false",
    "-c", "log.mailmap=false",
)  # fmt: skip
GitProcess: TypeAlias = subprocess.Popen[bytes]
UNREADABLE: Final = "git's history could not be read"


class Answer(NamedTuple):
    """What a short git command printed; ``complaint`` is empty unless it failed."""

    printed: bytes
    complaint: str


def run_git(directory: str, *arguments: str) -> Answer:
    """Run a short command. It prints into files, not into pipes, for the reason given in `read_chunks`."""
    with TemporaryFile() as output, TemporaryFile() as complaints:
        status = subprocess.call(  # noqa: S603  # a fixed program, no shell
            [*_PLAIN_GIT, *arguments],
            cwd=directory,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=complaints,
        )
        return Answer(_content(output), (read_text(complaints) or f"status {status}") if status else "")


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def read_text(file: IO[bytes]) -> str:
    """All that was written into a file, for people."""
    return _content(file).decode(errors="replace")


def open_git(directory: str, complaints: IO[bytes] | None, *arguments: str, is_asked: bool = False) -> GitProcess:
    """Start a command whose output is to be read by `read_chunks`; what it complains about goes into a file, if any.

    One that ``is_asked`` reads what is written to its standard input, without delay.
    """
    return subprocess.Popen(  # noqa: S603  # a fixed program, no shell
        [*_PLAIN_GIT, *arguments],
        cwd=directory,
        env=_environment(),
        bufsize=0,
        stdin=subprocess.PIPE if is_asked else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if complaints is None else complaints,
    )


def read_chunks(process: GitProcess) -> Iterator[bytes]:
    """What a process prints, until it ends.

    The end of the pipe is not waited for: a process that somebody else forks meanwhile, as extensions of Sphinx do,
    holds it open as long as it lives.
    """
    if process.stdout is None:
        return
    file = process.stdout.fileno()
    if os.name == "nt":  # which cannot fork, and cannot wait for a pipe either
        yield from iter(lambda: os.read(file, _CHUNK), b"")
        return
    with selectors.DefaultSelector() as selector:
        selector.register(file, selectors.EVENT_READ)
        while True:
            has_ended = process.poll() is not None
            if selector.select(0 if has_ended else _PATIENCE):
                if not (chunk := os.read(file, _CHUNK)):
                    return
                yield chunk
            elif has_ended:
                return


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN_VARIABLES}
    return kept | {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "LC_ALL": "C"}


def explain_os_error(error: OSError, directory: str) -> str:
    """Why git could not be started, for people."""
    if not Path(directory).is_dir():
        return f"there is no folder {directory}"
    if isinstance(error, FileNotFoundError):
        return "git is not installed"
    return f"git could not be started ({error.strerror})"


def explain_failure(complaint: str, directory: str) -> str:
    """What git's complaint means, for people, and what can be done."""
    if "dubious ownership" in complaint:
        found = re.search(r"safe\.directory (?P<path>.+)", complaint)
        path = found["path"].strip() if found else directory
        return (
            f"the repository belongs to another user; to trust it, run: git config --global --add safe.directory {path}"
        )
    if "not a git repository" in complaint:
        return "the documents are not in a git repository"
    if "ambiguous argument 'HEAD'" in complaint or "bad revision 'HEAD'" in complaint:
        return "the repository has no commit yet"
    if "diff-merges" in complaint:
        return "git is too old; version 2.31 or later is needed"
    return f"git said: {' '.join(complaint.split())}" if complaint.strip() else UNREADABLE
