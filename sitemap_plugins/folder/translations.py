"""Finds the language of each page of a built folder, and which pages are translations of one another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import urljoin

import msgspec
from msgspec import structs

from sitemap_plugins.folder.addresses import file_at
from sitemap_plugins.folder.html_files import HTMLFile
from sitemap_plugins.values.languages import InvalidLanguageError, agree, parse_language


class PageLanguage(msgspec.Struct, frozen=True):
    """The language of a page, its language folder (empty at the root), and a name that all its translations share.

    The name, ``translation``, is empty if the site has one language.
    """

    code: str
    folder: str = ""
    translation: str = ""


def find_page_languages(files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str) -> dict[str, PageLanguage]:
    """The language of each file, and the name that its translations share, by its path.

    A top folder is a language folder if its name is a language code and most pages in it declare that language. Pages
    are translations of one another if their ``hreflang`` links lead to one another, or else if they have the same path
    below their language folders.
    """
    folders = _language_folders(files)
    root = _language_at_root(files, folders)
    if not folders or (len(folders) == 1 and not root):
        return {file.path: PageLanguage(file.markup.language if file.markup else "") for file in files}
    page_languages = {}
    for file in files:
        top, _, rest = file.stem.partition("/")
        if top in folders:
            page_languages[file.path] = PageLanguage(top, top, rest or ".")
        elif root and not any(agree(root, folder) for folder in folders):
            page_languages[file.path] = PageLanguage(root, "", file.stem or ".")
        else:
            # A page that leads readers to their language, or a copy of one language, is not a translation.
            page_languages[file.path] = PageLanguage(file.markup.language if file.markup else "")
    for path, name in _linked(files, locs, base_url):
        if page_languages[path].translation:
            page_languages[path] = structs.replace(page_languages[path], translation=name)
    return page_languages


def _language_folders(files: Collection[HTMLFile]) -> frozenset[str]:
    named: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for file in files:
        top, is_folder, _ = file.path.partition("/")
        if is_folder and file.markup and not file.markup.refresh and _is_code(top):
            named[top][bool(file.markup.language) and agree(file.markup.language, top)] += 1
    return frozenset(top for top, count in named.items() if count[True] > count[False])


def _is_code(name: str) -> bool:
    try:
        parse_language(name)
    except InvalidLanguageError:
        return False
    return True


def _language_at_root(files: Collection[HTMLFile], folders: Collection[str]) -> str:
    """The language that most of the pages outside the language folders declare."""
    outside = (file.markup for file in files if file.stem.partition("/")[0] not in folders)
    counted = Counter(markup.language for markup in outside if markup and markup.language and not markup.refresh)
    return max(counted, key=lambda each: (counted[each], each), default="")


def language_outside(page_languages: Mapping[str, PageLanguage]) -> str:
    """The language of most pages outside the language folders; empty if they declare none."""
    counted = Counter(each.code for each in page_languages.values() if each.code and not each.folder)
    return max(counted, key=lambda each: (counted[each], each), default="")


def _linked(files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str) -> Iterator[tuple[str, str]]:
    """The pages with mutual links to translations, each with a name that all of them share."""
    paths = {file.path for file in files}
    links = {}
    for file in files:
        found = file.markup.hreflang if file.markup else ()
        targets = {_target(locs[file.path], href, base_url, paths) for _, href in found if file.path in locs}
        links[file.path] = targets - {None, file.path}
    for path, targets in links.items():
        mutual = [target for target in targets if target and path in links[target]]
        if mutual:
            yield path, f"{min([path, *mutual])} and its translations"


def _target(loc: str, href: str, base_url: str, paths: Collection[str]) -> str | None:
    try:
        return file_at(urljoin(loc, href), base_url, paths)
    except ValueError:  # it is not a URL
        return None
