"""Running git so that nobody's configuration, environment or other processes change what it prints."""

from __future__ import annotations

import errno
import os
import re
import selectors
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple, TypeAlias

from sitemap_plugins.model import UNREADABLE
from sitemap_plugins.reading import GIT_ANSWER, Limit, read_descriptor

_CHUNK: Final = 1 << 17
_COMPLAINT: Final = 1 << 16  # bytes of what git complains about
_PATIENCE: Final = 0.05  # seconds until a silent git is asked whether it has ended
# What would point git at another repository than the one the documents are in; a git hook sets most of them.
_FOREIGN_VARIABLES: Final = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_IMPLICIT_WORK_TREE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_GLOB_PATHSPECS",
        "GIT_GRAFT_FILE", "GIT_ICASE_PATHSPECS", "GIT_INDEX_FILE", "GIT_NOGLOB_PATHSPECS", "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX", "GIT_WORK_TREE",
    }
)  # fmt: skip
# Nobody's configuration may change what is printed, start another program or touch the network, and a folder with the
# files of a bare repository in it, which anybody can commit, has no configuration.
_PLAIN: Final = (
    "--no-pager", "--literal-pathspecs", "-c", "safe.bareRepository=explicit",
    "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "log.follow=false",
    "-c", "log.mailmap=false", "-c", f"core.hooksPath={os.devnull}",
)  # fmt: skip
# Versions before 2.39.4 know the second of them only: a list without a name. Windows may lose an empty value.
_OFFLINE: Final = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ":"}
# What git allows by itself. Said here, no configuration can add a protocol that is a program (ext::).
_PROTOCOLS: Final = "file:git:http:https:ssh"
_GIT: Final = "git"
_ON_WINDOWS: Final = os.name == "nt"
_NO_COMMIT: Final = "the repository has no commit yet"
_MEANINGS: Final = {
    "cannot use bare repository": "the folder is a bare git repository, or looks like one, and its configuration is "
    "not trusted; clone it, or move the documents out of it",
    "not a git repository": "the documents are not in a git repository",
    "ambiguous argument 'HEAD'": _NO_COMMIT,
    "bad revision 'HEAD'": _NO_COMMIT,
    "diff-merges": "git is too old; version 2.31 or later is needed",
}
GitProcess: TypeAlias = subprocess.Popen[bytes]


class CommandOutput(NamedTuple):
    """What a short git command printed; ``error`` is empty unless it failed."""

    stdout: bytes
    error: str


class BackgroundCommand:
    """A short git command that runs meanwhile. It prints into files, for the reason given in `read_chunks`."""

    def __init__(self, directory: str, *arguments: str, online: bool = False) -> None:
        self._output = open_temporary()
        self._complaints = open_temporary()
        try:
            streams = {"stdout": self._output, "stderr": self._complaints}
            self._process = _start(directory, arguments, online=online, **streams)
        except OSError:
            self._close()
            raise

    def result(self, limit: Limit = GIT_ANSWER) -> CommandOutput:
        """What it printed, once it has ended. May be asked for once. Raises `RefusedError` for more than the limit."""
        status = self._process.wait()
        try:
            error = (read_text(self._complaints) or f"status {status}") if status else ""
            self._output.seek(0)
            return CommandOutput(read_descriptor(self._output.fileno(), limit), error)
        finally:
            self._close()

    def cancel(self) -> None:
        """End the command; does nothing after its result was read."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._output.close()
        self._complaints.close()


def run_git(directory: str, *arguments: str, limit: Limit = GIT_ANSWER, online: bool = False) -> CommandOutput:
    """Run a short command and wait for it. Raises `RefusedError` for more output than the limit.

    Only a command that is ``online`` may open a connection.
    """
    return BackgroundCommand(directory, *arguments, online=online).result(limit)


def _start(directory: str, arguments: Iterable[str], *, online: bool = False, **streams: Any) -> GitProcess:
    options: Any = {"bufsize": 0, "stdin": subprocess.DEVNULL} | streams
    program = _find_git(os.environ.get("PATH", "")) if _ON_WINDOWS else _GIT
    environment = _environment(directory, online=online)
    return subprocess.Popen([program, *_PLAIN, *arguments], cwd=directory, env=environment, **options)  # noqa: S603  # a fixed program, no shell


@cache
def _find_git(path: str) -> str:
    """The place of git in the folders of PATH. Raises FileNotFoundError.

    Windows would look in the current folder first, and so run what a repository has brought along.
    """
    current = os.path.realpath(os.curdir)
    for folder in path.split(os.pathsep):
        file = os.path.join(folder, f"{_GIT}.exe")
        if os.path.isabs(folder) and os.path.realpath(folder) != current and os.path.isfile(file):
            return file
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), _GIT)


def open_temporary() -> IO[bytes]:
    """A file without a name for what git prints or reads. Raises OSError, whose message says what to do."""
    try:
        return TemporaryFile()
    except OSError as error:
        message = f"no temporary file can be written: {error.strerror}; set TMPDIR to a folder where it can"
        raise OSError(error.errno, message) from None


def read_text(file: IO[bytes]) -> str:
    """What git complained about, for people, as far as it is not too long."""
    file.seek(0)
    return file.read(_COMPLAINT).decode(errors="replace")


def open_git(
    directory: str,
    complaints: IO[bytes] | None,
    *arguments: str,
    stdin: IO[bytes] | None = None,
    interactive: bool = False,
) -> GitProcess:
    """Start a command whose output is to be read by `read_chunks`; what it complains about goes into a file, if any.

    Its standard input is the file ``stdin``, or a pipe without a buffer where it is ``interactive``.
    """
    return _start(
        directory,
        arguments,
        stdin=subprocess.PIPE if interactive else stdin or subprocess.DEVNULL,
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
    if _ON_WINDOWS:  # which cannot fork, and cannot wait for a pipe either
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


def _environment(directory: str, *, online: bool) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not _is_foreign(name)}
    if _named_work_tree(directory) and _found_above(directory) is None:
        kept |= {name: os.path.abspath(os.environ[name]) for name in ("GIT_DIR", "GIT_WORK_TREE")}
    kept |= {"GIT_ALLOW_PROTOCOL": kept.get("GIT_ALLOW_PROTOCOL", _PROTOCOLS)} if online else _OFFLINE
    return kept | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def _is_foreign(name: str) -> bool:
    return name in _FOREIGN_VARIABLES or name.startswith("GIT_TRACE")


def toplevel_of(directory: str) -> str | None:
    """The folder of the repository or submodule that a folder is in, as an absolute path; None where it is in none.

    The variables that name a repository are for folders in their work tree that are in no other.
    """
    return _found_above(directory) or _named_work_tree(directory)


def _found_above(directory: str) -> str | None:
    return next((folder for folder in _upwards(directory) if os.path.lexists(os.path.join(folder, ".git"))), None)


def _named_work_tree(directory: str) -> str | None:
    tree = os.environ.get("GIT_WORK_TREE")
    if not tree or not os.environ.get("GIT_DIR"):
        return None
    folder = os.path.realpath(tree)
    return folder if Path(directory).resolve().is_relative_to(folder) else None


def _upwards(folder: str) -> Iterator[str]:
    before = ""
    while folder != before:
        yield folder
        folder, before = os.path.dirname(folder), folder


def explain_os_error(error: OSError, directory: str) -> str:
    """Why git could not be started, for people."""
    if not os.path.isdir(directory):
        return f"there is no folder {directory}"
    if isinstance(error, FileNotFoundError) and error.filename == _GIT:
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
    if meaning := next((meaning for words, meaning in _MEANINGS.items() if words in complaint), None):
        return meaning
    if missing := re.search(r"(?:bad object|ambiguous argument|unknown revision) '?(?P<id>[0-9a-f]{40,64})", complaint):
        return f"the clone does not have the commit {missing['id']}; fetch it (git fetch --unshallow, git fetch --all)"
    return f"git said: {' '.join(complaint.split())}" if complaint.strip() else UNREADABLE
