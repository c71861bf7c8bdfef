"""When each file last changed, exactly as ``git log -1 -- FILE`` says, for all files from one streamed git process.

Every path travels down the history on its own: it starts at HEAD and passes from a commit to the first parent with
which the commit's diff does not name it; a commit whose diffs against all parents name it is where it last changed.
That is the rule by which git simplifies the history of a single file. Children come before parents (``--topo-order``),
so a commit has received all its paths when it is read, whatever the clocks said.

Where files have a ``meaning``, a change that leaves it as it is counts as none: the diff is taken not to name the path.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from sitemap_plugins.enrich.git_blobs import Blobs, Meanings, is_partial
from sitemap_plugins.enrich.git_process import (
    UNREADABLE,
    explain_failure,
    explain_os_error,
    open_git,
    read_chunks,
    read_text,
    run_git,
)
from sitemap_plugins.model import FileDate

_STREAM: Final = (
    "log", "HEAD", "--topo-order", "--parents", "--pretty=raw", "--raw", "--no-abbrev", "--no-abbrev-commit", "-z",
    "--no-renames", "--diff-merges=separate", "--full-history", "--sparse", "--no-color", "--no-decorate", "--no-notes",
    "--encoding=UTF-8",
    "--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=none", "-O/dev/null", "--", ".",
)  # fmt: skip
# What is staged and what is changed on disk, each on its own: both at once takes minutes in large repositories.
_EDITED: Final = tuple(
    (*command, "-z", "--name-only", "--no-ext-diff", "--no-relative", "--ignore-submodules=all", *revision, "--", ".")
    for command, revision in ((("diff-index", "--cached"), ("HEAD",)), (("diff-files",), ()))
)

_SEPARATOR: Final = os.fsencode(os.sep)

NOT_COMMITTED: Final = "not committed yet"
SHALLOW: Final = "older than the shallow clone"


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """The dates of the files below one directory.

    ``files`` maps a path relative to the directory (bytes, forward slashes) to its date; what is not in it is not in
    HEAD. ``newest`` is the latest of all these dates and HEAD's own, which clock skew can make an early one.
    ``problem`` says, as a sentence for people, why there are no dates at all.
    """

    directory: str = ""
    files: Mapping[bytes, FileDate] = field(default_factory=dict)
    newest: datetime | None = None
    problem: str | None = None

    def date_of(self, source: str) -> FileDate:
        """The date of the file at an absolute path."""
        if self.problem:
            return FileDate(when=None, reason="no git")
        # What a link leads to is what readers see.
        target = os.path.realpath(source) if os.path.islink(source) else source  # noqa: PTH114  # asked for every page
        folder = self.directory.rstrip(os.sep) + os.sep
        key = os.fsencode(target.removeprefix(folder)).replace(_SEPARATOR, b"/")
        return self.files.get(key) or FileDate(when=None, reason=NOT_COMMITTED, modified=True)


class HistoryReader:
    """Reads the history of one directory in the background, from the moment it is made.

    ``wanted`` are the suffixes of the files to date (all files where it is empty): git is stopped when the last of them
    is dated. ``meaning`` gives what matters of a file's content, whatever the content is: a change after which it is
    equal does not count. A content that cannot be read is a change, and in a partial clone every change counts.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        wanted: Collection[str] = (),
        *,
        meaning: Callable[[bytes], Hashable] | None = None,
    ) -> None:
        self._directory = os.path.abspath(directory)  # noqa: PTH100  # Path.absolute keeps "..", which pages have not
        self._suffixes = tuple(os.fsencode(suffix) for suffix in wanted)
        self._meaning = meaning
        self._blobs = Blobs(self._directory)
        self._history = History()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._read, name="sitemap-git", daemon=True)
        self._thread.start()

    def history(self) -> History:
        """The whole history; waits for it."""
        self._thread.join()
        return self._history

    def stop(self) -> None:
        """Nobody wants to know any more."""
        self._stopped = True
        if self._process:
            self._process.kill()
        self._blobs.stop()
        self._thread.join()

    def _read(self) -> None:
        try:
            self._history = self._read_history()
        except OSError as error:
            self._history = History(problem=explain_os_error(error, self._directory))

    def _read_history(self) -> History:
        about = run_git(self._directory, "rev-parse", "--git-path", "shallow", "HEAD", "--show-prefix")
        if about.complaint:
            return History(problem=explain_failure(about.complaint, self._directory))
        shallow, head, prefix = about.printed.removesuffix(b"\n").split(b"\n", 2)
        listed = run_git(self._directory, "ls-tree", "-r", "-z", "--name-only", "--full-name", "HEAD")
        if listed.complaint:
            return History(problem=explain_failure(listed.complaint, self._directory))
        names = listed.printed.split(b"\0")[:-1]
        wanted = {name for name in names if not self._suffixes or name.endswith(self._suffixes)}
        # Without refreshing the index: a file that was only touched may count as modified, and that does no harm.
        modified = {name for command in _EDITED for name in run_git(self._directory, *command).printed.split(b"\0")}
        is_same = None
        if self._meaning and not is_partial(self._directory):
            is_same = Meanings(self._blobs.read, self._meaning).is_same
        found: dict[bytes, Commit] = {}
        with TemporaryFile() as complaints, open_git(self._directory, complaints, *_STREAM) as process:
            self._process = process
            if self._stopped:
                process.kill()
            try:
                latest = follow(_tokens(read_chunks(process)), head, wanted, found.__setitem__, is_same)
            finally:
                process.kill()
                self._blobs.close()
            if latest is None:
                return History(problem=explain_failure(read_text(complaints), self._directory))
        boundary = _boundary(Path(self._directory) / os.fsdecode(shallow))
        files = {name[len(prefix) :]: _date(found.get(name), boundary, modified=name in modified) for name in wanted}
        dates = [date.when for date in (*files.values(), FileDate(when=latest.when)) if date.when]
        return History(directory=self._directory, files=files, newest=max(dates, default=None))


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit and the line of its header that holds the committer's name, date and time zone."""

    sha: bytes
    committer: bytes

    @property
    def when(self) -> datetime | None:
        """The committer date in the committer's time zone; None where it is no date that exists."""
        try:
            seconds, _, offset = self.committer.rpartition(b">")[2].strip().partition(b" ")
            sign = -1 if offset.startswith(b"-") else 1
            zone = timezone(sign * timedelta(hours=int(offset[1:3]), minutes=int(offset[3:5])))
        except ValueError:
            zone = UTC
        try:
            return datetime.fromtimestamp(int(seconds), zone)
        except (ValueError, OverflowError, OSError):
            return None


def follow(
    tokens: Iterable[bytes],
    head: bytes,
    wanted: Collection[bytes],
    found: Callable[[bytes, Commit], object],
    is_same: Callable[[bytes], bool] | None = None,
) -> Commit | None:
    """Report the commit of every path of ``wanted``, as soon as it is known, by ``found(path, commit)``.

    ``tokens`` is what ``git log`` with the options of this module prints, cut at every NUL. Returns HEAD's commit, and
    returns early when no path is left. ``is_same`` is asked whether a line of a diff is a change that does not count.
    """
    waiting = {head: set(wanted)}
    left = len(waiting[head])
    latest: Commit | None = None
    for commit, parents, diffs in _commits(tokens, waiting):
        latest = latest or commit
        paths = waiting.pop(commit.sha, set())
        for parent in parents:
            diff = diffs.get(parent, {})
            changed = paths.intersection(diff)
            if is_same:
                changed = {path for path in changed if not is_same(diff[path])}
            unchanged = paths - changed if changed else paths
            if unchanged:
                if parent in waiting:
                    waiting[parent] |= unchanged
                else:
                    waiting[parent] = unchanged
            if not changed:
                break
            paths = changed
        else:
            for path in paths:
                found(path, commit)
            left -= len(paths)
        if not left:
            break
    return latest


def _commits(
    tokens: Iterable[bytes], waiting: Mapping[bytes, object]
) -> Iterator[tuple[Commit, list[bytes], dict[bytes, dict[bytes, bytes]]]]:
    """Each commit for which a path is waiting, with its parents and the paths that differ from each of them.

    With a path comes the line that says how it differs. The first commit (HEAD) is always given. A merge prints its
    header again for each parent that it differs from.
    """
    commit: Commit | None = None
    parents: list[bytes] = []
    diffs: dict[bytes, dict[bytes, bytes]] = {}
    changed: dict[bytes, bytes] = {}
    line = b""  # of the change whose path comes next
    for token in tokens:
        if line:
            changed[token] = line
            line = b""
        elif token.startswith(b":"):
            line = token
        elif token.startswith(b"commit "):
            first, _, header = token.partition(b"\n")
            sha, *shas = first.split(b" ")[1:]
            origin = shas.pop()[:-1] if b"(from" in shas else None
            if commit is None or sha != commit.sha:
                if commit is not None:
                    yield commit, parents, diffs
                parents, diffs = [each for each in shas if each != b"(from"], {}
                # Only the commits that paths wait for are asked for their date; there are far more of the others.
                commit = Commit(sha, _committer(header) if commit is None or sha in waiting else b"")
            changed = diffs.setdefault(origin or b"".join(parents[:1]), {})
            # The first line of a diff follows the message in the same token.
            last = header.rpartition(b"\n")[2]
            line = last if last.startswith(b":") else b""
    if commit is not None:
        yield commit, parents, diffs


def _committer(header: bytes) -> bytes:
    match = re.search(rb"^committer (.*)$", header, re.MULTILINE)
    return match[1] if match else b""


def _tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The stream, cut at every NUL."""
    rest = b""
    for chunk in chunks:
        *tokens, rest = (rest + chunk).split(b"\0")
        yield from tokens
    # What does not end with a line end is what git could not finish: half a path, or half a date.
    if rest.endswith(b"\n"):
        yield rest


def _date(commit: Commit | None, boundary: Collection[bytes], *, modified: bool) -> FileDate:
    if commit is None or commit.when is None:
        return FileDate(when=None, reason=UNREADABLE, modified=modified)
    if commit.sha in boundary:
        return FileDate(when=None, commit=commit.sha.decode(), reason=SHALLOW, modified=modified)
    return FileDate(when=commit.when, commit=commit.sha.decode(), modified=modified)


def _boundary(file: Path) -> frozenset[bytes]:
    """The commits at which a shallow clone was cut: git knows neither their parents nor what they changed."""
    return frozenset(file.read_bytes().split()) if file.is_file() else frozenset()
