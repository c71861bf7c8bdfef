"""The documents that the plugins api-autonav and mkdocs-autoapi make, one for each Python module."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.generators.source import Source, source_files

API_PLUGINS: Final = ("api-autonav", "mkdocs-autoapi")
"""The names of these plugins in the configuration. Both enable mkdocstrings."""

_SUFFIXES: Final = frozenset({".py", ".pyi"})
_IGNORED: Final = ("venv",)  # by mkdocs-autoapi, whatever its options are
_NAMES: Final = {"__init__": "index", "index": "index_py"}


class _Options(msgspec.Struct, frozen=True):
    """The options of both plugins that determine the documents, with their defaults."""

    modules: tuple[str, ...] = ()
    module_options: Mapping[str, Mapping[str, Any]] = {}
    api_root_uri: str = "reference"
    autoapi_dir: str = "."
    autoapi_root: str = "autoapi"
    autoapi_ignore: tuple[str, ...] = ()


def find_api_pages(configuration: Configuration) -> Iterator[Source]:
    """The documents that these plugins may make: api-autonav's options to leave out modules do not count.

    Invalid options are ignored.
    """
    autonav, autoapi = API_PLUGINS
    with suppress(msgspec.ValidationError, ValueError, NotImplementedError, re.error):  # options, globs, patterns
        for options in (msgspec.convert(each, _Options) for each in configuration.plugins(autonav)):
            for module in options.modules:
                place = os.path.normpath(os.path.join(configuration.root, module))
                for page in _pages_of(place, os.path.dirname(place), options.api_root_uri):
                    local = [each for name, each in options.module_options.items() if re.match(name, page.module)]
                    yield msgspec.structs.replace(page, options={k: v for each in local for k, v in each.items()})
        for options in (msgspec.convert(each, _Options) for each in configuration.plugins(autoapi)):
            place = os.path.normpath(os.path.join(configuration.root, options.autoapi_dir))
            is_package = os.path.isfile(os.path.join(place, "__init__.py"))
            top = os.path.dirname(place) if is_package else place
            ignored = {str(file) for glob in options.autoapi_ignore for file in Path(place).glob(glob)}
            yield from (page for page in _pages_of(place, top, options.autoapi_root) if page.file not in ignored)


def _pages_of(place: str, top: str, root: str) -> Iterator[Source]:
    """The documents for the modules in a folder, or for one file, with names relative to the folder ``top``."""
    files = [place] if os.path.isfile(place) else [file for file, _ in source_files(place, _SUFFIXES, _IGNORED)]
    for file in files:
        path = PurePosixPath(os.path.relpath(file, top).replace(os.sep, "/")).with_suffix("")
        module = path.parent if path.name == "__init__" else path
        document = path.with_name(_NAMES.get(path.name, path.name))
        yield Source(file, posixpath.normpath(posixpath.join(root, f"{document}.md")), module=".".join(module.parts))
