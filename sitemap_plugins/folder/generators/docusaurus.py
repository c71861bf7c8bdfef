"""Docusaurus: docs of every version, blog posts and pages, in every language, by their paths or their ``slug``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote, urljoin

from sitemap_plugins.folder.generators.document import Document, IsBuilt, ReadFrontMatter, source_files, text_of
from sitemap_plugins.reading import ABSENT, PAGE, VERSION_LIST, Limit, RefusedError, read_file
from sitemap_plugins.values.urls import is_inside

_MARKDOWN: Final = frozenset({".md", ".mdx"})
_PAGES: Final = frozenset({".md", ".mdx", ".js", ".jsx", ".ts", ".tsx"})
# Dates and versions keep their numbers.
_NUMBERED: Final = re.compile(r"(?!\d++[-_.]\d)\d++\s*+[-_.]++\s*+(?P<rest>[^-_.\s].*)")
_DATED: Final = re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})[-/](?P<name>.+)")
_ROUTES: Final = ("docs/", "")  # those that most sites have; others stand in a script
_TRANSLATIONS: Final = "i18n/"
_DEEPEST_BASE: Final = 4  # folders of the host above the site


class _Place(NamedTuple):
    """A folder of sources below the project, and the path of its pages, which ends in a slash if it is not empty.

    ``is_copied`` is as in `Document`.
    """

    folder: str
    pages: str
    is_copied: bool = False


def find_documents(
    root: str, read: ReadFrontMatter, is_built: IsBuilt, *, folders: Collection[str] = (), language: str = ""
) -> Iterator[Document]:
    """The documents of all plugins, those that the rules find before those that only a script could tell.

    ``folders`` are those of languages in the site, and ``language`` the one outside of them, for any language may be
    built alone. A document that is not translated makes a page in every language; here it has that outside of folders.
    """
    languages = {"": language, **{f"{folder}/": folder for folder in folders}}
    docs = {"docs": "next/" if (versions := _versions(root)) else ""}
    docs |= {f"versioned_docs/version-{version}": f"{version}/" if at else "" for at, version in enumerate(versions)}
    stems = [each.stem for own, pages in docs.items() for each in _docs_in(root, _Place(own, pages), read)]
    route = max(_ROUTES, key=lambda route: sum(is_built(f"{route}{stem}".strip("/")) for stem in stems))
    for own, pages in docs.items():
        version = own.partition("/")[2] or "current"
        for place in _places(root, own, f"docusaurus-plugin-content-docs/{version}", route + pages, languages):
            yield from _docs_in(root, place, read)
    for place in _places(root, "blog", "docusaurus-plugin-content-blog", "blog/", languages):
        yield from _posts_in(root, place, read)
    for place in _places(root, "src/pages", "docusaurus-plugin-content-pages", "", languages):
        yield from _pages_in(root, place)
    yield from _recorded(root, is_built, folders)


def _places(root: str, own: str, translated: str, pages: str, languages: Mapping[str, str]) -> Iterator[_Place]:
    """Where translations are, by the languages of each path, and last the sources that are not translated."""
    for path, language in languages.items():
        if language:
            yield _Place(f"{_TRANSLATIONS}{language}/{translated}", path + pages)
    others = os.path.join(root, "i18n", languages[""], *translated.split("/"))
    yield _Place(own, pages, bool(languages[""]) and os.path.isdir(others))


def _docs_in(root: str, place: _Place, read: ReadFrontMatter) -> Iterator[Document]:
    for file, path in _files_in(root, place, _MARKDOWN):
        values = read(file).values
        *folders, name = [_without_number(part) for part in path.with_suffix("").parts]
        below = "/".join([*folders, ""]) if folders else ""
        is_index = name.lower() in {"index", "readme"} or (folders and name.lower() == folders[-1].lower())
        own = text_of(values.get("id"))
        slug = text_of(values.get("slug"))
        if slug:
            try:
                at = urljoin(f"/{below}", slug).lstrip("/")
            except ValueError:  # it is no URL, so Docusaurus makes no page of it
                continue
        else:
            at = below if is_index and not own else below + (own or name)
        yield Document((place.pages + at).rstrip("/"), file, f"{place.folder}/{path}", is_copied=place.is_copied)


def _versions(root: str) -> list[str]:
    """The names in versions.json, the newest first; none where there is no such list."""
    names = _read_json(os.path.join(root, "versions.json"), VERSION_LIST)
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _without_number(part: str) -> str:
    found = _NUMBERED.fullmatch(part)
    return found["rest"] if found else part


def _posts_in(root: str, place: _Place, read: ReadFrontMatter) -> Iterator[Document]:
    for file, path in _files_in(root, place, _MARKDOWN):
        slug = text_of(read(file).values.get("slug")).strip("/")
        stem = place.pages + (slug or _post_path(path.with_suffix("")))
        yield Document(stem, file, f"{place.folder}/{path}", is_copied=place.is_copied)


def _post_path(path: PurePosixPath) -> str:
    """``2024/05/08/sub/x`` for ``sub/2024-05-08-x`` and for ``2024/05/08/sub/x``, both perhaps with an index below."""
    name = str(path.parent if path.name == "index" else path)
    folder, _, last = name.rpartition("/")
    if found := _DATED.fullmatch(last):
        below = [folder, found["name"]]
    elif found := _DATED.fullmatch(name):
        below = [found["name"]]
    else:
        return name
    return "/".join(filter(None, [found["year"], f"{found['month']:0>2}", f"{found['day']:0>2}", *below]))


def _pages_in(root: str, place: _Place) -> Iterator[Document]:
    for file, path in _files_in(root, place, _PAGES):
        at = path.with_suffix("")
        stem = str(at.parent if at.name == "index" else at).removeprefix(".")
        # A script is translated by the texts in it.
        is_script = path.suffix not in _MARKDOWN
        yield Document(
            (place.pages + stem).rstrip("/"),
            file,
            f"{place.folder}/{path}",
            is_shared=is_script,
            is_copied=place.is_copied and not is_script,
        )


def _files_in(root: str, place: _Place, suffixes: Collection[str]) -> Iterator[tuple[str, PurePosixPath]]:
    """The files that are no parts of others, and no tests."""
    for file, path in source_files(os.path.join(root, *place.folder.split("/")), suffixes):
        if not any(part.startswith("_") for part in path.parts) and ".test." not in path.name:
            yield file, path


def _recorded(root: str, is_built: IsBuilt, folders: Collection[str]) -> Iterator[Document]:
    """What builds have written down of their sources, some of them perhaps long ago.

    The site may be below a path of its host, which is in what they have written.
    """
    pages = [*_records(root)]
    depth = max(
        range(_DEEPEST_BASE),
        key=lambda depth: sum(map(is_built, {"/".join(steps[depth:]) for _, steps in pages if len(steps) >= depth})),
    )
    for source, steps in pages:
        file = os.path.join(root, *source.split("/"))
        if len(steps) < depth or not os.path.isfile(file):
            continue
        below = steps[depth:]
        # Of what is not translated only the page in the language that was built last is known.
        if below and below[0] in folders and not source.startswith(_TRANSLATIONS):
            below = below[1:]
        yield Document("/".join(below), file, source)


def _records(root: str) -> Iterator[tuple[str, list[str]]]:
    """The sources of pages, relative to the project, and the steps of the paths of their URLs."""
    for file, path in source_files(os.path.join(root, ".docusaurus"), {".json"}):
        record = _read_json(file, PAGE) if path.name.startswith("site-") else None
        if isinstance(record, dict):
            source = text_of(record.get("source")).removeprefix("@site/")
            if source and is_inside(source):
                yield source, [*filter(None, unquote(text_of(record.get("permalink"))).split("/"))]


def _read_json(file: str, limit: Limit) -> object:
    try:
        return json.loads(read_file(file, limit))
    except (*ABSENT, PermissionError, RefusedError, ValueError, RecursionError):
        return None
