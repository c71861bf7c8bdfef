"""Read the contents of files by their ids from one git process, and use them to compare and recognize files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from sitemap_plugins.git.batch import BatchCommand
from sitemap_plugins.reading import CATALOGUE_VERSION, GIT_OBJECT

_FOLDER: Final = b"40000"
_SUBMODULE: Final = b"160000"
_MIN_SIZE: Final = 256  # bytes; shorter contents may be the same by chance


class Blobs:
    """Reads files and folders of a repository by their ids."""

    def __init__(self, directory: str) -> None:
        self.batch = BatchCommand(directory, "cat-file", "--batch")

    def tree_of(self, commit: bytes) -> bytes | None:
        """The id of a commit's top folder; None if the commit cannot be read."""
        header = self.read(commit, b"commit") or b""
        return header[len(b"tree ") : header.find(b"\n")] or None

    def read(self, sha: bytes, kind: bytes = b"blob") -> bytes | None:
        """The content of a file, or another kind of object as git stores it.

        None if it is missing, unreadable or larger than the limit.
        """
        try:
            return self.batch.request(sha + b"\n", lambda answer: _read_content(answer, sha, kind))[0]
        except EOFError:
            # Git exits at a damaged object. The next one may be sound, and the result for a file must not depend on
            # earlier requests.
            self.batch.close()
            return None


def _read_content(answer: bytearray, sha: bytes, wanted: bytes) -> tuple[bytes | None] | None:
    """The content in an answer, or None in its place if it is missing or of another kind; None until it is complete.

    Raises EOFError for other answers, and for content over the limit: git is then ended rather than read to the end.
    """
    start = answer.find(b"\n") + 1
    match answer[:start].split():
        case [name, _] if name == sha:  # "missing"
            return (None,)
        case [name, kind, size] if name == sha and size.isdigit():
            if int(size) > GIT_OBJECT.size:
                raise EOFError
            end = start + int(size)
            is_whole = len(answer) > end  # a line end follows
            return (bytes(answer[start:end]) if kind == wanted else None,) if is_whole else None
        case [_, *_]:
            raise EOFError
    return None


class _Folder(msgspec.Struct, frozen=True):
    """The ids of the files and folders in a folder."""

    files: list[bytes]
    folders: list[bytes]


class UniqueContents:
    """Decides whether a blob identifies a file that has a new name.

    It must have a minimum length, and no other file may have it, neither before nor after the commit. A blob that a
    partial clone lacks identifies nothing.
    """

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._folders: dict[bytes, _Folder] = {}  # by id; commits share most of them
        self._numbers_at = lru_cache(maxsize=4)(self._count)  # kept for the other files of a commit

    def __call__(self, commit: bytes, parent: bytes, blob: bytes) -> bool:
        """Whether this blob identifies a file that has different names in the commit and its parent."""
        is_long = len(self._blobs.read(blob) or b"") >= _MIN_SIZE
        return is_long and all(self._numbers_at(each).get(blob) == 1 for each in (commit, parent))

    def _count(self, at: bytes) -> Mapping[bytes, int]:
        """How many files have each blob at a commit: one, or several; empty if some of them are unknown."""
        numbers: Counter[bytes] = Counter()
        top = self._blobs.tree_of(at)
        order = self._with_all_inside(top) if top else []
        places = Counter(order[-1:])  # of each folder
        for tree in reversed(order):  # each folder after those that it is in
            folder = self._folders[tree]
            times = min(places[tree], 2)
            numbers.update(folder.files * times)
            places.update(folder.folders * times)
        return numbers

    def _with_all_inside(self, top: bytes) -> list[bytes]:
        """A folder and all folders in it, each once and after those in it; empty if some of them are unknown.

        A few folders can have millions of paths.
        """
        order: list[bytes] = []
        seen: set[bytes] = set()
        waiting = [(top, False)]
        while waiting:
            tree, is_finished = waiting.pop()
            if is_finished:
                order.append(tree)
            elif tree not in seen:
                seen.add(tree)
                folder = self._folder(tree)
                if folder is None:
                    return []
                waiting.append((tree, True))
                waiting += ((inside, False) for inside in folder.folders)
        return order

    def _folder(self, tree: bytes) -> _Folder | None:
        if tree not in self._folders:
            content = self._blobs.read(tree, b"tree")
            if content is None:
                return None
            self._folders[tree] = _parse_folder(content, len(tree) // 2)
        return self._folders[tree]


def _parse_folder(content: bytes, width: int) -> _Folder:
    """Parse a folder as git stores it: each entry has a mode, a name and an id of ``width`` bytes."""
    folder = _Folder([], [])
    start = 0
    while start < len(content):
        end = content.index(b"\0", start) + 1
        mode = content[start : content.index(b" ", start)]
        sha = content[end : end + width].hex().encode()
        if mode != _SUBMODULE:
            (folder.folders if mode == _FOLDER else folder.files).append(sha)
        start = end + width
    return folder


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
