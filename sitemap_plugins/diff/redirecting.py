"""The redirects to add after ``diff``: which tool makes them, and the line for each lost URL."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from typing import Final

from sitemap_plugins.diff.comparing import Comparison, Replacement
from sitemap_plugins.diff.redirect_lines import LineWriter, NoLine, RedirectLine
from sitemap_plugins.diff.redirect_tools import TOOLS, Move, RedirectTool, Syntax
from sitemap_plugins.diff.site_build import FindDocument
from sitemap_plugins.folder.configuration import CONF_FOLDERS, Configuration, read_data
from sitemap_plugins.formats.data_reading import read_conf, text_of
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.published.redirects import with_fragment
from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.reading import CONFIGURATION, below_current, read_file
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import is_inside

_EXTRA: Final = (".", "docs", "public", "static")
"""The folders where projects keep files for the hosting service, which are copied into the output."""

_STUBS: Final = 20  # pages that redirect; the first one by a known tool tells
_ZENSICAL: Final = re.compile(r"zensical[-\s]v?([\d.]+)", re.IGNORECASE)  # in <meta name="generator">
_ADVICE: Final = {
    "mkdocs": "MkDocs makes redirects with the plugin {}",
    "zensical": "Zensical makes redirects with redirect_maps of its plugin {}",
    "sphinx": "Sphinx makes redirects with the extension {}",
}


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
