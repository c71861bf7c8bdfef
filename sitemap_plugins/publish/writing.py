"""The one function that changes files: all of them change together, or none does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

from sitemap_plugins.model import GzipOf, Note, OutputFile
from sitemap_plugins.values.urls import is_inside

_PIECE: Final = 1 << 18  # bytes that are read at once


class WriteError(Exception):
    """A file that could not be written, and why. What was there before is still there."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} could not be written: {why}")
        self.path = path


class _Change:
    """A file on its way to its new content; ``chunks`` None is no file."""

    def __init__(self, path: str, target: Path, chunks: Callable[[], Iterable[bytes]] | None) -> None:
        self.path = path
        self.target = target
        self.chunks = chunks
        self.draft = target.with_name(f".{target.name}.new")
        self._backup = target.with_name(f".{target.name}.old")
        self.is_needed: bool | None = None

    def new_content(self) -> Iterable[bytes]:
        """What is to be in the file; read where it is written already."""
        if self.is_needed is None:
            return self.chunks() if self.chunks else ()
        return _read(self.draft if self.is_needed else self.target)

    def differs(self) -> bool:
        """Whether there is anything to be done."""
        if self.chunks is None:
            return os.path.lexists(self.target)
        return self._compare(self.chunks()) is not None

    def prepare(self) -> None:
        """Write the new content beside the file, unless it is in it already; it is made only once."""
        if self.chunks is None:
            self.is_needed = os.path.lexists(self.target)
            return
        chunks = iter(self.chunks())
        difference = self._compare(chunks)
        self.is_needed = difference is not None
        if difference is None:
            return
        same, chunk = difference
        self.target.parent.mkdir(parents=True, exist_ok=True)
        self.draft.unlink(missing_ok=True)  # it may be a link to elsewhere
        with self.draft.open("xb") as draft:
            if same:
                with self.target.open("rb") as current:
                    _copy(current, draft, same)
            draft.write(chunk)
            draft.writelines(chunks)
        if self._is_file():
            shutil.copymode(self.target, self.draft)

    def _compare(self, chunks: Iterable[bytes]) -> tuple[int, bytes] | None:
        """How much of the file is as it should be, and the first chunk that is not; None where the whole is.

        What comes after that chunk is not asked for.
        """
        if not self._is_file():
            return 0, b""
        same = 0
        with self.target.open("rb") as current:
            for chunk in chunks:
                if current.read(len(chunk)) != chunk:
                    return same, chunk
                same += len(chunk)
            return None if not current.read(1) else (same, b"")

    def _is_file(self) -> bool:
        return self.target.is_file() and not self.target.is_symlink()

    def apply(self) -> None:
        self._backup.unlink(missing_ok=True)  # of a build that was interrupted
        if os.path.lexists(self.target):
            _keep(self.target, self._backup)
        if self.chunks is None:
            self.target.unlink()
        else:
            self.draft.replace(self.target)

    def undo(self) -> None:
        with suppress(OSError):
            if os.path.lexists(self._backup):
                self._backup.replace(self.target)
            else:
                self.target.unlink()

    def tidy(self) -> None:
        for path in (self.draft, self._backup):
            with suppress(OSError):
                path.unlink(missing_ok=True)


def write(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[str]:
    """Bring the files below ``directory`` into the state that ``files`` describe; returns the paths that changed.

    A file whose content is the same already is left untouched, its time included. The new contents are complete on
    disk before the first file is replaced, each by one atomic rename; what was replaced is put back when a later one
    fails. No file is in memory as a whole. Raises `WriteError` then, when there is no permission or room, and for a
    path outside ``directory``.
    """
    changes = _plans(files, directory)
    try:
        for change in changes.values():
            with _explained(change.path):
                change.prepare()
        # Removals first: a server that finds a stale .gz sends it in place of the file beside it.
        needed = sorted(
            (change for change in changes.values() if change.is_needed), key=lambda change: change.chunks is not None
        )
        for number, change in enumerate(needed):
            try:
                with _explained(change.path):
                    change.apply()
            except WriteError:
                for applied in needed[:number]:
                    applied.undo()
                raise
    finally:
        for change in changes.values():
            change.tidy()
    return [change.path for change in needed]


def would_change(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[str]:
    """The paths that `write` would change. Raises `WriteError` for what it would not even try."""
    changed = []
    for change in _plans(files, directory).values():
        with _explained(change.path):
            if change.differs():
                changed.append(change.path)
    return changed


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


def _plans(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> dict[str, _Change]:
    """What has to be done for each file, by its path, in their order: a compressed file comes after its content."""
    changes: dict[str, _Change] = {}
    for file in files:
        if not is_inside(file.path):
            raise WriteError(file.path, "it is not a path inside the output folder")
        target = Path(directory).joinpath(*PurePosixPath(file.path).parts)
        with _explained(file.path):
            if target.is_dir() and not target.is_symlink():
                raise WriteError(file.path, "there is a folder of that name")
        changes[file.path] = _Change(file.path, target, _chunks(file, changes))
    return changes


def _chunks(file: OutputFile, before: Mapping[str, _Change]) -> Callable[[], Iterable[bytes]] | None:
    content = file.content
    if isinstance(content, bytes):
        return lambda: (content,)
    if isinstance(content, GzipOf):
        unpacked, compress = before[content.path], content.compress
        return lambda: compress(unpacked.new_content())
    return content


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """The first bytes of a file into another one."""
    while size > 0 and (piece := source.read(min(size, _PIECE))):
        target.write(piece)
        size -= len(piece)


def _keep(path: Path, backup: Path) -> None:
    """Have the content under another name, too; where the disk knows no second names, a copy of it."""
    try:
        os.link(path, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copy2(path, backup, follow_symlinks=False)
