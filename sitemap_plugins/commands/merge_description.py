"""What ``sitemap-plugins merge`` prints: a table of the languages, then sentences; with versions, also the root."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from sitemap_plugins.commands.terminal import first_of, table
from sitemap_plugins.commands.versions import describe_versions
from sitemap_plugins.merge import Merge, VersionsMerge, explain_omitted
from sitemap_plugins.merge.language_folders import LanguageSummary
from sitemap_plugins.values.text import plural

_EXAMPLES: Final = 5
_HEADINGS: Final = ("language", "folder", "known by", "listed", "linked", "absent", "not indexable", "other lang")
_WORDS: Final = 3  # the first columns are text, the others are numbers


def describe(merged: Merge | VersionsMerge) -> list[str]:
    """All lines on the result of a merge, except on changed files and problems."""
    if isinstance(merged, Merge):
        return _describe_languages(merged)
    # A single language is not worth a table: it may even be a version, such as "stable".
    about_languages = _describe_languages(merged.languages) if len(merged.languages.languages) > 1 else []
    return [*describe_versions(merged.versions), *about_languages, *_describe_root(merged)]


def _describe_languages(merged: Merge) -> list[str]:
    """The table of languages, then sentences on links, translations and conflicts."""
    lines = _table(merged.languages) if merged.languages else []
    counts = (
        f"pages in several languages: {merged.clusters}; links: {merged.alternates} (before: {merged.before}); "
        f"x-default: {merged.x_default or 'none'}"
    )
    lines.append(counts)
    if merged.declared:
        lines.append(f"declared translations on other sites (not checked): {merged.declared}")
    if merged.refuted:
        lines.append(f"links removed because they led to no listed page: {len(merged.refuted)}")
        lines += first_of([f"  {each}" for each in merged.refuted], _EXAMPLES)
    if merged.conflicts:
        lines.append(f"links ignored because they contradict others: {len(merged.conflicts)}")
        lines += first_of([f"  {each}" for each in merged.conflicts], _EXAMPLES)
    return [*lines, *(f"note: {remark}" for remark in merged.remarks)]


def _table(languages: Iterable[LanguageSummary]) -> list[str]:
    """A heading and a line for each language."""
    rows: list[tuple[str, ...]] = [_HEADINGS]
    for each in languages:
        numbers = (each.listed, each.translated, each.absent, each.closed, each.foreign)
        rows.append((each.language.code, each.language.folder or ".", each.language.known_by, *map(str, numbers)))
    return table(rows, words=_WORDS)


def _describe_root(merged: VersionsMerge) -> Iterator[str]:
    """Lines on what is listed at the root and what is not. Each version is called as in its URLs (``stable``)."""
    at_root = merged.at_root
    for place in merged.places:
        if place.folder:
            removed = " that no newer version has" if place.only_removed else ""
            number = at_root.listed.get(place.folder, 0)
            name = unquote(place.base_url.removeprefix(merged.root_url)).rstrip("/") or place.folder
            yield f"{name}: {number:,} {plural(number, 'page')}{removed} listed at the root"
    for version, (listed, absent) in merged.others.items():
        missing = f", {absent} of which do not exist" if absent else ""
        pages = f"{listed:,} {plural(listed, 'page')}"
        yield f"{version.folder or '.'}: {pages} in its own sitemap{missing}; not announced"
    if at_root.omitted:
        yield f"left out: {len(at_root.omitted)}{explain_omitted(at_root.omitted)}"
    if at_root.absent:
        yield f"listed by the versions but missing: {sum(at_root.absent.values())}"
    yield from (f"note: {note.message}" for note in at_root.notes)
