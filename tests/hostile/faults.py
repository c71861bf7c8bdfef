"""Calls to the operating system that fail one after another, as in the tests of SQLite."""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

_OS: Final = (
    "chmod", "close", "fstat", "link", "listdir", "lstat", "mkdir", "open", "pipe", "posix_spawn", "read", "readlink", "remove",
    "rename", "replace", "rmdir", "scandir", "sendfile", "stat", "unlink", "utime", "write",
)  # fmt: skip
_SPAWNS: Final = frozenset({"fork", "pipe", "posix_spawn"})  # calls that can fail while a program is started
_FILE: Final = ("close", "read", "readline", "readinto", "seek", "write", "writelines")


def fail_with_io_error() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def interrupt() -> None:
    raise KeyboardInterrupt


def exhaust_memory() -> None:
    raise MemoryError


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Kind(NamedTuple):
    """What happens at a call. With ``late`` it happens after the call has done its work."""

    name: str
    strike: Callable[[], None]
    late: bool = False


KINDS: Final = (
    Kind("OSError", fail_with_io_error),
    Kind("OSError, done", fail_with_io_error, late=True),
    Kind("KeyboardInterrupt", interrupt),
    Kind("KeyboardInterrupt, done", interrupt, late=True),
    Kind("MemoryError", exhaust_memory),
    Kind("MemoryError, done", exhaust_memory, late=True),
)
KILLS: Final = (Kind("SIGKILL", kill), Kind("SIGKILL, done", kill, late=True))


class Faults:
    """In this context, the call with this number (from 1) fails. ``struck`` is its place, if it was reached.

    Counted are the functions of `os`, of `fcntl` and of open files that change or read something on disk, and starting
    a program. Interruptions reach only the thread that has entered the context, as in reality.
    """

    def __init__(self, number: int, kind: Kind) -> None:
        self.calls = 0
        self.struck: str | None = None
        self._number = number
        self._kind = kind
        self._lock = threading.Lock()
        self._thread = threading.get_ident()
        self._replaced: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> Self:
        for name in _OS:
            if hasattr(os, name):
                self._replace(os, name, self._guarded(name, getattr(os, name)))
        if os.name == "posix":
            import fcntl

            self._replace(fcntl, "flock", self._guarded("flock", fcntl.flock))
            self._replace(subprocess, "_fork_exec", self._guarded("fork", subprocess._fork_exec))
        opened = self._guarded("open", self._opener(open))
        self._replace(builtins, "open", opened)
        self._replace(io, "open", opened)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for where, name, before in reversed(self._replaced):
            for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
                able.discard(getattr(where, name))
            setattr(where, name, before)
        self._replaced.clear()

    def _replace(self, where: Any, name: str, value: Any) -> None:
        before = getattr(where, name)
        self._replaced.append((where, name, before))
        setattr(where, name, value)
        for able in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):  # `shutil` checks these
            if before in able:
                able.add(value)

    def _is_due(self) -> bool:
        """Count a call, and return whether it is the one."""
        if self._kind.strike is interrupt and threading.get_ident() != self._thread:
            return False
        with self._lock:
            self.calls += 1
            return self.calls == self._number

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            inside = sys._getframe(1).f_code.co_filename == subprocess.__file__ and name not in _SPAWNS
            if inside or not self._is_due():
                return function(*arguments, **options)
            self.struck = f"{name} in {_place()}"
            try:
                if self._kind.late and name not in {
                    "fork",
                    "posix_spawn",
                }:  # nothing could end such a program
                    _let_go(function(*arguments, **options), name)
            finally:
                self._kind.strike()

        return call

    def _opener(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            return _File(function(*arguments, **options), self)

        return call


def _place() -> str:
    """The lines of our code that a call comes from."""
    ours = (each for each in traceback.extract_stack() if f"{os.sep}sitemap_plugins{os.sep}" in each.filename)
    return " < ".join(f"{os.path.basename(each.filename)}:{each.lineno}" for each in [*ours][:-4:-1])


def _let_go(result: Any, name: str) -> None:
    """Release the result of a call, because the caller never gets it."""
    if hasattr(result, "close"):
        result.close()
    elif name == "open":
        os.close(result)
    elif name == "pipe":
        for each in result:
            os.close(each)


class _File:
    """An open file whose methods are counted."""

    def __init__(self, file: Any, faults: Faults) -> None:
        self._file = file
        for name in _FILE:
            if hasattr(file, name):
                setattr(self, name, faults._guarded(f"file.{name}", getattr(file, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.close()
        finally:
            self._file.close()  # a real file is closed even if an error is raised


class Interrupted:
    """In this context, Ctrl-C is pressed when the function with this number (from 1) begins or ends.

    Counted are the functions in these source files, and those that they call. There Python checks for signals.
    """

    def __init__(self, number: int, files: frozenset[str]) -> None:
        self.moments = 0
        self.struck: str | None = None
        self._number = number
        self._files = files

    def __enter__(self) -> Self:
        sys.setprofile(self._notice)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _notice(self, frame: Any, event: str, function: object) -> None:
        if frame.f_code.co_filename in self._files:
            self.moments += 1
            if self.moments == self._number:
                self.struck = f"{event} in {os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno} {function}"
                raise KeyboardInterrupt
