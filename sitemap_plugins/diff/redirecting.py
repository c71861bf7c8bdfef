"""The redirects to add after ``diff``: which tool makes them, and the line for each lost URL."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import chain
from typing import Final

from msgspec.structs import replace

from sitemap_plugins.diff.comparing import Comparison
from sitemap_plugins.diff.redirect_lines import LineWriter, NoLine, RedirectLine
from sitemap_plugins.diff.redirect_tools import (
    Move,
    RedirectTool,
    advise,
    tool_of_files,
    tool_of_folder,
    tool_of_plugins,
    tool_of_sphinx,
    tool_of_stub,
)
from sitemap_plugins.diff.site_build import FindDocument, find_no_document
from sitemap_plugins.diff.targets import Replacement
from sitemap_plugins.folder.configuration import CONF_FOLDERS, Configuration
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.reading import below_current

_EXTRA: Final = (".", "docs", "public", "static")
"""The folders where projects keep files for the hosting service, which are copied into the output."""

_STUBS: Final = 20  # pages that redirect; the first one by a known tool tells


def find_tool(configuration: Configuration, new: Snapshot) -> RedirectTool | None:
    """The tool that makes the redirects of a project, according to its files. Raises `ProjectError`.

    Whether MkDocs or Zensical reads mkdocs.yml is known from a page of the new state, which names its generator. Paths
    in the current folder are relative.
    """
    if configuration.file:
        file = below_current(configuration.file) or configuration.file
        if tool := tool_of_plugins(file, configuration.plugins, _generator(new)):
            return replace(tool, documents=configuration.path("docs_dir", "docs"))
    found = chain(
        (tool_of_sphinx(_folder(configuration, folder)) for folder in CONF_FOLDERS),
        (tool_of_folder(_folder(configuration, folder)) for folder in _EXTRA),
    )
    return next(filter(None, found), None)


def _generator(state: Snapshot) -> str:
    """The generators that the home page names, or else another page."""
    page = state.pages.get("") or next(iter(state.pages.values()), None)
    content = state.read_file(page.file) if page and page.file else None
    return ", ".join(read_markup(content or b"").generators)


def _folder(configuration: Configuration, name: str) -> str:
    """The path of a folder of a project: relative if it is below the current folder, empty if it is that folder."""
    path = os.path.normpath(os.path.join(configuration.root, name))
    return os.path.dirname(inside) if (inside := below_current(os.path.join(path, "file"))) else path


def tool_of_states(*states: Snapshot) -> RedirectTool | None:
    """The tool that made the redirects of states: that of a page that redirects, or else that of a published file."""
    for state in states:
        files = sorted({redirect.by for redirect in state.redirects.values()})
        contents = (content for file in files[:_STUBS] if (content := state.read_file(file)))
        if found := next(filter(None, (tool_of_stub(content.decode(errors="replace")) for content in contents)), None):
            return found
    return next(filter(None, (tool_of_files(state.files or ()) for state in states)), None)


def document_finder(tool: RedirectTool | None) -> FindDocument:
    """A function that finds the documents of a project on the disk."""
    if tool is None or not tool.documents:
        return find_no_document
    folder, suffixes = tool.documents, tool.kind.naming.suffixes

    def find(name: str) -> str | None:
        names = (f"{name}{suffix}" for suffix in suffixes)
        return next((each for each in names if os.path.isfile(os.path.join(folder, *each.split("/")))), None)

    return find


def advise_project(configuration: Configuration, new: Snapshot) -> str:
    """What makes redirects for the generator of a project, as a sentence; empty if that is not known."""
    if configuration.tool:
        return advise("zensical" if "zensical" in _generator(new).lower() else configuration.tool)
    files = (os.path.join(_folder(configuration, folder), "conf.py") for folder in CONF_FOLDERS)
    return advise("sphinx") if any(map(os.path.isfile, files)) else ""


def write_lines(
    found: Comparison,
    replacements: Mapping[str, Replacement],
    new: Snapshot,
    tool: RedirectTool | None,
    configuration: Configuration,
) -> dict[str, RedirectLine | NoLine]:
    """The line for each lost URL whose replacement is certain, by its path, with the anchor if only that is lost."""
    writer = LineWriter(
        tool,
        new,
        has_i18n=bool(configuration.plugins("i18n")),
        find_document=document_finder(tool),
        advice="" if tool else advise_project(configuration, new),
    )
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
    if tool and "anchors" in tool.kind.since:
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
