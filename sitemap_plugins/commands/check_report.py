"""What ``check`` prints: what it has read, in lines, and all with its findings as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.findings.report import FindingReport, report_finding
from sitemap_plugins.values.text import count_of, join_words

_EXAMPLES: Final = 3


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
        findings=tuple(map(report_finding, findings)),
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
