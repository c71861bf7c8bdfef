"""Finds the files that a source file includes, in the syntax of various tools for Markdown.

An included file counts for the date of a page if it exists. Names in mere examples of the syntax lead to no file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import PurePath, PurePosixPath
from typing import Final

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.formats.data_reading import Opaque

_DEPTH: Final = 8  # levels of files that include one another

_PYMDOWNX_SNIPPETS: Final = "pymdownx.snippets"
_MDX_INCLUDE: Final = "mdx_include"
_INCLUDE_VARIANTS: Final = "markdown_include_variants"
_ANNOTATED: Final = "_an"
_PYTHONS: Final = ("_py39", "_py310", "_py311")

# pymdownx.snippets: a line, or lines between two marks; a semicolon before a mark escapes it.
_SNIPPET: Final = re.compile(r"""^[ \t>]*+-+8<-+[ \t]++(?:"(?P<file>[^"\n]++)"|'(?P<single>[^'\n]++)')""", re.MULTILINE)
_BLOCK: Final = re.compile(r"^[ \t>]*+-+8<-+[ \t]*+$(?P<lines>[\s\S]*?)^[ \t>]*+-+8<-+[ \t]*+$", re.MULTILINE)
_INCLUDE: Final = re.compile(r"\{!>?[ \t]*+(?P<file>[^!\n{}|\[]++)[^!\n{}]*+!\}")
_VARIANT: Final = re.compile(r"\{\*[ \t]*+(?P<file>[^\s*{}]++)[^*\n{}]*+\*\}")
# include-markdown, and Jinja's own tag
_TAG: Final = re.compile(r"""\{%-?\s*+include(?:-markdown)?\s++["'](?P<file>[^"'\n]++)["']""")
# VitePress: text, and code
_COMMENT: Final = re.compile(r"<!--\s*+@include:\s*+(?P<file>[^\s>{#]+?)(?=-->|[\s>{#]|\Z)")
_CODE: Final = re.compile(r"^<<<[ \t]*+(?P<file>[^\s{#]++)", re.MULTILINE)
# MDX
_IMPORT: Final = re.compile(r"""^import\s[^'"\n]*+['"](?P<file>[.@][^'"\n]++)['"]""", re.MULTILINE)


def find_names(text: str, enabled: Collection[str] | None) -> Iterator[str]:
    """The names of included files as written; ``enabled`` are the Markdown extensions, None if they are unknown."""
    if "8<" in text and (enabled is None or _PYMDOWNX_SNIPPETS in enabled):
        yield from ((match["file"] or match["single"]).strip() for match in _SNIPPET.finditer(text))
        for block in _BLOCK.finditer(text):
            yield from filter(None, (line.strip().strip("\"'") for line in block["lines"].splitlines()))
    if "{!" in text and (enabled is None or _MDX_INCLUDE in enabled):
        yield from (match["file"].strip() for match in _INCLUDE.finditer(text))
    if "{*" in text and (enabled is None or _INCLUDE_VARIANTS in enabled):
        for match in _VARIANT.finditer(text):
            yield from _variants(match["file"])
    if "{%" in text:
        yield from (match["file"] for match in _TAG.finditer(text))
    if "@include" in text:
        yield from (match["file"] for match in _COMMENT.finditer(text))
    if "<<<" in text:
        yield from (match["file"] for match in _CODE.finditer(text))
    if "import" in text:
        yield from (match["file"] for match in _IMPORT.finditer(text))


def _variants(name: str) -> Iterator[str]:
    """The variants of a file or its folder, for other versions of Python, that markdown_include_variants shows."""
    path = PurePosixPath(name)
    endings = [annotated + python for annotated in ("", _ANNOTATED) for python in ("", *_PYTHONS)]
    for ending in endings:
        yield str(path.with_name(_without_variant(path.stem) + ending + path.suffix)) if path.stem else name
    if path.parent.name:
        folder = path.parent
        yield from (str(folder.with_name(_without_variant(folder.name) + ending) / path.name) for ending in endings)


def _without_variant(name: str) -> str:
    python = next(filter(name.endswith, _PYTHONS), "")
    return name.removesuffix(python).removesuffix(_ANNOTATED) or name


def find_included(
    source: str, names_in: Callable[[str], Sequence[str]], bases: Sequence[str], top: str
) -> tuple[str, ...]:
    """The absolute paths of the files that a source includes, directly or through other files.

    ``names_in`` takes the absolute path of a file and returns what `find_names` finds in it. ``bases`` are the absolute
    folders to search first, and ``top`` is the topmost of the folders above the source to search.
    """
    above = [str(folder) for folder in PurePath(source).parents if folder.is_relative_to(top)]
    found: dict[str, None] = {}
    waiting = [(source, 0)]
    while waiting:
        here, depth = waiting.pop()
        for name in names_in(here) if depth < _DEPTH else ():
            path = _resolve(name, [*bases, os.path.dirname(here), *above], top)
            if path and path != source and path not in found:
                found[path] = None
                waiting.append((path, depth + 1))
    return tuple(found)


def _resolve(name: str, folders: Sequence[str], top: str) -> str | None:
    """The first file with this name in the folders, if it is below ``top``."""
    if "://" in name or "\0" in name:
        return None
    names = dict.fromkeys([name, _without_section(name), name.removeprefix("@site/").removeprefix("@/")])
    for folder in dict.fromkeys(folders):
        for each in names:
            path = os.path.normpath(os.path.join(folder, each))
            if path.startswith(os.path.join(top, "")) and os.path.isfile(path):
                return path
    return None


def _without_section(name: str) -> str:
    """The name without the section or lines that may follow it: ``guide.md:1:3``, ``guide.md:intro``."""
    folder, slash, last = name.rpartition("/")
    return folder + slash + last.partition(":")[0]


def enabled_extensions(configuration: Configuration) -> Mapping[str, object] | None:
    """The Markdown extensions that a project of MkDocs or Zensical enables, each with its settings.

    None if they are unknown: if the project names none, Zensical enables its own.
    """
    written = configuration.project.get("markdown_extensions")
    if not isinstance(written, list | Mapping):
        return None
    found: dict[str, object] = {}
    for each in written if isinstance(written, list) else [written]:
        for name, settings in each.items() if isinstance(each, Mapping) else [(each, {})]:
            found[str(name)] = settings
            if isinstance(settings, Mapping):  # in TOML, pymdownx.snippets is a table in a table
                found |= {f"{name}.{below}": inner for below, inner in settings.items()}
    return found


def base_folders(configuration: Configuration) -> list[str]:
    """The absolute folders to search first (``base_path``), by default the folder of the configuration.

    Raises `ConfigurationError` if a setting cannot be used.
    """
    extensions = enabled_extensions(configuration) or {}
    paths: list[object] = []
    for name in (_PYMDOWNX_SNIPPETS, _MDX_INCLUDE):
        settings = extensions.get(name)
        written = settings.get("base_path", ".") if isinstance(settings, Mapping) else "."
        paths += written if isinstance(written, list) else [written]
    texts = (configuration.relative(path) if isinstance(path, Opaque) else path for path in paths)
    found = (os.path.normpath(os.path.join(configuration.root, text)) for text in texts if isinstance(text, str))
    return [*dict.fromkeys(found)]
