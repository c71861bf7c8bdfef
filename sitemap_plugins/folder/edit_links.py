"""Finds the source of a page by its link to edit it on a forge, whatever the generator."""

from __future__ import annotations

import html
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.sources import is_index
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.git.repository import remote_urls
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.translations import PageLanguage
from sitemap_plugins.values.urls import is_inside

_LINK: Final = re.compile(rb"""\shref\s*+=\s*+["']?(?P<url>https?://[^\s"'<>]{1,2000}+)""")
_MARKS: Final = (b"/edit/", b"/_edit/", b"?mode=edit")  # of GitHub and GitLab, of Gitea, of Bitbucket
_MOST: Final = 100  # links of a page that are looked at
# https://host/owner/name.git, git@host:owner/name.git, ssh://git@host:22/owner/name
_REMOTE: Final = re.compile(r"(?:\w++://[^/]++/|[^/:]++:)/?(?P<name>[^?#]+)")
_SAMPLE: Final = 20
_SHARE: Final = 0.5


def find_edited(
    files: Collection[HTMLFile],
    page_languages: Mapping[str, PageLanguage],
    known: Mapping[str, Source],
    site: str,
    root: str,
) -> dict[str, Source]:
    """The sources of pages that have none in ``known``, or are copies there, by path.

    A link counts if it leads to an existing file in a repository that is a remote of the one with ``root``. Of several
    pages with the same link, one is made from the file, and others may be untranslated copies of it.
    """
    without = [file for file in files if file.path not in known or known[file.path].is_copy]
    left = [file for file in without if file.markup and not file.markup.refresh and not file.is_fragment]
    toplevel = toplevel_of(os.path.realpath(root)) if left else None
    remotes = _remotes(toplevel) if toplevel else frozenset()
    if not toplevel or not remotes:
        return {}
    sample = [file for file in files if file.path in known and not known[file.path].is_copy][:_SAMPLE]
    linked = {file.path: [*_linked_files(file, site, toplevel, remotes)] for file in (*left, *sample)}
    if not _are_edit_links(linked, [*left, *sample], {file.path: known[file.path].file for file in sample}):
        return {}
    used = {os.path.realpath(source.file) for source in known.values()}
    pages: defaultdict[str, list[str]] = defaultdict(list)
    for file in left:
        for name in linked[file.path] if len(linked[file.path]) == 1 else ():
            pages[name].append(file.path)
    own = {
        path: Source(name, os.path.relpath(name, os.path.realpath(root)).replace(os.sep, "/"))
        for name, paths in pages.items()
        if os.path.realpath(name) not in used and (path := _page_of(name, paths, page_languages))
    }
    return own | dict(_copies(pages, {**known, **own}, page_languages))


def _are_edit_links(linked: Mapping[str, Sequence[str]], files: Sequence[HTMLFile], known: Mapping[str, str]) -> bool:
    """Whether the links of pages to files are a part of the theme, not of the content.

    At least half of the pages with links and a ``known`` source must have one link, to this source. If there are no
    such pages, at least half of all ``files`` must have one link, or half of the links lead to a file named alike.
    """
    sure = [
        [*map(os.path.realpath, linked[path])] == [os.path.realpath(file)]
        for path, file in known.items()
        if linked[path]
    ]
    if sure:
        return sum(sure) >= _SHARE * len(sure)
    alike = [_is_named_like(file, *linked[file.path]) for file in files if len(linked[file.path]) == 1]
    return bool(alike) and (len(alike) >= _SHARE * len(files) or sum(alike) >= _SHARE * len(alike))


def _is_named_like(file: HTMLFile, source: str) -> bool:
    """Whether the last part of a page's path is the name of a source, or of the folder of an index."""
    path = PurePath(source)
    name = path.parent.name if is_index(source) else path.stem
    return file.stem.rpartition("/")[2].lower() == name.lower()


def _page_of(name: str, paths: Sequence[str], page_languages: Mapping[str, PageLanguage]) -> str | None:
    """The page that is made from a file to which these pages link; None if it may be any of several.

    It is the only one outside language folders, or else in the language folder that is also one of the file. The later
    pages of a list do not count.
    """
    originals = [path for path in paths if "/page/" not in f"/{path}"] if len(paths) > 1 else paths
    if len(originals) > 1:
        outside = [path for path in originals if not page_languages[path].folder]
        parts = PurePath(name).parts
        originals = outside or [path for path in originals if page_languages[path].folder in parts]
    return originals[0] if len(originals) == 1 else None


def _copies(
    pages: Mapping[str, Sequence[str]], sources: Mapping[str, Source], page_languages: Mapping[str, PageLanguage]
) -> Iterator[tuple[str, Source]]:
    """The pages in language folders whose links lead to the source of the original, because there is no translation.

    The links of translations may lead there, too. So a link counts only if the same language folder has links to
    translations of other originals in the same top folder of the project: a generator may have a setting for each.
    """
    own = {path: source for path, source in sources.items() if not source.is_copy}
    versions: defaultdict[str, dict[str, Source]] = defaultdict(dict)
    for path, source in own.items():
        if name := page_languages[path].translation:
            versions[name][page_languages[path].folder] = source
    localized = {
        (folder, _top(original))
        for each in versions.values()
        for folder in each
        for other, original in each.items()
        if folder and folder != other
    }
    for file, paths in pages.items():
        for path in paths:
            language = page_languages[path]
            for other, original in versions[language.translation].items() if path not in own else ():
                is_linked = os.path.realpath(original.file) == os.path.realpath(file)
                if other != language.folder and is_linked and (language.folder, _top(original)) in localized:
                    yield path, Source(original.file, original.name, is_copy=True)


def _top(source: Source) -> str:
    return source.name.partition("/")[0]


def _remotes(toplevel: str) -> frozenset[str]:
    """The owner and name of each remote, in lower case."""
    try:
        found = (_REMOTE.fullmatch(url) for url in remote_urls(toplevel))
    except OSError:
        return frozenset()
    return frozenset(each["name"].rstrip("/").removesuffix(".git").lower() for each in found if each)


def _linked_files(file: HTMLFile, site: str, toplevel: str, remotes: Collection[str]) -> Iterator[str]:
    """The files, as absolute paths, that the links of a page offer to edit."""
    content, _ = read_output(os.path.join(site, file.path), site)
    links = (each["url"] for each in _LINK.finditer(content or b""))
    found = islice((each for each in links if any(mark in each for mark in _MARKS)), _MOST)
    urls = dict.fromkeys(html.unescape(each.decode(errors="replace")) for each in found)
    yield from dict.fromkeys(each for url in urls for each in _edited(url, toplevel, remotes))


def _edited(url: str, toplevel: str, remotes: Collection[str]) -> Iterator[str]:
    """The file that a link offers to edit: ``…/owner/name/edit/main/docs/a.md``, and the forms of other forges."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    steps = unquote(parts.path).strip("/").split("/")
    marks = ("src",) if parts.query else ("edit", "_edit")
    for at, step in enumerate(steps):
        name = "/".join(steps[:at]).removesuffix("/-").lower()
        if step in marks and name in remotes:
            path = "/".join(steps[at + 2 :])
            file = os.path.join(toplevel, *path.split("/"))
            if is_inside(path) and os.path.isfile(file):
                yield file
