"""What ``check`` prints: findings as text for people, and as one JSON object, whose fields the manual lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from sitemap_plugins.check.catalogue import LEVELS, RULES, explain
from sitemap_plugins.check.findings import SITE, Finding, Hit
from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.commands.terminal import first_of
from sitemap_plugins.values.text import count_of, join_words

_EXAMPLES: Final = 3


class HitReport(Struct, frozen=True, kw_only=True):
    """One place where a rule is broken."""

    url: Annotated[str | None, Meta(description="The URL that it is about.")]
    file: Annotated[str | None, Meta(description="The file to look at.")]
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


class SitemapReport(Struct, frozen=True, kw_only=True):
    """A sitemap of the site."""

    path: Annotated[str, Meta(description="Its path.")]
    kind: Annotated[str, Meta(description="`urlset`, `index`, `text`, `feed` or `unusable`.")]
    urls: Annotated[int, Meta(description="The number of URLs or sitemaps that it lists.")]
    announced_by: Annotated[
        str | None,
        Meta(
            description="What announces it: `robots.txt`, an index, or the file itself if crawlers know its name. "
            "Rules about several files apply only to announced sitemaps."
        ),
    ]


class CheckReport(Struct, frozen=True, kw_only=True):
    """What ``check`` found. All paths are relative to SITE, with forward slashes."""

    version: Annotated[
        Literal[1], Meta(description="The version of this format. New fields may be added without a new version.")
    ] = 1
    base_url: Annotated[str | None, Meta(description="The URL of the site.")]
    base_url_from: Annotated[str | None, Meta(description="Where this URL comes from.")]
    pages: Annotated[int, Meta(description="The number of HTML files.")]
    sitemaps: Annotated[tuple[SitemapReport, ...], Meta(description="The sitemaps.")]
    findings: Annotated[tuple[FindingReport, ...], Meta(description="The findings, worst first.")]


def report_check(site: CheckedSite, findings: Sequence[Finding]) -> CheckReport:
    """The report of a run of ``check``."""
    return CheckReport(
        base_url=site.base.url if site.base else None,
        base_url_from=site.base.place if site.base else None,
        pages=len(site.pages),
        sitemaps=tuple(
            SitemapReport(
                path=each.path,
                kind=each.kind,
                urls=len(each.entries) or len(each.children),
                announced_by=each.announced_by or None,
            )
            for each in site.sitemaps.values()
        ),
        findings=tuple(map(_report_finding, findings)),
    )


def _report_finding(finding: Finding) -> FindingReport:
    rule = RULES[finding.rule]
    return FindingReport(
        rule=finding.rule,
        level=finding.level,
        cause=finding.cause,
        meaning=rule.meaning,
        fix=explain(finding.rule).fix,
        references=rule.rules,
        number=finding.number,
        hits=tuple(
            HitReport(
                url=hit.url or None,
                file=hit.file or None,
                line=hit.line or None,
                column=hit.column or None,
                found=hit.found or None,
                expected=hit.expected or None,
            )
            for hit in finding.hits
        ),
    )


def describe_site(site: CheckedSite) -> Iterator[str]:
    """What was checked, in lines to print."""
    announced = [each.path for each in site.announced_sitemaps]
    other = len(site.sitemaps) - len(announced)
    if announced:
        more = len(announced) - _EXAMPLES
        sitemaps = join_words([*announced[:_EXAMPLES], *([f"{more:,} more"] if more > 0 else [])])
        sitemaps += f", {count_of(other, 'other sitemap')}" if other else ""
    else:
        sitemaps = f"{count_of(other, 'sitemap')} that nothing announces" if other else "no sitemap"
    yield f"{count_of(len(site.pages), 'HTML file')}, {sitemaps}"
    yield f"URL: {site.base.url}, from {site.base.place}" if site.base else "URL: unknown"


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
