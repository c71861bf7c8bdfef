"""Adds redirect lines to the files of a project, where that is safe: the file then says what it said, and the lines.

A file that the tool would read in any other way than before, apart from the new lines, is not changed.
"""

from __future__ import annotations

import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec
import yaml

from sitemap_plugins.changes.redirect_lines import RedirectLine, RedirectTool, Syntax, format_line
from sitemap_plugins.formats.data_reading import DataError, compose_yaml
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import WriteError, locked, write_locked
from sitemap_plugins.pages import RedirectRules
from sitemap_plugins.reading import CONFIGURATION, HOST_FILE, read_file

_Refused: TypeAlias = list[tuple[RedirectLine, str]]

_STRING: Final = "tag:yaml.org,2002:str"
_MAPPING: Final = "tag:yaml.org,2002:map"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
# As rediraffe reads a line: two words, each with or without quotation marks.
_WORD: Final = r"""(?:"([^"]*)"|'([^']*)'|(\S+))"""
_EDGE: Final = re.compile(rf"{_WORD}\s+{_WORD}")
_SUFFIXES: Final = (".rst", ".md", ".txt", ".ipynb", ".markdown", ".mdown", ".mkdn", ".mkd")


class Addition(msgspec.Struct, frozen=True, kw_only=True):
    """What became of lines: those that were ``added``, and the others, each with the reason."""

    added: tuple[RedirectLine, ...] = ()
    refused: tuple[tuple[RedirectLine, str], ...] = ()


def add_lines(tool: RedirectTool, lines: Sequence[RedirectLine]) -> Addition:
    """Add lines to the file of a tool.

    All of them are added at once, or none if the file cannot be read or written. The reasons are sentences without
    their full stops.
    """
    lines = [*dict.fromkeys(lines)]
    edit = _EDITS.get(tool.syntax)
    if edit is None or not tool.file:
        why = f"{tool.file or 'the file of the redirects'} cannot be edited safely; add the lines yourself"
        return Addition(refused=tuple((line, why) for line in lines))
    try:
        added, refused = _add(os.path.realpath(tool.file), tool.file, lines, edit)
    except _RefusedError as error:
        return Addition(refused=tuple((line, str(error)) for line in lines))
    return Addition(added=tuple(added), refused=tuple(refused))


class _RefusedError(Exception):
    """A file is left as it is; the message says why."""


def _add(path: str, name: str, lines: Sequence[RedirectLine], edit: _Edit) -> tuple[list[RedirectLine], _Refused]:
    folder, base = os.path.split(path)
    try:
        with locked(folder):
            content = _read(path, name)
            text, refused = edit(_decoded(content, name), lines, name)
            left = {line for line, _ in refused}
            added = [line for line in lines if line not in left]
            mark = BOM_UTF8 if content.startswith(BOM_UTF8) else b""
            if added:
                if _read(path, name) != content:
                    raise _RefusedError(f"{name} has changed meanwhile; run the command again")
                write_locked([OutputFile(path=base, content=mark + text.encode(), is_shared=True)], folder)
    except WriteError as error:
        raise _RefusedError(str(error)) from None
    return added, refused


def _read(path: str, name: str) -> bytes:
    """The content of a file that may be changed. Raises `_RefusedError`."""
    try:
        content = read_file(path, CONFIGURATION if path.endswith((".yml", ".yaml")) else HOST_FILE)
        if not os.stat(path).st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
            raise _RefusedError(f"{name} is read-only")
    except OSError as error:
        raise _RefusedError(f"{name} cannot be read: {error.strerror or error}") from None
    return content


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        raise _RefusedError(f"{name} is not text in UTF-8") from None


def _appended(text: str, lines: Sequence[str]) -> str:
    """A text with lines at its end, with the line ends that it has."""
    ends = _LINE_END.findall(text)
    end = ends[-1] if ends else "\n"
    is_open = bool(text) and not text.endswith(end)
    return "".join([text, end if is_open else "", *(f"{line}{end}" for line in lines)])


def _add_rules(text: str, lines: Sequence[RedirectLine], name: str) -> tuple[str, _Refused]:
    """Append rules to ``_redirects``, if they are the first to apply to their URLs."""
    before = RedirectRules(text.encode())
    after = RedirectRules(_appended(text, [line.text for line in lines]).encode())
    refused: _Refused = []
    for line in lines:
        url = f"https://site.invalid{line.source}"
        if before.target_of(url) == line.target:
            refused.append((line, f"{name} has this redirect already"))
        elif after.target_of(url) != line.target:
            refused.append((line, f"an earlier rule of {name} applies to {line.source}; write the line above it"))
    left = {line for line, _ in refused}
    return _appended(text, [line.text for line in lines if line not in left]), refused


def _add_edges(text: str, lines: Sequence[RedirectLine], name: str) -> tuple[str, _Refused]:
    """Append pairs to the file of rediraffe, which refuses circles and a page that is redirected twice."""
    graph = {_without_suffix(source): target for source, target in _edges(text)}
    refused: _Refused = []
    for line in lines:
        source = _without_suffix(line.source)
        path = [*_path(graph, line.target)]
        if source in graph:
            refused.append((line, f"{name} already redirects {line.source} to {graph[source]}"))
        elif source in map(_without_suffix, path):
            refused.append((line, f"{name} redirects {path[-2]} to {path[-1]}; remove that line, or it is a circle"))
        else:
            graph[source] = line.target
            text = _appended(text, [line.text])
    return text, refused


def _edges(text: str) -> Iterator[tuple[str, str]]:
    """The pairs in a file of rediraffe."""
    for line in text.splitlines():
        found = _EDGE.fullmatch(line.strip())
        if found and not line.strip().startswith("#"):
            source, target = ("".join(filter(None, found.groups()[start : start + 3])) for start in (0, 3))
            yield source, target


def _path(graph: Mapping[str, str], document: str) -> Iterator[str]:
    """Where redirects lead from a document, from itself on; it stops where a circle begins."""
    passed = set()
    while document not in passed:
        yield document
        passed.add(document)
        document = graph.get(_without_suffix(document), document)


def _without_suffix(document: str) -> str:
    stem, suffix = os.path.splitext(document)
    return stem if suffix in _SUFFIXES else document


def _add_keys(text: str, lines: Sequence[RedirectLine], name: str) -> tuple[str, _Refused]:
    """Add keys below the last one of the block ``redirect_maps`` in mkdocs.yml."""
    try:
        before = compose_yaml(text)
        key, block = _find_block(before, name)
        pages = {_page(each.value): (each.value, target.value) for each, target in _pairs(block)}
        refused: _Refused = []
        added = []
        for line in lines:
            if known := pages.get(_page(line.source)):
                refused.append((line, f"{name} already redirects {known[0]} to {known[1]}"))
            else:
                pages[_page(line.source)] = line.source, line.target
                added.append(line)
        longer = _with_keys(text, key, block, added)
        expected = _Plain(block, added)
        if _Plain().of(compose_yaml(longer)) != expected.of(before) or expected.blocks != 1:
            raise _RefusedError(f"a line below redirect_maps in {name} would change more than this redirect")
    except DataError as error:
        raise _RefusedError(f"{name}{f', line {error.line}' if error.line else ''}: {error}") from None
    return longer, refused


def _find_block(root: yaml.Node | None, name: str) -> tuple[yaml.Node, yaml.Node]:
    """The only key ``redirect_maps`` and its block, which may be empty. Raises `_RefusedError`."""
    found = [
        pair
        for _, plugins in _items(root, "plugins")
        for plugin in (plugins.value if isinstance(plugins, yaml.SequenceNode) else [plugins])
        for _, options in _items(plugin, "redirects")
        for pair in _items(options, "redirect_maps")
    ]
    if len(found) != 1:
        raise _RefusedError(f"{name} has {len(found) or 'no'} settings redirect_maps of the plugin redirects, not one")
    key, block = found[0]
    is_empty = isinstance(block, yaml.ScalarNode) and not block.value
    if not is_empty and not (isinstance(block, yaml.MappingNode) and block.value and not block.flow_style):
        raise _RefusedError(f"redirect_maps in {name} is not a block with one redirect a line")
    if not all(isinstance(each, yaml.ScalarNode) for pair in _pairs(block) for each in pair):
        raise _RefusedError(f"redirect_maps in {name} has more than names of documents and URLs")
    return key, block


def _items(node: yaml.Node | None, name: str) -> list[tuple[yaml.Node, yaml.Node]]:
    """The keys with this name, and their values."""
    return [(key, value) for key, value in _pairs(node) if isinstance(key, yaml.ScalarNode) and key.value == name]


def _pairs(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    return node.value if isinstance(node, yaml.MappingNode) else []


def _page(document: str) -> str:
    """The page that a document is published as, so that ``a.md`` and ``a/index.md`` are the same."""
    path, hash_mark, anchor = document.partition("#")
    stem = os.path.splitext(path)[0]
    folder, _, last = stem.rpartition("/")
    return f"{folder if last in {'index', 'README'} else stem}{hash_mark}{anchor}"


def _with_keys(text: str, key: yaml.Node, block: yaml.Node, lines: Sequence[RedirectLine]) -> str:
    """The text with lines at the end of the block of a key, indented and quoted like the line before."""
    pairs = _pairs(block)
    last, value = pairs[-1] if pairs else (key, key)
    place = last.start_mark.index
    start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    indent = text[start:place] + ("" if pairs else "  ")
    quotes = getattr(last, "style", None) or ""
    written = [f"{indent}{format_line('yaml', line.source, line.target, quotes)}" for line in lines]
    end = _LINE_END.search(text, value.end_mark.index)
    if end is None:
        return _appended(text, written)
    return "".join([text[: end.end()], *(f"{line}{end[0]}" for line in written), text[end.end() :]])


class _Plain:
    """Nodes as values that can be compared: tags, texts and items.

    ``lines`` are added to ``block``, and ``blocks`` is the number of places that have it: more than one with aliases.
    """

    def __init__(self, block: yaml.Node | None = None, lines: Sequence[RedirectLine] = ()) -> None:
        self.blocks = 0
        self._block = block
        self._added = [((_STRING, line.source), (_STRING, line.target)) for line in lines]

    def of(self, node: yaml.Node | None) -> object:
        """A node as a value."""
        if node is self._block and node is not None:
            self.blocks += 1
        if isinstance(node, yaml.MappingNode):
            pairs = [(self.of(key), self.of(value)) for key, value in node.value]
            return node.tag, [*pairs, *self._added] if node is self._block else pairs
        if node is self._block and self._added:
            return _MAPPING, self._added
        if isinstance(node, yaml.SequenceNode):
            return node.tag, [self.of(each) for each in node.value]
        return node and (node.tag, node.value)


_Edit: TypeAlias = Callable[[str, Sequence[RedirectLine], str], tuple[str, _Refused]]
_EDITS: Final[Mapping[Syntax, _Edit]] = {"yaml": _add_keys, "rediraffe": _add_edges, "_redirects": _add_rules}
