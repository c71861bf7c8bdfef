"""The folder that a command works on: on disk, or with ``--branch`` in that branch, without a checkout."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path, PurePosixPath
from typing import Any, Final, TypeVar

import click
import msgspec
from click.shell_completion import CompletionItem

from sitemap_plugins.commands.terminal import ProgressBar
from sitemap_plugins.git.branches import BranchError, branches_of, remotes_of
from sitemap_plugins.git.changing import change_branch
from sitemap_plugins.values.tasks import ExplainedError, Track

_SHORT: Final = 10  # characters of a commit's id

T = TypeVar("T")


class BranchOutcome(msgspec.Struct, frozen=True):
    """The new commit on the branch, None if nothing changed, and the remote that has it, None if nothing was pushed.

    ``has_moved`` tells whether others changed the branch meanwhile, here or on the remote.
    """

    branch: str
    commit: str | None
    remote: str | None
    has_moved: bool

    def lines(self) -> list[str]:
        """What was done, in lines to print."""
        moved = [f"{self.branch} now also has newer commits of others"] if self.has_moved else []
        commit = f"committed to {self.branch}: {self.commit[:_SHORT]}" if self.commit else ""
        pushed = [f"pushed {self.branch} to {self.remote}"] if self.remote else []
        return [*moved, commit or f"nothing to commit to {self.branch}", *pushed]


class Root(msgspec.Struct, frozen=True):
    """The folder that a command works on, empty if none is named: on disk, or within a ``branch`` to change.

    ``message`` is that of the commit, empty for that of the command. ``remote`` is where the branch is pushed: None
    means nowhere, an empty string where git pushes it by default.
    """

    folder: str
    branch: str | None = None
    message: str = ""
    remote: str | None = None

    def work(
        self, act: Callable[[str, Track], T], message: str, *, dry_run: bool, quiet: bool
    ) -> tuple[T, BranchOutcome | None]:
        """Call ``act`` with the folder, and commit its changes to the branch, by default with this message.

        A progress bar is shown meanwhile, unless ``quiet``; ``act`` tracks its loops with its second argument. Returns
        the result of ``act``, and what was done with the branch, if anything. If the branch moves meanwhile, ``act`` is
        called again for the new files, so it must not print anything. Raises `BranchError`, and the errors of ``act``.
        """
        branch = self.branch
        if not self.folder and branch is None:
            hint = "Name the folder, or a branch with --branch."
            raise click.MissingParameter(hint, param_hint="'ROOT'", param_type="argument")
        copies: list[str] = []
        bar = ProgressBar(f"reading {branch or 'the site'}", quiet=quiet)
        with bar:
            if branch is None:
                return act(self.folder, bar.track), None
            changed = change_branch(
                os.getcwd(),
                branch,
                lambda copy: self._act_in(copy, copies, branch, act, bar.track),
                self.message or message,
                remote=self.remote,
                dry_run=dry_run,
                before_push=bar.stop,
            )
        outcome = BranchOutcome(branch, changed.commit, changed.remote, len(copies) > 1)
        return changed.result, None if dry_run else outcome

    def _act_in(self, copy: str, copies: list[str], branch: str, act: Callable[[str, Track], T], track: Track) -> T:
        """Call ``act`` with the folder in a copy of the branch, which messages call by the name of the branch."""
        copies.append(copy)
        path = PurePosixPath(self.folder.replace(os.sep, "/"))
        place = os.path.join(copy, *path.parts)
        is_elsewhere = path.is_absolute() or ".." in path.parts or bool(os.path.splitdrive(self.folder)[0])
        if is_elsewhere or not os.path.isdir(place):
            raise click.BadParameter(f"there is no folder {self.folder} in {branch}")
        try:
            return act(place, track)
        except ExplainedError as error:
            error.args = (str(error).replace(copy, branch),)
            raise
        except OSError as error:
            error.filename = str(error.filename or branch).replace(copy, branch)
            raise

    def building(self, folder: str) -> str:
        """The command that writes the sitemap of the version in a folder below this one."""
        branch = ["--branch", self.branch] if self.branch else []
        return shlex.join(["sitemap-plugins", "build", str(Path(self.folder, folder)), *branch])


class Folder(click.Path):
    """The type of an argument that is a folder on the disk, or with ``--branch`` in that branch."""

    def __init__(self) -> None:
        super().__init__(exists=True, file_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder as given, which exists if it is on the disk."""
        if ctx and isinstance(ctx.params.get("branch"), str):  # else None, or click's sign for a value not given
            return value
        return super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Folders on the disk."""
        return [] if ctx.params.get("branch") else super().shell_complete(ctx, param, incomplete)


def takes_root(argument: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command this argument and options about a branch, called as those of mike, as its parameter ``root``."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @click.argument(argument, required=False, type=Folder())
        @click.option(
            "--branch",
            "-b",
            metavar="NAME",
            is_eager=True,
            shell_complete=lambda _context, _option, start: _starting(start, branches_of),
            help="Work on a local branch of the current repository, such as gh-pages, without checking it out, and "
            "commit the changes to it. The argument is then a folder in the branch, by default its top level.",
        )
        @click.option("--message", "-m", metavar="TEXT", help="With --branch: the message of the commit.")
        @click.option(
            "--push",
            "-p",
            is_flag=True,
            help="With --branch: also push the branch, never with force. This trusts the remote, the SSH command and "
            "the credential helpers of the clone, as git push does; do not use it in a clone from a stranger.",
        )
        @click.option(
            "--remote",
            "-r",
            metavar="REMOTE",
            shell_complete=lambda _context, _option, start: _starting(start, remotes_of),
            help="With --push: the remote to push to. Default: the one that git would use.",
        )
        @wraps(command)
        def run(
            *arguments: Any, branch: str | None, message: str | None, push: bool, remote: str | None, **options: Any
        ) -> None:
            if remote is not None and not push:
                raise click.UsageError("--remote is where --push pushes the branch; add --push")
            if branch is None and (push or message is not None):
                raise click.UsageError(f"{'--push' if push else '--message'} works only with a branch; add --branch")
            root = Root(options.pop(argument) or "", branch, message or "", (remote or "") if push else None)
            command(*arguments, root=root, **options)

        return run

    return decorate


def _starting(incomplete: str, names_in: Callable[[str], list[str]]) -> list[CompletionItem]:
    """The names in the repository of the current folder that start so; none if there is none, or no folder any more."""
    with suppress(BranchError, OSError):
        return [CompletionItem(name) for name in names_in(os.getcwd()) if name.startswith(incomplete)]
    return []
