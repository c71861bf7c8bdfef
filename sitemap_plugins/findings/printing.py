"""Findings as text for people, commands for GitHub Actions, JSON, and SARIF 2.1.0, the format of code scanning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from sitemap_plugins.findings.catalogue import LEVELS, RULES, FindingLevel, explain
from sitemap_plugins.findings.grouping import SITE, Finding, Hit
from sitemap_plugins.project import MANUAL
from sitemap_plugins.values.text import count_of, first_of, one_line
from sitemap_plugins.values.urls import path_in, quote_path

_EXAMPLES: Final = 3
_COMMANDS: Final[Mapping[FindingLevel, str]] = {"error": "error", "warning": "warning", "info": "notice"}
# What the runner decodes (actions/toolkit, packages/core/src/command.ts).
_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final[dict[FindingLevel, str]] = {"error": "error", "warning": "warning", "info": "note"}
_RELATED: Final = 20  # services cut longer lists, and show none of them at once
_FINGERPRINT: Final = "sitemapPluginsFinding/v1"


def describe_findings(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings in lines to print, each with a few examples and the fix, and a line that counts them."""
    for finding in findings:
        number = finding.number
        facts = [f"{number:,} times"] if number > 1 else []
        facts += [finding.cause] if finding.cause != SITE else []
        more = f" ({', '.join(facts)})" if facts else ""
        yield f"{finding.level}: {finding.rule}: {RULES[finding.rule].meaning.removesuffix('.')}{more}"
        yield from first_of([f"  {_describe_hit(hit)}" for hit in finding.hits[:_EXAMPLES]], _EXAMPLES, finding.number)
        yield f"  fix: {explain(finding.rule).fix}"
    yield summarize(findings)


def _describe_hit(hit: Hit) -> str:
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
        "file": _file_from_current(hit, folder) if hit.file else "",
        "line": str(hit.line or ""),
        "col": str(hit.column or ""),
        "title": finding.rule,
    }
    return write_command(_COMMANDS[finding.level], properties, _describe(finding))


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


class VersionedReport(Struct, frozen=True, kw_only=True):
    """What all objects have in common."""

    version: Annotated[
        Literal[1], Meta(description="The version of this format. New fields may be added without a new version.")
    ] = 1


class HitReport(Struct, frozen=True, kw_only=True):
    """One place where a rule is broken."""

    url: Annotated[str | None, Meta(description="The URL that it is about.")]
    file: Annotated[str | None, Meta(description="The file to look at (of `--redirects`: from the current folder).")]
    line: Annotated[int | None, Meta(description="The line in it, from 1.")]
    column: Annotated[int | None, Meta(description="The column, from 1.")]
    found: Annotated[str | None, Meta(description="What is there.")]
    expected: Annotated[str | None, Meta(description="What should be there.")]


class FindingReport(Struct, frozen=True, kw_only=True):
    """All places where a rule is broken for one cause."""

    rule: Annotated[str, Meta(description="The rule.")]
    level: Annotated[Literal["error", "warning", "info"], Meta(description="`error`, `warning` or `info`.")]
    cause: Annotated[
        str,
        Meta(
            description="What they have in common: `the site`, a sitemap, a folder, a line of `robots.txt`, or a "
            "change of URLs such as `http→https`."
        ),
    ]
    meaning: Annotated[str, Meta(description="What the rule means, in one sentence.")]
    fix: Annotated[str, Meta(description="How to fix it, in Markdown.")]
    references: Annotated[tuple[str, ...], Meta(description="The rules of the specification behind it.")]
    number: Annotated[int, Meta(description="The number of places.")]
    hits: Annotated[
        tuple[HitReport, ...],
        Meta(description="All places; if a single sitemap has more than 50,000 problems, not all of them."),
    ]


def report_finding(finding: Finding) -> FindingReport:
    """The object of a finding."""
    rule = RULES[finding.rule]
    return FindingReport(
        rule=finding.rule,
        level=finding.level,
        cause=finding.cause,
        meaning=rule.meaning,
        fix=explain(finding.rule).fix,
        references=rule.rules,
        number=finding.number,
        hits=tuple(map(_report_hit, finding.hits)),
    )


def _report_hit(hit: Hit) -> HitReport:
    """The object of a hit, in which what is empty or not known is null."""
    return HitReport(**{name: getattr(hit, name) or None for name in HitReport.__struct_fields__})


def render_sarif(findings: Sequence[Finding], version: str, folder: str = "") -> dict[str, object]:
    """The log of one run, as JSON: one result for each finding, with its first hit as the location.

    ``folder`` is the folder of the site, relative to that of the repository, with forward slashes. At most 20 other
    hits are related locations; ``occurrenceCount`` has the number of all.
    """
    used = [rule for rule in RULES if any(each.rule == rule for each in findings)]
    driver = {
        "name": "sitemap-plugins",
        "version": version,
        "semanticVersion": version,
        "informationUri": MANUAL,
        "rules": [_rule(rule) for rule in used],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, used.index(each.rule), folder) for each in findings],
            }
        ],
    }


def _rule(rule: str) -> dict[str, object]:
    explanation = explain(rule)
    return {
        "id": rule,
        "shortDescription": {"text": RULES[rule].meaning},
        "fullDescription": {"text": explanation.why},
        "help": {"text": explanation.fix, "markdown": explanation.fix},
        "helpUri": f"{MANUAL}check-rules/{rule}/",
        "defaultConfiguration": {"level": _LEVELS[RULES[rule].level]},
        "properties": {"tags": ["sitemap", *RULES[rule].rules]},
    }


def _result(finding: Finding, index: int, folder: str) -> dict[str, object]:
    first, *others = finding.hits
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.level],
        "message": {"text": _describe(finding)},
        "locations": [_location(first, folder)],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
        "occurrenceCount": finding.number,
    }
    if others:
        result["relatedLocations"] = [
            {"id": number, **_location(hit, folder), "message": {"text": one_line(hit.text) or finding.rule}}
            for number, hit in enumerate(others[:_RELATED], 1)
        ]
    return result


def _describe(finding: Finding) -> str:
    """A finding as one paragraph: what it means, its cause, how many places it has, the first one, and the fix."""
    parts = (
        RULES[finding.rule].meaning,
        f"Cause: {finding.cause}." if finding.cause != SITE else "",
        f"It is in {count_of(finding.number, 'place')}, first here:" if finding.number > 1 else "",
        finding.hits[0].text,
        f"Fix: {explain(finding.rule).fix}",
    )
    return " ".join(one_line(part) for part in parts if part)


def _location(hit: Hit, folder: str) -> dict[str, object]:
    """The place of a hit; one that is not in a file has the URL that it is about as its logical location."""
    location: dict[str, object] = {}
    if hit.file:
        physical: dict[str, object] = {"artifactLocation": {"uri": _path_of(hit, folder)}}
        if hit.line:
            physical["region"] = {"startLine": hit.line, **({"startColumn": hit.column} if hit.column else {})}
        location["physicalLocation"] = physical
    if hit.url or not hit.file:
        name = one_line(hit.url) or SITE
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "resource"}]
    return location


def _path_of(hit: Hit, folder: str) -> str:
    """The relative reference of the hit's file as in a URL (RFC 3986, section 4.2)."""
    path = quote_path(_file_from_current(hit, folder))
    return f"./{path}" if ":" in path.partition("/")[0] else path


def _file_from_current(hit: Hit, folder: str) -> str:
    return hit.file if hit.is_outside else path_in(folder, hit.file)
