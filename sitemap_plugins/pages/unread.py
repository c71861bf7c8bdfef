"""The listed pages whose files were not read."""

from __future__ import annotations

from collections.abc import Iterable

from sitemap_plugins.model import Candidate, Note


def unread_notes(listed: Iterable[Candidate]) -> list[Note]:
    """A note for each page of which nobody knows what it says to crawlers."""
    return [
        Note(
            kind="unread",
            page=each.page.name,
            message=f"the page was not read ({each.page.unread}), so it is listed whatever it says to crawlers",
        )
        for each in listed
        if each.page.unread
    ]
