"""Decides which versions are canonical and why, and which are announced: at which URLs, and from which folders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from sitemap_plugins.published.samples import ERROR_PAGE, is_generated
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import did_you_mean, join_first, join_words
from sitemap_plugins.values.urls import path_in, preview_at, quote_path
from sitemap_plugins.values.version_names import read_name
from sitemap_plugins.versions.recognizing import recognize
from sitemap_plugins.versions.version import Version, Versions


class NoVersionsError(ExplainedError):
    """A folder has no versions. The message says what to do; ``likely`` are sentences on folders that may be some.

    ``previews`` are the folders of previews, which are none.
    """

    def __init__(self, root: str, layout: str | None, likely: Sequence[str] = (), previews: Sequence[str] = ()) -> None:
        advice = "or set --layout" if layout is None else f"or correct --layout {layout!r}, which no folder matches"
        advice = "; ".join((advice, *likely))
        super().__init__(f"no versions were found below {root}: run the command on the folder above them, {advice}")
        self.likely = likely
        self.previews = previews


class NotToBeKeptError(ExplainedError):
    """What would be kept is only a preview, or a version that is not the one to show. The message says what to do."""


class UnknownVersionError(ExplainedError):
    """A version that the author names does not exist. The message suggests a similar name, or lists all names."""

    option = "--keep or --releases"


class RedirectedError(ExplainedError):
    """The pages of a kept version name an alias that redirects as their URL. The message says what to do."""

    def __init__(self, version: Version) -> None:
        super().__init__(
            f"the pages of {version.label} have canonical links to {version.declared_url}, which redirects, so that "
            "search engines may list neither: with mike, use alias_type symlink or copy, or remove canonical_version, "
            f"and deploy {version.name} again"
        )


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

    @property
    def versions(self) -> tuple[Version, ...]:
        """All kept versions, the canonical one first."""
        return (self.version, *self.others)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Recognized versions, the kept one of each of their languages, in the same order, and warnings as sentences."""

    versions: Versions
    kept: tuple[Kept, ...]
    warnings: tuple[str, ...]

    def in_language(self, language: str | None) -> Kept:
        """The kept version of a language. Raises KeyError if no version is in the language."""
        return {each.version.language: each for each in self.kept}[language]


def read_versions(
    tree: Tree,
    layout: str | None = None,
    keep: Sequence[str] = (),
    base_url: str | None = None,
    *,
    releases: Sequence[str] = (),
    retires: bool = False,
) -> Choice:
    """The versions in a tree, see `recognize` and `choose_kept`.

    Raises `NoVersionsError`, `NotToBeKeptError`, `PatternError`, `UnknownVersionError`, `RedirectedError` and OSError.
    """
    versions = recognize(tree, layout, base_url, releases, keep)
    if not versions.versions:
        if versions.previews and not any(tree.pages("", versions.previews)):
            name = versions.previews[0].rpartition("/")[2]
            raise NotToBeKeptError(
                f"{tree.root} has only previews, such as {versions.previews[0]}, which search engines should not show: "
                f"publish the site itself there, or keep one with --keep {name}"
            )
        raise NoVersionsError(tree.root, layout, versions.left_out, versions.previews)
    _refuse_unknown(versions, releases)
    choice = choose_kept(versions, keep, retires=retires)
    if beside := next((kept.version for kept in choice.kept if is_covered_by_root(tree, versions, kept)), None):
        raise NotToBeKeptError(
            f"the site at the root has most pages of {beside.label}, and no version is a release, so search engines "
            f"should show the root, and there is nothing to merge or retire: give {beside.folder}/ a noindex if it has "
            f"none, or keep it with --keep {beside.name}"
        )
    for version in (each for kept in choice.kept for each in kept.versions):
        # An alias that redirects often leads back to the version.
        _, kind = versions.by_folder.get(versions.folder_at(version.declared_url) or version.folder, (version, None))
        if kind == "redirect":
            raise RedirectedError(version)
    return choice


def is_covered_by_root(tree: Tree, versions: Versions, kept: Kept) -> bool:
    """Whether the site at the root is to be shown instead of this version, which the author did not choose.

    No version is a release, and at least half of the pages of this one are also at the root, without the home page and
    what all sites have. A home page that redirects is no site.
    """
    is_release = any(each.stage == "release" for each in versions.versions)
    if is_release or kept.reason == "--keep" or not kept.folder:
        return False
    home = tree.built_markup("index.html")
    folder = kept.version.real_folder
    below = (path[len(folder) + 1 :] for path in tree.pages(folder, versions.folders))
    pages = [path for path in below if path not in {"index.html", ERROR_PAGE} and not is_generated(path)]
    there = sum(map(tree.is_file, pages))
    return home is not None and not home.refresh and bool(pages) and there * 2 >= len(pages)


def choose_kept(versions: Versions, keep: Sequence[str] = (), *, retires: bool = False) -> Choice:
    """Choose the canonical version of each language.

    It is the first version that ``keep`` names, by its name or an alias. Without one, these follow in order: the
    version that canonical links lead to, the preferred one in a list of versions, ``stable``, ``latest``, the newest
    release, the newest version. An alias of redirects counts as its target.

    If the caller ``retires`` the others, their canonical links are no danger. Raises `UnknownVersionError`.
    """
    _refuse_unknown(versions, keep)
    chosen = tuple(_choose(versions, language, keep) for language in versions.languages)
    warnings = (each for kept in chosen for each in (*_warnings(versions, kept, keep), *_about_home(versions, kept)))
    staying = [each for kept in chosen for each in kept.versions] if retires else versions.versions
    return Choice(versions=versions, kept=chosen, warnings=(*_missing_versions(versions, staying), *warnings))


def _refuse_unknown(versions: Versions, named: Sequence[str]) -> None:
    """Raise `UnknownVersionError` for a name that neither a version nor an alias has."""
    names = dict.fromkeys(name for version in versions.versions for name in version.names)
    for name in named:
        if name not in names:
            raise UnknownVersionError(f"there is no version {name!r}{did_you_mean(name, names)}")


def _choose(versions: Versions, language: str | None, keep: Sequence[str]) -> Kept:
    inside = [*versions.in_language(language)]
    wanted = [version for name in keep for version in inside if name in version.names]
    version, reason = (wanted[0], "--keep") if wanted else _default(versions, inside)
    base_url, folder = address_of(versions, version)
    others = tuple(each for each in dict.fromkeys(wanted) if each != version)
    return Kept(version=version, base_url=base_url, folder=folder, reason=reason, others=others)


def _default(versions: Versions, inside: Sequence[Version]) -> tuple[Version, str]:
    if named := _named_by_canonicals(versions, inside):
        return named
    if preferred := next((version for version in inside if version.is_preferred), None):
        return preferred, "preferred in the list of versions"
    for name in ("stable", "latest"):
        if called := next((each for each in inside if name in map(str.lower, each.names)), None):
            return called, f"named {name}" if called.name.lower() == name else f"alias {name}"
    if release := next((version for version in inside if version.stage == "release"), None):
        return release, "newest release"
    return inside[0], "newest version, none is a release"


def _named_by_canonicals(versions: Versions, inside: Sequence[Version]) -> tuple[Version, str] | None:
    """The version that the canonical links of other versions lead to, or its own, by the URL of an alias."""
    known = versions.by_folder
    folders = {version.folder: versions.folder_at(version.declared_url) for version in inside}
    named = Counter(
        folder
        for own, folder in folders.items()
        if folder is not None and folder != own and folder in known and known[folder][0].language == inside[0].language
    )
    for folder, others in named.most_common():
        name = read_name(folder.rpartition("/")[2])
        # If at least half of the versions link to a number, that is intended; a few such links are leftovers.
        if name is None or name.number is None or others * 2 >= len(inside):
            count = sum(each == folder for each in folders.values())
            return known[folder][0], f"canonical links in {count} of {len(inside)} versions"
    return None


def address_of(versions: Versions, version: Version) -> tuple[str | None, str]:
    """The URL of a version and the folder with this URL: from its pages if they are at that URL, or else its folder.

    The URL is None if no page of any version gives one.
    """
    folder = versions.folder_at(version.declared_url)
    if folder is None:
        # The version has its own host. If several versions give the same URL, it is where their canonical links lead.
        url = version.declared_url
        if url is not None and sum(each.declared_url == url for each in versions.versions) == 1:
            return url, version.folder
    else:
        there, kind = versions.by_folder.get(folder, (None, None))
        if there == version and kind != "redirect":
            return version.declared_url, folder
    if versions.root_url is None:
        return None, version.folder
    return versions.root_url + quote_path(path_in(version.folder, "")), version.folder


def _warnings(versions: Versions, kept: Kept, keep: Sequence[str]) -> Iterator[str]:
    version = kept.version
    if keep and kept.reason != "--keep":
        yield f"{version.language or 'ROOT'} has no version {join_words(keep, 'or')}, so {version.name} is kept there"
    releases = (each for each in versions.in_language(version.language) if each.number and each.stage == "release")
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
        yield f"{version.label}{number} is kept, but {newest.name} is newer; {way_out}"
    if version.stage != "release":
        yield f"{version.label} is kept, but is a {version.stage} version"
    if kept.base_url and (service := preview_at(kept.base_url)):
        yield f"{kept.base_url} is kept, but is a preview on {service}"
    for each in kept.versions:
        base_url = address_of(versions, each)[0]
        if each.links_to and each.declared_url and base_url != each.declared_url:
            there, _ = versions.by_folder.get(versions.folder_at(each.declared_url) or each.folder, (each, None))
            if there != each:
                yield (
                    f"the pages of {each.label} have canonical links to {each.declared_url}, so search engines do not "
                    f"list them below {base_url}"
                )


def _about_home(versions: Versions, kept: Kept) -> Iterator[str]:
    """A warning if the home page at the root redirects to a version in the same language that is not kept."""
    leads_to = versions.root_site.leads_to if versions.root_site else None
    start, _ = versions.by_folder.get(leads_to or kept.folder, (kept.version, None))
    if start.language == kept.version.language and start not in kept.versions:
        yield (
            f"the home page at ROOT redirects to {leads_to}/, which search engines should not show: let it redirect to "
            f"{kept.folder}/ (with mike: mike set-default {kept.folder})"
        )


def _missing_versions(versions: Versions, staying: Iterable[Version]) -> Iterator[str]:
    """Warnings about canonical links of these versions that lead to no version."""
    known = versions.by_folder
    nowhere: dict[str, list[str]] = {}
    for version in staying:
        folder = versions.folder_at(version.links_to)
        if folder is not None and folder not in known:
            nowhere.setdefault(version.links_to or "", []).append(version.label)
    for url, names in nowhere.items():
        yield f"the pages of {join_first(names, 1)} have canonical links to {url}, where no version is published"


class VersionPlace(msgspec.Struct, frozen=True):
    """A version with the URL of its pages, empty if unknown, and the folder they are read from, relative to the root.

    With ``only_removed``, only the pages that no newer release has are listed.
    """

    version: Version
    base_url: str
    folder: str
    only_removed: bool = False

    def below(self, path: str) -> str:
        """The path, relative to the folder, of a file in it."""
        return path[len(self.folder) + 1 :] if self.folder else path

    def holds(self, folder: str) -> bool:
        """Whether a folder, relative to the root, is the folder of this place or in it."""
        return f"{folder}/".startswith(path_in(self.folder, ""))


def place_of(versions: Versions, version: Version, *, only_removed: bool = False) -> VersionPlace:
    """The place of a version. The pages at the URL of a symbolic link are read from the folder that it leads to."""
    base_url, folder = address_of(versions, version)
    is_copy = any(alias.folder == folder and alias.kind == "copy" for alias in version.aliases)
    return VersionPlace(version, base_url or "", folder if is_copy else version.real_folder, only_removed)


def choose_places(choice: Choice, newest: int | None = 0, *, with_removed: bool = False) -> list[VersionPlace]:
    """The versions to announce, the kept ones first.

    ``newest`` is the number of newest releases of each language to announce, the kept version included, or None for all
    versions. ``with_removed`` adds the other releases, for the pages that none of these has. Versions with an unknown
    URL are left out.
    """
    places = {kept.version: place_of(choice.versions, kept.version) for kept in choice.kept}
    for kept in choice.kept:
        inside = [*choice.versions.in_language(kept.version.language)]
        releases = [each for each in inside if each.stage == "release"]
        wanted = inside if newest is None else releases[:newest]
        # Pages that only another kept version has are listed there, whatever its stage.
        removed = (*kept.others, *releases) if with_removed else ()
        for version in (*wanted, *removed):
            only_removed = version not in wanted
            places.setdefault(version, place_of(choice.versions, version, only_removed=only_removed))
    return sorted((each for each in places.values() if each.base_url), key=lambda each: each.only_removed)
