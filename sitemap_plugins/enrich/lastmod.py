"""The last-modified date of a page: the first of the ordered sources that knows it, else none. Never a guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from sitemap_plugins.enrich.git_history import SHALLOW, UNREADABLE
from sitemap_plugins.model import Candidate, FileDate, LastMod, Note, Page
from sitemap_plugins.settings import LastModSource
from sitemap_plugins.w3c_date import format_lastmod, is_future

DateOf: TypeAlias = Callable[[str], FileDate]
"""The date of the file at an absolute path."""

_ONE: Final = 1


def lastmod_of(
    page: Page,
    written: LastMod | None,
    sources: Sequence[LastModSource],
    dates: Mapping[str, DateOf],
    as_of: datetime | None,
) -> tuple[LastMod | None, list[Note], str | None]:
    """The page's date, what its author should know about it, and git's reason where git was asked and knew none.

    ``written`` is the date from the front matter or a rule; ``dates`` tells those of files by the name of the source.
    A date that has not come yet is left out (SM-MOD-03). Of a page that is not committed yet nobody can say that, since
    "now" is the date of the last commit; that is no fault of the author's.
    """
    notes: list[Note] = []
    reason: str | None = None
    for source in sources:
        if source == "front_matter":
            if written is None:
                continue
            if is_future(written, as_of):
                notes.append(_future(page, written, is_modified=_is_modified(page, dates)))
                continue
            return written, notes, None
        known = [dates[source](path) for path in page.sources if source in dates]
        newest = max((date.when for date in known if date.when), default=None)
        if newest is not None and not is_future(newest, as_of):
            return newest.astimezone(UTC), notes, None
        reason = known[0].reason if known and source == "git" else reason
    return None, notes, reason


def _is_modified(page: Page, dates: Mapping[str, DateOf]) -> bool:
    return "git" in dates and any(dates["git"](path).modified for path in page.sources)


def _future(page: Page, written: LastMod, *, is_modified: bool) -> Note:
    text = format_lastmod(written, "datetime")
    if is_modified:
        message = f"the last-modified date {text} is later than the last commit; it counts once the page is committed"
        return Note(kind="uncommitted-date", page=page.name, message=message)
    return Note(kind="future-date", page=page.name, message=f"the date {text} has not come yet; it is not used")


def undated_notes(candidates: Iterable[Candidate]) -> list[Note]:
    """One note for all listed pages that a shallow clone, or an unreadable history, left without a date."""
    counts = Counter(candidate.undated for candidate in candidates if candidate.entry.lastmod is None)
    notes = []
    if number := counts[SHALLOW]:
        pages = "1 page has" if number == _ONE else f"{number} pages have"
        notes.append(
            Note(
                kind="shallow",
                message=f"{pages} no date, because the clone is shallow: fetch the whole history "
                "(git fetch --unshallow; GitHub Actions: fetch-depth: 0; GitLab: GIT_DEPTH: 0)",
            )
        )
    if number := counts[UNREADABLE]:
        pages = "1 page has" if number == _ONE else f"{number} pages have"
        notes.append(Note(kind="no-git", message=f"{pages} no date, because git's history could not be read"))
    return notes
