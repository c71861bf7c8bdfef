"""MkDocs and Zensical: ``docs/guide/install.md`` makes ``guide/install/``; an index or README makes ``guide/``.

Posts are published as the blog plugin of Material for MkDocs and Zensical does it. The plugins api-autonav and
mkdocs-autoapi make one document for each Python module.
"""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec

from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.folder.generators.source import ReadFrontMatter, Source, source_files
from sitemap_plugins.formats.paths import stem_of
from sitemap_plugins.model import Note
from sitemap_plugins.reading import SOURCE, read_file
from sitemap_plugins.values.text import join_words

_SUFFIXES: Final = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})
# Of the plugins that Zensical 0.1 lacks (config.py), these add pages, or change URLs or languages.
_NOT_RUN: Final = ("gen-files", "i18n", "mkdocs-jupyter", "monorepo", "multirepo", "projects", "techdocs-core")
_FENCE: Final = ("---", "...")

API_PLUGINS: Final = ("api-autonav", "mkdocs-autoapi")
"""The names of these plugins in the configuration. Both enable mkdocstrings."""

_PYTHON_SUFFIXES: Final = frozenset({".py", ".pyi"})
_IGNORED: Final = ("venv",)  # by mkdocs-autoapi, whatever its options are
_NAMES: Final = {"__init__": "index", "index": "index_py"}


def find_documents(configuration: Configuration, read: ReadFrontMatter) -> Iterator[tuple[str, Source]]:
    """The documents, each after the stem of the page that it makes, see `HTMLFile.stem`.

    If a folder has an index and a README, the index makes the page (MkDocs, "File layout"). Raises
    `ConfigurationError` if docs_dir is not a path.
    """
    blogs = [*read_blogs(configuration)]
    found: dict[str, Source] = {}
    for file, path in source_files(configuration.path("docs_dir", "docs"), _SUFFIXES):
        is_readme = path.stem == "README"
        stem = _plain_stem(path.with_stem("index") if is_readme else path)
        if blog := next((each for each in blogs if path.is_relative_to(each.folder)), None):
            stem = blog.stem_of(file, read) or stem
        if not is_readme or stem not in found:
            found[stem] = Source(file, str(path))
    for page in find_api_pages(configuration):
        found.setdefault(_plain_stem(PurePosixPath(page.name)), page)
    yield from found.items()


def _plain_stem(path: PurePosixPath) -> str:
    """The stem of the page for a source at the same path; an ``index`` is the page of its folder."""
    return stem_of(f"{path.with_suffix('')}.html")


class Blog(msgspec.Struct, frozen=True):
    """The options of one blog that determine the folder of its posts and their URLs."""

    blog_dir: str = "blog"
    post_dir: str = "{blog}/posts"
    post_url_format: str = "{date}/{slug}"
    post_url_date_format: str = "yyyy/MM/dd"

    @property
    def folder(self) -> PurePosixPath:
        """The folder of the posts, relative to docs_dir."""
        return PurePosixPath(posixpath.normpath(self.post_dir.replace("{blog}", self.blog_dir)))

    @property
    def url_folder(self) -> str:
        """The beginning of the paths of the blog's pages; empty for a blog at the top of the site."""
        path = posixpath.normpath(self.blog_dir)
        return "" if path == "." else f"{path}/"

    def stem_of(self, file: str, read: ReadFrontMatter) -> str | None:
        """The stem of a post's page; None if the post lacks a part of its URL.

        Categories, and slugs made by the author's own function, are not supported.
        """
        values = read(file).values
        name, _ = os.path.splitext(os.path.basename(file))
        parts = {"{file}": name}
        if "{date}" in self.post_url_format:
            parts["{date}"] = _write(_date_of(values), self.post_url_date_format)
        if "{slug}" in self.post_url_format:
            title = _text_of(values.get("title")) or _heading_of(file) or name.replace("-", " ").replace("_", " ")
            parts["{slug}"] = _text_of(values.get("slug")) or _slugify(title)
        path = self.post_url_format
        for placeholder, text in parts.items():
            path = path.replace(placeholder, text)
        if not all(parts.values()) or "{" in path:
            return None
        return posixpath.normpath(posixpath.join(self.blog_dir, path.strip("/"))).removeprefix("./")


def read_blogs(configuration: Configuration) -> Iterator[Blog]:
    """The blogs of a project. Invalid options are ignored."""
    for options in configuration.plugins("blog"):
        yield Blog(**{name: value for name in Blog.__struct_fields__ if isinstance(value := options.get(name), str)})


def not_run_notes(configuration: Configuration) -> Iterator[Note]:
    """A note on the plugins that Zensical does not run, if they add pages, or change URLs or languages."""
    if names := [name for name in _NOT_RUN if configuration.plugins(name)]:
        message = (
            f"Zensical does not run {join_words(names, 'or')}, so the site may lack pages, or have other URLs or "
            "languages than with MkDocs"
        )
        yield Note(kind="not-run", message=message)


def _date_of(values: Mapping[str, object]) -> date | None:
    written = values.get("date")
    written = written.get("created") if isinstance(written, Mapping) else written
    return written if isinstance(written, date) else None


def _write(day: date | None, form: str) -> str:
    """The date in a format such as ``yyyy/MM/dd``; empty if the format has words, such as names of months."""
    if day is None:
        return ""
    tokens = {"yyyy": f"{day:%Y}", "y": f"{day.year}", "yy": f"{day:%y}", "MM": f"{day:%m}", "M": f"{day.month}"}
    tokens |= {"dd": f"{day:%d}", "d": f"{day.day}"}
    try:
        return re.sub(r"[a-zA-Z]+", lambda found: tokens[found[0]], form)
    except KeyError:
        return ""


def _slugify(title: str) -> str:
    """The slug of a title, made like the default ``pymdownx.slugs.slugify(case="lower")``."""
    text = re.sub(r"</?[^>]*>", "", unicodedata.normalize("NFC", title)).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def _heading_of(file: str) -> str:
    """The heading with which the text begins; empty if it begins with something else, or the file cannot be read.

    Like Zensical, this parses no Markdown, so all that is written on the line counts.
    """
    try:
        lines = read_file(file, SOURCE).decode("utf-8-sig", errors="replace").splitlines()
    except OSError:
        return ""
    if lines and lines[0].startswith("---"):
        end = next((at for at, line in enumerate(lines[1:], 1) if line.startswith(_FENCE)), 0)
        lines = lines[end + 1 :]
    first = next((line.strip() for line in lines if line.strip()), "")
    return first[2:] if first.startswith("# ") else ""


def _text_of(value: object) -> str:
    """A value of front matter that must be text; empty if it is not."""
    return value.strip() if isinstance(value, str) else ""


class _Options(msgspec.Struct, frozen=True):
    """The options of both plugins that determine the documents, with their defaults."""

    modules: tuple[str, ...] = ()
    module_options: Mapping[str, Mapping[str, Any]] = {}
    api_root_uri: str = "reference"
    autoapi_dir: str = "."
    autoapi_root: str = "autoapi"
    autoapi_ignore: tuple[str, ...] = ()


def find_api_pages(configuration: Configuration) -> Iterator[Source]:
    """The documents that these plugins may make: api-autonav's options to leave out modules do not count.

    Invalid options are ignored.
    """
    autonav, autoapi = API_PLUGINS
    with suppress(msgspec.ValidationError, ValueError, NotImplementedError, re.error):  # options, globs, patterns
        for options in (msgspec.convert(each, _Options) for each in configuration.plugins(autonav)):
            for module in options.modules:
                place = os.path.normpath(os.path.join(configuration.root, module))
                for page in _pages_of(place, os.path.dirname(place), options.api_root_uri):
                    local = [each for name, each in options.module_options.items() if re.match(name, page.module)]
                    yield msgspec.structs.replace(page, options={k: v for each in local for k, v in each.items()})
        for options in (msgspec.convert(each, _Options) for each in configuration.plugins(autoapi)):
            place = os.path.normpath(os.path.join(configuration.root, options.autoapi_dir))
            is_package = os.path.isfile(os.path.join(place, "__init__.py"))
            top = os.path.dirname(place) if is_package else place
            ignored = {str(file) for glob in options.autoapi_ignore for file in Path(place).glob(glob)}
            yield from (page for page in _pages_of(place, top, options.autoapi_root) if page.file not in ignored)


def _pages_of(place: str, top: str, root: str) -> Iterator[Source]:
    """The documents for the modules in a folder, or for one file, with names relative to the folder ``top``."""
    files = [place] if os.path.isfile(place) else [file for file, _ in source_files(place, _PYTHON_SUFFIXES, _IGNORED)]
    for file in files:
        path = PurePosixPath(os.path.relpath(file, top).replace(os.sep, "/")).with_suffix("")
        module = path.parent if path.name == "__init__" else path
        document = path.with_name(_NAMES.get(path.name, path.name))
        yield Source(file, posixpath.normpath(posixpath.join(root, f"{document}.md")), module=".".join(module.parts))
