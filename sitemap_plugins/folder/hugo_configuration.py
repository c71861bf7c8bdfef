"""Reads Hugo's configuration: one file, or a folder with one file for each table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from sitemap_plugins.folder.configuration import read_text, wrong
from sitemap_plugins.folder.data_reading import DataError, read_json, read_toml
from sitemap_plugins.folder.yaml_reading import read_yaml

_FOLDER: Final = "config/_default/"
_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    ".toml": read_toml,
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".json": read_json,
}
_MAIN: Final = ("hugo", "config")  # in Hugo's order of search; older versions use the second


def read_main_files(root: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The files with the settings of the site: the path of each below the project, and its values by name.

    Names are in lower case, because Hugo ignores their case. Raises `ConfigurationError`.
    """
    for folder in ("", _FOLDER):
        for stem in _MAIN:
            for suffix in _READERS:
                # A file named config may belong to another tool.
                values = _read(root, f"{folder}{stem}{suffix}", is_surely=stem != "config")
                if values:
                    yield f"{folder}{stem}{suffix}", values


def read_settings(root: str) -> Mapping[str, object]:
    """All settings, with names in lower case. A table such as ``languages`` may also have its own file.

    Raises `ConfigurationError`.
    """
    settings: dict[str, object] = {}
    for _, values in read_main_files(root):
        settings = {**values, **settings}
    folder = os.path.join(root, *_FOLDER.split("/"))
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        stem, suffix = os.path.splitext(name)
        first, _, second = stem.lower().partition(".")
        if suffix in _READERS and first not in _MAIN:
            values = _read(root, _FOLDER + name)
            settings[first] = {**table_of(settings, first), second: values} if second else values
    return settings


def table_of(values: Mapping[str, object], name: str) -> Mapping[str, object]:
    """A table in another one, with names in lower case; empty if there is none."""
    value = values.get(name)
    return _lowered(value) if isinstance(value, Mapping) else {}


def _read(root: str, name: str, *, is_surely: bool = True) -> Mapping[str, object]:
    text = read_text(os.path.join(root, *name.split("/")), name)
    if text is None:
        return {}
    try:
        values = _READERS[os.path.splitext(name)[1]](text)
    except DataError as error:
        if not is_surely:
            return {}
        raise wrong(name, error) from None
    return _lowered(values) if isinstance(values, Mapping) else {}


def _lowered(values: Mapping[object, object]) -> Mapping[str, object]:
    return {name.lower(): value for name, value in values.items() if isinstance(name, str)}
