"""A baseline: the findings that a site already has, so that a check reports only new ones."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Final

import msgspec

from sitemap_plugins.check.findings import SITE, Finding

_DEPTH: Final = 32  # folders above the one of a finding, at most


class BaselineError(ValueError):
    """Raised if a file is not a baseline; the message completes the sentence "FILE …"."""


class _Known(msgspec.Struct, frozen=True, kw_only=True):
    """A finding in the file. People read ``rule`` and ``cause``; the fingerprint is made from both."""

    rule: str
    cause: str
    fingerprint: str
    hits: int


class _Baseline(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    findings: tuple[_Known, ...]


def fingerprint(finding: Finding) -> str:
    """What identifies a finding as long as its rule and its cause stay the same, in hexadecimal digits."""
    return _fingerprint(finding.rule, finding.cause)


def _fingerprint(rule: str, cause: str) -> str:
    return hashlib.sha256(f"{rule}\0{cause}".encode(errors="surrogateescape")).hexdigest()[:16]


def render_baseline(findings: Iterable[Finding]) -> bytes:
    """The file with all errors and warnings among the findings, in the order of their rules and causes."""
    known = [
        {"rule": each.rule, "cause": each.cause, "fingerprint": fingerprint(each), "hits": len(each.hits)}
        for each in findings
        if each.level != "info"
    ]
    known.sort(key=lambda each: (str(each["rule"]), str(each["cause"])))
    return (json.dumps({"version": 1, "findings": known}, indent=1) + "\n").encode()


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
    """The findings that are not in a baseline, or that have more hits than there.

    The cause of some is the folder that all their hits are in. It gets smaller when some of them are fixed.
    """
    return (
        each
        for each in findings
        if all(len(each.hits) > known.get(_fingerprint(each.rule, cause), 0) for cause in _causes_before(each.cause))
    )


def _causes_before(cause: str) -> Iterator[str]:
    """The cause, and those that it may have had before some hits were fixed."""
    yield cause
    if cause.endswith("/"):
        steps = cause.split("/", _DEPTH)[:-1]
        yield from (f"{folder}/" for folder in accumulate(steps, "{}/{}".format))
        yield SITE
