"""The source files of pages, and their front matter as generators read it: YAML, TOML, JSON, or fields.

With the meta plugin of Material for MkDocs and Zensical, files can have front matter for all pages of their folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct, structs

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError, merge
from sitemap_plugins.formats.data_reading import DataError, decode, read_json, read_toml, read_yaml, type_of
from sitemap_plugins.reading import ABSENT, CONFIGURATION, read_file
from sitemap_plugins.values.dates import lastmod_or_none

# These three are from MkDocs. In other generators, a block may also end at the end of the file.
_YAML: Final = re.compile(r"---[ \t]*+\n(?P<block>.*?\n)(?:---|\.\.\.)[ \t]*+(?:\n|\Z)", re.DOTALL)
_LINE: Final = re.compile(r" {0,3}(?P<key>[A-Za-z0-9_-]++):\s*+(?P<value>.*)")
_MORE: Final = re.compile(r"(?: {4}|\t)\s*+(?P<value>.*)")
_TOML: Final = re.compile(r"\+\+\+[ \t]*+\n(?P<block>.*?\n)\+\+\+[ \t]*+(?:\n|\Z)", re.DOTALL)
_JSON: Final = re.compile(r'\{\s*+"[^"\n]*+"\s*+:')  # an MDX page may also begin with a brace
_FIELD: Final = re.compile(r":(?P<name>[^:\s][^:]*+):(?:[ \t]++(?P<value>.*))?\Z")
# What may be above a field list: comments, targets and directives that show nothing.
_SILENT: Final = r"default-domain|index|meta|(?:py:)?(?:current)?module|sectionauthor"
_INVISIBLE: Final = re.compile(rf"\.\.(?:\Z|[ \t]++(?:(?:{_SILENT})::|(?![\w.+-]++(?::[\w.+-]++)*+::)))")
_ESCAPE: Final = re.compile(r"\\(.)")

_NOT_SOURCES: Final = frozenset({"node_modules", "__pycache__"})


class FrontMatter(Struct, frozen=True):
    """The values by name, and a sentence about what is wrong with them, empty if they are valid."""

    values: Mapping[str, object] = {}
    problem: str = ""


def read_front_matter(text: str, *, multimarkdown: bool = False) -> FrontMatter:
    """Read the front matter at the very top of a source file.

    ``multimarkdown`` is for MkDocs only, which reads lines such as ``title: Guide`` at the top even without ``---``.
    """
    text = text.removeprefix("\ufeff")
    if not multimarkdown and not text.startswith(("---", "+++", "{")):
        return FrontMatter()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        if found := _YAML.match(text):
            values = read_yaml("\n" + found["block"])  # keeps the line numbers of the page
        elif found := _TOML.match(text):
            values = read_toml("\n" + found["block"])
        elif _JSON.match(text):
            values = read_json(text, beginning=True)
        else:
            return FrontMatter(_read_lines(text) if multimarkdown else {})
    except DataError as error:
        place = f"line {error.line} of the page: " if error.line else ""
        return FrontMatter(problem=f"the front matter cannot be used: {place}{error}")
    if values is None:
        return FrontMatter()
    if not isinstance(values, dict):
        return FrontMatter(problem="the front matter cannot be used: it is not a mapping such as title: Guide")
    return FrontMatter({name: value for name, value in values.items() if isinstance(name, str)})


def read_fields(text: str) -> Mapping[str, str]:
    """The values in the field list at the top of a reStructuredText file, where docutils makes metadata of it."""
    values: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        if found := _FIELD.match(line):
            name = found["name"]
            values[name] = [found["value"] or ""]
        elif name and line[:1] in {" ", "\t"}:
            values[name].append(line)
        elif line.strip() and line[0] not in " \t" and (values or not _INVISIBLE.match(line)):
            break
    return {name: " ".join(_ESCAPE.sub(r"\1", " ".join(lines)).split()) for name, lines in values.items()}


def _read_lines(text: str) -> dict[str, object]:
    """The values in ``key: value`` lines at the top, as in MkDocs: a repeated key continues its value."""
    values: dict[str, list[str]] = {}
    key = ""
    for line in text.split("\n"):
        if found := _LINE.match(line):
            key = found["key"].lower()
        elif not (key and line.strip() and (found := _MORE.match(line))):
            break
        values.setdefault(key, []).append(found["value"].strip())
    return {key: " ".join(words) for key, words in values.items()}


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
        return FrontMatter(merge(inherited.values, own.values, join_lists=True), own.problem or inherited.problem)

    def _in_folder(self, folder: str) -> FrontMatter:
        if folder != self._docs_dir and not folder.startswith(os.path.join(self._docs_dir, "")):
            return FrontMatter()
        above = FrontMatter() if folder == self._docs_dir else self._below(os.path.dirname(folder))
        path = os.path.join(folder, self._name)
        try:
            values = read_yaml(decode(read_file(path, CONFIGURATION)))
        except ABSENT:
            return above
        except (OSError, DataError) as error:
            problem = f"used: {error}" if isinstance(error, DataError) else f"read: {error.strerror or error}"
            return structs.replace(above, problem=f"{os.path.relpath(path, self._docs_dir)} cannot be {problem}")
        if not isinstance(values, Mapping):
            return above
        return FrontMatter(merge(above.values, values, join_lists=True), above.problem)


def read_meta_files(configuration: Configuration) -> MetaFiles | None:
    """The meta files of a MkDocs or Zensical project; None without the plugin. Raises `ConfigurationError`."""
    for options in configuration.plugins("meta"):
        given = options.get("meta_file")
        name = ".meta.yml" if given is None else given
        if not isinstance(name, str) or "\0" in name:
            raise ConfigurationError(f"{configuration.name}: meta_file must be the name of a file, not {type_of(name)}")
        return MetaFiles(configuration.path("docs_dir", "docs"), name)
    return None


class Source(msgspec.Struct, frozen=True):
    """The source of a page: its absolute path, its name in messages, and whether the page is an untranslated copy.

    If a plugin generates the document, it has no file: then ``file`` is that of the Python module with the name
    ``module`` that it shows, and ``options`` are those of its ``:::`` block.
    """

    file: str
    name: str
    is_copy: bool = False
    module: str = ""
    options: Mapping[str, object] = {}


ReadFrontMatter: TypeAlias = Callable[[str], FrontMatter]
"""Returns the front matter of a file, given its absolute path."""


def with_date(values: Mapping[str, object], date: object) -> Mapping[str, object]:
    """Front matter with the generator's date of the last change as ``sitemap_lastmod``, unless that is already set.

    A value that is not a date, such as a switch, is ignored.
    """
    return values if lastmod_or_none(date) is None else {"sitemap_lastmod": date, **values}


def source_files(
    folder: str, suffixes: Collection[str], without: Collection[str] = ()
) -> Iterator[tuple[str, PurePosixPath]]:
    """The files with these suffixes below a folder: their absolute paths, and their paths below it, in order.

    Folders with a name in ``without`` are skipped. A folder that does not exist or may not be read has none. Raises
    OSError if the disk fails.
    """

    def fail(error: OSError) -> None:
        if not isinstance(error, (*ABSENT, PermissionError)):
            raise error

    try:
        os.fsencode(folder)
    except UnicodeEncodeError:  # a lone surrogate
        return
    skipped = {*_NOT_SOURCES, *without}
    for here, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in skipped)
        place = PurePosixPath(os.path.relpath(here, folder).replace(os.sep, "/"))
        for name in sorted(names):
            if os.path.splitext(name)[1].lower() in suffixes:
                yield os.path.join(here, name), place / name
