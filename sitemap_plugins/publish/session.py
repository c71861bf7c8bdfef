"""The build session: what every host does around the pipeline, from the options to the files and the build log."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from msgspec import structs

from sitemap_plugins.git import DateRules, Export, GitDates
from sitemap_plugins.model import (
    NO_FILE,
    NOT_COMMITTED,
    Adjuster,
    Dated,
    FileDate,
    Language,
    LastMod,
    Note,
    Page,
    Policy,
    Result,
    Site,
)
from sitemap_plugins.options import Mistake, Settings
from sitemap_plugins.pages import DatesOf, FindFiles, enrich
from sitemap_plugins.pipeline import build, summarize
from sitemap_plugins.publish.deployment import Deployment, read_deployment
from sitemap_plugins.publish.ownership import ForeignFiles, configured_paths, foreign_note
from sitemap_plugins.publish.root_files import read_host_files, read_robots
from sitemap_plugins.publish.writing import WriteError, locked, would_change, write_locked
from sitemap_plugins.rules import Level, level_of
from sitemap_plugins.sitemaps import ROBOTS, feed_links
from sitemap_plugins.values.text import short_repr
from sitemap_plugins.values.urls import InvalidURLError, page_key, parse_base_url, preview_at, root_of

if TYPE_CHECKING:
    from sitemap_plugins.provenance import EvidenceRules
    from sitemap_plugins.publish.canonical_version import CanonicalVersion
    from sitemap_plugins.publish.installed import InstalledFiles

PLACEHOLDER_URL: Final = "http://localhost/"
"""The base URL of a site that has none, so that its pages can be dated."""


# Part of every path to an installed file: site-packages, or dist-packages in Debian.
_PACKAGES: Final = f"-packages{os.sep}"
# Options that have no effect in the plugins, and where they have one.
_ELSEWHERE: Final = {"source": "sitemap-plugins build"}


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """What was published, if anything: ``summary`` is None if there is no sitemap.

    ``written`` are the paths of our files, changed or not. ``changed`` are the paths of all files that were changed or
    removed, or would be.
    """

    result: Result
    notes: tuple[Note, ...]
    summary: str | None
    written: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """The folder that a host builds into, and what the host knows about files in it.

    ``copied`` are the paths of files that the host copied from the author's files, ``replaced`` of files that it wrote
    itself and that ours replace, ``earlier`` of files that our last build wrote. With ``dry_run`` nothing is written;
    the changes are only listed.
    """

    directory: str
    copied: Collection[str] = ()
    replaced: Collection[str] = ()
    earlier: Collection[str] = ()
    dry_run: bool = False


class BuildSession:
    """One build from its options to its files, for every host; a rebuild of a preview needs a new session.

    A host creates it once the options are read, and logs its own notes through it. It belongs on the host's own object:
    Sphinx pickles its environment and configuration, which cannot hold the thread that reads git. ``elsewhere`` are the
    options that have no effect with this host, each with where it has one.
    """

    def __init__(
        self,
        settings: Settings,
        report: Callable[[Level, Note], None],
        *,
        root: str | os.PathLike[str],
        rules: DateRules | None = None,
        elsewhere: Mapping[str, str] = _ELSEWHERE,
    ) -> None:
        self.settings = settings
        self.deployment = read_deployment(os.environ)
        self.git: GitDates | None = None
        self.canonical_version: CanonicalVersion | None = None
        self._report = report
        self._root = root
        self._rules = rules or DateRules()
        self._creation: GitDates | None = None
        self._known: dict[str, FileDate] = {}
        self._installed: InstalledFiles | None = None
        self._elsewhere = elsewhere

    def log(self, notes: Iterable[Note]) -> None:
        """Report these notes, each at the level of its kind in the option ``notes``."""
        for level, note in notes_to_log(notes, self.settings):
            self._report(level, note)

    def find_base_url(self, host_url: str | None, host_option: str) -> tuple[str | None, list[Note]]:
        """See `find_base_url`. Call it late: other plugins, such as mike, change the host's URL."""
        return find_base_url(self.settings, self.deployment, host_url=host_url, host_option=host_option)

    def find_canonical_version(self, base_url: str) -> None:
        """See `read_canonical_version`. Call it when the base URL is known, before the first page is written."""
        if self.settings.canonical_version_url:
            from sitemap_plugins.publish.canonical_version import read_canonical_version

            self.canonical_version, notes = read_canonical_version(self.settings, self._root, base_url)
            self.log(notes)

    def superseded_by(self, loc: str) -> str | None:
        """The page of the canonical version that the page at ``loc`` should link to as canonical, if any."""
        return self.canonical_version.counterpart(loc) if self.canonical_version else None

    @property
    def needs_git(self) -> bool:
        """Whether git's history is needed and not being read yet."""
        return self.git is None and "git" in self.settings.lastmod

    def start_git(self, directories: Mapping[str, Collection[str]], export: Export | None = None) -> None:
        """Start to read the history of these folders in a thread if dates need it. Call it after the host forks.

        ``directories`` maps folders to the suffixes of their files; the first folder has the documents. The folders may
        be in an ``export``. Later calls do nothing.
        """
        if self.needs_git:
            self.git = GitDates(directories, self._rules, self.deployment.as_of, export)
            if self.settings.expose == "created":
                documents = dict([*directories.items()][:1])
                self._creation = GitDates(documents, self._rules._replace(created=True), self.deployment.as_of, export)

    def expect(self, files: Iterable[str]) -> None:
        """Start to read the history of these files, if they are in other folders."""
        if self.git:
            several = [*files]
            self.git.expect([*several, *self._originals(several).values()])

    def site(self, base_url: str, **facts: Any) -> Site:
        """See `make_site`; waits for git."""
        version = self.canonical_version
        return make_site(
            base_url, self.deployment, self.git, superseded_by=version.base_url if version else None, **facts
        )

    def date(self, site: Site, pages: Iterable[Page]) -> dict[str, ShownDate]:
        """The dates of each page by its name, as in the sitemap unless a hook changes them; waits for git."""
        pages = [*pages]
        dated = date_pages(site, pages, self.settings, self._dates(), self._root)
        created = self._creation.dates_of(filter(None, (page.source for page in pages))) if self._creation else {}
        sources = {page.name: page.source or "" for page in pages}
        return {
            name: ShownDate(each.lastmod, created[sources[name]].when if sources[name] in created else None)
            for name, each in dated.items()
        }

    def publish(self, site: Site, pages: Iterable[Page], output: Output, adjust: Sequence[Adjuster]) -> Publication:
        """Publish the pages, see the function `publish`, and report its notes."""
        publication = publish(
            site,
            pages,
            self.settings,
            output,
            root=self._root,
            git=None if site.policy.is_local else self.git,
            dates=None if site.policy.is_local else self._dates(),
            adjust=adjust,
        )
        self.log(self._without_effect())
        if self._installed:
            self.log(self._installed.notes(self._uncommitted(self._known), self._root))
        self.log(publication.notes)
        return publication

    def _without_effect(self) -> Iterator[Note]:
        for name, place in self._elsewhere.items():
            if getattr(self.settings, name) != getattr(Settings(), name):
                yield Note(kind="unmatched", message=f"{name}: it has no effect here, only in {place}")

    @contextmanager
    def report_read_errors(self) -> Iterator[None]:
        """Report an OSError that is raised while a host reads what to publish. Nothing is published then."""
        try:
            yield
        except OSError as error:
            what = f"{error.filename or 'a file'} could not be read: {error.strerror or error}"
            self.log([Note(kind="unwritable", message=f"nothing was published, because {what}")])

    def abort(self) -> None:
        """Stop the threads that read git, at the end of a build."""
        for git in filter(None, (self.git, self._creation)):
            git.stop()

    def _dates(self) -> Mapping[str, DatesOf]:
        """The sources of dates; git is queried only once for each file."""
        return _dates(self.git) | ({"git": self._git_dates} if self.git else {})

    def _git_dates(self, files: Collection[str]) -> Mapping[str, FileDate]:
        if self.git and (new := [file for file in files if file not in self._known]):
            self._known |= self.git.dates_of(new)
            if originals := self._originals(self._uncommitted(new)):
                dates = self.git.dates_of(originals.values())
                self._known |= {file: dates[original] for file, original in originals.items()}
        return {file: self._known[file] for file in files}

    def _uncommitted(self, files: Iterable[str]) -> list[str]:
        return [file for file in files if self._known[file].reason == NOT_COMMITTED]

    def _originals(self, files: Iterable[str]) -> dict[str, str]:
        """The sources of installed files; their dates are those of the copies."""
        installed = [file for file in files if _PACKAGES in file]
        if installed and not self._installed:
            from sitemap_plugins.publish.installed import InstalledFiles

            self._installed = InstalledFiles()
        return self._installed.originals(installed) if self._installed else {}


class ShownDate(NamedTuple):
    """The dates that a page shows, of its last change and its creation; None if unknown."""

    lastmod: LastMod | None
    created: datetime | None


def find_base_url(
    settings: Settings, deployment: Deployment, *, host_url: str | None, host_option: str
) -> tuple[str | None, list[Note]]:
    """The site's base URL: the option, else the host's own, else the hosting service's; and a note if there is none.

    ``""`` and ``/`` mean "none" in every host. ``host_option`` is the name of the host's setting (``site_url``).
    """
    written = (host_url or "").strip()
    if settings.base_url:
        differs = written not in {"", "/"} and page_key(written) != page_key(settings.base_url)
        message = (
            f"the sitemap uses the option base_url, {settings.base_url}, but the canonical links use {host_option}, "
            f"{written}: set only one of them"
        )
        return settings.base_url, [Note(kind="base-url", message=message)] if differs else []
    candidate = deployment.canonical_url if written in {"", "/"} else written
    if candidate is None:
        message = (
            f"no sitemap was written, because the site has no URL: set {host_option} to the URL at which it will be "
            f"published"
        )
        return None, [Note(kind="no-base-url", message=message)]
    try:
        base_url = parse_base_url(candidate)
        return base_url, _version_notes(base_url, deployment)
    except InvalidURLError as error:
        name = deployment.canonical_variable if written in {"", "/"} else host_option
        message = f"no sitemap was written, because {name} {candidate!r} {error}"
        return None, [Note(kind="no-base-url", message=message)]


def _version_notes(base_url: str, deployment: Deployment) -> list[Note]:
    """A note if the hosting service publishes this build as another version than the one in its pages' URLs."""
    published = deployment.canonical_url or ""
    is_here = page_key(published) == page_key(base_url)
    if is_here or deployment.robots_owner is None or not published.startswith(root_of(base_url)):
        return []
    message = (
        f"this build is published at {published}, but its pages and its sitemap have URLs below {base_url}, which "
        "belong to another version, or to none"
    )
    return [Note(kind="other-version", message=message)]


def make_site(
    base_url: str,
    deployment: Deployment,
    git: GitDates | None,
    *,
    languages: Iterable[Language] = (),
    default_language: str | None = None,
    name: str = "",
    feeds: Iterable[str] = (),
    policy: Policy | None = None,
    superseded_by: str | None = None,
    is_one_version: bool = False,
    uncanonical_version: str | None = None,
    theme_reads_sitemap: bool = False,
) -> Site:
    """The site as of ``SOURCE_DATE_EPOCH`` or the date of HEAD, whichever is later.

    Committed changes are in the past, although builds often get an earlier, fixed date to be reproducible.
    """
    moments = [moment for moment in (deployment.as_of, git and git.now) if moment]
    return Site(
        base_url=base_url,
        as_of=max(moments, default=None),
        policy=policy or Policy(preview=deployment.preview or preview_at(base_url), superseded_by=superseded_by),
        robots_owner=deployment.robots_owner,
        unshallow=deployment.unshallow,
        languages=tuple(languages),
        default_language=default_language,
        name=name,
        feeds=tuple(feeds),
        is_one_version=is_one_version,
        uncanonical_version=uncanonical_version,
        theme_reads_sitemap=theme_reads_sitemap,
    )


def dates_of_modification(files: Iterable[str]) -> Mapping[str, FileDate]:
    """When each file on disk was last written, to the second: the ``lastmod`` source ``mtime``."""
    return {file: _date_of_modification(file) for file in files}


def _date_of_modification(file: str) -> FileDate:
    try:
        return FileDate(when=datetime.fromtimestamp(Path(file).stat().st_mtime_ns // 10**9, UTC))
    except (OSError, OverflowError, ValueError):
        return FileDate(when=None, reason=NO_FILE)


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


def publish(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    output: Output,
    *,
    root: str | os.PathLike[str],
    git: GitDates | None = None,
    dates: Mapping[str, DatesOf] | None = None,
    adjust: Sequence[Adjuster] = (),
) -> Publication:
    """Build the sitemaps of these pages, and write them and robots.txt. Foreign files are left alone.

    Raises OSError if existing files cannot be examined, see `BuildSession.report_read_errors`. ``root`` is the folder
    of the configuration, where ``depends_on`` finds files. ``dates`` replace the ones from ``git`` and from the disk,
    if they were read before.
    """
    directory = output.directory
    others = ForeignFiles(directory, output.copied, output.replaced)
    if foreign := next((path for path in _served(settings) if path in others), None):
        note = foreign_note(foreign, "filename")
        kept = tuple(path for path in output.earlier if path not in others)
        return Publication(result=Result(site=site), notes=(note,), summary=None, written=kept)
    robots_txt, about_robots = read_robots(directory)
    if about_robots:
        settings = msgspec.structs.replace(settings, robots=False)
    host_files, about_host_files = read_host_files(directory)
    result = build(
        site,
        pages,
        settings,
        dates=dates or _dates(git),
        find_files=_finder(root),
        adjust=adjust,
        robots_txt=robots_txt,
        evidence=partial(_evidence_rules, git),
        host_files=host_files,
        exists=_file_finder(directory),
        taken=others,
    )
    notes = [*(git_notes(git) if git else ()), *about_robots, *about_host_files, *result.notes]
    nothing = msgspec.structs.replace(result, sitemaps=(), indexes=(), announced=(), files=())
    if result.is_doubtful:
        return Publication(result=nothing, notes=tuple(notes), summary=None, written=tuple(output.earlier))
    try:
        with nullcontext() if output.dry_run else locked(directory):
            # Another build may have finished meanwhile, so check again which files are ours, now under the lock.
            others = ForeignFiles(directory, output.copied, output.replaced)
            files, about_files = others.select_writable(
                (file for file in result.files if file.path != ROBOTS), settings
            )
            notes += about_files
            removals = others.removals([*output.earlier, *configured_paths(settings)], files)
            robots = [file for file in result.files if file.path == ROBOTS]
            change = would_change if output.dry_run else write_locked
            changed = change([*removals, *files, *robots], directory)
    except WriteError as error:
        failed = Note(kind="unwritable", message=str(error))
        return Publication(result=nothing, notes=(*notes, failed), summary=None, written=tuple(output.earlier))
    if settings.head_links or settings.feeds.head_links:
        from sitemap_plugins.publish.localizing import write_head_links

        alternates = result.alternates if settings.head_links else dict.fromkeys(result.alternates, ())
        links = feed_links(site, files, settings)
        linked, about_links = write_head_links(alternates, Path(directory), links, dry_run=output.dry_run)
        changed += linked
        notes += about_links
    written = tuple(file.path for file in files if file.content is not None)
    summary = summarize(result) if result.sitemaps else None
    return Publication(result=result, notes=tuple(notes), summary=summary, written=written, changed=tuple(changed))


def _served(settings: Settings) -> tuple[str, ...]:
    """The paths where crawlers find the sitemap; a foreign file at one of them is the site's sitemap."""
    return settings.filenames if settings.gzip else (settings.filename,)


def date_pages(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    dates: Mapping[str, DatesOf],
    root: str | os.PathLike[str],
) -> dict[str, Dated]:
    """The date of each page by its name, as in the sitemap unless a hook changes it.

    Pages without a translation have a date too: only the sitemap leaves them out.
    """
    shown = (structs.replace(page, omit=None) if page.omit == "untranslated" else page for page in pages)
    candidates, _, _ = enrich(site, shown, settings, dates, _finder(root))
    return {candidate.page.name: candidate.dated for candidate in candidates}


def _finder(root: str | os.PathLike[str]) -> FindFiles:
    """A function that finds the files for a name or glob of the author's, and looks each up only once."""

    @cache
    def find(name: str) -> tuple[str, ...]:
        from sitemap_plugins.publish.file_globs import find_files

        return find_files(os.fspath(root), name)

    return find


def _dates(git: GitDates | None) -> dict[str, DatesOf]:
    return {"mtime": dates_of_modification, "git": git.dates_of} if git else {"mtime": dates_of_modification}


def _evidence_rules(git: GitDates | None) -> EvidenceRules:
    from sitemap_plugins.provenance import EvidenceRules, evidence_rules

    return evidence_rules(git.rules, git.histories, git.now) if git else EvidenceRules(rules=DateRules(), sources=())


def git_notes(git: GitDates) -> Iterator[Note]:
    """Notes on the repositories themselves."""
    if git.problem:
        yield Note(kind="no-git", message=git.problem)
    for complaint in git.complaints:
        yield Note(kind="ignore-revs", message=complaint)
    if git.wrong_clock:
        yield Note(kind="wrong-clock", message=git.wrong_clock)


def _file_finder(directory: str) -> Callable[[str], bool]:
    """A function that tells whether a file is in the output; each folder is read once, on demand.

    Names are compared exactly, because some disks find ``Logo.png`` under the name ``logo.png``, and servers do not.
    """

    @cache
    def names_in(folder: str) -> Mapping[str, bool]:
        try:
            with os.scandir(folder) as entries:
                return {entry.name: entry.is_file() for entry in entries}
        except OSError:
            return {}

    def exists(path: str) -> bool:
        folder = directory
        *folders, name = path.split("/")
        for each in folders:
            if each not in names_in(folder):
                return False
            folder = os.path.join(folder, each)
        return names_in(folder).get(name, False)

    return exists


def notes_to_log(notes: Iterable[Note], settings: Settings) -> list[tuple[Level, Note]]:
    """The notes to log, each with its level. Kinds that the option ``notes`` ignores are left out.

    If many pages have the same note, such as when a hook raises, only the first is logged, with their number.
    """
    alike: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        alike.setdefault((note.kind, note.message), []).append(note)
    to_log: list[tuple[Level, Note]] = []
    for first, *others in alike.values():
        if (level := level_of(first.kind, settings.notes)) != "ignore":
            to_log.append((level, structs.replace(first, message=first.message + _describe_repeats(first, others))))
    return to_log


def _describe_repeats(first: Note, others: Sequence[Note]) -> str:
    """How many equal notes are left out: for other pages, or more times for the same pages."""
    if not first.page or not others:
        return ""
    ending = "s" if others[1:] else ""
    if len({first.page, *(each.page for each in others)}) <= len(others):
        return f" (and {len(others)} more time{ending})"
    return f" (and {len(others)} more page{ending})"
