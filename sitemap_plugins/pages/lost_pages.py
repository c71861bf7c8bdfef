"""Report that canonical links or redirects leave out nearly all pages, which is usually a mistake of the theme."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from sitemap_plugins.model import Candidate, Note, Omitted, Site
from sitemap_plugins.pages.omit import REASONS
from sitemap_plugins.values.urls import page_key, spelling_key

_FEW: Final = 5  # pages; a smaller number says nothing
_SHARE: Final = 10  # at least one page in ten has to remain
_SUSPICIOUS: Final = {REASONS["canonical"].wording: "canonical links", REASONS["redirect"].wording: "redirects"}


def lost_pages_notes(site: Site, listed: Collection[Candidate], omitted: Sequence[Omitted]) -> list[Note]:
    """A note if less than a tenth of at least five pages remain, because the others lead to pages that do not exist.

    They count if they lead to URLs below the base that no page has, or all to the same URL. A page that leads to
    another host or another version does not count, because that is intended.
    """
    leading = [
        each
        for each in omitted
        if each.reason in _SUSPICIOUS and each.detail.startswith(each.page.base_url or site.base_url)
    ]
    if not _is_suspicious(len(listed), len(leading)):
        return []
    pages = [*(each.page for each in listed), *(each.page for each in omitted)]
    built = {spelling_key(page.loc) for page in pages}
    lost = [each for each in leading if spelling_key(each.detail) not in built]
    if len({page_key(each.detail) for each in leading}) == 1:
        lost = leading
    if not _is_suspicious(len(listed), len(lost)):
        return []
    first = lost[0]
    kept = "" if listed else "; no sitemap was written"
    message = (
        f"{len(lost)} of {len(listed) + len(lost)} pages are left out because their {_SUSPICIOUS[first.reason]} lead "
        f"to URLs that this build does not have, or all to the same one, such as {first.page.name} to "
        f"{first.detail:.200}{kept}: "
        "correct them in the theme, or correct the URL of the site"
    )
    return [Note(kind="lost-pages", message=message)]


def _is_suspicious(listed: int, lost: int) -> bool:
    """Whether there are enough pages, and so few of them remain that it is hardly intended."""
    return listed + lost >= _FEW and listed * _SHARE < listed + lost
