"""Find the last-modified date of a page in the first of the ordered sources that has one, and report doubtful dates.

Dates are never guessed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from operator import itemgetter
from typing import Final, TypeAlias

from msgspec import structs

from sitemap_plugins.model import (
    IGNORED,
    NO_GIT,
    NOT_COMMITTED,
    SHALLOW,
    UNREADABLE,
    WRONG_CLOCK,
    Candidate,
    Dated,
    FileDate,
    LastMod,
    Note,
    Page,
)
from sitemap_plugins.options.settings import LastModSource, Settings
from sitemap_plugins.values.dates import format_lastmod, is_future, parse_lastmod
from sitemap_plugins.values.text import and_more_pages, join_words, plural

DatesOf: TypeAlias = Callable[[Collection[str]], Mapping[str, FileDate]]
"""A function that returns the dates of files, by their absolute paths."""

# A file without a date for one of these reasons may be newer than the files whose dates are known.
_UNKNOWN: Final = frozenset({NO_GIT, SHALLOW, UNREADABLE, WRONG_CLOCK})
_UNTRACKED: Final = frozenset({NOT_COMMITTED, IGNORED})
_FEW: Final = 5  # pages; a commit that dates no more than these needs no explanation
_SHOWN: Final = 3  # pages that a message names
_SKEW: Final = timedelta(days=1)  # shown dates are often days, in an unknown time zone


def lastmod_of(
    page: Page,
    written: LastMod | None,
    sources: Sequence[LastModSource],
    dates: Mapping[str, Mapping[str, FileDate]],
    as_of: datetime | None,
    *,
    by_rule: bool = False,
    has_commit: bool = True,
) -> tuple[Dated, list[Note]]:
    """Return the page's date with its source, and notes about it.

    ``written`` is the date from the front matter, or from a rule (``by_rule``). ``dates`` has the dates of files by the
    name of the date source. A written date in the future is ignored (SM-MOD-03). "Now" is the last commit if the site
    ``has_commit``, so a future date is the author's mistake only if it is in the front matter of a committed page.
    """
    notes: list[Note] = []
    own = dates.get("git", {}).get(page.source) if page.source else None
    undated = Dated(own=own)
    for source in sources:
        if source == "front_matter":
            if written is None:
                continue
            if not is_future(written, as_of):
                return Dated(lastmod=written, source="rule" if by_rule else source, file=own, own=own), notes
            text = f"lastmod: {format_lastmod(written, 'datetime')} is later than"
            is_mistake = has_commit and not by_rule and _is_committed(page, dates)
            notes.append(_future_date_note(page, text, is_mistake=is_mistake, has_commit=has_commit))
            continue
        if source == "page":
            # If git has only part of the history, the date that a generator took from it is no better.
            is_in_part = undated.file is not None and undated.file.reason in _UNKNOWN - {NO_GIT}
            if not is_in_part and (shown := shown_lastmod(page, as_of)):
                return Dated(lastmod=shown, source=source, own=own), notes
            continue
        known = {} if page.unresolved else dates.get(source, {})
        files = [known[path] for path in page.sources if path in known]
        newest = (_unknown_part(page, known) if source == "git" else None) or newest_of(files)
        if newest and newest.when:
            when = newest.when.astimezone(UTC)
            parts = tuple(files) if source == "git" and files[1:] else ()
            return Dated(lastmod=when, source=source, file=newest, own=own, files=parts), notes
        if source == "git":
            undated = Dated(file=newest, own=own)
    return undated, notes


def shown_lastmod(page: Page, as_of: datetime | None) -> LastMod | None:
    """The date of the last change that the page's HTML states, if it is valid and not in the future."""
    for text in page.markup.modified if page.markup else ():
        with suppress(ValueError):
            shown = parse_lastmod(text.strip())
            if not is_future(shown, as_of):
                return shown
    return None


def _unknown_part(page: Page, known: Mapping[str, FileDate]) -> FileDate | None:
    """The file that git does not track and without which the date of the page is unknown, if there is one.

    This is a file that the document includes, or the new document itself if it is made of included files. What a tool
    generated is ignored by git, or has other files.
    """
    included = {path: known[path] for path in page.included if path in known}
    for path, found in included.items():
        if found.reason in _UNTRACKED:
            return structs.replace(found, link=path)
    own = known.get(page.source or "")
    dated = {path for path in page.sources if path in known and known[path].when}
    return own if own and own.reason == NOT_COMMITTED and dated and dated <= included.keys() else None


def newest_of(files: Sequence[FileDate]) -> FileDate | None:
    """The file that dates a page made of all of them, or one that leaves it without a date; None if there are no files.

    A file whose date git does not know may be newer than all others: only the history between two commits tells which
    one is older.
    """
    unknown = next((file for file in files if file.reason in _UNKNOWN), None)
    dated = [(file.when, file) for file in files if file.when]
    newest = max(dated, key=itemgetter(0))[1] if dated else None
    return unknown or newest or next(iter(files), None)


def _is_committed(page: Page, dates: Mapping[str, Mapping[str, FileDate]]) -> bool:
    known = dates.get("git")
    return known is None or (
        bool(page.sources) and not any(known[path].modified for path in page.sources if path in known)
    )


def _future_date_note(page: Page, text: str, *, is_mistake: bool, has_commit: bool) -> Note:
    if is_mistake:
        message = f"{text} the last commit, so it is in the future; it is ignored"
        return Note(kind="future-date", page=page.name, message=message)
    earlier = "the last commit; it is ignored until there is a later commit"
    if not has_commit:
        earlier = "SOURCE_DATE_EPOCH, which counts as now because no commit is known; it is ignored"
    return Note(kind="uncommitted-date", page=page.name, message=f"{text} {earlier}")


def date_notes(listed: Sequence[Candidate], settings: Settings, unshallow: str) -> Iterator[Note]:
    """Notes on listed pages without a date, with the date of a bulk commit, and with another date than they show."""
    yield from undated_notes(listed, unshallow)
    yield from unresolved_notes(listed)
    yield from bulk_notes(listed, settings.git.bulk_share)
    yield from compare_shown_dates(listed, settings)


def undated_notes(listed: Sequence[Candidate], unshallow: str) -> Iterator[Note]:
    """Notes on listed pages without a date from git, one for each reason."""
    undated = [each for each in listed if each.entry.lastmod is None and not _lacks_included(each)]
    files = [each.dated.file for each in undated if each.dated.file]
    counts = Counter(file.reason for file in files)
    if number := counts[SHALLOW]:
        message = f"{_pages(number)} no date, because the clone is shallow; to get the whole history, {unshallow}"
        yield Note(kind="shallow", message=message)
    if number := counts[UNREADABLE]:
        yield Note(kind="no-git", message=f"{_pages(number)} no date, because {UNREADABLE}")
    if (number := counts[IGNORED]) * 2 > len(listed):
        example = next(file.path for file in files if file.reason == IGNORED)
        message = (
            f"{_pages(number)} no date, because git ignores their sources, such as {example}: build what git tracks"
        )
        yield Note(kind="no-git", message=message)
    elif (number := number + counts[NOT_COMMITTED]) and not any(candidate.entry.lastmod for candidate in listed):
        message = (
            f"{_pages(number)} no date, because git tracks none of the sources (not committed, or in no repository)"
        )
        yield Note(kind="no-git", message=message)
    yield from _untracked_parts_note(listed)


def _untracked_parts_note(listed: Sequence[Candidate]) -> Iterator[Note]:
    """A note on committed documents whose pages have no date because of a file that they include, if there are any."""
    lacking = [
        (file.reason, f"{each.page.name} ({file.path or os.path.basename(file.link)})")
        for each in listed
        if each.entry.lastmod is None and _lacks_included(each)
        if (file := each.dated.file) and each.dated.own and each.dated.own.when
    ]
    for reason, number in Counter(reason for reason, _ in lacking).most_common(1):
        names = [name for why, name in lacking if why == reason]
        commit = "" if reason == IGNORED else "commit such files, or "
        message = (
            f"{_pages(len(lacking))} no date although git tracks the {plural(len(lacking), 'document')}, "
            f"{'mostly ' if number < len(lacking) else ''}because an included file is {reason}, as in "
            f"{join_words(names[:_SHOWN])}: {commit}name what counts with depends_on"
        )
        yield Note(kind="no-git", message=message)


def unresolved_notes(listed: Iterable[Candidate]) -> Iterator[Note]:
    """A note on listed pages without a date because the host did not find what they show, if there are any."""
    pages = [each.page for each in listed if each.entry.lastmod is None and each.page.unresolved]
    if pages:
        named = join_words([f"{page.name} ({page.unresolved})" for page in pages[:_SHOWN]])
        message = f"{_pages(len(pages))} no date, such as {named}; correct this, or name what counts with depends_on"
        yield Note(kind="dependencies", message=message)


def why_undated(candidate: Candidate) -> str:
    """Why a page has no date, as a short phrase."""
    file = candidate.dated.file
    if candidate.page.unresolved:
        return candidate.page.unresolved
    if file is None or file.reason is None:
        made = "made of other pages" if candidate.page.generated else "its source was not found"
        return "no file dates it" if candidate.page.sources else candidate.page.unsourced or made
    if _lacks_included(candidate):
        return f"it includes {file.path or os.path.basename(file.link)}, which is {file.reason}"
    return file.reason


def _lacks_included(candidate: Candidate) -> bool:
    """Whether a file that the page includes leaves it without a date."""
    return candidate.dated.file is not None and candidate.dated.file.link in candidate.page.included


def bulk_notes(listed: Sequence[Candidate], share: float) -> Iterator[Note]:
    """A note on a commit that dates more than this share of all pages, and more than five, if there is one.

    Files that the commit added are not counted: it is their right date.
    """
    files = (each.dated.file for each in listed if each.dated.source == "git" and each.dated.file)
    counts = Counter((file.commit, file.when) for file in files if not file.added)
    for (commit, when), number in counts.most_common(1):
        if commit and when and number > _FEW and number > share * len(listed):
            message = (
                f"commit {commit[:10]} of {when.astimezone(UTC):%Y-%m-%d} dates {number} of {len(listed)} pages; if it "
                "changed nothing that readers see, add it to .git-blame-ignore-revs (see the options git.ignore_revs, "
                "git.bulk_share)"
            )
            yield Note(kind="bulk-commit", message=message)


def compare_shown_dates(listed: Iterable[Candidate], settings: Settings) -> Iterator[Note]:
    """A note on the pages that show another day for their last change than the sitemap.

    The shown dates are those from the host (`Page.shown_dates`) and from the page's HTML (`Markup.modified`).
    """
    found: list[tuple[str, str]] = []
    for candidate in listed:
        page, lastmod = candidate.page, candidate.entry.lastmod
        shown = (*page.shown_dates, *(page.markup.modified if page.markup else ()))
        if lastmod is not None and (other := next((each for each in shown if _differs(each, lastmod)), None)):
            day = format_lastmod(lastmod, "date")
            found.append((page.name, f"it shows {other} as the date of its last change, but its lastmod is {day}"))
    if found:
        name, difference = found[0]
        message = difference + and_more_pages(len(found) - 1)
        # If dates are taken from pages, the option expose does not help.
        if not settings.expose and "page" not in settings.lastmod:
            message += "; with the option expose, pages show the date in the sitemap"
        yield Note(kind="shown-date", page=name, message=message)


def _differs(shown: str, lastmod: LastMod) -> bool:
    """Whether a shown date is another day, allowing for time zones; text that is not a date is ignored."""
    try:
        return abs(_day(parse_lastmod(shown.strip())) - _day(lastmod)) > _SKEW
    except ValueError:
        return False


def _day(moment: LastMod) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _pages(number: int) -> str:
    return "1 page has" if number == 1 else f"{number} pages have"
