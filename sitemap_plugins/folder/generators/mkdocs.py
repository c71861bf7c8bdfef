"""MkDocs and Zensical: ``docs/guide/install.md`` makes ``guide/install/``, an index or a README that of its folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemap_plugins.folder.generators.document import Document, plain_stem, source_files

_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})


def find_documents(docs_dir: str) -> Iterator[Document]:
    """The documents; of an index and a README in one folder the index makes the page (MkDocs, "File layout")."""
    found: dict[str, Document] = {}
    for file, path in source_files(docs_dir, _SUFFIXES):
        is_readme = path.stem == "README"
        document = Document(plain_stem(path.with_stem("index") if is_readme else path), file, str(path))
        if is_readme:
            found.setdefault(document.stem, document)
        else:
            found[document.stem] = document
    yield from found.values()
