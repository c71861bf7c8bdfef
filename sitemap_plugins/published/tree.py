"""The one model of a published folder: its files and links, and the heads of its pages."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec

from sitemap_plugins.formats.paths import SPHINX_OPTIONS, page_ending
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.model import Markup
from sitemap_plugins.output.pages import read_as_built, read_host_files, read_output, read_robots
from sitemap_plugins.reading import ABSENT, CONFIGURATION, Limit, read_file
from sitemap_plugins.values.tasks import Track, untracked
from sitemap_plugins.values.urls import path_in

if TYPE_CHECKING:
    from sitemap_plugins.published.html_files import HTMLFile

_NEVER_PUBLISHED: Final = frozenset({".git", ".hg", ".svn", ".jj"})  # repositories, and files that lead to one
_FILE_SUFFIX: Final = re.compile(rb"FILE_SUFFIX: '([^']*)'")


class Listing(msgspec.Struct, frozen=True, gc=False):
    """What is directly in a folder, by name: home pages first, then in alphabetical order.

    ``files`` are all that are neither folders nor links to one; those that are regular files, possibly behind a link,
    are true. ``folders`` are no links. ``links`` are the symbolic links to anything.
    """

    files: Mapping[str, bool]
    folders: Mapping[str, None]
    links: frozenset[str]


class Tree:
    """A published folder. All paths are relative to it, with forward slashes; the folder itself is the empty path.

    A folder is listed when it is asked for, and the head of a page is read then; both are kept. Names are compared
    exactly, because some disks find ``Logo.png`` under the name ``logo.png``, and servers do not.
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = os.fspath(root)
        self._listings: dict[str, Listing] = {}
        self._alike: dict[tuple[object, ...], Listing] = {}
        self._heads: dict[str, HTMLFile | None] = {}
        self._destinations: dict[str, str | None] = {}
        self._endings: dict[str, str | None] = {}
        self.sitemaps: dict[str, Any] = {}
        """The files that `read_sitemap_file` has read, by path. Its module imports this one, so it has their type."""

    def place(self, path: str) -> str:
        """Where a file or folder is on the disk."""
        return os.path.join(self.root, *path.split("/")) if path else self.root

    def listing(self, folder: str) -> Listing:
        """What is directly in a folder that is no link. Raises OSError if it cannot be listed."""
        if folder not in self._listings:
            with os.scandir(self.place(folder)) as entries:
                found = sorted(entries, key=lambda entry: (entry.name != "index.html", entry.name))
            links = frozenset(entry.name for entry in found if entry.is_symlink())
            folders = {entry.name: None for entry in found if entry.is_dir(follow_symlinks=False)}
            # An entry would raise an error for a link to itself.
            files = {
                entry.name: os.path.isfile(entry) if entry.name in links else entry.is_file()
                for entry in found
                if entry.name not in folders and not (entry.name in links and os.path.isdir(entry))
            }
            listing = Listing(files, folders, links)
            # On many sites, each page is alone in its folder.
            self._listings[folder] = self._alike.setdefault((tuple(files.items()), tuple(folders), links), listing)
        return self._listings[folder]

    def files(
        self, folder: str = "", without: Container[str] = (), *, with_hidden: bool = False, skip_unlisted: bool = False
    ) -> Iterator[str]:
        """The paths of the files below a folder that is no link: breadth first, and each home page before other files.

        The folders ``without`` are skipped, and so are hidden files and folders, unless they are wanted
        ``with_hidden``: servers send them, too. Links to folders are not followed, because a folder with two names is
        one build; links to files are files. Raises OSError if a folder cannot be listed, because its files are
        published too; with ``skip_unlisted``, it counts as empty.
        """
        for here, listing in self._walk(folder, without, with_hidden=with_hidden, skip_unlisted=skip_unlisted):
            yield from (path_in(here, name) for name in listing.files if _is_wanted(name, with_hidden=with_hidden))

    def _walk(
        self, folder: str, without: Container[str], *, with_hidden: bool, skip_unlisted: bool = False
    ) -> Iterator[tuple[str, Listing]]:
        waiting = [folder]
        for here in waiting:
            try:
                listing = self.listing(here)
            except OSError:
                if not skip_unlisted:
                    raise
                continue
            yield here, listing
            inside = (path_in(here, name) for name in listing.folders if _is_wanted(name, with_hidden=with_hidden))
            waiting += (path for path in inside if path not in without)

    @cached_property
    def links(self) -> Mapping[str, str]:
        """The folders inside the tree that links lead to, by the path of the link, unless a link is in its target."""
        links = (
            path_in(here, name)
            for here, listing in self._walk("", (), with_hidden=True)
            for name in listing.links
            if name not in listing.files
        )
        targets = {link: target for link in links if (target := self._destination(link)) is not None}
        return {link: target for link, target in targets.items() if not f"{link}/".startswith(path_in(target, ""))}

    def folders(self, folder: str) -> list[str]:
        """The sorted names of the folders in a folder, and of all links, which may lead to one; without hidden ones.

        A path that is no folder counts as empty. Raises OSError if the folder cannot be listed.
        """
        real = self.real_folder(folder)
        listing = None if real is None else self.listing(real)
        return sorted(name for name in {*listing.folders, *listing.links} if name[0] != ".") if listing else []

    def real_folder(self, folder: str) -> str | None:
        """The folder that a path leads to by following links inside the tree; None if there is none."""
        if folder in self._listings:
            return folder
        here = ""
        for step in folder.split("/") if folder else ():
            listing = self.listing(here)
            there = path_in(here, step)
            is_link = step in listing.links and step not in listing.files
            target = there if step in listing.folders else self._destination(there) if is_link else None
            if target is None:
                return None
            here = target
        return here

    def _destination(self, link: str) -> str | None:
        """The folder or file that a link leads to; None if that is outside."""
        if link not in self._destinations:
            real = os.path.realpath(self.place(link))
            is_inside = f"{real}{os.sep}".startswith(os.path.join(self._real_root, ""))
            self._destinations[link] = (
                real[len(self._real_root) :].strip(os.sep).replace(os.sep, "/") if is_inside else None
            )
        return self._destinations[link]

    @cached_property
    def _real_root(self) -> str:
        return os.path.realpath(self.root)

    def is_file(self, path: str) -> bool:
        """Whether there is a regular file, possibly behind links. Raises OSError if the disk fails."""
        folder, _, name = path.rpartition("/")
        try:
            real = self.real_folder(folder) if path_in(folder, name) == path else None  # not for "/name"
            return real is not None and self.listing(real).files.get(name, False)
        except (*ABSENT, PermissionError):  # a folder with no file that a server could send
            return False

    def is_link(self, path: str) -> bool:
        """Whether a file is itself a link. No folder on its path is one."""
        folder, _, name = path.rpartition("/")
        return name in self.listing(folder).links

    def real_path(self, path: str) -> str:
        """The path of a file after following all links inside the tree."""
        folder, _, name = path.rpartition("/")
        real = self.real_folder(folder)
        if real is None:
            return path
        here = path_in(real, name)
        return (self._destination(here) if name in self.listing(real).links else here) or here

    def read(self, path: str, limit: Limit) -> bytes | None:
        """The content of a file; None if there is none. Raises `RefusedError` and OSError."""
        try:
            return read_file(self.place(path), limit, inside=self.root)
        except ABSENT:
            return None

    def try_to_read(self, path: str, limit: Limit) -> bytes | None:
        """The content of a file; None if there is none, or it cannot be read."""
        try:
            return self.read(path, limit)
        except OSError:
            return None

    @cached_property
    def robots(self) -> bytes | None:
        """The content of robots.txt; None if there is none, or it cannot be read."""
        return read_robots(self.root)[0]

    @cached_property
    def host_files(self) -> Mapping[str, bytes]:
        """The contents of ``_headers`` and ``_redirects``, as far as they can be read."""
        return read_host_files(self.root)[0]

    def pages(self, folder: str = "", without: Container[str] = ()) -> Iterator[str]:
        """The paths of the pages below a folder, see `files`."""
        return (path for path in self.files(folder, without) if self.is_page(path) and self.is_file(path))

    def is_page(self, path: str) -> bool:
        """Whether a file is a page, by its name and by what Sphinx says about the site that it is in."""
        return page_ending(path, self._ending_in(path.rpartition("/")[0])) is not None

    def _ending_in(self, folder: str) -> str | None:
        """The ending of the pages in a folder according to Sphinx; None if it did not make the site."""
        if folder not in self._endings:
            options = path_in(folder, SPHINX_OPTIONS)
            content = b""
            with suppress(OSError):
                content = self.read(options, CONFIGURATION) or b"" if self.is_file(options) else b""
            found = _FILE_SUFFIX.search(content)
            above = self._ending_in(folder.rpartition("/")[0]) if folder else None
            self._endings[folder] = found[1].decode(errors="replace") if found else above
        return self._endings[folder]

    def built_markup(self, path: str) -> Markup | None:
        """The markup of a page as it was built, before it was retired; None if it cannot be read. It is not kept."""
        try:
            return read_markup(read_as_built(self.place(path), self.root))
        except OSError:
            return None

    def content(self, path: str) -> bytes | None:
        """The content of a page, without what later steps wrote into it; None if it cannot be read."""
        return read_output(self.place(path), self.root)[0]

    def html(self, path: str) -> str | None:
        """The `content` of a page as text."""
        content = self.content(path)
        return None if content is None else content.decode(errors="replace")

    def head(self, path: str) -> HTMLFile | None:
        """An HTML file with its head, given one of the `files`; None for a broken link. Raises OSError."""
        from sitemap_plugins.published.html_files import read_html_file  # most builds with a host need no heads

        if path not in self._heads:
            ending = self._ending_in(path.rpartition("/")[0])
            self._heads[path] = read_html_file(self.root, path, is_link=self.is_link(path), ending=ending)
        return self._heads[path]

    def heads(
        self, without: Container[str] = (), *, with_hidden: bool = False, track: Track = untracked
    ) -> Iterator[HTMLFile]:
        """All HTML files, see `files`. ``track`` sees the loop over them."""
        paths = [*filter(self.is_page, self.files("", without, with_hidden=with_hidden))]
        yield from filter(None, map(self.head, track(paths, "reading pages")))


def _is_wanted(name: str, *, with_hidden: bool) -> bool:
    return name not in _NEVER_PUBLISHED if with_hidden else not name.startswith(".")


def is_hidden(path: str) -> bool:
    """Whether a file, or a folder on the path to it, is hidden."""
    return path.startswith(".") or "/." in path
