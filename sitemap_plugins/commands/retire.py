"""The command ``sitemap-plugins retire``: points search engines from old versions to the kept one, or undoes that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import Any, Final

import click
from msgspec.structs import astuple

from sitemap_plugins.commands.root import Root, takes_root
from sitemap_plugins.commands.shared_options import examples
from sitemap_plugins.commands.terminal import screen_width
from sitemap_plugins.commands.versions import (
    conclude_run,
    count_dead,
    describe_versions,
    report_folder,
    report_run,
    run_options,
    shown_versions,
    version_options,
)
from sitemap_plugins.retire.plan import ENDS, FolderOutcome, Restored, Retired
from sitemap_plugins.retire.retiring import restore_all, retire
from sitemap_plugins.values.text import and_more_pages, count_of, first_of, table

_EXAMPLES: Final = 10
_LISTED: Final = 20
_HEADINGS: Final = ("folder", "pages", "changed", *ENDS, "left alone", "not editable")


@click.command(
    "retire",
    epilog=examples(
        "sitemap-plugins retire site/ --dry-run",
        "sitemap-plugins retire --branch gh-pages --push --keep stable",
        "sitemap-plugins retire site/ --undo",
    ),
)
@takes_root("root")
@version_options
@run_options
@click.option(
    "--as",
    "form",
    type=click.Choice(["canonical", "noindex"]),
    default="canonical",
    show_default=True,
    help="What pages of old versions get: a canonical link to the same page in the kept version, or a noindex. Use "
    "noindex if canonical links have not worked after a few months.",
)
@click.option(
    "--without-counterpart",
    "fallback",
    type=click.Choice(["newest", "noindex"]),
    default="newest",
    show_default=True,
    help="What a page gets if the kept version does not have it: a canonical link to the newest release that has it "
    "(possibly the page itself), or a noindex.",
)
@click.option("--undo", is_flag=True, help="Restore all pages below ROOT, byte for byte. Ignores --base-url.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show what would change without writing anything, with examples and a list of pages that differ a lot from "
    "their targets.",
)
def retire_command(
    root: Root,
    max_changes: int | None,
    form: str,
    fallback: str,
    output: str,
    *,
    show_all: bool,
    quiet: bool,
    undo: bool,
    force: bool,
    dry_run: bool,
    **versions: Any,
) -> None:
    """Point pages of old versions below ROOT at the version to keep, so that search engines show that one.

    Each page of the other versions gets one canonical link in its head, to the same page of the kept version in the
    same language. Nothing else in the page changes, and neither does the kept version. Error pages, redirects,
    pages without a head, and pages that already have a noindex are left alone.

    Run it after each deployment. Pages that were retired earlier then point to the version that you keep now, and pages
    of a version that you keep again are restored. A second run changes nothing.
    """
    others = (max_changes is not None, "noindex" in {form, fallback}, force, show_all)
    if undo and any((*others, *(versions | {"base_url": None}).values())):
        raise click.UsageError(
            "--undo restores all pages below ROOT, so it can only be combined with --dry-run, --format and --quiet (it "
            "ignores --base-url). To restore one version only, name its folder as ROOT"
        )
    if form == fallback == "noindex":
        raise click.UsageError("--as noindex applies to all pages, so it cannot be combined with --without-counterpart")
    if undo:
        _undo(root, output, dry_run=dry_run, quiet=quiet)
        return
    retired, outcome = root.work(
        lambda folder, track: retire(
            folder,
            noindex=form == "noindex",
            only_kept=fallback == "noindex",
            force=force,
            max_changes=max_changes,
            dry_run=dry_run,
            track=track,
            **versions,
        ),
        "Retire the pages of old versions",
        dry_run=dry_run,
        quiet=quiet,
    )
    report = report_run(outcome, dry_run=dry_run, choice=retired.choice, retired=retired)
    lines = [
        *describe_versions(retired.choice, show_all=show_all),
        "",
        *describe_retired(retired, show_all=show_all, dry_run=dry_run),
    ]
    conclude_run(report, outcome, lines, lines[-1:], output=output, quiet=quiet)


def _undo(root: Root, output: str, *, dry_run: bool, quiet: bool) -> None:
    """Restore all pages, and print which ones."""
    restored, outcome = root.work(
        lambda folder, track: restore_all(folder, dry_run=dry_run, track=track),
        "Restore the pages of old versions",
        dry_run=dry_run,
        quiet=quiet,
    )
    report = report_run(
        outcome, dry_run=dry_run, changed=restored.paths, changes=restored.changes, problems=restored.problems
    )
    lines = [*_describe_restored(restored, dry_run=dry_run)]
    conclude_run(report, outcome, lines, lines[:1], output=output, quiet=quiet)


def describe_retired(retired: Retired, *, show_all: bool, dry_run: bool) -> Iterator[str]:
    """The table of what was done, then sentences on what was not."""
    folders = {
        folder
        for version in (retired.choice.versions.versions if show_all else shown_versions(retired.choice))
        for folder in (version.real_folder, *(alias.folder for alias in version.aliases))
    }
    rows = [_row(each.folder or ".", [each]) for each in retired.folders if each.folder in folders]
    if others := [each for each in retired.folders if each.folder not in folders]:
        rows.append(_row(f"{len(others):,} more", others))
    yield from table([_HEADINGS, *rows], words=1, width=screen_width(), has_headings=True)
    pages = [page for each in retired.folders for page in each.pages]
    left: defaultdict[str, list[str]] = defaultdict(list)
    for page in pages:
        left[page.left].append(page.path)
    for why, paths in sorted(left.items()):
        if why:
            yield f"left alone: {paths[0]} {why}{and_more_pages(len(paths) - 1)}"
    uneditable = [f"could not be edited: {page.path} {page.uneditable}" for page in pages if page.uneditable]
    yield from first_of(uneditable, _LISTED)
    if dry_run:
        examples = ([page for page in each.pages if page.is_changed] for each in retired.folders)
        rounds = filter(None, chain.from_iterable(zip_longest(*examples)))
        shown = islice(rounds, _EXAMPLES)
        yield from (f"  {page.path} {f'-> {page.url or page.end}' if page.end else 'is restored'}" for page in shown)
        yield from first_of([f"different: {each}" for each in retired.different], _LISTED)
    if retired.counts and not retired.counts.after:
        yield count_dead(retired.counts)
    changed = sum(page.is_changed for page in pages)
    verb = "would change" if dry_run else "changed"
    yield f"{verb}: {count_of(changed, 'page')}" if changed else "nothing to change"


def _row(name: str, outcomes: Sequence[FolderOutcome]) -> tuple[str, ...]:
    return tuple(map(str, astuple(report_folder(name, outcomes))))


def _describe_restored(restored: Restored, *, dry_run: bool) -> Iterator[str]:
    verb = "would be restored" if dry_run else "restored"
    number = count_of(len(restored.paths), "page")
    yield f"{verb}: {number} of {restored.number:,}" if restored.paths else "nothing to restore"
    yield from (f"  {path}" for path in (restored.paths[:_EXAMPLES] if dry_run else ()))
