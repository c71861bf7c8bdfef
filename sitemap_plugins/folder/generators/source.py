"""The source files of pages, and what all generators read from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final, TypeAlias

import msgspec

from sitemap_plugins.folder.front_matter import FrontMatter
from sitemap_plugins.reading import ABSENT
from sitemap_plugins.values.dates import lastmod_or_none

_NOT_SOURCES: Final = frozenset({"node_modules", "__pycache__"})


class Source(msgspec.Struct, frozen=True):
    """The source of a page: its absolute path, its name in messages, and whether the page is an untranslated copy.

    If a plugin generates the document, it has no file: then ``file`` is that of the Python module with the name
    ``module`` that it shows, and ``options`` are those of its ``:::`` block.
    """

    file: str
    name: str
    is_copy: bool = False
    module: str = ""
    options: Mapping[str, object] = {}


ReadFrontMatter: TypeAlias = Callable[[str], FrontMatter]
"""Returns the front matter of a file, given its absolute path."""


def with_date(values: Mapping[str, object], date: object) -> Mapping[str, object]:
    """Front matter with the generator's date of the last change as ``sitemap_lastmod``, unless that is already set.

    A value that is not a date, such as a switch, is ignored.
    """
    return values if lastmod_or_none(date) is None else {"sitemap_lastmod": date, **values}


def source_files(
    folder: str, suffixes: Collection[str], without: Collection[str] = ()
) -> Iterator[tuple[str, PurePosixPath]]:
    """The files with these suffixes below a folder: their absolute paths, and their paths below it, in order.

    Folders with a name in ``without`` are skipped. A folder that does not exist or may not be read has none. Raises
    OSError if the disk fails.
    """

    def fail(error: OSError) -> None:
        if not isinstance(error, (*ABSENT, PermissionError)):
            raise error

    try:
        os.fsencode(folder)
    except UnicodeEncodeError:  # a lone surrogate
        return
    skipped = {*_NOT_SOURCES, *without}
    for here, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in skipped)
        place = PurePosixPath(os.path.relpath(here, folder).replace(os.sep, "/"))
        for name in sorted(names):
            if os.path.splitext(name)[1].lower() in suffixes:
                yield os.path.join(here, name), place / name
