"""Dates the files and pages of a build: from git, from the disk, and as pages show them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping
from datetime import UTC, date, datetime
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import structs

from sitemap_plugins.git.dates import Export, GitDates
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.model import IGNORED, NO_FILE, NOT_COMMITTED, FileDate, LastMod, Note, Page, Site
from sitemap_plugins.options.convert import Mistake
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Globs
from sitemap_plugins.pages.entries import Draft, dated, draft_of, read_dates, read_front_matter
from sitemap_plugins.pages.lastmod import DatesOf
from sitemap_plugins.values.dates import moment_of
from sitemap_plugins.values.text import short_repr

if TYPE_CHECKING:
    from sitemap_plugins.session.installed_files import InstalledFiles

# Part of every path to an installed file: site-packages, or dist-packages in Debian.
_PACKAGES: Final = f"-packages{os.sep}"

REVISION: Final = "git_revision_date_localized"
_CREATION: Final = "git_creation_date_localized"

_MAGIC: Final = frozenset("*?[")


class ShownDate(NamedTuple):
    """The dates that a page shows, of its last change and its creation; None if unknown."""

    lastmod: LastMod | None
    created: datetime | None


class Dating:
    """The dates of the files of one build; git is queried only once for each file.

    ``root`` is the folder of the configuration. ``as_of`` is the time that the environment sets for the build, and
    ``deployed`` returns the date of the commit that the last deployment built. ``git`` is None until the history is
    being read.
    """

    def __init__(
        self,
        settings: Settings,
        rules: DateRules,
        root: str | os.PathLike[str],
        as_of: datetime | None,
        deployed: Callable[[], datetime | None] = lambda: None,
    ) -> None:
        self.git: GitDates | None = None
        self._settings = settings
        self._rules = rules
        self._root = root
        self._as_of = as_of
        self._deployed = deployed
        self._creation: GitDates | None = None
        self._known: dict[str, FileDate] = {}
        self._installed: InstalledFiles | None = None

    def start_git(self, directories: Mapping[str, Collection[str]], export: Export | None = None) -> None:
        """Start to read the history of these folders in a thread if dates need it. Call it after the host forks.

        ``directories`` maps folders to the suffixes of their files; the first folder has the documents. The folders may
        be in an ``export``. Later calls do nothing.
        """
        if self.git is None and "git" in self._settings.lastmod:
            self.git = GitDates(directories, self._rules, self._as_of, export, self._deployed)
            if self._settings.expose == "created":
                documents = dict([*directories.items()][:1])
                self._creation = GitDates(documents, structs.replace(self._rules, created=True), self._as_of, export)

    def expect(self, files: Iterable[str]) -> None:
        """Start to read the history of these files, if they are in other folders."""
        if self.git:
            several = [*files]
            self.git.expect([*several, *self._originals(several).values()])

    @property
    def now(self) -> datetime | None:
        """The date of HEAD or the time that the environment sets, whichever is later; waits for git.

        Committed changes are in the past, although builds often get an earlier, fixed date to be reproducible.
        """
        return max(filter(None, (self._as_of, self.git.now if self.git else None)), default=None)

    @property
    def sources(self) -> Mapping[str, DatesOf]:
        """The functions that date files, by the name of the ``lastmod`` source."""
        return dates_of_files(self.git) | ({"git": self._git_dates} if self.git else {})

    def shown(self, site: Site, pages: Collection[Page]) -> dict[str, ShownDate]:
        """The dates of each page by its name, as in the sitemap unless a hook changes them; waits for git.

        Pages that the host leaves out of the sitemap have dates too.
        """
        named = find_named_files(pages, self._settings, self._root)
        drafts = [each for page in pages if isinstance(each := draft_of(page, site, self._settings, named)[0], Draft)]
        files = read_dates(drafts, self._settings, self.sources)
        created = self._creation.dates_of(filter(None, (page.source for page in pages))) if self._creation else {}
        shown = {}
        for draft in drafts:
            creation = created.get(draft.page.source or "")
            lastmod = dated(draft, files, self._settings, site)[0].lastmod
            shown[draft.page.name] = ShownDate(lastmod, creation.when if creation else None)
        return shown

    def notes(self) -> Iterator[Note]:
        """Notes on installed files whose sources are not known."""
        if self._installed:
            yield from self._installed.notes(self._uncommitted(self._known))

    def stop(self) -> None:
        """Stop the threads that read git."""
        for git in filter(None, (self.git, self._creation)):
            git.stop()

    def _git_dates(self, files: Collection[str]) -> Mapping[str, FileDate]:
        if self.git and (new := [file for file in files if file not in self._known]):
            self._known |= self.git.dates_of(new)
            if originals := self._originals(self._uncommitted(new)):
                dates = self.git.dates_of(originals.values())
                self._known |= {file: dates[original] for file, original in originals.items()}
        return {file: self._known[file] for file in files}

    def _uncommitted(self, files: Iterable[str]) -> list[str]:
        return [file for file in files if self._known[file].reason in {NOT_COMMITTED, IGNORED}]

    def _originals(self, files: Iterable[str]) -> dict[str, str]:
        """The sources of installed files; their dates are those of the copies."""
        installed = [file for file in files if _PACKAGES in file]
        if installed and not self._installed:
            from sitemap_plugins.session.installed_files import InstalledFiles

            self._installed = InstalledFiles(self._root)
        return self._installed.originals(installed) if self._installed else {}


def date_rules(settings: Settings, directory: str | os.PathLike[str]) -> tuple[DateRules, list[Mistake]]:
    """The rules for dates from git, with the author's files in ``directory``, and a mistake for each missing file."""
    names = settings.git.ignore_revs.files
    files = {name: os.path.join(directory, name) for name in names or ()}
    missing = [name for name, file in files.items() if not os.path.isfile(file)]
    message = f"in {os.fspath(directory)} there is no file"
    rules = DateRules(
        date=settings.git.date,
        follow_renames=settings.git.follow_renames,
        ignore_revs=None if names is None else tuple(file for name, file in files.items() if name not in missing),
    )
    return rules, [Mistake("git.ignore_revs", f"{message} {short_repr(name)}") for name in missing]


def dates_of_modification(files: Iterable[str]) -> Mapping[str, FileDate]:
    """When each file on disk was last written, to the second: the ``lastmod`` source ``mtime``."""
    return {file: _date_of_modification(file) for file in files}


def _date_of_modification(file: str) -> FileDate:
    try:
        return FileDate(when=datetime.fromtimestamp(Path(file).stat().st_mtime_ns // 10**9, UTC))
    except (OSError, OverflowError, ValueError):
        return FileDate(when=None, reason=NO_FILE)


def dates_of_files(git: GitDates | None) -> dict[str, DatesOf]:
    """The functions that date files, by the name of the ``lastmod`` source."""
    return {"mtime": dates_of_modification, "git": git.dates_of} if git else {"mtime": dates_of_modification}


def git_notes(git: GitDates) -> Iterator[Note]:
    """Notes on the repositories themselves."""
    if git.problem:
        yield Note(kind="no-git", message=git.problem)
    for sentence in git.too_large:
        yield Note(kind="no-git", message=sentence)
    for problem in git.ignore_file_problems:
        yield Note(kind="ignore-revs", message=problem)
    if git.wrong_clock:
        yield Note(kind="wrong-clock", message=git.wrong_clock)


def expose_dates(meta: MutableMapping[str, Any], shown: ShownDate, language: str, *, created: bool) -> None:
    """Put the dates into a page's metadata under the names of mkdocs-git-revision-date-localized.

    If a date is not known, values under its names are removed, even if another plugin put them there. ``created`` says
    whether to do this for the date of creation, too.
    """
    _expose(meta, REVISION, shown.lastmod, language)
    if created:
        _expose(meta, _CREATION, shown.created, language)


def unshown_note(theme: str, other: str, value: str) -> Note:
    """A note that a theme shows no date in spite of the option ``expose``; ``value`` is what its templates get."""
    message = (
        f"expose: the theme {theme} does not show dates: choose one that does, such as {other}, or show {value} in a "
        "template"
    )
    return Note(kind="unmatched", message=message)


def _expose(meta: MutableMapping[str, Any], name: str, value: LastMod | None, language: str) -> None:
    for key in [key for key in meta if str(key).startswith(name)]:
        del meta[key]
    if value is not None:
        moment = moment_of(value).astimezone(UTC)
        day, time = moment.date(), f"{moment:%H:%M:%S}"
        text = _write_out(day, language)
        meta[name] = meta[f"{name}_raw_date"] = text
        meta[f"{name}_raw_datetime"] = f"{text} {time}"
        meta[f"{name}_raw_datetime-timezone"] = f"{text} {time} UTC"
        meta[f"{name}_raw_iso_date"] = day.isoformat()
        meta[f"{name}_raw_iso_datetime"] = f"{day.isoformat()} {time}"


def _write_out(day: date, language: str) -> str:
    """A day as written in a language if Babel is installed (Material requires it), else as ``2026-03-01``."""
    if find_spec("babel") is None:
        return day.isoformat()
    from babel import Locale, UnknownLocaleError
    from babel.dates import format_date

    try:
        locale = Locale.parse(language.replace("-", "_") or "en")
    except (ValueError, UnknownLocaleError):
        locale = Locale("en")
    return format_date(day, format="long", locale=locale)


def without_depends_on(pages: Iterable[Page], site: Site, settings: Settings) -> list[str]:
    """The names of the pages for which the author lists no files in ``depends_on``."""
    drafts = [draft_of(page, site, settings)[0] for page in pages]
    return [each.page.name for each in drafts if isinstance(each, Draft) and not each.values.depends_on]


def find_named_files(
    pages: Iterable[Page], settings: Settings, root: str | os.PathLike[str]
) -> Mapping[str, tuple[str, ...]]:
    """The files for each name or glob in ``depends_on`` of these pages, and of the rules for pages."""
    own = (read_front_matter(page)[0].depends_on for page in pages)
    rules = (rule.depends_on for rule in settings.pages)
    names = {name for names in (*own, *rules) for name in names or ()}
    return {name: find_files(os.fspath(root), name) for name in names}


def find_files(directory: str, name: str) -> tuple[str, ...]:
    """The files in a folder that match a name or glob, as absolute paths in order; a folder means all files in it.

    A name without wildcards is returned even if the file does not exist: git knows files that a sparse checkout leaves
    out. Globs have the syntax of .gitignore, like all others, relative to ``directory``. Links to folders are not
    followed, and folders that begin with a dot are skipped unless they are named before a wildcard.
    """
    exact = os.path.abspath(os.path.join(directory, name))
    parts = name.split("/")
    plain = [*takewhile(lambda part: not _MAGIC & set(part), parts)]
    if os.path.isdir(exact):
        return tuple(_files_in(exact))
    if plain == parts or os.path.isfile(exact):
        return (exact,)
    start = os.path.abspath(os.path.join(directory, *plain))
    try:
        globs = Globs.parse("/" + "/".join(parts[len(plain) :]))
    except ValueError:
        return ()
    return tuple(file for file in _files_in(start) if globs.matches(os.path.relpath(file, start).replace(os.sep, "/")))


def _files_in(folder: str) -> Iterator[str]:
    """All files in a folder and its subfolders, in order."""
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for each in sorted(files):
            file = os.path.join(path, each)
            if os.path.isfile(file):
                yield file
