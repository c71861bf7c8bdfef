"""What git knows about a repository, its files and its commits, apart from the dates of files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from sitemap_plugins.git.process import BackgroundCommand, explain_failure, explain_os_error, run_git
from sitemap_plugins.reading import SHALLOW, read_file
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import plural, short_repr

IGNORE_REVS: Final = ".git-blame-ignore-revs"
"""The file in a repository's top folder that names commits without relevant changes (git, GitHub, GitLab)."""

CATALOGUE: Final = b".po"

TREELESS: Final = (
    "the clone has no trees (git clone --filter=tree:0), so git would have to fetch them one by one; "
    "clone with --filter=blob:none or without a filter"
)

_KEYS: Final = r"^(remote\..*\.partialclonefilter|filter\..*\.(clean|process))$"
_LAZY_KEYS: Final = r"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$"
_FULL_ID: Final = rb"(?i:[0-9a-f]{40}(?:[0-9a-f]{24})?)"
_PARENT: Final = rb"(?m)^parent ([0-9a-f]+)$"


class HistoryError(ExplainedError):
    """There are no dates; the message is a sentence that says why and what to do."""


class TooLargeError(HistoryError):
    """A commit is larger than the limit; the history before it is not read."""


class Repository(msgspec.Struct, frozen=True):
    """The repository that a folder is in, at one commit.

    ``prefix`` is the folder's path from the top, empty or with a slash at its end. ``boundary`` are the commits where a
    shallow clone was cut: git knows neither their parents nor what they changed. ``filters`` are the names of the
    user's own programs that git would run over files.
    """

    directory: str
    head: bytes
    prefix: bytes
    boundary: frozenset[bytes]
    filters: tuple[str, ...]

    @property
    def toplevel(self) -> str:
        """The repository's top folder."""
        depth = self.prefix.count(b"/")
        return os.path.normpath(os.path.join(self.directory, *[os.pardir] * depth))

    def is_partial(self) -> bool:
        """Whether the clone lacks contents of files in the history of the commit.

        Git looks for the contents of all files until one is missing: a third of a second for 18,000 commits.
        """
        return may_lack_contents(self.directory) and bool(
            run_git(self.directory, "rev-list", "--objects", "--quiet", os.fsdecode(self.head)).error
        )

    def query_tracked(self, paths: Iterable[str]) -> BackgroundCommand:
        """Start listing all files below these paths in the folder; `read_tracked` reads the list."""
        return BackgroundCommand(
            self.directory, "ls-tree", "-r", "-z", "--full-name", os.fsdecode(self.head), "--", *paths
        )

    def query_ignored(self) -> BackgroundCommand:
        """Start reading the file that names commits to ignore, as it is in the commit."""
        return BackgroundCommand(self.directory, "cat-file", "blob", f"{os.fsdecode(self.head)}:{IGNORE_REVS}")

    def query_modified(self, paths: Sequence[str]) -> list[BackgroundCommand]:
        """Start listing the files that are staged, and those that are changed on disk.

        One command for both takes minutes in large repositories. The index is not refreshed: a file that was only
        touched may count as modified, which does no harm. If a program that git would run cannot be turned off, because
        its name has an equals sign, the files on disk are not checked.
        """
        none = ("clean=", "process=", "required=false")
        off = [part for name in self.filters for value in none for part in ("-c", f"filter.{name}.{value}")]
        options = ("-z", "--name-only", "--no-ext-diff", "--no-relative", "--ignore-submodules=all")
        staged = ("diff-index", "--cached", *options, os.fsdecode(self.head), "--", *paths)
        changed = (*off, "diff-files", *options, "--", *paths)
        is_safe = not any("=" in name for name in self.filters)
        return [
            BackgroundCommand(self.directory, *command) for command in ((staged, changed) if is_safe else (staged,))
        ]


def is_missing_submodule(folder: str) -> bool:
    """Whether a folder is a submodule that was not initialized, so that its files are not there."""
    above, name = os.path.split(os.path.abspath(folder))
    with suppress(OSError):
        listed = run_git(above, "ls-files", "--stage", "--", name).stdout
        return listed.startswith(b"160000 ") and not os.listdir(folder)
    return False


def read_tracked(command: BackgroundCommand, directory: str) -> list[bytes]:
    """The paths of the files from the top, without submodules. Raises `HistoryError`."""
    output = command.result()
    if output.error:
        raise HistoryError(explain_failure(output.error, directory))
    entries = (line.partition(b"\t") for line in output.stdout.split(b"\0")[:-1])
    return [path for about, _, path in entries if about.split(b" ")[1] == b"blob"]


def read_modified(commands: Iterable[BackgroundCommand]) -> frozenset[bytes]:
    """The paths, from the top, of files that differ from the commit."""
    return frozenset(path for command in commands for path in command.result().stdout.split(b"\0"))


def open_repository(directory: str, revision: str = "HEAD") -> Repository:
    """The repository of a folder at a commit. Raises `HistoryError` if its history cannot be read."""
    if revision != "HEAD" and not re.fullmatch(_FULL_ID, revision.encode(errors="replace")):
        raise HistoryError(f"{short_repr(revision)} is not a full commit id")
    try:
        configuration = BackgroundCommand(directory, "config", "-z", "--get-regexp", _KEYS)
        commit = f"{revision}^{{commit}}" if revision != "HEAD" else revision
        about = BackgroundCommand(directory, "rev-parse", commit, "--is-shallow-repository", "--show-prefix").result()
    except OSError as error:
        raise HistoryError(explain_os_error(error, directory)) from None
    values = _read_configuration(configuration.result().stdout)
    if about.error:
        raise HistoryError(explain_failure(about.error, directory))
    # The name of a folder may contain a line end.
    head, is_shallow, prefix = about.stdout.removesuffix(b"\n").split(b"\n", 2)
    if any("tree:" in value for name, value in values.items() if name.endswith(".partialclonefilter")):
        raise HistoryError(TREELESS)
    return Repository(
        directory=directory,
        head=head,
        prefix=prefix,
        boundary=_read_boundary(directory) if is_shallow == b"true" else frozenset(),
        filters=tuple({name[len("filter.") : name.rindex(".")]: None for name in values if name.startswith("filter.")}),
    )


def _read_boundary(directory: str) -> frozenset[bytes]:
    file = run_git(directory, "rev-parse", "--git-path", "shallow").stdout.removesuffix(b"\n")
    return frozenset(read_file(Path(directory, os.fsdecode(file)), SHALLOW).split())


def _read_configuration(printed: bytes) -> Mapping[str, str]:
    pairs = (os.fsdecode(pair).partition("\n") for pair in printed.split(b"\0"))
    return {name: value for name, _, value in pairs if name}


def may_lack_contents(directory: str) -> bool:
    """Whether a clone was made or fetched with a filter, which the server may have ignored."""
    return bool(run_git(directory, "config", "--get-regexp", _LAZY_KEYS).stdout)


def remote_urls(directory: str) -> list[str]:
    """The URLs of the remotes, as configured; empty if there are none, or if git fails."""
    printed = run_git(directory, "config", "-z", "--get-regexp", r"^remote\..*\.url$").stdout
    return [os.fsdecode(pair).partition("\n")[2] for pair in printed.split(b"\0") if pair]


def is_absent(error: str) -> bool:
    """Whether git's error message says that a commit has no file with this name."""
    words = ("does not exist in", "exists on disk, but not in", "Not a valid object name")  # the last before git 2.36
    return any(each in error for each in words)


def read_ignored(content: bytes, name: str) -> tuple[frozenset[bytes], str]:
    """The full commit ids in a file for ``git blame --ignore-revs-file``, and what is wrong with the file.

    A line is an id, a comment after ``#``, or empty.
    """
    ids: set[bytes] = set()
    wrong: list[str] = []
    for number, line in enumerate(content.splitlines(), 1):
        word = line.partition(b"#")[0].strip()
        if re.fullmatch(_FULL_ID, word):
            ids.add(word.lower())
        elif word:
            wrong.append(
                f"line {number} of {name} is not a full commit id: {short_repr(word[:50].decode(errors='replace'))}"
            )
    more = f" (and {len(wrong) - 1} more {plural(len(wrong) - 1, 'line')})" if wrong[1:] else ""
    return frozenset(ids), f"{wrong[0]}{more}; it is ignored" if wrong else ""


def is_in_history(directory: str, commit: str) -> bool:
    """Whether HEAD is this commit or comes after it. A shallow clone knows it only of its own commits and parents."""
    if not run_git(directory, "merge-base", "--is-ancestor", commit, "HEAD").error:
        return True
    # Where a clone is cut, the parents are only in the object itself; a blank line ends its headers.
    headers = run_git(directory, "cat-file", "commit", "HEAD").stdout.partition(b"\n\n")[0]
    return commit.encode() in re.findall(_PARENT, headers)


def find_merge_base(directory: str, commit: str) -> str | None:
    """The last commit in the history of both HEAD and another commit; None if the clone does not reach it."""
    printed = run_git(directory, "merge-base", "HEAD", commit)
    return os.fsdecode(printed.stdout).split("\n")[0] or None


def read_files(directory: str, commit: str) -> frozenset[str]:
    """The paths of all files of a commit from the top; none if the clone does not have it."""
    lines = run_git(directory, "ls-tree", "-r", "-z", "--full-tree", "--name-only", commit).stdout.split(b"\0")
    return frozenset(map(os.fsdecode, filter(None, lines)))
