"""Finds the files behind the ``:::`` blocks of a page: the commands of mkdocs-click, and the objects of mkautodoc.

Both tools import the modules that a block names. When the page is rendered, these are the modules of this process.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from html import unescape
from inspect import unwrap
from itertools import chain
from types import ModuleType
from typing import Any, Final

from sitemap_plugins.reading import SOURCE, read_file

COMMANDS: Final = "mkdocs-click"
"""The name of a block that shows the commands of a program."""

# As mkdocs-click reads them: it replaces its blocks in the lines of the page, even in code.
_COMMANDS: Final = re.compile(rf"^::: {COMMANDS}.*\n(?P<options>(?:[^\S\n]+:.+:.*\n?)*)", re.MULTILINE)
_OPTION: Final = re.compile(r"^[ \t]++:(?P<name>module|command|show_hidden):[ \t]++(?P<value>\S++)", re.MULTILINE)
# The signature of an object in the HTML of mkautodoc; its members have no module.
_SIGNATURE: Final = re.compile(
    r'<div class="autodoc-signature">(?:<em>\w+ </em>)?<code>(?P<module>[\w.]+)\.<strong>(?P<name>\w+)</strong>'
)
_BLOCK: Final = re.compile(r"^:::[^\S\n]*(?P<name>[\w.:/-]*\w)", re.MULTILINE)
_SHOWN_BLOCK: Final = re.compile(r"(?<!:):::\s*+(?P<name>[\w.:/-]++)")
_END: Final = re.compile(r"^:::+[^\S\n]*$", re.MULTILINE)
# The name of a function or class, or of a variable of the module.
_DEFINITION: Final = re.compile(
    r"^(?:[ \t]*+(?:async[ \t]++)?(?:def|class)[ \t]++(\w++)|(\w++)[ \t]*+[:=])", re.MULTILINE
)


def command_files(markdown: str) -> Iterator[str]:
    """The files of the commands that mkdocs-click shows on a page: of the modules it names, and of all subcommands."""
    for block in _COMMANDS.finditer(markdown):
        options = dict(_OPTION.findall(block["options"]))
        module = sys.modules.get(options.get("module", ""))
        if module is None:
            continue
        yield from _file_of(module)
        shows_hidden = options.get("show_hidden", "false").lower() != "false"
        waiting: list[tuple[Any, Any]] = [(getattr(module, options.get("command", ""), None), None)]
        seen: dict[int, Any] = {}  # with the commands, as another one may get the id of one that is gone
        while waiting:
            command, parent = waiting.pop()
            if id(command) not in seen and (shows_hidden or not getattr(command, "hidden", False)):
                seen[id(command)] = command
                code = getattr(unwrap(getattr(command, "callback", None)), "__code__", None)  # type: ignore[arg-type]  # None has no wrapper
                yield from [code.co_filename] if code else []
                with suppress(Exception):  # a program may raise anything while it loads its commands
                    waiting += _subcommands(command, parent)


def _subcommands(command: Any, parent: Any) -> list[tuple[Any, Any]]:
    """The commands of a group, each with the context of the group, as mkdocs-click finds them: lazy ones by name."""
    context = command.context_class(command, info_name=command.name, parent=parent, **command.context_settings)
    commands = (getattr(command, "commands", None) or {}).values()
    if not commands and hasattr(command, "list_commands"):
        commands = [command.get_command(context, name) for name in command.list_commands(context)]
    return [(each, context) for each in commands]


def object_files(content: str) -> Iterator[str]:
    """The files that define the objects that mkautodoc shows in the HTML of a page."""
    definitions = cache(_definitions)  # a page often shows many objects of the same few files
    for module, name in dict.fromkeys(_SIGNATURE.findall(content)):
        named = sys.modules.get(module)
        if named and name in vars(named):
            files = _files_with(vars(named)[name], name)
            yield from [file for file in files if name in definitions(file)] or _file_of(named)


def unknown_blocks(markdown: str, content: str, known: Iterable[str]) -> list[str]:
    """The names of the blocks of other tools, which are in the Markdown of a page but not in the text of its HTML.

    ``known`` are the names of the blocks of known tools; those of mkautodoc are in its HTML. A block with an end of its
    own (``::: warning … :::``) only has text of the page.
    """
    if ":::" not in markdown or _END.search(markdown):
        return []
    objects = (f"{module}.{name}" for module, name in _SIGNATURE.findall(content))
    found = {name for each in chain(known, objects) for name in _BLOCK.findall(f"::: {each}")}
    names = [name for name in _BLOCK.findall(markdown) if name not in found]
    text = unescape(re.sub(r"</?\w[^<>]*>", "", content))
    shown = Counter(name.rstrip(".:/-") for name in _SHOWN_BLOCK.findall(text))
    return [name for name, number in Counter(names).items() if number > shown[name]]


def _files_with(found: object, name: str) -> Iterator[str]:
    """The files of the modules that have an object under this name: one defines it, the others import it."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", {})  # anything can be in sys.modules
        if name in names and names[name] is found:
            yield from _file_of(module)


def _definitions(file: str) -> frozenset[str]:
    """The names of the functions, classes and variables that a file defines."""
    return frozenset(chain.from_iterable(_DEFINITION.findall(read_text(file))))


def read_text(file: str) -> str:
    """The text of a file; empty if it cannot be read."""
    try:
        return read_file(file, SOURCE).decode(errors="replace")
    except (OSError, ValueError):
        return ""


def _file_of(module: ModuleType) -> Iterator[str]:
    file: Any = getattr(module, "__file__", None)
    if isinstance(file, str):
        yield file
