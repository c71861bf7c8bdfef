"""The redirects to add after ``diff``: which tool makes them, and the line for each lost URL.

If the tool would ignore the line, read it in another way, or replace a page, there is a reason instead of a line.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from sitemap_plugins.diff.comparing import Comparison, Replacement
from sitemap_plugins.diff.redirect_tools import TOOLS, Move, RedirectTool, Syntax, format_line
from sitemap_plugins.diff.site_build import ANY, FindDocument, NoRedirectError, SiteBuild, describe_path
from sitemap_plugins.folder.configuration import CONF_FOLDERS, Configuration, read_data
from sitemap_plugins.formats.data_reading import read_conf, text_of
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.published.redirects import with_fragment
from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.reading import CONFIGURATION, below_current, read_file
from sitemap_plugins.values.text import CONTROL, join_words
from sitemap_plugins.values.urls import is_inside, path_in

_EXTRA: Final = (".", "docs", "public", "static")
"""The folders where projects keep files for the hosting service, which are copied into the output."""

_STUBS: Final = 20  # pages that redirect; the first one by a known tool tells
_ZENSICAL: Final = re.compile(r"zensical[-\s]v?([\d.]+)", re.IGNORECASE)  # in <meta name="generator">
_ADVICE: Final = {
    "mkdocs": "MkDocs makes redirects with the plugin {}",
    "zensical": "Zensical makes redirects with redirect_maps of its plugin {}",
    "sphinx": "Sphinx makes redirects with the extension {}",
}

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


def find_tool(configuration: Configuration, new: Snapshot) -> RedirectTool | None:
    """The tool that makes the redirects of a project, according to its files. Raises `ConfigurationError`.

    Whether MkDocs or Zensical reads mkdocs.yml is known from a page of the new snapshot, which names its generator.
    Paths in the current folder are relative.
    """
    found = chain(
        [_tool_of_plugins(configuration, new)],
        (_tool_of_sphinx(_folder(configuration, folder)) for folder in CONF_FOLDERS),
        (_tool_of_host(_folder(configuration, folder)) for folder in _EXTRA),
    )
    return next(filter(None, found), None)


def _tool_of_plugins(configuration: Configuration, new: Snapshot) -> RedirectTool | None:
    """The tool whose plugin mkdocs.yml or zensical.toml enables."""
    is_toml = configuration.tool == "zensical"
    found = _ZENSICAL.search(_generator(new))
    wanted = "zensical" if found or is_toml else "mkdocs"
    for kind in TOOLS.values():
        if kind.plugin and kind.generator == wanted and (plugins := configuration.plugins(kind.plugin)):
            file = configuration.file or ""
            tables = (options.get(kind.option) for options in plugins)
            return RedirectTool(
                name=kind.name,
                syntax="toml" if is_toml else kind.syntax,
                file=below_current(file) or file,
                redirects=_texts(pair for table in tables if isinstance(table, Mapping) for pair in table.items()),
                documents=configuration.path("docs_dir", "docs"),
                version=(found[1] if found else _installed(wanted)) if wanted == "zensical" else None,
            )
    return None


def _generator(snapshot: Snapshot) -> str:
    """The generators that the home page names, or else another page."""
    page = snapshot.pages.get("") or next(iter(snapshot.pages.values()), None)
    content = snapshot.read_file(page.file) if page and page.file else None
    return ", ".join(read_markup(content or b"").generators)


def _texts(pairs: Iterable[tuple[object, object]]) -> dict[str, str]:
    """The pairs of two texts."""
    return {source: target for source, target in pairs if isinstance(source, str) and isinstance(target, str)}


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _folder(configuration: Configuration, name: str) -> str:
    """The path of a folder of a project: relative if it is below the current folder, empty if it is that folder."""
    path = os.path.normpath(os.path.join(configuration.root, name))
    return os.path.dirname(inside) if (inside := below_current(os.path.join(path, "file"))) else path


def _tool_of_sphinx(folder: str) -> RedirectTool | None:
    """The tool whose extension the conf.py in a folder enables; the file is read, but never run.

    If several are enabled, the one whose redirects are set counts. Raises `ConfigurationError`.
    """
    file = os.path.join(folder, "conf.py")
    settings: Mapping[str, list[ast.expr]] = read_data(file, file, read_conf) or {}
    extensions = {text_of(node) for value in settings.get("extensions", ()) for node in ast.walk(value)}
    enabled = (kind for kind in TOOLS.values() if kind.extension and kind.extension in extensions)
    kind = min(enabled, key=lambda each: each.option not in settings, default=None)
    if kind is None:
        return None
    value = next(reversed(settings.get(kind.option, ())), None)
    written = text_of(value)
    syntax: Syntax = "python"
    entries = zip(value.keys, value.values, strict=True) if isinstance(value, ast.Dict) else ()
    redirects: Mapping[str, str] = _texts((text_of(source), text_of(target)) for source, target in entries)
    if written is not None and kind.syntax != "python":
        syntax, file = kind.syntax, os.path.join(folder, *written.split("/")) if is_inside(written) else ""
        redirects = kind.read(_read(file))
    return RedirectTool(name=kind.name, syntax=syntax, file=file, redirects=redirects, documents=folder or ".")


def _read(file: str) -> bytes:
    """The content of a file with redirects; empty if it cannot be read, or there is none."""
    try:
        return read_file(file, CONFIGURATION) if file else b""
    except OSError:
        return b""


def _tool_of_host(folder: str) -> RedirectTool | None:
    """The hosting service, if a folder has its file and is not a built site, which the next build replaces."""
    if os.path.isfile(os.path.join(folder, "index.html")):
        return None
    for kind in TOOLS.values():
        file = os.path.join(folder, kind.name)
        if not kind.option and os.path.isfile(file):
            return RedirectTool(name=kind.name, syntax=kind.syntax, file=file, redirects=kind.read(_read(file)))
    return None


def tool_of_snapshots(*snapshots: Snapshot) -> RedirectTool | None:
    """The tool that made the redirects of sites: that of a page that redirects, or else that of a published file."""
    for snapshot in snapshots:
        files = sorted({redirect.by for redirect in snapshot.redirects.values()})
        contents = (content for file in files[:_STUBS] if (content := snapshot.read_file(file)))
        if found := next(filter(None, (tool_of_stub(content.decode(errors="replace")) for content in contents)), None):
            return found
    published = {file for snapshot in snapshots for file in snapshot.files or ()}
    kinds = (kind for kind in TOOLS.values() if not kind.option and kind.name in published)
    return next((RedirectTool(name=kind.name, syntax=kind.syntax) for kind in kinds), None)


def tool_of_stub(page: str) -> RedirectTool | None:
    """The tool that made a page that only redirects; None if it is not known."""
    found = (kind for kind in TOOLS.values() if kind.stub and kind.stub.search(page))
    return next((RedirectTool(name=kind.name, syntax=kind.syntax) for kind in found), None)


def document_finder(tool: RedirectTool | None) -> FindDocument:
    """A function that finds the documents of a project on the disk, if it is known where they are."""
    folder = tool.documents if tool else ""
    suffixes = tool.kind.naming.suffixes if tool and folder else ()

    def find(name: str) -> str | None:
        names = (f"{name}{suffix}" for suffix in suffixes)
        return next((each for each in names if os.path.isfile(os.path.join(folder, *each.split("/")))), None)

    return find


def advise_project(configuration: Configuration, new: Snapshot) -> str:
    """What makes redirects for the generator of a project, as a sentence; empty if that is not known."""
    generator: str = configuration.tool
    if generator and "zensical" in _generator(new).lower():
        generator = "zensical"
    files = (os.path.join(_folder(configuration, folder), "conf.py") for folder in CONF_FOLDERS)
    if not generator and any(map(os.path.isfile, files)):
        generator = "sphinx"
    packages = [kind.package for kind in TOOLS.values() if kind.generator == generator]
    return _ADVICE[generator].format(join_words(packages, "or")) if generator else ""


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
    moves = [*_moves_of_pages(found, replacements, new)]
    moves += _moves_of_anchors(found) if tool and "anchors" in tool.kind.since else ()
    return {with_fragment(move.old, move.old_anchor): writer.line_for(move) for move in moves}


def _moves_of_pages(found: Comparison, replacements: Mapping[str, Replacement], new: Snapshot) -> Iterator[Move]:
    for loss in (loss for finding in found.lost for loss in finding.losses):
        path = replacements[loss.path].path
        if path is not None:
            page = new.pages.get(path)
            yield Move(
                old=loss.path,
                new=path,
                old_document=loss.page.document if loss.page else None,
                new_document=page.document if page else None,
            )


def _moves_of_anchors(found: Comparison) -> Iterator[Move]:
    for lost in found.lost_anchors:
        path, document = lost.page.path, lost.page.document
        for old, new in lost.renamed.items():
            yield Move(old=path, new=path, old_anchor=old, new_anchor=new, old_document=document, new_document=document)


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
