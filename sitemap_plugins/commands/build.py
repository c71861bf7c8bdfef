"""The command ``sitemap-plugins build``: writes the sitemap of a site that any generator built into a folder."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import Final

import click

from sitemap_plugins.commands.progress import ProgressBar
from sitemap_plugins.commands.shared_options import base_url_option, examples, project_option
from sitemap_plugins.commands.terminal import describe_changes, explained_errors, say
from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import ConfigurationError, read_configuration, read_settings_of
from sitemap_plugins.folder.site_finding import find_site
from sitemap_plugins.model import Note
from sitemap_plugins.output.writing import WriteError, locked
from sitemap_plugins.published.addresses import StyleName
from sitemap_plugins.session import LogLevel
from sitemap_plugins.values.text import plural

_SHOWN: Final = 20  # changed files, of which head_links may make thousands


@click.command(
    "build",
    epilog=examples(
        "zensical build",
        "sitemap-plugins build",
        "sitemap-plugins build public/ --dry-run",
    ),
)
@click.argument("site", required=False, type=click.Path(exists=True, file_okay=False))
@project_option(
    "The folder with the configuration: zensical.toml, mkdocs.yml, sitemap.toml or pyproject.toml. Default: the "
    "current folder.",
    default=".",
)
@base_url_option(
    "Where the site will be published. Overrides the option base_url.",
)
@click.option(
    "--urls",
    "style",
    type=click.Choice(["html", "clean", "directory"]),
    help="The URL of a file such as guide.html: /guide.html, /guide or /guide/. Default: the one in the page's "
    "canonical link or in the generator's sitemap.",
)
@click.option("--strict", is_flag=True, help="Exit with status 1 if there are warnings.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, without writing anything.")
@click.option("--verbose", "-v", is_flag=True, help="Show each page that is left out, and why.")
@click.option(
    "--quiet", "-q", is_flag=True, help="Print only warnings and errors, and what would change with --dry-run."
)
def build_command(
    site: str | None,
    project: str,
    base_url: str | None,
    style: StyleName | None,
    *,
    strict: bool,
    dry_run: bool,
    verbose: bool,
    quiet: bool,
) -> None:
    """Write the sitemap of a site that was built into the folder SITE.

    For Zensical, Docusaurus, VitePress, Starlight, Hugo and all other generators: run it after each build. Without
    SITE, it uses the output folder in the configuration, or else looks for pages in the folders that generators
    commonly build into; if several have pages, it asks you to choose one. With MkDocs and Sphinx, use the plugins
    instead.

    The exit status is 1 if no sitemap was written.
    """
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose cannot be combined")
    notes: list[tuple[LogLevel, str]] = []
    lines: list[str] = []

    def report(level: LogLevel, note: Note) -> None:
        if note.kind:
            notes.append((level, f"{note.page}: {note.message}" if note.page else note.message))
        elif verbose or level != "debug":
            lines.append(note.message)

    reading = ProgressBar("reading the site", quiet=quiet)
    with explained_errors(ConfigurationError, WriteError, status=1), reading as bar:
        configuration = read_configuration(project)
        options = read_settings_of(configuration, base_url=base_url)
        folder = os.path.abspath(site) if site else find_site(configuration)
        with nullcontext() if dry_run else locked(folder, whole_tree=True):
            pass  # this removes what a killed run left below
        built = build_site(folder, configuration, options, report, style=style, dry_run=dry_run, track=bar.track)
    publication = built.publication
    has_failed = not publication or not publication.summary
    warnings = [each for each in notes if each[0] == "warning"]
    if not quiet:
        say(*built.description)
    # Without a sitemap, a note says why.
    say(*(f"{level}: {text}" for level, text in (warnings if quiet and not has_failed else notes)), err=True)
    if not quiet:
        say(*lines)
    if not publication or has_failed:
        raise click.ClickException("no sitemap was written")
    if dry_run or not quiet:
        changes = [f"{path} (removed)" if path in publication.removed else path for path in publication.changed]
        say(describe_changes(changes, dry_run=dry_run, most=_SHOWN))
    if strict and warnings:
        raise click.ClickException(f"--strict: {len(warnings)} {plural(len(warnings), 'warning')}")
