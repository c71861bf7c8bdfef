"""Which source file made each page, and whether the page is a copy of the one in another language."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sitemap_plugins.folder.generators import Document
from sitemap_plugins.folder.html_files import HTMLFile, stem_of
from sitemap_plugins.folder.translations import Wording
from sitemap_plugins.model import Note
from sitemap_plugins.options import SourcePattern
from sitemap_plugins.values.text import and_more_pages

_INDEXES: Final = ("index", "README", "_index")


class Source(NamedTuple):
    """The source of a page: its absolute path, what its author calls it, and whether the page is only a copy of it."""

    file: str
    name: str
    is_copy: bool = False


def find_sources(
    files: Iterable[HTMLFile], wordings: Mapping[str, Wording], documents: Iterable[Document], *, copies: bool
) -> dict[str, Source]:
    """The source of each page that has one, by the page's path.

    With ``copies``, a page below the folder of a language which has no source there is a copy of the page at the same
    place in the language at the root.
    """
    known: dict[str, Document] = {}
    for each in documents:
        known.setdefault(each.stem, each)
    found: dict[str, Source] = {}
    for file in files:
        folder = wordings[file.path].folder
        own = known.get(file.stem)
        other = known.get(stem_of(file.path.removeprefix(f"{folder}/"))) if copies and folder and not own else None
        document = own or other
        if document:
            found[file.path] = Source(document.file, document.name, own is None and not document.is_shared)
    return found


def match_sources(
    files: Iterable[HTMLFile], wordings: Mapping[str, Wording], patterns: Sequence[SourcePattern], root: str
) -> tuple[dict[str, Source], list[Note]]:
    """The source of each page by the author's patterns, of which the first that finds a file counts.

    ``{path}`` stands for the path of the page, also with an index or a README below it, and ``{lang}`` for its
    language. A page that only a pattern after the one with its language finds is a copy from another language.
    ``root`` is the absolute folder in which the patterns are meant.
    """
    found: dict[str, Source] = {}
    used: set[SourcePattern] = set()
    doubtful: dict[str, list[str]] = {}
    copies = {at for at in range(len(patterns)) if any("{lang}" in earlier for earlier in patterns[:at])}
    for file in files:
        wording = wordings[file.path]
        path = stem_of(file.path.removeprefix(f"{wording.folder}/")) if wording.folder else file.stem
        for at, pattern in enumerate(patterns):
            names = [*_existing(pattern, path, wording, root)]
            if not names:
                continue
            used.add(pattern)
            if len(names) > 1:
                doubtful[file.path] = names
            else:
                found[file.path] = Source(os.path.join(root, *names[0].split("/")), names[0], at in copies)
            break
    notes = [
        Note(kind="unmatched", message=f"source: {str(pattern)!r} finds no file for any page")
        for pattern in patterns
        if pattern not in used and found
    ]
    if not found and patterns:
        notes.append(
            Note(kind="source", message=f"source: no pattern finds a file for any page in {root}, so git dates none")
        )
    if doubtful:
        page, names = next(iter(doubtful.items()))
        message = (
            f"source: {' and '.join(names)} could both be the source of {page}{and_more_pages(len(doubtful) - 1)}, so "
            "neither dates it"
        )
        notes.append(Note(kind="source", message=message))
    return found, notes


def _existing(pattern: SourcePattern, path: str, wording: Wording, root: str) -> Iterator[str]:
    """The files that a pattern means, relative to the root: one, unless it is unclear which."""
    languages = dict.fromkeys(filter(None, (wording.folder, wording.language, wording.language.partition("-")[0])))
    for language in languages or [""]:
        bare = [path] if path else []
        bare += [f"{path}/{index}".lstrip("/") for index in _INDEXES]
        there = [each for path in bare if _is_file(root, each := pattern.fill(path, language))]
        if there:
            yield from there
            return


def _is_file(root: str, name: str) -> bool:
    return ".." not in name.split("/") and os.path.isfile(os.path.join(root, *name.split("/")))
