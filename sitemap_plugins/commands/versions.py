"""Shared by ``merge`` and ``retire``: their options, the table of versions, and the JSON that the manual describes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Final, TypeVar

import click
from msgspec import Meta, Struct, structs, to_builtins

from sitemap_plugins.commands.root import BranchOutcome
from sitemap_plugins.commands.shared_options import base_url_option, format_option
from sitemap_plugins.commands.terminal import say, say_json, screen_width
from sitemap_plugins.findings.printing import VersionedReport
from sitemap_plugins.merge.language_folders import LanguageSummary
from sitemap_plugins.merge.languages import Merge
from sitemap_plugins.merge.root import MergedVersions
from sitemap_plugins.retire.plan import Counts, FolderOutcome, PageChange, Retired
from sitemap_plugins.values.text import count_of, table
from sitemap_plugins.versions.kept import Choice, Kept
from sitemap_plugins.versions.version import Version

F = TypeVar("F", bound=Callable[..., object])

_MANY: Final = 20  # versions of which only the most important ones are shown
_HEADINGS: Final = ("version", "language", "folder", "aliases", "stage", "known by", "canonical")


def describe_versions(choice: Choice, *, show_all: bool = True) -> Iterator[str]:
    """The table of recognized versions, what looks like a version and is none, and notes."""
    found = choice.versions
    shown = found.versions if show_all else shown_versions(choice)
    rows = version_rows(choice, shown)
    yield from table(rows, words=len(rows[0]), width=screen_width(), has_headings=True)
    if others := Counter(each.stage for each in found.versions if each not in shown):
        stages = ", ".join(f"{number:,} {stage}" for stage, number in others.items())
        yield f"and {count_of(others.total(), 'more version')}: {stages} (--all shows each)"
    yield from (f"left out: {each}" for each in found.left_out)
    yield from (f"note: {note}" for note in found.notes)


def shown_versions(choice: Choice) -> Sequence[Version]:
    """The versions that are shown one by one: all, or if there are many, the kept ones and the newest ones."""
    found = choice.versions
    if len(found.versions) < _MANY:
        return found.versions
    shown = {version for kept in choice.kept for version in kept.versions}
    for language in found.languages:
        inside = [*found.in_language(language)]
        shown |= {inside[0], next((each for each in inside if each.stage == "release"), inside[0])}
    return [each for each in found.versions if each in shown]


def version_options(command: F) -> F:
    """Add the options that tell where versions are, at which URL, and which of them is canonical."""
    keep = click.option(
        "--keep",
        multiple=True,
        metavar="VERSION",
        help="The version that search engines should show, by name or alias. Repeat it if languages keep "
        "different versions, or to leave more versions unchanged; the first one for each language is canonical. "
        "Default: the version in the pages' canonical links, else the one preferred in switcher.json, else stable, "
        "else latest, else the newest release.",
    )
    layout = click.option(
        "--layout",
        metavar="PATTERN",
        help="Where the versions are below ROOT, such as '{lang}/{version}' or 'docs/{version}'. Default: detected "
        "from versions.json, switcher.json and folder names.",
    )
    base_url = base_url_option(
        "Where ROOT is published. Default: according to the canonical links and sitemaps below it."
    )
    show_all = click.option(
        "--all", "show_all", is_flag=True, help=f"Show each version, even if there are {_MANY} or more."
    )
    releases = click.option(
        "--releases",
        metavar="NAMES",
        callback=lambda _context, _option, value: [name.strip() for name in value.split(",")] if value else [],
        help="The releases that have names instead of numbers, newest first, such as jazzy,humble. Default: a name "
        "without a number, other than words such as stable, is a development version.",
    )
    return keep(layout(releases(base_url(show_all(command)))))


def run_options(command: F) -> F:
    """Add the options that limit or force the changes of old pages, and those that choose what is printed."""
    most = click.option(
        "--max-changes",
        metavar="N",
        type=click.IntRange(min=0),
        help="Change nothing if more pages of old versions would change than this.",
    )
    force = click.option(
        "--force",
        is_flag=True,
        help="Continue even if the kept version has far fewer pages than an older one, or if most of its canonical "
        "links lead elsewhere.",
    )
    form = format_option(
        ("text", "json"), "Print text, or one JSON object with versions, numbers, changed files and problems."
    )
    quiet = click.option(
        "--quiet",
        "-q",
        is_flag=True,
        help="Print only warnings and errors, what would change with --dry-run, and the object with --format json.",
    )
    return most(force(form(quiet(command))))


def version_rows(choice: Choice, shown: Iterable[Version]) -> list[tuple[str, ...]]:
    """The rows of the table, headings first, without empty columns. Their text is not made printable."""
    rows = [_HEADINGS, *_rows(choice, shown)]
    filled = [any(column[1:]) for column in zip(*rows, strict=True)]
    return [tuple(cell for cell, is_filled in zip(row, filled, strict=True) if is_filled) for row in rows]


def _rows(choice: Choice, shown: Iterable[Version]) -> Iterator[tuple[str, ...]]:
    for version in shown:
        kept = choice.in_language(version.language)
        yield (
            version.name if version.written in {"", version.name} else f"{version.name} = {version.written}",
            version.language or "",
            version.folder or ".",
            ", ".join(f"{alias.name} ({alias.kind})" for alias in version.aliases),
            version.stage,
            ", ".join(version.known_by),
            _role(version, kept),
        )
    site = choice.versions.root_site
    if site and not any(version.folder == "" for version in choice.versions.versions):
        kind = "a Material site" if site.is_material else "a site"
        what = kind if site.leads_to is None else f"redirects to {site.leads_to}/"
        yield ("(no version)", "", ".", "", what, "home page", "")


def _role(version: Version, kept: Kept) -> str:
    if version == kept.version:
        return f"{kept.base_url or 'kept, URL unknown'} ({kept.reason})"
    return "kept (--keep)" if version in kept.others else ""


class AliasReport(Struct, frozen=True, kw_only=True):
    """An alias of a version."""

    folder: Annotated[str, Meta(description="Its folder.")]
    kind: Annotated[str, Meta(description="`symlink`, `copy` or `redirect`.")]


class VersionReport(Struct, frozen=True, kw_only=True):
    """A recognized version."""

    name: Annotated[str, Meta(description="Its name.")]
    folder: Annotated[str, Meta(description="Its folder.")]
    language: Annotated[str | None, Meta(description="The language of the folder that it is in.")]
    stage: Annotated[str, Meta(description="`release`, `pre-release` or `development`.")]
    aliases: Annotated[tuple[AliasReport, ...], Meta(description="The other folders that lead to it.")]
    known_by: Annotated[tuple[str, ...], Meta(description="How it was recognized.")]
    is_kept: Annotated[bool, Meta(description="Whether it is canonical, or kept by `--keep`.")]
    canonical_url: Annotated[str | None, Meta(description="Its URL, if it is the canonical version of its language.")]
    reason: Annotated[str | None, Meta(description="Why it is canonical.")]


class FolderReport(Struct, frozen=True, kw_only=True):
    """What was done with the pages in the folder of a version or an alias."""

    folder: Annotated[str, Meta(description="The folder.")]
    pages: Annotated[int, Meta(description="The number of pages in it.")]
    changed: Annotated[int, Meta(description="How many of them changed.")]
    to_kept: Annotated[int, Meta(description="How many lead to the version that is kept.")]
    to_newest: Annotated[int, Meta(description="How many lead to the newest release that has the page.")]
    to_itself: Annotated[int, Meta(description="How many lead to themselves: no newer release has the page.")]
    noindex: Annotated[int, Meta(description="How many have a noindex.")]
    left_alone: Annotated[int, Meta(description="How many were left alone.")]
    not_editable: Annotated[int, Meta(description="How many could not be edited.")]


class UnretiredReport(Struct, frozen=True, kw_only=True):
    """A page that was not retired."""

    path: Annotated[str, Meta(description="Its path.")]
    why: Annotated[str, Meta(description="The reason, such as `is an error page`.")]


class Report(VersionedReport, frozen=True, kw_only=True):
    """What ``retire`` did, or would do. All paths are relative to ROOT, with forward slashes."""

    dry_run: Annotated[bool, Meta(description="Whether nothing was written. `changed` is then what would change.")]
    branch: Annotated[str | None, Meta(description="The branch of `--branch`; null in a dry run.")]
    commit: Annotated[str | None, Meta(description="The new commit on the branch.")]
    pushed_to: Annotated[str | None, Meta(description="The remote to which the branch was pushed.")]
    root_url: Annotated[str | None, Meta(description="The URL of `ROOT`.")]
    versions: Annotated[tuple[VersionReport, ...], Meta(description="The recognized versions.")]
    folders: Annotated[tuple[FolderReport, ...], Meta(description="The folders of versions and aliases.")]
    missing_targets: Annotated[
        Counts | None, Meta(description="The number of pages with canonical links to missing pages.")
    ]
    left_alone: Annotated[tuple[UnretiredReport, ...], Meta(description="The pages that were left alone.")]
    not_editable: Annotated[tuple[UnretiredReport, ...], Meta(description="The pages that could not be edited.")]
    different: Annotated[
        tuple[str, ...], Meta(description="In a dry run: sentences on pages that differ a lot from their targets.")
    ]
    changed: Annotated[tuple[str, ...], Meta(description="The paths of the files that changed.")]
    changes: Annotated[tuple[PageChange, ...], Meta(description="In a dry run: the pages that would change.")]
    remarks: Annotated[tuple[str, ...], Meta(description="Sentences on what was found and needs no change.")]
    dangers: Annotated[
        tuple[str, ...], Meta(description="Sentences on what may keep search engines from the kept version.")
    ]
    problems: Annotated[
        tuple[str, ...], Meta(description="Sentences on what failed. If there are any, the exit status is 1.")
    ]


class LanguageReport(Struct, frozen=True, kw_only=True):
    """A language that was joined with others."""

    code: Annotated[str, Meta(description="Its code.")]
    folder: Annotated[str, Meta(description="Its folder.")]
    known_by: Annotated[str, Meta(description="How it was recognized.")]
    listed: Annotated[int, Meta(description="The number of pages that its sitemaps list.")]
    linked: Annotated[int, Meta(description="How many of them have translations.")]
    absent: Annotated[int, Meta(description="How many do not exist.")]
    not_indexable: Annotated[int, Meta(description="How many must not be indexed.")]
    other_language: Annotated[int, Meta(description="How many are in another language.")]


class ListedReport(Struct, frozen=True, kw_only=True):
    """The sitemap of a version."""

    folder: Annotated[str, Meta(description="The folder of the version.")]
    at_root: Annotated[bool, Meta(description="Whether the sitemap at `ROOT` lists it.")]
    pages: Annotated[int, Meta(description="The number of pages listed there, or else in its own sitemap.")]


class MergeReport(Report, frozen=True, kw_only=True):
    """What ``merge`` did, or would do. Without ``--retire``, no page changes."""

    languages: Annotated[tuple[LanguageReport, ...], Meta(description="The languages that were linked.")]
    x_default: Annotated[str | None, Meta(description="The default language, or the URL of the default page.")]
    clusters: Annotated[int, Meta(description="The number of pages that exist in several languages.")]
    links: Annotated[Counts, Meta(description="The number of links between translations.")]
    removed_links: Annotated[tuple[str, ...], Meta(description="Links that led to no listed page.")]
    ignored_links: Annotated[tuple[str, ...], Meta(description="Links that contradict others.")]
    listed: Annotated[tuple[ListedReport, ...], Meta(description="The sitemaps of the versions.")]
    left_out: Annotated[
        Mapping[str, int], Meta(description="The number of pages left out of the sitemap at `ROOT`, by reason.")
    ]
    files: Annotated[
        tuple[str, ...],
        Meta(description="The paths of its sitemaps, changed or not, and of `robots.txt` if that changed."),
    ]


def report_run(
    outcome: BranchOutcome | None,
    *,
    dry_run: bool,
    choice: Choice | None = None,
    retired: Retired | None = None,
    changed: Iterable[str] = (),
    changes: Iterable[PageChange] = (),
    problems: Iterable[str] = (),
) -> Report:
    """The report of a run that recognized these versions and retired some of their pages, as far as it did either."""
    folders = retired.folders if retired else ()
    pages = [page for each in folders for page in each.pages]
    return Report(
        dry_run=dry_run,
        branch=outcome.branch if outcome else None,
        commit=outcome.commit if outcome else None,
        pushed_to=outcome.remote if outcome else None,
        root_url=choice.versions.root_url if choice else None,
        versions=tuple(_report_versions(choice)) if choice else (),
        folders=tuple(report_folder(each.folder, [each]) for each in folders),
        missing_targets=retired.counts if retired else None,
        left_alone=tuple(UnretiredReport(path=page.path, why=page.left) for page in pages if page.left),
        not_editable=tuple(UnretiredReport(path=page.path, why=page.uneditable) for page in pages if page.uneditable),
        different=retired.different if retired else (),
        changed=tuple(dict.fromkeys([*(page.path for page in pages if page.is_changed), *changed])),
        changes=(*(retired.changes if retired else ()), *changes),
        remarks=(*choice.versions.left_out, *choice.versions.notes) if choice else (),
        dangers=tuple(_dangers_of(choice, retired)) if choice else (),
        problems=tuple(dict.fromkeys((*(retired.problems if retired else ()), *problems))),
    )


def _dangers_of(choice: Choice, retired: Retired | None) -> Iterator[str]:
    """What may keep search engines from showing the kept versions."""
    yield from choice.versions.dangers
    yield from choice.warnings
    if retired:
        yield from [count_dead(retired.counts)] if retired.counts and retired.counts.after else ()
        yield from retired.dangers


def count_dead(counts: Counts) -> str:
    """A sentence on canonical links to missing pages."""
    before = f" (before: {counts.before:,})" if counts.before != counts.after else ""
    end = "canonical link leads to a missing page" if counts.after == 1 else "canonical links lead to missing pages"
    return f"{counts.after:,} {end}{before}"


def conclude_run(
    report: Report,
    outcome: BranchOutcome | None,
    lines: Sequence[str],
    changes: Sequence[str],
    *,
    output: str,
    quiet: bool,
) -> None:
    """Print a report as JSON, or its ``lines``: if ``quiet``, at most the ``changes``, those on what would change.

    Problems go to standard error; exits with status 1 if there are some.
    """
    shown = [*lines, *(outcome.lines() if outcome else ())]
    if quiet:
        shown = [*changes] if report.dry_run else []
    if output == "json":
        say_json(to_builtins(report, enc_hook=str))
    else:
        say(*shown, *(f"danger: {danger}" for danger in report.dangers))
    say(*(f"problem: {problem}" for problem in report.problems), err=True)
    if report.problems:
        raise SystemExit(1)


def report_merge(report: Report, merged: Merge) -> MergeReport:
    """The report of a run of ``merge``, from what it has in common with that of ``retire``."""
    at_root = merged.versions
    remarks = (*report.remarks, *merged.notes, *(at_root.notes if at_root else ()))
    return MergeReport(
        **structs.asdict(report) | {"remarks": remarks},
        languages=tuple(map(report_language, merged.languages)),
        x_default=merged.x_default,
        clusters=merged.clusters,
        links=Counts(merged.before, merged.alternates),
        removed_links=merged.refuted,
        ignored_links=merged.conflicts,
        listed=tuple(_report_listed(at_root)) if at_root else (),
        left_out=Counter(each.reason for each in at_root.omitted) if at_root else {},
        files=tuple(file.path for file in merged.files if file.content is not None),
    )


def _report_versions(choice: Choice) -> Iterator[VersionReport]:
    for version in choice.versions.versions:
        kept = choice.in_language(version.language)
        is_canonical = version == kept.version
        yield VersionReport(
            name=version.name,
            folder=version.folder,
            language=version.language,
            stage=version.stage,
            aliases=tuple(AliasReport(folder=alias.folder, kind=alias.kind) for alias in version.aliases),
            known_by=version.known_by,
            is_kept=version in kept.versions,
            canonical_url=kept.base_url if is_canonical else None,
            reason=kept.reason if is_canonical else None,
        )


def report_folder(name: str, outcomes: Sequence[FolderOutcome]) -> FolderReport:
    """What was done with the pages in a folder, or in several that one line of a table stands for."""
    pages = [page for each in outcomes for page in each.pages]
    ends = Counter(page.end for page in pages)
    return FolderReport(
        folder=name,
        pages=sum(each.number for each in outcomes),
        changed=sum(page.is_changed for page in pages),
        to_kept=ends["to kept"],
        to_newest=ends["to newest"],
        to_itself=ends["to itself"],
        noindex=ends["noindex"],
        left_alone=sum(bool(page.left) for page in pages),
        not_editable=sum(bool(page.uneditable) for page in pages),
    )


def report_language(summary: LanguageSummary) -> LanguageReport:
    """What was found of a language and linked."""
    return LanguageReport(
        code=summary.language.code,
        folder=summary.language.folder,
        known_by=summary.language.known_by,
        listed=summary.listed,
        linked=summary.translated,
        absent=summary.absent,
        not_indexable=summary.closed,
        other_language=summary.foreign,
    )


def _report_listed(merged: MergedVersions) -> Iterator[ListedReport]:
    for place in merged.places:
        if place.folder:
            yield ListedReport(folder=place.folder, at_root=True, pages=merged.listed.get(place.folder, 0))
    for version, (number, _) in merged.others.items():
        yield ListedReport(folder=version.folder, at_root=False, pages=number)
