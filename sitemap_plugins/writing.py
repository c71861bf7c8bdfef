"""The one function that touches the disk: all files change together, or none does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sitemap_plugins.model import Note, OutputFile
from sitemap_plugins.urls import is_inside


class WriteError(Exception):
    """A file that could not be written, and why. What was there before is still there."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} could not be written: {why}")
        self.path = path


class _Change(NamedTuple):
    """A file that has to change from ``before`` to ``content``; None is no file."""

    path: str
    target: Path
    before: bytes | None
    content: bytes | None

    @property
    def draft(self) -> Path:
        return self.target.with_name(f".{self.target.name}.new")

    def prepare(self) -> None:
        if self.content is not None:
            self.target.parent.mkdir(parents=True, exist_ok=True)
            self.draft.unlink(missing_ok=True)  # it may be a link to elsewhere
            self.draft.write_bytes(self.content)
            if self.before is not None:
                shutil.copymode(self.target, self.draft)

    def apply(self) -> None:
        if self.content is None:
            self.target.unlink()
        else:
            self.draft.replace(self.target)

    def undo(self) -> None:
        with suppress(OSError):
            if self.before is None:
                self.target.unlink()
            else:
                self.target.write_bytes(self.before)

    def tidy(self) -> None:
        with suppress(OSError):
            self.draft.unlink(missing_ok=True)


def write(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[str]:
    """Bring the files below ``directory`` into the state that ``files`` describe; returns the paths that changed.

    A file whose content is the same already is left untouched, its time included. The new contents are complete on
    disk before the first file is replaced, each by one atomic rename; what was replaced is put back when a later one
    fails. Raises `WriteError` then, when there is no permission or room, and for a path outside ``directory``.
    """
    changes = _plans(files, directory)
    # Removals first: a server that finds a stale .gz sends it in place of the file beside it.
    in_order = sorted(changes, key=lambda change: change.content is not None)
    try:
        for change in in_order:
            with _explained(change.path):
                change.prepare()
        for number, change in enumerate(in_order):
            try:
                with _explained(change.path):
                    change.apply()
            except WriteError:
                for applied in in_order[:number]:
                    applied.undo()
                raise
    finally:
        for change in changes:
            change.tidy()
    return [change.path for change in changes]


def would_change(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[str]:
    """The paths that `write` would change. Raises `WriteError` for what it would not even try."""
    return [change.path for change in _plans(files, directory)]


def _plans(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[_Change]:
    return [change for file in files if (change := _plan(Path(directory), file))]


def try_to_write(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[Note]:
    """Write the files, all or none of them; a note says why it failed."""
    try:
        write(files, directory)
    except WriteError as error:
        return [Note(kind="unwritable", message=str(error))]
    return []


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(path, error.strerror or str(error)) from error


def _plan(root: Path, file: OutputFile) -> _Change | None:
    """What has to be done for a file, if anything."""
    if not is_inside(file.path):
        raise WriteError(file.path, "it is not a path inside the output folder")
    target = root.joinpath(*PurePosixPath(file.path).parts)
    with _explained(file.path):
        if target.is_dir() and not target.is_symlink():
            raise WriteError(file.path, "there is a folder of that name")
        current = target.read_bytes() if target.is_file() and not target.is_symlink() else None
        is_there = os.path.lexists(target)
    if file.content == current and (current is not None or not is_there):
        return None
    return _Change(file.path, target, current, file.content)
