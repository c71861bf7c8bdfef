"""The build session: what every host does around the pipeline, from the options to the files and the build log."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import structs

from sitemap_plugins.model import Adjuster, Language, Note, Page, Policy, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pages.omit import explain
from sitemap_plugins.rules import level_of
from sitemap_plugins.session.built_elsewhere import CanonicalVersion, read_canonical_version, read_languages
from sitemap_plugins.session.dating import Dating, ShownDate
from sitemap_plugins.session.deployment import (
    PLACEHOLDER_URL,
    Deployment,
    empty_folder_notes,
    find_base_url,
    read_deployment,
)
from sitemap_plugins.session.host import Host, HostOptions, read_options
from sitemap_plugins.session.publishing import Output, Publication, publish, read_pages
from sitemap_plugins.values.text import and_more_pages, plural
from sitemap_plugins.values.urls import preview_at

if TYPE_CHECKING:
    from sitemap_plugins.session.record import PreviousRecord

LogLevel: TypeAlias = Literal["debug", "info", "warning"]
"""How important a line of the build log is."""

NO_PROBLEM = ""
"""The kind of notes that only tell what was done."""

Report: TypeAlias = Callable[[LogLevel, Note], None]
"""A function of the host that logs a note. A summary and, for a detailed log, pages left out have `NO_PROBLEM`."""


def open_session(
    host: Host, written: Mapping[Any, object], *, root: str | os.PathLike[str], report: Report
) -> BuildSession:
    """Open a session with the author's options, and report the mistakes in them; a wrong option has its default."""
    options, mistakes = read_options(host, written, root)
    session = BuildSession(host, options, root=root, report=report)
    session.log(Note(kind="option", message=f"{mistake} (it is ignored)") for mistake in mistakes)
    return session


class BuildSession:
    """One build from its options to its files, for every host; a rebuild of a preview needs a new session.

    A host opens it once the options are read, and logs its own notes through it. It belongs on the host's own object:
    Sphinx pickles its environment and configuration, which cannot hold the thread that reads git. ``root`` is the
    folder of the configuration.
    """

    def __init__(self, host: Host, options: HostOptions, *, root: str | os.PathLike[str], report: Report) -> None:
        self.settings = options.settings
        self.deployment: Deployment = read_deployment(os.environ)
        self.canonical_version: CanonicalVersion | None = None
        self._has_read_version = False
        self._host = host
        self._options = options
        self._root = root
        self._report = report
        self._previous: PreviousRecord | None = None
        if file := options.settings.previous_record:
            from sitemap_plugins.session.record import PreviousRecord

            self._previous = PreviousRecord(file, root, is_expected=self.deployment.service is not None)
        deployed = self._previous.head_date if self._previous else lambda: None
        self.dating = Dating(options.settings, options.rules, root, self.deployment.as_of, deployed)

    def log(self, notes: Iterable[Note]) -> None:
        """Report these notes, each at the level of its kind in the option ``notes``."""
        for level, note in notes_to_log(notes, self.settings):
            self._report(level, note)

    def find_base_url(
        self, host_url: str | None = None, place: str = "", *, is_written: bool = True
    ) -> tuple[str | None, list[Note]]:
        """See `find_base_url`. Call it late: other plugins, such as mike, change the host's URL.

        ``place`` is where the host's URL is set, if it is more than the host's ``url_option``. ``is_written`` tells
        whether the author wrote it there.
        """
        host_option = place or self._host.url_option
        return find_base_url(self.settings, self.deployment, host_url, host_option, is_written=is_written)

    def find_canonical_version(self, base_url: str) -> None:
        """Read the pages of the option ``canonical_version_url``, if this build is of another version.

        Call it when the base URL is known, before the first page is written, if the host can change canonical links.
        """
        if self.settings.canonical_version_url and not self._has_read_version:
            self._has_read_version = True
            self.canonical_version, notes = read_canonical_version(self.settings, self._root, base_url)
            self.log(notes)

    def superseded_by(self, loc: str) -> str | None:
        """The page of the canonical version that the page at ``loc`` should link to as canonical, if any."""
        return self.canonical_version.counterpart(loc) if self.canonical_version else None

    def read_languages(self, known: Mapping[str, str], base_url: str) -> tuple[Language, ...]:
        """The languages of the site, in the option ``languages`` and those that the host knows elsewhere.

        ``known`` are the URLs of the latter by their names.
        """
        if not self.settings.languages and not known:
            return ()
        languages, notes = read_languages(self.settings, self._root, known, own_base_url=base_url)
        self.log(notes)
        return tuple(languages)

    def dates(self, pages: Iterable[Page], base_url: str | None) -> dict[str, ShownDate]:
        """The dates of each page by its name, as in the sitemap unless a hook changes them; waits for git."""
        return self.dating.shown(self._completed(Site(base_url=base_url or PLACEHOLDER_URL)), [*pages])

    def publish(self, site: Site, pages: Iterable[Page], output: Output, hooks: Sequence[Adjuster] = ()) -> Publication:
        """Publish the pages, see the function `publish`, and log its notes, the pages left out, and a summary.

        ``site`` has what the host knows; the session adds the date, the policy and what the hosting service does. Pages
        that the host has not read are read from their files. ``hooks`` are called after the option ``adjust``.
        """
        self.find_canonical_version(site.base_url)
        if not site.languages:
            site = structs.replace(site, languages=self.read_languages({}, site.base_url))
        site = self._completed(site)
        if self.canonical_version:
            pages = (structs.replace(page, superseded_by=self.superseded_by(page.loc)) for page in pages)
        publication = publish(
            site,
            read_pages(pages, self.settings, output),
            self.settings,
            output,
            root=self._root,
            git=None if site.policy.is_local else self.dating.git,
            dates=None if site.policy.is_local else self.dating.sources,
            adjust=(*self._options.adjusters, *hooks),
            previous=None if site.policy.is_local else self._previous,
        )
        for name in self._options.without_effect:
            message = f"{name}: it has no effect here, only in {self._host.lacks[name]}"
            self.log([Note(kind="unmatched", message=message)])
        if option := self.settings.base_url:
            self.log(empty_folder_notes("base_url", option.written, option))
        self.log(self.dating.notes())
        self.log(publication.notes)
        undated = {} if site.policy.is_local else publication.result.undated
        if undated:
            name, reason = next(iter(undated.items()))
            message = f"it has no date: {reason}{and_more_pages(len(undated) - 1)}"
            self.log([Note(kind="undated", page=name, message=message)])
        details = [f"left out {explain(omitted)}" for omitted in publication.result.omitted]
        details += [f"no date {name}: {reason}" for name, reason in undated.items()]
        for detail in details:
            self._report("debug", Note(kind=NO_PROBLEM, message=detail))
        if publication.summary:
            level: LogLevel = "debug" if site.policy.is_local else "info"
            self._report(level, Note(kind=NO_PROBLEM, message=publication.summary))
        return publication

    def _completed(self, site: Site) -> Site:
        """The site with what the session knows about it; waits for git."""
        version = self.canonical_version.base_url if self.canonical_version else None
        preview = self.deployment.preview or preview_at(site.base_url)
        return structs.replace(
            site,
            as_of=self.dating.now,
            has_commit=self.dating.git is not None and self.dating.git.has_commit,
            policy=site.policy if site.policy.is_local else Policy(preview=preview, canonical_version=version),
            robots_owner=self.deployment.robots_owner,
            unshallow=self.deployment.unshallow,
        )

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
        self.dating.stop()


def notes_to_log(notes: Iterable[Note], settings: Settings) -> list[tuple[LogLevel, Note]]:
    """The notes to log, each with its level. Kinds that the option ``notes`` ignores are left out.

    If many pages have the same note, such as when a hook raises, only the first is logged, with their number.
    """
    alike: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        alike.setdefault((note.kind, note.message), []).append(note)
    to_log: list[tuple[LogLevel, Note]] = []
    for first, *others in alike.values():
        if (level := level_of(first.kind, settings.notes)) != "ignore":
            to_log.append((level, structs.replace(first, message=first.message + _describe_repeats(first, others))))
    return to_log


def _describe_repeats(first: Note, others: Sequence[Note]) -> str:
    """How many equal notes are left out: for other pages, or more times for the same pages."""
    if not first.page or not others:
        return ""
    what = "time" if len({first.page, *(each.page for each in others)}) <= len(others) else "page"
    return f" (and {len(others)} more {plural(len(others), what)})"
