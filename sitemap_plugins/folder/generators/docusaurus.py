"""Docusaurus: docs of every version, blog posts and pages, in every language, by their paths or their ``slug``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import urljoin

from sitemap_plugins.folder.generators.document import Document, IsBuilt, ReadFrontMatter, find_sources, text_of
from sitemap_plugins.reading import ABSENT, VERSION_LIST, RefusedError, read_file

_MARKDOWN: Final = frozenset({".md", ".mdx"})
_PAGES: Final = frozenset({".md", ".mdx", ".js", ".jsx", ".ts", ".tsx"})
# Dates and versions keep their numbers.
_NUMBERED: Final = re.compile(r"(?!\d++[-_.]\d)\d++\s*+[-_.]++\s*+(?P<rest>[^-_.\s].*)")
_DATED: Final = re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})[-/](?P<name>.+)")
_ROUTES: Final = ("docs/", "")  # those that most sites have; others stand in a script


class _Place(NamedTuple):
    """A folder of docs: where it is, and below which path its pages are, relative to that of all docs."""

    folder: str
    path: str


def find_documents(
    root: str, read: ReadFrontMatter, is_built: IsBuilt, languages: Collection[str]
) -> Iterator[Document]:
    """The documents of all plugins.

    ``languages`` are those that have a folder in the site. A document that is not translated makes a page in every
    language, but only that in its own is listed here.
    """
    docs = [*_docs(root, read, languages)]
    route = max(_ROUTES, key=lambda route: sum(is_built(_stem(each.stem, route)) for each in docs))
    yield from (each._replace(stem=_stem(each.stem, route)) for each in docs)
    yield from _blog(root, read, languages)
    yield from _pages(root, languages)


def _stem(stem: str, route: str) -> str:
    """Where the docs are: ``{docs}`` stands for it until it is known."""
    return stem.replace("{docs}/", route).strip("/")


def _docs(root: str, read: ReadFrontMatter, languages: Collection[str]) -> Iterator[Document]:
    versions = _versions(root)
    places = [_Place("docs", "next/" if versions else "")]
    places += [
        _Place(f"versioned_docs/version-{version}", f"{version}/" if at else "") for at, version in enumerate(versions)
    ]
    for place in places:
        yield from _docs_in(root, place.folder, f"{{docs}}/{place.path}", read)
        version = place.folder.partition("/")[2] or "current"
        for folder in languages:
            translated = f"i18n/{folder}/docusaurus-plugin-content-docs/{version}"
            yield from _docs_in(root, translated, f"{folder}/{{docs}}/{place.path}", read)


def _docs_in(root: str, folder: str, prefix: str, read: ReadFrontMatter) -> Iterator[Document]:
    for file, path in find_sources(os.path.join(root, *folder.split("/")), _MARKDOWN):
        if any(part.startswith("_") for part in path.parts):
            continue
        values = read(file).values
        parts = [_without_number(part) for part in path.with_suffix("").parts]
        *folders, name = parts
        below = "/".join([*folders, ""]) if folders else ""
        is_index = name.lower() in {"index", "readme"} or (folders and name.lower() == folders[-1].lower())
        own = text_of(values.get("id")) or name
        slug = text_of(values.get("slug"))
        if slug:
            at = urljoin(f"/{below}", slug).lstrip("/")
        else:
            at = below if is_index and not text_of(values.get("id")) else below + own
        yield Document((prefix + at).rstrip("/") + "/", file, f"{folder}/{path}")


def _versions(root: str) -> list[str]:
    """The names in versions.json, the newest first; none where there is no such list."""
    try:
        names = json.loads(read_file(os.path.join(root, "versions.json"), VERSION_LIST))
    except (*ABSENT, PermissionError, RefusedError, ValueError, RecursionError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _without_number(part: str) -> str:
    found = _NUMBERED.fullmatch(part)
    return found["rest"] if found else part


def _blog(root: str, read: ReadFrontMatter, languages: Collection[str]) -> Iterator[Document]:
    yield from _posts_in(root, "blog", "blog/", read)
    for folder in languages:
        yield from _posts_in(root, f"i18n/{folder}/docusaurus-plugin-content-blog", f"{folder}/blog/", read)


def _posts_in(root: str, folder: str, prefix: str, read: ReadFrontMatter) -> Iterator[Document]:
    for file, path in find_sources(os.path.join(root, *folder.split("/")), _MARKDOWN):
        if any(part.startswith("_") for part in path.parts):
            continue
        slug = text_of(read(file).values.get("slug"))
        place = path.with_suffix("")
        name = str(place.parent if place.name == "index" else place)
        *folders, last = PurePosixPath(name).parts or ("",)
        if dated := _DATED.fullmatch(name) or _DATED.fullmatch(last):
            below = "/".join(folders) if _DATED.fullmatch(last) and folders else ""
            day = f"{dated['year']}/{int(dated['month']):02}/{int(dated['day']):02}"
            name = "/".join(filter(None, (day, below, dated["name"])))
        yield Document(f"{prefix}{slug.strip('/') or name}", file, f"{folder}/{path}")


def _pages(root: str, languages: Collection[str]) -> Iterator[Document]:
    for prefix, folder in [
        ("", "src/pages"),
        *((f"{each}/", f"i18n/{each}/docusaurus-plugin-content-pages") for each in languages),
    ]:
        for file, path in find_sources(os.path.join(root, *folder.split("/")), _PAGES):
            if any(part.startswith("_") for part in path.parts) or ".test." in path.name:
                continue
            place = path.with_suffix("")
            stem = str(place.parent if place.name == "index" else place).removeprefix(".")
            # A script is translated by the texts in it.
            yield Document((prefix + stem).rstrip("/"), file, f"{folder}/{path}", path.suffix not in _MARKDOWN)
