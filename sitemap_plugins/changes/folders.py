"""Takes a snapshot of a built folder: the pages that count, their contents, and the redirects."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, TypeVar

from msgspec.structs import replace

from sitemap_plugins.formats.paths import REDIRECTS
from sitemap_plugins.html.main_part import MainPart, read_main_part
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.pages import ignored_rules
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.redirects import (
    READERS,
    Place,
    RedirectError,
    read_rules,
    stub_of,
)
from sitemap_plugins.published.snapshot import Fact, FolderKind, Redirect, Snapshot, SnapshotPage, normalize
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import ABSENT, RECORD, REDIRECT_FILE, Limit, read_file
from sitemap_plugins.record import RecordError
from sitemap_plugins.record.site_record import PageRecord, Record, parse_record

_RECORD: Final = "site-record.json"
_NO_PAGES: Final = frozenset({"error-page", "search-page", "fragment", "draft"})
# What tools generate for navigation: indexes, source code and timings (Sphinx), lists of posts (Material, ablog).
_NAVIGATION: Final = re.compile(
    r"(?:.*/)?(?:genindex(?:-[^/]+)?|(?:[^/]+-)?modindex|sg_execution_times|page/\d+|archive/\d{4}(?:/\d+)?"
    r"|(?:_modules|_static|_tags)(?:/.*)?|blog/(?:archive|author|category|drafts|language|location|tag)(?:/.*)?)"
    r"(?:/|\.html?)?"
)
_STUB: Final = 1 << 13  # bytes; a page that only consists of a script is shorter
_SEPARATORS: Final = re.compile("(?<!\\s)\\s++[-|:\u2013\u2014\u2022\u00b7\u00bb]++\\s++")
_FEW: Final = 3  # fewer titles do not tell which part of them names the site
_DEPLOYED: Final = re.compile(
    r"(?:Deployed (?=[0-9a-f]{7,64}(?: to .+)? with (?:MkDocs|ProperDocs|Zensical)\b)"  # gh-deploy and mike
    r"|deploy: (?:[^\s@]+@)?(?=[0-9a-f]{40})"  # peaceiris/actions-gh-pages
    r"|Deploying to \S+ from (?:\S+ )?@ [^\s@]+@(?=[0-9a-f]{40})"  # JamesIves/github-pages-deploy-action
    r"|build based on (?=[0-9a-f]{7,40}))"  # Documenter
    r"(?P<commit>[0-9a-f]{7,64})"
)

T = TypeVar("T")


def commit_in_message(message: str) -> str | None:
    """The commit of the sources, as tools write it into the message of the commit that deploys the built pages."""
    first = message.partition("\n")[0][:1000]
    found = _DEPLOYED.match(first)
    return found["commit"] if found else None


def snapshot_of_folder(
    tree: Tree,
    base_url: str | None,
    *,
    name: str,
    urls: Mapping[str, str] = {},
    reasons: Mapping[str, str] = {},
    sources: Mapping[str, str] = {},
    repository: str | None = None,
    folders: Mapping[str, FolderKind] = {},
    commit: str | None = None,
) -> Snapshot:
    """The snapshot of a published folder.

    By the path of the file, ``urls`` are the URLs of pages, ``reasons`` the keys of the `REASONS` why a sitemap would
    not list them, and ``sources`` the absolute paths of their sources. ``repository`` is the top folder of the
    repository with the sources, ``folders`` are those of versions, aliases and languages, and ``commit`` is the commit
    of the sources, if a record in the folder does not name it. A local ``base_url`` stands for an unknown one.
    """
    place = Place.of(base_url)
    files = _Files(tree.root)
    rules = read_rules(tree.host_files.get(REDIRECTS, b""), place)
    found = _Sorted(place, reasons, rules.by_rule)
    for file in tree.heads(with_hidden=True):
        found.add(file, urls.get(file.path, ""), files, has_source=file.path in sources)
    record = files.parse(_RECORD, RECORD, parse_record)
    redirects = found.redirects | rules.by_path
    for file_name, read in READERS.items():
        redirects |= files.parse(file_name, REDIRECT_FILE, partial(read, place=place)) or {}
    pages = dict(_pages(found.pages, reasons, dict(_documents(sources, repository)), _by_path(record, place)))
    served = {*tree.files(with_hidden=True)} - found.redirecting
    links = {link: target for link, target in tree.links.items() if folders.get(link) == "alias"}
    pages |= {path: replace(pages[other], path=path) for path, other in _behind(links, pages)}
    redirects |= dict(_redirects_behind(links, redirects))
    unread = ignored_rules(REDIRECTS, rules.ignored)
    unknown: set[Fact] = {"redirects"} if tree.is_file(".htaccess") else set()
    unknown |= set() if any(page.document for page in pages.values()) else {"documents"}
    return Snapshot(
        name=name,
        base_url=place.known_url,
        pages=pages,
        redirects=redirects,
        redirect_by_rule=rules.by_rule,
        files=frozenset(served).union(path for path, _ in _behind(links, served)),
        folders=folders,
        commit=(record and record.head) or commit,
        unknown=frozenset(unknown),
        problems=(*files.problems, *([f"{unread}, so some redirects are not known"] if unread else [])),
        read_content=lambda path: files.main_part(pages[path].file) if path in pages else None,
        read_file=files.page,
    )


class _Files:
    """Reads the files of a folder; ``problems`` has a sentence about each file that could not be used."""

    def __init__(self, root: str) -> None:
        self._root = root
        self.problems: list[str] = []

    def parse(self, name: str, limit: Limit, parse: Callable[[bytes], T]) -> T | None:
        """The content of a file at the root; None if there is no such file, or it cannot be used."""
        try:
            return parse(read_file(self._place(name), limit, inside=self._root))
        except ABSENT:
            return None
        except (RedirectError, RecordError) as error:
            self.problems.append(f"{name} was not read: {error}")
        except OSError as error:
            self.problems.append(f"{name} was not read: {error.strerror or error}")
        return None

    def page(self, path: str) -> bytes | None:
        """The content of a page, without what later steps wrote into it; None if it cannot be read."""
        return read_output(self._place(path), self._root)[0]

    def short_page(self, path: str) -> bytes | None:
        """The content of a page that is so short that it may only redirect; None for others."""
        try:
            is_short = os.stat(self._place(path)).st_size <= _STUB
        except OSError:
            return None
        return self.page(path) if is_short else None

    def main_part(self, path: str) -> MainPart | None:
        """The main part of a page."""
        content = self.page(path)
        return None if content is None else read_main_part(content.decode(errors="replace"))

    def _place(self, path: str) -> str:
        return os.path.join(self._root, *path.split("/"))


class _Sorted:
    """Sorts the HTML files of a folder into pages that count and redirects, each by its path.

    ``redirecting`` are the files of the redirects.
    """

    def __init__(self, place: Place, reasons: Mapping[str, str], by_rule: Callable[[str], Redirect | None]) -> None:
        self.pages: dict[str, HTMLFile] = {}
        self.redirects: dict[str, Redirect] = {}
        self.redirecting: set[str] = set()
        self._place = place
        self._reasons = reasons
        self._by_rule = by_rule

    def add(self, file: HTMLFile, url: str, files: _Files, *, has_source: bool) -> None:
        """Add a file, whose URL is empty if it is not known. Of two with the same URL, the first counts."""
        path = self._place.path(url)
        path = normalize(file.path) if path is None else path
        reason = self._reasons.get(file.path)
        redirect = self._redirect(path, file, files) or (self._by_rule(path) if reason == "redirect" else None)
        if redirect:
            self.redirects.setdefault(path, redirect)
            self.redirecting.add(file.path)
        elif reason not in _NO_PAGES and (has_source or not _NAVIGATION.fullmatch(path)):
            self.pages.setdefault(path, file)

    def _redirect(self, path: str, file: HTMLFile, files: _Files) -> Redirect | None:
        markup = file.markup
        if markup is None or not (markup.refresh or markup.canonicals):
            return None
        is_elsewhere = not markup.refresh and self._place.target(markup.canonicals[0], path) != path
        return stub_of(path, file.path, markup, files.short_page(file.path) if is_elsewhere else None, self._place)


def _pages(
    files: Mapping[str, HTMLFile],
    reasons: Mapping[str, str],
    documents: Mapping[str, str],
    known: Mapping[str, PageRecord],
) -> Iterator[tuple[str, SnapshotPage]]:
    titles = _without_site({path: file.title for path, file in files.items()})
    for path, file in files.items():
        row = known.get(path)
        yield (
            path,
            SnapshotPage(
                path=path,
                title=titles[path],
                document=documents.get(file.path) or (row.document if row else None),
                made_of=row.made_of if row else (),
                is_listed=file.path not in reasons,
                file=file.path,
            ),
        )


def _documents(sources: Mapping[str, str], repository: str | None) -> Iterator[tuple[str, str]]:
    """The paths of sources from the top of the repository, by the paths of their pages' files; none outside of it."""
    top = os.path.join(repository, "") if repository else ""
    for file, source in sources.items():
        if top and source.startswith(top):
            yield file, source[len(top) :].replace(os.sep, "/")


def _by_path(record: Record | None, place: Place) -> dict[str, PageRecord]:
    """The pages in the record of the folder by their paths."""
    pages = record.pages if record else ()
    return {path: page for page in pages if (path := place.path(page.loc)) is not None}


def _without_site(titles: Mapping[str, str]) -> Mapping[str, str]:
    """Titles without the name of the site, which themes add at the end."""
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
