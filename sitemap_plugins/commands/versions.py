"""Shared by commands on versions: their options, and the recognized versions as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import click

from sitemap_plugins.commands.terminal import table
from sitemap_plugins.versions import Versions, version_rows

F = TypeVar("F", bound=Callable[..., object])


def describe_versions(versions: Versions) -> Iterator[str]:
    """The table of recognized versions, then warnings and remarks."""
    tree, choice = versions
    rows = version_rows(tree, choice)
    yield from table(rows, words=len(rows[0]))
    yield from (f"danger: {warning}" for warning in choice.warnings)
    yield from (f"note: {remark}" for remark in tree.remarks)


def version_options(command: F) -> F:
    """Add the options that tell where versions are and which of them is canonical."""
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
    return keep(layout(command))
