"""Make the items of the feeds: the pages that changed last, with titles and descriptions (SM-FEED-01)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from itertools import islice

from sitemap_plugins.html.words import description_of, title_of
from sitemap_plugins.model import Candidate, FeedItem, FileDate, LastMod
from sitemap_plugins.values.dates import moment_of


def recent_changes(listed: Iterable[Candidate], count: int) -> tuple[FeedItem, ...]:
    """The ``count`` pages that changed last, the newest first; pages with the same date are sorted by URL.

    Pages without a date and files without a title are left out. So are pages that only show the change of another
    page, such as the index of a blog.
    """
    candidates = [*listed]
    everywhere = _shared_descriptions(candidates)
    own = {_place(candidate.dated.own) for candidate in candidates if title_of(candidate.page)}
    items = (
        FeedItem(
            loc=candidate.entry.loc,
            title=title,
            description=description_of(candidate.page, everywhere),
            updated=lastmod,
        )
        for lastmod, candidate in _newest_first(candidates)
        if not _repeats(candidate, own)
        if (title := title_of(candidate.page))
    )
    return tuple(islice(items, count))


def _newest_first(candidates: Iterable[Candidate]) -> list[tuple[LastMod, Candidate]]:
    dated = [(lastmod, candidate) for candidate in candidates if (lastmod := candidate.entry.lastmod) is not None]
    dated.sort(key=lambda pair: pair[1].entry.loc)
    dated.sort(key=lambda pair: moment_of(pair[0]), reverse=True)  # stable: equal dates stay sorted by URL
    return dated


def _repeats(candidate: Candidate, own: Container[tuple[str, str] | None]) -> bool:
    """Whether a page has its date from the source file of another page."""
    place = _place(candidate.dated.file)
    return place is not None and place != _place(candidate.dated.own) and place in own


def _place(file: FileDate | None) -> tuple[str, str] | None:
    return (file.repository, file.path) if file and file.path else None


def _shared_descriptions(candidates: Iterable[Candidate]) -> frozenset[str]:
    """The descriptions of several pages: themes give the site's description to every page without its own."""
    counted = Counter(candidate.page.content.description for candidate in candidates if candidate.page.content)
    return frozenset(text for text, number in counted.items() if number > 1)
