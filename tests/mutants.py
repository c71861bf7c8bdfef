"""Change a module in small ways, one at a time, and list the changes that no test detects.

Each mutant is tried in a copy of the project. By default the tests of the module's package and of the pipeline run.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

PIPELINE = Path("tests", "test_pipeline.py")
OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.FloorDiv,),
    ast.FloorDiv: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}
# Imports are not code that runs, and positions inside f-strings are unknown before Python 3.12.
PASSED_OVER = (ast.Import, ast.ImportFrom, ast.JoinedStr)
ANNOTATIONS = ("annotation", "returns", "decorator_list", "keywords", "bases")


class MutantsError(Exception):
    """No result about the mutants is possible. The message is for the user."""


@dataclass(frozen=True)
class Mutant:
    """A module with one change, in ``line``."""

    line: int
    change: str
    source: bytes


def mutants_of(source: bytes) -> list[Mutant]:
    """All mutants of a module that are valid Python, in the order of their lines."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, new in _changes(ast.parse(source), is_inside=False):
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        mutated = source[:start] + new.encode() + source[end:]
        with suppress(SyntaxError):
            compile(mutated, "mutant", "exec")
            found.append(Mutant(node.lineno, f"{_short(source[start:end].decode())}  became  {_short(new)}", mutated))
    return sorted(found, key=lambda mutant: mutant.line)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:99]}…"


def _changes(node: ast.AST, *, is_inside: bool) -> Iterator[tuple[ast.AST, str]]:
    """Nodes at and below this one, with replacements; ``is_inside`` means inside a function."""
    if isinstance(node, PASSED_OVER) or _is_for_readers(node):
        return
    if isinstance(node, ast.stmt):
        yield from ((node, text) for text in _other_statements(node, is_inside=is_inside))
    else:
        yield from ((node, f"({ast.unparse(new)})") for new in _other_expressions(node))
    for condition in _conditions(node):
        yield condition, "(False)"
        if not isinstance(node, ast.While):
            yield condition, "(True)"
    is_class, is_function = isinstance(node, ast.ClassDef), isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for name, value in ast.iter_fields(node):
        if name in ANNOTATIONS and (name != "keywords" or is_class):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _changes(child, is_inside=is_function or (is_inside and not is_class))


def _is_for_readers(node: ast.AST) -> bool:
    """Whether this is a docstring, ``if TYPE_CHECKING``, a type alias, or ``__slots__``."""
    match node:
        case ast.Expr(ast.Constant()) | ast.If(test=ast.Name("TYPE_CHECKING")):
            return True
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")) | ast.Assign(targets=[ast.Name("__slots__")]):
            return True
        case ast.Assign(value=ast.Call(func=ast.Name("TypeVar" | "NewType"))):
            return True
    return False


def _other_statements(node: ast.stmt, *, is_inside: bool) -> Iterator[str]:
    match node:
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return None"
        case ast.Expr() | ast.Continue() | ast.Break() | ast.Raise() | ast.Delete():
            yield "pass"
        case ast.Assign() | ast.AugAssign() | ast.AnnAssign(value=ast.expr()) if is_inside:
            yield "pass"


def _other_expressions(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=operators):
            for place, operator in enumerate(operators):
                for other in OPERATORS[type(operator)]:
                    yield _with(node, ops=[*operators[:place], other(), *operators[place + 1 :]])
        case ast.BoolOp(op=operator) | ast.BinOp(op=operator):
            for other in OPERATORS.get(type(operator), ()):
                yield _with(node, op=other())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool() | int() | str() | bytes() as value):
            yield ast.Constant(_other_value(value))


def _other_value(value: bool | int | str | bytes) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return f"XX{value}" if isinstance(value, str) else b"XX" + value


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _conditions(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return [test]
        case ast.comprehension(ifs=conditions):
            return conditions
    return []


class Trial:
    """Tests of a project, run in copies of it below a folder. A group runs only if the ones before it all pass."""

    def __init__(self, project: Path, groups: Sequence[Sequence[Path]], folder: Path, workers: int) -> None:
        self._groups = [[str(path) for path in tests] for tests in groups]
        self._copies: SimpleQueue[Path] = SimpleQueue()
        self._seconds = 600.0
        for number in range(workers):
            copied = folder / str(number)
            shutil.copytree(project, copied, ignore=shutil.ignore_patterns(".*", "__pycache__"))
            self._copies.put(copied)

    def check(self) -> None:
        """Fail unless the tests pass without changes; their duration limits the time for a mutant."""
        copied = self._copies.get()
        start = time.monotonic()
        for tests in self._groups:
            done = self._run(copied, tests, stdout=subprocess.PIPE)
            if done.returncode:
                raise MutantsError(f"The tests do not pass as they are:\n{done.stdout}")
        self._seconds = 20 + 5 * (time.monotonic() - start)
        self._copies.put(copied)

    def notices(self, module: Path, mutant: Mutant) -> bool:
        """Whether a test fails, or does not end, with this mutant of a module."""
        copied = self._copies.get()
        path = copied / module
        own = path.read_bytes()
        try:
            path.write_bytes(mutant.source)
            # The mutant may have the same size and mtime in seconds as the last one.
            shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
            return any(self._run(copied, tests, stdout=subprocess.DEVNULL).returncode for tests in self._groups)
        except subprocess.TimeoutExpired:
            return True
        finally:
            path.write_bytes(own)
            self._copies.put(copied)

    def _run(self, copied: Path, tests: Sequence[str], stdout: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
            cwd=copied,
            env=os.environ | {"PYTHONPATH": str(copied)},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.STDOUT,
            timeout=self._seconds,
            text=True,
            check=False,
        )


def file_of(project: Path, module: str) -> Path:
    """The file of a module, relative to the project's folder."""
    path = Path(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if (project / file).is_file():
            return file
    raise MutantsError(f"There is no module {module} in {project}.")


def tests_of(project: Path, module: Path) -> list[list[Path]]:
    """The tests of a module first, then those of its package and of the pipeline, which take longer."""
    folder = Path("tests", *module.parent.parts[1:])
    own = folder / f"test_{module.stem}.py"
    others = [path for path in (folder, PIPELINE) if path not in {Path("tests"), own}]
    groups = [[path for path in group if (project / path).exists()] for group in ([own], others)]
    return [group for group in groups if group]


def report(project: Path, module: str, wanted: argparse.Namespace) -> str:
    """The surviving mutants, one per line, and the number of killed ones."""
    file = file_of(project, module)
    mutants = mutants_of((project / file).read_bytes())
    if wanted.sample and wanted.sample < len(mutants):
        chosen = random.Random(wanted.seed).sample(range(len(mutants)), wanted.sample)  # noqa: S311  # not for security
        mutants = [mutants[number] for number in sorted(chosen)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(wanted.workers) as pool:
        tests = [wanted.tests] if wanted.tests else tests_of(project, file)
        trial = Trial(project, tests, Path(folder), wanted.workers)
        trial.check()
        noticed = list(pool.map(lambda mutant: trial.notices(file, mutant), mutants))
    survivors = [mutant for mutant, is_noticed in zip(mutants, noticed, strict=True) if not is_noticed]
    lines = [f"{file.as_posix()}:{mutant.line}: {mutant.change}\n" for mutant in survivors]
    return "".join([*lines, f"{module}: {sum(noticed)}/{len(mutants)} killed\n"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="+", metavar="MODULE", help="such as sitemap_plugins.pages.omit")
    parser.add_argument("--sample", type=int, metavar="N", help="try only N mutants of each module")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="choose other mutants (default: 0)")
    parser.add_argument("--tests", action="append", type=Path, metavar="PATH", help="run these tests; can be repeated")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="try N mutants at a time")
    parser.add_argument("--project", type=Path, default=Path(), metavar="DIR", help="a different checkout")
    wanted = parser.parse_args(arguments)
    try:
        for module in wanted.modules:
            sys.stdout.write(report(wanted.project.resolve(), module, wanted))
            sys.stdout.flush()
    except MutantsError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
