"""Reads what a conf.py of Sphinx sets, as far as it is written there; nothing of it is run."""

from __future__ import annotations

import ast
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sitemap_plugins.formats.data_reading import DataError


def read_conf(text: str) -> Mapping[str, Sequence[ast.expr]]:
    """The expressions that are assigned or added to each name, in the order of the text. Raises `DataError`."""
    found: dict[str, list[ast.expr]] = defaultdict(list)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about unknown escapes
            tree = ast.parse(text)
        for name, value in _assigned(tree):
            found[name].append(value)
    except SyntaxError as error:
        raise DataError(f"it is not Python: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError, MemoryError):  # a NUL, or an expression that is nested too deeply
        raise DataError("it is not Python that can be read") from None
    return found


def read_conf_entry(text: str, name: str, key: str) -> object:
    """The value of a key in the dict that is assigned to a name last; None if there is none.

    Raises `DataError` if it is not written out: as text, numbers, lists and dicts only.
    """
    last = next(reversed(read_conf(text).get(name, ())), None)
    if last is None or key not in {each for node in ast.walk(last) for each in (text_of(node), _keyword(node))}:
        return None
    try:
        entries = zip(last.keys, last.values, strict=True) if isinstance(last, ast.Dict) else ()
        return ast.literal_eval(next(value for written, value in entries if text_of(written) == key))
    except (ValueError, TypeError, StopIteration, RecursionError, MemoryError):
        why = f"the file is not run, so {key} in {name} must be written out, without names and calls"
        raise DataError(f"{why}; or write it in sitemap.toml", last.lineno) from None


def text_of(node: ast.AST | None) -> str | None:
    """The text that an expression is; None for other expressions."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _keyword(node: ast.AST) -> str | None:
    return node.arg if isinstance(node, ast.keyword) else None


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
