"""Reads pages and the files for crawlers and servers from the output, and writes links into the heads of pages."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from sitemap_plugins.formats.paths import HOST_FILES, ROBOTS, page_ending
from sitemap_plugins.html.head_links import OwnLinksError, insert_links, remove_links
from sitemap_plugins.model import Alternate, FeedLink, Note, OutputFile
from sitemap_plugins.output.writing import WriteError, would_change, write
from sitemap_plugins.reading import ABSENT, HOST_FILE, PAGE, ROBOTS_TXT, RefusedError, read_file
from sitemap_plugins.values.text import join_first
from sitemap_plugins.values.urls import is_inside

_BATCH: Final = 4 << 20  # bytes of pages in memory at a time, exceeded only by the last page


def read_output(
    path: str | os.PathLike[str], directory: str | os.PathLike[str] | None, most: int | None = None
) -> tuple[bytes | None, str]:
    """The content of a page in the output folder, or None and the reason it was not read: empty if there is no page.

    The links that the option ``head_links`` wrote in an earlier build are removed. The reason is for `Page.unread`.
    ``directory`` is None if the path has no link, and ``most`` the number of bytes from which the content is made.
    """
    try:
        return remove_links(read_file(path, PAGE, inside=directory, most=most)), ""
    except ABSENT:
        return None, ""
    except OSError as error:
        return None, error.strerror or str(error)


def read_as_built(path: str | os.PathLike[str], directory: str | os.PathLike[str]) -> bytes:
    """The content of a page in the output folder, as it was before it was retired. Raises OSError."""
    from sitemap_plugins.html.head_editing import restore

    return restore(read_file(path, PAGE, inside=directory))


def write_head_links(
    alternates: Mapping[str, tuple[Alternate, ...]],
    directory: Path,
    feeds: Collection[FeedLink] = (),
    *,
    ending: str | None = None,
    dry_run: bool = False,
) -> tuple[list[str], list[Note]]:
    """Write links to translations and feeds into the heads of pages, a few pages at a time.

    ``alternates`` has all files that may have links; only pages get links to feeds. ``ending`` is that of pages by
    Sphinx, as in `page_ending`. A ``dry_run`` writes nothing. Returns the paths of the pages that changed, or would
    change, and notes.
    """
    own: list[str] = []
    changed: list[str] = []
    notes: list[Note] = []
    files: list[OutputFile] = []
    size = 0

    def finish_batch() -> None:
        try:
            changed.extend(would_change(files, directory) if dry_run else write(files, directory))
        except WriteError as error:
            notes.append(Note(kind="unwritable", message=str(error)))

    for path in sorted(alternates):
        if not is_inside(path):
            message = f"{path} has a name that some systems do not allow, so no links were added there"
            notes.append(Note(kind="unwritable", message=message))
            continue
        linked = () if page_ending(path, ending) is None else feeds
        try:
            page = read_file(directory / path, PAGE, inside=directory)
        except OSError as error:
            notes.append(Note(kind="unwritable", message=f"{path} could not be read: {error.strerror or error}"))
            continue
        try:
            content = insert_links(page, alternates[path], linked)
        except OwnLinksError:
            own.append(path)
            content = insert_links(page, (), linked)
        files.append(OutputFile(path=path, content=content))
        size += len(content)
        if size > _BATCH:
            finish_batch()
            files, size = [], 0
    finish_batch()
    if own:
        have = "have" if own[1:] else "has"
        message = f"head_links: {join_first(own, 1, 'page')} {have} hreflang links already, so none were added there"
        notes.append(Note(kind="head-links", message=message))
    return changed, notes


def read_robots(directory: str | os.PathLike[str]) -> tuple[bytes | None, list[Note]]:
    """The robots.txt in the output, None if there is none, and a note if it cannot be read."""
    try:
        return read_file(Path(directory, ROBOTS), ROBOTS_TXT, inside=directory), []
    except FileNotFoundError:
        return None, []
    except (IsADirectoryError, PermissionError, RefusedError) as error:
        message = f"robots.txt could not be read, so it was left alone: {error.strerror or error}"
        return None, [Note(kind="unwritable", message=message)]


def read_host_files(directory: str | os.PathLike[str]) -> tuple[dict[str, bytes], list[Note]]:
    """The files in the output that set headers and redirects of hosting services, and notes on unreadable ones."""
    found: dict[str, bytes] = {}
    notes = []
    for name in HOST_FILES:
        try:
            found[name] = read_file(Path(directory, name), HOST_FILE, inside=directory)
        except ABSENT:
            continue
        except OSError as error:
            message = f"{name} was not read ({error.strerror}), so pages that it keeps from crawlers may be listed"
            notes.append(Note(kind="unread", message=message))
    return found, notes
