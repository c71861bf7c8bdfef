"""The evidence for all dates, as a JSON file from which anybody with a clone can derive them again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from sitemap_plugins.conversion import shown
from sitemap_plugins.enrich.git_history import DateRules, History
from sitemap_plugins.enrich.git_walk import DateKind
from sitemap_plugins.model import Candidate, DateSource, FileDate
from sitemap_plugins.w3c_date import format_lastmod

VERSION: Final = 1
Form: TypeAlias = Literal["datetime", "date"]
ObjectId: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]


class EvidenceError(ValueError):
    """This is no evidence; the message says, for people, what is wrong with it."""


class Source(NamedTuple):
    """A repository that dates were taken from: its folder, what the evidence calls it, and its commits."""

    toplevel: str
    name: str
    head: str
    ignored: frozenset[bytes]


class EvidenceRules(NamedTuple):
    """What is to be known of git to derive dates again."""

    rules: DateRules
    sources: tuple[Source, ...]


class RepositoryEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """A repository as it was: ``head`` is the commit that was built, ``ignored`` those that count for nothing."""

    head: ObjectId
    ignored: tuple[ObjectId, ...] = ()


class PageEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """One page, as its author calls it: its date as in the sitemap, who says so, and the file that dates it.

    The file is ``path`` in ``repository``; ``commit`` changed it last, and ``blob`` is the content that it has in the
    repository's head.
    """

    loc: str
    page: str
    lastmod: str | None = None
    source: DateSource | None = None
    repository: str | None = None
    path: str | None = None
    commit: ObjectId | None = None
    blob: ObjectId | None = None
    reason: str | None = None


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """All dates of a site. ``repositories`` are named by their path from the one of the pages, which is ``.``."""

    version: Literal[1]
    date: DateKind
    follow_renames: bool
    catalogues: bool
    form: Form
    repositories: dict[str, RepositoryEvidence]
    pages: tuple[PageEvidence, ...]


def evidence_rules(rules: DateRules, histories: Sequence[History]) -> EvidenceRules:
    """How these histories gave their dates; repositories are named by their paths from the first one's top."""
    sources = {
        history.toplevel: Source(
            toplevel=history.toplevel,
            name=os.path.relpath(history.toplevel, histories[0].toplevel).replace(os.sep, "/"),
            head=history.head,
            ignored=history.ignored,
        )
        for history in histories
    }
    return EvidenceRules(rules=rules, sources=tuple(sources.values()))


def render_evidence(listed: Iterable[Candidate], evidence: EvidenceRules, form: Form) -> bytes:
    """The evidence for the dates of all listed pages, as JSON with one page a line."""
    names = {source.toplevel: source.name for source in evidence.sources}
    head: dict[str, object] = {
        "version": VERSION,
        "date": evidence.rules.date,
        "follow_renames": evidence.rules.follow_renames,
        "catalogues": evidence.rules.catalogues,
        "form": form,
        "repositories": {
            source.name: {"head": source.head, "ignored": sorted(map(bytes.decode, source.ignored))}
            for source in sorted(evidence.sources, key=lambda each: each.name)
        },
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    pages = ",\n".join(f"    {json.dumps(_page(each, names, form))}" for each in listed)
    return "\n".join(["{", *(f"{line}," for line in lines), '  "pages": [', pages, "  ]", "}", ""]).encode()


def _page(candidate: Candidate, names: Mapping[str, str], form: Form) -> dict[str, Any]:
    entry, dated = candidate.entry, candidate.dated
    file = dated.file or FileDate(when=None)
    if entry.lastmod is None:
        page = {"reason": file.reason}
    elif entry.lastmod != dated.lastmod:
        page = {"lastmod": format_lastmod(entry.lastmod, form), "source": "adjust"}
    else:
        page = {
            "lastmod": format_lastmod(entry.lastmod, form),
            "source": dated.source,
            "repository": names.get(file.repository),
            "path": file.path or None,
            "commit": file.commit if dated.source == "git" else None,
            "blob": file.blob,
        }
    return {"loc": entry.loc, "page": candidate.page.name} | {
        name: value for name, value in page.items() if value is not None
    }


def read_evidence(content: bytes) -> Evidence:
    """What a file of evidence says. Raises `EvidenceError`."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        message = "it is not JSON"
        raise EvidenceError(message) from None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        version = shown(data.get("version")) if isinstance(data, dict) else "none"
        message = f"it is no evidence of version {VERSION} (its version: {version})"
        raise EvidenceError(message)
    try:
        return msgspec.convert(data, Evidence)
    except msgspec.ValidationError as error:
        raise EvidenceError(str(error)) from None
