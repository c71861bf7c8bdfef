"""Read the contents of files by their ids from one git process, and use them to compare and recognize files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from math import inf
from typing import Final

from sitemap_plugins.git.process import BatchCommand
from sitemap_plugins.reading import CATALOGUE_VERSION, GIT_OBJECT

_FOLDER: Final = b"40000"
_SUBMODULE: Final = b"160000"
MIN_SIZE: Final = 256  # bytes; shorter contents may be the same by chance
_SEVERAL: Final = 2
_LINE: Final = 1 << 10  # bytes of the line before an object


class Objects:
    """The objects that ``git cat-file --batch`` prints, one after another; none is held in memory as a whole."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""
        self._start = 0

    def content(self, sha: bytes, kind: bytes = b"blob", limit: float = inf) -> Iterator[bytes] | None:
        """The content of the next object, which the caller must read to its end; None if the object is missing.

        Raises EOFError, at once or later, for other answers, such as an object of another kind or of more than
        ``limit`` bytes, and if git has ended.
        """
        match self._line().split():
            case [name, b"missing"] if name == sha:
                return None
            case [name, found, size] if (name, found) == (sha, kind) and size.isdigit() and int(size) <= limit:
                return self._pieces(int(size))
        raise EOFError

    def _pieces(self, missing: int) -> Iterator[bytes]:
        while missing:
            piece = self._rest[self._start : self._start + missing]
            self._start += len(piece)
            missing -= len(piece)
            yield piece
            if missing:
                self._read()
        self._line()

    def _line(self) -> bytes:
        while (end := self._rest.find(b"\n", self._start)) < 0 and len(self._rest) - self._start < _LINE:
            self._read()
        line = self._rest[self._start : end]
        self._start = end + 1
        return line

    def _read(self) -> None:
        chunk = next(self._chunks, None)
        if chunk is None:
            raise EOFError
        self._rest, self._start = self._rest[self._start :] + chunk, 0


class Blobs:
    """Reads files and folders of a repository by their ids."""

    def __init__(self, directory: str) -> None:
        self.batch = BatchCommand(directory, "cat-file", "--batch")

    def read(self, sha: bytes, kind: bytes = b"blob") -> bytes | None:
        """The content of a file, or another kind of object as git stores it.

        None if it is missing, unreadable or larger than the limit.
        """
        try:
            pieces = Objects(self.batch.request(sha + b"\n")).content(sha, kind, GIT_OBJECT.size)
            return None if pieces is None else b"".join(pieces)
        except EOFError:
            # Git exits at a damaged object, and may go on printing one that is not wanted. The next one may be sound,
            # and the result for a file must not depend on earlier requests.
            self.batch.close()
            return None


class UniqueContents:
    """Decides whether a blob identifies a file that has a new name.

    It must have a minimum length, and no other file may have it, neither before nor after the commit. A blob that a
    partial clone lacks identifies nothing.
    """

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._entries_of = cache(self._read_folder)  # commits share most folders
        self._numbers_at = lru_cache(maxsize=4)(self._count)  # kept for the other files of a commit

    def __call__(self, commit: bytes, parent: bytes, blob: bytes) -> bool:
        """Whether this blob identifies a file that has different names in the commit and its parent."""
        is_long = len(self._blobs.read(blob) or b"") >= MIN_SIZE
        return is_long and all(self._numbers_at(each).get(blob) == 1 for each in (commit, parent))

    def _count(self, at: bytes) -> Mapping[bytes, int]:
        """How many files have each blob at a commit: one, or several; empty if some of them are unknown.

        A few folders can have millions of paths, but a folder that is in more than two places counts as in two.
        """
        numbers: Counter[bytes] = Counter()
        places: Counter[bytes] = Counter()
        header = self._blobs.read(at, b"commit") or b""
        waiting = [header[len(b"tree ") : header.find(b"\n")]]
        for tree in waiting:
            places[tree] += 1
            if places[tree] <= _SEVERAL:
                try:
                    files, folders = self._entries_of(tree)
                except LookupError:
                    return {}
                numbers.update(files)
                waiting += folders
        return numbers

    def _read_folder(self, tree: bytes) -> tuple[list[bytes], list[bytes]]:
        """The ids of the files and of the folders in a folder. Raises LookupError if it cannot be read.

        As git stores a folder, each entry has a mode, a name and an id, which is half as long as in text.
        """
        content = self._blobs.read(tree, b"tree")
        if content is None:
            raise LookupError
        files: list[bytes] = []
        folders: list[bytes] = []
        start = 0
        while start < len(content):
            name, sha = content.index(b" ", start), content.index(b"\0", start) + 1
            mode, start = content[start:name], sha + len(tree) // 2
            if mode != _SUBMODULE:
                (folders if mode == _FOLDER else files).append(content[sha:start].hex().encode())
        return files, folders


class ContentComparison:
    """Compares the contents of files before and after a change.

    ``read`` returns the content for an id, or None. ``differ`` says whether two contents differ; it must accept any.
    """

    def __init__(self, read: Callable[[bytes], bytes | None], differ: Callable[[bytes, bytes], bool]) -> None:
        self._read = read
        self._differ = differ
        # The content before a change is often the one after the next older change.
        self._content = lru_cache(maxsize=2)(self._read_small)

    def is_changed(self, change: bytes) -> bool:
        """Whether the contents before and after a change differ.

        Added files, files that became another kind of file, and contents that are unreadable or over the limit count as
        changed.
        """
        _, _, before, after, status = change.split(b" ")
        if status != b"M" or before == after:
            return status != b"M"
        new, old = self._content(after), self._content(before)
        return old is None or new is None or self._differ(old, new)

    def _read_small(self, sha: bytes) -> bytes | None:
        content = self._read(sha)
        return None if content is None or len(content) > CATALOGUE_VERSION.size else content
