"""The record that a build writes: on its dates, its redirects, what is gone, and the contents of its pages."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from sitemap_plugins.formats.paths import contents_path
from sitemap_plugins.git import DateRules, GitDates
from sitemap_plugins.model import Candidate, Note, Omitted, OutputFile, Site
from sitemap_plugins.options import Settings
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.published.html_files import SUFFIXES
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.record import ContentRecord, GoneRecord, render_contents, render_record
from sitemap_plugins.record.snapshot import rows_of
from sitemap_plugins.session.redirects import find_redirects

if TYPE_CHECKING:
    from sitemap_plugins.session.previous_record import PreviousRecord


class BuildRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Finds the record of a build when its pages are chosen, see `sitemap_plugins.pipeline.FindRecord`.

    ``directory`` is the output folder, without the folders ``other_sites``, and ``encoding`` the one of its pages.
    ``host_file`` is the content of ``_redirects`` there. ``previous`` is the record to compare with.
    """

    site: Site
    settings: Settings
    directory: str
    other_sites: Collection[str] = ()
    encoding: str = "utf-8"
    git: GitDates | None = None
    host_file: bytes = b""
    previous: PreviousRecord | None = None

    def __call__(self, listed: Sequence[Candidate], omitted: Sequence[Omitted]) -> tuple[list[OutputFile], list[Note]]:
        """The files, and notes on what is gone since the previous record."""
        tree = Tree(self.directory)
        files = [*tree.files(without=self.other_sites, skip_unlisted=True)]
        pages = {each.page.output for each in listed} | {each.page.output for each in omitted}
        unknown = (path for path in files if path not in pages)
        redirects = find_redirects(self.site, omitted, tree, unknown, self.host_file)
        gone: Sequence[GoneRecord] = ()
        notes: list[Note] = []
        if self.previous:
            record = self.previous.parse(None if self.site.policy.preview else self.site.base_url)
            if record:
                from sitemap_plugins.session.gone import find_gone, snapshot_of_build

                build = snapshot_of_build(self.site, listed, files, redirects)
                toplevel = next((each.toplevel for each in self.git.histories), None) if self.git else None
                gone, notes = find_gone(record, self.previous.file, build, self.settings.ignored_findings, toplevel)
            elif self.previous.problem:
                message = f"{self.previous.file}: {self.previous.problem}; no page is compared with it"
                notes = [Note(kind="previous-record", message=message)]
        if not self.settings.record:
            return [], notes
        content = render_record(
            listed,
            self.git.rules if self.git else DateRules(),
            self.git.histories if self.git else (),
            self.settings.lastmod_format,
            base=self.site.base_url,
            preview=bool(self.site.policy.preview),
            redirects=rows_of(redirects.by_path.values()),
            gone=gone,
        )
        written = [OutputFile(path=self.settings.record, content=content)]
        if self.settings.record_content and not self.site.policy.is_local:
            contents = render_contents(self._contents(listed), content)
            written.append(OutputFile(path=contents_path(self.settings.record), content=contents))
        return written, notes

    def _contents(self, listed: Iterable[Candidate]) -> Iterator[ContentRecord]:
        """The contents of the listed pages below the base URL whose files can be read."""
        from sitemap_plugins.html.main_part import read_main_part

        base = self.site.base_url
        for candidate in listed:
            loc, output = candidate.entry.loc, candidate.page.output
            if output is None or not output.lower().endswith(SUFFIXES) or not loc.startswith(base):
                continue
            page, _ = read_output(os.path.join(self.directory, *output.split("/")), self.directory)
            if page is None:
                continue
            part = read_main_part(page.decode(self.encoding, errors="replace"))
            names = {
                f"{kind}s": tuple(anchor.name for anchor in part.anchors if anchor.kind == kind)
                for kind in ("heading", "label", "object")
            }
            yield ContentRecord(path=loc.removeprefix(base), digest=part.digest, **names)
