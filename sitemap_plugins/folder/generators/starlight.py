"""Starlight: files in ``src/content/docs``, by slugs made from their paths, or the ``slug`` in their front matter."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final

from sitemap_plugins.folder.generators.document import Document, ReadFrontMatter, source_files, text_of
from sitemap_plugins.folder.html_files import stem_of

_SUFFIXES: Final = frozenset({".md", ".mdx", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdwn", ".mdoc"})
_PAGES: Final = frozenset({".astro", ".md", ".mdx", ".html"})
_DROPPED: Final = re.compile(r"[^\w\- ]")


def find_documents(root: str, read: ReadFrontMatter) -> Iterator[Document]:
    """The documents of Starlight, and the author's own pages for Astro."""
    for file, path in source_files(os.path.join(root, "src", "content", "docs"), _SUFFIXES):
        if path.name.startswith("_"):
            continue
        slug = text_of(read(file).values.get("slug")) or "/".join(map(_slug, path.with_suffix("").parts))
        yield Document(stem_of(f"{slug.strip('/')}.html"), file, f"src/content/docs/{path}")
    for file, path in source_files(os.path.join(root, "src", "pages"), _PAGES):
        if not any(part.startswith(("_", "[")) for part in path.parts):
            yield Document(stem_of(f"{path.with_suffix('')}.html"), file, f"src/pages/{path}", is_shared=True)


def _slug(part: str) -> str:
    """A part of a path as it is in a URL: lower case, without punctuation, with hyphens for spaces."""
    return _DROPPED.sub("", part.lower()).replace(" ", "-")
