"""Objects of JSON, whose fields the manual lists: what all of them have in common, and findings."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sitemap_plugins.findings.catalogue import RULES, explain
from sitemap_plugins.findings.grouping import Finding, Hit


class VersionedReport(Struct, frozen=True, kw_only=True):
    """What all objects have in common."""

    version: Annotated[
        Literal[1], Meta(description="The version of this format. New fields may be added without a new version.")
    ] = 1


class HitReport(Struct, frozen=True, kw_only=True):
    """One place where a rule is broken."""

    url: Annotated[str | None, Meta(description="The URL that it is about.")]
    file: Annotated[
        str | None, Meta(description="The file to look at; that of `--redirects` is relative to the current folder.")
    ]
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
