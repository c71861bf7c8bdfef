"""The only code that changes published files: one build at a time, and either all files change or none."""

from __future__ import annotations

import os
import posixpath
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import BinaryIO, Final

from sitemap_plugins.model import GzipOf, Note, OutputFile
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import is_inside

_PIECE: Final = 1 << 18  # bytes to read at once
_PATIENCE: Final = 10.0  # seconds to wait for another build to finish writing
_PAUSE: Final = 0.02  # seconds between two attempts to lock a folder
_BUSY: Final = (BlockingIOError, PermissionError)  # what POSIX and Windows raise if another process has the lock
_PREFIX: Final = ".sitemap-plugins-"  # of the names of drafts and backups
_SUFFIXES: Final = (".new", ".old")


class WriteError(ExplainedError):
    """A file could not be written. Everything is as it was before, unless the message says otherwise."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path} could not be written: {why}")
        self.path = path
        self.why = why


class _Change:
    """A change of a file to its new content; ``chunks`` is None to remove the file.

    Each step first registers how to undo it, because an interruption can come at any moment.
    """

    def __init__(self, path: str, file: str, own_name: str, chunks: Callable[[], Iterable[bytes]] | None) -> None:
        self.path = path
        self.file = file
        self.chunks = chunks
        self.is_needed: bool | None = None
        self.is_stuck = False
        self._is_changed = False
        self._draft, self._backup = (os.path.join(os.path.dirname(file), own_name + suffix) for suffix in _SUFFIXES)
        self._mode = _mode(file)  # of the existing file, if any
        if self._mode is not None and stat.S_ISDIR(self._mode):
            raise WriteError(path, "there is a folder with that name")

    @property
    def is_there(self) -> bool:
        """Whether something exists at the path now."""
        return self._mode is not None

    def new_content(self) -> Iterable[bytes]:
        """The new content, read from disk if it is written already."""
        if self.is_needed is None:
            return self.chunks() if self.chunks else ()
        return _read(self._draft if self.is_needed else self.file)

    def differs(self) -> bool:
        """Whether the file has to change."""
        if self.chunks is None:
            return self.is_there
        with _as_write_error(self.path):
            return self._compare(self.chunks()) is not None

    def prepare(self, leftovers: ExitStack) -> None:
        """Write the new content beside the file, unless the file has it already. It is generated only once."""
        if self.chunks is None:
            self.is_needed = self.is_there
            return
        with _as_write_error(self.path):
            chunks = iter(self.chunks())
            difference = self._compare(chunks)
            self.is_needed = difference is not None
            if difference is None:
                return
            same, chunk = difference
            _make_folder(os.path.dirname(self.file), leftovers)
            leftovers.callback(_attempt, os.unlink, self._draft)
            with open(self._draft, "xb") as draft:
                if same:
                    with open(self.file, "rb") as current:
                        _copy(current, draft, same)
                draft.write(chunk)
                draft.writelines(chunks)
            if self._mode is not None and stat.S_ISREG(self._mode):
                os.chmod(self._draft, stat.S_IMODE(self._mode))

    def _compare(self, chunks: Iterable[bytes]) -> tuple[int, bytes] | None:
        """How many bytes of the file are already right, and the first chunk that differs; None if all of it is right.

        The chunks after that one are not generated.
        """
        if self._mode is None or not stat.S_ISREG(self._mode):
            return 0, b""
        same = 0
        with open(self.file, "rb") as current:
            for chunk in chunks:
                if current.read(len(chunk)) != chunk:
                    return same, chunk
                same += len(chunk)
            return None if not current.read(1) else (same, b"")

    def back_up(self, leftovers: ExitStack) -> None:
        """Give the existing file a second name, or copy it if the disk does not support hard links."""
        if self.is_there:
            leftovers.callback(_attempt, os.unlink, self._backup)
            with _as_write_error(self.path):
                try:
                    os.link(self.file, self._backup, follow_symlinks=False)
                except (OSError, NotImplementedError):
                    _attempt(os.unlink, self._backup)
                    shutil.copy2(self.file, self._backup, follow_symlinks=False)

    def remove(self, undo: ExitStack) -> None:
        """Remove the file."""
        undo.callback(self._restore, is_there=True)
        with _as_write_error(self.path):
            os.unlink(self.file)
        self._mode, self._is_changed = None, True

    def install(self, undo: ExitStack) -> None:
        """Move the new content into place."""
        undo.callback(self._restore, is_there=self.is_there)
        with _as_write_error(self.path):
            os.replace(self._draft, self.file)
        self._is_changed = True

    def _restore(self, *, is_there: bool) -> None:
        """Restore the file as it was before a step, whether the step was done or not."""
        try:
            if is_there:
                os.replace(self._backup, self.file)
            else:
                os.unlink(self.file)
            self.is_stuck = False
        except OSError:
            self.is_stuck = self._is_changed


def write(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[str]:
    """Write or remove ``files`` below ``directory``, and return the paths that changed.

    Calls `write_locked` while the folder is `locked`. Raises `WriteError`.
    """
    with locked(directory):
        return write_locked(files, directory)


def _open_to_lock(folder: str) -> int | None:
    """Open what is locked for a folder: the folder itself, or on Windows a file in the folder for temporary files."""
    try:
        if sys.platform != "win32":
            return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        import hashlib
        import tempfile

        name = os.path.normcase(os.path.realpath(folder)).encode(errors="surrogatepass")
        file = f"sitemap-plugins-{hashlib.sha256(name).hexdigest()[:32]}.lock"
        return os.open(os.path.join(tempfile.gettempdir(), file), os.O_RDWR | os.O_CREAT)
    except OSError:
        return None


def _acquire(descriptor: int, patience: float) -> bool:
    """Lock what was opened; False if the system cannot lock it (many network drives).

    Raises TimeoutError, with a message for people, if another process holds the lock for ``patience`` seconds.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except _BUSY:
            if time.monotonic() >= deadline:
                raise TimeoutError(
                    f"another build has been writing there for {patience:g} seconds; build again when it has finished"
                ) from None
        except (OSError, ImportError):
            return False
        else:
            return True
        time.sleep(_PAUSE)


@contextmanager
def locked(
    directory: str | os.PathLike[str], patience: float = _PATIENCE, *, whole_tree: bool = False
) -> Iterator[None]:
    """Keep other builds and merges from writing into a folder, and remove what a killed one left there.

    With ``whole_tree``, its remains are also removed from all folders below. If the folder cannot be locked, continue
    without a lock, and remove nothing. Raises `WriteError` if another process is writing for more than ``patience``
    seconds.
    """
    folder = os.fspath(directory)
    descriptor = _open_to_lock(folder)
    try:
        with _as_write_error(folder):
            is_locked = descriptor is not None and _acquire(descriptor, patience)
        for path in _leftovers(folder) if is_locked else ():
            _attempt(os.unlink, path)
        if is_locked and whole_tree:
            _remove_leftovers(folder, (here for here, _, names in os.walk(folder) if any(map(_is_leftover, names))))
        yield
    finally:
        if descriptor is not None:
            with suppress(OSError):
                os.close(descriptor)


def write_locked(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[str]:
    """Do what `write` does, in a folder that is `locked` already.

    A file that already has its new content is left untouched, including its time. All new contents are complete on disk
    before the first file is replaced, each by one atomic rename. After an error or an interruption, changes are undone,
    last first. No file is in memory as a whole.

    A file has to come after the files that it names, such as an index after its sitemaps: files are put in place in
    this order, and removed in reverse order. Copies, such as a ``.gz``, are removed before their originals change. So
    at every moment, even if the process is killed, each file is whole, no index names a missing file, and a server that
    prefers a ``.gz`` sends no stale one.

    Raises `WriteError` if permissions or disk space are missing, and for a path outside ``directory``.
    """
    changes = [*_plan(files, directory).values()]
    folders = {os.path.dirname(change.file) for change in changes}
    _remove_leftovers(os.fspath(directory), filter(_leftovers, folders))
    with ExitStack() as leftovers:
        for change in changes:
            change.prepare(leftovers)
        needed = [change for change in changes if change.is_needed]
        for change in needed:
            change.back_up(leftovers)
        _apply(needed)
    return [change.path for change in needed]


def would_change(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[str]:
    """The paths that `write` would change. Raises `WriteError` for paths that it refuses."""
    return [change.path for change in _plan(files, directory).values() if change.differs()]


def try_to_write(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> list[Note]:
    """Write all of the files, or none and return a note that says why."""
    try:
        write(files, directory)
    except WriteError as error:
        return [Note(kind="unwritable", message=str(error))]
    return []


def _apply(changes: list[_Change]) -> None:
    """Change all of these files, or none."""
    copies = [*_copies(changes)]
    steps = [
        *(change.remove for change in reversed(copies) if change.is_there),
        *(change.install for change in changes if change.chunks),
        *(change.remove for change in reversed(changes) if not change.chunks and change not in copies),
    ]
    try:
        with ExitStack() as undo:
            for step in steps:
                step(undo)
            undo.pop_all()
    except WriteError as error:
        if stuck := [change.path for change in changes if change.is_stuck]:
            why = f"{error.why}; {join_words(stuck)} could not be restored: build again"
            raise WriteError(error.path, why) from error
        raise


def _copies(changes: Iterable[_Change]) -> Iterator[_Change]:
    """The changes of copies: files with the content of another file that changes, in another form.

    The names differ only in their endings, and the original is the first of them that is written. If the original is
    compressed, the plain file is not a copy: an index may name it until the original is written.
    """
    originals: dict[str, _Change] = {}
    for change in changes:
        if change.chunks:
            originals.setdefault(_stem(change.path), change)
    for change in changes:
        original = originals.get(_stem(change.path), change)
        if original is not change and original.path != f"{change.path}.gz":
            yield change


def _stem(path: str) -> str:
    return posixpath.splitext(path.removesuffix(".gz"))[0]


def _plan(files: Iterable[OutputFile], directory: str | os.PathLike[str]) -> dict[str, _Change]:
    """The change of each file by its path, in the given order: a compressed file comes after its content."""
    changes: dict[str, _Change] = {}
    own_name = f"{_PREFIX}{os.urandom(8).hex()}"
    for number, file in enumerate(files):
        if not is_inside(file.path):
            raise WriteError(file.path, "it is not a path inside the output folder")
        place = os.path.join(directory, *file.path.split("/"))
        with _as_write_error(file.path):
            changes[file.path] = _Change(file.path, place, f"{own_name}-{number}", _chunks(file, changes))
    return changes


def _chunks(file: OutputFile, before: Mapping[str, _Change]) -> Callable[[], Iterable[bytes]] | None:
    content = file.content
    if isinstance(content, bytes):
        return lambda: (content,)
    if isinstance(content, GzipOf):
        unpacked, compress = before[content.path], content.compress
        return lambda: compress(unpacked.new_content())
    return content


@contextmanager
def _as_write_error(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(path, error.strerror or str(error)) from error


def _mode(path: str) -> int | None:
    """The mode of the file at a path, None if nothing is there. Raises OSError if that cannot be determined."""
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def _read(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _copy(source: BinaryIO, copy: BinaryIO, size: int) -> None:
    while size > 0 and (piece := source.read(min(size, _PIECE))):
        copy.write(piece)
        size -= len(piece)


def _make_folder(folder: str, leftovers: ExitStack) -> None:
    """Make a folder and the folders above it; the ones that stay empty are removed again."""
    if folder and not os.path.isdir(folder):
        _make_folder(os.path.dirname(folder), leftovers)
        leftovers.callback(_attempt, os.rmdir, folder)
        with suppress(FileExistsError):
            os.mkdir(folder)


def _is_leftover(name: str) -> bool:
    return name.startswith(_PREFIX) and name.endswith(_SUFFIXES)


def _leftovers(folder: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if _is_leftover(name)]


def _remove_leftovers(root: str, folders: Iterable[str]) -> None:
    """Remove the drafts and backups that a killed process left in these folders, which are below a locked one."""
    for folder in folders:
        if folder == root:
            continue
        with suppress(WriteError), ExitStack() as stack:  # a running build still needs them, here or in a folder above
            above = [folder]
            while len(parent := os.path.dirname(above[-1])) > len(root):
                above.append(parent)
            for each in reversed(above):
                stack.enter_context(locked(each, patience=0))


def _attempt(action: Callable[[str], None], path: str) -> None:
    with suppress(OSError):
        action(path)
