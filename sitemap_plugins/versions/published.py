"""Reads a published folder back: the sitemaps in it, and the page behind each of their URLs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.enrich.page_markup import read_markup
from sitemap_plugins.formats.sitemap_reading import SitemapError, is_index, read_sitemap
from sitemap_plugins.model import Entry, Markup

PATTERN: Final = "sitemap*.xml"
"""The files that are taken for sitemaps."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedSitemap:
    """One sitemap file: its path below the root, its bytes, its entries, and those of the ``.gz`` beside it.

    ``base_url`` is the URL of the folder that it stands in, as its own URLs and the files behind them have it.
    """

    path: str
    content: bytes
    packed: bytes | None
    entries: tuple[Entry, ...]
    base_url: str

    @property
    def folder(self) -> str:
        """The folder it stands in, relative to the root; empty for the root itself."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedPage:
    """The file behind a URL: its path below the root, and what its head says."""

    path: str
    markup: Markup


@dataclass(frozen=True, kw_only=True, slots=True)
class Published:
    """A published folder. ``pages`` are by their URL; a URL without a file behind it is not among them.

    ``problems`` are sentences on sitemaps that could not be used.
    """

    sitemaps: tuple[PublishedSitemap, ...]
    pages: Mapping[str, PublishedPage]
    problems: tuple[str, ...]


def read_published(root: Path, pattern: str = PATTERN) -> Published:
    """Read the sitemaps below ``root`` and the heads of the pages that they list.

    Links to folders are not followed: what is published under two names is one build. Nothing is raised for what
    somebody else wrote; OSError only for a root that cannot be listed.
    """
    sitemaps: list[PublishedSitemap] = []
    pages: dict[str, PublishedPage] = {}
    problems: list[str] = []
    for path in find_sitemaps(root, pattern):
        try:
            content = (root / path).read_bytes()
            if is_index(content):
                continue
            entries = read_sitemap(content)
        except SitemapError as error:
            problems.append(f"{path} {error}")
            continue
        except OSError as error:
            problems.append(f"{path} cannot be read: {error.strerror or error}")
            continue
        folder = root / PurePosixPath(path).parent
        base_url = find_base_url(folder, [entry.loc for entry in entries])
        if base_url is None:
            problems.append(
                f"{path}: there is no file behind any of its {len(entries)} URLs, so it was left alone; "
                "is this the folder that is published?"
            )
            continue
        for entry in entries:
            if entry.loc not in pages and (file := file_behind(folder, entry.loc, base_url)):
                markup = _read_markup(file)
                if markup is not None:
                    pages[entry.loc] = PublishedPage(path=file.relative_to(root).as_posix(), markup=markup)
        packed = root / f"{path}.gz"
        sitemaps.append(
            PublishedSitemap(
                path=path,
                content=content,
                packed=packed.read_bytes() if packed.is_file() else None,
                entries=entries,
                base_url=base_url,
            )
        )
    return Published(sitemaps=tuple(sitemaps), pages=pages, problems=tuple(problems))


def find_sitemaps(root: Path, pattern: str = PATTERN) -> Iterator[str]:
    """The paths of the files with such a name, relative to ``root``, in order; hidden folders are passed over."""
    for folder, names, files in os.walk(root, onerror=_raise):
        names[:] = sorted(name for name in names if not name.startswith("."))
        here = Path(folder).relative_to(root)
        yield from ((here / name).as_posix() for name in sorted(files) if fnmatchcase(name, pattern))


def _raise(error: OSError) -> None:
    if error.filename is None or not Path(error.filename).is_dir():
        raise error


def find_base_url(folder: Path, locs: Sequence[str]) -> str | None:
    """The URL of a folder: so much of the URLs in its sitemap that the rest leads to files in it, for most of them.

    None when that is so for none. The URLs of a sitemap have one host; those of another one are passed over.
    """
    if not locs:
        return None
    try:
        first = urlsplit(locs[0])
    except ValueError:
        return None
    origin = f"{first.scheme}://{first.netloc}"
    steps = first.path.split("/")[1:]
    bases = [origin + "/" + "".join(f"{step}/" for step in steps[:number]) for number in range(len(steps))]
    counts = [sum(file_behind(folder, loc, base) is not None for loc in locs) for base in bases]
    best = max(counts, default=0)
    return bases[counts.index(best)] if best else None


def file_behind(folder: Path, loc: str, base_url: str) -> Path | None:
    """The file that a server sends for a URL below ``base_url``, which is that of ``folder``; None if there is none."""
    if not loc.startswith(base_url):
        return None
    below = unquote(loc[len(base_url) :].partition("?")[0].partition("#")[0])
    parts = PurePosixPath(below).parts
    if "\0" in below or "\\" in below or ".." in parts or below.startswith("/"):
        return None
    path = folder.joinpath(*parts)
    if not below or below.endswith("/"):
        candidates = [path / "index.html"]
    else:
        # Many servers leave out .html and the slash behind a folder.
        candidates = [path, path.with_name(f"{path.name}.html"), path / "index.html"]
    return next((each for each in candidates if each.is_file()), None)


def _read_markup(file: Path) -> Markup | None:
    try:
        return read_markup(file.read_bytes().decode(errors="replace"))
    except OSError:
        return None
