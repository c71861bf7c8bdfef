"""Fuzz readers, guided by line coverage: ``python tests/fuzz.py SECONDS [READER ...]``.

Each reader of `tests.hostile.readers` runs in its own process. Inputs that make one fail or take too long are written
to the folder ``tests/hostile/corpus``, and the tests run with them from then on. With ``--keep``, so are the shortest
inputs that reach lines which no other input of the tests reaches. Needs atheris.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.hostile.readers import Reader

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
CORPUS: Final = ROOT / "tests" / "hostile" / "corpus"
_SLOWEST: Final = 10  # seconds for one input
_LONGEST: Final = 4096
_SHORT: Final = 512
_EXAMPLES: Final = 50  # the same number as in the tests

Line = tuple[str, int]


def fuzz_here(name: str, arguments: list[str]) -> None:
    """Fuzz in this process, which then exits."""
    import atheris

    with atheris.instrument_imports(include=["sitemap_plugins", "tests.hostile.readers"]):
        from tests.hostile.readers import READERS
    reader = READERS[name]

    def read(content: bytes) -> None:
        with suppress(*reader.refusals):
            reader.read(content)

    atheris.Setup([sys.argv[0], *arguments], read)
    atheris.Fuzz()


def fuzz(name: str, words: Iterable[bytes], seconds: int, *, is_kept: bool) -> bool:
    """Fuzz one reader, print the result, and return whether there was no failure."""
    folder = CORPUS / name.replace(" ", "-")
    with tempfile.TemporaryDirectory() as scratch:
        found, failures, dictionary = (Path(scratch, part) for part in ("found", "failures", "words"))
        found.mkdir()
        failures.mkdir()
        dictionary.write_text("".join(f'"{_quoted(word)}"\n' for word in words), encoding="ascii")
        child = [sys.executable, __file__, "--child", name, f"-max_total_time={seconds}", f"-timeout={_SLOWEST}"]
        child += [f"-max_len={_LONGEST}", f"-dict={dictionary}", f"-artifact_prefix={failures}/", "-rss_limit_mb=2048"]
        child += ["-print_final_stats=1", str(found), *([str(folder)] if folder.is_dir() else [])]
        done = subprocess.run(child, capture_output=True, text=True, check=False)
        lines = [line.partition("number_of_executed_units:") for line in done.stderr.splitlines()]
        number = next((count.strip() for _, name, count in lines if name), "?")
        reached, bad = sorted(found.iterdir()), sorted(failures.iterdir())
        sys.stdout.write(f"{name}: {number} inputs, {len(reached)} that reach new lines, {len(bad)} failures\n")
        sys.stdout.flush()
        if done.returncode:
            sys.stderr.write(done.stderr[-4000:])
        kept = new_to_the_tests(name, [file.read_bytes() for file in reached]) if is_kept else []
        for content in [file.read_bytes() for file in bad] + kept:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{hashlib.sha256(content).hexdigest()[:12]}.input").write_bytes(content)
    return not done.returncode


def new_to_the_tests(name: str, contents: Iterable[bytes]) -> list[bytes]:
    """The inputs, shortest first, that reach lines not yet reached by the tests."""
    from hypothesis import given, settings

    from tests.hostile.readers import READERS
    from tests.hostile.test_fuzz import CORPUS, inputs

    reader = READERS[name]
    known: set[Line] = set()

    @settings(database=None, deadline=None, derandomize=True, max_examples=_EXAMPLES)
    @given(inputs(reader))
    def read_examples(content: bytes) -> None:
        known.update(lines_reached(reader, content))

    read_examples()
    for file in (CORPUS / name.replace(" ", "-")).glob("*.input"):
        known |= lines_reached(reader, file.read_bytes())
    new = []
    for content in sorted(contents, key=lambda each: (len(each), each)):
        reached = lines_reached(reader, content)
        if len(content) <= _SHORT and not reached <= known:
            known |= reached
            new.append(content)
    return new


def lines_reached(reader: Reader, content: bytes) -> set[Line]:
    """The lines of the product that an input reaches."""
    reached = set()

    def trace(frame: FrameType, event: str, _: object) -> object:
        if "sitemap_plugins" not in frame.f_code.co_filename:
            return None
        if event == "line":
            reached.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    with suppress(*reader.refusals):
        sys.settrace(trace)
        try:
            reader.read(content)
        finally:
            sys.settrace(None)
    return reached


def _quoted(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        fuzz_here(sys.argv[2], sys.argv[3:])
    from tests.hostile.readers import READERS

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("seconds", type=int, help="time for each reader")
    parser.add_argument("readers", nargs="*", default=[*READERS], metavar="READER", help=f"one of {', '.join(READERS)}")
    parser.add_argument("--keep", action="store_true", help="add inputs that reach new lines to the corpus")
    wanted = parser.parse_args()
    failed = [
        each for each in wanted.readers if not fuzz(each, READERS[each].words, wanted.seconds, is_kept=wanted.keep)
    ]
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
