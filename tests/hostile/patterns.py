"""Every regular expression of the package, the ways in which it is used, and texts that should make it backtrack."""

from __future__ import annotations

import ast
import importlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import sitemap_plugins

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from re import _constants as sre  # how Python itself parses a pattern
    from re import _parser

PACKAGE: Final = Path(sitemap_plugins.__file__).parent
METHODS: Final = frozenset({"fullmatch", "match", "search", "finditer", "findall", "sub", "split"})
# The characters of a class, such as [^/] or \s, are taken from these.
LETTERS: Final = "aZ0 \n-._/:;,*<>\"'=%#[](){}|&?\\\t\0\u00e9"
_REPEATS: Final = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT})
_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}

Attack = Callable[[int], str]
"""A function that returns a text of about this many characters."""


class Use(NamedTuple):
    """A pattern and a way in which it is used. ``name`` says where."""

    name: str
    pattern: re.Pattern[Any]
    method: str

    def run(self, text: str) -> None:
        """Use it in this way on a text."""
        subject: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        if self.method == "sub":
            self.pattern.sub(lambda match: match[0], subject)
        elif self.method == "finditer":
            list(self.pattern.finditer(subject))
        else:
            getattr(self.pattern, self.method)(subject)

    def attacks(self) -> Iterator[Attack]:
        """Texts that start like the pattern, repeat a part of it many times, and do not end like it."""
        source = self.pattern.pattern
        tree = _parser.parse(
            source if isinstance(source, str) else source.decode("latin-1"), self.pattern.flags & ~re.UNICODE
        )
        beginnings = [*islice(dict.fromkeys(["", *_beginnings(tree)]), 8)]
        letters = [*islice(dict.fromkeys(_letters(tree)), 10)]
        for beginning in beginnings:
            for letter in letters:
                yield from (_attack(letter, beginning, end) for end in ("", "\0", "x"))
                if beginning:
                    yield _attack(beginning + letter)
                    yield lambda size, p=beginning + letter, c=letter: p * (size // len(p) // 2) + c * (size // 2)


def _attack(pump: str, before: str = "", after: str = "") -> Attack:
    return lambda size: before + pump * (size // len(pump)) + after


def find_uses() -> tuple[list[Use], frozenset[str]]:
    """All uses of patterns in the source, and the calls whose patterns are built at run time."""
    trees = {name: ast.parse(file.read_text("utf-8")) for name, file in _modules()}
    methods: dict[str, set[str]] = {}
    for _, owner, method in _calls(trees.values()):
        methods.setdefault(owner, set()).update({method} & METHODS)
    uses: dict[tuple[str, str], Use] = {}
    unknown: set[str] = set()
    for name, tree in trees.items():
        module = importlib.import_module(name)
        for variable, value in vars(module).items():
            if isinstance(value, re.Pattern) and _is_assigned(tree, variable):
                for method in sorted(methods.get(variable) or {"fullmatch", "search"}):
                    uses[f"{name}.{variable}", method] = Use(f"{name}.{variable} {method}", value, method)
        inside = [call for call in _calls([tree]) if call[1] == "re" and call[2] in METHODS | {"compile"}]
        outside = {
            id(node)
            for statement in tree.body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            for node in ast.walk(statement)
        }
        for call, _, method in inside:
            if id(call) in outside:
                continue
            pattern = _pattern_of(call, vars(module))
            if pattern is None or method == "compile":
                unknown.add(f"{name}: {ast.unparse(call)}")
            else:
                uses[f"{name}:{pattern.pattern!r}", method] = Use(
                    f"{name}: {ast.unparse(call.args[0])} {method}", pattern, method
                )
    return [*uses.values()], frozenset(unknown)


def _modules() -> Iterator[tuple[str, Path]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
        yield name.removesuffix(".__init__"), file


def _calls(trees: Iterable[ast.AST]) -> Iterator[tuple[ast.Call, str, str]]:
    """The calls ``owner.method(...)``, outermost first."""
    for node in (node for tree in trees for node in ast.walk(tree)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=method)):
                yield node, owner, method


def _is_assigned(tree: ast.Module, variable: str) -> bool:
    targets = (
        target
        for statement in tree.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
    )
    return any(isinstance(target, ast.Name) and target.id == variable for target in targets)


def _pattern_of(call: ast.Call, names: dict[str, Any]) -> re.Pattern[Any] | None:
    """The pattern of ``re.search(pattern, text, flags)``, if it and its flags are constants."""
    flags = re.NOFLAG
    for argument in call.args[1:]:
        match argument:
            case ast.Attribute(value=ast.Name(id="re"), attr=flag):
                flags |= getattr(re, flag)
    match call.args[0]:
        case ast.Constant(value=source):
            return re.compile(source, flags)
        case ast.Name(id=name) if name in names:
            return re.compile(names[name], flags)
    return None


def _letters(tree: Any) -> Iterator[str]:
    """The characters that each part of a pattern matches, from left to right."""
    for operator, argument in tree:
        if operator in {sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN}:
            yield from _taken(operator, argument)
        else:
            for part in _parts(argument):
                yield from _letters(part)


def _taken(operator: Any, argument: Any) -> list[str]:
    """Some of the characters that one part of a pattern matches."""
    if operator is sre.LITERAL:
        return [chr(argument)]
    if operator is sre.IN:
        found = [letter for letter in LETTERS if _is_in(letter, argument)]
        first = (
            chr(each if kind is sre.LITERAL else each[0]) for kind, each in argument if kind in {sre.LITERAL, sre.RANGE}
        )
        return found[:4] or [next(first)]
    return [next(letter for letter in LETTERS if operator is sre.ANY or letter != chr(argument))]


def _is_in(letter: str, items: Any) -> bool:
    is_there = any(
        (kind is sre.LITERAL and ord(letter) == each)
        or (kind is sre.RANGE and each[0] <= ord(letter) <= each[1])
        or (kind is sre.CATEGORY and re.match(_CATEGORIES[each], letter))
        for kind, each in items
    )
    return is_there != (items[0][0] is sre.NEGATE)


def _parts(argument: Any) -> Iterator[Any]:
    """The patterns within a part of a pattern."""
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, tuple | list):
        for each in argument:
            yield from _parts(each)


def _beginnings(tree: Any) -> Iterator[str]:
    """The texts that a pattern matches up to each of its parts, in its groups too."""
    text = ""
    for number, (_, argument) in enumerate(tree):
        for part in _parts(argument):
            yield from (text + inner for inner in _beginnings(part))
        text += _sample(tree[number : number + 1])
        yield text


def _sample(tree: Any) -> str:
    """A short text that a pattern matches, as far as that is easy to find."""
    text = ""
    for operator, argument in tree:
        if operator in {sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN}:
            text += _taken(operator, argument)[0]
        elif operator in _REPEATS:
            least, _, body = argument
            text += _sample(body) * max(least, 1)
        elif operator is sre.BRANCH:
            text += _sample(argument[1][0])
        elif operator in {sre.SUBPATTERN, sre.ATOMIC_GROUP}:
            text += _sample(next(_parts(argument)))
    return text
