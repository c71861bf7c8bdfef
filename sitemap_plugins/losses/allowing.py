"""Leaves out lost URLs that the author ignores, each for a reason (the option ``ignored_findings``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from msgspec import structs

from sitemap_plugins.losses.finding import Loss, LossFinding
from sitemap_plugins.options import GONE, IgnoredFinding


def without_allowed(findings: Iterable[LossFinding], entries: Sequence[IgnoredFinding]) -> Iterator[LossFinding]:
    """The findings without the URLs that an entry for the rule ``gone`` matches.

    A page that is lost in several versions is only left out in those that match.
    """
    allowing = [entry for entry in entries if fnmatchcase(GONE, entry.rule or "")]

    def is_allowed(path: str) -> bool:
        return any(entry.match is None or entry.match.matches(path or "index.html") for entry in allowing)

    for finding in findings:
        kept = [(loss, [path for path in (loss.path, *loss.also) if not is_allowed(path)]) for loss in finding.losses]
        losses = tuple(_with_paths(loss, *paths) for loss, paths in kept if paths)
        if losses:
            yield structs.replace(finding, losses=losses)


def paths_of(findings: Iterable[LossFinding]) -> Iterator[str]:
    """All lost paths, also those of the same page in other versions."""
    return (path for finding in findings for loss in finding.losses for path in (loss.path, *loss.also))


def _with_paths(loss: Loss, path: str, *also: str) -> Loss:
    if path == loss.path:
        return structs.replace(loss, also=also)
    page = loss.page and structs.replace(loss.page, path=path)
    return structs.replace(loss, path=path, also=also, page=page, why="")  # it is only about the first path
