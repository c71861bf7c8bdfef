"""Shared by commands on versions: their options, and the recognized versions as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from sitemap_plugins.commands.terminal import table

if TYPE_CHECKING:
    from sitemap_plugins.versions import Choice, VersionTree

F = TypeVar("F", bound=Callable[..., object])


class Versions(NamedTuple):
    """The versions below a root, and which of them are kept."""

    tree: VersionTree
    choice: Choice

    def lines(self) -> Iterator[str]:
        """The table of recognized versions, then warnings and remarks."""
        from sitemap_plugins.versions import version_rows

        rows = version_rows(self.tree, self.choice)
        yield from table(rows, words=len(rows[0]))
        yield from (f"danger: {warning}" for warning in self.choice.warnings)
        yield from (f"note: {remark}" for remark in self.tree.remarks)


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


def read_versions(root: Path, layout: str | None, keep: Sequence[str]) -> Versions | None:
    """The versions below ROOT; None if there are none. Raises `click.ClickException` and OSError."""
    from sitemap_plugins.versions import PatternError, UnknownVersionError, choose_kept, recognize

    try:
        tree = recognize(root, layout)
    except PatternError as error:
        raise click.BadParameter(f"{layout!r} {error}", param_hint="--layout") from None
    if not tree.versions:
        if layout is not None or keep:
            raise no_versions(root)
        return None
    try:
        return Versions(tree, choose_kept(tree, keep))
    except UnknownVersionError as error:
        raise click.BadParameter(str(error), param_hint="--keep") from None


def no_versions(root: str | Path) -> click.ClickException:
    """The error of a command that needs versions, if there are none."""
    return click.ClickException(
        f"no versions were found below {root}: run the command on the folder above them, or set --layout"
    )
