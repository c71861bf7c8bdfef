"""Measure what the plugin costs a build: its imports, its hooks and its wait for git, as a share of the whole build.

    python benchmarks/build_cost.py                       # 150 generated Material pages with a git history
    python benchmarks/build_cost.py mkdocs mkdocs.yml     # a MkDocs project whose configuration enables the plugin
    python benchmarks/build_cost.py sphinx doc/           # a Sphinx project; the extension is added to its own

Every build runs in a fresh process, and the share is the median of the runs. The processor time of the thread that
reads git is printed as well: the build does not wait for this thread, but it is not free.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PAGES = 150
PARAGRAPH = "A paragraph with *emphasis*, a [link](page-1.md) and `code`, long enough to be a paragraph of a manual. "
CODE = "```python\ndef example(value: int) -> int:\n    return value + 1\n```\n"


class Stopwatch:
    """The seconds spent inside the wrapped functions; a call inside another one counts once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **options: Any) -> Any:
            self._depth += 1
            begin = time.perf_counter()
            try:
                return function(*arguments, **options)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.seconds += time.perf_counter() - begin

        timed.__dict__.update(function.__dict__)  # MkDocs keeps the priority of an event there
        return timed


def time_thread() -> dict[str, float]:
    """A dictionary that gets the seconds of the background thread when it ends."""
    from sitemap_plugins.git import history as git_history

    spent = {"thread": 0.0}
    read = git_history.HistoryReader._read

    def timed(reader: Any) -> None:
        read(reader)
        spent["thread"] = time.thread_time()

    git_history.HistoryReader._read = timed
    return spent


def run_mkdocs(config_file: str) -> dict[str, float]:
    import material.plugins.search.plugin  # noqa: F401  # loaded by the project anyway
    import mkdocs.commands.build
    import mkdocs.config
    from mkdocs.plugins import CombinedEvent

    begin = time.perf_counter()
    from sitemap_plugins.mkdocs import SitemapPlugin

    imports = time.perf_counter() - begin
    watch = Stopwatch()
    for name in [name for name in vars(SitemapPlugin) if name.startswith(("on_", "load_config"))]:
        event = vars(SitemapPlugin)[name]
        handlers = getattr(event, "methods", None)  # if there are several for one event
        timed = CombinedEvent(*map(watch.wrap, handlers)) if handlers else watch.wrap(event)
        setattr(SitemapPlugin, name, timed)
    spent = time_thread()
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as site:
        config = mkdocs.config.load_config(config_file, site_dir=site)
        config.plugins.on_startup(command="build", dirty=False)
        mkdocs.commands.build.build(config)
    return {"imports": imports, "hooks": watch.seconds, "build": time.perf_counter() - begin + imports} | spent


def run_sphinx(source: str) -> dict[str, float]:
    # Sphinx loads these anyway.
    import sphinx.builders.html
    import sphinx.builders.singlehtml  # noqa: F401
    import sphinxcontrib.serializinghtml  # noqa: F401
    from sphinx.application import Sphinx

    begin = time.perf_counter()
    from sitemap_plugins.sphinx.extension import SphinxHost

    imports = time.perf_counter() - begin
    watch = Stopwatch()
    for name in ("begin", "date", "notice", "finish"):
        setattr(SphinxHost, name, watch.wrap(getattr(SphinxHost, name)))
    spent = time_thread()
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        overrides = {"html_baseurl": "https://docs.example.org/"}
        app = Sphinx(source, source, out, f"{out}/.doctrees", "html", overrides, status=None, warning=None)
        # The extension is loaded late so that the project's configuration need not change.
        app.setup_extension("sitemap_plugins.sphinx")
        for listener in app.events.listeners["builder-inited"]:
            if getattr(listener.handler, "__name__", "") == "timed":
                listener.handler(app)
        app.build()
    return {"imports": imports, "hooks": watch.seconds, "build": time.perf_counter() - begin + imports} | spent


def write_material_site(folder: Path) -> Path:
    """A Material site of 150 pages, each with some kilobytes and its own commit."""
    (folder / "docs").mkdir(parents=True)
    config = folder / "mkdocs.yml"
    config.write_text(
        "site_name: A manual\nsite_url: https://docs.example.org/\nuse_directory_urls: true\n"
        "theme: {name: material}\nmarkdown_extensions: [pymdownx.highlight, pymdownx.superfences, toc]\n"
        "plugins: [search, sitemap]\n"
    )
    environment = os.environ | {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A Writer"), ("EMAIL", "writer@example.org"))
    }

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True)

    git("init", "--quiet")
    for number in range(PAGES):
        page = folder / "docs" / ("index.md" if number == 0 else f"page-{number}.md")
        sections = (f"## Section {index}\n\n{PARAGRAPH * 5}\n\n{CODE}\n" for index in range(8))
        page.write_text(f"# Page {number}\n\n" + "\n".join(sections))
        git("add", ".")
        git("commit", "--quiet", "--message", f"Page {number}")
    return config


def measure(arguments: list[str], runs: int) -> None:
    """Run the measurement in fresh processes, with one extra run to warm up, and print the medians."""
    results = []
    for _ in range(runs + 1):
        command = [sys.executable, __file__, "--once", *arguments]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        results.append(json.loads(done.stdout.splitlines()[-1]))
    del results[0]  # this run compiled the modules, as an installation does
    for name in ("build", "imports", "hooks", "thread"):
        values = [result[name] * 1000 for result in results]
        print(f"{name:8} {statistics.median(values):9.1f} ms   ({min(values):.1f} to {max(values):.1f})")
    shares = [(result["imports"] + result["hooks"]) / result["build"] for result in results]
    print(f"imports + hooks are {statistics.median(shares):.2%} of the build (worst run {max(shares):.2%})")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", nargs="?", choices=["mkdocs", "sphinx"], default="mkdocs")
    parser.add_argument("project", nargs="?", help="mkdocs.yml, or Sphinx's source folder")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--once", action="store_true", help="one run in this process, printed as JSON")
    options = parser.parse_args()
    os.environ["DISABLE_MKDOCS_2_WARNING"] = "true"
    os.environ["NO_MKDOCS_2_WARNING"] = "true"
    if options.once:
        run = run_mkdocs if options.host == "mkdocs" else run_sphinx
        result = run(options.project)
        print(json.dumps(result))
        return
    with tempfile.TemporaryDirectory() as folder:
        project = options.project or str(write_material_site(Path(folder, "site")))
        measure([options.host, project], options.runs)


if __name__ == "__main__":
    main()
