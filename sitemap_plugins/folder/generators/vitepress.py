"""VitePress: ``docs/guide/install.md`` makes ``guide/install.html``, whatever the file contains."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

from sitemap_plugins.folder.generators.document import Document, IsBuilt, plain_stem, source_files

_SUFFIXES: Final = frozenset({".md"})
_FOLDERS: Final = ("", "src", "docs")  # where the sources may be (srcDir); the right one is set in a script


def find_documents(root: str, is_built: IsBuilt) -> Iterator[Document]:
    """The documents below the folder that contains ``.vitepress``, or below its subfolder that makes most pages."""
    places = [[*_documents_in(root, folder)] for folder in _FOLDERS]
    yield from max(places, key=lambda documents: sum(is_built(each.stem) for each in documents))


def _documents_in(root: str, folder: str) -> Iterator[Document]:
    prefix = f"{folder}/" if folder else ""
    for file, path in source_files(os.path.join(root, folder), _SUFFIXES):
        yield Document(plain_stem(path), file, f"{prefix}{path}")
