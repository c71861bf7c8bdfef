"""VitePress: ``docs/guide/install.md`` makes ``guide/install.html``, and nothing in the file changes that."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from sitemap_plugins.folder.generators.document import Document, IsBuilt, plain_stem, source_files

_SUFFIXES: Final = frozenset({".md"})
_FOLDERS: Final = ("", "src", "docs")  # of the sources below that of the site (srcDir), which only its script names


def find_documents(root: str, is_built: IsBuilt) -> Iterator[Document]:
    """The documents below the folder that has ``.vitepress`` in it, or below the one there that makes most pages."""
    places = [[*_documents_in(root, folder)] for folder in _FOLDERS]
    yield from max(places, key=lambda documents: sum(is_built(each.stem) for each in documents))


def _documents_in(root: str, folder: str) -> Iterator[Document]:
    prefix = f"{folder}/" if folder else ""
    for file, path in source_files(os.path.join(root, folder), _SUFFIXES):
        yield Document(plain_stem(path), file, f"{prefix}{path}")
