"""Takes a snapshot of a site from its sitemap, without the site itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.formats.text import read_text
from sitemap_plugins.published.sitemaps import read_listed
from sitemap_plugins.published.snapshot import FACTS, Snapshot, SnapshotPage, path_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import SITEMAP, read_file
from sitemap_plugins.values.urls import normalize_url, root_of


def read_sitemap_snapshot(file: Path, name: str, base_url: str | None = None) -> Snapshot:
    """The snapshot of a sitemap (XML or text) or of all sitemaps in an index. Raises `SitemapError` and OSError.

    The base URL is ``base_url``, if all pages are below it. Otherwise, it is the folder that has all pages of the most
    frequent host, if the sitemap lists the home page of that folder, or else the root of that host.
    """
    written = (
        _read_text(file)
        if file.name.lower().removesuffix(".gz").endswith(".txt")
        else [entry.loc for entry in read_listed(Tree(file.parent), file.name)]
    )
    locs = [*map(normalize_url, written)]
    if not base_url or not all(loc.startswith(base_url) for loc in locs):
        base_url = _base_of(locs)
    paths = (path_of(base_url, loc) for loc in locs) if base_url else ()
    return Snapshot(
        name=name,
        base_url=base_url,
        pages={path: SnapshotPage(path=path) for path in paths if path is not None},
        unknown=frozenset(FACTS),
    )


def _read_text(file: Path) -> list[str]:
    try:
        content = read_file(file, SITEMAP)
        entries = read_text(unpack(content, SITEMAP) if is_packed(content) else content, lambda _: None)
    except (GzipError, SitemapError) as error:
        raise SitemapError(f"{file} {error}") from None
    return [located.entry.loc for located in entries]


def _base_of(locs: Sequence[str]) -> str | None:
    hosts = Counter(map(root_of, locs))
    if not hosts:
        return None
    ((host, _),) = hosts.most_common(1)
    own = {loc for loc in locs if loc.startswith(host)}
    folders = (each.split("/")[:-1] for each in (min(own), max(own)))
    same = takewhile(lambda steps: steps[0] == steps[1], zip(*folders, strict=False))
    folder = "/".join(step for step, _ in same)
    return f"{folder}/" if not own.isdisjoint({f"{folder}/", f"{folder}/index.html"}) else host
