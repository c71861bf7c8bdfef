"""The command ``sitemap-plugins retire``: points search engines from old versions to the kept one, or undoes that."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import click

from sitemap_plugins.commands.target import Target, takes_target
from sitemap_plugins.commands.terminal import conclude, first_of, table
from sitemap_plugins.commands.versions import describe_versions, version_options
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import locked, remove_leftovers, write_locked
from sitemap_plugins.reading import ROBOTS_TXT, RefusedError, read_file
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import is_inside, path_in, root_of
from sitemap_plugins.versions import Versions, read_versions

if TYPE_CHECKING:
    from sitemap_plugins.versions import Goal, Goals, Place, Roles, VersionFiles

_EXAMPLES: Final = 10
_LISTED: Final = 20
# The size of a batch of pages. A crash leaves every page whole, and the next run does the rest.
_BATCH: Final = 32 << 20  # bytes
_MIN_SHARED: Final = 0.5
_ENDS: Final = ("to kept", "to newest", "to itself", "noindex")
_HEADINGS: Final = ("folder", "pages", "changed", *_ENDS, "left alone", "not editable")

End: TypeAlias = Literal["to kept", "to newest", "to itself", "noindex"]


class RetireOptions(NamedTuple):
    """The options of the command; ``noindex`` is for all pages, ``only_kept`` for pages that the kept version lacks."""

    layout: str | None = None
    keep: Sequence[str] = ()
    noindex: bool = False
    only_kept: bool = False
    undo: bool = False
    force: bool = False
    dry_run: bool = False


@click.command("retire")
@takes_target
@version_options
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
@click.option("--undo", is_flag=True, help="Restore all pages below ROOT, byte for byte.")
@click.option("--force", is_flag=True, help="Continue even if the kept version has far fewer pages than an older one.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show what would change without writing anything, with examples and a list of pages that differ a lot from "
    "their targets.",
)
def retire_command(
    target: Target,
    layout: str | None,
    keep: Sequence[str],
    form: str,
    fallback: str,
    *,
    undo: bool,
    force: bool,
    dry_run: bool,
) -> None:
    """Point pages of old versions below ROOT at the version to keep, so that search engines show that one.

    Each page of the other versions gets one canonical link in its head, to the same page of the kept version in the
    same language. Nothing else in the page changes, and neither does the kept version. Error pages, redirects,
    pages without a head, and pages that already have a noindex are left alone.

    Run it after each deployment: pages retired earlier are repointed to the version you now keep, and pages of a
    version that you have started to keep again are restored. Running it twice changes nothing.

    \b
    sitemap-plugins retire site/ --dry-run
    sitemap-plugins retire site/ --keep stable
    sitemap-plugins retire site/ --undo
    """  # noqa: D301  # click takes that character for "do not wrap"
    options = RetireOptions(
        layout=layout,
        keep=keep,
        noindex=form == "noindex",
        only_kept=fallback == "noindex",
        undo=undo,
        force=force,
        dry_run=dry_run,
    )
    if undo and (keep or layout or options.noindex or options.only_kept or force):
        raise click.UsageError("--undo restores all pages, so it can only be combined with --dry-run")
    if options.noindex and options.only_kept:
        raise click.UsageError("--as noindex applies to all pages, so it cannot be combined with --without-counterpart")
    message = "Restore the pages of old versions" if undo else "Retire the pages of old versions"
    outcome, about_branch = target.work(lambda root: retire_folder(root, options), message, dry_run=dry_run)
    conclude([*outcome.lines, *about_branch], outcome.problems)


class Outcome(NamedTuple):
    """The lines to print, the problems that make the command fail, and the number of changed pages."""

    lines: Sequence[str]
    problems: Sequence[str]
    changed: int


def retire_folder(root: str, options: RetireOptions) -> Outcome:
    """Retire the pages in a folder, or undo that. Raises `click.ClickException`."""
    with nullcontext() if options.dry_run else locked(root):
        if options.undo:
            return _restore_all(root, dry_run=options.dry_run)
        return _retire_versions(root, read_versions(Path(root), options.layout, options.keep), options)


class _Changes:
    """Writes changed pages in batches, each page as a whole or not at all. A dry run only counts them."""

    def __init__(self, root: str, *, dry_run: bool) -> None:
        self.number = 0
        self.unread: list[str] = []
        """Messages about pages that could not be read."""
        self._root = root
        self.dry_run = dry_run
        self._batch: list[OutputFile] = []
        self._size = 0

    def read(self, files: VersionFiles, path: str) -> bytes | None:
        """The content of a page; None if it cannot be read."""
        try:
            return files.read(path)
        except OSError as error:
            self.unread.append(f"{path} could not be read, so it was left alone: {error.strerror or error}")
            return None

    def add(self, path: str, content: bytes) -> None:
        self.number += 1
        if self.dry_run:
            return
        self._batch.append(OutputFile(path=path, content=content))
        self._size += len(content)
        if self._size > _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the pages of the last batch."""
        write_locked(self._batch, self._root)
        self._batch, self._size = [], 0

    def clean(self, pages: Iterable[str]) -> None:
        """Remove temporary files that a killed run left beside pages."""
        if not self.dry_run:
            remove_leftovers(sorted({os.path.dirname(os.path.join(self._root, page)) for page in pages}))


def _restore_all(root: str, *, dry_run: bool) -> Outcome:
    """Restore every page below a root, in a version or not."""
    from sitemap_plugins.html.head_editing import restore
    from sitemap_plugins.versions import VersionFiles

    files = VersionFiles(Path(root))
    changes = _Changes(root, dry_run=dry_run)
    pages = files.pages("")
    changes.clean(pages)
    restored: list[str] = []
    for path in pages:
        if files.is_link(path) or (content := changes.read(files, path)) is None:
            continue
        original = restore(content)
        if original != content:
            restored.append(path)
            changes.add(path, original)
    changes.flush()
    verb = "would be restored" if dry_run else "restored"
    lines = [f"{verb}: {_count(len(restored))} of {len(pages):,}" if restored else "nothing to restore"]
    lines += [f"  {path}" for path in (restored[:_EXAMPLES] if dry_run else ())]
    return Outcome(lines, changes.unread, changes.number)


class _Tally:
    """What was done with the pages in one folder."""

    def __init__(self, folder: str, pages: Sequence[str]) -> None:
        self.folder = folder
        self.pages = pages
        self.editable: list[str] = []
        """The pages of an old version, except error pages and links."""
        self.changed = 0
        self.ends: Counter[str] = Counter()
        self.left: defaultdict[str, list[str]] = defaultdict(list)
        """The pages that were left alone, by reason."""
        self.uneditable: dict[str, str] = {}
        """Why a page could not be edited, by its path."""
        self.examples: list[str] = []
        self.pairs: list[tuple[str, str]] = []
        """Pages, each with the page in another version that it leads to, for a dry run."""

    def row(self) -> tuple[str, ...]:
        left = sum(map(len, self.left.values()))
        numbers = (len(self.pages), self.changed, *(self.ends[end] for end in _ENDS), left, len(self.uneditable))
        return (self.folder or ".", *map(str, numbers))

    def note(self, example: str) -> None:
        """Count a changed page, and keep the first few as examples."""
        self.changed += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(example)

    def full(self, path: str) -> str:
        """The path of a page in the folder, relative to the root."""
        return path_in(self.folder, path)


def _retire_versions(root: str, versions: Versions, options: RetireOptions) -> Outcome:
    from sitemap_plugins.versions import Goals, VersionFiles, roles_of

    tree, choice = versions
    if tree.root_url is None and not options.noindex:
        raise click.ClickException(
            f"no page or sitemap contains the URL of {root}, which canonical links need: build the versions with one "
            f"(site_url, html_baseurl), or use --as noindex"
        )
    files = VersionFiles(Path(root), tree.folders)
    changes = _Changes(root, dry_run=options.dry_run)
    plans: list[_Plan] = []
    for roles in roles_of(tree, choice):
        everything = (*roles.kept, *roles.old)
        folders = dict.fromkeys(folder for each in everything for folder in (each.place.folder, *each.folders))
        listed = {folder: files.pages(folder) for folder in folders}
        pages = {folder: frozenset(paths) for folder, paths in listed.items()}
        _refuse_circles(roles)
        if not options.force:
            _refuse_few_pages(roles, pages)
        goals = Goals(roles, pages, files.markup, only_kept=options.only_kept or options.noindex)
        kept = [_Tally(folder, listed[folder]) for each in roles.kept for folder in each.folders]
        old = [
            (each.place, _tally_of_old(folder, listed[folder], files)) for each in roles.old for folder in each.folders
        ]
        plans.append(_Plan(goals, kept, old))
    _refuse_shared_files(files, plans)
    _refuse_blocked_pages(root, versions, plans)
    for plan in plans:
        changes.clean(tally.full(path) for tally in plan.tallies for path in tally.pages)
        for tally in plan.kept:
            _restore(tally, files, changes)
        for place, tally in plan.old:
            _retire(tally, place, plan.goals, files, changes, noindex=options.noindex)
    changes.flush()
    tallies = [tally for plan in plans for tally in plan.tallies]
    misled = [danger for plan in plans for danger in _misled(plan.goals)]
    return Outcome(
        lines=[*describe_versions(versions), *misled, *_describe(tallies, files, options, changes.number)],
        problems=[*tree.problems, *changes.unread],
        changed=changes.number,
    )


def _tally_of_old(folder: str, pages: Sequence[str], files: VersionFiles) -> _Tally:
    from sitemap_plugins.versions import is_error_page

    tally = _Tally(folder, pages)
    for below in pages:
        path = tally.full(below)
        if is_error_page(below):
            tally.left["is an error page"].append(path)
        elif files.is_link(path):
            tally.left["is a link to another file"].append(path)
        else:
            tally.editable.append(below)
    return tally


class _Plan(NamedTuple):
    """The kept and old folders of one language, and where the pages of the old ones lead."""

    goals: Goals
    kept: Sequence[_Tally]
    old: Sequence[tuple[Place, _Tally]]

    @property
    def tallies(self) -> Iterator[_Tally]:
        yield from self.kept
        yield from (tally for _, tally in self.old)


def _restore(tally: _Tally, files: VersionFiles, changes: _Changes) -> None:
    """Restore a kept version to how it was built; it may have been retired before."""
    from sitemap_plugins.html.head_editing import restore

    for path in map(tally.full, tally.pages):
        if files.is_link(path) or (content := changes.read(files, path)) is None:
            continue
        original = restore(content)
        if original != content:
            tally.note(f"{path} is restored")
            changes.add(path, original)


def _retire(
    tally: _Tally, place: Place, goals: Goals, files: VersionFiles, changes: _Changes, *, noindex: bool
) -> None:
    from sitemap_plugins.html.head_editing import LeftAloneError, UneditableError, restore, set_canonical, set_noindex

    for below in tally.editable:
        path = tally.full(below)
        if (content := changes.read(files, path)) is None:
            continue
        goal = None if noindex else goals.find(place, below)
        edited, end = content, None
        try:
            _check_page(path, goal, goals)
            edited = set_canonical(content, goal.url) if goal else set_noindex(content, goals.own_url(place, below))
            end = _end_of(goal, place, goals)
            tally.ends[end] += 1
        except LeftAloneError as error:
            tally.left[str(error)].append(path)
            edited = restore(content)
        except UneditableError as error:
            tally.uneditable[path] = str(error)
        if edited != content:
            tally.note(f"{path} -> {goal.url if goal else 'noindex'}" if end else f"{path} is restored")
            if changes.dry_run and goal and end in {"to kept", "to newest"}:
                tally.pairs.append((path, goal.full_path))
            changes.add(path, edited)


def _check_page(path: str, goal: Goal | None, goals: Goals) -> None:
    from sitemap_plugins.html.head_editing import LeftAloneError, UneditableError

    if goal and not goals.has(goal):
        raise LeftAloneError("is only in a copy of its version")
    if not is_inside(path):
        raise UneditableError("has a name that some systems do not allow")


def _misled(goals: Goals) -> Iterator[str]:
    """Warnings about kept versions with canonical links to pages that do not exist or redirect, one for each."""
    pages: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for place, path, url in goals.misled():
        pages[place.version.name].append((path_in(place.folder, path), url))
    for name, found in pages.items():
        path, url = found[0]
        yield (
            f"danger: {path} has a canonical link to {url}, which does not exist or redirects"
            f"{and_more_pages(len(found) - 1)}, so search engines may show neither: build {name} with canonical links "
            "to itself (with mike, set canonical_version to its name or one of its aliases)"
        )


def _end_of(goal: Goal | None, place: Place, goals: Goals) -> End:
    if goal is None:
        return "noindex"
    if goals.is_kept(goal.place):
        return "to kept"
    return "to itself" if goal.place == place else "to newest"


def _refuse_circles(roles: Roles) -> None:
    """Raise an error if a kept version has canonical links to an old one, whose pages would then lead back."""
    old = {each.place.base_url: each.place for each in roles.old if each.place.base_url}
    for place in (each.place for each in roles.kept):
        url = place.version.declared_url
        if other := old.get(url or ""):
            name = other.version.name
            raise click.ClickException(
                f"the pages of {place.version.name} have canonical links to {url}, which is {name}: if those led "
                f"back, search engines could show either. Keep {name} (--keep), or build {place.version.name} with "
                "canonical links to itself (site_url, html_baseurl, canonical_version)"
            )


def _refuse_few_pages(roles: Roles, pages: Mapping[str, frozenset[str]]) -> None:
    """Raise an error if the kept version has so few pages that it is probably incomplete, or the wrong one."""
    kept, newest = roles.kept[0].place, roles.newest_old
    if newest and len(pages[kept.folder]) * 2 < len(pages[newest.place.folder]):
        name = newest.place.version.name
        raise click.ClickException(
            f"{kept.version.name} is kept and has {_count(len(pages[kept.folder]))}, but {name} has "
            f"{len(pages[newest.place.folder]):,}: is it complete? Use --keep {name}, or --force to continue anyway"
        )


def _refuse_shared_files(files: VersionFiles, plans: Iterable[_Plan]) -> None:
    """Raise an error if a page that would change is, through a link, also a page of a kept version."""
    plans = [*plans]
    kept = [tally.folder for plan in plans for tally in plan.kept]
    reached = files.reached_from(kept)
    changing = (tally.full(path) for plan in plans for _, tally in plan.old for path in tally.editable)
    shared = [(path, reached[real]) for path in changing if (real := files.real_path(path)) in reached]
    if shared:
        path, other = shared[0]
        raise click.ClickException(
            f"{path} is the same file as {other}, by a link, so the kept version would change as well"
            f"{and_more_pages(len(shared) - 1)}: keep both versions (--keep), or replace the link with a copy"
        )


def _refuse_blocked_pages(root: str, versions: Versions, plans: Iterable[_Plan]) -> None:
    """Raise an error if robots.txt keeps search engines from old pages only, so that they would not see the change."""
    from sitemap_plugins.formats.paths import ROBOTS
    from sitemap_plugins.formats.robots import RobotsTxt
    from sitemap_plugins.versions import blocking_line, plain_url

    root_url = versions.tree.root_url
    if root_url is None or root_url != root_of(root_url):
        return  # crawlers read only the robots.txt at the root of a host
    try:
        robots = RobotsTxt(read_file(Path(root) / ROBOTS, ROBOTS_TXT, inside=root))
    except (FileNotFoundError, IsADirectoryError):
        return
    except (PermissionError, RefusedError) as error:
        raise click.ClickException(f"{ROBOTS} cannot be read: {error.strerror or error}") from None
    blocked: defaultdict[str, list[str]] = defaultdict(list)
    for plan in plans:
        for place, tally in plan.old:
            for path in tally.editable:
                url = plain_url(place, path)
                if robots.disallows(url) and (rule := blocking_line(robots, url, plan.goals.find(place, path))):
                    blocked[rule].append(url)
    if blocked:
        urls = [*chain.from_iterable(blocked.values())]
        rules = "; ".join(f'"{rule}"' for rule in blocked)
        raise click.ClickException(
            f"{ROBOTS} keeps search engines from {urls[0]}{and_more_pages(len(urls) - 1)}, so they would never see the "
            f"change: remove {rules}"
        )


def _describe(tallies: Sequence[_Tally], files: VersionFiles, options: RetireOptions, changed: int) -> Iterator[str]:
    """The table of what was done, then sentences on what was not."""
    yield ""
    yield from table([_HEADINGS, *(tally.row() for tally in tallies)], words=1)
    left: defaultdict[str, list[str]] = defaultdict(list)
    for tally in tallies:
        for why, paths in tally.left.items():
            left[why] += paths
    for why, paths in sorted(left.items()):
        yield f"left alone: {paths[0]} {why}{and_more_pages(len(paths) - 1)}"
    uneditable = [(path, why) for tally in tallies for path, why in tally.uneditable.items()]
    yield from first_of([f"could not be edited: {path} {why}" for path, why in uneditable], _LISTED)
    if options.dry_run:
        rounds = chain.from_iterable(zip_longest(*(tally.examples for tally in tallies)))
        yield from (f"  {example}" for example in islice(filter(None, rounds), _EXAMPLES))
        yield from first_of(_different([pair for tally in tallies for pair in tally.pairs], files), _LISTED)
    verb = "would change" if options.dry_run else "changed"
    yield f"{verb}: {_count(changed)}" if changed else "nothing to change"


def _different(pairs: Iterable[tuple[str, str]], files: VersionFiles) -> list[str]:
    """Sentences on pages that share few words with the page that they lead to."""
    from sitemap_plugins.html.content import read_words

    leading_to: defaultdict[str, list[str]] = defaultdict(list)
    for path, goal in pairs:
        leading_to[goal].append(path)
    sentences = []
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
            sentences.append(
                f"different: {path} leads to {goal} and shares {share:.0%} of its words{and_more_pages(len(low) - 1)}"
            )
    return sentences


def _count(number: int) -> str:
    return f"{number:,} page{'s' * (number != 1)}"
