"""Report listed pages whose files were not read, or not to the end."""

from __future__ import annotations

from collections.abc import Iterable

from sitemap_plugins.model import Candidate, Note


def unread_notes(listed: Iterable[Candidate]) -> list[Note]:
    """A note on each page whose HTML was not read, or only in part."""
    notes = []
    for candidate in listed:
        page = candidate.page
        if page.unread:
            message = f"the page was not read ({page.unread}), so it is listed even if it says noindex"
            notes.append(Note(kind="unread", page=page.name, message=message))
        elif cut := next((read.cut for read in (page.markup, page.content) if read and read.cut), ""):
            message = f"the page was parsed {cut}; it is listed, and what follows is ignored"
            notes.append(Note(kind="partly-read", page=page.name, message=message))
    return notes
