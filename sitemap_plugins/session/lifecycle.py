"""The build session: what every host does around the pipeline, from the options to the files and the build log."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from sitemap_plugins.git import DateRules, Export, GitDates
from sitemap_plugins.model import NOT_COMMITTED, Adjuster, FileDate, Language, Note, Page, Policy, Site
from sitemap_plugins.options import Settings
from sitemap_plugins.pages import DatesOf
from sitemap_plugins.rules import Level
from sitemap_plugins.session.base_url import find_base_url
from sitemap_plugins.session.dating import ShownDate, date_pages, dates_of_files
from sitemap_plugins.session.deployment import Deployment, read_deployment
from sitemap_plugins.session.notes import notes_to_log
from sitemap_plugins.session.publishing import Output, Publication, publish
from sitemap_plugins.values.urls import preview_at

if TYPE_CHECKING:
    from sitemap_plugins.session.canonical_version import CanonicalVersion
    from sitemap_plugins.session.installed_files import InstalledFiles

# Part of every path to an installed file: site-packages, or dist-packages in Debian.
_PACKAGES: Final = f"-packages{os.sep}"
# Options that have no effect in the plugins, and where they have one.
_ELSEWHERE: Final = {"source": "sitemap-plugins build"}


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
            from sitemap_plugins.session.canonical_version import read_canonical_version

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
        return dates_of_files(self.git) | ({"git": self._git_dates} if self.git else {})

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
            from sitemap_plugins.session.installed_files import InstalledFiles

            self._installed = InstalledFiles()
        return self._installed.originals(installed) if self._installed else {}


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
