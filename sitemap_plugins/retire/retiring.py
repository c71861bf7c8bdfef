"""Retires the old versions below a root, or restores all pages there: each page is written as a whole or not at all."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Final

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.head_editing import LeftAloneError, UneditableError, restore, set_canonical, set_noindex
from sitemap_plugins.html.main_part import read_words
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import WriteError, locked, write_locked
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.retire.plan import (
    End,
    FolderOutcome,
    PageChange,
    PageEdit,
    PageOutcome,
    PlannedFolder,
    Restored,
    Retired,
    make_plan,
)
from sitemap_plugins.retire.safeguards import (
    Canonicals,
    RetireError,
    refuse_astray_pages,
    refuse_blocked_pages,
    refuse_circles,
    refuse_failures,
    refuse_few_pages,
    refuse_many_changes,
    refuse_shared_files,
)
from sitemap_plugins.values.tasks import Track, untracked
from sitemap_plugins.values.text import and_more_pages, count_of
from sitemap_plugins.values.urls import is_inside, path_in
from sitemap_plugins.versions.goals import Goal, Goals, roles_of
from sitemap_plugins.versions.kept import VersionPlace, read_versions

_MIN_SHARED: Final = 0.5  # of the words of a page and of the page that it leads to

# The size of a batch of pages. A crash leaves every page whole, and the next run does the rest.
_BATCH: Final = 32 << 20  # bytes
_PAGES: Final = 1_000  # in a batch, so that the progress bar moves while small pages are written


def retire(
    root: str | os.PathLike[str],
    layout: str | None = None,
    keep: Sequence[str] = (),
    *,
    releases: Sequence[str] = (),
    noindex: bool = False,
    only_kept: bool = False,
    force: bool = False,
    base_url: str | None = None,
    max_changes: int | None = None,
    dry_run: bool = False,
    track: Track = untracked,
) -> Retired:
    """Point the pages of old versions below ``root`` at the kept version, which is restored if it was retired before.

    ``layout``, ``keep``, ``releases`` are as in `read_versions`. With ``noindex``, pages of old versions get a noindex
    instead; with ``only_kept``, only pages that the kept versions lack. ``force`` accepts a kept version with few
    pages. ``base_url`` is the URL of ``root``, if its pages do not say it. More than ``max_changes`` changed pages are
    refused. A ``dry_run`` writes nothing; only it returns each change. ``track`` sees each loop over pages.

    Everything is decided and checked before the first page is written. Raises `RetireError`, `WriteError`, OSError if a
    folder cannot be listed, and the errors of `read_versions`.
    """
    with nullcontext() if dry_run else locked(root, whole_tree=True):
        tree = Tree(root)
        choice = read_versions(tree, layout, keep, base_url, releases=releases, retires=True)
        found = choice.versions
        if found.root_url is None and not noindex:
            raise RetireError(f"{found.unknown_url(tree.root)}, or use --as noindex")
        planned: list[PlannedFolder] = []
        for language in found.languages:
            roles = roles_of(choice, language)
            refuse_circles(roles)
            plan = make_plan(roles, tree, found.folders, only_kept=only_kept or noindex)
            if not force:
                refuse_few_pages(plan)
                if not noindex:
                    refuse_astray_pages(plan, tree)
            planned += plan.folders
        refuse_shared_files(tree, found.folders, planned)
        unread_rules = refuse_blocked_pages(tree, found.root_url, planned)
        editor = PageEditor(tree, noindex=noindex)
        canonicals, folders = _decide(planned, editor, tree, found.root_url, track)
        outcomes = [page for each in folders for page in each.pages]
        if max_changes is not None:
            refuse_many_changes(outcomes, max_changes)
        edits = _edits(planned, folders, editor, track)
        shares = dict(_shared_words(outcomes, tree, track)) if dry_run else {}
        changes = [_change(edit, shares) for edit in edits] if dry_run else []
        if not dry_run:
            for edit in edits:
                editor.write(edit)
            editor.flush()
        return Retired(
            choice=choice,
            folders=tuple(folders),
            counts=canonicals.counts if found.root_url else None,
            dangers=(*canonicals.dangers, *unread_rules),
            different=tuple(sentence for goal, pages in shares.items() for sentence in _different(goal, pages)),
            changes=tuple(changes),
            problems=(*found.problems, *editor.unread),
        )


def restore_all(root: str | os.PathLike[str], *, dry_run: bool = False, track: Track = untracked) -> Restored:
    """Restore every page below a root, in a version or not. Raises `WriteError` and OSError."""
    with nullcontext() if dry_run else locked(root, whole_tree=True):
        tree = Tree(root)
        editor = PageEditor(tree)
        pages = [*tree.pages()]
        restored: list[str] = []
        changes: list[PageChange] = []
        for path in track(pages, "restoring pages"):
            edit = None if tree.is_link(path) else editor.restore(path)
            if edit and edit.outcome.is_changed:
                restored.append(path)
                if dry_run:
                    changes.append(_change(edit, {}))
                else:
                    editor.write(edit)
        editor.flush()
        return Restored(number=len(pages), paths=tuple(restored), changes=tuple(changes), problems=tuple(editor.unread))


def _decide(
    planned: Sequence[PlannedFolder], editor: PageEditor, tree: Tree, root_url: str | None, track: Track
) -> tuple[Canonicals, list[FolderOutcome]]:
    """What is to be done with each page, without its content. Raises `RetireError` for links that must not be written.

    A page of an old version that cannot be edited keeps its own canonical link. If that leads elsewhere, no other page
    may lead there, so everything is decided once more without it.
    """
    avoided: set[str] = set()
    while True:
        canonicals = Canonicals(tree, root_url, (folder.place for folder in planned))
        folders = _survey(planned, editor, canonicals, track)
        outcomes = [page for each in folders for page in each.pages]
        failures = [*canonicals.failures(outcomes)]
        old = {page.path for page in outcomes if page.uneditable or page.left}
        avoidable = {each.outcome.goal for each in failures} & old - avoided
        if not avoidable:
            refuse_failures(failures)
            return canonicals, folders
        avoided |= avoidable
        for folder in planned:
            folder.goals.avoid(avoidable)


def _survey(
    planned: Sequence[PlannedFolder], editor: PageEditor, canonicals: Canonicals, track: Track
) -> list[FolderOutcome]:
    found: list[list[PageOutcome]] = [
        [] if folder.is_kept else [PageOutcome(path=path, left=why) for path, why in folder.left.items()]
        for folder in planned
    ]
    pages = [
        (folder, outcomes, below, path)
        for folder, outcomes in zip(planned, found, strict=True)
        for below, path in folder.editable()
    ]
    for folder, outcomes, below, path in track(pages, "reading pages"):
        if edit := editor.edit(folder, below, path):
            canonicals.count(edit, folder.place, below, is_kept=folder.is_kept)
            if edit.outcome.is_changed or not folder.is_kept:
                outcomes.append(edit.outcome)
    return [
        FolderOutcome(folder=folder.folder, number=len(folder.pages), pages=tuple(outcomes))
        for folder, outcomes in zip(planned, found, strict=True)
    ]


def _edits(
    planned: Sequence[PlannedFolder], folders: Sequence[FolderOutcome], editor: PageEditor, track: Track
) -> Iterator[PageEdit]:
    """Edit the pages again that change, in memory."""
    changing = [
        (folder, page.path)
        for folder, outcome in zip(planned, folders, strict=True)
        for page in outcome.pages
        if page.is_changed
    ]
    for folder, path in track(changing, "editing pages"):
        below = path[len(path_in(folder.folder, "")) :]
        if edit := editor.edit(folder, below, path):
            yield edit


def _shared_words(pages: Iterable[PageOutcome], tree: Tree, track: Track) -> Iterator[tuple[str, dict[str, float]]]:
    """Each page that changed pages lead to, and the shares of words that these have in common with it."""
    leading_to: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        if page.is_changed and page.end in {"to kept", "to newest"}:
            leading_to[page.goal].append(page.path)
    for goal, paths in track(leading_to.items(), "comparing pages with their targets"):
        # One page at a time in memory, and each read once.
        there = read_words(_read_page(tree, goal).decode(errors="replace"))
        shares = {}
        for path in paths:
            here = read_words(_read_page(tree, path).decode(errors="replace"))
            shares[path] = 2 * len(here & there) / (len(here) + len(there) or 1)
        yield goal, shares


def _different(goal: str, shares: Mapping[str, float]) -> Iterator[str]:
    """A sentence on pages that share few words with the page that they lead to."""
    low = sorted((share, path) for path, share in shares.items() if share < _MIN_SHARED)
    if low:
        share, path = low[0]
        yield f"{path} leads to {goal} and shares {share:.0%} of its words{and_more_pages(len(low) - 1)}"


def _change(edit: PageEdit, shares: Mapping[str, Mapping[str, float]]) -> PageChange:
    old, new = (next(iter(read_markup(content).canonicals), None) for content in (edit.before, edit.after))
    page = edit.outcome
    return PageChange(
        path=page.path,
        change=page.end or "restored",
        old_canonical=old,
        new_canonical=new,
        likeness=shares.get(page.goal, {}).get(page.path),
    )


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
            return _read_page(self._tree, path)
        except OSError as error:
            self.unread[f"{path} could not be read, so it was left alone: {error.strerror or error}"] = None
            return None


def _read_page(tree: Tree, path: str) -> bytes:
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
