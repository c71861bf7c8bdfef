"""The files that the text of a source file takes in, by the syntax of the tools that are used with Markdown.

A file counts for the date of a page if the page says that it takes it in, and the file is there. What a text only shows
as an example of the syntax is no file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError
from sitemap_plugins.folder.yaml_reading import Opaque

_DEPTH: Final = 8  # files that take in one another


class Syntax(NamedTuple):
    """How a tool is told to take a file in: ``pattern`` has the name of the file in its group ``file``.

    ``extension`` is the Markdown extension that reads it, empty where none has to be enabled.
    """

    pattern: re.Pattern[str]
    extension: str = ""


_VARIANTS: Final = "markdown_include_variants"
_MARKS: Final = ("8<", "{!", "{*", "include", "<<<", "import")
SYNTAXES: Final = (
    # pymdownx.snippets: a line, or lines between two marks; a semicolon in front of it makes it text.
    Syntax(re.compile(r'^[ \t>]*+-+8<-+[ \t]++"(?P<file>[^"\n]++)"', re.MULTILINE), "pymdownx.snippets"),
    Syntax(re.compile(r"\{!>?[ \t]*+(?P<file>[^!\n{}|\[]++)[^!\n{}]*+!\}"), "mdx_include"),
    Syntax(re.compile(r"\{\*[ \t]*+(?P<file>[^\s*{}]++)[^*\n{}]*\*\}"), _VARIANTS),
    # include-markdown, and Jinja's own
    Syntax(re.compile(r"""\{%-?\s*+include(?:-markdown)?\s++["'](?P<file>[^"'\n]++)["']""")),
    # VitePress
    Syntax(re.compile(r"<!--\s*+@include:\s*+(?P<file>[^\s>{#]++)")),
    Syntax(re.compile(r"^<<<[ \t]*+(?P<file>[^\s{#]++)", re.MULTILINE)),
    # MDX
    Syntax(re.compile(r"""^import\s[^'"\n]*?['"](?P<file>[.@][^'"\n]++)['"]""", re.MULTILINE)),
)
"""Every syntax that is known."""

_BLOCK: Final = re.compile(r"^[ \t>]*+-+8<-+[ \t]*+$(?P<lines>[\s\S]*?)^[ \t>]*+-+8<-+[ \t]*+$", re.MULTILINE)
_SECTION: Final = re.compile(r":[^/\\]*+\Z")


def find_names(text: str, enabled: Collection[str] | None) -> Iterator[str]:
    """The names of files as they stand in a text; ``enabled`` are the Markdown extensions, None where nobody knows."""
    if not any(mark in text for mark in _MARKS):
        return
    for pattern, extension in SYNTAXES:
        if not extension or enabled is None or extension in enabled:
            names = (match["file"].strip() for match in pattern.finditer(text))
            yield from names if extension != _VARIANTS else (each for name in names for each in _variants(name))
    if enabled is None or "pymdownx.snippets" in enabled:
        for block in _BLOCK.finditer(text):
            yield from filter(None, (line.strip().strip('"') for line in block["lines"].splitlines()))


def _variants(name: str) -> Iterator[str]:
    """The names that markdown_include_variants shows beside one: of the file, or of its folder, for other Pythons."""
    path = PurePosixPath(name)
    endings = [an + python for an in ("", "_an") for python in ("", "_py39", "_py310", "_py311")]
    for ending in endings:
        yield str(path.with_name(_without_variant(path.stem) + ending + path.suffix)) if path.stem else name
    if path.parent.name:
        folder = path.parent
        yield from (str(folder.with_name(_without_variant(folder.name) + ending) / path.name) for ending in endings)


def _without_variant(name: str) -> str:
    for ending in ("_an", "_py39", "_py310", "_py311"):
        if name.endswith(ending) and name != ending:
            return _without_variant(name.removesuffix(ending))
    return name


class Includes:
    """Finds the files that sources are made of.

    ``names_in`` gives what `find_names` finds in a file, by its absolute path. ``bases`` are the absolute folders in
    which names are looked for before any other, and ``top`` is the last of the folders above a source that are tried.
    """

    def __init__(self, names_in: Callable[[str], Sequence[str]], bases: Sequence[str], top: str) -> None:
        self._names_in = names_in
        self._bases = bases
        self._top = top

    def of(self, file: str) -> tuple[str, ...]:
        """The absolute paths of the files that a source takes in, and of those that they do."""
        found: dict[str, None] = {}
        waiting = [(file, 0)]
        while waiting:
            here, depth = waiting.pop()
            for name in self._names_in(here) if depth < _DEPTH else ():
                path = self._resolve(name, here, file)
                if path and path != file and path not in found:
                    found[path] = None
                    waiting.append((path, depth + 1))
        return tuple(found)

    def _resolve(self, name: str, here: str, source: str) -> str | None:
        """The file of that name: below a base, beside the file that names it, or below a folder above the source."""
        if "://" in name or "\0" in name:
            return None
        # A section or lines of the file may follow its name.
        names = dict.fromkeys([name, _SECTION.sub("", name), name.removeprefix("@site/").removeprefix("@/")])
        folders = dict.fromkeys([*self._bases, os.path.dirname(here), *_above(source, self._top)])
        for folder in folders:
            for each in names:
                path = os.path.normpath(os.path.join(folder, each))
                if path.startswith(os.path.join(self._top, "")) and os.path.isfile(path):
                    return path
        return None


def _above(file: str, top: str) -> Iterator[str]:
    folder = os.path.dirname(file)
    while folder.startswith(os.path.join(top, "")) or folder == top:
        yield folder
        folder, before = os.path.dirname(folder), folder
        if folder == before:
            return


def enabled_extensions(configuration: Configuration) -> Collection[str] | None:
    """The names of the Markdown extensions that a project of MkDocs or Zensical enables; None where nobody knows.

    Zensical enables those of its own where none are named, so that nothing is known there either.
    """
    written = configuration.project.get("markdown_extensions")
    if isinstance(written, Mapping):
        return {*map(str, written), *_dotted(written)}
    if isinstance(written, list):
        return {str(name) for each in written for name in (each if isinstance(each, Mapping) else [each])}
    return None


def _dotted(written: Mapping[object, object]) -> Iterator[str]:
    """``pymdownx.snippets`` is a table in a table in TOML."""
    for name, value in written.items():
        if isinstance(value, Mapping):
            yield from (f"{name}.{below}" for below in value)


def base_folders(configuration: Configuration) -> list[str]:
    """The absolute folders in which snippets are looked for first (``base_path``)."""
    written = configuration.project.get("markdown_extensions")
    settings = _settings_of(written, "pymdownx.snippets")
    paths = settings.get("base_path", ["."])
    found = []
    for path in paths if isinstance(paths, list) else [paths]:
        try:
            text = configuration.relative(path) if isinstance(path, Opaque) else path
        except ConfigurationError:
            continue
        if isinstance(text, str):
            found.append(os.path.normpath(os.path.join(configuration.root, text)))
    return found or [str(Path(configuration.root))]


def _settings_of(written: object, name: str) -> Mapping[object, object]:
    entries = written if isinstance(written, list) else [written]
    for each in entries:
        if isinstance(each, Mapping):
            first, _, rest = name.partition(".")
            value = each.get(name, each.get(first) and isinstance(each[first], Mapping) and each[first].get(rest))
            if isinstance(value, Mapping):
                return value
    return {}
