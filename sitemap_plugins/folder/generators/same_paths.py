"""VitePress and Starlight: the paths of pages follow those of their Markdown sources."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final

from sitemap_plugins.folder.generators.document import (
    Document,
    IsBuilt,
    ReadFrontMatter,
    plain_stem,
    source_files,
    text_of,
)
from sitemap_plugins.folder.html_files import stem_of

_VITEPRESS_FOLDERS: Final = ("", "src", "docs")  # where the sources may be (srcDir); the right one is set in a script
_STARLIGHT: Final = frozenset({".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc"})
_ASTRO: Final = frozenset({".astro", ".md", ".mdx", ".html"})


def find_vitepress(root: str, is_built: IsBuilt) -> Iterator[Document]:
    """The documents below the folder that contains ``.vitepress``, or below its subfolder that makes most pages.

    ``docs/guide/install.md`` makes ``guide/install.html``, whatever the file contains.
    """
    places = [
        [
            Document(plain_stem(path), file, f"{folder}/{path}".lstrip("/"))
            for file, path in source_files(os.path.join(root, folder), {".md"})
        ]
        for folder in _VITEPRESS_FOLDERS
    ]
    yield from max(places, key=lambda documents: sum(is_built(each.stem) for each in documents))


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
