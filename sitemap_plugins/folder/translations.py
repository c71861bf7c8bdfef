"""Finds the language of each page of a built folder, and which pages are translations of one another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import urljoin

import msgspec
from msgspec import structs

from sitemap_plugins.model import X_DEFAULT, Note
from sitemap_plugins.published.addresses import file_at
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.values.languages import InvalidLanguageError, agree, is_language, parse_language
from sitemap_plugins.values.text import and_more_pages


class PageLanguage(msgspec.Struct, frozen=True):
    """The language of a page, its language folder (empty at the root), and a name that all its translations share.

    The name, ``translation``, is empty if the site has one language. ``default`` is the language of the page that the
    head names as ``x-default``, if only links in the heads show the languages.
    """

    code: str
    folder: str = ""
    translation: str = ""
    default: str | None = None


def find_page_languages(files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str) -> dict[str, PageLanguage]:
    """The language of each file, and the name that its translations share, by its path.

    A top folder is a language folder if its name is a language code and most pages in it declare that language. Pages
    are translations of one another if their ``hreflang`` links lead to one another, or else if they have the same path
    below their language folders. Without such folders, the links must be complete.
    """
    folders = _language_folders(files)
    root = _language_at_root(files, folders)
    if not folders or (len(folders) == 1 and not root):
        declared = {file.path: PageLanguage(file.markup.language if file.markup else "") for file in files}
        return declared | dict(_named_in_heads(files, locs, base_url))
    codes = _codes(files, folders, root)
    page_languages = {}
    for file in files:
        top, _, rest = file.stem.partition("/")
        if top in folders:
            page_languages[file.path] = PageLanguage(codes[top], top, rest or ".")
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
        if is_folder and file.markup and not file.markup.refresh and is_language(top):
            named[top][bool(file.markup.language) and agree(file.markup.language, top)] += 1
    return frozenset(top for top, count in named.items() if count[True] > count[False])


def _code_of(name: str) -> str:
    """The valid code of a language; empty if there is none."""
    try:
        return parse_language(name)
    except InvalidLanguageError:
        return ""


def _codes(files: Collection[HTMLFile], folders: Collection[str], root: str) -> dict[str, str]:
    """The code of each language folder: its name, or else the one with a region or script that all its pages have.

    The name stays if ``hreflang`` links use it. No two folders have the same code because of their pages, and none has
    that of the pages outside them.
    """
    declared: defaultdict[str, set[str]] = defaultdict(set)
    for file in files:
        if file.markup and file.markup.language and not file.markup.refresh:
            top = file.stem.partition("/")[0]
            linked = {_code_of(code) for code, _ in file.markup.hreflang}
            declared[top] |= {_code_of(file.markup.language), *(linked & {_code_of(top)} - {""})}
    exact = {folder: min(declared[folder]) for folder in folders if len(declared[folder]) == 1}
    exact = {folder: code for folder, code in exact.items() if code.startswith(f"{_code_of(folder)}-")}
    taken = Counter([_code_of(root), *(exact.get(folder, _code_of(folder)) for folder in folders)])
    return {folder: code if (code := exact.get(folder, "")) and taken[code] == 1 else folder for folder in folders}


def _language_at_root(files: Collection[HTMLFile], folders: Collection[str]) -> str:
    """The language that most of the pages outside the language folders declare."""
    outside = (file.markup for file in files if file.stem.partition("/")[0] not in folders)
    counted = Counter(markup.language for markup in outside if markup and markup.language and not markup.refresh)
    return max(counted, key=lambda each: (counted[each], each), default="")


def _named_in_heads(
    files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str
) -> Iterator[tuple[str, PageLanguage]]:
    """The pages whose ``hreflang`` links name all their translations, themselves included, as these do in turn."""
    paths = {file.path for file in files}
    links: dict[str, dict[str, str | None]] = {}
    defaults: dict[str, str | None] = {}
    for file in files if locs else ():
        named = {
            written.lower(): _target(locs[file.path], href, base_url, paths)
            for written, href in (file.markup.hreflang if file.markup else ())
        }
        defaults[file.path] = named.pop(X_DEFAULT, None)
        links[file.path] = {_code_of(written): target for written, target in named.items()}
    for path, named in links.items():
        codes = {target: code for code, target in named.items() if target and code}
        if path in codes and 1 < len(codes) == len(named) and all(links[target] == named for target in codes):
            default = codes.get(defaults[path] or "", "")
            yield path, PageLanguage(codes[path], "", f"{min(codes)} and its translations", default)


def incomplete_links_notes(
    files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str, page_languages: Mapping[str, PageLanguage]
) -> Iterator[Note]:
    """A note if heads name translations in this site, but not completely, and nothing else shows the languages."""
    if any(each.translation for each in page_languages.values()):
        return
    paths = {file.path for file in files}
    linking = [
        file.path
        for file in files
        if any(
            written.lower() != X_DEFAULT and _target(locs[file.path], href, base_url, paths) not in {None, file.path}
            for written, href in (file.markup.hreflang if file.markup else ())
        )
    ]
    if linking:
        message = (
            "its head names translations in this site, but not all of them name each other and themselves, so the "
            "sitemap links none: complete the hreflang links, or set the option languages"
        )
        yield Note(kind="language-mismatch", page=linking[0], message=message + and_more_pages(len(linking) - 1))


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
        return file_at(urljoin(loc, href), base_url, paths.__contains__)
    except ValueError:  # it is not a URL
        return None
