"""Deriving all dates of a site again, from the evidence that a build wrote and a clone of its repository."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import PurePosixPath

from sitemap_plugins.enrich.git_blobs import Blobs
from sitemap_plugins.enrich.git_history import DateRules, History, HistoryReader
from sitemap_plugins.enrich.git_process import toplevel_of
from sitemap_plugins.formats.evidence import Evidence, PageEvidence
from sitemap_plugins.w3c_date import format_lastmod

_DAY = len("2026-03-01")


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """What became of the evidence: how many dates are ``proven``, of how many that can be, and what does not hold.

    ``unprovable`` counts the dates that no repository can prove, by who says them. ``undated`` pages claim nothing.
    """

    proven: int
    total: int
    failures: tuple[str, ...]
    unprovable: dict[str, int] = field(default_factory=dict)
    undated: int = 0


def prove(evidence: Evidence, directory: str) -> Proof:
    """Derive the dates again in the repository that ``directory`` is in."""
    claims = [page for page in evidence.pages if page.lastmod]
    provable = [page for page in claims if page.source in {"git", "front_matter"} and page.path]
    failures: list[str] = []
    for name in sorted({page.repository or "" for page in provable}):
        pages = [page for page in provable if (page.repository or "") == name]
        failures += _failures(evidence, name, pages, directory)
    return Proof(
        proven=len(provable) - len(failures),
        total=len(provable),
        failures=tuple(failures),
        unprovable=dict(sorted(Counter(page.source or "nobody" for page in claims if page not in provable).items())),
        undated=len(evidence.pages) - len(claims),
    )


def _failures(evidence: Evidence, name: str, pages: list[PageEvidence], directory: str) -> Iterator[str]:
    """What does not hold of the pages from one repository, a sentence for each of those pages."""
    repository = evidence.repositories.get(name)
    top = toplevel_of(os.path.realpath(directory))
    if repository is None or top is None:
        why = f"the evidence names no repository {name!r}" if repository is None else f"{directory} is in no repository"
        yield from (f"{page.loc}: {why}" for page in pages)
        return
    folder = os.path.normpath(os.path.join(top, *PurePosixPath(name).parts))  # noqa: PTH118  # as everywhere git is read
    rules = DateRules(
        date=evidence.date,
        follow_renames=evidence.follow_renames,
        catalogues=evidence.catalogues,
        ignore_revs=(),
        ignored=frozenset(map(str.encode, repository.ignored)),
    )
    files = {os.fsencode(page.path) for page in pages if page.path}
    history = HistoryReader(folder, files=files, rules=rules, revision=repository.head).history()
    if history.problem:
        yield from (f"{page.loc}: {history.problem}" for page in pages)
        return
    blobs = Blobs(folder)
    try:
        for page in pages:
            if why := _mismatch(page, history, evidence, blobs):
                yield f"{page.loc}: {why}"
    finally:
        blobs.close()


def _mismatch(page: PageEvidence, history: History, evidence: Evidence, blobs: Blobs) -> str:
    """What the repository says otherwise of one page; empty where it says the same."""
    date = history.files.get(os.fsencode(page.path or ""))
    if date is None:
        return f"there is no file {page.path} in {history.head[:10]}"
    if page.blob != date.blob:
        return f"{page.path} has another content in {history.head[:10]}: {date.blob}, not {page.blob}"
    if page.source == "front_matter":
        content = blobs.read((date.blob or "").encode()) or b""
        day = (page.lastmod or "")[:_DAY]
        return "" if day.encode() in content else f"{page.path} does not say {day}"
    if date.when is None:
        return f"{page.path} has no date in this clone: {date.reason}"
    lastmod = format_lastmod(date.when.astimezone(UTC), evidence.form)
    if (page.lastmod, page.commit) != (lastmod, date.commit):
        return f"{page.path} is dated {lastmod} by {date.commit}, not {page.lastmod} by {page.commit}"
    return ""
