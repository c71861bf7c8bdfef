"""Writes the line that redirects a lost URL, for the tool that makes the redirects of a site; pure.

If the tool would ignore the line, read it in another way, or replace a page, there is a reason instead of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from sitemap_plugins.diff.redirect_tools import Move, RedirectTool, format_line
from sitemap_plugins.diff.site_build import ANY, FindDocument, NoRedirectError, SiteBuild, describe_path
from sitemap_plugins.published.redirects import with_fragment
from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.values.text import CONTROL
from sitemap_plugins.values.urls import path_in

_BREAKS: Final = re.compile("[\t\n\r\x85\u2028\u2029]")


class RedirectLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that redirects a lost URL. ``source`` and ``target`` are its two parts as the tool reads them.

    ``condition`` is a sentence on what the line needs to have an effect, without a full stop; empty if nothing.
    """

    text: str
    source: str
    target: str
    condition: str = ""


class NoLine(msgspec.Struct, frozen=True):
    """Why there is no line: a sentence without a full stop."""

    reason: str


class ExistingLine(NoLine, frozen=True):
    """There is no line to add, because the file already redirects the page; the reason says what to do instead."""


class LineWriter(msgspec.Struct, frozen=True, dict=True):
    """Writes the lines of a site. A folder that is built on its own has the lines of a separate site.

    ``tool`` makes the redirects. If it is not known, it is None, and ``advice`` is the condition of all lines.
    ``new`` is the snapshot in which URLs are lost, and ``has_i18n`` tells whether mkdocs-static-i18n builds it.
    ``find_document`` finds the documents of the project.
    """

    tool: RedirectTool | None
    new: Snapshot
    has_i18n: bool = False
    find_document: FindDocument = lambda _name: None
    advice: str = ""

    @cached_property
    def _builds(self) -> dict[str, SiteBuild]:
        """What is built in each folder, as far as it was asked for."""
        return {}

    @cached_property
    def _folders(self) -> Sequence[str]:
        """Those that the tool builds on their own, inner ones first."""
        kinds = self.tool.kind.naming.built_apart if self.tool else ()
        return sorted((folder for folder, kind in self.new.folders.items() if kind in kinds), reverse=True)

    def line_for(self, move: Move) -> RedirectLine | NoLine:
        """The line for a lost URL, or why there is none."""
        try:
            self._check(move)
            return self._write(move)
        except NoRedirectError as error:
            return NoLine(str(error))

    def _check(self, move: Move) -> None:
        """Raise `NoRedirectError` if no tool can redirect this."""
        paths = (move.old,) if move.is_elsewhere else (move.old, move.new)
        if any(CONTROL.search(each) or _BREAKS.search(each) for each in (*paths, move.old_anchor, move.new_anchor)):
            raise NoRedirectError("the URL contains a character that cannot be written")
        for path in paths:
            steps = path.removesuffix("/").split("/")
            if "\\" in path or (path and not {"", ".", ".."}.isdisjoint(steps)):
                raise NoRedirectError(f"{describe_path(path)} is not the path of a page")
        if (move.old, move.old_anchor) == (move.new, move.new_anchor):
            raise NoRedirectError("it would redirect to itself")
        if not move.old_anchor and self.new.serves(move.old):
            raise NoRedirectError(
                f"{describe_path(move.old)} is still a page or a file of the site, which a redirect would replace"
            )
        if not move.is_elsewhere and not self.new.serves(move.new):
            raise NoRedirectError(f"{describe_path(move.new)} is not a page of the site")

    def _write(self, move: Move) -> RedirectLine | NoLine:
        folder = self._folder_of(move.old)
        if not move.is_elsewhere and self._folder_of(move.new) != folder:
            raise NoRedirectError(f"{describe_path(move.new)} is built separately")
        if folder not in self._builds:
            self._builds[folder] = self._build_of(folder)
        build, start = self._builds[folder], len(path_in(folder, ""))
        if self._folders and build.is_empty:
            raise NoRedirectError(f"only folders such as {self._folders[0]}/ are built, and the URL is in none of them")
        move = replace(move, old=move.old[start:], new=move.new if move.is_elsewhere else move.new[start:])
        condition = f"the lines for {folder}/ belong in the configuration that builds it" if folder else self.advice
        if self.tool is None:
            return _line_without_tool(build.base or "/", move, condition)
        source, target = self.tool.parts(build, move)
        text = format_line(self.tool.syntax, source, target)
        if folder and not move.old_anchor and (document := build.document_of(build.file_of(move.old))):
            raise NoRedirectError(
                f"it would replace {document} of this project; add {text} to the one that builds {folder}/"
            )
        condition = "; ".join(filter(None, (condition, self.tool.condition(move))))
        line = RedirectLine(text=text, source=source, target=target, condition=condition)
        existing = build.redirects.get(build.place_of(source))
        return _change_existing(self.tool.file, existing, line) if existing else line

    def _folder_of(self, path: str) -> str:
        """The folder of a path, if it is built on its own; empty for the rest of the site."""
        return next((folder for folder in self._folders if path.startswith(f"{folder}/")), "")

    def _build_of(self, folder: str) -> SiteBuild:
        """What is built for a folder, or for the rest of the site."""
        start, base_url = path_in(folder, ""), self.new.base_url

        def inside(paths: Iterable[str]) -> Iterator[str]:
            return (path for path in paths if path.startswith(start) and (folder or not self._folder_of(path)))

        return SiteBuild(
            self.tool.kind.naming if self.tool else ANY,
            [path[len(start) :] for path in inside(self.new.pages)],
            [path[len(start) :] for path in inside(self.new.files or ())],
            base_url and base_url + quote(start),
            redirects=self.tool.redirects if self.tool else {},
            has_i18n=self.has_i18n,
            find_document=self.find_document,
        )


def _line_without_tool(base: str, move: Move, condition: str) -> RedirectLine:
    source = with_fragment(base + move.old, move.old_anchor)
    target = with_fragment(move.new if move.is_elsewhere else base + move.new, move.new_anchor)
    return RedirectLine(text=f"{source} → {target}", source=source, target=target, condition=condition)


def _change_existing(file: str, existing: tuple[str, str], line: RedirectLine) -> ExistingLine:
    """What to do instead of adding a line, because the file of the tool already redirects its page."""
    source, target = existing
    # The redirect still leads to the same part of the page, if the new target names no part itself.
    keeps_part = "#" not in line.target and "://" not in target
    new = with_fragment(line.target, target.partition("#")[2]) if keeps_part else line.target
    advice = f"{file} redirects {source} to {target}; change that target to {new}"
    if target == new:
        advice = f"{file} already has this redirect; build the site again"
    return ExistingLine("; ".join(filter(None, (advice, line.condition))))
