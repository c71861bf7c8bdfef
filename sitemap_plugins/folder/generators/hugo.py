"""Hugo: files in ``content`` by their paths in lower case, or by the ``slug`` or ``url`` in their front matter."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from sitemap_plugins.folder.generators.document import (
    Document,
    IsBuilt,
    ReadFrontMatter,
    find_sources,
    text_of,
    with_date,
)
from sitemap_plugins.folder.html_files import stem_of
from sitemap_plugins.values.languages import InvalidLanguageError, parse_language

_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdown", ".html", ".adoc", ".org", ".rst", ".pandoc"})
_NO_PRIORITY: Final = -1
_INDEXES: Final = frozenset({"index", "_index"})


def find_documents(root: str, read: ReadFrontMatter, is_built: IsBuilt) -> Iterator[Document]:
    """The documents that make a page of the site, each in the language of its name or of its folder."""
    content = os.path.join(root, "content")
    for file, path in find_sources(content, _SUFFIXES):
        values = {name.lower(): value for name, value in read(file).values.items()}
        stems = [*_stems(path, text_of(values.get("slug")), text_of(values.get("url")))]
        # A language may have a folder of its own in the content, and none in the site.
        stem = next(filter(is_built, stems), None)
        if stem is not None:
            yield Document(stem, file, f"content/{path}")


def translate(values: Mapping[str, object]) -> Mapping[str, object]:
    """Front matter as we read it: Hugo has a ``sitemap`` of its own, and writes names in any case."""
    values = {name.lower(): value for name, value in values.items()}
    written = values.get("sitemap")
    if isinstance(written, Mapping):
        ours = {name: value for name, value in written.items() if name not in {"disable", "filename"}}
        if ours.get("priority") == _NO_PRIORITY:
            del ours["priority"]
        values["sitemap"] = ours | ({"exclude": True} if written.get("disable") is True else {})
    return with_date(values, values.get("lastmod"))


def _stems(path: PurePosixPath, slug: str, url: str) -> Iterator[str]:
    bare, language = _split(path)
    prefix = f"{language}/" if language else ""
    if url:
        yield from (stem_of(f"{at}{_without_slashes(url)}.html") for at in (prefix, ""))
        return
    folder = "/".join(bare.parts[:-1])
    page = PurePosixPath(folder, "" if bare.name in _INDEXES else bare.name)
    if slug and str(page) != ".":
        page = page.with_name(slug.replace("/", "-")) if "/" not in slug else page.parent / slug
    stem = str(page).lower().replace(" ", "-").removeprefix(".")
    yield prefix + stem if stem else prefix.rstrip("/")
    yield stem
    top, _, rest = stem.partition("/")
    if _is_language(top):
        yield rest


def _split(path: PurePosixPath) -> tuple[PurePosixPath, str]:
    """``about.de.md`` is ``about`` in ``de``."""
    bare = path.with_suffix("")
    language = bare.suffix[1:]
    return (bare.with_suffix(""), language) if language and _is_language(language) else (bare, "")


def _is_language(name: str) -> bool:
    try:
        parse_language(name)
    except InvalidLanguageError:
        return False
    return True


def _without_slashes(url: str) -> str:
    return url.strip("/").removesuffix(".html").removesuffix("/index")
