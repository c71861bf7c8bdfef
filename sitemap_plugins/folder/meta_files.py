"""Reads the front matter for all pages of a folder: the meta plugin of Material for MkDocs and Zensical."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError
from sitemap_plugins.folder.data_reading import DataError, decode
from sitemap_plugins.folder.front_matter import FrontMatter
from sitemap_plugins.folder.yaml_reading import read_yaml
from sitemap_plugins.reading import ABSENT, CONFIGURATION, read_file
from sitemap_plugins.values.text import short_repr


class MetaFiles:
    """Finds the front matter that pages inherit from files in their folder and the folders above, up to ``docs_dir``.

    Each file is read once.
    """

    def __init__(self, docs_dir: str, name: str) -> None:
        self._docs_dir = docs_dir
        self._name = name
        self._below = cache(self._in_folder)

    def extend(self, file: str, own: FrontMatter) -> FrontMatter:
        """The front matter of a file with what it inherits; its own values take precedence."""
        inherited = self._below(os.path.dirname(file))
        return FrontMatter(_merge(inherited.values, own.values), own.problem or inherited.problem)

    def _in_folder(self, folder: str) -> FrontMatter:
        if folder != self._docs_dir and not folder.startswith(os.path.join(self._docs_dir, "")):
            return FrontMatter()
        above = FrontMatter() if folder == self._docs_dir else self._below(os.path.dirname(folder))
        path = os.path.join(folder, self._name)
        try:
            values = read_yaml(decode(read_file(path, CONFIGURATION)))
        except ABSENT:
            return above
        except OSError as error:
            return above._replace(
                problem=f"{os.path.relpath(path, self._docs_dir)} cannot be read: {error.strerror or error}"
            )
        except DataError as error:
            return above._replace(problem=f"{os.path.relpath(path, self._docs_dir)} cannot be used: {error}")
        if not isinstance(values, Mapping):
            return above
        return FrontMatter(_merge(above.values, values), above.problem)


def read_meta_files(configuration: Configuration) -> MetaFiles | None:
    """The meta files of a MkDocs or Zensical project; None without the plugin. Raises `ConfigurationError`."""
    for options in configuration.plugins("meta"):
        given = options.get("meta_file")
        name = ".meta.yml" if given is None else given
        if not isinstance(name, str) or "\0" in name:
            raise ConfigurationError(
                f"{configuration.name}: meta_file must be the name of a file, not {short_repr(name)}"
            )
        return MetaFiles(configuration.path("docs_dir", "docs"), name)
    return None


def _merge(above: Mapping[str, object], own: Mapping[str, object]) -> dict[str, object]:
    """Merge mappings, with lists joined. Other values in ``own`` replace those in ``above``."""
    merged = dict(above)
    for name, value in own.items():
        before = merged.get(name)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            merged[name] = _merge(before, value)
        elif isinstance(before, list) and isinstance(value, list):
            merged[name] = [*before, *value]
        else:
            merged[name] = value
    return merged
