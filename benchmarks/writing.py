"""Measure writing sitemaps to disk: ours against plain writes of the same bytes, and against three other libraries.

    pip install jinja2 lxml
    python benchmarks/writing.py [URLS ALTERNATES]

Without arguments: 50,000, 200,000 and 1,000,000 URLs, each with 0, 5 and 20 alternates; about seven minutes. Every URL
has one of a few thousand dates, as from commits. That is the best case, because the texts of dates are cached; without
alternates, the worst case is measured as well, a different date for each URL. The pages of a cluster share their
alternates. All write the same entries, split into the same files, with an index. The clock runs from the page list in
memory to closed files on disk:

- lines: a plain write of lines that were rendered before, one piece of bytes for each URL;
- blocks: a plain write of the same bytes in blocks of 100 kB, without any work on single URLs. It depends on how fast a
  machine copies memory, so compare ratios to it only within one machine;
- ours: ``render`` and ``write``, including drafts and renaming, without gzip;
- ElementTree: a tree for each file, as ``xml.etree`` writes it;
- Jinja2: a template like the one in MkDocs, rendered as text for each file;
- lxml: ``lxml.etree.xmlfile``, an element for each URL. A peer that is not installed is skipped.

A round runs each contender once, one after the other, in a new folder of the temporary folder (``TMPDIR`` chooses the
disk), which is removed afterwards; slow peers only run in the first rounds. Ratios are medians of the ratios within
rounds. Each contender is a process, forked from the one with the page list. Its peak is ``ru_maxrss`` minus the value
before the first round, because memory of C code counts too. For ours, the peak by ``tracemalloc`` is given as well,
from a round that is not timed: unlike ``ru_maxrss``, it includes memory that was free before.
"""

from __future__ import annotations

import gc
import gzip
import importlib.util
import multiprocessing
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

from writers import PEERS, SETTINGS, Blocks, Lines, Ours

from sitemap_plugins import Page, Site
from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.model import Alternate, Arrangement, Candidate, Entry
from sitemap_plugins.sitemaps.arranging import arrange

COMBINATIONS: Final = [(urls, links) for urls in (50_000, 200_000, 1_000_000) for links in (0, 5, 20)]
CODES: Final = "ar bg cs da de el en es fi fr he hi hu it ja ko nl pl pt ru sv tr uk vi zh"
SITE: Final = Site(base_url="https://docs.example.org/")
PLACES: Final = ("administration", "concepts", "deployment", "examples", "integrations", "operations", "tutorials")
FIRST: Final = datetime(2026, 1, 1, tzinfo=UTC)
DATES: Final = [FIRST + timedelta(minutes=7 * number) for number in range(5000)]
ROUNDS: Final = 7
PATIENCE: Final = 5.0  # seconds after which a peer runs in no further round
TOO_MUCH: Final = 10_000_000  # URLs and links together: minutes for each of the peers
MIB: Final = 1 << 20
FORK: Final = multiprocessing.get_context("fork")


def pages(urls: int, alternates: int, *, own_dates: bool = False) -> list[Candidate]:
    """The page list in order, language by language, as hosts collect it; a cluster shares its alternates."""
    dates = [FIRST + timedelta(seconds=37 * number) for number in range(urls)] if own_dates else DATES
    languages = CODES.split()[: alternates or 1]
    each = range(urls // len(languages))
    names = [f"guides/{PLACES[number * 7 // len(each)]}/page-{number:06}/" for number in each]
    locs = [[f"{SITE.base_url}{code}/{name}" for code in languages] for name in names]
    links = [
        tuple(Alternate(hreflang=code, href=loc) for code, loc in zip(languages, cluster, strict=True))
        if alternates
        else ()
        for cluster in locs
    ]
    return [
        Candidate(
            page=Page(loc=locs[number][which], name=names[number]),
            path=names[number],
            entry=Entry(loc=locs[number][which], lastmod=dates[number * 7919 % len(dates)], alternates=links[number]),
        )
        for which in range(len(languages))
        for number in each
    ]


@contextmanager
def new_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="writing-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def seconds_of(run: Callable[[Path], object]) -> float:
    with new_folder() as folder:
        begin = time.perf_counter()
        run(folder)
        return time.perf_counter() - begin


def highest() -> int:
    """The peak memory of this process in bytes; after a fork, this is its current memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


Kind: TypeAlias = Callable[[Arrangement], Callable[[Path], None]]
"""Prepares a contender; this is not measured."""


class Contender:
    """A writer, in its own process with the page list."""

    def __init__(self, name: str, kind: Kind, arrangement: Arrangement) -> None:
        self.name = name
        self.seconds: list[float] = []
        self.peak = 0
        self._pipe, theirs = FORK.Pipe()
        self._process = FORK.Process(target=self._serve, args=(kind, arrangement, theirs), daemon=True)
        self._process.start()
        self._pipe.recv()

    @staticmethod
    def _serve(kind: Kind, arrangement: Arrangement, pipe: Any) -> None:
        run = kind(arrangement)
        for sitemap in arrangement.sitemaps:
            for entry in sitemap.entries:  # the first access after a fork copies the memory
                _ = (entry.loc, entry.lastmod, [link.href for link in entry.alternates])
        before = highest()
        pipe.send(None)
        for way in iter(pipe.recv, None):
            is_traced = way == "traced"
            if is_traced:
                tracemalloc.start()
            seconds = seconds_of(run)
            pipe.send((seconds, tracemalloc.get_traced_memory()[1] if is_traced else highest() - before))

    def measure(self, *, counts: bool = True) -> None:
        self._pipe.send("timed")
        seconds, self.peak = self._pipe.recv()
        if counts:
            self.seconds.append(seconds)

    def traced(self) -> int:
        """Its peak memory by `tracemalloc`; call this after all measurements."""
        self._pipe.send("traced")
        return int(self._pipe.recv()[1])

    def end(self) -> None:
        self._pipe.send(None)
        self._process.join()

    def times(self, other: Contender) -> list[float]:
        return sorted(mine / its for mine, its in zip(self.seconds, other.seconds, strict=False))


def grouped(candidates: list[Candidate]) -> Arrangement:
    return arrange(SITE, candidates, SETTINGS)[0]


def peak_of_arranging(candidates: list[Candidate]) -> int:
    """The peak memory in bytes while the arrangement is made, in a run that is not timed."""
    gc.collect()
    tracemalloc.start()
    grouped(candidates)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def compare(urls: int, alternates: int, own_dates: bool) -> None:  # noqa: FBT001  # an argument of a process
    candidates = pages(urls, alternates, own_dates=own_dates)
    begin = time.perf_counter()
    arrangement = grouped(candidates)
    seconds = time.perf_counter() - begin
    sitemaps = arrangement.sitemaps
    size = sum(len(chunk) for sitemap in sitemaps for chunk in SitemapWriter().render(sitemap.entries))
    print(
        f"\n{urls:,} URLs x {alternates} alternates{', a date for each' * own_dates}: {size / 1e6:,.1f} MB in "
        f"{len(sitemaps)} + {len(arrangement.indexes)} files; arranging (sizes, split, order) took {seconds:.2f} s and "
        f"{peak_of_arranging(candidates) / MIB:.1f} MiB (by tracemalloc)"
    )
    everyone = [
        Contender(name, kind, arrangement) for name, kind in {"lines": Lines, "blocks": Blocks, "ours": Ours}.items()
    ]
    if urls * (alternates + 1) > TOO_MUCH:
        print("the peers are skipped: with so many links each takes minutes")
    else:
        for name, kind in PEERS.items():
            if importlib.util.find_spec(kind.module.partition(".")[0]):
                everyone.append(Contender(name, kind, arrangement))
            else:
                print(f"{name} is not installed, so it is skipped")
    lines, blocks, ours = everyone[:3]
    for each in (lines, blocks, ours):
        each.measure(counts=False)  # the first use of memory is slower
    for _ in range(ROUNDS):
        for each in everyone:
            if each in {lines, blocks, ours} or sum(each.seconds) < PATIENCE:
                each.measure()
    print("              rounds   median   (least to most)   x lines  (least to most)  x blocks   x ours   peak MiB")
    for each in everyone:
        ratios = each.times(lines)
        if each is ours:
            memory = f"{each.peak / MIB:10.1f} ({each.traced() / MIB:.1f} by tracemalloc)"
        else:
            memory = "" if each in {lines, blocks} else f"{each.peak / MIB:10.1f}"
        print(
            f"{each.name:14} {len(each.seconds):5} {statistics.median(each.seconds):8.3f} "
            f"({min(each.seconds):7.3f} to {max(each.seconds):7.3f}) {statistics.median(ratios):7.2f}  "
            f"({ratios[0]:6.2f} to {ratios[-1]:6.2f}) {statistics.median(each.times(blocks)):9.2f} "
            f"{statistics.median(each.times(ours)):8.2f} {memory}".rstrip(),
            flush=True,
        )
        each.end()


def compare_gzip(alternates: int) -> None:
    """Compress a file of the largest size: ours against the program gzip and Python's own module."""
    entries = [each.entry for each in pages(20_000 if alternates else 50_000, alternates)]
    with new_folder() as place:
        source = place / "sitemap.xml"
        source.write_bytes(b"".join(SitemapWriter().render(entries)))
        size = source.stat().st_size

        def ours(folder: Path) -> None:
            with source.open("rb") as read, (folder / "ours.gz").open("xb") as file:
                file.writelines(compress(iter(lambda: read.read(1 << 18), b"")))

        def program(folder: Path) -> None:
            with (folder / "program.gz").open("xb") as file:
                subprocess.run(["gzip", "-6", "-n", "-c", str(source)], stdout=file, check=True)

        def module(folder: Path) -> None:
            (folder / "module.gz").write_bytes(gzip.compress(source.read_bytes(), 6, mtime=0))

        rounds = [[seconds_of(run) for run in (ours, program, module)] for _ in range(ROUNDS)]
    ratios = [sorted(each[0] / each[other] for each in rounds) for other in (1, 2)]
    medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
    print(
        f"gzip of {size / 1e6:.1f} MB ({alternates} alternates): ours {medians[0]:.3f} s, "
        f"gzip -6 -n {medians[1]:.3f} s, gzip.compress {medians[2]:.3f} s; ours to them "
        + ", ".join(f"{statistics.median(each):.2f} ({each[0]:.2f} to {each[-1]:.2f})" for each in ratios)
    )


def main() -> None:
    chosen = [(int(sys.argv[1]), int(sys.argv[2]))] if sys.argv[2:] else COMBINATIONS
    print(f"Python {sys.version.partition(' ')[0]}, load {os.getloadavg()[0]:.2f}, files in {tempfile.gettempdir()}")
    begin = time.perf_counter()
    tasks: list[tuple[Callable[..., None], tuple[int, ...]]] = [
        (compare, (urls, links, own)) for urls, links in chosen for own in ((False,) if links else (False, True))
    ]
    for task, arguments in [*tasks, (compare_gzip, (0,)), (compare_gzip, (20,))]:
        # Each in its own process, which cannot reuse the memory of another one.
        process = FORK.Process(target=task, args=arguments)
        process.start()
        process.join()
    print(f"load {os.getloadavg()[0]:.2f} at the end, {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
