"""Compares what `diff` says about deployments on branches of other projects with the answers of a server.

    git clone --bare https://github.com/pypa/hatch CLONES/pypa+hatch       # and so on: see PROJECTS
    python benchmarks/studies/lost_urls_of_branches.py CLONES WORK [--project NAME]

Takes commits of each branch that remove HTML files, and some that do not, spread over its last ones. Every URL of the
state before, taken from its HTML files, is asked of a local server with the state after; the redirects of its pages
are followed. A URL that led nowhere before does not count, nor do templates, error pages and pages for navigation.
The lost ones are compared with those that `diff` reports for the two folders.

Only files that `diff` reads have their contents there; all others are empty. HTML files that a clone lacks are in
neither state.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from pages_server import answers, html_paths, serve

from sitemap_plugins.published.snapshot import is_auxiliary, is_list


class Project(NamedTuple):
    """A repository on GitHub, the branch with its site, the URL of this, and how many commits to take.

    ``removing`` are those that remove HTML files, ``others`` those that change some.
    """

    name: str
    branch: str
    url: str
    removing: int = 10
    others: int = 5


PROJECTS = [
    Project("1000kit/docs", "gh-pages", "https://1000kit.github.io/docs/"),
    Project("100askTeam/TuyaOpen-Docs", "gh-pages", "https://tuyaopen.100ask.org/"),
    Project("1bl4z3r/hermit-V2", "gh-pages", "https://1bl4z3r.github.io/hermit-V2/"),
    Project("1c-syntax/bsl-language-server", "gh-pages", "https://1c-syntax.github.io/bsl-language-server/", 6, 3),
    Project("1c-syntax/mdclasses", "gh-pages", "https://1c-syntax.github.io/mdclasses/"),
    Project("ag2ai/faststream", "gh-pages", "https://faststream.ag2.ai/", 2, 1),
    Project("apache/fury-site", "deploy", "https://fury.apache.org/"),
    Project("apache/hugegraph-doc", "asf-site", "https://hugegraph.apache.org/"),
    Project("apache/hugegraph-doc", "gh-pages", "https://hugegraph.github.io/hugegraph-doc/"),
    Project("apache/superset-site", "asf-site", "https://superset.apache.org/"),
    Project("argoproj/argo-cd", "gh-pages", "https://argoproj.github.io/argo-cd/", 8, 4),
    Project("argoproj/argo-workflows", "gh-pages", "https://argoproj.github.io/argo-workflows/", 8, 4),
    Project(
        "aws-powertools/powertools-lambda-python", "gh-pages", "https://docs.powertools.aws.dev/lambda/python/", 8, 4
    ),
    Project("BioJulia/BioSequences.jl", "gh-pages", "https://biojulia.dev/BioSequences.jl/"),
    Project("brainglobe/brainglobe.github.io", "gh-pages", "https://brainglobe.info/"),
    Project("Chisanan232/PyMock-Server", "gh-pages", "https://chisanan232.github.io/PyMock-Server/"),
    Project(
        "docker-mailserver/docker-mailserver", "gh-pages", "https://docker-mailserver.github.io/docker-mailserver/"
    ),
    Project("drivendataorg/erdantic", "gh-pages", "https://erdantic.drivendata.org/"),
    Project("encode/httpx", "gh-pages", "https://www.python-httpx.org/", 2, 2),
    Project("EndstoneMC/endstone", "gh-pages", "https://endstone.dev/", 5, 3),
    Project("k0sproject/k0s", "gh-pages", "https://docs.k0sproject.io/", 3, 1),
    Project("knative/docs", "gh-pages", "https://knative.dev/"),
    Project("kserve/website", "gh-pages", "https://kserve.github.io/website/", 8, 4),
    Project("MDAnalysis/UserGuide", "gh-pages", "https://userguide.mdanalysis.org/", 8, 4),
    Project("mesonbuild/mesonbuild.github.io", "HEAD", "https://mesonbuild.com/"),
    Project("meta-pytorch/botorch", "gh-pages-archive-old-docusaurus", "https://botorch.org/", 3, 2),
    Project("mkdocs/mkdocs", "gh-pages", "https://www.mkdocs.org/"),
    Project("mkdocstrings/mkdocstrings", "gh-pages", "https://mkdocstrings.github.io/"),
    Project("mosn/mosn.github.io", "HEAD", "https://mosn.io/"),
    Project("neuroinformatics-unit/movement", "gh-pages", "https://movement.neuroinformatics.dev/", 8, 4),
    Project("prefix-dev/pixi", "gh-pages", "https://pixi.prefix.dev/", 4, 2),
    Project("pydantic/pydantic", "docs-site", "https://docs.pydantic.dev/", 6, 3),
    Project("pypa/hatch", "gh-pages", "https://hatch.pypa.io/", 8, 4),
    Project("pytorch/captum", "gh-pages", "https://captum.ai/"),
    Project("r-lib/pkgdown", "gh-pages", "https://pkgdown.r-lib.org/"),
    Project("rust-lang/book", "gh-pages", "https://doc.rust-lang.org/book/"),
    Project("square/okhttp", "gh-pages", "https://square.github.io/okhttp/", 6, 3),
    Project("Textualize/textual", "gh-pages", "https://textual.textualize.io/"),
    Project("tidyverse/dplyr", "gh-pages", "https://dplyr.tidyverse.org/"),
    Project("vuejs/vitepress", "gh-pages", "https://vuejs.github.io/vitepress/", 5, 2),
]
LAST = 400  # commits of a branch to choose from
READ = re.compile(
    r"(?i).*\.html?|(?:.*/)?(?:_redirects|\.htaccess|CNAME|robots\.txt|sitemap[^/]*|versions\.js(?:on)?|[^/]*\.json)"
)


def git(clone: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["git", "-C", clone, *arguments], input=stdin, capture_output=True, check=True).stdout


def commits_of(project: Project, clone: Path) -> list[tuple[str, str]]:
    """Commits of the branch with their first parents."""

    def listed(*options: str) -> list[tuple[str, str]]:
        log = git(
            clone, "log", "--first-parent", f"-{LAST}", "--format=%H %P", *options, project.branch, "--", "*.html"
        )
        return [(words[0], words[1]) for line in log.decode().splitlines() if len(words := line.split()) > 1]

    removing = listed("--diff-filter=D", "--no-renames")
    others = [each for each in listed() if each not in removing]
    return [*spread(removing, project.removing), *spread(others, project.others)]


def spread(commits: list[tuple[str, str]], number: int) -> list[tuple[str, str]]:
    """So many of these, from the first to the last."""
    if len(commits) <= number:
        return commits
    return [commits[at * (len(commits) - 1) // max(number - 1, 1)] for at in range(number)]


def export(clone: Path, commit: str, folder: Path) -> set[Path]:
    """Write the files of a commit into a folder; the value are the HTML files that the clone lacks."""
    shutil.rmtree(folder, ignore_errors=True)
    rows = [line.partition(b"\t") for line in git(clone, "ls-tree", "-r", "-z", commit).split(b"\0")[:-1]]
    files = {os.fsdecode(path): about.split() for about, _, path in rows}
    shas = [sha for path, (mode, _, sha) in files.items() if mode == b"120000" or READ.fullmatch(path)]
    contents = read_objects(clone, shas)
    missing, links = set(), {}
    for path, (mode, kind, sha) in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if mode == b"120000":
            links[place] = contents[sha]
        elif kind == b"blob" and READ.fullmatch(path) and sha not in contents:
            missing |= {Path(path)} if path.endswith(".html") else set()
        elif kind == b"blob":
            place.write_bytes(contents.get(sha, b"") if READ.fullmatch(path) else b"")
    for place, target in links.items():
        place.symlink_to(os.fsdecode(target))
    return missing


def read_objects(clone: Path, shas: list[bytes]) -> dict[bytes, bytes]:
    """The contents of these objects, without those that are missing."""
    answer = git(clone, "cat-file", "--batch", "--buffer", stdin=b"".join(sha + b"\n" for sha in shas))
    found, at = {}, 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        sha, *about = answer[at:end].split()
        at = end + 1
        if about != [b"missing"]:
            found[sha] = answer[at : at + int(about[1])]
            at += int(about[1]) + 1
    return found


class Pair(NamedTuple):
    """What was found for a commit and its parent: the URLs asked, those lost, those that `diff` names, and pages."""

    asked: int
    lost: set[str]
    said: set[str]
    changed: int
    seconds: float


def compare(project: Project, old: Path, new: Path) -> Pair | None:
    """Ask for the URLs of the old state; None if one of them has no pages."""
    program = str(Path(sys.executable).with_name("sitemap-plugins"))
    start = time.perf_counter()
    command = [program, "diff", str(old), str(new), "--format", "json"]
    done = subprocess.run(command, cwd=old.parent, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode not in {0, 1}:
        print(done.stderr, file=sys.stderr)
        return None
    report = json.loads(done.stdout)
    said = {
        shown(path)
        for finding in report["findings"]
        for loss in finding["losses"]
        for path in (loss["path"], *loss["also"])
    }
    paths = html_paths(old)
    base = "/" + project.url.split("/", 3)[3]
    with serve(new, base) as root:
        lost = {path for path in paths if not answers(root, project.url, path)}
    with serve(old, base) as root:
        lost = {path for path in lost if answers(root, project.url, path)}
    counted = {shown(path) for path in lost if shown(path) in said or is_page(old, path)}
    return Pair(len(paths), counted, said, len(report["changed"]), seconds)


def is_page(folder: Path, path: str) -> bool:
    """Whether a file is no template, no error page and no page for navigation."""
    if is_auxiliary(path) or is_list(path) or re.fullmatch(r"(.*/)?(404|500|search)(/|\.html)", path):
        return False
    content = (folder / (f"{path}index.html" if path.endswith("/") or not path else path)).read_bytes().lstrip()
    return not content.startswith((b"{", b"---")) and re.search(rb"(?i)<html|<!doctype", content) is not None


def shown(path: str) -> str:
    """A path without what distinguishes the forms of its URL, such as those with and without a slash."""
    return path.removesuffix("index.html").rstrip("/").removesuffix(".html")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--project", action="append")
    options = parser.parse_args()
    old, new = (options.work.resolve() / name for name in ("old", "new"))
    for project in PROJECTS:
        if options.project and project.name not in options.project:
            continue
        clone = options.clones.resolve() / project.name.replace("/", "+")
        pairs = []
        for commit, parent in commits_of(project, clone):
            for path in export(clone, parent, old) | export(clone, commit, new):
                for state in (old, new):
                    (state / path).unlink(missing_ok=True)
            if pair := compare(project, old, new):
                pairs.append(pair)
                for path in sorted(pair.lost ^ pair.said):
                    by = "the server" if path in pair.lost else "diff"
                    print(f"{project.name} {commit[:12]} /{path}: only {by}", file=sys.stderr, flush=True)
        print(
            f"| {project.name}, {project.branch} | {len(pairs)} | {sum(pair.asked for pair in pairs):,} "
            f"| {sum(len(pair.lost) for pair in pairs):,} | {sum(len(pair.said) for pair in pairs):,} "
            f"| {sum(pair.lost == pair.said for pair in pairs)} | {sum(pair.changed for pair in pairs):,} "
            f"| {sum(pair.seconds for pair in pairs):.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
