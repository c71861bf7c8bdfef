"""Report listed pages whose files were not read, or not to the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitemap_plugins.model import Candidate, Note, Page


def unread_notes(listed: Iterable[Candidate]) -> list[Note]:
    """A note on each page whose HTML was not read, or only in part."""
    return [note for candidate in listed for note in _notes_on(candidate.page)]


def _notes_on(page: Page) -> Iterator[Note]:
    if page.unread:
        message = f"the page was not read ({page.unread}), so it is listed even if it says noindex"
        yield Note(kind="unread", page=page.name, message=message)
    elif cut := next((read.cut for read in (page.markup, page.content) if read and read.cut), ""):
        message = f"the page was parsed {cut}; it is listed, and what follows is ignored"
        yield Note(kind="partly-read", page=page.name, message=message)
