"""Hugo: files in ``content``, by their paths in lower case, their front matter or ``permalinks``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

import msgspec

from sitemap_plugins.folder.configuration import read_data
from sitemap_plugins.folder.generators.document import (
    Document,
    IsBuilt,
    ReadFrontMatter,
    source_files,
    text_of,
    with_date,
)
from sitemap_plugins.formats.data_reading import DataError, read_json, read_toml, read_yaml
from sitemap_plugins.published.html_files import stem_of
from sitemap_plugins.values.dates import parse_lastmod

_FOLDER: Final = "config/_default/"
_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    ".toml": read_toml,
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".json": read_json,
}
_MAIN: Final = ("hugo", "config")  # in Hugo's order of search; older versions use the second
_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdown", ".html", ".adoc", ".org", ".rst", ".pandoc"})
_NO_PRIORITY: Final = -1
_INDEXES: Final = frozenset({"index", "_index"})
_IN_URLS: Final = frozenset("./\\_#+~-@")  # besides letters and digits


class _Content(msgspec.Struct, frozen=True):
    """A folder of content, the languages in it, and the language of files whose names give none."""

    folder: str
    languages: frozenset[str]
    language: str


def find_documents(root: str, read: ReadFrontMatter, is_built: IsBuilt) -> Iterator[Document]:
    """The documents that make a page of the site, each in the language of its name or its folder.

    Raises `ConfigurationError`.
    """
    settings = read_settings(root)
    default = (text_of(settings.get("defaultcontentlanguage")) or "en").lower()
    at_root = "" if settings.get("defaultcontentlanguageinsubdir") is True else default
    for content in _contents(settings, default):
        for file, path in source_files(os.path.normpath(os.path.join(root, content.folder)), _SUFFIXES):
            bare, language = _split(path, content)
            values = {name.lower(): value for name, value in read(file).values.items()}
            stem = _stem(bare, values, settings)
            stems = [stem] if language == at_root else [f"{language}/{stem}".rstrip("/")]
            if language != at_root and text_of(values.get("url")).startswith("/"):
                stems.append(stem)  # newer versions do not put such a URL below the language folder
            # Drafts, and most files of a bundle, make no page.
            if (built := next(filter(is_built, stems), None)) is not None:
                yield Document(built, file, f"{content.folder}/{path}")


def translate(values: Mapping[str, object]) -> Mapping[str, object]:
    """Front matter with our names and values. Hugo has its own ``sitemap``, and ignores the case of names."""
    values = {name.lower(): value for name, value in values.items()}
    written = values.get("sitemap")
    if isinstance(written, Mapping):
        ours = {name: value for name, value in written.items() if name not in {"disable", "filename"}}
        if ours.get("priority") == _NO_PRIORITY:
            del ours["priority"]
        values["sitemap"] = ours | ({"exclude": True} if written.get("disable") is True else {})
    return with_date(values, values.get("lastmod"))


def _contents(settings: Mapping[str, object], default: str) -> Iterator[_Content]:
    """The folders of content. Languages may share a folder, or have one each."""
    common = text_of(settings.get("contentdir")) or "content"
    languages = table_of(settings, "languages")
    folders: dict[str, list[str]] = {}
    for language in languages or [default]:
        folder = text_of(table_of(languages, language).get("contentdir")) or common
        folders.setdefault(folder.rstrip("/"), []).append(language)
    for folder, names in folders.items():
        yield _Content(folder, frozenset(names), default if default in names else names[0])


def _split(path: PurePosixPath, content: _Content) -> tuple[PurePosixPath, str]:
    """The path without suffixes, and the language: ``about.de.md`` is ``about`` in ``de``."""
    bare = path.with_suffix("")
    language = bare.suffix[1:].lower()
    return (bare.with_suffix(""), language) if language in content.languages else (bare, content.language)


def _stem(path: PurePosixPath, values: Mapping[str, object], settings: Mapping[str, object]) -> str:
    """The stem of the page below its language folder, from its URL, the pattern of its section, or its path."""
    if url := text_of(values.get("url")):
        return _stem_at(url)
    page = path.parent if path.name in _INDEXES else path
    slug = text_of(values.get("slug"))
    if pattern := _pattern(path, settings):
        return _stem_at(_fill(pattern, page, slug, values))
    if slug and page.name:
        page = page.parent / _in_url(slug)
    return "" if str(page) == "." else str(page).lower().replace(" ", "-")


def _stem_at(url: str) -> str:
    bare = url.strip("/")
    return stem_of(bare) if bare.endswith(".html") else bare


def _pattern(path: PurePosixPath, settings: Mapping[str, object]) -> str:
    """The pattern in ``permalinks`` for the section of a page; empty if there is none."""
    if path.name == "_index" or len(path.parts) == 1:
        return ""
    patterns = table_of(settings, "permalinks")
    section = path.parts[0].lower()
    return text_of(table_of(patterns, "page").get(section)) or text_of(patterns.get(section))


def _fill(pattern: str, page: PurePosixPath, slug: str, values: Mapping[str, object]) -> str:
    """The path for a pattern such as ``/log/:year/:slug/``. Unknown parts stay as they are, so it matches no page."""
    title = _in_url(text_of(values.get("title"))).lower()
    name = page.name.lower().replace(" ", "-")
    folders = [part.lower().replace(" ", "-") for part in page.parts[:-1]]
    slug = _in_url(slug).lower()
    known = {
        ":title": title,
        ":slug": slug or title,
        ":filename": name,
        ":contentbasename": name,
        ":slugorfilename": slug or name,
        ":slugorcontentbasename": slug or name,
        ":section": folders[0] if folders else "",
        ":sections": "/".join(folders),
        ":sections[1:]": "/".join(folders[1:]),
        **_parts_of_date(values.get("date")),
    }
    return "/".join(known.get(part.lower(), part) for part in pattern.split("/"))


def _parts_of_date(value: object) -> Mapping[str, str]:
    try:
        date = parse_lastmod(value)
    except ValueError:
        return {}
    return {":year": f"{date:%Y}", ":month": f"{date:%m}", ":day": f"{date:%d}"}


def _in_url(text: str) -> str:
    """A text as Hugo writes it in a URL: without punctuation, with hyphens for spaces."""
    kept = (each if each.isalnum() or each in _IN_URLS else " " if each.isspace() else "" for each in text)
    return "-".join("".join(kept).split())


def read_main_files(root: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The files with the settings of the site: the path of each below the project, and its values by name.

    Names are in lower case, because Hugo ignores their case. Raises `ConfigurationError`.
    """
    for folder in ("", _FOLDER):
        for stem in _MAIN:
            for suffix in _READERS:
                # A file named config may belong to another tool.
                values = _read(root, f"{folder}{stem}{suffix}", is_surely=stem != "config")
                if values:
                    yield f"{folder}{stem}{suffix}", values


def read_settings(root: str) -> Mapping[str, object]:
    """All settings, with names in lower case. A table such as ``languages`` may also have its own file.

    Raises `ConfigurationError`.
    """
    settings: dict[str, object] = {}
    for _, values in read_main_files(root):
        settings = {**values, **settings}
    folder = os.path.join(root, *_FOLDER.split("/"))
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        stem, suffix = os.path.splitext(name)
        first, _, second = stem.lower().partition(".")
        if suffix in _READERS and first not in _MAIN:
            values = _read(root, _FOLDER + name)
            settings[first] = {**table_of(settings, first), second: values} if second else values
    return settings


def table_of(values: Mapping[str, object], name: str) -> Mapping[str, object]:
    """A table in another one, with names in lower case; empty if there is none."""
    value = values.get(name)
    return _lowered(value) if isinstance(value, Mapping) else {}


def _read(root: str, name: str, *, is_surely: bool = True) -> Mapping[str, object]:

    def parse(text: str) -> object:
        try:
            return _READERS[os.path.splitext(name)[1]](text)
        except DataError:
            if is_surely:
                raise
            return None

    values = read_data(os.path.join(root, *name.split("/")), name, parse)
    return _lowered(values) if isinstance(values, Mapping) else {}


def _lowered(values: Mapping[object, object]) -> Mapping[str, object]:
    return {name.lower(): value for name, value in values.items() if isinstance(name, str)}
