"""What a record says about a site: a snapshot of it, or what one of its folder lacks; and the rows for a record.

`read_record_snapshot` and `with_record` read files; the rest is pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, get_args

from msgspec.structs import replace

from sitemap_plugins.formats.paths import content_path
from sitemap_plugins.html.main_part import Anchor, AnchorKind, MainPart
from sitemap_plugins.published.redirects import PATH_SAFE, SiteBase, encode_path
from sitemap_plugins.published.snapshot import Fact, Redirect, Snapshot, SnapshotPage, is_auxiliary, normalize, path_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import RECORD, read_file
from sitemap_plugins.record.site_record import (
    ContentRecord,
    GoneRecord,
    PageRecord,
    Record,
    RecordError,
    RedirectRecord,
    parse_record,
    read_contents,
)
from sitemap_plugins.values.urls import LOC_LENGTH, decode_path, quote_path

_FILE: Final = "site-record.json"
_URL_SAFE: Final = PATH_SAFE + "%?#[]"


def read_record(file: str, inside: str | None = None) -> tuple[Record, bytes]:
    """The record in a file, which must not lead outside the folder ``inside``, and the content of the file.

    Raises `RecordError`, whose message begins with the name of the file, and OSError.
    """
    content = read_file(file, RECORD, inside=inside)
    try:
        return parse_record(content), content
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from None


def read_record_snapshot(file: Path, name: str) -> Snapshot:
    """The snapshot of a record in a file, with the contents of the pages if they are in the file beside it.

    Contents that belong to the record of another build are ignored. Raises the errors of `read_record`.
    """
    record, content = read_record(str(file))
    contents = None
    with suppress(OSError, RecordError):
        contents = read_contents(read_file(file.with_name(content_path(file.name)), RECORD), content)
    return snapshot_of_record(record, name, contents)


def snapshot_of_record(record: Record, name: str, contents: Mapping[str, ContentRecord] | None = None) -> Snapshot:
    """The snapshot of a record, with the ``contents`` of its pages by their encoded paths, if they are known.

    Pages that are not below the base URL are left out.
    """
    pages = {
        path: SnapshotPage(path=path, document=page.document, made_of=page.made_of)
        for page in record.pages
        if (path := path_of(record.base, page.loc)) is not None and (page.document or not is_auxiliary(path))
    }
    by_path = {_decoded(path): page for path, page in (contents or {}).items()}
    unknown: set[Fact] = {"unlisted"}
    unknown |= set() if any(page.document for page in pages.values()) else {"documents"}
    unknown |= {"texts", "anchors"} if contents is None else set()
    return Snapshot(
        name=name,
        base_url=record.base,
        pages=pages,
        redirects={each.path: each for each in map(_redirect, record.redirects)},
        commit=record.head,
        gone={each.path: each for each in map(_gone, record.gone)},
        unknown=frozenset(unknown),
        read_content=lambda path: _content(by_path[path]) if path in by_path else None,
    )


def with_record(snapshot: Snapshot, tree: Tree, base_url: str | None) -> Snapshot:
    """The snapshot of a published folder with what only the record in it says: the commit, and the files of pages.

    ``base_url`` is that of the folder, which may be local. A record that cannot be used is a problem.
    """
    try:
        content = tree.read(_FILE, RECORD)
        record = None if content is None else parse_record(content)
    except (RecordError, OSError) as error:
        why = getattr(error, "strerror", None) or error
        return replace(snapshot, problems=(f"{_FILE} was not read: {why}", *snapshot.problems))
    if record is None:
        return snapshot
    base = SiteBase.of(base_url)
    known = {path: row for row in record.pages if (path := base.path(row.loc)) is not None}
    rows: dict[str, PageRecord] = {}  # by file, because a page may also be behind the links of aliases
    for path, page in snapshot.pages.items():
        if path in known:
            rows.setdefault(page.file, known[path])
    pages = {
        path: replace(page, document=page.document or row.document, made_of=row.made_of)
        for path, page in snapshot.pages.items()
        if (row := rows.get(page.file))
    }
    unknown = snapshot.unknown - {"documents"} if any(page.document for page in pages.values()) else snapshot.unknown
    return replace(snapshot, pages={**snapshot.pages, **pages}, commit=record.head or snapshot.commit, unknown=unknown)


def _redirect(row: RedirectRecord) -> Redirect:
    return Redirect(path=_decoded(row.path), target=_decoded(row.target))


def _gone(row: GoneRecord) -> SnapshotPage | Redirect:
    path = _decoded(row.path)
    if row.target is None:
        return SnapshotPage(path=path, document=row.document, commit=row.head)
    return Redirect(path=path, target=_decoded(row.target))


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
    return quote_path(url, _URL_SAFE)


def _decoded(path: str) -> str:
    return normalize(decode_path(path))


def _content(page: ContentRecord) -> MainPart:
    anchors = [Anchor(name, kind) for kind in get_args(AnchorKind) for name in getattr(page, f"{kind}s")]
    return MainPart(digest=page.digest, anchors=tuple(anchors))
