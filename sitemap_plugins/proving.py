"""Deriving all dates of a site again, from the evidence that a build wrote and a clone of its repository."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import PurePosixPath

from sitemap_plugins.enrich.git_blobs import Blobs
from sitemap_plugins.enrich.git_history import DateRules, History, HistoryReader
from sitemap_plugins.enrich.git_process import toplevel_of
from sitemap_plugins.formats.evidence import Evidence, Form, PageEvidence
from sitemap_plugins.w3c_date import format_lastmod, parse_lastmod


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


def prove(
    evidence: Evidence, directory: str, wait: Callable[[HistoryReader], History] = HistoryReader.history
) -> Proof:
    """Derive the dates again in the repository that ``directory`` is in; ``wait`` waits for what is read there."""
    claims = [page for page in evidence.pages if page.lastmod]
    provable = [page for page in claims if page.source == "git" or (page.source == "front_matter" and page.path)]
    failures: list[str] = []
    for name in sorted({page.repository for page in provable}):
        failures += _failures(evidence, name, [page for page in provable if page.repository == name], directory, wait)
    return Proof(
        proven=len(provable) - len(failures),
        total=len(provable),
        failures=tuple(failures),
        unprovable=dict(sorted(Counter(page.source or "nobody" for page in claims if page not in provable).items())),
        undated=len(evidence.pages) - len(claims),
    )


def _failures(
    evidence: Evidence,
    name: str,
    pages: list[PageEvidence],
    directory: str,
    wait: Callable[[HistoryReader], History],
) -> Iterator[str]:
    """What does not hold of the pages from one repository, a sentence for each of those pages."""
    repository = evidence.repositories.get(name)
    top = toplevel_of(os.path.realpath(directory))
    if repository is None or top is None:
        why = f"the evidence has no repository {name!r}" if repository is None else f"{directory} is in no repository"
        yield from (f"{page.loc}: {why}" for page in pages)
        return
    folder = os.path.normpath(os.path.join(top, *PurePosixPath(name).parts))  # noqa: PTH118  # as everywhere git is read
    rules = DateRules(
        date=evidence.date,
        follow_renames=evidence.follow_renames,
        catalogues=repository.catalogues,
        ignore_revs=(),
        ignored=frozenset(map(str.encode, repository.ignored)),
    )
    files = {os.fsencode(page.path) for page in pages if page.path}
    history = wait(HistoryReader(folder, files=files, rules=rules, revision=repository.head))
    if history.problem:
        yield from (f"{page.loc}: repository {name}: {history.problem}" for page in pages)
        return
    blobs = Blobs(folder)
    try:
        for page in pages:
            if why := _mismatch(page, history, evidence, blobs):
                yield f"{page.loc}: {why}"
    finally:
        blobs.dialogue.close()


def _mismatch(page: PageEvidence, history: History, evidence: Evidence, blobs: Blobs) -> str:
    """What the repository says otherwise of one page; empty where it says the same."""
    date = history.files.get(os.fsencode(page.path or ""))
    if date is None:
        return f"there is no file {page.path} in {history.head[:10]}" if page.path else "no file is named that dates it"
    if page.blob != date.blob:
        claim = page.blob or "nothing"
        return f"{page.path} has the content {date.blob} in {history.head[:10]}, and the evidence says {claim}"
    if page.source == "front_matter":
        return _mistold(page, blobs.read((date.blob or "").encode()), evidence.form)
    if date.when is None:
        return f"{page.path} has no date in this clone: {date.reason}"
    lastmod = format_lastmod(date.when.astimezone(UTC), evidence.form)
    is_same = (page.lastmod, page.commit) == (lastmod, date.commit)
    claim = f"{page.lastmod} by {page.commit or 'no commit'}"
    return "" if is_same else f"{page.path} is dated {lastmod} by {date.commit}, and the evidence says {claim}"


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
