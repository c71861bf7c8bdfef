"""The manual, built with Sphinx and MyST: ``python -m nox -s docs -- sphinx``. Its contents are those of mkdocs.yml."""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

from sitemap_plugins.project import MANUAL, REPOSITORY

project = "sitemap-plugins"
author = copyright = "the developers of sitemap-plugins"  # noqa: A001  # Sphinx calls it that
language = "en"
extensions = ["myst_parser", "sitemap_plugins.sphinx"]
exclude_patterns = ["*.py"]
html_theme = "furo"
html_title = project
if REPOSITORY:
    html_theme_options = {
        f"source_{verb}_link": f"{REPOSITORY}/{place}/main/docs/{{filename}}"
        for verb, place in (("view", "blob"), ("edit", "edit"))
    }
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", MANUAL)
html_last_updated_fmt = "%Y-%m-%d"
myst_heading_anchors = 3
sitemap_options = {"expose": True}


def add_contents(app: Sphinx, docname: str, source: list[str]) -> None:
    """The navigation of mkdocs.yml, below the text of the first page; MkDocs would show a toctree as it is."""
    if docname != "index":
        return
    nav = Path(app.confdir, "..", "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = [page for page in re.findall(r"([\w-]+)\.md$", nav, re.MULTILINE) if page != "index"]
    source[0] += "\n".join(["\n```{toctree}", ":hidden:", "", *pages, "```\n"])


def setup(app: Sphinx) -> None:
    """Connect the above."""
    app.connect("source-read", add_contents)
