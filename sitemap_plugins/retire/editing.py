"""Edits pages: each is written as a whole or not at all."""

from __future__ import annotations

from typing import Final, NamedTuple

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_editing import LeftAloneError, UneditableError, restore, set_canonical, set_noindex
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import WriteError, write_locked
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.retire.plan import End, PageOutcome, PlannedFolder
from sitemap_plugins.values.text import count_of
from sitemap_plugins.values.urls import is_inside
from sitemap_plugins.versions.goals import Goal, Goals
from sitemap_plugins.versions.kept import VersionPlace

# The size of a batch of pages. A crash leaves every page whole, and the next run does the rest.
_BATCH: Final = 32 << 20  # bytes
_PAGES: Final = 1_000  # in a batch, so that the progress bar moves while small pages are written


class PageEdit(NamedTuple):
    """What is to be done with a page, and its content before and after that."""

    outcome: PageOutcome
    before: bytes
    after: bytes


class PageEditor:
    """Edits the pages below a root in memory, and writes them in batches."""

    def __init__(self, tree: Tree, *, noindex: bool = False) -> None:
        self.unread: dict[str, None] = {}
        """Sentences about pages that could not be read."""
        self._tree = tree
        self._noindex = noindex
        self._batch: list[OutputFile] = []
        self._size = 0
        self._written = 0

    def restore(self, path: str) -> PageEdit | None:
        """Restore a page to how it was built. None if it cannot be read."""
        if (content := self._read(path)) is None:
            return None
        original = restore(content)
        return PageEdit(PageOutcome(path=path, is_changed=original != content), content, original)

    def edit(self, folder: PlannedFolder, below: str, path: str) -> PageEdit | None:
        """Restore a page in a folder of a kept version, or retire one of an old version. None if it cannot be read."""
        if folder.is_kept:
            return self.restore(path)
        place, goals = folder.place, folder.goals
        if (content := self._read(path)) is None:
            return None
        goal = None if self._noindex else goals.find(place, below)
        try:
            _check(path, goal, goals)
            if goal:
                edited = set_canonical(content, goal.url)
            else:
                own_url = goals.own_url(place, below, read_markup(restore(content)))
                edited = set_noindex(content, own_url)
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
            edited = content
            outcome = PageOutcome(path=path, uneditable=str(error))
        return PageEdit(outcome, content, edited)

    def write(self, edit: PageEdit) -> None:
        """Write an edited page, together with other pages of its batch."""
        self._batch.append(OutputFile(path=edit.outcome.path, content=edit.after))
        self._size += len(edit.after)
        if self._size > _BATCH or len(self._batch) >= _PAGES:
            self.flush()

    def flush(self) -> None:
        """Write the pages of the last batch."""
        try:
            self._written += len(write_locked(self._batch, self._tree.root))
        except WriteError as error:
            if not self._written:
                raise
            pages = count_of(self._written, "page")
            raise WriteError(error.path, f"{error.why}; {pages} changed before that: run the command again") from error
        self._batch, self._size = [], 0

    def _read(self, path: str) -> bytes | None:
        """The content of a page; None if it cannot be read."""
        try:
            return read_page(self._tree, path)
        except OSError as error:
            self.unread[f"{path} could not be read, so it was left alone: {error.strerror or error}"] = None
            return None


def read_page(tree: Tree, path: str) -> bytes:
    """The content of a page. Raises OSError, also if it is gone."""
    return read_file(tree.place(path), PAGE, inside=tree.root)


def _check(path: str, goal: Goal | None, goals: Goals) -> None:
    if goal and not goals.has(goal):
        raise LeftAloneError("is only in a copy of its version")
    if not is_inside(path):
        raise UneditableError("has a name that some systems do not allow")


def _end_of(goal: Goal | None, place: VersionPlace, goals: Goals) -> End:
    if goal is None:
        return "noindex"
    if goals.is_kept(goal.place):
        return "to kept"
    return "to itself" if goal.place == place else "to newest"
