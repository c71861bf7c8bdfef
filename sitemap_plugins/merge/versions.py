"""Merges versions: joins the languages of those that are announced, and lists these in a sitemap at the root."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import msgspec

from sitemap_plugins.formats.paths import companions
from sitemap_plugins.formats.robots import read_announced
from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, MergedVersions, merge
from sitemap_plugins.merge.reading import MergeError, Published, count_listed, read_sitemaps
from sitemap_plugins.merge.root import BESIDE, FLAT, RootFiles, explain_omitted, merge_root, other_versions
from sitemap_plugins.model import Alternate, Omitted, OutputFile
from sitemap_plugins.options import Filename, XDefault
from sitemap_plugins.output.ownership import ForeignFiles, is_ours
from sitemap_plugins.output.root_files import read_host_files, read_robots
from sitemap_plugins.pages import REASONS
from sitemap_plugins.published.sitemaps import read_parts
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.progress import Track, untracked
from sitemap_plugins.values.text import and_more_pages
from sitemap_plugins.versions import (
    Goals,
    Pages,
    Place,
    Roles,
    Versions,
    VersionTree,
    choose_places,
    lists_versions,
    roles_of,
)


def merge_versions(
    tree: Tree,
    versions: Versions,
    languages: Sequence[LanguageFolder],
    x_default: XDefault | None,
    pattern: str,
    newest: int | None,
    *,
    with_removed: bool,
    before_retire: bool,
    track: Track = untracked,
) -> Merge:
    """Join the languages of the announced versions, and list these at the root. Raises `MergeError` and OSError.

    ``newest`` and ``with_removed`` are as in `choose_places`. With ``before_retire``, canonical links that ``retire``
    would correct are a remark, not a problem.
    """
    found, choice = versions
    root_url, places = _find_places(tree.root, versions, newest, with_removed=with_removed)
    names = found.folders - {""}
    published = _read_announced(tree, pattern, versions, places, track)
    merged = merge(published, languages or _language_folders(versions), x_default, may_be_one=True)
    goals_of = _goals_in(tree, versions)
    at_root, removals, problems = _list_at_root(tree, found, root_url, places, published, merged.links, goals_of)
    kept = [version for each in choice.kept for version in (each.version, *each.others)]
    misled = [*_misled(at_root.omitted, [place for place in places if place.version not in kept], goals_of)]
    remarks = [*_announced_elsewhere(tree.root, found, root_url, at_root.announced)]
    if not before_retire:
        problems += misled
    elif misled:
        remarks.append("pages whose canonical links --retire would correct are not yet counted as listed")
    return msgspec.structs.replace(
        merged,
        files=(*removals, *merged.files, *at_root.files),
        problems=(*found.problems, *merged.problems, *problems),
        versions=MergedVersions(
            versions=versions,
            root_url=root_url,
            places=tuple(places),
            at_root=at_root,
            remarks=tuple(remarks),
            others={
                version: count_listed(tree, version.real_folder, pattern, names)
                for version in track(other_versions(found, places), "reading the sitemaps of other versions")
            },
        ),
    )


def _find_places(root: str, versions: Versions, newest: int | None, *, with_removed: bool) -> tuple[str, list[Place]]:
    """The URL of the root, and the versions to announce there."""
    root_url = versions.tree.root_url
    if root_url is None:
        raise MergeError(versions.tree.unknown_url(root))
    places = choose_places(*versions, newest, with_removed=with_removed)
    if other := next((place for place in places if not place.base_url.startswith(root_url)), None):
        raise MergeError(
            f"{other.version.name} is published at {other.base_url}, which is not below {root_url}: a sitemap at the "
            "root of one host cannot list the pages of another; merge the folder of each host separately"
        )
    return root_url, places


def _read_announced(tree: Tree, pattern: str, versions: Versions, places: Sequence[Place], track: Track) -> Published:
    """The sitemaps of the announced versions."""
    canonical = [each.version for each in versions.choice.kept]
    # With mike's canonical_version, the sitemaps of all versions list the URLs of one.
    url_of = {place.folder: place.base_url for place in places if place.version not in canonical}
    folders = [place.folder for place in places]
    try:
        return read_sitemaps(tree, pattern, folders, versions.tree.folders - {""}, url_of, track)
    except MergeError as error:
        folder = Path(tree.root, folders[0])
        first = f"remove {folder / FLAT}, and " if (folder / FLAT).exists() else ""
        raise MergeError(
            f"{error}. Only the kept version needs a sitemap: {first}sitemap-plugins build {shlex.quote(str(folder))} "
            f"--base-url {places[0].base_url} writes one",
            error.problems,
        ) from None


def _language_folders(versions: Versions) -> list[LanguageFolder]:
    """The folders of the kept versions, if there are several languages."""
    return [
        LanguageFolder(folder=each.folder, code=each.version.language, known_by="folder", mapped=True)
        for each in versions.choice.kept
        if each.version.language and len(versions.tree.languages) > 1
    ]


def _list_at_root(
    tree: Tree,
    versions: VersionTree,
    root_url: str,
    places: Sequence[Place],
    published: Published,
    alternates: Mapping[str, tuple[Alternate, ...]],
    goals_of: Callable[[Place], Goals],
) -> tuple[RootFiles, list[OutputFile], list[str]]:
    """The files at the root, removals of earlier ones, and problems."""
    filename, beside = _root_sitemap(tree, versions)
    robots_txt, about_robots = read_robots(tree.root)
    host_files, about_host_files = read_host_files(tree.root)
    at_root = merge_root(
        root_url,
        places,
        published,
        alternates,
        filename=filename,
        leads_away=lambda place, page: goals_of(place).leads_away(place, page),
        beside=[root_url + name for name in beside],
        robots_txt=robots_txt,
        may_announce=not about_robots,
        host_files=host_files,
    )
    problems = [note.message for note in (*about_robots, *about_host_files)]
    if not any(at_root.listed.values()) and not beside:
        problems.append(f"every page is left out of the sitemap at the root{explain_omitted(at_root.omitted)}")
    return at_root, _removals(tree, filename, at_root.files), problems


def _announced_elsewhere(root: str, tree: VersionTree, root_url: str, announced: Sequence[str]) -> Iterator[str]:
    """A remark on each sitemap of one version that the author announces in robots.txt."""
    for url in read_announced(read_robots(root)[0] or b""):
        path = unquote(url.removeprefix(root_url))
        is_of_version = any(path.startswith(f"{folder}/") for folder in tree.folders if folder)
        if is_of_version and url.startswith(root_url) and url not in announced:
            yield f"robots.txt announces {url}, the sitemap of one version: remove that line"


def _goals_in(tree: Tree, versions: Versions) -> Callable[[Place], Goals]:
    """A function that returns where ``sitemap-plugins retire`` points the pages of a place's language."""

    @cache
    def roles_by_language() -> dict[str | None, Roles]:
        return {each.kept[0].place.version.language: each for each in roles_of(*versions)}

    @cache
    def goals_of(language: str | None) -> Goals:
        roles = roles_by_language()[language]
        folders = (each.place.folder for each in (*roles.kept, *roles.old))
        pages = {each: Pages(each, tree.pages(each, versions.tree.folders)) for each in folders}
        return Goals(roles, pages, tree.built_markup)

    return lambda place: goals_of(place.version.language)


def _misled(omitted: Iterable[Omitted], places: Iterable[Place], goals_of: Callable[[Place], Goals]) -> Iterator[str]:
    """Problems with pages that the canonical version lacks, but to which their canonical links lead."""
    place_of = {place.folder: place for place in places if place.folder}
    misled: list[Omitted] = []
    for each in omitted:
        folder = next((folder for folder in place_of if each.page.name.startswith(f"{folder}/")), None)
        if folder is not None and each.reason == REASONS["canonical"].wording:
            place = place_of[folder]
            goals = goals_of(place)
            if goals.is_missing(each.detail) and not goals.leads_away(place, place.below(each.page.name)):
                misled.append(each)
    if misled:
        yield (
            f"{misled[0].page.name} has a canonical link to {misled[0].detail:.200}, which does not exist, so it was "
            f"not listed{and_more_pages(len(misled) - 1)}: mike's canonical_version writes such links, and "
            "sitemap-plugins retire corrects them; run it, and then this command again"
        )


def _root_sitemap(tree: Tree, versions: VersionTree) -> tuple[Filename, list[Filename]]:
    """The name of the sitemap at the root, and the names of other sitemaps there to announce with it."""
    flat, beside = (Path(tree.root, name) for name in (FLAT, BESIDE))
    is_material = versions.root_site is not None and versions.root_site.is_material
    names = {name for folder in versions.folders for name in folder.split("/") if name}
    if not is_material and (not flat.exists() or lists_versions(tree, names)):
        return FLAT, []
    if beside.exists() and not is_ours(beside):
        raise MergeError(f"{flat} and {beside} already exist and were not written by this command: rename one")
    return BESIDE, [FLAT] if flat.exists() else []


def _removals(tree: Tree, sitemap: str, files: Sequence[OutputFile]) -> list[OutputFile]:
    """Removals of the parts of a sitemap that an earlier run wrote and this run does not."""
    if all(file.path != sitemap for file in files):
        return []  # the existing index stays and refers to them
    earlier = [each for part in read_parts(tree, sitemap) for each in (part, *companions(part))]
    return ForeignFiles(tree.root).removals(earlier, files)
