"""Takes snapshots of a site from the record of a build or from a sitemap, without the site itself.

`read_record_snapshot` and `read_sitemap_snapshot` read files; the rest is pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.paths import contents_path
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.text import read_text
from sitemap_plugins.html.main_part import Anchor, AnchorKind, MainPart
from sitemap_plugins.published.redirects import PATH_SAFE, encode_path
from sitemap_plugins.published.sitemaps import read_listed
from sitemap_plugins.published.snapshot import FACTS, Fact, Redirect, Snapshot, SnapshotPage, normalize
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import RECORD, SITEMAP, read_file
from sitemap_plugins.record import (
    ContentRecord,
    GoneRecord,
    PageRecord,
    Record,
    RecordError,
    RedirectRecord,
    parse_record,
    read_contents,
)
from sitemap_plugins.values.urls import LOC_LENGTH, file_path, root_of

_URL_SAFE: Final = PATH_SAFE + "%?#[]"
_KINDS: Final[Mapping[AnchorKind, str]] = {"heading": "headings", "label": "labels", "object": "objects"}


def read_record_snapshot(file: Path, name: str) -> Snapshot:
    """The snapshot of a file of record, with the contents of the pages if they are in the file beside it.

    Contents that belong to the record of another build are ignored. Raises `RecordError`, whose message begins with
    the name of the file, and OSError.
    """
    content = read_file(file, RECORD)
    contents = None
    with suppress(OSError, RecordError):
        contents = read_contents(read_file(file.with_name(contents_path(file.name)), RECORD), content)
    try:
        return snapshot_of_record(parse_record(content), name, contents)
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from None


def snapshot_of_record(record: Record, name: str, contents: Mapping[str, ContentRecord] | None = None) -> Snapshot:
    """The snapshot of record, with the ``contents`` of its pages by their encoded paths, if they are known.

    Pages that are not below the base URL are left out.
    """
    pages = dict(_pages(record.base, record.pages))
    by_path = {_decoded(path): page for path, page in (contents or {}).items()}
    unknown: set[Fact] = {"unlisted"}
    unknown |= set() if any(page.document for page in pages.values()) else {"documents"}
    unknown |= {"texts", "anchors"} if contents is None else set()
    return Snapshot(
        name=name,
        base_url=record.base,
        pages=pages,
        redirects=dict(_redirects(record.redirects)),
        commit=record.head,
        gone=dict(_gone(record.gone)),
        unknown=frozenset(unknown),
        read_content=lambda path: _content(by_path[path]) if path in by_path else None,
    )


def _pages(base_url: str, pages: Iterable[PageRecord]) -> Iterator[tuple[str, SnapshotPage]]:
    for page in pages:
        path = path_of(base_url, page.loc)
        if path is not None:
            yield path, SnapshotPage(path=path, document=page.document, made_of=page.made_of)


def _gone(rows: Iterable[GoneRecord]) -> Iterator[tuple[str, SnapshotPage | Redirect]]:
    for row in rows:
        path = _decoded(row.path)
        if row.target is None:
            yield path, SnapshotPage(path=path, document=row.document, commit=row.head)
        else:
            yield path, Redirect(path=path, target=_decoded(row.target))


def _redirects(rows: Iterable[RedirectRecord]) -> Iterator[tuple[str, Redirect]]:
    for row in rows:
        path = _decoded(row.path)
        yield path, Redirect(path=path, target=_decoded(row.target))


def rows_of(redirects: Iterable[Redirect]) -> Iterator[RedirectRecord]:
    """The rows for redirects, except those that do not lead to a page or whose URLs are too long."""
    for redirect in redirects:
        is_elsewhere = redirect.is_elsewhere
        path = encode_path(redirect.path)
        target = _encode_url(redirect.target) if is_elsewhere else encode_path(redirect.target)
        is_short = max(len(path), len(target)) <= LOC_LENGTH
        if is_short and (not is_elsewhere or target.startswith(("http://", "https://"))):
            yield RedirectRecord(path, target)


def gone_rows_of(gone: Iterable[SnapshotPage | Redirect]) -> Iterator[GoneRecord]:
    """The rows for pages and redirects that are gone."""
    for each in gone:
        if isinstance(each, SnapshotPage):
            yield GoneRecord(encode_path(each.path), each.document, head=each.commit if each.document else None)
        else:
            yield from (GoneRecord(row.path, target=row.target) for row in rows_of([each]))


def _encode_url(url: str) -> str:
    return quote(url, _URL_SAFE, errors="surrogateescape")


def path_of(base_url: str, loc: str) -> str | None:
    """The path of a page by its URL; None if it is not below the base URL."""
    path = file_path(base_url, loc)
    return None if path is None else normalize(path)


def _decoded(path: str) -> str:
    return normalize(unquote(path, errors="surrogateescape"))


def _content(page: ContentRecord) -> MainPart:
    anchors = [Anchor(name, kind) for kind, field in _KINDS.items() for name in getattr(page, field)]
    return MainPart(digest=page.digest, anchors=tuple(anchors))


def read_sitemap_snapshot(file: Path, name: str, base_url: str | None = None) -> Snapshot:
    """The snapshot of a sitemap (XML or text) or of all sitemaps in an index. Raises `SitemapError` and OSError.

    The base URL is ``base_url``, if all pages are below it. Otherwise, it is the folder that has all pages of the most
    frequent host, if the sitemap lists the home page of that folder, or else the root of that host.
    """
    locs = (
        _read_text(file)
        if file.name.lower().removesuffix(".gz").endswith(".txt")
        else [entry.loc for entry in read_listed(Tree(file.parent), file.name)]
    )
    if not base_url or not all(loc.startswith(base_url) for loc in locs):
        base_url = _base_of(locs)
    paths = (path_of(base_url, loc) for loc in locs) if base_url else ()
    return Snapshot(
        name=name,
        base_url=base_url,
        pages={path: SnapshotPage(path=path) for path in paths if path is not None},
        unknown=frozenset(FACTS),
    )


def _read_text(file: Path) -> list[str]:
    try:
        content = read_file(file, SITEMAP)
        entries = read_text(unpack(content, SITEMAP) if is_packed(content) else content, lambda _: None)
    except (GzipError, SitemapError) as error:
        raise SitemapError(f"{file} {error}") from None
    return [located.entry.loc for located in entries]


def _base_of(locs: Sequence[str]) -> str | None:
    hosts = Counter(map(root_of, locs))
    if not hosts:
        return None
    ((host, _),) = hosts.most_common(1)
    own = {loc for loc in locs if loc.startswith(host)}
    folders = (each.split("/")[:-1] for each in (min(own), max(own)))
    same = takewhile(lambda steps: steps[0] == steps[1], zip(*folders, strict=False))
    folder = "/".join(step for step, _ in same)
    return f"{folder}/" if not own.isdisjoint({f"{folder}/", f"{folder}/index.html"}) else host
