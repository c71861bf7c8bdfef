"""The last-modified date of a page: the first of the ordered sources that knows it, else none. Never a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from sitemap_plugins.enrich.git_history import NOT_COMMITTED, SHALLOW
from sitemap_plugins.enrich.git_process import UNREADABLE
from sitemap_plugins.model import Candidate, FileDate, LastMod, Note, Page
from sitemap_plugins.settings import LastModSource
from sitemap_plugins.w3c_date import format_lastmod, is_future

DateOf: TypeAlias = Callable[[str], FileDate]
"""The date of the file at an absolute path."""


def lastmod_of(  # noqa: PLR0913  # the page, and everything that may date it
    page: Page,
    written: LastMod | None,
    sources: Sequence[LastModSource],
    dates: Mapping[str, DateOf],
    as_of: datetime | None,
    *,
    by_rule: bool = False,
) -> tuple[LastMod | None, list[Note], str | None]:
    """The page's date, what its author should know about it, and git's reason where git was asked and knew none.

    ``written`` is the date from the front matter, or from a rule (``by_rule``); ``dates`` tells those of files by the
    name of the source. A written date that has not come yet is left out (SM-MOD-03). "Now" is the last commit, so that
    is the author's mistake only where a committed page says it itself.
    """
    notes: list[Note] = []
    reason: str | None = None
    for source in sources:
        if source == "front_matter":
            if written is None:
                continue
            if not is_future(written, as_of):
                return written, notes, None
            notes.append(_future(page, written, is_mistake=not by_rule and _is_committed(page, dates)))
            continue
        known = [dates[source](path) for path in page.sources if source in dates]
        newest = max((date.when for date in known if date.when), default=None)
        # Files on disk are written after the last commit; their time is taken as it is.
        if newest is not None and (source == "mtime" or not is_future(newest, as_of)):
            return newest.astimezone(UTC), notes, None
        reason = known[0].reason if known and source == "git" else reason
    return None, notes, reason


def _is_committed(page: Page, dates: Mapping[str, DateOf]) -> bool:
    return "git" not in dates or (bool(page.sources) and not any(dates["git"](path).modified for path in page.sources))


def _future(page: Page, written: LastMod, *, is_mistake: bool) -> Note:
    text = f"lastmod: {format_lastmod(written, 'datetime')} is later than the last commit"
    if is_mistake:
        return Note(kind="future-date", page=page.name, message=f"{text}, so it has not come yet; it is not used")
    return Note(kind="uncommitted-date", page=page.name, message=f"{text}; it is not used until there is a later one")


def undated_notes(candidates: Iterable[Candidate]) -> list[Note]:
    """One note for all listed pages that git left without a date, by the reason."""
    listed = list(candidates)
    counts = Counter(candidate.undated for candidate in listed if candidate.entry.lastmod is None)
    notes = []
    if number := counts[SHALLOW]:
        message = (
            f"{_pages(number)} no date, because the clone is shallow: fetch the whole history "
            "(git fetch --unshallow; GitHub Actions: fetch-depth: 0; GitLab: GIT_DEPTH: 0)"
        )
        notes.append(Note(kind="shallow", message=message))
    if number := counts[UNREADABLE]:
        notes.append(Note(kind="no-git", message=f"{_pages(number)} no date, because {UNREADABLE}"))
    if (number := counts[NOT_COMMITTED]) and not any(candidate.entry.lastmod for candidate in listed):
        message = f"{_pages(number)} no date, because git knows none of the sources (not committed, or elsewhere)"
        notes.append(Note(kind="no-git", message=message))
    return notes


def _pages(number: int) -> str:
    return "1 page has" if number == 1 else f"{number} pages have"
