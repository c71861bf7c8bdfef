"""The redirects that a site lacks after ``diff``: the tool that makes them, and the line for each lost page."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import chain
from typing import Final

from sitemap_plugins.changes import Comparison, Replacement, Snapshot
from sitemap_plugins.changes.redirect_lines import (
    LineWriter,
    Move,
    NoLine,
    RedirectLine,
    RedirectTool,
    Syntax,
    ToolName,
)
from sitemap_plugins.changes.redirect_tools import tool_of_plugin, tool_of_rules, tool_of_sphinx, tool_of_stub
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.reading import below_current

_SPHINX: Final = (".", "docs", "doc", "docs/source", "source", "doc/source")
"""Where projects have their conf.py."""

_EXTRA: Final = (".", "docs", "public", "static")
"""Where projects have the ``_redirects`` that is copied into the output."""

_STUBS: Final = 20  # pages that redirect, of which one may be by a tool that is known

_FILES: Final[Mapping[ToolName, str]] = {
    "mkdocs-redirects": "mkdocs.yml",
    "sphinx-reredirects": "conf.py",
    "rediraffe": "the file of rediraffe_redirects",
}
"""Where the lines of a tool belong if only its redirects are known."""

_SETTINGS: Final[Mapping[Syntax, str]] = {
    "yaml": "redirect_maps of the plugin redirects",
    "toml": "redirect_maps of the plugin redirects",
    "python": "the dict of redirects",
}


def find_tool(configuration: Configuration, new: Snapshot) -> RedirectTool | None:
    """The tool that makes the redirects of a project, according to its files. Raises `ProjectError`.

    The home page of the new state names its generator: Zensical reads mkdocs.yml, too.
    """
    if configuration.file and configuration.plugins("redirects"):
        return tool_of_plugin(configuration.file, ", ".join(read_markup(new.read_file("index.html") or b"").generators))
    found = chain(
        (tool_of_sphinx(os.path.join(configuration.root, folder)) for folder in _SPHINX),
        (tool_of_rules(os.path.join(configuration.root, folder)) for folder in _EXTRA),
    )
    return next(filter(None, found), None)


def tool_of_state(state: Snapshot) -> RedirectTool | None:
    """The tool that made the redirects of a state, if it is a folder with pages that redirect."""
    files = sorted({redirect.by for redirect in state.redirects.values()})
    contents = (content for file in files[:_STUBS] if (content := state.read_file(file)))
    return next(filter(None, (tool_of_stub(content.decode(errors="replace")) for content in contents)), None)


def describe_place(tool: RedirectTool | None) -> str:
    """Where the lines of a tool belong, as the end of "add to …"; empty if no tool is known."""
    if tool is None:
        return ""
    file = below_current(tool.file) or tool.file or _FILES[tool.name]
    return f"{file}, {_SETTINGS[tool.syntax]}" if tool.syntax in _SETTINGS else file


def write_lines(
    found: Comparison,
    replacements: Mapping[str, Replacement],
    new: Snapshot,
    tool: RedirectTool | None,
    configuration: Configuration,
) -> dict[str, RedirectLine | NoLine]:
    """The line for each lost URL whose replacement is certain, by its path, which ends with the anchor if it is one."""
    writer = LineWriter(tool, new, has_i18n=bool(configuration.plugins("i18n")))
    lines: dict[str, RedirectLine | NoLine] = {}
    for loss in (loss for finding in found.lost for loss in finding.losses):
        target = replacements[loss.path].path
        if target is not None:
            page = new.pages.get(target)
            move = Move(
                old=loss.path,
                new=target,
                old_document=loss.page.document if loss.page else None,
                new_document=page.document if page else None,
            )
            lines[loss.path] = writer.line_for(move)
    if tool and tool.name == "zensical":  # no other tool redirects anchors
        for lost in found.lost_anchors:
            for old, new_anchor in lost.renamed.items():
                path, document = lost.page.path, lost.page.document
                move = Move(
                    old=path,
                    new=path,
                    old_anchor=old,
                    new_anchor=new_anchor,
                    old_document=document,
                    new_document=document,
                )
                lines[f"{path}#{old}"] = writer.line_for(move)
    return lines
