"""Entries into sitemaps: one flat file for each host, in an order that does not depend on the tool that built them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from itertools import chain, count
from operator import attrgetter
from typing import Final

from sitemap_plugins.model import Candidate, Entry, Note, Site, Sitemap
from sitemap_plugins.settings import Settings
from sitemap_plugins.urls import encode_url, is_inside

URL_LIMIT: Final = 50_000
"""The most URLs one sitemap may hold (sitemaps.org protocol; SM-LIM-01)."""

_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9.]+")


def group(site: Site, listed: Iterable[Candidate], settings: Settings) -> tuple[tuple[Sitemap, ...], list[Note]]:
    """The sitemaps for what is listed, sorted by URL. None when there is nothing to list (SM-XML-10), or too much.

    Pages that have a base URL of their own are in a file of their own (SM-LOC-04), in the folder that they share. The
    site's own file comes first.
    """
    bases: dict[str, list[Candidate]] = {site.base_url: []}
    for candidate in listed:
        bases.setdefault(candidate.page.base_url or site.base_url, []).append(candidate)
    sitemaps: list[Sitemap] = []
    for base_url, candidates in bases.items():
        path = (
            settings.filename
            if base_url == site.base_url
            else _path_elsewhere(base_url, candidates, settings, sitemaps)
        )
        entries = tuple(sorted((candidate.entry for candidate in candidates), key=attrgetter("loc")))
        if len(entries) > URL_LIMIT:
            return (), [_too_many(entries)]
        if entries:
            sitemaps.append(Sitemap(path=path, entries=entries, url=encode_url(base_url + path)))
    return tuple(sitemaps), []


def _too_many(entries: tuple[Entry, ...]) -> Note:
    message = (
        f"there are {len(entries):,} pages, and one sitemap may list {URL_LIMIT:,}; "
        "no sitemap was written: leave pages out with the option exclude"
    )
    return Note(kind="limit", message=message)


def _path_elsewhere(
    base_url: str, candidates: Iterable[Candidate], settings: Settings, others: Iterable[Sitemap]
) -> str:
    """Where the sitemap of another host stands: in the folder of its pages (SM-LOC-05), else beside the site's own.

    Of several folders inside one another the outermost counts, so that another page does not move the file.
    """
    folders = {candidate.path.partition("/")[0] if "/" in candidate.path else "" for candidate in candidates}
    folder = folders.pop() if len(folders) == 1 else ""
    taken = {settings.filename, *(each.path for each in others)}
    path = f"{folder}/{settings.filename}"
    if folder and is_inside(path) and path not in taken:
        return path
    stem, suffix = posixpath.splitext(settings.filename)
    name = _UNUSUAL.sub("-", base_url.partition("://")[2]).strip("-")
    names = (f"{stem}-{name}{number}{suffix}" for number in chain([""], (f"-{each}" for each in count(2))))
    return next(each for each in names if each not in taken)
