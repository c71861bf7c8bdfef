"""Hugo: the files with the settings of a site, and front matter with the names that Hugo uses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from sitemap_plugins.folder.configuration import read_data
from sitemap_plugins.folder.generators.source import with_date
from sitemap_plugins.formats.data_reading import DataError, read_json, read_toml, read_yaml

_FOLDER: Final = "config/_default/"
_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    ".toml": read_toml,
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".json": read_json,
}
_MAIN: Final = ("hugo", "config")  # in Hugo's order of search; older versions use the second
_NO_PRIORITY: Final = -1


def translate(values: Mapping[str, object]) -> Mapping[str, object]:
    """Front matter with our names and values. Hugo has its own ``sitemap``, and ignores the case of names."""
    values = {name.lower(): value for name, value in values.items()}
    written = values.get("sitemap")
    if isinstance(written, Mapping):
        ours = {name: value for name, value in written.items() if name not in {"disable", "filename"}}
        if ours.get("priority") == _NO_PRIORITY:
            del ours["priority"]
        values["sitemap"] = ours | ({"exclude": True} if written.get("disable") is True else {})
    return with_date(values, values.get("lastmod"))


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


def _read(root: str, name: str, *, is_surely: bool) -> Mapping[str, object]:

    def parse(text: str) -> object:
        try:
            return _READERS[os.path.splitext(name)[1]](text)
        except DataError:
            if is_surely:
                raise
            return None

    values = read_data(os.path.join(root, *name.split("/")), name, parse)
    named = values.items() if isinstance(values, Mapping) else ()
    return {name.lower(): value for name, value in named if isinstance(name, str)}
