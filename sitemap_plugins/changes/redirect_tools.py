"""Finds out which tool makes the redirects of a site: from its project, or from the published redirects."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from sitemap_plugins.changes.redirect_lines import RedirectTool, Syntax, ToolName
from sitemap_plugins.formats.conf_reading import read_conf, text_of
from sitemap_plugins.formats.data_reading import DataError, decode
from sitemap_plugins.formats.paths import REDIRECTS
from sitemap_plugins.pages import RedirectRules
from sitemap_plugins.reading import ABSENT, CONFIGURATION, read_file
from sitemap_plugins.values.urls import is_inside

_ZENSICAL: Final = re.compile(r"zensical[-\s]v?([\d.]+)", re.IGNORECASE)  # in <meta name="generator">
EXTENSIONS: Final[Mapping[ToolName, str]] = {
    "sphinx-reredirects": "sphinx_reredirects",
    "rediraffe": "sphinxext.rediraffe",
}
"""The extensions of Sphinx that make redirects, as conf.py names them."""

OPTIONS: Final[Mapping[ToolName, str]] = {"sphinx-reredirects": "redirects", "rediraffe": "rediraffe_redirects"}
"""The options in conf.py that hold the redirects."""

# What only the stubs of one tool contain. Those of sphinx-reredirects before 1.0 contain nothing of the kind.
_MKDOCS_STUB: Final = re.compile(r'var anchor=window\.location\.hash\.substr\(1\);location\.href="')
_REDIRAFFE_STUB: Final = re.compile(r"<p>You should have been redirected\.</p>\s*<a href=")
_REREDIRECTS_STUB: Final = re.compile(
    r'\s*<html><head><noscript><meta http-equiv="refresh" content="0; url=[^">]*" /></noscript>'
    r"<script>var target = [^<]*</script></head></html>\s*"
)
# As rediraffe reads a line of its file: two words, each with or without quotation marks.
_WORD: Final = r"""(?:"([^"]*)"|'([^']*)'|(\S+))"""
_PAIR: Final = re.compile(rf"\s*(?!#){_WORD}\s+{_WORD}\s*")


class ProjectError(ValueError):
    """A file of a project cannot be read. The message names the file, the mistake and the fix."""


def tool_of_plugin(file: str, documents: str, generator: str = "", redirects: Mapping[str, str] = {}) -> RedirectTool:
    """The tool of a project whose configuration enables the plugin ``redirects``, which has these ``redirects``.

    ``file`` is the path of the configuration, ``documents`` that of the folder of the documents, and ``generator`` is
    the one that the pages of the site name: Zensical reads mkdocs.yml, too.
    """
    found = _ZENSICAL.search(generator)
    syntax: Syntax = "toml" if file.endswith(".toml") else "yaml"
    if found is None and syntax == "yaml":
        return RedirectTool(name="mkdocs-redirects", syntax=syntax, file=file, redirects=redirects, documents=documents)
    return RedirectTool(
        name="zensical",
        syntax=syntax,
        file=file,
        redirects=redirects,
        documents=documents,
        version=found[1] if found else _installed(),
    )


def _installed() -> str | None:
    try:
        return version("zensical")
    except PackageNotFoundError:
        return None


def tool_of_stub(page: str) -> RedirectTool | None:
    """The tool that made a page that only redirects; None if it is not known."""
    if _MKDOCS_STUB.search(page):  # Zensical has the same
        return RedirectTool(name="mkdocs-redirects", syntax="yaml")
    if _REDIRAFFE_STUB.search(page):
        return RedirectTool(name="rediraffe", syntax="rediraffe")
    if _REREDIRECTS_STUB.fullmatch(page):
        return RedirectTool(name="sphinx-reredirects", syntax="python")
    return None


def tool_of_rules(folder: str) -> RedirectTool | None:
    """The hosting service, if a folder has a ``_redirects`` and is not a built site, which the next build replaces."""
    file = os.path.join(folder, REDIRECTS)
    if not os.path.isfile(file) or os.path.isfile(os.path.join(folder, "index.html")):
        return None
    rules = RedirectRules(_read(file))
    targets = {path: rules.target_of(f"https://site.invalid{path}") for path in rules.paths}
    redirects = {path: target for path, target in targets.items() if target is not None}
    return RedirectTool(name="_redirects", syntax="_redirects", file=file, redirects=redirects)


def _read(file: str) -> bytes:
    """The content of a file with redirects; empty if it cannot be read."""
    try:
        return read_file(file, CONFIGURATION)
    except OSError:
        return b""


def tool_of_sphinx(folder: str) -> RedirectTool | None:
    """The extension that the conf.py in a folder enables; the file is read, but never run. Raises `ProjectError`.

    If both are enabled, the one whose redirects are set counts.
    """
    file = os.path.join(folder, "conf.py")
    try:
        settings = read_conf(decode(read_file(file, CONFIGURATION)))
    except ABSENT:
        return None
    except OSError as error:
        raise ProjectError(f"{file} cannot be read: {error.strerror or error}") from None
    except DataError as error:
        raise ProjectError(f"{file}{f', line {error.line}' if error.line else ''}: {error}") from None
    extensions = {text_of(node) for value in settings.get("extensions", ()) for node in ast.walk(value)}
    enabled = (tool for tool, extension in EXTENSIONS.items() if extension in extensions)
    name = min(enabled, key=lambda tool: OPTIONS[tool] not in settings, default=None)
    if name is None:
        return None
    value = next(reversed(settings.get(OPTIONS[name], ())), None)
    written = text_of(value)
    if name == "rediraffe" and written is not None:
        place = os.path.join(folder, *written.split("/")) if is_inside(written) else ""
        redirects = dict(_pairs(_read(place).decode(errors="replace"))) if place else {}
        return RedirectTool(name=name, syntax="rediraffe", file=place, redirects=redirects, documents=folder or ".")
    entries = zip(value.keys, value.values, strict=True) if isinstance(value, ast.Dict) else ()
    texts = ((text_of(key), text_of(target)) for key, target in entries)
    redirects = {key: target for key, target in texts if key is not None and target is not None}
    return RedirectTool(name=name, syntax="python", file=file, redirects=redirects, documents=folder or ".")


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """The sources and targets in a file of rediraffe."""
    for line in text.splitlines():
        if found := _PAIR.fullmatch(line):
            source, target = ("".join(filter(None, found.groups()[start : start + 3])) for start in (0, 3))
            yield source, target
