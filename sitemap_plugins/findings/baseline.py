"""A baseline: the findings that a site already has, so that a check reports only new ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from sitemap_plugins.findings.grouping import Finding


class BaselineError(ValueError):
    """Raised if a file is not a baseline; the message completes the sentence "FILE …"."""


class _Known(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A finding in the file. People read ``rule`` and ``cause``; the fingerprint is that of `Finding.fingerprint`."""

    rule: str
    cause: str
    fingerprint: str
    hits: int


class _Baseline(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    findings: tuple[_Known, ...]


def render_baseline(findings: Iterable[Finding]) -> bytes:
    """The file with all errors and warnings among the findings, in the order of their rules and causes."""
    known = sorted(
        _Known(rule=each.rule, cause=each.cause, fingerprint=each.fingerprint, hits=each.number)
        for each in findings
        if each.level != "info"
    )
    return (json.dumps(msgspec.to_builtins({"version": 1, "findings": known}), indent=1) + "\n").encode()


def read_baseline(content: bytes) -> Mapping[str, int]:
    """The number of hits of each known finding, by its fingerprint. Raises `BaselineError`."""
    try:
        baseline = msgspec.json.decode(content, type=_Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BaselineError(f"is not a baseline that --write-baseline wrote ({error})") from None
    if baseline.version != 1:
        raise BaselineError(f"has version {baseline.version}, which this version does not know")
    return {each.fingerprint: each.hits for each in baseline.findings}


def new_findings(findings: Iterable[Finding], known: Mapping[str, int]) -> Iterator[Finding]:
    """The findings that are not in a baseline, or that have more hits than there."""
    return (each for each in findings if each.number > known.get(each.fingerprint, 0))
