"""Finds the folders of a site that are sites of their own: versions, aliases and languages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.values.languages import agree, is_language

FolderKind: TypeAlias = Literal["version", "alias", "language"]

_DEPTH: Final = 3  # folders below the root that may be a language: docs/latest/fr
_SHARE: Final = 2  # more than half of the pages declare the language of their folder


def find_folders(pages: Iterable[HTMLFile], versions: Mapping[str, FolderKind]) -> dict[str, FolderKind]:
    """The folders that are sites of their own, with their kinds; ``versions`` are those of versions and aliases.

    A folder named like a language counts if most pages in it, redirects aside, declare that language.
    """
    kinds: dict[str, FolderKind] = dict.fromkeys(_languages(pages), "language")
    kinds |= versions
    kinds.pop("", None)  # the root of the site
    return kinds


def _languages(pages: Iterable[HTMLFile]) -> Iterable[str]:
    declared: dict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        steps = page.path.split("/")[:-1][:_DEPTH]
        for depth, step in enumerate(steps, 1):
            if page.markup and not page.markup.refresh and is_language(step):
                declared["/".join(steps[:depth])][page.markup.language] += 1
    for folder, languages in declared.items():
        own = folder.rpartition("/")[2]
        if sum(number for each, number in languages.items() if each and agree(own, each)) * _SHARE > languages.total():
            yield folder
