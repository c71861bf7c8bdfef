"""Run the author's hooks, which may change an entry or leave its page out, and check what they return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from traceback import walk_tb

from sitemap_plugins.model import DROP, Adjuster, AdjustFunction, Candidate, Drop, Entry, Note, Page
from sitemap_plugins.options import PageValues, convert_fields
from sitemap_plugins.pages.entries import locate
from sitemap_plugins.values.text import short_repr
from sitemap_plugins.values.urls import LOC_LENGTH, InvalidURLError


def adjust(
    candidate: Candidate, adjusters: Sequence[Adjuster], base_url: str, length: int = LOC_LENGTH
) -> tuple[Entry, str | None, list[Note]]:
    """Return the entry as the hooks changed it, the name of the hook that left the page out, or None, and notes.

    The entry's URL may have at most ``length`` characters.
    """
    entry = candidate.entry
    page = candidate.page
    notes: list[Note] = []
    for name, function in adjusters:
        try:
            answer = _call(function, entry, page, base_url, length)
        except ValueError as error:
            message = f"{name} {error}; the page is listed as it was"
            notes.append(Note(kind="hook", page=page.name, message=message))
            continue
        if answer is DROP:
            return entry, name, notes
        entry = answer
    return entry, None, notes


def _call(function: AdjustFunction, entry: Entry, page: Page, base_url: str, length: int) -> Entry | Drop:
    """Call a hook with the entry. Raises ValueError if it fails or returns a wrong value; the message says how."""
    try:
        answer = function(entry, page)
    except (Exception, SystemExit) as error:  # an author's function may raise anything
        frame, line = [*walk_tb(error.__traceback__)][-1]
        place = f"{PurePath(frame.f_code.co_filename).name}, line {line}"
        raise ValueError(f"raised {type(error).__name__}: {error} ({place})") from error
    if answer is None:
        return entry
    if answer is DROP:
        return DROP
    if isinstance(answer, Entry):
        return _checked(answer, base_url, length)
    raise ValueError(f"returned {type(answer).__name__}, not an Entry, None or DROP")


def _checked(entry: Entry, base_url: str, length: int) -> Entry:
    """The entry that a hook returned, with its URL encoded. Raises ValueError if it cannot be written."""
    try:
        loc, _ = locate(str(entry.loc), base_url, length)
    except InvalidURLError as error:
        raise ValueError(f"gave it the URL {short_repr(entry.loc)}, which {error}") from None
    if entry.alternates:
        raise ValueError("gave it alternates, which are determined later: set them in its front matter")
    written = {name: getattr(entry, name) for name in ("lastmod", "changefreq", "priority")}
    converted, mistakes = convert_fields(written, PageValues)
    if mistakes:
        raise ValueError(f"gave it {mistakes[0]}")
    lastmod = converted["lastmod"].value if "lastmod" in converted else None
    if entry.news:
        raise ValueError("gave it news, which it cannot set: use the option news or its front matter")
    if entry.images or entry.videos:
        from sitemap_plugins.pages.media import checked_media

        entry = checked_media(entry)
    return replace(entry, loc=loc, lastmod=lastmod)
