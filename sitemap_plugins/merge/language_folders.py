"""Finds the folders of a published site that are merged as languages, and says why others are not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import accumulate

import msgspec
from msgspec import structs

from sitemap_plugins.merge.reading import Published
from sitemap_plugins.pages.omit import refresh_in
from sitemap_plugins.published.languages import (
    DEPTH,
    Declared,
    find_language_folders,
    is_language_of_its_own,
    language_outside,
    read_declared,
    read_head_links,
)
from sitemap_plugins.values.languages import InvalidLanguageError, agree, code_of, parse_language
from sitemap_plugins.values.text import most_common
from sitemap_plugins.values.urls import page_key, path_in


class LanguageFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, relative to the root (empty for the root itself), its language, and how it was recognized.

    ``mapped`` is true if the author named the folder. Its pages are then compared by their paths below it.
    ``is_declared`` is true if any page in the folder declares this language (``html lang``), and ``is_at_root`` if the
    folder is a version that no language folder contains.
    """

    folder: str
    code: str
    known_by: str
    mapped: bool = False
    is_declared: bool = False
    is_at_root: bool = False

    def key(self, path: str) -> str:
        """The key that a page shares with its translations: its path without the language folder."""
        parent = "" if self.mapped else self.folder.rpartition("/")[0]
        below = path[len(self.folder) + 1 :] if self.folder else path
        return f"{parent}/{below}" if parent else below


class LanguageSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one language: how many pages its sitemaps list, and how many of them have translations.

    ``absent`` counts listed pages that do not exist, ``closed`` pages that must not be indexed, and ``foreign`` pages
    in another language: those that declare it (``html lang``), and those with the text of the untranslated page.
    """

    language: LanguageFolder
    listed: int
    translated: int
    absent: int
    closed: int
    foreign: int


def find_languages(published: Published, declared: Mapping[str, Declared]) -> tuple[list[LanguageFolder], list[str]]:
    """The languages of a published site, and a note on each folder that looks like a language but is not used.

    `find_language_folders` says which folders are in a language. If no page in the folder of a build declares one, its
    name counts. The pages outside these folders are in the language that most of them declare. ``declared`` is what all
    pages say, see `read_all_declared`.
    """
    passed_over: set[str] = set()
    below: defaultdict[str, list[Declared]] = defaultdict(list)
    for path, page in declared.items():
        for folder in accumulate(path.split("/")[:-1][:DEPTH], path_in):
            below[folder].append(page)
    known = find_language_folders(declared.items())
    builds = {sitemap.folder for sitemap in published.sitemaps}
    languages: dict[str, LanguageFolder] = {}
    notes: list[str] = []
    for folder in sorted(below, key=lambda each: (each.count("/"), each)):
        if any(folder.startswith(f"{other}/") for other in languages):
            continue
        most = _most_common(below[folder])
        # If no page declares a language, the name alone may mean something else: the folder "io" of a library.
        named = code_of(folder.rpartition("/")[2], only_known=True) if folder in builds else ""
        code = known.get(folder, "" if most else named)
        if not code:
            if named:
                passed_over.add(folder)
                notes.append(
                    f'{folder}/ was not taken for {named}, because its pages say lang="{most}"; '
                    f"if they are in that language, use --language {named}={folder}, and name the others too"
                )
            continue
        parent = folder.rpartition("/")[0]
        same = [each for each in languages.values() if each.code == code and each.folder.rpartition("/")[0] == parent]
        if same:
            passed_over.add(folder)
            notes.append(f"{folder}/ was left alone, because {same[0].folder}/ is in {code} too")
            continue
        languages[folder] = _language_folder(folder, code, below[folder])
    others = {
        each: _most_common(below[each])
        for each in builds - passed_over
        if each in below
        and folder_of(f"{each}/", languages) is None
        and not any(other.startswith(f"{each}/") for other in languages)
    }
    notes += _add_root(languages, declared, others, passed_over)
    return [*languages.values()], notes


def _language_folder(folder: str, code: str, pages: Collection[Declared]) -> LanguageFolder:
    """A language folder that these pages are in. They may say another language if links in heads show the code."""
    known_by = "hreflang" if any(page.named for page in pages) else "html lang" if _most_common(pages) else ""
    return LanguageFolder(
        folder=folder,
        code=code,
        known_by=", ".join(filter(None, ["name" if folder else "", known_by])),
        is_declared=any(page.language and agree(page.language, code) for page in pages),
    )


def read_all_declared(published: Published) -> dict[str, Declared]:
    """What each page that is no redirect says of its language, by path."""
    pages = published.pages.items()
    heads = [(page.path, loc, page.markup) for loc, page in pages if refresh_in(page.markup, loc) is None]
    paths = {page_key(loc): path for path, loc, _ in heads}
    links = read_head_links(heads, lambda url: paths.get(page_key(url)))
    return {path: read_declared(path, markup, links) for path, _, markup in heads}


def _most_common(pages: Iterable[Declared]) -> str:
    """The language that most pages declare; empty if none does."""
    return most_common(Counter(page.language for page in pages if page.language))


def _add_root(
    languages: dict[str, LanguageFolder],
    declared: Mapping[str, Declared],
    others: Mapping[str, str],
    passed_over: Iterable[str],
) -> list[str]:
    """Add the root as the folder of all remaining pages, if their language is known and no other folder has it.

    ``declared`` is what all pages say. ``others`` maps folders with their own sitemap to the language that most of
    their pages declare. Each may be another version, or a language by another name. ``passed_over`` are folders that
    already have a note.
    """
    other_folders = tuple(f"{folder}/" for folder in (*others, *passed_over))
    rest = {path: page for path, page in declared.items() if folder_of(path, languages) is None}
    at_root = {path: page for path, page in rest.items() if not path.startswith(other_folders)}
    most = language_outside(at_root)
    known = [*(each.code for each in languages.values()), most or "-"]
    if not at_root:
        # The site may consist of versions, with no pages at the root itself.
        at_root, most = rest, language_outside(rest)
    notes = [
        _left_alone(folder, language)
        for folder, language in sorted(others.items())
        if language and (languages or most) and not any(agree(language, each) for each in known)
    ]
    if not languages or not at_root:
        return notes
    if not most:
        message = "the pages outside the language folders have no html lang; name every language: --language CODE=."
        return notes if [*at_root] == ["index.html"] else [*notes, message]
    try:
        code = parse_language(most)
    except InvalidLanguageError as error:
        return [*notes, f'the pages outside the language folders say lang="{most}", which {error}']
    keys: defaultdict[str, set[str]] = defaultdict(set)
    for path in declared:
        if place := folder_of(path, languages):
            keys[place.code].add(place.key(path))
    if is_language_of_its_own(code, at_root, keys):
        languages[""] = _language_folder("", code, [*at_root.values()])
    return notes


def _left_alone(folder: str, language: str) -> str:
    """The note on a separate build in a folder that is not named after its language."""
    note = f'{folder}/ was left alone, because its pages say lang="{language}"'
    try:
        parse_language(language)
    except InvalidLanguageError as error:
        return f"{note}, which {error}"
    return f"{note}; if they are translations, use --language {language}={folder}, and name the others too"


def folder_of(path: str, languages: Mapping[str, LanguageFolder]) -> LanguageFolder | None:
    """The innermost language folder that contains a page."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in languages:
            return languages[folder]
    return None


def languages_of_versions(
    codes: Mapping[str, str | None], published: Published
) -> tuple[list[LanguageFolder], list[str]]:
    """The languages of the versions in these folders, and a note on a version whose language is not known.

    ``codes`` are those of the language folders that contain them. A version in none, which has the code None, is in the
    language that most of its pages declare, if no other version is in it.
    """
    places = {
        folder: LanguageFolder(folder=folder, code=code or "", known_by="folder" if code else "html lang", mapped=True)
        for folder, code in codes.items()
    }
    declared = {folder: Counter[str]() for folder in places}
    for page in published.pages.values():
        if page.markup.language and (place := folder_of(page.path, places)):
            declared[place.folder][page.markup.language] += 1
    known = {code: folder for folder, code in codes.items() if code}
    languages: list[LanguageFolder] = []
    notes: list[str] = []
    for folder, code in codes.items():
        most = most_common(declared[folder])
        own, why = code or "", ""
        try:
            own = code or parse_language(most)
        except InvalidLanguageError as error:
            why = f'say lang="{most}", which {error}' if most else "have no html lang"
        if own and known.setdefault(own, folder) != folder:
            why = f'say lang="{most}", and {known[own]}/ is in {own} too'
        if why:
            way_out = f"if they are translations, name every language: --language CODE={folder or '.'}"
            notes.append(f"the pages in {folder or '.'}/ {why}, so they were not linked; {way_out}")
            continue
        is_declared = any(agree(each, own) for each in declared[folder])
        languages.append(structs.replace(places[folder], code=own, is_at_root=code is None, is_declared=is_declared))
    return languages, notes
