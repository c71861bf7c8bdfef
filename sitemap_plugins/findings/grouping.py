"""Groups what the rules hit into findings, one for each cause; some are ignored, or known from a baseline."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Final

import msgspec

from sitemap_plugins.findings.catalogue import EVERYTHING, LEVELS, RULES, FindingLevel
from sitemap_plugins.options.settings import GONE, IgnoredFinding
from sitemap_plugins.values.urls import normalize_url, path_below

SITE: Final = "the site"
"""The cause of hits that have one cause on the whole site."""

VERSIONS: Final = "the sitemaps of versions"
"""The cause of hits in the sitemaps of versions: one tool writes all of them."""


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a rule is broken.

    ``rule`` is a key of `RULES`. ``cause`` says what all hits with the same cause have in common, such that one change
    fixes them: `SITE`, `VERSIONS`, the path of a sitemap, the folder of a version, a change of all URLs
    (``http→https``), or the beginning of a path. ``file`` is the path of the file to change or look at, below the root,
    ``line`` and ``column`` count from 1 and are 0 if they are not known. ``found`` is what is there, ``expected`` what
    should be. ``scope`` is where it hides hits of other rules: a file, or everywhere if empty; by default its ``file``.

    If the cause is only the folder that the hits happen to be in, ``key`` identifies it instead, because the folder
    gets smaller when some of them are fixed. ``more`` are hits with the same cause that follow and are not kept. A file
    that ``is_outside`` of the site is relative to the current folder.
    """

    rule: str
    cause: str
    url: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    found: str = ""
    expected: str = ""
    scope: str | None = None
    key: str = ""
    more: int = 0
    is_outside: bool = False

    @property
    def place(self) -> str:
        """The file with the line, as in ``sitemap.xml:7``."""
        return f"{self.file}:{self.line}" if self.line else self.file

    @property
    def text(self) -> str:
        """What is there and what should be, as in ``https://example.org/a (a draft) -> https://example.org/b``."""
        found = self.found if self.found != self.url else ""
        said = f"{self.url} ({found})" if self.url and found else self.url or found
        return f"{said} -> {self.expected}".lstrip() if self.expected else said


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """All hits of a rule with one cause, in the order of the rule."""

    rule: str
    cause: str
    level: FindingLevel
    hits: tuple[Hit, ...]

    @property
    def fingerprint(self) -> str:
        """What identifies it as long as its rule and its cause stay the same, in hexadecimal digits."""
        identity = f"{self.rule}\0{_key_of(self.hits[0])}"
        return sha256(identity.encode(errors="surrogateescape")).hexdigest()[:16]

    @property
    def number(self) -> int:
        """The number of places, including those that are not kept as hits."""
        return len(self.hits) + sum(hit.more for hit in self.hits)


def _key_of(hit: Hit) -> str:
    return hit.key or hit.cause


def group(hits: Iterable[Hit]) -> tuple[Finding, ...]:
    """The findings for these hits, worst first; see `Rule.hides` for the hits that are left out."""
    hits = [*hits]
    found: dict[tuple[str, str], list[Hit]] = {}
    for hit in _without_hidden(hits):
        found.setdefault((hit.rule, _key_of(hit)), []).append(hit)
    findings = [
        Finding(rule=rule, cause=each[0].cause, level=RULES[rule].level, hits=tuple(each))
        for (rule, _), each in found.items()
    ]
    order = {rule: number for number, rule in enumerate(RULES)}
    return tuple(sorted(findings, key=lambda each: (LEVELS.index(each.level), order[each.rule], each.cause)))


def _without_hidden(hits: Sequence[Hit]) -> list[Hit]:
    """The hits without those that another rule hides in the same file, or on the whole site."""
    hidden: set[tuple[str, str]] = set()
    for hit in hits:
        scope = hit.file if hit.scope is None else hit.scope
        hidden |= {(rule, scope) for rule in RULES[hit.rule].hides}

    def is_hidden(hit: Hit) -> bool:
        hiding = {(EVERYTHING, hit.file)} if hit.file and EVERYTHING not in RULES[hit.rule].hides else set()
        return not hidden.isdisjoint({(hit.rule, hit.file), (hit.rule, ""), *hiding})

    return [hit for hit in hits if not is_hidden(hit)]


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
        raise BaselineError(f"has version {baseline.version}, which this version cannot read")
    return {each.fingerprint: each.hits for each in baseline.findings}


def new_findings(findings: Iterable[Finding], known: Mapping[str, int]) -> Iterator[Finding]:
    """The findings that are not in a baseline, or that have more hits than there."""
    return (each for each in findings if each.number > known.get(each.fingerprint, 0))
