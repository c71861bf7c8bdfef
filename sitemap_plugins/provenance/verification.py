"""Deriving all dates of a site again, from the evidence that a build wrote and a clone of its repository."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC
from pathlib import PurePosixPath

import msgspec

from sitemap_plugins.git import (
    CATALOGUE,
    IGNORE_REVS,
    Blobs,
    DateRules,
    History,
    HistoryReader,
    is_absent,
    read_ignored,
    run_git,
    toplevel_of,
)
from sitemap_plugins.model import FileDate
from sitemap_plugins.provenance.evidence import Evidence, Form, PageEvidence, RepositoryEvidence
from sitemap_plugins.values.dates import format_lastmod, parse_lastmod


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the evidence: how many dates are ``proven``, of how many that can be, and what does not hold.

    ``remarks`` say what was believed of the evidence. ``unprovable`` counts the dates that no repository can prove, by
    who says them. ``undated`` pages claim nothing.
    """

    proven: int
    total: int
    failures: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    unprovable: Mapping[str, int] = {}
    undated: int = 0


def prove(
    evidence: Evidence, directory: str, wait: Callable[[HistoryReader], History] = HistoryReader.history
) -> Proof:
    """Derive the dates again in the repository that ``directory`` is in; ``wait`` waits for what is read there."""
    claims = [page for page in evidence.pages if page.lastmod]
    provable = [page for page in claims if _is_provable(page)]
    others = Counter(page.source or "nobody" for page in claims if not _is_provable(page))
    archives = {
        name: _Archive(evidence, name, paths, directory, wait) for name, paths in sorted(_paths(provable).items())
    }
    try:
        found = ((page.loc, _mismatch(page, archives, evidence.form)) for page in provable)
        failures = tuple(f"{loc}: {why}" for loc, why in found if why)
    finally:
        for archive in archives.values():
            archive.close()
    return Proof(
        proven=len(provable) - len(failures),
        total=len(provable),
        failures=failures,
        remarks=tuple(archive.remark for archive in archives.values() if archive.remark),
        unprovable=dict(sorted(others.items())),
        undated=len(evidence.pages) - len(claims),
    )


def _is_provable(page: PageEvidence) -> bool:
    return page.source == "git" or (page.source == "front_matter" and page.path is not None)


def _paths(pages: Iterable[PageEvidence]) -> Mapping[str, set[str]]:
    """The files that are named, by the repository. A page is no older than its own source, whatever else dates it."""
    paths: defaultdict[str, set[str]] = defaultdict(set)
    for page in pages:
        paths[page.repository] |= {page.path} if page.path else set()
        if page.document:
            paths["."].add(page.document)
    return paths


class _Archive:
    """One repository of the evidence as the clone has it.

    ``problem`` says why it cannot be read, ``remark`` what of the evidence was believed.
    """

    def __init__(
        self,
        evidence: Evidence,
        name: str,
        paths: Iterable[str],
        directory: str,
        wait: Callable[[HistoryReader], History],
    ) -> None:
        self.repository = evidence.repositories.get(name)
        self.history = History()
        self.problem = self.remark = ""
        self._blobs: Blobs | None = None
        top = toplevel_of(os.path.realpath(directory))
        if self.repository is None:
            self.problem = f"the evidence has no repository {name!r}"
        elif top is None:
            self.problem = f"{directory} is in no repository"
        else:
            folder = os.path.normpath(os.path.join(top, *PurePosixPath(name).parts))
            rules = DateRules(
                date=evidence.date,
                follow_renames=evidence.follow_renames,
                catalogues=self.repository.catalogues,
                ignore_revs=(),
                ignored=frozenset(map(str.encode, self.repository.ignored)),
            )
            files = {os.fsencode(path) for path in paths}
            reader = HistoryReader(folder, files=files, rules=rules, revision=self.repository.head)
            self.history = wait(reader)
            self.problem = f"repository {name}: {self.history.problem}" if self.history.problem else ""
            self.remark = "" if self.problem else _remark(name, self.repository, folder)
            self._blobs = Blobs(folder)

    def date_of(self, path: str | None) -> FileDate | None:
        return self.history.files.get(os.fsencode(path)) if path else None

    def content(self, blob: str | None) -> bytes | None:
        return self._blobs.read(blob.encode()) if self._blobs and blob else None

    def close(self) -> None:
        if self._blobs:
            self._blobs.batch.close()


def _remark(name: str, repository: RepositoryEvidence, folder: str) -> str:
    """What was believed, so that everybody can see whether to believe it."""
    where = "" if name == "." else f"repository {name}, "
    there = run_git(folder, "rev-parse", "HEAD").stdout.strip().decode()
    other = "" if there == repository.head else ", which is not the clone's HEAD"
    head = f"{where}as of {repository.head[:10]}{other}"
    if not repository.ignored:
        return head if other else ""
    content, complaint = run_git(folder, "cat-file", "blob", f"{repository.head}:{IGNORE_REVS}")
    named, _ = read_ignored(content, IGNORE_REVS)
    is_known = not complaint or is_absent(complaint)  # a partial clone may not have it
    strange = len({each.encode() for each in repository.ignored} - named) if is_known else 0
    more = f", {strange} of which {IGNORE_REVS} does not name" if strange else ""
    return f"{head}, leaving out {len(repository.ignored)} ignored commit{'s' * (len(repository.ignored) > 1)}{more}"


def _mismatch(page: PageEvidence, archives: Mapping[str, _Archive], form: Form) -> str:
    """What the repository says otherwise of one page; empty where it says the same."""
    archive = archives[page.repository]
    date = archive.date_of(page.path)
    if archive.problem:
        return archive.problem
    if date is None:
        head = archive.history.head[:10]
        return f"there is no file {page.path} in {head}" if page.path else "no file is named that dates it"
    if page.blob != date.blob:
        head = archive.history.head[:10]
        return f"{page.path} has the content {date.blob} in {head}, and the evidence says {page.blob or 'nothing'}"
    if page.source == "front_matter":
        return _mistold(page, archive.content(date.blob), form)
    return _misdated(page, date, archive, form) or _overtaken(page, date, archives["."] if page.document else None)


def _misdated(page: PageEvidence, date: FileDate, archive: _Archive, form: Form) -> str:
    """What git says otherwise of the file that dates a page."""
    if date.when is None:
        return f"{page.path} has no date in this clone: {date.reason}"
    is_compared = archive.repository is not None and archive.repository.catalogues
    if os.fsencode(date.path).endswith(CATALOGUE) and is_compared and not archive.history.catalogues:
        return f"{page.path} is compared by its contents, which a partial clone has not (--filter)"
    lastmod = format_lastmod(date.when.astimezone(UTC), form)
    if (page.lastmod, page.commit) == (lastmod, date.commit):
        return ""
    claim = f"{page.lastmod} by {page.commit or 'no commit'}"
    return f"{page.path} is dated {lastmod} by {date.commit}, and the evidence says {claim}"


def _overtaken(page: PageEvidence, date: FileDate, archive: _Archive | None) -> str:
    """Whether the page's own source is later than the file that is said to date it."""
    own = archive.date_of(page.document) if archive else None
    if archive and archive.problem:
        return archive.problem
    if archive is None or (own and own.when and date.when and own.when <= date.when):
        return ""
    if own is None:
        return f"there is no file {page.document} in {archive.history.head[:10]}"
    when = f"was changed later, {own.when.astimezone(UTC).isoformat()}" if own.when else f"has no date: {own.reason}"
    return f"its source {page.document} {when}"


def _mistold(page: PageEvidence, content: bytes | None, form: Form) -> str:
    """What a page itself says otherwise of its date. How it says the time of day is not looked at."""
    if content is None:
        return f"the content of {page.path} is not in this clone"
    try:
        written = parse_lastmod(page.lastmod)
    except ValueError as error:
        return str(error)
    if page.lastmod != format_lastmod(written, form):
        return f"{page.lastmod!r} is not how a sitemap has it"
    day = format_lastmod(written, "date")
    return "" if day.encode() in content else f"{page.path} does not say {day}"
