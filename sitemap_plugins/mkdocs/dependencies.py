"""Finds the other files that a MkDocs page is made of: snippets, included files, macros' templates, documented modules.

They come from each tool itself, with its own settings. A file that a tool appends to every page (``auto_append`` of the
snippets) is not part of any page's own text, so it does not count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from jinja2 import TemplateError, meta

from sitemap_plugins.mkdocs.sources import original_of
from sitemap_plugins.model import Note

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage

_SNIPPETS: Final = "pymdownx.snippets"
# A heading of a documented object, or the anchor instead of a heading that is not shown.
_ANCHOR: Final = re.compile(r'<(?:h[1-6] id="(?P<shown>[\w.]+)" class="doc |a id="(?P<hidden>[\w.]+)"></a>)')


class Dependencies:
    """The files that the pages of one build are made of, collected while the pages are built; none if not wanted."""

    def __init__(self, config: MkDocsConfig, *, is_wanted: bool) -> None:
        self._config = config
        self._plugins: Mapping[str, Any] = config.plugins if is_wanted else {}
        self._has_snippets = is_wanted and _SNIPPETS in config.markdown_extensions
        self._files: dict[str, dict[str, None]] = {}
        self._documented: dict[str, set[str]] = {}
        self._documenting: dict[str, MkDocsPage] = {}
        self._unsupported: dict[str, None] = {}
        self._included = 0  # how many files include-markdown had read before this page

    def notice_templates(self, page: MkDocsPage, markdown: str) -> None:
        """Collect the templates that a page names, and that these name. Call this before mkdocs-macros renders it."""
        plugin = self._plugins.get("macros")
        if plugin is None or not _is_rendered(page, plugin):
            return
        environment = getattr(plugin, "_env", None)
        if environment is None:
            self._unsupported["macros"] = None
        elif environment.block_start_string in markdown:
            self._add(page, _templates(environment, markdown))

    def notice_text(self, page: MkDocsPage, markdown: str) -> None:
        """Collect the files that plugins included in a page, and the snippets it names. Call this after the plugins."""
        self._add(page, self._newly_included())
        if "8<" in markdown and self._has_snippets:
            self._add(page, self._snippets(markdown))
        if "mkdocstrings" in self._plugins:
            self._documenting[page.file.src_uri] = page

    def resolve_modules(self) -> None:
        """Collect the files of the Python objects that mkdocstrings shows. Call this when all pages are rendered."""
        plugin = self._plugins["mkdocstrings"] if self._documenting else None
        # It has no handlers if it is disabled, and none for Python if no page shows a Python object.
        handlers = getattr(getattr(plugin, "_handlers", None), "seen_handlers", ())
        for handler in (each for each in handlers if each.name == "python"):
            collection = getattr(handler, "_modules_collection", None)
            if collection is None:
                self._unsupported["mkdocstrings"] = None
                return
            for page in self._documenting.values():
                before = set(self.of(page))
                self._add(page, _object_files(collection, page.content or ""))
                self._documented[page.file.src_uri] = set(self.of(page)) - before

    def of(self, page: MkDocsPage) -> tuple[str, ...]:
        """The files that a page is made of, except its own, as absolute paths."""
        return tuple(self._files.get(page.file.src_uri, ()))

    def included_by(self, page: MkDocsPage) -> tuple[str, ...]:
        """The files whose text a page includes, as absolute paths, without those of objects that it documents."""
        documented = self._documented.get(page.file.src_uri, ())
        return tuple(file for file in self.of(page) if file not in documented)

    def all(self) -> set[str]:
        """The files that all pages are made of."""
        return {file for files in self._files.values() for file in files}

    def notes(self) -> Iterator[Note]:
        """Notes on tools whose files could not be determined."""
        for tool in self._unsupported:
            message = (
                f"the installed version of {tool} does not tell which files its pages show, so "
                "they do not count for the pages' dates: name them with depends_on"
            )
            yield Note(kind="dependencies", message=message)

    def _add(self, page: MkDocsPage, files: Iterable[str]) -> None:
        paths = map(os.path.abspath, files)
        found = {original_of(path, self._config) or path: None for path in paths}
        if found:
            self._files.setdefault(page.file.src_uri, {}).update(found)

    def _newly_included(self) -> list[str]:
        """The files that include-markdown read for this page: it keeps one list for all pages."""
        plugin = self._plugins.get("include-markdown")
        if plugin is None:
            return []
        files = getattr(getattr(plugin, "_files_watcher", None), "included_files", None)
        if files is None:
            self._unsupported["include-markdown"] = None
            return []
        start, self._included = min(self._included, len(files)), len(files)
        return [str(file) for file in files[start:]]

    def _snippets(self, markdown: str) -> list[str]:
        """The files that pymdownx.snippets includes, found by running it once more."""
        from pymdownx.snippets import SnippetExtension, SnippetPreprocessor

        used: list[str] = []

        class Recorder(SnippetPreprocessor):  # type: ignore[misc]  # the package has no types
            def get_snippet_path(self, path: str) -> str | None:
                found: str | None = super().get_snippet_path(path)
                used.extend([found] if found else [])
                return found

        settings = SnippetExtension(**self._config.mdx_configs.get(_SNIPPETS, {})).getConfigs()
        # Unreadable snippets stop the build, or are skipped, when the page is rendered; not here.
        settings |= {"check_paths": False, "url_download": False}
        with suppress(OSError, UnicodeError):
            recorder = Recorder(settings, SimpleNamespace(tab_length=4))
            recorder.seen = set()
            recorder.parse_snippets(markdown.split("\n"))
        return used


def _is_rendered(page: MkDocsPage, plugin: Any) -> bool:
    """Whether mkdocs-macros renders a page, by its front matter or else the plugin's option."""
    if page.meta.get("ignore_macros"):
        return False
    is_default = plugin.config.get("render_by_default", True)
    return bool(page.meta.get("render_macros", is_default))


def _templates(environment: Any, text: str) -> Iterator[str]:
    """The files of the templates that a text includes, imports or extends, directly or through others."""
    waiting, seen = [text], set[str]()
    while waiting:
        try:
            names = meta.find_referenced_templates(environment.parse(waiting.pop()))
        except TemplateError:  # the error stops the build, or is shown on the page, when that is rendered
            continue
        for name in names:
            if name and name not in seen:
                seen.add(name)
                with suppress(TemplateError):
                    source, file, _ = environment.loader.get_source(environment, name)
                    waiting.append(source)
                    yield from [file] if file else []


def _object_files(collection: Any, content: str) -> Iterator[str]:
    """The files that define the objects that have an anchor on a page."""
    for name in dict.fromkeys(match["shown"] or match["hidden"] for match in _ANCHOR.finditer(content)):
        try:
            found = collection[name]
            paths = (found.final_target if found.is_alias else found).filepath
        except Exception:  # noqa: BLE001, S112  # griffe has many exceptions for unknown names
            continue
        yield from map(str, paths if isinstance(paths, list) else [paths])
