"""What the manual needs when MkDocs builds it: its addresses and version, tabs, and links in texts from elsewhere."""

from __future__ import annotations

import re
import textwrap

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from mkdocs.config.defaults import MkDocsConfig

import sitemap_plugins
from sitemap_plugins.project import MANUAL, REPOSITORY

BLOCK = r"^```\w+\n(?:(?!```).*\n)*```$"
ALTERNATIVES = re.compile(rf"{BLOCK}(?:\n\nIn `[\w.]+`:\n\n{BLOCK})+", re.MULTILINE)
NEXT = re.compile(r"\n\nIn `([\w.]+)`:\n\n")


class Links(Extension, Preprocessor):
    """Makes links of CHANGELOG.md, such as ``docs/api.md``, relative to this folder."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # its name in Markdown
        """Run after pymdownx.snippets, which has priority 32."""
        md.preprocessors.register(self, "links", 31)

    def run(self, lines: list[str]) -> list[str]:
        """The lines with these links changed."""
        return [line.replace("](docs/", "](") for line in lines]


def on_config(config: MkDocsConfig) -> None:
    """Set the addresses, and show the version beside the name. Links to the repository need its address."""
    config.site_url = config.site_url or MANUAL  # on Read the Docs, it is that of the version
    if REPOSITORY:
        config.repo_url = REPOSITORY
        config.repo_name = REPOSITORY.rpartition("/")[2]
        config.edit_uri = "edit/main/docs/"
    config.site_name += f" {sitemap_plugins.__version__}"
    config.markdown_extensions.append(Links())  # type: ignore[arg-type]  # an instance, as Markdown itself takes it


def on_page_markdown(markdown: str, **_: object) -> str:
    """Show blocks that only "In `conf.py`:" is between, and the like, in tabs. They read well without them, too."""
    return ALTERNATIVES.sub(_in_tabs, markdown)


def _in_tabs(match: re.Match[str]) -> str:
    first, *others = NEXT.split(match[0])
    names, blocks = ["mkdocs.yml", *others[::2]], [first, *others[1::2]]
    tabs = (f'=== "{name}"\n\n{textwrap.indent(block, "    ")}' for name, block in zip(names, blocks, strict=True))
    return "\n\n".join(tabs)
