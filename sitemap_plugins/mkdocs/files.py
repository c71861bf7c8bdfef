"""The files of a MkDocs build besides its pages: files to list, feeds of other plugins, and sitemaps to keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

from sitemap_plugins.formats.paths import SERVER_FILES, page_ending
from sitemap_plugins.mkdocs.dates import docs_folder, source_of
from sitemap_plugins.mkdocs.pages import is_published
from sitemap_plugins.model import Note, OutputFile, Page
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Globs
from sitemap_plugins.output.ownership import is_ours, own_sitemap_note
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import SITEMAP, read_beginning, read_file
from sitemap_plugins.values.urls import quote_path

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files

_TEMPLATE = 1 << 20  # bytes of a template, more than are written by hand


def all_files(builds: Iterable[Files]) -> list[File]:
    """The files of all builds, including files that plugins added later; the last one if two have the same path."""
    return [*{file.dest_uri: file for files in builds for file in files}.values()]


def other_files(files: Iterable[File], wanted: Globs) -> list[File]:
    """The files that are copied as they are and match the option ``files``; globs match the path of the URL."""
    if not wanted.patterns:
        return []
    return [
        file
        for file in files
        if not file.is_documentation_page() and is_published(file)
        if file.dest_uri not in SERVER_FILES and wanted.matches(file.dest_uri)
    ]


def collect_files(files: list[File], config: MkDocsConfig, wanted: Globs, base_url: str) -> Iterator[Page]:
    """The other files of the build to list, dated by their sources, and then those that plugins wrote into the site."""
    for file in other_files(files, wanted):
        source = source_of(file, config)
        yield Page(
            loc=urljoin(base_url, file.url),
            name=file.src_uri,
            source=source,
            sources=(source,) if source else (),
            language=str(getattr(file, "locale", None) or ""),
            output=file.dest_uri,
        )
    if not wanted.patterns:
        return
    of_mkdocs = {"search", "sitemap.xml.gz", *config.theme.static_templates, *(file.dest_uri for file in files)}
    known, feeds = of_mkdocs | SERVER_FILES, other_feeds(config, base_url)
    for path in Tree(config.site_dir).files(without=known, skip_unlisted=True):
        loc = base_url + quote_path(path)
        if path not in known and page_ending(path) is None and loc not in feeds and wanted.matches(path):
            yield Page(loc=loc, name=path, output=path)


def other_feeds(config: MkDocsConfig, base_url: str) -> tuple[str, ...]:
    """The URLs of the feeds that mkdocs-rss-plugin wrote: feeds of updated pages first, then of new ones.

    The plugin may be there several times: ``rss``, ``rss #2`` and so on. Search engines do not read its JSON feeds.
    """
    plugins: list[Any] = [plugin for name, plugin in config.plugins.items() if name.partition(" ")[0] == "rss"]
    named = [getattr(plugin.config, "feeds_filenames", None) for plugin in plugins]
    found = [getattr(names, kind, None) for kind in ("rss_updated", "rss_created") for names in named]
    there = [name for name in found if isinstance(name, str) and Path(config.site_dir, name).is_file()]
    return tuple(base_url + quote(name) for name in dict.fromkeys(there))


def keep_last(site_dir: str, filenames: tuple[str, str]) -> tuple[list[OutputFile], Note]:
    """The sitemap of the last full build, and a note on why it is kept: a dirty build does not read all pages."""
    try:
        files = [_read(site_dir, name) for name in filenames]
    except OSError:  # if it cannot be read, it cannot be put back
        files = []
    are_ours = any(is_ours(Path(site_dir, file.path)) for file in files)
    kept = "the sitemap was left as it was" if are_ours else "MkDocs' own sitemap was kept: build the whole site once"
    return files if are_ours else [], Note(kind="dirty-build", message=f"only some pages were built, so {kept}")


def find_own(files: Files, config: MkDocsConfig, settings: Settings) -> tuple[list[OutputFile], Note] | None:
    """For a sitemap in docs_dir or the theme's custom_dir: the files to write, and a note on why ours is not."""
    name, packed = settings.filenames
    custom_dir = config.theme.custom_dir
    if own := next((file for file in files if file.dest_uri == name and is_published(file)), None):
        place = f"{Path(docs_folder(config)).name}/{own.src_uri}"
        kept: list[OutputFile] = []
        if name in config.theme.static_templates:
            # MkDocs copies the author's file, then overwrites it with its own sitemap and writes a .gz beside it.
            is_template = own.src_uri in config.extra_templates
            try:
                kept = [] if is_template else [OutputFile(path=name, content=_content(own))]
            except OSError as error:
                message = f"{place} was not read ({error.strerror}), so MkDocs' own sitemap was kept instead"
                return [], Note(kind="unread", message=message)
            kept.append(OutputFile(path=packed, content=None))
        return kept, own_sitemap_note(place, settings)
    if custom_dir and Path(custom_dir, name).is_file():
        is_copy = b"i18n_alternates" in read_beginning(Path(custom_dir, name), _TEMPLATE)
        what = (
            "your own file" + " (the template of static-i18n, which also links copies of untranslated pages)" * is_copy
        )
        return [], own_sitemap_note(f"{Path(custom_dir).name}/{name}", settings, what)
    return None


def _content(file: File) -> bytes:
    """The content that MkDocs copies, from disk or generated by a plugin."""
    return read_file(file.abs_src_path, SITEMAP) if file.abs_src_path else file.content_bytes


def _read(site_dir: str, name: str) -> OutputFile:
    try:
        return OutputFile(path=name, content=read_file(Path(site_dir, name), SITEMAP, inside=site_dir))
    except FileNotFoundError:
        return OutputFile(path=name, content=None)


def theme_reads_sitemap(config: MkDocsConfig) -> bool:
    """Whether the theme is Material or based on it: its script looks up the URLs of links in the sitemap."""
    return any(Path(folder).parts[-2:] == ("material", "templates") for folder in config.theme.dirs)
