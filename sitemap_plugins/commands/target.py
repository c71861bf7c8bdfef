"""The folder that a command works on: on disk, or with ``--branch`` in that branch, without a checkout."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

import click
import msgspec

from sitemap_plugins.git.branches import BranchError
from sitemap_plugins.git.changing import change_branch
from sitemap_plugins.output.writing import WriteError
from sitemap_plugins.retire import RetireError
from sitemap_plugins.versions import NoVersionsError, PatternError, RedirectedError, UnknownVersionError

Errors: TypeAlias = Mapping[type[Exception], str | None]

_FOLDER: Final = click.Path(exists=True, file_okay=False)
_SHORT: Final = 10  # characters of a commit's id
_HINT: Final = "'ROOT'"
# Each error of what all commands call, and the option that it is about, if any.
_OPTIONS: Final[Errors] = {
    NoVersionsError: None,
    PatternError: "--layout",
    RedirectedError: None,
    UnknownVersionError: "--keep",
    RetireError: None,
    WriteError: None,
}

T = TypeVar("T")


class Target(msgspec.Struct, frozen=True):
    """The folder ``root``, on disk or within a branch.

    ``remote`` is where the branch is pushed: None means nowhere, an empty string where git pushes it by default.
    """

    root: str
    branch: str | None
    remote: str | None

    def work(
        self, act: Callable[[str], T], message: str, *, dry_run: bool, errors: Errors = MappingProxyType({})
    ) -> tuple[T, list[str]]:
        """Call ``act`` with the folder, and commit its changes to the branch with this message.

        Returns the result of ``act``, and lines about the branch to print. If the branch moves meanwhile, ``act`` is
        called again for the new files, so it should not print anything. ``errors`` are its own errors, each with the
        option that it is about, if any. Raises `click.ClickException`.
        """
        if self.branch is None:
            with _as_click_errors(self.root, errors):
                return act(self.root), []

        def act_on(folder: str) -> T:
            try:
                with _as_click_errors(place := _folder_in(folder, self.root), errors):
                    return act(place)
            except click.ClickException as error:
                error.message = error.message.replace(folder, self.branch or "")  # type: ignore[misc]  # as in `readable_errors`
                raise

        try:
            changed = change_branch(os.getcwd(), self.branch, act_on, message, remote=self.remote, dry_run=dry_run)
        except BranchError as error:
            raise click.ClickException(str(error)) from None
        return changed.result, [] if dry_run else _outcome(self.branch, changed.commit, changed.remote)


@contextmanager
def _as_click_errors(root: str, errors: Errors) -> Iterator[None]:
    """Turn the errors of what a command calls into `click.ClickException`."""
    options = {**_OPTIONS, **errors}
    try:
        yield
    except tuple(options) as error:
        if option := options[type(error)]:
            raise click.BadParameter(str(error), param_hint=option) from None
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or root}: {error.strerror or error}") from None


def takes_target(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument ROOT and the options ``--branch`` and ``--push``, as its parameter ``target``."""

    @click.argument("root", required=False)
    @click.option(
        "--branch",
        metavar="NAME",
        help="Work on a local branch of the current repository, such as gh-pages, without checking it out, and commit "
        "the changes to it. ROOT is then a folder in the branch, by default its top level.",
    )
    @click.option(
        "--push",
        "remote",
        is_flag=False,
        flag_value="",
        metavar="[REMOTE]",
        help="With --branch: also push the branch (never force-pushes).",
    )
    @wraps(command)
    def run(*arguments: Any, root: str | None, branch: str | None, remote: str | None, **options: Any) -> None:
        command(*arguments, target=_target(root, branch, remote), **options)

    return run


def _target(root: str | None, branch: str | None, remote: str | None) -> Target:
    if branch is None:
        if remote is not None:
            raise click.UsageError("--push works only with a branch; add --branch")
        if root is None:
            raise click.MissingParameter(param_hint=_HINT, param_type="argument")
        try:
            return Target(str(_FOLDER.convert(root, None, click.get_current_context())), None, None)
        except click.BadParameter as error:
            raise click.BadParameter(error.message, param_hint=_HINT) from None
    return Target(root or ".", branch, remote)


def _folder_in(folder: str, root: str) -> str:
    """The folder ROOT in another folder. Raises `click.BadParameter` if there is none."""
    path = PurePosixPath(root.replace(os.sep, "/"))
    place = os.path.join(folder, *path.parts)
    is_elsewhere = path.is_absolute() or ".." in path.parts or bool(os.path.splitdrive(root)[0])
    if is_elsewhere or not os.path.isdir(place):
        raise click.BadParameter(f"there is no folder {root} in {folder}", param_hint=_HINT)
    return place


def _outcome(branch: str, commit: str | None, remote: str | None) -> list[str]:
    lines = [f"committed to {branch}: {commit[:_SHORT]}" if commit else f"nothing to commit to {branch}"]
    return [*lines, f"pushed {branch} to {remote}"] if remote else lines
