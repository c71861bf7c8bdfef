"""Retires the old versions below a root, or restores all pages there."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from sitemap_plugins.html.content import read_words
from sitemap_plugins.output.writing import locked
from sitemap_plugins.retire.editing import Editor
from sitemap_plugins.retire.outcome import FolderOutcome, PageOutcome, Restored, Retired
from sitemap_plugins.retire.plan import Plan, make_plan
from sitemap_plugins.retire.refusals import (
    RetireError,
    refuse_blocked_pages,
    refuse_circles,
    refuse_few_pages,
    refuse_shared_files,
)
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions import Goals, VersionFiles, read_versions, roles_of

_MIN_SHARED: Final = 0.5  # of the words of a page and of the page that it leads to


def retire(
    root: str | os.PathLike[str],
    layout: str | None = None,
    keep: Sequence[str] = (),
    *,
    noindex: bool = False,
    only_kept: bool = False,
    force: bool = False,
    dry_run: bool = False,
) -> Retired:
    """Point the pages of old versions below ``root`` at the kept version, which is restored if it was retired before.

    ``layout`` and ``keep`` are as in `read_versions`. With ``noindex``, all pages of old versions get a noindex
    instead; with ``only_kept``, only pages that the kept versions lack. ``force`` accepts a kept version with few
    pages. A ``dry_run`` writes nothing.

    Raises `RetireError`, `WriteError`, OSError if a folder cannot be listed, and the errors of `read_versions`.
    """
    root = os.fspath(root)
    with nullcontext() if dry_run else locked(root):
        versions = read_versions(Path(root), layout, keep)
        tree, choice = versions
        if tree.root_url is None and not noindex:
            raise RetireError(
                f"no page or sitemap contains the URL of {root}, which canonical links need: build the versions with "
                f"one (site_url, html_baseurl), or use --as noindex"
            )
        files = VersionFiles(Path(root), tree.folders)
        plans: list[Plan] = []
        for roles in roles_of(tree, choice):
            refuse_circles(roles)
            plan = make_plan(roles, files, only_kept=only_kept or noindex)
            if not force:
                refuse_few_pages(plan)
            plans.append(plan)
        refuse_shared_files(files, plans)
        refuse_blocked_pages(root, tree.root_url, plans)
        editor = Editor(root, files, dry_run=dry_run)
        folders = [folder for plan in plans for folder in _carry_out(plan, editor, noindex=noindex)]
        editor.flush()
        return Retired(
            versions=versions,
            folders=tuple(folders),
            dangers=tuple(danger for plan in plans for danger in _misled(plan.goals)),
            different=tuple(_different([page for each in folders for page in each.pages], files)) if dry_run else (),
            problems=(*tree.problems, *editor.unread),
        )


def restore_all(root: str | os.PathLike[str], *, dry_run: bool = False) -> Restored:
    """Restore every page below a root, in a version or not. Raises `WriteError` and OSError."""
    root = os.fspath(root)
    with nullcontext() if dry_run else locked(root):
        files = VersionFiles(Path(root))
        editor = Editor(root, files, dry_run=dry_run)
        pages = files.pages("")
        editor.clean(pages)
        restored = [page.path for page in editor.restore(path for path in pages if not files.is_link(path))]
        editor.flush()
        return Restored(number=len(pages), paths=tuple(restored), problems=tuple(editor.unread))


def _carry_out(plan: Plan, editor: Editor, *, noindex: bool) -> Iterator[FolderOutcome]:
    folders = (*plan.kept, *plan.old)
    editor.clean(path_in(each.folder, path) for each in folders for path in each.pages)
    for each in plan.kept:
        pages = (*editor.restore(path for _, path in each.editable()),)
        yield FolderOutcome(folder=each.folder, number=len(each.pages), pages=pages)
    for each in plan.old:
        left = (PageOutcome(path=path_in(each.folder, path), left=why) for path, why in each.left.items())
        pages = (*left, *editor.retire(each, plan.goals, noindex=noindex))
        yield FolderOutcome(folder=each.folder, number=len(each.pages), pages=pages)


def _misled(goals: Goals) -> Iterator[str]:
    """Sentences on kept versions with canonical links to pages that do not exist or redirect, one for each."""
    pages: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for place, path, url in goals.misled():
        pages[place.version.name].append((path_in(place.folder, path), url))
    for name, found in pages.items():
        path, url = found[0]
        yield (
            f"{path} has a canonical link to {url}, which does not exist or redirects"
            f"{and_more_pages(len(found) - 1)}, so search engines may show neither: build {name} with canonical links "
            "to itself (with mike, set canonical_version to its name or one of its aliases)"
        )


def _different(pages: Iterable[PageOutcome], files: VersionFiles) -> Iterator[str]:
    """Sentences on changed pages that share few words with the page that they lead to."""
    leading_to: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        if page.is_changed and page.end in {"to kept", "to newest"}:
            leading_to[page.goal].append(page.path)
    for goal, paths in leading_to.items():
        # One page at a time in memory, and each read once.
        there = read_words(files.read(goal).decode(errors="replace"))
        shares = {}
        for path in paths:
            here = read_words(files.read(path).decode(errors="replace"))
            shares[path] = 2 * len(here & there) / (len(here) + len(there) or 1)
        low = sorted((share, path) for path, share in shares.items() if share < _MIN_SHARED)
        if low:
            share, path = low[0]
            yield f"{path} leads to {goal} and shares {share:.0%} of its words{and_more_pages(len(low) - 1)}"
