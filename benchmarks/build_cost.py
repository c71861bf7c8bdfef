"""Measure what the plugin costs a build: whole builds with and without it, in seconds of processor time.

    python benchmarks/build_cost.py                               # generated sites of all sizes; about an hour
    python benchmarks/build_cost.py --pages 20 --pages 150        # only these sizes; ten minutes
    python benchmarks/build_cost.py --without COMMAND --with COMMAND     # your project

Each generated site is built by Material for MkDocs, Sphinx with furo, and Zensical, after which our command runs. Give
your own project as two commands of the shell, each of which builds everything anew.

A pair is a build without and a build with the plugin, in turn; one pair to warm up does not count. The difference is
the median of the pairs. The two numbers after it are the quartiles: of 15 pairs, they enclose the true median with a
probability of 96%. If they are further apart than the difference is large, there is no conclusion. The time is that of
all processes that a build starts, so it includes git. The load of the machine should stay near 1, which is the build.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

SIZES: Final = [20, 150, 1500]
README: Final = Path(__file__).parents[1] / "README.md"
MARKS: Final = ("<!-- --8<-- [start:cost] -->\n\n", "\n\n<!-- --8<-- [end:cost] -->")
HEAD: Final = ["| pages | tool | without | with | difference | share |", "| ---: | --- | ---: | ---: | --- | ---: |"]

SENTENCE: Final = "A sentence with *emphasis*, a [link](https://example.org/) and `code`, as long as in a manual. "
CODE: Final = "```python\ndef example(value: int) -> int:\n    return value + 1\n```\n"
SECTIONS: Final = "\n".join(f"## Section {number}\n\n{SENTENCE * 5}\n\n{CODE}\n" for number in range(8))
MKDOCS: Final = """\
site_name: A manual
site_url: https://docs.example.org/
theme: {name: material, features: [navigation.prune]}
markdown_extensions: [pymdownx.highlight, pymdownx.superfences, toc]
"""
SPHINX: Final = """\
html_baseurl = "https://docs.example.org/"
html_theme = "furo"
suppress_warnings = ["toc.not_included"]
"""
# What each tool runs without the plugin, and with it.
COMMANDS: Final = {
    "Material for MkDocs": ("mkdocs build -q", "mkdocs build -q -f with.yml"),
    "Sphinx with furo": tuple(
        f"sphinx-build -q -c . -D extensions={extensions} docs site"
        for extensions in ("myst_parser", "myst_parser,sitemap_plugins.sphinx")
    ),
    "Zensical, then our command": ("zensical build", "zensical build && sitemap-plugins build"),
}


class Cost(NamedTuple):
    """Seconds of a build without and with the plugin, and the quartiles of the differences."""

    without: float
    with_it: float
    low: float
    median: float
    high: float

    def cells(self) -> list[str]:
        is_clear = self.high - self.low <= self.median
        spread = f"{self.low:.2f} to {self.high:.2f} s"
        difference = f"{self.median:.2f} s ({spread})" if is_clear else f"no conclusion ({spread})"
        share = f"{self.median / self.without:.1%}" if is_clear else ""
        return [f"{self.without:.2f} s", f"{self.with_it:.2f} s", difference, share]


def write_site(folder: Path, pages: int) -> None:
    """A site with some kilobytes and one commit for each page, and fifty pages in each folder."""
    files = {"mkdocs.yml": f"{MKDOCS}plugins: [search]\n", "with.yml": f"{MKDOCS}plugins: [search, sitemap]\n"}
    files["conf.py"] = SPHINX
    for number in range(pages):
        name = f"part-{number // 50}/page-{number}.md" if number else "index.md"
        files[f"docs/{name}"] = f"# Page {number}\n\n{SECTIONS}"
    stream = "".join(
        f"commit refs/heads/main\ncommitter A Writer <writer@example.org> {1_700_000_000 + at} +0000\n"
        f"data 4\nPageM 100644 inline {name}\ndata {len(text)}\n{text}\n"
        for at, (name, text) in enumerate(files.items())
    )
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", folder], check=True)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=stream, text=True, check=True)
    subprocess.run(["git", "reset", "--quiet", "--hard"], cwd=folder, check=True)


def seconds_of(command: str, folder: Path, environment: dict[str, str]) -> float:
    """The processor time of a command and of all that it starts, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    shell = ["sh", "-c", f"{command} 2>&1"]
    done = subprocess.run(shell, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{command} failed:\n{done.stdout}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def measure(commands: tuple[str, ...], folder: Path, pairs: int, output: tuple[str, ...] = ()) -> Cost:
    """Run both commands in turn; ``output`` is removed before each run."""
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "true"}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installation compiles all modules
    times = []
    for number in range(pairs + 1):
        environment["PYTHONHASHSEED"] = str(number)  # the seed changes the time, so both builds of a pair have the same
        seconds = []
        for command in commands:
            for name in output:
                shutil.rmtree(folder / name, ignore_errors=True)
            seconds.append(seconds_of(command, folder, environment))
        times.append(seconds)
    del times[0]
    without, with_it = zip(*times, strict=True)
    quartiles = statistics.quantiles([late - early for early, late in times], n=4)
    return Cost(statistics.median(without), statistics.median(with_it), *quartiles)


def measure_sites(sizes: list[int], pairs: int) -> Iterator[list[str]]:
    """The rows of the table, cell by cell."""
    for pages in sizes:
        for tool, commands in COMMANDS.items():
            with tempfile.TemporaryDirectory() as folder:
                write_site(Path(folder), pages)
                cost = measure(commands, Path(folder), pairs, ("site", ".cache"))
            yield [f"{pages:,}", tool, *cost.cells()]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--pages", type=int, action="append", help="the size of a generated site; may be repeated")
    parser.add_argument("--update", action="store_true", help="write the table into the README")
    parser.add_argument("--without", help="builds your project without the plugin")
    parser.add_argument("--with", dest="with_it", help="builds your project with the plugin")
    options = parser.parse_args()
    if bool(options.without) != bool(options.with_it):
        parser.error("--without and --with belong together")
    print(f"load {os.getloadavg()[0]:.1f} before", flush=True)
    if options.without:
        cost = measure((options.without, options.with_it), Path.cwd(), options.pairs)
        rows = iter([["", "this project", *cost.cells()]])
    else:
        rows = measure_sites(options.pages or SIZES, options.pairs)
    table = [*HEAD]
    for cells in rows:
        table.append(f"| {' | '.join(cells)} |")
        print(f"{table[-1]} load {os.getloadavg()[0]:.1f}", flush=True)
    if options.update:
        before, rest = README.read_text(encoding="utf-8").split(MARKS[0])
        text = "\n".join(table).join(MARKS) + rest.partition(MARKS[1])[2]
        README.write_text(before + text, encoding="utf-8")


if __name__ == "__main__":
    main()
