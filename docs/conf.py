"""The manual, built with Sphinx and MyST: ``python -m nox -s docs -- sphinx``. Its contents are those of mkdocs.yml."""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

import sitemap_plugins
from sitemap_plugins.project import MANUAL, REPOSITORY

project = "sitemap-plugins"
release = sitemap_plugins.__version__
author = copyright = "the developers of sitemap-plugins"  # noqa: A001  # Sphinx calls it that
language = "en"
extensions = ["myst_parser", "sitemap_plugins.sphinx"]
exclude_patterns = ["*.py"]
html_theme = "furo"
html_title = f"{project} {release}"
html_favicon = "images/favicon.svg"
html_static_path = ["extra.css", "tables.js"]
html_css_files = ["extra.css"]
html_js_files = ["tables.js"]
if REPOSITORY:
    html_theme_options = {
        f"source_{verb}_link": f"{REPOSITORY}/{place}/main/docs/{{filename}}"
        for verb, place in (("view", "blob"), ("edit", "edit"))
    }
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", MANUAL)
html_last_updated_fmt = "%Y-%m-%d"
myst_heading_anchors = 3
sitemap_options = {"expose": True}

PAGE = re.compile(r": ([\w-]+)\.md$", re.MULTILINE)
SNIPPET = re.compile(r'^--8<-- "(?P<file>[\w.]+?)(?::(?P<section>\w+))?"$', re.MULTILINE)
MARKS = (("start-after", "start"), ("end-before", "end"))


def add_contents(app: Sphinx, docname: str, source: list[str]) -> None:
    """The navigation of mkdocs.yml, below the text of the first page; MkDocs would show a toctree as it is."""
    if docname == "commands":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\ncommands/*\n```\n"
    if docname != "index":
        return
    nav = Path(app.confdir, "..", "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    for group in nav.split("\n  - ")[1:]:
        caption, *_ = group.partition(":")
        source[0] += "\n".join(
            ["\n```{toctree}", ":hidden:", f":caption: {caption}", "", *PAGE.findall(group), "```\n"]
        )


def include_snippets(_app: Sphinx, _docname: str, source: list[str]) -> None:
    """What pymdownx.snippets includes in MkDocs: a file from above this folder, or a marked section of it."""
    source[0] = SNIPPET.sub(_as_directive, source[0])


def _as_directive(match: re.Match[str]) -> str:
    file, section = match["file"], match["section"]
    options = [":relative-docs: docs/"]
    if section:
        options += [f":{place}: <!-- --8<-- [{mark}:{section}] -->" for place, mark in MARKS]
    return "\n".join([f"```{{include}} ../{file}", *options, "```"])


def setup(app: Sphinx) -> None:
    """Connect the above."""
    app.connect("source-read", include_snippets)
    app.connect("source-read", add_contents)
