"""The dates of all files that a site is made of, in its own folders and elsewhere, and how a date was found."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Final

import msgspec
from msgspec import structs

from sitemap_plugins.git.history import PLAIN_DATES, DateRules, History, HistoryReader
from sitemap_plugins.git.process import run_git, toplevel_of
from sitemap_plugins.git.renames import Renames
from sitemap_plugins.git.repository import CATALOGUE, HistoryError
from sitemap_plugins.git.walk import Commit, SkippedCommit
from sitemap_plugins.model import IGNORED, NO_FILE, NO_GIT, NOT_COMMITTED, SHALLOW, WRONG_CLOCK, FileDate
from sitemap_plugins.values.text import plural

_UNTRACKED: Final = FileDate(when=None, reason=NOT_COMMITTED, modified=True)
_IGNORED: Final = FileDate(when=None, reason=IGNORED, modified=True)
_MISSING: Final = FileDate(when=None, reason=NO_FILE)
_UNREAD: Final = FileDate(when=None, reason=NO_GIT)
_BEGINNING: Final = datetime.min.replace(tzinfo=UTC)

_TOLERANCE: Final = timedelta(hours=24)  # more than time zones and slow clocks explain

_MAX_LINKS: Final = 40  # links on the way, as in Linux; more of them lead in a loop


class Export(msgspec.Struct, frozen=True):
    """A ``folder`` with a copy of all files of one ``commit`` (a full id) of the repository at ``toplevel``."""

    folder: str
    toplevel: str
    commit: str


class GitDates:
    """Dates from git, read in the background from the start.

    ``directories`` has the folder with the pages' own sources, then those with their catalogues, each with the suffixes
    of its files. Each folder is read as a whole. Other files are read in one stream for each repository or submodule,
    which starts when they are expected, or at the latest when their dates are requested. ``as_of`` is the time that the
    environment sets for a build, and ``deployed`` returns the date of the commit that the last deployment built. Files
    of an ``export``, and all other files in its repository, have their dates as of its commit.
    """

    def __init__(
        self,
        directories: Mapping[str, Collection[str]],
        rules: DateRules,
        as_of: datetime | None = None,
        export: Export | None = None,
        deployed: Callable[[], datetime | None] = lambda: None,
    ) -> None:
        self.rules = rules
        self._as_of = as_of
        self._deployed = deployed
        self._wrong: dict[tuple[str, datetime], set[str]] = {}  # undated files by their commit with a wrong clock
        self._export = export
        self._exported = os.path.realpath(export.folder) + os.sep if export else ""
        folders = {self._original(os.path.realpath(folder)): tuple(each) for folder, each in directories.items()}
        # If the work tree lacks an exported folder, its files are read one by one, from the repository's top folder.
        self._suffixes = {folder: each for folder, each in folders.items() if not export or os.path.isdir(folder)}
        self._own = {folder: self._read(folder, each) for folder, each in self._suffixes.items()}
        self._first = next(iter(self._suffixes), None)
        self._others: dict[str, HistoryReader | None] = {}  # by file; None if it is in no repository

    def expect(self, files: Iterable[str]) -> None:
        """Start reading the history of files (absolute paths) that are outside the site's folders."""
        self._read_others(
            path for route in map(self._router(), files) for path in _places(route) if not self._folder_of(path)
        )

    def dates_of(self, files: Iterable[str]) -> Mapping[str, FileDate]:
        """The date of each file, by its absolute path; waits for git.

        Readers see the content of a link's target, which changes if the link leads elsewhere. So the date is the newest
        of the target and the links on the way to it, as far as they are in a repository.
        """
        find_route = self._router()
        routes = {file: find_route(file) for file in files}
        found = {path: self._own_date(path) for route in routes.values() for path in _places(route)}
        self._read_others(path for path, date in found.items() if date is None)
        known = {path: date or self._other_date(path) for path, date in found.items()}
        dates = {file: _newest(route, known) if route.links else known[route.file] for file, route in routes.items()}
        nowhere = {file: route.file for file, route in routes.items() if known[route.file] == _UNTRACKED}
        lost = [file for file in nowhere if not os.path.lexists(file)]
        ignored = self._ignored(nowhere.values())
        dates |= {file: ignored[place] for file, place in nowhere.items() if place in ignored}
        return dates | dict.fromkeys(lost, _MISSING)

    def _ignored(self, paths: Iterable[str]) -> dict[str, FileDate]:
        """The untracked files in the site's repositories that git ignores; these are generated, the others are new."""
        tops = {toplevel_of(folder) for folder in self._own}
        by_folder: defaultdict[str, set[str]] = defaultdict(set)
        for path in paths:
            folder, top = self._folder_of(path), toplevel_of(os.path.dirname(path))
            if top and top in tops and os.path.lexists(path):
                by_folder[folder if folder and toplevel_of(folder) == top else top].add(path)
        ignored: dict[str, FileDate] = {}
        for folder, inside in by_folder.items():
            with suppress(OSError):
                found = run_git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
                known = (os.path.join(folder, *os.fsdecode(name).split("/")) for name in found.stdout.split(b"\0"))
                for path in inside.difference(known) if not found.error else ():
                    name = os.fsdecode(_name_in(toplevel_of(folder) or folder, path))
                    ignored[path] = structs.replace(_IGNORED, path=name)
        return ignored

    def _own_date(self, path: str) -> FileDate | None:
        """The date in the history of the folder that a file lies in; None if another history may have it."""
        folder = self._folder_of(path)
        if folder is None:
            return None
        history = self._own[folder].history()
        if not history.problem and (date := self._date_in(history, path)):
            return date
        toplevel = toplevel_of(os.path.dirname(path))
        if history.problem:
            if toplevel and toplevel.startswith(folder.rstrip(os.sep) + os.sep):
                return None
            # A folder outside of any repository has no history; for the folder of the pages, `problem` says so.
            return _UNTRACKED if folder != self._first and toplevel is None else _UNREAD
        return _UNTRACKED if toplevel == history.toplevel else None

    def _other_date(self, path: str) -> FileDate:
        reader = self._others[path]
        if reader and reader.history().problem:
            # A repository elsewhere may have nothing to do with the site, but a submodule of its own does.
            tops = {reader.history().toplevel for reader in self._own.values()} - {""}
            is_near = any(path.startswith(top.rstrip(os.sep) + os.sep) for top in tops)
            return _UNREAD if is_near else _UNTRACKED
        return (reader and self._date_in(reader.history(), path)) or _UNTRACKED

    def _date_in(self, history: History, path: str) -> FileDate | None:
        """The date of a file below the folder of a history; None if the history does not have it."""
        found = history.files.get(_name_in(history.directory, path))
        if found is None or found.when is None:
            return found
        date = _without_wrong_date(found, _now_from_head(history, self.now))
        if date is not found and found.commit:
            self._wrong.setdefault((found.commit, found.when), set()).add(path)
        return date

    def _folder_of(self, path: str) -> str | None:
        """The innermost folder that a file lies in, if the file has one of the folder's suffixes."""
        inside = [folder for folder in self._suffixes if path.startswith(folder.rstrip(os.sep) + os.sep)]
        folder = max(inside, key=len, default=None)
        suffixes = self._suffixes[folder] if folder else ()
        return folder if not suffixes or path.endswith(suffixes) else None

    def _read_others(self, paths: Iterable[str]) -> None:
        """Start one stream for the files of each repository."""
        find = cache(toplevel_of)
        by_repository: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(set(paths) - self._others.keys()):
            if toplevel := find(os.path.dirname(path)):
                by_repository[toplevel].append(path)
            else:
                self._others[path] = None
        for toplevel, inside in sorted(by_repository.items()):
            reader = self._read(toplevel, files={_name_in(toplevel, path) for path in inside})
            self._others |= dict.fromkeys(inside, reader)

    def _read(
        self, folder: str, suffixes: Collection[str] = (), files: Collection[bytes] | None = None
    ) -> HistoryReader:
        is_exported = self._export and toplevel_of(folder) == self._export.toplevel
        revision = self._export.commit if self._export and is_exported else "HEAD"
        return HistoryReader(folder, suffixes, files=files, rules=self.rules, revision=revision)

    def _original(self, path: str) -> str:
        """The path in the repository for a path in the export; other paths stay as they are."""
        if self._export and path.startswith(self._exported):
            return os.path.join(self._export.toplevel, path[len(self._exported) :])
        return path

    def _router(self) -> Callable[[str], Route]:
        """A function that finds where a path leads, with all places as paths in their repository."""
        find_route = _router()

        def find_original(path: str) -> Route:
            route = find_route(path)
            links = tuple(Link(self._original(link.place), link.asked) for link in route.links)
            return Route(links, self._original(route.file))

        return find_original if self._export else find_route

    @property
    def _other_readers(self) -> list[HistoryReader]:
        return list(dict.fromkeys(reader for reader in self._others.values() if reader))

    @property
    def histories(self) -> tuple[History, ...]:
        """The histories that could be read."""
        histories = (reader.history() for reader in (*self._own.values(), *self._other_readers))
        return tuple(history for history in histories if not history.problem)

    @cached_property
    def now(self) -> datetime | None:
        """The newer of HEAD's date in the pages' repository and the time set for the build; waits for git.

        If that would leave more than half of the pages without a date, it is the newest commit: `_now_from_history`.
        """
        history = self._first_history
        return _now_from_history(history, self._as_of, self._deployed) if history else self._as_of

    @property
    def has_commit(self) -> bool:
        """Whether ``now`` takes the last commit of the pages' repository into account; waits for git."""
        return self._first_history is not None

    @property
    def _first_history(self) -> History | None:
        history = self._own[self._first].history() if self._first is not None else None
        return None if history is None or history.problem else history

    @property
    def wrong_clock(self) -> str | None:
        """A sentence about commits with a wrong clock, as far as dates were requested; None if there are none."""
        history = self._first_history
        doubted = history if history and _is_head_wrong(history, self._as_of) else None
        if doubted and doubted.head_date and not _is_cut(doubted) and self.now:
            return (
                f"the last commit, {doubted.head[:10]}, is dated {doubted.head_date.date()}, but most pages were "
                f"changed later: its clock was wrong, and the newest commit counts as now, {self.now.date()}"
            )
        if not self._wrong:
            return None
        commit, when = max(self._wrong, key=lambda each: (len(self._wrong[each]), each))
        more = len(self._wrong) - 1
        others = f", like {more} more {plural(more, 'commit')}" if more else ""
        number = len(set().union(*self._wrong.values()))
        message = (
            f"commit {commit[:10]} is dated {when.date()}, which is later than the last commit by more than a day"
            f"{others}: a clock was wrong, so {number} file{'s have' if number > 1 else ' has'} no date"
        )
        if doubted:
            message += (
                f"; most known dates are later than {doubted.head[:10]}, the last commit, so its clock may be wrong "
                "instead"
            )
        return message

    @property
    def problem(self) -> str | None:
        """A sentence that says which files have no dates and why, for the first such problem; None if there is none."""
        readers = [
            ("the pages have" if folder == self._first else "the catalogues have", each)
            for folder, each in self._own.items()
        ]
        readers += [("some other sources of the pages have", each) for each in self._other_readers]
        problems = ((what, reader.history().problem) for what, reader in readers)
        return next((f"{what} no date from git: {problem}" for what, problem in problems if problem), None)

    @property
    def ignore_file_problems(self) -> tuple[str, ...]:
        """What is wrong with the files that name commits to ignore."""
        return tuple(dict.fromkeys(each for history in self.histories for each in history.ignore_file_problems))

    @property
    def too_large(self) -> tuple[str, ...]:
        """Which commits were not read or compared, because they are too large."""
        return tuple(dict.fromkeys(each for history in self.histories for each in history.too_large))

    def stop(self) -> None:
        """Stop reading; the dates are no longer needed."""
        for reader in (*self._own.values(), *self._other_readers):
            reader.stop()


def _name_in(folder: str, path: str) -> bytes:
    """The path of a file relative to a folder, as git writes it."""
    return os.fsencode(path[len(folder) :].lstrip(os.sep)).replace(os.fsencode(os.sep), b"/")


def _places(route: Route) -> list[str]:
    return [*(link.place for link in route.links), route.file]


def _newest(route: Route, known: Mapping[str, FileDate]) -> FileDate:
    """The newest date among a path's links and target; no date if git knows none for one of them."""
    end = known[route.file]
    links: list[tuple[Link, FileDate]] = [(link, known[link.place]) for link in route.links]
    links = [(link, date) for link, date in links if date.reason != NOT_COMMITTED]
    if not links:
        return end
    dates = [end, *(date for _, date in links)]
    newest = max(dates, key=lambda date: (date.when is None, date.when or _BEGINNING))
    return structs.replace(newest, link=links[0][0].asked, modified=any(date.modified for date in dates))


def _is_later(when: datetime | None, now: datetime | None) -> bool:
    """Whether a date is so far after ``now`` that a clock must have been wrong."""
    return when is not None and now is not None and when - now > _TOLERANCE


def head_date(directory: str) -> datetime | None:
    """The date of HEAD, without its history; None if there is no commit, or git cannot read it."""
    try:
        printed = run_git(directory, "cat-file", "commit", "HEAD").stdout
    except OSError:
        return None
    return Commit(b"HEAD", printed.partition(b"\n\n")[0]).when()


def _now_from_head(history: History, as_of: datetime | None) -> datetime | None:
    """The newer of HEAD's own date and ``as_of``, the time that the environment may set for a build."""
    return max(filter(None, (history.head_date, as_of)), default=None)


def _is_head_wrong(history: History, as_of: datetime | None) -> bool:
    """Whether HEAD's clock is the wrong one, because most of the dates are later than HEAD's.

    If the history `_is_cut`, it only may be: most of the files may have older dates that are not known.
    """
    dates = [date.when for date in history.files.values() if date.when]
    now = _now_from_head(history, as_of)
    return sum(_is_later(when, now) for when in dates) * 2 > len(dates)


def _is_cut(history: History) -> bool:
    """Whether the clone is too shallow for the dates of some files."""
    return any(date.reason == SHALLOW for date in history.files.values())


def _now_from_history(
    history: History, as_of: datetime | None, deployed: Callable[[], datetime | None] = lambda: None
) -> datetime | None:
    """What counts as "now" in the history of a whole folder: the newest commit if HEAD's clock is wrong.

    If the history is cut, it is the later of HEAD and the commit that the last deployment built, whose date
    ``deployed`` returns.
    """
    now = _now_from_head(history, as_of)
    if now is None:
        return history.newest
    if not _is_head_wrong(history, as_of):
        return now
    return max(now, deployed() or now) if _is_cut(history) else history.newest


def _without_wrong_date(date: FileDate, now: datetime | None) -> FileDate:
    """The date, or no date if the clock of its commit is wrong."""
    return structs.replace(date, when=None, reason=WRONG_CLOCK) if _is_later(date.when, now) else date


class Link(msgspec.Struct, frozen=True):
    """A link: its own path, and the requested path from there on, with earlier links resolved."""

    place: str
    asked: str


class Route(msgspec.Struct, frozen=True):
    """The links that a path leads through, including folders, and the file at its end."""

    links: tuple[Link, ...]
    file: str


def _route_of(path: str, read_link: Callable[[str], str | None]) -> Route:
    """Where an absolute path leads; ``read_link`` returns the target of a link, and None for anything else."""
    drive, rest = os.path.splitdrive(path)
    top = here = drive + os.sep
    waiting = rest.split(os.sep)[::-1]
    links: list[Link] = []
    while waiting:
        step = waiting.pop()
        if step == os.pardir:
            here = os.path.dirname(here)
        elif step not in {"", os.curdir}:
            place = os.path.join(here, step)
            written = read_link(place) if len(links) < _MAX_LINKS else None
            if written is None:
                here = place
            else:
                links.append(Link(place, os.path.join(place, *reversed(waiting))))
                here = top if os.path.isabs(written) else here
                waiting += written.replace("/", os.sep).split(os.sep)[::-1]
    return Route(tuple(links), here)


def _router() -> Callable[[str], Route]:
    """`_route_of` for files on disk, made fast for files that are not links and share their folders."""
    read_link = cache(_read_link)
    route_of_folder = cache(lambda folder: _route_of(folder, read_link))

    def route(path: str) -> Route:
        if os.name == "nt":  # git's links are not links there, and a path has many other forms
            return Route((), os.path.realpath(path))
        folder, name = os.path.split(path)
        known = route_of_folder(folder)
        if known.links or os.path.islink(path):
            return _route_of(path, read_link)
        return Route((), os.path.join(known.file, name))

    return route


def _read_link(path: str) -> str | None:
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return None


class DateExplanation(msgspec.Struct, frozen=True, kw_only=True):
    """How the ``date`` of a file was found.

    ``when`` is the date of its commit, which does not count if the commit has a wrong clock, and ``subject`` the first
    line of the commit's message. ``skipped`` are newer commits that do not date the file, newest first. If links led to
    the file, ``ways`` are their paths and that of the file. With ``has_translations``, commits that changed no visible
    translation were skipped as well. ``like`` is the path of a file with the same content that the commit removed, if
    it added this one and the content does not tell that they are the same.
    """

    date: FileDate
    when: datetime | None
    subject: str
    skipped: tuple[SkippedCommit, ...]
    ways: tuple[str, ...]
    has_translations: bool
    like: str


def dates_below(
    path: str, rules: DateRules, as_of: datetime | None, wait: Callable[[HistoryReader], History]
) -> Mapping[str, FileDate]:
    """The date of each file below a folder, or of one file, by its path relative to the folder.

    The dates are those of a build, except with `PLAIN_DATES`. ``as_of`` is the time that the environment sets, and
    ``wait`` waits for a history. Raises `HistoryError` if there are no dates.
    """
    file = _locate(path, rules)
    folder, name = (file, "") if os.path.isdir(file) else os.path.split(file)
    names = {os.fsencode(name)} if name else None
    history = _read(path, HistoryReader(folder, files=names, rules=rules), wait)
    files = {os.fsdecode(name): date for name, date in sorted(history.files.items())}
    if rules != PLAIN_DATES:
        now = _now_from_head(history, as_of) if names else _now_from_history(history, as_of)
        files = {name: _without_wrong_date(date, now) for name, date in files.items()}
        # Links are dated by the newest of the link and what it leads to.
        places = {name: os.path.abspath(path)} if name else {each: os.path.join(folder, each) for each in files}
        find_route = _router()  # which knows no links on Windows
        links = {
            name: place
            for name, place in places.items()
            if (os.path.islink(place) or find_route(place).links) and os.path.isfile(place)
        }
        dates = GitDates({}, rules, as_of).dates_of(links.values()) if links else {}
        files |= {name: dates[file] for name, file in links.items()}
    if names and not files:
        raise HistoryError(f"{path} is {_why_untracked(folder, name)}")
    return files


def explain_date(
    path: str, rules: DateRules, as_of: datetime | None, wait: Callable[[HistoryReader], History]
) -> DateExplanation:
    """How the date of one file was found; parameters and errors as for `dates_below`."""
    file, ways = _find_file(path, rules)
    folder, name = os.path.split(file)
    skipped: list[SkippedCommit] = []
    reader = HistoryReader(
        folder, files={os.fsencode(name)}, rules=rules, on_skip=lambda _, commit: skipped.append(commit)
    )
    history = _read(path, reader, wait)
    date = next(iter(history.files.values()), None)
    if date is None:
        raise HistoryError(f"{path} is {_why_untracked(folder, name)}, so git has no date for it")
    command = ("log", "-1", "--encoding=UTF-8", "--format=%P%n%s")
    about = run_git(folder, *command, date.commit).stdout if date.commit else b""
    parents, _, subject = about.partition(b"\n")
    return DateExplanation(
        date=date if rules == PLAIN_DATES else _without_wrong_date(date, _now_from_head(history, as_of)),
        when=date.when,
        subject=subject.strip().decode(errors="replace"),
        skipped=tuple(skipped),
        ways=ways,
        has_translations=rules.catalogues and os.fsencode(date.path).endswith(CATALOGUE),
        like=_removed_like(folder, date, parents) if date.added and rules.follow_renames else "",
    )


def _removed_like(folder: str, date: FileDate, parents: bytes) -> str:
    """The path of a file that the commit of a date removed while it added this one with its content, or empty."""
    renames = Renames(folder)
    with closing(renames.batches[0]):
        names = renames.exact(os.fsencode(date.commit or ""), parents.split()[0]) if parents else {}
    return os.fsdecode(names.get(os.fsencode(date.path), (b"", False))[0])


def _why_untracked(folder: str, name: str) -> str:
    """Why the last commit lacks a file of a folder."""
    found = run_git(folder, "ls-files", "--cached", "--others", "--exclude-standard", "--", name)
    return NOT_COMMITTED if found.stdout or found.error else IGNORED


def _locate(path: str, rules: DateRules) -> str:
    """The folder or file to read.

    Links are followed, because readers see their targets; with `PLAIN_DATES` the file itself may be a link, as in git.
    """
    file = os.path.realpath(path)
    if rules != PLAIN_DATES or os.path.isdir(file):
        return file
    above, own = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(above), own)


def _find_file(path: str, rules: DateRules) -> tuple[str, tuple[str, ...]]:
    """The path of the file that gives a path its date, and the ways to it: the links that lead there, and the file."""
    file = os.path.abspath(path)
    route = _router()(file)
    if route.links and rules != PLAIN_DATES:
        date = GitDates({}, rules).dates_of([file])[file]
        if date.link:
            ways = tuple(os.path.relpath(each, date.repository) for each in (date.link, route.file))
            return os.path.join(date.repository, *date.path.split("/")), ways
    return _locate(path, rules), ()


def _read(path: str, reader: HistoryReader, wait: Callable[[HistoryReader], History]) -> History:
    try:
        history = wait(reader)
    finally:
        reader.stop()
    if history.problem:
        raise HistoryError(f"{path}: {history.problem}")
    return history
