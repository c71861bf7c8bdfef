"""The contents of the published pages: a JSON file beside the record, with a digest and the anchors of each page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from sitemap_plugins.formats.sitemap_xml import AUTHOR
from sitemap_plugins.record.site_record import (
    Path,
    RecordError,
    as_type,
    describe_version,
    parse_json,
    render_lines,
)

VERSION: Final = 1
Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=2048)]
Digest: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{16,64})?\Z")]


class ContentRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The main part of a page: a digest of its text and images, and its anchors by what they are on, each in order.

    A page without a main part has neither.
    """

    path: Path
    digest: Digest = ""
    headings: tuple[Name, ...] = ()
    labels: tuple[Name, ...] = ()
    objects: tuple[Name, ...] = ()


class _Contents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    by: str = AUTHOR
    version: Literal[1]
    record: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
    pages: tuple[ContentRecord, ...]


def render_contents(pages: Iterable[ContentRecord], record: bytes) -> bytes:
    """The file for these pages, which belongs to the file of ``record`` with this content: one page per line."""
    head = [f'  "by": "{AUTHOR}",', f'  "version": {VERSION},', f'  "record": "{sha256(record).hexdigest()}",']
    return render_lines(head, {"pages": [_row(page) for page in sorted(pages, key=lambda page: page.path)]})


def _row(page: ContentRecord) -> dict[str, Any]:
    return {name: value for name, value in msgspec.structs.asdict(page).items() if value or name == "path"}


def read_contents(content: bytes, record: bytes) -> Mapping[str, ContentRecord]:
    """The contents of the pages by their paths. Raises `RecordError`, also if the file belongs to another record."""
    data = parse_json(content)
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise RecordError(f"it has no contents of version {VERSION} ({describe_version(data)})")
    contents = as_type(data, _Contents)
    if contents.record != sha256(record).hexdigest():
        raise RecordError("it belongs to the record of another build")
    return {page.path: page for page in contents.pages}
