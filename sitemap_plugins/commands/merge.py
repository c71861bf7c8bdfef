"""The command ``sitemap-plugins merge``: joins languages and versions that were built separately into one folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import unquote

import click
from msgspec.structs import astuple

from sitemap_plugins.commands.retire import describe_retired
from sitemap_plugins.commands.root import Root, takes_root
from sitemap_plugins.commands.shared_options import examples
from sitemap_plugins.commands.terminal import describe_changes, say, screen_width
from sitemap_plugins.commands.versions import (
    conclude_run,
    describe_versions,
    report_language,
    report_merge,
    report_run,
    run_options,
    shown_versions,
    version_options,
)
from sitemap_plugins.merge.folder import merge_folder
from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge
from sitemap_plugins.merge.reading import MergeError
from sitemap_plugins.merge.root import MergedVersions, explain_omitted
from sitemap_plugins.options.types import XDefault, parse_code
from sitemap_plugins.retire.plan import Retired
from sitemap_plugins.retire.retiring import retire
from sitemap_plugins.values.tasks import Track
from sitemap_plugins.values.text import count_of, first_of, table

_EXAMPLES: Final = 5
_HEADINGS: Final = ("language", "folder", "known by", "listed", "linked", "absent", "not indexable", "other lang")
_WORDS: Final = 3  # the first columns are text, the others are numbers


def _read_x_default(context: click.Context, parameter: click.Parameter, value: str | None) -> XDefault | None:
    if value is None:
        return None
    if value == "none":
        return XDefault.parse(False)  # noqa: FBT003  # as authors write it in the option
    try:
        return XDefault.parse(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}; write the path of a page with a slash, or none for no default") from None


def _read_languages(context: click.Context, parameter: click.Parameter, values: Iterable[str]) -> list[LanguageFolder]:
    found: dict[str, LanguageFolder] = {}
    for value in values:
        name, equals, folder = value.partition("=")
        path = PurePosixPath(folder.replace("\\", "/"))
        if not equals or not folder or path.is_absolute() or ".." in path.parts:
            raise click.BadParameter(
                f"{value!r} is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"
            )
        try:
            code = parse_code(name)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
        key = "" if path == PurePosixPath(".") else path.as_posix()
        if key in found or any(each.code == code for each in found.values()):
            raise click.BadParameter(f"{code} or {path} is named twice")
        found[key] = LanguageFolder(folder=key, code=code, known_by="--language", mapped=True)
    return [*found.values()]


def _read_policy(context: click.Context, parameter: click.Parameter, value: str) -> int | None:
    """The number of newest releases to list besides the kept version; None for all versions."""
    found = re.fullmatch(r"canonical|all|newest:([1-9]\d{0,8})", value, re.ASCII)
    if found is None:
        raise click.BadParameter(f"{value!r} is not canonical, newest:N (N is 1 or more) or all")
    return int(found[1]) if found[1] else 0 if value == "canonical" else None


@click.command(
    "merge",
    epilog=examples(
        "sitemap-plugins merge site/",
        "sitemap-plugins merge site/ --language en=. --language fr=fr --dry-run",
        "sitemap-plugins merge --branch gh-pages --push",
    ),
)
@takes_root("root")
@click.option(
    "--language",
    "languages",
    multiple=True,
    metavar="CODE=FOLDER",
    callback=_read_languages,
    help="A language and its folder below ROOT (. is ROOT). Repeat it for each language; only these are linked. "
    "Default: the languages recognized by folder names and the pages in them.",
)
@click.option(
    "--x-default",
    metavar="CODE|PATH|none",
    callback=_read_x_default,
    help="The language for readers whose own language is not available, or the page where they choose one. "
    "Default: the one in the sitemaps, else the language at ROOT.",
)
@version_options
@click.option(
    "--versions",
    "newest",
    default="canonical",
    show_default=True,
    metavar="POLICY",
    callback=_read_policy,
    help="Which versions the sitemap at ROOT lists: canonical (only the one that search engines should show), "
    "newest:N (also the newest N releases) or all (also pre-releases and development versions).",
)
@click.option(
    "--with-removed",
    is_flag=True,
    help="Also list pages that only older releases have, each from the newest release that has it.",
)
@click.option(
    "--retire",
    "with_retire",
    is_flag=True,
    help="First point the pages of old versions at the canonical one, as sitemap-plugins retire does.",
)
@run_options
@click.option("--pattern", default="sitemap*.xml", show_default=True, help="The file names of the sitemaps, as a glob.")
@click.option("--dry-run", is_flag=True, help="Show what would change without writing anything.")
def merge_command(
    root: Root,
    languages: list[LanguageFolder],
    x_default: XDefault | None,
    newest: int | None,
    max_changes: int | None,
    pattern: str,
    output: str,
    *,
    show_all: bool,
    quiet: bool,
    with_removed: bool,
    with_retire: bool,
    force: bool,
    dry_run: bool,
    **versions: Any,
) -> None:
    """Combine languages and versions that were built separately and are published below ROOT.

    Languages: reads the sitemaps in ROOT and its folders, and adds links between pages that are translations of each
    other: pages with the same path in the folders of two languages, and pages that link to each other in their
    sitemaps. Only pages that exist and may be indexed are linked, always in both directions. If ROOT is the root of a
    host, robots.txt announces the sitemaps.

    Versions: writes a sitemap at ROOT that lists the pages of the canonical version, the one that search engines should
    show, and announces it in robots.txt if ROOT is the root of a host. Languages are linked within that version. The
    sitemaps of other versions are unchanged and not announced.

    Merging again changes nothing.
    """
    if not with_retire and (max_changes is not None or force):
        raise click.UsageError("--max-changes and --force are about the pages that --retire changes; add --retire")

    def act(folder: str, track: Track) -> tuple[Retired | None, Merge, list[str]]:
        merge = partial(
            merge_folder,
            folder,
            languages,
            x_default,
            newest=newest,
            with_removed=with_removed,
            pattern=pattern,
            track=track,
            building=root.building,
            **versions,
        )
        if not with_retire:
            return None, *merge(dry_run=dry_run)
        expected = merge(before_retire=True, dry_run=True)  # what it refuses must be known before pages change
        retired = retire(folder, force=force, max_changes=max_changes, dry_run=dry_run, track=track, **versions)
        return retired, *(expected if dry_run else merge())

    message = "Retire the pages of old versions and update the sitemaps" if with_retire else "Update the sitemaps"
    try:
        (retired, merged, changed), outcome = root.work(act, message, dry_run=dry_run, quiet=quiet)
    except MergeError as error:
        say(*(f"problem: {problem}" for problem in error.problems), err=True)
        raise
    choice = merged.versions.choice if merged.versions else None
    report = report_run(
        outcome, dry_run=dry_run, choice=choice, retired=retired, changed=changed, problems=merged.problems
    )
    change = describe_changes(changed, dry_run=dry_run)
    about_pages = [*describe_retired(retired, show_all=show_all, dry_run=dry_run)] if retired else []
    lines = [*_describe(merged, about_pages, show_all=show_all), change]
    changes = [*about_pages[-1:], change]
    conclude_run(report_merge(report, merged), outcome, lines, changes, output=output, quiet=quiet)


def _describe(merged: Merge, about_pages: Sequence[str], *, show_all: bool) -> Iterator[str]:
    """All lines on the result, except on changed sitemaps, problems and dangers."""
    if merged.versions is None:
        yield from _describe_languages(merged)
        return
    yield from describe_versions(merged.versions.choice, show_all=show_all)
    yield from ("", *about_pages, "") if about_pages else ()
    # A single language is not worth a table: it may even be a version, such as "stable".
    yield from _describe_languages(merged) if len(merged.languages) > 1 else ()
    yield from _describe_root(merged.versions, show_all=show_all)


def _describe_languages(merged: Merge) -> list[str]:
    """The table of languages, then sentences on links, translations and conflicts."""
    rows = (astuple(report_language(each)) for each in merged.languages)
    shown = [(code, folder or ".", *map(str, rest)) for code, folder, *rest in rows]
    lines = table([_HEADINGS, *shown], words=_WORDS, width=screen_width(), has_headings=True) if shown else []
    lines.append(
        f"pages in several languages: {merged.clusters}; links: {merged.alternates} (before: {merged.before}); "
        f"x-default: {merged.x_default or 'none'}"
    )
    if merged.declared:
        lines.append(f"declared translations on other sites (not checked): {merged.declared}")
    if merged.refuted:
        lines.append(f"links removed because they led to no listed page: {len(merged.refuted)}")
        lines += first_of([f"  {each}" for each in merged.refuted], _EXAMPLES)
    if merged.conflicts:
        lines.append(f"links ignored because they contradict others: {len(merged.conflicts)}")
        lines += first_of([f"  {each}" for each in merged.conflicts], _EXAMPLES)
    return [*lines, *(f"note: {note}" for note in merged.notes)]


def _describe_root(merged: MergedVersions, *, show_all: bool) -> Iterator[str]:
    """Lines on what is listed at the root and what is not. Each version is called as in its URLs (``stable``)."""
    for place in merged.places:
        if place.folder:
            removed = " that no newer version has" if place.only_removed else ""
            number = merged.listed.get(place.folder, 0)
            url = place.base_url.removeprefix(merged.choice.versions.root_url or "")
            name = unquote(url).rstrip("/") or place.folder
            yield f"{name}: {count_of(number, 'page')}{removed} listed at the root"
    shown = merged.others if show_all else shown_versions(merged.choice)
    for version, (listed, absent) in merged.others.items():
        if version in shown:
            own = f"{count_of(listed, 'page')} in its own sitemap{_missing(absent)}"
            yield f"{version.folder or '.'}: {own}; not announced"
    if rest := [numbers for version, numbers in merged.others.items() if version not in shown]:
        listed, absent = map(sum, zip(*rest, strict=True))
        yield (
            f"{count_of(len(rest), 'more version')}: {count_of(listed, 'page')} in their own sitemaps"
            f"{_missing(absent)}; not announced"
        )
    if merged.omitted:
        yield f"left out: {len(merged.omitted)}{explain_omitted(merged.omitted)}"
    if merged.absent:
        yield f"listed by the versions but missing: {merged.absent}"
    yield from (f"note: {note}" for note in merged.notes)


def _missing(absent: int) -> str:
    return f", {absent} of which do not exist" if absent else ""
