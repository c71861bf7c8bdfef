"""Stores values for the next build, in small JSON files beside Sphinx's doctrees."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import WriteError, write
from sitemap_plugins.reading import ABSENT, LAST_BUILD, RefusedError, read_file

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def recall(app: Sphinx, name: str) -> dict[str, object]:
    """The values stored under this name; empty if the file is missing or damaged."""
    try:
        known = json.loads(read_file(Path(app.doctreedir, name), LAST_BUILD))
    except (*ABSENT, PermissionError, RefusedError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def remember(app: Sphinx, name: str, values: Mapping[str, object]) -> None:
    """Store the values for the next build. If there are none, the file is removed."""
    content = json.dumps(values, sort_keys=True).encode() if values else None
    with suppress(WriteError):  # the next build works without it
        write([OutputFile(path=name, content=content)], app.doctreedir)


def changed(app: Sphinx, name: str, values: Mapping[str, object]) -> list[str]:
    """The documents whose values differ from the values stored under this name."""
    before = recall(app, name)
    names = (before.keys() | values.keys()) & app.env.found_docs
    return sorted(each for each in names if before.get(each) != values.get(each))
