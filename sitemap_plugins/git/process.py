"""Run git so that no configuration, environment variable or other process changes what it prints."""

from __future__ import annotations

import errno
import os
import re
import selectors
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, NamedTuple, TypeAlias

from sitemap_plugins.model import UNREADABLE
from sitemap_plugins.reading import GIT_ANSWER, Limit, read_descriptor

_CHUNK: Final = 1 << 17
_MOST_SHOWN: Final = 1 << 16  # bytes of git's error messages
_MEMORY: Final = 4 << 30  # bytes; git needs less than one GiB for the history of a million commits
_HOOKS: Final = 1 << 14  # bytes of their settings' names; on Windows, all variables have 32,767 characters
_PATIENCE: Final = 0.05  # seconds without output after which to check whether git has ended
# These would point git to another repository than that of the documents. Git sets most of them when it runs a hook.
_FOREIGN_VARIABLES: Final = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_IMPLICIT_WORK_TREE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE", "GIT_COMMON_DIR", "GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_GLOB_PATHSPECS",
        "GIT_GRAFT_FILE", "GIT_ICASE_PATHSPECS", "GIT_INDEX_FILE", "GIT_NOGLOB_PATHSPECS", "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX", "GIT_WORK_TREE",
    }
)  # fmt: skip
# Configuration must not change the output, start another program or use the network. If a folder has the files of a
# bare repository, which anyone can commit, git must not read its configuration.
_PLAIN: Final = (
    "--no-pager", "--literal-pathspecs", "-c", "safe.bareRepository=explicit",
    "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "log.follow=false",
    "-c", "log.mailmap=false", "-c", f"core.hooksPath={os.devnull}", "-c", "core.alternateRefsCommand=exit 0",
)  # fmt: skip
# These run hooks, which git 2.54 and later takes from any configuration as well. Each hook has a switch of its own.
_WITH_HOOKS: Final = frozenset({"fast-import", "fetch", "push", "update-ref"})
# Versions before 2.39.4 know only the second, a list without a name. It is not empty, because Windows may drop that.
_OFFLINE: Final = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ":"}
# Git's default, set so that no configuration can add a protocol that runs a program (ext::).
_PROTOCOLS: Final = "file:git:http:https:ssh"
_GIT: Final = "git"
_NOTHING_SET: Final = "status 1"  # of git config, if there is no such setting
_ON_WINDOWS: Final = os.name == "nt"
_NO_COMMIT: Final = "the repository has no commit yet"
_MEANINGS: Final = {
    "cannot use bare repository": "the folder is a bare git repository, or looks like one, and its configuration is "
    "not trusted; clone it, or move the documents out of it",
    "not a git repository": "the documents are not in a git repository",
    "ambiguous argument 'HEAD'": _NO_COMMIT,
    "bad revision 'HEAD'": _NO_COMMIT,
    "ut of memory": "a commit changes so many files that git needs too much memory",
    "diff-merges": "git is too old; version 2.31 or later is needed",
}
GitProcess: TypeAlias = subprocess.Popen[bytes]

_ENDED: Final = frozenset({errno.EPIPE, errno.EINVAL})
"""The errors of writing to a pipe whose reader is gone; the second one on Windows."""


class CommandOutput(NamedTuple):
    """The output of a short git command; ``error`` is empty unless it failed."""

    stdout: bytes
    error: str


class BackgroundCommand:
    """A short git command that runs in the background. It prints into files, for the reason given in `read_chunks`."""

    def __init__(self, directory: str, *arguments: str, online: bool = False) -> None:
        self._output = open_temporary()
        self._errors = open_temporary()
        try:
            streams = {"stdout": self._output, "stderr": self._errors}
            self._process = _start(directory, arguments, online=online, **streams)
        except OSError:
            self._close()
            raise

    def result(self, limit: Limit = GIT_ANSWER) -> CommandOutput:
        """Wait for the output; can be called only once. Raises `RefusedError` if it is larger than the limit."""
        status = self._wait(limit)
        try:
            error = (read_text(self._errors) or f"status {status}") if status else ""
            self._output.seek(0)
            return CommandOutput(read_descriptor(self._output.fileno(), limit), error)
        finally:
            self._close()

    def _wait(self, limit: Limit) -> int:
        """Wait for the end. A command that prints too much is ended at once, before it fills the disk."""
        while True:
            try:
                return self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                if max(os.fstat(file.fileno()).st_size for file in (self._output, self._errors)) > limit.size:
                    self._process.kill()

    def cancel(self) -> None:
        """End the command; does nothing after `result`."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._output.close()
        self._errors.close()


def run_git(directory: str, *arguments: str, online: bool = False) -> CommandOutput:
    """Run a short command and wait for it. Raises `RefusedError` if its output is larger than `GIT_ANSWER`.

    Only an ``online`` command may open a connection.
    """
    return BackgroundCommand(directory, *arguments, online=online).result()


def _start(directory: str, arguments: Iterable[str], *, online: bool = False, **streams: Any) -> GitProcess:
    options: Any = {"bufsize": 0, "stdin": subprocess.DEVNULL} | streams
    program = _find_git(os.environ.get("PATH", "")) if _ON_WINDOWS else _GIT
    environment = _environment(directory, online=online)
    if options["stdin"] is not subprocess.PIPE:  # through a pipe, each answer is waited for
        environment.setdefault("GIT_FLUSH", "0")
    if not _WITH_HOOKS.isdisjoint(arguments):
        environment |= _switches_of_hooks(directory)
    return subprocess.Popen([program, *_PLAIN, *arguments], cwd=directory, env=environment, **options)  # noqa: S603  # a fixed program, no shell


def _switches_of_hooks(directory: str) -> dict[str, str]:
    """The variables that turn off all hooks in the configuration. Raises OSError.

    A hook's name may contain ``=``, and ``-c`` takes what is before the first one for the name of the setting.
    """
    listed = run_git(directory, "config", "--includes", "--name-only", "-z", "--get-regexp", r"^hook\.")
    if listed.error not in {"", _NOTHING_SET}:
        raise OSError(errno.EINVAL, explain_failure(listed.error, directory))
    if len(listed.stdout) > _HOOKS:
        raise OSError(errno.E2BIG, "git's configuration has too many hooks; see: git config --get-regexp ^hook")
    hooks = sorted({key.rpartition(".")[0] for key in os.fsdecode(listed.stdout).split("\0")} - {""})
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    switches = {"GIT_CONFIG_COUNT": str(first + len(hooks))}
    for number, hook in enumerate(hooks, first):
        switches |= {f"GIT_CONFIG_KEY_{number}": f"{hook}.enabled", f"GIT_CONFIG_VALUE_{number}": "false"}
    return switches


@cache
def _find_git(path: str) -> str:
    """The path of git in the folders of PATH. Raises FileNotFoundError.

    Windows would look in the current folder first, and so run a program that came with a repository.
    """
    current = os.path.realpath(os.curdir)
    for folder in path.split(os.pathsep):
        file = os.path.join(folder, f"{_GIT}.exe")
        if os.path.isabs(folder) and os.path.realpath(folder) != current and os.path.isfile(file):
            return file
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), _GIT)


def git_version() -> str | None:
    """The version of git, such as 2.39.5; None if git cannot be run."""
    try:
        printed = run_git(os.curdir, "version")
    except OSError:
        return None
    return printed.stdout.decode(errors="replace").strip().removeprefix("git version ") or None


def open_temporary() -> IO[bytes]:
    """A file without a name for the input or output of git. Raises OSError, whose message says what to do."""
    try:
        return TemporaryFile()
    except OSError as error:
        message = f"no temporary file can be created: {error.strerror}; set TMPDIR to a writable folder"
        raise OSError(error.errno, message) from None


def read_text(file: IO[bytes]) -> str:
    """Git's error messages as text, cut at a maximum length."""
    file.seek(0)
    return file.read(_MOST_SHOWN).decode(errors="replace")


def open_git(
    directory: str, errors: IO[bytes] | None, *arguments: str, stdin: Iterable[bytes] = (), interactive: bool = False
) -> GitProcess:
    """Start a command whose output `read_chunks` reads; its error messages go into the file ``errors``, if any.

    Its standard input is a file with all pieces of ``stdin``, or an unbuffered pipe if it is ``interactive``.
    """
    with nullcontext() if interactive else open_temporary() as pieces:
        if pieces is not None:
            pieces.writelines(stdin)
            pieces.seek(0)
        streams: Any = {"stdin": subprocess.PIPE if pieces is None else pieces, "stdout": subprocess.PIPE}
        process = _start(directory, arguments, stderr=subprocess.DEVNULL if errors is None else errors, **streams)
    _limit_memory(process)
    return process


def _limit_memory(process: GitProcess) -> None:
    """Let git fail instead of filling the memory: it compares whole commits before it prints anything.

    Only Linux can do this without running code between fork and exec, which is unsafe with threads.
    """
    if sys.platform == "linux":
        import resource  # not on Windows

        with suppress(OSError):  # git has ended already, or has a lower limit
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (_MEMORY, _MEMORY))


def read_chunks(process: GitProcess) -> Iterator[bytes]:
    """What a process prints, until it ends.

    Does not wait for the end of the pipe: a process that other code forks meanwhile, as extensions of Sphinx do, holds
    the pipe open as long as it lives.
    """
    if process.stdout is None:
        return
    file = process.stdout.fileno()
    if _ON_WINDOWS:  # no process can be forked there, and `select` does not work for pipes
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
    kept = {"GIT_PROXY_COMMAND": ""} | {  # or else that of core.gitProxy
        name: value
        for name, value in os.environ.items()
        if name not in _FOREIGN_VARIABLES and not name.startswith("GIT_TRACE")
    }
    if _named_work_tree(directory) and _found_above(directory) is None:
        kept |= {name: os.path.abspath(os.environ[name]) for name in ("GIT_DIR", "GIT_WORK_TREE")}
    elif is_bare(directory):
        kept["GIT_DIR"] = os.path.abspath(directory)
    kept |= {"GIT_ALLOW_PROTOCOL": kept.get("GIT_ALLOW_PROTOCOL", _PROTOCOLS)} if online else _OFFLINE
    return kept | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def toplevel_of(directory: str) -> str | None:
    """The top folder of the repository or submodule that a folder is in, as an absolute path; None if it is in none.

    GIT_DIR and GIT_WORK_TREE count only for folders in that work tree that are in no other repository.
    """
    return _found_above(directory) or _named_work_tree(directory)


def is_bare(directory: str) -> bool:
    """Whether the command runs in a bare repository. One that is in another repository may have been committed."""
    has_files = all(os.path.exists(os.path.join(directory, name)) for name in ("HEAD", "objects", "refs"))
    return has_files and directory in {os.curdir, os.getcwd()} and toplevel_of(os.path.abspath(directory)) is None


def _found_above(directory: str) -> str | None:
    folders = (directory, *map(str, Path(directory).parents))
    return next((folder for folder in folders if os.path.lexists(os.path.join(folder, ".git"))), None)


def _named_work_tree(directory: str) -> str | None:
    tree = os.environ.get("GIT_WORK_TREE")
    if not tree or not os.environ.get("GIT_DIR"):
        return None
    folder = os.path.realpath(tree)
    return folder if Path(directory).resolve().is_relative_to(folder) else None


def explain_os_error(error: OSError, directory: str) -> str:
    """Why git could not be started, in plain words."""
    if not os.path.isdir(directory):
        return f"there is no folder {directory}"
    if isinstance(error, FileNotFoundError) and error.filename == _GIT:
        return "git is not installed"
    return f"git could not be started ({error.strerror})"


def explain_failure(error: str, directory: str) -> str:
    """Git's error message in plain words, with what to do."""
    if "dubious ownership" in error:
        found = re.search(r"safe\.directory (?P<path>.+)", error)
        path = found["path"].strip() if found else directory
        return (
            f"the repository belongs to another user; to trust it, run: git config --global --add safe.directory {path}"
        )
    if meaning := next((meaning for words, meaning in _MEANINGS.items() if words in error), None):
        return meaning
    if missing := re.search(r"(?:bad object|ambiguous argument|unknown revision) '?(?P<id>[0-9a-f]{40,64})", error):
        return f"the clone does not have the commit {missing['id']}; fetch it (git fetch --unshallow, git fetch --all)"
    return f"git said: {' '.join(error.split())}" if error.strip() else UNREADABLE


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
            if error.errno not in _ENDED:
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
