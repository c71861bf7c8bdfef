"""Describes source files and the pages that a generator makes from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from sitemap_plugins.folder.front_matter import FrontMatter
from sitemap_plugins.values.dates import parse_lastmod


class Document(msgspec.Struct, frozen=True):
    """A source file; ``stem`` is the stem of the page that it makes, see `HTMLFile.stem`.

    ``file`` is its absolute path, and ``name`` its name in messages.
    """

    stem: str
    file: str
    name: str


ReadFrontMatter: TypeAlias = Callable[[str], FrontMatter]
"""Returns the front matter of a file, given its absolute path."""


def with_date(values: Mapping[str, object], date: object) -> Mapping[str, object]:
    """Front matter with the generator's date of the last change as ``sitemap_lastmod``, unless that is already set.

    A value that is not a date, such as a switch, is ignored.
    """
    try:
        parse_lastmod(date)
    except ValueError:
        return values
    return {"sitemap_lastmod": date, **values}
