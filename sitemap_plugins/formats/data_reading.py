"""Reads TOML, JSON and YAML safely, and conf.py without running it; YAML as MkDocs does, with limited nesting."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import msgspec
import yaml
from yaml.composer import Composer, ComposerError
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.events import AliasEvent, ScalarEvent
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.resolver import Resolver
from yaml.scanner import Scanner

# tomllib takes quadratic time for a key with many parts (a.a.a.a). No real table is nested so deeply.
_LONG_KEY: Final = re.compile(
    r"""(?<![\w"'-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}"""  # a hundred parts and their dots
)
_TOO_DEEP: Final = "its values are nested too deeply"
_TOO_DEEP_FOR_LIBYAML: Final = "exceeded maximum nesting depth"
_DEEPEST: Final = 100
_DIRECTIVES: Final = 100
_MAX_VALUES: Final = 1_000_000  # values; the values of an anchor count again for each alias


class DataError(ValueError):
    """Invalid text. The message is a sentence, and ``line`` is the number of the line, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def type_of(value: object) -> str:
    """The type of a value, in words. Messages do not show values of files that are not ours: they may be secret."""
    if isinstance(value, str):
        return "text" if value.strip() else "empty text"
    names = (
        (bool, "true or false"),
        (int | float, "a number"),
        (list, "a list"),
        (Mapping, "a mapping"),
        (date, "a date"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), "nothing" if value is None else "a tag")


def decode(content: bytes) -> str:
    """Decode a file in UTF-8 or, with a byte order mark, in UTF-16. Raises `DataError`."""
    try:
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return content.decode("utf-16")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError("it is not text in UTF-8; save it with that encoding", line) from None


def read_toml(text: str) -> dict[str, Any]:
    """The top-level table of a TOML text. Raises `DataError`."""
    if found := _LONG_KEY.search(text):
        raise DataError("a key has a hundred parts or more", text.count("\n", 0, found.start()) + 1)
    try:
        import tomllib

        return tomllib.loads(text)
    except RecursionError:
        raise DataError(_TOO_DEEP) from None
    except ValueError as error:
        raise DataError(f"it is not TOML: {error}") from None


def read_json(text: str, *, beginning: bool = False) -> object:
    """The JSON value of a text, or, with ``beginning``, the value that the text begins with. Raises `DataError`."""
    try:
        return json.JSONDecoder().raw_decode(text)[0] if beginning else json.loads(text)
    except RecursionError:
        raise DataError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise DataError(f"it is not JSON: {error.msg}", error.lineno) from None
    except ValueError as error:  # a number with more digits than Python accepts
        raise DataError(f"it is not JSON: {error}") from None


class Opaque(msgspec.Struct, frozen=True):
    """A value with a tag for another tool, such as ``!!python/name:…``; it is never executed.

    ``text`` is the text of a scalar, and empty for lists and mappings.
    """

    tag: str
    text: str = ""


def read_yaml(text: str, environ: Mapping[str, str] | None = None) -> object:
    """The value of the only document in a text; None if it is empty. Values may be shared, but not contain themselves.

    ``environ`` has the variables for ``!ENV``; without it, that tag is opaque too. Raises `DataError`.
    """
    # libyaml compares each %TAG with all earlier ones.
    if "%" in text and sum(line.startswith("%") for line in text.splitlines()) > _DIRECTIVES:
        raise DataError("it has too many lines that begin with a percent sign")
    try:
        loader = _Loader(text)
        loader.environ = environ
        try:
            return loader.get_single_data()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = ", ".join(filter(None, (error.context, error.problem)))
        if error.problem == _TOO_DEEP_FOR_LIBYAML:  # it reads ahead, so it may stop before the composer does
            message = _TOO_DEEP
        raise DataError(f"it cannot be read as YAML: {message}", mark.line + 1 if mark else None) from None
    except (yaml.YAMLError, UnicodeError):
        found = Reader.NON_PRINTABLE.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else None
        raise DataError("it cannot be read as YAML: it has a character that is not allowed", line) from None
    except RecursionError:
        raise DataError(_TOO_DEEP) from None


def _construct_opaque(_: _Bounded, node: yaml.Node) -> Opaque:
    return Opaque(node.tag, node.value if isinstance(node, yaml.ScalarNode) else "")


def _construct_env(loader: Any, node: yaml.Node) -> object:
    """The first variable that is set, read like a plain scalar, or else the last item of the list, or None."""
    if loader.environ is None:
        return _construct_opaque(loader, node)
    default = None
    names = [node]
    if isinstance(node, yaml.SequenceNode):
        names = node.value
        if len(names) > 1:
            default = loader.construct_object(names[-1])
            names = names[:-1]
    elif not isinstance(node, yaml.ScalarNode):
        raise ConstructorError(None, None, "!ENV takes the name of a variable, or a list of names", node.start_mark)
    for each in names:
        name = loader.construct_scalar(each)
        if name in loader.environ:
            value = loader.environ[name]
            tag = loader.resolve(yaml.ScalarNode, value, (True, False))
            return loader.construct_object(yaml.ScalarNode(tag, value, node.start_mark, node.end_mark))
    return default


def _guarded(construct: Callable[[Any, Any], object]) -> Callable[[Any, Any], object]:
    """Wrap a function of PyYAML so that all its errors have a line number."""

    def construct_guarded(loader: _Bounded, node: yaml.Node) -> object:
        try:
            return construct(loader, node)
        except (ValueError, ArithmeticError, LookupError, AttributeError, TypeError):
            kind = node.tag.rpartition(":")[2]
            # A configuration can take its values from anywhere; front matter is the author's own.
            shown = f"{node.value:.100}" if loader.environ is None else "it"
            raise ConstructorError(None, None, f"{shown} is not a value of !!{kind}", node.start_mark) from None

    return construct_guarded


def _construct_int(loader: _Bounded, node: Any) -> object:
    # A base-60 number (1:30:00) takes time quadratic in the number of its colons.
    if len(loader.construct_scalar(node)) > 4300:
        raise ConstructorError(None, None, "a number has too many digits", node.start_mark)
    return SafeConstructor.construct_yaml_int(loader, node)


_CORE: Final = "tag:yaml.org,2002:"
_CONSTRUCTORS: Final[dict[str | None, Callable[[Any, Any], object]]] = {
    None: _construct_opaque,  # every other tag
    "!ENV": _construct_env,
    f"{_CORE}bool": _guarded(SafeConstructor.construct_yaml_bool),
    f"{_CORE}int": _guarded(_construct_int),
    f"{_CORE}float": _guarded(SafeConstructor.construct_yaml_float),
    f"{_CORE}timestamp": _guarded(SafeConstructor.construct_yaml_timestamp),
}


class _Bounded(Composer, SafeConstructor, Resolver):
    """Makes values from events, with limits on nesting and on the number of values.

    PyYAML's composer in C crashes the process if a text is nested deeply enough, so the one in Python is used even if
    the events come from C.
    """

    environ: Mapping[str, str] | None = None
    yaml_constructors = SafeConstructor.yaml_constructors | _CONSTRUCTORS
    peek_event: Callable[[], Any]

    def __init__(self) -> None:
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)
        self._depth = self._height = self._number = 0
        self._measures: dict[str, tuple[int, int]] = {}

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a node as PyYAML does, and count the values, including those that aliases repeat."""
        event = self.peek_event()
        anchor = getattr(event, "anchor", None)
        if isinstance(event, ScalarEvent) and anchor is None and self._number < _MAX_VALUES:  # the most common case
            self._number, self._height = self._number + 1, self._height or 1
            return self.compose_scalar_node(None)  # type: ignore[arg-type]  # the stubs are wrong
        mark = event.start_mark
        if isinstance(event, AliasEvent) and anchor not in self.anchors:
            raise ComposerError(None, None, "an alias (*) without an anchor (&)", mark)
        before, siblings = self._number, self._height
        self._depth, self._height = self._depth + 1, 0
        if self._depth > _DEEPEST:
            raise ComposerError(None, None, _TOO_DEEP, mark)
        node = super().compose_node(parent, index)
        if isinstance(event, AliasEvent):
            if anchor not in self._measures:
                raise ComposerError(None, None, f"the value of &{anchor} contains itself", mark)
            number, self._height = self._measures[anchor]
            self._number += number
        else:
            self._number += 1
            if anchor:
                self._measures[anchor] = (self._number - before, self._height)
        if self._depth + self._height > _DEEPEST:
            raise ComposerError(None, None, _TOO_DEEP, mark)
        if self._number > _MAX_VALUES:
            raise ComposerError(None, None, "it has too many values, including those that aliases repeat", mark)
        self._depth, self._height = self._depth - 1, max(siblings, self._height + 1)
        return node


class _PythonEvents(Reader, Scanner, Parser):
    """Events from the parser in Python, which is much slower. Some builds of PyYAML have no other."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


_Events: Any = vars(yaml.cyaml)["CParser"] if yaml.__with_libyaml__ else _PythonEvents


class _Loader(_Bounded, _Events):  # type: ignore[misc]  # both have the same methods
    def __init__(self, text: str) -> None:
        _Events.__init__(self, text)
        _Bounded.__init__(self)


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
