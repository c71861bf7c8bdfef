"""The files of a Sphinx build besides its pages: files to list, other feeds, and values for the next build."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from sitemap_plugins.formats.paths import SERVER_FILES, page_ending
from sitemap_plugins.model import OutputFile, Page
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.output.writing import WriteError, write
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ABSENT, LAST_BUILD, RefusedError, read_file
from sitemap_plugins.values.urls import quote_path

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_FILES = "sitemap-files.json"


def collect_files(
    app: Sphinx, settings: Settings, pages: Collection[str | None], locate: Callable[[str], str]
) -> Iterator[Page]:
    """Each file in the output that matches the option ``files``, as a page; ``pages`` are paths to skip.

    Globs match the path in the output. A file is dated by the file of the project that Sphinx copied, if it is a copy.
    Files that an earlier build of ours wrote are skipped.
    """
    if not settings.files.patterns:
        return
    passed_over = {*pages, *SERVER_FILES}
    copied = copied_files(app)
    copies = {  # of the downloads and images of the documents
        f"{folder}/{dest}": os.path.join(app.srcdir, name)
        for folder, files in (("_downloads", app.env.dlfiles), ("_images", app.env.images))
        for name, (_, dest) in files.items()
    }
    for path in _files_in(os.fspath(app.outdir)):
        if path in passed_over or not settings.files.matches(path):
            continue
        if path in copied or not is_ours(Path(app.outdir, path)):
            source = copies.get(path) or _extra_source(app, path)
            ending = page_ending(path, getattr(app.builder, "out_suffix", None))
            if ending is not None and not source and _was_document(app, path[: len(path) - len(ending)]):
                continue
            yield Page(
                loc=locate(quote_path(path)),
                name=path,
                source=source,
                sources=(source,) if source else (),
                output=path,
            )


def _was_document(app: Sphinx, stem: str) -> bool:
    """Whether a page, by its path without ending, is that of a removed document.

    Sphinx removes neither the page nor the copy of its source.
    """
    names = (stem, stem.removesuffix("/index"))
    suffixes = [f"{suffix}{app.config.html_sourcelink_suffix}" for suffix in app.config.source_suffix]
    return any(Path(app.outdir, "_sources", f"{name}{suffix}").is_file() for name, suffix in product(names, suffixes))


def _files_in(folder: str) -> list[str]:
    """The paths of all files in a folder, with forward slashes, sorted; without the copies of sources."""
    return sorted(Tree(folder).files(without={"_sources"}, skip_unlisted=True))


def _extra_source(app: Sphinx, path: str) -> str | None:
    """The file of ``html_extra_path`` or ``html_static_path`` that was copied to this path."""
    static = PurePosixPath(path).relative_to("_static").as_posix() if path.startswith("_static/") else None
    for folders, relative in ((app.config.html_extra_path, path), (app.config.html_static_path, static)):
        for each in folders if relative else ():
            there = Path(app.confdir, each)
            source = there / (relative or "") if there.is_dir() else there
            if source.is_file() and (there.is_dir() or there.name == relative):
                return os.path.normpath(source)
    return None


def other_feeds(app: Sphinx, base_url: str) -> tuple[str, ...]:
    """The URLs of the feeds of all posts that ablog wrote, one for each of its templates."""
    folder = getattr(app.config, "blog_path", None) if "ablog" in app.extensions else None
    if not isinstance(folder, str):
        return ()
    templates = getattr(app.config, "blog_feed_templates", None)
    names = templates if isinstance(templates, Mapping) else ("atom",)
    paths = [f"{folder}/{name}.xml" for name in names]
    return tuple(base_url + quote_path(path) for path in paths if Path(app.outdir, path).is_file())


def copied_files(app: Sphinx) -> set[str]:
    """The paths of the author's files that Sphinx copies unchanged (``html_extra_path``)."""
    found: set[str] = set()
    for extra in app.config.html_extra_path:
        path = Path(app.confdir, extra)
        found |= {*_files_in(os.fspath(path))} if path.is_dir() else {path.name}
    return found


def recall(app: Sphinx, name: str) -> dict[str, object]:
    """The values that the last build stored under this name, in a JSON file; empty if it is missing or damaged."""
    try:
        known = json.loads(read_file(Path(app.doctreedir, name), LAST_BUILD))
    except (*ABSENT, PermissionError, RefusedError, ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def remember(app: Sphinx, name: str, values: Mapping[str, object]) -> None:
    """Store the values for the next build. If there are none, the file is removed."""
    content = json.dumps(values, sort_keys=True).encode() if values else None
    with suppress(WriteError):  # the next build works without it
        write([OutputFile(path=name, content=content)], app.doctreedir)


def changed(app: Sphinx, name: str, values: Mapping[str, object]) -> list[str]:
    """The documents whose values differ from the values stored under this name."""
    before = recall(app, name)
    names = (before.keys() | values.keys()) & app.env.found_docs
    return sorted(each for each in names if before.get(each) != values.get(each))


def remembered_files(app: Sphinx) -> tuple[str, ...]:
    """The paths of the files that our last build wrote into this output."""
    known = recall(app, _FILES).get(_output(app))
    return tuple(path for path in known if isinstance(path, str)) if isinstance(known, list) else ()


def remember_files(app: Sphinx, paths: Iterable[str]) -> None:
    """Store the paths for the next build, in this order; other outputs may share the doctrees."""
    remember(app, _FILES, recall(app, _FILES) | {_output(app): [*paths]})


def _output(app: Sphinx) -> str:
    try:
        return os.path.relpath(app.outdir, app.doctreedir)
    except ValueError:  # another drive of Windows has no relative path
        return os.fspath(app.outdir)
