"""Finds the documents of the pages of an old snapshot, if only those of the new snapshot are known."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from sitemap_plugins.losses.finding import unique, url_stem
from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.values.urls import ends_of

_INDEXES: Final = frozenset({"index", "_index", "README"})


def with_documents(old: Snapshot, new: Snapshot, files: Collection[str]) -> Snapshot:
    """The old snapshot with the documents of its pages.

    ``files`` are all files in the commit that it was built from. The new snapshot shows which folder the documents are
    in. A page has no document if no file, or more than one, would be published at its path.
    """
    folders = {
        page.document[: -len(end)]
        for path, page in new.pages.items()
        if page.document and (end := _end_of(page.document, url_stem(path)))
    }
    if len(folders) != 1:
        return old
    (folder,) = folders
    inside = (file for file in files if file.startswith(folder))
    documents = unique(inside, lambda file: _stem_of_document(file[len(folder) :]))
    pages = {
        path: page if page.document else replace(page, document=documents.get(url_stem(path)))
        for path, page in old.pages.items()
    }
    unknown = old.unknown - {"documents"} if any(page.document for page in pages.values()) else old.unknown
    return replace(old, pages=pages, unknown=unknown)


def _end_of(document: str, stem: str) -> str:
    """The end of a document's path that its page has as its stem; empty if there is none."""
    return next((end for end in ends_of(document) if stem and _stem_of_document(end) == stem), "")


def _stem_of_document(path: str) -> str:
    """The stem of the URL of a document, such as ``guide`` for guide.md, guide/index.md and guide/README.md."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder if stem in _INDEXES else f"{folder}/{stem}" if folder else stem
