"""What ``diff`` prints: the differences as text for people, as one JSON object, as Markdown, and as annotations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import quote

from msgspec import Meta, Struct

from sitemap_plugins.changes import (
    Comparison,
    Loss,
    LossFinding,
    LossKind,
    LostAnchors,
    Replacement,
    Snapshot,
    SnapshotPage,
)
from sitemap_plugins.changes.redirect_lines import NoLine, RedirectLine
from sitemap_plugins.changes.snapshot import FACTS, Fact
from sitemap_plugins.check.annotations import write_command
from sitemap_plugins.commands.terminal import first_of, table
from sitemap_plugins.values.text import count_of, join_words, one_line

FailOn: TypeAlias = Literal["removed", "redirects", "form", "anchors", "anchors:all"]

_EXAMPLES: Final = 3
_SHOWN: Final = 20  # rows of each kind in text
_LOST: Final = 100  # rows of lost URLs in text, and lines to add
_ROWS: Final = 50  # rows of the table in Markdown
_CHARACTERS: Final = 60_000  # a summary of a job on GitHub may have a mebibyte, a comment 65,536 characters
_ANNOTATIONS: Final = 9  # GitHub shows ten of each level for a step
# What Markdown or GitHub would take for markup, a person, an issue or the end of a cell.
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&:-])")


class StateReport(Struct, frozen=True, kw_only=True):
    """One of the two states."""

    name: Annotated[str, Meta(description="The state as named on the command line.")]
    base_url: Annotated[str | None, Meta(description="The URL of the site, if it is known.")]
    pages: Annotated[int, Meta(description="The number of its pages.")]
    redirects: Annotated[int, Meta(description="The number of its redirects from single URLs.")]
    commit: Annotated[str | None, Meta(description="The commit of the sources, if it is known.")]
    unknown: Annotated[
        tuple[Fact, ...],
        Meta(
            description="What it does not say, and what was therefore not compared: `unlisted` (pages that are not in "
            "the sitemap), `redirects`, `documents` (the sources of pages), `texts`, `anchors`."
        ),
    ]


class LossReport(Struct, frozen=True, kw_only=True):
    """A URL that leads nowhere in the new state."""

    path: Annotated[str, Meta(description="Its decoded path below the URL of the site.")]
    also: Annotated[tuple[str, ...], Meta(description="The paths of the same page in other versions and aliases.")]
    title: Annotated[str | None, Meta(description="The title of the page.")]
    document: Annotated[str | None, Meta(description="The source of the page, from the top of the repository.")]
    problem: Annotated[str | None, Meta(description="What is wrong with the redirect from there, if there is one.")]
    replacement: Annotated[str | None, Meta(description="The path of the page that replaces it, if it is certain.")]
    replaced_by: Annotated[
        Literal["form", "git", "redirect", "words"] | None,
        Meta(
            description="How that is known: only the `form` of the URL changed, `git` says that the document was "
            "renamed, the old `redirect` led there, or most `words` agree."
        ),
    ]
    candidates: Annotated[tuple[str, ...], Meta(description="Pages that may replace it, if none is certain.")]
    line: Annotated[str | None, Meta(description="The redirect to add, in the form of the tool.")]
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


class PageReport(Struct, frozen=True, kw_only=True):
    """A page that was added or changed."""

    path: Annotated[str, Meta(description="Its decoded path below the URL of the site.")]
    title: Annotated[str | None, Meta(description="Its title.")]
    because_of: Annotated[
        tuple[str, ...], Meta(description="The files that it includes and that changed, if its own source did not.")
    ] = ()


class AnchorsReport(Struct, frozen=True, kw_only=True):
    """The anchors that a page has lost."""

    path: Annotated[str, Meta(description="The decoded path of the page.")]
    headings: Annotated[tuple[str, ...], Meta(description="Those of headings and labels.")]
    objects: Annotated[tuple[str, ...], Meta(description="Those of API objects.")]
    lines: Annotated[
        tuple[str, ...],
        Meta(description="The redirects to add for headings that only have another anchor now (Zensical)."),
    ]


class DiffReport(Struct, frozen=True, kw_only=True):
    """What ``diff`` found."""

    version: Annotated[
        Literal[1], Meta(description="The version of this format. New fields may be added without a new version.")
    ] = 1
    old: Annotated[StateReport, Meta(description="The old state.")]
    new: Annotated[StateReport, Meta(description="The new state.")]
    url_change: Annotated[
        tuple[str, str] | None, Meta(description="The URL of the site before and after, if it is another one now.")
    ]
    findings: Annotated[
        tuple[LossFindingReport, ...], Meta(description="The lost URLs, the most frequent cause first.")
    ]
    behind: Annotated[
        tuple[str, ...],
        Meta(
            description="The paths of pages that the branch lacks, but has not removed: it may be behind the one that "
            "was deployed."
        ),
    ]
    added: Annotated[tuple[PageReport, ...], Meta(description="The pages that are new.")]
    changed: Annotated[tuple[PageReport, ...], Meta(description="The pages whose text or images changed.")]
    anchors: Annotated[tuple[AnchorsReport, ...], Meta(description="The pages that have lost anchors.")]
    failures: Annotated[
        tuple[str, ...],
        Meta(description="Which kinds in `--fail-on` were found; the exit status is 1 if there are any."),
    ]


class Differences(Struct, frozen=True, kw_only=True):
    """Everything to print: the states and their comparison, and what to do about each lost URL, by its path.

    ``where`` says where the lines belong, as the end of "add to …"; empty if no tool is known.
    """

    old: Snapshot
    new: Snapshot
    comparison: Comparison
    replacements: Mapping[str, Replacement]
    lines: Mapping[str, RedirectLine | NoLine]
    behind: Sequence[Loss]
    where: str
    fail_on: frozenset[FailOn]

    @property
    def texts(self) -> list[str]:
        """The lines that can be added."""
        return [line.text for line in self.lines.values() if isinstance(line, RedirectLine)]

    @property
    def failures(self) -> tuple[FailOn, ...]:
        """The kinds of ``fail_on`` that there are."""
        found = self.comparison
        kinds: dict[FailOn, bool] = {
            "removed": any(each.kind == "removed" for each in found.lost),
            "redirects": any(each.kind == "redirects" for each in found.lost),
            "form": found.url_change is not None or any(each.kind == "form" for each in found.lost),
            "anchors": any(_anchors(each, objects=False) for each in found.lost_anchors),
            "anchors:all": bool(found.lost_anchors),
        }
        return tuple(kind for kind, is_found in kinds.items() if is_found and kind in self.fail_on)


def report_differences(differences: Differences) -> DiffReport:
    """The report of a run of ``diff``."""
    found = differences.comparison
    return DiffReport(
        old=_report_state(differences.old),
        new=_report_state(differences.new),
        url_change=found.url_change,
        findings=tuple(_report_finding(each, differences) for each in found.lost),
        behind=tuple(loss.path for loss in differences.behind),
        added=tuple(PageReport(path=page.path, title=page.title or None) for page in found.added),
        changed=tuple(
            PageReport(path=each.page.path, title=each.page.title or None, because_of=each.because_of)
            for each in found.changed
        ),
        anchors=tuple(
            AnchorsReport(
                path=each.page.path,
                headings=tuple(_anchors(each, objects=False)),
                objects=tuple(_anchors(each, objects=True)),
                lines=tuple(
                    line.text
                    for name in each.renamed
                    if isinstance(line := differences.lines.get(f"{each.page.path}#{name}"), RedirectLine)
                ),
            )
            for each in found.lost_anchors
        ),
        failures=differences.failures,
    )


def _report_state(state: Snapshot) -> StateReport:
    return StateReport(
        name=state.name,
        base_url=state.base_url,
        pages=len(state.pages),
        redirects=len(state.redirects),
        commit=state.commit,
        unknown=tuple(fact for fact in FACTS if fact in state.unknown),
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


def _anchors(lost: LostAnchors, *, objects: bool) -> list[str]:
    return [each.name for each in lost.anchors if (each.kind == "object") is objects]


def describe_differences(differences: Differences) -> Iterator[str]:
    """The differences in lines to print: what was compared, a table, the lines to add, and a count."""
    found = differences.comparison
    yield f"old: {_describe_state(differences.old)}"
    yield f"new: {_describe_state(differences.new)}"
    yield from _describe_unknown(found)
    yield from describe_losses(differences)
    rows = [
        *(
            ("anchors", _shown(each.page.path), _first(f"#{name.name}" for name in each.anchors))
            for each in found.lost_anchors[:_SHOWN]
        ),
        *_more("anchors", len(found.lost_anchors)),
        *(("changed", _shown(each.page.path), _first(each.because_of)) for each in found.changed[:_SHOWN]),
        *_more("changed", len(found.changed)),
        *(("added", _shown(page.path), one_line(page.title)) for page in found.added[:_SHOWN]),
        *_more("added", len(found.added)),
    ]
    yield from table(rows, words=3) if rows else ()
    yield summarize(differences)


def _describe_unknown(found: Comparison) -> Iterator[str]:
    """A line for the facts that the same states do not know."""
    silent: dict[tuple[str, ...], list[str]] = {}
    for fact, names in found.unknown.items():
        silent.setdefault(names, []).append(FACTS[fact])
    for names, facts in silent.items():
        who = "neither state knows" if len(names) > 1 else f"{names[0]} does not know"
        yield f"not compared: {join_words(facts)} ({who} them)"


def describe_losses(differences: Differences) -> Iterator[str]:
    """The lost URLs in lines to print, and the redirects to add."""
    found = differences.comparison
    if found.url_change:
        yield f"form       the URL of the site: {found.url_change[0]} → {found.url_change[1]}"
    rows = [row for finding in found.lost for row in _rows(finding, differences)]
    yield from first_of(table(rows, words=3), _LOST) if rows else ()
    if differences.behind:
        names = _first(_shown(loss.path) for loss in differences.behind)
        yield f"not here: {names}; the branch may be behind the one that was deployed"
    if texts := differences.texts:
        yield f"add to {differences.where}:" if differences.where else "add these redirects:"
        yield from first_of([f"  {text}" for text in texts], _LOST)
        yield from dict.fromkeys(
            f"note: {line.condition}"
            for line in differences.lines.values()
            if isinstance(line, RedirectLine) and line.condition
        )
    without = [(path, line.reason) for path, line in differences.lines.items() if isinstance(line, NoLine)]
    yield from first_of([f"no redirect for {_shown(path)}: {why}" for path, why in without], _SHOWN)


def _rows(finding: LossFinding, differences: Differences) -> Iterator[tuple[str, str, str]]:
    """The row of the table for a finding: the kind, what is lost, and what is known about it."""
    if finding.cause:
        examples = [_shown(loss.path) for loss in finding.losses[:_EXAMPLES]]
        number = count_of(len(finding.losses), "redirect" if finding.kind == "redirects" else "page")
        introduction = ", such as" if len(finding.losses) > _EXAMPLES else ":"
        yield finding.kind, finding.cause, f"{number}{introduction} {join_words(examples)}"
        return
    (loss,) = finding.losses
    replacement = differences.replacements[loss.path]
    facts = [loss.why] if loss.why else []
    if replacement.path is not None:
        facts.append(_NOW[replacement.by or "words"].format(_shown(replacement.path)))
    elif replacement.candidates:
        facts.append(f"perhaps {join_words(map(_shown, replacement.candidates), 'or')}")
    if loss.also:
        facts.append(f"also {_first(map(_shown, loss.also))}")
    yield finding.kind, _shown(loss.path), "; ".join(facts)


_NOW: Final = {
    "form": "now {}",
    "git": "now {} (renamed, according to git)",
    "redirect": "led to {}",
    "words": "now {} (most words agree)",
}


def _more(kind: str, number: int) -> list[tuple[str, str, str]]:
    return [(kind, f"and {number - _SHOWN:,} more", "")] if number > _SHOWN else []


def _first(names: Iterable[str]) -> str:
    names = [*names]
    more = len(names) - _EXAMPLES
    return ", ".join(names[:_EXAMPLES]) + (f" and {more:,} more" if more > 0 else "")


def _describe_state(state: Snapshot) -> str:
    commit = f", built from {state.commit[:10]}" if state.commit else ""
    redirects = f", {count_of(len(state.redirects), 'redirect')}" if state.redirects else ""
    return f"{state.name}: {count_of(len(state.pages), 'page')}{redirects}{commit}"


def _shown(path: str) -> str:
    """A path below the site for people; the home page has none."""
    return f"/{path}"


def summarize(differences: Differences) -> str:
    """One line that counts everything."""
    found = differences.comparison
    numbers = Counter[LossKind]()
    for finding in found.lost:
        numbers[finding.kind] += len(finding.losses)
    lost = (
        "another URL of the site" if found.url_change else "",
        f"{count_of(numbers['removed'], 'page')} removed" if numbers["removed"] else "",
        f"{count_of(numbers['redirects'], 'redirect')} lost" if numbers["redirects"] else "",
        f"{count_of(numbers['form'], 'URL')} in another form" if numbers["form"] else "",
    )
    rest = (
        f"{count_of(len(found.lost_anchors), 'page')} with lost anchors" if found.lost_anchors else "",
        f"{len(found.changed):,} changed" if found.changed else "",
        f"{len(found.added):,} added" if found.added else "",
    )
    parts = [", ".join(filter(None, each)) for each in (lost, rest)]
    return "; ".join(filter(None, (parts[0] or "no URL is lost", parts[1])))


def annotate_differences(differences: Differences) -> Iterator[str]:
    """The commands that make GitHub show the lost URLs: nine of them, and one with the number of all."""
    found = differences.comparison
    level = "error" if differences.failures else "notice"
    messages = []
    if found.url_change:
        messages.append(("form", f"the URL of the site changed from {found.url_change[0]} to {found.url_change[1]}"))
    for finding in found.lost:
        for kind, what, facts in _rows(finding, differences):
            line = None if finding.cause else differences.lines.get(finding.losses[0].path)
            where = differences.where or "the redirects"
            add = f"\nadd to {where}: {line.text}" if isinstance(line, RedirectLine) else ""
            gone = what if finding.kind == "form" else f"{what} is gone"
            messages.append((kind, f"{gone}{': ' if facts else ''}{facts}{add}"))
    for kind, message in messages[:_ANNOTATIONS]:
        yield write_command(level, {"title": f"diff: {kind}"}, message)
    if messages:
        yield write_command(level, {"title": "diff"}, summarize(differences))


def write_markdown(differences: Differences, preview: str = "") -> list[str]:
    """The lines of Markdown for the summary of a job or a comment, within GitHub's limits.

    ``preview`` is the URL of the new state; added and changed pages are then links.
    """
    found = differences.comparison
    rows = [*_markdown_rows(differences, preview)]
    kept: list[str] = []
    size = 0
    for row in rows[:_ROWS]:
        size += len(row) + 1
        if size > _CHARACTERS - 2_000:
            break
        kept.append(row)
    lines = [f"**{_escape(summarize(differences))}**", ""]
    if found.url_change:
        lines += [f"The URL of the site changed from {_code(found.url_change[0])} to {_code(found.url_change[1])}.", ""]
    lines += [part for line in _describe_unknown(found) for part in (_escape(line), "")]
    if kept:
        lines += ["| | page | |", "|---|---|---|", *kept]
    if len(rows) > len(kept):
        lines += ["", f"and {len(rows) - len(kept):,} more"]
    redirects = differences.texts[:_ROWS]
    block = "\n".join(redirects)
    if redirects and size + len(block) < _CHARACTERS - 2_000:
        fence = "`" * (max(map(len, re.findall("`+", block)), default=2) + 1)
        where = f"Add to {_escape(differences.where)}:" if differences.where else "Add these redirects:"
        lines += ["", where, "", fence, *redirects, fence]
    return lines


def _markdown_rows(differences: Differences, preview: str) -> Iterator[str]:
    found = differences.comparison

    def row(kind: str, page: str, facts: str) -> str:
        return f"| {kind} | {page} | {facts} |"

    for finding in found.lost:
        for kind, what, facts in _rows(finding, differences):
            yield row(kind, _escape(what) if finding.cause else _code(what), _escape(facts))
    for each in found.lost_anchors:
        if headings := _anchors(each, objects=False):
            yield row("anchors", _code(_shown(each.page.path)), _escape(_first(f"#{name}" for name in headings)))
    link: Callable[[SnapshotPage], str] = lambda page: _link(page, preview)  # noqa: E731  # one line in two places
    for change in found.changed:
        yield row(
            "changed", link(change.page), _escape(f"through {_first(change.because_of)}") if change.because_of else ""
        )
    for page in found.added:
        yield row("added", link(page), "")


def _link(page: SnapshotPage, preview: str) -> str:
    title = _escape(one_line(page.title)[:200]) or _code(_shown(page.path))
    return (
        f"[{title}]({preview}{quote(page.path, errors='surrogateescape')})"
        if preview
        else f"{title} {_code(_shown(page.path))}"
        if page.title
        else title
    )


def _escape(text: str) -> str:
    """Text that Markdown and GitHub show as it is: no link, mention or reference to an issue."""
    plain = _MARKUP.sub(r"\\\1", "".join(char if char.isprintable() else " " for char in text))
    # GitHub looks for people and issues after it has decoded entities; a space of no width hides them.
    return re.sub(r"\\(@|#(?=\d))", r"\1&#8203;", plain).replace("www.", "www&#46;")


def _code(text: str) -> str:
    """Text as code in a cell of a table."""
    text = "".join(char if char.isprintable() else " " for char in text).replace("|", "\\|")
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"
