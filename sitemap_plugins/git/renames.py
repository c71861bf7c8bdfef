"""Finds out which removed file an added file was before: the file that a commit renamed, and not one like it by chance.

The pure functions match the files that a commit added with those that it removed. Each removed file is the old name of
one added file at most. They always see all files of the commit, so the result for a file does not depend on the others
that are to be dated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from sitemap_plugins.git.process import BatchCommand
from sitemap_plugins.git.repository import HistoryError
from sitemap_plugins.git.walk import OldNames, content_of, is_addition
from sitemap_plugins.model import UNREADABLE
from sitemap_plugins.reading import GIT_CHANGES

_ASK: Final = (
    "diff-tree", "--stdin", "-r", "-m", "--root", "--raw", "-z", "--no-abbrev", "--no-commit-id", "--no-ext-diff",
    "--no-textconv", "--no-relative", "--ignore-submodules=none", "-O/dev/null",
)  # fmt: skip
_EXACT: Final = ("--no-renames", "--diff-filter=AD")
# The limit is git's default today: it compares at most so many added files with as many removed ones.
_EDITED: Final = ("-M50%", "-l1000", "--diff-filter=R")
_END: Final = b"end\n"  # git echoes a line that names no commit, and flushes its output
# Nearly every folder has a file with one of these names, so the name says little about which one it is.
_COMMON_STEMS: Final = frozenset((b"index", b"_index", b"readme", b"__init__"))
_DEEPEST: Final = 8  # names at the end of a path that are compared


class Renames:
    """Asks git which files a commit renamed, anywhere in the repository."""

    def __init__(self, directory: str) -> None:
        self._exact = _CommitQuery(directory, _EXACT, 2, _exact_names)
        self._edited = _CommitQuery(directory, _EDITED, 3, _edited_names)
        self.batches = (self._exact.batch, self._edited.batch)

    def exact(self, commit: bytes, parent: bytes) -> OldNames:
        """The files that a commit renamed without changing them. Raises `HistoryError` if git cannot read them."""
        try:
            return self._exact.ask(commit, parent)
        except EOFError:
            raise HistoryError(UNREADABLE) from None

    def edited(self, commit: bytes, parent: bytes) -> OldNames:
        """The files that a commit renamed according to git itself, even if it changed up to half of their content.

        Empty if the clone lacks their contents.
        """
        try:
            names = self._edited.ask(commit, parent)
        except EOFError:
            self._edited.batch.close()
            return {}
        taken = {old for old, is_certain in self.exact(commit, parent).values() if is_certain}
        return {new: name for new, name in names.items() if name[0] not in taken}

    @property
    def too_large(self) -> tuple[str, ...]:
        """What is not compared, because the answers of git are too large."""
        return tuple(dict.fromkeys((*self._exact.too_large, *self._edited.too_large)))


class _CommitQuery:
    """One way to ask git about the changes of a commit from one of its parents.

    In the answer, ``width`` tokens belong to each change: its line and its paths. ``read`` gets all of them.
    """

    def __init__(
        self, directory: str, options: Sequence[str], width: int, read: Callable[[Sequence[bytes]], OldNames]
    ) -> None:
        self.batch = BatchCommand(directory, *_ASK, *options)
        self.too_large: list[str] = []
        self._width = width
        self._read = read
        self.ask = lru_cache(maxsize=8)(self._ask)  # kept for the other paths of a commit

    def _ask(self, commit: bytes, parent: bytes) -> OldNames:
        """The old names; none if there are too many changes. Raises EOFError if git cannot answer."""
        answer = bytearray()
        for chunk in self.batch.request(b"%s %s\n%s" % (commit, parent, _END)):
            answer += chunk
            if len(answer) > GIT_CHANGES.size:
                self.batch.close()
                self.too_large.append(
                    f"commit {commit[:10].decode()} adds and removes so many files that their list is larger than "
                    f"{GIT_CHANGES.shown_size}, so the files that it renames count as changed"
                )
                return {}
            if (names := self._read_answer(answer)) is not None:
                return names
        raise EOFError

    def _read_answer(self, answer: bytearray) -> OldNames | None:
        """The old names; None until the answer is complete."""
        # This runs for each chunk of a possibly long answer. A path can look like the end, but not after whole changes.
        if (answer != _END and not answer.endswith(b"\0" + _END)) or answer.count(b"\0") % self._width:
            return None
        return self._read(bytes(answer).split(b"\0")[:-1])


def _exact_names(tokens: Sequence[bytes]) -> OldNames:
    removed: list[tuple[bytes, bytes]] = []
    added: list[tuple[bytes, bytes]] = []
    for change, path in zip(tokens[::2], tokens[1::2], strict=True):
        is_added = is_addition(change)
        (added if is_added else removed).append((path, content_of(change, after=is_added)))
    return old_names(removed, added)


def _edited_names(tokens: Sequence[bytes]) -> OldNames:
    return {new: (old, True) for old, new in zip(tokens[1::3], tokens[2::3], strict=True)}


Files: TypeAlias = Iterable[tuple[bytes, bytes]]
"""The path and the content of each file (see `content_of`)."""


def old_names(removed: Files, added: Files) -> OldNames:
    """The removed file that each added file was: the one with the same content, whatever their modes are.

    Of several, it is the one that has the most names at the end of its path in common, at least the base name. If the
    base name changed, there must not be several.
    """
    olds, news = _by_content(removed), _by_content(added)
    names: dict[bytes, tuple[bytes, bool]] = {}
    for content in olds.keys() & news.keys():
        old, new = olds[content], news[content]
        same_name = _by_name(old, new)
        names |= {path: (before, True) for path, before in same_name.items()}
        if len(old) == len(new) == 1 and not same_name:
            names[new[0]] = (old[0], False)
    return names


def _by_content(files: Files) -> Mapping[bytes, list[bytes]]:
    """The paths of the files with each content. The mode counts only as far as it says what kind of file this is."""
    paths: defaultdict[bytes, list[bytes]] = defaultdict(list)
    for path, content in files:
        paths[content[:3] + content[6:]].append(path)
    return paths


def _by_name(removed: list[bytes], added: list[bytes]) -> dict[bytes, bytes]:
    """Pairs of an added and a removed path, those with the longest common end first."""
    pairs: dict[bytes, bytes] = {}
    for length in range(_DEEPEST, 0, -1):
        ends: defaultdict[bytes, tuple[list[bytes], list[bytes]]] = defaultdict(lambda: ([], []))
        for side, paths in enumerate((removed, added)):
            for path in paths:
                if end := _end_of(path, length):
                    ends[end][side].append(path)
        found = {new: old for olds, news in ends.values() for old, new in zip(sorted(olds), sorted(news), strict=False)}
        pairs |= found
        taken = {*found.values()}
        removed, added = [path for path in removed if path not in taken], [path for path in added if path not in found]
    return pairs


def _end_of(path: bytes, length: int) -> bytes | None:
    """So many names at the end of a path, or None if it has fewer. A common base name alone says nothing."""
    names = path.rsplit(b"/", length)[-length:]
    is_common = length == 1 and names[0].partition(b".")[0].lower() in _COMMON_STEMS
    return None if is_common or path.count(b"/") < length - 1 else b"/".join(names)
