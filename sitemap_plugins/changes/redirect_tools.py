"""Finds out which tool makes the redirects of a site: from its project, or from the redirects that it has published."""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from sitemap_plugins.changes.redirect_lines import RedirectTool, Syntax, ToolName
from sitemap_plugins.formats.data_reading import DataError, decode
from sitemap_plugins.formats.paths import REDIRECTS
from sitemap_plugins.reading import ABSENT, CONFIGURATION, read_file
from sitemap_plugins.values.urls import is_inside

_ZENSICAL: Final = re.compile(r"zensical[-\s]v?([\d.]+)", re.IGNORECASE)  # in <meta name="generator">
_EXTENSIONS: Final[dict[str, ToolName]] = {
    "sphinx_reredirects": "sphinx-reredirects",
    "sphinxext.rediraffe": "rediraffe",
}
OPTIONS: Final[Mapping[ToolName, str]] = {"sphinx-reredirects": "redirects", "rediraffe": "rediraffe_redirects"}
"""The options in conf.py that have the redirects."""

# What only the stubs of a tool have. Those of sphinx-reredirects before 1.0 have nothing of their own.
_MKDOCS_STUB: Final = re.compile(r'var anchor=window\.location\.hash\.substr\(1\);location\.href="')
_REDIRAFFE_STUB: Final = re.compile(r"<p>You should have been redirected\.</p>\s*<a href=")
_REREDIRECTS_STUB: Final = re.compile(
    r'\s*<html><head><noscript><meta http-equiv="refresh" content="0; url=[^">]*" /></noscript>'
    r"<script>var target = [^<]*</script></head></html>\s*"
)


class ProjectError(ValueError):
    """A file of a project cannot be read. The message names the file, the mistake and the fix."""


def tool_of_plugin(file: str, documents: str, generator: str = "") -> RedirectTool:
    """The tool of a project whose configuration enables the plugin ``redirects``.

    ``file`` is the path of the configuration, ``documents`` that of the folder of the documents, and ``generator`` is
    what the pages of the site say that made them. Zensical reads mkdocs.yml, too.
    """
    found = _ZENSICAL.search(generator)
    syntax: Syntax = "toml" if file.endswith(".toml") else "yaml"
    if found is None and syntax == "yaml":
        return RedirectTool(name="mkdocs-redirects", syntax=syntax, file=file, documents=documents)
    installed = found[1] if found else _installed()
    return RedirectTool(name="zensical", syntax=syntax, file=file, documents=documents, version=installed)


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
    """The hosting service, if the folder has a ``_redirects`` and is no built site, which the next build replaces."""
    file = os.path.join(folder, REDIRECTS)
    if not os.path.isfile(file) or os.path.isfile(os.path.join(folder, "index.html")):
        return None
    return RedirectTool(name="_redirects", syntax="_redirects", file=file)


def tool_of_sphinx(folder: str) -> RedirectTool | None:
    """The extension that the conf.py in a folder enables, which is read and never run. Raises `ProjectError`.

    If it enables both, the one whose redirects it sets counts.
    """
    file = os.path.join(folder, "conf.py")
    try:
        settings = _Settings(decode(read_file(file, CONFIGURATION)))
    except ABSENT:
        return None
    except OSError as error:
        raise ProjectError(f"{file} cannot be read: {error.strerror or error}") from None
    except DataError as error:
        raise ProjectError(f"{file}{f', line {error.line}' if error.line else ''}: {error}") from None
    enabled = (tool for extension, tool in _EXTENSIONS.items() if extension in settings.extensions)
    name = min(enabled, key=lambda tool: OPTIONS[tool] not in settings.values, default=None)
    if name is None:
        return None
    written = _text_of(settings.values.get(OPTIONS[name]))
    if name == "rediraffe" and written is not None:
        place = os.path.join(folder, *written.split("/")) if is_inside(written) else ""
        return RedirectTool(name=name, syntax="rediraffe", file=place, documents=folder or ".")
    return RedirectTool(name=name, syntax="python", file=file, documents=folder or ".")


class _Settings:
    """What a conf.py sets, as far as it is written there: ``values`` are expressions, by name; the last one counts."""

    def __init__(self, text: str) -> None:
        self.extensions: set[str] = set()
        self.values: dict[str, ast.expr] = {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about unknown escapes
                tree = ast.parse(text)
            for name, value in _assigned(tree):
                self.values[name] = value
                if name == "extensions":
                    self.extensions |= {each for node in ast.walk(value) if (each := _text_of(node)) is not None}
        except SyntaxError as error:
            raise DataError(f"it is not Python: {error.msg}", error.lineno) from None
        except (ValueError, RecursionError, MemoryError):  # a NUL, or an expression that is nested too deeply
            raise DataError("it is not Python that can be read") from None


def _text_of(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _assigned(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that are set or extended anywhere, and the values, in the order of the text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((target.id, node.value) for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and node.func.attr in {"append", "extend", "insert"}:
                yield from ((owner.id, argument) for argument in node.args)
