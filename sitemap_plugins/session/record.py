"""What a build leaves for the next one, and what is gone since the last: the options record and previous_record."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

from msgspec import structs

from sitemap_plugins.formats.paths import content_path
from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.html.main_part import read_main_part
from sitemap_plugins.losses.finding import Loss, LossFinding, branch_of, find_losses, without_ignored
from sitemap_plugins.model import Candidate, Markup, Note, Omitted, OutputFile, Result, Site
from sitemap_plugins.options.settings import IgnoredFinding, Settings
from sitemap_plugins.published.redirects import Redirects, SiteBase, read_rules, stub_of
from sitemap_plugins.published.snapshot import Snapshot, SnapshotPage, normalize, path_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ABSENT, RECORD, below_current, from_current, read_file
from sitemap_plugins.record.site_record import (
    ContentRecord,
    GoneRecord,
    Record,
    RecordError,
    gone_rows_of,
    parse_record,
    render_contents,
    render_record,
    rows_of,
    snapshot_of_record,
)
from sitemap_plugins.values.text import count_of, join_first, plural
from sitemap_plugins.values.urls import root_of

_MOST: Final = 10_000  # lost pages and redirects in the record
_EXAMPLES: Final = 3
_SHOWN: Final = 200  # characters of a path


class PreviousRecord:
    """The record in a file, which is read at once, because the host may empty its folder later in the build.

    The file is relative to ``root``, the folder of the configuration. Messages, which name commands to run, call it
    ``file``: its path from the current folder, except that an absolute path outside of that folder stays as it is.
    ``problem`` says why no page can be compared with it, if that is known. ``is_expected`` says that a missing file is
    a problem.
    """

    def __init__(self, file: str, root: str | os.PathLike[str], *, is_expected: bool) -> None:
        self.problem = ""
        path = os.path.join(root, file)
        self.file = (below_current(path) if os.path.isabs(file) else from_current(path)) or file
        self._content = b""
        try:
            self._content = read_file(path, RECORD)  # git show may leave an empty file
        except ABSENT:
            pass
        except OSError as error:
            self.problem = error.strerror or str(error)
        except ValueError as error:  # a name that is not valid on any system
            self.problem = str(error)
        if not self._content and is_expected:
            self.problem = self.problem or "there is no such file, or it is empty, as before the first deployment"

    def parse(self, base_url: str | None) -> Record | None:
        """The record, if it is of the site with this base URL; None for any site. Otherwise, sets ``problem``."""
        if not self._content:
            return None
        try:
            record = parse_record(self._content)
        except RecordError as error:
            self.problem = str(error)
            return None
        if record.preview:
            self.problem = "the build of a preview wrote it"
        elif base_url not in {None, record.base}:
            self.problem = f"it is the record of {record.base}, and this build is for {base_url}"
        return None if self.problem else record

    def head_date(self) -> datetime | None:
        """When the commit was made that the last deployment built, if it is known."""
        record = self.parse(None)
        repository = record.repositories.get(".") if record else None
        return repository.date if repository else None


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
            build = snapshot_of_build(site, listed, files, redirects)
            toplevel = next((each.toplevel for each in git.histories), None) if git else None
            command = f"sitemap-plugins diff {previous.file} {below_current(os.fspath(tree.root)) or 'SITE'}"
            gone, notes = find_gone(record, previous.file, command, build, settings.ignored_findings, toplevel)
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
        rendered = render_contents(_read_content(listed, site.base_url, tree, encoding), content)
        written.append(OutputFile(path=content_path(settings.record), content=rendered))
    return written, notes


def _read_content(listed: Iterable[Candidate], base: str, tree: Tree, encoding: str) -> Iterator[ContentRecord]:
    """The content of the listed pages below the base URL whose files can be read."""
    for candidate in listed:
        loc, path = candidate.entry.loc, candidate.page.output
        if path is None or not tree.is_page(path) or not loc.startswith(base):
            continue
        page = tree.content(path)
        if page is None:
            continue
        part = read_main_part(page.decode(encoding, errors="replace"))
        names = {
            f"{kind}s": tuple(anchor.name for anchor in part.anchors if anchor.kind == kind)
            for kind in ("heading", "label", "object")
        }
        yield ContentRecord(path=loc.removeprefix(base), digest=part.digest, **names)


def find_redirects(
    site: Site, omitted: Iterable[Omitted], tree: Tree, files: Iterable[str], host_file: bytes
) -> Redirects:
    """The redirects from paths below the base URL. If a path has several, the page comes before the rule.

    Pages that redirect are among those left out, and among the HTML ``files`` in the output that the host does not
    know. ``host_file`` is the content of ``_redirects``, which has an effect only at the root of its host.
    """
    place = SiteBase(site.base_url)
    rules = read_rules(host_file if site.base_url == root_of(site.base_url) else b"", place)
    pages = _pages(site, omitted, tree, files)
    stubs = filter(None, (stub_of(path, file, markup, None, place) for file, path, markup in pages))
    return structs.replace(rules, by_path=rules.by_path | {each.path: each for each in stubs})


def _pages(
    site: Site, omitted: Iterable[Omitted], tree: Tree, files: Iterable[str]
) -> Iterator[tuple[str, str, Markup]]:
    """The file, the path and the head of each page that may redirect."""
    for page in (each.page for each in omitted if each.key != "preview"):
        path = path_of(site.base_url, page.loc)
        if page.markup and page.output and path is not None:
            yield page.output, path, page.markup
    for name in files:
        file = tree.head(name) if tree.is_page(name) else None
        if file and file.markup:
            yield name, normalize(name), file.markup


def snapshot_of_build(site: Site, listed: Iterable[Candidate], files: Iterable[str], redirects: Redirects) -> Snapshot:
    """What this build publishes: the pages that it lists, the ``files`` in its output, and its redirects."""
    files = frozenset(files) - {each.by for each in redirects.by_path.values()}
    paths = (path_of(site.base_url, each.entry.loc) for each in listed)
    return Snapshot(
        name="this build",
        base_url=site.base_url,
        pages={path: SnapshotPage(path=path) for path in paths if path is not None},
        redirects=redirects.by_path,
        redirect_by_rule=redirects.by_rule,
        files=files,
    )


def find_gone(
    record: Record, file: str, command: str, build: Snapshot, ignored: Sequence[IgnoredFinding], toplevel: str | None
) -> tuple[list[GoneRecord], list[Note]]:
    """What is gone since the ``record`` in a file, or was gone before it, and notes on what this branch lost.

    ``command`` prints redirects. ``toplevel`` is the top folder of the repository of the pages, None if there is none.
    Missing pages that this branch may not have lost are only counted.
    """
    published = snapshot_of_record(record, file)
    old = published.with_gone()
    findings = find_losses(old, build)
    if not findings:
        return [], []
    branch = branch_of(record.head, toplevel)

    def is_elsewhere(loss: Loss) -> bool:
        """Whether the last deployment has the URL, and this branch may be behind rather than have lost it."""
        return loss.path not in old.gone and not branch.has_lost(loss)

    losses = [loss for finding in findings for loss in finding.losses]
    lost = (loss.page or old.redirects[loss.path] for loss in losses if not (branch.is_behind and is_elsewhere(loss)))
    gone = (
        structs.replace(each, commit=record.head)
        if isinstance(each, SnapshotPage) and each.path in published.pages
        else each
        for each in lost
    )
    rows = sorted(gone_rows_of(gone))[:_MOST]
    findings = tuple(without_ignored(findings, ignored))
    own = [structs.replace(each, losses=tuple(filter(branch.has_lost, each.losses))) for each in findings]
    notes = [Note(kind="gone", message=f"{file}: {message}") for message in _describe(own, command)]
    if others := [_name(loss) for finding in findings for loss in finding.losses if loss.page and is_elsewhere(loss)]:
        verb = "is" if len(others) == 1 else "are"
        count = count_of(len(others), "published page")
        message = f"{count} {verb} missing from this build: {join_first(others, _EXAMPLES)}; {branch.why}"
        notes.append(Note(kind="previous-record", message=f"{file}: {message}"))
    return rows, notes


def _describe(findings: Iterable[LossFinding], command: str) -> Iterator[str]:
    """A sentence on each cause of lost URLs, one on all other pages, and one on all other redirects."""
    causes: dict[tuple[str, str], list[str]] = {}
    for finding in findings:
        what = "redirect" if finding.kind == "redirects" else "page"
        causes.setdefault((what, finding.cause), []).extend(map(_name, finding.losses))
    for (what, cause), names in causes.items():
        if names:
            verb = "is" if len(names) == 1 else "are"
            because = f" ({cause})" if cause else ""
            examples = join_first(names, _EXAMPLES)
            yield (
                f"{len(names):,} published {plural(len(names), what)} {verb} gone{because}: {examples}; "
                f"add redirects; to print them, run {command}"
            )


def _name(loss: Loss) -> str:
    """The path of a lost URL, and where the page is now, if that is known."""
    now = "" if loss.moved_to is None else f" (now {loss.moved_to or 'the home page':.{_SHOWN}})"
    return f"{loss.path or 'the home page':.{_SHOWN}}{now}"
