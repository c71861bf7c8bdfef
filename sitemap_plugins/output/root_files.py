"""Reads the files of a published folder for crawlers and servers: robots.txt, ``_headers`` and ``_redirects``."""

from __future__ import annotations

import os
from pathlib import Path

from sitemap_plugins.formats.paths import HOST_FILES, ROBOTS
from sitemap_plugins.model import Note
from sitemap_plugins.reading import ABSENT, HOST_FILE, ROBOTS_TXT, RefusedError, read_file


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
