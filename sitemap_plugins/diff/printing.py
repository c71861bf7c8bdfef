"""What ``diff`` prints: text, Markdown for the summary of a job, annotations for GitHub Actions, and a JSON object."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta, Struct

from sitemap_plugins.diff.differences import Differences, Lines
from sitemap_plugins.diff.redirecting import ExistingLine, NoLine, RedirectLine
from sitemap_plugins.diff.snapshots import name_inside
from sitemap_plugins.findings.printing import VersionedReport, write_command
from sitemap_plugins.losses.finding import Loss, LossFinding, LossKind
from sitemap_plugins.published.snapshot import FACTS, Fact, Snapshot, SnapshotPage
from sitemap_plugins.values.text import count_of, first_of, join_words, one_line, plural, table
from sitemap_plugins.values.urls import quote_path

_EXAMPLES: Final = 3
_SHOWN: Final = 20  # rows of each kind in text
_LOST: Final = 100  # rows of lost URLs in text, and lines to add
_ROWS: Final = 50  # rows of the table in Markdown
_REST: Final = 2_000  # characters kept for what follows
_CHARACTERS: Final = 60_000  # GitHub allows 1 MiB for the summary of a job, 65,536 characters for a comment
_SUCH_AS: Final = ", such as"
_SHORTENED: Final = re.compile(rf"\band [\d,]+ more\b|{_SUCH_AS}")
_EVERYTHING: Final = "lists everything"
_ANNOTATIONS: Final = 9  # and a last one; GitHub shows ten of each level for a step
# What Markdown or GitHub would read as markup, a person, an issue or the end of a cell.
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&:-])")


def describe_differences(differences: Differences, *, quiet: bool = False, width: int | None = None) -> list[str]:
    """The differences in lines to print: what was compared, a table, the lines to add, and a count.

    With ``quiet``, only what is lost, and what makes the run fail. ``width`` is that of the terminal, if it is one.
    """
    lines = [] if quiet else [*_describe_snapshots(differences)]
    lines += _describe_losses(differences, width)
    if not quiet:
        lines += [*table([*_other_rows(differences)], words=3, width=width), *_describe_ignored(differences)]
    lines += [f"--format json {_EVERYTHING}"] if _is_shortened(lines) else []
    return lines if quiet else [*lines, summarize(differences)]


def _describe_snapshots(differences: Differences) -> Iterator[str]:
    yield f"old: {_describe_snapshot(differences.old)}"
    yield f"new: {_describe_snapshot(differences.new)}"
    yield from _describe_unknown(differences)
    yield from _describe_mistake(differences)


def _describe_snapshot(snapshot: Snapshot) -> str:
    commit = f", built from {snapshot.commit[:10]}" if snapshot.commit else ""
    redirects = f", {count_of(len(snapshot.redirects), 'redirect')}" if snapshot.redirects else ""
    return f"{snapshot.name}: {count_of(len(snapshot.pages), 'page')}{redirects}{commit}"


def _describe_unknown(differences: Differences) -> Iterator[str]:
    """A line for each set of snapshots, with the facts that are unknown for them.

    Sources of pages are not mentioned: they only help to find what replaces a page.
    """
    silent: dict[tuple[str, ...], list[str]] = {}
    for fact, names in differences.unknown.items():
        if fact != "documents":
            silent.setdefault(names, []).append(FACTS[fact])
    for names, facts in silent.items():
        yield f"not compared: {join_words(facts)} (unknown for {'both states' if len(names) > 1 else names[0]})"


def _describe_mistake(differences: Differences) -> Iterator[str]:
    """Why it may be a mistake to compare these snapshots."""
    old, new = differences.old, differences.new
    versions = [folder for folder, kind in old.folders.items() if kind == "version"]
    if versions and "version" not in new.folders.values():
        aliases = (folder for folder, kind in old.folders.items() if kind == "alias")
        with_pages = (each for each in aliases if any(path.startswith(f"{each}/") for path in old.pages))
        example = name_inside(old.name, next(with_pages, versions[0]))
        yield (
            f"note: {old.name} has versions ({_first(versions)}), and {new.name} has none; to compare with one of "
            f"them: {example}"
        )
    elif not differences.in_both and not any(each.kind == "form" for each in differences.lost):
        yield "note: no page is in both states; are they the same site?"


def _describe_ignored(differences: Differences) -> Iterator[str]:
    if number := len(differences.ignored):
        yield f"{count_of(number, 'lost URL')} ignored (ignored_findings)"


def _describe_behind(differences: Differences) -> Iterator[str]:
    if differences.behind:
        names = _first(_shown(loss.path) for loss in differences.behind)
        yield f"missing, perhaps only because this branch is behind the deployed one: {names}"


def _describe_doubts(differences: Differences) -> list[str]:
    """What to know before the losses are believed."""
    return [*_describe_mistake(differences), *_describe_behind(differences), *_describe_ignored(differences)]


def _describe_losses(differences: Differences, width: int | None) -> Iterator[str]:
    """The lost URLs in lines to print, and the redirects to add."""
    rows = [(row.kind, row.what, row.facts) for row in _lost_rows(differences)]
    yield from table(rows[:_LOST], words=3, width=width)
    yield from [f"  and {more:,} more"] if (more := len(rows) - _LOST) > 0 else ()
    yield from _describe_behind(differences)
    if texts := _texts(differences.lines):
        yield f"add to {differences.where}:" if differences.where else "add these redirects:"
        yield from first_of([f"  {text}" for text in texts], _LOST)
    yield from first_of(_notes(differences.lines), _SHOWN)


def _texts(lines: Lines) -> list[str]:
    """The lines that can be added, each once: one may redirect the URLs of several versions or languages."""
    return [*dict.fromkeys(line.text for line in lines.values() if isinstance(line, RedirectLine))]


def _notes(lines: Lines) -> list[str]:
    """What the lines need to have an effect, each once, and why a URL whose replacement is certain has none."""
    conditions = dict.fromkeys(line.condition for line in lines.values() if isinstance(line, RedirectLine))
    missing = (
        f"{'' if isinstance(line, ExistingLine) else 'no redirect for '}{_shown(url)}: {line.reason}"
        for url, line in lines.items()
        if isinstance(line, NoLine)
    )
    return [*(f"note: {condition}" for condition in conditions if condition), *missing]


class _Row(NamedTuple):
    """A row of the table of what is lost: its kind, ``what`` is lost, and what is known about it.

    ``urls`` are the keys of the redirects for it, and ``is_url`` tells whether ``what`` is a single URL.
    """

    kind: str
    what: str
    facts: str
    urls: tuple[str, ...] = ()
    is_url: bool = False


def _lost_rows(differences: Differences) -> list[_Row]:
    """The rows for all that is lost or makes the run fail; the latter come first."""
    rows = [_Row("form", "the URL of the site", " → ".join(differences.url_change))] if differences.url_change else []
    rows += [_row(finding, differences) for finding in differences.lost]
    for lost in differences.lost_anchors:
        if names := differences.failing_anchors(lost):
            urls = tuple(f"{lost.page.path}#{name}" for name in names)
            facts = _first(f"#{name}" for name in names)
            rows.append(_Row("anchors", _shown(lost.page.path), facts, urls, is_url=True))
    failing = differences.failing_kinds
    return sorted(rows, key=lambda row: row.kind not in failing)


def _row(finding: LossFinding, differences: Differences) -> _Row:
    if finding.cause:
        examples = [_shown(loss.path) for loss in finding.losses[:_EXAMPLES]]
        number = count_of(len(finding.losses), _NOUNS[finding.kind])
        introduction = _SUCH_AS if len(finding.losses) > _EXAMPLES else ":"
        facts = [f"{number}{introduction} {join_words(examples)}", *_also(finding.losses)]
        return _Row(finding.kind, finding.cause, "; ".join(facts), tuple(loss.path for loss in finding.losses))
    (loss,) = finding.losses
    replacement = differences.replacements[loss.path]
    facts = [loss.why] if loss.why else []
    if replacement.path is not None:
        facts.append(_NOW[replacement.by or "words"].format(_shown(replacement.path)))
    elif replacement.candidates:
        facts.append(f"perhaps {join_words(map(_shown, replacement.candidates), 'or')}")
    facts += _also([loss])
    return _Row(finding.kind, _shown(loss.path), "; ".join(facts), (loss.path,), is_url=True)


def _also(losses: Iterable[Loss]) -> list[str]:
    """What else is lost with these."""
    paths = [_shown(path) for loss in losses for path in loss.also]
    return [f"also {_first(paths)}"] if paths else []


_NOUNS: Final[Mapping[LossKind, str]] = {"removed": "page", "redirects": "redirect", "form": "URL"}
_LOST_AS: Final[Mapping[LossKind, str]] = {"removed": "removed", "redirects": "lost", "form": "in another form"}
_NOW: Final = {
    "form": "now {}",
    "git": "now {} (renamed, according to git)",
    "redirect": "led to {}",
    "words": "now {} (most words agree)",
}


def _other_rows(differences: Differences) -> Iterator[tuple[str, str, str]]:
    """The rows of the table of what else is different, at most twenty of each kind."""
    anchors = [each for each in differences.lost_anchors if not differences.failing_anchors(each)]
    kinds = {
        "anchors": [(each.page.path, _first(f"#{anchor.name}" for anchor in each.anchors)) for each in anchors],
        "changed": [(each.page.path, _first(each.because_of)) for each in differences.changed],
        "added": [(page.path, one_line(page.title)) for page in differences.added],
    }
    for kind, rows in kinds.items():
        yield from ((kind, _shown(path), facts) for path, facts in rows[:_SHOWN])
        if len(rows) > _SHOWN:
            yield kind, f"and {len(rows) - _SHOWN:,} more", ""


def _first(names: Iterable[str]) -> str:
    names = [*names]
    more = len(names) - _EXAMPLES
    return ", ".join(names[:_EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")


def _is_shortened(lines: Iterable[str]) -> bool:
    """Whether some of the lines leave something out."""
    return any(_SHORTENED.search(line) for line in lines)


def _shown(path: str) -> str:
    """A path below the site for people, or a URL elsewhere; the path of the home page is empty."""
    return path if "://" in path else f"/{path}"


def summarize(differences: Differences) -> str:
    """One line that counts everything."""
    numbers = Counter[LossKind]()
    for finding in differences.lost:
        numbers[finding.kind] += len(finding.losses)
    lost = ["the site has another URL"] if differences.url_change else []
    lost += [f"{count_of(numbers[kind], noun)} {_LOST_AS[kind]}" for kind, noun in _NOUNS.items() if numbers[kind]]
    rest = [f"{count_of(len(differences.lost_anchors), 'page')} with lost anchors"] if differences.lost_anchors else []
    rest += [f"{len(differences.changed):,} changed"] if differences.changed else []
    rest += [f"{len(differences.added):,} added"] if differences.added else []
    return "; ".join(filter(None, (", ".join(lost) or "no URL is lost", ", ".join(rest))))


def annotate_differences(differences: Differences) -> Iterator[str]:
    """The commands that make GitHub show what is lost: at most nine, and one with all numbers and doubts."""
    rows = _lost_rows(differences)
    failing = differences.failing_kinds
    for row in rows[:_ANNOTATIONS]:
        level = "error" if row.kind in failing else "notice"
        yield write_command(level, {"title": f"diff: {row.kind}"}, _annotation(row, differences))
    if rows or differences.behind:
        more = len(rows) - _ANNOTATIONS
        rest = [f"and {more:,} more; --format json {_EVERYTHING}"] if more > 0 else []
        message = "\n".join([summarize(differences), *rest, *_describe_doubts(differences)])
        yield write_command("error" if failing else "notice", {"title": "diff"}, message)


def _annotation(row: _Row, differences: Differences) -> str:
    """What is lost in a sentence, and below it the redirects to add, or why there are none."""
    verbs = {"form": "", "anchors": " has lost anchors"}
    parts = [f"{row.what}{verbs.get(row.kind, ' is gone')}{': ' if row.facts else ''}{row.facts}"]
    known = {url: differences.lines[url] for url in row.urls if url in differences.lines}
    shown = dict([*known.items()][:_EXAMPLES])
    parts += [f"add to {differences.where or 'the redirects'}: {text}" for text in _texts(shown)]
    parts += _notes(shown)
    if (more := len(known) - len(shown)) > 0:
        parts.append(f"and {more:,} more {plural(more, 'redirect')}")
    return "\n".join(parts)


def write_markdown(differences: Differences, preview: str = "") -> list[str]:
    """The lines of Markdown for the summary of a job or for a comment, within GitHub's limits.

    If there is a URL of a ``preview`` of the new snapshot, added and changed pages link to it.
    """
    lines = [f"**{_escape(summarize(differences))}**", ""]
    for line in (*_describe_unknown(differences), *_describe_doubts(differences)):
        lines += [_escape(line), ""]
    rows, more = _fit([*_markdown_rows(differences, preview)], lines, "row")
    lines += ["| | page | |", "|---|---|---|", *rows, *more] if rows else more
    redirects, more = _fit(_texts(differences.lines), lines, "redirect")
    if redirects:
        fence = _fence("\n".join(redirects), 3)
        where = f"Add to {_escape(differences.where)}:" if differences.where else "Add these redirects:"
        lines += ["", where, "", fence, *redirects, fence]
    lines += more
    notes, more = _fit([f"* {_escape(note)}" for note in _notes(differences.lines)], lines, "note")
    lines += ["", *notes, *more] if notes else more
    return [*lines, "", f"`--format json` {_EVERYTHING}"] if _is_shortened(lines) else lines


def _fit(rows: Sequence[str], above: Iterable[str], noun: str) -> tuple[list[str], list[str]]:
    """The rows that fit below the lines ``above``, and lines with the number of the other rows."""
    room = _CHARACTERS - _REST - sum(len(line) + 1 for line in above)
    sizes = accumulate(len(row) + 1 for row in rows[:_ROWS])
    kept = [row for row, size in zip(rows, sizes, strict=False) if size <= room]
    number = len(rows) - len(kept)
    return kept, ["", f"and {number:,} more {plural(number, noun)}"] if number else []


def _markdown_rows(differences: Differences, preview: str) -> Iterator[str]:
    rows = [
        (row.kind, _code(row.what) if row.is_url else _escape(row.what), row.facts) for row in _lost_rows(differences)
    ]
    for lost in differences.lost_anchors:
        if lost.headings and not differences.failing_anchors(lost):
            facts = _first(f"#{name}" for name in lost.headings)
            rows.append(("anchors", _code(_shown(lost.page.path)), facts))
    for change in differences.changed:
        facts = f"through {_first(change.because_of)}" if change.because_of else ""
        rows.append(("changed", _link(change.page, preview), facts))
    rows += [("added", _link(page, preview), "") for page in differences.added]
    return (f"| {kind} | {page} | {_escape(facts)} |" for kind, page, facts in rows)


def _link(page: SnapshotPage, preview: str) -> str:
    title, path = _escape(one_line(page.title)[:200]), _code(_shown(page.path))
    if preview:
        return f"[{title or path}]({preview}{quote_path(page.path)})"
    return f"{title} {path}" if title else path


def _escape(text: str) -> str:
    """Text that Markdown and GitHub show as it is: no link, mention or reference to an issue."""
    plain = _MARKUP.sub(r"\\\1", _visible(text))
    # GitHub looks for people and issues after it has decoded entities; a space of no width hides them.
    return re.sub(r"\\(@|#(?=\d))", r"\1&#8203;", plain).replace("www.", "www&#46;")


def _code(text: str) -> str:
    """Text as code in a cell of a table."""
    text = _visible(text).replace("|", "\\|")
    fence = _fence(text, 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _visible(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _fence(text: str, least: int) -> str:
    """The marks around code: more than it has itself in any place, and at least this number."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


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
            description="What this state does not contain, so that it is not compared: `unlisted` (pages that are not "
            "in the sitemap), `redirects`, `documents` (the sources of pages), `texts`, `anchors`."
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
