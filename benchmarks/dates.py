"""Measure what dating all documents of a repository costs: ours, git itself, and two other plugins that use git.

    pip install mkdocs mkdocs-git-revision-date-localized-plugin sphinx sphinx-last-updated-by-git
    python benchmarks/dates.py REPO DOCS [--suffix .md] [--rounds 5] [--slow-rounds 1]

All date the same files: the tracked files in the folder DOCS of the clone REPO, or only the ones with a suffix. A round
runs each contender once, one after the other; contenders that start a process for every file only run in the first
rounds. A peer that is not installed is skipped. Peers run their own code with their default settings, imported before
the clock starts:

- mkdocs-git-revision-date-localized: ``parallel_compute_commit_timestamps``, a pool with a process for each processor
  and ``git log --follow`` for each file;
- sphinx-last-updated-by-git: ``_env_updated``, a ``git log`` for each folder.

A date is wrong if it is not the instant of ``git log -1 --format=%cI -- FILE``. Both peers use the author's date of a
commit, so "wrong commit" counts only dates that are neither the committer's nor the author's date of the right commit.
If renames are followed, another commit is not a mistake but the rule.

The bare streams are the git commands that ours starts to read history, with their output discarded: to their natural
end, and up to the byte where ours had seen enough and ended them.
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

from sitemap_plugins.git import history as git_history
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, HistoryReader, Stream

Dates: TypeAlias = Mapping[str, int | None]
"""The seconds of each file's date."""


@dataclass
class Contender:
    """A program that dates all files, or does a part of that, and the time of each run."""

    name: str
    run: Callable[[], Dates | None]
    slow: bool = False
    follows: bool = False
    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    dates: Dates | None = None
    failure: str = ""

    def measure(self) -> None:
        begin, used = time.perf_counter(), processor_time()
        try:
            self.dates = self.run()
        except Exception as error:  # noqa: BLE001  # a peer that gives up is a result too
            self.failure = f"{type(error).__name__}: {str(error)[:200]}"
            return
        self.seconds.append(time.perf_counter() - begin)
        self.processor.append(processor_time() - used)


def processor_time() -> float:
    """The processor time in seconds of this process and its finished children."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class Recorder:
    """The git commands that one reading of the history starts, and the number of bytes that it reads of each."""

    def __init__(self) -> None:
        self.streams: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        self.read: list[int] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        recorder = self

        class Recorded(Stream):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                options["stdin"] = list(options.get("stdin", ()))
                self.number = len(recorder.streams)
                recorder.streams.append((arguments, options))
                recorder.read.append(0)
                super().__init__(*arguments, **options)

            def _chunks(self) -> Iterator[bytes]:
                for chunk in super()._chunks():
                    recorder.read[self.number] += len(chunk)
                    yield chunk

        git_history.Stream = Recorded
        try:
            yield
        finally:
            git_history.Stream = Stream

    def replay(self, *, whole: bool) -> None:
        for (arguments, options), enough in zip(self.streams, self.read, strict=True):
            size = 0
            with Stream(*arguments, **options) as stream:
                for chunk in stream._chunks():
                    size += len(chunk)
                    if not whole and size >= enough:
                        break


def ours(docs: str, suffixes: Sequence[str], rules: DateRules) -> Dates:
    history = HistoryReader(docs, suffixes, rules=rules).history()
    if history.problem:
        raise SystemExit(history.problem)
    return {os.fsdecode(name): date.when and int(date.when.timestamp()) for name, date in history.files.items()}


def output_of(docs: str, *arguments: str) -> str:
    done = subprocess.run(["git", "--literal-pathspecs", *arguments], cwd=docs, check=True, stdout=subprocess.PIPE)
    return os.fsdecode(done.stdout)


def names_only(docs: str, *paths: str) -> None:
    command = ["git", "log", "--name-only", "--format=%H", *paths]
    with subprocess.Popen(command, cwd=docs, stdout=subprocess.PIPE) as process:
        while process.stdout and process.stdout.read(1 << 17):
            pass


def one_by_one(docs: str, files: list[str], truth: dict[str, tuple[int, int]]) -> Dates:
    """Run ``git log -1`` for each file; its dates of author and committer are the truth for all others."""
    for file in files:
        _, committed, authored = output_of(docs, "log", "-1", "--format=%H|%cI|%aI", "--", file).strip().split("|")
        truth[file] = (seconds_of(committed), seconds_of(authored))
    return {file: committed for file, (committed, _) in truth.items()}


def seconds_of(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


def revision_date_localized(docs: str, files: list[str]) -> Callable[[], Dates]:
    plugin_module = importlib.import_module("mkdocs_git_revision_date_localized_plugin.plugin")
    util_module = importlib.import_module("mkdocs_git_revision_date_localized_plugin.util")

    def run() -> Dates:
        plugin = plugin_module.GitRevisionDateLocalizedPlugin()
        plugin.load_config({})
        plugin.util = util_module.Util(config=plugin.config, mkdocs_dir=docs)
        pages = [
            SimpleNamespace(
                is_documentation_page=lambda: True,
                generated_by=None,
                src_path=file,
                abs_src_path=f"{docs}/{file}",
            )
            for file in files
        ]
        plugin.parallel_compute_commit_timestamps(files=pages)
        return {os.path.relpath(path, docs): date for path, (_, date) in plugin.last_revision_commits.items()}

    return run


def last_updated_by_git(docs: str, files: list[str]) -> Callable[[], Dates]:
    module = importlib.import_module("sphinx_last_updated_by_git")
    config = SimpleNamespace(
        git_exclude_patterns=[],
        git_exclude_commits=[],
        git_untracked_show_sourcelink=False,
        git_untracked_check_dependencies=True,
    )
    app = SimpleNamespace(config=config, srcdir=Path(docs), verbosity=0)

    def run() -> Dates:
        env = SimpleNamespace(
            git_last_updated=dict.fromkeys(files),
            doc2path=lambda file, base=True: f"{docs}/{file}" if base else file,
            dependencies=defaultdict(set),
            srcdir=docs,
        )
        module._env_updated(app, env)
        known = {file: data[0] for file, data in env.git_last_updated.items() if data}
        return {file: date and int(date) for file, date in known.items()}

    return run


PEERS: Final = {
    "mkdocs-git-revision-date-localized": (revision_date_localized, True),
    "sphinx-last-updated-by-git": (last_updated_by_git, False),
}


def contenders(
    docs: str, suffixes: Sequence[str], files: list[str], truth: dict[str, tuple[int, int]]
) -> list[Contender]:
    found = []
    for name, rules in (("plain", PLAIN_DATES), ("renames followed", DateRules())):
        recorder = Recorder()
        with recorder.listening():
            ours(docs, suffixes, rules)
        number = f"{len(recorder.streams)} commands" if len(recorder.streams) > 1 else "1 command"
        found += [
            Contender(f"ours, {name}", lambda rules=rules: ours(docs, suffixes, rules), follows=rules.follow_renames),
            Contender(f"  its bare stream ({number})", lambda recorder=recorder: recorder.replay(whole=True)),
            Contender("  its bare stream, as far as read", lambda recorder=recorder: recorder.replay(whole=False)),
        ]
    found += [
        Contender("git log --name-only -- DOCS", lambda: names_only(docs, "--", ".")),
        Contender("git log --name-only", lambda: names_only(docs)),
        Contender("git log -1 -- FILE, for each", lambda: one_by_one(docs, files, truth), slow=True),
    ]
    for name, (prepare, is_slow) in PEERS.items():
        try:
            found.append(Contender(name, prepare(docs, files), slow=is_slow))
        except ImportError:
            print(f"{name} is not installed, so it is skipped")
    return found


def mistakes(each: Contender, truth: Mapping[str, tuple[int, int]]) -> str:
    """How many dates are wrong, how many are of another commit, and how many files have no date."""
    if each.dates is None:
        return ""
    known = {file: date for file, date in each.dates.items() if file in truth and date is not None}
    wrong = sum(date != truth[file][0] for file, date in known.items())
    other = sum(date not in truth[file] for file, date in known.items())
    return f"{wrong:7} {other:7} {len(truth) - len(known):8}" + ("  (by its rule)" if each.follows and wrong else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", metavar="REPO", help="a clone")
    parser.add_argument("docs", metavar="DOCS", help="a folder in it")
    parser.add_argument("--suffix", action="append", default=[], help="only files with this suffix; can be repeated")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--slow-rounds", type=int, default=1, help="rounds of contenders that start a process for every file"
    )
    options = parser.parse_args()
    docs = str(Path(options.repository, options.docs).resolve())
    listed = output_of(docs, "ls-files", "-z", "--", ".").split("\0")
    files = [name for name in listed if name and name.endswith(tuple(options.suffix) or "")]
    commits = output_of(docs, "rev-list", "--count", "HEAD").strip()
    kinds = f"with {' '.join(options.suffix)}" if options.suffix else "of all kinds"
    print(f"{docs}: {len(files)} files {kinds}, {commits} commits; {output_of(docs, 'version').strip()}")
    truth: dict[str, tuple[int, int]] = {}
    everyone = [each for each in contenders(docs, options.suffix, files, truth) if options.slow_rounds or not each.slow]
    for number in range(options.rounds):
        for each in everyone:
            if not each.failure and (not each.slow or number < options.slow_rounds):
                each.measure()
                print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print_table(everyone, truth)


def print_table(everyone: list[Contender], truth: Mapping[str, tuple[int, int]]) -> None:
    plain, renames = (statistics.median(everyone[index].seconds) for index in (0, 3))
    print(
        f"{'':36} rounds   median     (least to most) processor   x plain x renames   wrong  commit  no date\n"
        f"{'':36}             s                  s          s"
    )
    for each in everyone:
        if each.failure:
            print(f"{each.name:36} failed: {each.failure}")
            continue
        median = statistics.median(each.seconds)
        span = f"({min(each.seconds):7.3f} to {max(each.seconds):7.3f})"
        print(
            f"{each.name:36} {len(each.seconds):6} {median:8.3f} {span} "
            f"{statistics.median(each.processor):9.3f} {median / plain:9.2f} {median / renames:9.2f} "
            f"{mistakes(each, truth)}".rstrip()
        )
    print("ours against its own commands, median of the rounds:")
    for index in (0, 3):
        mine, whole, read = (each.seconds for each in everyone[index : index + 3])
        ratios = (statistics.median(a / b for a, b in zip(mine, bare, strict=True)) for bare in (whole, read))
        print(f"  {everyone[index].name}: {next(ratios):.2f} to their end, {next(ratios):.2f} as far as read")


if __name__ == "__main__":
    main()
