"""Finds the source of a page by its link to edit it on a forge: evidence from any generator."""

from __future__ import annotations

import html
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.folder.sources import Source
from sitemap_plugins.folder.translations import PageLanguage
from sitemap_plugins.git import remote_urls, toplevel_of
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.reading import RefusedError
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
    """The sources of pages that have none in ``known``, by path.

    A link counts if it leads to an existing file in a repository that is a remote of the one with ``root``, and no
    other page is made from that file: the edit link of a translation may lead to the original. At least half of the
    pages must have such a link, and those with a known source one that leads there; otherwise the links are content.
    """
    left = [file for file in files if file.path not in known and _may_have_source(file)]
    toplevel = toplevel_of(os.path.realpath(root)) if left else None
    remotes = _remotes(toplevel) if toplevel else frozenset()
    if not toplevel or not remotes:
        return {}
    sample = [file for file in files if file.path in known and not known[file.path].is_copy][:_SAMPLE]
    linked = {file.path: [*_linked_files(file, site, toplevel, remotes)] for file in (*left, *sample)}
    sure = [
        [*map(os.path.realpath, linked[file.path])] == [os.path.realpath(known[file.path].file)]
        if sample
        else len(linked[file.path]) == 1
        for file in sample or left
    ]
    if sum(sure) < _SHARE * len(sure):
        return {}
    used = {os.path.realpath(source.file) for source in known.values()}
    pages: defaultdict[str, list[str]] = defaultdict(list)
    for file in left:
        for name in linked[file.path] if len(linked[file.path]) == 1 else ():
            pages[name].append(file.path)
    return {
        path: Source(name, os.path.relpath(name, os.path.realpath(root)).replace(os.sep, "/"))
        for name, paths in pages.items()
        if os.path.realpath(name) not in used and (path := _page_of(paths, page_languages))
    }


def _may_have_source(file: HTMLFile) -> bool:
    return file.markup is not None and not file.markup.refresh and not file.is_fragment


def _page_of(paths: Sequence[str], page_languages: Mapping[str, PageLanguage]) -> str | None:
    """The page that is made from a file to which these pages link: the only one outside language folders."""
    if len(paths) == 1:
        return paths[0]
    originals = [path for path in paths if not page_languages[path].folder]
    return originals[0] if len(originals) == 1 else None


def _remotes(toplevel: str) -> frozenset[str]:
    """The owner and name of each remote, in lower case."""
    try:
        found = (_REMOTE.fullmatch(url) for url in remote_urls(toplevel))
    except (OSError, RefusedError):
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
