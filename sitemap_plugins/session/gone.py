"""Finds the pages and redirects of the last deployment that lead nowhere in this build (the message ``gone``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import quote

from msgspec import structs

from sitemap_plugins.changes.allowing import without_allowed
from sitemap_plugins.changes.comparing import Loss, LossFinding, find_losses
from sitemap_plugins.changes.evidence import gone_pages, redirects_of, snapshot_of_evidence
from sitemap_plugins.changes.snapshot import Snapshot, SnapshotPage
from sitemap_plugins.git import find_merge_base, is_in_history, read_files
from sitemap_plugins.model import Candidate, Note, Omitted, Site
from sitemap_plugins.options import IgnoredFinding
from sitemap_plugins.provenance import Evidence, GoneEvidence, RedirectEvidence
from sitemap_plugins.values.text import count_of, join_words
from sitemap_plugins.values.urls import file_path

_MOST: Final = 10_000  # pages that are gone, in the evidence
_EXAMPLES: Final = 3
_BEHIND: Final = "the branch may be behind"
_PATH_SAFE: Final = "/:@!$&'()*+,;=~"


def snapshot_of_build(
    site: Site,
    listed: Iterable[Candidate],
    omitted: Iterable[Omitted],
    files: Iterable[str],
    redirects: Iterable[RedirectEvidence],
) -> Snapshot:
    """What this build publishes: its pages, listed or not, the ``files`` in its output, and its redirects."""
    files = frozenset(files)
    shown = [(each.page.loc, False) for each in omitted if each.page.output in files]
    shown += [(each.entry.loc, True) for each in listed]
    by_path = {path: is_listed for loc, is_listed in shown if (path := file_path(site.base_url, loc)) is not None}
    return Snapshot(
        name="this build",
        base_url=site.base_url,
        pages={path: SnapshotPage(path=path, is_listed=is_listed) for path, is_listed in by_path.items()},
        redirects=redirects_of(redirects),
        files=files,
    )


def find_gone(
    evidence: Evidence, file: str, build: Snapshot, ignored: Sequence[IgnoredFinding], toplevel: str | None
) -> tuple[list[GoneEvidence], list[Note]]:
    """The pages that are gone since the ``evidence`` in a file or before it, and notes on those that this branch lost.

    ``toplevel`` is the top folder of the repository of the pages, None if they are in none. Pages that another branch
    may have lost are only counted.
    """
    old = snapshot_of_evidence(evidence, file)
    published = old.pages.keys() | old.redirects.keys()
    findings = find_losses(structs.replace(old, pages={**gone_pages(evidence), **old.pages}), build)
    pages = [loss.page for finding in findings for loss in finding.losses if loss.page]
    rows = sorted(GoneEvidence(quote(page.path, _PATH_SAFE, errors="surrogateescape"), page.document) for page in pages)
    findings = tuple(without_allowed(findings, ignored))
    if not findings:
        return rows[:_MOST], []
    is_own = _ownership(evidence, toplevel)
    own = [structs.replace(each, losses=tuple(filter(is_own, each.losses))) for each in findings]
    notes = [Note(kind="gone", message=f"{file}: {message}") for message in _describe(own, file)]
    losses = (loss for finding in findings for loss in finding.losses)
    if others := [_name(loss) for loss in losses if loss.path in published and not is_own(loss)]:
        verb = "is" if len(others) == 1 else "are"
        message = f"{count_of(len(others), 'page')} of the published site {verb} not here, {_some(others)}; {_BEHIND}"
        notes.append(Note(kind="previous-evidence", message=f"{file}: {message}"))
    return rows[:_MOST], notes


def _ownership(evidence: Evidence, toplevel: str | None) -> Callable[[Loss], bool]:
    """A function that tells whether this branch lost a page, rather than another one that has been deployed.

    It did if it contains the commit that was deployed, or if both come from a commit that has the page's document.
    """
    repository = evidence.repositories.get(".")
    if repository is None or toplevel is None:
        return lambda _: False
    if is_in_history(toplevel, repository.head):
        return lambda _: True
    base = find_merge_base(toplevel, repository.head)
    there = read_files(toplevel, base).paths if base else frozenset()

    def is_removed_here(loss: Loss) -> bool:
        document = loss.page.document if loss.page else None
        return document in there and not os.path.lexists(os.path.join(toplevel, *(document or "").split("/")))

    return is_removed_here


def _describe(findings: Iterable[LossFinding], file: str) -> Iterator[str]:
    """A sentence on each cause of lost URLs, and one each on all other pages and redirects."""
    causes: dict[tuple[str, str], list[str]] = {}
    for finding in findings:
        what = "redirect" if finding.kind == "redirects" else "page"
        causes.setdefault((what, finding.cause), []).extend(map(_name, finding.losses))
    for (what, cause), names in causes.items():
        if names:
            verb = "is" if len(names) == 1 else "are"
            because = f" ({cause})" if cause else ""
            yield (
                f"{count_of(len(names), what)} of the last deployment {verb} gone{because}: {_some(names)}; add "
                f"redirects, which sitemap-plugins diff {file} SITE writes for you"
            )


def _name(loss: Loss) -> str:
    """The path of a lost URL, and where the page is now, if that is known."""
    now = "" if loss.moved_to is None else f" (now {loss.moved_to or 'the home page'})"
    return (loss.path or "the home page") + now


def _some(names: Sequence[str]) -> str:
    more = len(names) - _EXAMPLES
    return join_words([*names[:_EXAMPLES], *([f"{more} more"] if more > 0 else [])])
