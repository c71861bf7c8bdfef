"""Finds the built site, the folders of one of its versions, and the URL at which it will be published."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError
from sitemap_plugins.folder.generators.hugo import read_main_files
from sitemap_plugins.folder.generators.recognizing import GENERATORS, is_configured
from sitemap_plugins.formats.data_reading import type_of
from sitemap_plugins.formats.paths import CNAME, PAGE_ENDINGS, page_ending
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.site_url import NamedURL, url_of_domain, url_of_pages
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import CONFIGURATION
from sitemap_plugins.values.text import did_you_mean, join_words, short_repr
from sitemap_plugins.values.urls import InvalidURLError

if TYPE_CHECKING:
    from sitemap_plugins.versions.version import Versions

# Sphinx and Jupyter Book, Hugo and GitLab, Astro and Vite, Docusaurus, VitePress.
_CANDIDATES: Final = (
    "_build/html",
    "docs/_build/html",
    "build/html",
    "docs/build/html",
    "public",
    "dist",
    "build",
    "docs/.vitepress/dist",
    ".vitepress/dist",
    "site",
)
# Eleventy and Jekyll, Pelican, Antora, Next.js; other tools use these names too.
_FURTHER_CANDIDATES: Final = ("_site", "output", "build/site", "out")
_HINT: Final = "give the folder as an argument"


def find_site(configuration: Configuration) -> str:
    """The absolute path of the built folder: ``site_dir``, or else the only folder that looks like a site.

    Raises `ConfigurationError`.
    """
    if configuration.tool:
        site = configuration.path("site_dir", "site")
        if os.path.isdir(site):
            return site
        build = "zensical build" if configuration.tool == "zensical" else "mkdocs build or zensical build"
        raise ConfigurationError(
            f"there is no folder {configuration.shown(site)}, the site_dir of {configuration.name}; "
            f"run the build first: {build}"
        )
    is_book = os.path.isfile(os.path.join(configuration.root, "book.toml"))
    candidates = (*_CANDIDATES, "book") if is_book else _CANDIDATES
    names = _sites_in(configuration.root, candidates) or _sites_in(configuration.root, _FURTHER_CANDIDATES)
    if not names:
        raise ConfigurationError(
            f"no site was found in {configuration.root}: there is no zensical.toml, no mkdocs.yml, and no page "
            f"directly in {join_words((*candidates, *_FURTHER_CANDIDATES), 'or')}; {_HINT}"
        )
    if len(names) > 1:
        raise ConfigurationError(f"{join_words(names)} each look like a site; {_HINT}")
    return os.path.join(configuration.root, *names[0].split("/"))


def no_pages(folder: str) -> ConfigurationError:
    """The error for a folder that has no page, as it is called in messages."""
    endings = join_words(PAGE_ENDINGS, "or")
    return ConfigurationError(f"{folder} has no page ({endings}); is it the folder that the site is built into?")


def _sites_in(root: str, names: Sequence[str]) -> list[str]:
    """Those of the folders that look like a site; a link to another one of them is the same site."""
    found: dict[str, str] = {}
    for name in names:
        path = os.path.join(root, *name.split("/"))
        if (pages := _pages_in(path)) and not _is_copied(root, name, pages):
            found.setdefault(os.path.realpath(path), name)
    return [*found.values()]


def _pages_in(path: str) -> list[str]:
    try:
        names = os.listdir(path)
    except OSError:
        return []
    return [file for name in names if page_ending(name) and os.path.isfile(file := os.path.join(path, name))]


def _is_copied(root: str, name: str, pages: Iterable[str]) -> bool:
    """Whether a generator copies the folder into its site, as VitePress does with ``public``.

    If one of these pages names the generator, its configuration says that it builds into this folder.
    """
    generators = [each for each in GENERATORS if name in each.copied and is_configured(each, root)]
    if not generators:
        return False
    contents = (read_output(page, os.path.dirname(page))[0] for page in pages)
    markups = [read_markup(content) for content in contents if content is not None]
    return not any(each.is_named_by(markup.generators) for each in generators for markup in markups)


def find_url(
    tree: Tree, files: Sequence[HTMLFile], configuration: Configuration, sitemap: str | None
) -> NamedURL | None:
    """The URL of the folder from its pages, or else its configuration, or other files in it; None if none has one.

    With another URL than that of the pages, all of them would be left out. ``sitemap`` is the path of the one that
    was found, which may be an earlier build's. Raises `ConfigurationError`.
    """
    by_pages, is_common = url_of_pages(files)
    if by_pages and is_common:
        return by_pages
    if by_configuration := site_url_of(configuration):
        return by_configuration
    refuse_bad_cname(tree)
    from sitemap_plugins.published.witnesses import find_site_url  # few builds get here

    return find_site_url(tree, files, sitemap=sitemap, by_versions=find_versions(tree).root_url)


def site_url_of(configuration: Configuration) -> NamedURL | None:
    """The URL in the generator's configuration, and the name of its place: ("https://…", "site_url in mkdocs.yml").

    The URL is as written. Only Zensical, MkDocs and Hugo have one here, because JavaScript is not run. Raises
    `ConfigurationError`.
    """
    if configuration.tool:
        return _text(configuration.project.get("site_url"), f"site_url in {configuration.name}")
    for name, values in read_main_files(configuration.root):
        if "baseurl" in values:
            return _text(values["baseurl"], f"baseURL in {name}")
    return None


def refuse_bad_cname(tree: Tree) -> None:
    """Raise `ConfigurationError` if a built folder has a file CNAME, which GitHub Pages reads, without a domain."""
    try:
        content = tree.read(CNAME, CONFIGURATION)
        if content is None:
            return
        domain = content.decode("utf-8-sig").strip()
    except OSError as error:
        raise ConfigurationError(f"CNAME cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigurationError("CNAME is not text in UTF-8; write one line such as docs.example.org") from None
    try:
        url_of_domain(domain)
    except InvalidURLError as error:
        hint = "write one line such as docs.example.org"
        raise ConfigurationError(f"CNAME: {short_repr(domain)} {error}; {hint}") from None


def _text(value: object, place: str) -> NamedURL | None:
    """The URL as written, with its place; None if it is empty or ``/``, which means no URL in every generator."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ConfigurationError(f"{place} must be a URL such as https://docs.example.org/, not {type_of(value)}")
    return NamedURL(value.strip(), place, is_written=True) if value.strip() not in {"", "/"} else None


def find_versions(tree: Tree) -> Versions:
    """The versions in a published tree; most sites do not even import the code."""
    from sitemap_plugins.versions.recognizing import recognize

    return recognize(tree)


def folders_of_version(root: str, folder: str) -> tuple[str, ...]:
    """The folders below ``root`` with the pages of the version, or the alias of one, that is in ``folder``.

    Its own folder comes first, then its copies. A folder that is no version has only its own pages. Raises
    `ConfigurationError` if there is no such folder, and OSError if the disk fails.
    """
    tree = Tree(root)
    found = find_versions(tree)
    for version in found.versions:
        if folder in (version.folder, *(alias.folder for alias in version.aliases)):
            return version.folders
    if folder and folder not in tree.folders(""):
        raise ConfigurationError(
            f"there is no folder {folder} in {root}{did_you_mean(folder, found.kinds or tree.folders(''))}"
        )
    return (folder,)
