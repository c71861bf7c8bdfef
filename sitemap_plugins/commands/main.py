"""The command line ``sitemap-plugins``: a group with one module for each command."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import click

from sitemap_plugins import __version__
from sitemap_plugins.commands.terminal import readable_errors
from sitemap_plugins.values.text import did_you_mean

# The help of the group shows these, so that it need not import the commands.
_SHORT_HELPS: Final = {
    "build": "Write the sitemap of a site that was built into the folder SITE.",
    "check": "Find mistakes in the sitemaps of a published site.",
    "dates": "Show when each file last changed, and why.",
    "debug": "Show versions and settings for a bug report.",
    "diff": "Find the URLs that are lost between two states of a site.",
    "merge": "Combine languages and versions that were built separately.",
    "retire": "Point search engines away from old versions, or undo that.",
    "rule": "Explain what check finds, and how to fix it.",
    "schema": "Print a JSON Schema of the options, for your editor.",
    "submit": "Tell search engines which URLs of a live site have changed.",
    "why": "Show which sitemap lists a page, or why none should.",
}


class _Commands(click.Group):
    """A group that imports only the command that runs, from the module with its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_SHORT_HELPS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _SHORT_HELPS:
            if ctx.resilient_parsing:  # completion
                return None
            ctx.fail(f"unknown command {cmd_name!r}{did_you_mean(cmd_name, _SHORT_HELPS)}")
        command: click.Command = getattr(import_module(f"sitemap_plugins.commands.{cmd_name}"), f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*_SHORT_HELPS.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with readable_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with readable_errors():
            return super().invoke(ctx)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", "-V", prog_name="sitemap-plugins")
def main() -> None:
    """Accurate sitemaps for MkDocs, Sphinx, and any site that is built into a folder.

    With MkDocs and Sphinx, each build writes the sitemap: enable the plugin in mkdocs.yml or conf.py. For any other
    generator, run sitemap-plugins build after each build.
    """
