"""Docusaurus: docs of all versions, blog posts and pages, in all languages, by their paths or their ``slug``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final, TypeAlias
from urllib.parse import unquote, urljoin

import msgspec

from sitemap_plugins.folder.generators.document import Document, IsBuilt, ReadFrontMatter, source_files, text_of
from sitemap_plugins.reading import ABSENT, PAGE, VERSION_LIST, Limit, RefusedError, read_file
from sitemap_plugins.values.urls import is_inside

_MARKDOWN: Final = frozenset({".md", ".mdx"})
_PAGES: Final = frozenset({".md", ".mdx", ".js", ".jsx", ".ts", ".tsx"})
# A number before a name is dropped, but dates and versions keep theirs.
_NUMBERED: Final = re.compile(r"(?!\d++[-_.]\d)\d++\s*+[-_.]++\s*+(?P<rest>[^-_.\s].*)")
_DATED: Final = re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})[-/](?P<name>.+)")
_ROUTES: Final = ("docs/", "")  # those of most sites; others are set in a script
_TRANSLATIONS: Final = "i18n/"
_DEEPEST_BASE: Final = 4  # folders above the site in the paths of its host


_PathOf: TypeAlias = Callable[[PurePosixPath, Mapping[str, object]], str | None]
"""The path of a source's page, from the source's path and front matter; None if it has none."""


class _SourceFolder(msgspec.Struct, frozen=True):
    """A folder of sources below the project, and the path of its pages, which ends in a slash if it is not empty.

    ``is_copied`` is as in `Document`.
    """

    folder: str
    pages: str
    is_copied: bool = False


def find_documents(
    root: str, read: ReadFrontMatter, is_built: IsBuilt, *, folders: Collection[str] = (), language: str = ""
) -> Iterator[Document]:
    """The documents of all plugins: first those that the rules find, then those that only builds have recorded.

    ``folders`` are the language folders of the site, and ``language`` is the language outside them, because any
    language may be built alone. A document without translations makes a page in every language; here it has only the
    page outside the language folders.
    """
    languages = {"": language, **{f"{folder}/": folder for folder in folders}}
    docs = {"docs": "next/" if (versions := _versions(root)) else ""}
    docs |= {f"versioned_docs/version-{version}": f"{version}/" if at else "" for at, version in enumerate(versions)}
    stems = [
        each.stem
        for own, pages in docs.items()
        for each in _documents_in(root, _SourceFolder(own, pages), _MARKDOWN, _doc_path, read)
    ]
    route = max(_ROUTES, key=lambda route: sum(is_built(f"{route}{stem}".strip("/")) for stem in stems))
    plugins = [
        *(
            (own, f"content-docs/{own.partition('/')[2] or 'current'}", route + pages, _MARKDOWN, _doc_path)
            for own, pages in docs.items()
        ),
        ("blog", "content-blog", "blog/", _MARKDOWN, _post_path),
        ("src/pages", "content-pages", "", _PAGES, _page_path),
    ]
    for own, plugin, pages, suffixes, path_of in plugins:
        for source in _source_folders(root, own, f"docusaurus-plugin-{plugin}", pages, languages):
            yield from _documents_in(root, source, suffixes, path_of, read)
    yield from _recorded(root, is_built, folders)


def _source_folders(
    root: str, own: str, translated: str, pages: str, languages: Mapping[str, str]
) -> Iterator[_SourceFolder]:
    """The folders of the translations, by the path of their language, and last the untranslated sources."""
    for path, language in languages.items():
        if language:
            yield _SourceFolder(f"{_TRANSLATIONS}{language}/{translated}", path + pages)
    others = os.path.join(root, "i18n", languages[""], *translated.split("/"))
    yield _SourceFolder(own, pages, bool(languages[""]) and os.path.isdir(others))


def _documents_in(
    root: str, source: _SourceFolder, suffixes: Collection[str], path_of: _PathOf, read: ReadFrontMatter
) -> Iterator[Document]:
    for file, path in source_files(os.path.join(root, *source.folder.split("/")), suffixes):
        if any(part.startswith("_") for part in path.parts) or ".test." in path.name:  # partials and tests
            continue
        at = path_of(path, read(file).values)
        if at is None:
            continue
        # Translations of a script are in the texts that it uses, not in files of its own.
        is_script = path.suffix.lower() not in _MARKDOWN
        yield Document(
            (source.pages + at).rstrip("/"),
            file,
            f"{source.folder}/{path}",
            is_shared=is_script,
            is_copied=source.is_copied and not is_script,
        )


def _doc_path(path: PurePosixPath, values: Mapping[str, object]) -> str | None:
    *folders, name = [_without_number(part) for part in path.with_suffix("").parts]
    below = "/".join([*folders, ""]) if folders else ""
    is_index = name.lower() in {"index", "readme"} or (folders and name.lower() == folders[-1].lower())
    own = text_of(values.get("id"))
    if slug := text_of(values.get("slug")):
        try:
            return urljoin(f"/{below}", slug).lstrip("/")
        except ValueError:  # it is not a URL, so Docusaurus makes no page
            return None
    return below if is_index and not own else below + (own or name)


def _versions(root: str) -> list[str]:
    """The names in versions.json, newest first; empty if there is no such list."""
    names = _read_json(os.path.join(root, "versions.json"), VERSION_LIST)
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _without_number(part: str) -> str:
    found = _NUMBERED.fullmatch(part)
    return found["rest"] if found else part


def _post_path(path: PurePosixPath, values: Mapping[str, object]) -> str:
    """``2024/05/08/sub/x`` for ``sub/2024-05-08-x`` and ``2024/05/08/sub/x``, with or without an index below."""
    if slug := text_of(values.get("slug")).strip("/"):
        return slug
    bare = path.with_suffix("")
    name = str(bare.parent if bare.name == "index" else bare)
    folder, _, last = name.rpartition("/")
    if found := _DATED.fullmatch(last):
        below = [folder, found["name"]]
    elif found := _DATED.fullmatch(name):
        below = [found["name"]]
    else:
        return name
    return "/".join(filter(None, [found["year"], f"{found['month']:0>2}", f"{found['day']:0>2}", *below]))


def _page_path(path: PurePosixPath, _: Mapping[str, object]) -> str:
    bare = path.with_suffix("")
    return str(bare.parent if bare.name == "index" else bare).removeprefix(".")


def _recorded(root: str, is_built: IsBuilt, folders: Collection[str]) -> Iterator[Document]:
    """The sources that builds have recorded, some of them possibly long ago.

    If the site is below a path of its host, the recorded URLs include that path.
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
        # An untranslated source is recorded only for the language that was built last.
        if below and below[0] in folders and not source.startswith(_TRANSLATIONS):
            below = below[1:]
        yield Document("/".join(below), file, source)


def _records(root: str) -> Iterator[tuple[str, list[str]]]:
    """The recorded sources of pages, relative to the project, and the segments of the paths of their URLs."""
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
