"""Verify evidence: derive all dates of a site again from a clone of its repository, and compare them with sitemaps."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote

import msgspec

from sitemap_plugins.git import (
    CATALOGUE,
    IGNORE_REVS,
    RULES_VERSION,
    Blobs,
    DateRules,
    Files,
    History,
    HistoryError,
    HistoryReader,
    Memory,
    MemoryOf,
    digest_of,
    is_absent,
    is_in_history,
    is_later,
    now_from_head,
    read_files,
    read_ignored,
    route_of,
    run_git,
    toplevel_of,
)
from sitemap_plugins.git.path_dates import locate
from sitemap_plugins.model import SHALLOW, UNREMEMBERED, Entry, FileDate, LastMod
from sitemap_plugins.provenance.evidence import (
    Evidence,
    FileEvidence,
    Folders,
    PageEvidence,
    RepositoryEvidence,
    repository_of,
)
from sitemap_plugins.provenance.previous import basis_of
from sitemap_plugins.reading import IGNORED_COMMITS, RefusedError
from sitemap_plugins.values.dates import DateStyle, format_lastmod, is_future, parse_lastmod
from sitemap_plugins.values.text import and_more_pages, count_of, plural

_SHOWN: Final = 200  # characters of a URL in a message


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """The result: how many dates are ``proven``, of the ``total`` that can be proven, and which ``failures`` there are.

    ``composed`` counts the proven dates that come from another file than the page's own source; only the build says
    that the page is made of this file. ``remarks`` say what else was taken from the evidence without a check.
    ``detached`` are the commits of the evidence that the clone's HEAD does not contain: they are from another branch.
    ``unprovable`` counts the dates that no repository can prove, by their source. ``undated`` counts the pages that
    claim no date. ``differences`` are those between the evidence and the sitemaps. ``resting`` counts the dates that
    the clone's history is too short for, and that come from the evidence of an earlier build, by its commit.
    """

    proven: int
    total: int
    failures: tuple[str, ...]
    composed: int = 0
    remarks: tuple[str, ...] = ()
    detached: tuple[str, ...] = ()
    unprovable: Mapping[str, int] = {}
    undated: int = 0
    differences: tuple[str, ...] = ()
    resting: Mapping[str, int] = {}

    @property
    def is_shallow(self) -> bool:
        """Whether a longer history could prove more."""
        return any(SHALLOW in failure for failure in self.failures)

    def is_failed(self, *, strict: bool) -> bool:
        """Whether something is not proven; if ``strict``, also whatever rests on the word of the build alone."""
        believed = self.composed or self.unprovable or self.detached or self.resting
        return bool(self.differences or self.failures or (strict and believed))


def prove(
    evidence: Evidence,
    path: str,
    wait: Callable[[HistoryReader], History] = HistoryReader.history,
    *,
    read_lastmod: Callable[[bytes], LastMod | None],
    allow_ignored: bool = False,
    listings: Iterable[Iterable[Entry]] = (),
) -> Proof:
    """Derive the dates again in the repository that ``path`` is in; ``wait`` waits for the histories to be read.

    ``read_lastmod`` finds the date that the author wrote into a source file. If the evidence ignores commits that the
    repository's own file does not name, this is a failure unless ``allow_ignored`` is set. Each of the ``listings`` has
    all pages of the site, with the dates in its sitemaps. Raises `HistoryError` if there is no repository.
    """
    claims = [page for page in evidence.pages if page.lastmod]
    provable = [page for page in claims if _is_provable(page)]
    others = Counter(page.source or "an unnamed source" for page in claims if not _is_provable(page))
    clone = _Clone(evidence, provable, path, wait)
    try:
        found = [(page, _mismatch(page, clone, evidence.form, read_lastmod)) for page in provable]
        right = [page for page, why in found if not why]
        resting = Counter(commit for page in right if (commit := clone.rests_on(page)))
        composed = sum(page.source == "git" and not clone.is_own(page) for page in right if not clone.rests_on(page))
    finally:
        clone.close()
    repositories = clone.repositories.values()
    wrong: dict[str, list[str]] = {}
    for page, why in found:
        if why:
            wrong.setdefault(why, []).append(page.loc)
    failures = [f"{_shown(locs[0])}{and_more_pages(len(locs) - 1)}: {why}" for why, locs in wrong.items()]
    unlisted = [] if allow_ignored else [local.unlisted for local in repositories if local.unlisted]
    named = {(page.repository, page.path) for page, why in found if why}
    false_rows = [why for local in repositories for why in local.false_rows(named)]
    return Proof(
        proven=len(right) - resting.total(),
        total=len(provable),
        failures=(*unlisted, *failures, *false_rows),
        composed=composed,
        remarks=(*_remarks_on_rules(evidence), *(local.remark for local in repositories if local.remark)),
        detached=tuple(local.recorded.head for local in repositories if local.is_detached and local.recorded),
        unprovable=dict(sorted(others.items())),
        undated=len(evidence.pages) - len(claims),
        differences=tuple(dict.fromkeys(each for entries in listings for each in _compare(evidence, entries))),
        resting=dict(sorted(resting.items())),
    )


def _compare(evidence: Evidence, entries: Iterable[Entry]) -> list[str]:
    """How a sitemap differs from the evidence: a sentence for each page, or just one if the evidence has no pages."""
    listed = [*entries]
    # Compare text, because a date without a time is not a point in time.
    dates = {entry.loc: format_lastmod(entry.lastmod, "datetime") if entry.lastmod else None for entry in listed}
    claims = {page.loc: page.lastmod for page in evidence.pages}
    if dates and not claims:
        dated = sum(date is not None for date in dates.values())
        return [f"the evidence has no pages, but the sitemap has {len(dates)}, {dated} with a date"]
    failures = []
    for where, locs in (
        ("sitemap", [entry.loc for entry in listed]),
        ("evidence", [page.loc for page in evidence.pages]),
    ):
        failures += [
            f"{_shown(loc)}: the {where} has it {number} times" for loc, number in Counter(locs).items() if number > 1
        ]
    failures += [f"{_shown(loc)}: it is in the sitemap, but not in the evidence" for loc in dates if loc not in claims]
    failures += [f"{_shown(loc)}: it is in the evidence, but not in the sitemap" for loc in claims if loc not in dates]
    failures += [
        f"{_shown(loc)}: it has {_describe_date(dates[loc])} in the sitemap, "
        f"but {_describe_date(claim)} in the evidence"
        for loc, claim in claims.items()
        if loc in dates and dates[loc] != claim
    ]
    return failures


def _shown(loc: str) -> str:
    return loc if len(loc) <= _SHOWN else f"{loc[: _SHOWN - 1]}…"


def _describe_date(date: str | None) -> str:
    return f"the date {date}" if date else "no date"


def _is_provable(page: PageEvidence) -> bool:
    return page.source == "git" or (page.source == "front_matter" and None not in {page.path, page.document})


def _remarks_on_rules(evidence: Evidence) -> Iterator[str]:
    if evidence.rules < RULES_VERSION:
        yield f"made by an earlier release, so the dates are derived by its rules (version {evidence.rules})"
    if evidence.date == "author":
        yield "the dates are those of authors, which anyone can set when committing (git.date: author)"


class _RepositoryFile(NamedTuple):
    """A file of the evidence: its repository, and its path there."""

    repository: str
    path: str


class _Clone:
    """All repositories of the evidence, as they are found from the folder of the clone."""

    def __init__(
        self,
        evidence: Evidence,
        pages: Sequence[PageEvidence],
        path: str,
        wait: Callable[[HistoryReader], History],
    ) -> None:
        folder, _ = locate(path, DateRules())
        top = toplevel_of(folder)
        if top is None:
            raise HistoryError(f"{path} is not in a git repository; add PATH, a folder in the clone")
        self._top = top
        files = {file for page in pages for file in (page.document, *page.made_of) if file}
        named = {page.repository for page in pages}
        recorded = Folders(evidence.repositories)
        named |= {repository_of(file, recorded) or "." for file in files}
        rows: dict[str, list[FileEvidence]] = {name: [] for name in named}
        for file in evidence.files:
            rows.setdefault(file.repository, []).append(file)
        self.repositories = {
            name: _LocalRepository(evidence.repositories.get(name), name, self._top, rows[name])
            for name in sorted(rows)
        }
        folders = {name: local.folder for name, local in self.repositories.items() if local.folder}
        self._by_folder = {folder.rstrip(os.sep): name for name, folder in folders.items()}
        self._folders = Folders(self._by_folder)
        self._places = {file: self._follow_links(file) for file in files}
        # What precedes and follows a page's name in the path of its source.
        self._base = evidence.base or ""
        self._forms = sorted(
            {
                (before, after)
                for page in pages
                if page.document and (known := self._name_of(page))
                for before, name, after in [page.document.rpartition(known)]
                if name
            }
        )
        # A page is never older than its own source, so include that even if another file dates the page.
        paths = {_RepositoryFile(page.repository, page.path) for page in pages if page.path}
        paths |= {place for places in self._places.values() for place in places}
        wanted = {name: set(local.rows) for name, local in self.repositories.items()}
        for place in paths:
            wanted[place.repository].add(place.path)
        for name, local in self.repositories.items():
            local.read(evidence, wanted[name], wait)

    def places_of(self, file: str) -> Sequence[_RepositoryFile]:
        """The links that lead from a file, such as a page's source, to its content, then the content itself."""
        return self._places[file]

    def is_own(self, page: PageEvidence) -> bool:
        """Whether the page's own source dates it, or a link on the way to its content."""
        return bool(page.document) and (page.repository, page.path) in self._places[page.document or ""]

    def rests_on(self, page: PageEvidence) -> str | None:
        """The commit of the earlier build that a page's date comes from, because this clone does not reach further."""
        if page.source != "git":
            return None
        places = [place for file in (page.document, *page.made_of) if file for place in self.places_of(file)]
        places += [_RepositoryFile(page.repository, page.path)] if page.path else []
        dates = [self.repositories[place.repository].date_of(place.path) for place in places]
        return next((date.since for date in dates if date and date.since), None)

    def hidden_source(self, page: PageEvidence) -> str | None:
        """The file that must be the source of a page that names none, judging by the sources of the other pages."""
        paths = self.repositories["."].files.paths if "." in self.repositories else frozenset()
        name = self._name_of(page)
        return next((path for before, after in self._forms if name and (path := before + name + after) in paths), None)

    def _name_of(self, page: PageEvidence) -> str:
        """The part of a page's name that its source has too: its own name, or that in its URL since version 2."""
        return page.page or unquote(page.loc.removeprefix(self._base)).strip("/").removesuffix(".html")

    def close(self) -> None:
        for local in self.repositories.values():
            local.close()

    def _follow_links(self, document: str) -> list[_RepositoryFile]:
        route = route_of(os.path.join(self._top, *document.split("/")), self._read_link)
        places = map(self._place, [*(link.place for link in route.links), route.target])
        return [place for place in places if place]

    def _read_link(self, path: str) -> str | None:
        place = self._place(path)
        return self.repositories[place.repository].files.links.get(place.path) if place else None

    def _place(self, path: str) -> _RepositoryFile | None:
        """The innermost repository that contains an absolute path, and the path in it."""
        folder = self._folders.innermost(path, os.sep)
        if folder is None:
            return None
        name = self._by_folder[folder]
        return _RepositoryFile(name, os.path.relpath(path, self.repositories[name].folder).replace(os.sep, "/"))


class _LocalRepository:
    """One repository of the evidence, as the clone has it in ``folder``.

    ``problem`` says why it cannot be read, ``remark`` what was taken from the evidence without a check, and
    ``unlisted`` which ignored commits only the evidence names. ``is_detached`` says that its HEAD does not contain the
    commit of the evidence.
    """

    def __init__(
        self, recorded: RepositoryEvidence | None, name: str, top: str, rows: Iterable[FileEvidence] = ()
    ) -> None:
        self.recorded = recorded
        self.history = History()
        self.as_of: datetime | None = None
        self.folder = self.problem = self.remark = self.unlisted = ""
        self.is_detached = False
        self.files = Files(frozenset(), {})
        self._name = name
        self._blobs: Blobs | None = None
        if recorded is None:
            self.problem = f"the evidence has no repository {name!r}"
        else:
            self.folder = os.path.normpath(os.path.join(top, *PurePosixPath(name).parts))
            if os.path.isdir(self.folder):
                self.files = read_files(self.folder, recorded.head)
        rows = [*rows]
        hidden = {digest_of(path): path for path in self.files.paths} if any(row.hash for row in rows) else {}
        self.rows = {hidden.get(row.hash, row.hash) if row.hash else row.path or "": row for row in rows}

    def read(self, evidence: Evidence, paths: Iterable[str], wait: Callable[[HistoryReader], History]) -> None:
        """Read the history of these files."""
        if self.problem or self.recorded is None:
            return
        rules = DateRules(
            date=evidence.date,
            follow_renames=evidence.follow_renames,
            version=evidence.rules,
            catalogues=self.recorded.catalogues,
            fuzzy=evidence.fuzzy,
            ignore_revs=(),
            ignored=frozenset(map(str.encode, self.recorded.ignored)),
        )
        files = {os.fsencode(path) for path in paths}
        reader = HistoryReader(
            self.folder,
            files=files,
            rules=rules,
            revision=self.recorded.head,
            previous=self._memory_of(evidence, self.recorded),
            keeps_rows=True,
        )
        self.history = wait(reader)
        self.problem = f"repository {self._name}: {self.history.problem}" if self.history.problem else ""
        if not self.problem:
            self.is_detached = not is_in_history(self.folder, self.recorded.head)
            self.remark = _remark(self._name, self.recorded, self.folder, is_detached=self.is_detached)
            self.unlisted = _explain_unlisted(self._name, self.recorded, self.folder)
        written = parse_lastmod(evidence.as_of) if evidence.as_of else None
        self.as_of = written if isinstance(written, datetime) else None
        if self._name == "." and self.as_of and is_later(self.as_of, self.history.head_date):
            self.remark += f"{'; ' if self.remark else ''}now was {evidence.as_of}, as the evidence says"
        self._blobs = Blobs(self.folder)

    def _memory_of(self, evidence: Evidence, recorded: RepositoryEvidence) -> MemoryOf | None:
        """An earlier build without any row, so that only files whose history leads to its commit are undated by it."""
        if recorded.previous is None:
            return None
        memory = Memory(head=recorded.previous.encode(), basis=basis_of(evidence, recorded))
        return lambda _: memory

    def date_of(self, path: str | None) -> FileDate | None:
        """The date of a file, or what the evidence says if its history leads to the commit of an earlier build."""
        date = self.history.files.get(os.fsencode(path)) if path else None
        row = self.rows.get(path) if path else None
        if date is None or row is None or row.date is None or date.reason != UNREMEMBERED:
            return date
        return msgspec.structs.replace(date, when=row.date, commit=row.commit, reason=None, since=self.history.previous)

    def false_rows(self, named: Container[tuple[str, str | None]]) -> Iterator[str]:
        """How the history contradicts the rows of files, except those that were ``named`` before."""
        if self.problem:
            if self.rows:
                yield self.problem
            return
        wrong = []
        for path, row in self.rows.items():
            if (self._name, path) not in named and not self._confirms(path, row):
                wrong.append(path)
        if wrong:
            more = f" (and {count_of(len(wrong) - 1, 'more file')})" if wrong[1:] else ""
            yield f"{wrong[0]}{more}: the row of the file is not what git says in {self.history.head[:10]}"

    def _confirms(self, path: str, row: FileEvidence) -> bool:
        """Whether the history says the same as a row. It cannot contradict a date if it is too short for its own."""
        own, date = self.history.rows.get(path), self.history.files.get(os.fsencode(path))
        if own is None or date is None or (row.mode, row.blob) != (own.mode, own.blob):
            return False
        is_cut = date.reason in {SHALLOW, UNREMEMBERED}
        return row.date is None or is_cut or (row.commit, row.date) == (own.commit, own.when)

    def content(self, blob: str | None) -> bytes | None:
        return self._blobs.read(blob.encode()) if self._blobs and blob else None

    def close(self) -> None:
        if self._blobs:
            self._blobs.close()


def _remark(name: str, repository: RepositoryEvidence, folder: str, *, is_detached: bool) -> str:
    """What was taken from the evidence without a check, so that readers can judge it."""
    where = "" if name == "." else f"repository {name}, "
    there = run_git(folder, "rev-parse", "HEAD").stdout.strip().decode()
    other = "" if there == repository.head else ", which is not the clone's HEAD"
    other = ", which the clone's HEAD does not contain" if is_detached else other
    head = f"{where}as of {repository.head[:10]}{other}"
    if not repository.ignored:
        return head if other else ""
    return f"{head}, leaving out {len(repository.ignored)} ignored {plural(len(repository.ignored), 'commit')}"


def _explain_unlisted(name: str, repository: RepositoryEvidence, folder: str) -> str:
    """A sentence about commits that the evidence ignores, but the repository's own file does not name."""
    if not repository.ignored:
        return ""
    try:
        content, complaint = run_git(
            folder, "cat-file", "blob", f"{repository.head}:{IGNORE_REVS}", limit=IGNORED_COMMITS
        )
    except RefusedError as error:
        return f"repository {name}: {IGNORE_REVS}, which names the commits to ignore, is not read: {error.strerror}"
    if complaint and not is_absent(complaint):
        return f"repository {name}: {IGNORE_REVS}, which names the commits to ignore, is not in this clone (--filter)"
    named, _ = read_ignored(content, IGNORE_REVS)
    unlisted = sorted({each.encode() for each in repository.ignored} - named)
    if not unlisted:
        return ""
    number = count_of(len(unlisted), "commit")
    return (
        f"repository {name}: the evidence ignores {number} that {IGNORE_REVS} does not name in {repository.head[:10]}, "
        f"such as {unlisted[0].decode()[:10]}; if the option git.ignore_revs names another file, add --allow-ignored"
    )


def _mismatch(
    page: PageEvidence, clone: _Clone, form: DateStyle, read_lastmod: Callable[[bytes], LastMod | None]
) -> str:
    """How the repository contradicts the evidence for one page; empty if it does not."""
    local = clone.repositories[page.repository]
    date = local.date_of(page.path)
    if local.problem:
        return local.problem
    if date is None:
        head = local.history.head[:10]
        return f"there is no file {page.path} in {head}" if page.path else "the evidence names no file that dates it"
    if page.blob != date.blob:
        head = local.history.head[:10]
        return f"{page.path} has the content {date.blob} in {head}, but the evidence says {page.blob or 'nothing'}"
    if page.source == "front_matter":
        return _front_matter_mismatch(page, clone, form, read_lastmod)
    return (
        _date_mismatch(page, date, local, form)
        or _newer_file_mismatch(page, date, clone)
        or _file_mismatch(page, clone)
    )


def _file_mismatch(page: PageEvidence, clone: _Clone) -> str:
    """Why the file that dates a page is not among the page's files in the evidence itself; empty if it is."""
    if not page.document and (source := clone.hidden_source(page)):
        return f"the evidence names no document, but {source} is its source"
    files = [file for file in (page.document, *page.made_of) if file]
    if any((page.repository, page.path) in clone.places_of(file) for file in files):
        return ""
    return f"{page.path} is not one of the files that it is made of: {', '.join(files) or 'none'}"


def _date_mismatch(page: PageEvidence, date: FileDate, local: _LocalRepository, form: DateStyle) -> str:
    """How git contradicts the evidence for the file that dates a page; empty if it does not."""
    if date.when is None:
        return f"{page.path} has no date in this clone: {date.reason}"
    is_compared = local.recorded is not None and local.recorded.catalogues
    if os.fsencode(date.path).endswith(CATALOGUE) and is_compared and not local.history.catalogues:
        return f"{page.path} is compared by its contents, which a partial clone lacks (--filter)"
    lastmod = format_lastmod(date.when.astimezone(UTC), form)
    if (page.lastmod, page.commit) == (lastmod, date.commit):
        is_wrong = is_later(date.when, now_from_head(local.history, local.as_of))
        return f"{page.path} is dated {lastmod}, which is in the future: the clock was wrong" if is_wrong else ""
    claim = f"{page.lastmod} by {page.commit or 'no commit'}"
    return f"{page.path} is dated {lastmod} by {date.commit}, but the evidence says {claim}"


def _newer_file_mismatch(page: PageEvidence, date: FileDate, clone: _Clone) -> str:
    """How a file of the page, or a link to it, is later than the file that dates the page; empty if none is."""
    named = [file for file in (page.document, *page.made_of) if file]
    places = ((file, *place) for file in named for place in clone.places_of(file))
    for file, repository, path in places:
        local = clone.repositories[repository]
        own = local.date_of(path)
        if local.problem:
            return local.problem
        if own is None:
            return f"there is no file {path} in {local.history.head[:10]}"
        role = "its source" if file == page.document else "its part"
        what = f"{role} {path}" if path == file else f"{path}, to which {role} {file} leads,"
        if own.when is None:
            return f"{what} has no date: {own.reason}"
        if date.when is None or own.when > date.when:
            return f"{what} was changed later, {own.when.astimezone(UTC).isoformat()}"
    return ""


def _front_matter_mismatch(
    page: PageEvidence, clone: _Clone, form: DateStyle, read_lastmod: Callable[[bytes], LastMod | None]
) -> str:
    """How the date that the author wrote into a page's source contradicts the evidence; empty if it does not."""
    if not clone.is_own(page):
        return f"{page.path} is not the page's source, {page.document}"
    # The content of a link is that of the file it leads to.
    target = clone.places_of(page.document or "")[-1]
    local = clone.repositories[target.repository]
    date = local.date_of(target.path)
    content = local.content(date.blob if date else None)
    if content is None:
        return f"the content of {page.path} is not in this clone"
    written = read_lastmod(content)
    if written is None or page.lastmod != format_lastmod(written, form):
        return f"the front matter of {page.path} does not say {page.lastmod}"
    is_wrong = is_future(written, now_from_head(local.history, local.as_of))
    return f"the front matter of {page.path} says {page.lastmod}, which is in the future" if is_wrong else ""
