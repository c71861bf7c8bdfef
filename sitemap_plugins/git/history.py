"""When each file last changed, for all files, from one git process that is read while the build runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import cache, partial
from itertools import chain
from typing import Final, Self

import msgspec

from sitemap_plugins.git.blobs import Blobs, ContentComparison, UniqueContents
from sitemap_plugins.git.process import (
    BackgroundCommand,
    explain_failure,
    explain_os_error,
    open_git,
    open_temporary,
    read_chunks,
    read_text,
)
from sitemap_plugins.git.renames import Renames
from sitemap_plugins.git.repository import (
    CATALOGUE,
    IGNORE_REVS,
    HistoryError,
    Repository,
    TooLargeError,
    is_absent,
    open_repository,
    read_ignored,
    read_modified,
    read_tracked,
)
from sitemap_plugins.git.walk import (
    Commit,
    DateKind,
    DatingCommit,
    Paths,
    Rules,
    SkippedCommit,
    Step,
    follow,
    is_addition,
    read_steps,
    split_at_nul,
)
from sitemap_plugins.model import SHALLOW, UNREADABLE, FileDate
from sitemap_plugins.reading import IGNORED_COMMITS, RefusedError, read_file
from sitemap_plugins.values.catalogues import is_visible_change

_LOG: Final = (
    "log", "--parents", "--pretty=raw", "--raw", "--no-abbrev", "--no-abbrev-commit", "-z", "--no-renames",
    "--full-history", "--sparse", "--no-color", "--no-decorate", "--no-notes", "--encoding=UTF-8", "--no-ext-diff",
    "--no-textconv", "--no-relative", "--ignore-submodules=none", "-O/dev/null",
)  # fmt: skip
_EVERYTHING: Final = [b"."]
_MANY: Final = 64  # folders; if there are more, git shows everything
_ALL_PARENTS: Final = ("--diff-merges=separate",)
_FIRST_PARENT: Final = ("--first-parent", "--diff-merges=first-parent")


class DateRules(msgspec.Struct, frozen=True):
    """What counts as a change of a file, and which date of the commit the file gets.

    ``date`` is the committer's, the author's, or that of the commit that brought the change to the first-parent line.
    ``follow_renames``: a new name for the same content is not a change, unless it may be a coincidence. ``ignore_revs``
    are the files that name commits to ignore; None stands for the one in the repository. ``catalogues``: in a ``.po``
    file, only the translations that readers see count; fuzzy ones too with ``fuzzy``. ``created``: only the commit that
    added the file counts, so the date is its first. ``modes``: a change of the file mode alone counts.
    """

    date: DateKind = "committer"
    follow_renames: bool = True
    ignore_revs: tuple[str, ...] | None = None
    catalogues: bool = True
    created: bool = False
    fuzzy: bool = False
    modes: bool = False


PLAIN_DATES: Final = DateRules(follow_renames=False, ignore_revs=(), catalogues=False, modes=True)
"""Exactly the dates of ``git log -1 -- FILE``."""


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The dates of files below one directory.

    ``files`` maps a path relative to the directory (bytes, forward slashes) to its date; a file that is not in it is
    not in the commit ``head`` or was not requested. ``head_date`` is the committer date of that commit. ``newest`` is
    the latest of all these dates, including ``head_date`` if the whole directory was requested. ``problem`` is a
    sentence that says why there are no dates at all. ``ignore_file_problems`` say what is wrong with the files that
    name commits to ignore. ``too_large`` says which commits were not read or compared.
    """

    directory: str = ""
    toplevel: str = ""
    head: str = ""
    files: Mapping[bytes, FileDate] = {}
    head_date: datetime | None = None
    newest: datetime | None = None
    problem: str | None = None
    ignore_file_problems: tuple[str, ...] = ()
    too_large: tuple[str, ...] = ()


class Stream:
    """The output of ``git log`` with these arguments, which starts at once; leaving the context ends it.

    ``stdin`` are lines for its standard input. With ``first_parent``, a merge has only its changes to the first parent.
    """

    def __init__(
        self, directory: str, *arguments: str, stdin: Iterable[bytes] = (), first_parent: bool = False
    ) -> None:
        self._directory = directory
        self._first_parent = first_parent
        self._errors = open_temporary()
        parents = _FIRST_PARENT if first_parent else _ALL_PARENTS
        lines = (line + b"\n" for line in stdin)
        self._process = open_git(directory, self._errors, *_LOG, *parents, *arguments, stdin=lines)

    def __iter__(self) -> Iterator[Step]:
        """The commits in the order of the output. Raises `HistoryError` if git fails."""
        return read_steps(split_at_nul(self._chunks()), first_parent=self._first_parent)

    def _chunks(self) -> Iterator[bytes]:
        yield from read_chunks(self._process)
        # Check this before the last commit is yielded, because git may have left out some of its changes.
        if self._process.wait():
            raise HistoryError(explain_failure(read_text(self._errors), self._directory))

    def kill(self) -> None:
        """End git at once; any thread may call this."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process as process:
            process.kill()
        self._errors.close()


class HistoryReader:
    """Reads the history of one directory in the background, from the start.

    ``wanted`` are the suffixes of the files to date; ``files``, if given, are their paths relative to the directory
    instead. Without either, all files are dated. Git is stopped when the last file is dated. ``on_skip`` is called for
    every commit that names a file and does not date it.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        wanted: Collection[str] = (),
        *,
        files: Collection[bytes] | None = None,
        rules: DateRules = PLAIN_DATES,
        revision: str = "HEAD",
        on_skip: Callable[[bytes, SkippedCommit], object] = lambda *_: None,
    ) -> None:
        self._directory = os.path.realpath(directory)
        self._suffixes = tuple(os.fsencode(suffix) for suffix in wanted)
        self._files = files
        self._rules = rules
        self._revision = revision
        self._on_skip = on_skip
        self._blobs = Blobs(self._directory)
        self._renames = Renames(self._directory)
        self._batches = (self._blobs.batch, *self._renames.batches)
        self._found: dict[bytes, DatingCommit] = {}
        self._when = cache(lambda commit: commit.when(rules.date))  # one may date very many files
        self._total = 0
        self._too_large: list[str] = []
        self._history = History()
        self._failure: BaseException | None = None
        self._stream: Stream | None = None
        self._stopped = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._read, name="sitemap-git", daemon=True)
        try:
            self._thread.start()
        except BaseException:  # an interrupt, while the thread may run already
            self._end()
            raise

    def history(self) -> History:
        """The whole history; waits for it. Raises the exception that ended the reading if it is more than a problem."""
        self._join()
        if self._failure:
            raise self._failure
        return self._history

    def wait(self, seconds: float) -> tuple[int, int] | None:
        """Wait at most this long; return how many files are dated and of how many, or None if reading has ended."""
        return None if self._ended.wait(seconds) else (len(self._found), self._total)

    def stop(self) -> None:
        """Stop reading; the history is no longer needed."""
        self._end()
        self._join()

    def _join(self) -> None:
        """Wait for the thread. Before Python 3.13, an interrupt in `Thread.join` makes it look as if it had ended."""
        self._ended.wait()
        self._thread.join()

    def _end(self) -> None:
        """End git, now or as soon as it is started."""
        self._stopped = True
        if self._stream:
            self._stream.kill()
        for batch in self._batches:
            batch.stop()

    def _read(self) -> None:
        try:
            self._history = self._read_history()
        except HistoryError as error:
            self._history = History(problem=str(error))
        except RefusedError as error:
            self._history = History(problem=f"{UNREADABLE} ({error.strerror})")
        except OSError as error:
            self._history = History(problem=explain_os_error(error, self._directory))
        except ValueError as error:  # a name that is not valid on any system
            self._history = History(problem=f"{UNREADABLE} ({error})")
        except BaseException as error:  # noqa: BLE001  # `history` raises it
            self._failure = error
        finally:
            for batch in self._batches:
                batch.close()
            self._ended.set()

    def _read_history(self) -> History:
        repository = open_repository(self._directory, self._revision)
        folders = _EVERYTHING if self._files is None else _folders_of(self._files)
        # All of these run at once; this waits only for what it needs next.
        with ExitStack() as ends:
            tracked = repository.query_tracked(map(os.fsdecode, folders))
            ends.callback(tracked.cancel)
            # On the first-parent line, ignored commits cannot be told from those that were merged with them.
            is_asked = self._rules.ignore_revs is None and self._rules.date != "landed"
            named = repository.query_ignored() if is_asked else None
            if named:
                ends.callback(named.cancel)
            modified = repository.query_modified([*map(os.fsdecode, folders)]) if self._revision == "HEAD" else []
            for command in modified:
                ends.callback(command.cancel)
            stream = ends.enter_context(
                self._open("--topo-order", os.fsdecode(repository.head), "--", *map(os.fsdecode, folders))
            )
            known = read_tracked(tracked, self._directory)
            wanted = [path for path in known if self._is_wanted(path[len(repository.prefix) :])]
            self._total = len(wanted)
            ignored, problems = self._read_ignored(named, repository.toplevel)
            first = self._walk(stream, self._walk_rules(repository, ignored, wanted), repository, folders, wanted)
            edited = read_modified(modified)
        files = {
            path[len(repository.prefix) :]: self._date(repository, path, modified=path in edited) for path in wanted
        }
        here = first.when() if self._files is None else None  # for single files, only their own dates count
        return History(
            directory=self._directory,
            toplevel=repository.toplevel,
            head=repository.head.decode(),
            files=files,
            head_date=first.when(),
            newest=max(filter(None, [here, *(date.when for date in files.values())]), default=None),
            ignore_file_problems=problems,
            too_large=(*self._too_large, *self._renames.too_large),
        )

    def _is_wanted(self, path: bytes) -> bool:
        if self._files is not None:
            return path in self._files
        return not self._suffixes or path.endswith(self._suffixes)

    def _read_ignored(self, named: BackgroundCommand | None, toplevel: str) -> tuple[frozenset[bytes], tuple[str, ...]]:
        """The commits to ignore, and what is wrong with the files that name them."""
        ids: set[bytes] = set()
        problems: list[str] = []
        contents: dict[str, bytes] = {}
        for file in self._rules.ignore_revs or ():
            try:
                contents[os.path.basename(file)] = read_file(file, IGNORED_COMMITS)
            except OSError as error:
                problems.append(f"{file} cannot be read: {error.strerror or error}")
        if named:
            try:
                content, failure = named.result(IGNORED_COMMITS)
            except RefusedError as error:
                problems.append(f"{IGNORE_REVS} is not read: {error.strerror}")
            else:
                if not failure:
                    contents[IGNORE_REVS] = content
                elif not is_absent(failure):
                    problems.append(f"{IGNORE_REVS} is not in this clone (--filter), so it is ignored")
                elif self._revision == "HEAD" and os.path.isfile(os.path.join(toplevel, IGNORE_REVS)):
                    problems.append(f"{IGNORE_REVS} is not committed yet, so it is ignored")
        for name, content in contents.items():
            found, wrong = read_ignored(content, name)
            ids |= found
            problems += [wrong] if wrong else []
        return frozenset(ids), tuple(problems)

    def _walk_rules(self, repository: Repository, ignored: frozenset[bytes], wanted: Iterable[bytes]) -> Rules:
        return Rules(
            renamed=self._renames.exact if self._rules.follow_renames else None,
            is_unique=UniqueContents(self._blobs),
            ignored=ignored,
            edited=self._renames.edited if self._rules.follow_renames else None,
            modes=self._rules.modes,
            counts=self._counting(repository, wanted),
        )

    def _counting(self, repository: Repository, wanted: Iterable[bytes]) -> Callable[[bytes, bytes], bool]:
        if self._rules.created:
            return lambda _, change: is_addition(change)
        has_catalogues = self._rules.catalogues and any(path.endswith(CATALOGUE) for path in wanted)
        # Comparing translations needs the contents of catalogues.
        if not has_catalogues or repository.is_partial():
            return lambda *_: True
        contents = ContentComparison(self._blobs.read, partial(is_visible_change, fuzzy=self._rules.fuzzy))
        return lambda path, change: not path.endswith(CATALOGUE) or contents.is_changed(change)

    def _walk(
        self, stream: Stream, rules: Rules, repository: Repository, folders: Sequence[bytes], wanted: Iterable[bytes]
    ) -> Commit:
        """Find the commits that date the files, and return the one that was read first, or raise `HistoryError`.

        The stream shows the folder of the repository, or only some folders in it. A file that came into them from
        elsewhere is followed in another stream, of the folder it came from.
        """
        steps = iter(stream)
        first = next(steps, None)
        if first is None:
            raise HistoryError(UNREADABLE)
        walk = partial(follow, rules=rules, found=self._found.__setitem__, on_skip=self._on_skip)
        starts: Mapping[bytes, Paths] = {repository.head: {path: (path,) for path in wanted}}
        try:
            is_shown = _shows([os.path.normpath(repository.prefix + folder) for folder in folders])
            starts = walk(chain([first], steps), starts, shows=is_shown)
            stream.kill()
            while starts:
                folders = _folders_of({path for paths in starts.values() for path in paths})
                arguments = ("--topo-order", "--stdin", "--", *map(os.fsdecode, folders))
                with self._open(*arguments, directory=repository.toplevel, stdin=starts) as further:
                    starts = walk(further, starts, shows=_shows(folders))
        except HistoryError as error:
            # If git fails midway, the dates found so far are right, and the others are missing.
            if isinstance(error, TooLargeError):
                self._too_large.append(str(error))
        return first.commit

    def _open(self, *arguments: str, directory: str = "", stdin: Iterable[bytes] = ()) -> Stream:
        is_landed = self._rules.date == "landed"
        self._stream = Stream(directory or self._directory, *arguments, stdin=stdin, first_parent=is_landed)
        if self._stopped:
            self._stream.kill()
        return self._stream

    def _date(self, repository: Repository, path: bytes, *, modified: bool) -> FileDate:
        found = self._found.get(path)
        when = self._when(found.commit) if found else None
        is_cut = found is not None and found.commit.sha in repository.boundary
        return FileDate(
            when=None if is_cut else when,
            commit=found.commit.sha.decode() if found and not is_cut else None,
            reason=SHALLOW if is_cut else UNREADABLE if when is None else None,
            modified=modified,
            added=found is not None and found.added,
            path=os.fsdecode(path),
            repository=repository.toplevel,
        )


def _shows(folders: Sequence[bytes]) -> Callable[[bytes], bool]:
    """A function that checks whether a path is in one of these folders or is one of these files."""
    inside = tuple(folder + b"/" for folder in folders)
    return lambda path: folders == _EVERYTHING or path in folders or path.startswith(inside)


def _folders_of(paths: Iterable[bytes]) -> list[bytes]:
    """The folders of these files, none within another; a file at the top stands for itself."""
    outer: list[bytes] = []
    for folder in sorted({path.rpartition(b"/")[0] or path for path in paths}, key=lambda each: each + b"/"):
        if not outer or not folder.startswith(outer[-1] + b"/"):
            outer.append(folder)
    return outer if len(outer) <= _MANY else _EVERYTHING
