"""When each file last changed, for all files, from one git process that is read while the build runs."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache, partial
from typing import Final, TypeAlias

import msgspec
from msgspec import structs

from sitemap_plugins.git.blobs import Blobs, ContentDigests, UniqueContents
from sitemap_plugins.git.memory import Basis, End, Memory, Recalled, Row, recall
from sitemap_plugins.git.process import BackgroundCommand, explain_os_error
from sitemap_plugins.git.renames import Renames
from sitemap_plugins.git.repository import (
    CATALOGUE,
    IGNORE_REVS,
    HistoryError,
    Repository,
    TrackedFile,
    is_absent,
    open_repository,
    read_ignored,
    read_modified,
    read_tracked,
)
from sitemap_plugins.git.stream import EVERYTHING, Stream, Walk, folders_of
from sitemap_plugins.git.walk import DateKind, Found, Rules, SkippedCommit
from sitemap_plugins.model import SHALLOW, UNREADABLE, UNREMEMBERED, FileDate
from sitemap_plugins.reading import IGNORED_COMMITS, RefusedError, read_file

MemoryOf: TypeAlias = Callable[[str], Memory | None]
"""A function that returns what an earlier build knew about the repository with this top folder."""


class DateRules(msgspec.Struct, frozen=True):
    """What counts as a change of a file, and which date of the commit the file gets.

    ``date`` is the committer's, the author's, or that of the commit that brought the change to the first-parent line.
    ``follow_renames``: a new name for the same content is not a change, unless it may be a coincidence. ``ignore_revs``
    are the files that name commits to ignore (None stands for the one in the repository), ``ignored`` are more such
    commits. ``catalogues``: in a ``.po`` file, only the translations that readers see count; fuzzy ones too with
    ``fuzzy``. ``created``: only the commit that added the file counts, so the date is its first. ``modes``: a change of
    the file mode alone counts.
    """

    date: DateKind = "committer"
    follow_renames: bool = True
    ignore_revs: tuple[str, ...] | None = None
    ignored: frozenset[bytes] = frozenset()
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
    sentence that says why there are no dates at all. ``ignored`` are the commits that were skipped, and ``complaints``
    say what is wrong with the files that name them. ``too_large`` says which commits were not read or compared.
    ``catalogues`` says that changes of catalogues were compared by their translations, and ``contents`` that the clone
    has the contents that tell whether files were renamed. ``previous`` is the commit of an earlier build whose dates
    count for files that are older than a shallow clone, and ``objection`` says why they do not count. ``rows`` has the
    files by their paths from the top, for later builds.
    """

    directory: str = ""
    toplevel: str = ""
    head: str = ""
    files: Mapping[bytes, FileDate] = {}
    head_date: datetime | None = None
    newest: datetime | None = None
    problem: str | None = None
    ignored: frozenset[bytes] = frozenset()
    catalogues: bool = False
    contents: bool = True
    complaints: tuple[str, ...] = ()
    too_large: tuple[str, ...] = ()
    previous: str = ""
    objection: str = ""
    rows: Mapping[str, Row] = {}


class HistoryReader:
    """Reads the history of one directory in the background, from the start.

    ``wanted`` are the suffixes of the files to date; ``files``, if given, are their paths relative to the directory
    instead. Without either, all files are dated. Git is stopped when the last file is dated. ``on_skip`` is called for
    every commit that names a file and does not date it. ``previous`` is asked only in shallow clones. With
    ``keeps_rows`` the history has a row for every file in the directory except catalogues that are not to be dated, or
    only for ``files`` if given.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        wanted: Collection[str] = (),
        *,
        files: Collection[bytes] | None = None,
        rules: DateRules = PLAIN_DATES,
        revision: str = "HEAD",
        on_skip: Callable[[bytes, SkippedCommit], object] | None = None,
        previous: MemoryOf | None = None,
        keeps_rows: bool = False,
    ) -> None:
        self._directory = os.path.realpath(directory)
        self._suffixes = tuple(os.fsencode(suffix) for suffix in wanted)
        self._files = files
        self._rules = rules
        self._revision = revision
        self._on_skip = on_skip
        self._previous = previous
        self._keeps_rows = keeps_rows
        self._blobs = Blobs(self._directory)
        self._renames = Renames(self._directory)
        self._found: dict[bytes, Found] = {}
        self._when = cache(lambda commit: commit.when(rules.date))  # one may date very many files
        self._total = 0
        self._history = History()
        self._forgetful: Callable[[], History] | None = None  # the history if no earlier build counts
        self._failure: BaseException | None = None
        self._stream: Stream | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._read, name="sitemap-git", daemon=True)
        self._thread.start()

    def history(self, *, with_memory: bool = True) -> History:
        """The whole history; waits for it. Raises the exception that ended the reading if it is more than a problem.

        Without memory, only this clone itself counts, even if there was an earlier build.
        """
        self._thread.join()
        if self._failure:
            raise self._failure
        return self._history if with_memory or self._forgetful is None else self._forgetful()

    def wait(self, seconds: float) -> tuple[int, int] | None:
        """Wait at most this long; return how many files are dated and of how many, or None if reading has ended."""
        self._thread.join(seconds)
        return (len(self._found), self._total) if self._thread.is_alive() else None

    def stop(self) -> None:
        """Stop reading; the history is no longer needed."""
        self._stopped = True
        if self._stream:
            self._stream.kill()
        self._blobs.stop()
        self._renames.stop()
        self._thread.join()

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
            self._blobs.close()
            self._renames.close()

    def _read_history(self) -> History:
        repository = open_repository(self._directory, self._revision)
        folders = EVERYTHING if self._files is None else folders_of(self._files)
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
            wanted = {path: file for path, file in known.items() if self._is_wanted(path[len(repository.prefix) :])}
            # Catalogues in other languages are compared by their contents, which takes long; their own builds do that.
            others = {path: file for path, file in known.items() if not path.endswith(CATALOGUE)}
            followed = others | wanted if self._keeps_rows and self._files is None else wanted
            self._total = len(followed)
            ignored, complaints = self._read_ignored(named, repository.toplevel)
            memory = self._previous(repository.toplevel) if self._previous and repository.boundary else None
            walk = Walk(
                rules=self._walk_rules(repository, ignored, followed),
                prefix=repository.prefix,
                open_stream=partial(self._open, directory=repository.toplevel),
                found=self._found,
                too_large=[],
                on_skip=self._on_skip,
                landmark=memory.head if memory else b"",
                passed={},
            )
            first = walk.date(stream, folders, {repository.head: {path: (path,) for path in followed}})
            edited = read_modified(modified)
        history = History(
            directory=self._directory,
            toplevel=repository.toplevel,
            head=repository.head.decode(),
            head_date=first.when(),
            ignored=ignored,
            catalogues=self._rules.catalogues and not repository.partial,
            contents=not repository.partial,
            complaints=complaints,
            too_large=(*walk.too_large, *self._renames.complaints),
        )
        add_files = partial(self._with_files, repository=repository, followed=followed, edited=edited)
        if memory is None:
            return add_files(history, recalled={})
        if objection := self._objection(memory, history):
            return add_files(structs.replace(history, objection=objection), recalled={})
        self._forgetful = cache(lambda: add_files(history, recalled={}))
        recalled = self._recall(memory, history, repository, followed, walk.passed)
        return add_files(structs.replace(history, previous=memory.head.decode()), recalled=recalled)

    def _with_files(
        self,
        history: History,
        *,
        repository: Repository,
        followed: Mapping[bytes, TrackedFile],
        edited: Collection[bytes],
        recalled: Mapping[bytes, Recalled],
    ) -> History:
        """The history with the dates of its files; those that an earlier build ``recalled`` come with its commit."""
        files = {}
        rows = {}
        for path, file in followed.items():
            date = self._date(repository.boundary, history.toplevel, path, file, modified=path in edited)
            if known := recalled.get(path):
                reason = None if known.when else UNREMEMBERED
                date = structs.replace(
                    date, when=known.when, commit=known.commit, reason=reason, added=False, since=known.since
                )
            if self._is_wanted(name := path[len(repository.prefix) :]):
                files[name] = date
            if self._keeps_rows:
                rows[date.path] = Row(
                    mode=file.mode.decode(),
                    blob=file.blob.decode(),
                    commit=date.commit if date.when else None,
                    when=date.when.astimezone(UTC) if date.when else None,
                )
        here = history.head_date if self._files is None else None  # for single files, only their own dates count
        newest = max(filter(None, [here, *(date.when for date in files.values())]), default=None)
        return structs.replace(history, files=files, rows=rows, newest=newest)

    def _basis(self, history: History) -> Basis:
        return Basis(
            date=self._rules.date,
            follow_renames=self._rules.follow_renames,
            fuzzy=self._rules.fuzzy,
            catalogues=history.catalogues,
            contents=history.contents,
            ignored=history.ignored,
        )

    def _objection(self, memory: Memory, history: History) -> str:
        """Why an earlier build does not help; builds record only the last changes of files, by the usual rules."""
        if self._rules.created or self._rules.modes:
            return "it has neither the dates of creation nor those of git log -1"
        return memory.objection(self._basis(history))

    def _recall(
        self,
        memory: Memory,
        history: History,
        repository: Repository,
        followed: Iterable[bytes],
        passed: Mapping[bytes, bytes],
    ) -> dict[bytes, Recalled]:
        """What an earlier build says about each file that is older than the clone."""
        parents_of = cache(self._blobs.parents_of)
        now = self._basis(history)
        recalled = {}
        for path in followed:
            found = self._found.get(path)
            if found is None or found.commit.sha not in repository.boundary:
                continue
            _, mode, _, blob, _ = found.line.split(b" ")
            end = End(
                commit=found.commit,
                parents=parents_of(found.commit.sha),
                path=os.fsdecode(found.path),
                mode=mode.decode(),
                blob=blob.decode(),
                passed=os.fsdecode(passed[path]) if path in passed else None,
            )
            if known := recall(end, memory, now):
                recalled[path] = known
        return recalled

    def _is_wanted(self, path: bytes) -> bool:
        if self._files is not None:
            return path in self._files
        return not self._suffixes or path.endswith(self._suffixes)

    def _read_ignored(self, named: BackgroundCommand | None, toplevel: str) -> tuple[frozenset[bytes], tuple[str, ...]]:
        """The commits to ignore, and what is wrong with the files that name them."""
        ids = set(self._rules.ignored)
        complaints: list[str] = []
        contents: dict[str, bytes] = {}
        for file in self._rules.ignore_revs or ():
            try:
                contents[os.path.basename(file)] = read_file(file, IGNORED_COMMITS)
            except OSError as error:
                complaints.append(f"{file} cannot be read: {error.strerror or error}")
        if named:
            try:
                contents[IGNORE_REVS], complaint = named.result(IGNORED_COMMITS)
            except RefusedError as error:
                complaint = ""
                complaints.append(f"{IGNORE_REVS} is not read: {error.strerror}")
            if is_absent(complaint):
                if self._revision == "HEAD" and os.path.isfile(os.path.join(toplevel, IGNORE_REVS)):
                    complaints.append(f"{IGNORE_REVS} is not committed yet, so it is ignored")
            elif complaint:
                complaints.append(f"{IGNORE_REVS} is not in this clone (--filter), so it is ignored")
        for name, content in contents.items():
            found, wrong = read_ignored(content, name)
            ids |= found
            complaints += [wrong] if wrong else []
        return frozenset(ids), tuple(complaints)

    def _walk_rules(self, repository: Repository, ignored: frozenset[bytes], wanted: Iterable[bytes]) -> Rules:
        counts = None
        # Comparing translations needs the contents of catalogues, which a partial clone may lack.
        if self._rules.catalogues and not repository.partial and any(path.endswith(CATALOGUE) for path in wanted):
            from sitemap_plugins.values.catalogues import translations_digest

            digest = partial(translations_digest, fuzzy=True) if self._rules.fuzzy else translations_digest
            digests = ContentDigests(self._blobs.read, digest)

            def counts(path: bytes, change: bytes) -> bool:
                return not (path.endswith(CATALOGUE) and digests.is_same(change))

        return Rules(
            renamed=self._renames.exact if self._rules.follow_renames else None,
            is_unique=UniqueContents(self._blobs),
            ignored=ignored,
            edited=self._renames.edited if self._rules.follow_renames else None,
            modes=self._rules.modes,
            counts=counts,
            created=self._rules.created,
        )

    def _open(self, *arguments: str, directory: str = "", stdin: Iterable[bytes] = ()) -> Stream:
        is_landed = self._rules.date == "landed"
        self._stream = Stream(directory or self._directory, *arguments, stdin=stdin, first_parent=is_landed)
        if self._stopped:
            self._stream.kill()
        return self._stream

    def _date(
        self, boundary: frozenset[bytes], toplevel: str, path: bytes, file: TrackedFile, *, modified: bool
    ) -> FileDate:
        """What git knows about the date of one file."""
        found = self._found.get(path)
        when = self._when(found.commit) if found else None
        is_cut = found is not None and found.commit.sha in boundary
        return FileDate(
            when=None if is_cut else when,
            commit=found.commit.sha.decode() if found and not is_cut else None,
            reason=SHALLOW if is_cut else UNREADABLE if when is None else None,
            modified=modified,
            added=found is not None and found.added,
            path=os.fsdecode(path),
            blob=file.blob.decode(),
            repository=toplevel,
        )
