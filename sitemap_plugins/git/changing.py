"""Change a branch without a checkout, try again if others commit to it meanwhile, and push it on request."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Final, Generic, TypeVar

import msgspec

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
from sitemap_plugins.values.text import join_words, one_line, short_repr

_ATTEMPTS: Final = 4
_SHOWN: Final = 1000  # characters of what the remote says
_DEFAULT: Final = "origin"

T = TypeVar("T")


class Changed(msgspec.Struct, Generic[T], frozen=True):
    """The result of changing a branch: what the change returned, the new commit, and the remote that has it.

    ``commit`` is None if nothing changed, ``remote`` if nothing was pushed, as the remote already had all commits.
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
    before_push: Callable[[], object] = lambda: None,
) -> Changed[T]:
    """Let ``change`` edit a folder with the files of a local branch, and commit its changes to the branch.

    ``directory`` is a folder in the clone. With a ``remote`` (empty for the one that git would use), the branch is
    pushed too, even if there was nothing to commit. If the branch has moved meanwhile, here or on the remote,
    everything is repeated on top of the new tip, in at most four attempts; nothing is ever forced. With ``dry_run``,
    nothing is committed or pushed. ``before_push`` is called before git may ask for a password. Raises `BranchError`,
    and any exception of ``change``, which leaves the branch as it was.
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
        if remote is None:
            return Changed(result, commit, None)
        before_push()
        is_new, failure = _push(directory, branch, remote)
        if not failure:
            return Changed(result, commit, remote if is_new else None)
        _move_to_remote(directory, branch, remote, failure, (tree.commit, commit or tree.commit))
    raise BranchError(f"others changed {branch} during each attempt; run the command again")


def _temporary_folder() -> TemporaryDirectory[str]:
    try:
        return TemporaryDirectory(prefix="sitemap-plugins-")
    except OSError as error:
        why = error.strerror or error
        raise BranchError(f"no temporary folder can be created: {why}; set TMPDIR to a writable folder") from None


def _find_remote(directory: str, branch: str, name: str) -> str:
    """The remote with this name, or the one to which git would push the branch. Raises `BranchError`."""
    tip = find_branch(directory, branch)
    remotes = remotes_of(directory)
    remote = name or tip.remote or _DEFAULT
    if remote in remotes:
        return remote
    known = f"the remotes are {join_words(remotes)}" if remotes else "the repository has no remote"
    raise BranchError(f"there is no remote {short_repr(remote)} to push {branch} to; {known}")


def _push(directory: str, branch: str, remote: str) -> tuple[bool, str]:
    """Push a branch without force; return whether the remote lacked it, and why it refuses it, or an empty string.

    Raises `BranchError` if the remote was not reached.
    """
    refspec = f"refs/heads/{branch}:refs/heads/{branch}"
    # No configuration may start another program (push.gpgSign, remote.NAME.receivepack).
    options = (
        "--porcelain", "--no-force", "--no-follow-tags", "--no-signed", "--recurse-submodules=no",
        "--receive-pack=git-receive-pack",
    )  # fmt: skip
    pushed = query(directory, "push", *options, "--", remote, refspec, online=True)
    lines = pushed.stdout.decode(errors="replace").splitlines()
    if not pushed.error:
        return not any(line.startswith("=") for line in lines), ""
    refused = [line for line in lines if line.startswith("!")]
    why = refused[0].split("\t")[-1] if refused else explain(pushed.error, directory)
    if words := [line.partition(":")[2] for line in pushed.error.splitlines() if line.startswith("remote:")]:
        why = f"{why}; {remote} said: {one_line(' '.join(words), _SHOWN)}"
    failure = f"{branch} has its commits in this clone, but was not pushed to {remote}: {why}"
    if not refused:
        raise BranchError(failure)
    return True, failure


def _move_to_remote(directory: str, branch: str, remote: str, failure: str, ours: tuple[str, str]) -> None:
    """Move the branch to where it is on the remote; ``ours`` are its commits before and after this change.

    This drops the commit of this change, which the next attempt makes again. Raises `BranchError` if the remote has
    nothing new, or if it lacks other commits of this clone.
    """
    before, after = ours
    options = (
        "--quiet", "--no-tags", "--no-prune", "--recurse-submodules=no", "--no-auto-maintenance",
        "--upload-pack=git-upload-pack",
    )  # fmt: skip
    fetched = query(directory, "fetch", *options, "--", remote, f"refs/heads/{branch}", online=True)
    tip = ask(directory, "rev-parse", "FETCH_HEAD^{commit}") if not fetched.error else after
    if _is_ancestor(directory, tip, after):
        raise BranchError(failure)
    if not _is_ancestor(directory, before, tip):
        raise BranchError(
            f"{branch} has commits in this clone that {remote} lacks, and {remote} has others; nothing was pushed. "
            f"To drop those of this clone: git fetch {remote} +{branch}:{branch}; then make them again"
        )
    with suppress(MovedError):  # the next attempt starts from the branch as it is then
        move_branch(directory, branch, tip, after, f"as on {remote}")


def _is_ancestor(directory: str, older: str, newer: str) -> bool:
    return not query(directory, "merge-base", "--is-ancestor", older, newer).error
