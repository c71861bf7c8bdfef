"""Compares what `diff` says about commits of real projects with the answers of a server.

    git clone https://github.com/python/devguide                    # below CLONES, and so on: see PROJECTS
    pip install mkdocs-material mkdocs-redirects sphinxext-rediraffe sphinx-inline-tabs sphinx-copybutton \
        sphinx-notfound-page
    python benchmarks/studies/lost_urls_of_projects.py CLONES WORK [--only build] [--project NAME]

Takes each commit that renames or removes a page, and the last 60 commits of one project, and builds each with its first
parent. Then every URL of the state before, taken from its HTML files, is asked of a local server that has the state
after; the redirects of its pages are followed. The pages that are not found are compared with those that
`sitemap-plugins diff` reports. Built sites are kept in WORK, so that a second run only compares.

Extensions and plugins that are not installed, that need the network or that run programs are left out of both builds.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pages_server import answers, html_paths, serve


class Project(NamedTuple):
    """A project: its URL, the builder of its site, the paths of its pages, and the configurations to look for."""

    name: str
    url: str
    builder: str
    pages: tuple[str, ...]
    configurations: tuple[str, ...]
    consecutive: int = 0


PROJECTS = [
    Project("devguide", "https://devguide.python.org/", "dirhtml", ("*.rst",), ("conf.py",)),
    Project(
        "packaging.python.org",
        "https://packaging.python.org/",
        "html",
        ("source/*.rst", "source/*.md"),
        ("source/conf.py",),
    ),
    Project(
        "titiler",
        "https://developmentseed.org/titiler/",
        "mkdocs",
        ("docs/*.md",),
        ("docs/mkdocs.yml", "mkdocs.yml"),
        60,
    ),
    Project("uv", "https://docs.astral.sh/uv/", "mkdocs", ("docs/*.md",), ("mkdocs.template.yml", "mkdocs.yml")),
]
PLUGINS = {"search", "redirects", "section-index", "awesome-pages"}
EXTENSIONS = {
    "notfound.extension",
    "pug_sphinx_extensions",
    "sphinx_copybutton",
    "sphinx_inline_tabs",
    "sphinxext.rediraffe",
}
BEFORE_CONF = """
import io as _io, urllib.request as _request
from sphinx.application import Sphinx as _Sphinx
_Sphinx.add_stylesheet = _Sphinx.add_css_file
_request.urlopen = lambda *_, **__: _io.BytesIO(b'{"3.15": {"branch": "main"}}')
"""
AFTER_CONF = """
import importlib.util as _util
extensions = [_x for _x in globals().get("extensions", []) if _x.startswith("sphinx.ext.") or _x in %(known)r]
extensions = [_x for _x in extensions if _x != "sphinx.ext.intersphinx" and _util.find_spec(_x)]
extensions.append("sitemap_plugins.sphinx")
html_theme, html_theme_path, html_theme_options, templates_path, html_sidebars = "alabaster", [], {}, [], {}
html_copy_source = html_use_index = False
html_static_path = html_css_files = html_js_files = []
html_baseurl = %(url)r
sitemap_options = {"record": "site-record.json"}
"""


def git(clone: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", clone, *arguments], capture_output=True, text=True, check=True).stdout


def commits_of(project: Project, clone: Path) -> tuple[list[str], list[str]]:
    """The commits of the main branch that rename or remove pages, and the last consecutive ones; newest first."""
    paths = [f":(glob){each.replace('/*', '/**/*')}" if "/" in each else f":(glob)**/{each}" for each in project.pages]
    log = git(
        clone,
        "log",
        "--first-parent",
        "-m",
        "-M",
        "--diff-filter=RD",
        "--format=%H",
        "--no-patch",
        "origin/HEAD",
        "--",
        *paths,
    )
    last = (
        git(clone, "log", "--first-parent", f"-{project.consecutive}", "--format=%H", "origin/HEAD")
        if project.consecutive
        else ""
    )
    return log.split(), last.split()


class _Loader(yaml.SafeLoader):
    """Reads a configuration without the objects of its tags."""


_Loader.add_multi_constructor("", lambda _loader, suffix, _node: f"!{suffix}")


def build(project: Project, clone: Path, commit: str, output: Path) -> str:
    """Build a commit into a folder; what went wrong, empty if nothing did."""
    log = output.with_suffix(".log")
    if output.is_dir() or log.exists():
        return log.read_text() if log.exists() else ""
    git(clone, "checkout", "-q", "-f", commit)
    git(clone, "clean", "-q", "-f", "-d", "-x")
    configuration = next((clone / each for each in project.configurations if (clone / each).is_file()), None)
    building = output.with_suffix(".part")
    shutil.rmtree(building, ignore_errors=True)
    if configuration is None:
        problem = "no configuration"
    elif project.builder == "mkdocs":
        problem = build_mkdocs(project, configuration, building)
    else:
        problem = build_sphinx(project, configuration, building)
    if problem:
        shutil.rmtree(building, ignore_errors=True)
        log.write_text(problem)
    else:
        building.rename(output)
    return problem


def run(command: list[str], cwd: Path) -> str:
    environment = {
        **os.environ,
        "DISABLE_MKDOCS_2_WARNING": "true",
        "NO_MKDOCS_2_WARNING": "1",
        "PYTHONWARNINGS": "ignore",
    }
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=environment)
    return "" if done.returncode == 0 else (done.stderr + done.stdout)[-1500:]


def build_sphinx(project: Project, configuration: Path, output: Path) -> str:
    text = configuration.read_text(encoding="utf-8")
    coding, rest = (text.split("\n", 1)) if text.startswith("# -*- coding") else ("", text)
    after = AFTER_CONF % {"known": EXTENSIONS, "url": project.url}
    configuration.write_text(f"{coding}\n{BEFORE_CONF}\n{rest}\n{after}", encoding="utf-8")
    program = str(Path(sys.executable).with_name("sphinx-build"))
    doctrees = output.with_name("doctrees")  # what did not change is not read again, but written
    command = [program, "-q", "-b", project.builder, "-d", str(doctrees), str(configuration.parent), str(output)]
    return run(command, configuration.parent)


def build_mkdocs(project: Project, configuration: Path, output: Path) -> str:
    config = yaml.load(configuration.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506
    known = {each.name for each in entry_points(group="mkdocs.plugins")}
    plugins: list[Any] = []
    for plugin in config.get("plugins") or ["search"]:
        name = plugin if isinstance(plugin, str) else next(iter(plugin))
        if name in PLUGINS & known:
            plugins.append(plugin)
    plugins.append({"sitemap": {"record": "site-record.json"}})
    extensions: list[Any] = []
    for extension in config.get("markdown_extensions") or []:
        name = extension if isinstance(extension, str) else next(iter(extension))
        module = name.replace("markdown.extensions.", "")
        if module.startswith("pymdownx.") or importlib.util.find_spec(f"markdown.extensions.{module.split('.')[0]}"):
            extensions.append(name)
    theme = config.get("theme") or {}
    changes = {
        "INHERIT": f"./{configuration.name}",
        "site_url": project.url,
        "plugins": plugins,
        "markdown_extensions": extensions,
        "theme": {"name": "material", **({"custom_dir": theme["custom_dir"]} if "custom_dir" in theme else {})},
        "hooks": [],
    }
    ours = configuration.with_name("mkdocs-with-sitemap.yml")
    ours.write_text(yaml.safe_dump(changes, sort_keys=False), encoding="utf-8")
    program = str(Path(sys.executable).with_name("mkdocs"))
    return run([program, "build", "-q", "-f", ours.name, "-d", str(output)], configuration.parent)


class Pair(NamedTuple):
    """What was found for a commit and its first parent: URLs asked, those that are lost, and what `diff` says."""

    commit: str
    asked: int
    lost: frozenset[str]
    said: frozenset[str]
    navigation: frozenset[str]
    report: dict[str, Any]


NAVIGATION = re.compile(r"(.*/)?(404|search|genindex|py-modindex|_modules/.*)(/|\.html)?")


def compare(project: Project, clone: Path, old: Path, new: Path, commit: str) -> Pair:
    git(clone, "checkout", "-q", "-f", commit)
    program = str(Path(sys.executable).with_name("sitemap-plugins"))
    command = [program, "diff", str(old), str(new), "--format", "json"]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(f"{old} {new}: {done.stderr}")
    report = json.loads(done.stdout)
    said = {
        path.removesuffix("index.html") if path.endswith("/index.html") else path
        for finding in report["findings"]
        for loss in finding["losses"]
        for path in (loss["path"], *loss["also"])
    }
    paths = html_paths(old)
    with serve(new, "/" + project.url.split("/", 3)[3]) as root:
        lost = {path for path in paths if not answers(root, project.url, path)}
    navigation = {path for path in lost if NAVIGATION.fullmatch(path)}
    return Pair(commit, len(paths), frozenset(lost - navigation), frozenset(said), frozenset(navigation), report)


def describe(project: Project, kind: str, pairs: list[Pair], failed: int) -> None:
    """Print the row of a project, and below it what differs and which targets were named."""
    losses = [
        (pair, finding, loss) for pair in pairs for finding in pair.report["findings"] for loss in finding["losses"]
    ]
    named = Counter(
        loss["replaced_by"] or ("candidates" if loss["candidates"] else "none")
        for _, finding, loss in losses
        if finding["kind"] != "redirects"
    )
    equal = sum(pair.lost == pair.said for pair in pairs)
    print(
        f"| {project.name} | {kind} | {len(pairs)} | {failed} | {sum(pair.asked for pair in pairs):,} "
        f"| {sum(len(pair.lost) for pair in pairs)} | {sum(len(pair.said) for pair in pairs)} "
        f"| {equal} of {len(pairs)} | {', '.join(f'{name} {number}' for name, number in sorted(named.items()))} |"
    )
    for pair in pairs:
        for path in sorted(pair.lost ^ pair.said):
            print(
                f"  {pair.commit[:12]} {path or '/'}: only {'the server' if path in pair.lost else 'diff'}",
                file=sys.stderr,
            )
        for finding in pair.report["findings"]:
            for loss in finding["losses"]:
                facts = [
                    finding["kind"],
                    finding["cause"] or "",
                    loss["path"],
                    loss["replacement"],
                    loss["replaced_by"],
                    loss["candidates"],
                    loss["line"] or loss["no_line"],
                    loss["problem"],
                ]
                print(f"  {project.name} {pair.commit[:12]}", *facts, sep=" | ", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--project", action="append")
    parser.add_argument("--only", choices=["build", "compare"], help="build only, or compare what was built")
    options = parser.parse_args()
    for project in PROJECTS:
        if options.project and project.name not in options.project:
            continue
        clone = (options.clones / project.name).resolve()
        work = (options.work / project.name).resolve()
        work.mkdir(parents=True, exist_ok=True)
        for kind, commits in zip(("renaming or removing", "consecutive"), commits_of(project, clone), strict=True):
            pairs = []
            for commit in commits:
                parents = git(clone, "log", "-1", "--format=%P", commit).split()[:1]
                states = [work / each[:12] for each in (*parents, commit)]
                if options.only != "compare":
                    for each in (*parents, commit):
                        problem = build(project, clone, each, work / each[:12])
                        if options.only == "build":
                            print(project.name, each[:12], problem.strip().splitlines()[-1:] or "ok", flush=True)
                if options.only != "build" and parents and all(each.is_dir() for each in states):
                    pairs.append(compare(project, clone, *states, commit))
            if commits and options.only != "build":
                describe(project, kind, pairs, len(commits) - len(pairs))


if __name__ == "__main__":
    main()
