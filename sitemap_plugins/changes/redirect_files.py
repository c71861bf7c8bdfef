"""Adds redirect lines to the files of a project, if that changes nothing else in them.

If the file already redirects the page, but to a document that does not exist, that redirect gets the new target. A file
is only changed if the tool reads it as before, apart from these redirects.
"""

from __future__ import annotations

import os
import re
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
import yaml

from sitemap_plugins.changes.redirect_lines import (
    SPHINX_DOCUMENTS,
    FindDocument,
    RedirectLine,
    RedirectTool,
    Syntax,
    find_no_document,
    format_line,
)
from sitemap_plugins.changes.redirects import with_fragment
from sitemap_plugins.formats.data_reading import DataError, compose_yaml
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import WriteError, locked, write_locked
from sitemap_plugins.pages import RedirectRules
from sitemap_plugins.reading import CONFIGURATION, read_file
from sitemap_plugins.values.urls import path_in

_Reasons: TypeAlias = list[tuple[RedirectLine, str]]

_STRING: Final = "tag:yaml.org,2002:str"
_MAPPING: Final = "tag:yaml.org,2002:map"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
# As rediraffe reads a line: two words, each with or without quotation marks.
_WORD: Final = r"""(?:"([^"]*)"|'([^']*)'|(\S+))"""
_EDGE: Final = re.compile(rf"{_WORD}\s+{_WORD}")
_HOMES: Final = ("index", "README")  # documents that become the pages of their folders


class Addition(msgspec.Struct, frozen=True, kw_only=True):
    """What became of lines: those that were ``added``, those that ``changed`` the target of a redirect, and the others.

    Each of the ``refused`` lines comes with the reason. ``existing`` are the lines whose page the file redirected
    before, whether they changed its target or not, with what the author would have to do.
    """

    added: tuple[RedirectLine, ...] = ()
    changed: tuple[RedirectLine, ...] = ()
    refused: tuple[tuple[RedirectLine, str], ...] = ()
    existing: tuple[tuple[RedirectLine, str], ...] = ()


def add_lines(
    tool: RedirectTool, lines: Sequence[RedirectLine], find_document: FindDocument = find_no_document
) -> Addition:
    """Add lines to the file of a tool, whose path is known. ``find_document`` finds the documents of the project.

    They are added at once, or none if the file cannot be read or written. The reasons are sentences without full stops.
    """
    return _edited(tool, lines, find_document, _write)


def plan_lines(
    tool: RedirectTool, lines: Sequence[RedirectLine], find_document: FindDocument = find_no_document
) -> Addition:
    """What `add_lines` would do; the file is only read."""
    return _edited(tool, lines, find_document, lambda path, name, plan: plan(_decoded(_read(path, name), name))[1])


def _edited(tool: RedirectTool, lines: Sequence[RedirectLine], find_document: FindDocument, use: _Use) -> Addition:
    """What becomes of lines if a function uses their plan, with the path of the file and its name in messages."""
    lines = [*{line.text: line for line in lines}.values()]
    edit = _EDITS.get(tool.syntax)
    if edit is None:
        why = f"--write does not change {tool.file}; add the lines yourself"
        return Addition(refused=tuple((line, why) for line in lines))

    has_documents = any(map(find_document, _HOMES))  # else they are not known, or elsewhere

    def is_gone(target: str) -> bool:
        return (
            has_documents and "://" not in target and find_document(_without_suffix(target.partition("#")[0])) is None
        )

    def plan(text: str) -> tuple[str, Addition]:
        found = edit(text, lines, tool.file, is_gone)
        refused = {**dict(found.existing), **dict(found.refused)}
        addition = Addition(
            added=tuple(line for line in lines if line not in refused),
            changed=tuple(found.changed),
            refused=tuple((line, refused[line]) for line in lines if line in refused and line not in found.changed),
            existing=tuple(found.existing),
        )
        return found.text, addition

    try:
        return use(os.path.realpath(tool.file), tool.file, plan)
    except _RefusedError as error:
        return Addition(refused=tuple((line, str(error)) for line in lines))


class _RefusedError(Exception):
    """A file is left as it is; the message says why."""


def _write(path: str, name: str, plan: _Plan) -> Addition:
    """Carry out a plan."""
    folder, base = os.path.split(path)
    try:
        with locked(folder):
            content = _read_writable(path, name)
            text, addition = plan(_decoded(content, name))
            mark = BOM_UTF8 if content.startswith(BOM_UTF8) else b""
            if addition.added or addition.changed:
                if _read_writable(path, name) != content:
                    raise _RefusedError(f"{name} was changed in the meantime; run the command again")
                write_locked([OutputFile(path=base, content=mark + text.encode(), is_shared=True)], folder)
    except WriteError as error:
        raise _RefusedError(str(error)) from None
    return addition


def _read_writable(path: str, name: str) -> bytes:
    """The content of a file that may be changed. Raises `_RefusedError`."""
    content = _read(path, name)
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise _RefusedError(f"{name} cannot be read: {error.strerror or error}") from None
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise _RefusedError(f"{name} is read-only")
    return content


def _read(path: str, name: str) -> bytes:
    try:
        return read_file(path, CONFIGURATION)
    except OSError as error:
        raise _RefusedError(f"{name} cannot be read: {error.strerror or error}") from None


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        raise _RefusedError(f"{name} is not text in UTF-8") from None


def _appended(text: str, lines: Sequence[str]) -> str:
    """A text with lines added at its end, with the same line endings."""
    ends = _LINE_END.findall(text)
    end = ends[-1] if ends else "\n"
    is_open = bool(text) and not text.endswith(end)
    return "".join([text, end if is_open else "", *(f"{line}{end}" for line in lines)])


def _existing(name: str, source: str, target: str, line: RedirectLine) -> tuple[RedirectLine, str]:
    """A line that is not added, because the file already redirects its source."""
    new = _with_fragment_of(target, line.target)
    if target == new:
        return line, f"{name} already has this redirect; build the site again"
    return line, f"{name} redirects {source} to {target}; change that target to {new}"


def _with_fragment_of(old: str, new: str) -> str:
    """A new target that leads to the same part of the page as the old one, if it names no part itself."""
    return new if "#" in new or "://" in old else with_fragment(new, old.partition("#")[2])


def _add_rules(text: str, lines: Sequence[RedirectLine], name: str, _is_gone: _IsGone) -> _Edited:
    """Append rules to ``_redirects``, if they are the first to apply to their URLs."""
    before = RedirectRules(text.encode())
    sources = {path.rstrip("/") for path in before.paths}
    after = RedirectRules(_appended(text, [line.text for line in lines]).encode())
    existing: _Reasons = []
    refused: _Reasons = []
    for line in lines:
        url = f"https://site.invalid{line.source}"
        target = before.target_of(url)
        if target is not None and (line.source.rstrip("/") in sources or target == line.target):
            existing.append(_existing(name, line.source, target, line))
        elif after.target_of(url) != line.target:
            refused.append((line, f"an earlier rule of {name} applies to {line.source}; write the line above it"))
    left = {line for line, _ in (*existing, *refused)}
    return _Edited(_appended(text, [line.text for line in lines if line not in left]), [], existing, refused)


def _add_edges(text: str, lines: Sequence[RedirectLine], name: str, is_gone: _IsGone) -> _Edited:
    """Append pairs to the file of rediraffe, which refuses loops and pages that are redirected twice."""
    pairs = dict(_edges(text))
    graph = {_without_suffix(source): (source, target) for source, target in pairs.items()}
    before = {*graph}
    changed: list[RedirectLine] = []
    existing: _Reasons = []
    refused: _Reasons = []
    for line in lines:
        key = _without_suffix(line.source)
        source, target = graph.get(key, (line.source, ""))
        path = [*_path(graph, line.target)]
        reasons = existing if key in before else refused
        if target and (target == line.target or not is_gone(target)):
            reasons.append(_existing(name, source, target, line))
        elif key in map(_without_suffix, path):
            refused.append((line, f"{name} redirects {path[-2]} to {path[-1]}, which makes a loop; remove that line"))
        else:
            pairs[source], graph[key] = line.target, (source, line.target)
            text = _with_edge(text, source, line.target) if target else _appended(text, [line.text])
            if target:
                changed.append(line)
                reasons.append(_existing(name, source, target, line))
    if dict(_edges(text)) != pairs:
        raise _RefusedError(f"adding a line to {name} would change other redirects, too; add the lines yourself")
    return _Edited(text, changed, existing, refused)


def _with_edge(text: str, source: str, target: str) -> str:
    """The text with another target for a document."""
    lines = text.splitlines(keepends=True)
    new = format_line("rediraffe", source, target)
    return "".join(line.replace(line.strip(), new) if source in dict(_edges(line)) else line for line in lines)


def _edges(text: str) -> Iterator[tuple[str, str]]:
    """The pairs in a file of rediraffe."""
    for line in text.splitlines():
        found = _EDGE.fullmatch(line.strip())
        if found and not line.strip().startswith("#"):
            source, target = ("".join(filter(None, found.groups()[start : start + 3])) for start in (0, 3))
            yield source, target


def _path(graph: Mapping[str, tuple[str, str]], document: str) -> Iterator[str]:
    """The documents to which redirects lead from a document, itself first; a loop is passed once."""
    passed = set()
    while document not in passed:
        yield document
        passed.add(document)
        _, document = graph.get(_without_suffix(document), ("", document))


def _without_suffix(document: str) -> str:
    stem, suffix = os.path.splitext(document)
    return stem if suffix in SPHINX_DOCUMENTS else document


def _add_keys(text: str, lines: Sequence[RedirectLine], name: str, is_gone: _IsGone) -> _Edited:
    """Add keys below the last one of the block ``redirect_maps`` in mkdocs.yml."""
    before = _composed(text, name)
    _, block = _find_block(before, name)
    has_folder_urls = all(value.value != "false" for _, value in _items(before, "use_directory_urls"))
    known = {
        _page(key.value, has_folder_urls=has_folder_urls): (key.value, value.value) for key, value in _pairs(block)
    }
    pages = {*known}
    added: list[RedirectLine] = []
    changed: list[RedirectLine] = []
    existing: _Reasons = []
    refused: _Reasons = []
    for line in lines:
        page = _page(line.source, has_folder_urls=has_folder_urls)
        source, target = known.get(page, (line.source, None))
        if target is None:
            added.append(line)
            known[page] = source, line.target
            continue
        (existing if page in pages else refused).append(_existing(name, source, target, line))
        new = _with_fragment_of(target, line.target)
        if target != new and is_gone(target) and (other := _with_value(text, source, new, name)):
            text = other
            changed.append(line)
            known[page] = source, new
    return _Edited(_with_keys(text, added, name) if added else text, changed, existing, refused)


def _composed(text: str, name: str) -> yaml.Node | None:
    try:
        return compose_yaml(text)
    except DataError as error:
        raise _RefusedError(f"{name}{f', line {error.line}' if error.line else ''}: {error}") from None


def _find_block(root: yaml.Node | None, name: str) -> tuple[yaml.Node, yaml.Node]:
    """The only key ``redirect_maps`` and its block, which may be empty. Raises `_RefusedError`."""
    plugins = [
        options
        for _, plugins in _items(root, "plugins")
        for plugin in (plugins.value if isinstance(plugins, yaml.SequenceNode) else [plugins])
        for options in ([plugin] if plugin.value == "redirects" else [each for _, each in _items(plugin, "redirects")])
    ]
    found = [(options, *pair) for options in plugins for pair in _items(options, "redirect_maps")]
    if not plugins:
        raise _RefusedError(f"{name} does not name the plugin redirects; add the lines to the file that does")
    if not found:
        raise _RefusedError(f"{name} has no redirect_maps; add `redirect_maps:` below `redirects:`, and try again")
    if len(found) > 1:
        raise _RefusedError(f"{name} has {len(found)} redirect_maps; add the lines to one of them")
    options, key, block = found[0]
    is_empty = isinstance(block, yaml.ScalarNode | yaml.MappingNode) and not block.value
    is_block = is_empty or (isinstance(block, yaml.MappingNode) and not block.flow_style)
    if not is_block or (isinstance(options, yaml.MappingNode) and options.flow_style):
        raise _RefusedError(f"redirect_maps in {name} does not have one redirect on each line; add the lines yourself")
    if not all(isinstance(each, yaml.ScalarNode) for pair in _pairs(block) for each in pair):
        raise _RefusedError(f"redirect_maps in {name} has nested values; add the lines yourself")
    return key, block


def _items(node: yaml.Node | None, name: str) -> list[tuple[yaml.Node, yaml.Node]]:
    """The keys with this name, and their values."""
    return [(key, value) for key, value in _pairs(node) if isinstance(key, yaml.ScalarNode) and key.value == name]


def _pairs(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    return node.value if isinstance(node, yaml.MappingNode) else []


def _page(document: str, *, has_folder_urls: bool) -> str:
    """The page that a document is published as: with folders as URLs, ``a.md`` and ``a/index.md`` are the same."""
    path, hash_mark, anchor = document.partition("#")
    stem = os.path.splitext(path)[0]
    folder, _, last = stem.rpartition("/")
    if last in _HOMES:
        stem = folder if has_folder_urls else path_in(folder, "index")
    return f"{stem}{hash_mark}{anchor}"


def _with_keys(text: str, lines: Sequence[RedirectLine], name: str) -> str:
    """The text with lines at the end of its block, indented and quoted like the line before."""
    before = _composed(text, name)
    key, block = _find_block(before, name)
    pairs = _pairs(block)
    last, value = pairs[-1] if pairs else (key, key)
    place = last.start_mark.index
    start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    indent = text[start:place] + ("" if pairs else "  ")
    quotes = getattr(last, "style", None) or ""
    written = [f"{indent}{format_line('yaml', line.source, line.target, quotes)}" for line in lines]
    if isinstance(block, yaml.MappingNode) and not pairs:  # {}
        rest = text[block.end_mark.index :]
        text = text[: block.start_mark.index]
        text = f"{text if rest.startswith(' ') else text.rstrip(' ')}{rest}"
    end = _LINE_END.search(text, value.end_mark.index)
    longer = _appended(text, written)
    if end is not None:
        longer = "".join([text[: end.end()], *(f"{line}{end[0]}" for line in written), text[end.end() :]])
    added = [((_STRING, line.source), (_STRING, line.target)) for line in lines]
    if not _is_edit(before, longer, block, (_MAPPING, [*_plain_pairs(block), *added])):
        raise _RefusedError(f"adding a line below redirect_maps would change more in {name}; add the lines yourself")
    return longer


def _with_value(text: str, source: str, target: str, name: str) -> str | None:
    """The text with another target for a key of its block; None if that would change anything else."""
    before = _composed(text, name)
    _, block = _find_block(before, name)
    values = [value for key, value in _pairs(block) if key.value == source]
    if not values:
        return None
    value = values[-1]  # if a key is repeated, the last one counts
    written = format_line("yaml", "", target, getattr(value, "style", None) or "").partition(": ")[2]
    other = f"{text[: value.start_mark.index]}{written}{text[value.end_mark.index :]}"
    return other if _is_edit(before, other, value, (_STRING, target)) else None


def _is_edit(before: yaml.Node | None, text: str, node: yaml.Node, value: object) -> bool:
    """Whether a text says what it said before, except that a node has this value, and that in one place only."""
    try:
        after = _Plain().of(compose_yaml(text))
    except DataError:
        return False
    expected = _Plain(node, value)
    return expected.of(before) == after and expected.places == 1


def _plain_pairs(node: yaml.Node) -> list[object]:
    return [(_Plain().of(key), _Plain().of(value)) for key, value in _pairs(node)]


class _Plain:
    """Nodes as values that can be compared: tags, texts and items.

    ``edited`` is a node that has another ``value``, and ``places`` is the number of places where it stands: more than
    one if YAML aliases refer to it.
    """

    def __init__(self, edited: yaml.Node | None = None, value: object = None) -> None:
        self.places = 0
        self._edited = edited
        self._value = value

    def of(self, node: yaml.Node | None) -> object:
        """A node as a value."""
        if node is None:
            return None
        if node is self._edited:
            self.places += 1
            return self._value
        if isinstance(node, yaml.MappingNode):
            return node.tag, [(self.of(key), self.of(value)) for key, value in node.value]
        if isinstance(node, yaml.SequenceNode):
            return node.tag, [self.of(each) for each in node.value]
        return node.tag, node.value


class _Edited(NamedTuple):
    """The text of a file with new lines, and what became of those that were not added, as in `Addition`."""

    text: str
    changed: list[RedirectLine]
    existing: _Reasons
    refused: _Reasons


_Plan: TypeAlias = Callable[[str], tuple[str, Addition]]  # from the text of a file to the new one
_Use: TypeAlias = Callable[[str, str, _Plan], Addition]
_IsGone: TypeAlias = Callable[[str], bool]  # whether a target is a document that does not exist
_Edit: TypeAlias = Callable[[str, Sequence[RedirectLine], str, _IsGone], _Edited]
_EDITS: Final[Mapping[Syntax, _Edit]] = {"yaml": _add_keys, "rediraffe": _add_edges, "_redirects": _add_rules}
