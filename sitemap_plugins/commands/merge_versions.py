"""Versions in ``sitemap-plugins merge``: lists them in a sitemap at the root and describes the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import click

from sitemap_plugins.commands.merge_languages import Outcome, describe_languages, refuse
from sitemap_plugins.commands.versions import describe_versions
from sitemap_plugins.options import Filename, XDefault
from sitemap_plugins.values.text import and_more_pages

if TYPE_CHECKING:
    from sitemap_plugins.merge import LanguageFolder, RootFiles
    from sitemap_plugins.model import Omitted, OutputFile
    from sitemap_plugins.versions import Goals, Place, Roles, Version, Versions, VersionTree


def merge_versions(
    root: str,
    versions: Versions,
    languages: Sequence[LanguageFolder],
    x_default: XDefault | None,
    pattern: str,
    newest: int | None,
    *,
    with_removed: bool,
) -> Outcome:
    """Join the languages of the announced versions, and list these at the root. Raises `click.ClickException`."""
    from sitemap_plugins.built import count_listed, read_published
    from sitemap_plugins.merge import LanguageFolder, merge, merge_root, other_versions
    from sitemap_plugins.output.root_files import read_host_files, read_robots

    tree, choice = versions
    path = Path(root)
    root_url, places = _find_places(root, versions, newest, with_removed=with_removed)
    names = tree.folders - {""}
    canonical = [each.version for each in choice.kept]
    # With mike's canonical_version, the sitemaps of all versions list the URLs of one.
    url_of = {place.folder: place.base_url for place in places if place.version not in canonical}
    published = read_published(path, pattern, [place.folder for place in places], names, url_of)
    if not published.sitemaps:
        refuse(root, pattern, published.problems)
    if not languages and len(tree.languages) > 1:
        languages = [
            LanguageFolder(folder=each.folder, code=each.version.language, known_by="folder", mapped=True)
            for each in choice.kept
            if each.version.language
        ]
    merged = merge(published, languages, x_default, may_be_one=True)
    filename, beside = _root_sitemap(path, tree)
    robots_txt, about_robots = read_robots(path)
    host_files, about_host_files = read_host_files(path)
    problems = [note.message for note in (*about_robots, *about_host_files)]
    goals_of = _goals_in(path, versions)
    at_root = merge_root(
        root_url,
        places,
        published,
        merged.links,
        filename=filename,
        leads_away=lambda place, page: goals_of(place).leads_away(place, page),
        beside=[root_url + name for name in beside],
        robots_txt=robots_txt,
        may_announce=not about_robots,
        host_files=host_files,
    )
    if not any(at_root.listed.values()) and not beside:
        problems.append(f"every page is left out of the sitemap at the root{_because(at_root.omitted)}")
    kept = [*canonical, *chain.from_iterable(each.others for each in choice.kept)]
    problems += _misled(at_root.omitted, [place for place in places if place.version not in kept], goals_of)
    # A single language is not worth a table: it may even be a version, such as "stable".
    about_languages = describe_languages(merged) if len(merged.languages) > 1 else []
    others = {
        version: count_listed(path, version.real_folder, pattern, names - {version.real_folder})
        for version in other_versions(tree, places)
    }
    return Outcome(
        files=(*_removals(path / filename, at_root.files), *merged.files, *at_root.files),
        lines=(*describe_versions(versions), *about_languages, *_describe_root(root_url, places, at_root, others)),
        problems=(*tree.problems, *merged.problems, *problems),
    )


def _find_places(root: str, versions: Versions, newest: int | None, *, with_removed: bool) -> tuple[str, list[Place]]:
    """The URL of the root, and the versions to announce there."""
    from sitemap_plugins.versions import choose_places

    root_url = versions.tree.root_url
    if root_url is None:
        raise click.ClickException(
            f"no page or sitemap contains the URL of {root}: build the versions with one (site_url, html_baseurl)"
        )
    places = choose_places(*versions, newest, with_removed=with_removed)
    if other := next((place for place in places if not place.base_url.startswith(root_url)), None):
        raise click.ClickException(
            f"{other.version.name} is published at {other.base_url}, which is not below {root_url}: a sitemap at the "
            "root of one host cannot list the pages of another; merge the folder of each host separately"
        )
    return root_url, places


def _goals_in(root: Path, versions: Versions) -> Callable[[Place], Goals]:
    """A function that returns where ``sitemap-plugins retire`` points the pages of a place's language."""
    from sitemap_plugins.versions import Goals, VersionFiles, roles_of

    files = VersionFiles(root, versions.tree.folders)

    @cache
    def roles_by_language() -> dict[str | None, Roles]:
        return {each.kept[0].place.version.language: each for each in roles_of(*versions)}

    @cache
    def goals_of(language: str | None) -> Goals:
        roles = roles_by_language()[language]
        folders = [each.place.folder for each in (*roles.kept, *roles.old)]
        return Goals(roles, {each: frozenset(files.pages(each)) for each in folders}, files.markup)

    return lambda place: goals_of(place.version.language)


def _misled(omitted: Iterable[Omitted], places: Iterable[Place], goals_of: Callable[[Place], Goals]) -> Iterator[str]:
    """Problems with pages that the canonical version lacks, but to which their canonical links lead."""
    from sitemap_plugins.pages import REASONS

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
            f"{misled[0].page.name} has a canonical link to {misled[0].detail}, which does not exist, so it was not "
            f"listed{and_more_pages(len(misled) - 1)}: mike's canonical_version writes such links, and "
            "sitemap-plugins retire corrects them; run it, and then this command again"
        )


def _describe_root(
    root_url: str, places: Iterable[Place], at_root: RootFiles, others: Mapping[Version, tuple[int, int]]
) -> Iterator[str]:
    """Lines on what is listed at the root and what is not. Each version is called as in its URLs (``stable``)."""
    for place in places:
        if place.folder:
            removed = " that no newer version has" if place.only_removed else ""
            number = at_root.listed.get(place.folder, 0)
            name = unquote(place.base_url.removeprefix(root_url)).rstrip("/") or place.folder
            yield f"{name}: {number:,} page{'s' * (number != 1)}{removed} listed at the root"
    for version, (listed, absent) in others.items():
        missing = f", {absent} of which do not exist" if absent else ""
        pages = f"{listed:,} page{'s' * (listed != 1)}"
        yield f"{version.folder or '.'}: {pages} in its own sitemap{missing}; not announced"
    if at_root.omitted:
        yield f"left out: {len(at_root.omitted)}{_because(at_root.omitted)}"
    if at_root.absent:
        yield f"listed by the versions but missing: {sum(at_root.absent.values())}"
    yield from (f"note: {note.message}" for note in at_root.notes)


def _root_sitemap(root: Path, tree: VersionTree) -> tuple[Filename, list[Filename]]:
    """The name of the sitemap at the root, and the names of other sitemaps there to announce with it."""
    from sitemap_plugins.merge import BESIDE, FLAT
    from sitemap_plugins.output.ownership import is_ours
    from sitemap_plugins.versions import lists_versions

    is_material = tree.root_site is not None and tree.root_site.is_material
    if not is_material and (
        not (root / FLAT).exists()
        or lists_versions(root, {name for folder in tree.folders for name in folder.split("/") if name})
    ):
        return FLAT, []
    if (root / BESIDE).exists() and not is_ours(root / BESIDE):
        raise click.ClickException(
            f"{root / FLAT} and {root / BESIDE} already exist and were not written by this command: rename one"
        )
    return BESIDE, [FLAT] if (root / FLAT).exists() else []


def _removals(sitemap: Path, files: Sequence[OutputFile]) -> list[OutputFile]:
    """Removals of the parts of a sitemap that an earlier run wrote and this run does not."""
    from sitemap_plugins.built import read_parts
    from sitemap_plugins.formats.paths import companions
    from sitemap_plugins.output.ownership import ForeignFiles

    if all(file.path != sitemap.name for file in files):
        return []  # the existing index stays and refers to them
    earlier = [each for part in read_parts(sitemap) for each in (part.name, *companions(part.name))]
    return ForeignFiles(sitemap.parent).removals(earlier, files)


def _because(omitted: Sequence[Omitted]) -> str:
    """Why pages were left out: how many for each reason, and the first page as an example."""
    if not omitted:
        return ""
    reasons = Counter(each.reason for each in omitted)
    counts = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
    first = omitted[0]
    detail = f" ({first.detail})" if first.detail else ""
    return f" ({counts}), such as {first.page.name}: {first.reason}{detail}"
