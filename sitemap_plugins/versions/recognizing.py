"""Recognizes the versions in a published folder, their aliases, the site beside them, and the URL of the root."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import filterfalse, islice
from pathlib import Path
from shlex import quote
from typing import Final, TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.formats.paths import CNAME, SPHINX_OPTIONS
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.output.pages import read_as_built
from sitemap_plugins.published.addresses import file_at
from sitemap_plugins.published.samples import is_build, is_generated, read_sample, redirect_of, target_of
from sitemap_plugins.published.site_url import domain_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import PAGE
from sitemap_plugins.values.languages import agree, code_of
from sitemap_plugins.values.text import count_of, join_first
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.values.version_names import (
    Number,
    Stage,
    alias_in_url,
    least_stable,
    number_at,
    read_name,
    read_title,
)
from sitemap_plugins.versions.finding import MIKE, FoundFolder, Search
from sitemap_plugins.versions.version import Alias, AliasKind, RootSite, Version, Versions

_SPHINX_VERSION: Final = re.compile(rb"\bVERSION: *['\"]([^'\"\n]{1,100})['\"]")
_LEFT_OUT: Final = 10  # sites that are no versions, to name one by one
_DEPTH: Final = 2  # folders below the root in which a site that is no version is looked for
_NEWEST: Final = 5  # versions of a language whose URLs count
_PREFIX_DEPTH: Final = 3  # folders in mike's deploy_prefix
_LIKELY: Final = 50  # sites that are no versions, to compare with each other
_FEW: Final = 10  # pages that show no likeness
_FEW_NUMBERED: Final = 3  # the same for folders with numbers, whose names are a sign as well
_SHARE_NUMBERED: Final = 0.5
_GROUPS: Final = 3  # of such folders, to name
_SHARE: Final = 0.8  # of the pages of the smaller of two versions; sections of a site share up to 0.71

_Pages: TypeAlias = tuple[frozenset[str], str]
"""The paths of the pages in a folder, without generated ones, and their language, empty if unknown."""


def recognize(
    tree: Tree,
    pattern: str | None = None,
    base_url: str | None = None,
    releases: Sequence[str] = (),
    keep: Collection[str] = (),
) -> Versions:
    """The versions in a tree: from lists of versions, and folders with a site and the name of a version.

    With a ``pattern`` such as ``{lang}/{version}``, they are the folders that match it, whatever their names, see
    `parse_pattern`. Folders joined by links are one version. A folder that redirects to a version is its alias.
    ``base_url`` is the URL of the root, encoded and with a slash at its end, if the author gives it.
    ``releases`` are the names of releases, newest first, which are newer than all others. Previews are no versions,
    except those that ``keep`` names.

    Raises `PatternError`, and OSError if the root cannot be listed. Other problems are returned as sentences.
    """
    search = Search(tree)
    if pattern is not None:
        search.follow(pattern)
    else:
        search.look_in("")
        search.look_in_languages()
        search.read_switcher()
    previews = search.leave_previews(keep)
    left_out = [*_left_out(tree, search)]
    likely = [] if pattern is not None else [*_likely(tree, left_out, search.found)]
    about = [f"{count_of(len(previews), 'preview')}, such as {each}" for each in previews[:1]]
    if not search.found:
        # An unusable list does not matter to a site without versions.
        notes = (*search.problems, *search.dangers, *search.notes)
        numbered = () if likely or pattern is not None else _numbered(tree, previews)
        left = (*likely, *numbered, *(f"left out: {each}" for each in about))
        return Versions(notes=notes, left_out=left, previews=previews)
    root_site = _root_site(tree, search)
    if root_site and root_site.leads_to is None and (known_by := _why_root_is_known(tree, search, root_site)):
        search.add_root(known_by)
    aliases = _find_aliases(tree, search)
    versions = [_version(tree, search.found, folder, names, releases) for folder, names in aliases.items()]
    versions.sort(key=_age, reverse=True)
    versions.sort(key=lambda version: version.language or "")
    inferred = _infer_root_url(search, root_site, versions)
    doubt = _doubt_root_url(inferred, tree, search.found.values()) if inferred and not base_url else ""
    root_url = base_url or (None if doubt else inferred)
    if base_url:
        versions = [_moved(version, inferred, base_url) for version in versions]
    return Versions(
        versions=tuple(versions),
        root_site=root_site,
        root_url=root_url,
        doubt=f"the pages have URLs below {inferred}, which {doubt}" if doubt else "",
        problems=tuple(search.problems),
        dangers=(*search.dangers, *_about_releases(versions, releases)),
        notes=(*search.notes, *_about_site_url(tree, search.found.values(), root_url)),
        left_out=(*_describe_left_out(tree, left_out, is_by_name=pattern is None), *likely, *about),
        previews=previews,
    )


def _moved(version: Version, inferred: str | None, base_url: str) -> Version:
    """The version with its URLs below the URL that the author gives, whatever its pages say."""

    def moved(url: str | None) -> str | None:
        if url and inferred and url.startswith(inferred) and not url.startswith(base_url):
            url = base_url + url[len(inferred) :]
        return url if url and url.startswith(base_url) else None

    return msgspec.structs.replace(version, declared_url=moved(version.declared_url), links_to=moved(version.links_to))


def _left_out(tree: Tree, search: Search) -> Iterator[str]:
    """The folders that look like a site, but are neither a version or a preview nor in one."""
    known = {*search.found, *(each.real_folder for each in search.found.values()), *search.previews}
    above = {folder[:end] for folder in known for end, char in enumerate(folder) if char == "/"}
    waiting = [""]
    for folder in waiting:
        names: list[str] = []
        with suppress(OSError):  # such as lost+found; a version in it would have been refused
            names = tree.folders(folder)
        for path in (path_in(folder, name) for name in names):
            if path in known or tree.real_folder(path) != path:
                continue
            if path not in above and is_build(tree, path):
                yield path
            elif path.count("/") < _DEPTH - 1:
                waiting.append(path)


def _describe_left_out(tree: Tree, paths: Sequence[str], *, is_by_name: bool) -> Iterator[str]:
    hint = "; see --layout" if is_by_name else ""
    for path in paths[:_LEFT_OUT]:
        number = 0
        with suppress(OSError):  # the folder is none of the versions, so the rest of it does not matter
            for _ in tree.pages(path):
                number += 1
        sitemap = ", a sitemap of its own" if tree.is_file(f"{path}/sitemap.xml") else ""
        yield f"{path}/ ({count_of(number, 'page')}{sitemap}): no version{hint}"
    if more := len(paths[_LEFT_OUT:]):
        yield f"{count_of(more, 'more folder')} with a site, such as {paths[-1]}/"


def _likely(tree: Tree, left_out: Sequence[str], found: Mapping[str, FoundFolder]) -> Iterator[str]:
    """A sentence on each group of sites beside each other that have most of their pages in common, as versions do.

    Languages do as well, so likeness alone makes no version.
    """
    sites: dict[str, _Pages] = {}
    for folder in (*left_out[:_LIKELY], *found) if left_out else ():
        if code_of(folder.rpartition("/")[2], only_known=True) or tree.real_folder(folder) != folder:
            continue
        with suppress(OSError):  # as above
            paths = filterfalse(is_generated, (path[len(folder) + 1 :] for path in tree.pages(folder)))
            sample = found[folder].sample if folder in found else read_sample(tree, folder)
            sites[folder] = frozenset(paths), sample.language
    for parent, group in _alike(sites, _FEW, _SHARE):
        if not group.keys() <= found.keys():
            yield f"{_suggest(parent, group)}, and --releases for the names of releases"


def _numbered(tree: Tree, previews: Collection[str]) -> Iterator[str]:
    """A sentence on the largest groups of folders with numbers beside each other, in a site without known versions."""
    is_number = cache(lambda name: (found := read_name(name)) is not None and found.number is not None)
    pages: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    with suppress(OSError):  # as above
        for path in tree.pages("", previews):
            *steps, _ = path.split("/")
            # What has a number inside a version is an API, or is published in each version.
            if (at := next((at for at, step in enumerate(steps) if is_number(step)), None)) is None:
                continue
            below = path.split("/", at + 1)[-1]
            # Each year of a blog may have the same months, and further pages of its list.
            is_list = bool(steps[at + 1 :]) and all(is_number(step) or step == "page" for step in steps[at + 1 :])
            if not is_list and not is_generated(below):
                pages["/".join(steps[:at])]["/".join(steps[: at + 1])].add(below)
    sites: dict[str, _Pages] = {
        folder: (frozenset(paths), "")
        for folders in pages.values()
        for folder, paths in islice(folders.items(), _LIKELY)
    }
    groups = [*_alike(sites, _FEW_NUMBERED, _SHARE_NUMBERED)]
    groups.sort(key=lambda each: sum(len(paths) for paths, _ in each[1].values()), reverse=True)
    yield from (_suggest(parent, group) for parent, group in groups[:_GROUPS])
    if more := groups[_GROUPS:]:
        yield f"{count_of(len(more), 'more group')} of such folders, as in {more[0][0] or '.'}/"


def _suggest(parent: str, folders: Iterable[str]) -> str:
    layout = path_in(parent, "{version}")
    return (
        f"{join_first([f'{folder}/' for folder in folders], _LEFT_OUT, 'folder')} share most of their pages: if they "
        f"are versions, use --layout '{layout}'"
    )


def _alike(sites: Mapping[str, _Pages], few: int, share: float) -> Iterator[tuple[str, dict[str, _Pages]]]:
    """The groups of folders beside each other of which each two are alike, with the folder that they are in.

    The smaller of the two has at least ``few`` pages and this ``share`` of them in common with the other, in the same
    language.
    """

    def are_alike(one: _Pages, other: _Pages) -> bool:
        smaller = min(len(one[0]), len(other[0]))
        return smaller >= few and len(one[0] & other[0]) >= share * smaller and agree(one[1], other[1])

    groups: defaultdict[str, list[dict[str, _Pages]]] = defaultdict(list)
    for folder, here in sites.items():
        beside = groups[folder.rpartition("/")[0]]
        joined = (group for group in beside if all(are_alike(here, each) for each in group.values()))
        if (group := next(joined, None)) is None:
            beside.append(group := {})
        group[folder] = here
    return ((parent, group) for parent, several in groups.items() for group in several if len(group) > 1)


def _age(version: Version) -> tuple[int, Number | tuple[()], str]:
    """The sort key: greater for a newer version. An unreleased one with no number in its name (``main``) is newest."""
    name = read_name(version.name)
    if version.stage != "release" and not (name and name.number):
        return 2, version.number or (), version.folder
    return (0 if version.number else 1), version.number or (), version.folder


def _version(
    tree: Tree, found: Mapping[str, FoundFolder], folder: str, aliases: tuple[Alias, ...], releases: Sequence[str]
) -> Version:
    """The version in a folder, with the title, preference and signs that its aliases add."""
    own = found[folder]
    together = [own, *(found[alias.folder] for alias in aliases)]
    full_title = next((each.title for each in together if each.title), "")
    name = read_name(own.name)
    written, title = read_title(full_title) or ("", None)
    number = name.number if name else None
    stages: list[Stage] = [each.stage for each in (name, title) if each] or ["development"]
    if number:
        other = title.number if title else None
        is_other = other and (other.is_before(number) or number.is_before(other))  # not just more or fewer parts
        written = written if is_other else own.name
    elif title and title.number:
        number = title.number
    elif (written := _sphinx_version(tree, folder)) and (pages := read_name(written)):
        number = pages.number
        stages.append(pages.stage)
    # If there is a stable version, Read the Docs and others use "latest" for the development version.
    if own.name.lower().lstrip("~") == "latest" and number is None:
        beside = (each.name.lower() for each in found.values() if each.language == own.language)
        stages += ["development"] if "stable" in beside else []
    names = {own.name, *(alias.name for alias in aliases)}
    if (place := next((at for at, release in enumerate(releases) if release in names), None)) is not None:
        stages, number, written = ["release"], number_at(place), own.name
    return Version(
        folder=folder,
        name=own.name,
        stage=least_stable(stages),
        real_folder=own.real_folder,
        language=own.language,
        title=full_title,
        is_preferred=any(each.is_preferred for each in together),
        aliases=aliases,
        number=number,
        written=written if number else "",
        known_by=(*dict.fromkeys(word for each in together for word in each.known_by),),
        declared_url=own.sample.url,
        links_to=own.sample.links_to,
    )


def _about_releases(versions: Sequence[Version], releases: Sequence[str]) -> Iterator[str]:
    """A danger if releases with numbers are not listed, which makes them older than all that are."""
    oldest = next((each for each in versions if releases and releases[-1] in each.names), None)
    listed = {name for each in versions if not set(releases).isdisjoint(each.names) for name in each.names}
    numbers = {each.name: each.number for each in versions if each.number and each.stage == "release"}
    others = sorted(numbers.keys() - listed, key=lambda name: (numbers[name], name), reverse=True)
    own = read_name(oldest.name) if oldest else None
    if others and oldest and not (own and own.number and own.number > numbers[others[0]]):
        names = quote(",".join((*others, *releases)))
        yield (
            f"{releases[-1]} counts as newer than {others[0]}; if not, list all in the right order: --releases {names}"
        )


def _sphinx_version(tree: Tree, folder: str) -> str:
    """The version that Sphinx writes for the scripts of its pages; empty if there is none."""
    content = tree.try_to_read(path_in(folder, SPHINX_OPTIONS), PAGE)
    found = _SPHINX_VERSION.search(content or b"")
    return found[1].decode(errors="replace") if found else ""


def _root_site(tree: Tree, search: Search) -> RootSite | None:
    """The site at the root itself, if the root has a home page or files that a build writes."""
    home = tree.try_to_read("index.html", PAGE)
    if home is None and not is_build(tree, ""):
        return None
    sample = search.root_sample()
    markup = read_markup(home or b"")
    return RootSite(
        leads_to=target_of(redirect_of("", "index.html", markup), search.found),
        is_material=any("mkdocs-material" in each or "zensical" in each for each in markup.generators),
        declared_url=sample.url,
    )


def _why_root_is_known(tree: Tree, search: Search, root_site: RootSite) -> str:
    """What shows that the site at the root is itself a version; empty if there is none.

    It is a version if a link leads there, or if most pages of versions with canonical links to it exist there.
    """
    if any(not found.real_folder for found in search.found.values()):
        return "link"
    samples = [found.sample for found in search.found.values() if found.sample.url == root_site.declared_url]
    pages = [page for sample in samples for page in sample.pages if page != "index.html"]
    there = sum(map(tree.is_file, pages)) if root_site.declared_url else 0
    return "canonical links" if there * 2 > len(pages) else ""


def _find_aliases(tree: Tree, search: Search) -> dict[str, tuple[Alias, ...]]:
    """The aliases of each version, by its folder. The published folders count more than a list of versions."""
    found = search.found
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
            search.problems.leave(f"{folder}/", f"leads to {way[1]}/ and from there in a loop")
    for folder in [folder for folder in aliases if found[folder].sample.leads_to is not None]:
        del aliases[folder]
        search.problems.leave(f"{folder}/", "only redirects, but not to a version here")
    return {folder: tuple(each) for folder, each in aliases.items()}


def _copies(tree: Tree, found: Mapping[str, FoundFolder]) -> dict[str, tuple[str, AliasKind]]:
    """Folders that a list calls aliases, and folders such as ``stable`` with the same pages as a numbered version."""
    copies: dict[str, tuple[str, AliasKind]] = {}
    numbered: defaultdict[tuple[str | None, bytes], list[str]] = defaultdict(list)
    names = {folder: read_name(each.name) for folder, each in found.items()}
    numbers = {folder: name.number for folder, name in names.items() if name and name.number}
    for folder in sorted(numbers, key=lambda folder: numbers[folder], reverse=True):  # a copy is of the newest
        if found[folder].sample.pages:
            numbered[found[folder].language, found[folder].sample.digest].append(folder)
    for folder, each in found.items():
        if each.sample.leads_to is not None:
            continue
        alike = [] if folder in numbers else numbered.get((each.language, each.sample.digest), [])
        if each.copy_of in found:
            copies[folder] = (str(each.copy_of), "copy")
        elif same := next((other for other in alike if _sizes(tree, found[other]) == _sizes(tree, each)), None):
            copies[folder] = (same, "copy")
    return copies


def _sizes(tree: Tree, found: FoundFolder) -> dict[str, int]:
    """The size in bytes of each page of a version, as it was built. Pages that cannot be read are left out."""
    sizes = {}
    for path in tree.pages(found.real_folder):
        with suppress(OSError):
            sizes[path.removeprefix(found.real_folder)] = len(read_as_built(tree.place(path), tree.root))
    return sizes


def _links(found: Mapping[str, FoundFolder]) -> dict[str, tuple[str, AliasKind]]:
    """Folders that are links to the folder of a version, or to the same folder as another link."""
    main: dict[str, str] = {}
    for folder, each in found.items():
        # If the folder behind several links is not a version itself, the first link counts as the version.
        main.setdefault(each.real_folder, each.real_folder if each.real_folder in found else folder)
    targets = ((folder, main[each.real_folder]) for folder, each in found.items())
    return {folder: (target, "symlink") for folder, target in targets if target != folder}


def _redirects(found: Mapping[str, FoundFolder]) -> dict[str, tuple[str, AliasKind]]:
    """Folders that redirect to another one. Links to such a folder are skipped, as they reach the same redirects."""
    return {
        folder: (target, "redirect")
        for folder, each in found.items()
        if each.real_folder == folder
        and (target := target_of(each.sample.leads_to, found)) is not None
        and target != folder
    }


def _infer_root_url(search: Search, root_site: RootSite | None, versions: Sequence[Version]) -> str | None:
    """The URL of the root for most new versions: their URL, without the folders of the version and those above it.

    Old versions do not count: sites move, and old pages keep their former URLs. If no page gives a URL, a list of
    versions may.
    """
    names = {found.name for found in search.found.values()}
    urls: Counter[str] = Counter()
    if root_site and root_site.declared_url:
        urls[root_site.declared_url] += 1
    for version in _newest(versions):
        found = search.found[version.folder]
        url = found.sample.url or ""
        if f"/{found.folder}/" == unquote(urlsplit(url).path)[-len(found.folder) - 2 :]:
            urls["/".join(url.split("/")[: -2 - found.folder.count("/")]) + "/"] += 1
            continue
        steps = url.rstrip("/").split("/")
        if len(steps) > 3 and (unquote(steps[-1]) in names or read_name(unquote(steps[-1]))):
            steps.pop()
            for folder in reversed(found.folder.split("/")[:-1]):
                above = unquote(steps[-1])
                if len(steps) > 3 and (above == folder or (found.language and above in search.languages)):
                    steps.pop()
        urls["/".join((*steps, ""))] += 1
    return max(urls, key=lambda url: (urls[url], -len(url)), default=None) or search.listed_root


def _doubt_root_url(url: str, tree: Tree, found: Collection[FoundFolder]) -> str:
    """Why this cannot be the URL of the root, as the end of a sentence about it; empty if it can be."""
    parts = urlsplit(url)
    steps = parts.path.strip("/").split("/")
    if "//" in parts.path:
        return "has an empty folder in it (//)"
    host = domain_of(tree).removeprefix("www.")
    if host and parts.netloc.removeprefix("www.") != host:
        return f"is not on {host}, the host in {CNAME}"
    name = unquote(steps[-1])
    if name and any(name in each.folder.split("/") for each in found):
        # A site can have such a URL, but more often its pages were built with the URL of one version.
        canonicals = [each for version in found for each in version.sample.canonicals]
        leading = sum(file_at(each, url, tree.is_file) is not None for each in canonicals)
        if host or leading * 2 < len(canonicals):
            return f"ends with the name of the folder {name}/, which is below ROOT"
    return ""


def _newest(versions: Sequence[Version]) -> Iterator[Version]:
    """The newest versions of each language, up to a limit, whose pages give a URL."""
    for language in dict.fromkeys(version.language for version in versions):
        with_url = (version for version in versions if version.language == language and version.declared_url)
        yield from islice(with_url, _NEWEST)


def _about_site_url(tree: Tree, found: Collection[FoundFolder], root_url: str | None) -> Iterator[str]:
    """Notes on ``site_url``, to which mike adds the version, but not its prefix: an alias at its end, or no prefix."""
    if root_url is None or not any(MIKE in each.known_by for each in found):
        return
    if alias := alias_in_url(root_url, {each.name for each in found}):
        yield alias
    path = Path(os.path.realpath(tree.root))
    # mike puts this file at the root of the branch.
    above = [path, *path.parents][: _PREFIX_DEPTH + 1]
    top = next((folder for folder in above if (folder / ".nojekyll").is_file()), path)
    prefix = path.relative_to(top).as_posix()
    if top != path and not unquote(urlsplit(root_url).path).endswith(f"/{prefix}/"):
        yield (
            f"the pages have URLs below {root_url}, but lie in {prefix}/: if that is mike's deploy_prefix, add it to "
            "site_url, because mike does not"
        )
