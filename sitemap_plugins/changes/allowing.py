"""Lost URLs that the author has given up, each for a reason (the option ``ignored_findings``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

from msgspec import structs

from sitemap_plugins.changes.comparing import Loss, LossFinding
from sitemap_plugins.options import IgnoredFinding

GONE: Final = "gone"
"""The name of lost URLs as a rule, which is also that of the message in builds."""


def without_allowed(findings: Iterable[LossFinding], entries: Sequence[IgnoredFinding]) -> Iterator[LossFinding]:
    """The findings without the URLs that an entry for the rule ``gone`` matches."""
    allowing = [entry for entry in entries if fnmatchcase(GONE, entry.rule or "")]

    def is_allowed(loss: Loss) -> bool:
        return any(entry.match is None or entry.match.matches(loss.path or "index.html") for entry in allowing)

    for finding in findings:
        losses = tuple(loss for loss in finding.losses if not is_allowed(loss))
        if losses:
            yield structs.replace(finding, losses=losses)
