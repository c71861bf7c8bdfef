"""The command line ``sitemap-plugins``: one group, and a module for each command in it."""

from __future__ import annotations

import click

from sitemap_plugins import __version__
from sitemap_plugins.commands.dates import dates_command
from sitemap_plugins.commands.merge import merge_command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sitemap-plugins")
def main() -> None:
    """True sitemaps for MkDocs and Sphinx.

    The sitemaps themselves are written by the builds: enable the plugin in mkdocs.yml or conf.py.
    """


main.add_command(dates_command)
main.add_command(merge_command)
