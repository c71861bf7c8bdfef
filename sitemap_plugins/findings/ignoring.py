"""Findings that the author ignores, each for a reason (the option ``ignored_findings``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import msgspec

from sitemap_plugins.findings.grouping import Finding, Hit
from sitemap_plugins.options.settings import GONE, IgnoredFinding
from sitemap_plugins.values.urls import normalize_url, path_below


class Ignored(msgspec.Struct, frozen=True, kw_only=True):
    """The findings that remain, the number of hits that are ignored, and the entries that match none."""

    findings: tuple[Finding, ...]
    number: int
    unused: tuple[IgnoredFinding, ...]


def without_ignored(findings: Iterable[Finding], entries: Sequence[IgnoredFinding], base_url: str) -> Ignored:
    """Leave out the hits that an entry matches, and findings without any other hit. ``base_url`` may be empty."""
    used: set[int] = set()
    remaining: list[Finding] = []
    number = 0
    for finding in findings:
        globs = [(at, entry.match) for at, entry in enumerate(entries) if fnmatchcase(finding.rule, entry.rule or "")]
        kept = []
        for hit in finding.hits:
            matching = {at for at, match in globs if match is None or match.matches(_path(hit, base_url))}
            used |= matching
            if not matching:
                kept.append(hit)
        number += len(finding.hits) - len(kept)
        if kept:
            remaining.append(msgspec.structs.replace(finding, hits=tuple(kept)))
    unused = tuple(entry for at, entry in enumerate(entries) if at not in used and entry.rule != GONE)
    return Ignored(findings=tuple(remaining), number=number, unused=unused)


def _path(hit: Hit, base_url: str) -> str:
    """The path that globs match: that of the URL below the base, or that of the file if there is none."""
    below = path_below(base_url, normalize_url(hit.url)) if base_url and hit.url else None
    return hit.file if below is None else below
