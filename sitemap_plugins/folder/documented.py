"""Finds the files of the objects that a document shows with mkdocstrings, from its text and that of the code alone.

Nobody's code is imported: griffe reads it, in the folders where mkdocstrings looks for it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from glob import glob
from typing import Any, Final
from xml.etree.ElementTree import Element

from sitemap_plugins.folder.configuration import Configuration, base_folders, enabled_extensions
from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.formats.data_reading import read_yaml
from sitemap_plugins.reading import SOURCE, read_file
from sitemap_plugins.session.includes import COMMANDS, SNIPPETS

_BLOCK: Final = re.compile(r"^(?:#{1,6} *+)?::: ?(?P<name>.*\S) *+$", re.MULTILINE)  # as in mkdocstrings
_PYTHON: Final = "python"
_PRIVATE: Final = ("!^_[^_]",)  # the default of the option filters
# The extensions that decide what is code, and which indented text is text.
_STRUCTURE: Final = (
    "admonition", "def_list", "footnotes", "md_in_html", "pymdownx.blocks.admonition", "pymdownx.blocks.details",
    "pymdownx.blocks.html", "pymdownx.blocks.tab", "pymdownx.details", "pymdownx.superfences", "pymdownx.tabbed",
)  # fmt: skip


class DocumentedCode:
    """The code that the documents of a project show, each package read once; ``plugin`` has mkdocstrings' options."""

    def __init__(self, configuration: Configuration, plugin: Mapping[str, object]) -> None:
        self._configuration = configuration
        self._default = plugin.get("default_handler", _PYTHON)
        self._has_commands = not {*COMMANDS}.isdisjoint(enabled_extensions(configuration) or ())
        self._python = _mapping(_mapping(plugin.get("handlers")).get(_PYTHON))

    def shown_by(self, document: Source) -> tuple[tuple[str, ...], str]:
        """The absolute paths of the files that define what a document shows, and what is unresolved, as in `Page`."""
        found: dict[str, None] = {}
        read: set[str] = set()
        try:
            if document.module:
                blocks = [(document.module, json.dumps({"options": document.options}))]
            else:
                blocks = self._read_blocks(read_file(document.file, SOURCE).decode("utf-8-sig", errors="replace"))
            while blocks:
                for file, docstring in self._resolve(*blocks.pop()):
                    found[file] = None
                    if ":::" in docstring and docstring not in read:
                        read.add(docstring)
                        blocks += self._read_blocks(docstring)
        except Exception as error:  # noqa: BLE001  # griffe and Markdown have many, also for wrong options
            return (), f"it shows code that cannot be read: {error}"
        return tuple(found), ""

    @cached_property
    def _read_blocks(self) -> Callable[[str], list[tuple[str, str]]]:
        """A function that returns the names in the blocks of a text, and their options as written.

        Python-Markdown knows what is code. Snippets are part of the text.
        """
        from markdown import Markdown
        from markdown.blockprocessors import BlockProcessor

        enabled = enabled_extensions(self._configuration)
        names = [each for each in (*_STRUCTURE, SNIPPETS) if enabled is None or each in enabled]
        settings = {SNIPPETS: {"base_path": base_folders(self._configuration)}}
        markdown = Markdown(extensions=["fenced_code", "tables", *names], extension_configs=settings)
        found: list[tuple[str, str]] = []

        class Recorder(BlockProcessor):
            def test(self, parent: Element, block: str) -> bool:  # noqa: ARG002  # Markdown's names
                return bool(_BLOCK.search(block))

            def run(self, parent: Element, blocks: list[str]) -> None:
                block = blocks.pop(0)
                if match := _BLOCK.search(block):
                    self.parser.parseBlocks(parent, [block[: match.start()]])
                    options, rest = self.detab(block[match.end() :])
                    if not options and blocks and blocks[0].startswith(("    handler:", "    options:")):
                        options = blocks.pop(0)
                    found.append((match["name"], options))
                    blocks[:0] = [rest] if rest else []

        markdown.parser.blockprocessors.register(Recorder(markdown.parser), "mkdocstrings", 75)

        def read(text: str) -> list[tuple[str, str]]:
            found.clear()
            markdown.reset()
            lines = text.split("\n")
            for preprocessor in markdown.preprocessors:
                lines = preprocessor.run(lines)
            markdown.parser.parseDocument(lines)
            return [*found]

        return read

    @cached_property
    def _loader(self) -> Any:
        from griffe import GriffeLoader

        root, paths = self._configuration.root, self._python.get("paths")
        written = [each for each in paths if isinstance(each, str)] if isinstance(paths, list) else []
        folders = [os.path.normpath(each) for path in written for each in glob(os.path.join(root, path))]
        return GriffeLoader(search_paths=[*(folders or [root]), *filter(None, sys.path)], allow_inspection=False)

    def _resolve(self, name: str, written: str) -> Iterator[tuple[str, str]]:
        """The file of each object that a block shows, and its docstring. Raises LookupError for an unknown name."""
        if self._has_commands and name == COMMANDS[0]:
            return  # mkdocs-click replaces the block before mkdocstrings sees it
        local = _mapping(read_yaml(written))
        if local.get("handler", self._default) != _PYTHON:
            file = os.path.join(self._configuration.root, name)
            if not os.path.isfile(file):
                raise LookupError(f"{name} was not found")
            yield file, ""
            return
        if "-" in name:
            raise LookupError(f"the block ::: {name} is not one of mkdocstrings")
        options = {**_mapping(self._python.get("options")), **_mapping(local.get("options"))}
        for shown in _shown(self._find(name, options), options, options.get("members"), set()):
            docstring = shown.docstring.value if shown.docstring else ""
            for file in shown.filepath if isinstance(shown.filepath, list) else [shown.filepath]:
                yield os.path.abspath(file), docstring

    def _find(self, name: str, options: Mapping[Any, Any]) -> Any:
        loader, package = self._loader, name.partition(".")[0]
        with suppress(Exception):  # griffe has many exceptions for unknown names
            for each in (*options.get("preload_modules", ()), package):
                if each not in loader.modules_collection:
                    loader.load(each, try_relative_path=False)
                    loader.resolve_aliases(implicit=False, external=self._python.get("load_external_modules"))
            found = loader.modules_collection[name]
            return found.final_target if found.is_alias else found
        raise LookupError(f"{name} was not found")


def _shown(found: Any, options: Mapping[Any, Any], members: object, seen: set[str]) -> Iterator[Any]:
    """The object and the members that mkdocstrings shows, and their members.

    ``members`` is the option of this name, which is for the object in the block only.
    """
    from griffe import AliasResolutionError, CyclicAliasError

    yield found
    if found.canonical_path in seen or not (found.is_module or found.is_class):
        return
    seen.add(found.canonical_path)
    for member in (found.all_members if options.get("inherited_members") else found.members).values():
        # Members whose source is unknown are not shown.
        with suppress(AliasResolutionError, CyclicAliasError):
            is_wanted = not member.is_module or options.get("show_submodules")
            if is_wanted and _is_selected(member, options, members):
                yield from _shown(member, options, None, seen)


def _is_selected(member: Any, options: Mapping[Any, Any], members: object) -> bool:
    """Whether mkdocstrings shows a member: it selects by name, or else what is documented and not only imported."""
    inherited = options.get("inherited_members")
    if member.inherited and isinstance(inherited, list):
        return member.name in inherited
    if isinstance(members, bool):
        return members or member.inherited
    if isinstance(members, list):
        return member.name in members
    filters = options.get("filters", _PRIVATE) or ()
    if filters == "public":
        is_kept = member.is_public
    else:
        found = [not each.startswith("!") for each in filters if re.search(each.removeprefix("!"), member.name)]
        is_default = not filters or any(each.startswith("!") for each in filters)
        is_kept = (found[-1] if found else is_default) and (not member.is_imported or member.is_public)
    return is_kept and bool(options.get("show_if_no_docstring") or member.has_docstrings)


def _mapping(value: object) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}
