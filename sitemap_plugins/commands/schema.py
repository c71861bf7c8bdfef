"""The command ``sitemap-plugins schema``: prints a JSON Schema with which editors check and explain the options."""

from __future__ import annotations

from typing import get_args

import click

from sitemap_plugins.commands.shared_options import examples
from sitemap_plugins.commands.terminal import say_json
from sitemap_plugins.options.schema import ConfigurationFile, file_schema


@click.command("schema", epilog=examples("sitemap-plugins schema mkdocs.yml > sitemap.schema.json"))
@click.argument("file", metavar="[FILE]", default="sitemap.toml", type=click.Choice(get_args(ConfigurationFile)))
def schema_command(file: ConfigurationFile) -> None:
    """Print a JSON Schema of the options, for your editor.

    With it, editors complete the options, explain them, and mark mistakes. FILE is the file with the options:
    sitemap.toml (the default), pyproject.toml, zensical.toml or mkdocs.yml. The schema says nothing about the settings
    of other tools in that file. conf.py has no schema, because it is Python: each build checks the options there.
    """
    say_json(file_schema(file))
