"""MyST and Jupyter Book: a table beside the pages names the source of each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from sitemap_plugins.folder.generators.document import Document
from sitemap_plugins.folder.html_files import stem_of
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.values.urls import is_inside


def find_documents(root: str, site: str) -> Iterator[Document]:
    """The sources of the pages in ``site``, of which ``rocks.granite.json`` tells that of ``rocks/granite/``."""
    for name in sorted(os.listdir(site)):
        stem, suffix = os.path.splitext(name)
        location = _location(os.path.join(site, name), site) if suffix == ".json" else ""
        if location and is_inside(location):
            yield Document(stem_of(f"{stem.replace('.', '/')}.html"), os.path.join(root, location), location)


def _location(file: str, site: str) -> str:
    """The path of the source below the project; empty where the file is no such table."""
    try:
        page = json.loads(read_file(file, PAGE, inside=site))
    except (OSError, ValueError, RecursionError):
        return ""
    location = page.get("location") if isinstance(page, dict) and "mdast" in page else None
    return location.lstrip("/") if isinstance(location, str) else ""
