"""Edits pages: each is written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Final

from sitemap_plugins.html.head_editing import LeftAloneError, UneditableError, restore, set_canonical, set_noindex
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import WriteError, remove_leftovers, write_locked
from sitemap_plugins.retire.outcome import End, PageOutcome
from sitemap_plugins.retire.plan import PlannedFolder
from sitemap_plugins.values.text import plural
from sitemap_plugins.values.urls import is_inside
from sitemap_plugins.versions import Goal, Goals, Place, VersionFiles

# The size of a batch of pages. A crash leaves every page whole, and the next run does the rest.
_BATCH: Final = 32 << 20  # bytes


class Editor:
    """Edits the pages below a root, and writes them in batches. A dry run writes nothing."""

    def __init__(self, root: str, files: VersionFiles, *, dry_run: bool) -> None:
        self.unread: list[str] = []
        """Sentences about pages that could not be read."""
        self._root = root
        self._files = files
        self._dry_run = dry_run
        self._batch: list[OutputFile] = []
        self._size = 0
        self._written = 0

    def restore(self, paths: Iterable[str]) -> Iterator[PageOutcome]:
        """Restore pages to how they were built, and yield those that changed. Links are left alone."""
        for path in paths:
            if (content := self._read(path)) is not None and (original := restore(content)) != content:
                self._write(path, original)
                yield PageOutcome(path=path, is_changed=True)

    def retire(self, folder: PlannedFolder, goals: Goals, *, noindex: bool) -> Iterator[PageOutcome]:
        """Retire the pages in a folder of an old version."""
        place = folder.place
        for below, path in folder.editable():
            if (content := self._read(path)) is None:
                continue
            goal = None if noindex else goals.find(place, below)
            try:
                _check(path, goal, goals)
                edited = set_canonical(content, goal.url) if goal else set_noindex(content, goals.own_url(place, below))
                outcome = PageOutcome(
                    path=path,
                    end=_end_of(goal, place, goals),
                    url=goal.url if goal else "",
                    goal=goal.full_path if goal else "",
                    is_changed=edited != content,
                )
            except LeftAloneError as error:
                edited = restore(content)
                outcome = PageOutcome(path=path, left=str(error), is_changed=edited != content)
            except UneditableError as error:
                outcome = PageOutcome(path=path, uneditable=str(error))
            if outcome.is_changed:
                self._write(path, edited)
            yield outcome

    def flush(self) -> None:
        """Write the pages of the last batch."""
        try:
            self._written += len(write_locked(self._batch, self._root))
        except WriteError as error:
            if not self._written:
                raise
            pages = f"{self._written:,} {plural(self._written, 'page')}"
            raise WriteError(error.path, f"{error.why}; {pages} changed before that: run the command again") from error
        self._batch, self._size = [], 0

    def clean(self, paths: Iterable[str]) -> None:
        """Remove temporary files that a killed run left beside pages."""
        if not self._dry_run:
            remove_leftovers(sorted({os.path.dirname(os.path.join(self._root, path)) for path in paths}))

    def _read(self, path: str) -> bytes | None:
        """The content of a page; None if it cannot be read."""
        try:
            return self._files.read(path)
        except OSError as error:
            self.unread.append(f"{path} could not be read, so it was left alone: {error.strerror or error}")
            return None

    def _write(self, path: str, content: bytes) -> None:
        if self._dry_run:
            return
        self._batch.append(OutputFile(path=path, content=content))
        self._size += len(content)
        if self._size > _BATCH:
            self.flush()


def _check(path: str, goal: Goal | None, goals: Goals) -> None:
    if goal and not goals.has(goal):
        raise LeftAloneError("is only in a copy of its version")
    if not is_inside(path):
        raise UneditableError("has a name that some systems do not allow")


def _end_of(goal: Goal | None, place: Place, goals: Goals) -> End:
    if goal is None:
        return "noindex"
    if goals.is_kept(goal.place):
        return "to kept"
    return "to itself" if goal.place == place else "to newest"
