"""Arrange the listed pages for readers: by language and by folder, with titles and dates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Final, TypeAlias
from urllib.parse import unquote, urlsplit

from msgspec import structs

from sitemap_plugins.formats.page_list import ListedPage, ListPart, PageList, PageListFile
from sitemap_plugins.formats.paths import page_ending
from sitemap_plugins.html.content import title_of
from sitemap_plugins.model import Candidate, Site
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.language_names import direction_of, own_name, words_in
from sitemap_plugins.values.languages import code_of
from sitemap_plugins.values.text import one_line
from sitemap_plugins.values.urls import relative_url

_DEPTH: Final = 4  # folders inside each other; the pages of deeper ones are listed with these
_LONGEST: Final = 32  # folders of a path that are compared with other paths
_INDEXES: Final = ("index.html", "index.htm")

_Steps: TypeAlias = tuple[str, ...]
"""The folders of a path, from the top."""


def list_pages(site: Site, listed: Iterable[Candidate], file: PageListFile) -> PageList:
    """The pages of each language, the site's own first, by folder and in the given order; without the list itself."""
    pages = [each for each in listed if each.page.output != file.path]
    codes = [code_of(each.page.language) for each in pages]
    frequent = Counter(filter(None, codes)).most_common(1)
    default = code_of(site.default_language or "") or (frequent[0][0] if frequent else "")
    groups: dict[str, list[Candidate]] = {default: []}
    for code, page in zip(codes, pages, strict=True):
        # A file, or a page that a tool made, may have no language.
        groups.setdefault(code or default, []).append(page)
    names = Counter(map(own_name, groups))
    return tuple(
        _language(group, file.loc, code, f" ({code})" if names[own_name(code)] > 1 else "")
        for code, group in groups.items()
        if group
    )


def _language(pages: Sequence[Candidate], own_loc: str, code: str, addition: str) -> ListPart:
    """The part for a language, without the folders that all of its pages have in common."""
    paths = [_steps(each.path) for each in pages]
    folders = {path[:length] for path in paths for length in range(1, min(len(path), _LONGEST))}
    # guide.html is the index of guide/, too, if there are pages in that folder.
    places = [path if path in folders else path[:-1] for path in paths]
    # What the first and the last of them in the alphabet have in common, all have.
    common = sum(1 for _ in takewhile(lambda steps: steps[0] == steps[1], zip(min(places), max(places), strict=False)))
    branches: dict[_Steps, list[ListedPage]] = {(): []}
    titles: dict[_Steps, str] = {}
    for page, path, place in zip(pages, paths, places, strict=True):
        branch = place[common : common + _DEPTH]
        for length in range(1, len(branch) + 1):
            branches.setdefault(branch[:length], [])
        shown = _listed_page(page, own_loc)
        if path == place and path[common:] == branch:
            titles[branch] = shown.title
            branches[branch].insert(0, shown)
        else:
            branches[branch].append(shown)
    counted = words_in(code).pages
    children: dict[_Steps, list[_Steps]] = {}
    for branch in filter(None, branches):
        children.setdefault(branch[:-1], []).append(branch)

    def part(branch: _Steps) -> ListPart:
        parts = tuple(map(part, children.get(branch, ())))
        title = titles.get(branch) or (_readable(branch[-1]) if branch else "")
        pages = tuple(branches[branch])
        if branch and not pages and len(parts) == 1:  # such as 2026 / 03 / 01 of a blog
            return structs.replace(parts[0], title=f"{title} / {parts[0].title}")
        return ListPart(title=title, pages=pages, parts=parts, counted=counted)

    direction = direction_of(code) if code else ""
    return structs.replace(part(()), title=f"{own_name(code)}{addition}", language=code, direction=direction)


def _steps(path: str) -> _Steps:
    """The steps to a page below the base URL: none to the home page, the same to ``a/`` and ``a.html``."""
    *folders, name = path.split("/")
    if name in _INDEXES:
        name = ""
    return tuple(filter(None, [*folders, name.removesuffix(page_ending(name) or "")]))


def _readable(folder: str) -> str:
    """The name of a folder as a title: ``User guide`` for ``user-guide``."""
    words = one_line(folder.replace("-", " ").replace("_", " "))
    return words[:1].upper() + words[1:] or folder


def _listed_page(candidate: Candidate, own_loc: str) -> ListedPage:
    """A page in the list; a file without a title, such as a PDF, has its name."""
    loc, lastmod = candidate.entry.loc, candidate.entry.lastmod
    title = title_of(candidate.page) or one_line(unquote(urlsplit(loc).path.rstrip("/").rpartition("/")[2]))
    return ListedPage(
        title=title or loc, url=relative_url(own_loc, loc), date=format_lastmod(lastmod, "date") if lastmod else ""
    )
