"""Takes a snapshot of a built folder: the pages that count, their contents, the redirects, and the folders in it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from sitemap_plugins.formats.paths import REDIRECTS
from sitemap_plugins.html.main_part import MainPart, read_main_part
from sitemap_plugins.pages.crawl_rules import ignored_rules
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import FolderKind, find_folders
from sitemap_plugins.published.redirects import READERS, RedirectError, SiteBase, read_rules, stub_of
from sitemap_plugins.published.sitemaps import find_sitemaps, sitemap_lines
from sitemap_plugins.published.snapshot import Fact, Redirect, Snapshot, SnapshotPage, is_auxiliary, is_list, normalize
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import REDIRECT_FILE

_NO_PAGES: Final = frozenset({"error-page", "search-page", "fragment", "draft", "application"})
_STUB: Final = 1 << 13  # bytes; a page that only consists of a script is shorter
_SEPARATORS: Final = re.compile("(?<!\\s)\\s++[-|:\u2013\u2014\u2022\u00b7\u00bb]++(?:\\s++|$)")
_FEW: Final = 3  # fewer titles do not tell which part of them names the site


def snapshot_of_folder(
    tree: Tree,
    base_url: str | None,
    *,
    name: str,
    urls: Mapping[str, str] = {},
    reasons: Mapping[str, str] = {},
    sources: Mapping[str, str] = {},
    repository: str | None = None,
    versions: Mapping[str, FolderKind] = {},
) -> Snapshot:
    """The snapshot of a published folder.

    By the path of the file, ``urls`` are the URLs of pages, ``reasons`` the keys of the `REASONS` why a sitemap would
    not list them, and ``sources`` the absolute paths of their sources. ``repository`` is the top folder of the
    repository with the sources, and ``versions`` are the folders of versions and aliases. A local ``base_url`` stands
    for an unknown one.
    """
    base = SiteBase.of(base_url)
    rules = read_rules(tree.host_files.get(REDIRECTS, b""), base)
    files: dict[str, HTMLFile] = {}
    redirects: dict[str, Redirect] = {}
    redirecting: set[str] = set()
    for file in tree.heads(with_hidden=True):  # of two with the same URL, the first counts
        path = base.path(urls.get(file.path, ""))
        path = normalize(file.path) if path is None else path
        reason = reasons.get(file.path)
        if reason == "preview":
            continue
        if redirect := _redirect_of(file, path, tree, base) or (rules.by_rule(path) if reason == "redirect" else None):
            redirects.setdefault(path, redirect)
            redirecting.add(file.path)
        elif reason not in _NO_PAGES and (file.path in sources or not is_auxiliary(path)):
            files.setdefault(path, file)
    lists = {path for path, file in files.items() if file.path not in sources and is_list(path)}
    for path in lists.difference(_listed(tree, base) if lists else ()):
        del files[path]
    folders = find_folders(tree.heads(with_hidden=True), versions)
    in_files, problems = redirects_in_files(tree, base)
    redirects |= rules.by_path | in_files
    pages = _pages(files, reasons, sources, os.path.join(repository, "") if repository else None)
    served = {*tree.files(with_hidden=True)} - redirecting
    links = {link: target for link, target in tree.links.items() if folders.get(link) == "alias"}
    pages |= {path: replace(pages[other], path=path) for path, other in _behind(links, pages)}
    redirects |= dict(_redirects_behind(links, redirects))
    unread = ignored_rules(REDIRECTS, rules.ignored)
    unknown: set[Fact] = {"redirects"} if tree.is_file(".htaccess") else set()
    unknown |= set() if any(page.document for page in pages.values()) else {"documents"}
    return Snapshot(
        name=name,
        base_url=base.known_url,
        pages=pages,
        redirects=redirects,
        redirect_by_rule=rules.by_rule,
        files=frozenset(served).union(path for path, _ in _behind(links, served)),
        folders=folders,
        unknown=frozenset(unknown),
        problems=(*problems, *([f"{unread}, so some redirects are not known"] if unread else [])),
        read_content=lambda path: _main_part(tree, pages[path].file) if path in pages else None,
        read_file=tree.content,
    )


def _listed(tree: Tree, base: SiteBase) -> Iterator[str | None]:
    for sitemap in find_sitemaps(tree, base.known_url, sitemap_lines(tree.robots)).values():
        yield from (base.path_of(each.entry.loc) for each in sitemap.entries)


def redirects_in_files(tree: Tree, base: SiteBase) -> tuple[dict[str, Redirect], list[str]]:
    """The redirects in the files at the root that `READERS` read, and a sentence on each that could not be used."""
    redirects: dict[str, Redirect] = {}
    problems: list[str] = []
    for name, read in READERS.items():
        try:
            content = tree.read(name, REDIRECT_FILE)
            redirects |= {} if content is None else read(content, base)
        except RedirectError as error:
            problems.append(f"{name} was not read: {error}")
        except OSError as error:
            problems.append(f"{name} was not read: {error.strerror or error}")
    return redirects, problems


def _main_part(tree: Tree, path: str) -> MainPart | None:
    html = tree.html(path)
    return None if html is None else read_main_part(html)


def _redirect_of(file: HTMLFile, path: str, tree: Tree, base: SiteBase) -> Redirect | None:
    markup = file.markup
    if markup is None or not (markup.refresh or markup.canonicals):
        return None
    is_elsewhere = not markup.refresh and base.target(markup.canonicals[0], path) != path
    return stub_of(path, file.path, markup, _short_page(tree, file.path) if is_elsewhere else None, base)


def _short_page(tree: Tree, path: str) -> bytes | None:
    """The content of a page that is so short that it may only redirect; None for others."""
    try:
        is_short = os.stat(tree.place(path)).st_size <= _STUB
    except OSError:
        return None
    return tree.content(path) if is_short else None


def _pages(
    files: Mapping[str, HTMLFile], reasons: Mapping[str, str], sources: Mapping[str, str], top: str | None
) -> dict[str, SnapshotPage]:
    """The pages in these files, by path. ``top`` is the folder of the repository, with a separator at its end."""
    documents = {
        file: source[len(top) :].replace(os.sep, "/")
        for file, source in sources.items()
        if top and source.startswith(top)
    }
    titles = _without_site({path: file.title for path, file in files.items()})
    return {
        path: SnapshotPage(
            path=path,
            title=titles[path],
            document=documents.get(file.path),
            is_listed=file.path not in reasons,
            file=file.path,
        )
        for path, file in files.items()
    }


def _without_site(titles: Mapping[str, str]) -> Mapping[str, str]:
    """Titles without the name of the site, which themes add at the end, even if it is empty."""
    ends = Counter(title[last.start() :] for title in titles.values() for last in [*_SEPARATORS.finditer(title)][-1:])
    for end, number in ends.most_common(1):
        if number >= _FEW and number * 2 > len(titles):
            return {path: title.removesuffix(end) for path, title in titles.items()}
    return titles


def _behind(links: Mapping[str, str], paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The paths below symbolic links to folders, each with its path in the folder that the link leads to."""
    for link, target in links.items():
        yield from ((link + path[len(target) :], path) for path in paths if path.startswith(f"{target}/"))


def _redirects_behind(links: Mapping[str, str], redirects: Mapping[str, Redirect]) -> Iterator[tuple[str, Redirect]]:
    """The redirects below symbolic links to folders. If they stay in the folder, they stay below the link."""
    for link, folder in links.items():
        for path, other in _behind({link: folder}, redirects):
            found = redirects[other]
            is_inside = found.target.startswith(f"{folder}/")
            target = link + found.target[len(folder) :] if is_inside else found.target
            yield path, replace(found, path=path, target=target)
