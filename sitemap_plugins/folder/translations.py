"""Which language each page of a built folder is in, and which pages are translations of one another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urljoin

from sitemap_plugins.folder.addresses import file_at
from sitemap_plugins.folder.html_files import HTMLFile
from sitemap_plugins.values.languages import InvalidLanguageError, agree, parse_language


class Wording(NamedTuple):
    """The language of a page, the folder of that language (empty at the root), and its name in all languages.

    ``translation`` is empty where the site has one language.
    """

    language: str
    folder: str = ""
    translation: str = ""


def find_wordings(files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str) -> dict[str, Wording]:
    """The language of each file by its path, and what is the same in all languages.

    A top folder is that of a language if it has the code of one for a name, and most pages in it name that language.
    Pages are translations if their links (``hreflang``) lead to one another, else if they have the same path below the
    folders of their languages.
    """
    folders = _language_folders(files)
    root = _language_at_root(files, folders)
    if not folders or (len(folders) == 1 and not root):
        return {file.path: Wording(file.markup.language if file.markup else "") for file in files}
    wordings = {}
    for file in files:
        top, _, rest = file.stem.partition("/")
        if top in folders:
            wordings[file.path] = Wording(top, top, rest or ".")
        elif root and not any(agree(root, folder) for folder in folders):
            wordings[file.path] = Wording(root, "", file.stem or ".")
        else:
            # What leads readers to their language, or a copy of one of them, is a translation of none.
            wordings[file.path] = Wording(file.markup.language if file.markup else "")
    for path, name in _linked(files, locs, base_url):
        if wordings[path].translation:
            wordings[path] = wordings[path]._replace(translation=name)
    return wordings


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
    """What most of the pages outside the folders of languages call their language."""
    outside = (file.markup for file in files if file.stem.partition("/")[0] not in folders)
    counted = Counter(markup.language for markup in outside if markup and markup.language and not markup.refresh)
    return max(counted, key=lambda each: (counted[each], each), default="")


def language_outside(wordings: Mapping[str, Wording]) -> str:
    """The language of most pages that are in no folder of a language; empty if they name none."""
    counted = Counter(each.language for each in wordings.values() if each.language and not each.folder)
    return max(counted, key=lambda each: (counted[each], each), default="")


def _linked(files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str) -> Iterator[tuple[str, str]]:
    """The pages that have links to translations which lead back, each with a name that all of them share."""
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
    except ValueError:  # it is no URL at all
        return None
