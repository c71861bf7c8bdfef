"""Findings as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from sitemap_plugins.findings.catalogue import LEVELS, RULES, explain
from sitemap_plugins.findings.grouping import SITE, Finding, Hit
from sitemap_plugins.values.text import count_of, first_of

_EXAMPLES: Final = 3


def describe_findings(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings in lines to print, each with a few examples and the fix, and a line that counts them."""
    for finding in findings:
        number = finding.number
        facts = [f"{number:,} times"] if number > 1 else []
        facts += [finding.cause] if finding.cause != SITE else []
        more = f" ({', '.join(facts)})" if facts else ""
        yield f"{finding.level}: {finding.rule}: {RULES[finding.rule].meaning.removesuffix('.')}{more}"
        yield from first_of([f"  {_describe(hit)}" for hit in finding.hits[:_EXAMPLES]], _EXAMPLES, finding.number)
        yield f"  fix: {explain(finding.rule).fix}"
    yield summarize(findings)


def _describe(hit: Hit) -> str:
    """One hit on a line: where it is, what is there, and what should be."""
    subject = " ".join(part for part in (f"{hit.place}:" if hit.place else "", hit.url) if part)
    found = hit.found if hit.found != hit.url else ""
    said = subject + (f" ({found})" if found and hit.url else f" {found}" if found and subject else found)
    return (said + (f" -> {hit.expected}" if hit.expected else "")).removesuffix(":")


def summarize(findings: Sequence[Finding]) -> str:
    """How many findings there are of each level."""
    counted = Counter(finding.level for finding in findings)
    numbers = [count_of(counted[level], level) for level in LEVELS if counted[level]]
    return ", ".join(numbers) or "nothing found"
