"""What the evidence of a build and a sitemap say about a site: snapshots of files that are not the site itself.

`read_evidence_snapshot` and `read_sitemap_snapshot` read files; the rest is pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from os.path import commonprefix
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from sitemap_plugins.built import read_listed
from sitemap_plugins.changes.snapshot import Anchor, AnchorKind, Fact, PageContent, Redirect, Snapshot, SnapshotPage
from sitemap_plugins.formats.paths import contents_path
from sitemap_plugins.provenance import (
    ContentEvidence,
    Evidence,
    EvidenceError,
    PageEvidence,
    RedirectEvidence,
    parse_evidence,
    read_contents,
)
from sitemap_plugins.reading import ABSENT, EVIDENCE, read_file
from sitemap_plugins.values.urls import file_path, root_of

_KINDS: Final[Mapping[AnchorKind, str]] = {"heading": "headings", "label": "labels", "object": "objects"}


def read_evidence_snapshot(file: Path, name: str) -> Snapshot:
    """The snapshot of a file of evidence, and of the contents of the pages, if they are in the file beside it.

    Contents that belong to the evidence of another build are not used. Raises `EvidenceError`, whose message begins
    with the name of the file, and OSError.
    """
    content = read_file(file, EVIDENCE)
    beside = file.with_name(contents_path(file.name))
    try:
        evidence = parse_evidence(content)
        snapshot = snapshot_of_evidence(evidence, name)
    except EvidenceError as error:
        raise EvidenceError(f"{file}: {error}") from None
    try:
        contents = read_contents(read_file(beside, EVIDENCE), content)
    except (*ABSENT, EvidenceError):
        contents = None
    return snapshot_of_evidence(evidence, name, contents)


def snapshot_of_evidence(
    evidence: Evidence, name: str, contents: Mapping[str, ContentEvidence] | None = None
) -> Snapshot:
    """The snapshot of evidence, with the ``contents`` of its pages by their encoded paths, if they are known.

    Pages that are not below the base URL are left out. Raises `EvidenceError` if the evidence has no base URL.
    """
    if evidence.base is None:
        raise EvidenceError("an earlier release of sitemap-plugins wrote it, without the URL of the site")
    pages = dict(_pages(evidence.base, evidence.pages))
    redirects = map(_redirect, evidence.redirects or ())
    by_path = {unquote(path, errors="surrogateescape"): page for path, page in (contents or {}).items()}
    unknown: set[Fact] = {"unlisted"}
    unknown |= {"redirects"} if evidence.redirects is None else set()
    unknown |= set() if any(page.document for page in pages.values()) else {"documents"}
    unknown |= {"texts", "anchors"} if contents is None else set()
    repository = evidence.repositories.get(".")
    return Snapshot(
        name=name,
        base_url=evidence.base,
        pages=pages,
        redirects={each.path: each for each in redirects},
        commit=repository.head if repository else None,
        unknown=frozenset(unknown),
        read_content=lambda path: _content(by_path[path]) if path in by_path else None,
    )


def _pages(base_url: str, pages: Iterable[PageEvidence]) -> Iterator[tuple[str, SnapshotPage]]:
    for page in pages:
        path = file_path(base_url, page.loc)
        if path is not None:
            yield path, SnapshotPage(path=path, document=page.document, made_of=page.made_of)


def _redirect(row: RedirectEvidence) -> Redirect:
    path, target = (unquote(each, errors="surrogateescape") for each in (row.path, row.target))
    return Redirect(path=path, target=target)


def _content(page: ContentEvidence) -> PageContent:
    anchors = [Anchor(name, kind) for kind, field in _KINDS.items() for name in getattr(page, field)]
    return PageContent(digest=page.digest, anchors=tuple(anchors))


def read_sitemap_snapshot(file: Path, name: str, base_url: str | None = None) -> Snapshot:
    """The snapshot of a sitemap, or of all sitemaps in an index. Raises `SitemapError` and OSError.

    Without a ``base_url``, it is the folder that all pages of most hosts are in if the sitemap lists it, as the home
    page, else the root of the host.
    """
    locs = [entry.loc for entry in read_listed(file)]
    base_url = base_url or _base_of(locs)
    paths = (file_path(base_url, loc) for loc in locs) if base_url else ()
    return Snapshot(
        name=name,
        base_url=base_url,
        pages={path: SnapshotPage(path=path) for path in paths if path is not None},
        unknown=frozenset({"unlisted", "redirects", "documents", "texts", "anchors"}),
    )


def _base_of(locs: Iterable[str]) -> str | None:
    hosts = Counter(map(root_of, locs))
    if not hosts:
        return None
    ((host, _),) = hosts.most_common(1)
    own = {loc for loc in locs if loc.startswith(host)}
    folder = commonprefix([*own]).rpartition("/")[0] + "/"
    return folder if folder in own else host
