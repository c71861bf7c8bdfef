"""The differences that ``diff`` prints, as one JSON object."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sitemap_plugins.diff.differences import Differences
from sitemap_plugins.diff.redirect_lines import NoLine, RedirectLine
from sitemap_plugins.findings.printing import VersionedReport
from sitemap_plugins.losses.finding import LossFinding, LossKind
from sitemap_plugins.published.snapshot import FACTS, Fact, Snapshot


class SnapshotReport(Struct, frozen=True, kw_only=True):
    """One of the two snapshots."""

    name: Annotated[str, Meta(description="The state as named on the command line.")]
    base_url: Annotated[str | None, Meta(description="The URL of the site, if it is known.")]
    pages: Annotated[int, Meta(description="The number of its pages.")]
    redirects: Annotated[int, Meta(description="The number of its redirects from single URLs.")]
    commit: Annotated[str | None, Meta(description="The commit of the sources, if it is known.")]
    unknown: Annotated[
        tuple[Fact, ...],
        Meta(
            description="What is unknown for this state, and therefore not compared: `unlisted` (pages that are not in "
            "the sitemap), `redirects`, `documents` (the sources of pages), `texts`, `anchors`."
        ),
    ]


class LossReport(Struct, frozen=True, kw_only=True):
    """A URL that leads nowhere in the new snapshot."""

    path: Annotated[str, Meta(description="Its decoded path below the URL of the site.")]
    also: Annotated[tuple[str, ...], Meta(description="The paths of the same page in other versions and aliases.")]
    title: Annotated[str | None, Meta(description="The title of the page.")]
    document: Annotated[str | None, Meta(description="The source of the page, from the top of the repository.")]
    problem: Annotated[str | None, Meta(description="What is wrong with its redirect, if it has one.")]
    replacement: Annotated[
        str | None,
        Meta(description="The path of the page that replaces it, or a URL on another site, if that is certain."),
    ]
    replaced_by: Annotated[
        Literal["form", "git", "redirect", "words"] | None,
        Meta(
            description="How this is known: only the `form` of the URL changed, `git` says that the document was "
            "renamed, the old `redirect` led there, or most `words` agree."
        ),
    ]
    candidates: Annotated[
        tuple[str, ...], Meta(description="Pages that may replace it, if it is not certain which one does.")
    ]
    line: Annotated[str | None, Meta(description="The redirect to add, as the tool reads it.")]
    no_line: Annotated[str | None, Meta(description="Why there is no such line.")]


class LossFindingReport(Struct, frozen=True, kw_only=True):
    """Lost URLs with one cause."""

    kind: Annotated[
        LossKind,
        Meta(
            description="`removed` pages, dropped `redirects`, or pages that are still there with URLs in another "
            "`form`."
        ),
    ]
    cause: Annotated[
        str | None, Meta(description="What happened to all of them, such as `version 1.9` or `.html → /`.")
    ]
    losses: Annotated[tuple[LossReport, ...], Meta(description="All URLs.")]


class PageDifferenceReport(Struct, frozen=True, kw_only=True):
    """A page that was added or changed."""

    path: Annotated[str, Meta(description="Its decoded path below the URL of the site.")]
    title: Annotated[str | None, Meta(description="Its title.")]
    because_of: Annotated[
        tuple[str, ...], Meta(description="The changed files that it includes, if its own source did not change.")
    ] = ()


class AnchorsReport(Struct, frozen=True, kw_only=True):
    """The anchors that a page has lost."""

    path: Annotated[str, Meta(description="The decoded path of the page.")]
    headings: Annotated[tuple[str, ...], Meta(description="Those of headings and labels.")]
    objects: Annotated[tuple[str, ...], Meta(description="Those of API objects.")]
    lines: Annotated[
        tuple[str, ...],
        Meta(description="The redirects to add for headings of which only the anchor changed (Zensical)."),
    ]


class DiffReport(VersionedReport, frozen=True, kw_only=True):
    """What ``diff`` found."""

    old: Annotated[SnapshotReport, Meta(description="The old state.")]
    new: Annotated[SnapshotReport, Meta(description="The new state.")]
    url_change: Annotated[
        tuple[str, str] | None, Meta(description="The URL of the site before and after, if it changed.")
    ]
    findings: Annotated[
        tuple[LossFindingReport, ...], Meta(description="The lost URLs by cause, the most frequent one first.")
    ]
    behind: Annotated[
        tuple[str, ...],
        Meta(
            description="The paths of pages that the branch lacks, but has not removed: it may be behind the deployed "
            "one."
        ),
    ]
    ignored: Annotated[tuple[str, ...], Meta(description="The paths of lost URLs that match `ignored_findings`.")]
    in_both: Annotated[int, Meta(description="The number of pages that both states have.")]
    added: Annotated[tuple[PageDifferenceReport, ...], Meta(description="The pages that are new.")]
    changed: Annotated[tuple[PageDifferenceReport, ...], Meta(description="The pages whose text or images changed.")]
    anchors: Annotated[tuple[AnchorsReport, ...], Meta(description="The pages that have lost anchors.")]
    failures: Annotated[
        tuple[str, ...],
        Meta(description="The kinds in `--fail-on` that were found; the exit status is 1 if there are any."),
    ]


def report_differences(differences: Differences) -> DiffReport:
    """The report of a run of ``diff``."""
    return DiffReport(
        old=_report_snapshot(differences.old),
        new=_report_snapshot(differences.new),
        url_change=differences.url_change,
        findings=tuple(_report_finding(each, differences) for each in differences.lost),
        behind=tuple(loss.path for loss in differences.behind),
        ignored=tuple(differences.ignored),
        in_both=differences.in_both,
        added=tuple(PageDifferenceReport(path=page.path, title=page.title or None) for page in differences.added),
        changed=tuple(
            PageDifferenceReport(path=each.page.path, title=each.page.title or None, because_of=each.because_of)
            for each in differences.changed
        ),
        anchors=tuple(
            AnchorsReport(
                path=each.page.path,
                headings=each.headings,
                objects=each.objects,
                lines=tuple(
                    line.text
                    for name in each.renamed
                    if isinstance(line := differences.lines.get(f"{each.page.path}#{name}"), RedirectLine)
                ),
            )
            for each in differences.lost_anchors
        ),
        failures=differences.failures,
    )


def _report_snapshot(snapshot: Snapshot) -> SnapshotReport:
    return SnapshotReport(
        name=snapshot.name,
        base_url=snapshot.base_url,
        pages=len(snapshot.pages),
        redirects=len(snapshot.redirects),
        commit=snapshot.commit,
        unknown=tuple(fact for fact in FACTS if fact in snapshot.unknown),
    )


def _report_finding(finding: LossFinding, differences: Differences) -> LossFindingReport:
    losses = []
    for loss in finding.losses:
        replacement = differences.replacements[loss.path]
        line = differences.lines.get(loss.path)
        losses.append(
            LossReport(
                path=loss.path,
                also=loss.also,
                title=(loss.page and loss.page.title) or None,
                document=loss.page.document if loss.page else None,
                problem=loss.why or None,
                replacement=replacement.path,
                replaced_by=replacement.by,
                candidates=replacement.candidates,
                line=line.text if isinstance(line, RedirectLine) else None,
                no_line=line.reason if isinstance(line, NoLine) else None,
            )
        )
    return LossFindingReport(kind=finding.kind, cause=finding.cause or None, losses=tuple(losses))
