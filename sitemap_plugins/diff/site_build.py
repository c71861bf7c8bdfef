"""What one build of a site publishes: which document as which file, and where there is room for a redirect; pure."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.published.languages import FolderKind
from sitemap_plugins.values.urls import file_key, path_in

INDEX: Final = "index.html"
"""The file that a server sends for a folder."""

_HTML: Final = (".html", ".htm")

FindDocument: TypeAlias = Callable[[str], str | None]
"""Finds the document with a name without suffix: returns the name with its suffix, None if there is no document."""


class Naming(msgspec.Struct, frozen=True, kw_only=True):
    """How a generator names what it publishes.

    ``suffixes`` are those of its documents, the usual one first, and ``homes`` the names of documents that become the
    pages of their folders. ``urls`` are the settings for URLs that end with ``.html`` and with a slash, in words.
    ``built_apart`` are the kinds of folders that are built on their own.
    """

    suffixes: tuple[str, ...] = ()
    homes: frozenset[str] = frozenset({"index"})
    urls: tuple[str, str] = ("", "")
    built_apart: frozenset[FolderKind] = frozenset()


ANY: Final = Naming()
"""No generator in particular: what is said about URLs, not about documents."""


class NoRedirectError(ValueError):
    """A URL cannot be redirected. The message says why, without a full stop."""


class SiteBuild:
    """What is built at once: the decoded paths of its ``pages`` and ``files``, below its ``base_url``, if it is known.

    ``redirects`` are the sources and targets of the redirects that a tool already makes. ``has_i18n`` tells whether
    mkdocs-static-i18n builds it. ``find_document`` finds the documents of the project.
    """

    def __init__(
        self,
        naming: Naming,
        pages: Sequence[str],
        files: Iterable[str],
        base_url: str | None,
        *,
        redirects: Mapping[str, str],
        has_i18n: bool,
        find_document: FindDocument,
    ) -> None:
        self.naming = naming
        self.base_url = base_url
        self.base = urlsplit(base_url).path if base_url else None
        self.has_i18n = has_i18n
        self.find_document = find_document
        self.is_empty = not pages
        # With use_directory_urls or the builder dirhtml, all URLs end with a slash; else, only those of folders do.
        self._has_folder_urls = sum(path.endswith("/") for path in pages) * 2 >= len(set(pages) - {""})
        self._pages = {self.file_of(path): path for path in pages}
        self._files = {file_key(file): file for file in (*files, *self._pages)}
        self._folders = {file_key(folder): folder for file in self._files.values() for folder in _folders_above(file)}
        self.redirects = {self.place_of(source): (source, target) for source, target in redirects.items()}

    @property
    def setting(self) -> str:
        """The setting that decides the form of its URLs, such as ``use_directory_urls: true``."""
        return self.naming.urls[self._has_folder_urls]

    def file_of(self, path: str) -> str:
        """The file that is published at a path."""
        if not path or path.endswith("/"):
            return path + INDEX
        if path.endswith(_HTML):
            return path
        return f"{path}/{INDEX}" if self._has_folder_urls else f"{path}.html"

    def published(self, name: str) -> str:
        """The file that a document is published as, by its name without suffix."""
        folder, last = posixpath.split(name)
        if last in self.naming.homes:
            return path_in(folder, INDEX)
        return f"{name}/{INDEX}" if self._has_folder_urls else f"{name}.html"

    def published_document(self, document: str) -> str | None:
        """The file that a document is published as; None for files that are no documents."""
        name, suffix = posixpath.splitext(document)
        return self.published(name) if suffix in self.naming.suffixes else None

    def document_of(self, file: str) -> str | None:
        """The document of the project that is published as a file."""
        names = (*names_of(file), path_in(posixpath.dirname(file), "README"))
        return next(filter(None, (self.find_document(name) for name in names if self.published(name) == file)), None)

    def place_of(self, source: str) -> str:
        """Where a tool publishes the redirect of a line with this source, which another one there would replace.

        ``source`` is the name of a document, with or without its suffix and an anchor, or a path.
        """
        document, hash_mark, anchor = source.rstrip("/").partition("#")
        stem, suffix = posixpath.splitext(document)
        return f"{self.published(stem if suffix in self.naming.suffixes else document)}{hash_mark}{anchor}"

    def free_file(self, path: str) -> str:
        """The file at a path, for a page that only redirects. Raises `NoRedirectError` if there is no place for it.

        A page may have the same file name in another case, or the name of a folder that the redirect needs.
        """
        file = self.file_of(path)
        stub = file if self.published(posixpath.splitext(file)[0]) == file else f"{file}/{INDEX}"
        for name in (stub, *_folders_above(stub)):
            if found := self._files.get(file_key(name)):
                what = f"the page {describe_path(self._pages[found])}" if found in self._pages else f"the file {found}"
                does = "would replace" if name == stub else "would need a folder in the place of"
                raise NoRedirectError(f"{_systems(name, found)}the redirect {does} {what}")
        if folder := self._folders.get(file_key(stub)):
            raise NoRedirectError(f"{_systems(stub, folder)}the redirect would need a file in the place of {folder}/")
        return file


def names_of(file: str) -> Iterator[str]:
    """The names, without suffix, of documents that may be published as a file, the shorter one first."""
    stem = posixpath.splitext(file)[0]
    if stem.endswith("/index"):
        yield stem.removesuffix("/index")
    yield stem


def served_as(file: str) -> tuple[str, ...]:
    """The files that a server sends for the URL of a file: a folder is served without its slash, too."""
    return (file, f"{file}/{INDEX}") if file.endswith(".html") else (file,)


def describe_path(path: str) -> str:
    """A path below the base, for people."""
    return path or "the home page"


def _folders_above(file: str) -> Iterator[str]:
    """The folders that a file is in, the inner one first."""
    while file := posixpath.dirname(file):
        yield file


def _systems(name: str, found: str) -> str:
    """Where two names are the same, to begin a sentence; empty if they are the same everywhere."""
    return "" if name == found else "where file names ignore case (macOS, Windows), "
