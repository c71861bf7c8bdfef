"""Recognizes the versions in a published folder and the site beside them, or says that there are none."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.reading import PAGE
from sitemap_plugins.values.urls import path_in
from sitemap_plugins.versions.aliases import find_aliases
from sitemap_plugins.versions.finding import MIKE, Found, Search
from sitemap_plugins.versions.folders import Folders
from sitemap_plugins.versions.kept import Choice, choose_kept
from sitemap_plugins.versions.names import Number, Stage, least_stable, read_name, read_title
from sitemap_plugins.versions.patterns import parse_pattern
from sitemap_plugins.versions.samples import redirect_of, target_of
from sitemap_plugins.versions.tree import Alias, RootSite, Version, VersionTree

_SPHINX_OPTIONS: Final = "_static/documentation_options.js"
_SPHINX_VERSION: Final = re.compile(rb"\bVERSION: *['\"]([^'\"\n]{1,100})['\"]")
_NEWEST: Final = 5
_PREFIX_DEPTH: Final = 3  # folders in mike's deploy_prefix


def recognize(root: Path, pattern: str | None = None) -> VersionTree:
    """The versions below ``root``: from lists of versions, and folders with a site and the name of a version.

    With a ``pattern`` such as ``{lang}/{version}``, they are the folders that match it, whatever their names, see
    `parse_pattern`. Folders joined by links are one version. A folder that redirects to a version is its alias.

    Raises `PatternError`, and OSError if the root cannot be listed. Other problems are returned as sentences.
    """
    folders = Folders(root)
    search = Search(folders)
    if pattern is not None:
        search.follow(parse_pattern(pattern))
    else:
        search.look_in("")
        search.look_in_languages()
        search.read_switcher()
    if not search.found:
        # An unusable list does not matter to a site without versions.
        return VersionTree(remarks=(*search.problems, *search.remarks))
    root_site = _root_site(folders, search)
    if root_site and root_site.leads_to is None and (evidence := _evidence_for_root(folders, search, root_site)):
        search.add_root(evidence)
    aliases = find_aliases(folders, search.found, search.complaints)
    versions = [*_versions(folders, search.found, aliases)]
    root_url = _root_url(search, root_site, versions) or search.listed_root
    return VersionTree(
        versions=tuple(versions),
        root_site=root_site,
        root_url=root_url,
        problems=search.problems,
        remarks=(*search.remarks, *_missing_prefix(root, search.found.values(), root_url)),
    )


def _versions(
    folders: Folders, found: Mapping[str, Found], aliases: Mapping[str, tuple[Alias, ...]]
) -> Iterator[Version]:
    """The versions, in the order of `VersionTree`."""
    stable = {found[folder].language for folder in found if found[folder].name == "stable"}
    versions = [
        _version(folders, _join(found, folder, names), names, is_beside_stable=found[folder].language in stable)
        for folder, names in aliases.items()
    ]
    versions.sort(key=_age, reverse=True)
    yield from sorted(versions, key=lambda version: version.language or "")


def _join(found: Mapping[str, Found], folder: str, aliases: Iterable[Alias]) -> Found:
    """The version, with the title, preference and evidence that its aliases add."""
    all_names = [found[folder], *(found[alias.folder] for alias in aliases)]
    return msgspec.structs.replace(
        found[folder],
        title=next((each.title for each in all_names if each.title), ""),
        is_preferred=any(each.is_preferred for each in all_names),
        evidence=(*dict.fromkeys(word for each in all_names for word in each.evidence),),
    )


def _age(version: Version) -> tuple[int, Number | tuple[()], str]:
    """The sort key: greater for a newer version. An unreleased one with no number in its name (``main``) is newest."""
    name = read_name(version.name)
    if version.stage != "release" and not (name and name.number):
        return 2, version.number or (), version.folder
    return (0 if version.number else 1), version.number or (), version.folder


def _version(folders: Folders, found: Found, aliases: tuple[Alias, ...], *, is_beside_stable: bool) -> Version:
    name = read_name(found.name)
    written, title = read_title(found.title) or ("", None)
    number = name.number if name else None
    stages: list[Stage] = [each.stage for each in (name, title) if each] or ["development"]
    if number:
        written = found.name
    elif title and title.number:
        number = title.number
    elif (written := _sphinx_version(folders, found.folder)) and (pages := read_name(written)):
        number = pages.number
        stages.append(pages.stage)
    # If there is a stable version, Read the Docs and others use "latest" for the development version.
    if found.name.lstrip("~") == "latest" and number is None and is_beside_stable:
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
        evidence=found.evidence,
        declared_url=found.sample.url,
    )


def _sphinx_version(folders: Folders, folder: str) -> str:
    """The version that Sphinx writes for the scripts of its pages; empty if there is none."""
    try:
        content = folders.read(path_in(folder, _SPHINX_OPTIONS), PAGE) or b""
    except OSError:
        return ""
    found = _SPHINX_VERSION.search(content)
    return found[1].decode(errors="replace") if found else ""


def _root_site(folders: Folders, search: Search) -> RootSite | None:
    """The site at the root itself, if the root has a home page or files that a build writes."""
    try:
        home = folders.read("index.html", PAGE)
    except OSError:
        home = None
    if home is None and not folders.is_build(""):
        return None
    sample = search.root_sample()
    markup = read_markup(home or b"")
    return RootSite(
        leads_to=target_of(redirect_of("", "index.html", markup), search.found),
        is_material=any("mkdocs-material" in each or "zensical" in each for each in markup.generators),
        declared_url=sample.url,
    )


def _evidence_for_root(folders: Folders, search: Search, root_site: RootSite) -> str:
    """The evidence that the site at the root is itself a version; empty if there is none.

    It is a version if a link leads there, or if most pages of versions with canonical links to it exist there.
    """
    if any(not found.real_folder for found in search.found.values()):
        return "link"
    samples = [found.sample for found in search.found.values() if found.sample.url == root_site.declared_url]
    pages = [page for sample in samples for page in sample.pages if page != "index.html"]
    there = sum(folders.has(page) for page in pages) if root_site.declared_url else 0
    return "canonical links" if there * 2 > len(pages) else ""


def _root_url(search: Search, root_site: RootSite | None, versions: Sequence[Version]) -> str | None:
    """The URL of the root for most new versions: their URL, without the folders of the version and its language.

    Old versions do not count: sites move, and old pages keep their former URLs.
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
            if len(steps) > 3 and found.language and unquote(steps[-1]) in search.languages:
                steps.pop()
        urls["/".join((*steps, ""))] += 1
    return max(urls, key=lambda url: (urls[url], -len(url)), default=None)


def _newest(versions: Sequence[Version]) -> Iterator[Version]:
    """The newest versions of each language, up to a limit, whose pages give a URL."""
    for language in dict.fromkeys(version.language for version in versions):
        with_url = (version for version in versions if version.language == language and version.declared_url)
        yield from islice(with_url, _NEWEST)


def _missing_prefix(root: Path, found: Iterable[Found], root_url: str | None) -> Iterator[str]:
    """A remark if the root lies in folders that its URLs lack. mike does not add its prefix to ``site_url``."""
    if root_url is None or not any(MIKE in each.evidence for each in found):
        return
    path = Path(os.path.realpath(root))
    # mike puts this file at the root of the branch.
    above = [path, *path.parents][: _PREFIX_DEPTH + 1]
    top = next((folder for folder in above if (folder / ".nojekyll").is_file()), path)
    prefix = path.relative_to(top).as_posix()
    if top != path and not unquote(urlsplit(root_url).path).endswith(f"/{prefix}/"):
        yield (
            f"the pages have URLs below {root_url}, but lie in {prefix}/: if that is mike's deploy_prefix, add it to "
            "site_url, because mike does not"
        )


class NoVersionsError(Exception):
    """A folder has no versions. The message says what to do."""

    def __init__(self, root: Path) -> None:
        super().__init__(
            f"no versions were found below {root}: run the command on the folder above them, or set --layout"
        )


class Versions(NamedTuple):
    """The versions below a root, and which of them are kept."""

    tree: VersionTree
    choice: Choice


def read_versions(root: Path, layout: str | None = None, keep: Sequence[str] = ()) -> Versions:
    """The versions below ``root``, see `recognize` and `choose_kept`.

    Raises `NoVersionsError`, `PatternError`, `UnknownVersionError` and OSError.
    """
    tree = recognize(root, layout)
    if not tree.versions:
        raise NoVersionsError(root)
    return Versions(tree, choose_kept(tree, keep))
