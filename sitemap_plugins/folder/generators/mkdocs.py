"""MkDocs and Zensical: ``docs/guide/install.md`` makes ``guide/install/``; an index or README makes ``guide/``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.generators.blog_posts import read_blogs
from sitemap_plugins.folder.generators.document import Document, ReadFrontMatter, plain_stem, source_files

_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})


def find_documents(configuration: Configuration, read: ReadFrontMatter) -> Iterator[Document]:
    """The documents. If a folder has an index and a README, the index makes the page (MkDocs, "File layout").

    Raises `ConfigurationError` if docs_dir is not a path.
    """
    blogs = [*read_blogs(configuration)]
    found: dict[str, Document] = {}
    for file, path in source_files(configuration.path("docs_dir", "docs"), _SUFFIXES):
        is_readme = path.stem == "README"
        stem = plain_stem(path.with_stem("index") if is_readme else path)
        if blog := next((each for each in blogs if path.is_relative_to(each.folder)), None):
            stem = blog.stem_of(file, read) or stem
        document = Document(stem, file, str(path))
        if is_readme:
            found.setdefault(document.stem, document)
        else:
            found[document.stem] = document
    yield from found.values()
