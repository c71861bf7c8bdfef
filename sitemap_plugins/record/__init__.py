"""The record of a build: its dates, redirects and what is gone, for later builds and for ``diff``."""

from sitemap_plugins.record.site_record import (
    ContentRecord,
    GoneRecord,
    PageRecord,
    Record,
    RecordError,
    parse_record,
    render_contents,
    render_record,
)

__all__ = [
    "ContentRecord",
    "GoneRecord",
    "PageRecord",
    "Record",
    "RecordError",
    "parse_record",
    "render_contents",
    "render_record",
]
