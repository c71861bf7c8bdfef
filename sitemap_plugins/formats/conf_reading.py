"""Reads the settings that are written out in a conf.py of Sphinx, without running it."""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from collections.abc import Mapping, Sequence

from sitemap_plugins.formats.data_reading import DataError


def read_conf(text: str) -> Mapping[str, Sequence[ast.expr]]:
    """The expressions that are assigned or added to each name, in the order of the text. Raises `DataError`."""
    return _settings_in(_parse(text))


def read_conf_entry(text: str, name: str, key: str) -> object:
    """The value of a key in the dict that is assigned to a name last; None if the key is nowhere.

    Raises `DataError` if the value is not a literal in that dict.
    """
    tree = _parse(text)
    names = ((node, node.arg if isinstance(node, ast.keyword) else text_of(node)) for node in ast.walk(tree))
    line = next((getattr(node, "lineno", 1) for node, written in names if written == key), None)
    if line is None:
        return None
    last = next(reversed(_settings_in(tree).get(name, ())), None)
    try:
        entries = zip(last.keys, last.values, strict=True) if isinstance(last, ast.Dict) else ()
        return ast.literal_eval(next(value for written, value in entries if text_of(written) == key))
    except (ValueError, TypeError, StopIteration, RecursionError, MemoryError):
        why = f"the file is not run, so {key} must be a literal in the dict {name}, without variables and calls"
        raise DataError(f"{why}; or write it in sitemap.toml", line) from None


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as those about invalid escapes
            return ast.parse(text)
    except SyntaxError as error:
        raise DataError(f"it is not Python: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError, MemoryError):  # a NUL, or an expression that is nested too deeply
        raise DataError("it cannot be read as Python") from None


def _settings_in(tree: ast.Module) -> Mapping[str, Sequence[ast.expr]]:
    """The expressions by which each name is set or extended anywhere, in the order of the text."""
    found: defaultdict[str, list[ast.expr]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    found[target.id].append(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and node.func.attr in {"append", "extend", "insert"}:
                found[owner.id] += node.args
    return found


def text_of(node: ast.AST | None) -> str | None:
    """The value of an expression that is a string; None for other expressions."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
