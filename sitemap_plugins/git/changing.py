"""Changes a branch without a checkout, again on top of what others have committed meanwhile, and pushes it if asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Final, Generic, NamedTuple, TypeVar

from sitemap_plugins.git.branches import (
    BranchError,
    MovedError,
    ask,
    commit_changes,
    explain,
    export_branch,
    find_branch,
    move_branch,
    query,
    remotes_of,
)
from sitemap_plugins.values.text import join_words, short_repr

_ATTEMPTS: Final = 4
_DEFAULT: Final = "origin"

T = TypeVar("T")


class Changed(NamedTuple, Generic[T]):
    """What was made of a branch: what the change returned, the new commit, and the remote that has it.

    ``commit`` is None where nothing changed, ``remote`` where nothing was pushed.
    """

    result: T
    commit: str | None
    remote: str | None


def change_branch(
    directory: str,
    branch: str,
    change: Callable[[str], T],
    message: str,
    *,
    remote: str | None = None,
    dry_run: bool = False,
) -> Changed[T]:
    """Give a folder with the files of a local branch to ``change``, and commit what it changes there.

    ``directory`` is a folder in the clone. With a ``remote`` (empty for the one that git would take) the branch is
    pushed too, even if there was nothing to commit. If the branch has moved meanwhile, here or there, all is done again
    on top of the new tip, at most four times; nothing is ever forced. With ``dry_run`` nothing is committed or pushed.
    Raises `BranchError`, and whatever ``change`` raises: then the branch is as it was.
    """
    if remote is not None:
        remote = _find_remote(directory, branch, remote)
    for _ in range(_ATTEMPTS):
        with _temporary_folder() as folder:
            tree = export_branch(directory, branch, folder)
            result = change(folder)
            if dry_run:
                return Changed(result, None, None)
            try:
                commit = commit_changes(tree, message)
            except MovedError:
                continue
        if remote is None or not (refusal := _push(directory, branch, remote)):
            return Changed(result, commit, remote)
        _follow(directory, branch, remote, refusal, (tree.commit, commit or tree.commit))
    raise BranchError(f"others have changed {branch} each time before this change was done; run the command again")


def _temporary_folder() -> TemporaryDirectory[str]:
    try:
        return TemporaryDirectory(prefix="sitemap-plugins-")
    except OSError as error:
        why = error.strerror or error
        raise BranchError(f"no temporary folder can be made: {why}; set TMPDIR to a folder where it can") from None


def _find_remote(directory: str, branch: str, name: str) -> str:
    """The remote of that name, else the one where git would push the branch. Raises `BranchError`."""
    tip = find_branch(directory, branch)
    remotes = remotes_of(directory)
    remote = name or tip.remote or _DEFAULT
    if remote in remotes:
        return remote
    known = f"the remotes are {join_words(remotes)}" if remotes else "the repository has no remote"
    raise BranchError(f"there is no remote {short_repr(remote)} to push {branch} to; {known}")


def _push(directory: str, branch: str, remote: str) -> str:
    """Push a branch as it is, without force; returns why the remote refuses it, if it does.

    Raises `BranchError` if the remote was not reached.
    """
    refspec = f"refs/heads/{branch}:refs/heads/{branch}"
    options = ("--porcelain", "--no-force", "--no-follow-tags", "--recurse-submodules=no")
    pushed = query(directory, "push", *options, "--", remote, refspec, online=True)
    if not pushed.error:
        return ""
    refused = [line for line in pushed.stdout.decode(errors="replace").splitlines() if line.startswith("!")]
    why = refused[0].split("\t")[-1] if refused else explain(pushed.error, directory)
    failure = f"{branch} has its commits here, but was not pushed to {remote}: {why}"
    if not refused:
        raise BranchError(failure)
    return failure


def _follow(directory: str, branch: str, remote: str, refusal: str, ours: tuple[str, str]) -> None:
    """Have the branch where the remote has it; ``ours`` are where it was before this change, and after it.

    The commit of this change is dropped, since it is made again. Raises `BranchError` if the remote has nothing new,
    and if there are other commits that it has not.
    """
    before, after = ours
    options = ("--quiet", "--no-tags", "--no-prune", "--recurse-submodules=no", "--no-auto-maintenance")
    fetched = query(directory, "fetch", *options, "--", remote, f"refs/heads/{branch}", online=True)
    tip = ask(directory, "rev-parse", "FETCH_HEAD^{commit}") if not fetched.error else after
    if _is_ancestor(directory, tip, after):
        raise BranchError(refusal)
    if not _is_ancestor(directory, before, tip):
        raise BranchError(
            f"{branch} has commits here that {remote} has not, and {remote} has others; nothing was pushed. To drop "
            f"those that are only here: git fetch {remote} +{branch}:{branch}; then do again what made them"
        )
    with suppress(MovedError):  # the next attempt begins where it is then
        move_branch(directory, branch, tip, after, f"as on {remote}")


def _is_ancestor(directory: str, older: str, newer: str) -> bool:
    return not query(directory, "merge-base", "--is-ancestor", older, newer).error
