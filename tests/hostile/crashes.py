"""Real builds in which system calls fail, which are killed, or which run twice at once, each in its own process.

    python -m tests.hostile.crashes faults publish merge mkdocs sphinx
    python -m tests.hostile.crashes kills mkdocs --times 100
    python -m tests.hostile.crashes pairs sphinx --times 20

Prints a table, and fails if the table contains a problem. POSIX only.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from tests.hostile.faults import KILLS, KINDS, Faults, Kind
from tests.hostile.subjects import MERGE, SUBJECTS, State, Subject, leftovers, missing, state, torn

BAD: Final = ("mixed", "torn", "missing", "traceback", "silent", "next", "hung")
"""Problems: files of two builds, unreadable files, files that an index names but that do not exist, a disk error with a
traceback or without a message, a next build that does not repair everything, and a run that does not end."""
_PATIENCE: Final = 60.0  # seconds


class Ended(NamedTuple):
    """How a child ended: by itself with a result, or killed."""

    killed: bool
    told: dict[str, Any]


class Bench:
    """A prepared folder, and its copy in which a subject works. Its path never changes, because Sphinx stores it."""

    def __init__(self, subject: Subject, folder: Path) -> None:
        self.subject = subject
        self.work = folder / "work"
        self._prepared = folder / "prepared"
        self._before = folder / "before"
        subject.prepare(self.work)
        shutil.copytree(self.work, self._prepared, symlinks=True)
        subject.run(self.work, "a", contextlib.nullcontext)  # so that all modules are loaded in children

    def restore(self) -> None:
        self._before.unlink(missing_ok=True)
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self._prepared, self.work, symlinks=True)

    def state(self) -> State:
        return state(self.work / self.subject.output)

    def begun(self) -> dict[str, State]:
        """The state in which we began to publish, if we did. MkDocs had already removed the old files then."""
        return {"old": pickle.loads(self._before.read_bytes())} if self._before.exists() else {}  # noqa: S301

    @contextlib.contextmanager
    def remembering(self, begun: int | None = None) -> Iterator[None]:
        """Save the state before we publish, and report the beginning."""
        draft = self._before.with_suffix(".draft")  # it may be killed at any time
        draft.write_bytes(pickle.dumps(self.state()))
        draft.replace(self._before)
        if begun is not None:
            os.write(begun, b"!")
        yield

    def run(self, variant: str, around: Callable[[], Any] = contextlib.nullcontext) -> Child:
        return Child(lambda: self.subject.run(self.work, variant, around)._asdict())

    def result_of(self, *variants: str) -> State:
        """The state after these runs, one after the other, without failures."""
        self.restore()
        for variant in variants:
            ended = self.run(variant).join()
            assert not ended.told.get("failed", True), ended
        return self.state()


class Child:
    """A process that does something and returns the result."""

    def __init__(self, action: Callable[[], object]) -> None:
        self._read, write = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.setpgid(0, 0)
            told: object
            try:
                told = action()
            except BaseException as error:  # noqa: BLE001  # any exception is reported
                told = {"failed": True, "raised": type(error).__name__, "said": traceback.format_exc()}
            os.write(write, json.dumps(told).encode()[:60_000])
            os._exit(0)
        os.close(write)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def join(self) -> Ended:
        told = b""
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
        try:
            while piece := os.read(self._read, 1 << 16):
                told += piece
        except TimeoutError:
            self.kill()
            return Ended(killed=True, told={"hung": True})
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            os.close(self._read)
            _, status = os.waitpid(self.pid, 0)
        return Ended(killed=os.WIFSIGNALED(status), told=json.loads(told or b"{}") or {})


def show(line: str, stream: TextIO) -> None:
    stream.write(f"{line}\n")
    stream.flush()


def faults(bench: Bench, kinds: Iterable[Kind], every: int) -> Iterator[tuple[str, Counter[str]]]:
    """Let each system call fail in turn, starting when we publish."""
    new = bench.result_of("a")
    for kind in kinds:
        counts: Counter[str] = Counter()
        number = 1
        while True:
            bench.restore()
            ended = _strike(bench, number, kind)
            if not ended.killed and not ended.told.get("struck"):
                break
            counts["points"] += 1
            _judge(bench, ended, {"new": new, **bench.begun()}, counts, kind)
            if kind in KILLS:
                _rebuild(bench, new, counts)
            number += every
        yield kind.name, counts


def _strike(bench: Bench, number: int, kind: Kind) -> Ended:
    fault = Faults(number, kind)

    @contextlib.contextmanager
    def around() -> Iterator[None]:
        with bench.remembering(), fault:
            yield

    def act() -> object:
        try:
            told = bench.subject.run(bench.work, "a", around)._asdict()
        except BaseException as error:  # noqa: BLE001  # judged below
            told = {"failed": True, "raised": type(error).__name__, "said": traceback.format_exc()}
        return told | {"struck": fault.struck}

    return Child(act).join()


def _judge(bench: Bench, ended: Ended, known: dict[str, State], counts: Counter[str], kind: Kind | None = None) -> None:
    """Count which of the known states a run has left.

    A killed run may leave others, if each file is complete. So may a run that has reported a file it could not read.
    """
    found = bench.state()
    ours = {path: content for path, content in found.items() if path not in leftovers(found)}
    name = next((name for name, each in known.items() if each == ours), None)
    is_killed = kind is None or kind in KILLS
    is_told = any(words in ended.told.get("said", "") for words in ("not be read", "cannot be read", "was not read"))
    counts[name or ("between" if is_killed else "told" if is_told else "mixed")] += 1
    counts["leftovers"] += bool(leftovers(found))
    # Files missing before we begin were removed by the host: MkDocs empties the folder, file by file.
    problems = {"torn": torn(found), "missing": missing(ours) if bench.begun() else []}
    if ended.told.get("hung"):
        problems["hung"] = ["no end"]
    if kind and kind.name.startswith("OSError") and not ended.told.get("hung"):
        said = ended.told["said"]
        problems["traceback"] = [said] if "raised" in ended.told or "Traceback" in said else []
        is_silent = name == "old" and not ended.told["failed"] and "Input/output error" not in said
        problems["silent"] = [said] if is_silent else []
    if not name and not is_killed and not is_told:
        problems["mixed"] = [f"{ended.told} {sorted(ours)}"]
    for what, examples in problems.items():
        if examples:
            counts[what] += what != "mixed"
            show(f"{bench.subject.name}: {what}: {examples[0][-1500:]}", sys.stderr)


def _rebuild(bench: Bench, new: State, counts: Counter[str]) -> None:
    """Check that the next build repairs everything and removes drafts.

    A merge does not know of a ``.gz`` that was removed before it was killed; the next build of that sitemap does.
    """
    ended = bench.run("a").join()
    found = bench.state()
    lost = {path for path in new.keys() - found.keys() if path.endswith(".gz") and bench.subject is MERGE}
    counts["gz lost"] += len(lost)
    if ended.told.get("failed", True) or found != {path: new[path] for path in new.keys() - lost}:
        counts["next"] += 1
        odd = sorted(path for path in found.keys() | new.keys() if found.get(path) != new.get(path))
        show(f"{bench.subject.name}: the next build: {ended} {odd}", sys.stderr)


def kills(bench: Bench, times: int, chance: random.Random) -> Iterator[tuple[str, Counter[str]]]:
    """Kill it: half of the times at any moment, the others while we publish."""
    new = bench.result_of("a")
    bench.restore()
    before = bench.state()
    whole, ours = _measure(bench)
    for name, length in (("at any moment", whole), ("while we write", ours)):
        counts: Counter[str] = Counter()
        for _ in range(times // 2):
            bench.restore()
            moment = chance.uniform(0, length * 1.1)
            read, write = os.pipe()
            child = bench.run("a", partial(bench.remembering, write))
            os.close(write)
            if length is ours:
                os.read(read, 1)
            time.sleep(moment)
            child.kill()
            ended = child.join()
            os.close(read)
            counts["runs"] += 1
            counts["killed"] += ended.killed
            _judge(bench, ended, {"new": new, "before": before, **bench.begun()}, counts)
            _rebuild(bench, new, counts)
        yield f"SIGKILL {name}", counts


def _measure(bench: Bench) -> tuple[float, float]:
    """The seconds of a whole run, and of our part of it."""
    spent: list[float] = []

    @contextlib.contextmanager
    def around() -> Iterator[None]:
        began = time.monotonic()
        yield
        spent.append(time.monotonic() - began)

    def act() -> object:
        bench.subject.run(bench.work, "a", around)
        return {"spent": spent[0]}

    began = time.monotonic()
    ours: float = Child(act).join().told["spent"]
    return time.monotonic() - began, ours


def pairs(bench: Bench, times: int, chance: random.Random) -> Iterator[tuple[str, Counter[str]]]:
    """Run twice at once with different options: the result has to be that of one of the runs."""
    known = {"a": bench.result_of("a"), "b": bench.result_of("b")}
    known |= {"b after a": bench.result_of("a", "b"), "a after b": bench.result_of("b", "a")}
    bench.restore()
    whole, ours = _measure(bench)
    counts: Counter[str] = Counter()
    for number in range(times):
        bench.restore()
        begin = time.monotonic() + 0.01
        # The second starts at any time during the first, or so that both write at the same time.
        delays = {"a": 0.0, "b": chance.uniform(-ours, ours) if number % 2 else chance.uniform(-whole, whole)}
        children = [_at(begin + delay - min(delays.values()), bench, variant) for variant, delay in delays.items()]
        for child in children:
            ended = child.join()
            counts["failed"] += ended.told.get("failed", True)
            counts["said"] += "could not be" in ended.told.get("said", "")
            if f"{os.sep}sitemap_plugins{os.sep}" in ended.told.get("said", ""):  # not of the host
                counts["traceback"] += 1
                show(f"{bench.subject.name}: {ended.told['said'][-1500:]}", sys.stderr)
        counts["runs"] += 1
        found = bench.state()
        name = next((name for name, each in known.items() if each == found), "mixed")
        counts[name] += 1
        counts["leftovers"] += bool(leftovers(found))
        counts["torn"] += bool(torn(found))
        if name == "mixed":
            odd = {
                path: [each for each in known if known[each].get(path) == found.get(path)]
                for path in {*found, *known["a"]}
            }
            show(f"{bench.subject.name}: mixed: {odd}", sys.stderr)
    yield "two at once", counts


def _at(moment: float, bench: Bench, variant: str) -> Child:
    def act() -> object:
        time.sleep(max(0.0, moment - time.monotonic()))
        return bench.subject.run(bench.work, variant, contextlib.nullcontext)._asdict()

    return Child(act)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("faults", "kills", "pairs"))
    parser.add_argument("subjects", nargs="+", choices=SUBJECTS)
    parser.add_argument("--times", type=int, default=100, help="number of runs per subject")
    parser.add_argument("--every", type=int, default=1, help="for faults: strike only every Nth call")
    parser.add_argument("--kind", default="", help="for faults: only kinds whose names start with this")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    def time_out(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, time_out)
    chance = random.Random(options.seed)  # noqa: S311  # reproducible
    kinds = [kind for kind in (*KINDS, *KILLS) if kind.name.startswith(options.kind)]
    is_bad = False
    for name in options.subjects:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(SUBJECTS[name], Path(folder))
            if options.what == "faults":
                rows = faults(bench, kinds, options.every)
            else:
                rows = {"kills": kills, "pairs": pairs}[options.what](bench, options.times, chance)
            for title, counts in rows:
                shown = {key: counts[key] for key in (*sorted(counts.keys() - {*BAD}), *BAD)}
                numbers = "  ".join(f"{key} {number}" for key, number in shown.items())
                show(f"{name + ': ' + title:36} {numbers}", sys.stdout)
                is_bad |= any(counts[key] for key in BAD)
    return is_bad


if __name__ == "__main__":
    raise SystemExit(main())
