"""Finds the aliases of versions: links, copies, and folders of redirects."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress

from sitemap_plugins.output.pages import read_as_built
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.versions.finding import Complaints, Found
from sitemap_plugins.versions.names import read_name
from sitemap_plugins.versions.samples import target_of
from sitemap_plugins.versions.tree import Alias, AliasKind


def find_aliases(tree: Tree, found: Mapping[str, Found], complaints: Complaints) -> dict[str, tuple[Alias, ...]]:
    """The aliases of each version, by its folder. The published folders count more than a list of versions."""
    next_of = _copies(tree, found) | _links(found) | _redirects(found)
    aliases: dict[str, list[Alias]] = {folder: [] for folder in found if folder not in next_of}
    for folder, (_, kind) in next_of.items():
        way = [folder]
        while way[-1] in next_of and len(way) <= len(next_of):
            target, following = next_of[way[-1]]
            kind = "redirect" if following == "redirect" else kind  # noqa: PLW2901  # also for a link to redirects
            way.append(target)
        if way[-1] in aliases:
            aliases[way[-1]].append(Alias(folder=folder, kind=kind))
        else:
            complaints.add(f"{folder}/", f"leads to {way[1]}/ and from there in a loop")
    for folder in [folder for folder in aliases if found[folder].sample.leads_to is not None]:
        del aliases[folder]
        complaints.add(f"{folder}/", "only redirects, but not to a version here")
    return {folder: tuple(each) for folder, each in aliases.items()}


def _copies(tree: Tree, found: Mapping[str, Found]) -> dict[str, tuple[str, AliasKind]]:
    """Folders that a list calls aliases, and folders such as ``stable`` with the same pages as a numbered version."""
    copies: dict[str, tuple[str, AliasKind]] = {}
    numbered: defaultdict[tuple[str | None, bytes], list[str]] = defaultdict(list)
    for folder, each in found.items():
        if _has_number(each) and each.sample.pages:
            numbered[each.language, each.sample.digest].append(folder)
    for folder, each in found.items():
        if each.sample.leads_to is not None:
            continue
        alike = [] if _has_number(each) else numbered.get((each.language, each.sample.digest), [])
        if each.copy_of in found:
            copies[folder] = (str(each.copy_of), "copy")
        elif same := next((other for other in alike if _sizes(tree, found[other]) == _sizes(tree, each)), None):
            copies[folder] = (same, "copy")
    return copies


def _sizes(tree: Tree, found: Found) -> dict[str, int]:
    """The size in bytes of each page of a version, as it was built. Pages that cannot be read are left out."""
    sizes = {}
    for path in tree.pages(found.real_folder):
        with suppress(OSError):
            sizes[path.removeprefix(found.real_folder)] = len(read_as_built(tree.place(path), tree.root))
    return sizes


def _has_number(found: Found) -> bool:
    name = read_name(found.name)
    return name is not None and name.number is not None


def _links(found: Mapping[str, Found]) -> dict[str, tuple[str, AliasKind]]:
    """Folders that are links to the folder of a version, or to the same folder as another link."""
    same: defaultdict[str, list[str]] = defaultdict(list)
    for folder, each in found.items():
        same[each.real_folder].append(folder)
    # If the folder behind several links is not a version itself, the first link counts as the version.
    main = {real: real if real in folders else folders[0] for real, folders in same.items()}
    return {
        folder: (main[real], "symlink") for real, folders in same.items() for folder in folders if folder != main[real]
    }


def _redirects(found: Mapping[str, Found]) -> dict[str, tuple[str, AliasKind]]:
    """Folders that redirect to another one. Links to such a folder are skipped, as they reach the same redirects."""
    return {
        folder: (target, "redirect")
        for folder, each in found.items()
        if each.real_folder == folder
        and (target := target_of(each.sample.leads_to, found)) is not None
        and target != folder
    }
