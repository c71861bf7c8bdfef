"""The record of a build: a JSON file with all dates and where they come from, the redirects, and what is gone.

Beside it is a file with the contents of the published pages: a digest and the anchors of each. Both give a snapshot of
the site, or what one of its folder lacks.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from sitemap_plugins.formats.paths import content_path
from sitemap_plugins.formats.sitemap_xml import AUTHOR
from sitemap_plugins.git.history import DateRules, History
from sitemap_plugins.git.walk import DateKind
from sitemap_plugins.html.main_part import Anchor, AnchorKind, MainPart
from sitemap_plugins.model import Candidate, DateSource, FileDate
from sitemap_plugins.published.redirects import PATH_SAFE, SiteBase, encode_path
from sitemap_plugins.published.snapshot import Fact, Redirect, Snapshot, SnapshotPage, is_auxiliary, normalize, path_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import RECORD, read_file
from sitemap_plugins.values.dates import DateStyle, format_lastmod
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import short_repr
from sitemap_plugins.values.urls import LOC_LENGTH, decode_path, quote_path

_T = TypeVar("_T")

VERSION: Final = 1
_LENGTH: Final = 4096  # characters of a path; no system opens a longer one
_VALUES: Final = 3_000_000  # 50,000 pages with 40 files each have fewer
URL: TypeAlias = Annotated[str, msgspec.Meta(max_length=2048)]  # longer ones are in no sitemap (SM-LOC-03)
EncodedPath: TypeAlias = Annotated[str, msgspec.Meta(max_length=2048, pattern=r"^[!-~]*\Z")]
"""The path of a URL below the base URL, encoded as there; empty for the home page."""
ObjectId: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]

Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=2048)]
Digest: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{16,64})?\Z")]

_FILE: Final = "site-record.json"
_URL_SAFE: Final = PATH_SAFE + "%?#[]"


class RecordError(ExplainedError):
    """A file is not a valid record; the message says what is wrong with it."""


class RepositoryRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A repository: ``head`` is the commit that was built, and ``date`` when it was committed."""

    head: ObjectId
    date: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


class PageRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One page: its date as in the sitemap, the source of this date, and the file that dates the page.

    ``document`` is the path of its own source from the top of the first repository; symbolic links may lead from there
    to its content. ``made_of`` are the paths of the other files that the page is made of according to the build, also
    from there, even if they are in other repositories. The newest of all these files, which may be such a link, dates
    the page: it has the ``path``, also from there, and ``commit`` changed it last.
    """

    loc: URL
    document: str | None = None
    made_of: tuple[str, ...] = ()
    lastmod: str | None = None
    source: DateSource | None = None
    path: str | None = None
    commit: ObjectId | None = None

    def __post_init__(self) -> None:
        if self.document is not None and ".." in PurePosixPath(self.document).parts:
            raise ValueError(f"document: {short_repr(self.document)} is not a path in a repository")
        for name, paths in (("document", (self.document,)), ("path", (self.path,)), ("made_of", self.made_of)):
            for path in paths:
                if path is not None and not _is_relative(path):
                    raise ValueError(f"{name}: {short_repr(path)} is not a relative path")

    def is_dated_by(self, path: str) -> bool:
        """Whether the page has the date that git gives for this file of the first repository."""
        return bool(self.lastmod) and (self.source, self.path) == ("git", path)


class RedirectRecord(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A redirect from a path to another one, which may end with a fragment, or to an absolute URL elsewhere."""

    path: EncodedPath = msgspec.field(name="from")
    target: EncodedPath = msgspec.field(name="to")

    def __post_init__(self) -> None:
        _check_target(self.target)


class GoneRecord(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page or a redirect that an earlier build published. It is gone, and no redirect leads from there.

    ``document`` was the document of the page, and ``target`` is where the redirect led, None for a page. ``head`` is
    the commit that was built when the page was last published, in which git finds the document.
    """

    path: EncodedPath
    document: Annotated[str, msgspec.Meta(min_length=1, max_length=_LENGTH)] | None = None
    target: EncodedPath | None = msgspec.field(name="to", default=None)
    head: ObjectId | None = None

    def __post_init__(self) -> None:
        _check_target(self.target or "")


def _check_target(target: str) -> None:
    if "://" in target and not target.startswith(("http://", "https://")):
        raise ValueError(f"to: {short_repr(target)} is neither a path nor a URL")


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All dates of a site. ``repositories`` are named by their path from that of the pages, which is ``.``.

    ``date``, ``follow_renames`` and ``fuzzy`` are rules for dates from git, see `sitemap_plugins.git.DateRules`.
    ``base`` is the site's base URL, and ``preview`` says that the build was not of the site itself.
    """

    by: str = AUTHOR
    version: Literal[1]
    date: DateKind
    follow_renames: bool
    fuzzy: bool = False
    base: str
    preview: bool = False
    repositories: dict[str, RepositoryRecord]
    pages: tuple[PageRecord, ...]
    redirects: tuple[RedirectRecord, ...] = ()
    gone: tuple[GoneRecord, ...] = ()

    def __post_init__(self) -> None:
        for name in self.repositories:
            if not _is_relative(name):
                raise ValueError(f"repositories: {short_repr(name)} is not a relative path")

    @property
    def head(self) -> str | None:
        """The commit of the pages that was built, if they are in a repository."""
        repository = self.repositories.get(".")
        return repository.head if repository else None

    def pages_of(self, path: str) -> Iterator[PageRecord]:
        """The pages that have this file of the first repository as their source, or their date from it."""
        return (page for page in self.pages if page.document == path or page.is_dated_by(path))


class ContentRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The main part of a page: a digest of its text and images, and its anchors by what they are on, each in order.

    A page without a main part has neither.
    """

    path: EncodedPath
    digest: Digest = ""
    headings: tuple[Name, ...] = ()
    labels: tuple[Name, ...] = ()
    objects: tuple[Name, ...] = ()


class _Contents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    by: str = AUTHOR
    version: Literal[1]
    record: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
    pages: tuple[ContentRecord, ...]


def _is_relative(path: str) -> bool:
    try:
        return 0 < len(path) <= _LENGTH and b"\0" not in os.fsencode(path) and not os.path.isabs(path)
    except UnicodeError:
        return False


_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def render_record(
    listed: Iterable[Candidate],
    rules: DateRules,
    histories: Sequence[History],
    form: DateStyle,
    *,
    base: str,
    preview: bool = False,
    redirects: Iterable[RedirectRecord] = (),
    gone: Iterable[GoneRecord] = (),
) -> bytes:
    """The record for the dates of all listed pages, as JSON with one page or redirect per line.

    ``rules`` and ``histories`` say how the dates were found in git; the first history is that of the pages. Other
    repositories are named only if a page is made of their files.
    """
    candidates = sorted(listed, key=attrgetter("entry.loc"))
    top = histories[0].toplevel if histories else ""
    dated = (each.dated for each in candidates)
    files = (file for each in dated for file in (each.own, each.file, *each.files) if file)
    used = {top, *(file.repository for file in files)}
    known = {history.toplevel: history for history in histories if history.toplevel in used}
    values: dict[str, object] = {
        "by": AUTHOR,
        "version": VERSION,
        "date": rules.date,
        "follow_renames": rules.follow_renames,
        **({"fuzzy": True} if rules.fuzzy else {}),
        "base": base,
        "preview": preview,
        "repositories": dict(sorted((_relative(each, top), _repository(known[each])) for each in known)),
        "pages": [_page(each, top, known, form) for each in candidates],
        "redirects": msgspec.to_builtins(sorted(redirects)),
    }
    lost = msgspec.to_builtins(sorted(gone))
    return _render_lines(values | ({"gone": lost} if lost else {}))


def render_contents(pages: Iterable[ContentRecord], record: bytes) -> bytes:
    """The file for these pages, which belongs to the file of ``record`` with this content: one page per line."""
    rows = msgspec.to_builtins(sorted(pages, key=attrgetter("path")))
    return _render_lines({"by": AUTHOR, "version": VERSION, "record": sha256(record).hexdigest(), "pages": rows})


def _repository(history: History) -> dict[str, str]:
    date = {"date": format_lastmod(history.head_date.astimezone(UTC), "datetime")} if history.head_date else {}
    return {"head": history.head} | date


def _render_lines(values: Mapping[str, object]) -> bytes:
    """A JSON object in which each value has a line, and each row of a list another one."""
    lines = ",\n".join(f'  "{name}": {_render(value)}' for name, value in values.items())
    return f"{{\n{lines}\n}}\n".encode()


def _render(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return "\n".join(["[", *([",\n".join(map(_encode, value))] if value else []), "  ]"])


def _page(candidate: Candidate, top: str, known: Container[str], form: DateStyle) -> dict[str, Any]:
    """The row of a page, whose paths are relative to the folder ``top``, for files in the ``known`` repositories."""
    entry, dated = candidate.entry, candidate.dated

    def path_of(file: FileDate | None, *, of_link: bool = True) -> str | None:
        """The path of a file, or of the link to it; None outside of the repositories."""
        if file is None or file.repository not in known:
            return None
        own = os.path.join(file.repository, *file.path.split("/"))
        return _relative((of_link and file.link) or own, top)

    document = path_of(dated.own)
    page: dict[str, Any] = {
        "loc": entry.loc,
        "document": None if document and document.startswith("../") else document,
        "lastmod": format_lastmod(entry.lastmod, form) if entry.lastmod else None,
    }
    if entry.lastmod and entry.lastmod != dated.lastmod:
        page["source"] = "adjust"
    elif entry.lastmod:
        page |= {"source": dated.source, "path": path_of(dated.file, of_link=False)}
        if dated.source == "git" and dated.file:
            page["commit"] = dated.file.commit
            page["made_of"] = sorted(filter(None, {*map(path_of, dated.files or (dated.file,))} - {document})) or None
    return {name: value for name, value in page.items() if value is not None}


@lru_cache(1 << 16)  # many pages are made of the same files
def _relative(path: str, folder: str) -> str:
    try:
        return os.path.relpath(path, folder).replace(os.sep, "/")
    except ValueError:  # on another drive of Windows: no relative path leads there, so a name must do
        return os.path.basename(path)


def parse_record(content: bytes) -> Record:
    """Parse a file of record. Raises `RecordError`."""
    data = _parse_json(content)
    if isinstance(data, dict) and "record" in data:
        raise RecordError("it has the contents of pages, which belong to a record; use the file without -content")
    return _as_type(data, Record, "it is not a record")


def read_contents(content: bytes, record: bytes) -> Mapping[str, ContentRecord]:
    """The contents of the pages by their paths. Raises `RecordError`, also if the file belongs to another record."""
    contents = _as_type(_parse_json(content), _Contents, "it has no contents")
    if contents.record != sha256(record).hexdigest():
        raise RecordError("it belongs to the record of another build")
    return {page.path: page for page in contents.pages}


def _parse_json(content: bytes) -> Any:
    """Parse JSON in which no object has a key twice. Raises `RecordError`."""
    # Parsed values can take thirty times the size of the file.
    if sum(map(content.count, (b",", b"[", b"{"))) > _VALUES:
        raise RecordError(f"it has more than {_VALUES:,} values")
    try:
        return json.loads(content, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise RecordError("it is not JSON") from None


def _as_type(data: object, kind: type[_T], otherwise: str) -> _T:
    """Parsed JSON as a value of this type. Raises `RecordError`, which begins with ``otherwise`` for other versions."""
    version = data.get("version") if isinstance(data, dict) else None
    if version != VERSION:
        found = "it has no version" if version is None else f"its version: {short_repr(version)}"
        raise RecordError(f"{otherwise} of version {VERSION} ({found})")
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise RecordError(str(error)) from None
    except UnicodeError:
        raise RecordError("it has text that is not valid Unicode") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises `RecordError` for duplicate keys, because readers disagree on what they mean."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise RecordError(f"it has the key {short_repr(twice)} twice")
    return found


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
    redirects = [Redirect(path=_decoded(each.path), target=_decoded(each.target)) for each in record.redirects]
    return Snapshot(
        name=name,
        base_url=record.base,
        pages=pages,
        redirects={each.path: each for each in redirects},
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
        target = quote_path(redirect.target, _URL_SAFE) if is_elsewhere else encode_path(redirect.target)
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


def _decoded(path: str) -> str:
    return normalize(decode_path(path))


def _content(page: ContentRecord) -> MainPart:
    anchors = [Anchor(name, kind) for kind in get_args(AnchorKind) for name in getattr(page, f"{kind}s")]
    return MainPart(digest=page.digest, anchors=tuple(anchors))
