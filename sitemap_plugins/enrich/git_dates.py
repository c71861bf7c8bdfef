"""The dates of all files that a site is made of: the history of its own folders, and of what lies elsewhere."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Final

from sitemap_plugins.enrich.git_history import NO_GIT, NOT_COMMITTED, DateRules, History, HistoryReader
from sitemap_plugins.enrich.git_process import toplevel_of
from sitemap_plugins.model import FileDate

_UNTRACKED: Final = FileDate(when=None, reason=NOT_COMMITTED, modified=True)


class GitDates:
    """Dates from git, read in the background from the moment this is made.

    ``directories`` are the folders with the pages' own sources, each with the suffixes that those have. Each is read as
    a whole. Other files are read by a stream of their own for each repository or submodule they are in, which begins
    when they are expected, at the latest when they are asked for.
    """

    def __init__(self, directories: Mapping[str, Collection[str]], rules: DateRules) -> None:
        self.rules = rules
        self._suffixes = {os.path.realpath(folder): tuple(suffixes) for folder, suffixes in directories.items()}
        self._readers = [HistoryReader(folder, suffixes, rules=rules) for folder, suffixes in self._suffixes.items()]
        self._others: list[HistoryReader] = []
        self._expected: set[str] = set()

    def expect(self, files: Iterable[str]) -> None:
        """Begin to read the history of those of these files (absolute paths) that lie elsewhere."""
        self._read_others(path for path in map(_resolver(), files) if not self._folder_of(path))

    def dates_of(self, files: Iterable[str]) -> Mapping[str, FileDate]:
        """The date of each file, by its absolute path; waits for git."""
        resolve = _resolver()
        paths = {file: resolve(file) for file in files}
        own = {history.directory: history for history in self._histories(self._readers)}
        found = {path: self._date_in(own, path) for path in set(paths.values())}
        self._read_others(path for path, date in found.items() if date is None)
        elsewhere = _by_path(self._histories(self._others))
        return {file: found[path] or elsewhere.get(path) or _UNTRACKED for file, path in paths.items()}

    def _date_in(self, own: Mapping[str, History], path: str) -> FileDate | None:
        """The date from the history of the folder that a file lies in; None where it may have another history."""
        folder = self._folder_of(path)
        if folder is None:
            return None
        if folder not in own:  # git could not read it
            return FileDate(when=None, reason=NO_GIT)
        name = os.fsencode(path[len(folder) :].lstrip(os.sep)).replace(os.fsencode(os.sep), b"/")
        if date := own[folder].files.get(name):
            return date
        return _UNTRACKED if toplevel_of(os.path.dirname(path)) == own[folder].toplevel else None  # noqa: PTH120  # asked for every page

    def _folder_of(self, path: str) -> str | None:
        """The innermost of the folders that a file lies in, if it has one of the suffixes there."""
        inside = [folder for folder in self._suffixes if path.startswith(folder.rstrip(os.sep) + os.sep)]
        folder = max(inside, key=len, default=None)
        suffixes = self._suffixes[folder] if folder else ()
        return folder if not suffixes or path.endswith(suffixes) else None

    def _read_others(self, paths: Iterable[str]) -> None:
        """Start a stream for the files of each repository; what lies in none has no history."""
        new = set(paths) - self._expected
        self._expected |= new
        find = cache(toplevel_of)
        by_repository: defaultdict[str, set[bytes]] = defaultdict(set)
        for path in new:
            if toplevel := find(os.path.dirname(path)):  # noqa: PTH120  # many files
                name = path[len(toplevel) :].lstrip(os.sep)
                by_repository[toplevel].add(os.fsencode(name).replace(os.fsencode(os.sep), b"/"))
        self._others += [
            HistoryReader(toplevel, files=files, rules=self.rules) for toplevel, files in sorted(by_repository.items())
        ]

    @staticmethod
    def _histories(readers: Iterable[HistoryReader]) -> list[History]:
        return [history for history in (reader.history() for reader in readers) if not history.problem]

    @property
    def newest(self) -> datetime | None:
        """The latest date in all that was read."""
        return max(filter(None, (each.newest for each in self._histories(self._all))), default=None)

    @property
    def _all(self) -> list[HistoryReader]:
        return [*self._readers, *self._others]

    @property
    def problem(self) -> str | None:
        """What has no dates and why, as a sentence for people; the first of such problems."""
        for what, readers in (
            ("the pages have", self._readers),
            ("some of what the pages are made of has", self._others),
        ):
            for reader in readers:
                if problem := reader.history().problem:
                    return f"{what} no date from git: {problem}"
        return None

    @property
    def complaints(self) -> tuple[str, ...]:
        """What is wrong with the files that name commits to be ignored."""
        return tuple(dict.fromkeys(each for history in self._histories(self._all) for each in history.complaints))

    @property
    def histories(self) -> tuple[History, ...]:
        """All that was read, as far as it could be; what a proof of the dates needs to know."""
        return tuple(self._histories(self._all))

    def stop(self) -> None:
        """Nobody wants to know any more."""
        for reader in self._all:
            reader.stop()


def _by_path(histories: Iterable[History]) -> Mapping[str, FileDate]:
    return {
        os.path.join(history.directory, os.fsdecode(name).replace("/", os.sep)): date  # noqa: PTH118  # many files
        for history in histories
        for name, date in history.files.items()
    }


def _resolver() -> Callable[[str], str]:
    """A function that gives what a path leads to: readers see the content of a link's target, wherever the link is."""
    resolve_folder = cache(os.path.realpath)

    def resolve(path: str) -> str:
        if os.path.islink(path):  # noqa: PTH114  # asked for every page
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        return os.path.join(resolve_folder(folder), name)  # noqa: PTH118  # the same

    return resolve
