"""The command ``sitemap-plugins merge``: joins languages and versions that were built separately into one folder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

import click

from sitemap_plugins.commands.merge_description import describe
from sitemap_plugins.commands.target import Target, takes_target
from sitemap_plugins.commands.terminal import conclude, describe_changes, say
from sitemap_plugins.commands.versions import version_options
from sitemap_plugins.merge import LanguageError, LanguageFolder, Merge, MergeError, VersionsMerge, merge_folder
from sitemap_plugins.options import XDefault, parse_code

_MAX_VERSIONS: Final = 100_000


def _read_x_default(context: click.Context, parameter: click.Parameter, value: str | None) -> XDefault | None:
    if value is None:
        return None
    if value == "none":
        return XDefault.parse(False)  # noqa: FBT003  # as authors write it in the option
    try:
        return XDefault.parse(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}; write the path of a page with a slash, or none for no default") from None


def _read_languages(
    context: click.Context,
    parameter: click.Parameter,
    values: Iterable[str],
) -> list[LanguageFolder]:
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
    if value in {"canonical", "all"}:
        return 0 if value == "canonical" else None
    name, _, number = value.partition(":")
    if name != "newest" or not number.isdecimal() or not number.isascii() or not 0 < int(number[:6]) <= _MAX_VERSIONS:
        raise click.BadParameter(f"{value!r} is not canonical, newest:N (N is 1 or more) or all")
    return int(number[:6])


@click.command("merge")
@takes_target
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
@click.option("--pattern", default="sitemap*.xml", show_default=True, help="The file names of the sitemaps, as a glob.")
@click.option("--dry-run", is_flag=True, help="Show what would change without writing anything.")
def merge_command(
    target: Target,
    languages: list[LanguageFolder],
    x_default: XDefault | None,
    layout: str | None,
    keep: Sequence[str],
    newest: int | None,
    pattern: str,
    *,
    with_removed: bool,
    dry_run: bool,
) -> None:
    """Combine languages and versions that were built separately and are published below ROOT.

    Languages: reads the sitemaps in ROOT and its folders, and adds links between pages that are translations of each
    other: pages with the same path in the folders of two languages, and pages that link to each other in their
    sitemaps. Only pages that exist and may be indexed are linked, always in both directions.

    Versions: writes a sitemap at ROOT that lists the pages of the canonical version, the one that search engines should
    show, and announces it in robots.txt if ROOT is the root of a host. Languages are linked within that version. The
    sitemaps of other versions are unchanged and not announced.

    Merging again changes nothing.
    """

    def write(root: str) -> tuple[Merge | VersionsMerge, list[str]]:
        try:
            return merge_folder(
                root,
                languages,
                x_default,
                layout=layout,
                keep=keep,
                newest=newest,
                with_removed=with_removed,
                pattern=pattern,
                dry_run=dry_run,
            )
        except MergeError as error:
            say(*(f"problem: {problem}" for problem in error.problems), err=True)
            raise

    errors = {LanguageError: "'--language'", MergeError: None}
    (merged, changed), about_branch = target.work(write, "Update the sitemaps", dry_run=dry_run, errors=errors)
    conclude([*describe(merged), describe_changes(changed, dry_run=dry_run), *about_branch], merged.problems)
