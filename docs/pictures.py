"""Write the pictures of the manual, and the dates at the top of README.md: what programs print and write today.

    python docs/pictures.py

They run in a small repository with fixed dates, so the same source gives the same bytes. Tests compare both with a run.
"""

from __future__ import annotations

import importlib.util
import io
import json
import re
import sys
import tempfile
import textwrap
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).resolve().parent
IMAGES = HERE / "images"
README = HERE.parent / "README.md"
PROOF = re.compile(r"(?<=\[start:proof] -->\n\n```text\n).+?(?=```)", re.DOTALL)
WIDTH = 100

CONFIGURATION = """\
site_name: Tea
site_url: !ENV [SITE_URL, "https://tea.example/"]
theme: {name: !ENV [THEME, material], custom_dir: theme}
plugins:
  - search
  - sitemap:
      exclude: drafts/
"""
# The same site with a language in which only the home page is written.
TRANSLATED = """\
INHERIT: mkdocs.yml
plugins:
  - i18n:
      docs_structure: suffix
      languages:
        - {locale: en, name: English, default: true}
        - {locale: de, name: Deutsch}
  - sitemap:
      enabled: !ENV PLUGIN
"""
BUILT = datetime(2026, 3, 21, tzinfo=UTC)
NOINDEX = """\
{% extends "main.html" %}
{% block extrahead %}<meta name="robots" content="noindex">{% endblock %}
"""
FIRST_CUP = """\
# Your first cup

Warm the pot. Take one spoon of leaves for each cup, and one for the pot. Pour on water that has just
stopped boiling, and wait for three minutes. Then take the leaves out, or the tea turns bitter. Green
tea needs cooler water: let the kettle stand open for five minutes first, and wait for two minutes.
"""


class Commit(NamedTuple):
    """One commit of the site. ``ignores_last`` lists the commit before it as one to ignore."""

    when: str
    message: str
    files: dict[str, str] = {}  # noqa: RUF012  # no commit changes it
    moved: tuple[str, str] | None = None
    ignores_last: bool = False
    release: str = ""


HISTORY = [
    Commit(
        "2025-03-04T09:00:00Z",
        "Write the first pages",
        {
            "mkdocs.yml": CONFIGURATION,
            "theme/noindex.html": NOINDEX,
            "docs/index.md": "# Tea\n\nHow to make it.\n",
            "docs/start.md": FIRST_CUP.replace("three minutes", "four minutes"),
            "docs/temperatures.md": "# Temperatures\n\nBlack tea: 96 °C.\n",
            "docs/thanks.md": "---\ntemplate: noindex.html\n---\n# Thank you\n\nYour message was sent.\n",
        },
        release="8.0",
    ),
    Commit("2025-09-18T14:30:00Z", "Brew for three minutes instead of four", {"docs/start.md": FIRST_CUP}),
    Commit(
        "2025-10-02T08:15:00Z",
        "Explain the second infusion",
        {"docs/second-cup.md": "# The second cup\n\nUse the leaves again.\n"},
        release="8.5",
    ),
    Commit(
        "2026-02-02T11:00:00Z",
        "Write each sentence on a line of its own",
        {"docs/start.md": re.sub(r"(?<=[.:]) ", "\n", FIRST_CUP)},
    ),
    Commit("2026-02-02T11:05:00Z", "Ignore the last commit", ignores_last=True),
    Commit("2026-03-12T16:45:00Z", "Rename the first page", moved=("docs/start.md", "docs/first-cup.md")),
    Commit(
        "2026-03-20T10:20:00Z",
        "Begin a list of changes",
        {"docs/changes.md": "# Changes\n\n## 9.0\n", "docs/drafts/oolong.md": "# Oolong\n"},
        release="9.0",
    ),
]

# Rich's own format gets its font from a server.
FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">
<style>
.{unique_id}-matrix {{ font: {char_height}px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; }}
.{unique_id}-title {{ font: bold 18px system-ui, sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
STYLES = {
    r"^\$ ": "green",
    r"(?<=^\$ ).+": "bold #ffffff",
    r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|\+00:00)": "yellow",
    r"\bits date$": "bold green",
    r"^version  .*": "bold #ffffff",
    r"\blisted at the root$": "green",
}


def _load_samples() -> Any:
    """The program that builds the sample sites. It runs git and the hosts without anybody's configuration."""
    spec = importlib.util.spec_from_file_location("pictures_samples", HERE.parent / "sample_sites" / "build.py")
    if spec is None or spec.loader is None:
        raise ImportError("sample_sites/build.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SAMPLES = _load_samples()


def run(folder: Path, *command: str, **variables: str) -> str:
    """What ``python -m`` prints of a command."""
    printed: str = SAMPLES.run([sys.executable, "-m", *command], folder, variables)
    return printed


def proof(folder: Path) -> str:
    """What MkDocs and this plugin list of one site: the day of four pages, or why the plugin leaves one out."""
    site = make_site(folder / "tea")
    (site / "docs" / "index.de.md").write_text("# Tee\n", encoding="utf-8")
    (site / "both.yml").write_text(TRANSLATED, encoding="utf-8")
    variables = {"THEME": "mkdocs", "SOURCE_DATE_EPOCH": str(int(BUILT.timestamp()))}
    listed = []
    for plugin in ("false", "true"):
        log = run(site, "mkdocs", "build", "--verbose", "--config-file", "both.yml", PLUGIN=plugin, **variables)
        sitemap = (site / "site" / "sitemap.xml").read_text(encoding="utf-8")
        listed.append(dict(re.findall(r"<loc>https://tea\.example(.*?)</loc>\s*<lastmod>(.{10})", sitemap)))
    theirs, ours = listed
    ours["/thanks/"] = f"- ({re.findall(r'left out thanks.md: (noindex) ', log)[0]})"
    copied = re.findall(r"left out .*: not translated \(its copy (.*)index.html\)", log)
    ours |= {f"/{page}": "- (no German)" for page in copied}
    pages = ("/", "/first-cup/", "/thanks/", "/de/second-cup/")
    rows = [("page", "MkDocs", "this plugin"), *((page, theirs[page], ours[page]) for page in pages)]
    return "".join(f"{page:16}{date:12}{ours}\n" for page, date, ours in rows)


def why(folder: Path) -> str:
    """The date of a page that was renamed and reformatted."""
    site = make_site(folder / "tea")
    command = ("dates", "docs/first-cup.md", "--why")
    return f"$ sitemap-plugins {' '.join(command)}\n{run(site, 'sitemap_plugins', *command)}"


def merge(folder: Path) -> str:
    """The sitemap at the root of three versions, in the folders that mike makes."""
    tree = folder / "site"

    def add_version(site: Path, version: str) -> None:
        url = f"https://tea.example/{version}/"
        run(site, "mkdocs", "build", "--quiet", "--site-dir", str(tree / version), SITE_URL=url, THEME="mkdocs")

    make_site(folder / "tea", add_version)
    (tree / "stable").symlink_to("9.0")
    versions = [
        {"version": version, "title": version, "aliases": ["stable"] * (version == "9.0")}
        for version in ("9.0", "8.5", "8.0")
    ]
    (tree / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    return f"$ sitemap-plugins merge site/\n{run(folder, 'sitemap_plugins', 'merge', 'site/')}"


def make_site(site: Path, released: Callable[[Path, str], None] | None = None) -> Path:
    """Write the files and the history of the site; ``released`` is called with the site and each version of it."""
    site.mkdir()
    SAMPLES.git(site, "init", "--quiet", "--initial-branch=main")
    for commit in HISTORY:
        if commit.ignores_last:
            last = SAMPLES.git(site, "rev-parse", "HEAD")
            (site / SAMPLES.IGNORED).write_text(last, encoding="utf-8", newline="\n")
        if commit.moved:
            old, new = commit.moved
            (site / old).rename(site / new)
        for name, content in commit.files.items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(content, encoding="utf-8", newline="\n")
        SAMPLES.git(site, "add", "--all")
        SAMPLES.git(site, "commit", "--quiet", "--message", commit.message, when=commit.when)
        if commit.release and released:
            released(site, commit.release)
    return site


PICTURES: dict[str, Callable[[Path], str]] = {"why.svg": why, "merge.svg": merge}


def draw(text: str) -> str:
    """A terminal with this text in it. Long lines go on below their last column."""
    console = Console(width=WIDTH, record=True, file=io.StringIO(), force_terminal=True, legacy_windows=False)
    for line in text.splitlines():
        columns = re.match(r"(?:  \S+  \w{10}  )?", line)
        indent = " " * len(columns[0] if columns else "")
        wrapped = textwrap.wrap(line, WIDTH, subsequent_indent=indent, drop_whitespace=False) or [""]
        shown = Text("\n".join(part.rstrip() for part in wrapped))
        for pattern, style in STYLES.items():
            shown.highlight_regex(re.compile(pattern, re.MULTILINE), style)
        console.print(shown, soft_wrap=True)
    return console.export_svg(title="", code_format=FRAME, unique_id="terminal")


def main() -> None:
    """Write all pictures."""
    IMAGES.mkdir(exist_ok=True)
    for name, show in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            text = show(Path(folder).resolve())
        (IMAGES / name).write_text(draw(text), encoding="utf-8", newline="\n")
        print(f"docs/images/{name}")
    with tempfile.TemporaryDirectory() as folder:
        text = proof(Path(folder).resolve())
    README.write_text(PROOF.sub(text, README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    print("README.md")


if __name__ == "__main__":
    main()
