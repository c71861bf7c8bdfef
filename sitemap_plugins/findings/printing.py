"""Findings as lines to print: text for people, and commands for GitHub Actions, which shows them as annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sitemap_plugins.findings.catalogue import LEVELS, RULES, FindingLevel, explain
from sitemap_plugins.findings.grouping import SITE, Finding, Hit
from sitemap_plugins.findings.sarif import describe
from sitemap_plugins.values.text import count_of, first_of

_EXAMPLES: Final = 3
_COMMANDS: Final[Mapping[FindingLevel, str]] = {"error": "error", "warning": "warning", "info": "notice"}
# What the runner decodes (actions/toolkit, packages/core/src/command.ts).
_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


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
    return f"{hit.place}: {hit.text}" if hit.place and hit.text else hit.place or hit.text


def summarize(findings: Sequence[Finding]) -> str:
    """How many findings there are of each level."""
    counted = Counter(finding.level for finding in findings)
    numbers = [count_of(counted[level], level) for level in LEVELS if counted[level]]
    return ", ".join(numbers) or "no problems found"


def annotate(finding: Finding, folder: str = "") -> str:
    """The line that makes GitHub show a finding at its first hit.

    ``folder`` is the folder of the site, relative to that of the repository, with forward slashes.
    """
    hit = finding.hits[0]
    properties = {
        "file": hit.path_from(folder) if hit.file else "",
        "line": str(hit.line or ""),
        "col": str(hit.column or ""),
        "title": finding.rule,
    }
    return write_command(_COMMANDS[finding.level], properties, describe(finding))


def write_command(level: str, properties: Mapping[str, str], message: str) -> str:
    """The line that makes GitHub show a message; empty properties are left out.

    ``level`` is ``error``, ``warning`` or ``notice``.
    """
    written = ",".join(f"{name}={_visible(value).translate(_PROPERTY)}" for name, value in properties.items() if value)
    return f"::{level} {written}::{_visible(message).translate(_DATA)}"


def _visible(text: str) -> str:
    """The text with escapes for all invisible characters, which the runner or the page might drop or obey."""
    return "".join(
        char if char.isprintable() or char in "\r\n" else char.encode("unicode_escape", "surrogatepass").decode()
        for char in text
    )
