"""Finds the pages and redirects of the last deployment that lead nowhere in this build (the message ``gone``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import structs

from sitemap_plugins.losses.branch import branch_of
from sitemap_plugins.losses.finding import Loss, LossFinding, find_losses, without_ignored
from sitemap_plugins.model import Candidate, Note, Site
from sitemap_plugins.options import IgnoredFinding
from sitemap_plugins.published.redirects import Redirects
from sitemap_plugins.published.snapshot import Snapshot, SnapshotPage, path_of
from sitemap_plugins.record import GoneRecord, Record
from sitemap_plugins.record.snapshot import gone_rows_of, snapshot_of_record
from sitemap_plugins.values.text import count_of, join_words, plural

_MOST: Final = 10_000  # lost pages and redirects in the record
_EXAMPLES: Final = 3
_SHOWN: Final = 200  # characters of a path


def snapshot_of_build(
    site: Site,
    listed: Iterable[Candidate],
    files: Iterable[str],
    redirects: Redirects,
) -> Snapshot:
    """What this build publishes: the pages that it lists, the ``files`` in its output, and its redirects."""
    files = frozenset(files) - {each.by for each in redirects.by_path.values()}
    paths = (path_of(site.base_url, each.entry.loc) for each in listed)
    return Snapshot(
        name="this build",
        base_url=site.base_url,
        pages={path: SnapshotPage(path=path) for path in paths if path is not None},
        redirects=redirects.by_path,
        redirect_by_rule=redirects.by_rule,
        files=files,
    )


def find_gone(
    record: Record, file: str, build: Snapshot, ignored: Sequence[IgnoredFinding], toplevel: str | None
) -> tuple[list[GoneRecord], list[Note]]:
    """What is gone since the ``record`` in a file, or was gone before it, and notes on what this branch lost.

    ``toplevel`` is the top folder of the repository of the pages, None if there is none. Missing pages that this branch
    may not have lost are only counted.
    """
    published = snapshot_of_record(record, file)
    old = published.with_gone()
    findings = find_losses(old, build)
    if not findings:
        return [], []
    branch = branch_of(record.head, toplevel)

    def is_elsewhere(loss: Loss) -> bool:
        """Whether the last deployment has the URL, and this branch may be behind rather than have lost it."""
        return loss.path not in old.gone and not branch.has_lost(loss)

    losses = [loss for finding in findings for loss in finding.losses]
    lost = (loss.page or old.redirects[loss.path] for loss in losses if not (branch.is_behind and is_elsewhere(loss)))
    gone = (
        structs.replace(each, commit=record.head)
        if isinstance(each, SnapshotPage) and each.path in published.pages
        else each
        for each in lost
    )
    rows = sorted(gone_rows_of(gone))[:_MOST]
    findings = tuple(without_ignored(findings, ignored))
    own = [structs.replace(each, losses=tuple(filter(branch.has_lost, each.losses))) for each in findings]
    notes = [Note(kind="gone", message=f"{file}: {message}") for message in _describe(own, file)]
    if others := [_name(loss) for finding in findings for loss in finding.losses if loss.page and is_elsewhere(loss)]:
        verb = "is" if len(others) == 1 else "are"
        count = count_of(len(others), "published page")
        message = f"{count} {verb} missing from this build: {_some(others)}; {branch.why}"
        notes.append(Note(kind="previous-record", message=f"{file}: {message}"))
    return rows, notes


def _describe(findings: Iterable[LossFinding], file: str) -> Iterator[str]:
    """A sentence on each cause of lost URLs, one on all other pages, and one on all other redirects."""
    causes: dict[tuple[str, str], list[str]] = {}
    for finding in findings:
        what = "redirect" if finding.kind == "redirects" else "page"
        causes.setdefault((what, finding.cause), []).extend(map(_name, finding.losses))
    for (what, cause), names in causes.items():
        if names:
            verb = "is" if len(names) == 1 else "are"
            because = f" ({cause})" if cause else ""
            yield (
                f"{len(names):,} published {plural(len(names), what)} {verb} gone{because}: {_some(names)}; "
                f"add redirects; to print them, run sitemap-plugins diff {file} SITE"
            )


def _name(loss: Loss) -> str:
    """The path of a lost URL, and where the page is now, if that is known."""
    now = "" if loss.moved_to is None else f" (now {loss.moved_to or 'the home page':.{_SHOWN}})"
    return f"{loss.path or 'the home page':.{_SHOWN}}{now}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _EXAMPLES
    return join_words([*names[:_EXAMPLES], *([f"{more} more"] if more > 0 else [])])
