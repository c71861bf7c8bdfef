"""MyST and Jupyter Book: a JSON file beside each page names its source."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Final

from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.formats.paths import stem_of
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.values.urls import is_inside

_REFERENCES: Final = "myst.xref.json"


def find_documents(root: str, site: str) -> Iterator[tuple[str, Source]]:
    """The sources of the pages in ``site``, each after the stem of its page.

    For example, ``rocks.granite.json`` names the source of ``rocks/granite/``.
    """
    urls = _urls(site)
    for name in sorted(os.listdir(site)):
        slug, suffix = os.path.splitext(name)
        location = _location(os.path.join(site, name), site) if suffix == ".json" else ""
        file = os.path.normpath(os.path.join(root, location))
        if location and is_inside(location) and os.path.isfile(file):
            # The first page is the home page, whatever its name is.
            page = f"{urls[name]}/index.html".lstrip("/") if name in urls else f"{slug.replace('.', '/')}.html"
            yield stem_of(page), Source(file, location)


def _urls(site: str) -> Mapping[str, str]:
    """The path of each page by the name of its JSON file, from MyST's list of link targets."""
    listed = _read(os.path.join(site, _REFERENCES), site).get("references")
    pages = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return {
        str(page.get("data")).rpartition("/")[2]: str(page.get("url")).strip("/")
        for page in pages
        if page.get("kind") == "page"
    }


def _location(file: str, site: str) -> str:
    """The path of the source below the project; empty if the JSON file does not describe a page."""
    page = _read(file, site)
    location = page.get("location") if "mdast" in page else None
    return location.lstrip("/") if isinstance(location, str) else ""


def _read(file: str, site: str) -> Mapping[str, object]:
    try:
        values = json.loads(read_file(file, PAGE, inside=site))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
