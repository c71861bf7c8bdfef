"""Decides which version of each language is canonical and why, and finds the URL of its pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote, unquote

import msgspec

from sitemap_plugins.values.text import did_you_mean, join_words
from sitemap_plugins.values.urls import preview_at
from sitemap_plugins.versions.names import read_name
from sitemap_plugins.versions.tree import AliasKind, Version, VersionTree


class UnknownVersionError(ValueError):
    """The version to keep does not exist. The message suggests a similar name, or lists all names."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """The canonical version of a language, and the reason as a short phrase.

    ``base_url`` is the URL of the version according to its own pages, possibly the URL of an alias with content;
    ``folder`` is the folder with this URL. ``base_url`` is None if no page of any version gives a URL. ``others`` are
    other versions that are kept as well.
    """

    version: Version
    base_url: str | None
    folder: str
    reason: str
    others: tuple[Version, ...] = ()


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The kept version of each language, in the order of the tree, and warnings as sentences."""

    kept: tuple[Kept, ...]
    warnings: tuple[str, ...]

    def in_language(self, language: str | None) -> Kept:
        """The kept version of a language. Raises KeyError if the tree does not have the language."""
        return {each.version.language: each for each in self.kept}[language]


def choose_kept(tree: VersionTree, keep: Sequence[str] = ()) -> Choice:
    """Choose the canonical version of each language.

    It is the first version that ``keep`` names, by its name or an alias. Without one, these follow in order: the
    version that canonical links lead to, the preferred one in a list of versions, ``stable``, ``latest``, the newest
    release, the newest version. An alias of redirects counts as its target. Raises `UnknownVersionError`.
    """
    names = dict.fromkeys(name for version in tree.versions for name in version.names)
    for name in keep:
        if name not in names:
            raise UnknownVersionError(f"there is no version {name!r}{did_you_mean(name, names)}")
    chosen = [_choose(tree, language, keep) for language in tree.languages]
    warnings = [warning for kept in chosen for warning in _warnings(tree, kept, keep)]
    return Choice(kept=tuple(chosen), warnings=(*_missing_versions(tree), *warnings))


class _VersionFolder(msgspec.Struct, frozen=True):
    """The version whose pages a folder has, and the kind of alias that the folder is; None for its own folder."""

    version: Version
    kind: AliasKind | None


def _choose(tree: VersionTree, language: str | None, keep: Sequence[str]) -> Kept:
    versions = [*tree.in_language(language)]
    wanted = [version for name in keep for version in versions if name in version.names]
    version, reason = (wanted[0], "--keep") if wanted else _default(tree, versions)
    base_url, folder = address_of(tree, version)
    others = tuple(each for each in dict.fromkeys(wanted) if each != version)
    return Kept(version=version, base_url=base_url, folder=folder, reason=reason, others=others)


def _default(tree: VersionTree, versions: Sequence[Version]) -> tuple[Version, str]:
    if named := _named_by_canonicals(tree, versions):
        return named
    if preferred := next((version for version in versions if version.is_preferred), None):
        return preferred, "preferred in the list of versions"
    for name in ("stable", "latest"):
        if called := next((each for each in versions if name in map(str.lower, each.names)), None):
            return called, f"named {name}" if called.name.lower() == name else f"alias {name}"
    if release := next((version for version in versions if version.stage == "release"), None):
        return release, "newest release"
    return versions[0], "newest version, none is a release"


def _named_by_canonicals(tree: VersionTree, versions: Sequence[Version]) -> tuple[Version, str] | None:
    """The version that the canonical links of other versions lead to, or its own, by the URL of an alias."""
    places = _places(tree)
    folders = {version.folder: _folder_of(tree, version.declared_url) for version in versions}
    named = Counter(
        folder
        for own, folder in folders.items()
        if folder is not None
        and folder != own
        and folder in places
        and places[folder].version.language == versions[0].language
    )
    for folder, others in named.most_common():
        name = read_name(folder.rpartition("/")[2])
        # If at least half of the versions link to a number, that is intended; a few such links are leftovers.
        if name is None or name.number is None or others * 2 >= len(versions):
            count = sum(each == folder for each in folders.values())
            return places[folder].version, f"canonical links in {count} of {len(versions)} versions"
    return None


def _places(tree: VersionTree) -> Mapping[str, _VersionFolder]:
    """The folders of versions and of their aliases."""
    places = {version.folder: _VersionFolder(version, None) for version in tree.versions}
    for version in tree.versions:
        places |= {alias.folder: _VersionFolder(version, alias.kind) for alias in version.aliases}
    return places


def _folder_of(tree: VersionTree, url: str | None) -> str | None:
    """The folder below the root with this URL, which need not exist; None for a URL outside the root."""
    if url is None or tree.root_url is None or not url.startswith(tree.root_url):
        return None
    return unquote(url[len(tree.root_url) :]).rstrip("/")


def address_of(tree: VersionTree, version: Version) -> tuple[str | None, str]:
    """The URL of a version and the folder with this URL: from its pages if they are at that URL, or else its folder.

    The URL is None if no page of any version gives one.
    """
    folder = _folder_of(tree, version.declared_url)
    if folder is None:
        # The version has its own host. If several versions give the same URL, it is where their canonical links lead.
        url = version.declared_url
        if url is not None and sum(each.declared_url == url for each in tree.versions) == 1:
            return url, version.folder
    elif (place := _places(tree).get(folder)) and place.version == version and place.kind != "redirect":
        return version.declared_url, folder
    if tree.root_url is None:
        return None, version.folder
    return tree.root_url + quote(f"{version.folder}/" if version.folder else ""), version.folder


def _warnings(tree: VersionTree, kept: Kept, keep: Sequence[str]) -> Iterator[str]:
    version = kept.version
    if keep and kept.reason != "--keep":
        yield f"{version.language or 'ROOT'} has no version {join_words(keep, 'or')}, so {version.name} is kept there"
    releases = (each for each in tree.in_language(version.language) if each.number and each.stage == "release")
    newest = next(releases, version)
    if version.number and newest.number and version.number.is_before(newest.number):
        number = "" if version.written == version.name else f" ({version.written})"
        # If the canonical links of the newest version lead elsewhere, keeping it would not get its pages indexed.
        if newest.declared_url is not None and newest.declared_url == kept.base_url:
            alias = next((each.name for each in version.aliases if each.folder == kept.folder), None)
            with_mike = f" (with mike: mike alias --update-aliases {newest.name} {alias})" if alias else ""
            way_out = (
                f"the canonical links of {newest.name} also lead to {kept.base_url}: publish {newest.name} "
                f"there{with_mike}, or correct them"
            )
        elif newest in kept.others:
            way_out = f"put --keep {newest.name} first to make that the canonical one"
        else:
            way_out = f"--keep {newest.name} keeps that one"
        yield f"{version.name}{number} is kept, but {newest.name} is newer; {way_out}"
    if version.stage != "release":
        yield f"{version.name} is kept, but is a {version.stage} version"
    if kept.base_url and (service := preview_at(kept.base_url)):
        yield f"{kept.base_url} is kept, but is a preview on {service}"
    places = _places(tree)
    for each in (version, *kept.others):
        base_url = address_of(tree, each)[0]
        if each.declared_url and base_url != each.declared_url:
            place = places.get(_folder_of(tree, each.declared_url) or each.folder)
            if place and place.version != each:
                yield (
                    f"the pages of {each.name} have canonical links to {each.declared_url}, so search engines do not "
                    f"list them below {base_url}"
                )


def is_redirected(tree: VersionTree, version: Version) -> bool:
    """Whether the canonical links of a version lead to an alias that redirects, often back to the version."""
    place = _places(tree).get(_folder_of(tree, version.declared_url) or version.folder)
    return place is not None and place.kind == "redirect"


def _missing_versions(tree: VersionTree) -> Iterator[str]:
    """Warnings about canonical links that lead to no version."""
    places = _places(tree)
    nowhere: dict[str, list[str]] = {}
    for version in tree.versions:
        folder = _folder_of(tree, version.declared_url)
        if folder is not None and folder not in places:
            nowhere.setdefault(version.declared_url or "", []).append(version.name)
    for url, names in nowhere.items():
        shown = f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else names[0]
        yield f"the pages of {shown} have canonical links to {url}, where no version is published"
