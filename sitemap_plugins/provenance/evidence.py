"""The evidence of a build: a JSON file with all dates and where they come from.

It also has a row for each file of the documentation, so that a later build in a shallow clone knows their dates, and
for each redirect, so that a later build notices what is gone.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from sitemap_plugins.formats.sitemap_xml import AUTHOR
from sitemap_plugins.git import DateKind, DateRules, History, Row, digest_of
from sitemap_plugins.model import Candidate, DateSource, FileDate
from sitemap_plugins.values.dates import DateStyle, format_lastmod
from sitemap_plugins.values.text import short_repr

_T = TypeVar("_T")

VERSION: Final = 2
_REGULAR: Final = "100644"
_LENGTH: Final = 4096  # characters of a path; no system opens a longer one
_VALUES: Final = 3_000_000  # 50,000 pages with 40 files each have fewer
URL: TypeAlias = Annotated[str, msgspec.Meta(max_length=2048)]  # longer ones are in no sitemap (SM-LOC-03)
Path: TypeAlias = Annotated[str, msgspec.Meta(max_length=2048, pattern=r"^[!-~]*\Z")]
"""The path of a URL below the base URL, encoded as there; empty for the home page."""
ObjectId: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]


class EvidenceError(ValueError):
    """A file is not valid evidence; the message says what is wrong with it."""


class EvidenceRules(msgspec.Struct, frozen=True):
    """How the dates were found in git; the first of the ``histories`` is that of the pages."""

    rules: DateRules
    histories: Sequence[History]


class RepositoryEvidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The state of a repository: ``head`` is the commit that was built, ``ignored`` are the commits that did not count.

    ``catalogues`` says that in ``.po`` files only translations counted, and ``contents`` that the clone had the
    contents that tell whether files were renamed. ``previous`` is the commit of the build before, if some dates come
    from its evidence, because the clone was shallow.
    """

    head: ObjectId
    ignored: tuple[ObjectId, ...] = ()
    catalogues: bool = True
    contents: bool = True
    previous: ObjectId | None = None


class FileEvidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of the documentation in the commit that was built, see `sitemap_plugins.git.Row`.

    A file that no listed page shows has the digest of its path, ``hash``, instead of the ``path``.
    """

    path: str | None = None
    hash: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{40}\Z")] | None = None
    repository: str = "."
    mode: Annotated[str, msgspec.Meta(pattern=r"^[0-7]{6}\Z")] = _REGULAR
    blob: ObjectId
    commit: ObjectId | None = None
    date: Annotated[datetime, msgspec.Meta(tz=True)] | None = None

    def __post_init__(self) -> None:
        if (self.path is None) == (self.hash is None):
            raise ValueError("files: a row needs either a path or a hash")
        if self.path is not None and (".." in PurePosixPath(self.path).parts or not _is_relative(self.path)):
            raise ValueError(f"files: {short_repr(self.path)} is not a path in a repository")
        if (self.commit is None) != (self.date is None):
            raise ValueError("files: a row needs both a commit and a date, or neither")
        if self.date is not None and self.date.utcoffset():
            raise ValueError("files: the date of a row is not in UTC")

    @property
    def row(self) -> Row:
        """The same for the rules of git."""
        return Row(mode=self.mode, blob=self.blob, commit=self.commit, when=self.date)


class PageEvidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One page: its date as in the sitemap, the source of this date, and the file that dates the page.

    ``document`` is the path of its own source from the top of the first repository; symbolic links may lead from there
    to its content. ``made_of`` are the paths of the other files that the page is made of according to the build, also
    from there, even if they are in other repositories. The newest of all these files, which may be such a link, dates
    the page: ``path`` in ``repository``. ``commit`` changed it last. The file leaves out the last one, and also the
    other two if the document dates the page.
    """

    loc: URL
    document: str | None = None
    made_of: tuple[str, ...] = ()
    lastmod: str | None = None
    source: DateSource | None = None
    repository: str = "."
    path: str | None = None
    commit: ObjectId | None = None

    def __post_init__(self) -> None:
        for name, path in (("path", self.path), ("document", self.document)):
            if path is not None and (".." in PurePosixPath(path).parts or not _is_relative(path)):
                raise ValueError(f"{name}: {short_repr(path)} is not a path in a repository")
        for path in self.made_of:
            if not _is_relative(path):
                raise ValueError(f"made_of: {short_repr(path)} is not a relative path")

    def is_dated_by(self, path: str) -> bool:
        """Whether the page has the date that git gives for this file of the first repository."""
        return bool(self.lastmod) and (self.source, self.repository, self.path) == ("git", ".", path)


class RedirectEvidence(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True):
    """A redirect from a path to another one, which may end with a fragment, or to an absolute URL elsewhere."""

    path: Path = msgspec.field(name="from")
    target: Path = msgspec.field(name="to")

    def __post_init__(self) -> None:
        _check_target(self.target)


class GoneEvidence(msgspec.Struct, frozen=True, order=True, forbid_unknown_fields=True, omit_defaults=True):
    """A page or a redirect that an earlier build published. It is gone, and no redirect leads from there.

    ``document`` was the document of the page, and ``target`` is where the redirect led, None for a page. ``head`` is
    the commit that was built when the page was last published, in which git finds the document.
    """

    path: Path
    document: Annotated[str, msgspec.Meta(min_length=1, max_length=_LENGTH)] | None = None
    target: Path | None = msgspec.field(name="to", default=None)
    head: ObjectId | None = None

    def __post_init__(self) -> None:
        _check_target(self.target or "")


def _check_target(target: str) -> None:
    if "://" in target and not target.startswith(("http://", "https://")):
        raise ValueError(f"to: {short_repr(target)} is neither a path nor a URL")


class Evidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All dates of a site. ``repositories`` are named by their path from that of the pages, which is ``.``.

    ``fuzzy`` says that the site shows fuzzy translations, too. ``base`` is the site's base URL, and ``preview`` says
    that the build was not of the site itself.
    """

    by: str = AUTHOR
    version: Literal[2]
    date: DateKind
    follow_renames: bool
    form: DateStyle
    fuzzy: bool = False
    base: str
    preview: bool = False
    repositories: dict[str, RepositoryEvidence]
    files: tuple[FileEvidence, ...] = ()
    pages: tuple[PageEvidence, ...]
    redirects: tuple[RedirectEvidence, ...] = ()
    gone: tuple[GoneEvidence, ...] = ()

    def __post_init__(self) -> None:
        for name in self.repositories:
            if not _is_relative(name):
                raise ValueError(f"repositories: {short_repr(name)} is not a relative path")
        places = set()
        for file in self.files:
            place = (file.repository, file.hash or digest_of(file.path or ""))
            if place in places:
                raise ValueError(f"files: {short_repr(file.path or file.hash)} has two rows")
            places.add(place)

    @property
    def head(self) -> str | None:
        """The commit of the pages that was built, if they are in a repository."""
        repository = self.repositories.get(".")
        return repository.head if repository else None

    def pages_of(self, path: str) -> Iterator[PageEvidence]:
        """The pages that have this file of the first repository as their source, or their date from it."""
        return (page for page in self.pages if page.document == path or page.is_dated_by(path))


def _is_relative(path: str) -> bool:
    """Whether a path is valid and relative."""
    try:
        return 0 < len(path) <= _LENGTH and b"\0" not in os.fsencode(path) and not os.path.isabs(path)
    except UnicodeError:
        return False


def name_of_repository(toplevel: str, first: str) -> str:
    """The name of a repository in evidence: its path relative to that of the pages, the ``first`` one."""
    return _relative(toplevel, first)


@lru_cache(1 << 16)  # many pages are made of the same files
def _relative(folder: str, start: str) -> str:
    try:
        return os.path.relpath(folder, start).replace(os.sep, "/")
    except ValueError:  # on another drive of Windows: no relative path leads there, so a name must do
        return os.path.basename(folder)


_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def render_evidence(
    listed: Iterable[Candidate],
    evidence: EvidenceRules,
    form: DateStyle,
    *,
    base: str,
    preview: bool = False,
    redirects: Iterable[RedirectEvidence] = (),
    gone: Iterable[GoneEvidence] = (),
) -> bytes:
    """The evidence for the dates of all listed pages, as JSON with one file, page or redirect per line."""
    histories = evidence.histories
    names = {each.toplevel: name_of_repository(each.toplevel, histories[0].toplevel) for each in histories}
    repositories = Folders(names.values())
    candidates = sorted(listed, key=attrgetter("entry.loc"))
    pages = [_page(each, names, form) for each in candidates]
    files = [path for page in pages for path in (page.get("document"), *page.get("made_of", ())) if path]
    folders = {repository_of(path, repositories) for path in files}
    named = {page.get("repository") for page in pages} | folders
    head: dict[str, object] = {
        "by": AUTHOR,
        "version": VERSION,
        "date": evidence.rules.date,
        "follow_renames": evidence.rules.follow_renames,
        "form": form,
        **({"fuzzy": True} if evidence.rules.fuzzy else {}),
        "base": base,
        "preview": preview,
        "repositories": {
            name: {
                "head": history.head,
                "ignored": sorted(map(bytes.decode, history.ignored)),
                "catalogues": history.catalogues,
                "contents": history.contents,
                **({"previous": history.previous} if history.previous else {}),
            }
            for name, history in sorted({names[each.toplevel]: each for each in histories}.items())
            if name in named
        },
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    rows = {(names[each.toplevel], path): row for each in histories for path, row in each.rows.items()}
    shown = {path for candidate in candidates for path in _shown_by(candidate, names)}
    paths = sorted(key for key in rows if key[0] in named and _join(*key) in shown)
    hidden = sorted((key[0], digest_of(key[1]), key) for key in rows.keys() - set(paths) if key[0] in named)
    written = [{"path": path} | _row(name, rows[name, path]) for name, path in paths]
    written += [{"hash": digest} | _row(name, rows[key]) for name, digest, key in hidden]
    for page in pages:
        _leave_out_known(page, repositories)
    moved = [msgspec.to_builtins(each) for each in sorted(redirects)]
    lost = [msgspec.to_builtins(each) for each in sorted(gone)]
    lists = {"files": written, "pages": pages, "redirects": moved} | ({"gone": lost} if lost else {})
    return render_lines(lines, lists)


def render_lines(head: Iterable[str], lists: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """A JSON object whose ``lists`` have one row per line; the lines of the ``head`` come before them."""
    lines = ["{", *head]
    for name, rows in lists.items():
        lines += [f'  "{name}": [', *_one_per_line(rows), "  ],"]
    return "\n".join([*lines[:-1], "  ]", "}", ""]).encode()


def _one_per_line(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    last = len(rows) - 1
    return (_encode(row) + ("," if number < last else "") for number, row in enumerate(rows))


def _row(repository: str, row: Row) -> dict[str, Any]:
    values = {
        "repository": repository if repository != "." else None,
        "mode": row.mode if row.mode != _REGULAR else None,
        "blob": row.blob,
        "commit": row.commit,
        "date": format_lastmod(row.when, "datetime") if row.when else None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _shown_by(candidate: Candidate, names: Mapping[str, str]) -> Iterator[str]:
    """The paths of a listed page's files, and of the links to them, from the top of the first repository."""
    dated = candidate.dated
    for file in filter(None, (dated.own, dated.file, *dated.files)):
        for each in (file, msgspec.structs.replace(file, link="")) if file.link else (file,):
            if path := _path_of(each, names):
                yield path


def _join(repository: str, path: str) -> str:
    """A path in a repository, from the top of the first one."""
    return path if repository == "." else f"{repository}/{path}"


def _leave_out_known(page: dict[str, Any], repositories: Folders) -> None:
    """Leave out what the rows of files say about the file that dates a page, and its path if it is the document."""
    if page.get("document") and _place_of(page["document"], repositories) == (page.get("repository"), page.get("path")):
        del page["repository"], page["path"]
    elif page.get("repository") == ".":
        del page["repository"]


def _place_of(path: str, repositories: Folders) -> tuple[str, str]:
    """The repository that contains a path from the top of the first one, and the path in it."""
    name = repository_of(path, repositories) or "."
    return name, path if name == "." else path[len(name) + 1 :]


def _page(candidate: Candidate, names: Mapping[str, str], form: DateStyle) -> dict[str, Any]:
    entry, dated = candidate.entry, candidate.dated
    file = dated.file or FileDate(when=None)
    page: dict[str, Any]
    if entry.lastmod is None:
        page = {}
    elif entry.lastmod != dated.lastmod:
        page = {"lastmod": format_lastmod(entry.lastmod, form), "source": "adjust"}
    else:
        page = {
            "lastmod": format_lastmod(entry.lastmod, form),
            "source": dated.source,
            "repository": names.get(file.repository),
            "path": file.path or None,
        }
    document = _path_of(dated.own, names) if dated.own else None
    document = None if document and document.startswith("../") else document
    if page.get("source") == "git":
        parts = {_path_of(each, names) for each in dated.files or (file,)} - {document}
        page |= {"made_of": sorted(filter(None, parts)) or None}
    page = {"loc": entry.loc, "document": document} | page
    return {name: value for name, value in page.items() if value is not None}


def _path_of(file: FileDate, names: Mapping[str, str]) -> str | None:
    """The path of a file, or of the link to it, from the top of the first repository; None outside repositories."""
    top = next((toplevel for toplevel, name in names.items() if name == "."), "")
    if file.repository not in names or not top:
        return None
    return _relative(file.link or os.path.join(file.repository, *file.path.split("/")), top)


class Folders:
    """A set of folder paths that finds the innermost one for a path. It stays fast with many folders and paths."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._folders = frozenset(folders)
        self._lengths = sorted({*map(len, self._folders)}, reverse=True)

    def __contains__(self, folder: object) -> bool:
        return folder in self._folders

    def innermost(self, path: str, separator: str = "/") -> str | None:
        """The innermost of these folders that a path is in."""
        there = (path[:end] for end in self._lengths if path[end : end + 1] == separator)
        return next((folder for folder in there if folder in self._folders), None)


def repository_of(path: str, names: Folders) -> str | None:
    """The innermost of these repositories that contains a path, which is relative to the top of the first one."""
    inner = names.innermost(path)
    if inner not in {None, "."}:
        return inner
    return "." if "." in names and not path.startswith("../") else None


def read_evidence(content: bytes) -> Evidence:
    """Parse a file of evidence, and add to each page what the rows of files say. Raises `EvidenceError`."""
    evidence = parse_evidence(content)
    repositories = Folders(evidence.repositories)
    files = {(file.repository, file.path): file for file in evidence.files if file.path}
    return msgspec.structs.replace(
        evidence, pages=tuple(_with_file(page, files, repositories) for page in evidence.pages)
    )


def _with_file(
    page: PageEvidence, files: Mapping[tuple[str, str], FileEvidence], repositories: Folders
) -> PageEvidence:
    place = (page.repository, page.path)
    if page.path is None and page.document and page.source in {"git", "front_matter"}:
        place = _place_of(page.document, repositories)
    repository, path = place
    file = files.get((repository, path)) if path else None
    commit = file.commit if file and page.source == "git" else None
    return msgspec.structs.replace(page, repository=repository, path=path, commit=commit)


def parse_evidence(content: bytes) -> Evidence:
    """Parse a file of evidence as it is. Raises `EvidenceError`."""
    data = parse_json(content)
    if isinstance(data, dict) and "evidence" in data:
        raise EvidenceError("it has the contents of pages, which belong to evidence; use the file without -content")
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise EvidenceError(f"it is not evidence of version {VERSION} ({describe_version(data)})")
    return as_type(data, Evidence)


def describe_version(data: object) -> str:
    """What parsed JSON says about its version."""
    version = data.get("version") if isinstance(data, dict) else None
    return "it has no version" if version is None else f"its version: {short_repr(version)}"


def parse_json(content: bytes) -> Any:
    """Parse JSON in which no object has a key twice. Raises `EvidenceError`."""
    # Parsed values can take thirty times the size of the file.
    if sum(map(content.count, (b",", b"[", b"{"))) > _VALUES:
        raise EvidenceError(f"it has more than {_VALUES:,} values")
    try:
        return json.loads(content, object_pairs_hook=_once)
    except EvidenceError:
        raise
    except (ValueError, RecursionError):
        raise EvidenceError("it is not JSON") from None


def as_type(data: object, kind: type[_T]) -> _T:
    """Parsed JSON as a value of this type. Raises `EvidenceError`."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise EvidenceError(str(error)) from None
    except UnicodeError:
        raise EvidenceError("it has text that is not valid Unicode") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises `EvidenceError` for duplicate keys, because readers disagree on what they mean."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise EvidenceError(f"it has the key {short_repr(twice)} twice")
    return found
