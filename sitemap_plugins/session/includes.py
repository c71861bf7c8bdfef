"""Finds the files that a source file includes, in the syntax of various tools for Markdown and AsciiDoc.

An included file counts for the date of a page if it exists. Names in mere examples of the syntax lead to no file. Where
the generator is known, so is what it includes: then a page has no date if the file is missing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import PurePath, PurePosixPath
from typing import Final, NamedTuple, TypeAlias

_DEPTH: Final = 8  # levels of files that include one another

SNIPPETS: Final = "pymdownx.snippets"
TABLES: Final = "table-reader"  # a plugin
COMMANDS: Final = ("mkdocs-click", "mkdocs_click")  # the names of the extension and of its module
_INCLUDE_VARIANTS: Final = "markdown_include_variants"
INCLUDE: Final = ("mdx_include", "markdown_include.include")
"""The extensions that include files in a ``base_path`` of theirs by ``{!x.md!}``."""

INCLUDING: Final = frozenset({*INCLUDE, _INCLUDE_VARIANTS, TABLES})
"""The names of extensions and plugins whose files only the text of a page tells."""

_ANNOTATED: Final = "_an"
_PYTHONS: Final = ("_py39", "_py310", "_py311")

# pymdownx.snippets: a line, or lines between two marks; a semicolon before a mark escapes it.
_SNIPPET: Final = re.compile(r"""^[ \t>]*+-+8<-+[ \t]++(?:"(?P<file>[^"\n]++)"|'(?P<single>[^'\n]++)')""", re.MULTILINE)
_BLOCK: Final = re.compile(r"^[ \t>]*+-+8<-+[ \t]*+$(?P<lines>[\s\S]*?)^[ \t>]*+-+8<-+[ \t]*+$", re.MULTILINE)
_INCLUDE: Final = re.compile(r"(?<!\\)\{![+-]?+>?+[ \t]*+(?P<file>[^!\n{}|\[\]]++)[^!\n{}]*+!(?:lines=[\d -]++)?\}")
_VARIANT: Final = re.compile(r"\{\*[ \t]*+(?P<file>[^\s*{}]++)[^*\n{}]*+\*\}")
# table-reader, and its functions in the expressions of macros
_EXPRESSION: Final = re.compile(r"\{\{[^{}\n]*+")
_TABLE: Final = re.compile(
    r"""\b(?:pd_)?read_[a-z]++\(\s*+(?:filepath_or_buffer\s*+=\s*+)?(?P<quote>["'])(?P<file>[^"'\n]++)(?P=quote)""",
    re.IGNORECASE,
)
# include-markdown, and Jinja's own tag
_TAG: Final = re.compile(r"""\{%-?\s*+include(?:-markdown)?\s++["'](?P<file>[^"'\n]++)["']""")
# VitePress: text, and code
_COMMENT: Final = re.compile(r"<!--\s*+@include:\s*+(?P<file>[^\s>{#]+?)(?=-->|[\s>{#]|\Z)")
_CODE: Final = re.compile(r"^<<<[ \t]*+(?P<file>[^\s{#]++)", re.MULTILINE)
# MDX
_IMPORT: Final = re.compile(r"""^import\s[^'"\n]*+['"](?P<file>[.@][^'"\n]++)['"]""", re.MULTILINE)
_PATTERNS: Final = {"{%": _TAG, "@include": _COMMENT, "<<<": _CODE, "import": _IMPORT}  # by what each match has
# mdBook, which replaces these even in code: an escaped one hides the rest of its line
_HELPER: Final = re.compile(
    r"\\\{\{#.*+|\{\{\s*+#(?:include|rustdoc_include|playground|playpen)\s++(?P<file>[^{}\s:]++)[^{}]*+\}\}"
)
_ASCIIDOC: Final = re.compile(r"^include::(?P<file>[^\s\[][^\[\n]*+)\[(?P<attributes>.*)\][ \t]*$", re.MULTILINE)
_RESOURCE: Final = re.compile(r"(?:(?P<module>[\w.-]++):)?(?P<family>\w++)\$(?P<file>.++)")  # of Antora
# MyST: the first line of a directive or of code, or the last one
_FENCE: Final = re.compile(
    r"^(?:[ \t>]|[-*+][ \t]|\d++[.)][ \t])*+(?P<fence>`{3,}+|~{3,}+|:{3,}+)[ \t]*+"
    r"(?:\{(?P<directive>[\w:-]++)\})?[ \t]*+(?P<argument>[^\n`]*+)$",
    re.MULTILINE,
)
_CODE_DIRECTIVES: Final = frozenset({"code", "code-block", "code-cell", "eval-rst", "raw", "sourcecode"})
_LITERAL: Final = "literalinclude"


class Include(NamedTuple):
    """The name of an included file as written.

    If ``is_needed``, it is no example: the generator includes it. If ``is_text``, it may include others in turn.
    """

    name: str
    is_needed: bool = False
    is_text: bool = True


class Included(NamedTuple):
    """The absolute paths of the files that a page includes, and the name of one that is missing, if any is."""

    files: tuple[str, ...]
    missing: str = ""


FindNeeded: TypeAlias = Callable[[str], Iterator[Include]]
"""Finds the files that a generator includes in the text of a page."""


def find_in_mdbook(text: str) -> Iterator[Include]:
    """The files in ``{{#include x.rs}}`` and the like."""
    yield from (Include(match["file"], is_needed=True) for match in _HELPER.finditer(text) if match["file"])


def find_in_asciidoc(text: str) -> Iterator[Include]:
    """The files in ``include::x.adoc[]``. Without an optional one, pages are complete."""
    for match in _ASCIIDOC.finditer(text):
        if "optional" not in match["attributes"]:
            yield Include(match["file"].strip(), is_needed=True)


def find_in_myst(text: str) -> Iterator[Include]:
    """The files of the directives ``{include} x.md`` and ``{literalinclude} x.py``, except in code."""
    opened: list[tuple[str, bool]] = []  # fences, and whether code is between them
    for match in _FENCE.finditer(text):
        fence, directive, argument = match["fence"], match["directive"], match["argument"].strip()
        if opened and not directive and not argument and fence.startswith(opened[-1][0]):
            opened.pop()
        elif not (opened and opened[-1][1]):
            opened.append((fence, directive in _CODE_DIRECTIVES or not (directive or ":" in fence)))
            if directive in {"include", _LITERAL}:
                yield Include(argument, is_needed=True, is_text=directive != _LITERAL)


def find_names(text: str, enabled: Collection[str] | None) -> Iterator[Include]:
    """The included files in all syntaxes; ``enabled`` is as in `find_named`, but None if it is unknown."""
    if "8<" in text and (enabled is None or SNIPPETS in enabled):
        yield from (Include((match["file"] or match["single"]).strip()) for match in _SNIPPET.finditer(text))
        for block in _BLOCK.finditer(text):
            yield from map(Include, filter(None, (line.strip().strip("\"'") for line in block["lines"].splitlines())))
    yield from find_named(text, INCLUDING if enabled is None else enabled)
    for mark, pattern in _PATTERNS.items():
        if mark in text:
            yield from (Include(match["file"]) for match in pattern.finditer(text))


def find_named(text: str, enabled: Collection[str]) -> Iterator[Include]:
    """The files that extensions and plugins in `INCLUDING` include, if they are ``enabled``."""
    if "{!" in text and any(name in enabled for name in INCLUDE):
        yield from (Include(match["file"].strip()) for match in _INCLUDE.finditer(text))
    if "{*" in text and _INCLUDE_VARIANTS in enabled:
        for match in _VARIANT.finditer(text):
            yield from map(Include, _variants(match["file"]))
    if "read_" in text and TABLES in enabled:
        for expression in _EXPRESSION.findall(text):
            yield from (Include(match["file"], is_text=False) for match in _TABLE.finditer(expression))


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
    source: str, includes_in: Callable[[str], Sequence[Include]], bases: Sequence[str], top: str
) -> Included:
    """The files that a source includes, directly or through other files.

    ``includes_in`` takes the absolute path of a file and returns its includes. ``bases`` are the absolute folders to
    search first, and ``top`` is the topmost of the folders above the source to search. What the generator includes is
    only in the folder of the file, or in ``top`` for ``/x.md``.
    """
    above = [str(folder) for folder in PurePath(source).parents if folder.is_relative_to(top)]
    found: dict[str, None] = {}
    missing = ""
    waiting = [(source, 0)]
    while waiting:
        here, depth = waiting.pop()
        for name, is_needed, is_text in includes_in(here) if depth < _DEPTH else ():
            folders = [*bases, os.path.dirname(here), *above]
            path = _place(name, here, top) if is_needed else _resolve(name, folders, top)
            if path is None:
                missing = missing or (name if is_needed else "")
            elif path != source and path not in found:
                found[path] = None
                waiting += [(path, depth + 1)] if is_text else []
    return Included(tuple(found), missing)


def _place(name: str, here: str, top: str) -> str | None:
    """The file that a name in the file ``here`` means. ``partial$x.adoc`` is in a folder of Antora's module."""
    path = os.path.join(top if name.startswith("/") else os.path.dirname(here), name.lstrip("/"))
    module = next((folder for folder in PurePath(here).parents if folder.parent.name == "modules"), None)
    if module and (resource := _RESOURCE.fullmatch(name)):
        folder = module.with_name(resource["module"] or module.name)
        path = os.path.join(folder, f"{resource['family']}s", resource["file"])
    return os.path.normpath(path) if os.path.isfile(path) else None


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
