"""Recognizes the versions in a published folder and the site beside them, or says that there are none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import PAGE
from sitemap_plugins.values.text import count_of
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions.aliases import find_aliases
from sitemap_plugins.versions.builds import is_build
from sitemap_plugins.versions.finding import Found, Search
from sitemap_plugins.versions.kept import Choice, choose_kept, is_redirected
from sitemap_plugins.versions.names import Number, Stage, least_stable, read_name, read_title
from sitemap_plugins.versions.patterns import parse_pattern
from sitemap_plugins.versions.root_url import doubt_root_url, infer_root_url, missing_prefix
from sitemap_plugins.versions.samples import redirect_of, target_of
from sitemap_plugins.versions.tree import Alias, RootSite, Version, VersionTree

_SPHINX_OPTIONS: Final = "_static/documentation_options.js"
_SPHINX_VERSION: Final = re.compile(rb"\bVERSION: *['\"]([^'\"\n]{1,100})['\"]")
_LEFT_OUT: Final = 10  # sites that are no versions, to name one by one
_DEPTH: Final = 2  # folders below the root in which a site that is no version is looked for


def recognize(tree: Tree, pattern: str | None = None, base_url: str | None = None) -> VersionTree:
    """The versions in a tree: from lists of versions, and folders with a site and the name of a version.

    With a ``pattern`` such as ``{lang}/{version}``, they are the folders that match it, whatever their names, see
    `parse_pattern`. Folders joined by links are one version. A folder that redirects to a version is its alias.
    ``base_url`` is the URL of the root, encoded and with a slash at its end, if the author gives it.

    Raises `PatternError`, and OSError if the root cannot be listed. Other problems are returned as sentences.
    """
    search = Search(tree)
    if pattern is not None:
        search.follow(parse_pattern(pattern))
    else:
        search.look_in("")
        search.look_in_languages()
        search.read_switcher()
    if not search.found:
        # An unusable list does not matter to a site without versions.
        return VersionTree(remarks=(*search.problems, *search.dangers, *search.remarks))
    root_site = _root_site(tree, search)
    if root_site and root_site.leads_to is None and (known_by := _why_root_is_known(tree, search, root_site)):
        search.add_root(known_by)
    aliases = find_aliases(tree, search.found, search.complaints)
    versions = [*_versions(tree, search.found, aliases)]
    inferred = infer_root_url(search, root_site, versions)
    doubt = doubt_root_url(inferred, tree, search.found.values()) if inferred and not base_url else ""
    root_url = base_url or (None if doubt else inferred)
    if base_url:
        versions = [_moved(version, inferred, base_url) for version in versions]
    return VersionTree(
        versions=tuple(versions),
        root_site=root_site,
        root_url=root_url,
        doubt=f"the pages have URLs below {inferred}, which {doubt}" if doubt else "",
        problems=search.problems,
        dangers=search.dangers,
        remarks=(*search.remarks, *missing_prefix(tree, search.found.values(), root_url)),
        left_out=tuple(_describe_left_out(tree, [*_left_out(tree, search)], is_by_name=pattern is None)),
    )


def _moved(version: Version, inferred: str | None, base_url: str) -> Version:
    """The version with its declared URL below the URL that the author gives, whatever its pages say."""
    url = version.declared_url
    if url and inferred and url.startswith(inferred) and not url.startswith(base_url):
        url = base_url + url[len(inferred) :]
    return msgspec.structs.replace(version, declared_url=url if url and url.startswith(base_url) else None)


def _left_out(tree: Tree, search: Search) -> Iterator[str]:
    """The folders that look like a site, but are neither a version nor in one."""
    known = {*search.found, *(each.real_folder for each in search.found.values())}
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
    """A sentence for each of the first folders, and one for all others."""
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


def _versions(tree: Tree, found: Mapping[str, Found], aliases: Mapping[str, tuple[Alias, ...]]) -> Iterator[Version]:
    """The versions, in the order of `VersionTree`."""
    stable = {found[folder].language for folder in found if found[folder].name.lower() == "stable"}
    versions = [
        _version(tree, _join(found, folder, names), names, is_beside_stable=found[folder].language in stable)
        for folder, names in aliases.items()
    ]
    versions.sort(key=_age, reverse=True)
    yield from sorted(versions, key=lambda version: version.language or "")


def _join(found: Mapping[str, Found], folder: str, aliases: Iterable[Alias]) -> Found:
    """The version, with the title, preference and signs that its aliases add."""
    all_names = [found[folder], *(found[alias.folder] for alias in aliases)]
    return msgspec.structs.replace(
        found[folder],
        title=next((each.title for each in all_names if each.title), ""),
        is_preferred=any(each.is_preferred for each in all_names),
        known_by=(*dict.fromkeys(word for each in all_names for word in each.known_by),),
    )


def _age(version: Version) -> tuple[int, Number | tuple[()], str]:
    """The sort key: greater for a newer version. An unreleased one with no number in its name (``main``) is newest."""
    name = read_name(version.name)
    if version.stage != "release" and not (name and name.number):
        return 2, version.number or (), version.folder
    return (0 if version.number else 1), version.number or (), version.folder


def _version(tree: Tree, found: Found, aliases: tuple[Alias, ...], *, is_beside_stable: bool) -> Version:
    name = read_name(found.name)
    written, title = read_title(found.title) or ("", None)
    number = name.number if name else None
    stages: list[Stage] = [each.stage for each in (name, title) if each] or ["development"]
    if number:
        other = title.number if title else None
        is_other = other and (other.is_before(number) or number.is_before(other))  # not just more or fewer parts
        written = written if is_other else found.name
    elif title and title.number:
        number = title.number
    elif (written := _sphinx_version(tree, found.folder)) and (pages := read_name(written)):
        number = pages.number
        stages.append(pages.stage)
    # If there is a stable version, Read the Docs and others use "latest" for the development version.
    if found.name.lower().lstrip("~") == "latest" and number is None and is_beside_stable:
        stages.append("development")
    return Version(
        folder=found.folder,
        name=found.name,
        stage=least_stable(stages),
        real_folder=found.real_folder,
        language=found.language,
        title=found.title,
        is_preferred=found.is_preferred,
        aliases=aliases,
        number=number,
        written=written if number else "",
        known_by=found.known_by,
        declared_url=found.sample.url,
    )


def _sphinx_version(tree: Tree, folder: str) -> str:
    """The version that Sphinx writes for the scripts of its pages; empty if there is none."""
    try:
        content = tree.read(path_in(folder, _SPHINX_OPTIONS), PAGE) or b""
    except OSError:
        return ""
    found = _SPHINX_VERSION.search(content)
    return found[1].decode(errors="replace") if found else ""


def _root_site(tree: Tree, search: Search) -> RootSite | None:
    """The site at the root itself, if the root has a home page or files that a build writes."""
    try:
        home = tree.read("index.html", PAGE)
    except OSError:
        home = None
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


class NoVersionsError(Exception):
    """A folder has no versions. The message says what to do."""

    def __init__(self, root: str, layout: str | None) -> None:
        advice = "or set --layout" if layout is None else f"or correct --layout {layout!r}, which no folder matches"
        super().__init__(f"no versions were found below {root}: run the command on the folder above them, {advice}")


class RedirectedError(Exception):
    """The pages of a kept version name an alias that redirects as their URL. The message says what to do."""

    def __init__(self, version: Version) -> None:
        super().__init__(
            f"the pages of {version.name} have canonical links to {version.declared_url}, which redirects, so that "
            "search engines may list neither: with mike, use alias_type symlink or copy, or remove canonical_version, "
            f"and deploy {version.name} again"
        )


class Versions(NamedTuple):
    """The versions below a root, and which of them are kept."""

    tree: VersionTree
    choice: Choice


def read_versions(
    tree: Tree, layout: str | None = None, keep: Sequence[str] = (), base_url: str | None = None
) -> Versions:
    """The versions in a tree, see `recognize` and `choose_kept`.

    Raises `NoVersionsError`, `PatternError`, `UnknownVersionError`, `RedirectedError` and OSError.
    """
    found = recognize(tree, layout, base_url)
    if not found.versions:
        raise NoVersionsError(tree.root, layout)
    choice = choose_kept(found, keep)
    for kept in choice.kept:
        for version in (kept.version, *kept.others):
            if is_redirected(found, version):
                raise RedirectedError(version)
    return Versions(found, choice)
