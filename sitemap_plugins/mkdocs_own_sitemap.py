"""The sitemaps that are to stay as they are in a MkDocs build: the author's own, and that of the last whole build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_plugins.mkdocs_pages import is_published
from sitemap_plugins.model import Note
from sitemap_plugins.output import OutputFile
from sitemap_plugins.own_files import is_ours

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files


def keep_last(site_dir: str, filenames: tuple[str, str]) -> tuple[list[OutputFile], Note]:
    """The sitemap of the last whole build, and why it is kept: a dirty one reads too few pages to write another."""
    files = [_read(site_dir, name) for name in filenames]
    if any(is_ours(Path(site_dir, file.path)) for file in files):
        message = "only some pages were built, so the sitemap was left as it was"
        return files, Note(kind="dirty-build", message=message)
    message = "only some pages were built, so MkDocs' own sitemap is there: build the whole site once"
    return [], Note(kind="dirty-build", message=message)


def find_own(files: Files, config: MkDocsConfig, filenames: tuple[str, str]) -> tuple[list[OutputFile], Note] | None:
    """A sitemap among the documents or in the theme's custom_dir: the files to be there, and why ours is not."""
    name, packed = filenames
    custom_dir = config.theme.custom_dir
    if own := next((file for file in files if file.dest_uri == name and is_published(file)), None):
        kept: list[OutputFile] = []
        if name in config.theme.static_templates:
            # MkDocs copies the author's file, and then writes a sitemap of its own over it and a .gz beside it.
            is_template = own.src_uri in config.extra_templates
            kept = [] if is_template else [OutputFile(path=name, content=own.content_bytes)]
            kept.append(OutputFile(path=packed, content=None))
        return kept, _own(f"{Path(config.docs_dir).name}/{own.src_uri}")
    if custom_dir and Path(custom_dir, name).is_file():
        template = Path(custom_dir, name).read_text("utf-8", errors="replace")
        is_copy = "i18n_alternates" in template
        what = " (the template of static-i18n, which knows no better than to link copies as translations)" * is_copy
        return [], _own(f"{Path(custom_dir).name}/{name}", what)
    return None


def _own(name: str, what: str = "") -> Note:
    message = f"{name} is your own{what}, so none was written: remove it, or set the option filename"
    return Note(kind="own-sitemap", message=message)


def _read(site_dir: str, name: str) -> OutputFile:
    path = Path(site_dir, name)
    return OutputFile(path=name, content=path.read_bytes() if path.is_file() else None)
