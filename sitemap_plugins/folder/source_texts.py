"""Reads the source files of pages, each once: their front matter, and the files that they include."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection
from typing import NamedTuple

from sitemap_plugins.folder.front_matter import FrontMatter, read_front_matter
from sitemap_plugins.folder.includes import find_names
from sitemap_plugins.folder.meta_files import MetaFiles
from sitemap_plugins.reading import ABSENT, SOURCE, RefusedError, read_file

_TEXT = frozenset(
    {".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc", ".html", ".adoc", ".org", ".rst"}
)

_TAGS = "<!-- material/tags"  # the default marker of the plugin


class SourceText(NamedTuple):
    """The front matter of a file, the names of its includes as written, and whether it lists pages by their tags."""

    front_matter: FrontMatter = FrontMatter()
    names: tuple[str, ...] = ()
    lists_tags: bool = False


class SourceTexts:
    """Reads source files; ``enabled`` are the Markdown extensions, None if they are unknown.

    ``multimarkdown`` is as in `read_front_matter`, and ``meta_files`` are the files that sources inherit from, if any.
    Reading raises OSError if the disk fails, because front matter that keeps a page out of the sitemap might be lost.
    """

    def __init__(
        self, enabled: Collection[str] | None, *, multimarkdown: bool, meta_files: MetaFiles | None = None
    ) -> None:
        self._enabled = enabled
        self._meta_files = meta_files
        self._multimarkdown = multimarkdown
        self._known: dict[str, SourceText] = {}

    def front_matter(self, file: str) -> FrontMatter:
        """The front matter of a file, by its absolute path. If the file cannot be read, its ``problem`` says so."""
        return self._read(file).front_matter

    def names(self, file: str) -> tuple[str, ...]:
        """The names of the files that a file includes."""
        return self._read(file).names

    def lists_tags(self, file: str) -> bool:
        """Whether the tags plugin of Material for MkDocs writes a list of pages into a file."""
        return self._read(file).lists_tags

    def _read(self, file: str) -> SourceText:
        if file not in self._known:
            self._known[file] = self._parse(file)
        return self._known[file]

    def _parse(self, file: str) -> SourceText:
        if os.path.splitext(file)[1].lower() not in _TEXT:
            return SourceText()
        try:
            text = read_file(file, SOURCE).decode("utf-8-sig", errors="replace")
        except OSError as error:
            # ELOOP means a circular link.
            if not isinstance(error, (*ABSENT, PermissionError, RefusedError)) and error.errno != errno.ELOOP:
                raise
            return SourceText(FrontMatter(problem=f"the source cannot be read: {error.strerror or error}"))
        front_matter = read_front_matter(text, multimarkdown=self._multimarkdown)
        if self._meta_files:
            front_matter = self._meta_files.extend(file, front_matter)
        names = dict.fromkeys(find_names(text, self._enabled))
        return SourceText(front_matter, tuple(names), lists_tags=_TAGS in text)
