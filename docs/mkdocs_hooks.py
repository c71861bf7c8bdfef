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
TOOL = rf"^With ([\w ]+), (.+:\n\n{BLOCK})\n*"
TOOLS = re.compile(rf"(?:{TOOL}){{2,}}", re.MULTILINE)


class Texts(Extension, Preprocessor):
    """Makes links of README.md and CHANGELOG.md, such as ``docs/api.md``, relative to this folder, and makes tabs.

    Blocks that only "In `conf.py`:" is between are shown in tabs, and blocks that each follow "With Sphinx, …:". They
    read well without them, too.
    """

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # its name in Markdown
        """Run after pymdownx.snippets, which has priority 32."""
        md.preprocessors.register(self, "texts", 31)

    def run(self, lines: list[str]) -> list[str]:
        """The lines with both changed."""
        text = "\n".join(lines).replace("](docs/", "](")
        return ALTERNATIVES.sub(_in_tabs, TOOLS.sub(_of_tools, text)).split("\n")


def on_config(config: MkDocsConfig) -> None:
    """Set the addresses, and show the version beside the name. Links to the repository need its address."""
    config.site_url = config.site_url or MANUAL  # on Read the Docs, it is that of the version
    if REPOSITORY:
        config.repo_url = REPOSITORY
        config.repo_name = REPOSITORY.rpartition("/")[2]
        config.edit_uri = "edit/main/docs/"
    config.site_name += f" {sitemap_plugins.__version__}"
    config.markdown_extensions.append(Texts())  # type: ignore[arg-type]  # an instance, as Markdown itself takes it


def _in_tabs(match: re.Match[str]) -> str:
    first, *others = NEXT.split(match[0])
    return _tabs(["mkdocs.yml", *others[::2]], [first, *others[1::2]])


def _of_tools(match: re.Match[str]) -> str:
    names, texts = zip(*re.findall(TOOL, match[0], re.MULTILINE), strict=True)
    return _tabs([name[0].upper() + name[1:] for name in names], [text[0].upper() + text[1:] for text in texts])


def _tabs(names: list[str], texts: list[str]) -> str:
    tabs = (f'=== "{name}"\n\n{textwrap.indent(text, "    ")}\n\n' for name, text in zip(names, texts, strict=True))
    return "".join(tabs)
