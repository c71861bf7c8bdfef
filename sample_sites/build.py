"""Build the sample sites, show their sitemaps, and compare the results with the expected ones.

Each sample is copied into its own git repository with the history in its ``history.toml``, and built by its host as an
author would build it, with warnings as errors. Languages and versions that are built separately are merged afterwards.
The results must equal the files in its ``expected``, byte for byte; that folder can also have a list made by hand.

To add a sample, add a folder with the site's files and a ``history.toml``, and a line in `SAMPLES`, and run --update.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
HISTORY = "history.toml"
EXPECTED = "expected"
IGNORED = ".git-blame-ignore-revs"
RECORD = "site-record.json"
BY_HAND = "media.txt"  # in the expected results: a list that no build updates
FURTHER = ("robots.txt", RECORD, "sitemap*.txt", "*.rss", "*.atom")  # files to compare besides the sitemaps
SITE = "SITE"  # in a command: the folder to build into
PUBLISHER = "sitemap_plugins"  # the program that merges separate builds
# What is run for a program in a command, if it is no module that ``python -m`` runs.
APART = {
    "git": ["git"],
    "mike": [sys.executable, "-c", "import sys; from mike.driver import main; sys.exit(main())"],
    "mv": [sys.executable, "-c", "import shutil, sys; shutil.move(*sys.argv[1:])"],
}

# Variables that tell a build where it runs, or change the output of the hosts and git.
FOREIGN_VARIABLES = (
    "CF_PAGES",
    "CI",
    "COLUMNS",
    "CONTEXT",
    "FORCE_COLOR",
    "GITHUB_",
    "GITLAB_",
    "GIT_",
    "NETLIFY",
    "NO_COLOR",
    "READTHEDOCS",
    "SOURCE_DATE_EPOCH",
    "VERCEL",
)
OWN_VARIABLES = {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",  # mike runs the host that it finds first
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_DEFAULT_HASH": "sha1",  # the record names commits
    "NO_MKDOCS_2_WARNING": "true",  # suppresses an advertisement by Material for MkDocs
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONIOENCODING": "utf-8",
}

_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_LOGGED = re.compile(r"^(?:[A-Z]+ +- +)?sitemap: (?P<text>.*)$", re.MULTILINE)
_LEFT_OUT = re.compile(r"left out (?P<page>.*?): (?P<why>.*)")
# How Material for MkDocs and the themes of Sphinx show a date.
_SHOWN = re.compile(
    r'class="md-icon" title="(?P<what>[\w ]+)">\s*<svg.*?</svg>\s*</span>\s*(?P<date>[^<]*?)\s*</span>'
    r"|Last updated on (?P<day>[^<.]*)",
    re.DOTALL,
)
_OWN_BUILD = f"{PUBLISHER} build"
_SUMMARY = re.compile(r"\S*sitemap\.xml(?: \(\d+ sitemaps\))?(?:, \S+(?: \(\d+ sitemaps\))?)*: \d+ URLs?, ")


class SampleError(Exception):
    """A sample could not be built; has a message for people."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One site, published at ``url``; pages for other hosts are at ``other_urls``.

    ``commands`` are run in order; each is a module for ``python -m`` or a name in `APART`, and arguments, with ``SITE``
    for the folder to build into. If Zensical is installed, ``with_zensical`` are run instead. ``host`` is the module of
    the program that builds the site, and ``needs`` are others that must be installed. ``deployed`` is the date of all
    commits that commands make. ``part_of`` is the folder whose history the sample shares with others.
    """

    name: str
    url: str
    commands: tuple[tuple[str, ...], ...]
    host: str = "mkdocs"
    needs: tuple[str, ...] = ()
    with_zensical: tuple[tuple[str, ...], ...] = ()
    deployed: str = ""
    other_urls: tuple[str, ...] = ()
    part_of: str = ""

    @property
    def chosen(self) -> tuple[tuple[str, ...], ...]:
        """The commands that this interpreter runs."""
        return self.with_zensical if self.with_zensical and find_spec("zensical") else self.commands

    @property
    def builder(self) -> str:
        """The program that builds the site here, with its version."""
        name = next(command[0] for command in self.chosen if command[0] != "git")
        return f"{name} {version(name)}"

    @property
    def root(self) -> Path:
        """The folder that becomes the repository."""
        return HERE / (self.part_of or self.name)

    @property
    def expected(self) -> Path:
        """The folder with the expected results."""
        return HERE / self.name / EXPECTED


_BUILD = ("build", "--strict", "--verbose", "--site-dir", SITE)
_SPHINX = ("sphinx", "-W", "-v", "-N", "-b")
_MERGE = (PUBLISHER, "merge", SITE)


def _translated(language: str) -> tuple[str, ...]:
    """The command for one language of the sample gettext."""
    base_url = f"html_baseurl=https://carillon.example/{language}/"
    return (*_SPHINX, "html", "-D", f"language={language}", "-D", base_url, "docs", f"{SITE}/{language}")


def _deployed(release: str, *aliases: str) -> tuple[tuple[str, ...], ...]:
    """The commands that deploy a release of the sample versions from its tag."""
    return ("git", "checkout", "--quiet", release), ("mike", "deploy", "--update-aliases", release, *aliases)


SAMPLES = {
    sample.name: sample
    for sample in (
        Sample(name="mkdocs_plain", url="https://steep.example/", commands=(("mkdocs", *_BUILD),)),
        Sample(
            name="mkdocs_material",
            url="https://driftwood.example/handbook/",
            commands=(("mkdocs", *_BUILD),),
            needs=("material",),
        ),
        Sample(
            name="properdocs",
            url="https://lockkeeper.example/",
            commands=(("properdocs", *_BUILD),),
            host="properdocs",
            needs=("properdocs_theme_mkdocs",),
        ),
        Sample(
            name="sphinx_html",
            url="https://harbour.example/software/tidewatch/",
            commands=((*_SPHINX, "html", "docs", SITE),),
            host="sphinx",
        ),
        Sample(
            name="sphinx_dirhtml",
            url="https://hivescale.example/",
            commands=((*_SPHINX, "dirhtml", "docs", SITE),),
            host="sphinx",
            needs=("myst_parser", "furo"),
        ),
        Sample(
            name="twins/mkdocs",
            url="https://sundial.example/",
            commands=(("mkdocs", *_BUILD),),
            part_of="twins",
        ),
        Sample(
            name="twins/sphinx",
            url="https://sundial.example/",
            commands=((*_SPHINX, "dirhtml", "-c", ".", "../pages", SITE),),
            host="sphinx",
            needs=("myst_parser",),
            part_of="twins",
        ),
        Sample(
            name="i18n_suffix",
            url="https://paperkite.example/",
            commands=(("mkdocs", *_BUILD),),
            needs=("material", "mkdocs_static_i18n"),
        ),
        Sample(
            name="i18n_folder",
            url="https://quern.example/",
            commands=(("mkdocs", *_BUILD),),
            needs=("mkdocs_static_i18n",),
            other_urls=("https://fr.quern.example/",),
        ),
        Sample(
            name="alternate",
            url="https://toolshed.example/",
            commands=(
                ("mkdocs", *_BUILD),
                ("mkdocs", *_BUILD[:-1], f"{SITE}/de", "--config-file", "mkdocs.de.yml"),
                _MERGE,
            ),
            needs=("material",),
        ),
        Sample(
            name="gettext",
            url="https://carillon.example/",
            commands=((*_SPHINX, "html", "docs", SITE), _translated("nl"), _translated("fr"), _MERGE),
            host="sphinx",
        ),
        Sample(
            name="gallery",
            url="https://lanternroom.example/",
            commands=(("mkdocs", *_BUILD),),
            needs=("material",),
        ),
        Sample(
            name="blog",
            url="https://milepost.example/",
            commands=(("mkdocs", *_BUILD),),
            needs=("material",),
        ),
        Sample(
            name="zensical",
            url="https://kiln.example/",
            commands=(("mkdocs", *_BUILD),),
            with_zensical=(("zensical", "build", "--clean"), (PUBLISHER, "build", "--verbose"), ("mv", "site", SITE)),
            needs=("material", "mkdocs_literate_nav", "mkdocs_macros", "mkdocs_redirects", "mkdocstrings_handlers"),
        ),
        Sample(
            name="versions",
            url="https://weathervane.example/",
            commands=(
                *_deployed("1.0"),
                *_deployed("2.0", "stable"),
                *_deployed("3.0", "stable"),
                (PUBLISHER, "diff", "gh-pages~1", "gh-pages", "--fail-on", "nothing"),
                (PUBLISHER, "merge", "--retire", "--branch", "gh-pages"),
                ("git", "clone", "--quiet", "--branch", "gh-pages", ".", SITE),
                (PUBLISHER, "check", SITE),
                (PUBLISHER, "retire", "--undo", "--branch", "gh-pages"),
                ("git", "switch", "--quiet", "main"),
            ),
            needs=("mike", "properdocs_theme_mkdocs"),
            deployed="2026-05-04T12:00:00+02:00",
        ),
        Sample(
            name="handbook",
            url="https://orchard.example/",
            commands=((*_SPHINX, "html", "docs", SITE),),
            host="sphinx",
            needs=("myst_parser", "furo"),
        ),
    )
}


class Printed(NamedTuple):
    """The output of a command that built into ``folder`` below the site: empty, or with a slash at its end."""

    command: str
    folder: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Built:
    """A built site: its folder, and the output of all programs."""

    site: Path
    printed: tuple[Printed, ...]

    @property
    def logged(self) -> list[tuple[str, str]]:
        """The lines that the plugin logged, each with the folder that was built into."""
        texts = [(each.folder, _COLOUR.sub("", each.text)) for each in self.printed]
        return [(folder, match["text"]) for folder, text in texts for match in _LOGGED.finditer(text)]

    @property
    def left_out(self) -> list[tuple[str, str]]:
        """The pages that were left out and why, sorted by page. Paths include the folder that was built into."""
        ours = (each.text.splitlines() for each in self.printed if each.command.startswith(_OWN_BUILD))
        lines = [*self.logged, *(("", line) for text in ours for line in text)]
        matches = ((folder, _LEFT_OUT.fullmatch(text)) for folder, text in lines)
        return sorted((folder + match["page"], match["why"]) for folder, match in matches if match)

    @property
    def notes(self) -> list[str]:
        """The lines that the plugin logged, except the summary and pages that were left out."""
        shown = [each for each in self.logged if not _LEFT_OUT.fullmatch(each[1]) and not _SUMMARY.match(each[1])]
        return [f"{folder}: {text}" if folder else text for folder, text in shown]

    @property
    def joined(self) -> list[str]:
        """Our commands that build nothing, each with the lines that it printed; the ids of their commits vary."""
        ours = [each for each in self.printed if each.command.startswith(PUBLISHER)]
        texts = [(each.command, each.text) for each in ours if not each.command.startswith(_OWN_BUILD)]
        text = "\n".join(f"$ {command.replace('_', '-')}\n{printed}" for command, printed in texts)
        return re.sub(r"(?<=^committed to gh-pages: )\w+", "…", text, flags=re.MULTILINE).splitlines()

    @property
    def sitemaps(self) -> dict[str, bytes]:
        """The content of each sitemap and index, by its path below the site; the site's own comes first.

        Those in the folders of versions are left out: nothing announces them.
        """
        find = self.site.glob if (self.site / "versions.json").exists() else self.site.rglob
        paths = [path.relative_to(self.site).as_posix() for path in find("sitemap*.xml")]
        order = sorted(paths, key=lambda each: (each.count("/"), not each.endswith("sitemap.xml"), each))
        return {path: (self.site / path).read_bytes() for path in order}

    @property
    def shown_dates(self) -> list[tuple[str, str]]:
        """The dates that readers see on the pages, each with the page's path; pages without a date are left out."""
        rows = []
        for path in sorted(self.site.rglob("*.html")):
            matches = _SHOWN.finditer(path.read_text("utf-8"))
            dates = [f"{match['what'] or 'Last update'}: {match['date'] or match['day']}" for match in matches]
            rows += [(path.relative_to(self.site).as_posix(), ", ".join(dates))] if dates else []
        return rows

    @property
    def results(self) -> dict[str, bytes]:
        """The results to compare with the expected ones: the content of each file, by its path below the site."""
        tables = {"left-out.txt": table(self.left_out), "shown-dates.txt": table(self.shown_dates)}
        tables["commands.txt"] = self.joined
        texts = {name: "".join(f"{line}\n" for line in lines).encode() for name, lines in tables.items() if lines}
        files = sorted(file for pattern in FURTHER for file in self.site.glob(pattern))
        return texts | {file.name: file.read_bytes() for file in files} | self.sitemaps


def missing_modules(sample: Sample) -> list[str]:
    """The modules that the sample needs and this interpreter cannot import."""
    return [name for name in (sample.host, *sample.needs) if find_spec(name) is None]


def make_repository(sample: Sample, folder: Path) -> None:
    """Make a git repository with the sample's files and its history, in a folder that does not exist yet.

    If several commits name a file, the first one adds the first part of its lines, and each of the others adds more. A
    commit with ``was`` adds no lines but changes texts in them: each pair is the new text and the old one. A commit
    with ``moved`` renames files: each pair is the new name and the old one. ``ignores`` are the messages of commits
    that changed nothing of importance; they are listed in the file that git reads for such commits. ``tag`` is a tag.
    """
    files = source_files(sample.root)
    commits = tomllib.loads((sample.root / HISTORY).read_text("utf-8"))["commits"]
    named = [[path for entry in commit.get("files", ()) for path in expand(entry, files)] for commit in commits]
    longer = [() if "was" in commit else paths for commit, paths in zip(commits, named, strict=True)]
    versions = Counter(path for paths in longer for path in paths)
    if forgotten := sorted(set(files) - set(versions)):
        message = f"{sample.root.name}/{HISTORY} commits no {forgotten[0]}"
        raise SampleError(message)

    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    seen: Counter[str] = Counter()
    branches = set()
    ids: dict[str, str] = {}
    for number, (commit, paths) in enumerate(zip(commits, named, strict=True)):
        branch = commit.get("branch", "main")
        if branch != "main":
            git(folder, "switch", "--quiet", *(() if branch in branches else ("--create",)), branch)
            branches.add(branch)
        if "merge" in commit:
            arguments = ("merge", "--quiet", "--no-ff", "-m", commit["message"], commit["merge"])
            git(folder, *arguments, when=commit["date"])
        else:
            for now, before in commit.get("moved", ()):
                (folder / now).parent.mkdir(parents=True, exist_ok=True)
                (folder / before).rename(folder / now)
            if ignored := commit.get("ignores"):
                text = "".join(f"# {message}\n{ids[message]}\n" for message in ignored)
                (folder / IGNORED).write_text(text, "utf-8", newline="\n")
            seen.update(longer[number])
            for path in paths:
                lines = (sample.root / path).read_bytes().splitlines(keepends=True)
                content = b"".join(lines[: len(lines) * seen[path] // versions[path]])
                target = folder / name_before(path, commits[number + 1 :])
                target.parent.mkdir(parents=True, exist_ok=True)
                later = [
                    each
                    for each, names in zip(commits[number + 1 :], named[number + 1 :], strict=True)
                    if path in names
                ]
                target.write_bytes(as_before(content, later))
            git(folder, "add", "--all")
            git(folder, "commit", "--quiet", "-m", commit["message"], when=commit["date"])
            ids[commit["message"]] = git(folder, "rev-parse", "HEAD").strip()
        if tag := commit.get("tag"):
            git(folder, "tag", tag)
        if branch != "main":
            git(folder, "switch", "--quiet", "main")


def as_before(content: bytes, commits: Sequence[dict[str, Any]]) -> bytes:
    """The content of a file before these commits changed texts in it, as their ``was`` lists them."""
    for commit in reversed(commits):
        for now, before in commit.get("was", ()):
            content = content.replace(now.encode(), before.encode())
    return content


def name_before(path: str, commits: Sequence[dict[str, Any]]) -> str:
    """The name of a file before these commits moved it."""
    for commit in reversed(commits):
        path = dict(commit.get("moved", ())).get(path, path)
    return path


def source_files(root: Path) -> list[str]:
    """The paths of a sample's files below its folder, without the history and the expected results."""
    paths = (path.relative_to(root) for path in sorted(root.rglob("*")) if path.is_file())
    apart = {HISTORY, EXPECTED, "__pycache__"}
    return [path.as_posix() for path in paths if apart.isdisjoint(path.parts)]


def expand(entry: str, files: Sequence[str]) -> list[str]:
    """The files that an entry of the history names: one file, or all files in a folder."""
    found = [path for path in files if path == entry or path.startswith(f"{entry}/")]
    if not found:
        message = f"{HISTORY} names {entry}, but there is no such file or folder"
        raise SampleError(message)
    return found


def git(folder: Path, *arguments: str, when: str = "") -> str:
    """Run git without any user's configuration, as the only author of the samples, and return its output."""
    return run(["git", "-c", "maintenance.auto=false", *arguments], folder, author(when))


def author(when: str) -> dict[str, str]:
    """The variables with which commits have an author and this date; none without a date."""
    who = {"NAME": "A Writer", "EMAIL": "writer@example.org", "DATE": when} if when else {}
    return {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in who.items()}


def run(command: Sequence[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    """Run a command in an environment that is the same everywhere, and return its output."""
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
    """Build the site from its repository, or a clone of it, into a folder outside of it."""
    configuration = repository / Path(sample.name).relative_to(sample.part_of or sample.name)
    printed = []
    for command in sample.chosen:
        target = next((Path(each) for each in command if each.partition("/")[0] == SITE), Path(SITE))
        below = target.relative_to(SITE)
        program, *arguments = (str(site / below) if each == target.as_posix() else each for each in command)
        started = [*APART.get(program, (sys.executable, "-m", program)), *arguments]
        text = run(started, configuration, author(sample.deployed)).replace(str(site), SITE)
        printed.append(Printed(" ".join(command), "" if below == Path() else f"{below.as_posix()}/", text))
    return Built(site=site, printed=tuple(printed))


def build_afresh(sample: Sample, folder: Path) -> Built:
    """Make the repository and build the site, below a folder that has neither yet."""
    make_repository(sample, folder / "repository")
    return build(sample, folder / "repository", folder / "site")


def read_expected(sample: Sample) -> dict[str, bytes]:
    """The expected results: the content of each file, by its path."""
    paths = (path for path in sample.expected.rglob("*") if path.is_file() and path.name != BY_HAND)
    return {path.relative_to(sample.expected).as_posix(): path.read_bytes() for path in paths}


def renew_expected(sample: Sample, built: Built) -> None:
    """Replace the expected results with the results of this build."""
    for name in read_expected(sample):
        (sample.expected / name).unlink()
    for name, content in built.results.items():
        path = sample.expected / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def describe_differences(sample: Sample, built: Built) -> str:
    """How the results differ from the expected ones, and how to update those; empty if nothing differs."""
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
    renew = f"If the new results are right, run: python sample_sites/build.py --update {sample.name}"
    return "\n".join([f"{sample.name} is not as expected:", *lines, renew])


def table(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Lines with two aligned columns."""
    width = max((len(first) for first, _ in rows), default=0)
    return [f"{first:{width}}  {second}" for first, second in rows]


def report(sample: Sample, built: Built) -> str:
    """A summary of the built site: commands, numbers, notes, and the first URLs."""
    text = b"".join(built.sitemaps.values()).decode()
    # A page that is in several sitemaps is shown as in the first of them.
    lines = [line for line in text.splitlines() if line.startswith("<url>")]
    urls = [*{line.partition("</loc>")[0]: line for line in reversed(lines)}.values()][::-1]
    translated = sum("<xhtml:link" in line for line in urls)
    numbers = {
        "URLs": len(urls),
        "dated": sum("<lastmod>" in line for line in urls),
        **({"in several languages": translated} if translated else {}),
        "left out": len(built.left_out),
    }
    width = max(map(len, numbers))
    lines = [sample.name, "=" * len(sample.name), *(sample.url, *sample.other_urls)]
    lines += [*(" ".join(command) for command in sample.chosen), ""]
    lines += [f"{name:{width}} {number:3}" for name, number in numbers.items()]
    lines += ["", *(f"  {line}" for line in table(built.left_out))] if built.left_out else []
    lines += ["", *(f"note: {note}" for note in built.notes)] if built.notes else []
    lines += ["", *built.joined] if built.joined else []
    return "\n".join([*lines, "", *urls[:4], *(["…"] if urls[4:] else []), ""])


def show(sample: Sample, folder: Path, *, update: bool) -> str:
    """Build one sample below a folder, print the report, and return the problem, if any."""
    try:
        built = build_afresh(sample, folder)
    except SampleError as error:
        return f"{sample.name} could not be built: {error}"
    print(report(sample, built), flush=True)
    if update:
        renew_expected(sample, built)
    problem = describe_differences(sample, built)
    if not problem:
        print(f"{sample.name}: built with {sample.builder}, equals sample_sites/{sample.name}/{EXPECTED}\n", flush=True)
    return problem


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of the command line; ``samples`` are the samples to build."""
    parser = argparse.ArgumentParser(
        description="Build the sample sites and compare the results with the expected ones.",
        epilog="Without NAME and --host, samples are skipped if the modules that they need are not installed.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(SAMPLES))
    parser.add_argument(
        "--host", choices=sorted({sample.host for sample in SAMPLES.values()}), help="only the samples for this host"
    )
    parser.add_argument("--output", type=Path, metavar="DIR", help="keep the repositories and the built sites in DIR")
    parser.add_argument("--update", action="store_true", help="update the expected results")
    wanted = parser.parse_args(arguments)
    for name in wanted.names:
        if name not in SAMPLES:
            parser.error(f"there is no sample {name}")
    samples = [SAMPLES[name] for name in dict.fromkeys(wanted.names or SAMPLES)]
    wanted.samples = [sample for sample in samples if wanted.host in {None, sample.host}]
    for sample in wanted.samples:
        if wanted.output and (wanted.output / sample.name).exists():
            parser.error(f"{wanted.output / sample.name} already exists; remove it, or choose another folder")
    return wanted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
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
