"""Finds the ``lastmod`` that an author wrote into a source file, whatever generator reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sitemap_plugins.folder.front_matter import read_front_matter
from sitemap_plugins.formats.data_reading import DataError, decode
from sitemap_plugins.model import LastMod, Page
from sitemap_plugins.pages.front_matter import read_front_matter as read_values

_FIELD: Final = re.compile(r":(?P<name>[^:\s][^:]*+):(?:[ \t]++(?P<value>.*))?")


def read_lastmod(content: bytes) -> LastMod | None:
    """The ``lastmod`` in the front matter or the field list at the top of a file; None if there is no valid one."""
    try:
        text = decode(content)
    except DataError:
        return None
    for values in (read_front_matter(text, multimarkdown=True).values, _read_fields(text)):
        written, _ = read_values(Page(loc="", name="", front_matter=values))
        if written.lastmod:
            return written.lastmod.value
    return None


def _read_fields(text: str) -> Mapping[str, str]:
    """The field list at the top of a reStructuredText document, after comments: what Sphinx calls its metadata."""
    fields: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if not line.strip() or (line.startswith("..") and not fields):
            continue
        if line[0].isspace():
            fields |= {name: f"{fields[name]} {line.strip()}"} if name else {}
        elif found := _FIELD.fullmatch(line):
            name = found["name"]
            fields[name] = (found["value"] or "").strip()
        else:
            break
    return fields
