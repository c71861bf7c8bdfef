"""Symbolic links: the links that a path leads through, and the file at its end."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Final

import msgspec

_MAX_LINKS: Final = 40  # links on the way, as in Linux; more of them lead in a loop


class Link(msgspec.Struct, frozen=True):
    """A link: its own path, and the requested path from there on, with earlier links resolved."""

    place: str
    asked: str


class Route(msgspec.Struct, frozen=True):
    """The links that a path leads through, including folders, and the file at its end."""

    links: tuple[Link, ...]
    file: str


def route_of(path: str, read_link: Callable[[str], str | None]) -> Route:
    """Where an absolute path leads; ``read_link`` returns the target of a link, and None for anything else."""
    drive, rest = os.path.splitdrive(path)
    top = here = drive + os.sep
    waiting = rest.split(os.sep)[::-1]
    links: list[Link] = []
    while waiting:
        step = waiting.pop()
        if step == os.pardir:
            here = os.path.dirname(here)
        elif step not in {"", os.curdir}:
            place = os.path.join(here, step)
            written = read_link(place) if len(links) < _MAX_LINKS else None
            if written is None:
                here = place
            else:
                links.append(Link(place, os.path.join(place, *reversed(waiting))))
                here = top if os.path.isabs(written) else here
                waiting += written.replace("/", os.sep).split(os.sep)[::-1]
    return Route(tuple(links), here)


def router() -> Callable[[str], Route]:
    """`route_of` for files on disk, made fast for files that are not links and share their folders."""
    read_link = cache(_read_link)
    route_of_folder = cache(lambda folder: route_of(folder, read_link))

    def route(path: str) -> Route:
        if os.name == "nt":  # git's links are not links there, and a path has many other forms
            return Route((), os.path.realpath(path))
        folder, name = os.path.split(path)
        known = route_of_folder(folder)
        if known.links or os.path.islink(path):
            return route_of(path, read_link)
        return Route((), os.path.join(known.file, name))

    return route


def _read_link(path: str) -> str | None:
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return None
