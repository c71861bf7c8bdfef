"""What a MkDocs build publishes besides its pages: the files that are to be listed, and feeds of other plugins."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_plugins.enrich.page_markup import read_markup
from sitemap_plugins.mkdocs_pages import is_published
from sitemap_plugins.model import Markup, Page
from sitemap_plugins.option_types import Globs
from sitemap_plugins.own_files import FOR_MACHINES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files


_KINDS = (".atom", ".gz", ".json", ".rss", ".txt", ".xml")


def all_files(builds: Iterable[Files]) -> list[File]:
    """The files of all builds, with those that plugins have added since, and of two at one place the last."""
    return [*{file.dest_uri: file for files in builds for file in files}.values()]


def copied_files(files: Iterable[File]) -> set[str]:
    """The paths of the author's files that are published and could have the names of ours."""
    return {file.dest_uri for file in files if file.dest_uri.endswith(_KINDS) and is_published(file)}


def other_files(files: Iterable[File], wanted: Globs) -> list[File]:
    """The files that are copied as they are and match the option ``files``; globs see the path of the URL."""
    if not wanted.patterns:
        return []
    return [
        file
        for file in files
        if not file.is_documentation_page() and is_published(file)
        if file.dest_uri not in FOR_MACHINES and wanted.matches(file.dest_uri)
    ]


def collect_files(files: list[File], config: MkDocsConfig, locate: Callable[[str], str]) -> Iterator[Page]:
    """Each of these files as a page of its own, dated by its source; ``locate`` gives it its URL."""
    docs_dir = config.docs_dir.rstrip(os.sep) + os.sep
    for file in files:
        source = file.abs_src_path or ""
        is_source = file.generated_by is None and source.startswith(docs_dir)
        yield Page(
            loc=locate(file.url),
            name=file.src_uri,
            source=source if is_source else None,
            sources=(source,) if is_source else (),
            markup=_markup(Path(file.abs_dest_path)),
            language=str(getattr(file, "locale", None) or ""),
            output=file.dest_uri,
        )


def _markup(path: Path) -> Markup | None:
    """What a page that is copied as it is says to crawlers."""
    if path.suffix not in {".htm", ".html"} or not path.is_file():
        return None
    return read_markup(path.read_text("utf-8", errors="replace"))


def other_feeds(config: MkDocsConfig, base_url: str) -> tuple[str, ...]:
    """The addresses of the feeds that mkdocs-rss-plugin has written, those of what has changed before the others."""
    plugin: Any = config.plugins.get("rss")
    names = getattr(getattr(plugin, "config", None), "feeds_filenames", None)
    found = (getattr(names, kind, None) for kind in ("rss_updated", "rss_created"))
    there = [name for name in found if isinstance(name, str) and Path(config.site_dir, name).is_file()]
    return tuple(base_url + name for name in there[:1])
