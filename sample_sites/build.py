"""Build the sample sites, show what their sitemaps hold, and compare them with what is expected.

Each sample is copied aside into a git repository of its own with the history of its ``history.toml``, and built by its
host as an author would build it, with warnings as errors. What must come out, byte for byte, is in its ``expected``.

A new sample is a folder with the site's files and a ``history.toml``, a line in `SAMPLES`, and one run with --update.
"""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
HISTORY = "history.toml"
EXPECTED = "expected"

# Variables by which a build finds out where it runs, and those that change what the hosts and git print.
FOREIGN_VARIABLES = (
    "CF_PAGES",
    "CI",
    "COLUMNS",
    "CONTEXT",
    "GITHUB_",
    "GITLAB_",
    "GIT_",
    "NETLIFY",
    "READTHEDOCS",
    "SOURCE_DATE_EPOCH",
    "VERCEL",
)
OWN_VARIABLES = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "NO_MKDOCS_2_WARNING": "true",  # an advertisement that Material for MkDocs prints otherwise
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONIOENCODING": "utf-8",
}

_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_SAID = re.compile(r"^(?:[A-Z]+ +- +)?sitemap: (?P<text>.*)$", re.MULTILINE)
_LEFT_OUT = re.compile(r"left out (?P<page>.*?): (?P<why>.*)")
_SUMMARY = re.compile(r"sitemap\.xml: \d+ URLs?, ")


class SampleError(Exception):
    """A sample that could not be built, with a message for people."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One site, published at ``url``.

    ``command`` is what follows ``python -m``, without the folder to build into at its end; the host comes first.
    ``needs`` are modules that must be installed beside the host. ``part_of`` is the folder whose history the sample
    shares with others.
    """

    name: str
    url: str
    command: tuple[str, ...]
    needs: tuple[str, ...] = ()
    part_of: str = ""

    @property
    def host(self) -> str:
        """The module of the program that builds the site."""
        return self.command[0]

    @property
    def root(self) -> Path:
        """The folder that becomes the repository."""
        return HERE / (self.part_of or self.name)

    @property
    def expected(self) -> Path:
        """The folder with the results that are expected."""
        return HERE / self.name / EXPECTED


_BUILD = ("build", "--strict", "--verbose", "--site-dir")
_SPHINX = ("sphinx", "-W", "-v", "-N", "-b")

SAMPLES = {
    sample.name: sample
    for sample in (
        Sample(name="mkdocs_plain", url="https://steep.example/", command=("mkdocs", *_BUILD)),
        Sample(
            name="mkdocs_material",
            url="https://driftwood.example/handbook/",
            command=("mkdocs", *_BUILD),
            needs=("material",),
        ),
        Sample(
            name="properdocs",
            url="https://lockkeeper.example/",
            command=("properdocs", *_BUILD),
            needs=("properdocs_theme_mkdocs",),
        ),
        Sample(
            name="sphinx_html",
            url="https://harbour.example/software/tidewatch/",
            command=(*_SPHINX, "html", "docs"),
        ),
        Sample(
            name="sphinx_dirhtml",
            url="https://hivescale.example/",
            command=(*_SPHINX, "dirhtml", "docs"),
            needs=("myst_parser", "furo"),
        ),
        Sample(
            name="twins/mkdocs",
            url="https://sundial.example/",
            command=("mkdocs", *_BUILD),
            part_of="twins",
        ),
        Sample(
            name="twins/sphinx",
            url="https://sundial.example/",
            command=(*_SPHINX, "dirhtml", "-c", ".", "../pages"),
            needs=("myst_parser",),
            part_of="twins",
        ),
    )
}


@dataclass(frozen=True, kw_only=True)
class Built:
    """A built site: where it is, and everything that the host printed."""

    site: Path
    log: str

    @property
    def said(self) -> list[str]:
        """What the plugin said in the log, line by line."""
        return [match["text"] for match in _SAID.finditer(_COLOUR.sub("", self.log))]

    @property
    def left_out(self) -> list[tuple[str, str]]:
        """The pages that were left out and why, sorted by page."""
        matches = (_LEFT_OUT.fullmatch(text) for text in self.said)
        return sorted((match["page"], match["why"]) for match in matches if match)

    @property
    def notes(self) -> list[str]:
        """What the plugin said beside the summary."""
        return [text for text in self.said if not _LEFT_OUT.fullmatch(text) and not _SUMMARY.match(text)]

    @property
    def results(self) -> dict[str, bytes]:
        """What is compared with the expected results: the content of each file, by its name."""
        written = (path for name in ("robots.txt", "sitemap.xml") if (path := self.site / name).is_file())
        left_out = "".join(f"{line}\n" for line in table(self.left_out))
        return {"left-out.txt": left_out.encode()} | {path.name: path.read_bytes() for path in written}

    @property
    def sitemap(self) -> bytes:
        """The sitemap; empty when none was written."""
        return self.results.get("sitemap.xml", b"")


def missing_modules(sample: Sample) -> list[str]:
    """What the sample needs and this interpreter cannot import."""
    return [name for name in (sample.host, *sample.needs) if importlib.util.find_spec(name) is None]


def make_repository(sample: Sample, folder: Path) -> None:
    """Make a git repository with the sample's files and its history, in a folder that does not exist yet.

    A file that several commits name had the first part of its lines at first, and then more and more of them.
    """
    files = source_files(sample.root)
    commits = tomllib.loads((sample.root / HISTORY).read_text("utf-8"))["commits"]
    named = [[path for entry in commit.get("files", ()) for path in expand(entry, files)] for commit in commits]
    versions = Counter(path for paths in named for path in paths)
    if forgotten := sorted(set(files) - set(versions)):
        message = f"{sample.root.name}/{HISTORY} commits no {forgotten[0]}"
        raise SampleError(message)

    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    seen: Counter[str] = Counter()
    branches = set()
    for commit, paths in zip(commits, named, strict=True):
        branch = commit.get("branch", "main")
        if branch != "main":
            git(folder, "switch", "--quiet", *(() if branch in branches else ("--create",)), branch)
            branches.add(branch)
        if "merge" in commit:
            arguments = ("merge", "--quiet", "--no-ff", "-m", commit["message"], commit["merge"])
            git(folder, *arguments, when=commit["date"])
        else:
            for path in paths:
                seen[path] += 1
                lines = (sample.root / path).read_bytes().splitlines(keepends=True)
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(b"".join(lines[: len(lines) * seen[path] // versions[path]]))
            git(folder, "add", "--all")
            git(folder, "commit", "--quiet", "-m", commit["message"], when=commit["date"])
        if branch != "main":
            git(folder, "switch", "--quiet", "main")


def source_files(root: Path) -> list[str]:
    """The paths of a sample's files below its folder, without the history and the expected results."""
    paths = (path.relative_to(root) for path in sorted(root.rglob("*")) if path.is_file())
    apart = {HISTORY, EXPECTED, "__pycache__"}
    return [path.as_posix() for path in paths if apart.isdisjoint(path.parts)]


def expand(entry: str, files: Sequence[str]) -> list[str]:
    """The files that an entry of the history names: one file, or all of a folder."""
    found = [path for path in files if path == entry or path.startswith(f"{entry}/")]
    if not found:
        message = f"{HISTORY} names {entry}, and there is no such file or folder"
        raise SampleError(message)
    return found


def git(folder: Path, *arguments: str, when: str = "") -> None:
    """Run git without anybody's configuration, as the samples' one author."""
    who = {"NAME": "A Writer", "EMAIL": "writer@example.org", "DATE": when}
    identity = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in who.items()}
    run(["git", "-c", "maintenance.auto=false", *arguments], folder, identity if when else {})


def run(command: Sequence[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    """Run a command in an environment that is the same everywhere, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN_VARIABLES)}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment | OWN_VARIABLES | (variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        message = f"{' '.join(command)}\nended with status {done.returncode} and printed:\n\n{done.stdout}"
        raise SampleError(message)
    return done.stdout


def build(sample: Sample, repository: Path, site: Path) -> Built:
    """Build the site from its repository, or a clone of that, into a folder outside of it."""
    configuration = repository / Path(sample.name).relative_to(sample.part_of or sample.name)
    return Built(site=site, log=run([sys.executable, "-m", *sample.command, str(site)], configuration))


def build_afresh(sample: Sample, folder: Path) -> Built:
    """Make the repository and build the site, below a folder that holds neither yet."""
    make_repository(sample, folder / "repository")
    return build(sample, folder / "repository", folder / "site")


def read_expected(sample: Sample) -> dict[str, bytes]:
    """The results that are expected: the content of each file, by its name."""
    return {path.name: path.read_bytes() for path in sample.expected.glob("*")}


def renew_expected(sample: Sample, built: Built) -> None:
    """Expect from now on what this build gave."""
    shutil.rmtree(sample.expected, ignore_errors=True)
    sample.expected.mkdir()
    for name, content in built.results.items():
        (sample.expected / name).write_bytes(content)


def complaint(sample: Sample, built: Built) -> str:
    """How the results differ from the expected ones, and what renews those; empty when nothing differs."""
    results, expected = built.results, read_expected(sample)
    lines: list[str] = []
    for name in sorted(results.keys() | expected.keys()):
        if results.get(name) == expected.get(name):
            continue
        lines += difflib.unified_diff(
            expected.get(name, b"").decode(errors="replace").splitlines(),
            results.get(name, b"").decode(errors="replace").splitlines(),
            f"expected {name}" if name in expected else f"no {name} is expected",
            f"built {name}" if name in results else f"no {name} was built",
            lineterm="",
        ) or [f"{name} differs in its line ends"]
    if not lines:
        return ""
    renew = f"If that is right, renew it with: python sample_sites/build.py --update {sample.name}"
    return "\n".join([f"{sample.name} is not as expected:", *lines, renew])


def table(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Lines with two columns."""
    width = max((len(first) for first, _ in rows), default=0)
    return [f"{first:{width}}  {second}" for first, second in rows]


def report(sample: Sample, built: Built) -> str:
    """What a person wants to know of the built site."""
    urls = [line for line in built.sitemap.decode().splitlines() if line.startswith("<url>")]
    numbers = {
        "URLs": len(urls),
        "dated": sum("<lastmod>" in line for line in urls),
        "left out": len(built.left_out),
    }
    lines = [sample.name, "=" * len(sample.name), sample.url, f"python -m {' '.join(sample.command)} SITE", ""]
    lines += [f"{name:8} {number:3}" for name, number in numbers.items()]
    lines += ["", *(f"  {line}" for line in table(built.left_out))] if built.left_out else []
    lines += ["", *(f"note: {note}" for note in built.notes)] if built.notes else []
    return "\n".join([*lines, "", *urls[:4], *(["…"] if urls[4:] else []), ""])


def show(sample: Sample, folder: Path, *, update: bool) -> str:
    """Build one sample below a folder, print the report and return what is wrong with it, if anything."""
    try:
        built = build_afresh(sample, folder)
    except SampleError as error:
        return f"{sample.name} could not be built: {error}"
    print(report(sample, built), flush=True)
    if update:
        renew_expected(sample, built)
    return complaint(sample, built)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What is wanted on the command line; ``samples`` are those to build."""
    parser = argparse.ArgumentParser(
        description="Build the sample sites and compare them with what is expected.",
        epilog="Without NAME and --host, the samples whose host is not installed are passed over.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SAMPLES))
    parser.add_argument("--host", choices=sorted({sample.host for sample in SAMPLES.values()}), help="only its samples")
    parser.add_argument("--output", type=Path, metavar="DIR", help="keep the repositories and the built sites in DIR")
    parser.add_argument("--update", action="store_true", help="renew the expected results")
    wanted = parser.parse_args(arguments)
    for name in wanted.names:
        if name not in SAMPLES:
            parser.error(f"there is no sample {name}")
    samples = [SAMPLES[name] for name in dict.fromkeys(wanted.names or SAMPLES)]
    wanted.samples = [sample for sample in samples if wanted.host in {None, sample.host}]
    for sample in wanted.samples:
        if wanted.output and (wanted.output / sample.name).exists():
            parser.error(f"{wanted.output / sample.name} is there already; remove it, or name another folder")
    return wanted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the result is its exit status."""
    wanted = parse_arguments(arguments)
    problems = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = (wanted.output or Path(temporary)).resolve()
        for sample in wanted.samples:
            if missing := missing_modules(sample):
                problem = f"{sample.name} was not built, because {' and '.join(missing)} cannot be imported"
                if not (wanted.names or wanted.host):
                    print(problem, end="\n\n")
                    continue
            else:
                problem = show(sample, folder / sample.name, update=wanted.update)
            problems += [problem] if problem else []
    for problem in problems:
        print(problem, end="\n\n", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
