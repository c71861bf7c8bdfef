"""Reads the source files of pages, each once, and finds the files whose history dates the pages."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from sitemap_plugins.folder.configuration import Configuration, base_folders, enabled_extensions
from sitemap_plugins.folder.generators.mkdocs import API_PLUGINS
from sitemap_plugins.folder.generators.source import FrontMatter, MetaFiles, Source, read_fields, read_front_matter
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.reading import ABSENT, SOURCE, RefusedError, read_file
from sitemap_plugins.session.includes import COMMANDS, FindNeeded, Include, find_in_asciidoc, find_included, find_names
from sitemap_plugins.session.lifecycle import BuildSession

if TYPE_CHECKING:  # few projects show code
    from sitemap_plugins.folder.documented import DocumentedCode

_ASCIIDOC = (".adoc", ".asciidoc")
_TEXT = frozenset(
    {".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc", ".html", ".org", ".rst", *_ASCIIDOC}
)

_COMMANDS = re.compile(rf"^::: {COMMANDS[0]}", re.MULTILINE)  # even in code
_NO_FILE = ("/",)  # no name of a file ends with it
_TAGS = "<!-- material/tags"  # the default marker of the plugin


class SourceText(msgspec.Struct, frozen=True):
    """The front matter of a file, its includes, and whether it lists pages by tags, or may show code (``:::``).

    ``shows_commands`` tells whether mkdocs-click shows the commands of a program.
    """

    front_matter: FrontMatter = FrontMatter()
    includes: tuple[Include, ...] = ()
    lists_tags: bool = False
    may_show_code: bool = False
    shows_commands: bool = False


class Parts(msgspec.Struct, frozen=True):
    """What a page is made of, as in `Page`: the files that date it, its source first, and those that it includes."""

    sources: tuple[str, ...] = ()
    included: tuple[str, ...] = ()
    unresolved: str = ""


class SourceTexts:
    """Reads source files; ``enabled`` are the Markdown extensions, None if they are unknown.

    ``multimarkdown`` is as in `read_front_matter`, and ``meta_files`` are the files that sources inherit from, if any.
    ``find_needed`` is that of the generator.
    Reading raises OSError if the disk fails, because front matter that keeps a page out of the sitemap might be lost.
    """

    def __init__(
        self,
        enabled: Collection[str] | None,
        *,
        multimarkdown: bool,
        meta_files: MetaFiles | None = None,
        find_needed: FindNeeded | None = None,
    ) -> None:
        self._enabled = enabled
        self._find_needed = find_needed
        self._meta_files = meta_files
        self._multimarkdown = multimarkdown
        self.read = cache(self._read)

    def front_matter(self, file: str) -> FrontMatter:
        """The front matter of a file, by its absolute path. If the file cannot be read, its ``problem`` says so."""
        return self.read(file).front_matter

    def _read(self, file: str) -> SourceText:
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
        if file.lower().endswith(".rst") and not front_matter.values:
            front_matter = FrontMatter(read_fields(text), front_matter.problem)
        if self._meta_files:
            front_matter = self._meta_files.extend(file, front_matter)
        find_needed = find_in_asciidoc if file.lower().endswith(_ASCIIDOC) else self._find_needed
        includes = dict.fromkeys(find_names(text, self._enabled))
        includes |= dict.fromkeys(find_needed(text) if find_needed else ())
        return SourceText(
            front_matter,
            tuple(includes),
            lists_tags=_TAGS in text,
            may_show_code=":::" in text,
            shows_commands=not {*COMMANDS}.isdisjoint(self._enabled or ()) and bool(_COMMANDS.search(text)),
        )


def start_git(
    session: BuildSession, configuration: Configuration, texts: SourceTexts, documents: Collection[Source]
) -> Mapping[str, Parts]:
    """Start to read the history of documents and their includes. Return what each is made of, by the path of its file.

    This is only the file itself if the option ``git.dependencies`` is off, and nothing if a plugin generates the
    document. No file dates a list of pages by tags.
    """
    sources = {document.file: document for document in documents}
    if not sources:
        # The date of HEAD is still needed: it decides what has expired.
        if toplevel_of(configuration.root):
            session.dating.start_git({configuration.root: _NO_FILE})
        return {}
    folder = os.path.commonpath([os.path.dirname(source) for source in sources])
    session.dating.start_git({folder: {os.path.splitext(source)[1] for source in sources}})
    parts = {source: Parts((source,)) for source in sources}
    if session.settings.git.dependencies:
        top = os.path.commonpath([configuration.root, *sources])
        bases = base_folders(configuration)
        code = _code_shown_in(configuration)
        for source, document in sources.items():
            files, missing = find_included(source, lambda file: texts.read(file).includes, bases, top)
            documented: tuple[str, ...] = ()
            unresolved = f"it includes {missing}, which was not found" if missing else ""
            may_show_code = any(texts.read(file).may_show_code for file in (source, *files))
            if code and not unresolved and (may_show_code or document.module):
                documented, unresolved = code.shown_by(document)
            parts[source] = Parts((source, *files, *documented), files, unresolved)
    else:
        parts |= {source: Parts() for source, document in sources.items() if document.module}
    if configuration.plugins("tags"):
        parts |= {source: Parts() for source in sources if texts.read(source).lists_tags}
    session.dating.expect(file for each in parts.values() for file in each.sources[1:])
    return parts


def _code_shown_in(configuration: Configuration) -> DocumentedCode | None:
    """The code that documents may show; None if nothing enables mkdocstrings."""
    extension = (enabled_extensions(configuration) or {}).get("zensical.extensions.mkdocstrings")
    options = [each for each in (*configuration.plugins("mkdocstrings"), extension) if isinstance(each, Mapping)]
    options += [{} for name in API_PLUGINS if configuration.plugins(name)]
    if not options:
        return None
    from sitemap_plugins.folder.documented import DocumentedCode

    return DocumentedCode(configuration, options[0])
