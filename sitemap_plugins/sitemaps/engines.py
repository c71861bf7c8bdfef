"""Report what the search engines of the option ``engines`` ignore in a sitemap, by their own documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sitemap_plugins.model import Arrangement, Entry, Note
from sitemap_plugins.options import Engine, Settings
from sitemap_plugins.values.text import join_words

# Google, "Build and submit a sitemap"; Bing Webmaster Blog of July 2025; Yandex Webmaster, "Using the Sitemap file";
# Baidu's conditions for submissions.
_PASSED_OVER: Final[Mapping[Engine, tuple[str, ...]]] = {
    "google": ("changefreq", "priority"),
    "bing": ("changefreq", "priority"),
    "yandex": ("videos", "feeds"),
    "baidu": ("indexes", "feeds"),
}


def engine_notes(entries: Sequence[Entry], arrangement: Arrangement, settings: Settings) -> list[Note]:
    """A note for each search engine that ignores parts of these sitemaps."""
    there = {
        "changefreq": any(entry.changefreq is not None for entry in entries),
        "priority": any(entry.priority is not None for entry in entries),
        "videos": any(entry.videos for entry in entries),
        "feeds": bool(settings.feeds),
        "indexes": bool(arrangement.indexes),
    }
    notes = []
    for engine in dict.fromkeys(settings.engines):
        if found := [name for name in _PASSED_OVER[engine] if there[name]]:
            cure = "; the sitemaps themselves are announced" if "indexes" in found and settings.robots else ""
            notes.append(Note(kind="engine", message=f"{engine.capitalize()} ignores {join_words(found)}{cure}"))
    return notes
