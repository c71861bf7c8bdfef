"""Report what the search engines of the option ``engines`` ignore in a sitemap, by their own documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
_NAMES: Final[Mapping[Engine, str]] = {"google": "Google", "bing": "Bing", "yandex": "Yandex", "baidu": "Baidu"}


def engine_notes(entries: Sequence[Entry], arrangement: Arrangement, settings: Settings) -> list[Note]:
    """A note for each search engine that ignores parts of these sitemaps."""
    there = {
        "changefreq": any(entry.changefreq is not None for entry in entries),
        "priority": any(entry.priority is not None for entry in entries),
        "videos": any(entry.videos for entry in entries),
        "feeds": bool(settings.feeds),
        "indexes": bool(arrangement.indexes),
    }
    return [note for engine in dict.fromkeys(settings.engines) for note in _about(engine, there, settings)]


def _about(engine: Engine, there: Mapping[str, bool], settings: Settings) -> Iterable[Note]:
    if found := [name for name in _PASSED_OVER[engine] if there[name]]:
        cure = "; the sitemaps themselves are announced" if "indexes" in found and settings.robots else ""
        yield Note(kind="engine", message=f"{_NAMES[engine]} ignores {join_words(found)}{cure}")
