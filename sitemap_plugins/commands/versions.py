"""Shared by commands on versions: their options, and a table of the recognized versions with the evidence for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import click

from sitemap_plugins.commands.base_url import read_base_url
from sitemap_plugins.commands.terminal import first_of, table
from sitemap_plugins.versions import Choice, Kept, Version, Versions, VersionTree

F = TypeVar("F", bound=Callable[..., object])

_LEFT_OUT: Final = 10
_HEADINGS: Final = ("version", "language", "folder", "aliases", "stage", "known by", "canonical")


def describe_versions(versions: Versions) -> Iterator[str]:
    """The table of recognized versions, what looks like a version and is none, and remarks."""
    tree, choice = versions
    rows = version_rows(tree, choice)
    yield from table(rows, words=len(rows[0]))
    yield from first_of([f"left out: {each}" for each in tree.left_out], _LEFT_OUT)
    yield from (f"note: {remark}" for remark in tree.remarks)


def dangers_of(versions: Versions) -> tuple[str, ...]:
    """What may keep search engines from showing the kept versions."""
    return (*versions.tree.dangers, *versions.choice.warnings)


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
    base_url = click.option(
        "--base-url",
        metavar="URL",
        callback=read_base_url,
        help="Where ROOT is published. Default: according to the canonical links and sitemaps of the versions.",
    )
    return keep(layout(base_url(command)))


def version_rows(tree: VersionTree, choice: Choice) -> list[tuple[str, ...]]:
    """The rows of the table, headings first, without empty columns. Their text is not made printable."""
    rows = [_HEADINGS, *_rows(tree, choice)]
    filled = [any(column[1:]) for column in zip(*rows, strict=True)]
    return [tuple(cell for cell, is_filled in zip(row, filled, strict=True) if is_filled) for row in rows]


def _rows(tree: VersionTree, choice: Choice) -> Iterator[tuple[str, ...]]:
    for version in tree.versions:
        kept = choice.in_language(version.language)
        yield (
            _shown_name(version),
            version.language or "",
            version.folder or ".",
            ", ".join(f"{alias.name} ({alias.kind})" for alias in version.aliases),
            version.stage,
            ", ".join(version.evidence),
            _role(version, kept),
        )
    site = tree.root_site
    if site and not any(version.folder == "" for version in tree.versions):
        kind = "a Material site" if site.is_material else "a site"
        what = kind if site.leads_to is None else f"redirects to {site.leads_to}/"
        yield ("(no version)", "", ".", "", what, "home page", "")


def _shown_name(version: Version) -> str:
    return version.name if version.written in {"", version.name} else f"{version.name} = {version.written}"


def _role(version: Version, kept: Kept) -> str:
    if version == kept.version:
        return f"{kept.base_url or 'kept, URL unknown'} ({kept.reason})"
    return "kept (--keep)" if version in kept.others else ""
