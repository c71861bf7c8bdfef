"""The command ``sitemap-plugins build``: writes the sitemap of a site that any generator built into a folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import PurePosixPath
from typing import Final

import click
import msgspec

from sitemap_plugins.commands.root import Root, takes_root
from sitemap_plugins.commands.shared_options import base_url_option, examples, project_option
from sitemap_plugins.commands.terminal import describe_changes, say
from sitemap_plugins.folder.building import BuiltSite, build_site
from sitemap_plugins.folder.configuration import read_configuration, read_settings_of
from sitemap_plugins.folder.site_finding import find_site, folders_of_version
from sitemap_plugins.git.commits import is_built_from_head
from sitemap_plugins.model import Note
from sitemap_plugins.output.writing import locked
from sitemap_plugins.published.addresses import StyleName
from sitemap_plugins.session.lifecycle import LogLevel
from sitemap_plugins.values.tasks import ExplainedError, Track
from sitemap_plugins.values.text import plural
from sitemap_plugins.values.urls import path_in

_SHOWN: Final = 20  # changed files, of which head_links may make thousands
_MERGE: Final = "sitemap-plugins merge writes the sitemap at the root, with the pages of one version, and announces it"


class _Run(msgspec.Struct):
    """What there is to say about a run in ``folder``, which messages call ``name``, and the paths that it changed."""

    folder: str
    name: str
    is_verbose: bool
    description: Sequence[str] = ()
    notes: dict[tuple[LogLevel, str], None] = {}  # those on the copies of a version are the same
    lines: dict[str, None] = {}
    changes: list[str] = []

    def report(self, level: LogLevel, note: Note) -> None:
        """Add a note."""
        if note.kind:
            self.notes[level, f"{note.page}: {note.message}" if note.page else note.message] = None
        elif self.is_verbose or level != "debug":
            self.lines[note.message] = None

    def add(self, path: str, built: BuiltSite) -> None:
        """Add the site at a path below the folder. Raises `ExplainedError` if it has no sitemap."""
        self.description = self.description or built.description
        publication = built.publication
        if not publication or not publication.summary:
            raise ExplainedError("no sitemap was written")
        changed = (path_in(path, each) + " (removed)" * (each in publication.removed) for each in publication.changed)
        self.changes.extend(changed)

    def refuse_warnings(self, *, strict: bool) -> None:
        """Raise `ExplainedError` if ``strict`` and there are warnings."""
        number = sum(level == "warning" for level, _ in self.notes)
        if strict and number:
            raise ExplainedError(f"--strict: {number} {plural(number, 'warning')}")

    def say(self, *, quiet: bool, has_failed: bool = False) -> None:
        """Print all but the changes. If ``quiet``, these are only warnings, or the notes that say why it failed."""
        notes = [f"{level}: {text}" for level, text in self.notes if has_failed or not quiet or level == "warning"]
        for lines, err in ((self.description, False), (notes, True), (self.lines, False)):
            if err or not quiet:
                say(*(line.replace(self.folder, self.name) for line in lines), err=err)


@click.command(
    "build",
    epilog=examples(
        "zensical build",
        "sitemap-plugins build",
        "sitemap-plugins build public/ --dry-run",
        "sitemap-plugins build 2.0 --branch gh-pages",
    ),
)
@takes_root("site")
@project_option("Default: the current folder.", default=".")
@base_url_option("Where the site will be published. Overrides the option base_url.")
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
    root: Root,
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

    For Zensical, Docusaurus, VitePress, Starlight, Hugo and all other generators: run the command after each
    build. Without SITE, it uses the output folder in the configuration, or else looks for pages in the folders that
    generators commonly build into. If several of these have pages, it asks you to choose one. With MkDocs and Sphinx,
    use the plugins instead.

    With --branch, SITE is the folder of a version that mike has built with Zensical and committed, or an alias of that
    version. Aliases that are copies of the version get the same sitemap. Run the command right after mike deploy,
    because the dates are those of the files that are checked out.

    The exit status is 1 if no sitemap was written.
    """
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose cannot be combined")
    path = PurePosixPath((root.folder or ".").replace(os.sep, "/"))
    runs: list[_Run] = []  # more than one if the branch moves meanwhile; only the last one counts

    def act(folder: str, track: Track) -> _Run:
        name = os.path.normpath(os.path.join(root.branch, path.parent)) if root.branch else folder
        runs.append(run := _Run(folder, name, verbose))
        for below in _find_version(run, path, root.branch) if root.branch else ("",):
            place = os.path.normpath(os.path.join(folder, below))
            with nullcontext() if dry_run else locked(place, whole_tree=True):
                pass  # this removes what a killed run left below
            how = _MERGE if below else ""
            built = build_site(
                place, configuration, options, run.report, style=style, announce_by=how, dry_run=dry_run, track=track
            )
            run.add(below, built)
        run.refuse_warnings(strict=strict and root.branch is not None)
        return run

    configuration = read_configuration(project)
    options = read_settings_of(configuration, base_url=base_url)
    above = str(path.parent) if root.branch else os.path.abspath(root.folder or find_site(configuration))
    root = msgspec.structs.replace(root, folder=above)
    try:
        run, outcome = root.work(act, f"Write the sitemap of {path}", dry_run=dry_run, quiet=quiet)
    except (ExplainedError, OSError):
        for run in runs[-1:]:
            run.say(quiet=quiet, has_failed=True)
        raise
    run.say(quiet=quiet)
    if dry_run or not quiet:
        say(describe_changes(run.changes, dry_run=dry_run, most=_SHOWN))
    if outcome and not quiet:
        say(*outcome.lines())
    run.refuse_warnings(strict=strict)


def _find_version(run: _Run, path: PurePosixPath, branch: str) -> Sequence[str]:
    """The folders of the version at a path in the branch, and a note if nothing says that it was built from HEAD."""
    folders = folders_of_version(run.folder, path.name)
    place = str(path.parent / folders[0])
    if not is_built_from_head(os.getcwd(), branch, place):
        message = f"no commit message on {branch} says from which revision {place} was built, so HEAD is assumed"
        run.notes["info", message] = None
    return folders
