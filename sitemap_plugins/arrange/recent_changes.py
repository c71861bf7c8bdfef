"""Which pages changed most recently, and what there is to say of them: the items of the feeds (SM-FEED-01)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from itertools import islice
from typing import TYPE_CHECKING

from sitemap_plugins.control_characters import one_line
from sitemap_plugins.model import Candidate, LastMod, Page
from sitemap_plugins.w3c_date import moment_of

if TYPE_CHECKING:
    from sitemap_plugins.media import FeedItem


def recent_changes(listed: Iterable[Candidate], count: int) -> tuple[FeedItem, ...]:
    """The ``count`` pages that changed last, the newest first, in the order of their URLs where the dates are the same.

    What has no date is not among them, nor what has nothing to call it by: a file that is no page has no title.
    """
    from sitemap_plugins.media import FeedItem  # noqa: PLC0415  # few sites have feeds

    candidates = [*listed]
    everywhere = _shared_descriptions(candidates)
    items = (
        FeedItem(
            loc=candidate.entry.loc,
            title=title,
            description=_description(candidate.page, everywhere),
            updated=lastmod,
        )
        for lastmod, candidate in _newest_first(candidates)
        if (title := _title(candidate.page))
    )
    return tuple(islice(items, count))


def _newest_first(candidates: Iterable[Candidate]) -> list[tuple[LastMod, Candidate]]:
    dated = [(lastmod, candidate) for candidate in candidates if (lastmod := candidate.entry.lastmod) is not None]
    dated.sort(key=lambda pair: pair[1].entry.loc)
    dated.sort(key=lambda pair: moment_of(pair[0]), reverse=True)  # which keeps the order of equal dates
    return dated


def _title(page: Page) -> str:
    """What readers see above the text, else what the host calls the page."""
    return (one_line(page.content.title) if page.content else "") or one_line(page.title)


def _description(page: Page, everywhere: Container[str]) -> str:
    """What the author says that the page is about, else what its head says of it alone, else how it begins."""
    written = page.front_matter.get("description")
    if isinstance(written, str) and (text := one_line(written)):
        return text
    if page.content is None:
        return ""
    own = "" if page.content.description in everywhere else one_line(page.content.description)
    return own or one_line(page.content.summary)


def _shared_descriptions(candidates: Iterable[Candidate]) -> frozenset[str]:
    """Those that several pages have, which are the site's: themes give them to every page without its own."""
    counted = Counter(candidate.page.content.description for candidate in candidates if candidate.page.content)
    return frozenset(text for text, number in counted.items() if number > 1)
