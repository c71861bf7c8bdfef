"""The command line ``sitemap-plugins``: a group with one module for each command."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from sitemap_plugins import __version__
from sitemap_plugins.commands.terminal import readable_errors

_NAMES = ("build", "dates", "merge", "retire")


class _Commands(click.Group):
    """A group that imports only the command that runs, from the module with its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_NAMES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _NAMES:
            return None
        command: click.Command = getattr(import_module(f"sitemap_plugins.commands.{cmd_name}"), f"{cmd_name}_command")
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with readable_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with readable_errors():
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sitemap-plugins")
def main() -> None:
    """Accurate sitemaps for MkDocs, Sphinx, and any site that is built into a folder.

    With MkDocs and Sphinx, each build writes the sitemap: enable the plugin in mkdocs.yml or conf.py. For any other
    generator, run sitemap-plugins build after each build.
    """
