"""Finds the source file of each page, and whether the page is a copy of one in another language."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.model import Note
from sitemap_plugins.options.types import SourcePattern
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.translations import PageLanguage
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.values.urls import is_inside

_INDEXES: Final = ("index", "README", "_index")
# Translations of these are in the texts that they use, not in files of their own.
_TEMPLATES: Final = (
    ".astro", ".cjs", ".ejs", ".hbs", ".j2", ".jinja", ".js", ".jsx", ".liquid", ".mjs", ".njk", ".php", ".pug",
    ".svelte", ".ts", ".tsx", ".twig", ".vue",
)  # fmt: skip


def find_sources(files: Iterable[HTMLFile], documents: Iterable[tuple[str, Source]]) -> dict[str, Source]:
    """The source of each page that has one, by the page's path. The documents come after the stems of their pages."""
    known: dict[str, dict[bool, Source]] = {}  # guide.md and guide/index.md have the same stem
    for stem, each in documents:
        known.setdefault(stem, {}).setdefault(is_index(each.file), each)
    return {  # if possible, it is an index like the page
        file.path: candidates.get(file.is_index) or next(iter(candidates.values()))
        for file in files
        if (candidates := known.get(file.stem))
    }


def is_index(file: str) -> bool:
    """Whether a source makes the page of its folder."""
    return os.path.splitext(os.path.basename(file))[0] in _INDEXES


def match_sources(
    files: Collection[HTMLFile],
    page_languages: Mapping[str, PageLanguage],
    patterns: Sequence[SourcePattern],
    root: str,
) -> tuple[dict[str, Source], list[Note]]:
    """The source of each page from the author's patterns. The first pattern that finds a file counts.

    ``{path}`` stands for the path of the page, also followed by an index or a README, and ``{lang}`` for its language.
    In a language folder, a pattern with ``{lang}`` gets the path below that folder. If no pattern finds anything, those
    without get it too; such a page is a copy from another language, unless the source is a template. So is a page
    outside such folders that only a pattern after one with ``{lang}`` finds. The main language is an exception: it has
    all its sources there, and is the one at the root, or else has the most pages. ``root`` is the absolute folder that
    the patterns are relative to.
    """
    paths = {file.path for file in files}
    own: dict[str, str] = {}
    borrowed: dict[str, str] = {}
    used: set[SourcePattern] = set()
    ambiguous: dict[str, list[str]] = {}
    for file in files:
        for pattern, path, is_borrowed in _attempts(patterns, file, page_languages[file.path]):
            names = [*_existing(pattern, path, page_languages[file.path], root)]
            if {f"{file.stem}.html", f"{file.stem}/index.html"} <= paths:
                names = [name for name in names if is_index(name) == file.is_index] or names
            if names:
                used.add(pattern)
                if len(names) > 1:
                    ambiguous[file.path] = names
                else:
                    (borrowed if is_borrowed else own)[file.path] = names[0]
                break
    originals = {name for path, name in own.items() if page_languages[path].translation}
    others = {page_languages[path].folder for path in own}
    others |= {page_languages[path].folder for path, name in borrowed.items() if name in originals}
    counted = Counter(folder for path in borrowed if (folder := page_languages[path].folder) not in others)
    main = max(counted, key=lambda folder: (not folder, counted[folder]), default=None)
    found = {
        path: Source(
            os.path.join(root, *name.split("/")),
            name,
            path in borrowed
            and page_languages[path].folder != main
            and bool(page_languages[path].code)
            and not name.lower().endswith(_TEMPLATES),
        )
        for path, name in (own | borrowed).items()
    }
    return found, [*_notes(patterns, used, ambiguous, root)]


def _attempts(
    patterns: Sequence[SourcePattern], file: HTMLFile, page_language: PageLanguage
) -> Iterator[tuple[SourcePattern, str, bool]]:
    """The patterns to try for a file, each with its path, and whether a source found so may be of another language."""
    below = file.stem_below(page_language.folder)
    is_later = False
    for pattern in patterns:
        is_later |= "{lang}" in pattern
        if "{lang}" in pattern:
            yield pattern, below, False
        else:
            yield pattern, file.stem, is_later and not page_language.folder
    if page_language.folder:
        yield from ((pattern, below, True) for pattern in patterns if "{lang}" not in pattern)


def _notes(
    patterns: Sequence[SourcePattern],
    used: Collection[SourcePattern],
    ambiguous: Mapping[str, Sequence[str]],
    root: str,
) -> Iterator[Note]:
    if patterns and not used:
        message = f"source: no pattern finds a file for any page in {root}: correct the patterns, or remove them"
        yield Note(kind="source", message=message)
    for pattern in patterns if used else ():
        if pattern not in used:
            yield Note(kind="unmatched", message=f"source: {str(pattern)!r} finds no file for any page")
    if ambiguous:
        page, names = next(iter(ambiguous.items()))
        message = (
            f"source: {' and '.join(names)} could both be the source of {page}, so neither dates it"
            f"{and_more_pages(len(ambiguous) - 1)}"
        )
        yield Note(kind="source", message=message)


def _existing(pattern: SourcePattern, path: str, page_language: PageLanguage, root: str) -> Iterator[str]:
    """The existing files for a pattern and a path, relative to the root; more than one if it is ambiguous."""
    named = dict.fromkeys((page_language.folder, page_language.code, page_language.code.partition("-")[0]))
    languages = (each for each in named if each and "/" not in each and is_inside(each))
    for language in languages if "{lang}" in pattern else [""]:
        places = [path] if path else []
        places += [f"{path}/{index}".lstrip("/") for index in _INDEXES]
        there = [each for place in places if _is_file(root, each := pattern.fill(place, language))]
        if there:
            yield from there
            return


def _is_file(root: str, name: str) -> bool:
    return os.path.isfile(os.path.join(root, *name.split("/")))
