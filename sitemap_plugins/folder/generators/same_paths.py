"""VitePress and Starlight: the paths of pages follow those of their Markdown sources, or are recorded."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from sitemap_plugins.folder.generators.document import (
    Document,
    IsBuilt,
    ReadFrontMatter,
    plain_stem,
    source_files,
    text_of,
)
from sitemap_plugins.published.html_files import stem_of
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.values.urls import is_inside

_VITEPRESS_FOLDERS: Final = ("", "src", "docs")  # where the sources may be (srcDir); the right one is set in a script
_PAGE_DATA: Final = re.compile(r'"relativePath":"(?P<page>[^"\\]+)","filePath":"(?P<file>[^"\\]+)"')
_STARLIGHT: Final = frozenset({".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc"})
_ASTRO: Final = frozenset({".astro", ".md", ".mdx", ".html"})


def find_vitepress(root: str, site: str, is_built: IsBuilt) -> Iterator[Document]:
    """The documents below the folder that contains ``.vitepress``, or below its subfolder that makes most pages.

    ``docs/guide/install.md`` makes ``guide/install.html``, whatever the file contains, unless VitePress has recorded
    another file beside the pages, because of its ``rewrites``.
    """
    recorded = dict(_recorded_by_vitepress(site))
    folder = max(_VITEPRESS_FOLDERS, key=lambda folder: sum(_is_in(root, folder, each) for each in recorded.values()))
    known = [
        Document(stem, os.path.join(root, folder, *path.split("/")), f"{folder}/{path}".lstrip("/"))
        for stem, path in recorded.items()
        if _is_in(root, folder, path)
    ]
    yield from known
    files = {each.file for each in known}
    places = [
        [
            Document(plain_stem(path), file, f"{folder}/{path}".lstrip("/"))
            for file, path in source_files(os.path.join(root, folder), {".md"})
        ]
        for folder in _VITEPRESS_FOLDERS
    ]
    by_path = max(places, key=lambda documents: sum(is_built(each.stem) for each in documents))
    yield from (each for each in by_path if each.stem not in recorded and each.file not in files)


def _recorded_by_vitepress(site: str) -> Iterator[tuple[str, str]]:
    """The stem of each page, and the path of its source, from the scripts of the pages.

    For a dynamic route, the file is only a template, which does not show when the data changed.
    """
    for script in sorted(Path(site).glob("*/*.md.*.lean.js")):
        with suppress(OSError):
            found = _PAGE_DATA.search(read_file(script, PAGE, inside=site).decode(errors="replace"))
            if found and is_inside(found["file"]):
                yield plain_stem(PurePosixPath(found["page"])), "" if "[" in found["file"] else found["file"]


def _is_in(root: str, folder: str, path: str) -> bool:
    return bool(path) and os.path.isfile(os.path.join(root, folder, *path.split("/")))


def find_starlight(root: str, read: ReadFrontMatter) -> Iterator[Document]:
    """The documents in ``src/content/docs``, by slugs made from their paths or the ``slug`` in their front matter.

    The author's own pages for Astro are in ``src/pages``.
    """
    for file, path in source_files(os.path.join(root, "src", "content", "docs"), _STARLIGHT):
        if path.name.startswith("_"):
            continue
        slug = text_of(read(file).values.get("slug")) or "/".join(map(_slug, path.with_suffix("").parts))
        yield Document(stem_of(f"{slug.strip('/')}.html"), file, f"src/content/docs/{path}")
    for file, path in source_files(os.path.join(root, "src", "pages"), _ASTRO):
        if not any(part.startswith(("_", "[")) for part in path.parts):
            yield Document(stem_of(f"{path.with_suffix('')}.html"), file, f"src/pages/{path}", is_shared=True)


def _slug(part: str) -> str:
    """A part of a path as it is in a URL: lower case, without punctuation, with hyphens for spaces."""
    return re.sub(r"[^\w\- ]", "", part.lower()).replace(" ", "-")
