"""Takes the snapshots of a site that ``diff`` compares: of folders, revisions, records and sitemaps."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.folder.site_finding import no_pages
from sitemap_plugins.formats.sitemap_reading import SitemapError
from sitemap_plugins.git.branches import BranchError, export_revision
from sitemap_plugins.git.commits import commit_in_message
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.published.addresses import base_of_sitemap
from sitemap_plugins.published.folder_snapshot import snapshot_of_folder
from sitemap_plugins.published.redirects import SiteBase
from sitemap_plugins.published.site_url import NamedURL
from sitemap_plugins.published.sitemaps import read_listed
from sitemap_plugins.published.snapshot import FACTS, Snapshot, SnapshotPage, is_auxiliary, path_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.record.site_record import RecordError, read_record_snapshot, with_record
from sitemap_plugins.site.published_site import read_site
from sitemap_plugins.values.tasks import ExplainedError, Track
from sitemap_plugins.values.urls import root_of, usable_url

_RECORD: Final = ".json"
_SITEMAPS: Final = (".xml", ".txt")
_URL: Final = re.compile(r"https?://", re.IGNORECASE)


class SnapshotError(ExplainedError):
    """A snapshot cannot be taken; the message names it and says why."""


@contextmanager
def open_snapshot(
    name: str, track: Track, configuration: Configuration | None = None, base_url: str | None = None
) -> Iterator[Snapshot]:
    """Open the snapshot with this name: a folder, a file, or a revision such as ``gh-pages:1.9``.

    Its contents can be read until the context ends. ``configuration`` is that of the project that a folder is built
    from, if it is known. ``base_url`` is that of the other snapshot, because a sitemap does not name its own. Raises
    `SnapshotError`, and `ConfigurationError` for a folder without pages.
    """
    if os.path.isdir(name):
        yield _read_folder(name, name, track, configuration)
    elif os.path.isfile(name):
        yield _read_file(name, base_url)
    else:
        with TemporaryDirectory() as folder:
            try:
                message = export_revision(os.getcwd(), name, folder)
            except BranchError as error:
                raise SnapshotError(_explain_absence(name, error)) from None
            is_version = bool(name.partition(":")[2].strip("/"))
            site = _read_folder(folder, name, track, commit=commit_in_message(message))
            yield replace(site, is_version=is_version)


def name_inside(name: str, folder: str) -> str:
    """The name of the snapshot that is a folder in another one, such as ``gh-pages:1.9``."""
    is_whole = ":" not in name and not os.path.isdir(name)
    return f"{name}:{folder}" if is_whole else f"{name.rstrip('/')}/{folder}"


def _explain_absence(name: str, error: BranchError) -> str:
    """Why there is no snapshot with this name, and what to do; ``error`` says why it is not a revision."""
    if not name.strip():
        return "the name of a state is empty; if it comes from a variable, check that the variable is set"
    is_file = name.lower().removesuffix(".gz").endswith((_RECORD, *_SITEMAPS))
    if _URL.match(name):
        file = name if is_file else f"{name.rstrip('/')}/sitemap.xml"
        return (
            f"{name} is a URL, but diff fetches nothing; download the record or the sitemap of the site, and name "
            f"that file instead: curl --fail --remote-name {file}"
        )
    if is_file:
        return f"there is no file {name}"
    is_revision = ":" in name or not (name.endswith("/") or name.startswith((".", "~")))
    if os.path.isabs(name) or "\\" in name or not is_revision:  # git allows none of these in the name of a branch
        return f"there is no folder {name}; build the site first"
    if ":" in name:
        return f"{name} cannot be read: {error}"
    return f"there is no file or folder {name} (is the site built?), and it cannot be read as a branch: {error}"


def _read_folder(
    folder: str, name: str, track: Track, configuration: Configuration | None = None, commit: str | None = None
) -> Snapshot:
    folder = os.path.realpath(folder)
    project = configuration or Configuration(root=folder)
    default = NamedURL(SiteBase.of(None).base_url, "")
    site = read_site(folder, project, read_settings_of(project), default=default, track=track)
    if not site.pages:
        raise no_pages(name)
    snapshot = snapshot_of_folder(
        site.tree,
        site.base_url,
        name=name,
        urls=site.urls,
        reasons={path: verdict.key for path, verdict in site.verdicts.items()},
        sources=site.sources,
        repository=toplevel_of(project.root) or project.root,
        versions=site.versions.kinds,
    )
    snapshot = with_record(replace(snapshot, commit=commit), site.tree, site.base_url)
    # A site that has moved to another host may consist of redirects; an alias of mike leads to a version beside it.
    targets = (each.target for each in snapshot.redirects.values())
    if not snapshot.pages and (inside := next((each for each in targets if _is_on_the_host(each, snapshot)), None)):
        raise SnapshotError(
            f"{name} has no pages, only redirects, such as to {inside}; name the state that has the pages that they "
            "lead to"
        )
    return snapshot


def _is_on_the_host(target: str, site: Snapshot) -> bool:
    return "://" not in target or (site.base_url is not None and target.startswith(root_of(site.base_url)))


def _read_file(name: str, base_url: str | None) -> Snapshot:
    try:
        if name.lower().endswith(_RECORD):
            return read_record_snapshot(Path(name), name)
        if name.lower().removesuffix(".gz").endswith(_SITEMAPS):
            return read_sitemap_snapshot(Path(name), name, base_url)
    except (RecordError, SitemapError) as error:
        raise SnapshotError(str(error)) from None
    raise SnapshotError(f"{name} is neither a record (.json) nor a sitemap (.xml or .txt, also with .gz)")


def read_sitemap_snapshot(file: Path, name: str, base_url: str | None = None) -> Snapshot:
    """The snapshot of a sitemap (XML or text) or of all sitemaps in an index. Raises `SitemapError` and OSError.

    The base URL is ``base_url``, if all pages are below it, or else the result of `base_of_sitemap`.
    """
    locs = [loc for entry in read_listed(Tree(file.parent), file.name) if (loc := usable_url(entry.loc))]
    if not base_url or not all(loc.startswith(base_url) for loc in locs):
        base_url = base_of_sitemap(locs)
    paths = (path_of(base_url, loc) for loc in locs) if base_url else ()
    return Snapshot(
        name=name,
        base_url=base_url,
        pages={path: SnapshotPage(path=path) for path in paths if path is not None and not is_auxiliary(path)},
        unknown=frozenset(FACTS),
    )
