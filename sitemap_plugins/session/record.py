"""The record that a build writes: on its dates, its redirects, what is gone, and the contents of its pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sitemap_plugins.formats.paths import content_path
from sitemap_plugins.git import DateRules, GitDates
from sitemap_plugins.model import Candidate, Note, OutputFile, Result
from sitemap_plugins.options import Settings
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.published.html_files import SUFFIXES
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.record import ContentRecord, GoneRecord, render_contents, render_record
from sitemap_plugins.record.snapshot import rows_of
from sitemap_plugins.session.redirects import find_redirects

if TYPE_CHECKING:
    from sitemap_plugins.session.previous_record import PreviousRecord


def make_record(
    result: Result,
    listed: Collection[Candidate],
    settings: Settings,
    tree: Tree,
    *,
    other_sites: Collection[str],
    encoding: str,
    git: GitDates | None,
    host_file: bytes,
    previous: PreviousRecord | None,
) -> tuple[list[OutputFile], list[Note]]:
    """Return the files with the record of a build, and notes on what is gone since the ``previous`` one.

    ``listed`` are the candidates for the entries of the result. ``tree`` is the output folder, without the folders
    ``other_sites``; ``encoding`` is the one of its pages, and ``host_file`` the content of ``_redirects`` there.
    """
    site = result.site
    files = [*tree.files(without=other_sites, skip_unlisted=True)]
    pages = {each.page.output for each in listed} | {each.page.output for each in result.omitted}
    unknown = (path for path in files if path not in pages)
    redirects = find_redirects(site, result.omitted, tree, unknown, host_file)
    gone: Sequence[GoneRecord] = ()
    notes: list[Note] = []
    if previous:
        record = previous.parse(None if site.policy.preview else site.base_url)
        if record:
            from sitemap_plugins.session.gone import find_gone, snapshot_of_build

            build = snapshot_of_build(site, listed, files, redirects)
            toplevel = next((each.toplevel for each in git.histories), None) if git else None
            gone, notes = find_gone(record, previous.file, build, settings.ignored_findings, toplevel)
        elif previous.problem:
            message = f"{previous.file}: {previous.problem}; no page is compared with it"
            notes = [Note(kind="previous-record", message=message)]
    if not settings.record:
        return [], notes
    content = render_record(
        listed,
        git.rules if git else DateRules(),
        git.histories if git else (),
        settings.lastmod_format,
        base=site.base_url,
        preview=bool(site.policy.preview),
        redirects=rows_of(redirects.by_path.values()),
        gone=gone,
    )
    written = [OutputFile(path=settings.record, content=content)]
    if settings.record_content and not site.policy.is_local:
        contents = render_contents(_contents(listed, site.base_url, tree, encoding), content)
        written.append(OutputFile(path=content_path(settings.record), content=contents))
    return written, notes


def _contents(listed: Iterable[Candidate], base: str, tree: Tree, encoding: str) -> Iterator[ContentRecord]:
    """The contents of the listed pages below the base URL whose files can be read."""
    from sitemap_plugins.html.main_part import read_main_part

    for candidate in listed:
        loc, path = candidate.entry.loc, candidate.page.output
        if path is None or not path.lower().endswith(SUFFIXES) or not loc.startswith(base):
            continue
        page, _ = read_output(tree.place(path), tree.root)
        if page is None:
            continue
        part = read_main_part(page.decode(encoding, errors="replace"))
        names = {
            f"{kind}s": tuple(anchor.name for anchor in part.anchors if anchor.kind == kind)
            for kind in ("heading", "label", "object")
        }
        yield ContentRecord(path=loc.removeprefix(base), digest=part.digest, **names)
