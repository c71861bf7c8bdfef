"""Chooses which notes of a build are logged, at which level, and sums up notes that many pages share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import structs

from sitemap_plugins.model import Note
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.rules import level_of
from sitemap_plugins.values.text import plural

LogLevel: TypeAlias = Literal["debug", "info", "warning"]
"""How important a line of the build log is."""

NO_PROBLEM = ""
"""The kind of notes that only tell what was done."""


def notes_to_log(notes: Iterable[Note], settings: Settings) -> list[tuple[LogLevel, Note]]:
    """The notes to log, each with its level. Kinds that the option ``notes`` ignores are left out.

    If many pages have the same note, such as when a hook raises, only the first is logged, with their number.
    """
    alike: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        alike.setdefault((note.kind, note.message), []).append(note)
    to_log: list[tuple[LogLevel, Note]] = []
    for first, *others in alike.values():
        if (level := level_of(first.kind, settings.notes)) != "ignore":
            to_log.append((level, structs.replace(first, message=first.message + _describe_repeats(first, others))))
    return to_log


def _describe_repeats(first: Note, others: Sequence[Note]) -> str:
    """How many equal notes are left out: for other pages, or more times for the same pages."""
    if not first.page or not others:
        return ""
    what = "time" if len({first.page, *(each.page for each in others)}) <= len(others) else "page"
    return f" (and {len(others)} more {plural(len(others), what)})"
