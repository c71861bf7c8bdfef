"""Shared by commands on versions: their options, and a table of the recognized versions with what each is known by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import click

from sitemap_plugins.commands.shared_options import base_url_option, format_option
from sitemap_plugins.commands.terminal import screen_width
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
        help="Refuse to change more pages of old versions than this.",
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
